//! The samples of an index, recomputed by the engine from the public entries.

use std::ops::ControlFlow;

use engine::Engine;
use engine::amount::{PRICE_SCALE, Price};
use engine::catalog::{Catalog, IndexOrigin};
use engine::codec;
use engine::command::{Command, Entry as Applied, Genesis, Mode};
use engine::event::Event;
use engine::ids::{MarketId, Seq};
use engine::index::{Dropped, QuoteUse};
use engine::options::rule::{Origin, Rule};
use engine::time::Time;
use kernel::replay;
use serde_json::{Value as Json, json};

use crate::http::decimal::fixed;
use crate::verify::fault::{Fault, Reason};
use crate::verify::log::Entry;

/// A sample that came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The entry that made it.
    pub seq: u64,
    /// When it became known, ms.
    pub at_ms: u64,
    /// Its own time, from which it ages: for a computed one that of its older leg.
    pub time_ms: u64,
    /// Price.
    pub price: Price,
    /// Raw quotes and their use.
    pub quotes: Vec<QuoteUse>,
    /// Made by a sandbox price.
    pub sandbox: bool,
}

impl Sample {
    /// What tells it from any other of its pair: the quotes are those of its entry.
    pub fn key(&self) -> (u64, u64, u64, Price) {
        (self.seq, self.at_ms, self.time_ms, self.price)
    }

    /// The raw quotes and their use, as a receipt shows them; `name` gives the name of a source, and `price` is that of the sample.
    pub(super) fn sources(&self, name: impl Fn(u8) -> Json, price: &str) -> Vec<Json> {
        let source = |entry: &QuoteUse| {
            let (raw, used) = (fixed(entry.quote.price.0, PRICE_SCALE), u8::from(entry.dropped.is_none()));
            let mut source = json!({ "name": name(entry.quote.source), "price": raw, "age_ms": entry.quote.age_ms, "used": used });
            if let Some(why) = entry.dropped {
                source["why"] = Json::from(match why {
                    Dropped::Stale => "stale",
                    Dropped::Deviation => "deviation",
                    Dropped::NonPositive => "nonpositive",
                });
            }
            source
        };
        let sandbox = self.sandbox.then(|| json!({ "name": "sandbox", "price": price, "age_ms": 0, "used": 1 }));
        self.quotes.iter().map(source).chain(sandbox).collect()
    }
}

/// The content of the first entry.
///
/// # Errors
/// [`Reason::Genesis`].
pub fn genesis(entry: &Entry) -> Result<Genesis, Fault> {
    match codec::parts::decode_public(entry.kind, entry.version, &entry.bytes) {
        Ok(Some(Command::Genesis(genesis))) if entry.seq == 1 && entry.prev == [0; 32] => Ok(*genesis),
        _ => Err(Reason::Genesis.because("the first entry does not say what is listed")),
    }
}

/// The catalog of the first entry with the index of a rule in the place of its own; `None` for a pair that was listed later.
pub fn catalog_of(genesis: &Genesis, market: MarketId, rule: &Rule) -> Option<Catalog> {
    let mut catalog = genesis.catalog.clone();
    let id = |symbol: &str| catalog.markets.iter().find(|market| market.symbol == symbol).map(|market| market.id);
    let of_rule: Vec<(MarketId, &Origin)> = match &rule.origin {
        Origin::Sources(_) => vec![(market, &rule.origin)],
        Origin::Computed(legs) => legs.iter().map(|(symbol, origin)| Some((id(symbol)?, origin))).collect::<Option<_>>()?,
    };
    catalog.market(market).filter(|listed| listed.symbol == rule.symbol)?;
    for (leg, origin) in of_rule {
        let index = catalog.indices.iter_mut().find(|index| index.market == leg)?;
        let Origin::Sources(names) = origin else { return None };
        index.origin = IndexOrigin::Sources(names.clone());
    }
    catalog.indices.iter_mut().find(|index| index.market == market)?.tick = rule.tick;
    Some(catalog)
}

/// Lists as many sources of a pair, or of the legs of a computed one, as these entries quote: operators may have added some since the first
/// entry. Whether they did.
pub fn add_quoted<'a>(catalog: &mut Catalog, market: MarketId, entries: impl IntoIterator<Item = &'a Entry>) -> bool {
    let of = match catalog.index(market).map(|index| &index.origin) {
        Some(IndexOrigin::Cross { numerator, denominator }) => vec![*numerator, *denominator],
        _ => vec![market],
    };
    let mut added = false;
    for entry in entries {
        let Ok(Some(Command::PublishQuotes(all))) = codec::parts::decode_public(entry.kind, entry.version, &entry.bytes) else { continue };
        for quotes in all.iter().filter(|quotes| of.contains(&quotes.market)) {
            let last = quotes.quotes.iter().map(|quote| usize::from(quote.source) + 1).max().unwrap_or(0);
            let index = catalog.indices.iter_mut().find(|index| index.market == quotes.market);
            if let Some(IndexOrigin::Sources(names)) = index.map(|index| &mut index.origin)
                && names.len() < last
            {
                names.resize(last, String::new());
                added = true;
            }
        }
    }
    added
}

/// An engine that sees only public entries.
#[derive(Debug)]
pub struct Indices {
    engine: Engine,
}

impl Indices {
    /// As the venue began, after its first entry. When all other entries follow, each has its own number, which proposals are known by.
    pub fn new(genesis: Genesis, time_ms: u64) -> Indices {
        let mut indices = Indices { engine: Engine::default() };
        indices.apply(time_ms, Command::Genesis(Box::new(genesis)));
        indices
    }

