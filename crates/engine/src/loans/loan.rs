//! A loan: its application, its cost over time, and what a repayment pays (7.1, B-4 to B-6). Nothing here moves money.

use serde::{Deserialize, Serialize};

use super::formulas::{Debt, Level, Shares, highest_price, level, value};
use super::status::{EndReason, Status};
use super::terms::DECISION_MS;
use crate::amount::{Amount, Price, RATE_ONE, Rate};
use crate::exact::{COUNTED, Exact};
use crate::ids::{AssetId, Digest, LoanId, LoanProductId, MarketId, UserId};
use crate::operators::approval::{Approval, SignedVersion};
use crate::time::{DAY_MS, Time};
use crate::units::{Base, Quote, Scales, product};

const BOUNDED: &str = "the terms bound every debt below 10^18";
const PAID: &str = "no more is paid than was charged (B-6)";

/// Apply for a loan (B-1). Its number is the sequence of the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApplyForLoan {
    /// Borrower.
    pub user: UserId,
    /// Product.
    pub product: LoanProductId,
    /// Atoms of the lent coin.
    pub amount: Amount,
    /// Coin of the collateral.
    pub collateral_asset: AssetId,
    /// Atoms of collateral.
    pub collateral: Amount,
    /// Hash of the rule that the borrower was shown, if they send it; a different rule is refused.
    pub rule: Option<Digest>,
}

/// Terms that borrower and house agreed on; nothing changes them (I-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedTerms {
    /// Lent coin.
    pub asset: AssetId,
    /// Cycle in periods of 24 h.
    pub days: u32,
    /// Interest of a period.
    pub rate: Rate,
    /// The maximum loan, as a share of the collateral's value.
    pub start: Rate,
    /// Margin call.
    pub call: Rate,
    /// Liquidation.
    pub liquidation: Rate,
    /// Fee of a liquidation.
    pub liquidation_fee: Rate,
    /// How many times the rate an overdue period costs.
    pub overdue_multiple: u32,
    /// Periods of grace.
    pub grace_days: u32,
    /// Operators that must approve (B-3).
    pub approvals: u8,
    /// The pair whose index values the collateral.
    pub market: MarketId,
    /// Decimals of the collateral and of the lent coin.
    pub scales: (u8, u8),
}

/// The charge on a loan, rounded up once on the total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    /// Atoms times RU of all periods so far.
    pub numerator: u128,
    /// Atoms of it already paid.
    pub paid: Amount,
}

impl Charge {
    /// Atoms charged so far.
    pub fn total(&self) -> Amount {
        ceil(self.numerator)
    }

    /// Atoms charged and not paid.
    pub fn due(&self) -> Amount {
        self.total().less(self.paid, PAID)
    }

    fn add(&mut self, amount: Amount, rate: Rate, times: u32) {
        let added = product(amount, rate.0).saturating_mul(u128::from(times));
        self.numerator = self.numerator.saturating_add(added);
    }
}

/// The terms bound every charge below 10^18 ([`super::terms::LoanProduct::check`]).
fn ceil(numerator: u128) -> Amount {
    u64::try_from(numerator.div_ceil(u128::from(RATE_ONE))).unwrap_or(u64::MAX)
}

/// The parts of a repayment, atoms (B-6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repayment {
    /// Of the penalty, which comes first.
    pub penalty: Amount,
    /// Then of the interest.
    pub interest: Amount,
    /// Then of the principal.
    pub principal: Amount,
}

impl Repayment {
    /// Its total.
    pub fn taken(&self) -> Amount {
        self.penalty.plus(self.interest, BOUNDED).plus(self.principal, BOUNDED)
    }
}

/// What remains of a liquidation besides the loan (B-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Liquidation {
    /// Index price.
    pub price: Price,
    /// The debt that it ended, atoms of the lent coin.
    pub debt: Amount,
    /// Fee, atoms of the lent coin.
    pub fee: Amount,
    /// Atoms of collateral that were sold.
    pub sold: Amount,
    /// Atoms of collateral that came back.
    pub returned: Amount,
    /// The part of the debt that the house loses.
    pub shortfall: Amount,
}

/// A loan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub struct Loan {
    pub id: LoanId,
    pub user: UserId,
    /// Product that it was applied for under.
    pub product: LoanProductId,
    /// Its terms.
    pub terms: FixedTerms,
    /// Atoms lent.
    pub amount: Amount,
    /// Outstanding principal, atoms: 0 before the payout and after the end.
    pub outstanding: Amount,
    /// Repaid principal, atoms.
    pub repaid: Amount,
    /// Coin of the collateral.
    pub collateral_asset: AssetId,
    /// Atoms held; 0 at the end.
    pub collateral: Amount,
    pub status: Status,
    /// How it ended.
    pub reason: Option<EndReason>,
    /// Digest of the operator's reason of a rejection.
    pub note: Option<Digest>,
    /// Operators who approved.
    pub approvals: Vec<Approval>,
    /// When it was applied for.
    pub applied: Time,
    /// When it was paid out, `t0`.
    pub start: Option<Time>,
    /// When it ended.
    pub ended: Option<Time>,
    /// Periods that have begun (B-4).
    pub periods: u32,
    /// Interest of the periods of the cycle.
    pub interest: Charge,
    /// Penalty of later periods.
    pub penalty: Charge,
    /// The margin call is on.
    pub margin_call: bool,
    /// When something falls due next.
    pub next: Option<Time>,
    /// The result of a liquidation.
    pub sale: Option<Liquidation>,
    /// Rises with every change.
    pub version: u32,
}

