//! History of loans: the last state of each, as the engine told it. Derived from the log and rebuildable from it.

use engine::ids::UserId;
use engine::loans::loan::{Loan, LoanStep};
use engine::loans::status::{EndReason, Status};

use crate::db::Migration;
use crate::notices::Topic;
use crate::outside::Kept;

/// The table, and its queue.
pub(crate) const MIGRATION: Migration = Migration {
    id: 81,
    name: "loans",
    ddl: &[
        "CREATE TABLE loans (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL,
            status INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            created_ms INTEGER NOT NULL,
            changed_ms INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT",
        "CREATE INDEX loans_by_user ON loans (user_id, id)",
        "CREATE INDEX loans_by_status ON loans (status, id)",
        "CREATE INDEX loans_decided ON loans (id) WHERE status <> 1",
        "INSERT INTO queue_totals (name, upto, counted) VALUES ('loans', 0, 0)",
    ],
};

impl Kept for Loan {
    const INSERT: &'static str = "insert into loans (id, user_id, status, seq, created_ms, changed_ms, body) values";
    const SELECT: &'static str = "from loans";
    fn columns(&self) -> (u64, UserId, u8, u64) {
        (self.id.0, self.user, status_number(self.status), self.applied.0)
    }
}

/// The wire's number of a state (`api.md` 2.2).
pub fn status_number(status: Status) -> u8 {
    match status {
        Status::Pending => 1,
        Status::InLoan => 2,
        Status::Finished => 3,
        Status::Cancelled => 4,
        Status::Overdue => 5,
    }
}

/// What its borrower is told of a step, with the atoms of the lent coin that the sentence names. What borrowers did themselves is no news.
pub(crate) fn news(loan: &Loan, step: &LoanStep) -> Option<(Topic, u64)> {
    let debt = || loan.debt();
    Some(match step {
        LoanStep::PaidOut => (Topic::LoanPaidOut, loan.amount),
        // The last period of the cycle has begun.
        LoanStep::Charged if loan.status == Status::InLoan && loan.periods == loan.terms.days => (Topic::LoanDueSoon, debt()),
        LoanStep::MarginCalled => (Topic::LoanMarginCall, debt()),
        LoanStep::Lapsed => (Topic::LoanOverdue, debt()),
        LoanStep::Ended(repaid) => match loan.reason? {
            EndReason::AutoDebit => (Topic::LoanDebited, repaid.taken()),
            EndReason::Liquidated => (Topic::LoanLiquidated, loan.sale.map_or(0, |sale| sale.debt)),
            EndReason::Rejected => (Topic::LoanRejected, loan.amount),
            EndReason::Expired | EndReason::Ltv => (Topic::LoanNotGranted, loan.amount),
            EndReason::Repaid | EndReason::User => return None,
        },
        LoanStep::Applied
        | LoanStep::Approved
        | LoanStep::Charged
        | LoanStep::Repaid(_)
        | LoanStep::Added(_)
        | LoanStep::MarginRestored => return None,
    })
}
