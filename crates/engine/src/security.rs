//! What protects a member's money from others and from themselves: fund password (15), holds after security changes (W-2), freezes (0.6).

use serde::{Deserialize, Serialize};

use crate::ids::{MemberIndex, UserId, to_u32};
use crate::reject::{FrozenBy, Reject};
use crate::time::{DAY_MS, HOUR_MS, Time};

/// Wrong entries in a row that lock the fund password.
pub const FUND_PASSWORD_TRIES: u8 = 5;
/// How long it stays locked, ms.
pub const FUND_PASSWORD_LOCK_MS: u64 = 3 * HOUR_MS;
/// New addresses and cards, and every withdrawal after a security change, wait this long, ms (W-1, W-2, K-3).
pub const HOLD_MS: u64 = DAY_MS;

/// The fund password as the engine knows it: whether there is one, and how often it was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FundPassword {
    /// There is one.
    pub set: bool,
    /// Wrong entries in a row.
    pub wrong: u8,
    /// Locked before this instant.
    pub locked_until: Option<Time>,
}

impl FundPassword {
    /// One use. The edge checks whether the entry was right; the count is kept here.
    ///
    /// # Errors
    /// [`Reject::FundPasswordLocked`] while it is locked, [`Reject::FundPasswordWrong`] for a wrong entry, which counts.
    pub(crate) fn enter(&mut self, now: Time, right: bool) -> Result<(), Reject> {
        self.check_lock(now)?;
        self.locked_until = None;
        if right {
            self.wrong = 0;
            return Ok(());
        }
        self.wrong = self.wrong.saturating_add(1);
        let left = FUND_PASSWORD_TRIES.saturating_sub(self.wrong);
        if left == 0 {
            *self = FundPassword { set: true, wrong: 0, locked_until: Some(now.plus(FUND_PASSWORD_LOCK_MS)) };
        }
        Err(Reject::FundPasswordWrong { left })
    }

    /// Whether it may be tried.
    ///
    /// # Errors
    /// [`Reject::FundPasswordLocked`].
    pub fn check_lock(&self, now: Time) -> Result<(), Reject> {
        match self.locked_until.filter(|until| now < *until) {
            Some(until) => Err(Reject::FundPasswordLocked { until }),
            None => Ok(()),
        }
    }
}

/// How a fund password comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FundPasswordChange {
    /// The first one.
    First,
    /// Replaces the old one, which was entered.
    Change {
        /// The entry of the old one was right.
        old_right: bool,
    },
    /// Replaces a forgotten one, after the checks of the edge. Ends a lock.
    Reset,
}

/// What a freeze blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FreezeScope {
    /// Withdrawals only.
    Withdrawals,
    /// Everything that opens something or moves money out.
    All,
}

/// Freezes of a member. Closing, cancelling and settlement are never blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Freezes {
    /// By an operator; two operators lift it.
    pub by_operator: Option<FreezeScope>,
    /// By the member until this instant; it cannot be lifted earlier.
    pub self_until: Option<Time>,
    /// By the member without an end; two operators lift it.
    pub self_open: bool,
}

impl Freezes {
    /// Refuses what a freeze of at least this scope blocks.
    pub(crate) fn check(&self, now: Time, action: FreezeScope) -> Result<(), Reject> {
        let by_operator = match self.by_operator {
            None => false,
            Some(FreezeScope::All) => true,
            Some(FreezeScope::Withdrawals) => action == FreezeScope::Withdrawals,
        };
        if by_operator {
            return Err(Reject::Frozen { by: FrozenBy::Operator, until: None });
        }
        let until = self.self_until.filter(|until| now < *until);
        if self.self_open || until.is_some() {
            return Err(Reject::Frozen { by: FrozenBy::Member, until: until.filter(|_| !self.self_open) });
        }
        Ok(())
    }
}

/// Referral roles (14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ReferralRole {
    /// Every member.
    #[default]
    User,
    /// Promoter.
    Promoter,
    /// Partner.
    Partner,
}

impl ReferralRole {
    /// Its wire name.
    pub const fn word(self) -> &'static str {
        match self {
            ReferralRole::User => "user",
            ReferralRole::Promoter => "promoter",
            ReferralRole::Partner => "partner",
        }
    }
}

/// One member's protection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AccountControls {
    /// Fund password.
    pub fund_password: FundPassword,
    /// The last change of login password, fund password, phone, e-mail or second factor (W-2).
    pub changed: Option<Time>,
    /// Freezes.
    pub freezes: Freezes,
    /// Referral role, set by two operators (G-3).
    pub role: ReferralRole,
}

impl AccountControls {
    /// End of the hold of W-2, if it is not over.
    pub fn hold_until(&self, now: Time) -> Option<Time> {
        self.changed.map(|changed| changed.plus(HOLD_MS)).filter(|until| now < *until)
    }

    pub(crate) fn set_fund_password(&mut self, now: Time, change: FundPasswordChange) -> Result<(), Reject> {
        match change {
            FundPasswordChange::First if self.fund_password.set => return Err(Reject::WrongState),
            FundPasswordChange::First => {}
            FundPasswordChange::Change { .. } | FundPasswordChange::Reset if !self.fund_password.set => {
                return Err(Reject::FundPasswordUnset);
            }
            FundPasswordChange::Change { old_right } => {
                self.fund_password.enter(now, old_right)?;
                self.changed = Some(now);
            }
            FundPasswordChange::Reset => self.changed = Some(now),
        }
        self.fund_password = FundPassword { set: true, ..FundPassword::default() };
        Ok(())
    }

