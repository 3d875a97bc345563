//! Referral: who invited whom, what referrers are owed at the end of each day, and who was paid most (`docs/rules.md` 14).
//!
//! A member is invited once, on joining, by a member who joined earlier. So self-invitations, circles and second invitations are
//! impossible. The rules see neither the ledger nor the engine, which posts what they return.

mod day;
pub mod leaderboard;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, Rate};
use crate::exact::{COUNTED, Exact};
use crate::ids::{AssetId, IdTable, MemberIndex, RebateId, UserId};
use crate::scheduler::Due;
use crate::security::ReferralRole;
use crate::time::Time;
use crate::units::rate_down;
pub(crate) use day::{Day, Owed};
use leaderboard::{Leaderboard, Place};

/// How far above the payer of the fee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// The payer's inviter.
    First,
    /// The inviter of that member.
    Second,
}

impl Level {
    /// Its number on the wire.
    pub fn number(self) -> u64 {
        match self {
            Level::First => 1,
            Level::Second => 2,
        }
    }

    /// The share of the fees that a referrer of this role gets.
    pub fn rate(self, role: ReferralRole) -> Rate {
        match (self, role) {
            (Level::Second, _) => Rate(5_000_000),
            (Level::First, ReferralRole::User) => Rate(20_000_000),
            (Level::First, ReferralRole::Promoter) => Rate(30_000_000),
            (Level::First, ReferralRole::Partner) => Rate(40_000_000),
        }
    }

    /// The most that is owed for these fees, whatever role their referrer has when the day is settled (G-3).
    fn most(self, fees: Amount) -> Amount {
        rebate(fees, self.rate(ReferralRole::Partner))
    }
}

/// G-2: summed first, rounded down once.
fn rebate(fees: Amount, rate: Rate) -> Amount {
    rate_down(fees, rate).expect("a rebate is less than its fees")
}

/// A rebate that was credited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rebate {
    /// Number, counted from 1.
    pub id: RebateId,
    /// The referrer.
    pub user: UserId,
    /// Level of the members who paid the fees.
    pub level: Level,
    /// Coin.
    pub asset: AssetId,
    /// Atoms credited.
    pub amount: Amount,
    /// Value at the credit, in atoms of the coin of the bank terms, rounded down; 0 without a price (G-6).
    pub value: Amount,
    /// Fees that it is a share of, atoms.
    pub fees: Amount,
    /// UTC day of the fees.
    pub day: u64,
    /// The member who paid the fees, if it was only one.
    pub payer: Option<UserId>,
    /// When it was credited: the end of that day.
    pub time: Time,
}

/// Fees whose rebate is due when their day ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsettledFees {
    /// UTC day.
    pub day: u64,
    /// The referrer.
    pub user: UserId,
    /// Level of the payers.
    pub level: Level,
    /// Coin.
    pub asset: AssetId,
    /// Atoms.
    pub fees: Amount,
}

/// A referrer's data.
#[derive(Clone, Debug)]
struct Referrer {
    user: UserId,
    /// Their invitees, in the order of joining.
    invitees: Vec<MemberIndex>,
    /// How many of them are verified at the basic level. Derived from the identities.
    verified: u32,
    /// Value of all rebates, and when it was reached (G-6).
    total: Amount,
    reached: Time,
}

impl Referrer {
    fn place(&self) -> Option<Place> {
        let Referrer { user, verified, total, reached, .. } = *self;
        (total > 0).then_some(Place { user, total, verified, reached })
    }
}

/// A referrer in a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ReferrerState {
    member: MemberIndex,
    invitees: Vec<MemberIndex>,
    total: Amount,
    reached: Time,
}

/// Who invited whom, what is owed, and what was paid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Referrals {
    /// By the invited.
    inviters: IdTable,
    referrers: BTreeMap<MemberIndex, Referrer>,
    /// Unsettled days, by their number.
    days: BTreeMap<u64, Day>,
    /// Rebates paid so far.
    paid: u64,
    /// Derived from the referrers.
    board: Leaderboard,
}

/// The same in a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReferralsState {
    referrers: Vec<ReferrerState>,
    days: Vec<(u64, Day)>,
    paid: u64,
}

/// Fees that a payer's referrers share: what is owed from now on, and how much has to be set aside for it.
pub(crate) struct Noted {
    /// Work planned for the first time.
    pub(crate) planned: Option<Due>,
    /// Atoms that may be owed more than before.
    pub(crate) more: Amount,
}

impl Referrals {
    /// A new member was invited by an existing one.
    pub(crate) fn invite(&mut self, member: MemberIndex, (inviter, user): (MemberIndex, UserId)) {
        self.inviters.insert(u64::from(member.0), inviter.0);
        let new = Referrer { user, invitees: Vec::new(), verified: 0, total: 0, reached: Time(0) };
        self.referrers.entry(inviter).or_insert(new).invitees.push(member);
    }

    pub(crate) fn inviter(&self, member: MemberIndex) -> Option<MemberIndex> {
        self.inviters.find(u64::from(member.0)).map(MemberIndex)
    }

    /// A member's invitees, in the order of joining.
    pub(crate) fn invitees(&self, member: MemberIndex) -> &[MemberIndex] {
        self.referrers.get(&member).map(|referrer| referrer.invitees.as_slice()).unwrap_or_default()
    }

    /// How many of them are verified.
    pub(crate) fn verified(&self, member: MemberIndex) -> u32 {
        self.referrers.get(&member).map_or(0, |referrer| referrer.verified)
    }

    /// Value of all rebates of a member.
    pub(crate) fn total(&self, member: MemberIndex) -> Amount {
        self.referrers.get(&member).map_or(0, |referrer| referrer.total)
    }

