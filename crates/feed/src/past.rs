//! A past for the charts of a new sandbox: simulated 1-minute index candles.

use engine::amount::{PRICE_SCALE, Price, half_even, pow10};
use engine::candles::{Candle, Period};
use engine::ids::MarketId;
use engine::time::{DAY_MS, MINUTE_MS, Time};

use crate::walk::{self, CHARACTERS};
use crate::{CROSSES, SOURCED};

/// Simulated prices per minute: open, two in between, close.
const STEPS: u64 = 4;
/// Largest net change over the whole past, as a log.
const NET: f64 = 0.16;

/// The candles of each index, ascending.
pub type Candles = Vec<(MarketId, Vec<Candle>)>;

/// Candles for `days` days up to `end` for every index; the last close is where the live feed starts. The same seed gives the same past.
/// `scales`: decimals of the base coins. Computed pairs are traded nowhere, so they have no volume.
pub fn simulate(seed: u64, end: Time, days: u64, ticks: &[(MarketId, Price)], scales: &[(MarketId, u8)]) -> Candles {
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
    trade(seed, &mut made, scales);
    made
}

/// Adds a simulated volume to the candles of the coins that have sources.
fn trade(seed: u64, made: &mut Candles, scales: &[(MarketId, u8)]) {
    // A separate generator, so that the prices of a seed stay the same.
    let mut random = fastrand::Rng::with_seed(seed.rotate_left(32));
    for (coin, market) in SOURCED.into_iter().enumerate() {
        let scale = scales.iter().find(|(of, _)| *of == market).map_or(0, |(_, scale)| *scale);
        let candles = made.iter_mut().find(|(of, _)| *of == market).map_or_else(Default::default, |(_, candles)| candles.as_mut_slice());
        for candle in candles {
            let moved = (walk::to_float(candle.high) / walk::to_float(candle.low)).ln();
            candle.volume = walk::traded(&mut random, coin, 60.0, moved, scale);
        }
    }
}

/// Log prices of the three coins relative to their end, which is 0.
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
    // Bent to end at 0, with a net change that is plausible for a quarter of a year.
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
        let made = simulate(7, end, 90, &ticks, &[(MarketId(1), 8), (MarketId(2), 8), (MarketId(3), 6)]);
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
            assert_eq!(candles.iter().all(|candle| candle.volume > 0), SOURCED.contains(market), "{market:?}");
        }
        for (at, character) in CHARACTERS.iter().enumerate() {
            assert_eq!(made[at].1.last().map(|candle| candle.close), Some(character.start));
        }
    }
}
