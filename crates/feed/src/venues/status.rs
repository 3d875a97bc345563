//! What is known of venues, for those who watch them.

use engine::amount::Price;
use engine::ids::MarketId;

/// How a connection is.
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
    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Connection::Idle => "idle",
            Connection::Waiting => "waiting",
            Connection::Connecting => "connecting",
            Connection::Open => "open",
        }
    }
}

/// Why a quote was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// No exact price in bounds.
    Price,
    /// Without a time, of another minute, or ahead of our clock.
    Time,
    /// Told before, or older than one that was.
    Order,
}

impl Rejection {
    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Rejection::Price => "price",
            Rejection::Time => "time",
            Rejection::Order => "order",
        }
    }
}

/// What is known of a pair at a venue.
#[derive(Clone, Debug)]
pub struct PairStatus {
    /// The pair.
    pub market: MarketId,
    /// The venue's word for it.
    pub symbol: String,
    /// The venue quotes it the other way round.
    pub inverse: bool,
    /// The last quote that was taken.
    pub price: Option<Price>,
    /// Its age, ms.
    pub age_ms: Option<u64>,
    /// Quotes that were taken since the start.
    pub accepted: u64,
    /// Quotes that were not.
    pub rejected: u64,
    /// Why the last of them was not.
    pub why: Option<Rejection>,
}

/// What is known of a venue.
#[derive(Clone, Debug)]
pub struct SourceStatus {
    /// Its name in the catalogue.
    pub name: &'static str,
    /// How its connection is.
    pub connection: Connection,
    /// For how long, ms.
    pub since_ms: u64,
    /// Connections that were opened since the start.
    pub opened: u64,
    /// Messages of no known form, or about pairs that were not asked for.
    pub strays: u64,
    /// The last thing that went wrong.
    pub fault: Option<String>,
    /// Its pairs.
    pub pairs: Vec<PairStatus>,
}
