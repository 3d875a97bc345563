//! People, content and history in one SQL text for two databases: SQLite (the default) and PostgreSQL.
//!
//! A list of statements is one transaction. Arguments are `$1`, `$2`, ... in both; integers are 64-bit; booleans are 0 and 1;
//! literals that meet a `BIGINT` in arithmetic are written `cast(1 as bigint)`.

mod later;
mod postgres;
mod rows;
mod sqlite;

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio_postgres_rustls::MakeRustlsConnect;

pub use later::Returning;
pub use rows::Rows;

/// One cell: what both databases hold.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Value {
    /// Absent.
    #[default]
    Null,
    /// 64-bit integer; booleans are 0 and 1.
    Int(i64),
    /// UTF-8 without NUL.
    Text(Cow<'static, str>),
    /// Bytes.
    Blob(Vec<u8>),
}

macro_rules! value_from {
    ($($from:ty => $make:expr),* $(,)?) => {
        $(impl From<$from> for Value {
            fn from(it: $from) -> Value {
                let make: fn($from) -> Value = $make;
                make(it)
            }
        })*
    };
}
value_from! {
    i64 => Value::Int,
    i32 => |it| Value::Int(i64::from(it)),
    u32 => |it| Value::Int(i64::from(it)),
    u8 => |it| Value::Int(i64::from(it)),
    // Ids, times and amounts are far below 2^63. A larger value would be a defect, and is stored as the largest.
    u64 => |it| Value::Int(i64::try_from(it).unwrap_or(i64::MAX)),
    bool => |it| Value::Int(i64::from(it)),
    &str => |it| Value::Text(Cow::Owned(it.to_owned())),
    &String => |it| Value::Text(Cow::Owned(it.clone())),
    String => |it| Value::Text(Cow::Owned(it)),
    &[u8] => |it| Value::Blob(it.to_vec()),
    Vec<u8> => Value::Blob,
    [u8; 32] => |it| Value::Blob(it.to_vec()),
    &[u8; 32] => |it| Value::Blob(it.to_vec()),
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(it: Option<T>) -> Value {
        it.map_or(Value::Null, Into::into)
    }
}

/// One statement with its arguments; made by [`crate::sql!`], [`Sql::bulk`] or [`Sql::later`].
#[derive(Clone, Debug)]
pub struct Sql {
    text: Cow<'static, str>,
    args: Args,
    exactly: Option<u64>,
}

#[derive(Clone, Debug)]
enum Args {
    /// `$1`, `$2`, ...
    Each(Vec<Value>),
    /// Those of a bulk insert, and the text after them.
    Rows(Rows, &'static str),
    /// Those computed from the results of earlier statements.
    Later(later::Later),
}

impl Sql {
    /// A statement; prefer [`crate::sql!`].
    pub fn new(text: impl Into<Cow<'static, str>>, args: Vec<Value>) -> Sql {
        Sql { text: text.into(), args: Args::Each(args), exactly: None }
    }

    /// Many rows by one statement: `head` ends in `values`, `tail` is for example `on conflict do nothing`.
    pub fn bulk(head: &'static str, tail: &'static str, rows: Rows) -> Sql {
        Sql { text: Cow::Borrowed(head), args: Args::Rows(rows, tail), exactly: None }
    }

    /// The transaction is undone with [`DbError::Missed`] unless the statement changes (or returns) exactly `rows` rows.
    pub fn exactly(mut self, rows: u64) -> Sql {
        self.exactly = Some(rows);
        self
    }

    /// How SQLite would do it.
    #[cfg(test)]
    pub fn explained(mut self) -> Sql {
        self.text = format!("explain query plan {}", self.text).into();
        self
    }
}

/// `sql!("update t set a = $1 where id = $2", a, id)`.
#[macro_export]
macro_rules! sql {
    ($text:expr $(, $arg:expr)* $(,)?) => {
        $crate::db::Sql::new($text, vec![$($crate::db::Value::from($arg)),*])
    };
}

/// One row of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// Integer in this column.
    pub fn int(&self, column: usize) -> Result<i64, DbError> {
        match self.0.get(column) {
            Some(Value::Int(value)) => Ok(*value),
            other => Err(DbError::shape(column, "integer", other)),
        }
    }

    /// Integer that is never negative: an id, a time, a count.
    pub fn id(&self, column: usize) -> Result<u64, DbError> {
        u64::try_from(self.int(column)?).map_err(|_| DbError::shape(column, "positive integer", None))
    }

