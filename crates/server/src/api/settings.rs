//! What the app must know at its start, languages and countries.

pub mod app_config;
pub mod countries;
pub mod routes;
