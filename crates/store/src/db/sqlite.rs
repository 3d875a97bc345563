//! SQLite: one thread for writes, one for reads and one for long reads, each with a connection of its own.

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, SendError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, Statement, Transaction, TransactionBehavior, types::ValueRef};
use tokio::sync::{oneshot, watch};

use super::rows::{STEP, placeholders};
use super::{Access, Args, Db, DbError, Done, Row, Sql, Value};

/// The first version without the WAL-reset corruption bug.
const OLDEST_VERSION: i32 = 3_051_003;

/// A write that may be late waits this long for others after the last sync of such a write. Each sync delays that of the journal, and with
/// it the orders.
const PAUSE: Duration = Duration::from_millis(250);

/// A longer read is restarted on the thread for long reads, so one member's very long list does not delay everyone else.
const SHORT: Duration = Duration::from_millis(20);
/// Steps of SQLite's virtual machine between two time checks: a fraction of a millisecond.
const STEPS: c_int = 10_000;

struct Job {
    statements: Arc<[Sql]>,
    access: Access,
    answer: oneshot::Sender<Outcome>,
}

type Outcome = Result<Vec<Done>, DbError>;

impl Job {
    fn answer(self, outcome: Outcome) {
        // A caller that no longer waits, because its request was dropped, does not undo the transaction.
        let _ = self.answer.send(outcome);
    }
}

/// Handles to the thread that writes and to the one that reads.
#[derive(Clone, Debug)]
pub struct Sqlite {
    writer: mpsc::Sender<Job>,
    reader: mpsc::Sender<Job>,
    /// A thread has panicked.
    broken: watch::Sender<bool>,
}

impl Db {
    /// Waits until a thread of SQLite has panicked: from then on a part of the calls fails. PostgreSQL has no such threads.
    pub async fn broken(&self) {
        match self {
            // The sender lives as long as `self`.
            Db::Sqlite(db) => drop(db.broken.subscribe().wait_for(|broken| *broken).await),
            Db::Postgres(_) => std::future::pending().await,
        }
    }
}

impl Sqlite {
    pub fn open(path: &Path) -> Result<Sqlite, DbError> {
        if rusqlite::version_number() < OLDEST_VERSION {
            return Err(DbError::Failed(format!("SQLite {} is too old, 3.51.3 is needed", rusqlite::version())));
        }
        let open = || -> Result<Connection, DbError> {
            let connection = Connection::open(path).map_err(DbError::failed)?;
            // A small cache, because a commit walks over all of it after a page was split. Other pages come from the system's cache.
            connection
                .execute_batch(
                    "pragma journal_mode = wal; pragma synchronous = full; pragma mmap_size = 0; pragma trusted_schema = off;
                     pragma foreign_keys = on; pragma temp_store = memory; pragma busy_timeout = 5000;
                     pragma cache_size = -8192; pragma wal_autocheckpoint = 10000;",
                )
                .map_err(DbError::failed)?;
            connection.set_prepared_statement_cache_capacity(256);
            // Otherwise SQLite plans a statement again for new arguments of `limit` and of conditions outside the index.
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(DbError::failed)?;
            Ok(connection)
        };
        let broken = watch::Sender::new(false);
        let long = serve("sql-long", open()?, &broken, read_long)?;
        let reader = serve("sql-read", open()?, &broken, move |connection, inbox| read_short(connection, inbox, &long))?;
        let writer = serve("sql-write", open()?, &broken, write)?;
        Ok(Sqlite { writer, reader, broken })
    }

