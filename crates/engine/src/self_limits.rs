//! Limits that members set for themselves. A tighter value takes effect at once, a looser one 24 h after the request, so that no member
//! loosens them in the heat of the moment. They restrict only opening: closing and withdrawing are never limited by them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, MAX_AMOUNT};
use crate::ids::MemberIndex;
pub use crate::limit::SelfLimit;
use crate::reject::Reject;
use crate::time::{DAY_MS, Time};

/// A looser value takes effect this long after the request, ms.
pub const LOOSER_WAIT_MS: u64 = DAY_MS;

/// Zero is no bound, and the value of one fits an amount.
fn check(limit: SelfLimit, value: Option<u64>) -> Result<(), Reject> {
    let good = match limit {
        SelfLimit::OptionStakeDay | SelfLimit::LossDay => value.is_none_or(|value| value > 0 && value < MAX_AMOUNT),
        SelfLimit::LeverageMax => value.is_none_or(|value| value > 0),
        SelfLimit::PauseUntil => true,
    };
    if good { Ok(()) } else { Err(Reject::BadAmount) }
}

/// A looser value that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingLimit {
    /// The value; `None` is no limit.
    pub value: Option<u64>,
    /// When it counts.
    pub at: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Limit {
    value: Option<u64>,
    coming: Option<PendingLimit>,
}

/// One member's limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SelfLimits([Limit; 4]);

impl SelfLimits {
    /// The value in effect at an instant. A pause that is over is none.
    pub fn value(&self, limit: SelfLimit, now: Time) -> Option<u64> {
        let Limit { value, coming } = self.0[limit.at()];
        let value = coming.filter(|coming| coming.at <= now).map_or(value, |coming| coming.value);
        value.filter(|value| limit != SelfLimit::PauseUntil || *value > now.0)
    }

    /// The looser value that waits at an instant.
    pub fn coming(&self, limit: SelfLimit, now: Time) -> Option<PendingLimit> {
        self.0[limit.at()].coming.filter(|coming| coming.at > now)
    }

    /// A tighter or equal value takes effect at once and cancels a waiting looser one; a looser one waits, and its wait starts over.
    fn set(&mut self, limit: SelfLimit, new: Option<u64>, now: Time) {
        let present = self.value(limit, now);
        let new = new.filter(|new| limit != SelfLimit::PauseUntil || *new > now.0);
        self.0[limit.at()] = match limit.is_looser(new, present) {
            true => Limit { value: present, coming: Some(PendingLimit { value: new, at: now.plus(LOOSER_WAIT_MS) }) },
            false => Limit { value: new, coming: None },
        };
    }
}

/// The limits of every member who ever set one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct AllSelfLimits(BTreeMap<MemberIndex, SelfLimits>);

impl AllSelfLimits {
    pub(crate) fn of(&self, member: MemberIndex) -> SelfLimits {
        self.0.get(&member).copied().unwrap_or_default()
    }

    /// All of the changes, or none.
    pub(crate) fn set(&mut self, member: MemberIndex, changes: &[(SelfLimit, Option<u64>)], now: Time) -> Result<SelfLimits, Reject> {
        changes.iter().try_for_each(|(limit, value)| check(*limit, *value))?;
        let limits = self.0.entry(member).or_default();
        changes.iter().for_each(|(limit, value)| limits.set(*limit, *value, now));
        Ok(*limits)
    }
}

impl SelfLimits {
    /// No opening before the end of a pause.
    pub(crate) fn check_pause(&self, now: Time) -> Result<(), Reject> {
        let until = self.value(SelfLimit::PauseUntil, now);
        until.map_or(Ok(()), |value| Err(Reject::SelfLimit { limit: SelfLimit::PauseUntil, value, used: now.0 }))
    }

    /// Checks that the used part of a limit and the addition stay within it. `added`: its value; `None` as long as its coin has no price.
    pub(crate) fn check(&self, limit: SelfLimit, used: Amount, added: Option<Amount>, now: Time) -> Result<(), Reject> {
        let Some(value) = self.value(limit, now) else { return Ok(()) };
        let added = added.ok_or(Reject::PriceStale)?;
        if used.saturating_add(added) > value { Err(Reject::SelfLimit { limit, value, used }) } else { Ok(()) }
    }
}

/// What counts in one UTC day against the limits of one member, atoms of the coin of the bank terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DayUse {
    /// Stakes of options that were bought.
    pub option_stakes: Amount,
    /// Losses; gains do not offset them.
    pub losses: Amount,
}

/// Today's use, of every member who has any.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct DayUses {
    day: u64,
    of: BTreeMap<MemberIndex, DayUse>,
}

impl DayUses {
    pub(crate) fn of(&self, member: MemberIndex, now: Time) -> DayUse {
        if now.day() == self.day { self.of.get(&member).copied().unwrap_or_default() } else { DayUse::default() }
    }

