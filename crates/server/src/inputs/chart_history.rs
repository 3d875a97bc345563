//! Writes the chart history of a new sandbox: 90 days (or as many as asked for) of simulated index candles, marked as simulated.

use engine::amount::Price;
use engine::candles::{Candle, Period, Series, merge_candles};
use engine::catalog::Catalog;
use engine::ids::MarketId;
use engine::time::{DAY_MS, Time};
use feed::past::{Candles, simulate};
use store::db::{Db, DbError};
use store::prices::{self, STORED, candle_cells};
use store::secrets::random;
use store::settings;

use crate::error::StartError;

/// Days that are written before the first caller; the older ones follow, newest first.
const AT_ONCE: u64 = 1;
/// Rows per transaction: few, so other writes wait only briefly.
const PART: usize = 1_000;
const SEED: &str = "chart_history_seed";
const DONE: &str = "chart_history";

/// Makes the past up to `began` once for a data directory. An interrupted run is continued: the same seed gives the same past.
pub async fn ensure(db: &Db, catalog: &Catalog, days: u64, began: Time) -> Result<(), StartError> {
    if settings::get(db, DONE).await?.is_some() {
        return Ok(());
    }
    let seed = match settings::get(db, SEED).await?.and_then(|text| text.parse().ok()) {
        Some(seed) => seed,
        None => {
            let seed = u64::from_be_bytes(random()?);
            db.exec(settings::set(SEED, &seed.to_string())).await?;
            seed
        }
    };
    let ticks: Vec<(MarketId, Price)> = catalog.indices.iter().map(|index| (index.market, index.tick)).collect();
    let scale = |base| catalog.scale(base);
    let scales: Vec<(MarketId, u8)> = catalog.markets.iter().map(|market| (market.id, scale(market.base))).collect();
    let end = Period::Minute1.start(began);
    let made = tokio::task::spawn_blocking(move || simulate(seed, end, days, &ticks, &scales)).await;
    let made = made.map_err(|error| StartError(format!("chart history: {error}")))?;
    for (minutes, period) in STORED.into_iter().filter(|(minutes, _)| *minutes >= 60) {
        for (market, candles) in &made {
            write(db, *market, minutes, &merge_candles(candles.iter().copied(), period)).await?;
        }
    }
    write_day(db, &made, end, 0, AT_ONCE).await?;
    let behind = db.clone();
    tokio::spawn(async move {
        if let Err(error) = write_rest(&behind, &made, end, days).await {
            tracing::error!(%error, "chart history");
        }
    });
    Ok(())
}

async fn write_rest(db: &Db, made: &Candles, end: Time, days: u64) -> Result<(), DbError> {
    for day in AT_ONCE..days {
        write_day(db, made, end, day, day + 1).await?;
    }
    db.exec(settings::set(DONE, &end.0.to_string())).await.map(drop)
}

/// The minutes from `to` to `from` days before the end.
async fn write_day(db: &Db, made: &Candles, end: Time, from: u64, to: u64) -> Result<(), DbError> {
    let before = |days: u64| Time(end.0.saturating_sub(days * DAY_MS));
    for (minutes, period) in STORED.into_iter().filter(|(minutes, _)| *minutes < 60) {
        for (market, candles) in made {
            // Whole candles, so that each belongs to one day whatever minute the range begins with.
            let (first, last) = (period.start(before(to)), period.start(before(from)));
            let start = candles.partition_point(|candle| candle.start < first);
            let stop = if from == 0 { candles.len() } else { candles.partition_point(|candle| candle.start < last) };
            let of_day = candles.get(start..stop).unwrap_or_default();
            write(db, *market, minutes, &merge_candles(of_day.iter().copied(), period)).await?;
        }
    }
    Ok(())
}

async fn write(db: &Db, market: MarketId, minutes: u64, candles: &[Candle]) -> Result<(), DbError> {
    for part in candles.chunks(PART) {
        let rows = part.iter().map(|candle| candle_cells(market, Series::Index, minutes, candle, true)).collect();
        db.exec(prices::simulated(rows)).await?;
    }
    Ok(())
}
