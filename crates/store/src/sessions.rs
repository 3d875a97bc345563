//! Rows of sessions.

use engine::ids::UserId;

use crate::db::{Db, DbError, Row, Sql};
use crate::sealed_columns::Cell;
use crate::sql;
use crate::vault::Vault;

/// A live session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// Number.
    pub id: u64,
    /// The member.
    pub user: UserId,
    /// When it began, session time.
    pub created_at_ms: u64,
    /// Its last use, session time, to some minutes.
    pub last_at_ms: u64,
}

/// The statement that begins a session, by the digest of its token.
pub fn begin(vault: &Vault, digest: Option<[u8; 32]>, user: UserId, device: &str, address: &str, now_ms: u64) -> Result<Sql, DbError> {
    Ok(sql!(
        "insert into sessions (token_hash, user_id, device, address, created_at_ms, last_at_ms) values ($1, $2, $3, $4, $5, $5)",
        digest.as_ref().map(<[u8; 32]>::as_slice),
        user.0,
        Cell::SESSION_DEVICE.seal(vault, user, device)?,
        Cell::SESSION_ADDRESS.seal(vault, user, address)?,
        now_ms
    ))
}

/// The statement that forgets the sessions of a member that began before one instant or were last used before another.
pub fn forget_old(user: UserId, created_before_ms: u64, used_before_ms: u64) -> Sql {
    let text = "delete from sessions where user_id = $1 and (created_at_ms < $2 or last_at_ms < $3)";
    sql!(text, user.0, created_before_ms, used_before_ms)
}

/// The statement that ends the sessions of a member beyond so many, those that were not used for longest first; returns their numbers.
pub fn end_beyond(user: UserId, most: u64) -> Sql {
    let text = "delete from sessions where user_id = $1 and id not in \
                (select id from sessions where user_id = $1 order by last_at_ms desc, id desc limit $2) returning id";
    sql!(text, user.0, most)
}

/// The session of the token with this digest.
pub async fn find(db: &Db, digest: &[u8; 32]) -> Result<Option<Session>, DbError> {
    // A read sees what is committed when it starts, so it finds no session that has ended.
    let done = db.query(sql!("select id, user_id, created_at_ms, last_at_ms from sessions where token_hash = $1", digest)).await?;
    let session = |row: &Row| Ok(Session { id: row.id(0)?, user: UserId(row.id(1)?), created_at_ms: row.id(2)?, last_at_ms: row.id(3)? });
    done.first().map(session).transpose()
}

/// Writes the last use down; false when the session has ended.
pub async fn touch(db: &Db, id: u64, now_ms: u64) -> Result<bool, DbError> {
    Ok(db.exec(sql!("update sessions set last_at_ms = $1 where id = $2", now_ms, id)).await?.hit > 0)
}

/// The statement that ends a session.
pub fn end(id: u64) -> Sql {
    sql!("delete from sessions where id = $1", id)
}

/// The statement that ends a member's sessions but one.
pub fn end_all_but(user: UserId, kept: Option<u64>) -> Sql {
    sql!("delete from sessions where user_id = $1 and id <> $2", user.0, kept.unwrap_or(0))
}
