//! The parts of the volume of a pair's last 24 hours: its minutes, whose trades `market/trades` lists one by one (`docs/api.md` 4.5, M-7).

use engine::candles::{Candle, Series, window_start};
use kernel::market_stats::Range;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::reply::{Answer, Reply};
use crate::http::request::request;
use crate::http::types::EntryRange;
use crate::http::units::{self, amount};
use crate::http::{App, Call};

/// A minute with trades.
#[derive(Debug, Serialize, ToSchema)]
pub struct VolumeMinute {
    start_ms: u64,
    volume: String,
    quote_volume: String,
    count: u64,
}

/// The entries that the volume is computed from, with the sums of the minutes as in `market/ticker`, and the first instant that counts.
#[derive(Debug, Serialize, ToSchema)]
pub struct VolumeBehind {
    from_seq: u64,
    to_seq: u64,
    from_ms: u64,
    volume: String,
    quote_volume: String,
    count: u64,
}

request! {
    /// What `public/volumes` takes.
    pub struct ListMinutes checked by handler {
        required symbol: Option<String>,
    }
}

/// `GET public/volumes`, oldest minute first. Minutes and sums are of the same moment.
pub async fn volumes(call: Call, request: ListMinutes) -> Answer {
    let catalog = &call.app.catalog;
    let market = units::by_symbol(catalog, request.symbol.as_deref())?;
    let now = call.app.sequencer.engine().time();
    let stats = call.app.market_stats();
    let minute = |minute: &Candle| VolumeMinute {
        start_ms: minute.start.0,
        volume: amount(catalog, market.base, minute.volume),
        quote_volume: amount(catalog, market.quote, minute.quote_volume),
        count: minute.count,
    };
    let rows: Vec<VolumeMinute> = stats.window(market.id, Series::Trade, now).map(minute).collect();
    let day = stats.ticker(market.id, Series::Trade, now);
    let Range { from_seq, to_seq } = stats.range(now);
    let behind = VolumeBehind {
        from_seq,
        to_seq,
        from_ms: window_start(now).0,
        volume: amount(catalog, market.base, day.map_or(0, |day| day.volume)),
        quote_volume: amount(catalog, market.quote, day.map_or(0, |day| day.quote_volume)),
        count: day.map_or(0, |day| day.count),
    };
    Ok(Reply::ok(rows).data(behind).at(to_seq))
}

/// The entries that the days of all pairs are computed from.
pub fn behind(app: &App) -> EntryRange {
    let now = app.sequencer.engine().time();
    let Range { from_seq, to_seq } = app.market_stats().range(now);
    EntryRange { from_seq, to_seq }
}
