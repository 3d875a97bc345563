//! What every part of the server shares: one cheap handle.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use engine::catalog::Catalog;
use engine::command::{Command, Mode};
use engine::ids::UserId;
use tokio::sync::broadcast;

use crate::config::Config;
use crate::db::{Db, DbError};
use crate::feed::Feed;
use crate::files::Files;
use crate::hasher::Hasher;
use crate::history::Mark;
use crate::history::first_answers::FirstAnswers;
use crate::http::answers::{self, Answers};
use crate::http::auth::Sessions;
use crate::http::country_policy::CountryPolicy;
use crate::http::limits::Limits;
use crate::http::notices::Told;
use crate::http::reply::{Code, Refusal, refuse};
use crate::journal_clock::Clock;
use crate::listed::Listed;
use crate::operator::settlement::Checked;
use crate::secrets::Secrets;
use crate::sequencer::Sequencer;
use crate::store;
use crate::tickers::Tickers;
use crate::turns::Turns;
use crate::vault::Vault;

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
    /// The listed facts.
    pub catalog: Listed,
    /// Which products the countries have.
    pub policy: CountryPolicy,
    /// People, content, history.
    pub db: Db,
    /// Wall clock and journal time.
    pub clock: Arc<Clock>,
    /// Live sessions.
    pub sessions: Sessions,
    /// Rate classes.
    pub limits: Limits,
    /// Stored answers of repeated writes.
    pub answers: Answers,
    /// The bounded lanes that hash passwords.
    pub hasher: Hasher,
    /// Pepper and keyed hashes.
    pub secrets: Secrets,
    /// Keys of personal data.
    pub vault: Vault,
    /// Pictures of members.
    pub files: Files,
    /// Notices on their way to open connections.
    pub told: broadcast::Sender<Told>,
    /// Sequence of the newest entry whose effects every read shows; the sequencer sends it.
    pub applied: Mark,
    /// True from the moment the node may serve.
    pub ready: AtomicBool,
    /// The way into the log, and the state it gives.
    pub sequencer: Sequencer,
    /// Rolling days of every pair.
    pub tickers: Arc<RwLock<Tickers>>,
    /// The feed of a sandbox.
    pub feed: OnceLock<Feed>,
    /// The last check of everything that must hold.
    pub checked: Checked,
    /// The newest row of the audit log.
    pub audit_head: store::audit::Head,
    /// Guesses at fund passwords, one at a time.
    pub turns: Turns,
}

/// A read with `x-min-seq` waits so long at most.
const MIN_SEQ: Duration = Duration::from_secs(2);

impl App {
    /// Opens the database, brings it up to date and loads what is kept in memory.
    pub async fn open(config: Config, mode: Mode, catalog: Catalog, sequencer: Sequencer, clock: Arc<Clock>) -> Result<App, StartError> {
        let db = match config.database.as_deref() {
            Some(url) => Db::postgres(url)?,
            None => Db::sqlite(&config.data.join("meridian.db"))?,
        };
        db.migrate(&store::migrations()).await?;
        store::people::add_house(&db, clock.wall_ms()).await?;
        let secrets = Secrets::open(&config.data, &db).await?;
        let sandbox = mode == Mode::Sandbox;
        if sandbox {
            store::content::seed(&db).await?;
        }
        sequencer.listed().begin(catalog);
        let vault = Vault::open(&config.key_file, &secrets, &db).await?;
        store::sealing::seal_old(&db, &vault).await?;
        store::cells::seal_old(&db, &vault).await?;
        answers::seal_old(&db, &vault).await?;
        let answers = Answers::load(db.clone(), &vault, &clock).await?;
        let applied = Mark::default();
        sequencer.answer_from(FirstAnswers::new(db.clone(), applied.clone()));
        let shared = Shared {
            vault,
            files: Files::open(&config)?,
            told: broadcast::Sender::new(1024),
            mode,
            catalog: sequencer.listed().clone(),
            policy: CountryPolicy::default(),
            sessions: Sessions::new(db.clone()),
            limits: Limits::new(sandbox),
            answers,
            hasher: Hasher::start(secrets.pepper())?,
            secrets,
            applied,
            ready: AtomicBool::new(false),
            sequencer,
            tickers: Arc::default(),
            feed: OnceLock::new(),
            checked: Checked::default(),
            audit_head: store::audit::Head::default(),
            turns: Turns::default(),
            clock,
            db,
            config,
        };
        Ok(App(Arc::new(shared)))
    }

    /// Journal time in milliseconds: what codes, waits and locks age with.
    pub fn now_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    /// True in a sandbox.
    pub fn is_sandbox(&self) -> bool {
        self.mode == Mode::Sandbox
    }

    /// Waits until the rows of the history are at least this new (`x-min-seq`), at most 2 s.
    pub async fn wait_for(&self, seq: u64) -> Result<(), Refusal> {
        tokio::time::timeout(MIN_SEQ, self.applied.reach(seq)).await.map_err(|_| refuse(Code::NotReady))
    }

    /// Waits until the published state is at least this new (`x-min-seq`), at most 2 s.
    pub async fn wait_for_state(&self, seq: u64) -> Result<(), Refusal> {
        tokio::time::timeout(MIN_SEQ, self.sequencer.reach(seq)).await.map_err(|_| refuse(Code::NotReady))
    }

    /// Tells the engine about a new member; the sequence of his entry. Repeating it is harmless.
    pub async fn register_member(&self, user: UserId) -> Result<u64, Refusal> {
        let applied = self.sequencer.submit(Command::RegisterMember { user, house: false }, None).await?;
        Ok(applied.seq.0)
    }

    /// The rolling days. Do not hold them across an await.
    pub fn tickers(&self) -> RwLockReadGuard<'_, Tickers> {
        self.tickers.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if a request may be served. What it reads may depend on the time, so an idle node writes it.
    pub fn serves(&self) -> bool {
        self.sequencer.need_time();
        self.is_ready()
    }

    /// True from the moment the node may serve.
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire) && self.sequencer.leads()
    }
}

/// Why the server could not start.
#[derive(Debug)]
pub struct StartError(pub String);

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StartError {}

impl From<DbError> for StartError {
    fn from(error: DbError) -> StartError {
        StartError(format!("database: {error}"))
    }
}

impl From<journal::Error> for StartError {
    fn from(error: journal::Error) -> StartError {
        StartError(format!("journal: {error}"))
    }
}

impl From<journal::AppendError> for StartError {
    fn from(error: journal::AppendError) -> StartError {
        StartError(format!("journal: {error}"))
    }
}

impl From<engine::codec::CodecError> for StartError {
    fn from(error: engine::codec::CodecError) -> StartError {
        StartError(format!("journal: {error}"))
    }
}

impl From<std::io::Error> for StartError {
    fn from(error: std::io::Error) -> StartError {
        StartError(error.to_string())
    }
}
