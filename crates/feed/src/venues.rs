//! Five large venues whose public tickers make the prices of a live market. [`VENUES`] is the one place where a name of the catalog becomes
//! a connection: its address, what it is asked, and how its answers are parsed.
//!
//! No venue is trusted. What it reports becomes a quote only if it is about a requested pair, in order, of this minute, and an exact price;
//! the rest is counted. The engine computes the price from the quotes, so one venue that lies, lags or dies changes nothing.

pub mod address;
mod binance;
mod board;
mod bybit;
mod candles;
mod coinbase;
mod connection;
mod instant;
mod kraken;
pub mod live;
mod okx;
pub mod past;
mod price;
pub mod status;
pub mod volumes;

use std::borrow::Cow;

/// A venue's public ticker API.
#[derive(Debug)]
pub struct Venue {
    /// Its name in the catalog.
    pub name: &'static str,
    /// Its address.
    address: &'static str,
    /// Its name for a pair of these coins.
    symbol: fn(base: &str, quote: &str) -> Symbol,
    /// Messages sent once the connection is open, to subscribe to the tickers of these symbols.
    subscribe: fn(&[&str]) -> Vec<String>,
    /// Message sent to check that it is alive; `None`: a WebSocket ping.
    ping: Option<&'static str>,
    /// Its candles.
    candles: candles::Candles,
    /// Parses one message.
    read: for<'a> fn(&'a str) -> Result<Message<'a>, Unreadable>,
}

/// Every venue that this release can read.
pub static VENUES: [Venue; 5] = [binance::VENUE, coinbase::VENUE, kraken::VENUE, okx::VENUE, bybit::VENUE];

/// A venue's name for a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Symbol {
    text: String,
    /// It quotes the pair the other way round, so the price is one divided by its own.
    inverse: bool,
}

impl Symbol {
    fn straight(text: String) -> Symbol {
        Symbol { text, inverse: false }
    }
}

/// The content of one message.
#[derive(Debug, PartialEq, Eq)]
enum Message<'a> {
    /// The last trade of pairs.
    Tickers(Vec<Ticker<'a>>),
    /// A sign of life, or an acknowledgement.
    Alive,
    /// A request was refused.
    Refused(String),
    /// The venue is about to close.
    Leaving,
}

/// The last trade of a pair, as reported.
#[derive(Debug, PartialEq, Eq)]
struct Ticker<'a> {
    symbol: Cow<'a, str>,
    price: Cow<'a, str>,
    /// Time reported, microseconds since 1970.
    time_us: Option<u64>,
    /// Its position among the messages of the pair; it never falls within a connection.
    sequence: Option<u64>,
}

/// A message in none of the venue's formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unreadable;

impl From<serde_json::Error> for Unreadable {
    fn from(_: serde_json::Error) -> Unreadable {
        Unreadable
    }
}

/// Milliseconds as microseconds; `None` for an impossible time.
fn from_ms(ms: u64) -> Option<u64> {
    ms.checked_mul(1_000)
}

/// Milliseconds in a text.
fn from_ms_text(text: &str) -> Option<u64> {
    text.parse().ok().and_then(from_ms)
}
