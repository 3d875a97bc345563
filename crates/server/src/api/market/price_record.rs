//! The public record of accepted prices and their sources (`api.md` 4.5, 10).

use engine::amount::PRICE_SCALE;
use engine::index::{Dropped, IndexSample};
use kernel::listed::Listed;
use serde::Serialize;
use store::prices;
use store::rows::SAMPLES_KEPT_MS;
use utoipa::ToSchema;

use crate::http::code::Code;
use crate::http::figures::{self, index_price};
use crate::http::print::fixed;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, bad_field};
use crate::http::request::{Input, request};
use crate::http::{Call, wire};

/// One accepted price with what it was made of.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = IndexSample)]
pub struct IndexSampleView {
    symbol: String,
    seq: u64,
    time_ms: u64,
    price: String,
    sources: Vec<SourceView>,
}

/// One raw quote and its use.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = IndexSource)]
struct SourceView {
    name: String,
    price: String,
    age_ms: u32,
    #[schema(value_type = wire::Flag)]
    used: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = wire::Unused, nullable = false)]
    why: Option<&'static str>,
}

impl IndexSampleView {
    /// The entry that made it.
    pub fn seq(&self) -> u64 {
        self.seq
    }
}

request! {
    /// What `market/index` takes.
    pub struct ListSamples in turn {
        required symbol: Option<String>,
        optional from_ms: Input<u64>,
        optional to_ms: Input<u64>,
    }
}

/// `GET market/index`
pub async fn index(call: Call, request: ListSamples) -> Answer {
    let market = figures::by_symbol(&call.app.catalog, request.symbol.as_deref())?;
    call.app.catalog.index(market.id).or_refuse(Code::UnknownMarket)?;
    let to = request.to_ms.optional()?.unwrap_or_else(|| call.app.now_ms());
    let from = request.from_ms.optional()?.unwrap_or_else(|| to.saturating_sub(60_000));
    if from > to || to - from > engine::time::HOUR_MS {
        return Err(bad_field("to_ms", "range"));
    }
    let kept = call.app.now_ms().saturating_sub(SAMPLES_KEPT_MS);
    if from < kept {
        return Err(bad_field("from_ms", "range").with("min", kept));
    }
    let rows = prices::samples(&call.app.db, market.id, from, to).await?;
    let sample = |row: prices::SampleRow| {
        let sample = IndexSample {
            market: market.id,
            time: engine::time::Time(row.time_ms),
            price: row.price,
            quotes: row.quotes,
            sandbox: row.sandbox,
        };
        sample_view(&call.app.catalog, &sample, row.seq)
    };
    Ok(Reply::ok(rows.into_iter().map(sample).collect::<Result<Vec<_>, _>>()?))
}

/// A sample on the wire.
pub fn sample_view(catalog: &Listed, sample: &IndexSample, seq: u64) -> Result<IndexSampleView, Refusal> {
    let market = figures::by_id(catalog, sample.market)?;
    let names = catalog.sources(sample.market, sample.time);
    let mut sources: Vec<SourceView> = sample
        .quotes
        .iter()
        .map(|entry| SourceView {
            name: names.get(usize::from(entry.quote.source)).cloned().unwrap_or_default(),
            price: fixed(entry.quote.price.0, PRICE_SCALE),
            age_ms: entry.quote.age_ms,
            used: u8::from(entry.dropped.is_none()),
            why: entry.dropped.map(|why| match why {
                Dropped::Stale => "stale",
                Dropped::Deviation => "deviation",
                Dropped::NonPositive => "nonpositive",
            }),
        })
        .collect();
    let price = index_price(catalog, market, sample.price);
    if sample.sandbox {
        sources.push(SourceView { name: "sandbox".to_owned(), price: price.clone(), age_ms: 0, used: 1, why: None });
    }
    Ok(IndexSampleView { symbol: market.symbol.clone(), seq, time_ms: sample.time.0, price, sources })
}
