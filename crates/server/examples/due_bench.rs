//! How long an order waits while objects that fell due at one instant are settled, with SQLite on this disk: 100,000 proposals that expire,
//! then 10,000 options, then 100,000 plan orders that mature at one midnight.
//! One client sends one order after another from that instant until nothing is due; the result is the longest wait.
//! `cargo run --release -p server --example due_bench`

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::amount::Price;
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::backoffice::proposals::{OPEN_MS, Proposed};
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Genesis, Mode};
use engine::feature::Feature;
use engine::identity::KycLevel;
use engine::ids::{AssetId, Digest, MarketId, OperatorId, PlanId, SubmissionId, UserId};
use engine::ledger::HouseAccount;
use engine::operators::approval::Reviewer;
use engine::options::option::{BuyOption, Direction};
use engine::plans::order::{BuyPlan, PlanOrder};
use engine::security::ReferralRole;
use engine::spot::{OrderKind, PlaceSpotOrder, Side, TimeInForce};
use engine::time::{DAY_MS, HOUR_MS, Time};
use futures_util::future::join_all;
use journal::{Head, Journal};
use kernel::journal_clock::Clock;
use kernel::sequencer::outlet;
use kernel::sequencer::writer::Worker;
use kernel::sequencer::{Outlets, Sequencer};
use tokio::sync::mpsc;

const PROPOSALS: usize = 100_000;
const OPTIONS: usize = 10_000;
const PLANS: usize = 100_000;
/// Plan orders of one member.
const LOCKED: usize = 100;
/// Open options of one member: the most allowed.
const EACH: usize = 20;
/// Longest wait of an order (T-3).
const GOAL: Duration = Duration::from_millis(50);
/// Proposals in flight at once.
const TOGETHER: usize = 2_000;
const MEMBER: UserId = UserId(1);
const USDT: AssetId = AssetId(3);
const BTC_USDT: MarketId = MarketId(1);
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
    let outlets = Outlets { history, backlog: data.to_owned(), sockets: outlet::to_sockets().0, market_stats: Arc::default() };
    let (head, node, clock) = (Head::GENESIS, "bench".to_owned(), Arc::new(Clock::default()));
    let worker = Worker {
        sequencer: sequencer.clone(),
        inbox,
        journal,
        head,
        node,
        clock,
        outlets,
        snapshot_every: 50_000,
        snapshot: 0,
        in_background: || false,
    };
    worker.start().expect("threads");
    sequencer
}

async fn done(sequencer: &Sequencer, command: Command) {
    sequencer.submit(command, None).await.expect("written").outcome.result.expect("the set-up is sound");
}

/// A sandbox with a member who trades, a pool that sells options, and a treasury that sells plans.
async fn stage(sequencer: &Sequencer) {
    let endowments = [HouseAccount::OptionPool, HouseAccount::PlanTreasury].map(|account| (account, USDT, 1_000_000_000_000)).to_vec();
    let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments };
    done(sequencer, Command::Genesis(Box::new(genesis))).await;
    for feature in Feature::ALL.into_iter().filter(|feature| *feature != Feature::OperatorRegistry) {
        done(sequencer, Command::Activate(feature)).await;
    }
    done(sequencer, Command::RegisterMember { user: MEMBER, house: false }).await;
    done(sequencer, Command::SandboxFaucet { user: MEMBER, asset: USDT, wallet: Wallet::Spot, amount: 1_000_000_000_000 }).await;
}

/// This many verified members buy options of one hour. They are bought within seconds and fall due within one step of the clock, which is
/// one instant for members who trade meanwhile.
async fn buy_options(sequencer: &Sequencer) {
    let price = Command::SandboxPrice { market: BTC_USDT, price: PRICE };
    for user in (2..).take(OPTIONS / EACH).map(UserId) {
        done(sequencer, Command::RegisterMember { user, house: false }).await;
        done(sequencer, Command::SandboxFaucet { user, asset: USDT, wallet: Wallet::BinaryOptions, amount: 1_000_000_000 }).await;
        let mut document = [0; 32];
        document[..8].copy_from_slice(&user.0.to_be_bytes());
        let (document, level) = (Digest(document), KycLevel::Basic);
        let handed_in =
            sequencer.submit(Command::SubmitIdentity { user, level, document, content: document }, None).await.expect("written");
        let id = SubmissionId(handed_in.seq.0);
        let seen = sequencer.engine().submission(id).expect("submitted").seen();
        let by = Reviewer { operator: OperatorId(1), member: None };
        let act = OperatorAct::Decide { item: Item::Identity(id), decision: Decision::Approve, seen };
        done(sequencer, Command::Operate(Box::new(Operate { by, act }))).await;
    }
    for together in (0..OPTIONS).collect::<Vec<_>>().chunks(TOGETHER) {
        done(sequencer, price.clone()).await;
        let rule = sequencer.engine().offered_rule(BTC_USDT, 3_600).expect("the standard terms");
        let buy = |number: &usize| {
            let user = UserId(2 + u64::try_from(number / EACH).unwrap_or(0));
            let (market, direction, asset, seconds, stake) = (BTC_USDT, Direction::Up, USDT, 3_600, 5_000_000);
            done(sequencer, Command::BuyOption(BuyOption { user, market, direction, asset, seconds, stake, rule }))
        };
        join_all(together.iter().map(buy)).await;
    }
}

