//! The interface as callers see it: every test runs on SQLite and on PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod account;
mod harness;
mod idempotency;
mod market;
mod profile;
mod sandbox;
mod socket;
mod spot;
mod transport;
mod wallet;
