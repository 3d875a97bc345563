//! Index samples and candles: the price record that charts are drawn from.

use std::ops::Range;

use engine::amount::Price;
use engine::candles::{Candle, Period, Series, merge_candles};
use engine::ids::MarketId;
use engine::index::{FRESH_MS, QuoteUse};
use engine::time::{DAY_MS, Time};

use crate::db::{self, Db, DbError, Migration, Row, Sql, Value};
use crate::history::small;
use crate::sql;

/// Candle lengths in SQL, minutes. All up to a day, so a chart never reads more rows than it shows; weeks and months are merged from days.
pub const STORED: [(u64, Period); 6] = [
    (1, Period::Minute1),
    (5, Period::Minute5),
    (15, Period::Minute15),
    (30, Period::Minute30),
    (60, Period::Hour1),
    (1_440, Period::Day1),
];

/// `pruned_ms`: the last round forgot samples from before this.
pub(crate) const PRUNED: Migration =
    Migration { id: 104, name: "forgotten samples", ddl: &["ALTER TABLE history ADD COLUMN pruned_ms INTEGER NOT NULL DEFAULT 0"] };

/// When they are there, those that an earlier version did not store are not made again.
const FILLED: Migration = Migration { id: 64, name: "candles of 5, 15 and 30 minutes", ddl: &[] };

/// An index sample with the quotes it was made of.
#[derive(Clone, Debug)]
pub struct SampleRow {
    /// Entry.
    pub seq: u64,
    /// Instant of the sample, ms.
    pub time_ms: u64,
    /// Price.
    pub price: Price,
    /// Made by a sandbox price.
    pub sandbox: bool,
    /// Raw quotes and their use.
    pub quotes: Vec<QuoteUse>,
}

/// The samples of a pair from `from_ms` to `to_ms`, both included, ascending.
pub async fn samples(db: &Db, market: MarketId, from_ms: u64, to_ms: u64) -> Result<Vec<SampleRow>, DbError> {
    let find = sql!(
        "select seq, time_ms, price, sandbox, quotes from index_samples where market = $1 and time_ms >= $2 and time_ms <= $3 order by time_ms, seq",
        market.0,
        from_ms,
        to_ms
    );
    db.query(find).await?.rows.iter().map(sample).collect()
}

/// The last stored sample of a pair at or before an instant, ms.
pub async fn last_sample(db: &Db, market: MarketId, until_ms: u64) -> Result<Option<SampleRow>, DbError> {
    let find = sql!(
        "select seq, time_ms, price, sandbox, quotes from index_samples where market = $1 and time_ms <= $2 order by time_ms desc, seq desc limit 1",
        market.0,
        until_ms
    );
    db.query(find).await?.rows.first().map(sample).transpose()
}

fn sample(row: &Row) -> Result<SampleRow, DbError> {
    let quotes = postcard::from_bytes(&row.blob(4)?).map_err(|error| DbError::Failed(format!("quotes: {error}")))?;
    Ok(SampleRow { seq: row.id(0)?, time_ms: row.id(1)?, price: Price(row.id(2)?), sandbox: row.flag(3)?, quotes })
}

/// The raw quotes of the newest sample of a pair.
pub async fn newest_quotes(db: &Db, market: MarketId) -> Result<Vec<QuoteUse>, DbError> {
    let find = sql!("select quotes from index_samples where market = $1 order by time_ms desc, seq desc limit 1", market.0);
    let done = db.query(find).await?;
    let quotes = done.first().map(|row| row.blob(0)).transpose()?;
    quotes.map_or(Ok(Vec::new()), |quotes| postcard::from_bytes(&quotes).map_err(|error| DbError::Failed(format!("quotes: {error}"))))
}

/// Instant of the sample that this entry made for a pair, ms.
pub async fn time_of(db: &Db, market: MarketId, seq: u64) -> Result<Option<u64>, DbError> {
    let find = sql!("select time_ms from index_samples where market = $1 and seq = $2", market.0, seq);
    db.query(find).await?.first().map(|row| row.id(0)).transpose()
}

