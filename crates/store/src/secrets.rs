//! Secrets: the pepper beside the database, random numbers, keyed hashes.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::db::{Db, DbError};
use crate::sql;

/// Why stored secrets cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenError(pub String);

impl std::fmt::Display for OpenError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OpenError {}

impl From<DbError> for OpenError {
    fn from(error: DbError) -> OpenError {
        OpenError(format!("database: {error}"))
    }
}

impl From<std::io::Error> for OpenError {
    fn from(error: std::io::Error) -> OpenError {
        OpenError(error.to_string())
    }
}

/// The server's secrets. Nothing here is ever printed.
#[derive(Clone)]
pub struct Secrets {
    pepper: [u8; 32],
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets")
    }
}

impl Secrets {
    /// Reads `DIR/secrets/pepper`, or creates it for a new database. A database whose pepper is lost is refused: none of its passwords
    /// could ever be checked again.
    pub async fn open(data: &Path, db: &Db) -> Result<Secrets, OpenError> {
        let file = pepper_file(data);
        if !file.exists() && stored_mark(db).await?.is_none() {
            create_private(&file, &format!("{}\n", hex(&random::<32>()?)))?;
        }
        let secrets = Secrets::read(&file)?;
        let mark = secrets.mark();
        db.exec(sql!("insert into facts (name, value) values ('pepper', $1) on conflict (name) do nothing", &mark)).await?;
        secrets.matching(&file, stored_mark(db).await?)
    }

    /// The same, but nothing is made: none for a database that has no pepper yet.
    pub async fn known(data: &Path, db: &Db) -> Result<Option<Secrets>, OpenError> {
        let file = pepper_file(data);
        match stored_mark(db).await? {
            Some(stored) => Secrets::read(&file)?.matching(&file, Some(stored)).map(Some),
            None => Ok(None),
        }
    }

    fn read(file: &Path) -> Result<Secrets, OpenError> {
        let text = fs::read_to_string(file).map_err(|error| OpenError(format!("{}: {error}; this database needs it", file.display())))?;
        let pepper = from_hex(text.trim()).ok_or_else(|| OpenError(format!("{}: 64 hex digits expected", file.display())))?;
        Ok(Secrets { pepper })
    }

    fn mark(&self) -> String {
        hex(&self.keyed("mark", &[]))
    }

    fn matching(self, file: &Path, stored: Option<String>) -> Result<Secrets, OpenError> {
        match stored {
            Some(stored) if stored == self.mark() => Ok(self),
            _ => Err(OpenError(format!("{}: this database was made with another pepper", file.display()))),
        }
    }

    /// The key of the password hashes.
    pub fn pepper(&self) -> [u8; 32] {
        self.pepper
    }

    /// SHA-256 of pepper, purpose and parts, each with its length, so that no two inputs run together.
    pub fn keyed(&self, purpose: &str, parts: &[&str]) -> [u8; 32] {
        let mut hash = Sha256::new_with_prefix(self.pepper);
        for part in std::iter::once(&purpose).chain(parts) {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.finalize().into()
    }
}

fn pepper_file(data: &Path) -> PathBuf {
    data.join("secrets").join("pepper")
}

/// The database's mark of its pepper.
async fn stored_mark(db: &Db) -> Result<Option<String>, OpenError> {
    let stored = db.query(sql!("select value from facts where name = 'pepper'")).await?;
    Ok(stored.first().map(|row| row.text(0)).transpose()?)
}

/// Writes a new file readable only by its owner, in a folder only its owner can enter, and syncs both. A kill leaves all of it or nothing.
pub fn create_private(file: &Path, text: &str) -> Result<(), OpenError> {
    let folder = file.parent().unwrap_or(file);
    if !folder.exists() {
        fs::create_dir_all(folder)?;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    let draft = file.with_extension("draft");
    let mut out = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()?;
    // A rename would replace an existing file that could not be read.
    fs::hard_link(&draft, file)?;
    fs::remove_file(&draft)?;
    fs::File::open(folder)?.sync_all()?;
    Ok(())
}

/// Bytes from the system's generator.
pub fn random<const N: usize>() -> Result<[u8; N], OpenError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| OpenError(format!("no random numbers: {error}")))?;
    Ok(bytes)
}

/// A uniform number below `bound`.
pub fn random_below(bound: u64) -> Result<u64, OpenError> {
    // Numbers at or above the largest multiple are drawn again, so that each result is equally likely.
    let limit = u64::MAX - u64::MAX % bound;
    loop {
        let number = u64::from_be_bytes(random()?);
        if number < limit {
            return Ok(number % bound);
        }
    }
}

/// Lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of exactly this many hex digits.
pub fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    if text.len() != 2 * N || !text.is_ascii() {
        return None;
    }
    let mut bytes = [0; N];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}