/// A step in the life of a loan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoanStep {
    /// It was applied for.
    Applied,
    /// The first of two operators approved.
    Approved,
    /// It was paid out.
    PaidOut,
    /// Another period began.
    Charged,
    /// A part was repaid.
    Repaid(Repayment),
    /// Collateral was added.
    Added(Amount),
    /// Its collateral lost so much value that it is near its liquidation.
    MarginCalled,
    /// It is no longer.
    MarginRestored,
    /// It was not repaid in time.
    Lapsed,
    /// It ended, with its last repayment.
    Ended(Repayment),
}

/// The kind of due work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DueStep {
    /// It was not decided in time (7.2).
    Expire,
    /// It is repaid automatically, if possible (B-7).
    Debit,
    /// A period begins (B-4, B-5).
    Charge,
}

impl Loan {
    /// Interest owed now.
    pub fn interest_due(&self) -> Amount {
        if self.status.is_running() { self.interest.due() } else { 0 }
    }

    /// Penalty owed now.
    pub fn penalty_due(&self) -> Amount {
        if self.status.is_running() { self.penalty.due() } else { 0 }
    }

    /// Everything owed now (B-6).
    pub fn debt(&self) -> Amount {
        self.outstanding.plus(self.interest_due(), BOUNDED).plus(self.penalty_due(), BOUNDED)
    }

    /// Atoms paid so far, without a liquidation.
    pub fn paid(&self) -> Amount {
        self.repaid.plus(self.interest.paid, BOUNDED).plus(self.penalty.paid, BOUNDED)
    }

    /// All interest until it is due, if no more is repaid before.
    pub fn interest_to_due(&self) -> Amount {
        let left = self.terms.days.saturating_sub(self.periods);
        let mut charge = self.interest;
        match self.status {
            Status::Pending | Status::Cancelled => charge.add(self.amount, self.terms.rate, left),
            Status::InLoan | Status::Overdue => charge.add(self.outstanding, self.terms.rate, left),
            Status::Finished => {}
        }
        charge.total()
    }

    /// When it is due; `None` before it is paid out.
    pub fn due(&self) -> Option<Time> {
        self.boundary(self.terms.days)
    }

    /// The end of a period, counted from 1.
    fn boundary(&self, period: u32) -> Option<Time> {
        Some(self.start?.plus(u64::from(period).saturating_mul(DAY_MS)))
    }

    /// The grace time is over: its collateral is sold at the next price (7.2).
    pub fn is_forfeit(&self) -> bool {
        self.status.is_running() && self.periods > self.terms.days.saturating_add(self.terms.grace_days)
    }

    pub(crate) fn scales(&self) -> Scales {
        Scales { base: self.terms.scales.0, quote: self.terms.scales.1 }
    }

    /// The value of its collateral at a price, atoms of the lent coin, rounded down (B-8).
    pub fn value(&self, price: Price) -> Quote {
        value(Base(self.collateral), price, self.scales())
    }

    /// Its level at a price (B-8).
    pub fn level(&self, price: Price) -> Level {
        let shares = Shares { call: self.terms.call, liquidation: self.terms.liquidation };
        if self.is_forfeit() { Level::Liquidation } else { level(Debt(self.debt()), self.value(price), shares) }
    }

    /// The highest price of the collateral at which it is liquidated.
    pub fn liquidation_price(&self) -> Price {
        if self.is_forfeit() { Price(u64::MAX) } else { self.highest(self.terms.liquidation) }
    }

    /// The highest price at which the margin call is on.
    pub fn call_price(&self) -> Price {
        self.highest(self.terms.call)
    }

    fn highest(&self, share: Rate) -> Price {
        highest_price(Debt(self.debt()), Base(self.collateral), share, self.scales())
    }

    /// Hash of exactly what an approver signs.
    pub fn hash(&self) -> Digest {
        let Loan { id, user, product, terms, amount, collateral_asset, collateral, applied, .. } = self;
        Digest::of("loan", &(id, user, product, terms, amount, collateral_asset, collateral, applied))
    }

    /// Its version and hash.
    pub fn seen(&self) -> SignedVersion {
        SignedVersion { version: self.version, hash: self.hash() }
    }

