//! A hundred seeds, each twice.

use sim::{Report, simulate};

const SEEDS: u64 = 100;
const COMMANDS: usize = 400;

/// Everything that the engine refuses; `E_QTY_MIN` cannot be: the smallest quantity of every listed pair is its step.
const REFUSALS: [&str; 25] = [
    "E_ACCOUNT",
    "E_AMOUNT",
    "E_ASSET",
    "E_BAND",
    "E_CLIENT_ID",
    "E_DUP_REQUEST",
    "E_FAUCET_MAX",
    "E_INSUFFICIENT",
    "E_MARKET",
    "E_MAX_ORDERS",
    "E_NOTIONAL_MAX",
    "E_NOTIONAL_MIN",
    "E_NOT_FOUND",
    "E_NO_LIQUIDITY",
    "E_OVERFLOW",
    "E_PATH",
    "E_POST_ONLY",
    "E_PRICE_STALE",
    "E_QTY_MAX",
    "E_STATE",
    "E_STEP",
    "E_STOP_SIDE",
    "E_TICK",
    "E_TIF",
    "E_TIME",
];

#[test]
fn a_hundred_seeds_agree_with_the_model_and_repeat_themselves() {
    let mut total = Report::default();
    for seed in 0..SEEDS {
        let report = simulate(seed, COMMANDS).unwrap_or_else(|failure| panic!("{failure}"));
        let again = simulate(seed, COMMANDS).unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(report, again, "seed {seed} does not repeat itself");
        total.add(&report);
    }
    println!("{total:?}");
    // A workload that stopped doing anything would pass everything.
    assert!(total.trades > 1_000 && total.triggered > 100, "too little happened: {total:?}");
    for name in REFUSALS {
        assert!(total.refused.contains_key(name), "{name} was never the answer: {total:?}");
    }
    assert!(total.faults > 100 && total.restarts > 200, "too few faults: {total:?}");
}

#[test]
fn another_seed_is_another_run() {
    assert_ne!(
        simulate(1, 50).unwrap_or_else(|failure| panic!("{failure}")).trace,
        simulate(2, 50).unwrap_or_else(|failure| panic!("{failure}")).trace
    );
}
