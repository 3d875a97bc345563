//! What can go wrong, and what the caller may conclude from it.

use std::path::PathBuf;
use std::time::Duration;

/// Why the journal could not be opened, led, read or verified.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another process has the journal open.
    #[error("{} is held by another process", .0.display())]
    Held(PathBuf),
    /// The database, as built or configured, cannot keep the journal's promises.
    #[error("unsuitable database: {0}")]
    Unsuitable(String),
    /// What was read differs from what was written, or something written is missing. Nothing may be served from it.
    #[error("journal damaged at entry {seq}: {what}")]
    Damaged {
        /// The entry (or the last entry of the group) where the damage shows.
        seq: u64,
        /// What does not match.
        what: String,
    },
    /// Another node took the lease, at the same moment or after this handle led.
    #[error("another node leads this journal")]
    Fenced,
    /// The database did not answer in time. The request may still take effect.
    #[error("no answer from the database within {0:?}: a commit waits for as long as no standby takes it, or for a lock")]
    Late(Duration),
    /// The outcome of an append is unknown: only `lead` may be called.
    #[error("the outcome of an append is unknown; lead again to learn it")]
    InDoubt,
    /// The caller asked for something impossible, such as a snapshot of an entry that does not exist.
    #[error("{0}")]
    Invalid(String),
    /// The database or a file could not be reached.
    #[error("{0}")]
    Store(String),
}

impl Error {
    pub(crate) fn damaged(seq: u64, what: impl Into<String>) -> Self {
        Self::Damaged { seq, what: what.into() }
    }

    /// An input or output error of a file beside the journal.
    pub(crate) fn file(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::Store(format!("{}: {error}", path.display()))
    }
}

/// Why a group was not acknowledged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// Another node leads. The group is not in the journal and never will be under this epoch.
    #[error("another node leads")]
    Fenced,
    /// The group may or may not be in the journal. The handle refuses everything until `lead` finds the truth.
    #[error("outcome unknown: {0}")]
    Unknown(String),
    /// The group is certainly not in the journal.
    #[error("not written: {0}")]
    NotWritten(String),
}
