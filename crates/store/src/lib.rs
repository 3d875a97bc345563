//! People, sessions, codes, messages, stored answers, content, and the history that is made from the facts of the log: the only SQL outside the
//! journal, and the keys that seal what is personal.
//!
//! It knows neither HTTP nor who brings commands into the log. What it needs of them comes in as [`Present`].

pub mod account_changes;
pub mod answers;
pub mod audit;
pub mod balance_changes;
pub mod catalog_texts;
pub mod cells;
pub mod codes;
pub mod content;
pub mod db;
pub mod deposit_addresses;
mod error;
pub mod facts;
pub mod favourites;
pub mod files;
pub mod first_answers;
pub mod fund_passwords;
pub mod history;
mod history_tables;
mod lang;
pub mod messages;
pub mod notices;
pub mod observations;
pub mod operator_changes;
mod operator_tables;
pub mod operators;
pub mod order_changes;
pub mod outbox;
pub mod outside;
mod outside_tables;
mod page;
pub mod papers;
pub mod payments;
pub mod people;
mod people_tables;
pub mod prices;
pub mod queues;
pub mod rows;
pub mod sealing;
pub mod second_factor;
pub mod secrets;
pub mod security;
pub mod sessions;
pub mod tie_out;
pub mod totp;
pub mod vault;
pub mod waits;
pub mod withdraw_codes;

use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::time::Duration;

use engine::Engine;
use tokio::time::timeout;

use crate::db::{Db, DbError, Migration};
use crate::rows::Mark;
use crate::secrets::{OpenError, Secrets};
use crate::vault::Vault;

pub use error::StoreError;
pub use lang::Lang;
pub use page::Page;

/// A read with `x-min-seq` waits so long at most.
pub const MIN_SEQ: Duration = Duration::from_secs(2);

/// What the rows depend on that is no row: the time of this node, and the state of its log.
pub trait Present: fmt::Debug + Send + Sync {
    /// Journal time in milliseconds: what codes, waits and locks age with.
    fn now_ms(&self) -> u64;

    /// The guarded wall clock, milliseconds since 1970.
    fn wall_ms(&self) -> u64;

    /// The state after the last applied entry. It is not held across an await.
    fn engine(&self) -> Box<dyn Deref<Target = Engine> + '_>;
}

/// How this node keeps its rows.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// It is a sandbox.
    pub sandbox: bool,
    /// Most codes by SMS an hour.
    pub sms_per_hour: u64,
    /// The same for one country.
    pub sms_per_country_hour: u64,
}

/// People, content, history, and the keys of what is sealed.
#[derive(Debug)]
pub struct Store {
    /// The rows.
    pub db: Db,
    /// Pepper and keyed hashes.
    pub secrets: Secrets,
    /// Keys of personal data.
    pub vault: Vault,
    /// Sequence of the newest entry whose rows can be read.
    pub applied: Mark,
    /// The newest row of the audit log.
    pub audit_head: audit::Head,
    /// How this node keeps them.
    pub terms: Terms,
    present: Box<dyn Present>,
}

impl Store {
    /// Brings a database up to date and opens its secrets: the pepper in the data directory, the keys in their file.
    ///
    /// # Errors
    /// When a secret is missing or another than the database knows.
    pub async fn open(db: Db, data: &Path, key_file: &Path, terms: Terms, present: Box<dyn Present>) -> Result<Store, OpenError> {
        db.migrate(&migrations()).await?;
        people::add_house(&db, present.wall_ms()).await?;
        let secrets = Secrets::open(data, &db).await?;
        if terms.sandbox {
            content::seed(&db).await?;
        }
        let vault = Vault::open(key_file, &secrets, &db).await?;
        sealing::seal_old(&db, &vault).await?;
        cells::seal_old(&db, &vault).await?;
        answers::seal_old(&db, &vault).await?;
        Ok(Store { db, secrets, vault, applied: Mark::default(), audit_head: audit::Head::default(), terms, present })
    }

    /// Journal time in milliseconds.
    pub fn now_ms(&self) -> u64 {
        self.present.now_ms()
    }

    /// The guarded wall clock, milliseconds since 1970.
    pub fn wall_ms(&self) -> u64 {
        self.present.wall_ms()
    }

    fn engine(&self) -> Box<dyn Deref<Target = Engine> + '_> {
        self.present.engine()
    }

    /// Waits until the rows of the history are at least this new (`x-min-seq`), at most 2 s.
    ///
    /// # Errors
    /// [`StoreError::NotReady`] after that.
    pub async fn wait_for(&self, seq: u64) -> Result<(), StoreError> {
        timeout(MIN_SEQ, self.applied.reach(seq)).await.map_err(|_| StoreError::NotReady)
    }
}

/// Every step of the schema, in order.
pub fn migrations() -> Vec<Migration> {
    vec![
        Migration { id: 1, name: "people, sessions, codes, messages, answers, content", ddl: FIRST },
        history_tables::MIGRATION,
        people_tables::MIGRATION,
        outside_tables::MIGRATION,
        operator_tables::MIGRATION,
        history_tables::ENDED_ORDERS,
        payments::MIGRATION,
        balance_changes::MIGRATION,
        sealing::MIGRATION,
        queues::MIGRATION,
        people_tables::PASSWORD_CHANGES,
        queues::DECIDED,
        people_tables::LISTED,
        queues::DECIDED_DEPOSITS,
        history_tables::LINES,
        people_tables::BY_AGE,
        history_tables::HOUSE_TRADES,
        cells::DEVICES,
        operator_tables::AUDIT_SEARCH,
        files::SAME_PICTURES,
        notices::REFUSED_RESETS,
        account_changes::MIGRATION,
        codes::COUNTRIES,
        operator_tables::CHANGES,
        operator_tables::PROOFS,
        withdraw_codes::MIGRATION,
        first_answers::MIGRATION,
        observations::MIGRATION,
        queues::WAITING,
        codes::SOURCES,
        account_changes::BEFORE,
    ]
}

