//! The price index: raw quotes of outside sources become one price, or none.

pub mod ring;

use serde::{Deserialize, Serialize};

use crate::amount::{PRICE_ONE, Price, Rate};
use crate::catalog::{IndexMarket, IndexOrigin, QUORUM};
use crate::ids::{IdTable, MarketId, to_u32, to_usize};
use crate::time::{SECOND_MS, Time};
use crate::units::{on_tick, product};
use ring::{Made, Ring};

/// Quotes older than this are dropped, ms.
pub const SOURCE_STALE_MS: u32 = 5_000;
/// Largest accepted distance from the median.
pub const DEVIATION: Rate = Rate(2_000_000);
/// A larger step than this waits for confirmation.
pub const JUMP: Rate = Rate(5_000_000);
/// Consecutive candidates within this distance confirm a jump.
pub const JUMP_AGREEMENT: Rate = Rate(1_000_000);
/// How many candidates confirm a jump.
pub const JUMP_CANDIDATES: u8 = 3;
/// After this long without a sample the next candidate is accepted at once, ms.
pub const JUMP_RESET_MS: u64 = 60 * SECOND_MS;
/// A sample is fresh up to this age, ms.
pub const FRESH_MS: u64 = 3_000;

/// Raw quotes for one index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarketQuotes {
    /// The pair.
    pub market: MarketId,
    /// One quote for each source that answered.
    pub quotes: Vec<Quote>,
}

/// One source's quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// Position in the list of sources of the index.
    pub source: u8,
    /// Price; 0 or above [`crate::amount::MAX_PRICE`] is dropped.
    pub price: Price,
    /// Age when it was logged, milliseconds.
    pub age_ms: u32,
}

/// An accepted price of an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexSample {
    /// Pair.
    pub market: MarketId,
    /// Instant of the entry that made it.
    pub time: Time,
    /// Price on the tick of the index.
    pub price: Price,
    /// Raw quotes and their use; empty for a computed index and for a sandbox price.
    pub quotes: Vec<QuoteUse>,
    /// Made by a sandbox price command.
    pub sandbox: bool,
}

/// A raw quote and how it was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteUse {
    /// The quote.
    pub quote: Quote,
    /// `None`: used. Else why not.
    pub dropped: Option<Dropped>,
}

/// Why a quote was not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dropped {
    /// Older than 5 000 ms.
    Stale,
    /// Over 2 % from the median.
    Deviation,
    /// Not positive or out of range.
    NonPositive,
}

/// Price of an index from raw quotes, with the use made of each; `None` without a quorum.
pub fn index_price(quotes: &[Quote], tick: Price) -> (Option<Price>, Vec<QuoteUse>) {
    let mut uses: Vec<QuoteUse> = quotes.iter().map(|quote| QuoteUse { quote: *quote, dropped: first_fault(*quote) }).collect();
    let Some(doubled_median) = doubled_median(&uses) else {
        return (None, uses);
    };
    for entry in uses.iter_mut().filter(|entry| entry.dropped.is_none()) {
        if !Price(entry.quote.price.0.saturating_mul(2)).is_near(doubled_median, DEVIATION) {
            entry.dropped = Some(Dropped::Deviation);
        }
    }
    let price = self::doubled_median(&uses).and_then(|doubled| on_tick(u128::from(doubled.0), 2, tick));
    (price, uses)
}

/// The first quote of each listed source; others are ignored.
pub(crate) fn once_each(quotes: &[Quote], sources: usize) -> Vec<Quote> {
    let mut kept: Vec<Quote> = Vec::with_capacity(sources);
    for quote in quotes {
        let known = usize::from(quote.source) < sources;
        if known && kept.iter().all(|other| other.source != quote.source) {
            kept.push(*quote);
        }
    }
    kept
}

fn first_fault(quote: Quote) -> Option<Dropped> {
    if !quote.price.in_bounds() {
        Some(Dropped::NonPositive)
    } else if quote.age_ms > SOURCE_STALE_MS {
        Some(Dropped::Stale)
    } else {
        None
    }
}

