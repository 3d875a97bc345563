//! Changes of mail addresses that whoever reads the old address can still stop: its owner, where a thief has the session and the password.

use engine::ids::UserId;
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::db::{DbError, Migration, Sql};
use crate::secrets::random;
use crate::sql;
use crate::vault::{Place, Vault};

/// How long a change can be stopped.
pub const STOP_MS: u64 = 24 * 3_600_000;
/// Random bytes of a code: it is guessed by no one.
const CODE: usize = 10;

/// The table.
pub const MIGRATION: Migration = Migration {
    id: 40,
    name: "changes of mail addresses that can be stopped",
    ddl: &[
        // `email` is the old address, sealed.
        "CREATE TABLE email_changes (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            code_hash BLOB NOT NULL UNIQUE,
            user_id INTEGER NOT NULL,
            email BLOB NOT NULL,
            expires_ms INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX email_changes_by_user ON email_changes (user_id, id)",
    ],
};

/// A change that can be stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailChange {
    /// Number: later ones of a member have higher numbers.
    pub id: u64,
    /// Whose.
    pub user: UserId,
    /// The address before it.
    pub email: String,
}

fn place(user: UserId) -> Place<'static> {
    Place { column: "email_changes.email", owner: user, row: "" }
}

/// Keeps the old address of a change: the code for its reader, and the statement.
pub fn keep(app: &App, user: UserId, email: &str) -> Result<(String, Sql), DbError> {
    let code = data_encoding::BASE32_NOPAD.encode(&random::<CODE>().map_err(|error| DbError::Failed(error.0))?);
    let sealed = app.vault.seal(place(user), email.as_bytes())?;
    let text = "insert into email_changes (code_hash, user_id, email, expires_ms) values ($1, $2, $3, $4)";
    let keep = sql!(text, hash(&code), user.0, sealed, app.now_ms() + STOP_MS);
    let groups: Vec<&str> = (0..code.len()).step_by(4).filter_map(|at| code.get(at..at + 4)).collect();
    Ok((groups.join("-"), keep))
}

/// The change that a typed code stops, if there still is one.
pub async fn find(app: &App, typed: &str) -> Result<Option<EmailChange>, DbError> {
    let text = "select id, user_id, email from email_changes where code_hash = $1 and expires_ms > $2";
    let done = app.db.query(sql!(text, hash(typed), app.now_ms())).await?;
    let read = |row: &crate::db::Row| {
        let user = UserId(row.id(1)?);
        Ok(EmailChange { id: row.id(0)?, user, email: opened(&app.vault, user, &row.blob(2)?)? })
    };
    done.first().map(read).transpose()
}

fn opened(vault: &Vault, user: UserId, cell: &[u8]) -> Result<String, DbError> {
    vault.unseal_text(place(user), cell)
}

/// Uses the code up, and those of all later changes; misses if it was used meanwhile. A code of an earlier change stays good, so that a thief
/// who changes the address twice cannot stop the first change with the code of the second.
pub fn use_up(change: &EmailChange) -> [Sql; 2] {
    [
        sql!("delete from email_changes where id = $1", change.id).exactly(1),
        sql!("delete from email_changes where user_id = $1 and id > $2", change.user.0, change.id),
    ]
}

/// Letters and digits in upper case: blanks and dashes are for people.
fn hash(code: &str) -> [u8; 32] {
    let plain: String = code.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).collect();
    Sha256::digest(plain).into()
}
