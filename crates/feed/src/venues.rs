//! Five large venues whose public tickers make the prices of a live market. [`VENUES`] is the one place where a name of the catalogue becomes a
//! connection: its address, what it is asked, and how its answers are read.
//!
//! A venue is believed in nothing. What it says becomes a quote only if it is about a pair that was asked for, in order, of this minute, and an
//! exact price; the rest is counted. Of the quotes the engine makes the price, so one venue that lies, lags or dies changes nothing.

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

/// A public interface of tickers.
#[derive(Debug)]
pub struct Venue {
    /// Its name in the catalogue.
    pub name: &'static str,
    /// Where it is reached.
    address: &'static str,
    /// What it calls a pair of these coins.
    symbol: fn(base: &str, quote: &str) -> Symbol,
    /// What is sent once the line is open: it asks for the tickers of these symbols.
    subscribe: fn(&[&str]) -> Vec<String>,
    /// What is sent to hear that it lives; `None`: a ping of WebSocket.
    ping: Option<&'static str>,
    /// Its candles.
    candles: candles::Candles,
    /// Reads one message.
    read: for<'a> fn(&'a str) -> Result<Message<'a>, Unreadable>,
}

/// Every venue that this release can read.
pub static VENUES: [Venue; 5] = [binance::VENUE, coinbase::VENUE, kraken::VENUE, okx::VENUE, bybit::VENUE];

/// A venue's word for a pair.
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

/// What one message says.
#[derive(Debug, PartialEq, Eq)]
enum Message<'a> {
    /// The last trade of pairs.
    Tickers(Vec<Ticker<'a>>),
    /// That it lives, or that it heard.
    Alive,
    /// That it does not do what was asked.
    Refused(String),
    /// That it is about to close.
    Leaving,
}

/// The last trade of a pair, as told.
#[derive(Debug, PartialEq, Eq)]
struct Ticker<'a> {
    symbol: Cow<'a, str>,
    price: Cow<'a, str>,
    /// When it was told, microseconds since 1970.
    time_us: Option<u64>,
    /// Its place among the messages of the pair; it never falls within a connection.
    sequence: Option<u64>,
}

/// A message in no form that this venue has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unreadable;

impl From<serde_json::Error> for Unreadable {
    fn from(_: serde_json::Error) -> Unreadable {
        Unreadable
    }
}

/// Milliseconds as microseconds; `None` for what no clock shows.
fn from_ms(ms: u64) -> Option<u64> {
    ms.checked_mul(1_000)
}

/// Milliseconds in a text.
fn from_ms_text(text: &str) -> Option<u64> {
    text.parse().ok().and_then(from_ms)
}
