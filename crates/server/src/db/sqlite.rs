//! SQLite: one thread writes, one reads; each owns its connection.

use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;

use rusqlite::{Connection, ErrorCode, Statement, Transaction, TransactionBehavior, types::ValueRef};
use tokio::sync::oneshot;

use super::rows::{STEP, placeholders};
use super::{Access, Args, DbError, Done, Row, Sql, Value};

/// The first version without the WAL-reset corruption bug.
const OLDEST_VERSION: i32 = 3_051_003;

struct Job {
    statements: Arc<[Sql]>,
    access: Access,
    answer: oneshot::Sender<Outcome>,
}

type Outcome = Result<Vec<Done>, DbError>;

impl Job {
    fn answer(self, outcome: Outcome) {
        // A caller that no longer waits (its request was dropped) does not undo the transaction.
        let _ = self.answer.send(outcome);
    }
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
        Ok(Sqlite { writer: serve("sql-write", open()?, write)?, reader: serve("sql-read", open()?, read)? })
    }

    pub(super) async fn run(&self, statements: Arc<[Sql]>, access: Access) -> Outcome {
        let (answer, answered) = oneshot::channel();
        let thread = if access == Access::Read { &self.reader } else { &self.writer };
        let gone = || DbError::Failed("the database thread has ended".to_owned());
        thread.send(Job { statements, access, answer }).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

fn serve(name: &str, mut connection: Connection, work: fn(&mut Connection, &mpsc::Receiver<Job>)) -> Result<mpsc::Sender<Job>, DbError> {
    let (jobs, inbox) = mpsc::channel::<Job>();
    thread::Builder::new().name(name.to_owned()).spawn(move || work(&mut connection, &inbox)).map_err(DbError::failed)?;
    Ok(jobs)
}

fn read(connection: &mut Connection, inbox: &mpsc::Receiver<Job>) {
    for job in inbox {
        // Deferred: it takes no lock, so it never waits for the writer nor makes it wait. One statement is a transaction by itself.
        let outcome = if job.statements.len() == 1 {
            perform(connection, &job.statements)
        } else {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Deferred).map_err(before_commit);
            transaction.and_then(|transaction| perform(&transaction, &job.statements))
        };
        job.answer(outcome);
    }
}

