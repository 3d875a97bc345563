//! The answer to a repeated command: the engine knows its key, the history its first answer.

use std::time::Duration;

use engine::ids::Seq;
use engine::reply::FirstAnswer;

use super::Mark;
use crate::db::Db;
use crate::error::StoreError;
use crate::first_answers;

/// A repetition waits at most this long for the row of its first answer, as a read with `x-min-seq` does.
const WAIT: Duration = Duration::from_secs(2);

/// The way to the rows.
#[derive(Clone, Debug)]
pub struct FirstAnswers {
    db: Db,
    written: Mark,
}

impl FirstAnswers {
    /// Rows of this database, which are written up to the mark.
    pub fn new(db: Db, written: Mark) -> FirstAnswers {
        FirstAnswers { db, written }
    }

    /// The answer of an entry whose key the engine knows. `None` when it can never be found: there is none, or it has a format that this
    /// release does not read.
    ///
    /// # Errors
    /// While it cannot be reached.
    pub async fn of(&self, seq: Seq) -> Result<Option<FirstAnswer>, StoreError> {
        tokio::time::timeout(WAIT, self.written.reach(seq.0)).await.map_err(|_| StoreError::NotReady)?;
        let stored = first_answers::of(&self.db, seq).await?;
        let answer = stored.as_deref().and_then(FirstAnswer::from_bytes);
        if answer.is_none() {
            tracing::error!(seq = seq.0, stored = stored.is_some(), "no first answer can be read for this entry");
        }
        Ok(answer)
    }
}
