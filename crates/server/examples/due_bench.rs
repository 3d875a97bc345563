//! How long an order waits while 100,000 objects that fell due at one instant are settled: proposals that expire, over SQLite on this disk.
//! One client sends one order after the other from that instant until nothing is due any more; the longest wait counts.
//! `cargo run --release -p server --example due_bench`

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::amount::Price;
use engine::backoffice::acts::{Operate, OperatorAct};
use engine::backoffice::approval::Reviewer;
use engine::backoffice::proposals::{OPEN_MS, Proposed};
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Genesis, Mode};
use engine::feature::Feature;
use engine::ids::{AssetId, Digest, MarketId, OperatorId, UserId};
use engine::security::ReferralRole;
use engine::spot::{OrderKind, PlaceSpotOrder, Side, TimeInForce};
use engine::time::{HOUR_MS, Time};
use futures_util::future::join_all;
use journal::{Head, Journal};
use kernel::journal_clock::Clock;
use kernel::sequencer::outlet;
use kernel::sequencer::writer::Worker;
use kernel::sequencer::{Outlets, Sequencer};
use tokio::sync::mpsc;

const DUE: usize = 100_000;
/// No order waits longer (T-3).
const GOAL: Duration = Duration::from_millis(50);
/// Proposals that are under way at once.
const TOGETHER: usize = 2_000;
const MEMBER: UserId = UserId(1);
const PRICE: Price = Price(10_000_000_000_000);

fn propose() -> Command {
    let by = Reviewer { operator: OperatorId(1), member: None };
    let proposed = Proposed::SetReferralRole { user: MEMBER, role: ReferralRole::Promoter };
    Command::Operate(Box::new(Operate { by, act: OperatorAct::Propose { proposed, reason: Digest([7; 32]) } }))
}

fn order() -> Command {
    let kind = OrderKind::Limit { price: PRICE, quantity: 100_000, time_in_force: TimeInForce::ImmediateOrCancel };
    Command::PlaceSpotOrder(PlaceSpotOrder { user: MEMBER, market: MarketId(1), side: Side::Buy, kind, client_order_id: None })
}

async fn start(data: &std::path::Path) -> Sequencer {
    let mut journal = Journal::sqlite(data).expect("opened");
    journal.lead("bench", 1).expect("led");
    let (sequencer, inbox) = Sequencer::new();
    let (history, mut batches) = mpsc::channel(100);
    tokio::spawn(async move { while batches.recv().await.is_some() {} });
    let outlets = Outlets { history, backlog: data.to_owned(), sockets: outlet::to_sockets().0, tickers: Arc::default() };
    let (head, node, clock) = (Head::GENESIS, "bench".to_owned(), Arc::new(Clock::default()));
    Worker { sequencer: sequencer.clone(), inbox, journal, head, node, clock, outlets, snapshot_every: 50_000, in_background: || false }
        .start()
        .expect("threads");
    sequencer
}

async fn done(sequencer: &Sequencer, command: Command) {
    sequencer.submit(command, None).await.expect("written").outcome.result.expect("the set-up is sound");
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let data = tempfile::tempdir().expect("a folder");
    let sequencer = start(data.path()).await;
    let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
    done(&sequencer, Command::Genesis(Box::new(genesis))).await;
    for feature in Feature::ALL.into_iter().filter(|feature| *feature != Feature::OperatorRegistry) {
        done(&sequencer, Command::Activate(feature)).await;
    }
    done(&sequencer, Command::RegisterMember { user: MEMBER, house: false }).await;
    done(&sequencer, Command::SandboxFaucet { user: MEMBER, asset: AssetId(3), wallet: Wallet::Spot, amount: 1_000_000_000 }).await;
    for _ in 0..DUE / TOGETHER {
        join_all((0..TOGETHER).map(|_| done(&sequencer, propose()))).await;
    }
    // The snapshot that is due after so many entries is made before, not while it is measured.
    join_all((0..TOGETHER).map(|_| done(&sequencer, Command::Clock))).await;
    // Past the instants of all of them.
    let target = Time(sequencer.engine().time().0 + OPEN_MS + HOUR_MS);
    let price = Command::SandboxPrice { market: MarketId(1), price: PRICE };
    let settled = tokio::spawn({
        let sequencer = sequencer.clone();
        async move { sequencer.advance(target, vec![price]).await.map(drop) }
    });
    let begun = Instant::now();
    let mut waits = Vec::new();
    while !settled.is_finished() {
        let start = Instant::now();
        drop(sequencer.submit(order(), None).await.expect("written"));
        waits.push(start.elapsed());
    }
    waits.sort_unstable();
    settled.await.expect("no panic").expect("written");
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let (orders, longest) = (waits.len(), waits.last().copied().unwrap_or_default());
    let (took, median) = (ms(begun.elapsed()), ms(waits[orders / 2]));
    println!(
        "{DUE} due at one instant, settled in {took:.0} ms; {orders} orders waited {median:.1} ms, the longest {:.1} ms (goal {})",
        ms(longest),
        ms(GOAL)
    );
    if longest <= GOAL { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
