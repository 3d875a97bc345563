//! Price alerts of members: a level of an index, reported once when a sample reaches it. Alerts are personal, so the log does not contain
//! them. The follower of the log compares them with its samples (`rows/alerts.rs`), in the transaction that moves its mark.

use engine::amount::Price;
use engine::ids::{MarketId, UserId};

use crate::db::{Db, DbError, Done, Migration, Returning, Row, Sql};
use crate::sql;

/// Alerts of a member that have not fired.
pub const MOST_ALERTS: u64 = 100;
/// Number of past alerts that their owner still sees.
const FIRED_KEPT: u64 = 100;

/// `level` in units of 1e-8. `args` are the values of the notice. No sample up to the entry `after_seq` fires it. The index of levels holds
/// only waiting alerts, in order, so a sample finds those it reaches without reading the rest.
pub(crate) const MIGRATION: Migration = Migration {
    id: 76,
    name: "price alerts",
    ddl: &[
        "CREATE TABLE alerts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL,
            market INTEGER NOT NULL,
            above INTEGER NOT NULL,
            level INTEGER NOT NULL,
            args TEXT NOT NULL,
            after_seq INTEGER NOT NULL,
            fired_seq INTEGER,
            fired_ms INTEGER,
            created_at_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX alerts_by_user ON alerts (user_id, id)",
        "CREATE INDEX alerts_by_level ON alerts (market, above, level) WHERE fired_seq IS NULL",
        "CREATE INDEX alerts_by_firing ON alerts (fired_seq, market)",
    ],
};

/// A level that a member wants to hear of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alert {
    /// Number.
    pub id: u64,
    /// Pair whose index is watched.
    pub market: MarketId,
    /// True: a price at the level or above it; false: at it or below.
    pub above: bool,
    /// The level.
    pub level: Price,
    /// Instant of the sample that fired it, ms.
    pub fired_ms: Option<u64>,
    /// Journal time, ms.
    pub created_at_ms: u64,
}

/// An alert to be.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// The member.
    pub user: UserId,
    /// Pair.
    pub market: MarketId,
    /// Direction.
    pub above: bool,
    /// Level.
    pub level: Price,
    /// Values of the notice.
    pub args: &'a [(&'a str, &'a str)],
    /// The last entry that it was made after.
    pub after_seq: u64,
    /// Journal time, ms.
    pub now_ms: u64,
}

const COLUMNS: &str = "id, market, above, level, fired_ms, created_at_ms";

fn alert(row: &Row) -> Result<Alert, DbError> {
    Ok(Alert {
        id: row.id(0)?,
        market: MarketId(u32::try_from(row.id(1)?).map_err(DbError::failed)?),
        above: row.flag(2)?,
        level: Price(row.id(3)?),
        fired_ms: row.maybe_int(4)?.and_then(|ms| u64::try_from(ms).ok()),
        created_at_ms: row.id(5)?,
    })
}

/// A member's alerts, newest first.
pub async fn list(db: &Db, user: UserId) -> Result<Vec<Alert>, DbError> {
    let find = format!("select {COLUMNS} from alerts where user_id = $1 order by id desc");
    db.query(Sql::new(find, vec![user.0.into()])).await?.rows.iter().map(alert).collect()
}

/// Makes an alert, which [`added`] reads. `Missed(2)`: too many wait.
pub fn add(draft: Draft<'_>) -> Returning {
    let Draft { user, market, above, level, args, after_seq, now_ms } = draft;
    let forget = "delete from alerts where user_id = $1 and fired_seq is not null and id not in \
                  (select id from alerts where user_id = $1 and fired_seq is not null order by fired_seq desc, id desc limit $2)";
    let insert = format!(
        "insert into alerts (user_id, market, above, level, args, after_seq, created_at_ms) \
         select cast($1 as bigint), cast($2 as bigint), cast($3 as bigint), cast($4 as bigint), cast($5 as text), cast($6 as bigint), cast($7 as bigint) \
         where (select count(*) from alerts where user_id = $1 and fired_seq is null) < $8 returning {COLUMNS}"
    );
    let cells = vec![
        user.0.into(),
        market.0.into(),
        above.into(),
        level.0.into(),
        serde_json::json!(args).to_string().into(),
        after_seq.into(),
        now_ms.into(),
        MOST_ALERTS.into(),
    ];
    let statements = vec![
        // Serialises the calls of a member, so that the count below sees the previous call.
        sql!("update users set lang = lang where id = $1", user.0),
        sql!(forget, user.0, FIRED_KEPT),
        Sql::new(insert, cells).exactly(1),
    ];
    Returning { statements, place: 2 }
}

/// The alert that [`add`] created.
pub fn added(done: &Done) -> Result<Alert, DbError> {
    alert(done.row()?)
}

/// The statement that removes an alert of a member; misses if it is not theirs.
pub fn remove(user: UserId, id: u64) -> Sql {
    sql!("delete from alerts where id = $1 and user_id = $2", id, user.0).exactly(1)
}

/// The owners of alerts that fired in the entries after `from`, up to `to`.
pub(crate) async fn owners_of_fired(db: &Db, from: u64, to: u64) -> Result<Vec<UserId>, DbError> {
    let find = sql!("select distinct user_id from alerts where fired_seq > $1 and fired_seq <= $2", from, to);
    db.query(find).await?.rows.iter().map(|row| Ok(UserId(row.id(0)?))).collect()
}
