//! History of conversions, derived from the log and rebuildable from it.

use engine::convert::conversion::Conversion;
use engine::ids::UserId;

use crate::db::{Db, DbError, Migration, Row, Sql, Value};
use crate::page::Page;
use crate::sql;

/// `body` is the conversion as reported by the engine.
pub(crate) const MIGRATION: Migration = Migration {
    id: 83,
    name: "conversions",
    ddl: &[
        "CREATE TABLE conversions (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT",
        "CREATE INDEX conversions_by_user ON conversions (user_id, id)",
    ],
};

pub(crate) const INSERT: &str = "insert into conversions (id, user_id, seq, body) values";

/// The cells of a conversion of the entry `seq`.
pub(crate) fn cells(seq: u64, done: &Conversion) -> [Value; 4] {
    // The value has string keys, and none of its serializers fails.
    let body = serde_json::to_string(done).unwrap_or_default();
    [done.id.0.into(), done.user.0.into(), seq.into(), body.into()]
}

fn conversion(row: &Row) -> Result<Conversion, DbError> {
    serde_json::from_str(&row.text(0)?).map_err(|error| DbError::Failed(format!("conversion: {error}")))
}

/// The page and count that [`list`] reads.
pub(crate) fn listed(user: UserId, page: Page) -> [Sql; 2] {
    let rows = "select body from conversions where user_id = $1 order by id desc limit $2 offset $3";
    [sql!(rows, user.0, page.limit, page.offset()), sql!("select count(*) from conversions where user_id = $1", user.0)]
}

/// A page of a member's conversions, newest first, and how many there are.
pub async fn list(db: &Db, user: UserId, page: Page) -> Result<(Vec<Conversion>, u64), DbError> {
    let done = db.read(listed(user, page).into()).await?;
    let [rows, count] = done.as_slice() else { return Err(DbError::Failed("two answers expected".to_owned())) };
    let total = count.first().map_or(Ok(0), |row| row.id(0))?;
    Ok((rows.rows.iter().map(conversion).collect::<Result<_, _>>()?, total))
}
