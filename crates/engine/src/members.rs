//! The few facts about members that money rules need. Personal data is outside the log.

use serde::{Deserialize, Serialize};

use crate::ids::{IdTable, MemberIndex, UserId, to_u32};
use crate::ledger::Holder;
use crate::time::Time;

/// A member as the engine knows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Member {
    pub(crate) user: UserId,
    /// Runs the labelled house liquidity; a label for the public record only.
    pub(crate) house: bool,
    pub(crate) since: Time,
}

/// All members, in the order in which they joined.
#[derive(Clone, Debug, Default)]
pub(crate) struct Members {
    list: Vec<Member>,
    by_user: IdTable,
    /// The members that run the labelled house liquidity: searching for them among all would be slow.
    house: Vec<UserId>,
}

impl Members {
    /// Adds a member; false if they exist.
    pub(crate) fn add(&mut self, member: Member) -> bool {
        if self.index(member.user).is_some() {
            return false;
        }
        let at = to_u32(self.list.len());
        self.list.push(member);
        if member.house {
            self.house.push(member.user);
        }
        self.by_user.insert(member.user.0, at);
        true
    }

    pub(crate) fn index(&self, user: UserId) -> Option<MemberIndex> {
        self.by_user.find(user.0).map(MemberIndex)
    }

    pub(crate) fn holder(&self, user: UserId) -> Option<Holder> {
        self.index(user).map(|member| Holder { member, user })
    }

    /// The member at an index.
    pub(crate) fn at(&self, member: MemberIndex) -> Option<Holder> {
        self.list.get(member.at()).map(|found| Holder { member, user: found.user })
    }

    pub(crate) fn is_house(&self, member: MemberIndex) -> bool {
        self.list.get(member.at()).is_some_and(|member| member.house)
    }

    /// Those that run the labelled house liquidity.
    pub(crate) fn house(&self) -> impl Iterator<Item = UserId> {
        self.house.iter().copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn list(&self) -> &[Member] {
        &self.list
    }
}
