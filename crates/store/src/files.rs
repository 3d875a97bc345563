//! Uploaded pictures: owner, purpose, and whether they are in use. The pictures themselves are stored elsewhere.

use std::collections::HashSet;

use engine::ids::UserId;
use engine::time::DAY_MS;
use sha2::{Digest, Sha256};

use crate::db::{Db, DbError, Migration, Sql, Value};
use crate::error::StoreError;
use crate::secrets::hex;
use crate::sql;
use crate::vault::Vault;

/// A picture submitted before is found by its keyed hash; those of earlier versions have none.
pub const SAME_PICTURES: Migration = Migration {
    id: 29,
    name: "same pictures",
    ddl: &["ALTER TABLE files ADD COLUMN picture_hash TEXT", "CREATE INDEX files_by_picture ON files (picture_hash)"],
};

/// Uploads of a member in one UTC day: files, and bytes as received.
pub const DAY_FILES: u64 = 50;
/// See [`DAY_FILES`].
pub const DAY_BYTES: u64 = 200 * 1024 * 1024;

/// Written, not stored yet.
const PENDING: u8 = 0;
const READY: u8 = 1;
/// About to be deleted.
const DROPPED: u8 = 2;

/// The purpose of a picture; a file is valid only for its own purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePurpose {
    /// Identity papers.
    Kyc,
    /// Proof of a deposit.
    Deposit,
    /// Ticket or chat.
    Ticket,
    /// Picture of a member.
    Avatar,
}

