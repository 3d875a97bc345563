//! The published cases of locked plans. `MERIDIAN_VECTORS=<dir>` runs another set of the same form.

#![allow(clippy::unwrap_used, reason = "a case that cannot be read has failed")]

use engine::Engine;
use engine::amount::Rate;
use engine::backoffice::acts::{Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Genesis, Mode};
use engine::feature::Feature;
use engine::ids::{AssetId, Digest, OperatorId, PlanId, PlanOrderId, UserId};
use engine::ledger::HouseAccount;
use engine::listing::change::CatalogChange;
use engine::operators::approval::Reviewer;
use engine::plans::order::{BuyPlan, PlanOrder, RedeemPlan, Terms};
use engine::plans::status::Status;
use engine::plans::terms::Plan;
use engine::reply::Reply;
use engine::time::Time;
use serde_json::{Value, json};

#[path = "vectors/harness.rs"]
mod harness;
mod support;

use harness::{Expected, amount, check, number, text};

const START: Time = Time(1_767_225_600_000);
const USDT: AssetId = AssetId(3);
const BUYER: UserId = UserId(1);
const OTHER: UserId = UserId(2);
const TREASURY: HouseAccount = HouseAccount::PlanTreasury;
/// A plan that the case lists.
const LISTED: PlanId = PlanId(99);

#[test]
fn vectors_plans() {
    let operations = [
        ("plan_buy", plan_buy as harness::Operation),
        ("plan_accrue", plan_accrue),
        ("plan_mature", plan_mature),
        ("plan_redeem", plan_redeem),
    ];
    check("plans.json", &operations);
}

fn terms(input: &Value) -> Terms {
    let damage = input.get("damage").map_or(400_000, number);
    Terms { cycle: days(&input["cycle"]), day_yield: Rate(number(&input["yield"])), damage: Rate(damage), agreement: 1 }
}

fn days(value: &Value) -> u32 {
    u32::try_from(number(value)).unwrap()
}

fn plan_accrue(input: &Value) -> Expected {
    let (terms, bought, now) = (terms(input), Time(number(&input["bought"])), Time(number(&input["now"])));
    let days = terms.days_earned(bought, now);
    let accrued = terms.accrued(number(&input["amount"]), days).unwrap();
    Ok(json!({"days": days.to_string(), "accrued": text(accrued), "maturity": text(terms.maturity(bought).0)}))
}

/// Bought and left alone: the figures of the order, and what moved.
fn plan_mature(input: &Value) -> Expected {
    let (terms, principal) = (terms(input), number(&input["amount"]));
    let mut fixture = Fixture::of(START, USDT, terms.accrued(principal, terms.cycle).unwrap());
    fixture.join(BUYER, USDT, principal);
    assert!(fixture.list(USDT, terms), "the terms of the case may be listed");
    let order = fixture.buy(LISTED, principal, true).unwrap();
    let (before, due) = (fixture.treasury(USDT), order.maturity());
    fixture.at(Time(due.0 - 1), Command::Clock).unwrap();
    assert_eq!(fixture.engine.plan_order(order.id).unwrap().status, Status::Hosting);
    fixture.at(due, Command::Clock).unwrap();
    let ended = fixture.engine.plan_order(order.id).unwrap().clone();
    let (after, ending) = (fixture.treasury(USDT), ended.ended.unwrap());
    assert_eq!((ended.status, ending.returned, fixture.available(USDT)), (Status::Completed, order.at_maturity(), ending.returned));
    Ok(json!({
        "interest": text(ending.interest), "payout": text(ending.returned),
        "treasury": (i128::from(after.0) - i128::from(before.0)).to_string(), "release": text(before.1 - after.1),
    }))
}

fn plan_redeem(input: &Value) -> Expected {
    let (terms, bought, now) = (terms(input), Time(number(&input["bought"])), Time(number(&input["now"])));
    let principal = number(&input["amount"]);
    let release = terms.accrued(principal, terms.cycle).unwrap();
    let found = terms.redemption(principal, bought, now);
    let treasury = redeemed(terms, principal, (bought, now));
    let Some(found) = found else {
        assert_eq!(treasury, Some(Err("E_STATE".to_owned())));
        return Err("E_STATE".to_owned());
    };
    let gained = i128::from(found.deduction) - i128::from(found.interest);
    let expected = Ok((found.payout, gained, release));
    // A plan that must not be listed is computed all the same.
    assert!(treasury.is_none_or(|moved| moved == expected));
    Ok(json!({
        "days": found.days.to_string(), "remaining": found.remaining.to_string(), "interest": text(found.interest),
        "damages": text(found.damages), "penalty": text(found.penalty), "deduction": text(found.deduction),
        "payout": text(found.payout), "treasury": gained.to_string(), "release": text(release),
    }))
}

/// The amounts that the engine moves: to the owner, to the treasury, and out of its reserve; `None` for terms that must not be listed.
fn redeemed(terms: Terms, principal: u64, (bought, now): (Time, Time)) -> Option<Result<(u64, i128, u64), String>> {
    let mut fixture = Fixture::of(bought, USDT, terms.accrued(principal, terms.cycle).unwrap());
    fixture.join(BUYER, USDT, principal);
    fixture.list(USDT, terms).then_some(())?;
    let order = fixture.buy(LISTED, principal, true).unwrap();
    let before = fixture.treasury(USDT);
    let redeem = RedeemPlan { user: BUYER, order: order.id, max_deduction: None };
    let preview = fixture.engine.redemption(BUYER, order.id);
    assert!(preview.is_ok(), "{preview:?}");
    Some(fixture.at(now, Command::RedeemPlan(redeem)).map(|reply| {
        let Reply::Plan(order) = reply else { panic!() };
        let (after, ended) = (fixture.treasury(USDT), order.ended.unwrap());
        assert_eq!((order.status, ended.returned), (Status::Redeemed, fixture.available(USDT)));
        (ended.returned, i128::from(after.0) - i128::from(before.0), before.1 - after.1)
    }))
}