    /// A member's own freeze: a later end only, so it can be extended but never shortened.
    pub(crate) fn freeze_self(&mut self, now: Time, until: Option<Time>) -> Result<(), Reject> {
        let freezes = &mut self.freezes;
        match until {
            None if freezes.self_open => return Err(Reject::WrongState),
            None => freezes.self_open = true,
            Some(until) if until <= now => return Err(Reject::BadTime),
            Some(until) if freezes.self_until.is_some_and(|present| until < present) => return Err(Reject::WrongState),
            Some(until) => freezes.self_until = Some(until),
        }
        Ok(())
    }

    /// An operator's freeze; one that would block no more than the present one is no change.
    pub(crate) fn freeze(&mut self, scope: FreezeScope) -> Result<(), Reject> {
        if self.freezes.by_operator >= Some(scope) {
            return Err(Reject::WrongState);
        }
        self.freezes.by_operator = Some(scope);
        Ok(())
    }

    /// What two operators lift: an operator's freeze and the member's own without an end.
    pub(crate) fn unfreeze(&mut self) -> Result<(), Reject> {
        if self.freezes.by_operator.is_none() && !self.freezes.self_open {
            return Err(Reject::WrongState);
        }
        self.freezes = Freezes { by_operator: None, self_open: false, ..self.freezes };
        Ok(())
    }
}

/// The protection of all members, in the order of joining.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<AccountControls>", into = "Vec<AccountControls>")]
pub(crate) struct ControlsOfMembers {
    list: Vec<AccountControls>,
    /// A bit for each member who has any freeze, so an order of any other member need not load theirs.
    frozen: Vec<u64>,
}

impl From<Vec<AccountControls>> for ControlsOfMembers {
    fn from(list: Vec<AccountControls>) -> ControlsOfMembers {
        let mut all = ControlsOfMembers::default();
        list.into_iter().for_each(|security| all.push(security));
        all
    }
}

impl From<ControlsOfMembers> for Vec<AccountControls> {
    fn from(all: ControlsOfMembers) -> Vec<AccountControls> {
        all.list
    }
}

impl ControlsOfMembers {
    pub(crate) fn add_member(&mut self) {
        self.push(AccountControls::default());
    }

    fn push(&mut self, security: AccountControls) {
        let member = MemberIndex(to_u32(self.list.len()));
        self.list.push(security);
        self.frozen.resize(self.list.len().div_ceil(64), 0);
        self.note_freezes(member);
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn of(&self, member: MemberIndex) -> AccountControls {
        self.list.get(member.at()).copied().unwrap_or_default()
    }

    /// Refuses what a freeze of this member of at least this scope blocks.
    pub(crate) fn check_freezes(&self, member: MemberIndex, now: Time, action: FreezeScope) -> Result<(), Reject> {
        let (word, bit) = frozen_bit(member);
        if self.frozen.get(word).is_none_or(|word| word & bit == 0) {
            return Ok(());
        }
        self.of(member).freezes.check(now, action)
    }

    /// Changes a member's protection by `how`; changes made before `how` refuses remain.
    pub(crate) fn change<T>(&mut self, member: MemberIndex, how: impl FnOnce(&mut AccountControls) -> T) -> T {
        let changed = how(self.entry(member));
        self.note_freezes(member);
        changed
    }

    fn entry(&mut self, member: MemberIndex) -> &mut AccountControls {
        self.list.get_mut(member.at()).expect("every member has an entry")
    }

    fn note_freezes(&mut self, member: MemberIndex) {
        let (word, bit) = frozen_bit(member);
        let any = self.of(member).freezes != Freezes::default();
        let word = self.frozen.get_mut(word).expect("every member has a bit");
        *word = if any { *word | bit } else { *word & !bit };
    }
}

/// A member's word and bit in the bitmap of frozen members.
fn frozen_bit(member: MemberIndex) -> (usize, u64) {
    (member.at() / 64, 1 << (member.at() % 64))
}

/// A member's protection changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecurityChange {
    /// The member.
    pub user: UserId,
    /// Afterwards.
    pub security: AccountControls,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bits_of_the_frozen_follow_every_change_and_a_snapshot() {
        let now = Time(1_000);
        let mut all = ControlsOfMembers::default();
        (0..130).for_each(|_| all.add_member());
        let frozen = |all: &ControlsOfMembers| -> Vec<u32> {
            (0..130).filter(|member| all.check_freezes(MemberIndex(*member), now, FreezeScope::All).is_err()).collect()
        };
        assert!(frozen(&all).is_empty());
        all.change(MemberIndex(64), |security| security.freeze(FreezeScope::All)).unwrap();
        all.change(MemberIndex(63), |security| security.freeze_self(now, Some(Time(1_001)))).unwrap();
        all.change(MemberIndex(129), |security| security.freeze_self(now, None)).unwrap();
        all.change(MemberIndex(5), |security| security.freeze(FreezeScope::Withdrawals)).unwrap();
        assert_eq!(frozen(&all), [63, 64, 129]);
        assert!(all.check_freezes(MemberIndex(5), now, FreezeScope::Withdrawals).is_err());
        let bytes = postcard::to_allocvec(&all).unwrap();
        assert_eq!(bytes, postcard::to_allocvec(&all.list).unwrap());
        let restored: ControlsOfMembers = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(frozen(&restored), [63, 64, 129]);
        all.change(MemberIndex(64), AccountControls::unfreeze).unwrap();
        assert_eq!(frozen(&all), [63, 129]);
    }
}
