//! THE writer: commits a sealed group to the journal, applies it to the engine, and only then publishes and answers.
//!
//! One group is under way at a time. While it syncs, the next one gathers in the queue, so the batches adapt to the disk.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use engine::command::Entry;
use engine::reply::Outcome;
use journal::{AppendError, Head, Journal, Snapshot};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::intake::{GROUP, Group, Intake};
use super::{Answer, Applied, Batch, Inbox, Outlets, Sequencer};
use crate::app::{Clock, StartError};
use crate::replay;
use crate::tickers::Tickers;

/// Entries between two snapshots.
const SNAPSHOT_EVERY: u64 = 50_000;
/// Groups that may wait to be handed over; beyond this the sequencer is held back.
const GROUPS: usize = 16;
/// Pause between attempts to lead again.
const RETRY: Duration = Duration::from_millis(200);

/// The thread's side.
#[derive(Debug)]
pub struct Worker {
    /// The handle that others hold.
    pub sequencer: Sequencer,
    /// Its queue.
    pub inbox: Inbox,
    /// The journal, led by this node.
    pub journal: Journal,
    /// Its end, which the engine has reached.
    pub head: Head,
    /// Name of this node in the lease.
    pub node: String,
    /// Wall clock and journal time.
    pub clock: Arc<Clock>,
    /// Where published entries go.
    pub outlets: Outlets,
}

impl Worker {
    /// Starts its threads. Must be called in the runtime that answers.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn start(self) -> Result<(), StartError> {
        self.sequencer.leads.store(true, Ordering::Release);
        let sequencer = self.sequencer.clone();
        let runtime = Handle::current();
        let work = move || {
            // A panic in the engine means a broken invariant: this node must stop, never skip.
            let end = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || Writer::new(self, &runtime)?.run()));
            match end {
                Ok(Ok(())) => sequencer.leads.store(false, Ordering::Release),
                Ok(Err(reason)) => sequencer.fail(&reason),
                Err(_) => sequencer.fail("the engine stopped: an invariant does not hold"),
            }
        };
        // Two threads: one commits while the other seals. They end with the work.
        let threads = rayon::ThreadPoolBuilder::new().num_threads(2).thread_name(|at| format!("sequencer-{at}")).build();
        threads.map_err(|error| StartError(format!("sequencer: {error}")))?.spawn(work);
        Ok(())
    }
}

struct Writer {
    sequencer: Sequencer,
    intake: Intake,
    journal: Journal,
    /// The end of the journal, which the engine has reached.
    head: Head,
    node: String,
    clock: Arc<Clock>,
    tickers: Arc<RwLock<Tickers>>,
    durable: mpsc::Sender<Durable>,
    snapshot_at: u64,
}

/// A durable group: what it made known, and the answers to those who wait.
struct Durable {
    batch: Batch,
    answers: Vec<(Answer, Applied)>,
}

/// Publishes groups in their order and then answers: who knows the number of an entry finds it with everybody who follows the log.
/// A task of its own: each wake from the sequencer's thread is a call of the system, and wakes from a task are not.
async fn hand_over(mut groups: mpsc::Receiver<Durable>, history: mpsc::Sender<Batch>, sockets: mpsc::UnboundedSender<Batch>) {
    while let Some(Durable { batch, answers }) = groups.recv().await {
        // Both ends live as long as the server; at its end nobody reads any more.
        let _ = sockets.send(batch.clone());
        let _ = history.send(batch).await;
        for (done, applied) in answers {
            // Who no longer waits has lost only the answer.
            let _ = done.send(Ok(applied));
        }
    }
}

impl Writer {
    fn new(worker: Worker, runtime: &Handle) -> Result<Writer, String> {
        let Worker { sequencer, inbox, journal, head, node, clock, outlets } = worker;
        let Outlets { history, sockets, tickers } = outlets;
        let (durable, groups) = mpsc::channel(GROUPS);
        runtime.spawn(hand_over(groups, history, sockets));
        let sealer = journal.sealer().map_err(|error| error.to_string())?;
        let intake = Intake::new(inbox, clock.clone(), sealer, sequencer.engine().time());
        Ok(Writer { sequencer, intake, journal, head, node, clock, tickers, durable, snapshot_at: head.seq })
    }

    fn run(mut self) -> Result<(), String> {
        let mut ahead = None;
        loop {
            let group = if ahead.is_some() { ahead.take() } else { self.intake.next()? };
            if let Some(group) = group {
                ahead = self.write(group)?;
            }
            let stop = if ahead.is_none() { self.intake.stopped() } else { None };
            if self.head.seq - self.snapshot_at >= SNAPSHOT_EVERY || stop.is_some() {
                self.save_snapshot();
            }
            if let Some(stopped) = stop {
                // The journal is closed before anybody may open it again.
                drop(self);
                let _ = stopped.send(());
                return Ok(());
            }
        }
    }