/// Twice the median of the used quotes, exact, because each is below 10^16; `None` below the quorum.
fn doubled_median(uses: &[QuoteUse]) -> Option<Price> {
    let mut prices: Vec<Price> = uses.iter().filter(|entry| entry.dropped.is_none()).map(|entry| entry.quote.price).collect();
    if prices.len() < QUORUM {
        return None;
    }
    prices.sort_unstable();
    let middle = prices.len() / 2;
    let upper = prices.get(middle)?;
    let lower = if prices.len() % 2 == 1 { upper } else { prices.get(middle.checked_sub(1)?)? };
    upper.0.checked_add(lower.0).map(Price)
}

/// The last accepted sample of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Its instant.
    pub time: Time,
    /// Its price.
    pub price: Price,
}

/// Holds back a step of over 5 % until three candidates agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct JumpFilter {
    last: Option<Sample>,
    candidate: Option<Price>,
    agreeing: u8,
}

impl JumpFilter {
    /// Offers the next candidate; true if it is accepted.
    pub fn offer(&mut self, time: Time, price: Price) -> bool {
        let calm = self.last.is_none_or(|last| time.since(last.time) > JUMP_RESET_MS || price.is_near(last.price, JUMP));
        if !calm {
            let agrees = self.candidate.is_some_and(|candidate| price.is_near(candidate, JUMP_AGREEMENT));
            self.agreeing = if agrees { self.agreeing.saturating_add(1) } else { 1 };
            self.candidate = Some(price);
        }
        let accepted = calm || self.agreeing >= JUMP_CANDIDATES;
        if accepted {
            self.accept(time, price);
        }
        accepted
    }

    /// Takes a price without question (a sandbox price, a computed index).
    pub fn accept(&mut self, time: Time, price: Price) {
        *self = JumpFilter { last: Some(Sample { time, price }), candidate: None, agreeing: 0 };
    }

    /// The last accepted sample.
    pub fn last(&self) -> Option<Sample> {
        self.last
    }

    /// True while candidates contradict the last sample.
    fn is_contradicted(&self) -> bool {
        self.candidate.is_some()
    }
}

/// The feed of an index; always `Sources` in live mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Feed {
    /// Its sources.
    Sources,
    /// A sandbox price, repeated by the feed; quotes of sources are ignored.
    Pinned(Price),
    /// Nothing, until a price or a release.
    Halted,
}

/// One index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    /// Catalog data.
    pub facts: IndexMarket,
    /// Last sample and jump filter.
    pub filter: JumpFilter,
    /// Its feed.
    pub feed: Feed,
    /// A section of its own in snapshots.
    #[serde(skip)]
    ring: Ring,
}

impl Index {
    fn new(facts: &IndexMarket) -> Index {
        Index { facts: facts.clone(), filter: JumpFilter::default(), feed: Feed::Sources, ring: Ring::default() }
    }

    /// Its last samples, at most [`ring::RING`], oldest first.
    pub fn samples(&self) -> impl DoubleEndedIterator<Item = Made> {
        self.ring.iter()
    }

    /// The latest sample known at an instant, however late the question; `None` when its samples do not reach that far back.
    pub fn known_at(&self, instant: Time) -> Option<Sample> {
        self.ring.known_at(instant)
    }

    /// The same with when it became known.
    pub fn made_at(&self, instant: Time) -> Option<Made> {
        self.ring.made_at(instant)
    }

    /// The latest sample if it is at most 3 000 ms old.
    fn young(&self, now: Time) -> Option<Price> {
        let last = self.filter.last()?;
        (now.since(last.time) <= FRESH_MS).then_some(last.price)
    }
}

/// All indices, in the order of the catalog.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Index>", into = "Vec<Index>")]
pub(crate) struct Indices {
    all: Vec<Index>,
    by_market: IdTable,
    /// Since [`crate::feature::Feature::ProductCorrections`]. Derived, so it is in no snapshot.
    doubting: bool,
}

impl From<Vec<Index>> for Indices {
    fn from(all: Vec<Index>) -> Indices {
        Indices { by_market: IdTable::of(all.iter().map(|index| u64::from(index.facts.market.0))), all, doubting: false }
    }
}

impl From<Indices> for Vec<Index> {
    fn from(indices: Indices) -> Vec<Index> {
        indices.all
    }
}

