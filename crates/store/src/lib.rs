//! People, sessions, codes, messages, stored answers, content, and the history that is made from the facts of the log: the only SQL outside the
//! journal, and the keys that seal what is personal.
//!
//! It knows neither HTTP nor who brings commands into the log. What it needs of them comes in as [`Present`].

pub mod account_changes;
pub mod alerts;
pub mod answers;
pub mod audit;
mod audit_head;
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
mod handle;
pub mod history;
mod history_tables;
mod lang;
mod mark;
pub mod messages;
mod migrations;
pub mod notices;
pub mod observations;
mod opening;
pub mod operator_changes;
mod operator_tables;
pub mod operators;
pub mod options;
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
pub mod proofs;
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

pub use audit_head::AuditHead;
pub use error::StoreError;
pub use handle::{MIN_SEQ, Present, Store, Terms};
pub use lang::Lang;
pub use mark::Mark;
pub use migrations::migrations;
pub use opening::tidy;
pub use page::Page;
