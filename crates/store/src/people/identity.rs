//! Looks people up by mail address or phone, which are stored only as hashes and sealed, or by account number.

use std::collections::HashMap;

use engine::ids::UserId;

use super::{COLUMNS, Person, person};
use crate::db::{DbError, Sql, Value};
use crate::handle::Store;
use crate::sealing::Contact;
use crate::vault::Vault;

/// How a person is looked up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Identity {
    /// Normalised mail address.
    Email(String),
    /// Dial code and number, `49-15112345678`.
    Phone(String),
    /// Public account number.
    Account(String),
}

impl Identity {
    /// The text that codes and waits are bound to.
    pub fn target(&self) -> &str {
        match self {
            Identity::Email(text) | Identity::Phone(text) | Identity::Account(text) => text,
        }
    }

    /// The column to look it up in, and its value there.
    pub(super) fn key(&self, vault: &Vault) -> (&'static str, String) {
        match self {
            Identity::Email(text) => ("email_hash", Contact::Email.hash(vault, text)),
            Identity::Phone(text) => ("phone_hash", Contact::Phone.hash(vault, text)),
            Identity::Account(text) => ("account_number", text.clone()),
        }
    }
}

/// The person with this mail address, phone or account number. If there is none, the first person is read and dropped, so both cases take
/// equally long (A15).
pub async fn find(store: &Store, identity: &Identity) -> Result<Option<Person>, DbError> {
    let (column, key) = identity.key(&store.vault);
    let text = format!(
        "select {COLUMNS}, case when {column} = $1 then 1 else 0 end from users \
         where id = coalesce((select id from users where {column} = $1), (select min(id) from users))"
    );
    let done = store.db.query(Sql::new(text, vec![key.into()])).await?;
    let Some(row) = done.first() else { return Ok(None) };
    let (person, found) = (person(&store.vault, row)?, row.int(11)? == 1);
    Ok(found.then_some(person))
}

/// The members who have one of these.
pub async fn among(store: &Store, wanted: impl Iterator<Item = Identity>) -> Result<HashMap<Identity, UserId>, DbError> {
    let wanted: HashMap<(&str, String), Identity> = wanted.map(|identity| (identity.key(&store.vault), identity)).collect();
    let mut found = HashMap::new();
    for column in ["email_hash", "phone_hash", "account_number"] {
        let keys: Vec<Value> = wanted.keys().filter(|(at, _)| *at == column).map(|(_, key)| key.clone().into()).collect();
        if keys.is_empty() {
            continue;
        }
        let holes: Vec<String> = (1..=keys.len()).map(|at| format!("${at}")).collect();
        let text = format!("select {column}, id from users where {column} in ({})", holes.join(","));
        for row in &store.db.query(Sql::new(text, keys)).await?.rows {
            if let Some(identity) = wanted.get(&(column, row.text(0)?)) {
                found.insert(identity.clone(), UserId(row.id(1)?));
            }
        }
    }
    Ok(found)
}