    /// Integer or absent.
    pub fn maybe_int(&self, column: usize) -> Result<Option<i64>, DbError> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            _ => self.int(column).map(Some),
        }
    }

    /// 0 or 1.
    pub fn flag(&self, column: usize) -> Result<bool, DbError> {
        Ok(self.int(column)? != 0)
    }

    /// Bytes or absent.
    pub fn maybe_blob(&self, column: usize) -> Result<Option<Vec<u8>>, DbError> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            _ => self.blob(column).map(Some),
        }
    }

    /// Text in this column.
    pub fn text(&self, column: usize) -> Result<String, DbError> {
        match self.0.get(column) {
            Some(Value::Text(value)) => Ok(value.clone().into_owned()),
            other => Err(DbError::shape(column, "text", other)),
        }
    }

    /// Text or absent.
    pub fn maybe_text(&self, column: usize) -> Result<Option<String>, DbError> {
        match self.0.get(column) {
            Some(Value::Null) => Ok(None),
            _ => self.text(column).map(Some),
        }
    }

    /// Bytes in this column.
    pub fn blob(&self, column: usize) -> Result<Vec<u8>, DbError> {
        match self.0.get(column) {
            Some(Value::Blob(value)) => Ok(value.clone()),
            other => Err(DbError::shape(column, "bytes", other)),
        }
    }
}

/// The result of one statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Returned rows.
    pub rows: Vec<Row>,
    /// Rows changed, or returned.
    pub hit: u64,
}

impl Done {
    /// The first row, if any.
    pub fn first(&self) -> Option<&Row> {
        self.rows.first()
    }
}

/// Why a transaction failed. All but `Unknown` mean that none of it is in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DbError {
    /// A unique column has this value already.
    Unique,
    /// The statement with this position did not touch as many rows as [`Sql::exactly`] asked.
    Missed(usize),
    /// The commit failed: it may or may not be in the database.
    Unknown(String),
    /// The database is unreachable, or did not answer in time.
    Away(String),
    /// Anything else.
    Failed(String),
}

impl DbError {
    fn shape(column: usize, wanted: &str, got: Option<&Value>) -> DbError {
        DbError::Failed(format!("column {column}: wanted {wanted}, got {got:?}"))
    }

    /// A fault of this description.
    pub fn failed(error: impl fmt::Display) -> DbError {
        DbError::Failed(error.to_string())
    }
}

impl fmt::Display for DbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DbError::Unique => write!(f, "value exists already"),
            DbError::Missed(statement) => write!(f, "statement {statement} missed its rows"),
            DbError::Unknown(why) => write!(f, "outcome unknown: {why}"),
            DbError::Away(why) => write!(f, "out of reach: {why}"),
            DbError::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for DbError {}

/// One step of the schema. Names are for the log; numbers are for ever.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// Order; never reused.
    pub id: i64,
    /// What the migration adds.
    pub name: &'static str,
    /// Statements in SQLite's dialect: `INTEGER`, `TEXT`, `BLOB`, `INTEGER PRIMARY KEY AUTOINCREMENT`, `STRICT`.
    pub ddl: &'static [&'static str],
}

/// PostgreSQL answers within this time, or the request counts as unreachable.
const ANSWER: Duration = Duration::from_secs(8);
/// The same for work on many rows.
const LONG: Duration = Duration::from_secs(600);

/// What a transaction does, and what its completion guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Read,
    /// On disk when done.
    Write,
    /// On disk when done, and may wait for others.
    WriteLate,
    /// On disk with a later one.
    WriteRelaxed,
    /// The file is rewritten.
    Compact,
}

/// The database of people, content and history. Cheap to clone.
///
/// Futures that wait for PostgreSQL are on the heap: their two kilobytes would otherwise be part of every future that may query the
/// database.
#[derive(Clone, Debug)]
pub enum Db {
    /// `DIR/meridian.db`, owned by this process.
    Sqlite(sqlite::Sqlite),
    /// A shared server.
    Postgres(postgres::Postgres),
}

impl Db {
    /// Opens `DIR/meridian.db`.
    pub fn sqlite(path: &Path) -> Result<Db, DbError> {
        sqlite::Sqlite::open(path).map(Db::Sqlite)
    }

    /// Connects to `postgres://...`.
    pub fn postgres(config: tokio_postgres::Config, tls: MakeRustlsConnect) -> Result<Db, DbError> {
        postgres::Postgres::connect(config, tls).map(Db::Postgres)
    }

    /// The same, but only to read, as a transaction sees it that begins with these statements.
    pub fn postgres_at(config: tokio_postgres::Config, tls: MakeRustlsConnect, begin: String) -> Result<Db, DbError> {
        postgres::Postgres::connect_at(config, tls, begin).map(Db::Postgres)
    }

