//! States of a loan (7.2).

use serde::{Deserialize, Serialize};

use crate::reject::Reject;

/// State of a loan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Status {
    /// Under review by operators; the collateral is held and the amount reserved.
    Pending,
    /// Paid out.
    InLoan,
    /// Not repaid when it was due.
    Overdue,
    /// Repaid or liquidated. Final.
    Finished,
    /// Never paid out. Final.
    Cancelled,
}

impl Status {
    /// Something is owed.
    pub fn is_running(self) -> bool {
        matches!(self, Status::InLoan | Status::Overdue)
    }

    /// It counts among a member's loans.
    pub fn is_live(self) -> bool {
        self == Status::Pending || self.is_running()
    }
}

/// An event of a loan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// Enough operators approved, and the collateral still is enough.
    PayOut,
    /// An operator rejects, the owner withdraws it, it is not decided in time, or the collateral is no longer enough.
    Cancel,
    /// The due instant passes.
    Lapse,
    /// Nothing is owed any more, or the collateral is sold.
    Finish,
}

/// The next state.
///
/// # Errors
/// [`Reject::WrongState`] when the state does not allow it.
pub fn next(status: Status, trigger: Trigger) -> Result<Status, Reject> {
    match (status, trigger) {
        (Status::Pending, Trigger::PayOut) => Ok(Status::InLoan),
        (Status::Pending, Trigger::Cancel) => Ok(Status::Cancelled),
        (Status::InLoan, Trigger::Lapse) => Ok(Status::Overdue),
        (Status::InLoan | Status::Overdue, Trigger::Finish) => Ok(Status::Finished),
        (Status::Pending, Trigger::Lapse | Trigger::Finish)
        | (Status::InLoan, Trigger::PayOut | Trigger::Cancel)
        | (Status::Overdue, Trigger::PayOut | Trigger::Cancel | Trigger::Lapse)
        | (Status::Finished | Status::Cancelled, _) => Err(Reject::WrongState),
    }
}

/// How a loan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EndReason {
    /// Its owner repaid it.
    Repaid,
    /// Repaid automatically (B-7).
    AutoDebit,
    /// The collateral was sold (B-9).
    Liquidated,
    /// Its owner took the application back.
    User,
    /// An operator rejected it.
    Rejected,
    /// Not decided in time.
    Expired,
    /// The collateral was no longer enough when it was approved (B-3).
    Ltv,
}

impl EndReason {
    /// All of them.
    pub const ALL: [EndReason; 7] = [
        EndReason::Repaid,
        EndReason::AutoDebit,
        EndReason::Liquidated,
        EndReason::User,
        EndReason::Rejected,
        EndReason::Expired,
        EndReason::Ltv,
    ];

    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            EndReason::Repaid => "REPAID",
            EndReason::AutoDebit => "AUTO_DEBIT",
            EndReason::Liquidated => "LIQUIDATED",
            EndReason::User => "USER",
            EndReason::Rejected => "REJECTED",
            EndReason::Expired => "EXPIRED",
            EndReason::Ltv => "LTV",
        }
    }

    /// The reason with this wire name.
    pub fn named(word: &str) -> Option<EndReason> {
        EndReason::ALL.into_iter().find(|reason| reason.name() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_matrix_of_loans() {
        let golden = "\
Pending PayOut:InLoan Cancel:Cancelled Lapse:E_STATE Finish:E_STATE
InLoan PayOut:E_STATE Cancel:E_STATE Lapse:Overdue Finish:Finished
Overdue PayOut:E_STATE Cancel:E_STATE Lapse:E_STATE Finish:Finished
Finished PayOut:E_STATE Cancel:E_STATE Lapse:E_STATE Finish:E_STATE
Cancelled PayOut:E_STATE Cancel:E_STATE Lapse:E_STATE Finish:E_STATE
";
        let mut found = String::new();
        for status in [Status::Pending, Status::InLoan, Status::Overdue, Status::Finished, Status::Cancelled] {
            let row = [Trigger::PayOut, Trigger::Cancel, Trigger::Lapse, Trigger::Finish].into_iter().map(|trigger| {
                let result = next(status, trigger).map_or_else(|reject| reject.name().to_owned(), |next| format!("{next:?}"));
                format!(" {trigger:?}:{result}")
            });
            found += &format!("{status:?}{}\n", row.collect::<String>());
        }
        assert_eq!(found, golden);
    }

    #[test]
    fn every_reason_has_a_word_of_its_own() {
        for reason in EndReason::ALL {
            assert_eq!(EndReason::named(reason.name()), Some(reason));
        }
        assert_eq!(EndReason::named("PAID"), None);
    }
}
