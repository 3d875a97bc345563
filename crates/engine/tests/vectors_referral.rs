//! The published cases of referral, played by whole days of trades, and what holds on any day. `MERIDIAN_VECTORS=<dir>` runs another set
//! of the same form.

#![allow(clippy::unwrap_used, reason = "a case that cannot be read has failed")]

use std::collections::{BTreeMap, BTreeSet};

use engine::Engine;
use engine::amount::{Price, Rate};
use engine::backoffice::acts::{Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::event::{AccountEvent, Event};
use engine::feature::Feature;
use engine::ids::{AssetId, Digest, MarketId, OperatorId, Seq, UserId};
use engine::listing::change::CatalogChange;
use engine::operators::approval::Reviewer;
use engine::referral::Rebate;
use engine::referral::leaderboard::{Leaderboard, Place};
use engine::reply::Reply;
use engine::security::ReferralRole;
use engine::spot::{OrderKind, PlaceSpotOrder, Side, TimeInForce};
use engine::time::{DAY_MS, Time};
use serde_json::{Value, json};

#[path = "vectors/harness.rs"]
mod harness;

use harness::{Expected, amount, check, number, text};

const START: Time = Time(1_767_225_600_000);
const BTC: AssetId = AssetId(1);
const USDT: AssetId = AssetId(3);
const PAIR: MarketId = MarketId(1);
/// Trades with everyone, and was not invited.
const OTHER: UserId = UserId(99);
/// The price at which 1 BTC and 100 USDT change hands: a rate of so many units is a fee of so many atoms of either.
const PRICE: Price = Price(10_000_000_000);

#[test]
fn vectors_referral() {
    check("referral.json", &[("rebate", rebate as harness::Operation), ("leaderboard", leaderboard)]);
}

struct Fixture {
    engine: Engine,
    events: Vec<Event>,
    users: BTreeMap<String, UserId>,
}

impl Fixture {
    fn new() -> Fixture {
        let mut fixture = Fixture { engine: Engine::default(), events: Vec::new(), users: BTreeMap::new() };
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        fixture.now(Command::Genesis(Box::new(genesis)));
        for feature in [Feature::DueWork, Feature::IndexRing] {
            fixture.now(Command::Activate(feature));
        }
        fixture.join(OTHER, None);
        fixture
    }

    fn at(&mut self, time: Time, command: Command) -> Reply {
        let entry = Entry { seq: Seq(self.engine.seq().0 + 1), time, request: None, command };
        let outcome = self.engine.apply(&entry, &mut self.events);
        self.engine.check_invariants().unwrap();
        outcome.result.unwrap()
    }

    fn now(&mut self, command: Command) -> Reply {
        self.at(Time(self.engine.time().0.max(START.0)), command)
    }

    fn join(&mut self, user: UserId, inviter: Option<UserId>) {
        self.now(inviter.map_or(Command::RegisterMember { user, house: false }, |inviter| Command::RegisterInvited { user, inviter }));
    }

    fn agree(&mut self, proposed: Proposed) {
        let by = |operator| Reviewer { operator: OperatorId(operator), member: None };
        let propose = OperatorAct::Propose { proposed, reason: Digest([1; 32]) };
        let Reply::Proposal(proposal) = self.now(Command::Operate(Box::new(Operate { by: by(1), act: propose }))) else { panic!() };
        let confirm = OperatorAct::Confirm { proposal: proposal.id, hash: proposal.hash() };
        self.now(Command::Operate(Box::new(Operate { by: by(2), act: confirm })));
    }

    /// Makes a member pay exactly this fee: it takes 1 BTC for 100 USDT at a rate of so many units, the other side pays none.
    fn pay(&mut self, user: UserId, asset: AssetId, fee: u64) {
        self.agree(Proposed::ChangeCatalog {
            change: CatalogChange::Fee { market: PAIR, maker: Rate(0), taker: Rate(fee) },
            effective: Time(0),
        });
        self.now(Command::SandboxPrice { market: PAIR, price: PRICE });
        let (taker, maker) = if asset == BTC { (Side::Buy, Side::Sell) } else { (Side::Sell, Side::Buy) };
        for (user, side) in [(OTHER, maker), (user, taker)] {
            for (asset, amount) in [(BTC, 100_000_000), (USDT, 100_000_000)] {
                self.now(Command::SandboxFaucet { user, asset, wallet: Wallet::Spot, amount });
            }
            let kind = OrderKind::Limit { price: PRICE, quantity: 100_000_000, time_in_force: TimeInForce::GoodTillCancelled };
            self.now(Command::PlaceSpotOrder(PlaceSpotOrder { user, market: PAIR, side, kind, client_order_id: None }));
        }
    }

    fn end_of_day(&mut self) -> Vec<Rebate> {
        self.events.clear();
        let next = Time((self.engine.time().day() + 1) * DAY_MS);
        self.at(next, Command::Clock);
        while self.engine.has_backlog() {
            self.at(next, Command::Clock);
        }
        let rebate = |event: &Event| match event {
            Event::Account(change) => {
                if let AccountEvent::RebatePaid(rebate) = &**change {
                    Some(*rebate)
                } else {
                    None
                }
            }
            _ => None,
        };
        self.events.iter().filter_map(rebate).collect()
    }
}

fn coin(code: &str) -> AssetId {
    if code == "BTC" { BTC } else { USDT }
}

fn code(asset: AssetId) -> &'static str {
    if asset == BTC { "BTC" } else { "USDT" }
}

