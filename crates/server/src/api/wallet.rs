//! Wallets, their statements, their value and their cost.

pub mod balances;
pub mod costs;
pub mod export;
mod open_value;
pub mod routes;
pub mod statement;
pub mod value_history;
