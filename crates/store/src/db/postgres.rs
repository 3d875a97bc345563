//! PostgreSQL: a small pool of connections.

use std::error::Error;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use bytes::BytesMut;
use deadpool_postgres::{Connect, GenericClient, Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime};
use futures_util::future::try_join_all;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_postgres::error::{Severity, SqlState};
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{AsyncMessage, Client, Config, Row as PgRow, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::rows::{STEP, placeholders};
use super::{ANSWER, Args, DbError, Done, LONG, Row, Sql, Value};

const CONNECTIONS: usize = 8;
/// Our statements find rows by an index whatever the arguments are, and replanning one takes as long as running it.
const PLAN_ONCE: &str = "-c plan_cache_mode=force_generic_plan";
/// Steps of the largest statement of a bulk insert. A statement takes at most 65,535 arguments.
const STEPS: usize = 1_000 / STEP;

/// For a session that is free, and for a new one to be open: the driver bounds its connection, and not the handshake behind it.
const SESSION: Duration = Duration::from_secs(5);
/// For the request to cancel a read.
const CANCEL: Duration = Duration::from_secs(5);

/// A statement that needs a table or row locked by another for longer fails: one lock must not block every connection. A limit
/// of the role or the database for a whole statement must not end ours: a large one of the history would never come through.
const LOCK_TIMEOUT: &str = "-c lock_timeout=3000 -c statement_timeout=0";
/// A process that was suspended inside a transaction keeps its connection alive and its locks: without a limit the node that takes the lead
/// could not write its rows, and would not serve, until it wakes up or is killed.
const IDLE_TIMEOUT: &str = "-c idle_in_transaction_session_timeout=3000";

/// A pool of connections.
#[derive(Clone)]
pub struct Postgres {
    pool: Pool,
    tls: MakeRustlsConnect,
    warnings: Arc<AtomicU64>,
    answer: Duration,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Postgres")
    }
}

impl Postgres {
    pub fn connect(config: Config, tls: MakeRustlsConnect) -> Result<Postgres, DbError> {
        Postgres::open(config, tls, None, ANSWER)
    }

    /// For reading the state at the time the snapshot was exported, without a time limit.
    pub fn connect_at(config: Config, tls: MakeRustlsConnect, begin: String) -> Result<Postgres, DbError> {
        Postgres::open(config, tls, Some(begin), LONG)
    }

    fn open(mut config: Config, tls: MakeRustlsConnect, first: Option<String>, answer: Duration) -> Result<Postgres, DbError> {
        // Those that read a snapshot wait for their reader, and lock nothing that others need.
        let idle = if first.is_none() { IDLE_TIMEOUT } else { "" };
        config
            .options(format!("{} {PLAN_ONCE} {LOCK_TIMEOUT} {idle}", config.get_options().unwrap_or("")).trim().to_owned())
            // A machine that vanishes sends nothing, so the limits are those of the journal's connection.
            .connect_timeout(SESSION)
            .tcp_user_timeout(Duration::from_secs(10))
            .keepalives_idle(Duration::from_secs(5))
            .keepalives_interval(Duration::from_secs(2))
            .keepalives_retries(3);
        let warnings = Arc::default();
        let connect = Attentive { tls: tls.clone(), warnings: Arc::clone(&warnings), first };
        let manager = Manager::from_connect(config, connect, ManagerConfig { recycling_method: RecyclingMethod::Fast });
        let pool = Pool::builder(manager)
            .max_size(CONNECTIONS)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(SESSION))
            .create_timeout(Some(SESSION))
            .build()
            .map_err(DbError::failed)?;
        Ok(Postgres { pool, tls, warnings, answer })
    }

    pub async fn run(&self, statements: &[Sql], within: Duration) -> Result<Vec<Done>, DbError> {
        let until = Instant::now() + within;
        let mut client = self.session(until).await?;
        let committing = AtomicBool::new(false);
        match timeout_at(until, self.transact(&mut client, statements, &committing)).await {
            Ok(done) => done,
            Err(_) => {
                // Dropping the client ends the statement that it still waits for.
                drop(Object::take(client));
                let late = format!("no answer within {within:?}");
                Err(if committing.into_inner() { DbError::Unknown(late) } else { DbError::Away(late) })
            }
        }
    }

    /// A session, whose wait is part of the time for the work.
    async fn session(&self, until: Instant) -> Result<Object, DbError> {
        timeout_at(until, self.pool.get()).await.map_err(|_| DbError::Away("no session in time".to_owned()))?.map_err(away)
    }

    async fn transact(&self, client: &mut Object, statements: &[Sql], committing: &AtomicBool) -> Result<Vec<Done>, DbError> {
        let transaction = client.transaction().await.map_err(before_commit)?;
        let mut answers = Vec::with_capacity(statements.len());
        for (position, sql) in statements.iter().enumerate() {
            let done = execute(&transaction, sql, &answers).await?;
            if sql.exactly.is_some_and(|wanted| wanted != done.hit) {
                return Err(DbError::Missed(position));
            }
            answers.push(done);
        }
        committing.store(true, Ordering::Relaxed);
        let heard = self.warnings.load(Ordering::Acquire);
        transaction.commit().await.map_err(|error| DbError::Unknown(error.to_string()))?;
        // A server that stops waiting for its standby sends a warning and then reports success.
        if self.warnings.load(Ordering::Acquire) != heard {
            return Err(DbError::Unknown("the server warned during a commit".to_owned()));
        }
        Ok(answers)
    }

    /// All statements are sent at once, so they take one round trip. A transaction would add two and guarantee no more: in it, too, each
    /// statement sees what is committed when it starts.
    pub async fn read(&self, statements: &[Sql]) -> Result<Vec<Done>, DbError> {
        let until = Instant::now() + self.answer;
        let client = self.session(until).await?;
        let mut reading = Reading { client: None, tls: &self.tls };
        let client = &*reading.client.insert(client);
        let all = try_join_all(statements.iter().map(|sql| execute(client, sql, &[])));
        let done = timeout_at(until, all).await;
        let done = done.map_err(|_| DbError::Away(format!("no answer within {:?}", self.answer)))?;
        reading.client = None;
        done
    }
}

