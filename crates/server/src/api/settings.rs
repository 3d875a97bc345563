//! What the app must know at its start, languages, countries and what a country has.

pub mod app_config;
pub mod countries;
pub mod country_defaults;
pub mod country_policy;
pub mod routes;
