//! Repeated writes (`api.md` 1.6): the same caller and key gets the first answer again for 24 h, from memory and from SQL. An answer can hold
//! what its caller wrote, so it is sealed there, under a keyed hash of caller and key.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use super::reply::Refusal;
use super::reply::{Finished, refuse};
use crate::db::{Db, DbError, Migration, Row, Sql};
use crate::journal_clock::Clock;
use crate::secrets::hex;
use crate::sql;
use crate::vault::{Place, Vault};
use engine::ids::UserId;

/// When all is sealed, nothing plain is looked for again.
const LAST: Migration = Migration { id: 41, name: "stored answers are sealed", ddl: &[] };
/// Rows that one transaction seals.
const ROWS: u64 = 200;

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

/// The name under which an answer stands in SQL and in memory: in plain it would name members, and guests by their addresses.
pub fn stored_name(vault: &Vault, caller: &str) -> String {
    match caller.strip_prefix("begun ") {
        Some(write) => format!("begun {}", stored_name(vault, write)),
        None => hex(&vault.index("answers.caller", caller)),
    }
}

fn place(caller: &str) -> Place<'_> {
    Place { column: "answers.body", owner: UserId(0), row: caller }
}

/// The statement that stores the first answer of a write.
pub fn insert(vault: &Vault, write: &Write, body: &[u8], seq: Option<u64>, now_ms: u64) -> Result<Sql, DbError> {
    let name = stored_name(vault, &write.caller);
    let body = vault.seal(place(&name), body)?;
    Ok(sql!(
        "insert into answers (caller, content, body, seq, at_ms) values ($1, $2, $3, $4, $5) on conflict (caller) do nothing",
        name,
        write.content,
        body,
        seq,
        now_ms
    ))
}

/// Opens what was stored under this name.
pub fn open(vault: &Vault, caller: &str, body: &[u8]) -> Result<Vec<u8>, DbError> {
    vault.unseal(place(caller), body)
}

/// Seals what an earlier version wrote. Each transaction leaves fewer plain rows, so a start that is cut off is gone on with by the next.
pub async fn seal_old(db: &Db, vault: &Vault) -> Result<(), DbError> {
    if db.query(sql!("select id from migrations where id = $1", LAST.id)).await?.first().is_some() {
        return Ok(());
    }
    // Plain callers are two or three words, hashes one; the notes of writes that were begun have a word before either.
    let text =
        "select caller, body from answers where caller like 'begun % %' or (caller like '% %' and caller not like 'begun %') limit $1";
    let seal = |row: &Row| {
        let (plain, body) = (row.text(0)?, row.blob(1)?);
        let caller = stored_name(vault, &plain);
        let body = vault.seal(place(&caller), &body)?;
        Ok(sql!("update answers set caller = $1, body = $2 where caller = $3", caller, body, plain))
    };
    let mut any = false;
    loop {
        let plain = db.query(sql!(text, ROWS)).await?.rows;
        if plain.is_empty() {
            break;
        }
        any = true;
        db.run(plain.iter().map(seal).collect::<Result<_, DbError>>()?).await?;
    }
    db.migrate(&[LAST]).await?;
    if any { db.compact().await } else { Ok(()) }
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
    pub async fn load(db: Db, vault: &Vault, clock: &Clock) -> Result<Answers, DbError> {
        let since = clock.wall_ms().saturating_sub(KEEP_MS);
        let done = db
            .run(vec![
                sql!("delete from answers where at_ms < $1", since),
                sql!("select content, body, seq, at_ms, caller from answers order by at_ms desc limit $1", MAX_READ),
            ])
            .await?;
        let mut held = HashMap::new();
        for row in done.iter().flat_map(|done| &done.rows) {
            held.insert(row.text(4)?, entry(vault, &row.text(4)?, row)?);
        }
        let is_cut = AtomicBool::new(done.last().is_some_and(|done| done.hit >= MAX_READ));
        Ok(Answers { db, held: Mutex::new(held), is_cut })
    }

    /// Asks whether this write came before. Waits while the first one is on the way; `E_DUP_REQUEST` for other content.
    pub async fn enter(&self, vault: &Vault, write: &Write) -> Result<Gate, Refusal> {
        self.pass(vault, write, false).await
    }

    /// Asks for the answer under this key whatever was sent with it. [`Gate::First`]: until [`Answers::finish`] nothing else passes.
    pub async fn settle(&self, vault: &Vault, closed: &Write) -> Result<Gate, Refusal> {
        self.pass(vault, closed, true).await
    }

    async fn pass(&self, vault: &Vault, write: &Write, whatever: bool) -> Result<Gate, Refusal> {
        let (caller, content) = (&stored_name(vault, &write.caller), &write.content);
        loop {
            let elsewhere = self.db.is_shared() || self.is_cut.load(Ordering::Relaxed);
            let stored = if elsewhere { self.load_one(vault, caller).await? } else { None };
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
                if !whatever && entry.content != *content {
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
    pub async fn finish(&self, vault: &Vault, write: &Write, finished: &Finished, keep: Keep, now_ms: u64) {
        let stored = async { self.db.exec(insert(vault, write, &finished.body, finished.seq, now_ms)?).await };
        if keep == Keep::Both
            && let Err(error) = stored.await
        {
            tracing::error!(%error, "answer not stored");
        }
        let name = stored_name(vault, &write.caller);
        let mut all = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let before = match keep {
            Keep::Nowhere => all.remove(&name),
            Keep::Memory | Keep::Both => {
                let held = Held::Done { body: finished.body.clone(), seq: finished.seq, at_ms: now_ms };
                all.insert(name, Entry { content: write.content, held })
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

    async fn load_one(&self, vault: &Vault, caller: &str) -> Result<Option<Entry>, DbError> {
        let done = self.db.query(sql!("select content, body, seq, at_ms from answers where caller = $1", caller)).await?;
        done.first().map(|row| entry(vault, caller, row)).transpose()
    }
}

fn entry(vault: &Vault, caller: &str, row: &Row) -> Result<Entry, DbError> {
    let content = row.blob(0)?.try_into().map_err(|_| DbError::Failed("content hash".to_owned()))?;
    let seq = row.maybe_int(2)?.and_then(|seq| u64::try_from(seq).ok());
    Ok(Entry { content, held: Held::Done { body: open(vault, caller, &row.blob(1)?)?, seq, at_ms: row.id(3)? } })
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
        let secrets = crate::secrets::Secrets::open(folder.path(), &db).await.unwrap();
        let vault = Vault::open(&folder.path().join("keys"), &secrets, &db).await.unwrap();
        let answers = Answers::load(db.clone(), &vault, &clock).await.unwrap();
        let old = now_ms - KEEP_MS * 3 / 4;
        db.exec(insert(&vault, &write("ann"), b"1", None, old).unwrap()).await.unwrap();
        let held = |at_ms| Entry { content: [7; 32], held: Held::Done { body: Vec::new(), seq: None, at_ms } };
        answers.held.lock().unwrap().extend((0..MAX_HELD).map(|number| (number.to_string(), held(now_ms))));
        answers.held.lock().unwrap().insert(stored_name(&vault, "ann"), held(old));
        answers.prune(now_ms).await.unwrap();
        assert!(matches!(answers.enter(&vault, &write("ann")).await, Ok(Gate::Done(done)) if done.body == b"1"));
        assert!(matches!(answers.enter(&vault, &write("bob")).await, Ok(Gate::First)));
    }
}
