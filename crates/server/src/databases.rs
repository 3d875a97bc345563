//! Where the rows are: addresses in the journal's format, so one address means the same to both.

use journal::Address;
use store::db::{Db, DbError};

/// The PostgreSQL database at this address.
///
/// # Errors
/// When the address cannot be read.
pub fn postgres(url: &str) -> Result<Db, DbError> {
    let Address { config, tls } = url.parse().map_err(DbError::failed)?;
    Db::postgres(config, tls)
}

/// The same, but only to read, and as it was when this snapshot was exported there.
///
/// # Errors
/// As above.
pub fn postgres_at(url: &str, snapshot: &str) -> Result<Db, DbError> {
    let Address { config, tls } = url.parse().map_err(DbError::failed)?;
    Db::postgres_at(config, tls, format!("{}; set transaction snapshot '{snapshot}'", journal::FROZEN))
}
