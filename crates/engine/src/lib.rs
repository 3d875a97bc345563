//! The money rules of Meridian: a pure state machine over an ordered log.
//!
//! [`Engine::apply`] takes one [`Entry`](command::Entry) after the other; the same entries give the same state, byte for byte, on every machine.
//! Nothing here reads a clock, a file, a random number or a float. First come read-only guards in their documented order, then changes
//! that cannot fail. Rule ids (`S-3`, `X-6`) and bare section numbers (`4.6`) are those of `docs/rules.md`.

#![deny(
    clippy::float_arithmetic,
    clippy::as_conversions,
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants,
    missing_docs
)]
#![deny(clippy::disallowed_types, clippy::disallowed_methods)]
// Sums and products that can overflow are refused, end at a stated bound, or name the rule that bounds them (`exact.rs`).
#![cfg_attr(not(test), deny(clippy::arithmetic_side_effects))]

pub mod amount;
pub mod backoffice;
pub mod candles;
pub mod catalog;
pub mod codec;
mod column;
pub mod command;
pub mod contracts;
pub mod convert;
mod engine;
pub mod event;
mod exact;
pub mod feature;
pub mod funding;
pub mod identity;
pub mod ids;
pub mod index;
pub mod ledger;
pub mod liabilities;
mod limit;
pub mod listing;
pub mod loans;
mod members;
pub mod operators;
pub mod options;
pub mod plans;
pub mod pool_day;
pub mod product;
pub mod published;
pub mod referral;
pub mod reject;
pub mod reply;
pub mod requests;
pub mod scheduler;
pub mod security;
pub mod self_limits;
pub mod spot;
pub mod subscriptions;
pub mod time;
pub mod units;
mod wallets;

pub use engine::{Engine, LONGEST_CLOCK_STEP_MS, exposure, snapshot};
