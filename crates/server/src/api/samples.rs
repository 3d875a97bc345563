//! An accepted price with the quotes it was made from, as calls, receipts and the socket show it (`docs/api.md` 10).

use engine::amount::PRICE_SCALE;
use engine::index::{Dropped, IndexSample};
use kernel::catalog_view::CatalogView;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::decimal::fixed;
use crate::http::reply::Refusal;
use crate::http::types;
use crate::http::units::{self, index_price};

/// An accepted index price, with the quotes that it was computed from.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = IndexSample)]
pub struct IndexSampleView {
    symbol: String,
    seq: u64,
    time_ms: u64,
    price: String,
    sources: Vec<SourceView>,
}

/// One raw quote, and whether it was used.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = IndexSource)]
struct SourceView {
    name: String,
    price: String,
    age_ms: u32,
    #[schema(value_type = types::Flag)]
    used: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = types::Unused, nullable = false)]
    why: Option<&'static str>,
}

impl IndexSampleView {
    /// Sequence of the entry that recorded it.
    pub fn seq(&self) -> u64 {
        self.seq
    }
}

/// The word for why a quote was not used.
pub fn unused(why: Dropped) -> &'static str {
    match why {
        Dropped::Stale => "stale",
        Dropped::Deviation => "deviation",
        Dropped::NonPositive => "nonpositive",
    }
}

/// A sample on the wire.
pub fn sample_view(catalog: &CatalogView, sample: &IndexSample, seq: u64) -> Result<IndexSampleView, Refusal> {
    let market = units::by_id(catalog, sample.market)?;
    let names = catalog.sources(sample.market, sample.time);
    let mut sources: Vec<SourceView> = sample
        .quotes
        .iter()
        .map(|entry| SourceView {
            name: names.get(usize::from(entry.quote.source)).cloned().unwrap_or_default(),
            price: fixed(entry.quote.price.0, PRICE_SCALE),
            age_ms: entry.quote.age_ms,
            used: u8::from(entry.dropped.is_none()),
            why: entry.dropped.map(unused),
        })
        .collect();
    let price = index_price(catalog, market, sample.price);
    if sample.sandbox {
        sources.push(SourceView { name: "sandbox".to_owned(), price: price.clone(), age_ms: 0, used: 1, why: None });
    }
    Ok(IndexSampleView { symbol: market.symbol.clone(), seq, time_ms: sample.time.0, price, sources })
}
