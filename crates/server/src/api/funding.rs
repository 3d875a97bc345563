//! Deposits and withdrawals.

pub mod addresses;
pub mod cards;
mod deposit_addresses;
pub mod deposits;
pub mod routes;
pub mod withdrawals;
