//! From settings to a listening server.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::app::{App, StartError};
use crate::config::Config;
use crate::delivery::Delivery;
use crate::feed::Feed;
use crate::feed::chain::ChainFeed;
use crate::feed::tape::Tape;
use crate::http::reply::Refusal;
use crate::http::{health, listen};
use crate::opening;
use crate::operator;
use crate::secrets::random;
use crate::sequencer::Sequencer;
use crate::socket;
use crate::store::{self, people};

/// Stored answers older than a day are dropped this often.
const PRUNE: Duration = Duration::from_secs(60);
/// A stop waits so long for the last rows of history.
const LAST_ROWS: Duration = Duration::from_secs(20);

/// A running server; dropping it stops its tasks.
#[derive(Debug)]
pub struct Running {
    /// Where it listens.
    pub address: SocketAddr,
    /// The shared parts.
    pub app: App,
    tasks: Vec<JoinHandle<()>>,
    history: Option<JoinHandle<()>>,
}

impl Running {
    /// Stops accepting, finishes what waits, keeps a snapshot; the data directory may be opened again afterwards.
    pub async fn stop(&mut self) {
        self.app.ready.store(false, Ordering::Release);
        for task in self.tasks.drain(..) {
            task.abort();
            // Ends as cancelled.
            let _ = task.await;
        }
        self.app.sequencer.stop().await;
        if let Some(history) = self.history.take() {
            // Without its database it would try for ever; what is missing is made again from the log.
            let _ = tokio::time::timeout(LAST_ROWS, history).await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        self.app.sequencer.abandon();
    }
}

/// The tape that a sandbox plays, if it is to play one.
fn tape(app: &App) -> Result<Option<Tape>, StartError> {
    if !app.is_sandbox() && (app.config.house_liquidity == Some(true) || app.config.tape.is_some()) {
        return Err(StartError("--house-liquidity on and --tape are for a sandbox; this journal is live".to_owned()));
    }
    let read = |file: &PathBuf| Tape::read(file, &app.catalog).map_err(|error| StartError(format!("{}: {error}", file.display())));
    app.config.tape.as_ref().map(read).transpose()
}

/// Opens the data directory, replays, listens. Once this returns the server is ready.
pub async fn start(config: Config) -> Result<Running, StartError> {
    health::start_metrics();
    // Read while the rest opens; whoever asks earlier waits for it.
    tokio::task::spawn_blocking(|| LazyLock::force(&health::BUILD));
    fs::create_dir_all(&config.data)?;
    fs::set_permissions(&config.data, fs::Permissions::from_mode(0o700))?;
    let settings = config.clone();
    let opening = tokio::task::spawn_blocking(move || opening::open(&settings));
    let opened = opening.await.map_err(|error| StartError(format!("opening: {error}")))??;
    let (sequencer, inbox) = Sequencer::new();
    let app = App::open(config, opened.genesis.mode, opened.genesis.catalog.clone(), sequencer).await?;
    let tape = tape(&app)?;
    let started = opened.start(&app, inbox).await?;

    check_people(&app).await?;

    operator::proposals::catch_up(&app).await?;
    let mut tasks = vec![tokio::spawn(prune(app.clone()))];
    register_rest(&app).await.map_err(|refusal| StartError(format!("new members: {}", refusal.name)))?;
    if app.is_sandbox() {
        let seed = u64::from_be_bytes(random()?);
        let feed = Feed::new(&app, seed, tape, app.config.house_liquidity.unwrap_or(true));
        // The first samples are there before the first caller.
        feed.tick(&app).await.map_err(|refusal| StartError(format!("first samples: {}", refusal.name)))?;
        app.feed.get_or_init(|| feed);
        tasks.push(tokio::spawn(Feed::run(app.clone())));
    } else {
        tasks.push(tokio::spawn(Delivery::new(app.clone())?.run()));
    }
    for watcher in ChainFeed::configured(&app).await? {
        tasks.push(tokio::spawn(watcher.run()));
    }
    let listener = TcpListener::bind(app.config.listen).await.map_err(|error| StartError(format!("{}: {error}", app.config.listen)))?;
    let address = listener.local_addr()?;
    let (sockets, hub) = socket::open(&app, started.published);
    tasks.push(hub);
    tasks.push(tokio::spawn(listen::serve(listener, app.clone(), sockets)));
    app.ready.store(true, Ordering::Release);
    Ok(Running { address, app, tasks, history: Some(started.history) })
}

/// A lost or older database of people would give the numbers, and so the money, of members of the log to whoever registers next.
async fn check_people(app: &App) -> Result<(), StartError> {
    let known = people::newest(&app.db).await?;
    match app.sequencer.engine().newest_member() {
        Some(member) if member.0 > known => Err(StartError(format!(
            "the journal has member {}, the people end at {known}: restore the database that belongs to it",
            member.0
        ))),
        _ => Ok(()),
    }
}

/// Makes good what was cut off, by a crash or a full disk, between the row of a new person and his journal entry; repeating an entry
/// is harmless.
async fn register_rest(app: &App) -> Result<(), Refusal> {
    for user in people::unregistered(&app.db).await? {
        let seq = app.register_member(user).await?;
        app.db.exec(people::registered(user, seq)).await?;
    }
    Ok(())
}

async fn prune(app: App) {
    loop {
        tokio::time::sleep(PRUNE).await;
        health::upkeep();
        if let Err(refusal) = register_rest(&app).await {
            tracing::error!(refusal.name, "new members");
        }
        if let Err(error) = app.answers.prune(app.clock.wall_ms()).await {
            tracing::error!(%error, "stored answers");
        }
        if let Err(error) = store::tidy(&app).await {
            tracing::error!(%error, "tidy");
        }
        if let Err(error) = app.files.sweep(&app).await {
            tracing::error!(%error, "unused files");
        }
    }
}
