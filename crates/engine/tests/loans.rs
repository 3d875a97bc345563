//! Loans against a naive walk through their periods, and what a sample over many of them costs.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use engine::Engine;
use engine::amount::Price;
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::catalog::{Catalog, Wallet};
use engine::command::{Command, Entry, Genesis, Mode};
use engine::event::{AccountEvent, Event};
use engine::feature::Feature;
use engine::identity::KycLevel;
use engine::ids::{AssetId, Digest, LoanId, LoanProductId, MarketId, OperatorId, Seq, SubmissionId, UserId};
use engine::ledger::HouseAccount;
use engine::loans::loan::{ApplyForLoan, LoanStep};
use engine::loans::status::{EndReason, Status};
use engine::operators::approval::Reviewer;
use engine::reply::Reply;
use engine::time::{DAY_MS, Time};

const START: Time = Time(1_767_225_600_000);
const BTC: AssetId = AssetId(1);
const USDT: AssetId = AssetId(3);
const PAIR: MarketId = MarketId(1);

struct Fixture {
    engine: Engine,
    events: Vec<Event>,
}

impl Fixture {
    fn new() -> Fixture {
        let mut fixture = Fixture { engine: Engine::default(), events: Vec::new() };
        let endowments = vec![(HouseAccount::LoanTreasury, USDT, 900_000_000_000_000)];
        fixture.run(START, Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments }))).unwrap();
        for feature in [Feature::DueWork, Feature::IndexRing, Feature::Loans] {
            fixture.run(START, Command::Activate(feature)).unwrap();
        }
        fixture
    }

    fn run(&mut self, time: Time, command: Command) -> Result<Reply, String> {
        self.events.clear();
        let entry = Entry { seq: Seq(self.engine.seq().0 + 1), time, request: None, command };
        self.engine.apply(&entry, &mut self.events).result.map_err(|reject| reject.name().to_owned())
    }

    fn now(&mut self, command: Command) -> Result<Reply, String> {
        self.run(Time(self.engine.time().0.max(START.0)), command)
    }

    fn operate(&mut self, act: OperatorAct) {
        let by = Reviewer { operator: OperatorId(1), member: None };
        self.now(Command::Operate(Box::new(Operate { by, act }))).unwrap();
    }

    fn price(&mut self, price: u64) {
        self.now(Command::SandboxPrice { market: PAIR, price: Price(price * 100_000_000) }).unwrap();
    }

    fn join(&mut self, user: u64) {
        let user = UserId(user);
        self.now(Command::RegisterMember { user, house: false }).unwrap();
        let id = SubmissionId(self.engine.seq().0 + 1);
        let mut document = [0; 32];
        document[..8].copy_from_slice(&user.0.to_le_bytes());
        self.now(Command::SubmitIdentity { user, level: KycLevel::Basic, document: Digest(document), content: Digest(document) }).unwrap();
        let seen = self.engine.submission(id).unwrap().seen();
        self.operate(OperatorAct::Decide { item: Item::Identity(id), decision: Decision::Approve, seen });
        self.now(Command::SandboxFaucet { user, asset: BTC, wallet: Wallet::Spot, amount: 100_000_000 }).unwrap();
    }

    /// A loan that is paid out; what was lent is moved away, so that nothing is repaid by itself.
    fn lend(&mut self, user: u64, amount: u64, collateral: u64) -> LoanId {
        let user = UserId(user);
        let apply = ApplyForLoan { user, product: LoanProductId(1), amount, collateral_asset: BTC, collateral, rule: None };
        let Reply::Loan(loan) = self.now(Command::ApplyForLoan(apply)).unwrap() else { panic!() };
        let seen = self.engine.loan(loan.id).unwrap().seen();
        self.operate(OperatorAct::Decide { item: Item::Loan(loan.id), decision: Decision::Approve, seen });
        self.now(Command::Transfer { user, asset: USDT, from: Wallet::Spot, to: Wallet::Earn, amount }).unwrap();
        loan.id
    }

    fn repay(&mut self, user: u64, loan: LoanId, amount: u64) {
        let user = UserId(user);
        self.now(Command::SandboxFaucet { user, asset: USDT, wallet: Wallet::Spot, amount }).unwrap();
        self.now(Command::RepayLoan { user, loan, amount: Some(amount), max_debt: None }).unwrap();
    }
}

