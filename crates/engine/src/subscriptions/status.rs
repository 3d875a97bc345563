//! States of offerings and of commitments (6.2).

use serde::{Deserialize, Serialize};

use crate::reject::Reject;

/// State of an offering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OfferingStatus {
    /// Before its start, or without its tokens.
    Upcoming,
    /// Commitments are accepted.
    Open,
    /// No commitment fits any more.
    SoldOut,
    /// The close has come: tokens are allotted.
    Allocated,
    /// The token trades, and is released by its schedule.
    Launched,
    /// The last tranche is released. Final.
    Ended,
    /// It was not launched in time, or never opened. Final.
    Cancelled,
}

impl OfferingStatus {
    /// Nothing happens to it any more.
    pub fn is_over(self) -> bool {
        match self {
            OfferingStatus::Ended | OfferingStatus::Cancelled => true,
            OfferingStatus::Upcoming
            | OfferingStatus::Open
            | OfferingStatus::SoldOut
            | OfferingStatus::Allocated
            | OfferingStatus::Launched => false,
        }
    }
}

/// An event of an offering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferingTrigger {
    /// Its start has come and the escrow holds its tokens.
    Open,
    /// The smallest commitment no longer fits.
    Fill,
    /// Its close has come.
    Close,
    /// Two operators launch it.
    Launch,
    /// The last tranche is released.
    End,
    /// It is not launched 30 days after the close, or its close has come before its tokens.
    Cancel,
}

/// The next state of an offering.
///
/// # Errors
/// [`Reject::WrongState`] when the state does not allow it.
pub fn next_offering(status: OfferingStatus, trigger: OfferingTrigger) -> Result<OfferingStatus, Reject> {
    use OfferingStatus::{Allocated, Cancelled, Ended, Launched, Open, SoldOut, Upcoming};
    match (status, trigger) {
        (Upcoming, OfferingTrigger::Open) => Ok(Open),
        (Open, OfferingTrigger::Fill) => Ok(SoldOut),
        (Open | SoldOut, OfferingTrigger::Close) => Ok(Allocated),
        (Allocated, OfferingTrigger::Launch) => Ok(Launched),
        (Launched, OfferingTrigger::End) => Ok(Ended),
        (Upcoming | Allocated, OfferingTrigger::Cancel) => Ok(Cancelled),
        (Upcoming | Open | SoldOut | Allocated | Launched | Ended | Cancelled, _) => Err(Reject::WrongState),
    }
}

/// State of a commitment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CommitmentStatus {
    /// Paid; the close has not come.
    Review,
    /// It has tokens, which are delivered at the launch.
    Passed,
    /// Its tokens are in the owner's wallet and not all released.
    Locked,
    /// All its tokens are released. Final.
    Released,
    /// It has no tokens: all that was paid is back. Final.
    Refunded,
}

/// An event of a commitment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitmentTrigger {
    /// It gets tokens.
    Pass,
    /// It gets none, or the offering is cancelled.
    Refund,
    /// The offering is launched.
    Deliver,
    /// The last tranche is released.
    Release,
}

/// The next state of a commitment.
///
/// # Errors
/// [`Reject::WrongState`] when the state does not allow it.
pub fn next_commitment(status: CommitmentStatus, trigger: CommitmentTrigger) -> Result<CommitmentStatus, Reject> {
    use CommitmentStatus::{Locked, Passed, Refunded, Released, Review};
    match (status, trigger) {
        (Review, CommitmentTrigger::Pass) => Ok(Passed),
        (Review | Passed, CommitmentTrigger::Refund) => Ok(Refunded),
        (Passed, CommitmentTrigger::Deliver) => Ok(Locked),
        (Locked, CommitmentTrigger::Release) => Ok(Released),
        (Review | Passed | Locked | Released | Refunded, _) => Err(Reject::WrongState),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_matrix_of_offerings() {
        use OfferingStatus::{Allocated, Cancelled, Ended, Launched, Open, SoldOut, Upcoming};
        use OfferingTrigger as Trigger;
        let mut matrix = String::new();
        for status in [Upcoming, Open, SoldOut, Allocated, Launched, Ended, Cancelled] {
            matrix += &format!("{status:?}");
            for trigger in [Trigger::Open, Trigger::Fill, Trigger::Close, Trigger::Launch, Trigger::End, Trigger::Cancel] {
                let result = next_offering(status, trigger).map_or_else(|reject| reject.name().to_owned(), |next| format!("{next:?}"));
                matrix += &format!(" {trigger:?}:{result}");
            }
            matrix += "\n";
        }
        let golden = "\
Upcoming Open:Open Fill:E_STATE Close:E_STATE Launch:E_STATE End:E_STATE Cancel:Cancelled
Open Open:E_STATE Fill:SoldOut Close:Allocated Launch:E_STATE End:E_STATE Cancel:E_STATE
SoldOut Open:E_STATE Fill:E_STATE Close:Allocated Launch:E_STATE End:E_STATE Cancel:E_STATE
Allocated Open:E_STATE Fill:E_STATE Close:E_STATE Launch:Launched End:E_STATE Cancel:Cancelled
Launched Open:E_STATE Fill:E_STATE Close:E_STATE Launch:E_STATE End:Ended Cancel:E_STATE
Ended Open:E_STATE Fill:E_STATE Close:E_STATE Launch:E_STATE End:E_STATE Cancel:E_STATE
Cancelled Open:E_STATE Fill:E_STATE Close:E_STATE Launch:E_STATE End:E_STATE Cancel:E_STATE
";
        assert_eq!(matrix, golden);
    }

    #[test]
    fn the_whole_matrix_of_commitments() {
        use CommitmentStatus::{Locked, Passed, Refunded, Released, Review};
        use CommitmentTrigger as Trigger;
        let mut matrix = String::new();
        for status in [Review, Passed, Locked, Released, Refunded] {
            matrix += &format!("{status:?}");
            for trigger in [Trigger::Pass, Trigger::Refund, Trigger::Deliver, Trigger::Release] {
                let result = next_commitment(status, trigger).map_or_else(|reject| reject.name().to_owned(), |next| format!("{next:?}"));
                matrix += &format!(" {trigger:?}:{result}");
            }
            matrix += "\n";
        }
        let golden = "\
Review Pass:Passed Refund:Refunded Deliver:E_STATE Release:E_STATE
Passed Pass:E_STATE Refund:Refunded Deliver:Locked Release:E_STATE
Locked Pass:E_STATE Refund:E_STATE Deliver:E_STATE Release:Released
Released Pass:E_STATE Refund:E_STATE Deliver:E_STATE Release:E_STATE
Refunded Pass:E_STATE Refund:E_STATE Deliver:E_STATE Release:E_STATE
";
        assert_eq!(matrix, golden);
    }
}
