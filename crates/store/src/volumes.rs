//! Traded volumes as reported by the price sources. They are unverified and not in the log: they serve for the bars of charts, and what is
//! lost is fetched again or missing.

use std::collections::BTreeMap;

use engine::amount::Amount;
use engine::candles::{MAX_VOLUME, Period};
use engine::ids::MarketId;
use engine::time::{DAY_MS, Time};

use crate::db::{self, Db, DbError, Migration, Sql};
use crate::prices::STORED;
use crate::sql;

/// Minutes of a source are kept for this long, during which it may correct them.
const KEPT_MS: u64 = 2 * DAY_MS;

/// `source_minutes` has what each source reported for a minute, `source_volumes` the sums of all sources by the length of a candle.
pub(crate) const MIGRATION: Migration = Migration {
    id: 77,
    name: "volumes of the sources of prices",
    ddl: &[
        "CREATE TABLE source_minutes (
            market INTEGER NOT NULL,
            start_ms INTEGER NOT NULL,
            source TEXT NOT NULL,
            volume INTEGER NOT NULL,
            PRIMARY KEY (market, start_ms, source)
        ) STRICT",
        "CREATE TABLE source_volumes (
            market INTEGER NOT NULL,
            minutes INTEGER NOT NULL,
            start_ms INTEGER NOT NULL,
            volume INTEGER NOT NULL,
            PRIMARY KEY (market, minutes, start_ms)
        ) STRICT",
    ],
};

/// What a source reports as traded of a pair in a minute.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// Pair.
    pub market: MarketId,
    /// Its name.
    pub source: &'a str,
    /// Start of the minute, ms.
    pub start_ms: u64,
    /// Base atoms.
    pub volume: Amount,
}

/// Writes the reported volumes. A source's volume of a minute only grows, so a part that comes again, or late, reduces nothing.
pub async fn put(db: &Db, said: &[Said<'_>]) -> Result<(), DbError> {
    let mut newest: BTreeMap<(MarketId, u64, &str), Amount> = BTreeMap::new();
    for Said { market, source, start_ms, volume } in said {
        let known = newest.entry((*market, *start_ms, source)).or_default();
        *known = (*known).max(*volume).min(MAX_VOLUME);
    }
    let Some(first) = newest.keys().map(|(_, start, _)| *start).min() else { return Ok(()) };
    let known = db.query(sql!("select market, start_ms, source, volume from source_minutes where start_ms >= $1", first)).await?;
    let mut before: BTreeMap<(u64, u64, String), Amount> = BTreeMap::new();
    for row in &known.rows {
        before.insert((row.id(0)?, row.id(1)?, row.text(2)?), row.id(3)?);
    }
    let (mut minutes, mut sums) = (db::Rows::default(), BTreeMap::<(MarketId, u64, u64), Amount>::new());
    for ((market, start_ms, source), volume) in newest {
        let was = before.get(&(u64::from(market.0), start_ms, source.to_owned())).copied().unwrap_or(0);
        let more = volume.saturating_sub(was);
        if more == 0 {
            continue;
        }
        minutes.push([market.0.into(), start_ms.into(), source.to_owned().into(), volume.into()]);
        for (length, period) in STORED {
            let sum = sums.entry((market, length, period.start(Time(start_ms)).0)).or_default();
            *sum = sum.saturating_add(more).min(MAX_VOLUME);
        }
    }
    if sums.is_empty() {
        return Ok(());
    }
    let rows = sums.into_iter().map(|((market, length, start), more)| [market.0.into(), length.into(), start.into(), more.into()]);
    let mut volumes = db::Rows::default();
    rows.for_each(|row| volumes.push(row));
    let newest = said.iter().map(|said| said.start_ms).max().unwrap_or(0);
    let statements = [
        Sql::bulk(
            "insert into source_minutes (market, start_ms, source, volume) values",
            "on conflict (market, start_ms, source) do update set volume = excluded.volume",
            minutes,
        ),
        Sql::bulk(
            "insert into source_volumes (market, minutes, start_ms, volume) values",
            "on conflict (market, minutes, start_ms) do update set volume =
             case when source_volumes.volume > 9223372036854775807 - excluded.volume then 9223372036854775807
             else source_volumes.volume + excluded.volume end",
            volumes,
        ),
        sql!("delete from source_minutes where start_ms < $1", newest.saturating_sub(KEPT_MS)),
    ];
    db.run_relaxed(statements.into()).await.map(drop)
}

/// The volumes of the candles of `period` with start in `[from, to)`, by their start. `minutes` is the stored length that they are made of.
pub async fn of(db: &Db, market: MarketId, minutes: u64, period: Period, from: Time, to: Time) -> Result<BTreeMap<Time, Amount>, DbError> {
    let find = "select start_ms, volume from source_volumes where market = $1 and minutes = $2 and start_ms >= $3 and start_ms < $4";
    let mut found = BTreeMap::<Time, Amount>::new();
    for row in &db.query(sql!(find, market.0, minutes, from.0, to.0)).await?.rows {
        let sum = found.entry(period.start(Time(row.id(0)?))).or_default();
        *sum = sum.saturating_add(row.id(1)?).min(MAX_VOLUME);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::time::{HOUR_MS, MINUTE_MS};

    #[tokio::test]
    async fn minutes_of_all_sources_are_summed_once_however_often_they_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
        db.migrate(&[MIGRATION]).await.unwrap();
        let start = 1_767_225_600_000;
        let said = |source, minute: u64, volume| Said { market: MarketId(1), source, start_ms: start + minute * MINUTE_MS, volume };
        let sum = async |minutes, period, minute: u64| {
            let end = Time(start + 40 * DAY_MS);
            let all = of(&db, MarketId(1), minutes, period, Time(start), end).await.unwrap();
            all.get(&Time(start + minute * MINUTE_MS)).copied().unwrap_or(0)
        };
        put(&db, &[said("a", 0, 5), said("b", 0, 7), said("a", 1, 1), said("a", 61, 2)]).await.unwrap();
        assert_eq!((sum(1, Period::Minute1, 0).await, sum(60, Period::Hour1, 0).await, sum(1_440, Period::Day1, 0).await), (12, 13, 15));
        // The same candles again, one of them late, and more volume in the newest.
        put(&db, &[said("a", 0, 5), said("b", 0, 3), said("a", 61, 2), said("a", 61, 6)]).await.unwrap();
        assert_eq!((sum(1, Period::Minute1, 0).await, sum(60, Period::Hour1, 60).await, sum(1_440, Period::Day1, 0).await), (12, 6, 19));
        // Candles longer than the stored ones are sums of days.
        put(&db, &[said("a", 60 * 24, 100)]).await.unwrap();
        assert_eq!(sum(1_440, Period::Month1, 0).await, 119);
        put(&db, &[said("a", 60 * 24, u64::MAX), said("b", 60 * 24, u64::MAX)]).await.unwrap();
        assert_eq!(sum(1, Period::Minute1, 60 * 24).await, MAX_VOLUME);
        // Old minutes are forgotten, but their sums are not.
        put(&db, &[Said { start_ms: start + 10 * DAY_MS + HOUR_MS, ..said("a", 0, 1) }]).await.unwrap();
        let left = db.query(sql!("select count(*) from source_minutes")).await.unwrap();
        assert_eq!((left.first().unwrap().id(0), sum(60, Period::Hour1, 0).await), (Ok(1), 13));
        put(&db, &[]).await.unwrap();
    }
}
