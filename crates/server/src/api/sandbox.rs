//! What only a sandbox has: paper funds, its clock, pinned prices and kept messages.

pub mod inputs;
pub mod outbox;
pub mod routes;
