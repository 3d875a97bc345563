//! Conversions of one coin into another.

pub mod commands;
pub mod routes;
pub mod view;
