//! The cost of a maker in a sweep of the book: the entry is applied and its new balances are read, for 1,000 makers and for 20,000, each a
//! different member. The rounds are interleaved; the result is the ratio of the median times for one maker.
//! `cargo run --release -p server --example sweep_bench`

use std::process::ExitCode;
use std::time::Instant;

use engine::Engine;
use engine::amount::Price;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::ids::{AssetId, MarketId, Seq, UserId};
use engine::spot::{OrderKind, PlaceSpotOrder, Side, TimeInForce};
use engine::time::Time;
use kernel::replay::new_balances;

const PRICE: Price = Price(10_000_000_000_000);
/// One hundredth of a coin.
const EACH: u64 = 1_000_000;
const ROUNDS: usize = 15;
/// Largest ratio of a maker among 20,000 to one among 1,000.
const GOAL: f64 = 1.5;
/// The member who sweeps the book.
const TAKER: UserId = UserId(1_000_000);

fn entry(engine: &Engine, command: Command) -> Entry {
    Entry { seq: Seq(engine.seq().0 + 1), time: Time(1_767_225_600_000), request: None, command }
}

fn apply(engine: &mut Engine, command: Command) {
    let entry = entry(engine, command);
    engine.apply(&entry, &mut Vec::new()).result.expect("the set-up is sound");
}

fn order(user: UserId, side: Side, quantity: u64) -> Command {
    let kind = OrderKind::Limit { price: PRICE, quantity, time_in_force: TimeInForce::GoodTillCancelled };
    Command::PlaceSpotOrder(PlaceSpotOrder { user, market: MarketId(1), side, kind, client_order_id: None })
}

/// A book with this many makers, and the order that fills them all.
fn stage(makers: u64) -> (Engine, Entry) {
    let mut catalog = Catalog::standard();
    catalog.assets.iter_mut().for_each(|asset| asset.faucet_max = 100_000_000_000_000_000);
    for market in &mut catalog.markets {
        (market.max_quantity, market.max_notional) = (100_000_000_000_000, 100_000_000_000_000_000);
    }
    let mut engine = Engine::default();
    apply(&mut engine, Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog, endowments: Vec::new() })));
    apply(&mut engine, Command::SandboxPrice { market: MarketId(1), price: PRICE });
    for user in (1..=makers).map(UserId) {
        apply(&mut engine, Command::RegisterMember { user, house: false });
        apply(&mut engine, Command::SandboxFaucet { user, asset: AssetId(1), wallet: Wallet::Spot, amount: EACH });
        apply(&mut engine, order(user, Side::Sell, EACH));
    }
    apply(&mut engine, Command::RegisterMember { user: TAKER, house: false });
    let faucet = Command::SandboxFaucet { user: TAKER, asset: AssetId(3), wallet: Wallet::Spot, amount: 50_000_000_000_000_000 };
    apply(&mut engine, faucet);
    let sweep = entry(&engine, order(TAKER, Side::Buy, EACH * makers));
    (engine, sweep)
}

/// Nanoseconds a maker.
fn sweep((engine, entry): &(Engine, Entry), makers: u64) -> f64 {
    let mut engine = engine.clone();
    let mut events = Vec::new();
    let start = Instant::now();
    engine.apply(entry, &mut events).result.expect("the sweep is sound");
    let balances = new_balances(&engine, &events);
    let took = start.elapsed();
    assert!(balances.len() as u64 > 2 * makers, "two coins of every maker");
    took.as_secs_f64() * 1e9 / makers as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() -> ExitCode {
    let (few, many) = (1_000, 20_000);
    let stages = (stage(few), stage(many));
    let rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| (sweep(&stages.0, few), sweep(&stages.1, many))).collect();
    let (one_of_few, one_of_many) = rounds.into_iter().unzip();
    let (one_of_few, one_of_many) = (median(one_of_few), median(one_of_many));
    let ratio = one_of_many / one_of_few;
    println!("a maker in a sweep of {few}: {one_of_few:.0} ns, of {many}: {one_of_many:.0} ns, ratio {ratio:.2} (goal {GOAL})");
    if ratio <= GOAL { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
