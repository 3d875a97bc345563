//! The way into the log: commands wait in one queue, and only [`writer`] brings them into the journal and the engine.

mod ahead;
mod backlog;
mod checks;
mod cuts;
mod error;
mod intake;
pub mod outlet;
mod progress;
mod published;
mod shadow;
mod state;
mod task;
pub mod writer;

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, OnceLock, RwLock};
use std::time::Duration;

use engine::Engine;
use engine::command::{Command, Request};
use engine::ids::{Digest, Seq};
use engine::published::Batch;
use engine::reply::FirstAnswer;
use engine::snapshot::FORMAT;
use engine::time::Time;
use journal::{Group, KeptLead, Part};
use tokio::sync::{Mutex, Semaphore, mpsc, oneshot, watch};
use tokio::time::timeout;

use crate::catalog_view::CatalogView;
use crate::market_stats::MarketStats;
use checks::Checks;
use outlet::SocketOutlet;
use progress::Progress;
use state::State;

#[cfg(debug_assertions)]
pub use ahead::{POISON, poison};
pub use checks::HeldTotals;
pub use error::SubmitError;
pub use published::Applied;
pub use state::Reading;

/// Commands that may wait; beyond this the node is not ready.
const QUEUE: usize = 4_096;
/// A caller waits this long for an answer; later the outcome is available under its key. The call itself is answered within 10 s.
const ANSWER: Duration = Duration::from_secs(8);
/// Readers of the log itself that are served at once. The writer reads for them, one between two groups.
const READERS: usize = 2;
/// Entries that one read returns.
pub const READ: u64 = 1_024;
/// A caller with too many keys may retry after this long: the oldest keys expire one by one.
const KEYS_RETRY_MS: u64 = 60_000;
/// Interval at which a waiting reader checks for new entries.
const LOOK: Duration = Duration::from_millis(100);
/// A node that applied a durable group within this time counts as able to write.
const PROOF: Duration = Duration::from_secs(2);

/// Where published entries go.
#[derive(Debug)]
pub struct Outlets {
    /// To the history rows. What it does not take at once waits in memory, and then in a file.
    pub history: mpsc::Sender<Batch>,
    /// Folder for that file, and for the one of the shadow.
    pub backlog: PathBuf,
    /// To the sockets; what they are too slow for is dropped.
    pub sockets: SocketOutlet,
    /// Rolling 24-hour statistics, updated before a command is answered.
    pub market_stats: Arc<RwLock<MarketStats>>,
}

/// Where the answer to a command goes.
type Answer = oneshot::Sender<Result<Applied, SubmitError>>;

/// A value that is still to come.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Where the answers of earlier commands are kept.
pub trait FirstAnswers: Send + Sync {
    /// The answer of an entry whose key the engine knows.
    ///
    /// # Errors
    /// [`SubmitError::OutcomeUnknown`] while it cannot be reached: the same may be sent again. [`SubmitError::AnswerGone`] when it never
    /// will be. Either way nothing is executed a second time.
    fn of(&self, seq: Seq) -> Later<'_, Result<FirstAnswer, SubmitError>>;
}

enum Job {
    /// `done`: where the answer goes; the server's own commands have none.
    Command {
        command: Command,
        request: Option<Request>,
        done: Option<Answer>,
    },
    /// A sandbox clock, and commands at that very instant.
    Advance {
        target: Time,
        then: Vec<Command>,
        done: Answer,
    },
    /// A read of the groups that hold these entries.
    Read(ReadRequest),
    Stop(oneshot::Sender<KeptLead>),
}

/// A request to read entries from the log itself.
struct ReadRequest {
    entries: RangeInclusive<u64>,
    done: oneshot::Sender<Result<Part, journal::Error>>,
}

/// The handle of the sequencer and its state. Cheap to clone.
#[derive(Clone)]
pub struct Sequencer {
    jobs: SyncSender<Job>,
    state: Arc<State>,
    progress: Arc<Progress>,
    /// Held by the caller that has an entry written to prove that writing works.
    proving: Arc<Mutex<()>>,
    listed: CatalogView,
    leads: Arc<AtomicBool>,
    waiting: Arc<AtomicU64>,
    /// A reader needs current journal time.
    time_needed: Arc<AtomicBool>,
    failure: watch::Sender<Option<String>>,
    /// Sequence of the newest entry that can be read.
    published: watch::Sender<u64>,
    /// Where first answers are found; without it they stay unknown.
    first_answers: Arc<OnceLock<Box<dyn FirstAnswers>>>,
    checks: Arc<Checks>,
    cuts: Arc<cuts::Cuts>,
    /// Sequence of the newest entry that the shadow has applied.
    shadowed: Arc<AtomicU64>,
    /// Events of the entries that the node writes on its own, since the start.
    passed: Arc<AtomicU64>,
    /// Limits the readers of the log itself; others wait.
    readers: Arc<Semaphore>,
}

