//! Why the store refused or failed.

use std::fmt;

use crate::db::DbError;

/// A fault of the database, or one of the few reasons that callers distinguish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// The database.
    Db(DbError),
    /// The rows of this entry are not written yet.
    NotReady,
    /// There is no such member.
    NoMember,
    /// The code is wrong, was used, or is too old.
    Code,
    /// Too many wrong codes were entered: the right one is no longer valid either.
    CodeLocked,
    /// Too many wrong secrets in a row.
    Wait {
        /// When to try again, ms from now.
        retry_ms: u64,
    },
    /// No picture of theirs (`owner`), or one for something else (`purpose`).
    File(&'static str),
    /// No more than this many are stored.
    Full {
        /// The bound.
        max: u64,
    },
}

impl From<DbError> for StoreError {
    fn from(error: DbError) -> StoreError {
        StoreError::Db(error)
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Db(error) => error.fmt(f),
            StoreError::NotReady => f.write_str("the rows of this entry are not written yet"),
            StoreError::NoMember => f.write_str("no such member"),
            StoreError::Code => f.write_str("the code is not good"),
            StoreError::CodeLocked => f.write_str("too many wrong codes"),
            StoreError::Wait { .. } => f.write_str("too many wrong secrets in a row"),
            StoreError::File(rule) => write!(f, "not a picture for this: {rule}"),
            StoreError::Full { max } => write!(f, "at most {max} are kept"),
        }
    }
}

impl std::error::Error for StoreError {}
