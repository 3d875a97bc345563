//! Why a server could not start: one sentence for the person who started it.

use std::fmt;

use kernel::error::RecoveryError;
use store::db::DbError;
use store::secrets::OpenError;

/// Why the server could not start.
#[derive(Debug)]
pub struct StartError(pub String);

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StartError {}

impl From<DbError> for StartError {
    fn from(error: DbError) -> StartError {
        StartError(format!("database: {error}"))
    }
}

impl From<OpenError> for StartError {
    fn from(error: OpenError) -> StartError {
        StartError(error.0)
    }
}

impl From<RecoveryError> for StartError {
    fn from(error: RecoveryError) -> StartError {
        StartError(error.0)
    }
}

impl From<journal::Error> for StartError {
    fn from(error: journal::Error) -> StartError {
        StartError(format!("journal: {error}"))
    }
}

impl From<std::io::Error> for StartError {
    fn from(error: std::io::Error) -> StartError {
        StartError(error.to_string())
    }
}
