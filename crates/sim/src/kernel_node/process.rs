//! A process: the kernel's sequencer over the database, and the ends through which it tells what happened.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::ids::Seq;
use engine::published::Batch;
use engine::reply::FirstAnswer;
use journal::{Journal, MemoryDatabase};
use kernel::journal_clock::Clock;
use kernel::replay;
use kernel::sequencer::outlet::to_sockets;
use kernel::sequencer::writer::Worker;
use kernel::sequencer::{FirstAnswers, Later, Outlets, Sequencer, SubmitError};
use tokio::sync::mpsc;
use tokio::task::yield_now;

/// One seed in so many lets the shadow save snapshots on the way, after so many entries.
const SHADOW_IN: u64 = 4;
const SHADOW_EVERY: u64 = 25;

/// First answers, by entry.
pub(super) type Known = Arc<Mutex<BTreeMap<u64, FirstAnswer>>>;

/// The history as the sequencer asks it.
struct History(Known);

impl FirstAnswers for History {
    fn of(&self, seq: Seq) -> Later<'_, Result<FirstAnswer, SubmitError>> {
        Box::pin(async move {
            loop {
                if let Some(first) = locked(&self.0).get(&seq.0) {
                    return Ok(first.clone());
                }
                // This side takes what the history was sent in its next step.
                yield_now().await;
            }
        })
    }
}

pub(super) fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running process.
pub(super) struct Process {
    pub(super) sequencer: Sequencer,
    /// What the history receives.
    pub(super) history: mpsc::Receiver<Batch>,
    /// Why it failed.
    pub(super) failure: Arc<Mutex<Option<String>>>,
}

impl Drop for Process {
    fn drop(&mut self) {
        self.sequencer.abandon();
    }
}

/// A process that leads and continues the log from the newest snapshot, and the hash of the state that it began with.
///
/// # Errors
/// When it does not start.
pub(super) fn start(seed: u64, database: &MemoryDatabase, clock: &Arc<Clock>, known: &Known) -> Result<(Process, [u8; 32]), String> {
    let mut journal = Journal::memory(database).map_err(|error| error.to_string())?;
    journal.lead("sim", 0).map_err(|error| error.to_string())?;
    let (mut engine, from, snapshot) = replay::newest_state(&mut journal, u64::MAX).map_err(|error| error.to_string())?;
    let head = replay::tail(&mut journal, &mut engine, from, |_, _| Ok(())).map_err(|error| error.to_string())?;
    let hash = engine.state_hash();
    if engine.time().0 > clock.now_ms() {
        clock.jumped_to(engine.time());
    }
    let (sequencer, inbox) = Sequencer::new();
    sequencer.load(engine);
    sequencer.answer_from(Box::new(History(known.clone())));
    let (history, rows) = mpsc::channel(8);
    let outlets = Outlets { history, backlog: std::env::temp_dir(), sockets: to_sockets().0, market_stats: Arc::default() };
    let worker = Worker {
        sequencer: sequencer.clone(),
        inbox,
        journal,
        head,
        node: "sim".to_owned(),
        clock: clock.clone(),
        outlets,
        snapshot_every: if seed.is_multiple_of(SHADOW_IN) { SHADOW_EVERY } else { u64::MAX },
        snapshot: snapshot.map_or(0, |(seq, _)| seq),
        // It then waits for no commands that may be on their way.
        in_background: || true,
    };
    worker.start().map_err(|error| error.to_string())?;
    let failure: Arc<Mutex<Option<String>>> = Arc::default();
    let (failing, noted) = (sequencer.clone(), failure.clone());
    tokio::spawn(async move {
        let why = failing.failure().await;
        *locked(&noted) = Some(why);
    });
    Ok((Process { sequencer, history: rows, failure }, hash))
}
