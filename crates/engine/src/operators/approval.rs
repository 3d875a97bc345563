//! What operators' decisions have in common: who decides, the version they have seen, who approved before (0.6, W-7, V-4).

use serde::{Deserialize, Serialize};

use crate::ids::{Digest, OperatorId, UserId};
use crate::time::Time;

/// The operator who acts for the house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reviewer {
    /// The operator.
    pub operator: OperatorId,
    /// The member account of the same person, as far as the edge knows; the log knows it too.
    pub member: Option<UserId>,
}

/// The version that a reviewer had before them: a decision about any other is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignedVersion {
    /// Version of the item.
    pub version: u32,
    /// Hash of the item.
    pub hash: Digest,
}

/// One approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// The operator.
    pub operator: OperatorId,
    /// When.
    pub at: Time,
}

/// Whether no operator approved twice.
pub(crate) fn all_different(approvals: &[Approval]) -> bool {
    approvals.iter().enumerate().all(|(at, one)| approvals.iter().take(at).all(|earlier| earlier.operator != one.operator))
}