/// Writes that wait while one commit syncs go into the next one together, so that the syncs do not grow with them.
fn write(connection: &mut Connection, inbox: &mpsc::Receiver<Job>) {
    let mut level = "full";
    for first in inbox {
        let mut waiting = std::iter::once(first).chain(inbox.try_iter()).peekable();
        while let Some(job) = waiting.next() {
            let access = job.access;
            let mut jobs = vec![job];
            while access == Access::Write
                && let Some(job) = waiting.next_if(|job| job.access == Access::Write)
            {
                jobs.push(job);
            }
            let outcomes = set_level(connection, &mut level, access).and_then(|()| match access {
                Access::Compact => compact(connection),
                _ => commit(connection, &jobs),
            });
            let outcomes = outcomes.unwrap_or_else(|error| vec![Err(error); jobs.len()]);
            jobs.into_iter().zip(outcomes).for_each(|(job, outcome)| job.answer(outcome));
        }
    }
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

/// One transaction and one sync for all of these jobs. One that fails is undone by itself; when the commit fails, all have. The outer
/// error means that none of them was done.
fn commit(connection: &mut Connection, jobs: &[Job]) -> Result<Vec<Outcome>, DbError> {
    let one_statement = matches!(jobs, [job] if job.statements.len() == 1);
    let behavior = if one_statement { TransactionBehavior::Deferred } else { TransactionBehavior::Immediate };
    let mut transaction = connection.transaction_with_behavior(behavior).map_err(before_commit)?;
    let mut outcomes = match jobs {
        // The transaction undoes it; a savepoint would cost the more the more it writes.
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
        // A full disk, for one, has undone everything by itself: there is no savepoint any more.
        savepoint.rollback().map_err(|_| DbError::failed(error))?;
    }
    savepoint.commit().map_err(before_commit)?;
    Ok(outcome)
}

fn perform(connection: &Connection, statements: &[Sql]) -> Outcome {
    let mut answers = Vec::with_capacity(statements.len());
    for (position, sql) in statements.iter().enumerate() {
        let done = execute(connection, sql)?;
        if sql.exactly.is_some_and(|wanted| wanted != done.hit) {
            return Err(DbError::Missed(position));
        }
        answers.push(done);
    }
    Ok(answers)
}

fn execute(connection: &Connection, sql: &Sql) -> Result<Done, DbError> {
    let (rows, tail) = match &sql.args {
        Args::Rows(rows, tail) => (rows, tail),
        Args::Each(args) => {
            let mut statement = connection.prepare_cached(&sql.text).map_err(before_commit)?;
            let places = places(&statement, args.len())?;
            return run(&mut statement, &places, args);
        }
    };
    let width = rows.width()?;
    // Whoever asks undoes all when one statement fails: so SQLite need not keep a copy of every page that it changes, to undo one alone.
    let head = sql.text.replacen("insert", "insert or fail", 1);
    // Rows that do not fill a step go by themselves, so that only two texts are kept prepared.
    let (full, rest) = match rows.steps.split_last() {
        Some((last, before)) if last.len() < STEP * width => (before, last.as_slice()),
        _ => (rows.steps.as_slice(), [].as_slice()),
    };
    let mut done = Done::default();
    let mut insert = |rows: usize, steps: &mut dyn Iterator<Item = &[Value]>| -> Result<(), DbError> {
        let mut steps = steps.peekable();
        if steps.peek().is_none() {
            return Ok(());
        }
        let text = format!("{head} {} {tail}", placeholders(rows, width));
        // The arguments of a bulk insert stand in their order.
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
        // No column of ours is REAL (tables are STRICT); such a cell is shown, and then refused by the typed reader.
        ValueRef::Real(value) => Value::Text(value.to_string().into()),
        ValueRef::Text(value) => Value::Text(String::from_utf8_lossy(value).into_owned().into()),
        ValueRef::Blob(value) => Value::Blob(value.to_vec()),
    }
}

/// An error before the commit: what it belongs to is rolled back.
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

    fn job(statements: Vec<Sql>) -> Job {
        Job { statements: statements.into(), access: Access::Write, answer: oneshot::channel().0 }
    }

    fn insert(number: i64) -> Sql {
        sql!("insert into numbers (number) values ($1)", number)
    }

    fn stored(connection: &Connection) -> Vec<i64> {
        let mut all = connection.prepare("select number from numbers order by number").unwrap();
        all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    }

    fn numbers() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                "pragma foreign_keys = on; create table numbers (number integer primary key) strict;
                 create table pairs (number integer references numbers deferrable initially deferred) strict;",
            )
            .unwrap();
        connection
    }

    #[test]
    fn a_job_that_fails_is_undone_alone_and_has_its_own_error() {
        let mut connection = numbers();
        let jobs = [
            job(vec![insert(1)]),
            job(vec![insert(2), insert(1)]),
            job(vec![insert(3), sql!("delete from numbers where number = 9").exactly(1)]),
            job(vec![insert(4)]),
        ];
        let one = Ok(vec![Done { rows: vec![], hit: 1 }]);
        assert_eq!(commit(&mut connection, &jobs).unwrap(), [one.clone(), Err(DbError::Unique), Err(DbError::Missed(1)), one]);
        assert_eq!(stored(&connection), [1, 4]);
    }

    #[test]
    fn a_commit_that_fails_fails_all_its_jobs() {
        let mut connection = numbers();
        // The database looks at such a reference only when it commits.
        let dangling = sql!("insert into pairs (number) values (9)");
        let jobs = [job(vec![insert(1)]), job(vec![insert(2), insert(2)]), job(vec![dangling]), job(vec![insert(3)])];
        let outcomes = commit(&mut connection, &jobs).unwrap();
        let unknown = |outcome: &Outcome| matches!(outcome, Err(DbError::Unknown(_)));
        assert_eq!(outcomes.iter().map(unknown).collect::<Vec<_>>(), [true, false, true, true], "{outcomes:?}");
        assert_eq!(outcomes[1], Err(DbError::Unique));
        assert!(stored(&connection).is_empty());
        assert!(commit(&mut connection, &jobs[..1]).unwrap()[0].is_ok());
    }

    #[test]
    fn a_transaction_that_is_lost_did_none_of_its_jobs() {
        let mut connection = numbers();
        // As on a full disk: SQLite undoes everything, not only the statement.
        let lost = sql!("insert or rollback into numbers (number) values (1)");
        let jobs = [job(vec![insert(1)]), job(vec![lost]), job(vec![insert(3)])];
        assert!(matches!(commit(&mut connection, &jobs), Err(DbError::Failed(_))));
        assert!(stored(&connection).is_empty());
    }

    #[tokio::test]
    async fn jobs_that_wait_share_a_commit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let db = Db::sqlite(&path).unwrap();
        db.exec(sql!("create table numbers (number integer primary key) strict")).await.unwrap();
        let other = Connection::open(&path).unwrap();
        let commits = || {
            let log = std::fs::read(path.with_extension("db-wal")).unwrap();
            // A frame that ends a transaction says how long the file is then; the others say 0.
            log[32..].chunks(24 + 4096).filter(|frame| frame[4..8] != [0; 4]).count()
        };
        let before = commits();
        // Held up as by a slow sync.
        other.execute_batch("begin immediate").unwrap();
        let mut waiting = futures_util::future::join_all((1..=20).map(|number| db.exec(insert(number))));
        assert!(tokio::time::timeout(std::time::Duration::from_millis(100), &mut waiting).await.is_err());
        other.execute_batch("rollback").unwrap();
        assert!(waiting.await.iter().all(Result::is_ok));
        assert_eq!(stored(&other), (1..=20).collect::<Vec<_>>());
        assert!((1..=2).contains(&(commits() - before)), "{} commits", commits() - before);
    }

    #[tokio::test]
    async fn reads_do_not_wait_for_a_transaction_that_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let db = Db::sqlite(&path).unwrap();
        let writer = Connection::open(&path).unwrap();
        writer.execute_batch("begin immediate").unwrap();
        for reads in 1..=2 {
            assert_eq!(db.read(vec![sql!("select 1"); reads]).await.map(|done| done.len()), Ok(reads));
        }
    }

    #[tokio::test]
    async fn only_what_may_wait_is_committed_without_a_sync() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
        let ask = || sql!("select synchronous from pragma_synchronous");
        // 1 is normal, 2 is full.
        let level = |done: Vec<Done>| done[0].rows[0].int(0).unwrap();
        for _ in 0..2 {
            assert_eq!(level(db.run(vec![ask()]).await.unwrap()), 2);
            assert_eq!(level(db.run_relaxed(Arc::new([ask()])).await.unwrap()), 1);
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
