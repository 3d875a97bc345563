//! Loans: what their rules need from the whole state, and what the server reads about them.

use super::Engine;
use crate::amount::{Amount, Price};
use crate::backoffice::acts::Decision;
use crate::catalog::Wallet;
use crate::event::Event;
use crate::ids::{AssetId, LoanId, MarketId, UserId};
use crate::index::FRESH_MS;
use crate::ledger::Holder;
use crate::loans::loan::{ApplyForLoan, Loan};
use crate::loans::status::Status;
use crate::loans::terms::{LoanProduct, LoanTerms, SharedTerms};
use crate::loans::{LoanContext, Loans, Valued};
use crate::operators::Actor;
use crate::operators::approval::SignedVersion;
use crate::product::{Product, SelfPause};
use crate::reject::Reject;
use crate::reply::Reply;
use crate::scheduler::{Class, Due};
use crate::security::FreezeScope;
use crate::units::Scales;

impl Engine {
    /// B-1, with the refusals in the order of `docs/api.md` 4.12.
    pub(crate) fn apply_for_loan(&mut self, apply: &ApplyForLoan, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        self.may_borrow(apply.user)?;
        let holder = self.holder(apply.user)?;
        let valued = self.check_application(apply)?;
        let id = LoanId(self.seq.0);
        let (loans, mut context) = self.loan_context(events);
        loans.apply_for(&mut context, id, holder, apply, valued).map(|loan| Reply::Loan(Box::new(loan)))
    }

    pub(crate) fn repay_loan(
        &mut self,
        user: UserId,
        id: LoanId,
        amounts: (Option<Amount>, Option<Amount>),
        events: &mut Vec<Event>,
    ) -> Result<Reply, Reject> {
        let holder = self.holder(user)?;
        let (loans, mut context) = self.loan_context(events);
        loans.repay(&mut context, holder, id, amounts).map(|(loan, repaid)| Reply::LoanRepaid(Box::new(loan), repaid))
    }

    pub(crate) fn add_collateral(&mut self, user: UserId, id: LoanId, amount: Amount, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let holder = self.holder(user)?;
        let (loans, mut context) = self.loan_context(events);
        loans.add_collateral(&mut context, holder, id, amount).map(|loan| Reply::Loan(Box::new(loan)))
    }

    pub(crate) fn cancel_loan(&mut self, user: UserId, id: LoanId, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let holder = self.holder(user)?;
        let (loans, mut context) = self.loan_context(events);
        loans.cancel(&mut context, holder, id).map(|loan| Reply::Loan(Box::new(loan)))
    }

    /// Operators decide about an application (B-3).
    pub(crate) fn decide_loan(
        &mut self,
        by: &Actor,
        id: LoanId,
        decision: Decision,
        seen: SignedVersion,
        events: &mut Vec<Event>,
    ) -> Result<Reply, Reject> {
        let loan = self.loans.pending(id, self.time)?;
        by.check(seen, loan.seen(), loan.user)?;
        let holder = self.holder(loan.user)?;
        let (frozen, level) = (self.security.check_freezes(holder.member, self.time, FreezeScope::All), self.verified_level(holder.member));
        let (loans, mut context) = self.loan_context(events);
        let decided = match decision {
            Decision::Approve => {
                // No loan is paid out while its borrower is frozen or no longer verified.
                frozen?;
                level.ok_or(Reject::KycBasic)?;
                loans.approve(&mut context, holder, id, by)?
            }
            Decision::Reject { reason } => loans.reject(&mut context, holder, id, reason)?,
            Decision::ApproveWith(_) | Decision::ApproveBank(_) => return Err(Reject::WrongState),
        };
        Ok(Reply::Loan(Box::new(decided)))
    }

    /// Due work of a loan: a period, an automatic repayment, an expiry (B-4, B-5, B-7).
    pub(crate) fn run_loan(&mut self, due: Due, events: &mut Vec<Event>) {
        let indices = &self.indices;
        let known = |loan: &Loan| {
            let made = indices.get(loan.terms.market)?.made_at(due.at)?;
            (due.at.since(made.sample.time) <= FRESH_MS).then_some(made.sample.price)
        };
        let Engine { loans, ledger, scheduler, .. } = self;
        loans.run_due(&mut LoanContext { ledger, indices, scheduler, events, now: due.at }, due, known);
    }

