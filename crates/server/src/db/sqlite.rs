//! SQLite: one thread writes, one reads; each owns its connection.

use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;

use rusqlite::{Connection, ErrorCode, Statement, TransactionBehavior, types::ValueRef};
use tokio::sync::oneshot;

use super::{Access, DbError, Done, Row, Sql, Value, placeholders};

/// The first version without the WAL-reset corruption bug.
const OLDEST_VERSION: i32 = 3_051_003;
/// Rows of one step of a bulk insert: each step opens the table and its indices, and looks up the last number given.
const ROWS_OF_A_STEP: usize = 32;

struct Job {
    statements: Arc<[Sql]>,
    access: Access,
    answer: oneshot::Sender<Result<Vec<Done>, DbError>>,
}

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
                     pragma foreign_keys = on; pragma temp_store = memory; pragma busy_timeout = 5000;
                     pragma cache_size = -32768; pragma wal_autocheckpoint = 10000;",
                )
                .map_err(DbError::failed)?;
            connection.set_prepared_statement_cache_capacity(256);
            Ok(connection)
        };
        Ok(Sqlite { writer: serve("sql-write", open()?)?, reader: serve("sql-read", open()?)? })
    }

    pub(super) async fn run(&self, statements: Arc<[Sql]>, access: Access) -> Result<Vec<Done>, DbError> {
        let (answer, answered) = oneshot::channel();
        let thread = if access == Access::Read { &self.reader } else { &self.writer };
        let gone = || DbError::Failed("the database thread has ended".to_owned());
        thread.send(Job { statements, access, answer }).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

fn serve(name: &str, mut connection: Connection) -> Result<mpsc::Sender<Job>, DbError> {
    let (jobs, inbox) = mpsc::channel::<Job>();
    let work = move || {
        let mut derived = false;
        for Job { statements, access, answer } in inbox {
            let wanted = access == Access::WriteDerived;
            let set = if wanted == derived { Ok(()) } else { set_derived(&connection, wanted) };
            let done = set.and_then(|()| {
                derived = wanted;
                if access == Access::Compact {
                    let done = connection.execute_batch("vacuum; pragma wal_checkpoint(truncate)");
                    return done.map(|()| Vec::new()).map_err(before_commit);
                }
                transact(&mut connection, &statements)
            });
            // A caller that no longer waits (its request was dropped) does not undo the transaction.
            let _ = answer.send(done);
        }
    };
    thread::Builder::new().name(name.to_owned()).spawn(work).map_err(DbError::failed)?;
    Ok(jobs)
}

/// With `full` a commit is on disk when it returns, and with it everything before; with `normal` a later one takes it there.
fn set_derived(connection: &Connection, derived: bool) -> Result<(), DbError> {
    let level = if derived { "normal" } else { "full" };
    connection.pragma_update(None, "synchronous", level).map_err(before_commit)
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
    let Some(width) = sql.width()? else {
        let mut statement = connection.prepare_cached(&sql.text).map_err(before_commit)?;
        let places = places(&statement, sql.args.len())?;
        return run(&mut statement, &places, &sql.args);
    };
    let mut done = Done::default();
    // Rows that do not fill a step of many go by themselves, so that only two texts are kept prepared.
    let (full, rest) = sql.args.split_at(sql.args.len() - sql.args.len() % (ROWS_OF_A_STEP * width));
    for (rows, args) in [(ROWS_OF_A_STEP, full), (1, rest)] {
        if args.is_empty() {
            continue;
        }
        let text = format!("{} {} {}", sql.text, placeholders(rows, width), sql.tail);
        // The arguments of a bulk insert stand in their order.
        let places: Vec<usize> = (1..=rows * width).collect();
        let mut statement = connection.prepare_cached(&text).map_err(before_commit)?;
        for step in args.chunks(places.len()) {
            done.hit += run(&mut statement, &places, step)?.hit;
        }
    }
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
        // No column of ours is REAL (tables are STRICT); such a cell is shown, and then refused by the typed reader.
        ValueRef::Real(value) => Value::Text(value.to_string().into()),
        ValueRef::Text(value) => Value::Text(String::from_utf8_lossy(value).into_owned().into()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::{Db, Rows};
    use crate::sql;

    #[tokio::test]
    async fn only_derived_rows_are_committed_without_a_sync() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
        let ask = || sql!("select synchronous from pragma_synchronous");
        // 1 is normal, 2 is full.
        let level = |done: Vec<Done>| done[0].rows[0].int(0).unwrap();
        for _ in 0..2 {
            assert_eq!(level(db.run(vec![ask()]).await.unwrap()), 2);
            assert_eq!(level(db.run_derived(Arc::new([ask()])).await.unwrap()), 1);
        }
        assert_eq!(level(db.run(vec![ask()]).await.unwrap()), 2);
    }

    #[tokio::test]
    async fn many_rows_go_in_each_in_its_place_and_uneven_ones_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
        db.exec(sql!("create table numbers (number integer, word text) strict")).await.unwrap();
        let insert = |rows: Rows| vec![Sql::bulk("insert into numbers (number, word) values", "", rows)];
        let row = |number: i64| vec![Value::from(number), Value::from(number.to_string())];
        // Two full steps and a rest.
        assert_eq!(db.run(insert((0..70).map(row).collect())).await.unwrap()[0].hit, 70);
        let count = || sql!("select count(distinct number) from numbers where word = cast(number as text)");
        assert_eq!(db.query(count()).await.unwrap().first().unwrap().int(0), Ok(70));
        // Six cells, but not three rows of two.
        let uneven = [row(70), vec![71.into()], [row(72), vec![73.into()]].concat()];
        assert!(matches!(db.run(insert(uneven.into_iter().collect())).await, Err(DbError::Failed(_))));
        assert_eq!(db.query(count()).await.unwrap().first().unwrap().int(0), Ok(70));
    }
}
