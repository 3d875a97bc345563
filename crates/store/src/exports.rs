//! Requested copies of members' own data: for which member, their progress, and when they expire.

use std::collections::HashSet;

use engine::ids::UserId;

use crate::db::{Db, DbError, Done, Migration, Returning, Row, Sql};
use crate::sql;

/// `state` is 0 while it is being made, 1 while it is available, 2 when it has expired. `key` is the name of the file.
pub(crate) const MIGRATION: Migration = Migration {
    id: 89,
    name: "copies of one's own data",
    ddl: &[
        "CREATE TABLE exports (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL,
            key TEXT NOT NULL UNIQUE,
            state INTEGER NOT NULL,
            created_at_ms INTEGER NOT NULL,
            expires_ms INTEGER
        ) STRICT",
        "CREATE INDEX exports_by_user ON exports (user_id, id)",
        "CREATE INDEX exports_by_end ON exports (state, expires_ms)",
    ],
};

/// How far a copy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is being made.
    Working,
    /// It can be fetched.
    Ready,
    /// It has expired, or was never finished.
    Over,
}

/// A copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Number.
    pub id: u64,
    /// The member.
    pub user: UserId,
    /// Name of its file.
    pub key: String,
    /// How far it is.
    pub state: State,
    /// When it expires, ms; once it is ready.
    pub expires_ms: Option<u64>,
}

const COLUMNS: &str = "id, user_id, key, state, expires_ms";

fn export(row: &Row) -> Result<Export, DbError> {
    let state = match row.id(3)? {
        0 => State::Working,
        1 => State::Ready,
        _ => State::Over,
    };
    let expires_ms = row.maybe_int(4)?.and_then(|ms| u64::try_from(ms).ok());
    Ok(Export { id: row.id(0)?, user: UserId(row.id(1)?), key: row.text(2)?, state, expires_ms })
}

/// Begins a copy, whose number [`begun`] reads; `key` names its file, `now_ms` is journal time. `Missed(1)`: another is being made.
pub fn begin(user: UserId, key: &str, now_ms: u64) -> Returning {
    let insert = "insert into exports (user_id, key, state, created_at_ms) \
                  select cast($1 as bigint), cast($2 as text), 0, cast($3 as bigint) \
                  where not exists (select 1 from exports where user_id = $1 and state = 0) returning id";
    let statements = vec![
        // Serialises the calls of a member, so that the check below sees an export begun by the previous call.
        sql!("update users set lang = lang where id = $1", user.0),
        sql!(insert, user.0, key, now_ms).exactly(1),
    ];
    Returning { statements, place: 1 }
}

/// The number of the copy that [`begin`] started.
pub fn begun(done: &Done) -> Result<u64, DbError> {
    done.row()?.id(0)
}

/// The copy with this file is there until an instant; or it failed.
pub async fn end(db: &Db, key: &str, expires_ms: Option<u64>) -> Result<(), DbError> {
    let state = if expires_ms.is_some() { 1 } else { 2 };
    db.exec(sql!("update exports set state = $1, expires_ms = $2 where key = $3 and state = 0", state, expires_ms, key)).await.map(drop)
}

/// A copy of a member.
pub async fn find(db: &Db, user: UserId, id: u64) -> Result<Option<Export>, DbError> {
    let find = Sql::new(format!("select {COLUMNS} from exports where user_id = $1 and id = $2"), vec![user.0.into(), id.into()]);
    db.query(find).await?.first().map(export).transpose()
}

/// A member's copy by the name of its file, while it is available.
pub async fn ready(db: &Db, user: UserId, key: &str, now_ms: u64) -> Result<Option<Export>, DbError> {
    let find = format!("select {COLUMNS} from exports where user_id = $1 and key = $2 and state = 1 and expires_ms > $3");
    db.query(Sql::new(find, vec![user.0.into(), key.into(), now_ms.into()])).await?.first().map(export).transpose()
}

/// Expires old copies, and returns the names of their files, which may be deleted now.
pub async fn expire(db: &Db, now_ms: u64) -> Result<Vec<String>, DbError> {
    let done = db.run(vec![sql!("update exports set state = 2 where state = 1 and expires_ms <= $1 returning key", now_ms)]).await?;
    done.iter().flat_map(|done| &done.rows).map(|row| row.text(0)).collect()
}

/// The names of the files of all copies that are being made or available.
pub async fn live(db: &Db) -> Result<HashSet<String>, DbError> {
    let done = db.query(sql!("select key from exports where state in (0, 1)")).await?;
    done.rows.iter().map(|row| row.text(0)).collect()
}

/// Ends the copies that an earlier run of the server left unfinished.
pub async fn abandon(db: &Db) -> Result<(), DbError> {
    db.exec(sql!("update exports set state = 2 where state = 0")).await.map(drop)
}
