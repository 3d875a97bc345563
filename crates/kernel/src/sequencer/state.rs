//! The published state. A thread may lock it for reading more than once, even while a writer waits.
//!
//! A lock that prefers writers deadlocks when one thread reads twice and a writer asks in between: the writer waits for the first read, and
//! the second read waits for the writer. So only a thread's first read queues behind a writer. A further read is admitted at once, because
//! its thread already holds the lock.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::Deref;

use engine::Engine;
use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};

thread_local! {
    /// Read locks that this thread holds.
    static HELD: Cell<usize> = const { Cell::new(0) };
}

/// The engine behind its lock.
#[derive(Debug, Default)]
pub(super) struct State(RwLock<Engine>);

impl State {
    /// The state after the last applied entry.
    pub(super) fn read(&self) -> Reading<'_> {
        let held = ReadScope::one_more();
        let engine = if held.is_first() { self.0.read() } else { self.0.read_recursive() };
        Reading { engine, _held: held }
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Engine> {
        self.0.write()
    }
}

/// The state while it is read. It stays on its thread, so it cannot be held across an await.
#[derive(Debug)]
pub struct Reading<'a> {
    engine: RwLockReadGuard<'a, Engine>,
    _held: ReadScope,
}

impl Deref for Reading<'_> {
    type Target = Engine;
    fn deref(&self) -> &Engine {
        &self.engine
    }
}

/// Counts a read of this thread, and cannot leave the thread.
#[derive(Debug)]
struct ReadScope(PhantomData<*const ()>);

impl ReadScope {
    fn one_more() -> ReadScope {
        HELD.set(HELD.get().saturating_add(1));
        ReadScope(PhantomData)
    }

    fn is_first(&self) -> bool {
        HELD.get() == 1
    }
}

impl Drop for ReadScope {
    fn drop(&mut self) {
        HELD.set(HELD.get().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, mpsc};
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_thread_reads_again_while_a_writer_waits() {
        let state = Arc::new(State::default());
        let (done, finished) = mpsc::channel();
        let reader = state.clone();
        thread::spawn(move || {
            let first = reader.read();
            let (state, asking) = (reader.clone(), Arc::new(()));
            let asked = asking.clone();
            let writer = thread::spawn(move || {
                drop(asked);
                drop(state.write());
            });
            // The writer thread has started; a moment later it waits.
            while Arc::strong_count(&asking) > 1 {
                thread::yield_now();
            }
            thread::sleep(Duration::from_millis(100));
            let second = reader.read();
            assert_eq!(first.seq(), second.seq());
            drop((second, first));
            writer.join().unwrap();
            done.send(()).unwrap();
        });
        finished.recv_timeout(Duration::from_secs(30)).expect("neither waits for the other");
    }

    #[test]
    fn readings_that_ended_leave_nothing_behind() {
        let state = State::default();
        drop((state.read(), state.read()));
        assert_eq!(HELD.get(), 0);
        drop(state.write());
    }
}
