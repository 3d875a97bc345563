//! Retries until the rows are written: a history that waits for its database delays no write.

use std::sync::Arc;
use std::time::Duration;

use crate::db::{Db, DbError, Sql};
use crate::mark::Written;

const RETRY: Duration = Duration::from_millis(500);
/// A wait for the database is logged after this long, and then again each time.
const SLOW: Duration = Duration::from_secs(5);

/// Reads until the database answers; `what` is logged with each fault.
pub(super) async fn until_done<T, F: Future<Output = Result<T, DbError>>>(what: &'static str, read: impl Fn() -> F) -> T {
    loop {
        match logged(read()).await {
            Ok(done) => return done,
            Err(error) => tracing::error!(%error, what, "reading rows"),
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// Retries until the rows are written. Every writer that moves the marks writes the same rows, so marks at `to` settle every doubt.
///
/// # Errors
/// When another node wrote a part of them: only a new start knows which.
pub(super) async fn write(db: &Db, statements: Vec<Sql>, to: Written) -> Result<(), &'static str> {
    let statements: Arc<[Sql]> = statements.into();
    loop {
        let error = match logged(db.run_in_bulk(statements.clone())).await {
            Ok(_) => return Ok(()),
            Err(error) => error,
        };
        tracing::error!(%error, "history rows");
        match (Written::read(db).await, error) {
            (Ok(marks), _) if marks.rows >= to.rows && marks.costs >= to.costs => return Ok(()),
            // The first statement checks and moves the marks.
            (Ok(_), DbError::Missed(_)) => return Err("another node writes the history of this database"),
            _ => tokio::time::sleep(RETRY).await,
        }
    }
}

/// Waits for the database, and logs it when that takes long; the write continues meanwhile.
async fn logged<T>(work: impl Future<Output = T>) -> T {
    tokio::pin!(work);
    let mut waited = Duration::ZERO;
    loop {
        if let Ok(done) = tokio::time::timeout(SLOW, &mut work).await {
            return done;
        }
        waited += SLOW;
        tracing::warn!(seconds = waited.as_secs(), "the history waits for its database: a locked table, or a slow one");
    }
}
