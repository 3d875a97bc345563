//! Commands about people and about deposits and withdrawals: finds members and data, then calls the rules of each subject.

use super::Engine;
use super::outdated::Object;
use crate::amount::{Amount, PRICE_ONE, Price};
use crate::catalog::funding::Chain;
use crate::catalog::{Catalog, Wallet};
use crate::event::{AccountEvent, Event};
use crate::feature::Feature;
use crate::funding::deposits::{Claimed, Observation, Observed};
use crate::funding::destinations::{Address, Card};
use crate::funding::withdrawals::{Applicant, Verification, Withdraw};
use crate::funding::{Funding, FundingContext};
use crate::identity::status::Status;
use crate::identity::{KycLevel, Submission};
use crate::ids::{AddressId, AssetId, CardId, Digest, MemberIndex, UserId, WithdrawalId};
use crate::ledger::Hold;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::security::{AccountControls, FundPasswordChange, SecurityChange};
use crate::time::Time;
use crate::units::{Base, Scales};

impl Engine {
    /// The state of this part, and its context.
    pub(crate) fn funding_context<'a>(&'a mut self, events: &'a mut Vec<Event>) -> (&'a mut Funding, &'a Catalog, FundingContext<'a>) {
        let (payments, finals) = (self.active(Feature::Payments), self.active(Feature::FinalPayments));
        let Engine { ledger, catalog, funding, time, seq, .. } = self;
        let context = FundingContext { ledger, terms: &catalog.funding, events, now: *time, seq: seq.0, payments, finals };
        (funding, catalog, context)
    }

    /// Removes what has become final from the state (D-3, 10.2, W-8).
    pub(crate) fn forget_finals(&mut self, events: &mut Vec<Event>) {
        if self.active(Feature::FinalPayments) {
            let (funding, _, mut context) = self.funding_context(events);
            funding.forget_finals(&mut context);
        }
    }

    pub(crate) fn add_address(
        &mut self,
        user: UserId,
        asset: AssetId,
        chain: Chain,
        destination: Digest,
        verification: Verification,
        events: &mut Vec<Event>,
    ) -> Result<Reply, Reject> {
        self.check_address(user)?;
        let (member, now) = (self.member(user)?, self.time);
        self.catalog.asset(asset).ok_or(Reject::BadAsset)?;
        self.catalog.funding.network(asset, chain).ok_or(Reject::BadChain)?;
        self.security.change(member, |security| security.fund_password.enter(now, verification.fund_password_right))?;
        if let Some(fault) = verification.code {
            return Err(Reject::Code(fault));
        }
        let address = Address { id: AddressId(self.seq.0), user, asset, chain, destination, created: now };
        self.funding.destinations.add_address(&self.catalog.funding, address)?;
        events.push(AccountEvent::AddressAdded(address).into());
        Ok(Reply::Address(Box::new(address)))
    }

    pub(crate) fn remove_address(&mut self, user: UserId, address: AddressId, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        self.member(user)?;
        let Funding { destinations, withdrawals, .. } = &mut self.funding;
        destinations.address(user, address).ok_or(Reject::NotFound)?;
        if withdrawals.uses(user, Some(address), None) {
            return Err(Reject::WrongState);
        }
        destinations.remove_address(user, address)?;
        events.push(AccountEvent::AddressRemoved { user, address }.into());
        Ok(Reply::Done)
    }

    pub(crate) fn add_card(&mut self, user: UserId, number: Digest, destination: Digest, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        self.check_card(user)?;
        let card = Card { id: CardId(self.seq.0), user, number, destination, created: self.time };
        self.funding.destinations.add_card(&self.catalog.funding, card)?;
        events.push(AccountEvent::CardAdded(card).into());
        Ok(Reply::Card(Box::new(card)))
    }

    pub(crate) fn remove_card(&mut self, user: UserId, card: CardId, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        self.member(user)?;
        let Funding { destinations, withdrawals, .. } = &mut self.funding;
        destinations.card(user, card).ok_or(Reject::NotFound)?;
        if withdrawals.uses(user, None, Some(card)) {
            return Err(Reject::WrongState);
        }
        destinations.remove_card(user, card)?;
        events.push(AccountEvent::CardRemoved { user, card }.into());
        Ok(Reply::Done)
    }

    pub(crate) fn claim_deposit(
        &mut self,
        user: UserId,
        claimed: Claimed,
        proof: Digest,
        events: &mut Vec<Event>,
    ) -> Result<Reply, Reject> {
        self.check_claim(user, claimed)?;
        let (funding, _, mut context) = self.funding_context(events);
        funding.deposits.claim(&mut context, user, claimed, proof).map(|deposit| Reply::Deposit(Box::new(deposit)))
    }

    pub(crate) fn withdraw(&mut self, wanted: &Withdraw, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let holder = self.holder(wanted.user)?;
        let (level, price) = (self.verified_level(holder.member), self.limit_price(wanted.asset));
        let (payments, finals) = (self.active(Feature::Payments), self.active(Feature::FinalPayments));
        let Engine { ledger, catalog, funding, security, time, seq, .. } = self;
        let mut context = FundingContext { ledger, terms: &catalog.funding, events, now: *time, seq: seq.0, payments, finals };
        let Funding { destinations, withdrawals, .. } = funding;
        let applied = security.change(holder.member, |security| {
            let applicant = Applicant { holder, security, level, price };
            withdrawals.apply(&mut context, catalog, destinations, applicant, wanted)
        });
        applied.map(|done| Reply::Withdrawal(Box::new(done)))
    }

    pub(crate) fn cancel_withdrawal(&mut self, user: UserId, id: WithdrawalId, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let holder = self.holder(user)?;
        let approved = self.withdrawal(id).is_some_and(|present| !self.counting_approvals(present).is_empty());
        let (funding, _, mut context) = self.funding_context(events);
        funding.withdrawals.cancel(&mut context, user, holder, id, approved).map(|done| Reply::Withdrawal(Box::new(done)))
    }

    /// A wrong fund password counts, whatever the answer.
    pub(crate) fn set_fund_password(&mut self, user: UserId, change: FundPasswordChange, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let now = self.time;
        self.protect(user, events, |security| security.set_fund_password(now, change))
    }

    /// W-2.
    pub(crate) fn record_security_change(&mut self, user: UserId, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let now = self.time;
        self.protect(user, events, |security| {
            security.changed = Some(now);
            Ok(())
        })
    }

    pub(crate) fn freeze_self(&mut self, user: UserId, until: Option<Time>, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let now = self.time;
        let frozen = self.protect(user, events, |security| security.freeze_self(now, until))?;
        self.end_outdated(Object::Freezes(user), None, events);
        Ok(frozen)
    }

    pub(crate) fn submit_identity(&mut self, submission: Submission, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let identity = self.identities.submit(self.member(submission.user)?, submission, self.time)?;
        events.push(AccountEvent::IdentityChanged(identity.clone()).into());
        Ok(Reply::Identity(Box::new(identity)))
    }

    /// D-7.
    pub(crate) fn report_reorganisation(&mut self, tx: Digest, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let (funding, _, mut context) = self.funding_context(events);
        funding.deposits.vanish(&mut context, tx).map(|seen| Reply::Observation(Box::new(seen)))
    }

    /// D-3, and below the limit of D-5 the credit without an operator.
    pub(crate) fn observe_deposit(
        &mut self,
        tx: Digest,
        observed: Observed,
        confirmations: u32,
        events: &mut Vec<Event>,
    ) -> Result<Reply, Reject> {
        let holder = self.holder(observed.user)?;
        let observed_now = |seen: Observation| Ok(Reply::Observation(Box::new(seen)));
        let (funding, _, mut context) = self.funding_context(events);
        let seen = funding.deposits.observe(&mut context, tx, observed, confirmations)?;
        let needed = self.catalog.funding.network(observed.asset, observed.chain).map_or(u32::MAX, |network| network.confirmations);
        let small =
            self.value(observed.asset, observed.amount).is_some_and(|value| value < self.catalog.funding.limits.deposit_unattended_below);
        let Some(claim) = seen.claim.filter(|_| small && seen.confirmations >= needed) else { return observed_now(seen) };
        let (funding, _, mut context) = self.funding_context(events);
        // A claim that an operator rejected in the meantime stays rejected; the payment then waits for another claim.
        if funding.deposits.credit(&mut context, holder, claim, seen.id, None).is_err() {
            return observed_now(seen);
        }
        observed_now(funding.deposits.observation(seen.id).cloned().unwrap_or(seen))
    }

    /// Changes a member's protection and emits the change; if the rule refuses, only the count of wrong fund passwords changes.
    pub(crate) fn protect(
        &mut self,
        user: UserId,
        events: &mut Vec<Event>,
        how: impl FnOnce(&mut AccountControls) -> Result<(), Reject>,
    ) -> Result<Reply, Reject> {
        let member = self.member(user)?;
        self.security.change(member, how)?;
        let security = self.security.of(member);
        events.push(AccountEvent::SecurityChanged(SecurityChange { user, security }).into());
        Ok(Reply::Security(security))
    }

    /// The highest verified level.
    pub(crate) fn verified_level(&self, member: MemberIndex) -> Option<KycLevel> {
        let verified = |level: &KycLevel| self.identities.status(member, *level) == Status::Verified;
        [KycLevel::Advanced, KycLevel::Basic].into_iter().find(verified)
    }

    /// Price of a coin in the coin of the bank terms: the latest sample of any age.
    pub(crate) fn latest_value_price(&self, asset: AssetId) -> Option<Price> {
        let quote = self.catalog.funding.bank.asset;
        if asset == quote {
            return Some(PRICE_ONE);
        }
        self.indices.get(self.spot.pair_of(asset, quote)?)?.filter.last().map(|sample| sample.price)
    }

    /// W-5: price of a coin for the day limit, in the coin of the bank terms: the latest sample of any age. Where a pair has no index, the
    /// higher of its issue price and the mean of its last 24 hours of trading, so that no staged trade widens the limit or closes it.
    pub fn limit_price(&self, asset: AssetId) -> Option<Price> {
        let without_index = || {
            let pair = self.spot.pair_of(asset, self.catalog.funding.bank.asset)?;
            let traded = if self.active(Feature::RiskBounds) { self.spot.mean_price(pair) } else { None };
            let known = self.issue_price(pair).max(traded.or_else(|| self.last_trade(pair)));
            known.filter(|_| self.active(Feature::ProductCorrections) && self.indices.get(pair).is_none())
        };
        self.latest_value_price(asset).or_else(without_index)
    }

    /// Value of an amount at its latest sample, in atoms of the coin of the bank terms, rounded up; `None` without a price.
    pub(crate) fn value(&self, asset: AssetId, amount: Amount) -> Option<Amount> {
        let scale = |asset| self.catalog.asset(asset).map(|facts| facts.scale);
        let price = self.latest_value_price(asset)?;
        let scales = Scales { base: scale(asset)?, quote: scale(self.catalog.funding.bank.asset)? };
        Base(amount).value_ceil(price, scales).ok().map(|value| value.0)
    }

    /// I-3: what withdrawals hold.
    pub(crate) fn withdrawal_holds(&self) -> impl Iterator<Item = Hold> {
        let hold = |(user, asset, amount)| Some(Hold { member: self.members.index(user)?, wallet: Wallet::Spot, asset, amount });
        self.funding.withdrawals.holds().filter_map(hold)
    }
}
