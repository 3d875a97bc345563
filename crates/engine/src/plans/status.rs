//! States of a plan order (5.2).

use serde::{Deserialize, Serialize};

use crate::reject::Reject;

/// State of a plan order. All but `Hosting` are final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Status {
    /// The principal is locked and earns.
    Hosting,
    /// It matured: principal and interest are paid.
    Completed,
    /// Its owner took it back early.
    Redeemed,
}

/// An event of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The instant of its maturity has come (P-4).
    Mature,
    /// Its owner takes it back (P-5).
    Redeem,
}

/// The next state.
///
/// # Errors
/// [`Reject::WrongState`] when the state does not allow it.
pub fn next(status: Status, trigger: Trigger) -> Result<Status, Reject> {
    match (status, trigger) {
        (Status::Hosting, Trigger::Mature) => Ok(Status::Completed),
        (Status::Hosting, Trigger::Redeem) => Ok(Status::Redeemed),
        (Status::Completed | Status::Redeemed, Trigger::Mature | Trigger::Redeem) => Err(Reject::WrongState),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_matrix() {
        let mut matrix = String::new();
        for status in [Status::Hosting, Status::Completed, Status::Redeemed] {
            for trigger in [Trigger::Mature, Trigger::Redeem] {
                let result = next(status, trigger).map_or_else(|reject| reject.name().to_owned(), |next| format!("{next:?}"));
                matrix += &format!("{status:?} {trigger:?} {result}\n");
            }
        }
        let golden = "\
Hosting Mature Completed
Hosting Redeem Redeemed
Completed Mature E_STATE
Completed Redeem E_STATE
Redeemed Mature E_STATE
Redeemed Redeem E_STATE
";
        assert_eq!(matrix, golden);
    }
}
