//! A past for the charts of a new sandbox: 90 days (or as many as asked for) of imagined 1-minute index candles, straight into SQL and marked as simulated.

use engine::amount::{PRICE_SCALE, Price, half_even, pow10};
use engine::candles::{Candle, Period, Series, merge_candles};
use engine::ids::MarketId;
use engine::time::{DAY_MS, MINUTE_MS, Time};
use store::db::DbError;
use store::facts;
use store::prices::{self, STORED, candle_cells};
use store::secrets::random;

use super::walk::{self, CHARACTERS};
use super::{CROSSES, SOURCED};
use crate::app::{App, StartError};

/// Imagined prices in a minute: open, two on the way, close.
const STEPS: u64 = 4;
/// Largest net change over the whole past, as a log.
const NET: f64 = 0.16;
/// Days that are there before the first caller; the older ones follow behind him, newest first.
const AT_ONCE: u64 = 1;
/// Rows of one transaction; few, so that nobody waits long behind one.
const PART: usize = 1_000;
const SEED: &str = "chart_history_seed";
const DONE: &str = "chart_history";

type Candles = Vec<(MarketId, Vec<Candle>)>;

/// Makes the past up to `began` once for a data directory. What was interrupted is continued: the same seed imagines the same past.
pub async fn ensure(app: &App, began: Time) -> Result<(), StartError> {
    if facts::get(&app.db, DONE).await?.is_some() {
        return Ok(());
    }
    let seed = match facts::get(&app.db, SEED).await?.and_then(|text| text.parse().ok()) {
        Some(seed) => seed,
        None => {
            let seed = u64::from_be_bytes(random()?);
            app.db.exec(facts::set(SEED, &seed.to_string())).await?;
            seed
        }
    };
    let ticks: Vec<(MarketId, Price)> = app.catalog.indices.iter().map(|index| (index.market, index.tick)).collect();
    let (end, days) = (Period::Minute1.start(began), app.config.chart_days);
    let made = tokio::task::spawn_blocking(move || imagine(seed, end, days, &ticks)).await;
    let made = made.map_err(|error| StartError(format!("chart history: {error}")))?;
    for (minutes, period) in STORED.into_iter().filter(|(minutes, _)| *minutes >= 60) {
        for (market, candles) in &made {
            write(app, *market, minutes, &merge_candles(candles.iter().copied(), period)).await?;
        }
    }
    write_day(app, &made, end, 0, AT_ONCE).await?;
    let behind = app.clone();
    tokio::spawn(async move {
        if let Err(error) = write_rest(&behind, &made, end, days).await {
            tracing::error!(%error, "chart history");
        }
    });
    Ok(())
}

async fn write_rest(app: &App, made: &Candles, end: Time, days: u64) -> Result<(), DbError> {
    for day in AT_ONCE..days {
        write_day(app, made, end, day, day + 1).await?;
    }
    app.db.exec(facts::set(DONE, &end.0.to_string())).await.map(drop)
}

/// The minutes from `to` to `from` days before the end.
async fn write_day(app: &App, made: &Candles, end: Time, from: u64, to: u64) -> Result<(), DbError> {
    let before = |days: u64| Time(end.0.saturating_sub(days * DAY_MS));
    for (minutes, period) in STORED.into_iter().filter(|(minutes, _)| *minutes < 60) {
        for (market, candles) in made {
            // Whole candles, so that each belongs to one day, whatever minute that begins with.
            let (first, last) = (period.start(before(to)), period.start(before(from)));
            let start = candles.partition_point(|candle| candle.start < first);
            let stop = if from == 0 { candles.len() } else { candles.partition_point(|candle| candle.start < last) };
            let of_day = candles.get(start..stop).unwrap_or_default();
            write(app, *market, minutes, &merge_candles(of_day.iter().copied(), period)).await?;
        }
    }
    Ok(())
}

async fn write(app: &App, market: MarketId, minutes: u64, candles: &[Candle]) -> Result<(), DbError> {
    for part in candles.chunks(PART) {
        let rows = part.iter().map(|candle| candle_cells(market, Series::Index, minutes, candle, true)).collect();
        app.db.exec(prices::imagined(rows)).await?;
    }
    Ok(())
}

