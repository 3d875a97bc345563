//! The journal in an SQLite file of its own, held by one connection of one process.
//!
//! One disk: this survives crash and power loss, not the loss of the disk.

use crate::error::{AppendError, Error};
use crate::group::Row;
use crate::high_water::sync_parent;
use crate::snapshot::DraftStore;
use crate::snapshot_files::{FileDrafts, SnapshotFolder};
use crate::store::{LeaseRow, Store};
use rusqlite::{Connection, ErrorCode, OptionalExtension, params};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The first version without the WAL-reset bug.
const OLDEST_SQLITE: i32 = 3_051_003;

/// Version of the tables, kept in `user_version`.
const SCHEMA_VERSION: i32 = 1;

const SCHEMA: &str = "
    create table lease (
        id integer primary key check (id = 1),
        epoch integer not null,
        last_seq integer not null,
        node text not null,
        taken_ms integer not null
    ) strict;
    insert into lease values (1, 0, 0, '', 0);
    create table journal (
        seq integer primary key,
        epoch integer not null,
        prev_hash blob not null,
        hash blob not null,
        version integer not null,
        time_ms integer not null,
        durable_to integer not null,
        body blob not null
    ) strict;
    pragma user_version = 1;";

/// `journal.db` and the folder `snapshots/` beside it.
#[derive(Debug)]
pub(crate) struct Sqlite {
    path: PathBuf,
    snapshots: SnapshotFolder,
    connection: Option<Connection>,
}

impl Sqlite {
    pub(crate) fn open(data: &Path) -> Result<Self, Error> {
        let snapshots = SnapshotFolder::open(data)?;
        let mut store = Self { path: data.join("journal.db"), snapshots, connection: None };
        store.reopen()?;
        Ok(store)
    }

    fn connection(&mut self) -> Result<&mut Connection, Error> {
        let closed = || Error::Store("the journal file is closed".into());
        self.connection.as_mut().ok_or_else(closed)
    }
}

