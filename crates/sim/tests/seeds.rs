//! Five hundred seeds, the first hundred of them twice.

use sim::{Report, kinds, simulate};

const SEEDS: u64 = 500;
const REPEATED: u64 = 100;
const COMMANDS: usize = 700;

/// Everything that the engine refuses, except `E_ADDRESS_MAX` (a seed is too short for 21 addresses) and `E_LIQ_AT_OPEN` (only at a price
/// of a few ticks), which scenarios cover. `E_FLASH_DAY` needs a dozen large conversions of one member in a day; the scenario
/// `conversions/day.txt` covers it.
const REFUSALS: [&str; 90] = [
    "E_2FA_REQUIRED",
    "E_2FA_WRONG",
    "E_ACCOUNT",
    "E_ACCOUNT_FROZEN",
    "E_ADDRESS_DUP",
    "E_ADDRESS_UNSET",
    "E_AGREEMENT",
    "E_AMOUNT",
    "E_ASSET",
    "E_BAND",
    "E_CARD_DUP",
    "E_CARD_MAX",
    "E_CATALOG",
    "E_CHAIN",
    "E_CLAIM_LIMIT",
    "E_CLIENT_ID",
    "E_CODE",
    "E_CODE_LOCKED",
    "E_CONFIRMATIONS",
    "E_COOLDOWN_ADDRESS",
    "E_COOLDOWN_SECURITY",
    "E_CYCLE",
    "E_DEBT_MOVED",
    "E_DEPOSIT_MIN",
    "E_DISABLED",
    "E_DUP_REQUEST",
    "E_DUP_TX",
    "E_DURATION",
    "E_FAUCET_MAX",
    "E_FLASH_MAX",
    "E_FLASH_MIN",
    "E_FREE_SHORT",
    "E_FUNDPW_LOCKED",
    "E_FUNDPW_UNSET",
    "E_FUNDPW_WRONG",
    "E_INSUFFICIENT",
    "E_KYC_BASIC",
    "E_KYC_DUP",
    "E_KYC_LIMIT",
    "E_LEVERAGE",
    "E_LOAN_MAX",
    "E_LOAN_MIN",
    "E_LOTS",
    "E_LOTS_MAX",
    "E_LTV",
    "E_MARKET",
    "E_MAX_ORDERS",
    "E_NOTIONAL_MAX",
    "E_NOTIONAL_MIN",
    "E_NOT_FOUND",
    "E_NO_LIQUIDITY",
    "E_OPEN_LIMIT",
    "E_OVERFLOW",
    "E_PATH",
    "E_PAY_CURRENCY",
    "E_PLAN_MAX",
    "E_PLAN_MIN",
    "E_POOL_LOSS_LIMIT",
    "E_POOL_SHORT",
    "E_POST_ONLY",
    "E_PRICE_MOVED",
    "E_PRICE_STALE",
    "E_QTY_MAX",
    "E_QTY_MIN",
    "E_QUOTE_EXPIRED",
    "E_SAME_ASSET",
    "E_SAME_OPERATOR",
    "E_SELF_LIMIT",
    "E_SELF_REVIEW",
    "E_SL",
    "E_STAKE_MAX",
    "E_STAKE_MIN",
    "E_SOLD_OUT",
    "E_STATE",
    "E_STEP",
    "E_STOP_SIDE",
    "E_SUB_MIN",
    "E_TERMS",
    "E_TICK",
    "E_TIER",
    "E_TIF",
    "E_TIME",
    "E_TP",
    "E_TREASURY_SHORT",
    "E_USER_CAP",
    "E_VERSION",
    "E_WINDOW",
    "E_WITHDRAW_COUNT",
    "E_WITHDRAW_LIMIT",
    "E_WITHDRAW_MIN",
];

/// The sums over these seeds.
fn sum(seeds: impl Iterator<Item = u64>) -> Report {
    let mut total = Report::default();
    for seed in seeds {
        let report = simulate(seed, COMMANDS).unwrap_or_else(|failure| panic!("{failure}"));
        if seed < REPEATED {
            let again = simulate(seed, COMMANDS).unwrap_or_else(|failure| panic!("{failure}"));
            assert_eq!(report, again, "seed {seed} does not repeat itself");
        }
        total.add(&report);
    }
    total
}

#[test]
fn five_hundred_seeds_agree_with_the_model_and_repeat_themselves() {
    // Half of them on another processor.
    let total = std::thread::scope(|scope| {
        let odd = scope.spawn(|| sum((1..SEEDS).step_by(2)));
        let mut total = sum((0..SEEDS).step_by(2));
        total.add(&odd.join().unwrap_or_else(|cause| std::panic::resume_unwind(cause)));
        total
    });
    println!("{total:?}");
    // A workload that did nothing would pass everything.
    assert!(total.trades > 1_000 && total.triggered > 100, "too little happened: {total:?}");
    assert!(total.withdrawn > 20 && total.deposited > 50 && total.proposals > 50, "too little came in or went out: {total:?}");
    for name in REFUSALS {
        assert!(total.refused.contains_key(name), "{name} was never the answer: {total:?}");
    }
    for name in kinds::all() {
        assert!(total.done.contains_key(name), "{name} was never done: {total:?}");
    }
    assert!(total.given_back > 0 && total.limits > 20, "too little was retired or limited: {total:?}");
    assert!(total.faults > 100 && total.restarts > 200, "too few faults: {total:?}");
}

#[test]
fn another_seed_is_another_run() {
    assert_ne!(
        simulate(1, 50).unwrap_or_else(|failure| panic!("{failure}")).trace,
        simulate(2, 50).unwrap_or_else(|failure| panic!("{failure}")).trace
    );
}
