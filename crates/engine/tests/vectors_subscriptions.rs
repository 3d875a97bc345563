//! The published cases of subscriptions. `MERIDIAN_VECTORS=<dir>` runs another set of the same form.

#![allow(clippy::unwrap_used, reason = "a case that cannot be read has failed")]

use engine::Engine;
use engine::amount::{Price, Rate};
use engine::backoffice::acts::{Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::{Asset, Catalog, Market, Wallet};
use engine::command::{Command, Genesis, Mode};
use engine::feature::Feature;
use engine::ids::{AssetId, Digest, MarketId, OfferingId, OperatorId, UserId};
use engine::ledger::HouseAccount;
use engine::listing::change::CatalogChange;
use engine::operators::approval::Reviewer;
use engine::reply::Reply;
use engine::subscriptions::formulas::{Issue, Tranche, released, share_after};
use engine::subscriptions::offering::{Commit, Terms};
use engine::time::Time;
use engine::units::Scales;
use serde_json::{Value, json};

#[path = "vectors/harness.rs"]
mod harness;
mod support;

use harness::{Expected, amount, check, number, text};

const USDT: AssetId = AssetId(3);
const BTC: AssetId = AssetId(1);
const TOKEN: AssetId = AssetId(101);
const OFFERING: OfferingId = OfferingId(11);
/// On ticks of the smallest price, steps are so large.
const LEAST: u64 = 10_000_000_000;
const MEMBER: UserId = UserId(1);

#[test]
fn vectors_subscriptions() {
    let operations = [("sub_allocate", sub_allocate as harness::Operation), ("sub_commit", sub_commit), ("sub_release", sub_release)];
    check("subscription.json", &operations);
}

fn sub_allocate(input: &Value) -> Expected {
    let scales = Scales { base: u8::try_from(number(&input["token_scale"])).unwrap(), quote: 6 };
    let issue = Issue { supply: number(&input["supply"]), price: Price(number(&input["price"])), scales };
    let commits: Vec<[u64; 3]> =
        input["commits"].as_array().unwrap().iter().map(|commit| [0, 1, 2].map(|at| number(&commit[at]))).collect();
    let total: u128 = commits.iter().map(|[_, value, _]| issue.wanted(*value).unwrap()).sum();
    let mut sold = 0;
    let rows: Vec<Value> = commits
        .iter()
        .map(|[id, value, paid]| {
            let allotted = issue.allot(*value, *paid, total).unwrap();
            sold += allotted.tokens;
            json!({
                "id": text(*id), "wanted": issue.wanted(*value).unwrap().to_string(), "tokens": text(allotted.tokens),
                "cost": text(allotted.cost), "charge": text(allotted.charge), "refund": text(allotted.refund),
            })
        })
        .collect();
    let oversubscribed = total > u128::from(issue.supply);
    Ok(json!({"oversubscribed": oversubscribed, "total_wanted": total.to_string(), "sold": text(sold), "rows": rows}))
}

fn sub_release(input: &Value) -> Expected {
    let tranche = |row: &Value| (u32::try_from(number(&row[0])).unwrap(), Rate(number(&row[1])));
    let schedule: Vec<Tranche> = input["schedule"].as_array().unwrap().iter().map(tranche).collect();
    Ok(json!({"released": text(released(number(&input["tokens"]), share_after(&schedule, number(&input["days"]))))}))
}

struct Fixture(Engine);

impl Fixture {
    fn at(&mut self, time: Time, command: Command) -> Result<Reply, String> {
        support::apply(&mut self.0, &mut Vec::new(), time, command).map_err(|reject| reject.name().to_owned())
    }

    fn agree(&mut self, time: Time, proposed: Proposed) {
        let mut act = |operator, act| {
            let by = Reviewer { operator: OperatorId(operator), member: None };
            self.at(time, Command::Operate(Box::new(Operate { by, act }))).unwrap()
        };
        let Reply::Proposal(proposal) = act(1, OperatorAct::Propose { proposed, reason: Digest([1; 32]) }) else { panic!() };
        act(2, OperatorAct::Confirm { proposal: proposal.id, hash: proposal.hash() });
    }

    fn pay(&mut self, time: Time, user: UserId, asset: AssetId, amount: u64) -> Result<Reply, String> {
        self.at(time, Command::CommitToOffering(Commit { user, offering: OFFERING, asset, amount }))
    }

    fn give(&mut self, time: Time, user: UserId, asset: AssetId, amount: u64) {
        if amount > 0 {
            self.at(time, Command::SandboxFaucet { user, asset, wallet: Wallet::Spot, amount }).unwrap();
        }
    }

    /// A new member commits this value and has nothing left.
    fn other(&mut self, time: Time, user: UserId, value: u64) {
        self.at(time, Command::RegisterMember { user, house: false }).unwrap();
        self.give(time, user, USDT, value);
        self.pay(time, user, USDT, value).unwrap();
    }
}

fn terms(input: &Value) -> Terms {
    let field = |name: &str| number(&input[name]);
    let like = Catalog::standard().markets[0].clone();
    Terms {
        id: OFFERING,
        token: Asset { id: TOKEN, code: "TOK".to_owned(), scale: 8, wallets: vec![Wallet::Spot], faucet_max: 0 },
        market: Market {
            id: MarketId(101),
            symbol: "TOK/USDT".to_owned(),
            base: TOKEN,
            tick: Price(1),
            step: LEAST,
            min_quantity: LEAST,
            ..like
        },
        supply: field("offer_value") * 100,
        price: Price(100_000_000),
        pay: vec![USDT, BTC],
        start: Time(field("start")),
        close: Time(field("close")),
        launch: Time(field("close")),
        release: vec![(7, Rate(100_000_000))],
        min: field("min_value"),
        user_cap: field("user_cap"),
        oversub: u32::try_from(field("oversub")).unwrap(),
    }
}

fn sub_commit(input: &Value) -> Expected {
    let [now, start] = ["now", "start"].map(|key| Time(number(&input[key])));
    let [value, before, total, available] = ["value", "user_value", "total_value", "avail"].map(|key| number(&input[key]));
    let paid = amount(&input["paid"])?;
    let early = Time(start.0 - 1_000);
    let mut fixture = Fixture(Engine::default());
    fixture.at(early, Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() })))?;
    for feature in [Feature::DueWork, Feature::Subscriptions] {
        fixture.at(early, Command::Activate(feature))?;
    }
    let terms = terms(input);
    let supply = terms.supply;
    fixture.agree(early, Proposed::ChangeCatalog { change: CatalogChange::Offering(Box::new(terms)), effective: Time(0) });
    let (from, to) = (HouseAccount::External, HouseAccount::SubEscrow);
    fixture.agree(early, Proposed::TreasuryMove { asset: TOKEN, from, to, amount: supply });
    fixture.at(early, Command::RegisterMember { user: MEMBER, house: false })?;
    // A payment in another coin has a value that differs from it.
    let coin = if value == paid || paid == 0 { USDT } else { BTC };
    let cap = number(&input["user_cap"]);
    if before > 0 {
        fixture.give(early, MEMBER, USDT, before);
        fixture.pay(start, MEMBER, USDT, before).unwrap();
    }
    let (mut left, mut user) = (total.saturating_sub(before), 2);
    while left > 0 {
        // No remainder is below the smallest commitment.
        let part = if left > cap && left < 2 * cap { left / 2 } else { left.min(cap) };
        fixture.other(start, UserId(user), part);
        (left, user) = (left - part, user + 1);
    }
    let total = fixture.0.offering(OFFERING).unwrap().committed;
    fixture.give(fixture.0.time(), MEMBER, coin, available);
    if coin == BTC {
        let price = value / 10_000 * 10_000 * 100;
        fixture.at(fixture.0.time().max(now), Command::SandboxPrice { market: MarketId(1), price: Price(price) })?;
    }
    fixture.pay(now, MEMBER, coin, paid)?;
    let after = fixture.0.offering(OFFERING).unwrap().committed;
    let left = fixture.0.balance(MEMBER, Wallet::Spot, coin).unwrap().available;
    assert_eq!(after - total, value);
    Ok(json!({"total_after": text(number(&input["total_value"]) + value), "avail_after": text(left)}))
}
