//! From settings to a listening server.

use std::convert::Infallible;
use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use engine::catalog::{IndexOrigin, QUORUM};
use engine::command::Command;
use engine::feature::Feature;
use feed::market::Market;
use feed::simulated::Simulated;
use feed::tape::Tape;
use feed::venues::live::{Live, Pace, Patience, WallClock};
use kernel::recovery::Led;
use kernel::sequencer::{Inbox, Sequencer};
use store::secrets::{Secrets, random};
use store::vault::Vault;
use store::{history, observations, people};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::api::account::exit_kit;
use crate::app;
use crate::config::Config;
use crate::databases;
use crate::delivery::Delivery;
use crate::error::StartError;
use crate::files::Files;
use crate::http::reply::Refusal;
use crate::http::surface::Surface;
use crate::http::{App, health, listen};
use crate::inputs::chain::ChainFeed;
use crate::inputs::{Feed, Prices};
use crate::liabilities;
use crate::operator;
use crate::proof;
use crate::recovery::{self, Outset};
use crate::socket;

/// How often a node that waits beside an empty database looks whether it is made.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Interval at which stored answers older than a day are deleted.
const PRUNE: Duration = Duration::from_secs(60);
/// A stop waits at most this long for the last rows of history.
const LAST_ROWS: Duration = Duration::from_secs(10);
/// Why a node ends that cannot do without what stopped.
const ACCEPTS: &str = "what accepts connections";
const BROKEN: &str = "a thread of the database stopped: it panicked";

/// A running server; dropping it stops its tasks.
#[derive(Debug)]
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// Where it listens for operators, if not there.
    pub console: Option<SocketAddr>,
    /// The shared parts.
    pub app: App,
    tasks: Vec<JoinHandle<()>>,
    history: Option<JoinHandle<()>>,
    sockets: Option<socket::Threads>,
}

impl Running {
    /// Stops accepting, finishes waiting work, saves a snapshot; the data directory may be opened again afterwards.
    pub async fn stop(&mut self) {
        self.app.ready.store(false, Ordering::Release);
        // First, because otherwise the tasks of a flood would be awaited one after the other.
        self.sockets = None;
        self.close_feed();
        for task in self.tasks.drain(..) {
            task.abort();
            // The task ends as cancelled.
            let _ = task.await;
        }
        let lead = self.app.sequencer.stop().await;
        if let Some(history) = self.history.take() {
            // Without its database it would retry for ever. Missing rows are made again from the log.
            let _ = tokio::time::timeout(LAST_ROWS, history).await;
        }
        // Last: the node that leads next writes rows at once, and ends where another still does.
        let _ = tokio::task::spawn_blocking(|| drop(lead)).await;
    }
}

