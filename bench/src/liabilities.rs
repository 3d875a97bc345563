//! The cost of the liabilities trees of a million members beside live trading: the time from copying their balances to the roots, and how
//! much more a trade costs meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use engine::Engine;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::ids::{AssetId, Digest, Seq, UserId};
use engine::liabilities::RecordLiabilities;
use engine::time::Time;

use crate::matching::bare_command;
use crate::report::{Ratios, Section};

const MEMBERS: u64 = 1_000_000;
const COMMANDS: usize = 200_000;
const START: Time = Time(1_767_225_600_000);
/// Longest time for the trees, seconds.
const MOST_SECONDS: f64 = 10.0;

/// Builds the trees once in each round.
pub fn run(rounds: usize) -> Section {
    let mut made = Ratios::new("trees of 1 million / 10 seconds", 1.0);
    let mut beside = Ratios::new("a trade beside them / alone (CPU)", 1.5);
    let engine = stage();
    let (mut seconds, mut copied) = (0.0, 0.0);
    for round in 0..rounds {
        let alone = bare_command(COMMANDS);
        let running = AtomicBool::new(true);
        let (trading, (copy, whole)) = thread::scope(|scope| {
            let trading = scope.spawn(|| trade_while(&running));
            let times = trees(&engine, round);
            running.store(false, Ordering::Relaxed);
            (trading.join().expect("trading goes on"), times)
        });
        (copied, seconds) = (copy, whole);
        made.add(whole / MOST_SECONDS);
        beside.add(trading / alone);
    }
    let note = format!("{MEMBERS} members with two coins each; {seconds:.2} s, of it {:.0} ms to copy the balances", copied * 1e3);
    Section { title: "Liabilities of a million members beside trading".to_owned(), note, ratios: vec![made, beside] }
}

/// CPU seconds of a command on a book that is traded for as long as the trees are being built.
fn trade_while(running: &AtomicBool) -> f64 {
    let (mut seconds, mut times) = (0.0, 0);
    while running.load(Ordering::Relaxed) || times == 0 {
        seconds += bare_command(COMMANDS);
        times += 1;
    }
    seconds / f64::from(times)
}

/// Seconds until the balances are copied, and until the roots are ready.
fn trees(engine: &Engine, round: usize) -> (f64, f64) {
    let start = Instant::now();
    let cut = engine.cut();
    let copied = start.elapsed().as_secs_f64();
    let (trees, record) = RecordLiabilities::of(cut, Digest([u8::try_from(round).unwrap_or(0); 32]));
    let seconds = start.elapsed().as_secs_f64();
    let users: Vec<u64> = record.coins.iter().map(|coin| coin.users).filter(|users| *users > 0).collect();
    assert_eq!(users, [MEMBERS, MEMBERS], "everybody is in the trees of both coins");
    let proven = trees.iter().filter_map(|tree| tree.proven(UserId(MEMBERS / 2))).count();
    assert_eq!(proven, 2);
    (copied, seconds)
}

/// A million members with two coins each.
fn stage() -> Engine {
    let mut engine = Engine::default();
    let mut apply = |command| {
        let entry = Entry { seq: Seq(engine.seq().0 + 1), time: START, request: None, command };
        engine.apply(&entry, &mut Vec::new()).result.expect("the set-up is sound");
    };
    apply(Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() })));
    for user in (1..=MEMBERS).map(UserId) {
        apply(Command::RegisterMember { user, house: false });
        for (asset, amount) in [(AssetId(1), 1_000 + user.0), (AssetId(3), 5_000_000 + user.0)] {
            apply(Command::SandboxFaucet { user, asset, wallet: Wallet::Spot, amount });
        }
    }
    engine
}
