//! The current catalog and the texts approved under dual control, so readers need not wait for the engine.
//!
//! It is updated before the command that changed it is answered. Old versions stay in memory, as in the engine: changes are rare, and
//! readers hold no lock.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};

use engine::Engine;
use engine::catalog::{Catalog, IndexMarket, IndexOrigin};
use engine::event::{AccountEvent, Event};
use engine::ids::{Digest, MarketId};
use engine::listing::change::{CatalogChange, FirstReference, TextKind};
use engine::published::Published;
use engine::time::Time;

#[derive(Debug, Default)]
struct CatalogFacts {
    catalog: Catalog,
    texts: BTreeMap<(TextKind, u32), Digest>,
    /// Price sources of a pair and from when on, oldest first.
    sources: Vec<(MarketId, Time, Vec<String>)>,
}

/// A handle; cloning it is cheap.
#[derive(Clone, Debug)]
pub struct CatalogView(Arc<RwLock<&'static CatalogFacts>>);

impl Default for CatalogView {
    fn default() -> CatalogView {
        CatalogView(Arc::new(RwLock::new(Box::leak(Box::default()))))
    }
}

impl Deref for CatalogView {
    type Target = Catalog;
    fn deref(&self) -> &Catalog {
        &self.facts().catalog
    }
}

impl CatalogView {
    fn facts(&self) -> &'static CatalogFacts {
        *self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the catalog that a log begins with, before the replay.
    pub fn begin(&self, catalog: Catalog) {
        let named = |index: &IndexMarket| match &index.origin {
            IndexOrigin::Sources(names) => Some((index.market, Time(0), names.clone())),
            IndexOrigin::Cross { .. } => None,
        };
        let sources = catalog.indices.iter().filter_map(named).collect();
        self.set(CatalogFacts { catalog, texts: BTreeMap::new(), sources });
    }

    fn set(&self, facts: CatalogFacts) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Box::leak(Box::new(facts));
    }

    /// Takes over the catalog and texts of an engine.
    pub fn take(&self, engine: &Engine) {
        let texts = engine.catalog_versions().iter().filter_map(|version| match &version.change {
            CatalogChange::Text { kind, id, digest } => Some(((*kind, *id), *digest)),
            _ => None,
        });
        let first = self.facts().sources.iter().filter(|(_, since, _)| *since == Time(0)).cloned();
        let later = engine.catalog_versions().iter().filter_map(|version| match &version.change {
            CatalogChange::IndexSources { market, sources } => Some((*market, version.since, sources.clone())),
            CatalogChange::ListMarket { market, reference: FirstReference::Index { sources, .. } } => {
                Some((market.id, version.since, sources.clone()))
            }
            _ => None,
        });
        self.set(CatalogFacts { catalog: engine.catalog().clone(), texts: texts.collect(), sources: first.chain(later).collect() });
    }

    /// Takes them over if these entries changed them.
    pub fn follow(&self, engine: &Engine, batch: &[Published]) {
        let changes = |event: &Event| matches!(event, Event::Account(change) if matches!(**change, AccountEvent::CatalogChanged(_)));
        if batch.iter().flat_map(|published| &published.events).any(changes) {
            self.take(engine);
        }
    }

    /// Names of a pair's price sources at an instant, in the order of their numbers.
    pub fn sources(&self, market: MarketId, at: Time) -> &'static [String] {
        let found = self.facts().sources.iter().rfind(|(of, since, _)| *of == market && *since <= at);
        found.map_or(&[], |(_, _, names)| names.as_slice())
    }

    /// Digest of the text in force.
    pub fn text(&self, kind: TextKind, id: u32) -> Option<Digest> {
        self.facts().texts.get(&(kind, id)).copied()
    }

    /// Numbers of the texts of a kind in force.
    pub fn numbers(&self, kind: TextKind) -> impl Iterator<Item = u32> {
        self.facts().texts.keys().filter(move |(of, _)| *of == kind).map(|(_, id)| *id)
    }
}
