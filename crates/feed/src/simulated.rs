//! Five simulated sources for each index: noisy, late, sometimes silent, rarely far off. The engine computes the price from them (X-1 to
//! The index of a pair that was listed later starts at a whole quote coin, or wherever a tester pins it first.

use engine::Engine;
use engine::amount::Price;
use engine::candles::Period;
use engine::catalog::IndexOrigin;
use engine::command::Command;
use engine::ids::MarketId;
use engine::index;
use engine::index::{MarketQuotes, Quote};
use engine::time::{MINUTE_MS, Time};

use crate::SOURCED;
use crate::tape::Tape;
use crate::venues::volumes::MinuteVolume;
use crate::walk::{self, CHARACTERS};

const SOURCES: usize = 5;
/// Chance per second that a source falls silent, and the longest silence.
const SILENCE: f64 = 0.002;
const SILENCE_S: u32 = 20;
/// Chance of a quote to be far off.
const OUTLIER: f64 = 0.000_4;

#[derive(Clone, Copy, Debug, Default)]
struct Source {
    /// Lasting distance from the true price, as a log.
    bias: f64,
    /// Seconds until it quotes again.
    silent_s: u32,
    last: Option<(Price, Time)>,
}

#[derive(Debug)]
struct Coin {
    market: MarketId,
    log_price: f64,
    sources: [Source; SOURCES],
    /// The feed was pinned or halted: restart from the last price.
    interrupted: bool,
}

/// The simulated market.
#[derive(Debug)]
pub struct Simulated {
    random: fastrand::Rng,
    coins: Vec<Coin>,
    last: Option<Time>,
    /// Quotes in place of the sources.
    tape: Option<Tape>,
    /// Simulates volumes with a generator of its own, so the prices of a seed stay the same.
    trading: fastrand::Rng,
    /// Volumes of the current minute and the one before.
    minutes: Vec<MinuteVolume>,
}

impl Simulated {
    /// Sources that continue from the last prices of the log, or a tape.
    pub fn new(engine: &Engine, seed: u64, tape: Option<Tape>) -> Simulated {
        let starts = SOURCED.into_iter().zip(CHARACTERS.map(|character| character.start));
        Simulated {
            random: fastrand::Rng::with_seed(seed),
            coins: starts.map(|(market, start)| Coin::new(engine, market, start)).collect(),
            last: None,
            tape,
            trading: fastrand::Rng::with_seed(seed.rotate_left(32)),
            minutes: Vec::new(),
        }
    }

    /// Adds the indices listed since, after the original ones.
    fn follow(&mut self, engine: &Engine) {
        for facts in &engine.catalog().indices {
            let known = self.coins.iter().any(|coin| coin.market == facts.market);
            if !known && matches!(facts.origin, IndexOrigin::Sources(_)) {
                self.coins.push(Coin::new(engine, facts.market, walk::LISTED_AT.max(facts.tick)));
            }
        }
    }

    /// What was traded so far in the minute of the last sample, and in the one before.
    pub fn volumes(&self) -> Vec<MinuteVolume> {
        self.minutes.iter().copied().filter(|minute| minute.volume > 0).collect()
    }