struct Fixture {
    engine: Engine,
}

impl Fixture {
    fn of(start: Time, asset: AssetId, treasury: u64) -> Fixture {
        let mut fixture = Fixture { engine: Engine::default() };
        let endowments = if treasury == 0 { Vec::new() } else { vec![(TREASURY, asset, treasury)] };
        let mut catalog = Catalog::standard();
        catalog.assets.iter_mut().for_each(|asset| asset.faucet_max = 1 << 59);
        let genesis = Genesis { mode: Mode::Sandbox, catalog, endowments };
        fixture.at(start, Command::Genesis(Box::new(genesis))).unwrap();
        for feature in [Feature::DueWork, Feature::Plans] {
            fixture.now(Command::Activate(feature)).unwrap();
        }
        fixture
    }

    fn at(&mut self, time: Time, command: Command) -> Result<Reply, String> {
        support::apply(&mut self.engine, &mut Vec::new(), time, command).map_err(|reject| reject.name().to_owned())
    }

    fn now(&mut self, command: Command) -> Result<Reply, String> {
        self.at(self.engine.time(), command)
    }

    fn join(&mut self, user: UserId, asset: AssetId, funds: u64) {
        self.now(Command::RegisterMember { user, house: false }).unwrap();
        if funds > 0 {
            self.now(Command::SandboxFaucet { user, asset, wallet: Wallet::Earn, amount: funds }).unwrap();
        }
    }

    /// Lists a plan of any size; false if it may not be listed.
    fn list(&mut self, asset: AssetId, terms: Terms) -> bool {
        let plan = Plan { id: LISTED, asset, terms, min: 1, max: 1 << 50, on: true };
        let by = |operator| Reviewer { operator: OperatorId(operator), member: None };
        let operate = |operator, act| Command::Operate(Box::new(Operate { by: by(operator), act }));
        let proposed = Proposed::ChangeCatalog { change: CatalogChange::Plan(plan), effective: Time(0) };
        match self.now(operate(1, OperatorAct::Propose { proposed, reason: Digest([1; 32]) })) {
            Ok(Reply::Proposal(proposal)) => {
                self.now(operate(2, OperatorAct::Confirm { proposal: proposal.id, hash: proposal.hash() })).unwrap();
                true
            }
            Err(name) => {
                assert_eq!(name, "E_CATALOG");
                false
            }
            other => panic!("{other:?}"),
        }
    }

    fn buy(&mut self, plan: PlanId, amount: u64, agreed: bool) -> Result<PlanOrder, String> {
        let Reply::Plan(order) = self.now(Command::BuyPlan(BuyPlan { user: BUYER, plan, amount, agreed, rule: None }))? else { panic!() };
        assert_eq!(order.id, PlanOrderId(self.engine.seq().0));
        Ok(*order)
    }

    /// Balance and reserve.
    fn treasury(&self, asset: AssetId) -> (u64, u64) {
        let exposure = self.engine.exposure(TREASURY, asset);
        (exposure.balance, exposure.reserved)
    }

    fn available(&self, asset: AssetId) -> u64 {
        self.engine.balance(BUYER, Wallet::Earn, asset).unwrap().available
    }
}

fn plan_buy(input: &Value) -> Expected {
    let principal = amount(&input["amount"])?;
    let [available, treasury, reserved] = ["avail", "treasury", "reserved"].map(|key| number(&input[key]));
    let asset = AssetId(match input["asset"].as_str().unwrap() {
        "BTC" => 1,
        "ETH" => 2,
        "USDT" => 3,
        _ => 4,
    });
    let mut fixture = Fixture::of(START, asset, treasury);
    fixture.join(BUYER, asset, available);
    fixture.join(OTHER, asset, reserved * 10);
    if reserved > 0 {
        // A tenth of the principal for one day.
        fixture.list(asset, Terms { cycle: 1, day_yield: Rate(10_000_000), damage: Rate(0), agreement: 1 });
        fixture.now(Command::BuyPlan(BuyPlan { user: OTHER, plan: LISTED, amount: reserved * 10, agreed: true, rule: None })).unwrap();
    }
    assert_eq!(fixture.treasury(asset), (treasury, reserved));
    let cycle = days(&input["cycle"]);
    let meant =
        fixture.engine.plans().map(|listed| listed.plan).find(|plan| plan.id != LISTED && (plan.asset, plan.terms.cycle) == (asset, cycle));
    let plan = meant.map_or(PlanId(77), |plan| plan.id);
    let order = fixture.buy(plan, principal, input["agreed"].as_bool().unwrap())?;
    let balance = fixture.engine.balance(BUYER, Wallet::Earn, asset).unwrap();
    Ok(json!({
        "total_interest": text(order.interest), "reserved_after": text(fixture.treasury(asset).1), "avail_after": text(balance.available),
        "frozen": text(balance.held),
    }))
}
