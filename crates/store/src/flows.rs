//! What came in from outside and what went out, at the price at that time: derived from the log and rebuildable from it. Index samples are
//! kept only for days, so that price cannot be looked up later.

use engine::ids::{AssetId, UserId};

use crate::balance_changes::{halves, whole};
use crate::db::{Db, DbError, Migration, Row};
use crate::history::small;
use crate::sql;

/// `atoms` and `usdt` are what came in, negative for what went out; `usdt` are atoms of USDT at the last index price at that time, absent
/// for a coin without one. `withdrawal` is the withdrawal that took the atoms, or that was returned. The rows share the mark of the costs,
/// which this migration resets: a start rebuilds both from the log.
pub(crate) const MIGRATION: Migration = Migration {
    id: 98,
    name: "flows",
    ddl: &[
        "CREATE TABLE flows (
            user_id INTEGER NOT NULL,
            time_ms INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            atoms INTEGER NOT NULL,
            usdt INTEGER,
            withdrawal INTEGER,
            PRIMARY KEY (user_id, time_ms, seq, asset)
        ) WITHOUT ROWID, STRICT",
        "DELETE FROM costs",
        "DELETE FROM costs_aside",
        "DELETE FROM cost_prices",
        "DELETE FROM house_days",
        "UPDATE history SET costs_seq = 0",
    ],
};

pub(crate) const INSERT: &str = "insert into flows (user_id, time_ms, seq, asset, atoms, usdt, withdrawal) values";
/// The row is the same each time it is written.
pub(crate) const KNOWN: &str = "on conflict (user_id, time_ms, seq, asset) do nothing";
/// A returned withdrawal comes back at the value it went out with.
pub(crate) const INSERT_RETURNED: &str = "insert into flows (user_id, time_ms, seq, asset, atoms, withdrawal, usdt)
    values ($1, $2, $3, $4, $5, $6, (select -usdt from flows where user_id = $1 and withdrawal = $6 and atoms < 0))
    on conflict (user_id, time_ms, seq, asset) do nothing";

/// Inflow minus outflow of one coin in one interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Number of the stretch, from 0.
    pub stretch: u64,
    /// Coin.
    pub asset: AssetId,
    /// Its value, atoms of USDT. The coin may have come in and gone out many times: balances do not bound it.
    pub usdt: i128,
    /// Atoms that had no price then, which are not counted in `usdt`.
    pub unpriced: i128,
}

/// Flows since an instant, up to an entry, in intervals of `step_ms`.
///
/// # Errors
/// Of the database.
pub async fn since(db: &Db, user: UserId, (from_ms, step_ms): (u64, u64), up_to_seq: u64) -> Result<Vec<Flow>, DbError> {
    let text = format!(
        "select (time_ms - $2) / $3 as stretch, asset, {}, {}
         from flows where user_id = $1 and time_ms >= $2 and seq <= $4 group by stretch, asset",
        halves("coalesce(usdt, cast(0 as bigint))"),
        halves("case when usdt is null then atoms else cast(0 as bigint) end"),
    );
    let done = db.query(sql!(text, user.0, from_ms, step_ms, up_to_seq)).await?;
    let flow = |row: &Row| Ok(Flow { stretch: row.id(0)?, asset: AssetId(small(row, 1)?), usdt: whole(row, 2)?, unpriced: whole(row, 4)? });
    done.rows.iter().map(flow).collect()
}
