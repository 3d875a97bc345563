//! What a database must do for the journal; everything above it is shared by all databases.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::error::{AppendError, Error};
use crate::group::Row;
use crate::snapshot::DraftStore;

/// The single lease row: who may write, and where the journal ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeaseRow {
    pub epoch: u64,
    pub last_seq: u64,
    /// When it was taken; changes with each sign of life.
    pub taken_ms: u64,
    /// What the leader wrote there: its name, and the mark of its handle.
    pub node: String,
}

/// A database that keeps journal rows, one lease row and snapshots.
pub(crate) trait Store: Send + std::fmt::Debug {
    /// Drops the connection and makes a new one: results on a doubtful connection cannot be trusted.
    fn reopen(&mut self) -> Result<(), Error>;

    fn lease(&mut self) -> Result<LeaseRow, Error>;

    /// True while the session that took `epoch` is alive. A database that only one process can open has no other session.
    fn is_attended(&mut self, _epoch: u64) -> Result<bool, Error> {
        Ok(false)
    }

    /// Moves the epoch from `seen` to `seen + 1` and makes that durable with everything before it (the barrier).
    /// False when the epoch is no longer `seen`, or the journal no longer ends with the entry `unmoved`.
    fn take_lease(&mut self, seen: u64, unmoved: Option<u64>, node: &str, now_ms: u64) -> Result<bool, Error>;

    /// In one durable transaction: moves `last_seq` from `row.durable_to` to `row.seq` if the epoch is still
    /// `row.epoch`, and inserts the row.
    fn commit(&mut self, row: &Row) -> Result<(), AppendError>;

    /// The rows that hold these entries, in order; at most the first `max` of them. A server must answer within this time.
    fn rows(&mut self, entries: RangeInclusive<u64>, max: usize, within: Duration) -> Result<Vec<Row>, Error>;

    /// The sequence numbers of the kept snapshots, ascending.
    fn snapshot_seqs(&mut self) -> Result<Vec<u64>, Error>;

    /// All bytes of the snapshot at `seq`.
    fn get_snapshot(&mut self, seq: u64) -> Result<Vec<u8>, Error>;

    /// The way to show that the leader of this epoch lives. `None` where no other node can wait.
    fn signs(&self, _epoch: u64) -> Option<Box<dyn Signs>> {
        None
    }

    /// The way to write snapshots, which shares nothing with this connection.
    fn drafts(&self) -> Box<dyn DraftStore>;
}

/// Signs of life of a leader that appends nothing yet.
pub(crate) trait Signs: Send + std::fmt::Debug {
    /// Changes the lease row, if this node still has it.
    fn give(&mut self) -> Result<(), Error>;
}

/// The signed 64-bit form that SQL stores.
pub(crate) fn sql_int(value: u64) -> Result<i64, String> {
    i64::try_from(value).map_err(|_| format!("{value} does not fit a database integer"))
}
