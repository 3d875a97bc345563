//! The way into the log: commands wait in one queue, and [`writer`] alone brings them into the journal and the engine.

mod intake;
mod state;
pub mod writer;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, RwLock};

use engine::Engine;
use engine::catalog::Wallet;
use engine::command::{Command, Request};
use engine::event::{Event, Trade};
use engine::ids::{AssetId, Seq, UserId};
use engine::ledger::{Balance, Owner};
use engine::reply::Outcome;
use engine::spot::SpotOrder;
use engine::time::Time;
use tokio::sync::{mpsc, oneshot, watch};

use crate::http::reply::{Refusal, refuse};
use crate::listed::Listed;
use crate::tickers::Tickers;
use state::State;

pub use state::Reading;

/// Commands that may wait; beyond this the answer is `E_NOT_READY`.
const QUEUE: usize = 4_096;

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

/// Where the answer to a command goes.
type Answer = oneshot::Sender<Result<Applied, Refusal>>;

enum Job {
    Command { command: Command, request: Option<Request>, at: Option<Time>, done: Answer },
    Stop(oneshot::Sender<()>),
}

/// The way to the sequencer, and the state it keeps. Cheap to clone.
#[derive(Clone)]
pub struct Sequencer {
    jobs: SyncSender<Job>,
    state: Arc<State>,
    listed: Listed,
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
        let sequencer =
            Sequencer { jobs, state: Arc::default(), listed: Listed::default(), leads: Arc::default(), failure: watch::Sender::new(None) };
        (sequencer, Inbox(inbox))
    }

    /// Brings a command into the log; the answer comes after it is durable and applied.
    ///
    /// # Errors
    /// `E_NOT_READY`: nothing was done. `E_OUTCOME_UNKNOWN`: it may have been done. A refusal of the engine is an [`Applied`].
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
        match self.jobs.try_send(Job::Command { command, request, at, done }) {
            Ok(()) => answer.await.map_err(|_| refuse("E_OUTCOME_UNKNOWN"))?,
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => Err(refuse("E_NOT_READY")),
        }
    }

    /// The state after the last applied entry.
    ///
    /// # Panics
    /// When this thread holds it already.
    pub fn engine(&self) -> Reading<'_> {
        self.state.read()
    }

    /// What is listed after the last applied entry.
    pub fn listed(&self) -> &Listed {
        &self.listed
    }

    /// True while this node leads and takes commands.
    pub fn leads(&self) -> bool {
        self.leads.load(Ordering::Acquire)
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
