//! Personal data at rest. Cells are sealed with XChaCha20-Poly1305 under numbered keys from a file that is not in the database; the place
//! of a cell is authenticated with it, so a cell that was moved to another row does not open.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use engine::ids::UserId;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::db::{Db, DbError, Done};
use crate::secrets::{OpenError, Secrets, create_private, from_hex, hex, random};
use crate::sql;

/// Layout of a sealed cell: this byte, the key's number (4), the nonce (24), ciphertext and tag.
const VERSION: u8 = 1;
const NONCE: usize = 24;
const HEAD: usize = 1 + 4 + NONCE;

/// Where a sealed cell lives.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Table and column, `totp.secret`.
    pub column: &'static str,
    /// The member whose data it is.
    pub owner: UserId,
    /// Key of the row where one owner has several; empty where they have one, or where the database makes the key.
    pub row: &'a str,
}

impl Place<'_> {
    fn bytes(&self) -> Vec<u8> {
        // The column is a name of ours without NUL, so no two places have the same bytes.
        [self.column.as_bytes(), &[0], &self.owner.0.to_be_bytes(), self.row.as_bytes()].concat()
    }
}

/// The keys. Nothing here is ever printed.
pub struct Vault {
    keys: BTreeMap<u32, XChaCha20Poly1305>,
    newest: u32,
    index_key: [u8; 32],
}

impl std::fmt::Debug for Vault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Vault")
    }
}

/// The database's marks of its keys.
async fn known_keys(db: &Db) -> Result<Done, DbError> {
    db.query(sql!("select name, value from facts where name like 'vault key %'")).await
}

impl Vault {
    /// Reads the key file, or makes it for a database that never had one. Each line is a number and 64 hex digits; the highest number
    /// seals, all of them open. A key that the database knows must be in the file.
    pub async fn open(file: &Path, secrets: &Secrets, db: &Db) -> Result<Vault, OpenError> {
        if !file.exists() && known_keys(db).await?.rows.is_empty() {
            create_private(file, &format!("1 {}\n", hex(&random::<32>()?)))?;
        }
        let (vault, marks) = Vault::read(file, secrets, db).await?;
        for (name, mark) in &marks {
            db.exec(sql!("insert into facts (name, value) values ($1, $2) on conflict (name) do nothing", name, mark)).await?;
        }
        Ok(vault)
    }

    /// The same, but nothing is made: none for a database that has no keys yet.
    pub async fn known(file: &Path, secrets: &Secrets, db: &Db) -> Result<Option<Vault>, OpenError> {
        if known_keys(db).await?.rows.is_empty() {
            return Ok(None);
        }
        Ok(Some(Vault::read(file, secrets, db).await?.0))
    }

    /// The keys of the file, and the mark that a database stores of each.
    async fn read(file: &Path, secrets: &Secrets, db: &Db) -> Result<(Vault, BTreeMap<String, String>), OpenError> {
        let known = known_keys(db).await?;
        let text = fs::read_to_string(file).map_err(|error| OpenError(format!("{}: {error}; this database needs it", file.display())))?;
        let wrong = |line: usize| OpenError(format!("{}: line {line}: a number and 64 hex digits expected", file.display()));
        let mut keys = BTreeMap::new();
        let mut marks = BTreeMap::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let parsed = line.trim().split_once(' ').and_then(|(id, key)| Some((id.parse::<u32>().ok()?, from_hex::<32>(key.trim())?)));
            let (id, key) = parsed.ok_or_else(|| wrong(at + 1))?;
            marks.insert(format!("vault key {id}"), hex(&secrets.keyed("vault key", &[&hex(&key)])));
            keys.insert(id, XChaCha20Poly1305::new(&key.into()));
        }
        for row in &known.rows {
            if marks.get(&row.text(0)?) != Some(&row.text(1)?) {
                return Err(OpenError(format!("{}: {} is missing or another", file.display(), row.text(0)?)));
            }
        }
        let newest = *keys.keys().next_back().ok_or_else(|| wrong(1))?;
        Ok((Vault { keys, newest, index_key: secrets.keyed("blind index", &[]) }, marks))
    }

    /// Seals bytes for their place, under the newest key.
    pub fn seal(&self, place: Place<'_>, plain: &[u8]) -> Result<Vec<u8>, DbError> {
        let nonce: [u8; NONCE] = random().map_err(|error| DbError::Failed(error.0))?;
        let cipher = self.keys.get(&self.newest).ok_or_else(|| DbError::Failed("no key".to_owned()))?;
        let payload = Payload { msg: plain, aad: &place.bytes() };
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| DbError::Failed("too long to seal".to_owned()))?;
        Ok([&[VERSION][..], &self.newest.to_be_bytes(), &nonce, &sealed].concat())
    }

    /// Opens a cell of this place.
    pub fn unseal(&self, place: Place<'_>, cell: &[u8]) -> Result<Vec<u8>, DbError> {
        let broken = || DbError::Failed(format!("a sealed cell of {} does not open", place.column));
        let (head, sealed) = cell.split_at_checked(HEAD).ok_or_else(broken)?;
        let id: [u8; 4] = head.get(1..5).and_then(|id| id.try_into().ok()).ok_or_else(broken)?;
        let nonce: [u8; NONCE] = head.get(5..).and_then(|nonce| nonce.try_into().ok()).ok_or_else(broken)?;
        let cipher = self.keys.get(&u32::from_be_bytes(id)).filter(|_| head.first() == Some(&VERSION)).ok_or_else(broken)?;
        cipher.decrypt(&XNonce::from(nonce), Payload { msg: sealed, aad: &place.bytes() }).map_err(|_| broken())
    }

    /// The same for text.
    pub fn unseal_text(&self, place: Place<'_>, cell: &[u8]) -> Result<String, DbError> {
        String::from_utf8(self.unseal(place, cell)?).map_err(DbError::failed)
    }

    /// A keyed hash for finding equal texts in a sealed column (HMAC-SHA256): it reveals nothing without the pepper.
    pub fn index(&self, column: &'static str, text: &str) -> [u8; 32] {
        // HMAC accepts a key of 32 bytes.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.index_key) else { return [0; 32] };
        mac.update(column.as_bytes());
        mac.update(&[0]);
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().into()
    }
}
