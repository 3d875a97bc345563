//! The past of a pair before our own first sample, as reported by the venues. It is not in the log and serves only for charts: it is stored
//! beside the candles made from the log, and shown only before the first of them.

use engine::amount::Price;
use engine::candles::{Candle, Period, Series, fill_gaps, merge_candles};
use engine::ids::MarketId;
use engine::time::Time;

use crate::db::{self, Db, DbError, Migration, Row, Sql};
use crate::sql;

/// `minutes`: 1, 60 or 1440. The prices are medians of at least three venues.
pub(crate) const MIGRATION: Migration = Migration {
    id: 93,
    name: "candles of the sources of prices",
    ddl: &["CREATE TABLE source_candles (
        market INTEGER NOT NULL,
        minutes INTEGER NOT NULL,
        start_ms INTEGER NOT NULL,
        first INTEGER NOT NULL,
        high INTEGER NOT NULL,
        low INTEGER NOT NULL,
        last INTEGER NOT NULL,
        PRIMARY KEY (market, minutes, start_ms)
    ) STRICT"],
};

/// Writes the candles of a pair, with their lengths in minutes: all or none.
pub async fn put(db: &Db, market: MarketId, candles: &[(u64, Candle)]) -> Result<(), DbError> {
    let mut rows = db::Rows::default();
    for (minutes, Candle { start, open, high, low, close, .. }) in candles {
        rows.push([market.0.into(), (*minutes).into(), start.0.into(), open.0.into(), high.0.into(), low.0.into(), close.0.into()]);
    }
    if candles.is_empty() {
        return Ok(());
    }
    let head = "insert into source_candles (market, minutes, start_ms, first, high, low, last) values";
    db.run_relaxed([Sql::bulk(head, "on conflict do nothing", rows)].into()).await.map(drop)
}

/// True if the past of a pair is here.
pub async fn are_kept(db: &Db, market: MarketId) -> Result<bool, DbError> {
    Ok(db.query(sql!("select minutes from source_candles where market = $1 limit 1", market.0)).await?.first().is_some())
}

/// Start of the first minute of a pair that the log has an index sample of.
pub async fn first_of_log(db: &Db, market: MarketId) -> Result<Option<Time>, DbError> {
    let find = "select start_ms from candles where market = $1 and series = $2 and minutes = 1 order by start_ms limit 1";
    let found = db.query(sql!(find, market.0, crate::prices::series_number(Series::Index))).await?;
    found.first().map(|row| row.id(0).map(Time)).transpose()
}

/// The candles of `period` from `from` on that start before `to` and before the first candle of the log; those without prices repeat the
/// previous close. A candle of the log is never changed, even one of which the log has only the end.
pub async fn before_log(db: &Db, market: MarketId, period: Period, from: Time, to: Time) -> Result<Vec<Candle>, DbError> {
    let Some(first) = first_of_log(db, market).await? else { return Ok(Vec::new()) };
    let (from, to) = (period.start(from), period.start(first).min(to));
    if from >= to {
        return Ok(Vec::new());
    }
    let minutes = match period {
        Period::Hour1 => 60,
        Period::Day1 | Period::Week1 | Period::Month1 => 1_440,
        _ => 1,
    };
    // There are at most 1,500 of one length, and the first shows where the past begins.
    let find = "select start_ms, first, high, low, last from source_candles where market = $1 and minutes = $2 and start_ms < $3 order by start_ms";
    let kept = db.query(sql!(find, market.0, minutes, to.0)).await?.rows.iter().map(candle).collect::<Result<Vec<_>, _>>()?;
    let Some(begin) = kept.first().map(|candle| candle.start) else { return Ok(Vec::new()) };
    let mut merged = merge_candles(kept, period);
    // The first one may be incomplete at its beginning.
    if merged.first().is_some_and(|candle| candle.start < begin) {
        merged.remove(0);
    }
    let Some(begin) = merged.first().map(|candle| candle.start) else { return Ok(Vec::new()) };
    let before = merged.iter().rev().find(|candle| candle.start < from).map(|candle| candle.close);
    Ok(fill_gaps(&merged, period, from.max(begin), to, before))
}

fn candle(row: &Row) -> Result<Candle, DbError> {
    let [open, high, low, close] = [Price(row.id(1)?), Price(row.id(2)?), Price(row.id(3)?), Price(row.id(4)?)];
    Ok(Candle { high, low, close, ..Candle::flat(Time(row.id(0)?), open) })
}
