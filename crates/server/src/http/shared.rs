//! What the dispatcher and the handlers share: one cheap handle. The composition root builds it.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard};

use engine::command::{Command, Mode};
use engine::ids::UserId;
use engine::reject::Reject;
use feed::market::Market;
use kernel::catalog_view::CatalogView;
use kernel::journal_clock::Clock;
use kernel::market_stats::MarketStats;
use kernel::sequencer::Sequencer;
use store::{MIN_SEQ, Store};

use super::answers::Answers;
use super::audit::AuditTrail;
use super::auth::Sessions;
use super::limits::Limits;
use super::minute_cache::MinuteCache;
use super::open_object_count::OpenObjectCount;
use super::outgoing::Outgoing;
use super::reply::{Code, Refusal, refuse};
use super::routes::Table;
use crate::config::Config;
use crate::countries::policy::CountryPolicy;
use crate::exports::Exports;
use crate::files::Files;
use crate::hasher::Hasher;
use crate::inputs::Feed;
use crate::invariants::Invariants;
use crate::liabilities::Liabilities;
use crate::member_lock::MemberLocks;
use crate::notices::Notices;
use crate::poster::Posters;
use crate::proof::Proof;

/// The shared handle; cloning it is cheap.
#[derive(Clone, Debug)]
pub struct App(Arc<Shared>);

impl Deref for App {
    type Target = Shared;
    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// The parts.
#[derive(Debug)]
pub struct Shared {
    /// Settings.
    pub config: Config,
    /// Mode of the journal's genesis, for ever.
    pub mode: Mode,
    /// Where prices come from.
    pub market: Market,
    /// The present catalog.
    pub catalog: CatalogView,
    /// Which products the countries have.
    pub policy: CountryPolicy,
    /// People, content, history, and the keys of sealed data.
    pub store: Arc<Store>,
    /// Wall clock and journal time.
    pub clock: Arc<Clock>,
    /// Live sessions.
    pub sessions: Sessions,
    /// Every call.
    pub routes: &'static Table,
    /// Records the calls of operators.
    pub audit: AuditTrail,
    /// Rate classes.
    pub limits: Limits,
    /// Stored answers of repeated writes.
    pub answers: Answers,
    /// Large answers that are being sent.
    pub outgoing: Outgoing,
    /// The bounded lanes that hash passwords.
    pub hasher: Hasher,
    /// Pictures of members.
    pub files: Files,
    /// Copies of members' own data.
    pub exports: Exports,
    /// Notices on their way to open connections.
    pub notices: Notices,
    /// True from the moment the node may serve.
    pub ready: AtomicBool,
    /// The way into the log, and the state it gives.
    pub sequencer: Sequencer,
    /// The tree of the log's entries, and the key of its heads.
    pub proof: Arc<Proof>,
    /// Trees of the balances of all members.
    pub liabilities: Arc<Liabilities>,
    /// Rolling days of every pair.
    pub market_stats: Arc<RwLock<MarketStats>>,
    /// Brings prices into the log.
    pub feed: OnceLock<Arc<Feed>>,
    /// The last check of everything that must hold.
    pub invariants: Invariants,
    /// Pictures for invitations, and the thread that draws them.
    pub posters: Posters,
    /// Public figures of the last minute that was asked about.
    pub stats: MinuteCache,
    /// Open objects that bind something of the house, as they were last counted.
    pub open_objects: OpenObjectCount,
    /// What happens one at a time: for a member guesses at the fund password and payments; for all of them addresses, links and messages.
    pub member_locks: MemberLocks,
}

impl Deref for Shared {
    type Target = Store;
    fn deref(&self) -> &Store {
        &self.store
    }
}

impl App {
    /// A handle of these parts.
    pub fn new(parts: Shared) -> App {
        App(Arc::new(parts))
    }

    /// Journal time in milliseconds: codes, throttling delays and locks age with it.
    pub fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// True in a sandbox.
    pub fn is_sandbox(&self) -> bool {
        self.mode == Mode::Sandbox
    }

    /// Waits until the rows of the history are at least this new (`x-min-seq`), at most 2 s.
    pub async fn wait_for(&self, seq: u64) -> Result<(), Refusal> {
        Ok(self.store.wait_for(seq).await?)
    }

    /// Waits until the published state is at least this new (`x-min-seq`), at most 2 s.
    pub async fn wait_for_state(&self, seq: u64) -> Result<(), Refusal> {
        tokio::time::timeout(MIN_SEQ, self.sequencer.reach(seq)).await.map_err(|_| refuse(Code::NotReady))
    }

    /// Registers a new member and their inviter with the engine; returns the sequence of their entry. Repeating it is harmless. If the
    /// inviter was frozen after their code was checked, the member joins without an inviter (G-5).
    pub async fn register_member(&self, user: UserId, inviter: Option<UserId>) -> Result<u64, Refusal> {
        if let Some(inviter) = inviter {
            let applied = self.sequencer.submit(Command::RegisterInvited { user, inviter }, None).await?;
            if !matches!(applied.outcome.result, Err(Reject::UnknownInviter)) {
                return Ok(applied.seq.0);
            }
        }
        let applied = self.sequencer.submit(Command::RegisterMember { user, house: false }, None).await?;
        Ok(applied.seq.0)
    }

    /// The rolling days. Do not hold them across an await.
    pub fn market_stats(&self) -> RwLockReadGuard<'_, MarketStats> {
        self.market_stats.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if a request may be served. What it reads may depend on the time, so an idle node writes a clock entry.
    pub fn serves(&self) -> bool {
        self.sequencer.need_time();
        self.is_ready()
    }

    /// True from the moment the node may serve.
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire) && self.sequencer.leads()
    }
}
