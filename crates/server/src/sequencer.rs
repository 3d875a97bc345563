//! The way into the log: commands wait in one queue, and [`writer`] alone brings them into the journal and the engine.

mod ahead;
mod backlog;
mod intake;
pub mod outlet;
mod progress;
mod state;
pub mod writer;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use engine::Engine;
use engine::catalog::Wallet;
use engine::command::{Command, Request};
use engine::event::{Event, Trade};
use engine::ids::{AssetId, Digest, Seq, UserId};
use engine::ledger::{Balance, Owner};
use engine::reply::Outcome;
use engine::snapshot::FORMAT;
use engine::spot::SpotOrder;
use engine::time::Time;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, mpsc, oneshot, watch};
use tokio::time::timeout;

use crate::http::reply::{Refusal, refuse};
use crate::listed::Listed;
use crate::tickers::Tickers;
use outlet::SocketOutlet;
use progress::Progress;
use state::State;

#[cfg(debug_assertions)]
pub use ahead::POISON;
pub use state::Reading;

/// Commands that may wait; beyond this the answer is `E_NOT_READY`.
const QUEUE: usize = 4_096;
/// A caller waits this long for an answer; what became of the command is told later, under its key. The call itself has 10 s.
const ANSWER: Duration = Duration::from_secs(9);
/// A node that applied a durable group within this time can write.
const PROOF: Duration = Duration::from_secs(2);

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

    /// What its entry caused, work that was due before it included.
    pub fn events(&self) -> &[Event] {
        self.group.get(self.place).map_or(&[], |published| published.events.as_slice())
    }
}

/// A balance after an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    /// To the history rows. What it does not take at once waits in memory, and then in a file.
    pub history: mpsc::Sender<Batch>,
    /// Folder for that file.
    pub backlog: PathBuf,
    /// To the sockets; what they are too slow for is dropped.
    pub sockets: SocketOutlet,
    /// Rolling days, kept current before a command is answered.
    pub tickers: Arc<RwLock<Tickers>>,
}

/// Where the answer to a command goes.
type Answer = oneshot::Sender<Result<Applied, Refusal>>;

enum Job {
    /// `done`: where the answer goes; what the server writes by itself has none.
    Command {
        command: Command,
        request: Option<Request>,
        at: Option<Time>,
        done: Option<Answer>,
    },
    Stop(oneshot::Sender<()>),
}

/// The way to the sequencer, and the state it keeps. Cheap to clone.
#[derive(Clone)]
pub struct Sequencer {
    jobs: SyncSender<Job>,
    state: Arc<State>,
    progress: Arc<Progress>,
    /// Held by the one who has an entry written to prove that entries are.
    proving: Arc<Mutex<()>>,
    listed: Listed,
    leads: Arc<AtomicBool>,
    waiting: Arc<AtomicU64>,
    /// Somebody reads what depends on the time.
    time_needed: Arc<AtomicBool>,
    failure: watch::Sender<Option<String>>,
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
            listed: Listed::default(),
            leads: Arc::default(),
            waiting: Arc::default(),
            time_needed: Arc::default(),
            failure: watch::Sender::new(None),
        };
        (sequencer, Inbox(inbox))
    }

    /// Brings a command into the log; the answer comes after it is durable and applied.
    ///
    /// # Errors
    /// `E_NOT_READY`: nothing was done. `E_OUTCOME_UNKNOWN`: it may have been done, or is under way for 9 s. A refusal of the engine is an [`Applied`].
    pub async fn submit(&self, command: Command, request: Option<Request>) -> Result<Applied, Refusal> {
        self.enqueue(command, request, None).await
    }

    /// Moves journal time forward to this instant by a sandbox clock entry.
    ///
    /// # Errors
    /// As [`Sequencer::submit`]; `E_TIME` when the target is not ahead, or over 366 days ahead, of the instant it is stamped.
    pub async fn advance(&self, target: Time) -> Result<Applied, Refusal> {
        self.enqueue(Command::SandboxClock, None, Some(target)).await
    }

    async fn enqueue(&self, command: Command, request: Option<Request>, at: Option<Time>) -> Result<Applied, Refusal> {
        if !self.leads.load(Ordering::Acquire) {
            return Err(refuse("E_NOT_READY"));
        }
        let (done, answer) = oneshot::channel();
        let _waiting = Waiting::one(&self.waiting);
        match self.jobs.try_send(Job::Command { command, request, at, done: Some(done) }) {
            Ok(()) => match timeout(ANSWER, answer).await {
                Ok(answered) => answered.map_err(|_| refuse("E_OUTCOME_UNKNOWN"))?,
                Err(_) => Err(refuse("E_OUTCOME_UNKNOWN")),
            },
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => Err(refuse("E_NOT_READY")),
        }
    }

    /// Brings the hash of a snapshot's state into the log with the next group. A full queue leaves it out: the next snapshot has one too.
    pub(crate) fn record_state(&self, seq: Seq, hash: [u8; 32]) {
        let command = Command::RecordState { seq, form: FORMAT, hash: Digest(hash) };
        if self.jobs.try_send(Job::Command { command, request: None, at: None, done: None }).is_err() {
            tracing::warn!(seq = seq.0, "the state of a snapshot is not recorded");
        }
    }

    /// The state after the last applied entry.
    pub fn engine(&self) -> Reading<'_> {
        self.state.read()
    }

    /// Somebody reads what depends on journal time: it moves on soon, also when nothing is written.
    pub(crate) fn need_time(&self) {
        self.time_needed.store(true, Ordering::Relaxed);
    }

    /// What is listed after the last applied entry.
    pub fn listed(&self) -> &Listed {
        &self.listed
    }

    /// Commands that wait for their answer.
    pub fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }

    /// True while this node leads and takes commands.
    pub fn leads(&self) -> bool {
        self.leads.load(Ordering::Acquire)
    }

    /// True if a durable entry was applied within the last 2 s. Where nothing was to be written for as long, a clock entry is, one for
    /// everybody who asks meanwhile.
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

    /// This node can go on no more: it takes no commands, and its process ends.
    pub(crate) fn fail(&self, why: &str) {
        self.leads.store(false, Ordering::Release);
        self.failure.send_replace(Some(why.to_owned()));
    }

    /// Waits until this node can go on no more, and says why.
    pub async fn failure(&self) -> String {
        let mut failure = self.failure.subscribe();
        let reason = failure.wait_for(Option::is_some).await.map(|reason| reason.clone());
        reason.ok().flatten().unwrap_or_default()
    }

    /// Finishes what waits, writes a snapshot and ends the thread.
    pub async fn stop(&self) {
        let (done, stopped) = oneshot::channel();
        let jobs = self.jobs.clone();
        let sent = tokio::task::spawn_blocking(move || jobs.send(Job::Stop(done)).is_ok()).await;
        if matches!(sent, Ok(true)) {
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
        self.listed.take(&engine);
        *self.state.write() = engine;
    }
}

