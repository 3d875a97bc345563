//! What the app needs at its start; languages and countries.

pub mod app_config;
pub mod countries;
pub mod routes;
