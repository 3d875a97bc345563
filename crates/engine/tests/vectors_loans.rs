//! The published cases of loans (7). `MERIDIAN_VECTORS=<dir>` runs another set of the same form.
//!
//! An application, a repayment and what a loan costs go through an engine; what is a pure formula is one here.

#![allow(clippy::unwrap_used, reason = "a case that cannot be read has failed")]

use std::collections::BTreeMap;

use engine::Engine;
use engine::amount::{Price, Rate};
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Genesis, Mode};
use engine::feature::Feature;
use engine::identity::KycLevel;
use engine::ids::{AssetId, Digest, LoanId, LoanProductId, MarketId, OperatorId, SubmissionId, UserId};
use engine::ledger::HouseAccount;
use engine::listing::change::CatalogChange;
use engine::loans::formulas::{Debt, Level, Shares, level, sell, smallest_collateral, value};
use engine::loans::loan::{ApplyForLoan, Loan};
use engine::loans::status::Status;
use engine::loans::terms::{LoanProduct, LoanTerms};
use engine::operators::approval::Reviewer;
use engine::reply::Reply;
use engine::time::Time;
use engine::units::{Base, Scales, rate_down};
use serde_json::{Value, json};

#[path = "vectors/harness.rs"]
mod harness;
mod support;

use harness::{Expected, amount, check, number, text};

const START: Time = Time(1_767_225_600_000);
const BTC: AssetId = AssetId(1);
const USDT: AssetId = AssetId(3);
const PAIR: MarketId = MarketId(1);
const BORROWER: UserId = UserId(1);
const OTHER: UserId = UserId(2);
const SCALES: Scales = Scales { base: 8, quote: 6 };

#[test]
fn vectors_loans() {
    let operations = [
        ("loan_run", loan_run as harness::Operation),
        ("loan_collateral", loan_collateral),
        ("loan_apply", loan_apply),
        ("loan_level", loan_level),
        ("loan_liquidate", loan_liquidate),
    ];
    check("loans.json", &operations);
}

fn loan_collateral(input: &Value) -> Expected {
    let (amount, price) = (number(&input["amount"]), Price(number(&input["price"])));
    assert_eq!(number(&input["cs"]), 8);
    let start = LoanTerms::standard().shared.start;
    let collateral = smallest_collateral(Debt(amount), price, start, SCALES).unwrap();
    let most = rate_down(value(collateral, price, SCALES).0, start).unwrap();
    Ok(json!({"collateral": text(collateral.0), "max_loan": text(most)}))
}

fn loan_liquidate(input: &Value) -> Expected {
    let [debt, collateral, price] = ["debt", "coll", "price"].map(|key| number(&input[key]));
    let debt = Debt(debt);
    let sale = sell(debt, Base(collateral), Price(price), LoanTerms::standard().shared.liquidation_fee, SCALES);
    Ok(json!({
        "fee": text(sale.fee), "sold": text(sale.sold.0), "value": text(sale.value.0), "returned": text(sale.returned.0),
        "shortfall": text(sale.shortfall(debt)), "fee_covered": text(sale.covered_fee(debt)),
    }))
}

struct Fixture {
    engine: Engine,
}

