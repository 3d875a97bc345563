//! Referral: what its rules need from the whole state, and what the server reads about it (`docs/rules.md` 14).

use super::Engine;
use crate::amount::{Amount, Price, Rate};
use crate::catalog::Wallet;
use crate::event::{AccountEvent, Event};
use crate::exact::Exact;
use crate::feature::Feature;
use crate::identity::KycLevel;
use crate::identity::status::Status as IdentityStatus;
use crate::ids::{AssetId, MemberIndex, UserId};
use crate::ledger::{Available, HouseAccount, LineKind, ObjectKind, Reason, Reserve};
use crate::referral::leaderboard::Place;
use crate::referral::{Level, Noted, Owed, Rebate, UnsettledFees};
use crate::reject::Reject;
use crate::reply::Reply;
use crate::scheduler::{Class, Due};
use crate::security::{FreezeScope, ReferralRole};
use crate::time::Time;
use crate::units::{Base, Scales};

const OWED: &str = "fees of a day stay in the fee account until it is settled (G-4)";

impl Engine {
    /// A new member with an inviter (G-5). The inviter is always another member, because they joined before. Rebates belong to whole days,
    /// so due work has to run at its own instant.
    pub(crate) fn register_invited(&mut self, user: UserId, inviter: UserId, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        if self.is_member(user) || !self.active(Feature::DueWork) {
            return Err(Reject::WrongState);
        }
        let host = self.may_invite(inviter)?;
        let done = self.register(user, false, events)?;
        let member = self.member(user)?;
        self.referrals.invite(member, (host, inviter));
        self.ledger.note_fees_of(member);
        Ok(done)
    }

    /// Whether this member's code is good.
    fn may_invite(&self, inviter: UserId) -> Result<MemberIndex, Reject> {
        let member = self.members.index(inviter).ok_or(Reject::UnknownInviter)?;
        let free = self.security.check_freezes(member, self.time, FreezeScope::Withdrawals);
        free.map(|()| member).map_err(|_| Reject::UnknownInviter)
    }

    /// G-1: referrers get their shares of the fees just posted when the day ends. Until then the maximum is set aside, so the rebate is
    /// always covered (G-4).
    pub(crate) fn share_fees(&mut self) {
        while let Some(noted) = self.ledger.next_noted_fee() {
            self.share_fee(noted);
        }
    }

    /// A separate function: hardly any entry has a fee to share, and every entry asks.
    #[inline(never)]
    fn share_fee(&mut self, (payer, asset, fee): (MemberIndex, AssetId, Amount)) {
        for Noted { planned, more } in self.referrals.note(payer, asset, fee, self.time).into_iter().flatten() {
            if let Some(due) = planned {
                self.scheduler.plan(Class::ReferralSettlement, due.id, None, Some(due.at));
            }
            self.set_aside(asset, more);
        }
    }

    fn set_aside(&mut self, asset: AssetId, more: Amount) {
        let Some(of_ledger) = self.ledger.asset(asset) else { return };
        self.ledger.reserve(of_ledger, HouseAccount::Fee, more).expect(OWED);
        // Fees of a day that has ended count as settled, except for the rebates owed from them.
        if !self.time.is_on(self.operations.settled.day) {
            let settled = self.operations.settled.atoms.entry(asset).or_default();
            *settled = settled.saturating_sub(more);
        }
    }

    /// G-2: one rebate of a day that has ended.
    pub(crate) fn settle_rebate(&mut self, due: Due, events: &mut Vec<Event>) {
        self.scheduler.plan(due.class, due.id, Some(due.at), None);
        let owed = self.referrals.take(due).expect("what is planned is owed");
        let (asset, member) = (owed.asset, owed.referrer);
        let of_ledger = self.ledger.asset(asset).expect("fees are paid in coins that are listed");
        let amount = owed.amount(self.security.of(member).role);
        self.ledger.release(of_ledger, HouseAccount::Fee, owed.reserve());
        let settled = self.operations.settled.atoms.entry(asset).or_default();
        *settled = settled.plus(owed.reserve().saturating_sub(amount), OWED);
        if amount == 0 {
            return;
        }
        let id = self.referrals.next_id();
        let holder = self.members.at(member).expect("a referrer is a member");
        let reason = Reason { kind: LineKind::Rebate, object: ObjectKind::Rebate, debit_id: id.0, credit_id: id.0 };
        self.ledger.transfer(of_ledger, HouseAccount::Fee, Available(holder, Wallet::Spot), amount, reason, events);
        let value = self.value_at(asset, amount, due.at).unwrap_or(0);
        self.referrals.credited(member, value, due.at);
        let payer = owed.payer.and_then(|payer| self.members.at(payer)).map(|payer| payer.user);
        let day = due.at.day().saturating_sub(1);
        let (level, fees, time) = (owed.level, owed.fees, due.at);
        events.push(AccountEvent::RebatePaid(Rebate { id, user: holder.user, level, asset, amount, value, fees, day, payer, time }).into());
    }

