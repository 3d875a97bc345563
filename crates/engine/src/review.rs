//! What operators' decisions have in common: who decides, what he has seen, who approved before (0.6, W-7, V-4).

use serde::{Deserialize, Serialize};

use crate::ids::{Digest, OperatorId, UserId};
use crate::reject::Reject;
use crate::time::Time;

/// Who acts for the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reviewer {
    /// The operator. One person has one number, whatever names he uses: that is the edge's matter.
    pub operator: OperatorId,
    /// The member account of the same person, if there is one.
    pub member: Option<UserId>,
}

/// What a reviewer had before him: a decision about anything else is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Version of the item.
    pub version: u32,
    /// Hash of the item.
    pub hash: Digest,
}

/// One approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Who.
    pub operator: OperatorId,
    /// When.
    pub at: Time,
}

impl Reviewer {
    /// Guards of every decision after the state: what was seen, then whose it is.
    pub(crate) fn check(self, seen: Seen, present: Seen, owner: UserId) -> Result<(), Reject> {
        if seen != present {
            return Err(Reject::ChangedSince { version: present.version, hash: present.hash });
        }
        self.check_owner(owner)
    }

    /// Nobody decides about himself.
    pub(crate) fn check_owner(self, owner: UserId) -> Result<(), Reject> {
        if self.member == Some(owner) { Err(Reject::SelfReview) } else { Ok(()) }
    }

    /// A second approval needs a second person.
    pub(crate) fn check_new(self, approvals: &[Approval]) -> Result<(), Reject> {
        if approvals.iter().any(|approval| approval.operator == self.operator) { Err(Reject::SameOperator) } else { Ok(()) }
    }
}

/// Whether no operator approved twice.
pub(crate) fn all_different(approvals: &[Approval]) -> bool {
    approvals.iter().enumerate().all(|(at, one)| approvals.iter().skip(at + 1).all(|other| other.operator != one.operator))
}