impl Running {
    fn close_feed(&self) {
        if let Some(feed) = self.app.feed.get() {
            feed.close();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.close_feed();
        self.tasks.iter().for_each(JoinHandle::abort);
        self.app.sequencer.abandon();
    }
}

/// A server that only lacks its listener.
struct Prepared {
    app: App,
    tasks: Vec<JoinHandle<()>>,
    history: JoinHandle<()>,
    sockets: listen::Sockets,
    threads: socket::Threads,
}

/// Listens, opens the data directory, replays. Once this returns the server is ready; until then it answers that it is not.
pub async fn start(config: Config) -> Result<Running, StartError> {
    health::start_metrics();
    // Computed while the rest opens; a caller that asks earlier waits for it.
    tokio::task::spawn_blocking(|| LazyLock::force(&health::BUILD));
    fs::create_dir_all(&config.data)?;
    fs::set_permissions(&config.data, fs::Permissions::from_mode(0o700))?;
    // First, so that a start that cannot listen does not depose another node.
    let listener = bind(config.listen).await?;
    let for_console = match config.console_listen {
        Some(address) => Some(bind(address).await?),
        None => None,
    };
    let address = listener.local_addr()?;
    let console = for_console.as_ref().map(TcpListener::local_addr).transpose()?;
    let prepared = tokio::select! {
        prepared = prepare(config) => prepared?,
        never = listen::wait(&listener) => match never {},
        never = wait_also(for_console.as_ref()) => match never {},
    };
    let Prepared { app, mut tasks, history, sockets, threads } = prepared;
    let surface = if for_console.is_some() { Surface::Members } else { Surface::Both };
    if let Some(listener) = for_console {
        tasks.push(needed(&app, ACCEPTS, listen::serve(listener, Surface::Console, app.clone(), sockets.clone())));
    }
    tasks.push(needed(&app, ACCEPTS, listen::serve(listener, surface, app.clone(), sockets)));
    app.ready.store(true, Ordering::Release);
    Ok(Running { address, console, app, tasks, history: Some(history), sockets: Some(threads) })
}

async fn bind(address: SocketAddr) -> Result<TcpListener, StartError> {
    TcpListener::bind(address).await.map_err(|error| StartError(format!("{address}: {error}")))
}

async fn wait_also(listener: Option<&TcpListener>) -> Infallible {
    match listener {
        Some(listener) => listen::wait(listener).await,
        None => std::future::pending().await,
    }
}

async fn prepare(config: Config) -> Result<Prepared, StartError> {
    let outset = outset(&config).await?;
    Files::open(&config)?.check().await?;
    let settings = config.clone();
    let opening = tokio::task::spawn_blocking(move || recovery::open(&settings, outset));
    let opened = tokio::select! {
        opened = opening => opened.map_err(|error| StartError(format!("opening: {error}")))??,
        never = made_by_another(&config, outset) => match never? {},
    };
    let (mode, catalog) = (opened.genesis.mode, opened.genesis.catalog.clone());
    let (market, tape) = (recovery::market(&config, mode, &catalog)?, recovery::tape(&config, mode, &catalog)?);
    let (sequencer, inbox) = Sequencer::new();
    let app = app::open(config, mode, market, catalog, sequencer, opened.clock.clone()).await?;
    tokio::select! {
        prepared = begin(app.clone(), opened, inbox, tape) => prepared,
        // What waits for a history, a sequencer or a database that has ended would wait for ever.
        reason = app.sequencer.failure() => Err(StartError(reason)),
        () = app.db.broken() => Err(StartError(BROKEN.to_owned())),
    }
}

/// Replays the log, continues it, and starts everything that follows it.
async fn begin(app: App, led: Led, inbox: Inbox, tape: Option<Tape>) -> Result<Prepared, StartError> {
    let started = recovery::start(led, &app, inbox).await?;
    let known = people::newest(&app.db).await?;
    recovery::check_people(&app.sequencer.engine(), known)?;
    let operators = |refusal: Refusal| StartError(format!("operators: {}", refusal.code));
    operator::registry::begin(&app).await.map_err(operators)?;
    activate(&app).await.map_err(|refusal| StartError(format!("rules of this release: {}", refusal.code)))?;

    let follow = proof::run(app.proof.clone(), app.sequencer.clone(), app.clock.clone(), app.db.clone());
    let owed = liabilities::run(app.liabilities.clone(), app.sequencer.clone());
    let mut tasks = vec![
        needed(&app, "what forgets and completes", prune(app.clone())),
        needed(&app, "what signs the log", follow),
        needed(&app, "what sums up what is owed", owed),
        needed(&app, "what watches the database", watch(app.clone())),
    ];
    register_rest(&app).await.map_err(|refusal| StartError(format!("new members: {}", refusal.code)))?;
    operator::registry::log_announced(&app).await.map_err(operators)?;
    let feed = feed(&app, tape)?;
    // The first simulated samples exist before the first caller connects. The start does not wait for venues.
    feed.tick().await.map_err(|error| StartError(format!("first samples: {error}")))?;
    app.feed.get_or_init(|| feed.clone());
    tasks.push(needed(&app, "what takes the prices", feed.clone().run()));
    tasks.push(needed(&app, "what keeps the data of the sources", feed.keep()));
    if !app.is_sandbox() {
        tasks.push(needed(&app, "what delivers messages", Delivery::new(&app.config, app.store.clone())?.run()));
    }
    for watcher in ChainFeed::configured(&app.store, &app.sequencer, &app.member_locks, &app.config.watched).await? {
        tasks.push(needed(&app, "what watches a chain", watcher.run()));
    }
    let threads = socket::Threads::start()?;
    let (sockets, hub) = socket::open(&app, started.published, &threads.handle());
    tasks.push(hub);
    Ok(Prepared { app, tasks, history: started.history, sockets: sockets.service(), threads })
}

/// Starts a task without which the node would lead and leave something undone, unseen: a panic in it ends the node.
fn needed(app: &App, what: &'static str, task: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    tokio::spawn(app.sequencer.clone().depend_on(what, task))
}

async fn watch(app: App) {
    app.db.broken().await;
    app.sequencer.fail(BROKEN);
}

/// The source of prices for the log, and in a sandbox of the rest of its market.
fn feed(app: &App, tape: Option<Tape>) -> Result<Arc<Feed>, StartError> {
    let seed = u64::from_be_bytes(random()?);
    let prices = match app.market {
        Market::Simulated => Prices::Simulated(Box::new(Simulated::new(&app.sequencer.engine(), seed, tape))),
        Market::Live => {
            warn_of_unknown(app);
            let clock = app.clock.clone();
            let wall = WallClock::new(move || clock.wall_ms());
            Prices::Live(Arc::new(Live::start(&app.config.venues, &wall, Patience::default(), Pace::default())))
        }
    };
    let sandbox = app.is_sandbox();
    let liquidity = sandbox && app.config.house_liquidity.unwrap_or(true);
    let unwatched = if sandbox { app.config.unwatched() } else { Vec::new() };
    Ok(Arc::new(Feed::new(app.sequencer.clone(), app.db.clone(), app.clock.clone(), unwatched, seed, prices, liquidity)))
}

/// A live journal of an earlier release may name sources that are not venues; only operators can change that.
fn warn_of_unknown(app: &App) {
    let engine = app.sequencer.engine();
    for index in &engine.catalog().indices {
        let IndexOrigin::Sources(names) = &index.origin else { continue };
        if names.iter().filter(|name| Market::Live.knows(name)).count() < QUORUM {
            let symbol = engine.catalog().market(index.market).map(|market| market.symbol.clone());
            tracing::warn!(symbol, ?names, "too few sources of this index are venues: it has no price until two operators name others");
        }
    }
}

/// The rules of this release act from here on in a log that an earlier one began.
async fn activate(app: &App) -> Result<(), Refusal> {
    for feature in Feature::ALL {
        // Read before the await, because the guard must not be held across it.
        let active = app.sequencer.engine().active(feature);
        if !active && feature == Feature::FinalPayments {
            observations::begin(app).await?;
        }
        if !active {
            app.sequencer.submit(Command::Activate(feature), None).await?;
        }
    }
    Ok(())
}

/// Faults of this node must show before it takes the lead of a shared database from another. `None` for a new one.
async fn outset(config: &Config) -> Result<Option<Outset>, StartError> {
    let Some(url) = config.database.as_deref() else { return Ok(None) };
    recovery::check_database(config)?;
    let db = databases::postgres(url)?;
    if !history::is_made(&db).await? {
        return Ok(None);
    }
    if let Some(secrets) = Secrets::known(&config.data, &db).await? {
        Vault::known(&config.key_file, &secrets, &db).await?;
    }
    Ok(Some(Outset { written: history::applied_seq(&db).await?, newest_member: people::newest(&db).await? }))
}

/// Ends a node that waits for the lead of a database that had no tables, once the leader has made them: nothing was checked against them,
/// and the next start does that.
async fn made_by_another(config: &Config, outset: Option<Outset>) -> Result<Infallible, StartError> {
    let Some(url) = config.database.as_deref().filter(|_| outset.is_none()) else { return std::future::pending().await };
    let db = databases::postgres(url)?;
    loop {
        tokio::time::sleep(LOOK_AGAIN).await;
        // A database that does not answer is no reason to end.
        if history::is_made(&db).await.unwrap_or(false) {
            return Err(StartError("another node has made this database meanwhile: start again".to_owned()));
        }
    }
}

/// Completes sign-ups cut off by a crash or a full disk between the row of a new person and their journal entry; repeating an entry is
/// harmless.
async fn register_rest(app: &App) -> Result<(), Refusal> {
    for (user, inviter) in people::unregistered(&app.db).await? {
        let seq = app.register_member(user, inviter).await?;
        app.db.exec(people::registered(user, seq)).await?;
    }
    Ok(())
}

async fn prune(app: App) {
    loop {
        tokio::time::sleep(PRUNE).await;
        health::upkeep();
        app.clock.record(&app.config.data);
        if let Err(refusal) = register_rest(&app).await {
            tracing::error!(refusal.name = refusal.code.name(), "new members");
        }
        if let Err(refusal) = operator::registry::log_announced(&app).await {
            tracing::error!(refusal.name = refusal.code.name(), "announced operators");
        }
        if let Err(error) = app.answers.prune(app.clock.wall_ms()).await {
            tracing::error!(%error, "stored answers");
        }
        if let Err(error) = store::tidy(&app).await {
            tracing::error!(%error, "tidy");
        }
        if let Err(error) = app.files.sweep(&app.store).await {
            tracing::error!(%error, "unused files");
        }
        if let Err(refusal) = exit_kit::sweep(&app).await {
            tracing::error!(refusal.name = refusal.code.name(), "copies of members' data");
        }
    }
}
