//! The samples of an index, recomputed by the engine from the public entries.

use std::ops::ControlFlow;

use engine::Engine;
use engine::amount::Price;
use engine::catalog::{Catalog, IndexOrigin};
use engine::codec;
use engine::command::{Command, Entry as Applied, Genesis, Mode};
use engine::event::Event;
use engine::feature::Feature;
use engine::ids::{MarketId, Seq};
use engine::index::QuoteUse;
use engine::options::rule::{Origin, Rule};
use engine::time::Time;
use kernel::replay;

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

/// An engine that sees only public entries.
#[derive(Debug)]
pub struct Indices {
    engine: Engine,
}

impl Indices {
    /// As the venue began.
    pub fn new(mode: Mode, catalog: Catalog, time_ms: u64) -> Indices {
        let mut indices = Indices { engine: Engine::default() };
        let genesis = Command::Genesis(Box::new(Genesis { mode, catalog, endowments: Vec::new() }));
        indices.apply(time_ms, genesis);
        indices.apply(time_ms, Command::Activate(Feature::IndexRing));
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
        let command = codec::parts::decode_public(entry.kind, entry.version, &entry.bytes)
            .map_err(|error| Reason::Chain.because(format!("entry {}: {error}", entry.seq)))?;
        let command = match command {
            Some(
                shown @ (Command::PublishQuotes(_)
                | Command::SandboxPrice { .. }
                | Command::SandboxFeed { .. }
                | Command::Operate(_)
                | Command::DeclareOperator(_)),
            ) => shown,
            Some(Command::Activate(feature)) if feature != Feature::IndexRing => Command::Activate(feature),
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
    let mut indices = Indices::new(mode, catalog, entries.first().map_or(0, |first| first.time_ms));
    let mut all = Vec::new();
    for entry in entries {
        if wanted(entry).is_break() {
            break;
        }
        all.extend(indices.take(entry)?.into_iter().filter(|(of, _)| *of == market).map(|(_, sample)| sample));
    }
    Ok(all)
}
