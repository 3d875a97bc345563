//! History of loans: the last state of each, as the engine reported it. Derived from the log and rebuildable from it.

use std::collections::{BTreeMap, BTreeSet};

use engine::amount::Amount;
use engine::catalog::Wallet;
use engine::ids::{LoanId, UserId};
use engine::loans::loan::{Loan, LoanStep};
use engine::loans::status::{EndReason, Status};
use engine::time::Time;

use crate::account::StoredState;
use crate::db::{Db, DbError, Migration};
use crate::history::wallet_number;
use crate::notices::Topic;
use crate::sql;

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

impl StoredState for Loan {
    const INSERT: &'static str = "insert into loans (id, user_id, status, seq, created_ms, changed_ms, body) values";
    const SELECT: &'static str = "from loans";
    fn columns(&self) -> (u64, UserId, u8, u64) {
        (self.id.0, self.user, status_number(self.status), self.applied.0)
    }
}

/// The wire's number of a state (`docs/api.md` 2.2).
pub fn status_number(status: Status) -> u8 {
    match status {
        Status::Pending => 1,
        Status::InLoan => 2,
        Status::Finished => 3,
        Status::Cancelled => 4,
        Status::Overdue => 5,
    }
}

/// The repayments of a member's loans up to an entry, lines of this kind: instant and atoms of the lent coin, oldest first.
pub async fn repayments(
    db: &Db,
    user: UserId,
    loans: &[Loan],
    up_to_seq: u64,
    kind: u32,
) -> Result<BTreeMap<LoanId, Vec<(Time, Amount)>>, DbError> {
    let mut repaid: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let Some(first) = loans.iter().filter_map(|loan| loan.start).min() else { return Ok(repaid) };
    let coins: BTreeSet<String> = loans.iter().map(|loan| loan.terms.asset.0.to_string()).collect();
    // Coins are listed so that the index is used down to the time. The index also excludes entries of two lines, which orders write.
    let text = format!(
        "select object_id, time_ms, -change from statement
         where user_id = $1 and wallet = $2 and asset in ({}) and time_ms >= $3 and seq <= $4 and kind = $5 and two_lines = 0
         order by time_ms, id",
        coins.into_iter().collect::<Vec<_>>().join(",")
    );
    let wallet = u32::from(wallet_number(Wallet::Spot));
    for row in &db.query(sql!(text, user.0, wallet, first.0, up_to_seq, kind)).await?.rows {
        repaid.entry(LoanId(row.id(0)?)).or_default().push((Time(row.id(1)?), row.id(2)?));
    }
    Ok(repaid)
}

/// The borrower's notice of a step, with the atoms of the lent coin that the sentence names. Borrowers' own acts need no notice.
pub(crate) fn news(loan: &Loan, step: &LoanStep) -> Option<(Topic, u64)> {
    let debt = || loan.debt();
    Some(match step {
        LoanStep::PaidOut => (Topic::LoanPaidOut, loan.amount),
        // The last period of the cycle.
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
