//! Which entries set the stops of which contract, derived from the log and rebuildable from it. A refused entry sets no stops, and the log
//! does not record refusals; this table says which entry a receipt shows as the last change of stops.

use engine::ids::{MarketId, PositionId};

use crate::db::{Db, DbError, Migration, Row, Value};
use crate::sql;

/// The rows share the mark of the costs, which go back to the beginning with it: a start makes both from the log.
pub(crate) const MIGRATION: Migration = Migration {
    id: 97,
    name: "stops of contracts",
    ddl: &[
        "CREATE TABLE contract_stops (
            position INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            market INTEGER NOT NULL,
            time_ms INTEGER NOT NULL,
            PRIMARY KEY (position, seq)
        ) STRICT",
        "CREATE INDEX contract_stops_by_time ON contract_stops (market, time_ms)",
        "DELETE FROM costs",
        "DELETE FROM costs_aside",
        "DELETE FROM cost_prices",
        "DELETE FROM house_days",
        "UPDATE history SET costs_seq = 0",
    ],
};

pub(crate) const INSERT: &str = "insert into contract_stops (position, seq, market, time_ms) values";
/// The row is the same each time it is written.
pub(crate) const KNOWN: &str = "on conflict (position, seq) do nothing";

/// The cells of an entry that set the stops of a contract.
pub(crate) fn cells((position, market): (PositionId, MarketId), seq: u64, time_ms: u64) -> [Value; 4] {
    [position.0.into(), seq.into(), market.0.into(), time_ms.into()]
}

/// An entry that set the stops of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StopsSet {
    /// The entry.
    pub seq: u64,
    /// Its time, ms.
    pub time_ms: u64,
}

/// The last entries, at most this many, that set the stops of a contract, none after `up_to`; in the order of the log.
///
/// # Errors
/// Of the database.
pub async fn last(db: &Db, position: PositionId, up_to: u64, most: u64) -> Result<Vec<StopsSet>, DbError> {
    let text = "select seq, time_ms from contract_stops where position = $1 and seq <= $2 order by seq desc limit $3";
    let rows = db.query(sql!(text, position.0, up_to, most)).await?.rows;
    let set = |row: &Row| Ok(StopsSet { seq: row.id(0)?, time_ms: row.id(1)? });
    rows.iter().rev().map(set).collect()
}
