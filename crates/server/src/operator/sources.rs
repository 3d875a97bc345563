//! The state of the price sources: each venue's latest report for each pair, what was accepted, and its connection.

use std::collections::{BTreeMap, BTreeSet};

use engine::Engine;
use engine::amount::{Price, half_even};
use engine::catalog::Catalog;
use engine::ids::MarketId;
use engine::time::{MINUTE_MS, Time};
use feed::market::Market;
use feed::venues::status::{PairStatus, SourceStatus};
use serde::Serialize;
use store::prices::{self, SampleRow};
use utoipa::ToSchema;

use crate::api::samples::unused;
use crate::http::decimal::fixed;
use crate::http::reply::{Answer, Reply};
use crate::http::{Call, types, units};

/// Decimals of a deviation, percent.
const DEVIATION_DIGITS: u8 = 4;
/// One whole, in the unit of deviations.
const WHOLE: u64 = 1_000_000;
/// How far back the samples are counted, ms.
const RECENT_MS: u64 = 5 * MINUTE_MS;

/// The price sources, and the market their prices are of.
#[derive(Debug, Serialize, ToSchema)]
pub struct PriceSources {
    #[schema(value_type = types::MarketKind)]
    market: &'static str,
    sources: Vec<PriceSource>,
}

/// A venue.
#[derive(Debug, Serialize, ToSchema)]
pub struct PriceSource {
    name: &'static str,
    #[schema(value_type = types::SourceState)]
    state: &'static str,
    since_ms: u64,
    connections: u64,
    /// Messages of unknown form, or about other pairs.
    strays: u64,
    fault: Option<String>,
    pairs: Vec<SourcePair>,
}

/// A pair at a venue.
#[derive(Debug, Serialize, ToSchema)]
pub struct SourcePair {
    symbol: String,
    asked_as: String,
    #[schema(value_type = types::Flag)]
    inverse: u8,
    price: Option<String>,
    age_ms: Option<u64>,
    /// Deviation from the last index sample, percent.
    deviation: Option<String>,
    accepted: u64,
    rejected: u64,
    /// Percent.
    rejected_share: String,
    #[schema(value_type = Option<types::Rejection>)]
    rejected_for: Option<&'static str>,
    /// Index samples of the last five minutes.
    samples: u64,
    /// Those that no quote of this source counted towards.
    unused: u64,
    /// Percent.
    unused_share: String,
    /// Why the last quote that did not count was left out; null if none was.
    #[schema(value_type = Option<types::Unused>)]
    unused_for: Option<&'static str>,
}

/// How often a source counted towards the samples of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Use {
    samples: u64,
    used: u64,
    why: Option<&'static str>,
}

impl Use {
    /// Counts the samples of an index; `names` has its sources at an instant.
    fn of<'a>(source: &str, rows: &[SampleRow], names: impl Fn(Time) -> &'a [String]) -> Use {
        let mut all = Use::default();
        for row in rows.iter().filter(|row| !row.sandbox) {
            all.samples += 1;
            let names = names(Time(row.time_ms));
            let is_it = |number: u8| names.get(usize::from(number)).is_some_and(|name| name == source);
            match row.quotes.iter().find(|entry| is_it(entry.quote.source)) {
                Some(entry) if entry.dropped.is_none() => all.used += 1,
                entry => all.why = entry.and_then(|entry| entry.dropped).map(unused).or(all.why),
            }
        }
        all
    }
}

/// `GET /operator/api/sources`
pub async fn show(call: Call) -> Answer {
    let venues = call.app.feed.get().map(|feed| feed.venues()).unwrap_or_default();
    let market = match call.app.market {
        Market::Live => "live",
        Market::Simulated => "simulated",
    };
    let now = call.app.now_ms();
    let markets: BTreeSet<MarketId> = venues.iter().flat_map(|venue| &venue.pairs).map(|pair| pair.market).collect();
    let mut recent: BTreeMap<MarketId, Vec<SampleRow>> = BTreeMap::new();
    for market in markets {
        recent.insert(market, prices::samples(&call.app.db, market, now.saturating_sub(RECENT_MS), now).await?);
    }
    let counted = |source: &str, market: MarketId| {
        let rows = recent.get(&market).map_or(&[][..], Vec::as_slice);
        Use::of(source, rows, |at| call.app.catalog.sources(market, at))
    };
    let engine = call.app.sequencer.engine();
    let sources = venues.into_iter().map(|venue| source(&engine, venue, counted)).collect();
    Ok(Reply::ok(PriceSources { market, sources }).at(engine.seq().0))
}

fn source(engine: &Engine, venue: SourceStatus, counted: impl Fn(&str, MarketId) -> Use) -> PriceSource {
    PriceSource {
        name: venue.name,
        state: venue.connection.name(),
        since_ms: venue.since_ms,
        connections: venue.opened,
        strays: venue.strays,
        fault: venue.fault,
        pairs: venue.pairs.iter().filter_map(|pair| self::pair(engine, pair, counted(venue.name, pair.market))).collect(),
    }
}

fn pair(engine: &Engine, pair: &PairStatus, counted: Use) -> Option<SourcePair> {
    let catalog: &Catalog = engine.catalog();
    let market = catalog.market(pair.market)?;
    let index = engine.index(pair.market).and_then(|index| index.filter.last()).map(|sample| sample.price);
    Some(SourcePair {
        symbol: market.symbol.clone(),
        asked_as: pair.symbol.clone(),
        inverse: pair.inverse.into(),
        price: pair.price.map(|price| units::index_price(catalog, market, price)),
        age_ms: pair.age_ms,
        deviation: pair.price.zip(index).and_then(|(price, index)| deviation(price, index)),
        accepted: pair.accepted,
        rejected: pair.rejected,
        rejected_share: share(pair.rejected, pair.accepted),
        rejected_for: pair.why.map(|why| why.name()),
        samples: counted.samples,
        unused: counted.samples.saturating_sub(counted.used),
        unused_share: share(counted.samples.saturating_sub(counted.used), counted.used),
        unused_for: counted.why,
    })
}

/// How far a price is from the index, percent of the index.
fn deviation(price: Price, index: Price) -> Option<String> {
    let units = half_even(u128::from(price.distance(index).0) * u128::from(WHOLE), u128::from(index.0))?;
    let sign = if price < index && units > 0 { "-" } else { "" };
    Some(format!("{sign}{}", fixed(u64::try_from(units).ok()?, DEVIATION_DIGITS)))
}

/// The share of rejected or unused quotes among all, percent.
fn share(rejected: u64, accepted: u64) -> String {
    let all = u128::from(rejected) + u128::from(accepted);
    let units = half_even(u128::from(rejected) * 10_000, all).and_then(|units| u64::try_from(units).ok());
    fixed(units.unwrap_or(0), 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_and_shares_are_percents() {
        let index = Price(9_743_215_000_000);
        assert_eq!(deviation(index, index).as_deref(), Some("0.0000"));
        assert_eq!(deviation(Price(index.0 / 100 * 102), index).as_deref(), Some("2.0000"));
        assert_eq!(deviation(Price(index.0 / 1_000 * 999), index).as_deref(), Some("-0.1000"));
        assert_eq!(deviation(Price(index.0 - 1), index).as_deref(), Some("0.0000"), "no minus before nothing");
        assert_eq!(deviation(index, Price(0)), None);
        assert_eq!([share(0, 0), share(0, 9), share(1, 2), share(5, 0)], ["0.00", "0.00", "33.33", "100.00"]);
    }
}