/// This many members lock money for a week. The orders are bought on one day, so they all mature at one midnight.
async fn buy_plans(sequencer: &Sequencer) {
    // Never in the last minutes of a day.
    let now = sequencer.engine().time();
    let begun = Time((now.day() + 1) * DAY_MS + HOUR_MS);
    sequencer.advance(begun, Vec::new()).await.expect("written");
    for user in (2..).take(PLANS / LOCKED).map(UserId) {
        done(sequencer, Command::RegisterMember { user, house: false }).await;
        done(sequencer, Command::SandboxFaucet { user, asset: USDT, wallet: Wallet::Earn, amount: 100 * 100_000_000 }).await;
    }
    for together in (0..PLANS).collect::<Vec<_>>().chunks(TOGETHER) {
        let buy = |number: &usize| {
            let user = UserId(2 + u64::try_from(number / LOCKED).unwrap_or(0));
            done(sequencer, Command::BuyPlan(BuyPlan { user, plan: PlanId(1), amount: 100_000_000, agreed: true, rule: None }))
        };
        join_all(together.iter().map(buy)).await;
    }
    let maturities: BTreeSet<Time> = sequencer.engine().open_plan_orders().map(PlanOrder::maturity).collect();
    assert_eq!(maturities.len(), 1, "all of them mature at one midnight");
}

/// Moves the clock past all these instants and sends one order after another until nothing is due; true if none waited too long.
async fn measured(sequencer: &Sequencer, what: &str, ahead: u64) -> bool {
    // A snapshot that is due after this many entries is made before the measurement.
    join_all((0..TOGETHER).map(|_| done(sequencer, Command::Clock))).await;
    let target = Time(sequencer.engine().time().0 + ahead);
    // An order needs a fresh sample, before the jump and after it.
    let price = Command::SandboxPrice { market: BTC_USDT, price: PRICE };
    done(sequencer, price.clone()).await;
    let settled = tokio::spawn({
        let sequencer = sequencer.clone();
        async move { sequencer.advance(target, vec![price]).await.map(drop) }
    });
    let begun = Instant::now();
    let mut waits = Vec::new();
    while !settled.is_finished() {
        let start = Instant::now();
        done(sequencer, order()).await;
        waits.push(start.elapsed());
    }
    waits.sort_unstable();
    settled.await.expect("no panic").expect("written");
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let (orders, longest) = (waits.len(), waits.last().copied().unwrap_or_default());
    let (took, median) = (ms(begun.elapsed()), ms(waits.get(orders / 2).copied().unwrap_or_default()));
    println!(
        "{what} due at one instant, settled in {took:.0} ms; {orders} orders waited {median:.1} ms, the longest {:.1} ms (goal {})",
        ms(longest),
        ms(GOAL)
    );
    longest <= GOAL
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let data = tempfile::tempdir().expect("a folder");
    let sequencer = start(data.path()).await;
    stage(&sequencer).await;
    for _ in 0..PROPOSALS / TOGETHER {
        join_all((0..TOGETHER).map(|_| done(&sequencer, propose()))).await;
    }
    let proposals = measured(&sequencer, "100,000 proposals", OPEN_MS + HOUR_MS).await;
    let data = tempfile::tempdir().expect("a folder");
    let sequencer = start(data.path()).await;
    stage(&sequencer).await;
    buy_options(&sequencer).await;
    assert_eq!(sequencer.engine().open_options().count(), OPTIONS, "all of them were bought");
    let options = measured(&sequencer, "10,000 options", 2 * HOUR_MS).await;
    assert_eq!(sequencer.engine().open_options().count(), 0, "all of them are settled");
    let data = tempfile::tempdir().expect("a folder");
    let sequencer = start(data.path()).await;
    stage(&sequencer).await;
    buy_plans(&sequencer).await;
    assert_eq!(sequencer.engine().open_plan_orders().count(), PLANS, "all of them were bought");
    let plans = measured(&sequencer, "100,000 plan orders", 9 * DAY_MS).await;
    assert_eq!(sequencer.engine().open_plan_orders().count(), 0, "all of them are settled");
    if proposals && options && plans { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
