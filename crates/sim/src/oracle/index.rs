//! The price index by the rules.

use std::collections::BTreeMap;

use engine::feature::Feature;
use engine::index::{MarketQuotes, Quote};

use super::{Deal, Done, Oracle, PRICE_LIMIT, Refusal, need, refuse};

/// Sources of an index (`docs/rules.md` 1).
const SOURCES: usize = 5;
const QUORUM: usize = 3;

/// The origin of a pair's index.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Sources,
    /// One index divided by another.
    Cross(u32, u32),
}

/// The index of one pair.
#[derive(Debug)]
pub(super) struct Feed {
    tick: i128,
    origin: Origin,
    /// Last accepted sample.
    pub(super) last: Option<(u64, i128)>,
    /// Waiting candidates, oldest first.
    waiting: Vec<i128>,
    /// Whether sources are used: neither pinned nor halted.
    open: bool,
    /// Number of its sources.
    sources: usize,
}

pub(super) fn standard() -> BTreeMap<u32, Feed> {
    let feed = |tick, origin| Feed { tick, origin, last: None, waiting: Vec::new(), open: true, sources: SOURCES };
    BTreeMap::from([
        (1, feed(1_000_000, Origin::Sources)),
        (2, feed(1_000_000, Origin::Sources)),
        (3, feed(10_000, Origin::Sources)),
        (4, feed(1_000_000, Origin::Cross(1, 3))),
        (5, feed(1_000_000, Origin::Cross(2, 3))),
        (6, feed(1_000, Origin::Cross(2, 1))),
    ])
}

/// Nearest multiple of `below`, in units of it; the even one from the middle.
fn nearest_even(above: i128, below: i128) -> i128 {
    let lower = above.div_euclid(below);
    let (to_lower, to_upper) = (above - lower * below, (lower + 1) * below - above);
    if to_lower < to_upper || (to_lower == to_upper && lower % 2 == 0) { lower } else { lower + 1 }
}

/// Twice the median.
fn twice_median(prices: &[i128]) -> i128 {
    let mut sorted = prices.to_vec();
    sorted.sort_unstable();
    sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]
}

///
fn price_of(quotes: &[Quote], sources: usize, tick: i128) -> Option<i128> {
    let mut heard: BTreeMap<u8, &Quote> = BTreeMap::new();
    for quote in quotes.iter().filter(|quote| usize::from(quote.source) < sources) {
        // The first quote of a source counts; a source counts once, however often it is listed.
        heard.entry(quote.source).or_insert(quote);
    }
    let mut prices: Vec<i128> = heard.values().filter(|quote| quote.age_ms <= 5_000).map(|quote| i128::from(quote.price.0)).collect();
    prices.retain(|price| *price > 0 && *price < PRICE_LIMIT);
    if prices.len() < QUORUM {
        return None;
    }
    let median = twice_median(&prices);
    prices.retain(|price| (2 * price - median).abs() * 100_000_000 <= median * 2_000_000);
    if prices.len() < QUORUM {
        return None;
    }
    let price = nearest_even(twice_median(&prices), 2 * tick) * tick;
    (price > 0 && price < PRICE_LIMIT).then_some(price)
}

/// `price` is at most `percent` from `base`.
fn near(price: i128, base: i128, percent: i128) -> bool {
    (price - base).abs() * 100 <= base * percent
}

impl Feed {
    /// whether the next candidate becomes a sample.
    fn offer(&mut self, now: u64, price: i128) -> bool {
        let jump = self.last.is_some_and(|(time, last)| now - time <= 60_000 && !near(price, last, 5));
        if jump {
            self.waiting.push(price);
            let agreeing = self.waiting.len() >= 3 && self.waiting.windows(2).rev().take(2).all(|pair| near(pair[1], pair[0], 1));
            if !agreeing {
                return false;
            }
        }
        self.waiting.clear();
        self.last = Some((now, price));
        true
    }
}

