//! The interface as callers see it: every test runs on SQLite and on PostgreSQL.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod account;
mod alerts;
#[allow(dead_code, reason = "shared with the tests of the watchers")]
#[path = "../../../chain/tests/support/anvil.rs"]
mod anvil;
mod at_rest;
mod audit;
mod contracts;
mod countries;
mod cut_off;
mod deposits;
mod evidence;
mod exit_kit;
mod files;
mod final_payments;
mod flood;
mod frozen;
mod fund_password;
mod guesses;
mod hand_entries;
mod harness;
mod idempotency;
mod identity;
mod input;
mod listing;
mod live_prices;
mod loans;
mod lockout;
mod market;
mod matrix;
mod messages;
mod news;
mod operator;
mod operator_money;
mod options;
mod outside;
mod owners;
mod payments;
mod people;
mod persons;
mod profile;
mod proof;
mod queues;
mod receipts;
mod refusals;
mod retirement;
mod sandbox;
mod second_factor;
mod security;
mod self_limits;
mod settings;
mod socket;
mod spot;
mod stalls;
mod stats;
mod terms;
mod threats;
mod tie_out;
mod transport;
mod user_search;
mod value_history;
mod wallet;
mod watchers;
mod withdrawals;
