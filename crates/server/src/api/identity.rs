//! Identity checks and the pictures that belong to them.

pub mod routes;
pub mod uploads;
pub mod verification;
