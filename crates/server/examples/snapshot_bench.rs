//! The longest wait of a write while a snapshot is made, at a million members, whole path: queue, engine, journal in SQLite. A client writes
//! one command after another; the result is the longest wait during any of the snapshots. The median of the rounds is printed as well, and
//! both figures without a snapshot.
//! `cargo run --release -p server --example snapshot_bench -- [members]`
//! The goal is for one million. Afterwards the figures for five million are printed, if there is enough memory.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Genesis, Mode};
use engine::ids::{AssetId, UserId};
use journal::{Head, Journal};
use kernel::journal_clock::Clock;
use kernel::sequencer::outlet::to_sockets;
use kernel::sequencer::writer::Worker;
use kernel::sequencer::{Outlets, Sequencer, SubmitError};
use mimalloc::MiMalloc;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// As in the server.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The longest wait of a write during a snapshot, ms.
const GOAL: f64 = 20.0;
const MEMBERS: u64 = 1_000_000;
const MANY_MEMBERS: u64 = 5_000_000;
/// Memory for each member: three states, and what the system needs, bytes.
const ROOM: u64 = 3_000;
/// Registrations in flight at once.
const TOGETHER: u64 = 512;
const ROUNDS: usize = 3;

/// Entries between two snapshots.
const EVERY: u64 = 100_000;
/// This many of them are written one after another before the snapshot is due.
const BEFORE: u64 = 100;

fn main() -> ExitCode {
    let members = std::env::args().nth(1).and_then(|members| members.parse().ok()).unwrap_or(MEMBERS);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let measured = runtime.map_err(Into::into).and_then(|runtime| {
        let kept = runtime.block_on(measure(members))? <= GOAL;
        if available()? > MANY_MEMBERS * ROOM {
            runtime.block_on(measure(MANY_MEMBERS))?;
        } else {
            println!("{MANY_MEMBERS} members: not measured, there is no memory for them");
        }
        Ok(kept)
    });
    match measured {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err::<bool, Box<dyn std::error::Error>>(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the figures for this many members; returns the longest wait during a snapshot in any round, ms.
async fn measure(members: u64) -> Outcome<f64> {
    let folder = tempfile::tempdir()?;
    let snapshots = folder.path().join("snapshots");
    let sequencer = start(folder.path(), members).await?;
    let newest = || newest_snapshot(&snapshots);
    let (mut beside, mut without, mut took) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        // A snapshot that is due or in progress does not belong to this round.
        while sequencer.newest() + BEFORE >= newest()? + EVERY {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let (before, first) = (newest()?, sequencer.newest());
        together(&sequencer, before + EVERY - BEFORE - first, move |at| faucet((first + at) % members + 1)).await?;
        let mut longest = 0.0_f64;
        while sequencer.newest() < before + EVERY {
            longest = longest.max(write(&sequencer).await?);
        }
        let start = Instant::now();
        while newest()? == before {
            longest = longest.max(write(&sequencer).await?);
        }
        took.push(start.elapsed().as_secs_f64());
        beside.push(longest);
        let (start, mut longest) = (Instant::now(), 0.0_f64);
        while start.elapsed() < Duration::from_secs(1) {
            longest = longest.max(write(&sequencer).await?);
        }
        without.push(longest);
    }
    let bytes = std::fs::metadata(snapshots.join(format!("{:020}.snapshot", newest()?)))?.len();
    let ([middle, beside], [middle_without, without], [took, _]) =
        (middle_and_most(beside), middle_and_most(without), middle_and_most(took));
    println!(
        "{members} members: {ROUNDS} snapshots of {} MB in {took:.1} s; the process has {} MB",
        bytes / 1_000_000,
        resident()? / 1_000_000
    );
    let mark = match beside <= GOAL {
        _ if members > MEMBERS => "",
        true => "kept",
        false => "MISSED",
    };
    println!("  longest wait of a write, maximum (median) of the rounds:");
    println!("  without a snapshot {without:.1} ms ({middle_without:.1}), beside one {beside:.1} ms ({middle:.1})   <= {GOAL} ms {mark}");
    sequencer.stop().await;
    Ok(beside)
}

/// The entry of the newest snapshot in this folder, 0 for none.
fn newest_snapshot(folder: &Path) -> Outcome<u64> {
    let mut newest = 0;
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        let seq = name.to_str().and_then(|name| name.strip_suffix(".snapshot")).and_then(|seq| seq.parse().ok());
        newest = newest.max(seq.unwrap_or(0));
    }
    Ok(newest)
}

/// A node over a journal in this folder, with this many members who have money.
async fn start(folder: &Path, members: u64) -> Outcome<Sequencer> {
    let mut journal = Journal::sqlite(folder)?;
    journal.lead("bench", 1)?;
    let (sequencer, inbox) = Sequencer::new();
    let (history, mut rows) = mpsc::channel(1_024);
    // The rows are discarded; their cost is measured elsewhere.
    tokio::spawn(async move { while rows.recv().await.is_some() {} });
    let (sockets, mut news) = to_sockets();
    tokio::spawn(async move { while news.recv().await.is_some() {} });
    let outlets = Outlets { history, backlog: folder.to_owned(), sockets, market_stats: Arc::default() };
    let (head, node, clock) = (Head::GENESIS, "bench".to_owned(), Arc::new(Clock::default()));
    let worker = Worker {
        sequencer: sequencer.clone(),
        inbox,
        journal,
        head,
        node,
        clock,
        outlets,
        snapshot_every: EVERY,
        snapshot: 0,
        in_background: || false,
    };
    worker.start().map_err(|error| error.to_string())?;
    let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
    sequencer.submit(Command::Genesis(Box::new(genesis)), None).await?;
    together(&sequencer, members, |at| Command::RegisterMember { user: UserId(at + 1), house: false }).await?;
    together(&sequencer, members, |at| faucet(at + 1)).await?;
    Ok(sequencer)
}

/// Sends this many commands, many at a time.
async fn together(sequencer: &Sequencer, count: u64, command: impl Fn(u64) -> Command + Copy + Send + 'static) -> Outcome<()> {
    let mut tasks = JoinSet::new();
    for first in 0..TOGETHER {
        let sequencer = sequencer.clone();
        tasks.spawn(async move {
            let mut at = first;
            while at < count {
                sequencer.submit(command(at), None).await?;
                at += TOGETHER;
            }
            Ok::<(), SubmitError>(())
        });
    }
    while let Some(done) = tasks.join_next().await {
        done??;
    }
    Ok(())
}

fn faucet(user: u64) -> Command {
    Command::SandboxFaucet { user: UserId(user), asset: AssetId(3), wallet: Wallet::Spot, amount: 5 }
}

/// How long one write takes, ms.
async fn write(sequencer: &Sequencer) -> Outcome<f64> {
    let start = Instant::now();
    sequencer.submit(faucet(1), None).await?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}

fn middle_and_most(mut times: Vec<f64>) -> [f64; 2] {
    times.sort_by(f64::total_cmp);
    [times[times.len() / 2], times[times.len() - 1]]
}

/// Available memory of the system, bytes.
fn available() -> Outcome<u64> {
    figure("/proc/meminfo", "MemAvailable:")
}

/// Resident memory of this process, bytes.
fn resident() -> Outcome<u64> {
    figure("/proc/self/status", "VmRSS:")
}

fn figure(file: &str, name: &str) -> Outcome<u64> {
    let all = std::fs::read_to_string(file)?;
    let (_, figure) = all.split_once(name).ok_or("no such figure")?;
    Ok(figure.split_whitespace().next().ok_or("no figure")?.parse::<u64>()? * 1_024)
}