/// One command that waits for its answer.
struct Waiting<'a>(&'a AtomicU64);

impl<'a> Waiting<'a> {
    fn one(all: &'a AtomicU64) -> Waiting<'a> {
        all.fetch_add(1, Ordering::Relaxed);
        Waiting(all)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
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
        let sequencer = Sequencer {
            jobs,
            state: Arc::default(),
            progress: Arc::default(),
            proving: Arc::default(),
            listed: CatalogView::default(),
            leads: Arc::default(),
            waiting: Arc::default(),
            time_needed: Arc::default(),
            failure: watch::Sender::new(None),
            published: watch::Sender::new(0),
            first_answers: Arc::default(),
            checks: Arc::default(),
            cuts: Arc::default(),
            shadowed: Arc::default(),
            passed: Arc::default(),
            readers: Arc::new(Semaphore::new(READERS)),
        };
        (sequencer, Inbox(inbox))
    }

    /// Whether each invariant of the engine holds, as the shadow finds it now; no write waits for that. `None` without an answer.
    pub async fn check(&self) -> Option<HeldTotals> {
        self.checks.ask().await
    }

    /// Brings a command into the log; the answer comes after it is durable and applied.
    ///
    /// # Errors
    /// [`SubmitError::OutcomeUnknown`] when it may have been executed, or has been in progress for 8 s; with any other error nothing was
    /// done. A refusal of the engine is an [`Applied`].
    pub async fn submit(&self, command: Command, request: Option<Request>) -> Result<Applied, SubmitError> {
        if request.is_some_and(|request| !self.engine().may_keep(&command, request.key)) {
            return Err(SubmitError::TooManyKeys { retry_ms: KEYS_RETRY_MS });
        }
        self.enqueue(|done| Job::Command { command, request, done: Some(done) }).await
    }

    /// Moves journal time forward to this instant by a sandbox clock entry; `then` is written at that very instant. Answers when all work
    /// due by then is settled.
    ///
    /// # Errors
    /// As [`Sequencer::submit`]; [`SubmitError::OutcomeUnknown`] also when this node loses the lead before all of that is settled;
    /// [`SubmitError::Time`] when the target is not ahead, or over 366 days ahead, of the instant it is stamped.
    pub async fn advance(&self, target: Time, then: Vec<Command>) -> Result<Applied, SubmitError> {
        let applied = self.enqueue(|done| Job::Advance { target, then, done }).await?;
        let mut published = self.published.subscribe();
        while self.engine().has_backlog() {
            if !self.leads() {
                return Err(SubmitError::OutcomeUnknown);
            }
            // A node that lost the lead publishes nothing more. The sender lives as long as `self`.
            let _ = timeout(LOOK, published.changed()).await;
        }
        Ok(applied)
    }

    async fn enqueue(&self, job: impl FnOnce(Answer) -> Job) -> Result<Applied, SubmitError> {
        if !self.leads.load(Ordering::Acquire) {
            return Err(SubmitError::NotReady);
        }
        let (done, answer) = oneshot::channel();
        let _waiting = Waiting::one(&self.waiting);
        match self.jobs.try_send(job(done)) {
            Ok(()) => timeout(ANSWER, self.answered(answer)).await.unwrap_or(Err(SubmitError::OutcomeUnknown)),
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => Err(SubmitError::NotReady),
        }
    }

    /// The outcome of a command; for a repetition, the history's answer to the first one.
    async fn answered(&self, answer: oneshot::Receiver<Result<Applied, SubmitError>>) -> Result<Applied, SubmitError> {
        let mut applied = answer.await.map_err(|_| SubmitError::OutcomeUnknown)??;
        if let Some(first) = applied.outcome.is_answered_by() {
            applied.outcome.complete(self.first_answer(first).await?);
        }
        Ok(applied)
    }

    /// The answer of an entry whose key the engine knows, from the history.
    ///
    /// # Errors
    /// As [`FirstAnswers::of`].
    pub async fn first_answer(&self, seq: Seq) -> Result<FirstAnswer, SubmitError> {
        match self.first_answers.get() {
            Some(answers) => answers.of(seq).await,
            None => Err(SubmitError::OutcomeUnknown),
        }
    }

    /// Sets where first answers are found.
    pub fn answer_from(&self, answers: Box<dyn FirstAnswers>) {
        self.first_answers.get_or_init(|| answers);
    }

    /// The groups that hold these durable entries: at most the first [`READ`] of them. Groups are whole, so the result may include entries
    /// before and after. The time limit includes waiting for a turn.
    ///
    /// # Errors
    /// [`SubmitError::NotReady`] while the log cannot be read, [`SubmitError::Internal`] when it is damaged.
    pub async fn read_log(&self, entries: RangeInclusive<u64>) -> Result<Vec<Group>, SubmitError> {
        let (first, last) = (*entries.start(), (*entries.end()).min(entries.start().saturating_add(READ - 1)));
        let answered = async {
            let turn = self.readers.acquire().await.ok()?;
            let (done, answer) = oneshot::channel();
            self.jobs.try_send(Job::Read(ReadRequest { entries: first..=last, done })).ok()?;
            Some((turn, answer.await.ok()?))
        };
        let (_turn, read) = timeout(ANSWER, answered).await.ok().flatten().ok_or(SubmitError::NotReady)?;
        read.and_then(|part| part.open()).map_err(|error| {
            tracing::error!(%error, first, last, "the log cannot be read");
            if matches!(error, journal::Error::Damaged { .. }) { SubmitError::Internal } else { SubmitError::NotReady }
        })
    }

    /// Sequence of an entry that the state contains: the newest one, or one a moment older.
    pub fn newest(&self) -> u64 {
        *self.published.borrow()
    }

    /// Waits until the state is at least this new.
    pub async fn reach(&self, seq: u64) {
        // The sender lives as long as `self`.
        let _ = self.published.subscribe().wait_for(|newest| *newest >= seq).await;
    }

    /// Writes the hash of a snapshot's state into the log with the next group. A full queue skips it: the next snapshot has one too.
    pub fn record_state(&self, seq: Seq, hash: [u8; 32]) {
        let command = Command::RecordState { seq, form: FORMAT, hash: Digest(hash) };
        if self.jobs.try_send(Job::Command { command, request: None, done: None }).is_err() {
            tracing::warn!(seq = seq.0, "the state of a snapshot is not recorded");
        }
    }

    /// The state after the last applied entry.
    pub fn engine(&self) -> Reading<'_> {
        self.state.read()
    }

