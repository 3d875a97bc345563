//! Tickets, chat and notices.

pub mod messages;
pub mod notices;
pub mod routes;