fn rebate(input: &Value) -> Expected {
    let mut fixture = Fixture::new();
    let parents = input["parents"].as_object().unwrap();
    for (at, name) in (1..).zip('a'..='h') {
        let name = name.to_string();
        let inviter = parents.get(&name).map(|parent| fixture.users[parent.as_str().unwrap()]);
        fixture.join(UserId(at), inviter);
        fixture.users.insert(name, UserId(at));
    }
    for fee in input["fees"].as_array().unwrap() {
        let user = fixture.users[fee[0].as_str().unwrap()];
        fixture.pay(user, coin(fee[1].as_str().unwrap()), amount(&fee[2])?);
    }
    // The role at the end of the day applies to all of it (G-3).
    for (name, role) in input["roles"].as_object().unwrap() {
        let role = match role.as_str().unwrap() {
            "PARTNER" => ReferralRole::Partner,
            "PROMOTER" => ReferralRole::Promoter,
            _ => ReferralRole::User,
        };
        fixture.agree(Proposed::SetReferralRole { user: fixture.users[name], role });
    }
    // A rebate of 0 is in the cases but not in the log, because it is not posted.
    let key = |user: UserId, level: u64, asset: AssetId| {
        let name = fixture.users.iter().find(|(_, found)| **found == user).unwrap().0.clone();
        (name, level, code(asset))
    };
    let mut found: BTreeMap<_, u64> =
        fixture.engine.unsettled_fees().map(|fees| (key(fees.user, fees.level.number(), fees.asset), 0)).collect();
    let mut copy = Fixture { engine: fixture.engine.clone(), events: Vec::new(), users: BTreeMap::new() };
    for paid in copy.end_of_day() {
        found.insert(key(paid.user, paid.level.number(), paid.asset), paid.amount);
    }
    let rows: Vec<Value> = found.into_iter().map(|((name, level, code), amount)| json!([name, text(level), code, text(amount)])).collect();
    Ok(json!({ "rebates": rows }))
}

fn leaderboard(input: &Value) -> Expected {
    let mut board = Leaderboard::default();
    for row in input["rows"].as_array().unwrap() {
        let [user, total, verified, reached] = [0, 1, 2, 3].map(|at| number(&row[at]));
        let place = Place { user: UserId(user), total, verified: u32::try_from(verified).unwrap(), reached: Time(reached) };
        board.change(None, (total > 0).then_some(place));
    }
    let ranked: Vec<Value> = (1..).zip(board.top()).map(|(rank, place)| json!([text(rank), text(place.user.0)])).collect();
    Ok(json!({ "rank": ranked }))
}

/// A small generator of numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0 * 48_271 % 2_147_483_647;
        self.0 % bound
    }
}