    /// True if other processes may write the same rows, so caches must be checked against it.
    pub fn is_shared(&self) -> bool {
        matches!(self, Db::Postgres(_))
    }

    /// One transaction: all statements or none. It is on disk when this returns. Read-only statements belong in [`Db::read`]: here they
    /// would wait for writes, and end the wait of those that may be late.
    pub async fn run(&self, statements: Vec<Sql>) -> Result<Vec<Done>, DbError> {
        if statements.is_empty() {
            return Ok(Vec::new());
        }
        debug_assert!(statements.iter().any(|sql| !sql.text.starts_with("select")), "what only reads is for `read`");
        match self {
            Db::Sqlite(db) => db.run(statements.into(), Access::Write).await,
            Db::Postgres(db) => Box::pin(db.run(&statements, ANSWER)).await,
        }
    }

    /// The same, but with SQLite it may wait a quarter of a second for others, so many of them share a sync: for work that people do not
    /// hurry, such as a log-in.
    pub async fn run_late(&self, statements: Vec<Sql>) -> Result<Vec<Done>, DbError> {
        match self {
            Db::Sqlite(db) => db.run(statements.into(), Access::WriteLate).await,
            Db::Postgres(_) => self.run(statements).await,
        }
    }

    /// The same, but with SQLite it reaches the disk with a later transaction. A crash of the machine may undo it, in order; the end of
    /// this process never does. For rows that can be rebuilt from the journal, and for counts whose loss at a power failure benefits no
    /// attacker. PostgreSQL syncs as usual: it may crash without us, and we would continue without the rows.
    pub async fn run_relaxed(&self, statements: Arc<[Sql]>) -> Result<Vec<Done>, DbError> {
        match self {
            Db::Sqlite(db) => db.run(statements, Access::WriteRelaxed).await,
            Db::Postgres(db) => Box::pin(db.run(&statements, ANSWER)).await,
        }
    }

    /// The same for many rows, which may take their time.
    pub async fn run_in_bulk(&self, statements: Arc<[Sql]>) -> Result<Vec<Done>, DbError> {
        match self {
            Db::Sqlite(_) => self.run_relaxed(statements).await,
            Db::Postgres(db) => Box::pin(db.run(&statements, LONG)).await,
        }
    }

    /// Read-only statements; SQLite uses a second connection, so reads never wait for writes. With PostgreSQL each sees what is committed
    /// when it starts.
    pub async fn read(&self, statements: Vec<Sql>) -> Result<Vec<Done>, DbError> {
        match self {
            Db::Sqlite(db) => db.run(statements.into(), Access::Read).await,
            Db::Postgres(db) => Box::pin(db.read(&statements)).await,
        }
    }

    /// One statement on its own.
    pub async fn exec(&self, statement: Sql) -> Result<Done, DbError> {
        Ok(self.run(vec![statement]).await?.pop().unwrap_or_default())
    }

    /// One reading statement on its own.
    pub async fn query(&self, statement: Sql) -> Result<Done, DbError> {
        Ok(self.read(vec![statement]).await?.pop().unwrap_or_default())
    }

    /// Rewrites the file of SQLite, so that no deleted data is left in it. PostgreSQL does so on its own, in its own time.
    pub async fn compact(&self) -> Result<(), DbError> {
        match self {
            Db::Sqlite(db) => db.run(Arc::new([]), Access::Compact).await.map(drop),
            Db::Postgres(_) => Ok(()),
        }
    }

    /// Brings the schema up to date; each step is one transaction and runs once.
    pub async fn migrate(&self, steps: &[Migration]) -> Result<(), DbError> {
        let create = "CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT";
        self.exec(Sql::new(self.dialect(create), vec![])).await?;
        for step in steps {
            if self.query(sql!("select id from migrations where id = $1", step.id)).await?.first().is_some() {
                continue;
            }
            let mut statements: Vec<Sql> = step.ddl.iter().map(|text| Sql::new(self.dialect(text), vec![])).collect();
            statements.push(sql!("insert into migrations (id, name) values ($1, $2)", step.id, step.name));
            match self {
                Db::Sqlite(_) => self.run(statements).await?,
                // Migrations of large tables take long.
                Db::Postgres(db) => Box::pin(db.run(&statements, LONG)).await?,
            };
        }
        Ok(())
    }

    fn dialect(&self, ddl: &str) -> String {
        match self {
            Db::Sqlite(_) => ddl.to_owned(),
            Db::Postgres(_) => ddl
                .replace("INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
                .replace("INTEGER", "BIGINT")
                .replace("BLOB", "BYTEA")
                .replace(" WITHOUT ROWID, STRICT", "")
                .replace(" STRICT", ""),
        }
    }
}