    /// Signals that a reader depends on journal time: it moves on soon, even if nothing is written.
    pub fn need_time(&self) {
        self.time_needed.store(true, Ordering::Relaxed);
    }

    /// The catalog after the last applied entry.
    pub fn listed(&self) -> &CatalogView {
        &self.listed
    }

    /// Commands waiting for their answer.
    pub fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Entries that can be read but that the shadow has not applied yet.
    pub fn shadow_lag(&self) -> u64 {
        self.newest().saturating_sub(self.shadowed.load(Ordering::Relaxed))
    }

    /// How much work fell due since this node started, in the entries that the node writes on its own.
    pub fn passed(&self) -> u64 {
        self.passed.load(Ordering::Relaxed)
    }

    /// True while this node leads and takes commands.
    pub fn leads(&self) -> bool {
        self.leads.load(Ordering::Acquire)
    }

    /// True if a durable entry was applied within the last 2 s. If there was nothing to write in that time, one clock entry is written for
    /// all concurrent callers.
    pub async fn makes_progress(&self) -> bool {
        let prove = async {
            if self.progress.applied_within(PROOF) {
                return true;
            }
            let _proving = self.proving.lock().await;
            self.progress.applied_within(PROOF) || self.submit(Command::Clock, None).await.is_ok()
        };
        timeout(PROOF, prove).await.unwrap_or(false)
    }

    /// Marks this node as failed: it takes no commands, and its process ends.
    pub fn fail(&self, why: &str) {
        tracing::error!(why, "this node has failed");
        self.leads.store(false, Ordering::Release);
        self.failure.send_replace(Some(why.to_owned()));
    }

    /// Waits until this node fails, and returns the reason.
    pub async fn failure(&self) -> String {
        let mut failure = self.failure.subscribe();
        let reason = failure.wait_for(Option::is_some).await.map(|reason| reason.clone());
        reason.ok().flatten().unwrap_or_default()
    }

    /// Finishes waiting work, writes a snapshot and ends the thread. No other node leads for as long as the caller keeps the lead.
    pub async fn stop(&self) -> Option<KeptLead> {
        let (done, stopped) = oneshot::channel();
        let jobs = self.jobs.clone();
        let sent = tokio::task::spawn_blocking(move || jobs.send(Job::Stop(done)).is_ok()).await;
        // If the thread ended on its own, it has closed the journal.
        if matches!(sent, Ok(true)) { stopped.await.ok() } else { None }
    }

    /// Ends the thread without waiting for it.
    pub fn abandon(&self) {
        // If the queue is full, the process is about to end anyway.
        let _ = self.jobs.try_send(Job::Stop(oneshot::channel().0));
    }

    /// Sets the state made by the replay.
    pub fn load(&self, engine: Engine) {
        self.listed.take(&engine);
        self.published.send_replace(engine.seq().0);
        *self.state.write() = engine;
    }
}

#[cfg(test)]
mod tests;
