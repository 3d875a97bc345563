//! The past of a pair from the candles of the venues, for the chart of the time before our own first sample. It cannot be checked against
//! the log, so it is only drawn and never becomes a command.
//!
//! Each field of a candle is the median of at least three venues: while fewer than half of them lie, it lies within what the honest ones
//! said.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use engine::amount::Price;
use engine::candles::Candle;
use engine::catalog::QUORUM;
use engine::ids::MarketId;
use engine::time::{MINUTE_MS, Time};

use super::board::Asked;
use super::candles::{Asker, Length, ROWS, VenueCandle};
use super::connection::Source;
use super::price;
use super::volumes::Pace;

/// Pages of [`ROWS`] candles that are requested: 25 hours of minutes, 12 days of hours, 300 days.
const PAGES: [(Length, u64); 3] = [(Length::Minute, 5), (Length::Hour, 1), (Length::Day, 1)];

/// A candle of the past, made from at least three venues. It has no volume: a venue's volume is not ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastCandle {
    /// Its length: 1, 60 or 1,440 minutes.
    pub minutes: u64,
    /// Start and prices.
    pub candle: Candle,
}

/// Open, high, low and close.
type Prices = [Price; 4];
/// One venue's candles, by length and start.
type Said = BTreeMap<(Length, u64), Prices>;

/// The pairs whose past is requested, and the answers so far.
#[derive(Debug, Default)]
pub(super) struct Pasts(Mutex<BTreeMap<MarketId, Gathered>>);

#[derive(Debug)]
struct Gathered {
    until_ms: u64,
    /// When the first venue had answered.
    since: Option<Instant>,
    by_source: BTreeMap<&'static str, Said>,
}

impl Pasts {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<MarketId, Gathered>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Requests the candles of a pair that are complete at this instant, once.
    pub fn want(&self, market: MarketId, until: Time) {
        let empty = || Gathered { until_ms: until.0, since: None, by_source: BTreeMap::new() };
        self.lock().entry(market).or_insert_with(empty);
    }

    /// The pasts for which all venues have answered, or enough of them in time; they are no longer requested. `asked`: how many have the
    /// pair.
    pub fn take(&self, asked: impl Fn(MarketId) -> usize, patience: Duration) -> Vec<(MarketId, Vec<PastCandle>)> {
        let mut all = self.lock();
        let is_ready = |market: MarketId, gathered: &Gathered| {
            let (answered, asked) = (gathered.by_source.len(), asked(market));
            (asked > 0 && answered >= asked) || (answered >= QUORUM && gathered.since.is_some_and(|since| since.elapsed() > patience))
        };
        let ready: Vec<MarketId> =
            all.iter().filter(|(market, gathered)| is_ready(**market, gathered)).map(|(market, _)| *market).collect();
        ready.into_iter().filter_map(|market| Some((market, medians(all.remove(&market)?.by_source.values())))).collect()
    }

    /// The end of the time range still to be requested from this source, if it has not answered.
    fn asks(&self, market: MarketId, source: &str) -> Option<u64> {
        let all = self.lock();
        all.get(&market).filter(|gathered| !gathered.by_source.contains_key(source)).map(|gathered| gathered.until_ms)
    }

    fn add(&self, market: MarketId, source: &'static str, said: Said) {
        if let Some(gathered) = self.lock().get_mut(&market) {
            gathered.since.get_or_insert_with(Instant::now);
            gathered.by_source.insert(source, said);
        }
    }
}

/// Requests from one venue the past of each wanted pair. `base` is where its candles are.
pub(super) async fn follow(source: Arc<Source>, base: String, pasts: Arc<Pasts>, pace: Pace) {
    let Some(asker) = Asker::new(base) else { return };
    let mut failures = 0u32;
    loop {
        for pair in source.pairs() {
            let Some(until_ms) = pasts.asks(pair.market, source.venue.name) else { continue };
            match read(&asker, &source, &pair, until_ms, pace.pair).await {
                Ok(said) => {
                    failures = 0;
                    pasts.add(pair.market, source.venue.name, said);
                }
                Err(why) => {
                    failures += 1;
                    tracing::debug!(venue = source.venue.name, why, "no past");
                    tokio::time::sleep(pace.after(failures)).await;
                }
            }
        }
        tokio::time::sleep(pace.pair).await;
    }
}