/// The balances of members that these events changed, in the order in which they were first touched. Linear in the events: a sweep of
/// the book touches two balances of every maker.
pub fn new_balances(engine: &Engine, events: &[Event]) -> Vec<NewBalance> {
    let mut touched: HashSet<(UserId, Wallet, AssetId)> = HashSet::new();
    let mut changed = Vec::new();
    for event in events {
        let Event::Posted(posting) = event else { continue };
        for side in [posting.debit, posting.credit] {
            let Owner::Member(user, wallet, _) = side.owner else { continue };
            let asset = posting.asset;
            if touched.insert((user, wallet, asset))
                && let Some(balance) = engine.balance(user, wallet, asset)
            {
                changed.push(NewBalance { user, wallet, asset, balance });
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use engine::catalog::Catalog;
    use engine::command::{Genesis, Mode};
    use journal::{Head, Journal, MemoryDatabase};

    use super::*;
    use crate::journal_clock::Clock;

    #[tokio::test(flavor = "multi_thread")]
    async fn the_state_of_a_snapshot_enters_the_log_although_nobody_waits_for_it() {
        let database = MemoryDatabase::new();
        let mut journal = Journal::memory(&database).unwrap();
        journal.lead("test", 1).unwrap();
        let (sequencer, inbox) = Sequencer::new();
        let (history, _rows) = mpsc::channel(100);
        let outlets = Outlets { history, backlog: std::env::temp_dir(), sockets: outlet::to_sockets().0, tickers: Arc::default() };
        let (head, node, clock) = (Head::GENESIS, "test".to_owned(), Arc::new(Clock::default()));
        writer::Worker { sequencer: sequencer.clone(), inbox, journal, head, node, clock, outlets }.start().unwrap();
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        sequencer.submit(Command::Genesis(Box::new(genesis)), None).await.unwrap();
        let hash = sequencer.engine().state_hash();
        sequencer.record_state(Seq(1), hash);
        sequencer.submit(Command::Clock, None).await.unwrap();
        sequencer.stop().await;
        let groups = Journal::memory(&database).unwrap().read(1, 10).unwrap();
        let commands = groups.iter().flat_map(|group| &group.records).map(|record| crate::replay::entry_of(record).unwrap().command);
        assert!(commands.into_iter().any(|command| command == Command::RecordState { seq: Seq(1), form: FORMAT, hash: Digest(hash) }));
    }
}