    /// Entries for a past day no longer count, however late they come.
    pub(crate) fn add(&mut self, member: MemberIndex, at: Time, more: DayUse) {
        if at.day() < self.day {
            return;
        }
        if at.day() > self.day {
            *self = DayUses { day: at.day(), of: BTreeMap::new() };
        }
        let used = self.of.entry(member).or_default();
        used.option_stakes = used.option_stakes.saturating_add(more.option_stakes);
        used.losses = used.losses.saturating_add(more.losses);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Time = Time(1_000_000);

    #[test]
    fn which_value_is_looser_is_the_same_table_for_ever() {
        let (some, more) = (Some(5), Some(6));
        let mut table = String::new();
        for limit in SelfLimit::ALL {
            for (new, than) in [(None, None), (some, None), (None, some), (some, some), (more, some), (some, more)] {
                table += if limit.is_looser(new, than) { "looser " } else { "at_once " };
            }
            table += "\n";
        }
        let bound = "at_once at_once looser at_once looser at_once \n";
        assert_eq!(table, format!("{bound}{bound}{bound}at_once at_once looser at_once at_once looser \n"));
    }

    #[test]
    fn a_looser_value_waits_a_day_and_a_tighter_one_ends_the_wait() {
        let mut limits = SelfLimits::default();
        limits.set(SelfLimit::LossDay, Some(100), NOW);
        assert_eq!(limits.value(SelfLimit::LossDay, NOW), Some(100));
        limits.set(SelfLimit::LossDay, None, NOW.plus(5));
        let due = NOW.plus(5 + LOOSER_WAIT_MS);
        assert_eq!(limits.coming(SelfLimit::LossDay, NOW.plus(5)), Some(PendingLimit { value: None, at: due }));
        assert_eq!(limits.value(SelfLimit::LossDay, Time(due.0 - 1)), Some(100));
        assert_eq!((limits.value(SelfLimit::LossDay, due), limits.coming(SelfLimit::LossDay, due)), (None, None));
        limits.set(SelfLimit::LossDay, Some(100), NOW.plus(6));
        assert_eq!((limits.value(SelfLimit::LossDay, due), limits.coming(SelfLimit::LossDay, NOW.plus(6))), (Some(100), None));
    }

    #[test]
    fn a_pause_ends_by_itself_and_is_lifted_only_after_a_day() {
        let mut limits = SelfLimits::default();
        let (week, day) = (NOW.plus(7 * DAY_MS), NOW.plus(DAY_MS));
        limits.set(SelfLimit::PauseUntil, Some(week.0), NOW);
        assert_eq!(limits.value(SelfLimit::PauseUntil, NOW), Some(week.0));
        assert_eq!(limits.value(SelfLimit::PauseUntil, week), None);
        // A pause that would end at once lifts the pause. That is looser, so it waits.
        limits.set(SelfLimit::PauseUntil, Some(NOW.0), NOW);
        assert_eq!(limits.coming(SelfLimit::PauseUntil, NOW), Some(PendingLimit { value: None, at: day }));
        assert_eq!((limits.value(SelfLimit::PauseUntil, NOW), limits.value(SelfLimit::PauseUntil, day)), (Some(week.0), None));
    }

    #[test]
    fn what_is_used_counts_for_its_day_however_late_it_comes() {
        let mut uses = DayUses::default();
        let (one, two) = (MemberIndex(0), MemberIndex(1));
        let stake = |option_stakes| DayUse { option_stakes, losses: 0 };
        uses.add(one, NOW, stake(7));
        uses.add(one, NOW, DayUse { option_stakes: 0, losses: 3 });
        assert_eq!((uses.of(one, NOW), uses.of(two, NOW)), (DayUse { option_stakes: 7, losses: 3 }, DayUse::default()));
        let tomorrow = NOW.plus(DAY_MS);
        assert_eq!(uses.of(one, tomorrow), DayUse::default());
        uses.add(two, tomorrow, stake(5));
        uses.add(one, NOW, stake(9));
        assert_eq!((uses.of(one, tomorrow), uses.of(two, tomorrow), uses.of(one, NOW)), (DayUse::default(), stake(5), DayUse::default()));
    }

    #[test]
    fn a_limit_is_reached_by_the_last_atom_and_a_pause_says_its_end() {
        let mut limits = SelfLimits::default();
        assert_eq!(limits.check(SelfLimit::LossDay, u64::MAX, None, NOW), Ok(()));
        limits.set(SelfLimit::LossDay, Some(100), NOW);
        assert_eq!(limits.check(SelfLimit::LossDay, 60, Some(40), NOW), Ok(()));
        let over = Reject::SelfLimit { limit: SelfLimit::LossDay, value: 100, used: 60 };
        assert_eq!(limits.check(SelfLimit::LossDay, 60, Some(41), NOW), Err(over));
        assert_eq!(limits.check(SelfLimit::LossDay, 60, None, NOW), Err(Reject::PriceStale));
        limits.set(SelfLimit::PauseUntil, Some(NOW.0 + 1), NOW);
        let paused = Reject::SelfLimit { limit: SelfLimit::PauseUntil, value: NOW.0 + 1, used: NOW.0 };
        assert_eq!((limits.check_pause(NOW), limits.check_pause(NOW.plus(1))), (Err(paused), Ok(())));
    }
}
