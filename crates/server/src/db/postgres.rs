//! PostgreSQL: a small pool of connections.

use std::time::Duration;

use bytes::BytesMut;
use deadpool_postgres::{GenericClient, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use futures_util::future::try_join_all;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{NoTls, Row as PgRow};

use super::rows::{STEP, placeholders};
use super::{Args, DbError, Done, Row, Sql, Value};

const CONNECTIONS: usize = 8;
/// Our statements find rows by an index whatever the arguments are, and planning one anew takes as long as running it.
const PLAN_ONCE: &str = "-c plan_cache_mode=force_generic_plan";
/// Steps of one statement, which takes at most 65,535 arguments.
const STEPS: usize = 1_000 / STEP;

/// A pool of connections.
#[derive(Clone)]
pub struct Postgres(Pool);

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Postgres")
    }
}

impl Postgres {
    pub fn connect(url: &str) -> Result<Postgres, DbError> {
        let mut config: tokio_postgres::Config = url.parse().map_err(DbError::failed)?;
        config
            .options(format!("{} {PLAN_ONCE}", config.get_options().unwrap_or("")).trim().to_owned())
            // A machine that vanishes says nothing: the same limits as the journal's connection has.
            .connect_timeout(Duration::from_secs(5))
            .tcp_user_timeout(Duration::from_secs(10))
            .keepalives_idle(Duration::from_secs(5))
            .keepalives_interval(Duration::from_secs(2))
            .keepalives_retries(3);
        let manager = Manager::from_config(config, NoTls, ManagerConfig { recycling_method: RecyclingMethod::Fast });
        let pool = Pool::builder(manager)
            .max_size(CONNECTIONS)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(Duration::from_secs(5)))
            .build()
            .map_err(DbError::failed)?;
        Ok(Postgres(pool))
    }

    pub async fn run(&self, statements: &[Sql]) -> Result<Vec<Done>, DbError> {
        let mut client = self.0.get().await.map_err(DbError::failed)?;
        let transaction = client.transaction().await.map_err(before_commit)?;
        let mut answers = Vec::with_capacity(statements.len());
        for (position, sql) in statements.iter().enumerate() {
            let done = execute(&transaction, sql).await?;
            if sql.exactly.is_some_and(|wanted| wanted != done.hit) {
                return Err(DbError::Missed(position));
            }
            answers.push(done);
        }
        transaction.commit().await.map_err(|error| DbError::Unknown(error.to_string()))?;
        Ok(answers)
    }

    /// All statements leave at once, so that they take one round trip. A transaction would add two and promise no more: in it, too, each
    /// statement sees what is committed when it starts.
    pub async fn read(&self, statements: &[Sql]) -> Result<Vec<Done>, DbError> {
        let client = self.0.get().await.map_err(DbError::failed)?;
        try_join_all(statements.iter().map(|sql| execute(&client, sql))).await
    }
}

async fn execute(client: &impl GenericClient, sql: &Sql) -> Result<Done, DbError> {
    let (rows, tail) = match &sql.args {
        Args::Each(args) => return one(client, &sql.text, args.iter()).await,
        Args::Rows(rows, tail) => (rows, tail),
    };
    let width = rows.width()?;
    let mut done = Done::default();
    for steps in rows.steps.chunks(STEPS) {
        let args = steps.iter().flatten();
        let text = format!("{} {} {tail}", sql.text, placeholders(args.clone().count() / width, width));
        let part = one(client, &text, args).await?;
        done.hit += part.hit;
        done.rows.extend(part.rows);
    }
    Ok(done)
}

async fn one<'a>(client: &impl GenericClient, text: &str, args: impl Iterator<Item = &'a Value>) -> Result<Done, DbError> {
    let statement = client.prepare_cached(text).await.map_err(before_commit)?;
    let args: Vec<&(dyn ToSql + Sync)> = args.map(|value| value as &(dyn ToSql + Sync)).collect();
    if statement.columns().is_empty() {
        let hit = client.execute(&statement, &args).await.map_err(before_commit)?;
        return Ok(Done { rows: vec![], hit });
    }
    let rows = client.query(&statement, &args).await.map_err(before_commit)?;
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
        _ => DbError::Failed(error.as_db_error().map_or_else(|| error.to_string(), ToString::to_string)),
    }
}
