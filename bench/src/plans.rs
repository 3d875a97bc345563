//! The engine's cost of settling 100,000 plan orders that mature at one midnight, in commands of the bare book.

use cpu_time::ThreadTime;
use engine::Engine;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::feature::Feature;
use engine::ids::{AssetId, PlanId, Seq, UserId};
use engine::ledger::HouseAccount;
use engine::plans::order::BuyPlan;
use engine::time::{DAY_MS, Time};

use crate::matching::bare_command;
use crate::report::{Ratios, Section};

const DUE: u64 = 100_000;
/// Orders of one member.
const EACH: u64 = 10;
const START: Time = Time(1_767_225_600_000);
const USDT: AssetId = AssetId(3);
/// The plan of one week.
const PLAN: PlanId = PlanId(1);
const PRINCIPAL: u64 = 100_000_000;
/// Most bare-book commands for each order.
const GOAL: f64 = 30.0;

/// Settles them once in each round.
pub fn run(rounds: usize, commands: usize) -> Section {
    let mut settling = Ratios::new("settling a plan order / bare book", GOAL);
    let (snapshot, mut nanoseconds) = (stage().snapshot(), 0.0);
    for _ in 0..rounds {
        let bare = bare_command(commands);
        let mut engine = Engine::restore(&snapshot).expect("a snapshot of this engine");
        let settled = settle(&mut engine);
        nanoseconds = settled * 1e9;
        settling.add(settled / bare);
    }
    let note = format!("{DUE} orders of {} members; {nanoseconds:.0} ns CPU each, rows of its history not among them", DUE / EACH);
    Section { title: "Plans maturing at one midnight".to_owned(), note, ratios: vec![settling] }
}

fn apply(engine: &mut Engine, command: Command) {
    let entry = Entry { seq: Seq(engine.seq().0 + 1), time: START, request: None, command };
    engine.apply(&entry, &mut Vec::new()).result.expect("the set-up is sound");
}

/// 100,000 open orders.
fn stage() -> Engine {
    let mut engine = Engine::default();
    let endowments = vec![(HouseAccount::PlanTreasury, USDT, 1_000_000_000_000)];
    let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments };
    apply(&mut engine, Command::Genesis(Box::new(genesis)));
    for feature in Feature::ALL.into_iter().filter(|feature| *feature != Feature::OperatorRegistry) {
        apply(&mut engine, Command::Activate(feature));
    }
    for user in (1..=DUE / EACH).map(UserId) {
        apply(&mut engine, Command::RegisterMember { user, house: false });
        apply(&mut engine, Command::SandboxFaucet { user, asset: USDT, wallet: Wallet::Earn, amount: EACH * PRINCIPAL });
        for _ in 0..EACH {
            apply(&mut engine, Command::BuyPlan(BuyPlan { user, plan: PLAN, amount: PRINCIPAL, agreed: true, rule: None }));
        }
    }
    engine
}

/// CPU seconds for each order; each clock entry settles one slice.
fn settle(engine: &mut Engine) -> f64 {
    let now = START.plus(8 * DAY_MS);
    let mut events = Vec::new();
    let start = ThreadTime::now();
    loop {
        events.clear();
        let entry = Entry { seq: Seq(engine.seq().0 + 1), time: now, request: None, command: Command::Clock };
        engine.apply(&entry, &mut events).result.expect("a clock is never refused");
        if !engine.has_backlog() && engine.open_plan_orders().next().is_none() {
            return start.elapsed().as_secs_f64() / DUE as f64;
        }
    }
}