/// A session that reads. If its caller no longer waits, the read is cancelled and the session closed: the next caller would wait behind the
/// read, which would go on.
struct Reading<'a> {
    client: Option<Object>,
    tls: &'a MakeRustlsConnect,
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        let Some(client) = self.client.take() else { return };
        let (client, tls) = (Object::take(client), self.tls.clone());
        // Without a runtime the process ends.
        if let Ok(runtime) = Handle::try_current() {
            let cancel = client.cancel_token();
            // It may fail: then the read ends by itself.
            runtime.spawn(async move { drop(timeout(CANCEL, cancel.cancel_query(tls)).await) });
        }
    }
}

/// Connects, and counts the server's warnings; the driver only logs them.
struct Attentive {
    tls: MakeRustlsConnect,
    warnings: Arc<AtomicU64>,
    /// The first statement of a new session.
    first: Option<String>,
}

type Connecting<'a> = Pin<Box<dyn Future<Output = Result<(Client, JoinHandle<()>), tokio_postgres::Error>> + Send + 'a>>;

impl Connect for Attentive {
    fn connect(&self, config: &tokio_postgres::Config) -> Connecting<'_> {
        let (config, tls, warnings) = (config.clone(), self.tls.clone(), Arc::clone(&self.warnings));
        Box::pin(async move {
            let (client, mut connection) = config.connect(tls).await?;
            let listening = tokio::spawn(async move {
                loop {
                    match poll_fn(|context| connection.poll_message(context)).await {
                        Some(Ok(AsyncMessage::Notice(notice))) if notice.parsed_severity() == Some(Severity::Warning) => {
                            tracing::error!(warning = notice.message(), "database");
                            // Counted before the response that it precedes is handed over.
                            warnings.fetch_add(1, Ordering::Release);
                        }
                        Some(Ok(_)) => {}
                        Some(Err(error)) => return tracing::warn!(%error, "connection to the database"),
                        None => return,
                    }
                }
            });
            if let Some(first) = &self.first {
                client.batch_execute(first).await?;
            }
            Ok((client, listening))
        })
    }
}

async fn execute(client: &impl GenericClient, sql: &Sql, before: &[Done]) -> Result<Done, DbError> {
    let (rows, tail) = match &sql.args {
        Args::Each(args) => return one(client, &sql.text, args.iter()).await,
        Args::Later(later) => return one(client, &sql.text, later.args(before)?.iter()).await,
        Args::Rows(rows, tail) => (rows, tail),
    };
    let width = rows.width()?;
    // Every text stays prepared for as long as its session lives, here and in the server. So there are three for each table, not one for
    // each number of rows.
    let (full, rest) = rows.split();
    let many = full.chunks_exact(STEPS);
    let few = many.remainder();
    let mut done = Done::default();
    for steps in many {
        insert(client, (&sql.text, tail), (STEPS * STEP, width), vec![steps.iter().flatten().collect()], &mut done).await?;
    }
    insert(client, (&sql.text, tail), (STEP, width), few.iter().map(|step| step.iter().collect()).collect(), &mut done).await?;
    insert(client, (&sql.text, tail), (1, width), rest.chunks(width.max(1)).map(|row| row.iter().collect()).collect(), &mut done).await?;
    Ok(done)
}

