//! Spot orders.

pub mod changes;
pub mod orders;
pub mod routes;
pub mod view;