    /// Executes what a sample has triggered for a loan.
    pub(crate) fn carry_out_loan(&mut self, due: Due, events: &mut Vec<Event>) {
        let (loans, mut context) = self.loan_context(events);
        loans.carry_out(&mut context, due);
    }

    /// The effect of a sample on loans (B-8): fixes all of it, and executes at most `slice`, if nothing else is due before; returns the
    /// rest of the slice.
    pub(crate) fn sample_loans(&mut self, market: MarketId, slice: usize, events: &mut Vec<Event>) -> usize {
        if self.loans.terms().is_none() {
            return slice;
        }
        let behind = self.has_backlog();
        let (loans, mut context) = self.loan_context(events);
        loans.fix_sample(&mut context, market);
        if behind {
            return slice;
        }
        for left in (0..slice).rev() {
            let next = self.scheduler.first(self.time).filter(|due| due.class == Class::LoanTriggered);
            let Some(due) = next else { return left.saturating_add(1) };
            self.carry_out_loan(due, events);
        }
        0
    }

    fn loan_context<'a>(&'a mut self, events: &'a mut Vec<Event>) -> (&'a mut Loans, LoanContext<'a>) {
        let Engine { loans, ledger, indices, scheduler, time, .. } = self;
        (loans, LoanContext { ledger, indices, scheduler, events, now: *time })
    }

    /// The guards of a change of a product's terms (0.6).
    pub(crate) fn check_loan_product(&self, product: &LoanProduct) -> Result<(), Reject> {
        self.loans.terms().ok_or(Reject::NotFound)?.check_product(product)?;
        self.check_loan_coins(&[product.asset])
    }

    /// The guards of a change of the terms that all products share (0.6).
    pub(crate) fn check_loan_shared(&self, shared: &SharedTerms) -> Result<(), Reject> {
        self.loans.terms().ok_or(Reject::NotFound)?.check_shared(shared)?;
        self.check_loan_coins(&shared.collateral)
    }

    /// The spot wallet has these coins.
    fn check_loan_coins(&self, coins: &[AssetId]) -> Result<(), Reject> {
        let known = |asset: &AssetId| self.catalog.asset(*asset).is_some_and(|facts| facts.wallets.contains(&Wallet::Spot));
        if coins.iter().all(known) { Ok(()) } else { Err(Reject::BadCatalog) }
    }

    /// Operators that must approve an amount: two above a value, and where there is no value (B-3).
    fn approvals_of(&self, asset: AssetId, amount: Amount) -> u8 {
        let most = self.loans.terms().map_or(0, |terms| terms.shared.one_approves_up_to);
        if self.value(asset, amount).is_some_and(|value| value <= most) { 1 } else { 2 }
    }
}

/// Reading. Nothing here changes the state.
impl Engine {
    /// Why any application of a member would be refused before its amount: a pause, a freeze, a missing verification. The product is paused
    /// as long as no terms are in force.
    ///
    /// # Errors
    /// [`Reject::Disabled`], [`Reject::Frozen`] or [`Reject::KycBasic`].
    pub fn may_borrow(&self, user: UserId) -> Result<(), Reject> {
        self.loans_open()?;
        let member = self.member(user)?;
        self.check_self_pause(Product::Loan, SelfPause::Closed, member)?;
        self.security.check_freezes(member, self.time, FreezeScope::All)?;
        self.verified_level(member).map(drop).ok_or(Reject::KycBasic)
    }

    /// Loans may be applied for at all.
    ///
    /// # Errors
    /// [`Reject::Disabled`].
    pub fn loans_open(&self) -> Result<(), Reject> {
        self.loans.terms().ok_or(Reject::Disabled(Some(Product::Loan)))?;
        self.operations.check_open(Product::Loan, None)
    }

