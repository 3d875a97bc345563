//! How a loan comes about: applied for, then approved or declined (7.2, B-1 to B-3).

use super::formulas::{Debt, covers, smallest_collateral, value};
use super::loan::{ApplyForLoan, Charge, FixedTerms, Loan, LoanStep, Repayment};
use super::status::{EndReason, Status, Trigger, next};
use super::terms::{LoanProduct, SharedTerms};
use super::{LoanContext, Loans, TREASURY, WALLET, reason};
use crate::amount::{Amount, MAX_AMOUNT, Price};
use crate::exact::Exact;
use crate::ids::{Digest, LoanId, MarketId};
use crate::ledger::{Available, HoldKey, Holder, LineKind};
use crate::operators::Actor;
use crate::operators::roles::Roles;
use crate::reject::Reject;
use crate::time::Time;
use crate::units::{Base, Scales};

/// The catalog's data for an application: the pair that values its collateral, and the decimals of both coins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Valued {
    pub(crate) market: MarketId,
    pub(crate) scales: Scales,
    /// Operators that must approve.
    pub(crate) approvals: u8,
}

impl Loans {
    /// The guards from the amount on that need no price: amounts, product, its rule, its bounds (B-1).
    pub(crate) fn check_amount(&self, apply: &ApplyForLoan) -> Result<(&SharedTerms, &LoanProduct), Reject> {
        let amount = |amount: Amount| amount > 0 && amount < MAX_AMOUNT;
        if !amount(apply.amount) || !amount(apply.collateral) {
            return Err(Reject::BadAmount);
        }
        let (shared, product) = self.product(apply.product)?;
        if apply.rule.is_some_and(|shown| shown != product.rule(shared)) {
            return Err(Reject::TermsChanged);
        }
        if apply.amount < product.min {
            return Err(Reject::LoanMin { min: product.min });
        }
        if apply.amount > product.max {
            return Err(Reject::LoanMax { max: product.max });
        }
        Ok((shared, product))
    }

    /// Checks that the member may have another loan.
    pub(crate) fn check_count(&self, holder: Holder, max: u32) -> Result<(), Reject> {
        if u32::try_from(self.of(holder.user).count()).is_ok_and(|live| live < max) { Ok(()) } else { Err(Reject::OpenLimit { max }) }
    }

    /// The collateral is enough for the amount at a price (B-1, B-3).
    pub(crate) fn check_cover(apply: &ApplyForLoan, shared: &SharedTerms, price: Price, scales: Scales) -> Result<(), Reject> {
        if covers(value(Base(apply.collateral), price, scales), Debt(apply.amount), shared.start) {
            return Ok(());
        }
        let min = smallest_collateral(Debt(apply.amount), price, shared.start, scales);
        Err(Reject::LoanToValue { min_collateral: min.map_or(MAX_AMOUNT, |least| least.0) })
    }

    /// B-1 from the price on: the collateral is held, the amount reserved.
    pub(crate) fn apply_for(
        &mut self,
        context: &mut LoanContext<'_>,
        id: LoanId,
        holder: Holder,
        apply: &ApplyForLoan,
        valued: Valued,
    ) -> Result<Loan, Reject> {
        let (shared, product) = self.check_amount(apply)?;
        let Valued { market, scales, approvals } = valued;
        let price = context.indices.fresh(market, context.now).ok_or(Reject::PriceStale)?;
        Loans::check_cover(apply, shared, price, scales)?;
        let collateral_asset = context.ledger.asset(apply.collateral_asset).ok_or(Reject::BadAsset)?;
        let available = context.ledger.available(holder.member, WALLET, collateral_asset);
        if available < apply.collateral {
            return Err(Reject::Insufficient { asset: apply.collateral_asset, available, needed: apply.collateral });
        }
        let asset = context.ledger.asset(product.asset).ok_or(Reject::BadAsset)?;
        let loan = Loan {
            id,
            user: holder.user,
            product: product.id,
            terms: FixedTerms {
                asset: product.asset,
                days: product.days,
                rate: product.rate,
                start: shared.start,
                call: shared.call,
                liquidation: shared.liquidation,
                liquidation_fee: shared.liquidation_fee,
                overdue_multiple: shared.overdue_multiple,
                grace_days: shared.grace_days,
                approvals,
                market,
                scales: (scales.base, scales.quote),
            },
            amount: apply.amount,
            outstanding: 0,
            repaid: 0,
            collateral_asset: apply.collateral_asset,
            collateral: apply.collateral,
            status: Status::Pending,
            reason: None,
            note: None,
            approvals: Vec::new(),
            applied: context.now,
            start: None,
            ended: None,
            periods: 0,
            interest: Charge::default(),
            penalty: Charge::default(),
            margin_call: false,
            next: Some(Loan::expires(context.now)),
            sale: None,
            version: 1,
        };
        let short = |reject| if let Reject::FreeShort { free } = reject { Reject::TreasuryShort { free } } else { reject };
        context.ledger.reserve(asset, TREASURY, loan.amount).map_err(short)?;
        let (from, to) = (Available(holder, WALLET), HoldKey(holder, WALLET));
        let why = reason(id, LineKind::LoanCollateral);
        context.ledger.transfer(collateral_asset, from, to, loan.collateral, why, context.events);
        self.insert(context, holder, loan.clone());
        Ok(loan)
    }