    /// The commands for one sample of every index that is not halted, at this instant.
    pub fn sample(&mut self, engine: &Engine, now: Time) -> Vec<Command> {
        self.follow(engine);
        let seconds = elapsed_s(self.last, now);
        self.last = Some(now);
        let (mut quotes, mut pinned, mut taped) = (Vec::new(), Vec::new(), Vec::new());
        let moves = walk::returns(&mut self.random, seconds);
        for (at, coin) in self.coins.iter_mut().enumerate() {
            let Some(index) = engine.index(coin.market) else { continue };
            let sources = if let IndexOrigin::Sources(names) = &index.facts.origin { names.len().min(SOURCES) } else { 0 };
            match index.feed {
                index::Feed::Halted => coin.interrupted = true,
                index::Feed::Pinned(price) => {
                    coin.interrupted = true;
                    pinned.push(Command::SandboxPrice { market: coin.market, price });
                }
                index::Feed::Sources if self.tape.is_some() => taped.push((coin.market, sources)),
                index::Feed::Sources => {
                    if std::mem::take(&mut coin.interrupted)
                        && let Some(sample) = index.filter.last()
                    {
                        coin.log_price = walk::to_float(sample.price).ln();
                    }
                    let before = coin.log_price;
                    coin.log_price = match moves.get(at) {
                        Some(step) => walk::pulled(at, coin.log_price, seconds) + step,
                        None => coin.log_price + walk::listed_return(&mut self.random, seconds),
                    };
                    let catalog = engine.catalog();
                    let scale = catalog.market(coin.market).map_or(0, |market| catalog.scale(market.base));
                    let volume = walk::traded(&mut self.trading, at, seconds, coin.log_price - before, scale);
                    add(&mut self.minutes, coin.market, now, volume);
                    quotes.push(coin.ask(&mut self.random, now, sources, QUOTE_TICK.min(index.facts.tick)));
                }
            }
        }
        if let Some(tape) = &mut self.tape {
            quotes = tape.quotes(now, &taped);
        }
        (!quotes.is_empty()).then_some(Command::PublishQuotes(quotes)).into_iter().chain(pinned).collect()
    }
}

impl Coin {
    /// Continues from the last price of the log, else from this one.
    fn new(engine: &Engine, market: MarketId, start: Price) -> Coin {
        let last = engine.index(market).and_then(|index| index.filter.last());
        let price = last.map_or(start, |sample| sample.price);
        Coin { market, log_price: walk::to_float(price).ln(), sources: Default::default(), interrupted: false }
    }

    /// The sources' quotes at this tick.
    fn ask(&mut self, random: &mut fastrand::Rng, now: Time, count: usize, tick: Price) -> MarketQuotes {
        let mut quotes = Vec::with_capacity(count);
        for (number, source) in (0u8..).zip(self.sources.iter_mut().take(count)) {
            source.bias = source.bias * 0.98 + 0.000_02 * walk::normal(random);
            if source.silent_s > 0 {
                source.silent_s -= 1;
            } else if random.f64() < SILENCE {
                source.silent_s = random.u32(5..=SILENCE_S);
            } else {
                let far_off = if random.f64() < OUTLIER { random.f64() * 0.06 - 0.03 } else { 0.0 };
                let value = (self.log_price + source.bias + 0.000_02 * walk::normal(random) + far_off).exp();
                let late = u64::from(random.u32(30..900));
                source.last = Some((walk::to_price(value, tick), Time(now.0.saturating_sub(late))));
            }
            // A silent source keeps its last quote, which ages.
            if let Some((price, at)) = source.last {
                quotes.push(Quote { source: number, price, age_ms: u32::try_from(now.since(at)).unwrap_or(u32::MAX) });
            }
        }
        MarketQuotes { market: self.market, quotes }
    }
}

/// Adds this volume to its minute; the minute before is kept until it was read.
fn add(minutes: &mut Vec<MinuteVolume>, market: MarketId, now: Time, volume: u64) {
    let start_ms = Period::Minute1.start(now).0;
    minutes.retain(|minute| minute.start_ms + MINUTE_MS >= start_ms);
    match minutes.iter_mut().find(|minute| (minute.market, minute.start_ms) == (market, start_ms)) {
        Some(minute) => minute.volume = minute.volume.saturating_add(volume),
        None => minutes.push(MinuteVolume { market, source: "simulated", start_ms, volume }),
    }
}

/// Time that the simulated price advances since the last sample, seconds; long pauses count as one minute.
fn elapsed_s(last: Option<Time>, now: Time) -> f64 {
    let ms = last.map_or(1_000, |last| now.since(last).clamp(200, 60_000));
    f64::from(u32::try_from(ms).unwrap_or(u32::MAX)) / 1_000.0
}

/// Sources quote at least as finely as this.
const QUOTE_TICK: Price = Price(1_000);
