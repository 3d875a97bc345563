//! THE writer: stamps sequence and time, appends a group to the journal, applies it to the engine, and only then answers and publishes.
//!
//! One thread owns the journal. While one group syncs, the next one gathers in the queue, so the batches adapt to the disk.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use engine::Engine;
use engine::catalog::Wallet;
use engine::command::{Command, Entry, Request};
use engine::event::{Event, Trade};
use engine::ids::{AssetId, Seq, UserId};
use engine::ledger::{Balance, Owner};
use engine::reply::Outcome;
use engine::spot::SpotOrder;
use engine::time::Time;
use journal::{AppendError, Head, Journal, Record, Snapshot};
use tokio::sync::{mpsc, oneshot, watch};

use crate::app::{Clock, StartError};
use crate::http::reply::{Refusal, refuse};
use crate::replay;
use crate::secrets::random;
use crate::stamp::Stamp;
use crate::tickers::Tickers;

/// Commands that may wait; beyond this the answer is `E_NOT_READY`.
const QUEUE: usize = 4_096;
/// Commands of one group.
const GROUP: usize = 512;
/// A `Clock` entry is written when nothing else came for this long (T-2).
const IDLE: Duration = Duration::from_millis(250);
/// Entries between two snapshots.
const SNAPSHOT_EVERY: u64 = 50_000;
/// Pause between attempts to lead again.
const RETRY: Duration = Duration::from_millis(200);

/// A command with its place in the log and what became of it.
#[derive(Clone, Debug)]
pub struct Applied {
    /// Sequence of its entry.
    pub seq: Seq,
    /// Journal time of its entry.
    pub time: Time,
    /// What was done, or why nothing was.
    pub outcome: Outcome,
    group: Batch,
    place: usize,
}

impl Applied {
    /// The entry whose answer this is: the first one, if the command was a repetition.
    pub fn answered_by(&self) -> u64 {
        self.outcome.repeated.as_ref().map_or(self.seq, |first| first.seq).0
    }

    /// True if a first answer is repeated.
    pub fn is_repetition(&self) -> bool {
        self.outcome.repeated.is_some()
    }

    /// The order that a placing or cancelling command answers.
    pub fn spot_order(&self) -> Option<&SpotOrder> {
        self.outcome.spot_order(self.events())
    }

    /// The trades that a placing command answers.
    pub fn trades(&self) -> impl Iterator<Item = &Trade> {
        self.outcome.trades(self.events())
    }

    fn events(&self) -> &[Event] {
        self.group.get(self.place).map_or(&[], |published| published.events.as_slice())
    }
}

/// A balance after an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewBalance {
    /// Owner.
    pub user: UserId,
    /// Wallet.
    pub wallet: Wallet,
    /// Coin.
    pub asset: AssetId,
    /// Available and held.
    pub balance: Balance,
}

/// What one entry made known. Nothing is published before it is durable.
#[derive(Clone, Debug)]
pub struct Published {
    /// Sequence of the entry.
    pub seq: Seq,
    /// Its time.
    pub time: Time,
    /// Facts, in order.
    pub events: Vec<Event>,
    /// Balances of members that it changed, as they are after it.
    pub balances: Vec<NewBalance>,
}

/// The entries of one group.
pub type Batch = Arc<[Published]>;

/// Where published entries go.
#[derive(Debug)]
pub struct Outlets {
    /// To the history rows; a full channel holds the sequencer back.
    pub history: mpsc::Sender<Batch>,
    /// To the sockets.
    pub sockets: mpsc::UnboundedSender<Batch>,
    /// Rolling days, kept current before a command is answered.
    pub tickers: Arc<RwLock<Tickers>>,
}

enum Job {
    Command { command: Command, request: Option<Request>, at: Option<Time>, done: oneshot::Sender<Result<Applied, Refusal>> },
    Stop(oneshot::Sender<()>),
}

/// The way to the sequencer, and the state it keeps. Cheap to clone.
#[derive(Clone)]
pub struct Sequencer {
    jobs: SyncSender<Job>,
    engine: Arc<RwLock<Engine>>,
    leads: Arc<AtomicBool>,
    failure: watch::Sender<Option<String>>,
}

impl std::fmt::Debug for Sequencer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sequencer")
    }
}

/// The other end of the queue, for [`Worker`].
pub struct Inbox(Receiver<Job>);

impl std::fmt::Debug for Inbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Inbox")
    }
}

impl Sequencer {
    /// A queue in front of this state; nothing is taken from it before [`Worker::start`].
    pub fn new() -> (Sequencer, Inbox) {
        let (jobs, inbox) = sync_channel(QUEUE);
        let engine = Arc::new(RwLock::new(Engine::default()));
        let sequencer = Sequencer { jobs, engine, leads: Arc::default(), failure: watch::Sender::new(None) };
        (sequencer, Inbox(inbox))
    }

    /// Brings a command into the log; the answer comes after it is durable and applied.
    ///
    /// # Errors
    /// `E_NOT_READY`: nothing was done. `E_OUTCOME_UNKNOWN`: it may have been done. A refusal of the engine is an [`Applied`].
    pub async fn submit(&self, command: Command, request: Option<Request>) -> Result<Applied, Refusal> {
        self.enqueue(command, request, None).await
    }

