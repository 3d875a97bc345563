//! Public market data.

pub mod alerts;
pub mod chart;
pub mod favourites;
pub mod movements;
pub mod pools;
pub mod price_record;
pub mod quotes;
pub mod routes;
pub mod stats;
pub mod volumes;
