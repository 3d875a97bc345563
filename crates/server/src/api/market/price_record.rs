//! The public record of accepted prices and their sources (`docs/api.md` 4.5, 10).

use engine::index::IndexSample;
use store::prices;
use store::rows::SAMPLES_KEPT_MS;

use crate::api::samples::sample_view;
use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Reply, bad_field};
use crate::http::request::{Input, request};
use crate::http::units;

request! {
    /// What `market/index` takes.
    pub struct ListSamples checked by handler {
        required symbol: Option<String>,
        optional from_ms: Input<u64>,
        optional to_ms: Input<u64>,
    }
}

/// `GET market/index`
pub async fn index(call: Call, request: ListSamples) -> Answer {
    let market = units::by_symbol(&call.app.catalog, request.symbol.as_deref())?;
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
