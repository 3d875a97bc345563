//! Pictures that a call names, for every area.

use store::db::DbError;

use crate::http::code::Code;
use crate::http::reply::{Refusal, refuse};

/// A picture was swept between its check and its use.
pub fn swept(error: DbError) -> Refusal {
    if matches!(error, DbError::Missed(_)) { gone() } else { error.into() }
}

/// No picture of the caller.
pub fn gone() -> Refusal {
    refuse(Code::BadFile).with("rule", "owner")
}
