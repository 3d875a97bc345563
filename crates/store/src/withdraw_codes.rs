//! Members who switched off the code for withdrawals, and when that takes effect.

use engine::ids::UserId;

use crate::db::{Db, DbError, Migration, Sql};
use crate::sql;

/// The table.
pub const MIGRATION: Migration = Migration {
    id: 48,
    name: "members who want no code for a withdrawal",
    ddl: &["CREATE TABLE withdraw_code_off (user_id INTEGER PRIMARY KEY, from_ms INTEGER NOT NULL) STRICT"],
};

/// From when on this member needs no code, journal time.
pub async fn off_from(db: &Db, user: UserId) -> Result<Option<u64>, DbError> {
    db.query(sql!("select from_ms from withdraw_code_off where user_id = $1", user.0)).await?.first().map(|row| row.id(0)).transpose()
}

/// Asks for none from then on; an earlier instant stays.
pub fn switch_off(user: UserId, from_ms: u64) -> Sql {
    sql!("insert into withdraw_code_off (user_id, from_ms) values ($1, $2) on conflict do nothing", user.0, from_ms)
}

/// Asks for one again.
pub fn switch_on(user: UserId) -> Sql {
    sql!("delete from withdraw_code_off where user_id = $1", user.0)
}
