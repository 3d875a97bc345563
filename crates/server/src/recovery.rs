//! From a data directory to a leading sequencer: the checks before it, the first entries of a new log, and the followers of the log.

use std::path::PathBuf;
use std::sync::PoisonError;

use engine::Engine;
use engine::candles::{Period, Series};
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::ids::{AssetId, Seq};
use engine::ledger::HouseAccount;
use engine::published::Batch;
use engine::time::{DAY_MS, Time};
use feed::market::Market;
use feed::tape::Tape;
use kernel::market_stats::{BookMark, MarketStats};
use kernel::recovery::{Led, Recovery, Replayed};
use kernel::sequencer::outlet::{self, SocketInlet};
use kernel::sequencer::writer::Worker;
use kernel::sequencer::{Inbox, Outlets};
use store::people::HOUSE;
use store::rows;
use store::{Written, prices, proofs, settings};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::background;
use crate::config::Config;
use crate::error::StartError;
use crate::http::App;
use crate::inputs::chart_history;
use crate::progress_bar;

/// Batches between the sequencer and the history.
const HISTORY_QUEUE: usize = 32;

/// The state of a shared database before this node leads; another node may still write to it.
#[derive(Clone, Copy, Debug)]
pub struct Outset {
    /// Entry up to which the history is written. It is durable, and so is everything before it.
    pub written: u64,
    /// Number of the newest member.
    pub newest_member: u64,
}

/// What a started log needs from the outside.
#[derive(Debug)]
pub struct Started {
    /// Entries for the sockets.
    pub published: SocketInlet,
    /// The task that writes history rows.
    pub history: JoinHandle<()>,
}

/// Opens the journal, finds out whether it can be replayed, leads it, and writes the genesis of an empty one. Blocks, also for as long as
/// another node leads.
pub fn open(config: &Config, outset: Option<Outset>) -> Result<Led, StartError> {
    let mut recovery = Recovery::open(&config.data, config.database.as_deref())?;
    let genesis = recovery.genesis()?;
    // Also for a new log: options that contradict the mode are refused before it is created.
    match &genesis {
        Some(genesis) => market(config, genesis.mode, &genesis.catalog)?,
        None => market(config, config.genesis, &begun(config).catalog())?,
    };
    if genesis.as_ref().map_or(config.genesis, |genesis| genesis.mode) == Mode::Live {
        check_lines(config)?;
        recovery.check_clock(&config.data, config.accept_clock)?;
    }
    if let (Some(outset), Some(genesis)) = (outset, genesis) {
        recovery.check_written(outset.written)?;
        tape(config, genesis.mode, &genesis.catalog)?;
        check_people(recovery.rehearse(outset.written)?, outset.newest_member)?;
    }
    let node = format!("{}:{}", config.listen, std::process::id());
    recovery.lead(node, config.take_over, |now| {
        // These rows were made from a log that is lost, and a new log would hide the loss. The journal itself refuses left-over snapshots.
        if config.database.is_none() && config.data.join("meridian.db").exists() {
            return Err(StartError("the journal is empty, but what was made from it is there: restore the journal".to_owned()));
        }
        Ok(genesis_entries(config.genesis, begun(config).catalog(), now))
    })
}

/// The market that a new log begins with.
fn begun(config: &Config) -> Market {
    config.market.unwrap_or(Market::of(config.genesis))
}

/// Where the prices of a journal with this genesis come from.
pub fn market(config: &Config, mode: Mode, genesis: &Catalog) -> Result<Market, StartError> {
    Market::of_journal(config.market, mode, genesis).map_err(StartError)
}

/// The tape that a sandbox plays, if it is to play one.
pub fn tape(config: &Config, mode: Mode, catalog: &Catalog) -> Result<Option<Tape>, StartError> {
    if mode != Mode::Sandbox && (config.house_liquidity == Some(true) || config.tape.is_some()) {
        return Err(StartError("--house-liquidity on and --tape are for a sandbox; this journal is live".to_owned()));
    }
    if config.tape.is_some() && market(config, mode, catalog)? == Market::Live {
        return Err(StartError("--tape is for simulated prices; those of this journal are live".to_owned()));
    }
    let read = |file: &PathBuf| Tape::read(file, catalog).map_err(|error| StartError(format!("{}: {error}", file.display())));
    config.tape.as_ref().map(read).transpose()
}

