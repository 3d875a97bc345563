//! The journal in PostgreSQL, with synchronous standbys when `synchronous_standby_names` names them.
//!
//! A commit is one statement in one round trip, so an error reported by the server means that nothing was written, with two exceptions that
//! are doubt: a connection that ends (or a server that announces it), and any WARNING, by which the server says that it stopped waiting for
//! the standby.

mod schema;
mod signs;
mod snapshots;

use crate::address::Address;
use crate::error::{AppendError, Error};
use crate::group::Row;
use crate::snapshot::DraftStore;
use crate::store::{LeaseRow, Signs, Store, sql_int};
use std::future::{Future, poll_fn};
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_postgres::error::{Severity, SqlState};
use tokio_postgres::tls::TlsStream;
use tokio_postgres::{AsyncMessage, Client, Socket, Statement};

use schema::SCHEMA;
use signs::PostgresSigns;
use snapshots::PostgresDrafts;

/// A commit or a barrier without an answer within this time is in doubt. Without this limit a stalled standby or primary would block the
/// leader for as long as the system keeps the connection.
pub(crate) const ANSWER: Duration = Duration::from_secs(8);
/// Everything else: connecting, runs of rows, snapshots of many megabytes.
const CONNECT: Duration = Duration::from_secs(8);
pub(crate) const LONG: Duration = Duration::from_secs(120);
/// For the lease row, which a commit waiting for its standby keeps locked, and for tables locked by a person.
const LOCK: Duration = Duration::from_secs(5);
/// The statement that begins a session which reads one instant.
pub const FROZEN: &str = "begin transaction isolation level repeatable read, read only";
/// First half of the name of the lock held by a leader's session; the second is its epoch.
const LEADS: i32 = 0x4d44_4e4c;

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
    address: Address,
    warning: Warning,
    connection: Option<Connection>,
}

pub(crate) type Warning = Arc<Mutex<Option<String>>>;

/// A session, and the runtime that drives it while an answer is awaited.
pub(crate) struct Session {
    runtime: Runtime,
    client: Client,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Session")
    }
}

impl Session {
    pub(crate) fn connect(Address { config, tls }: &Address, warning: Warning) -> Result<Self, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Error::Store(error.to_string()))?;
        let client = answer(&runtime, CONNECT, async {
            let (client, connection) = config.connect(tls.clone()).await?;
            tokio::spawn(listen(connection, warning));
            Ok(client)
        })?;
        Ok(Self { runtime, client })
    }

    /// Sends a request to the server. After a late answer the session is unusable.
    pub(crate) fn ask<T>(
        &self,
        within: Duration,
        question: impl AsyncFnOnce(&Client) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T, Error> {
        Ok(answer(&self.runtime, within, question(&self.client))?)
    }
}

/// The session that appends, with its prepared statement.
#[derive(Debug)]
struct Connection {
    session: Session,
    commit: Statement,
}

/// Why a request has no answer.
enum Failure {
    Late(Duration),
    Server(tokio_postgres::Error),
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.close();
    }
}

impl Postgres {
    pub(crate) fn open(url: &str) -> Result<Self, Error> {
        let mut address: Address = url.parse()?;
        let config = &mut address.config;
        // A limit of the role or the database for a whole statement must not end a long read.
        let options = format!("{} -c lock_timeout={} -c statement_timeout=0", config.get_options().unwrap_or(""), LOCK.as_millis());
        config
            .application_name("meridian journal")
            .options(options.trim())
            .connect_timeout(Duration::from_secs(5))
            // If the server vanishes, a commit must end as unknown within seconds and not hang the leader.
            .tcp_user_timeout(Duration::from_secs(10))
            .keepalives_idle(Duration::from_secs(5))
            .keepalives_interval(Duration::from_secs(2))
            .keepalives_retries(3);
        let mut store = Self { address, warning: Warning::default(), connection: None };
        store.reopen()?;
        Ok(store)
    }

    /// Ends the session without waiting for the server.
    fn close(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        // A runtime cannot be dropped inside a task, so a thread drops it.
        if let Ok(closing) = std::thread::Builder::new().spawn(move || drop(connection)) {
            // A panic of that thread has nothing left to break.
            let _ = closing.join();
        }
    }

    fn ask<T>(&mut self, within: Duration, question: impl AsyncFnOnce(&Client) -> Result<T, tokio_postgres::Error>) -> Result<T, Error> {
        let Some(Connection { session, .. }) = &self.connection else { return Err(closed()) };
        session.ask(within, question)
    }

    /// From here on the session sees one instant, whose name other sessions may use.
    pub(crate) fn freeze(&mut self) -> Result<String, Error> {
        self.ask(ANSWER, async |client| client.batch_execute(FROZEN).await)?;
        let row = self.ask(ANSWER, async |client| client.query_one("select pg_export_snapshot()", &[]).await)?;
        Ok(row.get(0))
    }

