//! The life of a loan that was paid out: repaid, charged, repaid automatically, or its collateral sold (B-4 to B-9).

use super::deciding::give_back;
use super::formulas::{Debt, sell};
use super::loan::{DueStep, Liquidation, Loan, LoanStep, Repayment};
use super::status::{EndReason, Status, Trigger, next};
use super::{LoanContext, Loans, TREASURY, WALLET, reason};
use crate::amount::{Amount, MAX_AMOUNT, Price};
use crate::exact::Exact;
use crate::ids::LoanId;
use crate::ledger::{AssetIndex, Available, HoldKey, Holder, LineKind};
use crate::reject::Reject;
use crate::scheduler::{Class, Due};
use crate::units::Base;

const HELD: &str = "no more is sold than is held (B-9)";
const RUNNING: &str = "a loan that owes something may lapse and finish (7.2)";

impl Loans {
    /// Its owner repays at most this amount, or all, unless more than `max_debt` is owed (B-6).
    pub(crate) fn repay(
        &mut self,
        context: &mut LoanContext<'_>,
        holder: Holder,
        id: LoanId,
        (amount, max_debt): (Option<Amount>, Option<Amount>),
    ) -> Result<(Loan, Repayment), Reject> {
        let loan = self.own(holder, id, Status::is_running, context.now)?.clone();
        if amount.is_some_and(|amount| amount == 0 || amount >= MAX_AMOUNT) {
            return Err(Reject::BadAmount);
        }
        if max_debt.is_some_and(|most| loan.debt() > most) {
            return Err(Reject::DebtMoved { debt: loan.debt() });
        }
        let taken = amount.map_or(loan.debt(), |amount| amount.min(loan.debt()));
        let asset = context.ledger.asset(loan.terms.asset).ok_or(Reject::BadAsset)?;
        let available = context.ledger.available(holder.member, WALLET, asset);
        if available < taken {
            return Err(Reject::Insufficient { asset: loan.terms.asset, available, needed: taken });
        }
        Ok(self.take(context, (holder, asset), loan, taken, EndReason::Repaid))
    }

    /// Its owner adds collateral (B-8).
    pub(crate) fn add_collateral(
        &mut self,
        context: &mut LoanContext<'_>,
        holder: Holder,
        id: LoanId,
        amount: Amount,
    ) -> Result<Loan, Reject> {
        let mut loan = self.own(holder, id, Status::is_running, context.now)?.clone();
        if amount == 0 || amount >= MAX_AMOUNT {
            return Err(Reject::BadAmount);
        }
        let asset = context.ledger.asset(loan.collateral_asset).ok_or(Reject::BadAsset)?;
        let available = context.ledger.available(holder.member, WALLET, asset);
        if available < amount {
            return Err(Reject::Insufficient { asset: loan.collateral_asset, available, needed: amount });
        }
        let (from, to) = (Available(holder, WALLET), HoldKey(holder, WALLET));
        context.ledger.transfer(asset, from, to, amount, reason(id, LineKind::LoanCollateral), context.events);
        loan.collateral = loan.collateral.plus(amount, "all of a coin is below 10^18 (I-1)");
        self.replace(context, loan, LoanStep::Added(amount));
        self.get(id).cloned().ok_or(Reject::NotFound)
    }

    /// Takes a part of the debt; a loan that owes nothing ends.
    fn take(
        &mut self,
        context: &mut LoanContext<'_>,
        (holder, asset): (Holder, AssetIndex),
        mut loan: Loan,
        amount: Amount,
        why: EndReason,
    ) -> (Loan, Repayment) {
        let repaid = loan.repay(amount);
        let (from, line) = (Available(holder, WALLET), reason(loan.id, LineKind::LoanRepayment));
        context.ledger.transfer(asset, from, TREASURY, repaid.taken(), line, context.events);
        if loan.debt() > 0 {
            let id = loan.id;
            self.replace(context, loan.clone(), LoanStep::Repaid(repaid));
            return (self.get(id).cloned().unwrap_or(loan), repaid);
        }
        loan.reason = Some(why);
        let all = loan.collateral;
        give_back(context, holder, &mut loan, all);
        loan.status = next(loan.status, Trigger::Finish).expect(RUNNING);
        (self.finish(context, loan, LoanStep::Ended(repaid)), repaid)
    }

    /// Due work of a loan. `known`: the price known at that instant, if it was fresh.
    pub(crate) fn run_due(&mut self, context: &mut LoanContext<'_>, due: Due, known: impl FnOnce(&Loan) -> Option<Price>) {
        let id = LoanId(due.id);
        let Some((mut loan, holder)) = self.open.get(&id).map(|open| (open.loan.clone(), open.holder)) else { return };
        match loan.due_step() {
            DueStep::Expire => drop(self.end_application(context, holder, loan, EndReason::Expired, None)),
            DueStep::Debit => {
                let Some(asset) = context.ledger.asset(loan.terms.asset) else { return };
                let debt = loan.debt();
                if context.ledger.available(holder.member, WALLET, asset) >= debt {
                    drop(self.take(context, (holder, asset), loan, debt, EndReason::AutoDebit));
                } else {
                    // Only the schedule changes, so no event is emitted.
                    loan.not_debited();
                    self.plan_again(context, loan);
                }
            }
            DueStep::Charge => {
                loan.charge();
                let lapses = loan.status == Status::InLoan && loan.periods > loan.terms.days;
                if lapses {
                    loan.status = next(loan.status, Trigger::Lapse).expect(RUNNING);
                }
                let price = if loan.is_forfeit() { known(&loan) } else { None };
                self.replace(context, loan, if lapses { LoanStep::Lapsed } else { LoanStep::Charged });
                if let Some(price) = price {
                    self.liquidate(context, id, price);
                }
            }
        }
    }

    fn plan_again(&mut self, context: &mut LoanContext<'_>, loan: Loan) {
        if let Some(open) = self.open.get_mut(&loan.id) {
            context.scheduler.plan(Class::Loan, loan.id.0, open.loan.next, loan.next);
            open.loan = loan;
        }
    }

    /// B-9: as much of the collateral as covers debt and fee goes to the treasury at this price, the rest back; nothing more is owed.
    pub(super) fn liquidate(&mut self, context: &mut LoanContext<'_>, id: LoanId, price: Price) {
        let Some((mut loan, holder)) = self.open.get(&id).map(|open| (open.loan.clone(), open.holder)) else { return };
        let Some(asset) = context.ledger.asset(loan.collateral_asset) else { return };
        let debt = loan.debt();
        let sale = sell(Debt(debt), Base(loan.collateral), price, loan.terms.liquidation_fee, loan.scales());
        let line = reason(id, LineKind::LoanSold);
        context.ledger.transfer(asset, HoldKey(holder, WALLET), TREASURY, sale.sold.0, line, context.events);
        loan.collateral = loan.collateral.less(sale.sold.0, HELD);
        give_back(context, holder, &mut loan, sale.returned.0);
        let (fee, sold, returned, shortfall) = (sale.fee, sale.sold.0, sale.returned.0, sale.shortfall(Debt(debt)));
        loan.sale = Some(Liquidation { price, debt, fee, sold, returned, shortfall });
        (loan.reason, loan.outstanding) = (Some(EndReason::Liquidated), 0);
        loan.status = next(loan.status, Trigger::Finish).expect(RUNNING);
        self.finish(context, loan, LoanStep::Ended(Repayment::default()));
    }
}
