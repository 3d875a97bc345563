//! Short-term options.

pub mod orders;
pub mod receipt;
pub mod routes;
pub mod terms;
pub mod view;
