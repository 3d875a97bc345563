//! From a data directory to a sequencer that leads: journal, genesis, replay.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use engine::Engine;
use engine::candles::Series;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::ids::{AssetId, Seq};
use engine::ledger::HouseAccount;
use engine::published::Batch;
use engine::time::{DAY_MS, Time};
use journal::{Head, Journal, Lease};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::app::{App, StartError};
use crate::config::Config;
use crate::feed::chart_history;
use crate::feed::tape::Tape;
use crate::history as rows;
use crate::journal_clock::Clock;
use crate::listed::Listed;
use crate::replay::{self, Restored};
use crate::secrets::random;
use crate::sequencer::outlet::{self, SocketInlet};
use crate::sequencer::writer::Worker;
use crate::sequencer::{Inbox, Outlets};
use crate::store::people::HOUSE;
use crate::store::{facts, history, prices};
use crate::tickers::{BookMark, Tickers};

/// Batches between the sequencer and the history.
const HISTORY_QUEUE: usize = 32;

/// A journal that this node leads, not yet replayed to its end.
#[derive(Debug)]
pub struct Opened {
    journal: Journal,
    end: Head,
    node: String,
    /// The facts of its first entry.
    pub genesis: Genesis,
    /// Time of that entry.
    began: Time,
    /// The time of this node.
    pub clock: Arc<Clock>,
    /// What was replayed before this node led.
    replayed: Option<Restored>,
}

/// A shared database as it was before this node led: what another node may still write.
#[derive(Clone, Copy, Debug)]
pub struct Outset {
    /// Entry up to which the history is written. It is durable, and so is everything before it.
    pub written: u64,
    /// Number of the newest member.
    pub newest_member: u64,
}

/// Says what a start waits for: at first at once, then now and then.
#[derive(Debug, Default)]
struct Waits(Option<Instant>);

impl Waits {
    const AGAIN: Duration = Duration::from_secs(10);

    fn say(&mut self, what: &str) {
        if self.0.is_none_or(|said| said.elapsed() >= Waits::AGAIN) {
            self.0 = Some(Instant::now());
            tracing::warn!(what, "the start waits");
        }
    }
}

/// What a started log needs from the outside.
#[derive(Debug)]
pub struct Started {
    /// Entries for the sockets.
    pub published: SocketInlet,
    /// The task that writes history rows.
    pub history: JoinHandle<()>,
}

/// Opens the journal of the data directory or database.
fn open_journal(data: &Path, database: Option<&str>) -> Result<Journal, journal::Error> {
    Ok(match database {
        Some(url) => Journal::postgres(url, data)?,
        None => Journal::sqlite(data)?,
    })
}

/// Opens the journal, finds out whether it can be replayed, leads it, and writes the genesis of an empty one. Blocks, also for as long as
/// another node leads.
pub fn open(config: &Config, outset: Option<Outset>) -> Result<Opened, StartError> {
    let mut waits = Waits::default();
    let mut journal = loop {
        match open_journal(&config.data, config.database.as_deref()) {
            // The tables of a new database wait for its standby.
            Err(error @ journal::Error::Late(_)) => waits.say(&error.to_string()),
            opened => break opened?,
        }
    };
    let clock = Arc::new(Clock::default());
    let mode = if journal.head()? == Head::GENESIS { config.genesis } else { replay::genesis(&mut journal)?.0.mode };
    if mode == Mode::Live {
        check_lines(config)?;
        check_clock(&mut journal, &clock, config)?;
    }
    let replayed = match outset {
        Some(outset) if journal.head()? != Head::GENESIS => Some(rehearse(config, &mut journal, outset)?),
        _ => None,
    };
    let node = format!("{}:{}", config.listen, std::process::id());
    let mut end = lead(&mut journal, config.take_over, &node, &clock, &mut waits)?.head;
    if end == Head::GENESIS {
        // Rows that were made from a log which is gone: a new log here would bury the loss. Left snapshots the journal refuses itself.
        if config.database.is_none() && config.data.join("meridian.db").exists() {
            return Err(StartError("the journal is empty, but what was made from it is there: restore the journal".to_owned()));
        }
        let entries = genesis_entries(config.genesis, Time(clock.wall_ms()));
        let records = entries.iter().map(|entry| Ok(replay::record_of(entry, random()?))).collect::<Result<Vec<_>, StartError>>()?;
        end = journal.append(&records)?;
    }
    let (genesis, began) = replay::genesis(&mut journal)?;
    Ok(Opened { journal, end, node, genesis, began, replayed, clock })
}