/// All pages of one pair.
async fn read(asker: &Asker, source: &Source, pair: &Asked, until_ms: u64, between: Duration) -> Result<Said, String> {
    let mut said = Said::new();
    for (length, starts) in pages(until_ms) {
        let (from_s, last_s) = (starts.start / 1_000, starts.end.saturating_sub(length.ms()) / 1_000);
        let text = asker.ask(&(source.venue.candles.path)(&pair.symbol.text, length, from_s, last_s)).await?;
        let rows = (source.venue.candles.read)(&text).map_err(|_| "no candles".to_owned())?;
        // A candle that is still open is dropped.
        let now_ms = source.now_ms();
        let fits = |start: u64| starts.contains(&start) && start.is_multiple_of(length.ms()) && start.saturating_add(length.ms()) <= now_ms;
        for row in &rows {
            if let (Some(start_ms), Some(prices)) = (row.start_ms.filter(|start| fits(*start)), exact(row, pair.symbol.inverse)) {
                said.entry((length, start_ms)).or_insert(prices);
            }
        }
        tokio::time::sleep(between).await;
    }
    Ok(said)
}

/// The starts per request, ms; the newest first.
fn pages(until_ms: u64) -> impl Iterator<Item = (Length, Range<u64>)> {
    PAGES.into_iter().flat_map(move |(length, pages)| {
        let end = until_ms - until_ms % length.ms();
        let back = move |page: u64| end.saturating_sub(page * ROWS * length.ms());
        (0..pages).map(move |page| (length, back(page + 1)..back(page)))
    })
}

/// The prices of a candle, if they are plausible.
fn exact(row: &VenueCandle<'_>, inverse: bool) -> Option<Prices> {
    let [open, high, low, close] = [&row.open, &row.high, &row.low, &row.close].map(|text| {
        let straight = price::exact(text)?;
        if inverse { price::inverse(straight) } else { Some(straight) }
    });
    let (high, low) = if inverse { (low?, high?) } else { (high?, low?) };
    let (open, close) = (open?, close?);
    let lies_within = [open, close].iter().all(|price| (low..=high).contains(price));
    lies_within.then_some([open, high, low, close])
}

/// Candles reported by at least three venues, each field the median of theirs. As each of them has its prices between low and high, so has
/// the median.
fn medians<'a>(all: impl Iterator<Item = &'a Said>) -> Vec<PastCandle> {
    let mut by_candle = BTreeMap::<(Length, u64), Vec<Prices>>::new();
    for (at, prices) in all.flatten() {
        by_candle.entry(*at).or_default().push(*prices);
    }
    let enough = by_candle.into_iter().filter(|(_, told)| told.len() >= QUORUM);
    let candle = |((length, start_ms), told): ((Length, u64), Vec<Prices>)| {
        let [open, high, low, close] = [0, 1, 2, 3].map(|field: usize| median(told.iter().filter_map(|prices| prices.get(field)).copied()));
        let candle = Candle { high, low, close, ..Candle::flat(Time(start_ms), open) };
        PastCandle { minutes: length.ms() / MINUTE_MS, candle }
    };
    enough.map(candle).collect()
}