/// The first pair with samples, or the next one behind this.
pub(crate) async fn sampled(db: &Db, behind: Option<MarketId>) -> Result<Option<MarketId>, DbError> {
    let find =
        sql!("select market from index_samples where market > $1 order by market limit 1", behind.map_or(-1, |market| i64::from(market.0)));
    db.query(find).await?.first().map(|row| small(row, 0).map(MarketId)).transpose()
}

/// Samples that one step looks at.
const STEP: u64 = 2_000;

/// Deletes samples of a pair from this time, ms, a step of it; the journal keeps them for ever. Returns where the next step begins, if one
/// is left. Samples that decided an option or a contract stay for its receipt: a contract is opened and closed, and its stops are set, at a
/// sample of at most this age.
pub async fn prune_samples(db: &Db, market: MarketId, time_ms: Range<u64>) -> Result<Option<u64>, DbError> {
    let find = "select time_ms from index_samples where market = $1 and time_ms >= $2 and time_ms < $3 order by time_ms limit 1 offset $4";
    let next = db.query(sql!(find, market.0, time_ms.start, time_ms.end, STEP)).await?.first().map(|row| row.id(0)).transpose()?;
    // A step ends behind an instant, so that it makes way however many samples that has.
    let next = next.map(|next| next.saturating_add(1));
    let old = "delete from index_samples where market = $1 and time_ms >= $2 and time_ms < $3
         and not exists (select 1 from options where options.market = index_samples.market and options.open_ms = index_samples.time_ms)
         and not exists (select 1 from options where options.market = index_samples.market and options.delivery_ms = index_samples.time_ms)
         and not exists (select 1 from contract_trades where contract_trades.market = index_samples.market
             and contract_trades.time_ms between index_samples.time_ms and index_samples.time_ms + $4)
         and not exists (select 1 from contract_stops where contract_stops.market = index_samples.market
             and contract_stops.time_ms between index_samples.time_ms and index_samples.time_ms + $4)";
    let delete = sql!(old, market.0, time_ms.start, next.unwrap_or(time_ms.end), FRESH_MS);
    db.run_relaxed([delete].into()).await?;
    Ok(next)
}

/// Stored candles of `minutes` with start in `[from, to)`, ascending.
pub async fn candles(db: &Db, market: MarketId, series: Series, minutes: u64, from: Time, to: Time) -> Result<Vec<Candle>, DbError> {
    let find = sql!(
        "select start_ms, first, high, low, last, volume, quote_volume, trades from candles
         where market = $1 and series = $2 and minutes = $3 and start_ms >= $4 and start_ms < $5 order by start_ms",
        market.0,
        series_number(series),
        minutes,
        from.0,
        to.0
    );
    db.query(find).await?.rows.iter().map(candle).collect()
}

/// The last stored candle of `minutes` that starts before `time`.
pub async fn candle_before(db: &Db, market: MarketId, series: Series, minutes: u64, time: Time) -> Result<Option<Candle>, DbError> {
    let find = sql!(
        "select start_ms, first, high, low, last, volume, quote_volume, trades from candles
         where market = $1 and series = $2 and minutes = $3 and start_ms < $4 order by start_ms desc limit 1",
        market.0,
        series_number(series),
        minutes,
        time.0
    );
    db.query(find).await?.first().map(candle).transpose()
}

/// True if candles of 5, 15 and 30 minutes are stored for all of the past.
pub async fn is_filled(db: &Db) -> Result<bool, DbError> {
    Ok(db.query(sql!("select id from migrations where id = $1", FILLED.id)).await?.first().is_some())
}

