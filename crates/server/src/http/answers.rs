//! Repeated writes (`api.md` 1.6): the same caller and key gets the first answer again for 24 h, from memory and from SQL.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use super::reply::Refusal;
use super::reply::{Finished, refuse};
use crate::app::Clock;
use crate::db::{Db, DbError, Row, Sql};
use crate::sql;

const KEEP_MS: u64 = 86_400_000;
/// Beyond this, the oldest hours are kept in SQL only.
const MAX_HELD: usize = 200_000;
/// How many are read at the start.
const MAX_READ: u64 = 100_000;

#[derive(Clone, Debug)]
enum Held {
    Running(Arc<Notify>),
    Done { body: Vec<u8>, seq: Option<u64>, at_ms: u64 },
}

#[derive(Clone, Debug)]
struct Entry {
    content: [u8; 32],
    held: Held,
}

/// A write that may be repeated: who with which key, and what.
#[derive(Clone, Debug)]
pub struct Write {
    /// Caller and key.
    pub caller: String,
    /// Hash of method, path and parameters.
    pub content: [u8; 32],
}

/// The statement that stores the first answer of a write.
pub fn insert(write: &Write, body: Vec<u8>, seq: Option<u64>, now_ms: u64) -> Sql {
    sql!(
        "insert into answers (caller, content, body, seq, at_ms) values ($1, $2, $3, $4, $5) on conflict (caller) do nothing",
        &write.caller,
        write.content,
        body,
        seq,
        now_ms
    )
}

/// The stored answers.
#[derive(Debug)]
pub struct Answers {
    db: Db,
    held: Mutex<HashMap<String, Entry>>,
    /// Some of the last 24 h are in SQL only. While not, an order costs no read.
    is_cut: AtomicBool,
}

/// What to do with a write that carries a key.
#[derive(Debug)]
pub enum Gate {
    /// The first one: do it, then [`Answers::finish`].
    First,
    /// Done before: this was the answer.
    Done(Finished),
}

/// Where a finished answer is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Nowhere: faults of the transport, and answers that the engine keeps itself.
    Nowhere,
    /// In memory only: the answer holds a token, or stands in SQL already.
    Memory,
    /// In memory and in SQL.
    Both,
}

impl Answers {
    /// Reads what is younger than 24 h.
    pub async fn load(db: Db, clock: &Clock) -> Result<Answers, DbError> {
        let since = clock.wall_ms().saturating_sub(KEEP_MS);
        let done = db
            .run(vec![
                sql!("delete from answers where at_ms < $1", since),
                sql!("select content, body, seq, at_ms, caller from answers order by at_ms desc limit $1", MAX_READ),
            ])
            .await?;
        let mut held = HashMap::new();
        for row in done.iter().flat_map(|done| &done.rows) {
            held.insert(row.text(4)?, entry(row)?);
        }
        let is_cut = AtomicBool::new(done.last().is_some_and(|done| done.hit >= MAX_READ));
        Ok(Answers { db, held: Mutex::new(held), is_cut })
    }

    /// Asks whether this write came before. Waits while the first one is on the way; `E_DUP_REQUEST` for other content.
    pub async fn enter(&self, write: &Write) -> Result<Gate, Refusal> {
        let Write { caller, content } = write;
        loop {
            let elsewhere = self.db.is_shared() || self.is_cut.load(Ordering::Relaxed);
            let stored = if elsewhere { self.load_one(caller).await? } else { None };
            let running = {
                let mut all = self.held.lock().unwrap_or_else(PoisonError::into_inner);
                let entry = match (all.get(caller), stored) {
                    (Some(entry), _) => entry.clone(),
                    (None, Some(entry)) => entry,
                    (None, None) => {
                        all.insert(caller.clone(), Entry { content: *content, held: Held::Running(Arc::default()) });
                        return Ok(Gate::First);
                    }
                };
                if entry.content != *content {
                    return Err(refuse("E_DUP_REQUEST"));
                }
                match entry.held {
                    Held::Done { body, seq, .. } => return Ok(Gate::Done(Finished::repeated(body, seq))),
                    // Registered while the lock is held: `finish` cannot slip in between.
                    Held::Running(done) => done.notified_owned(),
                }
            };
            running.await;
        }
    }

