//! Stored fund passwords, and resets that wait for an operator. The count of wrong attempts is in the journal, not here.

use engine::ids::UserId;
use engine::time::Time;

use crate::db::{Db, DbError, Row, Sql};
use crate::handle::Store;
use crate::page::Page;
use crate::queues::{self, Queue, QueuePart};
use crate::sql;

/// The stored form of a member's fund password.
pub async fn hash(db: &Db, user: UserId) -> Result<Option<String>, DbError> {
    let done = db.query(sql!("select hash from fund_passwords where user_id = $1", user.0)).await?;
    done.first().map(|row| row.text(0)).transpose()
}

/// The statement that stores a new one.
pub fn set(user: UserId, hash: String) -> Sql {
    sql!(
        "insert into fund_passwords (user_id, hash) values ($1, $2) on conflict (user_id) do update set hash = excluded.hash",
        user.0,
        hash
    )
}

/// The statement that makes this the stored form of one that was stored since, or of none if it is empty.
pub fn bring_back(user: UserId, hash: &str) -> Sql {
    sql!("update fund_passwords set hash = $1 where user_id = $2", hash, user.0)
}

/// The statement that refuses the open resets that were asked for at or after this journal time.
pub fn end_since(user: UserId, since: Time, now_ms: u64) -> Sql {
    let text = "update fund_resets set status = 3, version = version + 1, decided_at_ms = $1 \
                where user_id = $2 and status in (1, 4) and created_at_ms >= $3";
    sql!(text, now_ms, user.0, since.0)
}

/// State of a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetStatus {
    /// Waiting for an operator.
    Waiting = 1,
    /// The new password is in force.
    Done = 2,
    /// Refused, or followed by a newer one.
    Rejected = 3,
    /// Approved, but not yet in force.
    Approved = 4,
}

impl ResetStatus {
    /// An operator still has to act.
    pub fn is_open(self) -> bool {
        matches!(self, ResetStatus::Waiting | ResetStatus::Approved)
    }
}

/// A reset that needs an operator's review.
#[derive(Clone, Debug)]
pub struct Reset {
    /// Number.
    pub id: u64,
    /// The member.
    pub user: UserId,
    /// Stored form of the new password.
    pub hash: String,
    /// State.
    pub status: ResetStatus,
    /// Rises with every change.
    pub version: u64,
    /// Journal time.
    pub created_at_ms: u64,
    /// Journal time of the decision.
    pub decided_at_ms: Option<u64>,
}

const COLUMNS: &str = "id, user_id, hash, status, version, created_at_ms, decided_at_ms";

fn row(row: &Row) -> Result<Reset, DbError> {
    let status = match row.int(3)? {
        1 => ResetStatus::Waiting,
        2 => ResetStatus::Done,
        4 => ResetStatus::Approved,
        _ => ResetStatus::Rejected,
    };
    Ok(Reset {
        id: row.id(0)?,
        user: UserId(row.id(1)?),
        hash: row.text(2)?,
        status,
        version: row.id(4)?,
        created_at_ms: row.id(5)?,
        decided_at_ms: row.maybe_int(6)?.and_then(|ms| u64::try_from(ms).ok()),
    })
}

/// The statements that request a reset; an older open one of the member is closed.
pub fn ask(store: &Store, user: UserId, hash: String) -> Vec<Sql> {
    let now = store.now_ms();
    vec![
        sql!(
            "update fund_resets set status = 3, version = version + 1, decided_at_ms = $1 where user_id = $2 and status in (1, 4)",
            now,
            user.0
        ),
        sql!("insert into fund_resets (user_id, hash, status, version, created_at_ms) values ($1, $2, 1, 1, $3)", user.0, hash, now),
    ]
}

/// The reset with this number.
pub async fn reset(db: &Db, id: u64) -> Result<Option<Reset>, DbError> {
    let done = db.query(Sql::new(format!("select {COLUMNS} from fund_resets where id = $1"), vec![id.into()])).await?;
    done.first().map(row).transpose()
}

/// One page of resets, and how many there are.
pub async fn resets(db: &Db, which: QueuePart, page: Page) -> Result<(Vec<Reset>, u64), DbError> {
    let queue =
        Queue { name: "fund resets", table: "fund_resets", of: "1 = 1", open: "status in (1, 4)", done: "status in (2, 3)", by: None };
    queues::paged(db, COLUMNS, queue, which, page, row).await
}

/// The statement by which an approval takes an open reset; misses if it changed since this version.
pub fn claim(id: u64, version: u64) -> Sql {
    let text = "update fund_resets set status = 4, version = version + 1 where id = $1 and version = $2 and status in (1, 4)";
    sql!(text, id, version).exactly(1)
}

/// The statement that ends an approval; misses if it was taken over since this version.
pub fn finish(id: u64, version: u64, now_ms: u64) -> Sql {
    decide(id, version, (ResetStatus::Approved, ResetStatus::Done), now_ms)
}

/// The statement that refuses a waiting reset; misses if it changed since this version.
pub fn reject(id: u64, version: u64, now_ms: u64) -> Sql {
    decide(id, version, (ResetStatus::Waiting, ResetStatus::Rejected), now_ms)
}

fn decide(id: u64, version: u64, (from, to): (ResetStatus, ResetStatus), now_ms: u64) -> Sql {
    let text =
        "update fund_resets set status = $1, version = version + 1, decided_at_ms = $2 where id = $3 and version = $4 and status = $5";
    sql!(text, to as i32, now_ms, id, version, from as i32).exactly(1)
}