/// The middle price, or the mean of the two in the middle, rounded down. Prices are far below half the range of a `u64`.
fn median(prices: impl Iterator<Item = Price>) -> Price {
    let mut prices: Vec<Price> = prices.collect();
    prices.sort_unstable();
    let at = |place: usize| prices.get(place).map_or(0, |price| price.0);
    Price((at(prices.len() / 2) + at(prices.len().saturating_sub(1) / 2)) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row<'a>([open, high, low, close]: [&'a str; 4]) -> VenueCandle<'a> {
        let [open, high, low, close] = [open, high, low, close].map(Into::into);
        VenueCandle { start_ms: Some(0), open, high, low, close, volume: "1".into() }
    }

    fn units(whole: [u64; 4]) -> Prices {
        whole.map(|whole| Price(whole * 100_000_000))
    }

    #[test]
    fn a_candle_that_cannot_be_true_is_none() {
        assert_eq!(exact(&row(["3", "5.00", "2", "4"]), false), Some(units([3, 5, 2, 4])));
        assert_eq!(exact(&row(["1", "1", "1", "1"]), false), Some(units([1, 1, 1, 1])));
        for wrong in [
            ["3", "2", "5", "4"],
            ["6", "5", "2", "4"],
            ["3", "5", "2", "1"],
            ["0", "5", "0", "4"],
            ["-3", "5", "-3", "4"],
            ["NaN", "5", "2", "4"],
            ["3", "Infinity", "2", "4"],
            ["3", "5e0", "2", "4"],
            ["3", "5", "2.000000001", "4"],
            ["3", "", "2", "4"],
            ["3", "99999999999", "2", "4"],
        ] {
            assert_eq!(exact(&row(wrong), false), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_pair_that_is_quoted_the_other_way_round_is_turned_and_its_high_is_its_low() {
        let turned = exact(&row(["0.5", "0.8", "0.4", "0.5"]), true).unwrap();
        assert_eq!(turned.map(|price| price.0), [200_000_000, 250_000_000, 125_000_000, 200_000_000]);
    }

    #[test]
    fn each_field_is_the_median_of_three_or_more_and_one_that_lies_moves_none_out_of_what_the_others_say() {
        let honest = units([3, 5, 2, 4]);
        let said =
            |told: &[Prices]| -> Vec<Said> { told.iter().map(|prices| Said::from([((Length::Hour, 3_600_000), *prices)])).collect() };
        let made = |told: &[Prices]| medians(said(told).iter());
        assert_eq!(made(&[honest, honest]), []);
        for lie in [units([1, 1, 1, 1]), units([9_000, 9_000, 9_000, 9_000])] {
            let [PastCandle { minutes, candle }] = made(&[honest, lie, honest]).try_into().unwrap();
            assert_eq!((minutes, candle.start), (60, Time(3_600_000)));
            assert_eq!([candle.open, candle.high, candle.low, candle.close], honest);
            assert_eq!((candle.volume, candle.quote_volume, candle.count), (0, 0, 0));
            // Honest candles differ a little, so the median may be any value among them.
            let [PastCandle { candle, .. }] = made(&[honest, units([4, 6, 3, 5]), lie]).try_into().unwrap();
            let within = [candle.open, candle.high, candle.low, candle.close].map(|price| price.0 / 100_000_000);
            assert!(within.iter().zip([3..=4, 5..=6, 2..=3, 4..=5]).all(|(price, range)| range.contains(price)), "{within:?}");
        }
        // Each field is a median of its own; with an even number, it lies between the two middle values.
        let mixed = [units([3, 5, 2, 4]), units([4, 9, 1, 3]), units([5, 6, 3, 6]), units([6, 7, 4, 5])];
        let [PastCandle { candle, .. }] = made(&mixed).try_into().unwrap();
        assert_eq!(
            [candle.open, candle.high, candle.low, candle.close].map(|price| price.0),
            [450_000_000, 650_000_000, 250_000_000, 450_000_000]
        );
    }

    #[test]
    fn whole_candles_before_the_end_are_asked_for_without_a_gap() {
        let until_ms = 1_764_106_260_000;
        let all: Vec<(Length, Range<u64>)> = pages(until_ms).collect();
        assert_eq!(all.len(), 7);
        assert_eq!(all[0].1.end, until_ms);
        assert!(all[..5].windows(2).all(|two| two[1].1.end == two[0].1.start), "{all:?}");
        for (length, starts) in all {
            assert_eq!((starts.start % length.ms(), (starts.end - starts.start) / length.ms()), (0, ROWS));
            assert!(starts.end <= until_ms);
        }
        assert!(pages(0).all(|(_, starts)| starts.is_empty()));
    }
}