    fn apply(&mut self, time_ms: u64, command: Command) -> Vec<Event> {
        let entry = Applied { seq: Seq(self.engine.seq().0 + 1), time: Time(time_ms), request: None, command };
        replay::apply_entry(&mut self.engine, &entry).0.events
    }

    /// The samples made by an entry, with their pairs.
    ///
    /// # Errors
    /// [`Reason::Chain`] for bytes that are not an entry.
    pub fn take(&mut self, entry: &Entry) -> Result<Vec<(MarketId, Sample)>, Fault> {
        if entry.seq == 1 {
            return Ok(Vec::new());
        }
        let command = codec::parts::decode_public(entry.kind, entry.version, &entry.bytes)
            .map_err(|error| Reason::Chain.because(format!("entry {}: {error}", entry.seq)))?;
        let command = match command {
            Some(
                shown @ (Command::PublishQuotes(_)
                | Command::SandboxPrice { .. }
                | Command::SandboxFeed { .. }
                | Command::Operate(_)
                | Command::DeclareOperator(_)
                | Command::Activate(_)),
            ) => shown,
            _ => Command::Clock,
        };
        let events = self.apply(entry.time_ms, command);
        let made = events.into_iter().filter_map(|event| match event {
            Event::IndexSampled(sample) => {
                let last = self.engine.index(sample.market).and_then(|index| index.filter.last())?;
                let (at_ms, time_ms) = (entry.time_ms, last.time.0);
                let made = Sample { seq: entry.seq, at_ms, time_ms, price: sample.price, quotes: sample.quotes, sandbox: sample.sandbox };
                Some((sample.market, made))
            }
            _ => None,
        });
        Ok(made.collect())
    }

    /// Whether a pair has a price behind the last entry that nothing contradicts.
    pub fn has_price(&self, market: MarketId) -> bool {
        self.engine.fresh_price(market).is_some()
    }

    /// The present catalog.
    pub fn catalog(&self) -> &Catalog {
        self.engine.catalog()
    }
}

/// The samples of one pair made by these entries, as long as they are wanted.
///
/// # Errors
/// Those of [`Indices::take`].
pub fn samples(
    (mode, catalog): (Mode, Catalog),
    market: MarketId,
    entries: &[Entry],
    mut wanted: impl FnMut(&Entry) -> ControlFlow<()>,
) -> Result<Vec<Sample>, Fault> {
    let genesis = Genesis { mode, catalog, endowments: Vec::new() };
    let mut indices = Indices::new(genesis, entries.first().map_or(0, |first| first.time_ms));
    let mut all = Vec::new();
    for entry in entries {
        if wanted(entry).is_break() {
            break;
        }
        all.extend(indices.take(entry)?.into_iter().filter(|(of, _)| *of == market).map(|(_, sample)| sample));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use engine::feature::Feature;
    use engine::index::{MarketQuotes, Quote};

    use super::*;

    /// Quotes of pair 1 by the sources 1, 2 and so on.
    fn quoted(sources: u8) -> Entry {
        priced(sources, Price(100_000_000), 1)
    }

    fn priced(sources: u8, price: Price, time_ms: u64) -> Entry {
        let quotes = (1..=sources).map(|source| Quote { source, price, age_ms: 0 }).collect();
        let encoded = codec::encode(None, &Command::PublishQuotes(vec![MarketQuotes { market: MarketId(1), quotes }]));
        let (prev, hash) = ([0; 32], [0; 32]);
        Entry { seq: 9, time_ms, kind: encoded.kind, version: encoded.version, prev, hash, bytes: encoded.public, sealed: None, own: None }
    }

    #[test]
    fn a_sample_of_sources_that_operators_added_counts_and_that_they_did_is_told() {
        let mut catalog = Catalog::standard();
        catalog.indices.iter_mut().find(|index| index.market == MarketId(1)).unwrap().origin =
            IndexOrigin::Sources(["a", "b", "c"].map(str::to_owned).to_vec());
        let entries = [quoted(3)];
        let made = |catalog: &Catalog| {
            let all = samples((Mode::Live, catalog.clone()), MarketId(1), &entries, |_| ControlFlow::Continue(())).unwrap();
            all.len()
        };
        assert_eq!(made(&catalog), 0);
        assert!(!add_quoted(&mut catalog.clone(), MarketId(1), &[quoted(2)]), "no source is new");
        assert!(!add_quoted(&mut catalog.clone(), MarketId(2), &entries), "those of another pair");
        assert!(add_quoted(&mut catalog, MarketId(1), &entries));
        assert_eq!(made(&catalog), 1);
    }

    #[test]
    fn there_is_no_price_while_a_jump_of_it_waits() {
        let mut catalog = Catalog::standard();
        catalog.indices.iter_mut().find(|index| index.market == MarketId(1)).unwrap().origin =
            IndexOrigin::Sources(["a", "b", "c", "d"].map(str::to_owned).to_vec());
        let mut indices = Indices::new(Genesis { mode: Mode::Live, catalog, endowments: Vec::new() }, 1);
        for feature in [Feature::IndexRing, Feature::ProductCorrections] {
            indices.apply(1, Command::Activate(feature));
        }
        assert!(!indices.has_price(MarketId(1)), "none came");
        for (price, time_ms, made, known) in [(100, 1_000, 1, true), (94, 2_000, 0, false), (94, 3_000, 0, false), (94, 4_000, 1, true)] {
            let all = indices.take(&priced(3, Price(price * 100_000_000), time_ms)).unwrap();
            let of_pair = all.iter().filter(|(market, _)| *market == MarketId(1)).count();
            assert_eq!((of_pair, indices.has_price(MarketId(1))), (made, known), "{price} at {time_ms}");
        }
    }
}
