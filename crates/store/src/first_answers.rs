//! First answers of commands with a key, by their entry: a repetition gets the same answer (`docs/api.md` 1.6). Derived from the log.

use engine::ids::Seq;
use engine::requests::KEPT_MS;
use engine::time::HOUR_MS;

use crate::db::{Db, DbError, Migration};
use crate::sql;

/// The table. `body` is a [`engine::reply::FirstAnswer`] as [`to_bytes`](engine::reply::FirstAnswer::to_bytes) writes it.
pub const MIGRATION: Migration = Migration {
    id: 49,
    name: "first answers",
    ddl: &["CREATE TABLE first_answers (
        seq INTEGER PRIMARY KEY,
        time_ms INTEGER NOT NULL,
        body BLOB NOT NULL
    ) STRICT"],
};

/// Rows stay an hour longer than the engine knows their keys, so that none disappears while it is read.
const KEPT_HERE_MS: u64 = KEPT_MS + HOUR_MS;
/// Rows that one statement forgets.
const ROWS: u64 = 2_000;

/// The stored answer of an entry, if it has a row.
pub async fn of(db: &Db, seq: Seq) -> Result<Option<Vec<u8>>, DbError> {
    let done = db.query(sql!("select body from first_answers where seq = $1", seq.0)).await?;
    done.first().map(|row| row.blob(0)).transpose()
}

/// Deletes answers whose keys are forgotten at journal time `now_ms`, a step of them: oldest entries are the first rows. True if more are
/// left.
pub(crate) async fn prune(db: &Db, now_ms: u64) -> Result<bool, DbError> {
    let text = "delete from first_answers where time_ms < $1 and seq in (select seq from first_answers order by seq limit $2)";
    let done = db.run_relaxed([sql!(text, now_ms.saturating_sub(KEPT_HERE_MS), ROWS)].into()).await?;
    Ok(done.first().is_some_and(|done| done.hit == ROWS))
}