/// A cheap sequence of numbers that looks random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// B-4, B-5, R-3: the debt is a function of the repayments and the time, however often it is read or another entry comes in between.
#[test]
fn what_a_loan_costs_does_not_depend_on_how_often_it_was_looked_at() {
    let mut dice = Dice(7);
    for round in 0..40 {
        let amount = 100_000_000 + dice.below(2_000_000_000);
        let mut repayments: Vec<(u64, u64)> = (0..dice.below(4)).map(|_| (dice.below(9 * DAY_MS), 1 + dice.below(amount / 8))).collect();
        repayments.sort_unstable();
        let end = 1 + dice.below(10 * DAY_MS);
        let mut states = Vec::new();
        for looks in [0, 3, 200] {
            let mut fixture = Fixture::new();
            fixture.price(1_000_000);
            fixture.join(1);
            let id = fixture.lend(1, amount, 100_000_000);
            let mut all: Vec<(u64, Option<u64>)> = repayments.iter().map(|(at, part)| (*at, Some(*part))).collect();
            let mut others = Dice(round + looks);
            all.extend((0..looks).map(|_| (others.below(end), None)));
            all.retain(|(at, _)| *at <= end);
            all.sort_unstable();
            for (at, part) in all {
                fixture.run(Time(START.0 + at), Command::Clock).unwrap();
                if let Some(part) = part {
                    fixture.repay(1, id, part);
                }
            }
            fixture.run(Time(START.0 + end), Command::Clock).unwrap();
            fixture.engine.check_invariants().unwrap();
            let loan = fixture.engine.loan(id).unwrap();
            states.push((loan.status, loan.outstanding, loan.interest_due(), loan.penalty_due(), loan.paid(), loan.periods));
        }
        assert!(states.iter().all(|state| *state == states[0]), "round {round}: {states:?}");
        // A naive walk: the debt at the start of each period.
        let mut owed: Vec<u128> = vec![u128::from(amount)];
        let (mut left, mut paid, mut interest, mut penalty) = (u128::from(amount), 0_u128, 0_u128, 0_u128);
        let mut next = repayments.iter().filter(|(at, _)| *at <= end).peekable();
        let periods = end.div_ceil(DAY_MS).max(1);
        let rate = |owed: &[u128], times: u128| -> u128 { owed.iter().map(|owed| owed * 50_000 * times).sum() };
        for period in 1..=periods {
            if period > 1 {
                owed.push(left);
            }
            interest = rate(&owed[..owed.len().min(7)], 1).div_ceil(100_000_000);
            penalty = rate(&owed[owed.len().min(7)..], 3).div_ceil(100_000_000);
            while let Some((_, part)) = next.next_if(|(at, _)| *at <= period * DAY_MS && (*at > 0 || period == 1)) {
                let charged = interest + penalty - paid.min(interest + penalty);
                let (of_charge, of_principal) = (charged.min(u128::from(*part)), u128::from(*part) - charged.min(u128::from(*part)));
                paid += of_charge;
                left -= of_principal.min(left);
            }
        }
        let (_, outstanding, due, fine, ..) = states[0];
        assert_eq!((u128::from(outstanding), u128::from(due) + u128::from(fine)), (left, interest + penalty - paid), "round {round}");
    }
}

/// B-8: a sample looks at the loans that it sets off, and at no other; what it sets off is carried out in slices (T-3).
#[test]
fn a_sample_over_many_loans_sells_exactly_those_that_it_reaches_and_in_slices() {
    const MANY: u64 = 700;
    let mut fixture = Fixture::new();
    fixture.price(100_000);
    for user in 1..=MANY {
        fixture.join(user);
    }
    // Loan `n` is liquidated at a price that rises with `n`.
    let loans: Vec<LoanId> = (1..=MANY)
        .map(|user| {
            fixture.price(100_000);
            fixture.lend(user, 100_000_000 + user * 500_000, 2_000_000)
        })
        .collect();
    fixture.engine.check_invariants().unwrap();
    let reached = |fixture: &Fixture, price: Price| -> Vec<LoanId> {
        let level =
            |id: &&LoanId| fixture.engine.loan(**id).is_some_and(|loan| loan.status.is_running() && price <= loan.liquidation_price());
        loans.iter().filter(level).copied().collect()
    };
    let sold = |events: &[Event]| -> Vec<LoanId> {
        let of = |event: &Event| match event {
            Event::Account(change) => match &**change {
                AccountEvent::LoanChanged(loan, _) if loan.reason == Some(EndReason::Liquidated) => Some(loan.id),
                _ => None,
            },
            _ => None,
        };
        events.iter().filter_map(of).collect()
    };
    let called = |event: &Event| match event {
        Event::Account(change) => match &**change {
            AccountEvent::LoanChanged(loan, LoanStep::MarginCalled) => Some(loan.id),
            _ => None,
        },
        _ => None,
    };
    // A few are reached: all of them at once, in order of number, and nothing else happens.
    let few = reached(&fixture, Price(2_700_000_000_000));
    assert!(!few.is_empty() && few.len() < 100, "{}", few.len());
    fixture.price(27_000);
    assert_eq!(sold(&fixture.events), few);
    // Others are called; the sold ones get no call first.
    let called: Vec<LoanId> = fixture.events.iter().filter_map(called).collect();
    assert!(!called.is_empty() && called.iter().all(|id| !few.contains(id)), "{called:?}");
    fixture.engine.check_invariants().unwrap();
    // A crash: the sample fixes the outcome, each entry executes 256, and commands about waiting ones are refused.
    let rest = reached(&fixture, Price(500_000_000_000));
    assert!(rest.len() > 512, "{}", rest.len());
    fixture.price(5_000);
    let mut all = sold(&fixture.events);
    assert!(all.len() <= 256 && fixture.engine.has_backlog());
    let waiting = *rest.last().unwrap();
    let owner = fixture.engine.loan(waiting).unwrap().user;
    assert_eq!(fixture.now(Command::RepayLoan { user: owner, loan: waiting, amount: None, max_debt: None }), Err("E_STATE".to_owned()));
    assert_eq!(fixture.now(Command::AddCollateral { user: owner, loan: waiting, amount: 1 }), Err("E_STATE".to_owned()));
    // A snapshot in between keeps what was fixed.
    let restored = Engine::restore(&fixture.engine.snapshot()).unwrap();
    assert_eq!(restored.state_hash(), fixture.engine.state_hash());
    fixture.engine = restored;
    while fixture.engine.has_backlog() {
        fixture.now(Command::Clock).unwrap();
        let now = sold(&fixture.events);
        assert!((1..=256).contains(&now.len()));
        all.extend(now);
        fixture.engine.check_invariants().unwrap();
    }
    assert_eq!(all, rest);
    assert!(loans.iter().all(|id| fixture.engine.loan(*id).is_none_or(|loan| loan.status == Status::Finished)));
}