    /// The guards of an application from its amounts on, as far as they need no price: amounts, cycle, bounds, coins, the count of loans.
    ///
    /// # Errors
    /// The first refusal.
    pub(crate) fn check_application(&self, apply: &ApplyForLoan) -> Result<Valued, Reject> {
        let holder = self.holder(apply.user)?;
        let (shared, product) = self.loans.check_amount(apply)?;
        let (market, scales) = self.loan_pair(apply.collateral_asset, product.asset)?;
        self.loans.check_count(holder, shared.live_loans)?;
        Ok(Valued { market, scales, approvals: self.approvals_of(product.asset, apply.amount) })
    }

    /// The guards of an application from its amounts on, except those of the member's and the house's balances: used by a preview.
    ///
    /// # Errors
    /// The first refusal.
    pub fn check_loan_amount(&self, apply: &ApplyForLoan) -> Result<(), Reject> {
        self.loans.check_amount(apply).map(drop)
    }

    /// Why an application would be refused now, in the order of the guards; a preview shows the first.
    ///
    /// # Errors
    /// The first refusal.
    pub fn try_loan(&self, apply: &ApplyForLoan) -> Result<(), Reject> {
        self.may_borrow(apply.user)?;
        let Valued { market, scales, .. } = self.check_application(apply)?;
        let (shared, product) = self.loans.product(apply.product)?;
        let price = self.indices.fresh(market, self.time).ok_or(Reject::PriceStale)?;
        Loans::check_cover(apply, shared, price, scales)?;
        let Holder { member, .. } = self.holder(apply.user)?;
        let asset = self.ledger.asset(apply.collateral_asset).ok_or(Reject::BadAsset)?;
        let available = self.ledger.available(member, Wallet::Spot, asset);
        if available < apply.collateral {
            return Err(Reject::Insufficient { asset: apply.collateral_asset, available, needed: apply.collateral });
        }
        let free = self.exposure(crate::loans::TREASURY, product.asset).free;
        if free < apply.amount { Err(Reject::TreasuryShort { free }) } else { Ok(()) }
    }

    /// The guards of a command on a member's own loan that something is owed on.
    ///
    /// # Errors
    /// [`Reject::NotFound`] or [`Reject::WrongState`].
    pub fn check_own_loan(&self, user: UserId, id: LoanId) -> Result<(), Reject> {
        self.loans.check_own(self.holder(user)?, id, self.time)
    }

    /// The pair whose index values this collateral of a loan in this coin, and the decimals of both.
    ///
    /// # Errors
    /// [`Reject::BadAsset`] for a coin that is not collateral, or has no index.
    pub fn loan_pair(&self, collateral: AssetId, lent: AssetId) -> Result<(MarketId, Scales), Reject> {
        let terms = self.loans.terms().ok_or(Reject::BadAsset)?;
        let listed = terms.shared.collateral.contains(&collateral);
        let market = self.spot.pair_of(collateral, lent).filter(|_| listed).ok_or(Reject::BadAsset)?;
        self.indices.get(market).ok_or(Reject::BadAsset)?;
        let scale = |asset| self.catalog.asset(asset).map(|facts| facts.scale).ok_or(Reject::BadAsset);
        Ok((market, Scales { base: scale(collateral)?, quote: scale(lent)? }))
    }

    /// The last price of the collateral of a loan, however old.
    pub fn collateral_price(&self, loan: &Loan) -> Option<Price> {
        self.indices.get(loan.terms.market)?.filter.last().map(|sample| sample.price)
    }

    /// The terms of loans; `None` before there are any.
    pub fn loan_terms(&self) -> Option<&LoanTerms> {
        self.loans.terms()
    }

    /// A loan that is open, or ended recently.
    pub fn loan(&self, id: LoanId) -> Option<&Loan> {
        self.loans.get(id)
    }

    /// All open loans, oldest first.
    pub fn open_loans(&self) -> impl DoubleEndedIterator<Item = &Loan> {
        self.loans.open()
    }

    /// Applications that wait for operators, oldest first.
    pub fn pending_loans(&self) -> impl DoubleEndedIterator<Item = &Loan> {
        self.loans.open().filter(|loan| loan.status == Status::Pending)
    }

    /// A member's open loans, oldest first.
    pub fn loans_of(&self, user: UserId) -> impl DoubleEndedIterator<Item = &Loan> {
        self.loans.of(user)
    }
}