    /// The same at an instant in the future: the sandbox clock.
    ///
    /// # Errors
    /// As [`Sequencer::submit`].
    pub async fn submit_at(&self, command: Command, time: Time) -> Result<Applied, Refusal> {
        self.enqueue(command, None, Some(time)).await
    }

    async fn enqueue(&self, command: Command, request: Option<Request>, at: Option<Time>) -> Result<Applied, Refusal> {
        if !self.leads.load(Ordering::Acquire) {
            return Err(refuse("E_NOT_READY"));
        }
        let (done, answer) = oneshot::channel();
        match self.jobs.try_send(Job::Command { command, request, at, done }) {
            Ok(()) => answer.await.map_err(|_| refuse("E_OUTCOME_UNKNOWN"))?,
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => Err(refuse("E_NOT_READY")),
        }
    }

    /// The state after the last applied entry. Do not hold it across an await.
    pub fn engine(&self) -> RwLockReadGuard<'_, Engine> {
        self.engine.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// True while this node leads and takes commands.
    pub fn leads(&self) -> bool {
        self.leads.load(Ordering::Acquire)
    }

    /// Waits until the sequencer can go on no more, and says why.
    pub async fn failure(&self) -> String {
        let mut failure = self.failure.subscribe();
        let reason = failure.wait_for(Option::is_some).await.map(|reason| reason.clone());
        reason.ok().flatten().unwrap_or_default()
    }

    /// Finishes what waits, writes a snapshot and ends the thread.
    pub async fn stop(&self) {
        let (done, stopped) = oneshot::channel();
        let jobs = self.jobs.clone();
        let sent = tokio::task::spawn_blocking(move || jobs.send(Job::Stop(done))).await;
        if matches!(sent, Ok(Ok(()))) {
            // A thread that ended on its own has stopped as well.
            let _ = stopped.await;
        }
    }

    /// Ends the thread when it has time, without waiting for it.
    pub fn abandon(&self) {
        // A full queue belongs to a process that is about to end anyway.
        let _ = self.jobs.try_send(Job::Stop(oneshot::channel().0));
    }

    /// Sets the state that replay made.
    pub(crate) fn load(&self, engine: Engine) {
        *self.engine.write().unwrap_or_else(PoisonError::into_inner) = engine;
    }
}

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
    at: Option<Time>,
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
}

impl Writer {
    fn new(worker: Worker) -> Writer {
        let snapshot_at = worker.head.seq;
        Writer { stamp: Stamp::new(worker.clock.clone()), worker, snapshot_at }
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

    /// Everything that waits, or a `Clock` when nothing comes.
    fn gather(&self) -> (Vec<Waiting>, Option<oneshot::Sender<()>>) {
        let mut group = Vec::new();
        let mut next = match self.worker.inbox.0.recv_timeout(IDLE) {
            Ok(job) => Some(job),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                return (vec![Waiting { command: Command::Clock, request: None, at: None, done: None }], None);
            }
        };
        while let Some(job) = next {
            match job {
                Job::Command { command, request, at, done } => group.push(Waiting { command, request, at, done: Some(done) }),
                Job::Stop(stopped) => return (group, Some(stopped)),
            }
            next = if group.len() < GROUP { self.worker.inbox.0.try_recv().ok() } else { None };
        }
        (group, None)
    }

    fn write(&mut self, group: Vec<Waiting>) -> Result<(), String> {
        let (entries, records) = self.stamped(&group)?;
        match self.worker.journal.append(&records) {
            Ok(head) => {
                self.worker.head = head;
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

    /// Gives each command its sequence and time.
    fn stamped(&mut self, group: &[Waiting]) -> Result<(Vec<Entry>, Vec<Record>), String> {
        let mut last = self.worker.sequencer.engine().time();
        let mut entries = Vec::with_capacity(group.len());
        let mut records = Vec::with_capacity(group.len());
        for (seq, waiting) in (self.worker.head.seq + 1..).zip(group) {
            // Time never goes back (T-1).
            last = last.max(waiting.at.unwrap_or_else(|| self.stamp.now()));
            if waiting.at.is_some() {
                self.stamp.jumped_to(last);
            }
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

/// The balances of members that these events changed.
pub(crate) fn new_balances(engine: &Engine, events: &[Event]) -> Vec<NewBalance> {
    let mut changed: Vec<(UserId, Wallet, AssetId)> = Vec::new();
    for event in events {
        let Event::Posted(posting) = event else { continue };
        for side in [posting.debit, posting.credit] {
            if let Owner::Member(user, wallet, _) = side.owner
                && !changed.contains(&(user, wallet, posting.asset))
            {
                changed.push((user, wallet, posting.asset));
            }
        }
    }
    let balance = |(user, wallet, asset)| Some(NewBalance { user, wallet, asset, balance: engine.balance(user, wallet, asset)? });
    changed.into_iter().filter_map(balance).collect()
}
