//! From a data directory to a sequencer that leads: journal, genesis, replay.

use std::path::Path;
use std::sync::PoisonError;

use engine::Engine;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::ids::{AssetId, Seq};
use engine::ledger::HouseAccount;
use engine::time::{DAY_MS, Time};
use journal::{Head, Journal};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::app::{App, Clock, StartError};
use crate::config::Config;
use crate::feed::chart_history;
use crate::secrets::random;
use crate::sequencer::writer::Worker;
use crate::sequencer::{Batch, Inbox, Outlets};
use crate::store::people::HOUSE;
use crate::store::{facts, history, prices};
use crate::tickers::{Series, Tickers};
use crate::{history as rows, replay};

/// Batches between the sequencer and the history.
const HISTORY_QUEUE: usize = 256;

/// A journal that this node leads, not yet replayed.
#[derive(Debug)]
pub struct Opened {
    journal: Journal,
    end: Head,
    node: String,
    /// The facts of its first entry.
    pub genesis: Genesis,
    /// Time of that entry.
    began: Time,
}

/// What a started log needs from the outside.
#[derive(Debug)]
pub struct Started {
    /// Entries for the sockets.
    pub published: mpsc::UnboundedReceiver<Batch>,
    /// The task that writes history rows.
    pub history: JoinHandle<()>,
}

/// Opens the journal of the data directory or database, and leads it.
pub(crate) fn open_journal(data: &Path, database: Option<&str>) -> Result<Journal, StartError> {
    Ok(match database {
        Some(url) => Journal::postgres(url, data)?,
        None => Journal::sqlite(data)?,
    })
}

/// Opens the journal, leads it, and writes the genesis of an empty one. Blocks.
pub fn open(config: &Config) -> Result<Opened, StartError> {
    let mut journal = open_journal(&config.data, config.database.as_deref())?;
    let now = Clock::default().wall_ms();
    let node = format!("{}:{}", config.listen, std::process::id());
    let mut end = journal.lead(&node, now)?.head;
    if end == Head::GENESIS {
        // Rows that were made from a log which is gone: a new log here would bury the loss. Left snapshots the journal refuses itself.
        if config.database.is_none() && config.data.join("meridian.db").exists() {
            return Err(StartError("the journal is empty, but what was made from it is there: restore the journal".to_owned()));
        }
        let entries = genesis_entries(config.genesis, Time(now));
        let records = entries.iter().map(|entry| Ok(replay::record_of(entry, random()?))).collect::<Result<Vec<_>, StartError>>()?;
        end = journal.append(&records)?;
    }
    let (genesis, began) = replay::genesis(&mut journal)?;
    Ok(Opened { journal, end, node, genesis, began })
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
        let Opened { journal, end, node, began, .. } = self;
        if app.is_sandbox() {
            chart_history::ensure(app, began).await?;
        }
        let (to_history, from_sequencer) = mpsc::channel(HISTORY_QUEUE);
        let history = tokio::spawn(rows::run(app.clone(), from_sequencer));
        let written = history::applied_seq(&app.db).await?;
        if written > end.seq {
            return Err(StartError(format!(
                "the history knows entry {written}, the journal ends at {}: they do not belong together",
                end.seq
            )));
        }
        let feeding = to_history.clone();
        let replaying = tokio::task::spawn_blocking(move || replay_all(journal, written, end, &feeding));
        let (journal, engine) = replaying.await.map_err(|error| StartError(format!("replay: {error}")))??;

        set_clock(app, engine.time()).await?;
        let reached = engine.seq().0;
        app.sequencer.load(engine);
        app.applied.reach(reached).await;
        let now = app.sequencer.engine().time();
        let tickers = load_tickers(app, now).await?;
        *app.tickers.write().unwrap_or_else(PoisonError::into_inner) = tickers;

        let (to_sockets, published) = mpsc::unbounded_channel();
        let outlets = Outlets { history: to_history, sockets: to_sockets, tickers: app.tickers.clone() };
        Worker { sequencer: app.sequencer.clone(), inbox, journal, head: end, node, clock: app.clock.clone(), outlets }.start()?;
        Ok(Started { published, history })
    }
}

/// The state at the end of the journal; what the history lacks goes there on the way.
fn replay_all(mut journal: Journal, written: u64, end: Head, history: &mpsc::Sender<Batch>) -> Result<(Journal, Engine), StartError> {
    let (mut engine, head) = replay::newest_state(&mut journal, written)?;
    let bar = replay::progress_bar("replay", end.seq - head.seq);
    let reached = replay::tail(&mut journal, &mut engine, head, |published| {
        bar.inc(u64::try_from(published.len()).unwrap_or_default());
        history.blocking_send(published.into()).map_err(|_| StartError("the history stopped".to_owned()))
    })?;
    bar.finish_and_clear();
    if reached != end {
        return Err(StartError(format!("the journal ends at {}, replay reached {}", end.seq, reached.seq)));
    }
    Ok((journal, engine))
}

/// Name of the fact that keeps how far a sandbox pushed its clock, ms.
pub(crate) const AHEAD: &str = "journal_ahead_ms";

/// Journal time goes on where the log ended, or as far ahead of the wall clock as the sandbox pushed it.
async fn set_clock(app: &App, last: Time) -> Result<(), StartError> {
    if app.is_sandbox() {
        let pushed = facts::get(&app.db, AHEAD).await?.and_then(|text| text.parse::<i64>().ok()).unwrap_or(0);
        let behind = i64::try_from(last.0).unwrap_or(i64::MAX).saturating_sub_unsigned(app.clock.wall_ms());
        app.clock.set_journal_ahead(pushed.max(behind).max(0));
    }
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
