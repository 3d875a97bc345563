//! States of a proposal: one operator proposes, another confirms within 72 h (0.6).

use serde::{Deserialize, Serialize};

use crate::reject::Reject;

/// State of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// Needs another operator.
    Waiting,
    /// Confirmed; it acts at its instant.
    Confirmed,
    /// It acted. Final.
    Done,
    /// Its proposer took it back, or two operators stopped it before its instant. Final.
    Cancelled,
    /// It was not confirmed within 72 h, or its object changed before. Final.
    Expired,
    /// Confirmed, but when its instant came it was no longer possible. Final.
    Refused,
}

/// An event of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// Another operator confirms.
    Confirm,
    /// Its instant has come and it acts.
    Act,
    /// Its instant has come and a guard fails.
    Refuse,
    /// Its proposer takes it back.
    Cancel,
    /// 72 h have passed, or its object changed.
    Expire,
    /// Two operators stop it before its instant.
    Stop,
}

/// The next state.
///
/// # Errors
/// [`Reject::WrongState`] when the state does not allow it.
pub fn next(status: Status, trigger: Trigger) -> Result<Status, Reject> {
    match status {
        Status::Waiting => match trigger {
            Trigger::Confirm => Ok(Status::Confirmed),
            Trigger::Act | Trigger::Refuse | Trigger::Stop => Err(Reject::WrongState),
            Trigger::Cancel => Ok(Status::Cancelled),
            Trigger::Expire => Ok(Status::Expired),
        },
        Status::Confirmed => match trigger {
            Trigger::Confirm | Trigger::Cancel | Trigger::Expire => Err(Reject::WrongState),
            Trigger::Act => Ok(Status::Done),
            Trigger::Refuse => Ok(Status::Refused),
            Trigger::Stop => Ok(Status::Cancelled),
        },
        Status::Done | Status::Cancelled | Status::Expired | Status::Refused => match trigger {
            Trigger::Confirm | Trigger::Act | Trigger::Refuse | Trigger::Cancel | Trigger::Expire | Trigger::Stop => {
                Err(Reject::WrongState)
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_matrix() {
        let mut matrix = String::new();
        for status in [Status::Waiting, Status::Confirmed, Status::Done, Status::Cancelled, Status::Expired, Status::Refused] {
            matrix += &format!("{status:?}");
            for trigger in [Trigger::Confirm, Trigger::Act, Trigger::Refuse, Trigger::Cancel, Trigger::Expire, Trigger::Stop] {
                let result = next(status, trigger).map_or_else(|reject| reject.name().to_owned(), |next| format!("{next:?}"));
                matrix += &format!(" {trigger:?}:{result}");
            }
            matrix += "\n";
        }
        let golden = "\
Waiting Confirm:Confirmed Act:E_STATE Refuse:E_STATE Cancel:Cancelled Expire:Expired Stop:E_STATE
Confirmed Confirm:E_STATE Act:Done Refuse:Refused Cancel:E_STATE Expire:E_STATE Stop:Cancelled
Done Confirm:E_STATE Act:E_STATE Refuse:E_STATE Cancel:E_STATE Expire:E_STATE Stop:E_STATE
Cancelled Confirm:E_STATE Act:E_STATE Refuse:E_STATE Cancel:E_STATE Expire:E_STATE Stop:E_STATE
Expired Confirm:E_STATE Act:E_STATE Refuse:E_STATE Cancel:E_STATE Expire:E_STATE Stop:E_STATE
Refused Confirm:E_STATE Act:E_STATE Refuse:E_STATE Cancel:E_STATE Expire:E_STATE Stop:E_STATE
";
        assert_eq!(matrix, golden);
    }
}
