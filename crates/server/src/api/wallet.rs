//! Wallets, their statements and their value.

pub mod balances;
pub mod export;
mod open_value;
pub mod routes;
pub mod statement;
pub mod value_history;
