//! The cost of an index sample that triggers nothing: with 1,000 open contracts and 100 waiting orders, and with 100,000 and 10,000, all at
//! different prices. The rounds are interleaved; the result is the ratio of the medians.
//! `cargo run --release -p engine --example contracts_bench`

#![allow(clippy::disallowed_types, reason = "it measures")]

use std::process::ExitCode;
use std::time::Instant;

use engine::Engine;
use engine::amount::{MAX_AMOUNT, Price};
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::contracts::formulas::Direction;
use engine::contracts::position::OpenContract;
use engine::feature::Feature;
use engine::ids::{AssetId, MarketId, Seq, UserId};
use engine::ledger::HouseAccount;
use engine::time::Time;

/// The mark price, in ticks.
const MARK: u64 = 10_000_000;
const TICK: u64 = 1_000_000;
const ROUNDS: usize = 25;
/// Samples in one measurement.
const SAMPLES: u64 = 200;
/// A sample over 100,000 against one over 1,000.
const GOAL: f64 = 2.0;
/// Contracts per member: the most allowed.
const EACH: u64 = 50;

fn entry(engine: &Engine, command: Command) -> Entry {
    Entry { seq: Seq(engine.seq().0 + 1), time: Time(1_767_225_600_000), request: None, command }
}

fn apply(engine: &mut Engine, command: Command) {
    let entry = entry(engine, command);
    engine.apply(&entry, &mut Vec::new()).result.expect("the set-up is sound");
}

fn sample(ticks: u64) -> Command {
    Command::SandboxPrice { market: MarketId(1), price: Price(ticks * TICK) }
}

/// One contract near the mark price that none of the measured samples triggers.
fn order(user: UserId, number: u64, waits: bool) -> Command {
    let long = number.is_multiple_of(2);
    let direction = if long { Direction::Long } else { Direction::Short };
    let multiple = [5, 10, 20, 50][(number % 4) as usize];
    let away = 20_000 + number * 7_919 % 900_000;
    let limit = waits.then(|| Price((if long { MARK - away } else { MARK + away }) * TICK));
    let lots = 1 + number % 20;
    let (market, take_profit, stop_loss) = (MarketId(1), None, None);
    Command::OpenContract(OpenContract { user, market, direction, lots, multiple, limit, take_profit, stop_loss })
}

fn stage(positions: u64, waiting: u64) -> Engine {
    let mut catalog = Catalog::standard();
    catalog.assets.iter_mut().for_each(|asset| asset.faucet_max = MAX_AMOUNT - 1);
    let endowments = vec![(HouseAccount::ContractPool, AssetId(3), MAX_AMOUNT / 2)];
    let mut engine = Engine::default();
    apply(&mut engine, Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog, endowments })));
    for feature in Feature::ALL {
        apply(&mut engine, Command::Activate(feature));
    }
    for number in 0..positions {
        if number.is_multiple_of(EACH) {
            let user = UserId(1 + number / EACH);
            apply(&mut engine, Command::RegisterMember { user, house: false });
            let amount = 100_000_000_000_000;
            apply(&mut engine, Command::SandboxFaucet { user, asset: AssetId(3), wallet: Wallet::Futures, amount });
        }
        if number.is_multiple_of(64) {
            // As many different entry prices as possible.
            apply(&mut engine, sample(MARK - 15_000 + number / 64 * 97 % 30_000));
        }
        let user = UserId(1 + number / EACH);
        apply(&mut engine, order(user, number, false));
        if number % (positions / waiting) == 0 {
            apply(&mut engine, order(user, number, true));
        }
    }
    assert_eq!(engine.open_contracts().count() as u64, positions + waiting, "nothing was set off");
    engine
}

/// Nanoseconds a sample.
fn samples(engine: &mut Engine) -> f64 {
    let entries: Vec<Command> = (0..SAMPLES).map(|number| sample(MARK - 10_000 + number * 7_919 % 20_000)).collect();
    let mut events = Vec::new();
    let start = Instant::now();
    for command in entries {
        events.clear();
        let entry = entry(engine, command);
        engine.apply(&entry, &mut events).result.expect("a sample is accepted");
    }
    start.elapsed().as_secs_f64() * 1e9 / SAMPLES as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> ExitCode {
    let (mut few, mut many) = (stage(1_000, 100), stage(100_000, 10_000));
    let rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| (samples(&mut few), samples(&mut many))).collect();
    assert_eq!(many.open_contracts().count(), 110_000, "nothing was set off");
    let (of_few, of_many): (Vec<f64>, Vec<f64>) = rounds.into_iter().unzip();
    let (of_few, of_many) = (median(of_few), median(of_many));
    let ratio = of_many / of_few;
    println!("a sample over 1,100 contracts: {of_few:.0} ns, over 110,000: {of_many:.0} ns, ratio {ratio:.2} (goal {GOAL})");
    if ratio <= GOAL { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
