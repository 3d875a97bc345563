//! Why a node cannot continue from its journal.

use engine::codec::CodecError;

/// Why this node cannot continue from its journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveryError(pub String);

impl std::fmt::Display for RecoveryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RecoveryError {}

impl From<journal::Error> for RecoveryError {
    fn from(error: journal::Error) -> RecoveryError {
        RecoveryError(format!("journal: {error}"))
    }
}

impl From<journal::AppendError> for RecoveryError {
    fn from(error: journal::AppendError) -> RecoveryError {
        RecoveryError(format!("journal: {error}"))
    }
}

impl From<CodecError> for RecoveryError {
    fn from(error: CodecError) -> RecoveryError {
        RecoveryError(format!("journal: {error}"))
    }
}