    /// A loan that waits for operators and that nothing is due for.
    pub(crate) fn pending(&self, id: LoanId, now: Time) -> Result<&Loan, Reject> {
        self.get(id).ok_or(Reject::NotFound)?;
        self.idle(id, now).filter(|loan| loan.status == Status::Pending).ok_or(Reject::WrongState)
    }

    /// B-3: one approval more; with enough of them it is paid out, or ends if the collateral is no longer enough.
    pub(crate) fn approve(&mut self, context: &mut LoanContext<'_>, holder: Holder, id: LoanId, by: &Actor) -> Result<Loan, Reject> {
        let mut loan = self.pending(id, context.now)?.clone();
        let mut counting = by.counting(&loan.approvals, loan.user, Roles::TREASURY, None);
        by.check_new(&counting)?;
        counting.push(by.approval());
        let enough = counting.len() >= usize::from(loan.terms.approvals);
        if !enough {
            loan.approvals = counting;
            self.replace(context, loan, LoanStep::Approved);
            return self.get(id).cloned().ok_or(Reject::NotFound);
        }
        let price = context.indices.fresh(loan.terms.market, context.now).ok_or(Reject::PriceStale)?;
        loan.approvals = counting;
        if !covers(loan.value(price), Debt(loan.amount), loan.terms.start) {
            return self.end_application(context, holder, loan, EndReason::Ltv, None);
        }
        let asset = context.ledger.asset(loan.terms.asset).ok_or(Reject::BadAsset)?;
        loan.status = next(loan.status, Trigger::PayOut)?;
        loan.pay_out(context.now);
        context.ledger.release(asset, TREASURY, loan.amount);
        let why = reason(id, LineKind::LoanPaidOut);
        context.ledger.transfer(asset, TREASURY, Available(holder, WALLET), loan.amount, why, context.events);
        self.replace(context, loan, LoanStep::PaidOut);
        self.get(id).cloned().ok_or(Reject::NotFound)
    }

    /// An operator rejects.
    pub(crate) fn reject(&mut self, context: &mut LoanContext<'_>, holder: Holder, id: LoanId, note: Digest) -> Result<Loan, Reject> {
        let loan = self.pending(id, context.now)?.clone();
        self.end_application(context, holder, loan, EndReason::Rejected, Some(note))
    }

    /// Its owner takes it back.
    pub(crate) fn cancel(&mut self, context: &mut LoanContext<'_>, holder: Holder, id: LoanId) -> Result<Loan, Reject> {
        let loan = self.own(holder, id, |status| status == Status::Pending, context.now)?.clone();
        self.end_application(context, holder, loan, EndReason::User, None)
    }

    /// The reserve goes back to the treasury, the collateral to its owner.
    pub(super) fn end_application(
        &mut self,
        context: &mut LoanContext<'_>,
        holder: Holder,
        mut loan: Loan,
        why: EndReason,
        note: Option<Digest>,
    ) -> Result<Loan, Reject> {
        loan.status = next(loan.status, Trigger::Cancel)?;
        let asset = context.ledger.asset(loan.terms.asset).ok_or(Reject::BadAsset)?;
        context.ledger.release(asset, TREASURY, loan.amount);
        (loan.reason, loan.note) = (Some(why), note);
        let all = loan.collateral;
        give_back(context, holder, &mut loan, all);
        Ok(self.finish(context, loan, LoanStep::Ended(Repayment::default())))
    }
}

/// Returns this much of the collateral to its owner.
pub(super) fn give_back(context: &mut LoanContext<'_>, holder: Holder, loan: &mut Loan, amount: Amount) {
    let Some(asset) = context.ledger.asset(loan.collateral_asset) else { return };
    let (from, to) = (HoldKey(holder, WALLET), Available(holder, WALLET));
    context.ledger.transfer(asset, from, to, amount, reason(loan.id, LineKind::LoanRelease), context.events);
    loan.collateral = loan.collateral.less(amount, "no more goes back than is held");
}
