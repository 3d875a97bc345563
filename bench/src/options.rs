//! The engine's cost of settling 10,000 options that fall due at one instant, in commands of the bare book.

use cpu_time::ThreadTime;
use engine::Engine;
use engine::amount::Price;
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::feature::Feature;
use engine::identity::KycLevel;
use engine::ids::{AssetId, Digest, MarketId, OperatorId, Seq, SubmissionId, UserId};
use engine::ledger::HouseAccount;
use engine::operators::approval::Reviewer;
use engine::options::option::{BuyOption, Direction};
use engine::time::{MINUTE_MS, Time};

use crate::matching::bare_command;
use crate::report::{Ratios, Section};

const DUE: u64 = 10_000;
/// Options of one member: the most allowed.
const EACH: u64 = 20;
const START: Time = Time(1_767_225_600_000);
const USDT: AssetId = AssetId(3);
const MARKET: MarketId = MarketId(1);
const PRICE: Price = Price(10_000_000_000_000);
/// Most bare-book commands for each option.
const GOAL: f64 = 30.0;

/// Settles them once in each round.
pub fn run(rounds: usize, commands: usize) -> Section {
    let mut settling = Ratios::new("settling an option / bare book", GOAL);
    let (snapshot, mut nanoseconds) = (stage().snapshot(), 0.0);
    for _ in 0..rounds {
        let bare = bare_command(commands);
        let mut engine = Engine::restore(&snapshot).expect("a snapshot of this engine");
        let settled = settle(&mut engine);
        nanoseconds = settled * 1e9;
        settling.add(settled / bare);
    }
    let note = format!("{DUE} options of {} members; {nanoseconds:.0} ns CPU each, rows of its history not among them", DUE / EACH);
    Section { title: "Options due at one instant".to_owned(), note, ratios: vec![settling] }
}

fn apply(engine: &mut Engine, time: Time, command: Command) {
    let entry = Entry { seq: Seq(engine.seq().0 + 1), time, request: None, command };
    engine.apply(&entry, &mut Vec::new()).result.expect("the set-up is sound");
}

/// 10,000 open options, and the sample that settles them.
fn stage() -> Engine {
    let mut engine = Engine::default();
    let endowments = vec![(HouseAccount::OptionPool, USDT, 1_000_000_000_000)];
    let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments };
    apply(&mut engine, START, Command::Genesis(Box::new(genesis)));
    for feature in Feature::ALL.into_iter().filter(|feature| *feature != Feature::OperatorRegistry) {
        apply(&mut engine, START, Command::Activate(feature));
    }
    apply(&mut engine, START, Command::SandboxPrice { market: MARKET, price: PRICE });
    for user in (1..=DUE / EACH).map(UserId) {
        join(&mut engine, user);
        for number in 0..EACH {
            let rule = engine.offered_rule(MARKET, 60).expect("the standard terms");
            let direction = if number.is_multiple_of(2) { Direction::Up } else { Direction::Down };
            let (market, asset, seconds, stake) = (MARKET, USDT, 60, 5_000_000);
            apply(&mut engine, START, Command::BuyOption(BuyOption { user, market, direction, asset, seconds, stake, rule }));
        }
    }
    let price = Price(PRICE.0 + 1_000_000_000);
    apply(&mut engine, START.plus(MINUTE_MS), Command::SandboxPrice { market: MARKET, price });
    engine
}

/// A verified member with money in the options account.
fn join(engine: &mut Engine, user: UserId) {
    apply(engine, START, Command::RegisterMember { user, house: false });
    apply(engine, START, Command::SandboxFaucet { user, asset: USDT, wallet: Wallet::BinaryOptions, amount: 1_000_000_000 });
    let id = SubmissionId(engine.seq().0 + 1);
    let mut document = [0; 32];
    document[..8].copy_from_slice(&user.0.to_be_bytes());
    let (document, level) = (Digest(document), KycLevel::Basic);
    apply(engine, START, Command::SubmitIdentity { user, level, document, content: document });
    let seen = engine.submission(id).expect("submitted").seen();
    let by = Reviewer { operator: OperatorId(1), member: None };
    let act = OperatorAct::Decide { item: Item::Identity(id), decision: Decision::Approve, seen };
    apply(engine, START, Command::Operate(Box::new(Operate { by, act })));
}

/// CPU seconds for each option; each clock entry settles one slice.
fn settle(engine: &mut Engine) -> f64 {
    let now = START.plus(MINUTE_MS + 1);
    let mut events = Vec::new();
    let start = ThreadTime::now();
    loop {
        events.clear();
        let entry = Entry { seq: Seq(engine.seq().0 + 1), time: now, request: None, command: Command::Clock };
        engine.apply(&entry, &mut events).result.expect("a clock is never refused");
        if !engine.has_backlog() && engine.open_options().next().is_none() {
            return start.elapsed().as_secs_f64() / DUE as f64;
        }
    }
}