/// Forgets what no longer counts: failures older than a day, messages that went out (or to nobody) more than a week ago.
pub async fn tidy(store: &Store) -> Result<(), DbError> {
    let (day, now) = (86_400_000, store.now_ms());
    store
        .db
        .run(vec![
            sql!("delete from waits where at_ms < $1", now.saturating_sub(day)),
            sql!("delete from codes where expires_ms < $1", now.saturating_sub(day)),
            sql!("delete from email_changes where expires_ms < $1", now),
            sql!("delete from login_challenges where expires_ms < $1", store.wall_ms()),
            sql!("delete from totp_setups where expires_ms < $1", store.wall_ms()),
            sql!("delete from login_events where created_at_ms < $1", now.saturating_sub(365 * day)),
            sql!("delete from notices where created_at_ms < $1", now.saturating_sub(365 * day)),
            sql!("delete from outbox where state in ('sent', 'failed', 'void') and time_ms < $1", now.saturating_sub(7 * day)),
        ])
        .await?;
    Ok(())
}

const FIRST: &[&str] = &[
    "CREATE TABLE facts (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT",
    // `phone` is dial code and number in one, `49-15112345678`.
    "CREATE TABLE users (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        account_number TEXT NOT NULL UNIQUE,
        invite_code TEXT NOT NULL UNIQUE,
        inviter_id INTEGER,
        nickname TEXT NOT NULL,
        email TEXT UNIQUE,
        phone TEXT UNIQUE,
        password TEXT NOT NULL,
        lang TEXT NOT NULL,
        country TEXT NOT NULL,
        withdraw_hold_until_ms INTEGER,
        registered_seq INTEGER,
        created_at_ms INTEGER NOT NULL
    ) STRICT",
    "CREATE TABLE sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        token_hash BLOB NOT NULL UNIQUE,
        user_id INTEGER NOT NULL,
        device TEXT NOT NULL,
        address TEXT NOT NULL,
        created_at_ms INTEGER NOT NULL,
        last_at_ms INTEGER NOT NULL
    ) STRICT",
    "CREATE INDEX sessions_by_user ON sessions (user_id)",
    // Wrong passwords in a row of one account, known or not.
    "CREATE TABLE waits (
        account TEXT NOT NULL PRIMARY KEY,
        failures INTEGER NOT NULL,
        until_ms INTEGER NOT NULL,
        at_ms INTEGER NOT NULL
    ) STRICT",
    // The newest code of each target and purpose; `hash` is keyed.
    "CREATE TABLE codes (
        target TEXT NOT NULL,
        purpose TEXT NOT NULL,
        hash BLOB NOT NULL,
        expires_ms INTEGER NOT NULL,
        tries INTEGER NOT NULL,
        PRIMARY KEY (target, purpose)
    ) STRICT",
    // Each request for a code, counted per target and per address; wall clock.
    "CREATE TABLE code_requests (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        target TEXT NOT NULL,
        purpose TEXT NOT NULL,
        address TEXT NOT NULL,
        at_ms INTEGER NOT NULL
    ) STRICT",
    "CREATE INDEX code_requests_by_target ON code_requests (target, purpose, at_ms)",
    "CREATE INDEX code_requests_by_address ON code_requests (address, at_ms)",
    "CREATE INDEX code_requests_by_time ON code_requests (at_ms)",
    // `state`: kept (sandbox), waiting, sent, failed, void (nobody to send it to).
    "CREATE TABLE outbox (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        target TEXT NOT NULL,
        purpose TEXT NOT NULL,
        code TEXT,
        subject TEXT NOT NULL,
        body TEXT NOT NULL,
        time_ms INTEGER NOT NULL,
        state TEXT NOT NULL,
        tries INTEGER NOT NULL,
        next_ms INTEGER NOT NULL
    ) STRICT",
    "CREATE INDEX outbox_by_target ON outbox (target, id)",
    "CREATE INDEX outbox_by_state ON outbox (state, next_ms)",
    "CREATE TABLE answers (
        caller TEXT NOT NULL,
        content BLOB NOT NULL,
        body BLOB NOT NULL,
        seq INTEGER,
        at_ms INTEGER NOT NULL,
        PRIMARY KEY (caller)
    ) STRICT",
    "CREATE INDEX answers_by_time ON answers (at_ms)",
    "CREATE TABLE articles (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        category INTEGER NOT NULL,
        slug TEXT NOT NULL,
        lang TEXT NOT NULL,
        title TEXT NOT NULL,
        content TEXT NOT NULL,
        sorts INTEGER NOT NULL,
        created_at_ms INTEGER NOT NULL,
        UNIQUE (slug, lang)
    ) STRICT",
    "CREATE TABLE favourites (
        user_id INTEGER NOT NULL,
        market_id INTEGER NOT NULL,
        position INTEGER NOT NULL,
        PRIMARY KEY (user_id, market_id)
    ) STRICT",
];
