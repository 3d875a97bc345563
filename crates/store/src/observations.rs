//! The last state of payments seen on chains: operators page through them, and they outlive what the engine has forgotten (D-3). Derived
//! from the log.

use engine::funding::deposits::Observation;
use engine::funding::status::ObservationStatus;
use engine::ids::{Digest, ObservationId};

use super::queues::{Queue, QueuePart, paged};
use crate::db::{self, Db, DbError, Migration, Row, Sql, Value};
use crate::handle::Store;
use crate::page::Page;
use crate::sql;

/// The table. `body` is an [`Observation`].
pub const MIGRATION: Migration = Migration {
    id: 60,
    name: "observed payments",
    ddl: &[
        "CREATE TABLE observations (
            id INTEGER PRIMARY KEY,
            tx BLOB NOT NULL,
            status INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT",
        "CREATE INDEX observations_by_tx ON observations (tx)",
        "CREATE INDEX observations_by_status ON observations (status, id)",
        "INSERT INTO queue_totals (name, upto, counted) VALUES ('observations', 0, 0)",
    ],
};

/// A newer state replaces the older one.
pub const INSERT: &str = "insert into observations (id, tx, status, body) values";
/// The end of [`INSERT`].
pub const NEWER: &str = "on conflict (id) do update set status = excluded.status, body = excluded.body";
/// Rows of one statement of [`begin`].
const ROWS: usize = 10_000;

/// Most are credited, so those are counted once; the others are few. Listed one by one they are counted by `observations_by_status`, where
/// `status <> 4` would scan the whole index.
const QUEUE: Queue =
    Queue { name: "observations", table: "observations", of: "1 = 1", open: "status in (1, 2, 3, 5)", done: "status = 4", by: None };

fn number(status: ObservationStatus) -> u64 {
    match status {
        ObservationStatus::Entered => 1,
        ObservationStatus::Matched => 2,
        ObservationStatus::Conflict => 3,
        ObservationStatus::Credited => 4,
        ObservationStatus::Reversed => 5,
    }
}

/// The cells of a row.
pub fn cells(seen: &Observation) -> [Value; 4] {
    let body = serde_json::to_string(seen).unwrap_or_default();
    [seen.id.0.into(), seen.tx.0.into(), number(seen.status).into(), body.into()]
}

/// Before anything leaves the engine: rows of those that it knows from before the table. Repeating it is harmless.
pub async fn begin(store: &Store) -> Result<(), DbError> {
    let mut next = ObservationId(0);
    loop {
        let mut rows = db::Rows::default();
        store.engine().observations_from(next).take(ROWS).for_each(|seen| {
            next = ObservationId(seen.id.0 + 1);
            rows.push(cells(seen));
        });
        if rows.is_empty() {
            return Ok(());
        }
        store.db.run(vec![Sql::bulk(INSERT, "on conflict (id) do nothing", rows)]).await?;
    }
}

fn read(row: &Row) -> Result<Observation, DbError> {
    serde_json::from_str(&row.text(0)?).map_err(DbError::failed)
}

/// One page, newest first, in one state or in any, and how many there are.
pub async fn list(db: &Db, status: Option<ObservationStatus>, page: Page) -> Result<(Vec<Observation>, u64), DbError> {
    let status = match status {
        None => return paged(db, "body", QUEUE, QueuePart::All, page, read).await,
        Some(ObservationStatus::Credited) => return paged(db, "body", QUEUE, QueuePart::Done, page, read).await,
        Some(status) => number(status),
    };
    let rows = "select body from observations where status = $1 order by id desc limit $2 offset $3";
    let count = sql!("select count(*) from observations where status = $1", status);
    let done = db.read(vec![sql!(rows, status, page.limit, page.offset()), count]).await?;
    let total = done[1].first().map_or(Ok(0), |row| row.id(0))?;
    Ok((done[0].rows.iter().map(read).collect::<Result<_, _>>()?, total))
}

async fn find(db: &Db, column: &str, keys: Vec<Value>) -> Result<Vec<Observation>, DbError> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let holes: Vec<String> = (1..=keys.len()).map(|at| format!("${at}")).collect();
    let text = format!("select body from observations where {column} in ({})", holes.join(","));
    db.query(Sql::new(text, keys)).await?.rows.iter().map(read).collect()
}

/// Those with these numbers: as the engine has them, or as they were when it forgot them.
pub async fn by_id(store: &Store, ids: &[ObservationId]) -> Result<Vec<Observation>, DbError> {
    let mut forgotten = Vec::new();
    let mut found: Vec<Observation> = {
        let engine = store.engine();
        forgotten.extend(ids.iter().filter(|id| engine.observation(**id).is_none()).map(|id| id.0.into()));
        ids.iter().filter_map(|id| engine.observation(*id)).cloned().collect()
    };
    found.extend(find(&store.db, "id", forgotten).await?);
    Ok(found)
}

/// The same by their keys.
pub async fn by_tx(store: &Store, keys: &[Digest]) -> Result<Vec<Observation>, DbError> {
    let mut forgotten = Vec::new();
    let mut found: Vec<Observation> = {
        let engine = store.engine();
        forgotten.extend(keys.iter().filter(|tx| engine.is_final_payment(**tx)).map(|tx| tx.0.into()));
        keys.iter().filter_map(|tx| engine.observation_of(*tx)).cloned().collect()
    };
    found.extend(find(&store.db, "tx", forgotten).await?);
    Ok(found)
}