    /// The next period begins (B-4, B-5). A loan that waits for a price to be sold at is charged no more (T-3).
    pub(crate) fn charge(&mut self) {
        self.periods = self.periods.plus(1, COUNTED);
        let FixedTerms { days, rate, overdue_multiple, .. } = self.terms;
        if self.periods <= days {
            self.interest.add(self.outstanding, rate, 1);
        } else {
            self.penalty.add(self.outstanding, rate, overdue_multiple);
        }
        self.next = match self.boundary(self.periods) {
            _ if self.is_forfeit() => None,
            // An automatic debit falls due at the boundary, a charge only after it (T-4).
            Some(boundary) if self.periods >= days => Some(boundary),
            Some(boundary) => Some(boundary.plus(1)),
            None => None,
        };
    }

    /// The work due at its next instant.
    pub(crate) fn due_step(&self) -> DueStep {
        match self.status {
            Status::Pending => DueStep::Expire,
            _ if self.next == self.boundary(self.periods) => DueStep::Debit,
            Status::InLoan | Status::Overdue | Status::Finished | Status::Cancelled => DueStep::Charge,
        }
    }

    /// It was not repaid automatically: the period begins after the boundary.
    pub(crate) fn not_debited(&mut self) {
        self.next = self.next.map(|at| at.plus(1));
    }

    /// It is in loan from now on, and its first period begins (B-3, B-4).
    pub(crate) fn pay_out(&mut self, now: Time) {
        (self.start, self.outstanding) = (Some(now), self.amount);
        self.charge();
    }

    /// When an application expires: one millisecond after its last instant (T-4).
    pub(crate) fn expires(applied: Time) -> Time {
        applied.plus(DECISION_MS).plus(1)
    }

    /// Pays penalty, interest and principal, in this order, with at most this amount (B-6).
    pub(crate) fn repay(&mut self, amount: Amount) -> Repayment {
        let penalty = amount.min(self.penalty.due());
        let left = amount.less(penalty, PAID);
        let interest = left.min(self.interest.due());
        let principal = left.less(interest, PAID).min(self.outstanding);
        self.penalty.paid = self.penalty.paid.plus(penalty, BOUNDED);
        self.interest.paid = self.interest.paid.plus(interest, BOUNDED);
        self.outstanding = self.outstanding.less(principal, PAID);
        self.repaid = self.repaid.plus(principal, BOUNDED);
        Repayment { penalty, interest, principal }
    }

    /// The debt over time: the instants at which it changed and the atoms owed from each of them on, oldest first; empty before the payout.
    /// It follows from the loan's terms (B-4 to B-6) and two inputs: `repaid`, the instants and atoms of its repayments, oldest first, and
    /// `ended`, the instant of its last lines: that of [`Loan::ended`], or a later one if much fell due at once (T-3).
    pub fn debts(&self, repaid: &[(Time, Amount)], ended: Option<Time>) -> Vec<(Time, Amount)> {
        let Some(start) = self.start else { return Vec::new() };
        let charged = (1..self.periods).filter_map(|period| Some((self.boundary(period)?.plus(1), None)));
        let mut steps: Vec<(Time, Option<Amount>)> = charged.chain(repaid.iter().map(|(at, amount)| (*at, Some(*amount)))).collect();
        // At the same instant the charge comes first, because due work runs before commands of the owner (T-3).
        steps.sort_by_key(|(at, _)| *at);
        let (interest, penalty) = (Charge::default(), Charge::default());
        let mut loan = Loan { status: Status::InLoan, repaid: 0, periods: 0, interest, penalty, ..self.clone() };
        loan.pay_out(start);
        let mut debts = vec![(start, loan.debt())];
        for (at, repaid) in steps {
            if let Some(amount) = repaid {
                loan.repay(amount);
            } else {
                loan.charge();
            }
            debts.push((at, loan.debt()));
        }
        // The debt that remains after a sale is not owed (B-9).
        debts.extend(ended.map(|ended| (ended, 0)));
        debts
    }

    /// What is wrong with an open loan, if anything (I-11).
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let charged = self.interest.paid <= self.interest.total() && self.penalty.paid <= self.penalty.total();
        let running = self.status.is_running();
        let sound = match self.status {
            Status::Pending => self.start.is_none() && self.periods == 0 && self.next == Some(Loan::expires(self.applied)),
            Status::InLoan => (1..=self.terms.days).contains(&self.periods) && self.next.is_some(),
            Status::Overdue => self.periods > self.terms.days && self.next.is_none() == self.is_forfeit(),
            Status::Finished | Status::Cancelled => return Some("it is over and still open"),
        };
        if !sound || running != self.start.is_some() || self.collateral == 0 || self.outstanding > self.amount {
            return Some("it is in no state that a loan can be in");
        }
        if !charged || (running && self.debt() == 0) {
            return Some("it owes nothing and is still open");
        }
        let lasting = self.penalty.numerator == 0 || self.status == Status::Overdue;
        (!lasting).then_some("B-5: a penalty before it is due")
    }
}
