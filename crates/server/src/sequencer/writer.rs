//! THE writer: stamps sequence and time, appends a group to the journal, applies it to the engine, and only then answers and publishes.
//!
//! One thread owns the journal. While one group syncs, the next one gathers in the queue, so the batches adapt to the disk.

use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use engine::LONGEST_CLOCK_STEP_MS;
use engine::command::{Command, Entry, Request};
use engine::ids::Seq;
use engine::reply::Outcome;
use engine::time::Time;
use journal::{AppendError, Head, Journal, Record, Snapshot};
use tokio::sync::oneshot;

use super::{Applied, Batch, Inbox, Job, Outlets, Sequencer, Target};
use crate::app::{Clock, StartError};
use crate::http::reply::{Refusal, refuse};
use crate::replay;
use crate::secrets::random;
use crate::stamp::Stamp;

/// Commands of one group.
const GROUP: usize = 512;
/// A `Clock` entry is written when nothing else came for this long (T-2).
const IDLE: Duration = Duration::from_millis(250);
/// Entries between two snapshots.
const SNAPSHOT_EVERY: u64 = 50_000;
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
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(self) -> Result<(), StartError> {
        self.sequencer.leads.store(true, Ordering::Release);
        let failure = self.sequencer.failure.clone();
        let leads = self.sequencer.leads.clone();
        let work = move || {
            // A panic in the engine means a broken invariant: this node must stop, never skip.
            let end = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || Writer::new(self).run()));
            leads.store(false, Ordering::Release);
            let reason = match end {
                Ok(Ok(())) => return,
                Ok(Err(reason)) => reason,
                Err(_) => "the engine stopped: an invariant does not hold".to_owned(),
            };
            failure.send_replace(Some(reason));
        };
        std::thread::Builder::new().name("sequencer".to_owned()).spawn(work)?;
        Ok(())
    }
}

struct Waiting {
    command: Command,
    request: Option<Request>,
    at: Option<Target>,
    done: Option<oneshot::Sender<Result<Applied, Refusal>>>,
}

impl Waiting {
    fn answer(self, answer: Result<Applied, Refusal>) {
        if let Some(done) = self.done {
            // Who no longer waits has lost only the answer.
            let _ = done.send(answer);
        }
    }
}

struct Writer {
    worker: Worker,
    stamp: Stamp,
    snapshot_at: u64,
    /// A sandbox clock that waits for the group before it.
    clock: Option<Waiting>,
}

impl Writer {
    fn new(worker: Worker) -> Writer {
        let snapshot_at = worker.head.seq;
        Writer { stamp: Stamp::new(worker.clock.clone()), worker, snapshot_at, clock: None }
    }

