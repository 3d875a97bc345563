//! Single settings of this data directory.

use crate::db::{Db, DbError, Sql};
use crate::sql;

/// Name of the setting for how far a sandbox pushed its clock, ms.
pub const JOURNAL_AHEAD: &str = "journal_ahead_ms";

/// A fact, if it was set.
pub async fn get(db: &Db, name: &str) -> Result<Option<String>, DbError> {
    db.query(sql!("select value from facts where name = $1", name)).await?.first().map(|row| row.text(0)).transpose()
}

/// Sets a fact.
pub fn set(name: &str, value: &str) -> Sql {
    sql!("insert into facts (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value", name, value)
}