/// Takes the lead, or waits for it.
fn lead(journal: &mut Journal, take_over: bool, node: &str, clock: &Clock, waits: &mut Waits) -> Result<Lease, StartError> {
    if !take_over {
        return Ok(journal.lead_when_free(node, || clock.wall_ms(), |what| waits.say(what))?);
    }
    loop {
        match journal.lead(node, clock.wall_ms()) {
            Err(error @ journal::Error::Late(_)) => waits.say(&error.to_string()),
            led => return Ok(led?),
        }
    }
}

/// Replays what is certain while another node may lead. What would end this start must show here: later that node has ended for it.
fn rehearse(config: &Config, journal: &mut Journal, outset: Outset) -> Result<Restored, StartError> {
    let end = journal.head()?;
    check_written(outset.written, end)?;
    let (genesis, _) = replay::genesis(journal)?;
    tape(config, genesis.mode, &genesis.catalog)?;
    let (mut engine, from, kept) = replay::newest_state(journal, outset.written)?;
    let head = replay::up_to(journal, &mut engine, from, outset.written)?;
    check_people(&engine, outset.newest_member)?;
    Ok((engine, head, kept.filter(|_| head == from)))
}

/// The tape that a sandbox plays, if it is to play one.
pub fn tape(config: &Config, mode: Mode, catalog: &Catalog) -> Result<Option<Tape>, StartError> {
    if mode != Mode::Sandbox && (config.house_liquidity == Some(true) || config.tape.is_some()) {
        return Err(StartError("--house-liquidity on and --tape are for a sandbox; this journal is live".to_owned()));
    }
    let listed = Listed::default();
    listed.begin(catalog.clone());
    let read = |file: &PathBuf| Tape::read(file, &listed).map_err(|error| StartError(format!("{}: {error}", file.display())));
    config.tape.as_ref().map(read).transpose()
}

/// A lost or older database of people would give the numbers, and so the money, of members of the log to whoever registers next.
pub fn check_people(engine: &Engine, known: u64) -> Result<(), StartError> {
    match engine.newest_member() {
        Some(member) if member.0 > known => Err(StartError(format!(
            "the journal has member {}, the people end at {known}: restore the database that belongs to it",
            member.0
        ))),
        _ => Ok(()),
    }
}

/// Before the first word to the database, which may be asked for its password: what is not said to be a sandbox may be live.
pub fn check_database(config: &Config) -> Result<(), StartError> {
    let plain: Vec<&str> = config.plain_addresses().into_iter().filter(|option| *option == "--database").collect();
    if config.genesis == Mode::Live { allowed(config, &plain) } else { Ok(()) }
}

/// What live sends to other machines cannot be read or changed on the way, unless it is said that it may.
fn check_lines(config: &Config) -> Result<(), StartError> {
    allowed(config, &config.plain_addresses())
}

fn allowed(config: &Config, plain: &[&str]) -> Result<(), StartError> {
    if plain.is_empty() || config.allow_plain {
        return Ok(());
    }
    Err(StartError(format!("{} without TLS to another machine: live refuses it unless --allow-plain is on", plain.join(", "))))
}

/// A live log goes on with a clock that the end of the log and this machine explain. In a sandbox nothing depends on it.
fn check_clock(journal: &mut Journal, clock: &Clock, config: &Config) -> Result<(), StartError> {
    let end = journal.head()?.seq;
    let last = journal.read(end, 1)?.last().and_then(|group| Some(Time(group.records.last()?.time_ms)));
    last.map_or(Ok(()), |last| clock.check(last, &config.data, config.accept_clock).map_err(StartError))
}

fn check_written(written: u64, end: Head) -> Result<(), StartError> {
    if written > end.seq {
        let what = format!("the history knows entry {written}, the journal ends at {}: they do not belong together", end.seq);
        return Err(StartError(what));
    }
    Ok(())
}

