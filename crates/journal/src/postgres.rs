//! The journal in PostgreSQL, with synchronous standbys when `synchronous_standby_names` names them.
//!
//! A commit is one statement in one round trip, so an error that the server reports for it means that nothing was
//! written, with two exceptions that are doubt: a connection that ends (or a server that says it will), and any WARNING,
//! by which the server says that it stopped to wait for the standby.

use crate::error::{AppendError, Error};
use crate::group::Row;
use crate::store::{LeaseRow, Store, sql_int};
use postgres::error::Severity;
use postgres::{Client, Config, NoTls, Statement};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Writes only when the tables are missing, so that opening never waits for a standby. Two nodes may try it at once.
const SCHEMA: &str = "
    do $$ begin
        perform pg_advisory_xact_lock(7308895159437258049);
        if to_regclass('journal_lease') is null then
            create table journal_lease (
                id bigint primary key check (id = 1),
                epoch bigint not null,
                last_seq bigint not null,
                node text not null,
                taken_ms bigint not null
            ) with (fillfactor = 10);
            insert into journal_lease values (1, 0, 0, '', 0);
            create table journal (
                seq bigint primary key,
                epoch bigint not null,
                prev_hash bytea not null,
                hash bytea not null,
                version bigint not null,
                time_ms bigint not null,
                durable_to bigint not null,
                body bytea not null
            );
            alter table journal alter body set storage external;
            create table journal_snapshot (
                seq bigint primary key,
                content bytea not null
            );
            alter table journal_snapshot alter content set storage external;
        end if;
    end $$";

const COMMIT: &str = "
    with moved as (
        update journal_lease set last_seq = $1
        where id = 1 and epoch = $2 and last_seq = $7
        returning 1)
    insert into journal (seq, epoch, prev_hash, hash, version, time_ms, durable_to, body)
    select $1, $2, $3, $4, $5, $6, $7, $8 from moved";

/// One connection, and the last warning it received.
#[derive(Debug)]
pub(crate) struct Postgres {
    config: Config,
    warning: Arc<Mutex<Option<String>>>,
    connection: Option<Connection>,
}

struct Connection {
    client: Client,
    commit: Statement,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Connection")
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        // Closing blocks, which panics where the last owner is a task.
        let connection = self.connection.take();
        if let Ok(closing) = std::thread::Builder::new().spawn(move || drop(connection)) {
            // A panic there has nothing left to break.
            let _ = closing.join();
        }
    }
}

impl Postgres {
    pub(crate) fn open(url: &str) -> Result<Self, Error> {
        let mut config: Config = url.parse()?;
        let warning = Arc::new(Mutex::new(None));
        let inbox = Arc::clone(&warning);
        config
            .application_name("meridian journal")
            .connect_timeout(Duration::from_secs(5))
            // A server that vanished must end in doubt within seconds, not hang the leader.
            .tcp_user_timeout(Duration::from_secs(10))
            .keepalives_idle(Duration::from_secs(5))
            .keepalives_interval(Duration::from_secs(2))
            .keepalives_retries(3)
            .notice_callback(move |notice| {
                if notice.parsed_severity() == Some(Severity::Warning) {
                    *inbox.lock().unwrap_or_else(PoisonError::into_inner) = Some(notice.message().to_string());
                }
            });
        let mut store = Self { config, warning, connection: None };
        store.reopen()?;
        Ok(store)
    }

    fn connection(&mut self) -> Result<&mut Connection, Error> {
        let closed = || Error::Store("not connected to the database".into());
        self.connection.as_mut().ok_or_else(closed)
    }