/// The candles of every index up to `end`, whose last close is where the live feed starts.
fn imagine(seed: u64, end: Time, days: u64, ticks: &[(MarketId, Price)]) -> Candles {
    let tick = |market: MarketId| ticks.iter().find(|(of, _)| *of == market).map_or(Price(1), |(_, tick)| *tick);
    let minutes = days * DAY_MS / MINUTE_MS;
    let start = Time(end.0.saturating_sub(minutes * MINUTE_MS));
    let paths = paths(seed, minutes * STEPS);
    let mut made: Candles = SOURCED.into_iter().chain(CROSSES.map(|(market, ..)| market)).map(|market| (market, Vec::new())).collect();
    for (step, logs) in (0u64..).zip(&paths) {
        let time = Period::Minute1.start(start.plus(step * MINUTE_MS / STEPS));
        let mut prices = [Price(0); 3];
        for (at, market) in SOURCED.into_iter().enumerate() {
            prices[at] = walk::to_price(walk::to_float(CHARACTERS[at].start) * logs[at].exp(), tick(market));
        }
        let crosses = CROSSES.map(|(market, above, below)| {
            let step = tick(market);
            let whole = half_even(u128::from(prices[above].0) * pow10(PRICE_SCALE), u128::from(prices[below].0) * u128::from(step.0));
            Price(whole.and_then(|whole| u64::try_from(whole).ok()).unwrap_or(1) * step.0)
        });
        for ((_, candles), price) in made.iter_mut().zip(prices.into_iter().chain(crosses)) {
            let part = Candle::first(time, price, 0, 0);
            match candles.last_mut() {
                Some(candle) if candle.start == time => candle.merge(&part),
                _ => candles.push(part),
            }
        }
    }
    made
}

/// Log prices of the three coins relative to where they end, which is 0.
fn paths(seed: u64, steps: u64) -> Vec<[f64; 3]> {
    let mut random = fastrand::Rng::with_seed(seed);
    let seconds = 60.0 / f64::from(u32::try_from(STEPS).unwrap_or(1));
    let mut now = [0.0; 3];
    let mut path = Vec::with_capacity(usize::try_from(steps).unwrap_or_default());
    for _ in 0..steps {
        let moves = walk::returns(&mut random, seconds);
        for coin in 0..3 {
            now[coin] = walk::pulled(coin, now[coin], seconds) + moves[coin];
        }
        path.push(now);
    }
    // Bent so that it ends at 0, with a net change that a quarter of a year may bring.
    let length = f64::from(u32::try_from(path.len().max(1)).unwrap_or(u32::MAX));
    for coin in 0..3 {
        let bend = now[coin] - now[coin].clamp(-NET, NET);
        for (at, point) in (1u32..).zip(path.iter_mut()) {
            point[coin] -= bend * f64::from(at) / length + now[coin].clamp(-NET, NET);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_past_is_without_gaps_and_ends_where_the_feed_starts() {
        let catalog = engine::catalog::Catalog::standard();
        let ticks: Vec<_> = catalog.indices.iter().map(|index| (index.market, index.tick)).collect();
        let end = Time(1_763_596_800_000);
        let made = imagine(7, end, 90, &ticks);
        assert_eq!(made.len(), 6);
        for (market, candles) in &made {
            assert_eq!(candles.len() as u64, 90 * 1_440);
            assert!(candles.windows(2).all(|pair| pair[1].start == Period::Minute1.end(pair[0].start)), "{market:?}");
            let tick = catalog.index(*market).map_or(Price(1), |index| index.tick);
            assert!(candles.iter().all(|candle| candle.low > Price(0)
                && candle.low <= candle.open
                && candle.close <= candle.high
                && candle.close.lies_on(tick)));
            assert_eq!(candles.last().map(|candle| Period::Minute1.end(candle.start)), Some(end));
        }
        for (at, character) in CHARACTERS.iter().enumerate() {
            assert_eq!(made[at].1.last().map(|candle| candle.close), Some(character.start));
        }
    }
}