/// What a new journal begins with: mode, catalog, the house liquidity's member, and in a sandbox paper money.
fn genesis_entries(mode: Mode, time: Time) -> Vec<Entry> {
    let catalog = Catalog::standard();
    let sandbox = mode == Mode::Sandbox;
    let endowments = if sandbox { endowments() } else { Vec::new() };
    // As many full faucet calls as make a market for a long time.
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

impl Opened {
    /// Replays into `app` and starts the history and the sequencer.
    pub async fn start(self, app: &App, inbox: Inbox) -> Result<Started, StartError> {
        let Opened { journal, end, node, began, replayed, .. } = self;
        prices::fill(&app.db).await?;
        if app.is_sandbox() {
            chart_history::ensure(app, began).await?;
        }
        let (to_history, from_sequencer) = mpsc::channel(HISTORY_QUEUE);
        let history = tokio::spawn(rows::run(app.clone(), from_sequencer));
        let written = history::applied_seq(&app.db).await?;
        check_written(written, end)?;
        let (feeding, listed) = (to_history.clone(), app.catalog.clone());
        let replaying = tokio::task::spawn_blocking(move || replay_all(journal, replayed, (written, end), &feeding, &listed));
        let (journal, engine, at_end) = replaying.await.map_err(|error| StartError(format!("replay: {error}")))??;

        set_clock(app, engine.time()).await?;
        let reached = engine.seq().0;
        app.sequencer.load(engine);
        app.applied.reach(reached).await;
        let now = app.sequencer.engine().time();
        let mut tickers = load_tickers(app, now).await?;
        tickers.mark_books(app.catalog.markets.iter().map(|market| (market.id, BookMark { seq: reached, time: now })));
        *app.tickers.write().unwrap_or_else(PoisonError::into_inner) = tickers;

        let (to_sockets, published) = outlet::to_sockets();
        let backlog = app.config.data.clone();
        let outlets = Outlets { history: to_history, backlog, sockets: to_sockets, tickers: app.tickers.clone() };
        let (sequencer, clock, snapshot_every) = (app.sequencer.clone(), app.clock.clone(), app.config.snapshot_every);
        Worker { sequencer, inbox, journal, head: end, node, clock, outlets, snapshot_every }.start()?;
        if let Some(hash) = at_end {
            app.sequencer.record_state(Seq(end.seq), hash);
        }
        Ok(Started { published, history })
    }
}

/// A journal, the state at its end, and the hash of that state if the newest snapshot is of the end: then no entry records it yet.
type Replayed = (Journal, Engine, Option<[u8; 32]>);

/// The state at the end of the journal; what the history lacks goes there on the way, behind the catalog that it was written under.
fn replay_all(
    mut journal: Journal,
    replayed: Option<Restored>,
    (written, end): (u64, Head),
    history: &mpsc::Sender<Batch>,
    listed: &Listed,
) -> Result<Replayed, StartError> {
    let (mut engine, head, kept) = match replayed {
        Some(replayed) => replayed,
        None => replay::newest_state(&mut journal, written)?,
    };
    if head != Head::GENESIS {
        listed.take(&engine);
    }
    let bar = replay::progress_bar("replay", end.seq - head.seq);
    let reached = replay::tail(&mut journal, &mut engine, head, |engine, published| {
        listed.follow(engine, &published);
        bar.inc(u64::try_from(published.len()).unwrap_or_default());
        history.blocking_send(published.into()).map_err(|_| StartError("the history stopped".to_owned()))
    })?;
    bar.finish_and_clear();
    if reached != end {
        return Err(StartError(format!("the journal ends at {}, replay reached {}", end.seq, reached.seq)));
    }
    Ok((journal, engine, kept.filter(|_| head == end)))
}

/// Name of the fact that keeps how far a sandbox pushed its clock, ms.
pub(crate) const AHEAD: &str = "journal_ahead_ms";

/// Journal time goes on where the log ended, or as far ahead of the wall clock as the sandbox pushed it.
async fn set_clock(app: &App, last: Time) -> Result<(), StartError> {
    if app.is_sandbox() {
        let pushed = facts::get(&app.db, AHEAD).await?.and_then(|text| text.parse::<i64>().ok()).unwrap_or(0);
        let behind = i64::try_from(last.0).unwrap_or(i64::MAX).saturating_sub_unsigned(app.clock.wall_ms());
        app.clock.set_journal_ahead(pushed.max(behind).max(0));
    } else {
        app.clock.follow(last);
    }
    app.clock.record(&app.config.data);
    Ok(())
}

/// The rolling days from the stored 1-minute candles, with the last one before the window.
async fn load_tickers(app: &App, now: Time) -> Result<Tickers, StartError> {
    let mut tickers = Tickers::default();
    let from = Time(now.0.saturating_sub(DAY_MS));
    for market in &app.catalog.markets {
        for series in Series::ALL {
            let before = prices::candle_before(&app.db, market.id, series, 1, from).await?;
            let minutes = prices::candles(&app.db, market.id, series, 1, from, now.plus(DAY_MS)).await?;
            tickers.load(market.id, series, before.into_iter().chain(minutes));
        }
    }
    Ok(tickers)
}
