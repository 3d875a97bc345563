//! Locked plans.

pub mod listed;
pub mod orders;
pub mod promises;
pub mod redeeming;
pub mod report;
pub mod routes;
pub mod view;
