//! Loans against collateral.

pub mod borrow;
pub mod products;
pub mod routes;
pub mod servicing;
pub mod view;