    pub(super) async fn run(&self, statements: Arc<[Sql]>, access: Access) -> Outcome {
        let (answer, answered) = oneshot::channel();
        let thread = if access == Access::Read { &self.reader } else { &self.writer };
        let gone = || DbError::Failed("the database thread has ended".to_owned());
        thread.send(Job { statements, access, answer }).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

fn serve(
    name: &str,
    mut connection: Connection,
    broken: &watch::Sender<bool>,
    work: impl FnOnce(&mut Connection, &mpsc::Receiver<Job>) + Send + 'static,
) -> Result<mpsc::Sender<Job>, DbError> {
    let (jobs, inbox) = mpsc::channel::<Job>();
    let broken = broken.clone();
    let work = move || {
        // The connection may be inside a transaction, so it is not used again.
        if catch_unwind(AssertUnwindSafe(|| work(&mut connection, &inbox))).is_err() {
            broken.send_replace(true);
        }
    };
    thread::Builder::new().name(name.to_owned()).spawn(work).map_err(DbError::failed)?;
    Ok(jobs)
}

/// Reads that somebody still waits for.
fn wanted(inbox: &mpsc::Receiver<Job>) -> impl Iterator<Item = Job> {
    inbox.iter().filter(|job| !job.answer.is_closed())
}

fn read_short(connection: &mut Connection, inbox: &mpsc::Receiver<Job>, long: &mpsc::Sender<Job>) {
    for job in wanted(inbox) {
        let begun = Instant::now();
        let is_over = move || begun.elapsed() > SHORT;
        let limited = connection.progress_handler(STEPS, Some(is_over)).map_err(before_commit);
        let outcome = limited.and_then(|()| read(connection, &job.statements));
        if outcome.is_ok() || !is_over() {
            job.answer(outcome);
        } else if let Err(SendError(job)) = long.send(job) {
            job.answer(outcome);
        }
    }
}

fn read_long(connection: &mut Connection, inbox: &mpsc::Receiver<Job>) {
    for job in wanted(inbox) {
        let outcome = read(connection, &job.statements);
        job.answer(outcome);
    }
}

/// Reads in a deferred transaction, which takes no lock: it never waits for the writer nor blocks it. One statement is its own transaction.
fn read(connection: &mut Connection, statements: &[Sql]) -> Outcome {
    if statements.len() == 1 {
        perform(connection, statements)
    } else {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Deferred).map_err(before_commit);
        transaction.and_then(|transaction| perform(&transaction, statements))
    }
}

/// Writes that wait while one commit syncs go into the next one together, so the number of syncs does not grow with them. Those that may be
/// late wait for a commit of others, or for [`PAUSE`] since the last of theirs.
fn write(connection: &mut Connection, inbox: &mpsc::Receiver<Job>) {
    let mut level = "full";
    let mut late: Vec<Job> = Vec::new();
    let mut synced: Option<Instant> = None;
    loop {
        let left = |synced: Option<Instant>| synced.map_or(Duration::ZERO, |synced| PAUSE.saturating_sub(synced.elapsed()));
        let first = if late.is_empty() {
            let Ok(job) = inbox.recv() else { return };
            Some(job)
        } else {
            let next = inbox.recv_timeout(left(synced));
            if matches!(next, Err(RecvTimeoutError::Disconnected)) {
                // No more jobs will come.
                synced = None;
            }
            next.ok()
        };
        let mut waiting = first.into_iter().chain(inbox.try_iter()).peekable();
        while let Some(job) = waiting.next() {
            match job.access {
                Access::WriteLate => late.push(job),
                Access::Read | Access::Write => {
                    let mut jobs = std::mem::take(&mut late);
                    if !jobs.is_empty() {
                        synced = Some(Instant::now());
                    }
                    jobs.push(job);
                    while let Some(job) = waiting.next_if(|job| matches!(job.access, Access::Write | Access::WriteLate)) {
                        jobs.push(job);
                    }
                    answer(connection, &mut level, jobs);
                }
                Access::WriteRelaxed | Access::Compact => answer(connection, &mut level, vec![job]),
            }
        }
        if !late.is_empty() && left(synced).is_zero() {
            answer(connection, &mut level, std::mem::take(&mut late));
            synced = Some(Instant::now());
        }
    }
}

/// Runs these jobs, at least one of which syncs, and answers their callers.
fn answer(connection: &mut Connection, level: &mut &str, jobs: Vec<Job>) {
    let access = jobs.first().map_or(Access::Write, |job| job.access);
    let outcomes = set_level(connection, level, access).and_then(|()| match access {
        Access::Compact => compact(connection),
        _ => commit(connection, &jobs),
    });
    let outcomes = outcomes.unwrap_or_else(|error| vec![Err(error); jobs.len()]);
    jobs.into_iter().zip(outcomes).for_each(|(job, outcome)| job.answer(outcome));
}

/// With `full` a commit is on disk when it returns, and with it everything before; with `normal` a later one takes it there.
fn set_level(connection: &Connection, level: &mut &str, access: Access) -> Result<(), DbError> {
    let wanted = if access == Access::WriteRelaxed { "normal" } else { "full" };
    if *level != wanted {
        connection.pragma_update(None, "synchronous", wanted).map_err(before_commit)?;
        *level = wanted;
    }
    Ok(())
}

fn compact(connection: &Connection) -> Result<Vec<Outcome>, DbError> {
    connection.execute_batch("vacuum; pragma wal_checkpoint(truncate)").map_err(before_commit)?;
    Ok(vec![Ok(Vec::new())])
}

/// One transaction and one sync for all of these jobs. One that fails is undone on its own; when the commit fails, all fail. The outer
/// error means that none of them was executed.
fn commit(connection: &mut Connection, jobs: &[Job]) -> Result<Vec<Outcome>, DbError> {
    let one_statement = matches!(jobs, [job] if job.statements.len() == 1);
    let behavior = if one_statement { TransactionBehavior::Deferred } else { TransactionBehavior::Immediate };
    let mut transaction = connection.transaction_with_behavior(behavior).map_err(before_commit)?;
    let mut outcomes = match jobs {
        // The transaction itself can undo it. A savepoint would cost more the more the job writes.
        [job] => vec![Ok(perform(&transaction, &job.statements)?)],
        jobs => jobs.iter().map(|job| attempt(&mut transaction, &job.statements)).collect::<Result<_, _>>()?,
    };
    if let Err(error) = transaction.commit() {
        let unknown = DbError::Unknown(error.to_string());
        outcomes.iter_mut().filter(|outcome| outcome.is_ok()).for_each(|outcome| *outcome = Err(unknown.clone()));
    }
    Ok(outcomes)
}

/// Does all of this or nothing. The outer error means that the whole transaction is lost.
fn attempt(transaction: &mut Transaction<'_>, statements: &[Sql]) -> Result<Outcome, DbError> {
    let mut savepoint = transaction.savepoint().map_err(before_commit)?;
    let outcome = perform(&savepoint, statements);
    if let Err(error) = &outcome {
        // A full disk, for example, makes SQLite undo everything, and the savepoint no longer exists.
        savepoint.rollback().map_err(|_| DbError::failed(error))?;
    }
    savepoint.commit().map_err(before_commit)?;
    Ok(outcome)
}

fn perform(connection: &Connection, statements: &[Sql]) -> Outcome {
    let mut answers = Vec::with_capacity(statements.len());
    for (position, sql) in statements.iter().enumerate() {
        let done = execute(connection, sql, &answers)?;
        if sql.exactly.is_some_and(|wanted| wanted != done.hit) {
            return Err(DbError::Missed(position));
        }
        answers.push(done);
    }
    Ok(answers)
}

fn execute(connection: &Connection, sql: &Sql, before: &[Done]) -> Result<Done, DbError> {
    let one = |args: &[Value]| {
        let mut statement = connection.prepare_cached(&sql.text).map_err(before_commit)?;
        let places = places(&statement, args.len())?;
        run(&mut statement, &places, args)
    };
    let (rows, tail) = match &sql.args {
        Args::Rows(rows, tail) => (rows, tail),
        Args::Each(args) => return one(args),
        Args::Later(later) => return one(&later.args(before)?),
    };
    let width = rows.width()?;
    // The caller undoes everything when one statement fails. So SQLite need not copy every page that it changes in order to undo one
    // statement.
    let head = sql.text.replacen("insert", "insert or fail", 1);
    // Rows that do not fill a step are inserted one by one, so that only two texts stay prepared.
    let (full, rest) = rows.split();
    let mut done = Done::default();
    let mut insert = |rows: usize, steps: &mut dyn Iterator<Item = &[Value]>| -> Result<(), DbError> {
        let mut steps = steps.peekable();
        if steps.peek().is_none() {
            return Ok(());
        }
        let text = format!("{head} {} {tail}", placeholders(rows, width));
        // The arguments of a bulk insert are in order.
        let places: Vec<usize> = (1..=rows * width).collect();
        let mut statement = connection.prepare_cached(&text).map_err(before_commit)?;
        for step in steps {
            done.hit += run(&mut statement, &places, step)?.hit;
        }
        Ok(())
    };
    insert(STEP, &mut full.iter().map(Vec::as_slice))?;
    insert(1, &mut rest.chunks(width.max(1)))?;
    Ok(done)
}

/// Runs a statement with these arguments.
fn run(statement: &mut Statement<'_>, places: &[usize], args: &[Value]) -> Result<Done, DbError> {
    bind(statement, places, args)?;
    let mut done = Done::default();
    let columns = statement.column_count();
    if columns == 0 {
        let changed = statement.raw_execute().map_err(before_commit)?;
        done.hit = u64::try_from(changed).unwrap_or(u64::MAX);
        return Ok(done);
    }
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next().map_err(before_commit)? {
        let cells = (0..columns).map(|at| Ok(cell(row.get_ref(at).map_err(before_commit)?))).collect::<Result<_, DbError>>()?;
        done.rows.push(Row(cells));
        done.hit += 1;
    }
    Ok(done)
}

/// `$1` is a name to SQLite, so arguments are bound by that name and never by position.
fn places(statement: &Statement<'_>, count: usize) -> Result<Vec<usize>, DbError> {
    let place = |at: usize| {
        let found = statement.parameter_index(&format!("${at}")).map_err(before_commit)?;
        found.ok_or_else(|| DbError::Failed(format!("argument ${at} is not in the statement")))
    };
    (1..=count).map(place).collect()
}

fn bind(statement: &mut Statement<'_>, places: &[usize], args: &[Value]) -> Result<(), DbError> {
    for (index, value) in places.iter().copied().zip(args) {
        match value {
            Value::Null => statement.raw_bind_parameter(index, rusqlite::types::Null),
            Value::Int(value) => statement.raw_bind_parameter(index, value),
            Value::Text(value) if value.contains('\0') => return Err(DbError::Failed("NUL in text".to_owned())),
            Value::Text(value) => statement.raw_bind_parameter(index, value.as_ref()),
            Value::Blob(value) => statement.raw_bind_parameter(index, value),
        }
        .map_err(before_commit)?;
    }
    Ok(())
}

fn cell(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(value) => Value::Int(value),
        // No column of ours is REAL (tables are STRICT). Such a cell becomes text, which the typed reader refuses.
        ValueRef::Real(value) => Value::Text(value.to_string().into()),
        ValueRef::Text(value) => Value::Text(String::from_utf8_lossy(value).into_owned().into()),
        ValueRef::Blob(value) => Value::Blob(value.to_vec()),
    }
}

/// An error before the commit: its transaction is rolled back.
fn before_commit(error: rusqlite::Error) -> DbError {
    match error.sqlite_error() {
        Some(inner) if inner.code == ErrorCode::ConstraintViolation && matches!(inner.extended_code, 2067 | 1555) => DbError::Unique,
        _ => DbError::failed(error),
    }
}

#[cfg(test)]
mod tests;