    /// The warning received since the last call.
    fn take_warning(&self) -> Option<String> {
        self.warning.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

fn closed() -> Error {
    Error::Store("not connected to the database".into())
}

fn answer<T>(runtime: &Runtime, within: Duration, question: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, Failure> {
    // The timer has to be made inside its runtime.
    let answered = runtime.block_on(async { tokio::time::timeout(within, question).await });
    answered.map_err(|_| Failure::Late(within))?.map_err(Failure::Server)
}

/// Passes the server's messages to their requests, and keeps its warnings.
async fn listen(mut connection: tokio_postgres::Connection<Socket, impl TlsStream + Unpin>, warning: Warning) {
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        if let AsyncMessage::Notice(notice) = message
            && notice.parsed_severity() == Some(Severity::Warning)
        {
            *warning.lock().unwrap_or_else(PoisonError::into_inner) = Some(notice.message().to_string());
        }
    }
}

impl Store for Postgres {
    fn reopen(&mut self) -> Result<(), Error> {
        self.close();
        let session = Session::connect(&self.address, Arc::clone(&self.warning))?;
        check_settings(&session)?;
        session.ask(ANSWER, async |client| client.batch_execute(SCHEMA).await)?;
        let commit = session.ask(ANSWER, async |client| client.prepare(COMMIT).await)?;
        self.connection = Some(Connection { session, commit });
        Ok(())
    }

    fn lease(&mut self) -> Result<LeaseRow, Error> {
        let query = "select epoch, last_seq, taken_ms, node from journal_lease where id = 1";
        let row = self.ask(ANSWER, async |client| client.query_opt(query, &[]).await)?;
        let row = row.ok_or_else(|| Error::damaged(0, "the lease row is missing"))?;
        let [epoch, last_seq, taken_ms] = [row.get(0), row.get(1), row.get(2)].map(unsigned);
        Ok(LeaseRow { epoch: epoch?, last_seq: last_seq?, taken_ms: taken_ms?, node: row.get(3) })
    }

    fn is_attended(&mut self, epoch: u64) -> Result<bool, Error> {
        let query = "select exists (
            select from pg_locks l join pg_database d on d.oid = l.database
            where d.datname = current_database() and l.locktype = 'advisory' and l.granted
                and l.classid::bigint = $1::bigint and l.objid::bigint = $2::bigint)";
        let (leads, epoch) = (i64::from(LEADS), i64::from(lock_of(epoch)));
        let row = self.ask(ANSWER, async |client| client.query_one(query, &[&leads, &epoch]).await)?;
        Ok(row.get(0))
    }

    fn take_lease(&mut self, seen: u64, unmoved: Option<u64>, node: &str, now_ms: u64) -> Result<bool, Error> {
        let int = |value| sql_int(value).map_err(Error::Invalid);
        let (seen, now_ms, unmoved) = (int(seen)?, int(now_ms)?, unmoved.map(int).transpose()?);
        self.take_warning();
        // Taken before the epoch becomes visible, so that the epoch never looks abandoned. Shared, so that a left-over attempt of this node
        // does not block it.
        let (leads, lock) = (LEADS, lock_of(seen.unsigned_abs() + 1));
        self.ask(ANSWER, async |client| client.execute("select pg_advisory_lock_shared($1, $2)", &[&leads, &lock]).await)?;
        // Waits for the row lock of an append in flight, whose outcome is then settled.
        let take = "update journal_lease set epoch = epoch + 1, node = $2, taken_ms = $3
            where id = 1 and epoch = $1 and last_seq = coalesce($4, last_seq)";
        let updated = self.ask(ANSWER, async |client| client.execute(take, &[&seen, &node, &now_ms, &unmoved]).await)?;
        if let Some(warning) = self.take_warning() {
            return Err(Error::Store(format!("the barrier is not durable: {warning}")));
        }
        if updated != 1 {
            self.ask(ANSWER, async |client| client.execute("select pg_advisory_unlock_shared($1, $2)", &[&leads, &lock]).await)?;
        }
        Ok(updated == 1)
    }

    fn commit(&mut self, row: &Row) -> Result<(), AppendError> {
        let int = |value| sql_int(value).map_err(AppendError::NotWritten);
        let (seq, epoch, from) = (int(row.seq)?, int(row.epoch)?, int(row.durable_to)?);
        let (version, time_ms) = (i64::from(row.version), int(row.time_ms)?);
        self.take_warning();
        let Some(Connection { session: Session { runtime, client }, commit }) = &self.connection else {
            return Err(AppendError::NotWritten(closed().to_string()));
        };
        let (prev_hash, hash) = (row.prev_hash.as_slice(), row.hash.as_slice());
        let inserted = answer(runtime, ANSWER, async {
            client.execute(commit, &[&seq, &epoch, &prev_hash, &hash, &version, &time_ms, &from, &row.body]).await
        });
        if let Some(warning) = self.take_warning() {
            return Err(AppendError::Unknown(warning));
        }
        match inserted {
            Ok(1) => Ok(()),
            Ok(_) => Err(AppendError::Fenced),
            // ERROR, unlike FATAL and PANIC, is reported only for a transaction that was rolled back.
            Err(Failure::Server(error)) if severity(&error) == Some(Severity::Error) => Err(AppendError::NotWritten(describe(&error))),
            Err(failure) => Err(AppendError::Unknown(Error::from(failure).to_string())),
        }
    }

    fn rows(&mut self, entries: RangeInclusive<u64>, max: usize, within: Duration) -> Result<Vec<Row>, Error> {
        let (first, last) = (sql_int(*entries.start()).map_err(Error::Invalid)?, sql_int(*entries.end()).map_err(Error::Invalid)?);
        let max = i64::try_from(max).unwrap_or(i64::MAX);
        let query = "select seq, epoch, prev_hash, hash, version, time_ms, durable_to, body
             from journal where seq >= $1 and seq <= coalesce((select min(seq) from journal where seq >= $2), $2) order by seq limit $3";
        let rows = self.ask(within, async |client| client.query(query, &[&first, &last, &max]).await)?;
        let to_row = |row: &tokio_postgres::Row| {
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

    fn snapshot_seqs(&mut self) -> Result<Vec<u64>, Error> {
        let query = "select seq from journal_snapshot order by seq";
        let rows = self.ask(LONG, async |client| client.query(query, &[]).await)?;
        rows.iter().map(|row| unsigned(row.get(0))).collect()
    }

    fn get_snapshot(&mut self, seq: u64) -> Result<Vec<u8>, Error> {
        let seq = sql_int(seq).map_err(Error::Invalid)?;
        let query = "select content, draft from journal_snapshot where seq = $1";
        let row = self.ask(LONG, async |client| client.query_opt(query, &[&seq]).await)?;
        let Some(row) = row else { return Ok(Vec::new()) };
        let (last, draft): (Vec<u8>, Option<i64>) = (row.get(0), row.get(1));
        // Releases before pieces wrote one value, which names no draft.
        let Some(draft) = draft else { return Ok(last) };
        let (mut content, mut number) = (Vec::new(), 0_i64);
        let query = "select content from journal_snapshot_piece where draft = $1 and number = $2";
        while let Some(piece) = self.ask(LONG, async |client| client.query_opt(query, &[&draft, &number]).await)? {
            content.extend_from_slice(piece.get(0));
            number += 1;
        }
        content.extend_from_slice(&last);
        Ok(content)
    }

    fn signs(&self, epoch: u64) -> Option<Box<dyn Signs>> {
        Some(Box::new(PostgresSigns::new(self.address.clone(), epoch)))
    }

    fn drafts(&self) -> Box<dyn DraftStore> {
        Box::new(PostgresDrafts::new(self.address.clone()))
    }
}

/// Refuses a server whose settings can lose acknowledged commits.
fn check_settings(session: &Session) -> Result<(), Error> {
    let wanted: [(&str, &[&str]); 3] = [("fsync", &["on"]), ("full_page_writes", &["on"]), ("synchronous_commit", &["on", "remote_apply"])];
    for (name, wanted) in wanted {
        let row = session.ask(ANSWER, async |client| client.query_one("select current_setting($1)", &[&name]).await)?;
        let found: String = row.get(0);
        if !wanted.contains(&found.as_str()) {
            let wanted = wanted.join(" or ");
            return Err(Error::Unsuitable(format!("{name} is {found}, not {wanted}")));
        }
    }
    Ok(())
}

/// The second half of the name of the lock of this epoch.
fn lock_of(epoch: u64) -> i32 {
    i32::try_from(epoch % 0x7fff_ffff).unwrap_or_default()
}

fn unsigned<T: TryFrom<i64>>(value: i64) -> Result<T, Error> {
    let damaged = |_| Error::damaged(0, format!("a column cannot be {value}"));
    T::try_from(value).map_err(damaged)
}

fn hash(bytes: &[u8]) -> Result<crate::record::Hash, Error> {
    let damaged = |_| Error::damaged(0, "a hash of another length");
    bytes.try_into().map_err(damaged)
}

fn severity(error: &tokio_postgres::Error) -> Option<Severity> {
    error.as_db_error()?.parsed_severity()
}

/// The driver's own text says only "db error"; the server's message says what happened.
fn describe(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(answer) => format!("{}: {}", answer.severity(), answer.message()),
        None => error.to_string(),
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Store(describe(&error))
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Late(within) => Self::Late(within),
            Failure::Server(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => Self::Late(LOCK),
            Failure::Server(error) => error.into(),
        }
    }
}
