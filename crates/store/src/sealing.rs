//! Contact data at rest: mail addresses, phones and messages are sealed (see [`crate::vault`]) and found by a keyed hash, so the database
//! alone reveals no address. Rows of earlier versions are sealed at the first start.

use engine::ids::UserId;
use serde::{Deserialize, Serialize};

use crate::db::{Db, DbError, Migration, Sql};
use crate::secrets::hex;
use crate::sql;
use crate::vault::{Place, Vault};

/// Columns for the sealed texts; the old columns hold the keyed hash.
pub const MIGRATION: Migration = Migration {
    id: 14,
    name: "sealed addresses",
    ddl: &[
        "ALTER TABLE users RENAME COLUMN email TO email_hash",
        "ALTER TABLE users RENAME COLUMN phone TO phone_hash",
        "ALTER TABLE users ADD COLUMN email BLOB",
        "ALTER TABLE users ADD COLUMN phone BLOB",
        "ALTER TABLE outbox RENAME COLUMN target TO target_hash",
        // Empty once the message was sent or given up.
        "ALTER TABLE outbox ADD COLUMN sealed BLOB",
        // Valid for ten minutes; a member who waits for one asks again.
        "DELETE FROM codes",
        "ALTER TABLE codes RENAME COLUMN target TO target_hash",
        "ALTER TABLE code_requests RENAME COLUMN target TO target_hash",
        "CREATE INDEX waits_by_time ON waits (at_ms)",
    ],
};

/// When all is sealed, nothing plain is left to read.
const LAST: Migration = Migration {
    id: 15,
    name: "messages are sealed",
    ddl: &["ALTER TABLE outbox DROP COLUMN code", "ALTER TABLE outbox DROP COLUMN subject", "ALTER TABLE outbox DROP COLUMN body"],
};

/// Rows that one transaction seals.
const ROWS: u64 = 200;

/// A way to reach a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    /// Normalised mail address.
    Email,
    /// Dial code and number, `49-15112345678`.
    Phone,
}

impl Contact {
    /// Column of `users`; that of the keyed hash has the suffix `_hash`.
    pub fn column(self) -> &'static str {
        match self {
            Contact::Email => "email",
            Contact::Phone => "phone",
        }
    }

    /// The keyed hash by which it is found.
    pub fn hash(self, vault: &Vault, text: &str) -> String {
        hex(&vault.index(self.place("").column, text))
    }

    /// Seals it for the member with this account number, which never changes.
    pub fn seal(self, vault: &Vault, account_number: &str, text: &str) -> Result<Vec<u8>, DbError> {
        vault.seal(self.place(account_number), text.as_bytes())
    }

    /// Opens a sealed text.
    pub fn open(self, vault: &Vault, account_number: &str, cell: &[u8]) -> Result<String, DbError> {
        vault.unseal_text(self.place(account_number), cell)
    }

    fn place(self, account_number: &str) -> Place<'_> {
        let column = match self {
            Contact::Email => "users.email",
            Contact::Phone => "users.phone",
        };
        Place { column, owner: UserId(0), row: account_number }
    }
}

/// The keyed hash of the recipient of a code or message.
pub fn target_hash(vault: &Vault, target: &str) -> String {
    hex(&vault.index("outbox.target", target))
}

/// The key under which failures are counted.
pub fn wait_key(vault: &Vault, account: &str) -> String {
    hex(&vault.index("waits.account", account))
}

/// A message before sealing.
#[derive(Debug, Serialize, Deserialize)]
pub struct Letter {
    /// Mail address, or dial code and number.
    pub target: String,
    /// Subject of a mail.
    pub subject: String,
    /// Text.
    pub body: String,
    /// The code inside, shown apart in a sandbox.
    pub code: Option<String>,
}

impl Letter {
    /// Seals it under the hash of its target.
    pub fn seal(&self, vault: &Vault, target_hash: &str) -> Result<Vec<u8>, DbError> {
        vault.seal(letter_place(target_hash), serde_json::to_string(self).map_err(DbError::failed)?.as_bytes())
    }

