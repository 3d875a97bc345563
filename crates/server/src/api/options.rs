//! Short-term options.

pub mod orders;
pub mod routes;
pub mod terms;
pub mod view;