/// Inserts these parts, each of so many rows, by the same statement. They are sent at once, so they take one round trip.
async fn insert(
    client: &impl GenericClient,
    (head, tail): (&str, &str),
    (rows, width): (usize, usize),
    parts: Vec<Vec<&Value>>,
    done: &mut Done,
) -> Result<(), DbError> {
    if parts.is_empty() {
        return Ok(());
    }
    let text = format!("{head} {} {tail}", placeholders(rows, width));
    let statement = client.prepare_cached(&text).await.map_err(before_commit)?;
    for part in try_join_all(parts.into_iter().map(|args| perform(client, &statement, args))).await? {
        done.hit += part.hit;
        done.rows.extend(part.rows);
    }
    Ok(())
}

async fn one<'a>(client: &impl GenericClient, text: &str, args: impl Iterator<Item = &'a Value>) -> Result<Done, DbError> {
    let statement = client.prepare_cached(text).await.map_err(before_commit)?;
    perform(client, &statement, args.collect()).await
}

async fn perform(client: &impl GenericClient, statement: &Statement, args: Vec<&Value>) -> Result<Done, DbError> {
    let args: Vec<&(dyn ToSql + Sync)> = args.into_iter().map(|value| value as &(dyn ToSql + Sync)).collect();
    if statement.columns().is_empty() {
        let hit = client.execute(statement, &args).await.map_err(before_commit)?;
        return Ok(Done { rows: vec![], hit });
    }
    let rows = client.query(statement, &args).await.map_err(before_commit)?;
    let rows = rows.iter().map(read).collect::<Result<Vec<Row>, DbError>>()?;
    Ok(Done { hit: u64::try_from(rows.len()).unwrap_or(u64::MAX), rows })
}

fn read(row: &PgRow) -> Result<Row, DbError> {
    let cell = |at: usize| -> Result<Value, DbError> {
        let kind = row.columns()[at].type_();
        Ok(match *kind {
            Type::INT8 => row.try_get::<_, Option<i64>>(at).map_err(DbError::failed)?.into(),
            Type::INT4 => row.try_get::<_, Option<i32>>(at).map_err(DbError::failed)?.into(),
            Type::BOOL => row.try_get::<_, Option<bool>>(at).map_err(DbError::failed)?.into(),
            Type::TEXT | Type::VARCHAR => row.try_get::<_, Option<String>>(at).map_err(DbError::failed)?.into(),
            Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(at).map_err(DbError::failed)?.into(),
            _ => return Err(DbError::Failed(format!("column {at} has the type {kind}: cast it"))),
        })
    };
    (0..row.len()).map(cell).collect::<Result<Vec<Value>, DbError>>().map(Row)
}

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match (self, kind) {
            (Value::Null, _) => Ok(IsNull::Yes),
            (Value::Int(value), &Type::INT4) => i32::try_from(*value)?.to_sql(kind, out),
            (Value::Int(value), &Type::INT8) => value.to_sql(kind, out),
            (Value::Text(value), &Type::TEXT | &Type::VARCHAR) => value.as_ref().to_sql(kind, out),
            (Value::Blob(value), &Type::BYTEA) => value.to_sql(kind, out),
            _ => Err(format!("a {kind} cannot hold {self:?}").into()),
        }
    }

    fn accepts(kind: &Type) -> bool {
        matches!(*kind, Type::INT8 | Type::INT4 | Type::TEXT | Type::VARCHAR | Type::BYTEA)
    }

    to_sql_checked!();
}

fn before_commit(error: tokio_postgres::Error) -> DbError {
    match error.code() {
        Some(code) if *code == SqlState::UNIQUE_VIOLATION => DbError::Unique,
        code if is_away(&error, code) => DbError::Away(error.as_db_error().map_or_else(|| error.to_string(), ToString::to_string)),
        _ => DbError::Failed(error.as_db_error().map_or_else(|| error.to_string(), ToString::to_string)),
    }
}

/// True if the statement is not to blame: the connection ended, the server is starting, stopping or full, or another session has a lock.
fn is_away(error: &tokio_postgres::Error, code: Option<&SqlState>) -> bool {
    let states = [
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::QUERY_CANCELED,
        SqlState::READ_ONLY_SQL_TRANSACTION,
        SqlState::T_R_DEADLOCK_DETECTED,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    ];
    match code {
        Some(code) => ["08", "53", "57P"].iter().any(|class| code.code().starts_with(class)) || states.contains(code),
        None => error.is_closed() || error.source().is_some_and(|source| source.is::<std::io::Error>()),
    }
}

fn away(error: PoolError) -> DbError {
    DbError::Away(error.to_string())
}
