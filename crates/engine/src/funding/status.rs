//! States of deposits, observed payments (10.1) and withdrawals (11).

use serde::{Deserialize, Serialize};

use crate::reject::Reject;

/// State of a deposit notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DepositStatus {
    /// Under review by operators.
    UnderReview,
    /// Credited. Final.
    Passed,
    /// Rejected. Final.
    Rejected,
}

/// An event of a deposit notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepositTrigger {
    /// Everything that a credit needs is there.
    Credit,
    /// An operator rejects.
    Reject,
}

/// The next state of a claim.
///
/// # Errors
/// [`Reject::WrongState`] when the state does not allow it.
pub fn next_deposit(status: DepositStatus, trigger: DepositTrigger) -> Result<DepositStatus, Reject> {
    match status {
        DepositStatus::UnderReview => match trigger {
            DepositTrigger::Credit => Ok(DepositStatus::Passed),
            DepositTrigger::Reject => Ok(DepositStatus::Rejected),
        },
        DepositStatus::Passed | DepositStatus::Rejected => match trigger {
            DepositTrigger::Credit | DepositTrigger::Reject => Err(Reject::WrongState),
        },
    }
}

/// State of an observed payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ObservationStatus {
    /// One operator entered it.
    Entered,
    /// A watcher saw it, or two operators entered the same.
    Matched,
    /// Operators entered different things; nothing is credited.
    Conflict,
    /// Credited; its key is used for ever (D-3).
    Credited,
    /// Reversed after its chain dropped it (D-7). Final.
    Reversed,
}

impl ObservationStatus {
    /// All states.
    pub const ALL: [ObservationStatus; 5] = [
        ObservationStatus::Entered,
        ObservationStatus::Matched,
        ObservationStatus::Conflict,
        ObservationStatus::Credited,
        ObservationStatus::Reversed,
    ];
}

/// An event of an observed payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObservationTrigger {
    /// A watcher, or a second operator, reports the same.
    Agree,
    /// An operator reports something else.
    Differ,
    /// A claim is approved with it.
    Credit,
    /// Two operators take it back.
    Reverse,
}

/// The next state of an observed payment.
///
/// # Errors
/// [`Reject::WrongState`] when the state does not allow it; [`Reject::DuplicateTx`] if it was credited before.
pub fn next_observation(status: ObservationStatus, trigger: ObservationTrigger) -> Result<ObservationStatus, Reject> {
    match status {
        ObservationStatus::Entered | ObservationStatus::Conflict => match trigger {
            ObservationTrigger::Agree => Ok(ObservationStatus::Matched),
            ObservationTrigger::Differ => Ok(ObservationStatus::Conflict),
            ObservationTrigger::Credit | ObservationTrigger::Reverse => Err(Reject::WrongState),
        },
        ObservationStatus::Matched => match trigger {
            ObservationTrigger::Agree => Ok(ObservationStatus::Matched),
            ObservationTrigger::Differ => Ok(ObservationStatus::Conflict),
            ObservationTrigger::Credit => Ok(ObservationStatus::Credited),
            ObservationTrigger::Reverse => Err(Reject::WrongState),
        },
        ObservationStatus::Credited => match trigger {
            ObservationTrigger::Agree | ObservationTrigger::Differ | ObservationTrigger::Credit => Err(Reject::DuplicateTx),
            ObservationTrigger::Reverse => Ok(ObservationStatus::Reversed),
        },
        ObservationStatus::Reversed => match trigger {
            ObservationTrigger::Agree | ObservationTrigger::Differ | ObservationTrigger::Credit => Err(Reject::DuplicateTx),
            ObservationTrigger::Reverse => Err(Reject::WrongState),
        },
    }
}

/// State of a withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WithdrawalStatus {
    /// Under review by operators; the amount is held.
    UnderReview,
    /// Two operators approved; the money left the ledger.
    Passed,
    /// Broadcast or paid out. Final, unless two operators take the mark back in time.
    Sent,
    /// An operator rejected it. Final.
    Rejected,
    /// The member took it back before the first approval. Final.
    Cancelled,
    /// It could not be sent and came back. Final.
    Returned,
    /// Its chain confirmed the payout. Final.
    Confirmed,
}

/// An event of a withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WithdrawalTrigger {
    /// The second operator approves.
    Pass,
    /// An operator rejects.
    Reject,
    /// The member cancels.
    Cancel,
    /// It was sent.
    Send,
    /// Two operators return it.
    Return,
    /// Two operators undo the mark.
    Unmark,
    /// Its chain holds exactly this payout.
    Confirm,
}