impl Indices {
    pub(crate) fn new(facts: &[IndexMarket]) -> Indices {
        facts.iter().map(Index::new).collect::<Vec<_>>().into()
    }

    /// Lists the index of a pair that has none.
    pub(crate) fn list(&mut self, facts: &IndexMarket) {
        self.by_market.insert(u64::from(facts.market.0), to_u32(self.all.len()));
        self.all.push(Index::new(facts));
    }

    fn position(&self, market: MarketId) -> Option<usize> {
        self.by_market.find(u64::from(market.0)).map(to_usize)
    }

    pub(crate) fn get(&self, market: MarketId) -> Option<&Index> {
        self.all.get(self.position(market)?)
    }

    pub(crate) fn get_mut(&mut self, market: MarketId) -> Option<&mut Index> {
        self.position(market).and_then(|at| self.all.get_mut(at))
    }

    /// Stores the last sample of an index, which was made now.
    pub(crate) fn keep(&mut self, market: MarketId, now: Time) {
        if let Some(index) = self.get_mut(market)
            && let Some(sample) = index.filter.last()
        {
            index.ring.push(Made { at: now, sample });
        }
    }

    /// The stored samples of every index that has some.
    pub(crate) fn rings(&self) -> Vec<(MarketId, Ring)> {
        self.all.iter().map(|index| (index.facts.market, index.ring.clone())).filter(|(_, ring)| *ring != Ring::default()).collect()
    }

    /// With these rings, as returned by [`Indices::rings`]; `None` for rings that it would not return.
    pub(crate) fn with_rings(mut self, rings: Vec<(MarketId, Ring)>) -> Option<Indices> {
        for (market, ring) in &rings {
            self.get_mut(*market).filter(|_| ring.is_sound())?.ring = ring.clone();
        }
        (self.rings() == rings).then_some(self)
    }

    /// From now on a price that newer quotes contradict is not fresh.
    pub(crate) fn begin_doubting(&mut self) {
        self.doubting = true;
    }

    /// the latest sample if it is at most 3 000 ms old and nothing contradicts it.
    pub(crate) fn fresh(&self, market: MarketId, now: Time) -> Option<Price> {
        self.get(market)?.young(now).filter(|_| !self.is_doubtful(market))
    }

    /// True while a jump of this index waits, or one of an index that it is computed from.
    pub(crate) fn is_doubtful(&self, market: MarketId) -> bool {
        let contradicted = |market| self.get(market).is_some_and(|index| index.filter.is_contradicted());
        let of_legs = || match self.get(market).map(|index| &index.facts.origin) {
            Some(IndexOrigin::Cross { numerator, denominator }) => contradicted(*numerator) || contradicted(*denominator),
            Some(IndexOrigin::Sources(_)) | None => false,
        };
        self.doubting && (contradicted(market) || of_legs())
    }

    /// Recomputes each index that depends on a sampled one, if both legs are fresh; returns the new samples.
    pub(crate) fn recompute_crosses(&mut self, sampled: &[MarketId], now: Time) -> Vec<(MarketId, Sample)> {
        let mut made = Vec::new();
        for position in 0..self.all.len() {
            let Some(index) = self.all.get(position) else { continue };
            let IndexOrigin::Cross { numerator, denominator } = index.facts.origin else { continue };
            if !sampled.contains(&numerator) && !sampled.contains(&denominator) {
                continue;
            }
            let Some(sample) = self.cross(numerator, denominator, index.facts.tick, now) else { continue };
            let market = index.facts.market;
            if let Some(index) = self.all.get_mut(position) {
                index.filter.accept(sample.time, sample.price);
                made.push((market, sample));
            }
        }
        made
    }

    fn cross(&self, numerator: MarketId, denominator: MarketId, tick: Price, now: Time) -> Option<Sample> {
        let (above, below) = (self.get(numerator)?.filter.last()?, self.get(denominator)?.filter.last()?);
        let time = above.time.min(below.time);
        if now.since(time) > FRESH_MS {
            return None;
        }
        let price = on_tick(product(above.price.0, PRICE_ONE.0), below.price.0, tick)?;
        price.in_bounds().then_some(Sample { time, price })
    }
}
