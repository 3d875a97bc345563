//! The interface as callers see it: every test runs on SQLite and on PostgreSQL.

mod account;
mod harness;
mod idempotency;
mod profile;
mod transport;
