//! The cost of five venues that send 50 tickers a second each: the CPU time of a thread with all five connections that takes a sample each
//! second, against the time that passed. The venues run on the loopback interface, without TLS, on their own threads.
//! `cargo run --release -p feed --features testing --example venues_bench`

use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use engine::Engine;
use engine::command::{Command, Entry, Genesis, Mode};
use engine::ids::Seq;
use engine::time::Time;
use feed::market::Market;
use feed::testing::{FakeVenue, now_ms};
use feed::venues::address::Addresses;
use feed::venues::live::{Live, Pace, Patience, WallClock};
use tokio::runtime;

/// Three pairs at this interval are 50 messages a second.
const EVERY: Duration = Duration::from_millis(60);
const WANTED_A_SECOND: f64 = 50.0;
const WARM_UP: Duration = Duration::from_secs(2);
const MEASURED: Duration = Duration::from_secs(10);
const ROUNDS: usize = 3;
/// Largest share of one core.
const GOAL: f64 = 0.03;

fn live_engine() -> Engine {
    let genesis = Genesis { mode: Mode::Live, catalog: Market::Live.catalog(), endowments: Vec::new() };
    let entry = Entry { seq: Seq(1), time: Time(now_ms()), request: None, command: Command::Genesis(Box::new(genesis)) };
    let mut engine = Engine::default();
    engine.apply(&entry, &mut Vec::new()).result.expect("a genesis");
    engine
}

fn taken(live: &Live) -> Vec<u64> {
    live.status().into_iter().map(|status| status.pairs.iter().map(|pair| pair.accepted).sum()).collect()
}

/// Share of a core, and the fewest messages that a venue sent in a second.
async fn measure(addresses: Addresses) -> Vec<(f64, f64)> {
    let engine = live_engine();
    let live = Live::start(&addresses, &WallClock::new(now_ms), Patience::default(), Pace::default());
    let mut second = tokio::time::interval(Duration::from_secs(1));
    let mut sample = async |live: &Live, length: Duration| {
        let began = Instant::now();
        while began.elapsed() < length {
            second.tick().await;
            assert!(live.sample(&engine).len() <= 1);
        }
    };
    sample(&live, WARM_UP).await;
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let (before, began, busy) = (taken(&live), Instant::now(), ThreadTime::now());
        sample(&live, MEASURED).await;
        let (passed, busy) = (began.elapsed().as_secs_f64(), busy.elapsed().as_secs_f64());
        let told = taken(&live).iter().zip(before).map(|(after, before)| (after - before) as f64 / passed).fold(f64::INFINITY, f64::min);
        rounds.push((busy / passed, told));
    }
    rounds
}

fn main() -> ExitCode {
    let venues = runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let started = venues.block_on(FakeVenue::all(EVERY));
    let mut addresses = Addresses::default();
    started.iter().for_each(|venue| addresses.add(&venue.option()).expect("an address"));
    let (done, measured) = mpsc::channel();
    thread::spawn(move || {
        let one = runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        done.send(one.block_on(measure(addresses))).expect("the main thread waits");
    });
    let mut rounds = measured.recv().expect("the thread measures");
    rounds.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (share, _) = rounds[ROUNDS / 2];
    let told = rounds.iter().map(|(_, told)| *told).fold(f64::INFINITY, f64::min);
    let (enough, met) = (told >= WANTED_A_SECOND * 0.95, share <= GOAL);
    println!("venues: each told at least {told:.1} tickers a second, {}", if enough { "enough" } else { "TOO FEW TO COUNT" });
    let verdict = if met { "met" } else { "MISSED" };
    println!("venues: {:.2} % of a core for five, goal {:.0} %: {verdict}", share * 100.0, GOAL * 100.0);
    if enough && met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
