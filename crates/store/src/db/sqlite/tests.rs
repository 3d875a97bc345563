use super::*;
use crate::db::Rows;
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
fn a_later_argument_is_made_of_what_its_own_job_returned_before() {
    let mut connection = numbers();
    let returning = |number: i64| sql!("insert into numbers (number) values ($1) returning number", number);
    let next = || Sql::later("insert into numbers (number) values ($1)", |done| Ok(vec![(done[0].row()?.int(0)? + 1).into()]));
    let jobs = [job(vec![returning(1), next()]), job(vec![returning(5), next()]), job(vec![insert(9), next()])];
    let outcomes = commit(&mut connection, &jobs).unwrap();
    assert_eq!(outcomes[2], Err(DbError::Failed("a statement returned no row".to_owned())));
    // Only the job whose argument could not be made is undone.
    assert_eq!(stored(&connection), [1, 2, 5, 6]);
}

#[test]
fn a_commit_that_fails_fails_all_its_jobs() {
    let mut connection = numbers();
    // The database checks such a reference only at the commit.
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
    // As on a full disk, SQLite undoes everything and not only the statement.
    let lost = sql!("insert or rollback into numbers (number) values (1)");
    let jobs = [job(vec![insert(1)]), job(vec![lost]), job(vec![insert(3)])];
    assert!(matches!(commit(&mut connection, &jobs), Err(DbError::Failed(_))));
    assert!(stored(&connection).is_empty());
}

/// Transactions in the log of `test.db`.
fn commits(folder: &tempfile::TempDir) -> usize {
    let log = std::fs::read(folder.path().join("test.db-wal")).unwrap();
    // A frame that ends a transaction has the size of the file; other frames have 0.
    log[32..].chunks(24 + 4096).filter(|frame| frame[4..8] != [0; 4]).count()
}

#[tokio::test]
async fn jobs_that_wait_share_a_commit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let db = Db::sqlite(&path).unwrap();
    db.exec(sql!("create table numbers (number integer primary key) strict")).await.unwrap();
    let other = Connection::open(&path).unwrap();
    let before = commits(&folder);
    // Delays the commit as a slow sync would.
    other.execute_batch("begin immediate").unwrap();
    let mut waiting = futures_util::future::join_all((1..=20).map(|number| db.exec(insert(number))));
    assert!(tokio::time::timeout(std::time::Duration::from_millis(100), &mut waiting).await.is_err());
    other.execute_batch("rollback").unwrap();
    assert!(waiting.await.iter().all(Result::is_ok));
    assert_eq!(stored(&other), (1..=20).collect::<Vec<_>>());
    let shared = commits(&folder) - before;
    assert!((1..=2).contains(&shared), "{shared} commits");
}

#[tokio::test]
async fn what_may_be_late_shares_a_commit_and_alone_waits_for_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
    db.exec(sql!("create table numbers (number integer primary key) strict")).await.unwrap();
    let late = |number: i64| db.run_late(vec![insert(number)]);
    let alone = Instant::now();
    late(1).await.unwrap();
    assert!(alone.elapsed() < PAUSE);
    let before = commits(&folder);
    let one_after_the_other = (2_u8..=9).map(|number| async move {
        tokio::time::sleep(Duration::from_millis(10 * u64::from(number))).await;
        late(number.into()).await
    });
    assert!(futures_util::future::join_all(one_after_the_other).await.iter().all(Result::is_ok));
    let shared = commits(&folder) - before;
    // Two if the machine paused for a while.
    assert!((1..=2).contains(&shared), "{shared} commits");
    // A commit of other rows includes it.
    let (slow, quick) = tokio::join!(late(10), db.exec(insert(11)));
    assert!(slow.is_ok() && quick.is_ok());
    assert_eq!(commits(&folder) - before, shared + 1);
    let stored = db.query(sql!("select count(*) from numbers")).await.unwrap();
    assert_eq!(stored.first().unwrap().int(0), Ok(11));
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
    // Not a `select`, so that the writing connection answers. 1 is normal, 2 is full.
    let ask = || sql!("values ((select synchronous from pragma_synchronous))");
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

#[tokio::test]
async fn a_read_that_takes_long_holds_up_no_short_one_and_is_answered_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::sqlite(&folder.path().join("numbers.db")).unwrap();
    let counted =
        "with recursive counted (at) as (select 1 union all select at + 1 from counted where at < $1) select count(*) from counted";
    let count = |to: i64| {
        let db = db.clone();
        // Both with and without a transaction.
        async move { db.read(vec![sql!("select 1"), sql!(counted, to)]).await.unwrap()[1].rows[0].int(0).unwrap() }
    };
    let long = tokio::spawn(count(8_000_000));
    let alone = tokio::spawn({
        let db = db.clone();
        async move { db.query(sql!(counted, 8_000_000)).await.unwrap().rows[0].int(0).unwrap() }
    });
    tokio::time::sleep(Duration::from_millis(100)).await;
    for _ in 0..10 {
        assert_eq!(count(1).await, 1);
    }
    assert!(!long.is_finished() && !alone.is_finished());
    assert_eq!((long.await.unwrap(), alone.await.unwrap()), (8_000_000, 8_000_000));
}

#[tokio::test]
async fn a_read_that_nobody_waits_for_any_more_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::sqlite(&folder.path().join("numbers.db")).unwrap();
    let counted =
        "with recursive counted (at) as (select 1 union all select at + 1 from counted where at < $1) select count(*) from counted";
    let count = |to: i64| db.query(sql!(counted, to));
    let begun = Instant::now();
    count(2_000_000).await.unwrap();
    let one = begun.elapsed();
    for _ in 0..20 {
        // Time to be found too long for the thread of short reads.
        let _ = tokio::time::timeout(2 * SHORT, count(2_000_000)).await;
    }
    let begun = Instant::now();
    count(2_000_000).await.unwrap();
    assert!(begun.elapsed() < 5 * one, "{:?}, alone {one:?}", begun.elapsed());
}

#[tokio::test]
async fn a_panic_in_a_thread_of_the_database_is_made_known() {
    let folder = tempfile::tempdir().unwrap();
    let db = Db::sqlite(&folder.path().join("test.db")).unwrap();
    db.exec(sql!("create table numbers (number integer primary key) strict")).await.unwrap();
    assert!(tokio::time::timeout(Duration::from_millis(50), db.broken()).await.is_err());
    let defect = Sql::later("insert into numbers (number) values ($1)", |_| panic!("as a defect would"));
    assert!(db.run(vec![defect]).await.is_err());
    tokio::time::timeout(Duration::from_secs(10), db.broken()).await.expect("nobody hears of it");
    assert!(db.exec(insert(1)).await.is_err());
}
