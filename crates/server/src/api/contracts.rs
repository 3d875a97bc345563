//! Leveraged contracts.

pub mod commands;
pub mod deal;
pub mod list;
pub mod receipt;
pub mod routes;
pub mod view;
