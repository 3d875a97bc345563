//! Stored answers, kept for a day: a repeated write gets the same answer. An answer can contain what its caller wrote, so it is sealed,
//! under a keyed hash of caller and key.

use std::sync::Arc;

use engine::ids::UserId;

use crate::db::{Db, DbError, Done, Migration, Row, Sql, Value};
use crate::handle::Store;
use crate::secrets::hex;
use crate::sql;
use crate::vault::{Place, Vault};

/// When all is sealed, nothing plain is looked for again.
const LAST: Migration = Migration { id: 41, name: "stored answers are sealed", ddl: &[] };
/// Rows that one transaction seals.
const ROWS: u64 = 200;

/// A stored answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAnswer {
    /// Hash of the request.
    pub content: [u8; 32],
    /// The answer, sealed for its name: see [`open`].
    pub sealed: Vec<u8>,
    /// Sequence that it names.
    pub seq: Option<u64>,
    /// When it was stored, wall clock.
    pub at_ms: u64,
}

/// The key of a stored answer in SQL and in memory. It is a hash, because the plain key contains member numbers and addresses of guests.
pub fn stored_name(vault: &Vault, caller: &str) -> String {
    match caller.strip_prefix("begun ") {
        Some(write) => format!("begun {}", stored_name(vault, write)),
        None => hex(&vault.index("answers.caller", caller)),
    }
}

fn place(name: &str) -> Place<'_> {
    Place { column: "answers.body", owner: UserId(0), row: name }
}

const INSERT: &str = "insert into answers (caller, content, body, seq, at_ms) values ($1, $2, $3, $4, $5) on conflict (caller) do nothing";

fn cells(vault: &Vault, caller: &str, content: [u8; 32], body: &[u8], seq: Option<u64>, now_ms: u64) -> Result<Vec<Value>, DbError> {
    let name = stored_name(vault, caller);
    let body = vault.seal(place(&name), body)?;
    Ok(vec![name.into(), content.into(), body.into(), seq.into(), now_ms.into()])
}

/// The statement that stores the first answer of a write, by its caller and the hash of the request; `now_ms` is wall clock. It changes
/// nothing when the caller's key already has an answer.
pub fn insert(vault: &Vault, caller: &str, content: [u8; 32], body: &[u8], seq: Option<u64>, now_ms: u64) -> Result<Sql, DbError> {
    Ok(Sql::new(INSERT, cells(vault, caller, content, body, seq, now_ms)?))
}

/// The last statement of a write, which stores its first answer: body and sequence, computed from the results of the earlier statements. It
/// misses, which undoes the whole transaction, when the caller's key already has an answer.
pub fn insert_last(
    store: Arc<Store>,
    caller: String,
    content: [u8; 32],
    now_ms: u64,
    answer: impl Fn(&[Done]) -> Result<(Vec<u8>, Option<u64>), DbError> + Send + Sync + 'static,
) -> Sql {
    let make = move |done: &[Done]| {
        let (body, seq) = answer(done)?;
        cells(&store.vault, &caller, content, &body, seq, now_ms)
    };
    Sql::later(INSERT, make).exactly(1)
}

/// Opens the answer stored under this name.
pub fn open(vault: &Vault, name: &str, body: &[u8]) -> Result<Vec<u8>, DbError> {
    vault.unseal(place(name), body)
}

/// The answer stored under this name.
pub async fn find(db: &Db, name: &str) -> Result<Option<StoredAnswer>, DbError> {
    let done = db.query(sql!("select content, body, seq, at_ms from answers where caller = $1", name)).await?;
    done.first().map(answer).transpose()
}

/// Deletes what is older than `since_ms`, and reads the newest of the rest, with their names.
pub async fn newest(db: &Db, since_ms: u64, most: u64) -> Result<Vec<(String, StoredAnswer)>, DbError> {
    let done = db
        .run(vec![
            forget_before(since_ms),
            sql!("select content, body, seq, at_ms, caller from answers order by at_ms desc limit $1", most),
        ])
        .await?;
    let rows = done.iter().flat_map(|done| &done.rows);
    rows.map(|row| Ok((row.text(4)?, answer(row)?))).collect()
}

fn answer(row: &Row) -> Result<StoredAnswer, DbError> {
    Ok(StoredAnswer {
        content: row.blob(0)?.try_into().map_err(|_| DbError::Failed("content hash".to_owned()))?,
        sealed: row.blob(1)?,
        seq: row.maybe_int(2)?.and_then(|seq| u64::try_from(seq).ok()),
        at_ms: row.id(3)?,
    })
}

/// The statement that deletes the answer under this name.
pub fn forget(name: String) -> Sql {
    sql!("delete from answers where caller = $1", name)
}

/// The statement that deletes older answers.
pub fn forget_before(ms: u64) -> Sql {
    sql!("delete from answers where at_ms < $1", ms)
}

/// Seals rows of an earlier version. Each transaction leaves fewer plain rows, so the next start continues one that was interrupted.
pub async fn seal_old(db: &Db, vault: &Vault) -> Result<(), DbError> {
    if db.query(sql!("select id from migrations where id = $1", LAST.id)).await?.first().is_some() {
        return Ok(());
    }
    // Plain callers have two or three words, hashed ones have one. Notes of writes that were begun have a word in front.
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
