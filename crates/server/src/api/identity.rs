//! Identity checks and their pictures.

pub mod routes;
pub mod uploads;
pub mod verification;