/// The next state of a withdrawal.
///
/// # Errors
/// [`Reject::WrongState`] when the state does not allow it.
pub fn next_withdrawal(status: WithdrawalStatus, trigger: WithdrawalTrigger) -> Result<WithdrawalStatus, Reject> {
    match status {
        WithdrawalStatus::UnderReview => match trigger {
            WithdrawalTrigger::Pass => Ok(WithdrawalStatus::Passed),
            WithdrawalTrigger::Reject => Ok(WithdrawalStatus::Rejected),
            WithdrawalTrigger::Cancel => Ok(WithdrawalStatus::Cancelled),
            WithdrawalTrigger::Send | WithdrawalTrigger::Return | WithdrawalTrigger::Unmark | WithdrawalTrigger::Confirm => {
                Err(Reject::WrongState)
            }
        },
        WithdrawalStatus::Passed => match trigger {
            WithdrawalTrigger::Pass
            | WithdrawalTrigger::Reject
            | WithdrawalTrigger::Cancel
            | WithdrawalTrigger::Unmark
            | WithdrawalTrigger::Confirm => Err(Reject::WrongState),
            WithdrawalTrigger::Send => Ok(WithdrawalStatus::Sent),
            WithdrawalTrigger::Return => Ok(WithdrawalStatus::Returned),
        },
        WithdrawalStatus::Sent => match trigger {
            WithdrawalTrigger::Unmark => Ok(WithdrawalStatus::Passed),
            WithdrawalTrigger::Confirm => Ok(WithdrawalStatus::Confirmed),
            WithdrawalTrigger::Pass
            | WithdrawalTrigger::Reject
            | WithdrawalTrigger::Cancel
            | WithdrawalTrigger::Send
            | WithdrawalTrigger::Return => Err(Reject::WrongState),
        },
        WithdrawalStatus::Rejected | WithdrawalStatus::Cancelled | WithdrawalStatus::Returned | WithdrawalStatus::Confirmed => {
            match trigger {
                WithdrawalTrigger::Pass
                | WithdrawalTrigger::Reject
                | WithdrawalTrigger::Cancel
                | WithdrawalTrigger::Send
                | WithdrawalTrigger::Return
                | WithdrawalTrigger::Unmark
                | WithdrawalTrigger::Confirm => Err(Reject::WrongState),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix<S: Copy + std::fmt::Debug, T: Copy + std::fmt::Debug>(
        statuses: &[S],
        triggers: &[T],
        next: fn(S, T) -> Result<S, Reject>,
    ) -> String {
        let mut lines = String::new();
        for status in statuses {
            let row = triggers.iter().map(|trigger| {
                let result = next(*status, *trigger).map_or_else(|reject| reject.name().to_owned(), |next| format!("{next:?}"));
                format!(" {trigger:?}:{result}")
            });
            lines += &format!("{status:?}{}\n", row.collect::<String>());
        }
        lines
    }

    #[test]
    fn the_whole_matrix_of_deposits() {
        let statuses = [DepositStatus::UnderReview, DepositStatus::Passed, DepositStatus::Rejected];
        let golden = "\
UnderReview Credit:Passed Reject:Rejected
Passed Credit:E_STATE Reject:E_STATE
Rejected Credit:E_STATE Reject:E_STATE
";
        assert_eq!(matrix(&statuses, &[DepositTrigger::Credit, DepositTrigger::Reject], next_deposit), golden);
    }

    #[test]
    fn the_whole_matrix_of_observations() {
        use ObservationStatus::{Conflict, Credited, Entered, Matched, Reversed};
        use ObservationTrigger::{Agree, Credit, Differ, Reverse};
        let golden = "\
Entered Agree:Matched Differ:Conflict Credit:E_STATE Reverse:E_STATE
Matched Agree:Matched Differ:Conflict Credit:Credited Reverse:E_STATE
Conflict Agree:Matched Differ:Conflict Credit:E_STATE Reverse:E_STATE
Credited Agree:E_DUP_TX Differ:E_DUP_TX Credit:E_DUP_TX Reverse:Reversed
Reversed Agree:E_DUP_TX Differ:E_DUP_TX Credit:E_DUP_TX Reverse:E_STATE
";
        let statuses = [Entered, Matched, Conflict, Credited, Reversed];
        assert_eq!(matrix(&statuses, &[Agree, Differ, Credit, Reverse], next_observation), golden);
    }

    #[test]
    fn the_whole_matrix_of_withdrawals() {
        use WithdrawalStatus::{Cancelled, Confirmed, Passed, Rejected, Returned, Sent, UnderReview};
        use WithdrawalTrigger::{Cancel, Confirm, Pass, Reject, Return, Send, Unmark};
        let golden = "\
UnderReview Pass:Passed Reject:Rejected Cancel:Cancelled Send:E_STATE Return:E_STATE Unmark:E_STATE Confirm:E_STATE
Passed Pass:E_STATE Reject:E_STATE Cancel:E_STATE Send:Sent Return:Returned Unmark:E_STATE Confirm:E_STATE
Sent Pass:E_STATE Reject:E_STATE Cancel:E_STATE Send:E_STATE Return:E_STATE Unmark:Passed Confirm:Confirmed
Rejected Pass:E_STATE Reject:E_STATE Cancel:E_STATE Send:E_STATE Return:E_STATE Unmark:E_STATE Confirm:E_STATE
Cancelled Pass:E_STATE Reject:E_STATE Cancel:E_STATE Send:E_STATE Return:E_STATE Unmark:E_STATE Confirm:E_STATE
Returned Pass:E_STATE Reject:E_STATE Cancel:E_STATE Send:E_STATE Return:E_STATE Unmark:E_STATE Confirm:E_STATE
Confirmed Pass:E_STATE Reject:E_STATE Cancel:E_STATE Send:E_STATE Return:E_STATE Unmark:E_STATE Confirm:E_STATE
";
        let statuses = [UnderReview, Passed, Sent, Rejected, Cancelled, Returned, Confirmed];
        assert_eq!(matrix(&statuses, &[Pass, Reject, Cancel, Send, Return, Unmark, Confirm], next_withdrawal), golden);
    }
}
