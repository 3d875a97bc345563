//! States of one level of verification (13).

use serde::{Deserialize, Serialize};

use crate::reject::Reject;

/// State of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// Nothing was submitted, or the level below was revoked.
    Unverified,
    /// Under review by operators.
    UnderReview,
    /// Approved.
    Verified,
    /// Rejected or revoked, with a reason.
    Rejected,
}

/// An event of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The member submits.
    Submit,
    /// The last needed operator approves.
    Approve,
    /// An operator rejects.
    Reject,
    /// Two operators revoke.
    Revoke,
    /// The level below was revoked.
    BasicRevoked,
}

/// The next state.
///
/// # Errors
/// [`Reject::WrongState`] when the state does not allow it.
pub fn next(status: Status, trigger: Trigger) -> Result<Status, Reject> {
    match status {
        Status::Unverified => match trigger {
            Trigger::Submit => Ok(Status::UnderReview),
            Trigger::Approve | Trigger::Reject | Trigger::Revoke => Err(Reject::WrongState),
            Trigger::BasicRevoked => Ok(Status::Unverified),
        },
        Status::UnderReview => match trigger {
            Trigger::Submit | Trigger::Revoke => Err(Reject::WrongState),
            Trigger::Approve => Ok(Status::Verified),
            Trigger::Reject => Ok(Status::Rejected),
            Trigger::BasicRevoked => Ok(Status::Unverified),
        },
        Status::Verified => match trigger {
            Trigger::Submit | Trigger::Approve | Trigger::Reject => Err(Reject::WrongState),
            Trigger::Revoke => Ok(Status::Rejected),
            Trigger::BasicRevoked => Ok(Status::Unverified),
        },
        Status::Rejected => match trigger {
            Trigger::Submit => Ok(Status::UnderReview),
            Trigger::Approve | Trigger::Reject | Trigger::Revoke => Err(Reject::WrongState),
            Trigger::BasicRevoked => Ok(Status::Unverified),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_matrix() {
        let mut matrix = String::new();
        for status in [Status::Unverified, Status::UnderReview, Status::Verified, Status::Rejected] {
            for trigger in [Trigger::Submit, Trigger::Approve, Trigger::Reject, Trigger::Revoke, Trigger::BasicRevoked] {
                let result = next(status, trigger).map_or_else(|reject| reject.name().to_owned(), |next| format!("{next:?}"));
                matrix += &format!("{status:?} {trigger:?} {result}\n");
            }
        }
        let golden = "\
Unverified Submit UnderReview
Unverified Approve E_STATE
Unverified Reject E_STATE
Unverified Revoke E_STATE
Unverified BasicRevoked Unverified
UnderReview Submit E_STATE
UnderReview Approve Verified
UnderReview Reject Rejected
UnderReview Revoke E_STATE
UnderReview BasicRevoked Unverified
Verified Submit E_STATE
Verified Approve E_STATE
Verified Reject E_STATE
Verified Revoke Rejected
Verified BasicRevoked Unverified
Rejected Submit UnderReview
Rejected Approve E_STATE
Rejected Reject E_STATE
Rejected Revoke E_STATE
Rejected BasicRevoked Unverified
";
        assert_eq!(matrix, golden);
    }
}
