//! Spot orders.

pub mod orders;
pub mod routes;
pub mod view;