/// With a lost or older database of people, the next members to register would get the numbers, and so the money, of members in the log.
pub fn check_people(engine: &Engine, known: u64) -> Result<(), StartError> {
    match engine.newest_member() {
        Some(member) if member.0 > known => Err(StartError(format!(
            "the journal has member {}, the people end at {known}: restore the database that belongs to it",
            member.0
        ))),
        _ => Ok(()),
    }
}

/// Runs before the first contact with the database, which may send a password: what is not declared a sandbox may be live.
pub fn check_database(config: &Config) -> Result<(), StartError> {
    let plain: Vec<&str> = config.plain_addresses().into_iter().filter(|option| *option == "--database").collect();
    if config.genesis == Mode::Live { allowed(config, &plain) } else { Ok(()) }
}

/// In live, data sent to other machines cannot be read or changed in transit, unless that is explicitly allowed.
fn check_lines(config: &Config) -> Result<(), StartError> {
    allowed(config, &config.plain_addresses())
}

fn allowed(config: &Config, plain: &[&str]) -> Result<(), StartError> {
    if plain.is_empty() || config.allow_plain {
        return Ok(());
    }
    Err(StartError(format!("{} without TLS to another machine: live refuses it unless --allow-plain is on", plain.join(", "))))
}

/// The first entries of a new journal: mode, catalog, the house liquidity's member, and in a sandbox paper money.
fn genesis_entries(mode: Mode, catalog: Catalog, time: Time) -> Vec<Entry> {
    let sandbox = mode == Mode::Sandbox;
    let endowments = if sandbox { endowments() } else { Vec::new() };
    // As many full faucet calls as the house liquidity needs for a long time.
    let calls = |asset: AssetId| match asset.0 {
        1 => 1,
        2 => 2,
        3 => 8,
        _ => 4,
    };
    let fund =
        |(asset, amount)| std::iter::repeat_n(Command::SandboxFaucet { user: HOUSE, asset, wallet: Wallet::Spot, amount }, calls(asset));
    let paper: Vec<Command> = catalog.assets.iter().filter(|_| sandbox).map(|asset| (asset.id, asset.faucet_max)).flat_map(fund).collect();
    let first = [Command::Genesis(Box::new(Genesis { mode, catalog, endowments })), Command::RegisterMember { user: HOUSE, house: true }];
    let entry = |(seq, command)| Entry { seq: Seq(seq), time, request: None, command };
    (1..).zip(first.into_iter().chain(paper)).map(entry).collect()
}

/// Paper capital of the pools, in atoms.
fn endowments() -> Vec<(HouseAccount, AssetId, u64)> {
    let capital = [
        (AssetId(1), 100 * 100_000_000),
        (AssetId(2), 2_000 * 100_000_000),
        (AssetId(3), 10_000_000_000_000),
        (AssetId(4), 5_000_000_000_000),
    ];
    let all = [HouseAccount::OptionPool, HouseAccount::PlanTreasury, HouseAccount::LoanTreasury, HouseAccount::FlashPool];
    let usdt_only = [HouseAccount::ContractPool, HouseAccount::Insurance].map(|account| (account, AssetId(3), 10_000_000_000_000));
    let in_all = all.into_iter().flat_map(|account| capital.map(|(asset, amount)| (account, asset, amount)));
    in_all.chain(usdt_only).collect()
}

