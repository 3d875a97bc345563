//! The leaderboard: the ten members credited most (G-6).

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::amount::Amount;
use crate::ids::UserId;
use crate::time::Time;

/// Number of ranks shown.
pub const SHOWN: usize = 10;

/// What a rank depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The member.
    pub user: UserId,
    /// Value of all rebates, each at its credit; never 0.
    pub total: Amount,
    /// Direct invitees verified at the basic level.
    pub verified: u32,
    /// When the total was reached.
    pub reached: Time,
}

/// The order of ranks.
type Key = (Reverse<Amount>, Reverse<u32>, Time, UserId);

impl Place {
    fn key(self) -> Key {
        (Reverse(self.total), Reverse(self.verified), self.reached, self.user)
    }
}

/// Every member who was ever credited, best first. No rank is shared: the last criterion is a unique number.
#[derive(Clone, Debug, Default)]
pub struct Leaderboard(BTreeSet<Key>);

impl Leaderboard {
    /// A member's rank changed.
    pub fn change(&mut self, before: Option<Place>, after: Option<Place>) {
        if before != after {
            before.map(|place| self.0.remove(&place.key()));
            after.map(|place| self.0.insert(place.key()));
        }
    }

    /// The first ranks, best first.
    pub fn top(&self) -> impl Iterator<Item = Place> {
        let place = |(Reverse(total), Reverse(verified), reached, user): &Key| Place {
            user: *user,
            total: *total,
            verified: *verified,
            reached: *reached,
        };
        self.0.iter().take(SHOWN).map(place)
    }

    /// It holds these and no others.
    pub(crate) fn is_of(&self, places: impl Iterator<Item = Place>) -> bool {
        places.map(Place::key).collect::<BTreeSet<Key>>() == self.0
    }
}