impl Oracle {
    pub(super) fn publish(&mut self, all: &[MarketQuotes], deals: &mut Vec<Deal>, samples: &mut Vec<(u32, u64, i128)>) {
        let now = self.now;
        let mut heard = Vec::new();
        for MarketQuotes { market, quotes } in all {
            let Some(feed) = self.indices.get_mut(&market.0) else { continue };
            if !matches!(feed.origin, Origin::Sources) || !feed.open || heard.contains(&market.0) {
                continue;
            }
            heard.push(market.0);
            if let Some(price) = price_of(quotes, feed.sources, feed.tick)
                && feed.offer(now, price)
            {
                samples.push((market.0, now, price));
            }
        }
        self.follow(deals, samples);
    }

    pub(super) fn pin(
        &mut self,
        pair: u32,
        price: i128,
        deals: &mut Vec<Deal>,
        samples: &mut Vec<(u32, u64, i128)>,
    ) -> Result<Done, Refusal> {
        let now = self.now;
        let Some(feed) = self.indices.get_mut(&pair).filter(|feed| matches!(feed.origin, Origin::Sources)) else {
            return refuse("E_MARKET");
        };
        need(price > 0 && price < PRICE_LIMIT, "E_AMOUNT")?;
        need(price % feed.tick == 0, "E_TICK")?;
        feed.open = false;
        feed.waiting.clear();
        feed.last = Some((now, price));
        samples.push((pair, now, price));
        self.follow(deals, samples);
        Ok(Done::Priced(price))
    }

    /// A new list of sources.
    pub(super) fn set_sources(&mut self, pair: u32, sources: usize) {
        if let Some(feed) = self.indices.get_mut(&pair) {
            feed.sources = sources;
        }
    }

    pub(super) fn feed(&mut self, pair: u32, halt: bool) -> Result<Done, Refusal> {
        let Some(feed) = self.indices.get_mut(&pair).filter(|feed| matches!(feed.origin, Origin::Sources)) else {
            return refuse("E_MARKET");
        };
        feed.open = !halt;
        Ok(Done::Nothing)
    }

    /// candidates wait that the last sample of the pair, or of one that it is computed from, does not agree with.
    pub(super) fn contradicted(&self, pair: u32) -> bool {
        let waits = |pair: u32| self.indices.get(&pair).is_some_and(|feed| !feed.waiting.is_empty());
        let of = match self.indices.get(&pair).map(|feed| feed.origin) {
            Some(Origin::Cross(above, below)) => vec![above, below],
            _ => vec![pair],
        };
        self.features.contains(&Feature::ProductCorrections) && of.into_iter().any(waits)
    }

    /// Computed pairs at the same instant (`docs/rules.md` 1), then the stop orders of all pairs with a new sample.
    fn follow(&mut self, deals: &mut Vec<Deal>, samples: &mut Vec<(u32, u64, i128)>) {
        let new: Vec<u32> = samples.iter().map(|(pair, ..)| *pair).collect();
        for pair in [4, 5, 6] {
            let Some(Feed { tick, origin: Origin::Cross(above, below), .. }) = self.indices.get(&pair) else { continue };
            if !new.contains(above) && !new.contains(below) {
                continue;
            }
            let (Some(above), Some(below)) = (self.last_sample(*above), self.last_sample(*below)) else { continue };
            let (time, tick) = (above.0.min(below.0), *tick);
            let price = nearest_even(above.1 * 100_000_000, below.1 * tick) * tick;
            if self.now - time > 3_000 || price == 0 || price >= PRICE_LIMIT {
                continue;
            }
            if let Some(feed) = self.indices.get_mut(&pair) {
                feed.last = Some((time, price));
            }
            samples.push((pair, self.now, price));
        }
        for (pair, ..) in samples.iter() {
            if let Some((time, price)) = self.last_sample(*pair) {
                self.keep_sample(*pair, time, price);
            }
        }
        let behind = self.first_due().is_some();
        for (pair, _, price) in samples.iter() {
            if self.contradicted(*pair) {
                continue;
            }
            if !self.is_retiring_now(*pair) {
                self.sample_contracts(*pair);
                self.trigger(*pair, *price, deals);
            }
            self.sample_loans(*pair);
        }
        if !samples.is_empty() && !behind && self.features.contains(&Feature::ContractCorrections) {
            self.deleverage_now();
        }
    }
}
