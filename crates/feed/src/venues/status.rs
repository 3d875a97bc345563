//! The state of the venues, for monitoring.

use engine::amount::Price;
use engine::ids::MarketId;

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// No index names this venue.
    Idle,
    /// It failed, and the next attempt is not yet due.
    Waiting,
    /// It is being opened.
    Connecting,
    /// It is open.
    Open,
}

impl Connection {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Connection::Idle => "idle",
            Connection::Waiting => "waiting",
            Connection::Connecting => "connecting",
            Connection::Open => "open",
        }
    }
}

/// Why a quote was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// No exact price in bounds.
    Price,
    /// Without a time, from another minute, or ahead of our clock.
    Time,
    /// Seen before, or older than an earlier one.
    Order,
}

impl Rejection {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rejection::Price => "price",
            Rejection::Time => "time",
            Rejection::Order => "order",
        }
    }
}

/// The state of a pair at a venue.
#[derive(Clone, Debug)]
pub struct PairStatus {
    /// The pair.
    pub market: MarketId,
    /// The venue's name for it.
    pub symbol: String,
    /// The venue quotes it the other way round.
    pub inverse: bool,
    /// The last accepted quote.
    pub price: Option<Price>,
    /// Its age, ms.
    pub age_ms: Option<u64>,
    /// Quotes accepted since the start.
    pub accepted: u64,
    /// Quotes rejected.
    pub rejected: u64,
    /// Why the last rejected one was rejected.
    pub why: Option<Rejection>,
}

/// The state of a venue.
#[derive(Clone, Debug)]
pub struct SourceStatus {
    /// Its name in the catalog.
    pub name: &'static str,
    /// The state of its connection.
    pub connection: Connection,
    /// For how long, ms.
    pub since_ms: u64,
    /// Connections opened since the start.
    pub opened: u64,
    /// Messages of unknown form, or about pairs that were not requested.
    pub strays: u64,
    /// The last thing that went wrong.
    pub fault: Option<String>,
    /// Its pairs.
    pub pairs: Vec<PairStatus>,
}
