//! The catalog's check, figure by figure: what is just allowed, and what is not any more (0.1, U-1, 0.6).

#![allow(clippy::unwrap_used, reason = "a state that cannot be reached has failed")]
use engine::amount::{MAX_AMOUNT, MAX_PRICE, MAX_RATE, Price, RATE_ONE, Rate};
use engine::catalog::funding::FundingTerms;
use engine::catalog::{Catalog, IndexOrigin};
use engine::ids::{AssetId, MarketId};

type Change = fn(&mut Catalog);

/// The standard catalog with a change: `None` if it is sound.
fn fault(change: Change) -> Option<String> {
    let mut catalog = Catalog::standard();
    change(&mut catalog);
    catalog.fault()
}

#[track_caller]
fn sound(changes: &[Change]) {
    let faults: Vec<(usize, String)> = changes.iter().enumerate().filter_map(|(at, change)| Some((at, fault(*change)?))).collect();
    assert_eq!(faults, []);
}

#[track_caller]
fn refused(why: &str, changes: &[Change]) {
    let other = |(at, change): (usize, &Change)| fault(*change).filter(|fault| fault == why).is_none().then_some(at);
    assert_eq!(changes.iter().enumerate().filter_map(other).collect::<Vec<_>>(), [] as [usize; 0], "each should be: {why}");
}

#[test]
fn coins() {
    sound(&[|c| c.assets[0].faucet_max = MAX_AMOUNT - 1, |c| c.assets[0].faucet_max = 0]);
    refused("BTC: scale or faucet", &[|c| c.assets[0].scale = 9, |c| c.assets[0].faucet_max = MAX_AMOUNT]);
}

#[test]
fn pairs() {
    sound(&[
        |c| c.markets[0].max_quantity = c.markets[0].min_quantity,
        |c| c.markets[0].max_quantity = MAX_AMOUNT - 1_000,
        |c| c.markets[0].max_notional = c.markets[0].min_notional,
        |c| c.markets[0].max_notional = MAX_AMOUNT - 1,
        |c| (c.markets[0].maker_fee, c.markets[0].taker_fee) = (Rate(RATE_ONE), Rate(RATE_ONE)),
        |c| c.markets[0].band_buy = (Rate(MAX_RATE), Rate(MAX_RATE)),
        |c| c.markets[0].band_sell = (Rate(0), Rate(MAX_RATE)),
        // One step at one tick is worth exactly 2^31 - 1 quote atoms.
        |c| {
            (c.markets[0].tick, c.markets[0].step) = (Price(10_000_000_000), (1 << 31) - 1);
            (c.markets[0].min_quantity, c.markets[0].max_quantity) = (c.markets[0].step, c.markets[0].step);
        },
    ]);
    refused("BTC/USDT: unknown coin", &[|c| c.markets[0].base = AssetId(99), |c| c.markets[0].quote = AssetId(99)]);
    refused(
        "BTC/USDT: tick times step is no whole number of quote atoms",
        &[
            |c| c.markets[0].tick = Price(0),
            |c| c.markets[0].tick = MAX_PRICE,
            |c| c.markets[0].step = 0,
            |c| (c.markets[0].tick, c.markets[0].step) = (Price(1), MAX_AMOUNT),
            |c| c.markets[0].step = 999,
            |c| (c.markets[0].tick, c.markets[0].step) = (Price(10_000_000_000), 1 << 31),
        ],
    );
    refused(
        "BTC/USDT: quantity filters",
        &[
            |c| c.markets[0].min_quantity = 1_001,
            |c| c.markets[0].max_quantity = 1_001,
            |c| c.markets[0].min_quantity = 0,
            |c| c.markets[0].min_quantity = c.markets[0].max_quantity + 1_000,
        ],
    );
    refused("BTC/USDT: value filters", &[|c| c.markets[0].min_notional = 0, |c| c.markets[0].min_notional = c.markets[0].max_notional + 1]);
    refused(
        "BTC/USDT: bounds",
        &[
            |c| c.markets[0].max_quantity = MAX_AMOUNT,
            |c| c.markets[0].max_notional = MAX_AMOUNT,
            |c| c.markets[0].band_buy = (Rate(2), Rate(1)),
            |c| c.markets[0].band_sell = (Rate(2), Rate(1)),
            |c| c.markets[0].band_buy.1 = Rate(MAX_RATE + 1),
            |c| c.markets[0].band_sell.1 = Rate(MAX_RATE + 1),
        ],
    );
    refused("BTC/USDT: fees", &[|c| c.markets[0].maker_fee = Rate(RATE_ONE + 1), |c| c.markets[0].taker_fee = Rate(RATE_ONE + 1)]);
}

#[test]
fn indices() {
    let names = |count| IndexOrigin::Sources(vec![String::from("a"); count]);
    let mut catalog = Catalog::standard();
    for (count, is_sound) in [(1, true), (255, true), (0, false), (256, false)] {
        catalog.indices[0].origin = names(count);
        assert_eq!(catalog.fault().is_none(), is_sound, "{count} sources");
    }
    let cross = |numerator, denominator| IndexOrigin::Cross { numerator: MarketId(numerator), denominator: MarketId(denominator) };
    for (origin, is_sound) in [(cross(1, 3), true), (cross(1, 4), false), (cross(5, 3), false), (cross(99, 3), false)] {
        let mut catalog = Catalog::standard();
        catalog.indices[3].origin = origin;
        assert_eq!(catalog.fault(), (!is_sound).then(|| "index of pair 4".to_owned()));
    }
    sound(&[|c| c.indices[0].tick = Price(1), |c| c.indices[0].tick = Price(MAX_PRICE.0 - 1)]);
    refused("index of pair 1", &[|c| c.indices[0].tick = Price(0), |c| c.indices[0].tick = MAX_PRICE]);
    refused("index of pair 99", &[|c| c.indices[5].market = MarketId(99)]);
}