impl Store for Sqlite {
    fn reopen(&mut self) -> Result<(), Error> {
        self.connection = None;
        let connection = connect(&self.path).map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Error::Held(self.path.clone()),
            _ => Error::Store(format!("{}: {error}", self.path.display())),
        })?;
        check_settings(&connection)?;
        sync_parent(&self.path).map_err(|error| Error::file(&self.path, &error))?;
        self.connection = Some(connection);
        Ok(())
    }

    fn lease(&mut self) -> Result<LeaseRow, Error> {
        let mut query = self.connection()?.prepare_cached("select epoch, last_seq, taken_ms, node from lease where id = 1")?;
        let to_row =
            |row: &rusqlite::Row<'_>| Ok(LeaseRow { epoch: row.get(0)?, last_seq: row.get(1)?, taken_ms: row.get(2)?, node: row.get(3)? });
        let row = query.query_row([], to_row).optional()?;
        row.ok_or_else(|| Error::damaged(0, "the lease row is missing"))
    }

    fn take_lease(&mut self, seen: u64, unmoved: Option<u64>, node: &str, now_ms: u64) -> Result<bool, Error> {
        let updated = self.connection()?.execute(
            "update lease set epoch = epoch + 1, node = ?2, taken_ms = ?3 where id = 1 and epoch = ?1 and last_seq = coalesce(?4, last_seq)",
            params![seen, node, now_ms, unmoved],
        )?;
        Ok(updated == 1)
    }

    fn commit(&mut self, row: &Row) -> Result<(), AppendError> {
        let not_written = |error: &dyn std::fmt::Display| AppendError::NotWritten(error.to_string());
        let connection = self.connection().map_err(|error| not_written(&error))?;
        if let Err(refusal) = insert(connection, row) {
            // The refusal is definite only if the rollback happened.
            let rolled_back = connection.is_autocommit() || (connection.execute_batch("rollback").is_ok() && connection.is_autocommit());
            return Err(match refusal {
                _ if !rolled_back => AppendError::Unknown("the rollback failed".into()),
                None => AppendError::Fenced,
                Some(error) => not_written(&error),
            });
        }
        // From here on an error leaves the outcome unknown, because the frames may already be in the log.
        let commit = connection.prepare_cached("commit");
        commit.and_then(|mut commit| commit.execute([])).map(drop).map_err(|error| AppendError::Unknown(error.to_string()))
    }

    fn rows(&mut self, entries: RangeInclusive<u64>, max: usize, _: Duration) -> Result<Vec<Row>, Error> {
        let max = i64::try_from(max).unwrap_or(i64::MAX);
        let mut query = self.connection()?.prepare_cached(
            "select seq, epoch, prev_hash, hash, version, time_ms, durable_to, body
             from journal where seq >= ?1 and seq <= coalesce((select min(seq) from journal where seq >= ?2), ?2) order by seq limit ?3",
        )?;
        let rows = query.query_map(params![entries.start(), entries.end(), max], |row| {
            Ok(Row {
                seq: row.get(0)?,
                epoch: row.get(1)?,
                prev_hash: row.get(2)?,
                hash: row.get(3)?,
                version: row.get(4)?,
                time_ms: row.get(5)?,
                durable_to: row.get(6)?,
                body: row.get(7)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn snapshot_seqs(&mut self) -> Result<Vec<u64>, Error> {
        self.snapshots.seqs()
    }

    fn get_snapshot(&mut self, seq: u64) -> Result<Vec<u8>, Error> {
        self.snapshots.read(seq)
    }

    fn drafts(&self) -> Box<dyn DraftStore> {
        Box::new(FileDrafts::new(&self.snapshots))
    }
}

/// Begins the transaction, moves the lease row and inserts; `None` when the compare-and-swap missed.
fn insert(connection: &Connection, row: &Row) -> Result<(), Option<rusqlite::Error>> {
    connection.prepare_cached("begin immediate")?.execute([])?;
    let moved = connection
        .prepare_cached("update lease set last_seq = ?1 where id = 1 and epoch = ?2 and last_seq = ?3")?
        .execute(params![row.seq, row.epoch, row.durable_to])?;
    if moved != 1 {
        return Err(None);
    }
    connection.prepare_cached("insert into journal values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?.execute(params![
        row.seq,
        row.epoch,
        row.prev_hash,
        row.hash,
        row.version,
        row.time_ms,
        row.durable_to,
        row.body
    ])?;
    Ok(())
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open(path)?;
    // Long enough for a server that is stopping, short enough for a person who started two.
    connection.busy_timeout(Duration::from_secs(1))?;
    // Exclusive mode comes first: the write-ahead log then keeps its index in this process, and no second connection can exist.
    connection.execute_batch(
        "pragma locking_mode = exclusive;
         pragma journal_mode = wal;
         pragma synchronous = full;
         pragma fullfsync = on;
         pragma checkpoint_fullfsync = on;
         pragma mmap_size = 0;
         pragma trusted_schema = off;
         pragma temp_store = memory;",
    )?;
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let version: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == 0 {
        transaction.execute_batch(SCHEMA)?;
    }
    transaction.commit()?;
    // By default glibc returns freed memory to the system from 128 KiB on, so every large group would fault its buffers in again; measured,
    // this is a third of the CPU time of a commit of 512 entries. Freeing one block of 1 MiB raises that limit. It has no effect in a
    // program with its own allocator, such as the server.
    connection.query_row("select length(cast(zeroblob(1048576) as text))", [], |_| Ok(()))?;
    // Copies what an earlier connection may have left unsynced into the database file, and syncs that. After a failed sync the log's pages
    // count as clean, so syncing the log again would prove nothing.
    connection.query_row("pragma wal_checkpoint(truncate)", [], |_| Ok(()))?;
    Ok(connection)
}

/// Refuses a build or settings that would break the promises.
fn check_settings(connection: &Connection) -> Result<(), Error> {
    if rusqlite::version_number() < OLDEST_SQLITE {
        let version = rusqlite::version();
        return Err(Error::Unsuitable(format!("SQLite {version} has the WAL-reset bug")));
    }
    let text = |name: &str| -> rusqlite::Result<String> {
        connection.query_row(&format!("select cast({name} as text) from pragma_{name}"), [], |row| row.get(0))
    };
    let wanted = [
        ("journal_mode", "wal".to_string()),
        ("locking_mode", "exclusive".to_string()),
        ("synchronous", "2".to_string()),
        ("user_version", SCHEMA_VERSION.to_string()),
    ];
    for (name, wanted) in wanted {
        let found = text(name)?;
        if found != wanted {
            return Err(Error::Unsuitable(format!("{name} is {found}, not {wanted}")));
        }
    }
    Ok(())
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error {
            rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::InvalidColumnType(..) => Self::damaged(0, format!("a column cannot be what was written: {error}")),
            other => match other.sqlite_error_code() {
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::damaged(0, other.to_string()),
                _ => Self::Store(other.to_string()),
            },
        }
    }
}