    /// G-6: value in atoms of the coin of the bank terms by the last sample that was known at an instant, rounded down; `None` without one.
    fn value_at(&self, asset: AssetId, amount: Amount, instant: Time) -> Option<Amount> {
        let scale = |asset| self.catalog.asset(asset).map(|facts| facts.scale);
        let quote = self.catalog.funding.bank.asset;
        let scales = Scales { base: scale(asset)?, quote: scale(quote)? };
        Base(amount).value_floor(self.value_price_at(asset, instant)?, scales).ok().map(|value| value.0)
    }

    fn value_price_at(&self, asset: AssetId, instant: Time) -> Option<Price> {
        let latest = self.latest_value_price(asset)?;
        let quote = self.catalog.funding.bank.asset;
        let index = self.spot.pair_of(asset, quote).and_then(|pair| self.indices.get(pair));
        Some(index.and_then(|index| index.known_at(instant)).map_or(latest, |known| known.price))
    }

    /// Two operators give a role (G-3). Work of an earlier day may still add fees to that day, which count at the role of its end.
    pub(crate) fn set_referral_role(&mut self, user: UserId, role: ReferralRole, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let member = self.member(user)?;
        let midnight = Time::of_day(self.time.day());
        if self.active(Feature::ProductCorrections) && self.next_due().is_some_and(|due| due < midnight) {
            return Err(Reject::WrongState);
        }
        let assets = self.catalog.assets.iter().map(|asset| asset.id);
        self.referrals.keep_role(member, self.security.of(member).role, assets, self.time);
        self.protect(user, events, |security| {
            security.role = role;
            Ok(())
        })
    }

    /// A member's basic level may have changed, and with it their inviter's rank (G-6).
    pub(crate) fn note_verification(&mut self, member: MemberIndex, before: bool) {
        let after = self.is_verified(member);
        if before != after {
            self.referrals.verification_changed(member, after);
        }
    }

    pub(crate) fn is_verified(&self, member: MemberIndex) -> bool {
        self.identities.status(member, KycLevel::Basic) == IdentityStatus::Verified
    }

    /// What the fee account has set aside for rebates (L-2).
    pub(crate) fn rebate_reserves(&self) -> impl Iterator<Item = Reserve> {
        let reserve = |(_, owed): (u64, &Owed)| Reserve { account: HouseAccount::Fee, asset: owed.asset, amount: owed.reserve() };
        self.referrals.owed().map(reserve)
    }
}

/// Reading. Nothing here changes the state.
impl Engine {
    /// The inviter of a member.
    pub fn inviter(&self, user: UserId) -> Option<UserId> {
        let inviter = self.referrals.inviter(self.members.index(user)?)?;
        self.members.at(inviter).map(|holder| holder.user)
    }

    /// Whether a new member may name this one as their inviter (G-5).
    ///
    /// # Errors
    /// [`Reject::UnknownInviter`] if there is no such member, or if they are frozen in any way.
    pub fn check_inviter(&self, inviter: UserId) -> Result<(), Reject> {
        self.may_invite(inviter).map(drop)
    }

    /// The members whom a member invited, in the order of joining (G-7).
    pub fn invitees(&self, user: UserId) -> impl DoubleEndedIterator<Item = UserId> + ExactSizeIterator {
        let invitees = self.members.index(user).map(|member| self.referrals.invitees(member)).unwrap_or_default();
        invitees.iter().map(|invitee| self.members.at(*invitee).map_or(UserId(0), |holder| holder.user))
    }

    /// How many of them are verified at the basic level.
    pub fn verified_invitees(&self, user: UserId) -> u32 {
        self.members.index(user).map_or(0, |member| self.referrals.verified(member))
    }

    /// Value of all rebates of a member, each at its credit, in atoms of the coin of the bank terms (G-7).
    pub fn rebate_total(&self, user: UserId) -> Amount {
        self.members.index(user).map_or(0, |member| self.referrals.total(member))
    }

    /// The shares that a member's role gives: of the fees of direct invitees, and of the second level (G-7).
    pub fn rebate_rates(&self, user: UserId) -> [Rate; 2] {
        let role = self.security(user).unwrap_or_default().role;
        [Level::First, Level::Second].map(|level| level.rate(role))
    }

    /// The leaderboard, best first (G-6).
    pub fn leaderboard(&self) -> impl Iterator<Item = Place> {
        self.referrals.board().top()
    }

    /// Fees whose rebates are due when their day ends, in the order of settlement.
    pub fn unsettled_fees(&self) -> impl Iterator<Item = UnsettledFees> {
        self.referrals.owed().map(|(day, owed)| {
            let user = self.members.at(owed.referrer).map_or(UserId(0), |holder| holder.user);
            UnsettledFees { day, user, level: owed.level, asset: owed.asset, fees: owed.fees }
        })
    }
}
