//! Writes many members with their history directly as rows, without the log: the data that measurements run against.

use engine::funding::deposits::{Deposit, Observation};
use engine::funding::withdrawals::Withdrawal;
use engine::identity::Identity;
use engine::ids::UserId;

use crate::account::{NEWER, NEWER_WAITING, StoredState, cells};
use crate::db::{DbError, Rows, Sql, Value};
use crate::handle::Store;
use crate::observations;
use crate::sealing::Contact;

/// A member who can be found but cannot log in.
#[derive(Clone, Debug)]
pub struct Imagined {
    /// Number (UID), also the entry and the time (ms) of the sign-up.
    pub id: UserId,
    /// Public account number, nine digits.
    pub account_number: String,
    /// Normalised mail address.
    pub email: String,
    /// Dial code and number, `49-15112345678`.
    pub phone: String,
}

/// The rows to write. The number of an object is also the entry and the time (ms) of its last change.
#[derive(Clone, Debug, Default)]
pub struct Filling {
    /// Members.
    pub people: Vec<Imagined>,
    /// Deposits in any state.
    pub deposits: Vec<Deposit>,
    /// Withdrawals in any state.
    pub withdrawals: Vec<Withdrawal>,
    /// Payments seen on chains.
    pub observations: Vec<Observation>,
    /// Papers handed in.
    pub submissions: Vec<Identity>,
}

/// Writes all of it in one transaction.
///
/// # Errors
/// `Unique` if a member already exists; then nothing is written.
pub async fn fill(store: &Store, filling: &Filling) -> Result<(), DbError> {
    const PEOPLE: &str = "insert into users (id, account_number, invite_code, nickname, email_hash, email, phone_hash, phone, password, lang, \
                          country, registered_seq, created_at_ms) values";
    let people: Result<Rows, DbError> = filling.people.iter().map(|person| of_person(store, person)).collect();
    let seen: Rows = filling.observations.iter().map(|seen| observations::cells(seen).to_vec()).collect();
    let statements = vec![
        Sql::bulk(PEOPLE, "", people?),
        Sql::bulk(Deposit::INSERT, NEWER, kept(&filling.deposits)),
        Sql::bulk(Identity::INSERT, NEWER, kept(&filling.submissions)),
        Sql::bulk(Withdrawal::INSERT, NEWER_WAITING, kept(&filling.withdrawals)),
        Sql::bulk(observations::INSERT, observations::NEWER, seen),
    ];
    store.db.run(statements).await?;
    Ok(())
}

fn kept(items: &[impl StoredState]) -> Rows {
    items.iter().map(|item| cells(item.columns().0, item.columns().0, item)).collect()
}

fn of_person(store: &Store, person: &Imagined) -> Result<Vec<Value>, DbError> {
    let Imagined { id, account_number, email, phone } = person;
    Ok(vec![
        id.0.into(),
        account_number.clone().into(),
        format!("I{}", id.0).into(),
        format!("Member {}", id.0).into(),
        Contact::Email.hash(&store.vault, email).into(),
        Contact::Email.seal(&store.vault, account_number, email)?.into(),
        Contact::Phone.hash(&store.vault, phone).into(),
        Contact::Phone.seal(&store.vault, account_number, phone)?.into(),
        "1$00$00".into(),
        "en".into(),
        "DE".into(),
        id.0.into(),
        id.0.into(),
    ])
}
