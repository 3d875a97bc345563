//! The memory that the engine needs for the key of an answered request while it may be repeated.

use engine::Engine;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode, Request};
use engine::feature::Feature;
use engine::ids::{AssetId, Seq, UserId};
use engine::time::Time;

use crate::http::Outcome;
use crate::report::{Ratios, Section};

const KEYS: u64 = 1_000_000;
const MEMBERS: u64 = 1_000;

/// Every round keeps its engine, so none reuses the memory of another. Must run before the parts that free memory.
pub fn run(rounds: usize) -> Outcome<Section> {
    let mut bytes = Ratios::new("bytes a kept request key", 64.0);
    let mut engines = Vec::new();
    for _ in 0..rounds {
        let mut engine = set_up();
        let before = resident()?;
        // These commands are refused, so only their keys are kept.
        let command = |key: u64| Command::Transfer {
            user: UserId(100 + key % MEMBERS),
            asset: AssetId(3),
            from: Wallet::Spot,
            to: Wallet::Futures,
            amount: 1,
        };
        (0..KEYS).for_each(|key| apply(&mut engine, Some(request(key)), command(key)));
        bytes.add((resident()? - before) / KEYS as f64);
        engines.push(engine);
    }
    let note = format!("{KEYS} keys of {MEMBERS} members; growth of the resident memory of this process");
    Ok(Section { title: "Answered requests".to_owned(), note, ratios: vec![bytes] })
}

fn set_up() -> Engine {
    let mut engine = Engine::default();
    apply(
        &mut engine,
        None,
        Command::Genesis(Box::new(Genesis { mode: Mode::Live, catalog: Catalog::standard(), endowments: Vec::new() })),
    );
    Feature::ALL.into_iter().for_each(|feature| apply(&mut engine, None, Command::Activate(feature)));
    (0..MEMBERS).for_each(|member| apply(&mut engine, None, Command::RegisterMember { user: UserId(100 + member), house: false }));
    engine
}

fn apply(engine: &mut Engine, request: Option<Request>, command: Command) {
    let entry = Entry { seq: Seq(engine.seq().0 + 1), time: Time(engine.seq().0), request, command };
    engine.apply(&entry, &mut Vec::new());
}

/// As evenly spread as the server's hashes.
fn request(number: u64) -> Request {
    let mut rng = fastrand::Rng::with_seed(number);
    Request { key: rng.u128(..), content: rng.u128(..) }
}

/// Resident memory of this process, bytes.
pub fn resident() -> Outcome<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let (_, memory) = status.split_once("VmRSS:").ok_or("no memory")?;
    Ok(memory.split_whitespace().next().ok_or("no memory")?.parse::<f64>()? * 1_024.0)
}