impl Fixture {
    /// A verified member, with this amount in the treasury.
    fn new(treasury: u64) -> Fixture {
        let mut fixture = Fixture { engine: Engine::default() };
        let endowments = if treasury == 0 { Vec::new() } else { vec![(HouseAccount::LoanTreasury, USDT, treasury)] };
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments };
        fixture.now(Command::Genesis(Box::new(genesis))).unwrap();
        for feature in [Feature::DueWork, Feature::IndexRing, Feature::Loans] {
            fixture.now(Command::Activate(feature)).unwrap();
        }
        for user in [BORROWER, OTHER] {
            fixture.now(Command::RegisterMember { user, house: false }).unwrap();
            let id = SubmissionId(fixture.engine.seq().0 + 1);
            let document = Digest([user.0 as u8; 32]);
            fixture.now(Command::SubmitIdentity { user, level: KycLevel::Basic, document, content: document }).unwrap();
            fixture.decide(Item::Identity(id));
        }
        fixture
    }

    fn at(&mut self, time: Time, command: Command) -> Result<Reply, String> {
        support::apply(&mut self.engine, &mut Vec::new(), time, command).map_err(|reject| reject.name().to_owned())
    }

    fn now(&mut self, command: Command) -> Result<Reply, String> {
        self.at(Time(self.engine.time().0.max(START.0)), command)
    }

    fn operate(&mut self, operator: u32, act: OperatorAct) -> Reply {
        let by = Reviewer { operator: OperatorId(operator), member: None };
        self.now(Command::Operate(Box::new(Operate { by, act }))).unwrap()
    }

    fn decide(&mut self, item: Item) {
        for operator in [1, 2] {
            let seen = match item {
                Item::Loan(id) => self.engine.loan(id).filter(|loan| loan.status == Status::Pending).map(Loan::seen),
                Item::Identity(id) => self.engine.submission(id).filter(|_| operator == 1).map(|papers| papers.seen()),
                _ => None,
            };
            if let Some(seen) = seen {
                self.operate(operator, OperatorAct::Decide { item, decision: Decision::Approve, seen });
            }
        }
    }

    fn change(&mut self, change: CatalogChange) {
        let proposed = Proposed::ChangeCatalog { change, effective: Time(0) };
        let Reply::Proposal(proposal) = self.operate(1, OperatorAct::Propose { proposed, reason: Digest([1; 32]) }) else { panic!() };
        self.operate(2, OperatorAct::Confirm { proposal: proposal.id, hash: proposal.hash() });
    }

    fn pays(&mut self, user: UserId, asset: AssetId, amount: u64) {
        let most = self.engine.catalog().asset(asset).unwrap().faucet_max;
        let mut left = amount;
        while left > 0 {
            let amount = left.min(most);
            self.now(Command::SandboxFaucet { user, asset, wallet: Wallet::Spot, amount }).unwrap();
            left -= amount;
        }
    }

    fn price(&mut self, price: u64) {
        let time = Time(self.engine.time().0.max(START.0));
        self.at(time, Command::SandboxPrice { market: PAIR, price: Price(price) }).unwrap();
    }

    fn available(&self, asset: AssetId) -> u64 {
        self.engine.balance(BORROWER, Wallet::Spot, asset).unwrap().available
    }

    /// A loan of the borrower that is paid out at this instant, by terms without lower bounds.
    fn lend(&mut self, input: &Value) -> LoanId {
        let [principal, rate, days, start, collateral] = ["principal", "rate", "cycle", "t0", "coll"].map(|key| number(&input[key]));
        let days = u32::try_from(days).unwrap();
        self.change(CatalogChange::LoanProduct(LoanProduct {
            id: LoanProductId(1),
            asset: USDT,
            days,
            rate: Rate(rate),
            min: 1,
            max: 50_000_000_000,
            on: true,
        }));
        let collateral = collateral * atoms_of(input);
        self.pays(BORROWER, BTC, collateral);
        // High enough for each of them.
        assert_eq!(self.engine.time(), Time(start));
        self.price(9_999_999_999_000_000);
        let apply =
            ApplyForLoan { user: BORROWER, product: LoanProductId(1), amount: principal, collateral_asset: BTC, collateral, rule: None };
        let Reply::Loan(loan) = self.now(Command::ApplyForLoan(apply)).unwrap() else { panic!() };
        self.decide(Item::Loan(loan.id));
        loan.id
    }
}

/// A case with a single atom of collateral is about the repayment. No price makes that atom worth the loan, so a million replace it.
fn atoms_of(input: &Value) -> u64 {
    if number(&input["coll"]) < 1_000 { 1_000_000 } else { 1 }
}

fn state(status: Status) -> &'static str {
    match status {
        Status::InLoan => "IN_LOAN",
        Status::Overdue => "OVERDUE",
        Status::Finished => "FINISHED",
        Status::Pending | Status::Cancelled => "",
    }
}

