//! Subscriptions of new coins.

pub mod offerings;
pub mod orders;
pub mod routes;
pub mod view;
