//! Wallets, their statements and their value.

pub mod balances;
pub mod export;
pub mod routes;
pub mod statement;
pub mod value_history;