    fn run(mut self) -> Result<(), String> {
        loop {
            let (group, stop) = self.gather();
            if !group.is_empty() {
                self.write(group)?;
            }
            let due = self.worker.head.seq - self.snapshot_at >= SNAPSHOT_EVERY;
            if due || stop.is_some() {
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

    /// Everything that waits, or a `Clock` when nothing comes. A sandbox clock is a group of its own.
    fn gather(&mut self) -> (Vec<Waiting>, Option<oneshot::Sender<()>>) {
        if let Some(clock) = self.clock.take() {
            return (vec![clock], None);
        }
        let mut group: Vec<Waiting> = Vec::new();
        let mut next = match self.worker.inbox.0.recv_timeout(IDLE) {
            Ok(job) => Some(job),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                return (vec![Waiting { command: Command::Clock, request: None, at: None, done: None }], None);
            }
        };
        while let Some(job) = next {
            match job {
                Job::Command { command, request, at: None, done } => group.push(Waiting { command, request, at: None, done: Some(done) }),
                Job::Command { command, request, at, done } => {
                    self.clock = Some(Waiting { command, request, at, done: Some(done) });
                    break;
                }
                Job::Stop(stopped) => return (group, Some(stopped)),
            }
            next = if group.len() < GROUP { self.worker.inbox.0.try_recv().ok() } else { None };
        }
        (group, None)
    }

    fn write(&mut self, group: Vec<Waiting>) -> Result<(), String> {
        let wanted = group.first().and_then(|waiting| waiting.at);
        let target = wanted.map(|target| self.target_time(target));
        if target == Some(None) {
            group.into_iter().for_each(|waiting| waiting.answer(Err(refuse("E_TIME"))));
            return Ok(());
        }
        let target = target.flatten();
        let (entries, records) = self.stamped(&group, target)?;
        match self.worker.journal.append(&records) {
            Ok(head) => {
                self.worker.head = head;
                if let Some(time) = target {
                    self.stamp.jumped_to(time);
                }
                let outcomes = self.apply(&entries);
                for (waiting, applied) in group.into_iter().zip(outcomes) {
                    waiting.answer(Ok(applied));
                }
                Ok(())
            }
            Err(AppendError::Fenced) => Err("another node leads this journal".to_owned()),
            Err(AppendError::NotWritten(why)) => {
                tracing::error!(why, "group not written");
                group.into_iter().for_each(|waiting| waiting.answer(Err(refuse("E_NOT_READY"))));
                self.lead_again()
            }
            Err(AppendError::Unknown(why)) => {
                tracing::error!(why, "outcome of a group unknown");
                group.into_iter().for_each(|waiting| waiting.answer(Err(refuse("E_OUTCOME_UNKNOWN"))));
                self.lead_again()
            }
        }
    }

    /// The instant that a sandbox clock goes to, if it may.
    fn target_time(&mut self, target: Target) -> Option<Time> {
        let last = self.worker.sequencer.engine().time();
        let now = last.max(self.stamp.now());
        let furthest = last.plus(LONGEST_CLOCK_STEP_MS);
        let time = match target {
            // The step counts from now; the log counts from its last entry, which may be a moment older.
            Target::By(step) if step <= LONGEST_CLOCK_STEP_MS => now.plus(step).min(furthest),
            Target::By(_) => return None,
            Target::To(time) => time,
        };
        (time > now && time <= furthest).then_some(time)
    }

    /// Gives each command its sequence and time; a clock, which is alone in its group, its target.
    fn stamped(&mut self, group: &[Waiting], target: Option<Time>) -> Result<(Vec<Entry>, Vec<Record>), String> {
        let mut last = self.worker.sequencer.engine().time();
        let mut entries = Vec::with_capacity(group.len());
        let mut records = Vec::with_capacity(group.len());
        for (seq, waiting) in (self.worker.head.seq + 1..).zip(group) {
            // Time never goes back (T-1).
            last = last.max(target.unwrap_or_else(|| self.stamp.now()));
            let entry = Entry { seq: Seq(seq), time: last, request: waiting.request, command: waiting.command.clone() };
            records.push(replay::record_of(&entry, random().map_err(|error| format!("no random salt: {error}"))?));
            entries.push(entry);
        }
        Ok((entries, records))
    }

    /// Applies durable entries, publishes what they made known, and returns their outcomes.
    fn apply(&mut self, entries: &[Entry]) -> Vec<Applied> {
        let mut batch = Vec::with_capacity(entries.len());
        let mut outcomes = Vec::with_capacity(entries.len());
        {
            let mut engine = self.worker.sequencer.engine.write().unwrap_or_else(PoisonError::into_inner);
            for entry in entries {
                let (published, outcome) = replay::apply(&mut engine, entry);
                batch.push(published);
                outcomes.push(outcome);
            }
        }
        let batch: Batch = batch.into();
        let applied = |(place, (entry, outcome)): (usize, (&Entry, Outcome))| Applied {
            seq: entry.seq,
            time: entry.time,
            outcome,
            group: batch.clone(),
            place,
        };
        let applied = entries.iter().zip(outcomes).enumerate().map(applied).collect();
        let outlets = &self.worker.outlets;
        outlets.tickers.write().unwrap_or_else(PoisonError::into_inner).take(&batch);
        // Both ends live as long as the server; at its end nobody reads any more.
        let _ = outlets.sockets.send(batch.clone());
        let _ = outlets.history.blocking_send(batch);
        applied
    }

    /// The way out of doubt: leads again, and applies what turned out to be in the journal.
    fn lead_again(&mut self) -> Result<(), String> {
        self.worker.sequencer.leads.store(false, Ordering::Release);
        loop {
            match self.worker.journal.lead(&self.worker.node, self.worker.clock.wall_ms()) {
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
            while let Ok(job) = self.worker.inbox.0.try_recv() {
                match job {
                    Job::Command { done, .. } => drop(done.send(Err(refuse("E_NOT_READY")))),
                    Job::Stop(stopped) => {
                        let _ = stopped.send(());
                        return Err("stopped while the journal was out of reach".to_owned());
                    }
                }
            }
            std::thread::sleep(RETRY);
        }
        loop {
            let groups = self.worker.journal.read_after(self.worker.head, 64).map_err(|error| error.to_string())?;
            let Some(last) = groups.last() else { break };
            let head = last.head();
            for group in &groups {
                let entries =
                    group.records.iter().map(replay::entry_of).collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
                self.apply(&entries);
            }
            self.worker.head = head;
        }
        let reached = self.worker.sequencer.engine().time();
        if reached > self.stamp.now() {
            // A clock whose outcome was in doubt turned out to be in the log.
            self.stamp.jumped_to(reached);
        }
        self.worker.sequencer.leads.store(true, Ordering::Release);
        Ok(())
    }

    /// Keeps the state; a failure costs only a longer replay.
    fn save_snapshot(&mut self) {
        self.snapshot_at = self.worker.head.seq;
        let bytes = self.worker.sequencer.engine().snapshot();
        let state_hash = replay::hash_of(&bytes);
        if let Err(error) = self.worker.journal.save_snapshot(&Snapshot { head: self.worker.head, state_hash, bytes }) {
            tracing::error!(%error, "snapshot not saved");
        }
    }
}
