//! The state ahead of the log: every entry is applied here before it is sealed, so nothing that the engine cannot apply is ever written.
//!
//! A panic of the engine is a fault of ours. It costs one command, not the log: the command is refused, and this state is rebuilt from the
//! published one. This state has no readers; its events are published once the journal has the entry.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
#[cfg(debug_assertions)]
use std::sync::{PoisonError, RwLock};

use engine::Engine;
use engine::command::Entry;
use engine::published::Published;
use engine::reply::Outcome;
use engine::time::Time;

use super::state::State;
use crate::replay;

/// The events of an entry, and its outcome.
pub(super) type Made = (Published, Outcome);

/// In builds for tests, requests with this key make the engine panic after applying them, until a test sets another key.
#[cfg(debug_assertions)]
pub const POISON: u128 = 0x0bad;
#[cfg(debug_assertions)]
static POISONED: RwLock<u128> = RwLock::new(POISON);

/// From now on requests with this key make the engine panic, instead of the earlier key.
#[cfg(debug_assertions)]
pub fn poison(key: u128) {
    *POISONED.write().unwrap_or_else(PoisonError::into_inner) = key;
}

#[cfg(debug_assertions)]
fn is_poisoned(key: u128) -> bool {
    *POISONED.read().unwrap_or_else(PoisonError::into_inner) == key
}

/// The state after the last sealed entry.
#[derive(Debug)]
pub(super) struct Ahead {
    engine: Engine,
    published: Arc<State>,
}

impl Ahead {
    /// Starts at the published state.
    pub(super) fn new(published: Arc<State>) -> Ahead {
        let engine = published.read().clone();
        Ahead { engine, published }
    }

    /// Applies the next entry. `None` when the engine cannot: then this state is unusable until it is rebuilt.
    pub(super) fn apply(&mut self, entry: &Entry) -> Option<Made> {
        let work = || {
            let made = replay::apply_entry(&mut self.engine, entry);
            #[cfg(debug_assertions)]
            assert!(!entry.request.is_some_and(|request| is_poisoned(request.key)), "poisoned on purpose");
            made
        };
        // After a panic the state is discarded, so no one sees it half changed.
        catch_unwind(AssertUnwindSafe(work)).ok()
    }

    /// The next instant at which work falls due.
    pub(super) fn next_due(&self) -> Option<Time> {
        self.engine.next_due()
    }

    /// True while work is due but not settled.
    pub(super) fn has_backlog(&self) -> bool {
        self.engine.has_backlog()
    }

    /// Rebuilds from the published state and the sealed entries that follow it.
    pub(super) fn rebuild<'a>(&mut self, since: impl Iterator<Item = &'a Entry>) {
        self.engine = self.published.read().clone();
        for entry in since {
            replay::repeat(&mut self.engine, entry);
        }
    }

    /// Publishes this state in place of the previous one, which lacks these entries. Under the lock only two states are swapped; the other
    /// is updated afterwards, by [`Ahead::catch_up`].
    pub(super) fn publish(&mut self, then: impl FnOnce(&Engine)) {
        let mut published = self.published.write();
        std::mem::swap(&mut *published, &mut self.engine);
        then(&published);
    }

    /// After [`Ahead::publish`]: applies the entries that the other state has.
    pub(super) fn catch_up(&mut self, entries: &[Entry]) {
        for entry in entries {
            replay::repeat(&mut self.engine, entry);
        }
    }
}