#[test]
fn networks() {
    sound(&[
        |c| c.funding.networks[2].deposit_min = 1,
        |c| c.funding.networks[2].deposit_min = MAX_AMOUNT - 1,
        |c| c.funding.networks[2].withdraw_min = c.funding.networks[2].withdraw_fee + 1,
        |c| c.funding.networks[2].withdraw_min = MAX_AMOUNT - 1,
        |c| c.funding.networks[2].confirmations = 1,
    ]);
    refused(
        "coin 3 on TRC20",
        &[
            |c| c.funding.networks[2].deposit_min = 0,
            |c| c.funding.networks[2].deposit_min = MAX_AMOUNT,
            |c| c.funding.networks[2].withdraw_min = c.funding.networks[2].withdraw_fee,
            |c| c.funding.networks[2].withdraw_min = MAX_AMOUNT,
            |c| c.funding.networks[2].confirmations = 0,
            |c| c.funding.networks.push(c.funding.networks[2]),
        ],
    );
    refused("coin 99 on TRC20", &[|c| c.funding.networks[2].asset = AssetId(99)]);
}

#[test]
fn bank_transfers() {
    sound(&[
        |c| c.funding.bank.deposit_min_cents = 1,
        |c| c.funding.bank.deposit_min_cents = c.funding.bank.deposit_max_cents,
        |c| c.funding.bank.deposit_max_cents = MAX_AMOUNT / 10_000 - 1,
        |c| (c.funding.bank.deposit_rate, c.funding.bank.payout_rate) = (Price(1), Price(1)),
        |c| (c.funding.bank.deposit_rate, c.funding.bank.payout_rate) = (Price(MAX_PRICE.0 - 1), Price(MAX_PRICE.0 - 1)),
        |c| c.funding.bank.withdraw_fee_min = c.funding.bank.withdraw_min - 1,
        |c| c.funding.bank.withdraw_min = MAX_AMOUNT - 1,
        |c| c.funding.bank.withdraw_fee = Rate(RATE_ONE - 3),
    ]);
    refused(
        "bank terms",
        &[
            |c| c.funding.bank.asset = AssetId(99),
            |c| c.funding.bank.deposit_min_cents = 0,
            |c| c.funding.bank.deposit_min_cents = c.funding.bank.deposit_max_cents + 1,
            |c| c.funding.bank.deposit_max_cents = MAX_AMOUNT / 10_000,
            |c| c.funding.bank.deposit_rate = Price(0),
            |c| c.funding.bank.payout_rate = Price(0),
            |c| c.funding.bank.deposit_rate = MAX_PRICE,
            |c| c.funding.bank.payout_rate = MAX_PRICE,
            |c| c.funding.bank.withdraw_fee_min = c.funding.bank.withdraw_min,
            |c| c.funding.bank.withdraw_fee = Rate(RATE_ONE),
            |c| c.funding.bank.withdraw_fee = Rate(u64::MAX),
            |c| c.funding.bank.withdraw_min = MAX_AMOUNT,
        ],
    );
}

#[test]
fn limits() {
    sound(&[
        |c| c.funding.limits.withdraw_day_basic = c.funding.limits.withdraw_day_advanced,
        |c| c.funding.limits.withdraw_day_advanced = MAX_AMOUNT - 1,
        |c| c.funding.limits.deposit_unattended_below = MAX_AMOUNT - 1,
        |c| c.funding.limits.hand_entry_max[0].1 = MAX_AMOUNT - 1,
        |c| (c.funding.limits.withdrawals_per_day, c.funding.limits.open_claims) = (1, 1_000),
        |c| (c.funding.limits.addresses, c.funding.limits.cards) = (1_000, 1),
        // Terms of a log whose genesis says nothing about external money.
        |c| c.funding = FundingTerms::default(),
        |c| (c.assets, c.markets, c.indices, c.funding) = (Vec::new(), Vec::new(), Vec::new(), FundingTerms::default()),
    ]);
    refused(
        "limits",
        &[
            |c| c.funding.limits.withdraw_day_basic = c.funding.limits.withdraw_day_advanced + 1,
            |c| c.funding.limits.withdraw_day_advanced = MAX_AMOUNT,
            |c| c.funding.limits.deposit_unattended_below = MAX_AMOUNT,
            |c| c.funding.limits.hand_entry_max[0].1 = MAX_AMOUNT,
            |c| c.funding.limits.hand_entry_max[0].0 = AssetId(99),
            |c| c.funding.limits.withdrawals_per_day = 0,
            |c| c.funding.limits.open_claims = 1_001,
            |c| c.funding.limits.addresses = 0,
            |c| c.funding.limits.cards = 1_001,
        ],
    );
}
