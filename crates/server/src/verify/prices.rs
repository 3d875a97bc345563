//! The index prices that a venue shows, beside those that its log gives.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use engine::amount::{PRICE_SCALE, parse_decimal};
use engine::catalog::Catalog;
use engine::ids::MarketId;
use engine::time::HOUR_MS;
use serde::Deserialize;

use crate::verify::fault::Reason;
use crate::verify::log::SignedHead;
use crate::verify::samples::Sample;
use crate::verify::venue::{Failed, Venue};

/// Samples that a venue shows are compared as far back as this, ms.
const COMPARED_MS: u64 = HOUR_MS;
/// The history of a venue follows its log; what it lacks is asked for again so often.
const TRIES: usize = 5;
const PAUSE: Duration = Duration::from_secs(1);

/// The samples of every pair that are still needed, in the order of the log.
#[derive(Debug, Default)]
pub(super) struct Samples {
    of: BTreeMap<MarketId, Vec<Sample>>,
    /// How many came out.
    pub(super) made: usize,
    /// Pair and entry of the option or contract of a receipt: the sample before it and all later ones are needed.
    receipt: Option<(MarketId, u64)>,
    /// So are those from this instant on, which the venue still shows.
    recent_ms: u64,
    /// A price was known right before the entry of the receipt, and no jump of it waited.
    pub(super) had_price: bool,
}

impl Samples {
    /// None yet, before the log of this head is read with the pair and the entry of a receipt.
    pub(super) fn needed_for(receipt: Option<(MarketId, u64)>, head: &SignedHead) -> Samples {
        Samples { receipt, recent_ms: head.time_ms.saturating_sub(COMPARED_MS), ..Samples::default() }
    }

    /// Takes the next one of a pair, without its quotes, and forgets those that no check needs any more.
    pub(super) fn take(&mut self, market: MarketId, sample: Sample) {
        self.made = self.made.saturating_add(1);
        let all = self.of.entry(market).or_default();
        let needed = self.receipt.filter(|(of, _)| *of == market).map(|(_, seq)| seq);
        if needed.is_none_or(|seq| sample.seq < seq) {
            let outdated = all.iter().take_while(|earlier| earlier.at_ms < self.recent_ms).count();
            all.drain(..outdated);
        }
        all.push(Sample { quotes: Vec::new(), ..sample });
    }

    pub(super) fn of(&self, market: MarketId) -> &[Sample] {
        self.of.get(&market).map(Vec::as_slice).unwrap_or_default()
    }
}

impl Venue {
    /// Compares the samples of the last hour that the venue shows with those that came out: it shows no others, and leaves none out.
    pub(super) async fn check_prices(&self, head: &SignedHead, catalog: &Catalog, samples: &Samples) -> Result<usize, Failed> {
        let mut compared = 0;
        for index in &catalog.indices {
            let Some(market) = catalog.market(index.market) else { continue };
            let (from, to) = (head.time_ms.saturating_sub(COMPARED_MS - 1), head.time_ms);
            let made = samples.of(index.market).iter().filter(|sample| (from..=to).contains(&sample.at_ms));
            let made: BTreeSet<_> = made.map(|sample| (sample.seq, sample.at_ms, Some(sample.price.0))).collect();
            let mut shown = BTreeSet::new();
            for left in (0..TRIES).rev() {
                shown = self.shown_prices(head, &market.symbol, from, to).await?;
                if left == 0 || made.is_subset(&shown) {
                    break;
                }
                tokio::time::sleep(PAUSE).await;
            }
            if let Some((seq, ..)) = shown.symmetric_difference(&made).next() {
                let symbol = &market.symbol;
                return Err(Reason::Price
                    .because(format!("{symbol} of entry {seq}: the venue shows another price than the log gives"))
                    .into());
            }
            compared += made.len();
        }
        Ok(compared)
    }

    /// Entry, instant and price of the samples that the venue shows up to a head.
    async fn shown_prices(&self, head: &SignedHead, symbol: &str, from: u64, to: u64) -> Result<BTreeSet<(u64, u64, Option<u64>)>, Failed> {
        #[derive(Deserialize)]
        struct PriceRow {
            seq: u64,
            time_ms: u64,
            price: String,
        }
        let symbol = symbol.replace('/', "%2F");
        let shown: Vec<PriceRow> = self.get(&format!("market/index?symbol={symbol}&from_ms={from}&to_ms={to}")).await?;
        let shown = shown.into_iter().filter(|shown| shown.seq <= head.seq);
        Ok(shown.map(|shown| (shown.seq, shown.time_ms, parse_decimal(&shown.price, PRICE_SCALE, u64::MAX).ok())).collect())
    }

    /// The pairs that the venue shows an index of and the log lists none for, as those listed after its head.
    pub(super) async fn unlisted(&self, catalog: &Catalog) -> Result<Vec<String>, Failed> {
        #[derive(Deserialize)]
        struct Group {
            quotation: Vec<Pair>,
        }
        #[derive(Deserialize)]
        struct Pair {
            match_id: u32,
            symbol: String,
            index_price: Option<String>,
        }
        let groups: Vec<Group> = self.get("currency/quotation_new").await?;
        let shown = groups.into_iter().flat_map(|group| group.quotation).filter(|pair| pair.index_price.is_some());
        Ok(shown.filter(|pair| catalog.index(MarketId(pair.match_id)).is_none()).map(|pair| pair.symbol).collect())
    }
}
