//! States of a spot order (2.2).

use serde::{Deserialize, Serialize};

use crate::reject::Reject;

/// State of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// A stop order that has not been triggered.
    Waiting,
    /// On the book, or being matched.
    Open,
    /// Filled, or a market order that filled anything. Final.
    Completed,
    /// No further fills; earlier fills remain valid. Final.
    Cancelled,
}

/// An event of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The index reached the stop price.
    StopReached,
    /// Nothing is left to fill.
    Filled,
    /// The owner, a rule or the end of the pair takes it out.
    Cancel,
}

/// The next state.
///
/// # Errors
/// [`Reject::WrongState`] when the state does not allow it.
pub fn next(status: Status, trigger: Trigger) -> Result<Status, Reject> {
    match status {
        Status::Waiting => match trigger {
            Trigger::StopReached => Ok(Status::Open),
            Trigger::Filled => Err(Reject::WrongState),
            Trigger::Cancel => Ok(Status::Cancelled),
        },
        Status::Open => match trigger {
            Trigger::StopReached => Err(Reject::WrongState),
            Trigger::Filled => Ok(Status::Completed),
            Trigger::Cancel => Ok(Status::Cancelled),
        },
        Status::Completed => match trigger {
            Trigger::StopReached | Trigger::Filled | Trigger::Cancel => Err(Reject::WrongState),
        },
        Status::Cancelled => match trigger {
            Trigger::StopReached | Trigger::Filled | Trigger::Cancel => Err(Reject::WrongState),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_matrix() {
        let mut matrix = String::new();
        for status in [Status::Waiting, Status::Open, Status::Completed, Status::Cancelled] {
            for trigger in [Trigger::StopReached, Trigger::Filled, Trigger::Cancel] {
                let result = next(status, trigger).map_or_else(|reject| reject.name().to_owned(), |next| format!("{next:?}"));
                matrix += &format!("{status:?} {trigger:?} {result}\n");
            }
        }
        let golden = "\
Waiting StopReached Open
Waiting Filled E_STATE
Waiting Cancel Cancelled
Open StopReached E_STATE
Open Filled Completed
Open Cancel Cancelled
Completed StopReached E_STATE
Completed Filled E_STATE
Completed Cancel E_STATE
Cancelled StopReached E_STATE
Cancelled Filled E_STATE
Cancelled Cancel E_STATE
";
        assert_eq!(matrix, golden);
    }
}
