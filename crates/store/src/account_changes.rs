//! Changes of the mail address, the phone or the authenticator that can still be undone from the previous mail address. This protects an
//! owner whose session and password were stolen. Each row keeps the credentials from before the change, so undoing it restores all of them
//! and leaves the thief no other way in, whatever the order of the changes.

use engine::ids::UserId;
use engine::time::{DAY_MS, Time};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::db::{DbError, Migration, Sql};
use crate::handle::Store;
use crate::people::{self, Person};
use crate::sealing::Contact;
use crate::secrets::random;
use crate::sql;
use crate::vault::{Place, Vault};
use crate::{fund_passwords, second_factor, withdraw_codes};

/// How long a change can be undone.
pub const STOP_MS: u64 = DAY_MS;
/// Random bytes of a code: it is guessed by no one.
const CODE: usize = 10;

/// The table.
pub const MIGRATION: Migration = Migration {
    id: 40,
    name: "changes of mail addresses that can be stopped",
    ddl: &[
        // `email` is the previous address, sealed.
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

/// Sealed; null for a change by an earlier version, which restores only the address.
pub const BEFORE: Migration =
    Migration { id: 63, name: "what was before a change of mail address", ddl: &["ALTER TABLE email_changes ADD COLUMN before BLOB"] };

/// The member's contact data and credentials before the change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Before {
    phone: Option<String>,
    authenticator: Option<second_factor::SecondFactorRow>,
    withdraw_code_off_from_ms: Option<u64>,
    /// Stored form.
    fund_password: Option<String>,
}

/// A change that can be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountChange {
    /// Number: later ones of a member have higher numbers.
    pub id: u64,
    /// The member.
    pub user: UserId,
    /// The address before it.
    pub email: String,
    /// When it was made, journal time.
    pub made: Time,
    before: Option<Before>,
}

fn place(user: UserId) -> Place<'static> {
    Place { column: "email_changes.email", owner: user, row: "" }
}

fn before_place(user: UserId) -> Place<'static> {
    Place { column: "email_changes.before", owner: user, row: "" }
}

/// Stores the mail address and everything else from before a change: the code sent to that address, and the statement.
pub async fn keep(store: &Store, me: &Person, email: &str) -> Result<(String, Sql), DbError> {
    let user = me.id;
    let before = Before {
        phone: me.phone.clone(),
        authenticator: second_factor::kept(store, user).await?,
        withdraw_code_off_from_ms: withdraw_codes::off_from(&store.db, user).await?,
        fund_password: fund_passwords::hash(&store.db, user).await?,
    };
    let before = store.vault.seal(before_place(user), serde_json::to_string(&before).map_err(DbError::failed)?.as_bytes())?;
    let code = data_encoding::BASE32_NOPAD.encode(&random::<CODE>().map_err(|error| DbError::Failed(error.0))?);
    let sealed = store.vault.seal(place(user), email.as_bytes())?;
    let text = "insert into email_changes (code_hash, user_id, email, expires_ms, before) values ($1, $2, $3, $4, $5)";
    let keep = sql!(text, hash(&code), user.0, sealed, store.now_ms() + STOP_MS, before);
    let groups: Vec<&str> = (0..code.len()).step_by(4).filter_map(|at| code.get(at..at + 4)).collect();
    Ok((groups.join("-"), keep))
}

/// The change that a typed code undoes, if there still is one.
pub async fn find(store: &Store, typed: &str) -> Result<Option<AccountChange>, DbError> {
    let text = "select id, user_id, email, expires_ms, before from email_changes where code_hash = $1 and expires_ms > $2";
    let done = store.db.query(sql!(text, hash(typed), store.now_ms())).await?;
    let read = |row: &crate::db::Row| {
        let user = UserId(row.id(1)?);
        let before = row.maybe_blob(4)?.map(|cell| store.vault.unseal(before_place(user), &cell)).transpose()?;
        Ok(AccountChange {
            id: row.id(0)?,
            user,
            email: opened(&store.vault, user, &row.blob(2)?)?,
            made: Time(row.id(3)?.saturating_sub(STOP_MS)),
            before: before.map(|json| serde_json::from_slice(&json)).transpose().map_err(DbError::failed)?,
        })
    };
    done.first().map(read).transpose()
}

fn opened(vault: &Vault, user: UserId, cell: &[u8]) -> Result<String, DbError> {
    vault.unseal_text(place(user), cell)
}

/// Uses up the code and those of all later changes; misses if it was used meanwhile. A code of an earlier change stays valid, so a thief
/// who changes the address twice cannot void the code of the first change by using that of the second.
pub fn use_up(change: &AccountChange) -> [Sql; 2] {
    [
        sql!("delete from email_changes where id = $1", change.id).exactly(1),
        sql!("delete from email_changes where user_id = $1 and id > $2", change.user.0, change.id),
    ]
}

/// The statements that restore the address and everything else from before a change. The password is revoked, because whoever made the
/// change knows it, and so are later requests to reset the fund password. `Unique` if another member has the address or the phone by now.
pub fn undo(store: &Store, me: &Person, change: &AccountChange) -> Result<Vec<Sql>, DbError> {
    let mut statements = vec![people::set_password(me.id, String::new(), store.now_ms())];
    let AccountChange { email, made, before, .. } = change;
    let phone = before.as_ref().map_or(&me.phone, |before| &before.phone);
    statements.push(contacts(store, me, email, phone.as_deref())?);
    statements.push(fund_passwords::end_since(me.id, *made, store.now_ms()));
    let Some(before) = before else { return Ok(statements) };
    statements.extend(second_factor::put_back(store, me.id, before.authenticator.as_ref())?);
    statements.push(withdraw_codes::switch_on(me.id));
    statements.extend(before.withdraw_code_off_from_ms.map(|from| withdraw_codes::switch_off(me.id, from)));
    // If there was none, the engine has had one set since. No fund password is right until the member sets one by mail.
    statements.push(fund_passwords::bring_back(me.id, before.fund_password.as_deref().unwrap_or_default()));
    Ok(statements)
}

/// This mail address, and this phone or none.
fn contacts(store: &Store, of: &Person, email: &str, phone: Option<&str>) -> Result<Sql, DbError> {
    let (vault, number) = (&store.vault, &of.account_number);
    let text = "update users set email_hash = $1, email = $2, phone_hash = $3, phone = $4 where id = $5";
    let sealed = phone.map(|phone| Contact::Phone.seal(vault, number, phone)).transpose()?;
    let hash = phone.map(|phone| Contact::Phone.hash(vault, phone));
    Ok(sql!(text, Contact::Email.hash(vault, email), Contact::Email.seal(vault, number, email)?, hash, sealed, of.id.0).exactly(1))
}

/// Letters and digits in upper case: blanks and dashes are for people.
fn hash(code: &str) -> [u8; 32] {
    let plain: String = code.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).collect();
    Sha256::digest(plain).into()
}
