//! The engine over its journal: one writer brings commands into the log, and everyone reads the state that results.
//!
//! The kernel knows no HTTP, and no SQL other than the journal's. Commands go in through [`sequencer::Sequencer`]; events come out through
//! [`sequencer::Outlets`]. A start goes through [`recovery`].

pub mod catalog_view;
pub mod error;
pub mod journal_clock;
pub mod market_stats;
pub mod recovery;
pub mod replay;
pub mod sequencer;