    /// Opens it.
    pub fn open(vault: &Vault, target_hash: &str, cell: &[u8]) -> Result<Letter, DbError> {
        serde_json::from_slice(&vault.unseal(letter_place(target_hash), cell)?).map_err(DbError::failed)
    }
}

fn letter_place(target_hash: &str) -> Place<'_> {
    Place { column: "outbox.sealed", owner: UserId(0), row: target_hash }
}

/// Seals rows of an earlier version. Each transaction leaves fewer plain rows, so the next start continues one that was interrupted.
pub async fn seal_old(db: &Db, vault: &Vault) -> Result<(), DbError> {
    if db.query(sql!("select id from migrations where id = $1", LAST.id)).await?.first().is_some() {
        return Ok(());
    }
    let mut any = false;
    for contact in [Contact::Email, Contact::Phone] {
        while let statements @ [_, ..] = &users(db, vault, contact).await?[..] {
            db.run(statements.to_vec()).await?;
            any = true;
        }
    }
    while let statements @ [_, ..] = &messages(db, vault).await?[..] {
        db.run(statements.to_vec()).await?;
        any = true;
    }
    for (table, column, plain, hash) in [
        ("code_requests", "target_hash", PLAIN_TARGET, target_hash as fn(&Vault, &str) -> String),
        ("waits", "account", "account like '% %'", wait_key),
    ] {
        while let statements @ [_, ..] = &keyed(db, vault, table, column, plain, hash).await?[..] {
            db.run(statements.to_vec()).await?;
            any = true;
        }
    }
    db.migrate(&[LAST]).await?;
    if any { db.compact().await } else { Ok(()) }
}

/// An address has one of these; a hash in hex has neither.
const PLAIN_TARGET: &str = "(target_hash like '%@%' or target_hash like '%-%')";

async fn users(db: &Db, vault: &Vault, contact: Contact) -> Result<Vec<Sql>, DbError> {
    let column = contact.column();
    let text = format!("select id, account_number, {column}_hash from users where {column}_hash is not null and {column} is null limit $1");
    let update = format!("update users set {column}_hash = $1, {column} = $2 where id = $3");
    let plain = db.query(Sql::new(text, vec![ROWS.into()])).await?;
    let seal = |row: &crate::db::Row| {
        let (account, text) = (row.text(1)?, row.text(2)?);
        let args = vec![contact.hash(vault, &text).into(), contact.seal(vault, &account, &text)?.into(), row.id(0)?.into()];
        Ok(Sql::new(update.clone(), args))
    };
    plain.rows.iter().map(seal).collect()
}

async fn messages(db: &Db, vault: &Vault) -> Result<Vec<Sql>, DbError> {
    let text = format!("select id, target_hash, subject, body, code, state from outbox where sealed is null and {PLAIN_TARGET} limit $1");
    let plain = db.query(Sql::new(text, vec![ROWS.into()])).await?;
    let seal = |row: &crate::db::Row| {
        let letter = Letter { target: row.text(1)?, subject: row.text(2)?, body: row.text(3)?, code: row.maybe_text(4)? };
        let hash = target_hash(vault, &letter.target);
        let over = matches!(row.text(5)?.as_str(), "sent" | "failed");
        let sealed = if over { None } else { Some(letter.seal(vault, &hash)?) };
        let update = "update outbox set target_hash = $1, sealed = $2, code = null, subject = '', body = '' where id = $3";
        Ok(sql!(update, hash, sealed, row.id(0)?))
    };
    plain.rows.iter().map(seal).collect()
}

async fn keyed(
    db: &Db,
    vault: &Vault,
    table: &str,
    column: &str,
    plain: &str,
    hash: impl Fn(&Vault, &str) -> String,
) -> Result<Vec<Sql>, DbError> {
    let found = db.query(Sql::new(format!("select distinct {column} from {table} where {plain} limit $1"), vec![ROWS.into()])).await?;
    let update = format!("update {table} set {column} = $1 where {column} = $2");
    let key = |row: &crate::db::Row| {
        let text = row.text(0)?;
        Ok(Sql::new(update.clone(), vec![hash(vault, &text).into(), text.into()]))
    };
    found.rows.iter().map(key).collect()
}