    /// Commits a group, applies it and answers. Returns the next group if it was sealed meanwhile.
    fn write(&mut self, group: Group) -> Result<Option<Group>, String> {
        let (committed, ahead) = self.commit(&group);
        match committed {
            Ok(head) => {
                self.head = head;
                if let Some(time) = group.target {
                    self.intake.jumped_to(time);
                }
                self.apply(&group.entries, group.waiting);
                return ahead;
            }
            Err(AppendError::Fenced) => return Err("another node leads this journal".to_owned()),
            Err(AppendError::NotWritten(why)) => {
                tracing::error!(why, "group not written");
                group.refuse("E_NOT_READY");
            }
            Err(AppendError::Unknown(why)) => {
                tracing::error!(why, "outcome of a group unknown");
                group.refuse("E_OUTCOME_UNKNOWN");
            }
        }
        // What was sealed after a group that may be missing is never committed.
        ahead?.into_iter().for_each(|ahead| ahead.refuse("E_NOT_READY"));
        self.lead_again()?;
        Ok(None)
    }

    /// Commits. Only behind a full group more can wait than it holds: then the next one is sealed at the same time, on another core
    /// if one is free. A smaller group took everything that waited, and the next one gathers until this one is durable.
    fn commit(&mut self, group: &Group) -> (Result<Head, AppendError>, Result<Option<Group>, String>) {
        let (journal, intake) = (&mut self.journal, &mut self.intake);
        if group.entries.len() < GROUP {
            return (journal.commit(&group.sealed), Ok(None));
        }
        rayon::join(|| journal.commit(&group.sealed), || intake.next_full())
    }

    /// Applies durable entries and hands over what they made known, with the answers to those who wait.
    fn apply(&mut self, entries: &[Entry], waiting: Vec<Option<Answer>>) {
        let mut batch = Vec::with_capacity(entries.len());
        let mut outcomes = Vec::with_capacity(entries.len());
        {
            let mut engine = self.sequencer.state.write();
            for entry in entries {
                let (published, outcome) = replay::apply(&mut engine, entry);
                batch.push(published);
                outcomes.push(outcome);
            }
            self.sequencer.listed.follow(&engine, &batch);
        }
        let batch: Batch = batch.into();
        let applied = |(place, (entry, outcome)): (usize, (&Entry, Outcome))| Applied {
            seq: entry.seq,
            time: entry.time,
            outcome,
            group: batch.clone(),
            place,
        };
        let applied = entries.iter().zip(outcomes).enumerate().map(applied);
        let answers = waiting.into_iter().zip(applied).filter_map(|(done, applied)| Some((done?, applied))).collect();
        self.tickers.write().unwrap_or_else(PoisonError::into_inner).take(&batch);
        // The other end lives as long as the runtime; after that nobody waits.
        let _ = self.durable.blocking_send(Durable { batch, answers });
    }

    /// The way out of doubt: leads again, and applies what turned out to be in the journal.
    fn lead_again(&mut self) -> Result<(), String> {
        self.sequencer.leads.store(false, Ordering::Release);
        loop {
            match self.journal.lead(&self.node, self.clock.wall_ms()) {
                Ok(_) => break,
                Err(
                    error @ (journal::Error::Fenced
                    | journal::Error::Damaged { .. }
                    | journal::Error::Held(_)
                    | journal::Error::Unsuitable(_)),
                ) => {
                    return Err(error.to_string());
                }
                Err(error) => tracing::error!(%error, "journal out of reach"),
            }
            self.intake.refuse_all();
            if let Some(stopped) = self.intake.stopped() {
                let _ = stopped.send(());
                return Err("stopped while the journal was out of reach".to_owned());
            }
            std::thread::sleep(RETRY);
        }
        loop {
            let groups = self.journal.read_after(self.head, 64).map_err(|error| error.to_string())?;
            let Some(last) = groups.last() else { break };
            let head = last.head();
            for group in &groups {
                let entries =
                    group.records.iter().map(replay::entry_of).collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
                self.apply(&entries, Vec::new());
            }
            self.head = head;
        }
        let sealer = self.journal.sealer().map_err(|error| error.to_string())?;
        self.intake.restart(sealer, self.sequencer.engine().time());
        self.sequencer.leads.store(true, Ordering::Release);
        Ok(())
    }

    /// Keeps the state; a failure costs only a longer replay.
    fn save_snapshot(&mut self) {
        self.snapshot_at = self.head.seq;
        let bytes = self.sequencer.engine().snapshot();
        let state_hash = replay::hash_of(&bytes);
        if let Err(error) = self.journal.save_snapshot(&Snapshot { head: self.head, state_hash, bytes }) {
            tracing::error!(%error, "snapshot not saved");
        }
    }
}
