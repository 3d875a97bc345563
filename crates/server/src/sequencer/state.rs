//! The state that everybody reads, handed out to a thread once at a time.
//!
//! A lock that prefers writers stops for ever when one thread reads twice and a writer asks in between: the writer waits for the first
//! reading, the second reading for the writer. So a second reading is a panic at once, in every build, whether or not a writer waits.

use std::cell::Cell;
use std::ops::Deref;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use engine::Engine;

thread_local! {
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// The engine behind its lock.
#[derive(Debug, Default)]
pub(super) struct State(RwLock<Engine>);

impl State {
    /// The state after the last applied entry.
    ///
    /// # Panics
    /// When this thread holds a reading already.
    pub(super) fn read(&self) -> Reading<'_> {
        let once = Once::take();
        Reading { engine: self.0.read().unwrap_or_else(PoisonError::into_inner), _once: once }
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Engine> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state while it is read. It cannot be held across an await, nor taken twice by one thread.
#[derive(Debug)]
pub struct Reading<'a> {
    engine: RwLockReadGuard<'a, Engine>,
    _once: Once,
}

impl Deref for Reading<'_> {
    type Target = Engine;
    fn deref(&self) -> &Engine {
        &self.engine
    }
}

/// This thread reads.
#[derive(Debug)]
struct Once;

impl Once {
    fn take() -> Once {
        assert!(!READING.replace(true), "this thread reads the state already");
        Once
    }
}

impl Drop for Once {
    fn drop(&mut self) {
        READING.set(false);
    }
}
