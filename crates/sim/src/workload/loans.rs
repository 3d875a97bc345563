//! Random loans: applications, decisions about them, repayments, more collateral, and other terms.

use engine::Engine;
use engine::amount::{Price, Rate};
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::catalog::Wallet;
use engine::command::Command;
use engine::ids::{AssetId, Digest, LoanId, LoanProductId, MarketId, OperatorId, UserId};
use engine::listing::change::CatalogChange;
use engine::loans::loan::ApplyForLoan;
use engine::loans::status::Status;
use engine::loans::terms::{LoanProduct, LoanTerms, SharedTerms};
use engine::operators::approval::Reviewer;

use super::{Workload, one_in};
use crate::oracle::{Oracle, WRONG_HASH};

impl Workload {
    /// A command about loans.
    pub(super) fn loan(&mut self, oracle: &Oracle, engine: &Engine, user: UserId) -> Command {
        let (unverified, _) = oracle.lacks(user.0);
        if unverified && self.rng.u8(..8) != 0 {
            return self.verify(engine, user);
        }
        let waiting: Vec<&engine::loans::loan::Loan> = engine.pending_loans().collect();
        if !waiting.is_empty() && self.rng.u8(..3) == 0 {
            let loan = waiting[self.rng.usize(..waiting.len())];
            return self.decide_loan(loan.id, engine);
        }
        let own: Vec<&engine::loans::loan::Loan> = engine.loans_of(user).collect();
        // The collateral falls, mostly to a margin call, sometimes further.
        if !own.is_empty() && self.rng.u8(..12) == 0 {
            let at = self.rng.usize(..2);
            let price = self.outside[at] / 100 * self.rng.u64(55..130) / 1_000_000 * 1_000_000;
            self.outside[at] = price;
            return Command::SandboxPrice { market: MarketId(at as u32 + 1), price: Price(price) };
        }
        if own.is_empty() || self.rng.u8(..3) == 0 {
            return self.application(oracle, engine, user);
        }
        let chosen = own[self.rng.usize(..own.len())];
        let loan = if self.rng.u8(..12) == 0 { LoanId(self.garbage()) } else { chosen.id };
        match self.rng.u8(..8) {
            0 | 1 => Command::CancelLoan { user, loan },
            2 | 3 => Command::AddCollateral { user, loan, amount: self.rng.u64(..3_000_000) },
            4 => {
                // Less than the debt if it could not be paid anyway, otherwise more than it will have grown to.
                let (owed, coin) = (chosen.debt(), chosen.terms.asset.0);
                let short = oracle.balance(user.0, Wallet::Spot, coin).is_none_or(|(available, _)| available < i128::from(owed));
                let max_debt = Some(if short { owed.saturating_sub(1) } else { owed.saturating_mul(2) });
                Command::RepayLoan { user, loan, amount: None, max_debt }
            }
            5 if chosen.status != Status::Pending => {
                // The borrowed coins are spent, so that no loan is repaid automatically.
                let available = oracle.balance(user.0, Wallet::Spot, 3).map_or(0, |(available, _)| available);
                let amount = u64::try_from(available).unwrap_or(0).max(1);
                Command::Transfer { user, asset: AssetId(3), from: Wallet::Spot, to: Wallet::Earn, amount }
            }
            _ => {
                let part = chosen.debt() / self.rng.u64(1..6);
                let amount = part.saturating_add(self.rng.u64(..3));
                Command::RepayLoan { user, loan, amount: Some(self.or_garbage(amount)), max_debt: None }
            }
        }
    }

    fn decide_loan(&mut self, loan: LoanId, engine: &Engine) -> Command {
        let seen = self.seen(engine.loan(loan).map(|found| found.seen()));
        let by = Reviewer { operator: OperatorId(self.rng.u32(1..4)), member: None };
        let decision = if self.rng.u8(..8) == 0 { Decision::Reject { reason: Digest([7; 32]) } } else { Decision::Approve };
        Command::Operate(Box::new(Operate { by, act: OperatorAct::Decide { item: Item::Loan(loan), decision, seen } }))
    }

    fn application(&mut self, oracle: &Oracle, engine: &Engine, user: UserId) -> Command {
        let coin = 1 + self.rng.u32(..2);
        let unit = if coin == 1 { 1_000_000 } else { 30_000_000 };
        let available = oracle.balance(user.0, Wallet::Spot, coin).map_or(0, |(available, _)| available);
        if available < i128::from(unit * 10) && self.rng.u8(..8) != 0 {
            let amount = unit * self.rng.u64(10..300);
            return Command::SandboxFaucet { user, asset: AssetId(coin), wallet: Wallet::Spot, amount };
        }
        let terms = engine.loan_terms().cloned().unwrap_or_else(LoanTerms::standard);
        let product = terms.products[self.rng.usize(..terms.products.len())];
        let product = if self.rng.bool() { terms.products[0] } else { product };
        let amount = match self.rng.u8(..20) {
            0 => product.min.saturating_sub(1),
            1 => product.max + 1,
            2 | 3 => 5_000_000_000 + self.rng.u64(..2),
            4 => self.rng.u64(5_000_000_001..12_000_000_000),
            _ => product.min + self.rng.u64(..1_500_000_000),
        };
        // From too little to twice what suffices.
        let price = u128::from(self.outside[coin as usize - 1]).max(1);
        let enough = u128::from(amount) * 10_000_000_000 * 10 / 6 / price;
        let share = if self.rng.u8(..3) == 0 { 100 } else { self.rng.u64(95..200) };
        let collateral = u64::try_from(enough * u128::from(share) / 100).unwrap_or(1) + self.rng.u64(..3);
        let number = if one_in(&mut self.rng, self.options.garbage_in) { self.rng.u32(..12) } else { product.id.0 };
        let collateral_asset = AssetId(if one_in(&mut self.rng, self.options.garbage_in) { self.rng.u32(..8) } else { coin });
        let (amount, collateral) = (self.or_garbage(amount), self.or_garbage(collateral));
        let id = LoanProductId(number);
        // Another rule is shown for some that a later check would refuse, so that this does not reduce what is done.
        let other = amount % 2 == 0 && (amount < product.min || amount > product.max);
        let offered = terms.product(id).map(|product| product.rule(&terms.shared)).filter(|_| amount % 3 > 0);
        let rule = if other { Some(WRONG_HASH) } else { offered };
        Command::ApplyForLoan(ApplyForLoan { user, product: id, amount, collateral_asset, collateral, rule })
    }

    /// Other terms: mostly allowed.
    pub(super) fn loan_terms(&mut self) -> CatalogChange {
        let standard = LoanTerms::standard();
        if self.rng.bool() {
            let start = Rate(if self.rng.u8(..8) == 0 { 75_000_000 } else { self.rng.u64(40_000_000..70_000_000) });
            let (overdue_multiple, grace_days) = (self.rng.u32(1..4), self.rng.u32(1..5));
            let shared = SharedTerms { start, overdue_multiple, grace_days, live_loans: self.rng.u32(1..6), ..standard.shared };
            return CatalogChange::LoanShared(shared);
        }
        let like = standard.products[self.rng.usize(..6)];
        let (days, rate) = (self.rng.u32(1..8), Rate(self.rng.u64(..3_000_000)));
        let id = LoanProductId(if self.rng.u8(..12) == 0 { 0 } else { 1 + self.rng.u32(..8) });
        CatalogChange::LoanProduct(LoanProduct { id, days, rate, on: self.rng.u8(..6) != 0, ..like })
    }
}
