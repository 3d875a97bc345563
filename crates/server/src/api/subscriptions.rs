//! Subscriptions of new coins.

pub mod offerings;
pub mod orders;
pub mod public;
pub mod routes;
pub mod view;