    pub(crate) fn board(&self) -> &Leaderboard {
        &self.board
    }

    /// The basic level of a member was verified, or no longer is.
    pub(crate) fn verification_changed(&mut self, member: MemberIndex, verified: bool) {
        let Some(inviter) = self.inviter(member) else { return };
        self.change(inviter, |referrer| {
            referrer.verified = if verified { referrer.verified.plus(1, COUNTED) } else { referrer.verified.saturating_sub(1) };
        });
    }

    /// G-1: a fee that a member paid at an instant, for both levels above them.
    pub(crate) fn note(&mut self, payer: MemberIndex, asset: AssetId, fee: Amount, now: Time) -> [Option<Noted>; 2] {
        let first = self.inviter(payer);
        let second = first.and_then(|first| self.inviter(first));
        let day = self.days.entry(now.day()).or_default();
        [(first, Level::First), (second, Level::Second)]
            .map(|(referrer, level)| referrer.map(|referrer| day.note((referrer, level, asset), payer, fee, now)))
    }

    /// G-2: removes the first due rebate of a day, with its reserve.
    pub(crate) fn take(&mut self, due: Due) -> Option<Owed> {
        let number = due.at.day().checked_sub(1)?;
        let day = self.days.get_mut(&number)?;
        let owed = day.take(due.id)?;
        if day.is_empty() {
            self.days.remove(&number);
        }
        Some(owed)
    }

    /// The next number of a rebate.
    pub(crate) fn next_id(&mut self) -> RebateId {
        self.paid = self.paid.plus(1, COUNTED);
        RebateId(self.paid)
    }

    /// G-6: a rebate of this value was credited.
    pub(crate) fn credited(&mut self, member: MemberIndex, value: Amount, now: Time) {
        if value > 0 {
            self.change(member, |referrer| {
                referrer.total = referrer.total.saturating_add(value);
                referrer.reached = now;
            });
        }
    }

    /// A role changes: rebates due before keep the role that was valid then, however late they are settled (G-3, T-3).
    pub(crate) fn keep_role(&mut self, member: MemberIndex, role: ReferralRole, assets: impl Iterator<Item = AssetId> + Clone, now: Time) {
        for (_, day) in self.days.range_mut(..now.day()) {
            day.keep_role(member, role, assets.clone());
        }
    }

    fn change(&mut self, member: MemberIndex, how: impl FnOnce(&mut Referrer)) {
        let Some(referrer) = self.referrers.get_mut(&member) else { return };
        let before = referrer.place();
        how(referrer);
        self.board.change(before, referrer.place());
    }

    /// What is owed, by day and then in the order of settlement.
    pub(crate) fn owed(&self) -> impl Iterator<Item = (u64, &Owed)> {
        self.days.iter().flat_map(|(number, day)| day.owed().map(|owed| (*number, owed)))
    }

    pub(crate) fn due(&self) -> impl Iterator<Item = Due> {
        self.days.iter().flat_map(|(number, day)| day.due(*number))
    }

    pub(crate) fn state(&self) -> ReferralsState {
        let referrer = |(member, referrer): (&MemberIndex, &Referrer)| {
            let Referrer { invitees, total, reached, .. } = referrer.clone();
            ReferrerState { member: *member, invitees, total, reached }
        };
        let days = self.days.iter().map(|(number, day)| (*number, day.clone())).collect();
        ReferralsState { referrers: self.referrers.iter().map(referrer).collect(), days, paid: self.paid }
    }

    /// `None` for a state that [`Referrals::state`] would not produce. `user` names a member, `verified` says whether they are.
    pub(crate) fn restore(
        state: ReferralsState,
        user: impl Fn(MemberIndex) -> Option<UserId>,
        verified: impl Fn(MemberIndex) -> bool,
    ) -> Option<Referrals> {
        let mut referrals = Referrals { paid: state.paid, days: state.days.iter().cloned().collect(), ..Referrals::default() };
        for ReferrerState { member, invitees, total, reached } in &state.referrers {
            let name = user(*member)?;
            for invitee in invitees {
                user(*invitee).filter(|_| referrals.inviter(*invitee).is_none())?;
                referrals.invite(*invitee, (*member, name));
                if verified(*invitee) {
                    referrals.verification_changed(*invitee, true);
                }
            }
            referrals.change(*member, |referrer| (referrer.total, referrer.reached) = (*total, *reached));
        }
        let sound = referrals.fault(verified).is_none() && referrals.days.values().all(|day| !day.is_empty());
        (sound && referrals.state() == state).then_some(referrals)
    }

    /// Inviters joined before their invitees; counts, ranks and debts match the members and their fees.
    pub(crate) fn fault(&self, verified: impl Fn(MemberIndex) -> bool) -> Option<String> {
        for (member, referrer) in &self.referrers {
            let older = |invitee: &MemberIndex| member < invitee && self.inviter(*invitee) == Some(*member);
            let counted = referrer.invitees.iter().filter(|invitee| verified(**invitee)).count();
            if referrer.invitees.is_empty() || !referrer.invitees.iter().all(older) {
                return Some(format!("14: invitees of member {}", referrer.user.0));
            }
            if u32::try_from(counted) != Ok(referrer.verified) {
                return Some(format!("G-6: verified invitees of member {}", referrer.user.0));
            }
        }
        let places = self.referrers.values().filter_map(Referrer::place);
        if !self.board.is_of(places) {
            return Some("G-6: the leaderboard is not that of the referrers".to_owned());
        }
        let owed = self.owed().find(|(_, owed)| owed.fees == 0 || !self.referrers.contains_key(&owed.referrer));
        owed.map(|(day, owed)| format!("G-2: {owed:?} of day {day}"))
    }
}
