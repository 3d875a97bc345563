//! The engine over its journal: one writer brings commands into the log, everybody reads the state that the log gives.
//!
//! It knows neither HTTP nor SQL beside the journal's. A command goes in through [`sequencer::Sequencer`]; what the entries made known
//! comes out through [`sequencer::Outlets`]. A start goes through [`recovery`].

pub mod catalog_view;
pub mod error;
pub mod journal_clock;
pub mod market_stats;
pub mod recovery;
pub mod replay;
pub mod sequencer;