    /// The warning received since the last call.
    fn take_warning(&self) -> Option<String> {
        self.warning.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Store for Postgres {
    fn reopen(&mut self) -> Result<(), Error> {
        self.connection = None;
        let mut client = self.config.connect(NoTls)?;
        check_settings(&mut client)?;
        client.batch_execute(SCHEMA)?;
        let commit = client.prepare(COMMIT)?;
        self.connection = Some(Connection { client, commit });
        Ok(())
    }

    fn lease(&mut self) -> Result<LeaseRow, Error> {
        let query = "select epoch, last_seq from journal_lease where id = 1";
        let row = self.connection()?.client.query_opt(query, &[])?;
        let row = row.ok_or_else(|| Error::damaged(0, "the lease row is missing"))?;
        Ok(LeaseRow { epoch: unsigned(row.get(0))?, last_seq: unsigned(row.get(1))? })
    }

    fn take_lease(&mut self, seen: u64, node: &str, now_ms: u64) -> Result<bool, Error> {
        let (seen, now_ms) = (sql_int(seen), sql_int(now_ms));
        let (seen, now_ms) = (seen.map_err(Error::Invalid)?, now_ms.map_err(Error::Invalid)?);
        self.take_warning();
        // Waits for the row lock of an append that is still under way: its outcome is then settled.
        let updated = self.connection()?.client.execute(
            "update journal_lease set epoch = epoch + 1, node = $2, taken_ms = $3 where id = 1 and epoch = $1",
            &[&seen, &node, &now_ms],
        )?;
        match self.take_warning() {
            Some(warning) => Err(Error::Store(format!("the barrier is not durable: {warning}"))),
            None => Ok(updated == 1),
        }
    }

    fn commit(&mut self, row: &Row) -> Result<(), AppendError> {
        let not_written = |error: Error| AppendError::NotWritten(error.to_string());
        let int = |value| sql_int(value).map_err(AppendError::NotWritten);
        let (seq, epoch, from) = (int(row.seq)?, int(row.epoch)?, int(row.durable_to)?);
        let (version, time_ms) = (i64::from(row.version), int(row.time_ms)?);
        self.take_warning();
        let Connection { client, commit } = self.connection().map_err(not_written)?;
        let inserted =
            client.execute(commit, &[&seq, &epoch, &row.prev_hash.as_slice(), &row.hash.as_slice(), &version, &time_ms, &from, &row.body]);
        if let Some(warning) = self.take_warning() {
            return Err(AppendError::Unknown(warning));
        }
        match inserted {
            Ok(1) => Ok(()),
            Ok(_) => Err(AppendError::Fenced),
            // ERROR, unlike FATAL and PANIC, is only ever said of a transaction that was rolled back.
            Err(error) if severity(&error) == Some(Severity::Error) => Err(AppendError::NotWritten(describe(&error))),
            Err(error) => Err(AppendError::Unknown(describe(&error))),
        }
    }

    fn rows(&mut self, from_seq: u64, max: usize) -> Result<Vec<Row>, Error> {
        let from_seq = sql_int(from_seq).map_err(Error::Invalid)?;
        let max = i64::try_from(max).unwrap_or(i64::MAX);
        let rows = self.connection()?.client.query(
            "select seq, epoch, prev_hash, hash, version, time_ms, durable_to, body
             from journal where seq >= $1 order by seq limit $2",
            &[&from_seq, &max],
        )?;
        let to_row = |row: &postgres::Row| {
            Ok(Row {
                seq: unsigned(row.get(0))?,
                epoch: unsigned(row.get(1))?,
                prev_hash: hash(row.get(2))?,
                hash: hash(row.get(3))?,
                version: unsigned(row.get(4))?,
                time_ms: unsigned(row.get(5))?,
                durable_to: unsigned(row.get(6))?,
                body: row.get(7),
            })
        };
        rows.iter().map(to_row).collect()
    }

    fn put_snapshot(&mut self, seq: u64, content: &[u8]) -> Result<(), Error> {
        let seq = sql_int(seq).map_err(Error::Invalid)?;
        self.connection()?.client.execute(
            "insert into journal_snapshot values ($1, $2)
             on conflict (seq) do update set content = excluded.content",
            &[&seq, &content],
        )?;
        Ok(())
    }

    fn snapshot_seqs(&mut self) -> Result<Vec<u64>, Error> {
        let query = "select seq from journal_snapshot order by seq";
        let rows = self.connection()?.client.query(query, &[])?;
        rows.iter().map(|row| unsigned(row.get(0))).collect()
    }

    fn get_snapshot(&mut self, seq: u64) -> Result<Vec<u8>, Error> {
        let seq = sql_int(seq).map_err(Error::Invalid)?;
        let query = "select content from journal_snapshot where seq = $1";
        let row = self.connection()?.client.query_opt(query, &[&seq])?;
        Ok(row.map(|row| row.get(0)).unwrap_or_default())
    }

    fn delete_snapshot(&mut self, seq: u64) -> Result<(), Error> {
        let seq = sql_int(seq).map_err(Error::Invalid)?;
        let command = "delete from journal_snapshot where seq = $1";
        self.connection()?.client.execute(command, &[&seq])?;
        Ok(())
    }
}

/// Refuses a server that is set to lose acknowledged commits.
fn check_settings(client: &mut Client) -> Result<(), Error> {
    let wanted: [(&str, &[&str]); 3] = [("fsync", &["on"]), ("full_page_writes", &["on"]), ("synchronous_commit", &["on", "remote_apply"])];
    for (name, wanted) in wanted {
        let row = client.query_one("select current_setting($1)", &[&name])?;
        let found: String = row.get(0);
        if !wanted.contains(&found.as_str()) {
            let wanted = wanted.join(" or ");
            return Err(Error::Unsuitable(format!("{name} is {found}, not {wanted}")));
        }
    }
    Ok(())
}

fn unsigned<T: TryFrom<i64>>(value: i64) -> Result<T, Error> {
    let damaged = |_| Error::damaged(0, format!("a column cannot be {value}"));
    T::try_from(value).map_err(damaged)
}

fn hash(bytes: &[u8]) -> Result<crate::Hash, Error> {
    let damaged = |_| Error::damaged(0, "a hash of another length");
    bytes.try_into().map_err(damaged)
}

fn severity(error: &postgres::Error) -> Option<Severity> {
    error.as_db_error()?.parsed_severity()
}

/// The driver's own text says only "db error"; the server's says what happened.
fn describe(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(answer) => format!("{}: {}", answer.severity(), answer.message()),
        None => error.to_string(),
    }
}

impl From<postgres::Error> for Error {
    fn from(error: postgres::Error) -> Self {
        Self::Store(describe(&error))
    }
}