impl FilePurpose {
    /// All wire names.
    pub const WORDS: [&'static str; 4] = ["kyc", "deposit", "ticket", "avatar"];

    /// The wire name.
    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    /// The purpose with this wire name.
    pub fn parse(word: &str) -> Option<FilePurpose> {
        use FilePurpose::{Avatar, Deposit, Kyc, Ticket};
        [Kyc, Deposit, Ticket, Avatar].into_iter().find(|purpose| purpose.word() == word)
    }
}

/// A fresh JPEG.
#[derive(Debug)]
pub struct Picture {
    /// The file.
    pub jpeg: Vec<u8>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// The address of a picture on this site.
pub fn url(key: &str) -> String {
    format!("/files/{key}")
}

/// True while the day's limit leaves space for these bytes; [`reserve`] decides.
pub async fn has_room(db: &Db, user: UserId, now_ms: u64, bytes: u64) -> Result<bool, DbError> {
    let done = db.query(sql!("select files, bytes from upload_days where user_id = $1 and day = $2", user.0, now_ms / DAY_MS)).await?;
    let Some(row) = done.first() else { return Ok(true) };
    Ok(row.id(0)? < DAY_FILES && row.id(1)? + bytes <= DAY_BYTES)
}

/// The keyed hash by which the same picture is found again.
fn picture_hash(vault: &Vault, jpeg: &[u8]) -> String {
    hex(&vault.index("files.picture_hash", &hex(&Sha256::digest(jpeg))))
}

/// Counts an upload; misses when the day is full.
pub fn count(user: UserId, received: u64, now_ms: u64) -> Sql {
    sql!(
        "insert into upload_days (user_id, day, files, bytes) values ($1, $2, 1, $3) on conflict (user_id, day) do update \
         set files = upload_days.files + 1, bytes = upload_days.bytes + excluded.bytes \
         where upload_days.files < $4 and upload_days.bytes + excluded.bytes <= $5",
        user.0,
        now_ms / DAY_MS,
        received,
        DAY_FILES,
        DAY_BYTES
    )
    .exactly(1)
}

/// Counts an upload and creates its row, in one transaction whose first statement misses when the day's limit is reached.
pub fn reserve(vault: &Vault, user: UserId, purpose: FilePurpose, key: &str, received: u64, picture: &Picture, now_ms: u64) -> Vec<Sql> {
    vec![
        count(user, received, now_ms),
        sql!("delete from upload_days where user_id = $1 and day < $2", user.0, now_ms / DAY_MS),
        sql!(
            "insert into files (key, user_id, purpose, state, width, height, bytes, created_at_ms, picture_hash) \
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            key,
            user.0,
            purpose.word(),
            PENDING,
            picture.width,
            picture.height,
            picture.jpeg.len() as u64,
            now_ms,
            picture_hash(vault, &picture.jpeg)
        ),
    ]
}

/// Undoes a [`reserve`] whose object could not be stored: it no longer counts, and is swept in case it was stored after all.
pub fn give_back(user: UserId, key: &str, received: u64, at_ms: u64) -> Vec<Sql> {
    vec![
        sql!("update files set state = $1 where key = $2 and state = $3", DROPPED, key, PENDING).exactly(1),
        sql!(
            "update upload_days set files = files - 1, bytes = bytes - $1 where user_id = $2 and day = $3",
            received,
            user.0,
            at_ms / DAY_MS
        ),
    ]
}

/// The object is stored.
pub fn ready(key: &str) -> Sql {
    sql!("update files set state = $1 where key = $2 and state = $3", READY, key, PENDING).exactly(1)
}

/// True for hex digits as keys are; nothing else comes near the tables or the disk.
pub fn is_key(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The owner of a stored picture.
pub async fn owner(db: &Db, key: &str) -> Result<Option<UserId>, DbError> {
    if !is_key(key) {
        return Ok(None);
    }
    let done = db.query(sql!("select user_id from files where key = $1 and state = $2", key, READY)).await?;
    done.first().map(|row| row.id(0).map(UserId)).transpose()
}

/// The key behind an address that a member sent: [`StoreError::File`] unless they uploaded it for this purpose.
pub async fn own(db: &Db, user: UserId, url: &str, purpose: FilePurpose) -> Result<String, StoreError> {
    let foreign = || StoreError::File("owner");
    let key = url.strip_prefix("/files/").filter(|key| is_key(key)).ok_or_else(foreign)?;
    let done = db.query(sql!("select purpose from files where key = $1 and user_id = $2 and state = $3", key, user.0, READY)).await?;
    let found = done.first().map(|row| row.text(0)).transpose()?.ok_or_else(foreign)?;
    if found == purpose.word() { Ok(key.to_owned()) } else { Err(StoreError::File("purpose")) }
}

/// Other members who submitted one of these pictures of a member, at most ten.
pub async fn others(db: &Db, user: UserId, keys: &[&str]) -> Result<Vec<u64>, DbError> {
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let holes: Vec<String> = (0..keys.len()).map(|at| format!("${}", at + 2)).collect();
    let text = format!(
        "select distinct same.user_id from files as own join files as same on same.picture_hash = own.picture_hash \
         where own.user_id = $1 and own.key in ({}) and same.user_id <> $1 and same.used_at_ms is not null order by same.user_id limit 10",
        holes.join(",")
    );
    let args = std::iter::once(Value::from(user.0)).chain(keys.iter().map(|key| (*key).to_owned().into())).collect();
    db.query(Sql::new(text, args)).await?.rows.iter().map(|row| row.id(0)).collect()
}

/// Keys under which a member uploaded the picture with this key, that one among them.
pub async fn copies(db: &Db, user: UserId, key: &str) -> Result<HashSet<String>, DbError> {
    let text = "select key from files where user_id = $1 and (key = $2 or picture_hash = (select picture_hash from files where key = $2))";
    db.query(sql!(text, user.0, key)).await?.rows.iter().map(|row| row.text(0)).collect()
}

/// The statement that keeps a picture for good, for the transaction that uses it; misses if it was swept meanwhile. Only the first use
/// leaves exactly its own time; each later one leaves a later time than its own and than the one before.
pub fn keep(user: UserId, key: &str, now_ms: u64) -> Sql {
    sql!(
        "update files set used_at_ms = case when used_at_ms is null then cast($1 as bigint) \
         when used_at_ms > cast($1 as bigint) then used_at_ms + cast(1 as bigint) \
         else cast($1 as bigint) + cast(1 as bigint) end \
         where key = $2 and user_id = $3 and state = $4",
        now_ms,
        key,
        user.0,
        READY
    )
    .exactly(1)
}

/// Undoes a [`keep`] of that time, if it was the first use and is still the only one.
pub fn unkeep(user: UserId, key: &str, kept_ms: u64) -> Sql {
    sql!("update files set used_at_ms = null where key = $1 and user_id = $2 and used_at_ms = $3", key, user.0, kept_ms)
}

/// Nothing uses the picture any more: it is swept like one that never was used.
pub fn release(user: UserId, key: &str) -> Sql {
    sql!("update files set used_at_ms = null where key = $1 and user_id = $2", key, user.0)
}

/// Marks files to be deleted, and returns them, including those that an earlier attempt left.
pub async fn unused(db: &Db, now_ms: u64) -> Result<Vec<String>, DbError> {
    let done = db
        .run(vec![
            sql!("update files set state = $1 where used_at_ms is null and created_at_ms < $2", DROPPED, now_ms.saturating_sub(DAY_MS)),
            sql!("select key from files where state = $1 order by created_at_ms limit 200", DROPPED),
        ])
        .await?;
    done[1].rows.iter().map(|row| row.text(0)).collect()
}

/// The object is deleted.
pub async fn forget(db: &Db, key: &str) -> Result<(), DbError> {
    db.exec(sql!("delete from files where key = $1 and state = $2", key, DROPPED)).await?;
    Ok(())
}
