//! SQLite: one thread writes, one reads; each owns its connection.

use std::path::Path;
use std::sync::mpsc;
use std::thread;

use rusqlite::{Connection, ErrorCode, Statement, TransactionBehavior, types::ValueRef};
use tokio::sync::oneshot;

use super::{DbError, Done, Row, Sql, Value, placeholders};

/// The first version without the WAL-reset corruption bug.
const OLDEST_VERSION: i32 = 3_051_003;

type Job = (Vec<Sql>, oneshot::Sender<Result<Vec<Done>, DbError>>);

/// Handles to the two threads.
#[derive(Clone, Debug)]
pub struct Sqlite {
    writer: mpsc::Sender<Job>,
    reader: mpsc::Sender<Job>,
}

impl Sqlite {
    pub fn open(path: &Path) -> Result<Sqlite, DbError> {
        if rusqlite::version_number() < OLDEST_VERSION {
            return Err(DbError::Failed(format!("SQLite {} is too old, 3.51.3 is needed", rusqlite::version())));
        }
        let open = || -> Result<Connection, DbError> {
            let connection = Connection::open(path).map_err(DbError::failed)?;
            connection
                .execute_batch(
                    "pragma journal_mode = wal; pragma synchronous = full; pragma mmap_size = 0; pragma trusted_schema = off;
                     pragma foreign_keys = on; pragma temp_store = memory; pragma busy_timeout = 5000;",
                )
                .map_err(DbError::failed)?;
            connection.set_prepared_statement_cache_capacity(256);
            Ok(connection)
        };
        Ok(Sqlite { writer: serve("sql-write", open()?)?, reader: serve("sql-read", open()?)? })
    }

    pub async fn run(&self, statements: Vec<Sql>, read: bool) -> Result<Vec<Done>, DbError> {
        let (answer, answered) = oneshot::channel();
        let thread = if read { &self.reader } else { &self.writer };
        let gone = || DbError::Failed("the database thread has ended".to_owned());
        thread.send((statements, answer)).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

fn serve(name: &str, mut connection: Connection) -> Result<mpsc::Sender<Job>, DbError> {
    let (jobs, inbox) = mpsc::channel::<Job>();
    let work = move || {
        for (statements, answer) in inbox {
            // A caller that no longer waits (its request was dropped) does not undo the transaction.
            let _ = answer.send(transact(&mut connection, &statements));
        }
    };
    thread::Builder::new().name(name.to_owned()).spawn(work).map_err(DbError::failed)?;
    Ok(jobs)
}

fn transact(connection: &mut Connection, statements: &[Sql]) -> Result<Vec<Done>, DbError> {
    let behavior = if statements.len() == 1 { TransactionBehavior::Deferred } else { TransactionBehavior::Immediate };
    let transaction = connection.transaction_with_behavior(behavior).map_err(before_commit)?;
    let mut answers = Vec::with_capacity(statements.len());
    for (position, sql) in statements.iter().enumerate() {
        let done = execute(&transaction, sql)?;
        if sql.exactly.is_some_and(|wanted| wanted != done.hit) {
            return Err(DbError::Missed(position));
        }
        answers.push(done);
    }
    transaction.commit().map_err(|error| DbError::Unknown(error.to_string()))?;
    Ok(answers)
}

fn execute(connection: &Connection, sql: &Sql) -> Result<Done, DbError> {
    let text = match sql.args.first() {
        Some(row) if sql.bulk => format!("{} {} {}", sql.text, placeholders(1, row.len()), sql.tail),
        None => return Ok(Done::default()),
        Some(_) => sql.text.to_string(),
    };
    let mut statement = connection.prepare_cached(&text).map_err(before_commit)?;
    let mut done = Done::default();
    let places = places(&statement, sql.args.first().map_or(0, Vec::len))?;
    for args in &sql.args {
        bind(&mut statement, &places, args)?;
        if statement.column_count() == 0 {
            let changed = statement.raw_execute().map_err(before_commit)?;
            done.hit += u64::try_from(changed).unwrap_or(u64::MAX);
            continue;
        }
        let columns = statement.column_count();
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(before_commit)? {
            let cells = (0..columns).map(|at| Ok(cell(row.get_ref(at).map_err(before_commit)?))).collect::<Result<_, DbError>>()?;
            done.rows.push(Row(cells));
            done.hit += 1;
        }
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
    if places.len() != args.len() {
        return Err(DbError::Failed("rows of different lengths".to_owned()));
    }
    for (index, value) in places.iter().copied().zip(args) {
        match value {
            Value::Null => statement.raw_bind_parameter(index, rusqlite::types::Null),
            Value::Int(value) => statement.raw_bind_parameter(index, value),
            Value::Text(value) if value.contains('\0') => return Err(DbError::Failed("NUL in text".to_owned())),
            Value::Text(value) => statement.raw_bind_parameter(index, value),
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
        // No column of ours is REAL (tables are STRICT); such a cell is shown, and then refused by the typed reader.
        ValueRef::Real(value) => Value::Text(value.to_string()),
        ValueRef::Text(value) => Value::Text(String::from_utf8_lossy(value).into_owned()),
        ValueRef::Blob(value) => Value::Blob(value.to_vec()),
    }
}

/// An error of a statement: the transaction is rolled back when it is dropped.
fn before_commit(error: rusqlite::Error) -> DbError {
    match error.sqlite_error() {
        Some(inner) if inner.code == ErrorCode::ConstraintViolation && matches!(inner.extended_code, 2067 | 1555) => DbError::Unique,
        _ => DbError::failed(error),
    }
}