/// Nothing is available but for the repayments, so that nothing is repaid by itself.
fn loan_run(input: &Value) -> Expected {
    let mut fixture = Fixture::new(60_000_000_000);
    let id = fixture.lend(input);
    let held = fixture.available(USDT);
    fixture.now(Command::Transfer { user: BORROWER, asset: USDT, from: Wallet::Spot, to: Wallet::Earn, amount: held }).unwrap();
    let mut rows = Vec::new();
    let (mut repayments, mut debts) = (Vec::new(), BTreeMap::new());
    for event in input["events"].as_array().unwrap() {
        let time = Time(number(&event[0]));
        fixture.at(time, Command::Clock).unwrap();
        debts.insert(time, fixture.engine.loan(id).unwrap().debt());
        if event[1] == "0" {
            let loan = fixture.engine.loan(id).unwrap();
            let (interest, penalty) = (loan.interest_due(), loan.penalty_due());
            rows.push(json!({
                "periods": loan.periods.to_string(), "principal": text(loan.outstanding), "interest": text(interest),
                "penalty": text(penalty), "debt": text(loan.debt()), "state": state(loan.status),
            }));
            continue;
        }
        let repaid = amount(&event[1]).and_then(|amount| {
            fixture.pays(BORROWER, USDT, amount);
            let before = fixture.available(BTC);
            let reply = fixture.now(Command::RepayLoan { user: BORROWER, loan: id, amount: Some(amount), max_debt: None })?;
            let Reply::LoanRepaid(loan, repaid) = reply else { panic!() };
            repayments.push((time, repaid.taken()));
            debts.insert(time, loan.debt());
            let left = fixture.available(USDT);
            if left > 0 {
                fixture.now(Command::Transfer { user: BORROWER, asset: USDT, from: Wallet::Spot, to: Wallet::Earn, amount: left }).unwrap();
            }
            Ok(json!({
                "penalty": text(repaid.penalty), "interest": text(repaid.interest), "principal": text(repaid.principal),
                "taken": text(repaid.taken()), "debt": text(loan.debt()),
                "collateral_back": text((fixture.available(BTC) - before) / atoms_of(input)), "state": state(loan.status),
            }))
        });
        rows.push(repaid.unwrap_or_else(Value::String));
    }
    // Its terms and repayments give the debt at each instant afterwards.
    let loan = fixture.engine.loan(id).unwrap();
    let told = loan.debts(&repayments, loan.ended);
    for (time, debt) in debts {
        assert_eq!(told.iter().rfind(|(since, _)| *since <= time).unwrap().1, debt, "{time:?} of {input}");
    }
    Ok(json!({"rows": rows}))
}

fn loan_level(input: &Value) -> Expected {
    let mut fixture = Fixture::new(60_000_000_000);
    let id = fixture.lend(input);
    fixture.at(Time(number(&input["t"])), Command::Clock).unwrap();
    let price = Price(number(&input["price"]));
    let (loan, shared) = (fixture.engine.loan(id).unwrap(), LoanTerms::standard().shared);
    let found = loan.level(price);
    assert_eq!(found, level(Debt(loan.debt()), loan.value(price), Shares { call: shared.call, liquidation: shared.liquidation }));
    // The sorted prices agree with the comparison.
    assert_eq!(found == Level::Liquidation, price <= loan.liquidation_price());
    assert_eq!(found != Level::Fine, price <= loan.call_price());
    let word = match found {
        Level::Fine => "OK",
        Level::MarginCall => "MARGIN_CALL",
        Level::Liquidation => "LIQUIDATE",
    };
    Ok(json!({"debt": text(loan.debt()), "value": text(loan.value(price).0), "level": word}))
}

fn loan_apply(input: &Value) -> Expected {
    let asked = amount(&input["amount"])?;
    let [collateral, price, min, available, treasury, reserved] =
        ["coll", "price", "min_amount", "avail_coll", "treasury", "reserved"].map(|key| number(&input[key]));
    let mut fixture = Fixture::new(treasury);
    // One case gives a price between two steps of an index: the one below it refuses for the same reason.
    fixture.price(price - price % 1_000_000);
    let terms = LoanTerms::standard();
    fixture.change(CatalogChange::LoanProduct(LoanProduct { min, ..terms.products[0] }));
    if reserved > 0 {
        let free = LoanProduct { id: LoanProductId(9), min: 1, ..terms.products[0] };
        fixture.change(CatalogChange::LoanProduct(free));
        fixture.pays(OTHER, BTC, 100_000_000);
        let other = ApplyForLoan {
            user: OTHER,
            product: LoanProductId(9),
            amount: reserved,
            collateral_asset: BTC,
            collateral: 100_000_000,
            rule: None,
        };
        fixture.now(Command::ApplyForLoan(other)).unwrap();
    }
    fixture.pays(BORROWER, BTC, available);
    let time = Time(fixture.engine.time().0 + input.get("index_age").map_or(0, number));
    let apply = ApplyForLoan { user: BORROWER, product: LoanProductId(1), amount: asked, collateral_asset: BTC, collateral, rule: None };
    fixture.at(time, Command::ApplyForLoan(apply))?;
    let held = fixture.engine.balance(BORROWER, Wallet::Spot, BTC).unwrap().held;
    let exposure = fixture.engine.exposure(HouseAccount::LoanTreasury, USDT);
    Ok(json!({"reserved_after": text(exposure.reserved), "frozen": text(held)}))
}
