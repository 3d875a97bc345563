//! The state of the price sources: each venue's latest report for each pair, what was accepted, and its connection.

use engine::Engine;
use engine::amount::{Price, half_even};
use engine::catalog::Catalog;
use feed::market::Market;
use feed::venues::status::{PairStatus, SourceStatus};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::decimal::fixed;
use crate::http::reply::{Answer, Reply};
use crate::http::{Call, types, units};

/// Decimals of a deviation, percent.
const DEVIATION_DIGITS: u8 = 4;
/// One whole, in the unit of deviations.
const WHOLE: u64 = 1_000_000;

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
}

/// `GET /operator/api/sources`
pub async fn show(call: Call) -> Answer {
    let venues = call.app.feed.get().map(|feed| feed.venues()).unwrap_or_default();
    let market = match call.app.market {
        Market::Live => "live",
        Market::Simulated => "simulated",
    };
    let engine = call.app.sequencer.engine();
    let sources = venues.into_iter().map(|venue| source(&engine, venue)).collect();
    Ok(Reply::ok(PriceSources { market, sources }).at(engine.seq().0))
}

fn source(engine: &Engine, venue: SourceStatus) -> PriceSource {
    PriceSource {
        name: venue.name,
        state: venue.connection.name(),
        since_ms: venue.since_ms,
        connections: venue.opened,
        strays: venue.strays,
        fault: venue.fault,
        pairs: venue.pairs.iter().filter_map(|pair| self::pair(engine, pair)).collect(),
    }
}

fn pair(engine: &Engine, pair: &PairStatus) -> Option<SourcePair> {
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
    })
}

/// How far a price is from the index, percent of the index.
fn deviation(price: Price, index: Price) -> Option<String> {
    let units = half_even(u128::from(price.distance(index).0) * u128::from(WHOLE), u128::from(index.0))?;
    let sign = if price < index && units > 0 { "-" } else { "" };
    Some(format!("{sign}{}", fixed(u64::try_from(units).ok()?, DEVIATION_DIGITS)))
}

/// The share of rejected quotes among all, percent.
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
