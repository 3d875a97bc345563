//! Secrets: the pepper beside the database, random numbers, keyed hashes.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::app::StartError;
use crate::db::Db;
use crate::sql;

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
    /// Reads `DIR/secrets/pepper`, or makes it for a new database. A database whose pepper is lost is refused: no password
    /// in it could ever be checked again.
    pub async fn open(data: &Path, db: &Db) -> Result<Secrets, StartError> {
        let file = data.join("secrets").join("pepper");
        let known = db.query(sql!("select value from facts where name = 'pepper'")).await?;
        let pepper = match (fs::read_to_string(&file), known.first()) {
            (Ok(text), _) => from_hex(text.trim()).ok_or_else(|| StartError(format!("{}: 64 hex digits expected", file.display())))?,
            (Err(_), None) => {
                let pepper = random()?;
                create_private(&file, &format!("{}\n", hex(&pepper)))?;
                pepper
            }
            (Err(error), Some(_)) => return Err(StartError(format!("{}: {error}; this database needs it", file.display()))),
        };
        let secrets = Secrets { pepper };
        let mark = hex(&secrets.keyed("mark", &[]));
        db.exec(sql!("insert into facts (name, value) values ('pepper', $1) on conflict (name) do nothing", &mark)).await?;
        let stored = db.query(sql!("select value from facts where name = 'pepper'")).await?;
        match stored.first().map(|row| row.text(0)).transpose()? {
            Some(stored) if stored == mark => Ok(secrets),
            _ => Err(StartError(format!("{}: this database was made with another pepper", file.display()))),
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

/// Writes a new file that only its owner reads, in a folder that only its owner enters, and syncs both. A kill leaves all of it or nothing.
pub fn create_private(file: &Path, text: &str) -> Result<(), StartError> {
    let folder = file.parent().unwrap_or(file);
    if !folder.exists() {
        fs::create_dir_all(folder)?;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    let draft = file.with_extension("draft");
    let mut out = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()?;
    // A rename would replace a file that is there and could not be read.
    fs::hard_link(&draft, file)?;
    fs::remove_file(&draft)?;
    fs::File::open(folder)?.sync_all()?;
    Ok(())
}

/// Bytes from the system's generator.
pub fn random<const N: usize>() -> Result<[u8; N], StartError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| StartError(format!("no random numbers: {error}")))?;
    Ok(bytes)
}

/// A uniform number below `bound`.
pub fn random_below(bound: u64) -> Result<u64, StartError> {
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
