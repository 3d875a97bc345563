//! How far the history rows have been written.

use std::sync::Arc;

use tokio::sync::{Notify, watch};

use crate::db::{Db, DbError, Sql};
use crate::sql;

/// Entries up to which the rows are in the database. Of one of an earlier release the costs, the flows and the days of the house and of fees lag until a
/// start has made them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Of all but these.
    pub rows: u64,
    /// Of the costs, the flows and the days of the house and of fees.
    pub costs: u64,
}

impl Written {
    /// Reads the marks from the database.
    pub async fn read(db: &Db) -> Result<Written, DbError> {
        let done = db.query(sql!("select applied_seq, costs_seq from history where id = 1")).await?;
        done.first().map_or(Ok(Written { rows: 0, costs: 0 }), |row| Ok(Written { rows: row.id(0)?, costs: row.id(1)? }))
    }

    /// The entry up to which nothing is missing.
    pub fn least(self) -> u64 {
        self.rows.min(self.costs)
    }

    /// With everything up to this entry.
    #[must_use]
    pub fn up_to(self, seq: u64) -> Written {
        Written { rows: self.rows.max(seq), costs: self.costs.max(seq) }
    }

    /// Moves the marks; part of the transaction that writes the rows, and undone with them if another writer moved one.
    pub(crate) fn advance(self, to: u64) -> Sql {
        let Written { rows, costs } = self.up_to(to);
        let text = "update history set applied_seq = $1, costs_seq = $2 where id = 1 and applied_seq = $3 and costs_seq = $4";
        sql!(text, rows, costs, self.rows, self.costs).exactly(1)
    }
}

/// How far the rows are, and whether a reader waits for more of them.
#[derive(Clone, Debug, Default)]
pub struct Mark {
    pub(crate) reached: watch::Sender<u64>,
    pub(crate) wanted: Arc<Notify>,
}

impl Mark {
    /// Sequence of the newest entry whose rows can be read.
    pub fn newest(&self) -> u64 {
        *self.reached.borrow()
    }

    /// Waits until the rows of this entry can be read. They are written at once.
    pub async fn reach(&self, seq: u64) {
        if self.newest() < seq {
            self.wanted.notify_one();
            // The sender lives as long as `self`.
            let _ = self.reached.subscribe().wait_for(|newest| *newest >= seq).await;
        }
    }
}