#[test]
fn rebates_stay_below_their_share_the_graph_is_a_forest_and_ranks_are_unique() {
    for seed in 1..6 {
        let mut numbers = Numbers(seed);
        let mut fixture = Fixture::new();
        for user in 1..=20 {
            let inviter = (user > 1 && numbers.below(5) > 0).then(|| UserId(1 + numbers.below(user - 1)));
            fixture.join(UserId(user), inviter);
        }
        for day in 0..4 {
            let mut base: BTreeMap<AssetId, u64> = BTreeMap::new();
            for _ in 0..numbers.below(30) {
                let (user, asset, fee) =
                    (UserId(1 + numbers.below(20)), [BTC, USDT][usize::from(numbers.below(2) == 0)], 1 + numbers.below(40));
                *base.entry(asset).or_default() += fee;
                fixture.pay(user, asset, fee);
                if numbers.below(6) == 0 {
                    let role =
                        [ReferralRole::User, ReferralRole::Promoter, ReferralRole::Partner][usize::try_from(numbers.below(3)).unwrap()];
                    fixture.agree(Proposed::SetReferralRole { user: UserId(1 + numbers.below(20)), role });
                }
            }
            let mut paid: BTreeMap<AssetId, u64> = BTreeMap::new();
            let restored = Engine::restore(&fixture.engine.snapshot()).unwrap();
            assert_eq!(restored.state_hash(), fixture.engine.state_hash());
            let mut copy = Fixture { engine: restored, events: Vec::new(), users: BTreeMap::new() };
            let rebates = fixture.end_of_day();
            assert_eq!(copy.end_of_day(), rebates, "a restored engine settles the same");
            for rebate in rebates {
                *paid.entry(rebate.asset).or_default() += rebate.amount;
            }
            for (asset, paid) in paid {
                assert!(paid * 100 <= base[&asset] * 45, "seed {seed} day {day}: {paid} of {}", base[&asset]);
            }
            let ranked: Vec<UserId> = fixture.engine.leaderboard().map(|place| place.user).collect();
            assert_eq!(ranked.iter().collect::<BTreeSet<_>>().len(), ranked.len());
        }
        for user in 1..=20 {
            let line: Vec<UserId> = std::iter::successors(Some(UserId(user)), |user| fixture.engine.inviter(*user)).take(21).collect();
            assert!(line.len() <= 20 && line.iter().collect::<BTreeSet<_>>().len() == line.len(), "a circle: {line:?}");
        }
    }
}

#[test]
fn a_day_of_many_referrers_is_settled_in_slices_that_let_others_in_at_the_prices_of_its_end() {
    let mut fixture = Fixture::new();
    let pairs = 300;
    for pair in 0..pairs {
        fixture.join(UserId(1_000 + pair), None);
        fixture.join(UserId(2_000 + pair), Some(UserId(1_000 + pair)));
        fixture.pay(UserId(2_000 + pair), BTC, 10);
    }
    let midnight = Time((fixture.engine.time().day() + 1) * DAY_MS);
    fixture.events.clear();
    // More than a slice is due, so only a clock entry settles.
    fixture.at(midnight.plus(5), Command::SandboxPrice { market: PAIR, price: Price(20_000_000_000) });
    assert!(fixture.engine.has_backlog());
    assert_eq!(fixture.engine.unsettled_fees().count(), 300);
    fixture.at(midnight.plus(6), Command::Clock);
    assert_eq!(fixture.engine.unsettled_fees().count(), 300 - 256);
    let last = UserId(1_000 + pairs - 1);
    fixture.events.clear();
    let by = |operator| Reviewer { operator: OperatorId(operator), member: None };
    // The rest fits a slice and is settled with a proposal.
    let mut engine = fixture.engine.clone();
    let proposed = Proposed::SetReferralRole { user: last, role: ReferralRole::Partner };
    let propose = Command::Operate(Box::new(Operate { by: by(1), act: OperatorAct::Propose { proposed, reason: Digest([1; 32]) } }));
    let entry = Entry { seq: Seq(engine.seq().0 + 1), time: midnight.plus(7), request: None, command: propose };
    let mut events = Vec::new();
    engine.apply(&entry, &mut events).result.unwrap();
    assert_eq!(engine.unsettled_fees().count(), 0);
    let paid = |event: &Event| match event {
        Event::Account(change) => {
            if let AccountEvent::RebatePaid(rebate) = &**change {
                Some((rebate.amount, rebate.value, rebate.time))
            } else {
                None
            }
        }
        _ => None,
    };
    let rebates: Vec<_> = events.iter().filter_map(paid).collect();
    // Valued at the price known at midnight, not at the one that came before the slice.
    assert_eq!((rebates.len(), rebates[0]), (44, (2, 2, midnight)));
}