    /// Stores the first answer and lets those go on who wait for it.
    pub async fn finish(&self, write: &Write, finished: &Finished, keep: Keep, now_ms: u64) {
        if keep == Keep::Both
            && let Err(error) = self.db.exec(insert(write, finished.body.clone(), finished.seq, now_ms)).await
        {
            tracing::error!(%error, "answer not stored");
        }
        let mut all = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let before = match keep {
            Keep::Nowhere => all.remove(&write.caller),
            Keep::Memory | Keep::Both => {
                let held = Held::Done { body: finished.body.clone(), seq: finished.seq, at_ms: now_ms };
                all.insert(write.caller.clone(), Entry { content: write.content, held })
            }
        };
        if let Some(Entry { held: Held::Running(done), .. }) = before {
            done.notify_waiters();
        }
    }

    /// Forgets what is older than 24 h; called by a timer.
    pub async fn prune(&self, now_ms: u64) -> Result<(), DbError> {
        let keep = |since: u64| move |_: &String, entry: &mut Entry| !matches!(entry.held, Held::Done { at_ms, .. } if at_ms < since);
        {
            let mut all = self.held.lock().unwrap_or_else(PoisonError::into_inner);
            let mut span = KEEP_MS;
            all.retain(keep(now_ms.saturating_sub(span)));
            while all.len() > MAX_HELD && span > 60_000 {
                span /= 2;
                self.is_cut.store(true, Ordering::Relaxed);
                all.retain(keep(now_ms.saturating_sub(span)));
            }
        }
        self.db.exec(sql!("delete from answers where at_ms < $1", now_ms.saturating_sub(KEEP_MS))).await?;
        Ok(())
    }

    async fn load_one(&self, caller: &str) -> Result<Option<Entry>, DbError> {
        let done = self.db.query(sql!("select content, body, seq, at_ms from answers where caller = $1", caller)).await?;
        done.first().map(entry).transpose()
    }
}

fn entry(row: &Row) -> Result<Entry, DbError> {
    let content = row.blob(0)?.try_into().map_err(|_| DbError::Failed("content hash".to_owned()))?;
    let seq = row.maybe_int(2)?.and_then(|seq| u64::try_from(seq).ok());
    Ok(Entry { content, held: Held::Done { body: row.blob(1)?, seq, at_ms: row.id(3)? } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_that_memory_gave_up_is_found_in_sql() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::sqlite(&folder.path().join("meridian.db")).unwrap();
        db.migrate(&crate::store::migrations()).await.unwrap();
        let clock = Clock::default();
        let now_ms = clock.wall_ms();
        let write = |name: &str| Write { caller: name.to_owned(), content: [7; 32] };
        let answers = Answers::load(db.clone(), &clock).await.unwrap();
        let old = now_ms - KEEP_MS * 3 / 4;
        db.exec(insert(&write("ann"), b"1".to_vec(), None, old)).await.unwrap();
        let held = |at_ms| Entry { content: [7; 32], held: Held::Done { body: Vec::new(), seq: None, at_ms } };
        answers.held.lock().unwrap().extend((0..MAX_HELD).map(|number| (number.to_string(), held(now_ms))));
        answers.held.lock().unwrap().insert("ann".to_owned(), held(old));
        answers.prune(now_ms).await.unwrap();
        assert!(matches!(answers.enter(&write("ann")).await, Ok(Gate::Done(done)) if done.body == b"1"));
        assert!(matches!(answers.enter(&write("bob")).await, Ok(Gate::First)));
    }
}
