//! What referrers are owed from the fees of one UTC day, until the day is settled (G-1, G-2).

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::{Level, Noted, rebate};
use crate::amount::Amount;
use crate::exact::Exact;
use crate::ids::{AssetId, IdTable, MemberIndex, to_u32};
use crate::scheduler::{Class, Due};
use crate::security::ReferralRole;
use crate::time::Time;

const FEES: &str = "fees of a day stay in the fee account until it is settled (G-4), which is below 10^18";

/// Fees of one level of one referrer in one coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Owed {
    pub(crate) referrer: MemberIndex,
    pub(crate) level: Level,
    pub(crate) asset: AssetId,
    /// Atoms, never 0.
    pub(crate) fees: Amount,
    /// The member who paid them, if it was only one.
    pub(crate) payer: Option<MemberIndex>,
    /// The role at the end of the day, if it changed before this was settled.
    role: Option<ReferralRole>,
}

impl Owed {
    /// The reserve for it: the maximum it can be.
    pub(crate) fn reserve(&self) -> Amount {
        self.level.most(self.fees)
    }

    /// G-2, G-3: the amount of the rebate; `now` is the present role of its referrer.
    pub(crate) fn amount(&self, now: ReferralRole) -> Amount {
        rebate(self.fees, self.level.rate(self.role.unwrap_or(now)))
    }
}

/// Everything unsettled that a day owes, in the order of the first fee.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "State", into = "State")]
pub(crate) struct Day {
    /// How many were settled before the first of the list.
    settled: u64,
    owed: VecDeque<Owed>,
    /// Derived: the index of each rebate in its day.
    places: IdTable,
}

#[derive(Serialize, Deserialize)]
struct State {
    settled: u64,
    owed: VecDeque<Owed>,
}

impl From<Day> for State {
    fn from(Day { settled, owed, .. }: Day) -> State {
        State { settled, owed }
    }
}

impl From<State> for Day {
    fn from(State { settled, owed }: State) -> Day {
        let mut places = IdTable::default();
        for (place, owed) in (settled..).zip(&owed) {
            places.insert(key((owed.referrer, owed.level, owed.asset)), to_u32(usize::try_from(place).unwrap_or(usize::MAX)));
        }
        Day { settled, owed, places }
    }
}

impl PartialEq for Day {
    fn eq(&self, other: &Day) -> bool {
        (self.settled, &self.owed) == (other.settled, &other.owed)
    }
}

impl Eq for Day {}

/// Coins have numbers below 2^31: the catalog lists a few thousand, from 101 on.
fn key((referrer, level, AssetId(asset)): (MemberIndex, Level, AssetId)) -> u64 {
    (u64::from(referrer.0) << 32) | (u64::from(asset) << 1) | u64::from(level == Level::Second)
}

impl Day {
    /// One more fee.
    pub(super) fn note(&mut self, to: (MemberIndex, Level, AssetId), payer: MemberIndex, fee: Amount, now: Time) -> Noted {
        if let Some(owed) = self.find(to) {
            let before = owed.reserve();
            owed.fees = owed.fees.plus(fee, FEES);
            owed.payer = owed.payer.filter(|one| *one == payer);
            return Noted { planned: None, more: owed.reserve().saturating_sub(before) };
        }
        let (referrer, level, asset) = to;
        let owed = Owed { referrer, level, asset, fees: fee, payer: Some(payer), role: None };
        let place = self.settled.saturating_add(u64::from(to_u32(self.owed.len())));
        self.places.insert(key(to), to_u32(usize::try_from(place).unwrap_or(usize::MAX)));
        self.owed.push_back(owed);
        Noted { planned: Some(due(now.day(), place)), more: owed.reserve() }
    }

    fn find(&mut self, to: (MemberIndex, Level, AssetId)) -> Option<&mut Owed> {
        let place = u64::from(self.places.find(key(to))?).checked_sub(self.settled)?;
        self.owed.get_mut(usize::try_from(place).ok()?)
    }

    /// Removes the first, if it has this index.
    pub(super) fn take(&mut self, place: u64) -> Option<Owed> {
        if place != self.settled {
            return None;
        }
        let first = self.owed.pop_front()?;
        self.settled = self.settled.saturating_add(1);
        Some(first)
    }

    pub(super) fn keep_role(&mut self, referrer: MemberIndex, role: ReferralRole, assets: impl Iterator<Item = AssetId>) {
        for asset in assets {
            if let Some(owed) = self.find((referrer, Level::First, asset)) {
                owed.role.get_or_insert(role);
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.owed.is_empty()
    }

    pub(super) fn owed(&self) -> impl Iterator<Item = &Owed> {
        self.owed.iter()
    }

    pub(super) fn due(&self, day: u64) -> impl Iterator<Item = Due> {
        (self.settled..).zip(&self.owed).map(move |(place, _)| due(day, place))
    }
}

/// At the end of its day (G-2).
fn due(day: u64, place: u64) -> Due {
    Due { at: Time::of_day(day).next_day(), class: Class::ReferralSettlement, id: place }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFERRER: MemberIndex = MemberIndex(7);
    const USDT: AssetId = AssetId(3);

    #[test]
    fn a_day_that_is_settled_in_part_finds_what_is_left_after_a_restart_too() {
        let now = Time::of_day(20_000);
        let mut day = Day::default();
        for asset in [1, 2, 3] {
            let noted = day.note((REFERRER, Level::First, AssetId(asset)), MemberIndex(8), 10, now);
            assert_eq!((noted.more, noted.planned.unwrap().at), (4, Time::of_day(20_001)));
        }
        assert!(day.take(1).is_none(), "the first goes first");
        assert_eq!(day.take(0).unwrap().asset, AssetId(1));
        let mut restored: Day = postcard::from_bytes(&postcard::to_allocvec(&day).unwrap()).unwrap();
        for mut day in [day, restored.clone()] {
            let noted = day.note((REFERRER, Level::First, USDT), MemberIndex(9), 1, now);
            assert!(noted.planned.is_none());
            assert_eq!(
                day.owed().map(|owed| (owed.asset.0, owed.fees, owed.payer)).collect::<Vec<_>>(),
                [(2, 10, Some(MemberIndex(8))), (3, 11, None)]
            );
            let again = day.note((REFERRER, Level::First, AssetId(1)), MemberIndex(8), 5, now);
            assert_eq!(again.planned.map(|due| due.id), Some(3), "what was settled begins anew");
        }
        restored.keep_role(REFERRER, ReferralRole::Partner, [USDT].into_iter());
        restored.keep_role(REFERRER, ReferralRole::User, [USDT].into_iter());
        assert_eq!(restored.owed().map(|owed| owed.amount(ReferralRole::Promoter)).collect::<Vec<_>>(), [3, 4]);
    }
}
