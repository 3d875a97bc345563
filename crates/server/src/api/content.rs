//! News, notices and help.

pub mod news;
pub mod routes;