/// T-3: what a sample has set off of a loan, or what is due of it, comes before everything that its owner asks for.
#[test]
fn nothing_is_done_to_a_loan_before_its_margin_call_or_its_period() {
    // More than one entry executes, and then more than one slice is left.
    const MANY: u64 = 520;
    let mut fixture = Fixture::new();
    fixture.price(100_000);
    let mut loans = Vec::new();
    for user in 1..=MANY {
        fixture.join(user);
        fixture.price(100_000);
        loans.push(fixture.lend(user, 600_000_000, 1_000_000));
    }
    let (owner, last) = (UserId(MANY), *loans.last().unwrap());
    let refused = |fixture: &mut Fixture| {
        let before = fixture.engine.loan(last).unwrap().clone();
        assert!(fixture.engine.has_backlog());
        assert_eq!(fixture.now(Command::RepayLoan { user: owner, loan: last, amount: None, max_debt: None }), Err("E_STATE".to_owned()));
        assert_eq!(fixture.now(Command::AddCollateral { user: owner, loan: last, amount: 1 }), Err("E_STATE".to_owned()));
        assert_eq!(fixture.engine.loan(last), Some(&before));
        let restored = Engine::restore(&fixture.engine.snapshot()).unwrap();
        assert_eq!(restored.state_hash(), fixture.engine.state_hash());
        fixture.engine = restored;
        while fixture.engine.has_backlog() {
            fixture.now(Command::Clock).unwrap();
        }
        fixture.engine.check_invariants().unwrap();
        assert_ne!(fixture.engine.loan(last), Some(&before));
        fixture.now(Command::AddCollateral { user: owner, loan: last, amount: 1 }).unwrap();
    };
    fixture.price(80_000);
    refused(&mut fixture);
    assert!(loans.iter().all(|id| fixture.engine.loan(*id).is_some_and(|loan| loan.margin_call)));
    fixture.run(Time(START.0 + DAY_MS + 1), Command::SandboxFeed { market: PAIR, halt: true }).unwrap();
    refused(&mut fixture);
    assert!(loans.iter().all(|id| fixture.engine.loan(*id).is_some_and(|loan| loan.periods == 2)));
}

/// T-3: what is due at the instant of a sample comes before what that sample sets off: a debt whose money is there is debited, not sold.
#[test]
fn a_debt_that_can_be_debited_when_it_is_due_is_not_sold_by_a_sample_of_that_instant() {
    // More than one entry settles, so the samples come while all of it is due.
    const MANY: u64 = 300;
    let mut fixture = Fixture::new();
    fixture.price(100_000);
    let mut loans = Vec::new();
    for user in 1..=MANY {
        fixture.join(user);
        fixture.price(100_000);
        loans.push(fixture.lend(user, 600_000_000, 1_000_000));
        fixture.now(Command::SandboxFaucet { user: UserId(user), asset: USDT, wallet: Wallet::Spot, amount: 602_100_000 }).unwrap();
    }
    for day in 1..7 {
        fixture.run(Time(START.0 + day * DAY_MS + 1), Command::Clock).unwrap();
        fixture.now(Command::Clock).unwrap();
    }
    let due = Time(START.0 + 7 * DAY_MS);
    for price in [80_000, 5_000] {
        fixture.run(due, Command::SandboxPrice { market: PAIR, price: Price(price * 100_000_000) }).unwrap();
        fixture.engine.check_invariants().unwrap();
    }
    assert_eq!(fixture.engine.open_loans().filter(|loan| loan.collateral == 1_000_000 && !loan.margin_call).count(), loans.len());
    let mut ended = Vec::new();
    while fixture.engine.has_backlog() {
        fixture.now(Command::Clock).unwrap();
        fixture.engine.check_invariants().unwrap();
        ended.extend(fixture.events.iter().filter_map(|event| match event {
            Event::Account(change) => match &**change {
                AccountEvent::LoanChanged(loan, _) => Some((loan.id, loan.reason)),
                _ => None,
            },
            _ => None,
        }));
    }
    assert_eq!(ended, loans.iter().map(|id| (*id, Some(EndReason::AutoDebit))).collect::<Vec<_>>());
}