/// Replays into `app` and starts the history and the sequencer.
pub async fn start(led: Led, app: &App, inbox: Inbox) -> Result<Started, StartError> {
    prices::fill(&app.db).await?;
    // Real prices get no simulated past.
    if app.market == Market::Simulated {
        chart_history::ensure(&app.db, &app.catalog, app.config.chart_days, led.began).await?;
    }
    let (to_history, from_sequencer) = mpsc::channel(HISTORY_QUEUE);
    let history = tokio::spawn(app.sequencer.clone().depend_on("the history", follow(app.clone(), from_sequencer)));
    let written = Written::read(&app.db).await?;
    led.check_written(written.rows)?;
    if written.costs < written.rows {
        tracing::warn!(
            from = written.costs,
            to = written.rows,
            "the costs of coins and the sums of the house are made from the journal, once: this start takes longer"
        );
    }
    let (feeding, listed) = (to_history.clone(), app.catalog.clone());
    let replaying = tokio::task::spawn_blocking(move || {
        let bar = progress_bar::over_entries("replay", 0);
        let replayed = led.replay(written.least(), &feeding, &listed, progress_bar::moving(&bar));
        bar.finish_and_clear();
        replayed
    });
    let replayed = replaying.await.map_err(|error| StartError(format!("replay: {error}")))??;
    let Replayed { journal, end, node, engine, snapshot, unrecorded } = replayed;

    set_clock(app, engine.time()).await?;
    let reached = engine.seq().0;
    app.sequencer.load(engine);
    app.applied.reach(reached).await;
    let now = app.sequencer.engine().time();
    let mut stats = load_market_stats(app, now, reached).await?;
    stats.mark_books(app.catalog.markets.iter().map(|market| (market.id, BookMark { seq: reached, time: now })));
    *app.market_stats.write().unwrap_or_else(PoisonError::into_inner) = stats;

    let (to_sockets, published) = outlet::to_sockets();
    let outlets =
        Outlets { history: to_history, backlog: app.config.data.clone(), sockets: to_sockets, market_stats: app.market_stats.clone() };
    let worker = Worker {
        sequencer: app.sequencer.clone(),
        inbox,
        journal,
        head: end,
        node,
        clock: app.clock.clone(),
        outlets,
        snapshot_every: app.config.snapshot_every,
        snapshot,
        in_background: background::is_busy,
    };
    worker.start().map_err(|error| StartError(format!("sequencer: {error}")))?;
    if let Some(hash) = unrecorded {
        app.sequencer.record_state(Seq(end.seq), hash);
    }
    Ok(Started { published, history })
}

/// Writes the history until the sequencer ends.
async fn follow(app: App, from_sequencer: mpsc::Receiver<Batch>) {
    let teller = app.clone();
    let tell = move |users: Vec<_>| {
        let app = teller.clone();
        async move { app.notices.tell_all(&users).await }
    };
    let listed = app.catalog.clone();
    if let Err(why) = rows::run(app.db.clone(), app.applied.clone(), listed, from_sequencer, tell).await {
        app.sequencer.fail(why);
    }
}

/// Journal time continues where the log ended, or as far ahead of the wall clock as the sandbox pushed it.
async fn set_clock(app: &App, last: Time) -> Result<(), StartError> {
    if app.is_sandbox() {
        let pushed = settings::get(&app.db, settings::JOURNAL_AHEAD).await?.and_then(|text| text.parse::<i64>().ok()).unwrap_or(0);
        let behind = i64::try_from(last.0).unwrap_or(i64::MAX).saturating_sub_unsigned(app.clock.wall_ms());
        app.clock.set_journal_ahead(pushed.max(behind).max(0));
    } else {
        app.clock.follow(last);
    }
    app.clock.record(&app.config.data);
    Ok(())
}

/// The rolling days from the stored 1-minute candles, with the last one before the window.
async fn load_market_stats(app: &App, now: Time, reached: u64) -> Result<MarketStats, StartError> {
    let mut stats = MarketStats::default();
    let from = Time(now.0.saturating_sub(DAY_MS));
    for market in &app.catalog.markets {
        for series in Series::ALL {
            let before = prices::candle_before(&app.db, market.id, series, 1, from).await?;
            let minutes = prices::candles(&app.db, market.id, series, 1, from, now.plus(DAY_MS)).await?;
            stats.load(market.id, series, before.into_iter().chain(minutes));
        }
    }
    // After a signed head no entry has a lower number.
    let heads = proofs::heads_since(&app.db, from).await?;
    let begins = heads.into_iter().map(|(seq, time)| (Period::Minute1.end(Period::Minute1.start(time)), seq + 1));
    stats.load_range(begins.filter(|(minute, _)| *minute <= now), (now, reached));
    Ok(stats)
}