/// Makes the candles of 5, 15 and 30 minutes that an earlier version did not store from 1-minute candles, a day at a time. The next start
/// continues one that was interrupted. Must be done before the history adds to them.
pub async fn fill(db: &Db) -> Result<(), DbError> {
    if is_filled(db).await? {
        return Ok(());
    }
    let pairs =
        db.query(sql!("select market, series, max(start_ms * simulated) from candles where minutes = 1 group by market, series")).await?;
    for row in &pairs.rows {
        let market = u32::try_from(row.id(0)?).map(MarketId).map_err(DbError::failed)?;
        let series = Series::ALL.into_iter().find(|series| i64::from(series_number(*series)) == row.int(1).unwrap_or(-1));
        let (series, simulated) = (series.ok_or_else(|| DbError::Failed("series".to_owned()))?, row.id(2)?);
        let mut from = 0;
        loop {
            let next = "select start_ms from candles where market = $1 and series = $2 and minutes = 1 and start_ms >= $3 order by start_ms limit 1";
            let next = db.query(sql!(next, market.0, series_number(series), from)).await?;
            let Some(day) = next.first().map(|row| row.id(0)).transpose()?.map(|start_ms| Period::Day1.start(Time(start_ms))) else {
                break;
            };
            from = day.0 + DAY_MS;
            let of_day = candles(db, market, series, 1, day, Time(from)).await?;
            let mut rows = crate::db::Rows::default();
            for (minutes, period) in STORED.into_iter().filter(|(minutes, _)| (5..60).contains(minutes)) {
                // The first part of a candle decides whether it is marked as simulated.
                let made = merge_candles(of_day.iter().copied(), period);
                made.iter().for_each(|candle| rows.push(candle_cells(market, series, minutes, candle, candle.start.0 <= simulated)));
            }
            db.run_in_bulk([Sql::bulk(CANDLES, "on conflict do nothing", rows)].into()).await?;
        }
    }
    db.migrate(&[FILLED]).await
}

fn candle(row: &Row) -> Result<Candle, DbError> {
    Ok(Candle {
        start: Time(row.id(0)?),
        open: Price(row.id(1)?),
        high: Price(row.id(2)?),
        low: Price(row.id(3)?),
        close: Price(row.id(4)?),
        volume: row.id(5)?,
        quote_volume: row.id(6)?,
        count: row.id(7)?,
    })
}

/// The number of a series in SQL.
pub(crate) fn series_number(series: Series) -> u8 {
    match series {
        Series::Index => 0,
        Series::Trade => 1,
    }
}

/// A candle's cells for [`CANDLES`].
pub fn candle_cells(market: MarketId, series: Series, minutes: u64, candle: &Candle, simulated: bool) -> Vec<Value> {
    vec![
        market.0.into(),
        series_number(series).into(),
        minutes.into(),
        candle.start.0.into(),
        candle.open.0.into(),
        candle.high.0.into(),
        candle.low.0.into(),
        candle.close.0.into(),
        candle.volume.into(),
        candle.quote_volume.into(),
        candle.count.into(),
        simulated.into(),
    ]
}

/// Head of a bulk insert of candles.
pub const CANDLES: &str =
    "insert into candles (market, series, minutes, start_ms, first, high, low, last, volume, quote_volume, trades, simulated) values";

/// The statement that writes down simulated candles, where there are none.
pub fn simulated(rows: db::Rows) -> Sql {
    Sql::bulk(CANDLES, "on conflict do nothing", rows)
}

/// Tail that merges a later part into an existing candle (M-3), up to [`engine::candles::MAX_VOLUME`]: a sum beyond it would be an error
/// that the history could never get past.
pub const MERGE_CANDLE: &str = "on conflict (market, series, minutes, start_ms) do update set
    high = case when excluded.high > candles.high then excluded.high else candles.high end,
    low = case when excluded.low < candles.low then excluded.low else candles.low end,
    last = excluded.last,
    volume = case when candles.volume > 9223372036854775807 - excluded.volume then 9223372036854775807 else candles.volume + excluded.volume end,
    quote_volume = case when candles.quote_volume > 9223372036854775807 - excluded.quote_volume then 9223372036854775807 else candles.quote_volume + excluded.quote_volume end,
    trades = candles.trades + excluded.trades";
