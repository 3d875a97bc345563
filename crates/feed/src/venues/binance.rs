//! Binance spot: the 24-hour ticker of a symbol, sent once a second.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::candles::{Candles, Length, ROWS, VenueCandle};
use super::{Message, Symbol, Ticker, Unreadable, Venue, from_ms};

pub(super) const VENUE: Venue = Venue {
    name: "binance",
    // This address serves market data only.
    address: "wss://data-stream.binance.vision/ws",
    symbol,
    subscribe,
    // The venue sends pings, and the library answers them.
    ping: None,
    candles: Candles { address: "https://data-api.binance.vision", path, read: read_candles },
    read,
};

fn symbol(base: &str, quote: &str) -> Symbol {
    Symbol::straight(format!("{base}{quote}"))
}

/// One message for all symbols: it accepts at most five messages a second.
fn subscribe(symbols: &[&str]) -> Vec<String> {
    let streams: Vec<String> = symbols.iter().map(|symbol| format!("{}@ticker", symbol.to_ascii_lowercase())).collect();
    vec![serde_json::json!({"method": "SUBSCRIBE", "params": streams, "id": 1}).to_string()]
}

#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(borrow, default)]
    e: Option<Cow<'a, str>>,
    #[serde(rename = "E", default)]
    time_ms: Option<u64>,
    #[serde(borrow, default)]
    s: Option<Cow<'a, str>>,
    /// Price of the last trade.
    #[serde(borrow, default)]
    c: Option<Cow<'a, str>>,
    #[serde(default)]
    error: Option<Fault>,
    #[serde(default)]
    id: Option<u64>,
}

#[derive(Deserialize)]
struct Fault {
    msg: String,
}

fn read(text: &str) -> Result<Message<'_>, Unreadable> {
    let told: Frame<'_> = serde_json::from_str(text)?;
    match (told.e.as_deref(), told.s, told.c) {
        (Some("24hrTicker"), Some(symbol), Some(price)) => {
            Ok(Message::Tickers(vec![Ticker { symbol, price, time_us: told.time_ms.and_then(from_ms), sequence: None }]))
        }
        (Some("serverShutdown"), ..) => Ok(Message::Leaving),
        (None, ..) if told.error.is_some() => Ok(Message::Refused(told.error.map(|fault| fault.msg).unwrap_or_default())),
        (None, ..) if told.id.is_some() => Ok(Message::Alive),
        _ => Err(Unreadable),
    }
}

fn word(length: Length) -> &'static str {
    match length {
        Length::Minute => "1m",
        Length::Hour => "1h",
        Length::Day => "1d",
    }
}

fn path(symbol: &str, length: Length, from_s: u64, to_s: u64) -> String {
    let [from_ms, to_ms] = [from_s, to_s].map(|seconds| seconds.saturating_mul(1_000));
    format!("/api/v3/klines?symbol={symbol}&interval={}&startTime={from_ms}&endTime={to_ms}&limit={ROWS}", word(length))
}

/// Start, open, high, low, close, volume, end, and what follows.
#[derive(Deserialize)]
struct Row<'a>(
    u64,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    IgnoredAny,
    IgnoredAny,
    IgnoredAny,
    IgnoredAny,
    IgnoredAny,
    IgnoredAny,
);

fn read_candles(text: &str) -> Result<Vec<VenueCandle<'_>>, Unreadable> {
    let rows: Vec<Row<'_>> = serde_json::from_str(text)?;
    let candle =
        |Row(start_ms, open, high, low, close, volume, ..)| VenueCandle { start_ms: Some(start_ms), open, high, low, close, volume };
    Ok(rows.into_iter().map(candle).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_messages_are_read() {
        let ticker = r#"{"e":"24hrTicker","E":1764106200123,"s":"BTCUSDT","p":"-94.99","P":"-0.1","w":"97400.1","x":"97527.1","c":"97432.15000000",
            "Q":"0.01","b":"97432.14","B":"3.1","a":"97432.15","A":"1.2","o":"97527.14","h":"98000.00","l":"96000.00","v":"12345.1","q":"1.2","O":1764019800123,
            "C":1764106200123,"F":1,"L":18150,"n":18151}"#;
        let expected =
            Ticker { symbol: "BTCUSDT".into(), price: "97432.15000000".into(), time_us: Some(1_764_106_200_123_000), sequence: None };
        assert_eq!(read(ticker), Ok(Message::Tickers(vec![expected])));
        assert_eq!(read(r#"{"result":null,"id":1}"#), Ok(Message::Alive));
        assert_eq!(read(r#"{"error":{"code":2,"msg":"Invalid request"},"id":1}"#), Ok(Message::Refused("Invalid request".to_owned())));
        assert_eq!(read(r#"{"e":"serverShutdown","E":1764106200123}"#), Ok(Message::Leaving));
        for wrong in ["", "[]", "{}", r#"{"e":"24hrTicker"}"#, r#"{"e":"24hrTicker","s":"BTCUSDT","c":97432.15}"#, r#"{"e":"trade"}"#] {
            assert_eq!(read(wrong), Err(Unreadable), "{wrong}");
        }
    }

    #[test]
    fn it_is_asked_for_all_at_once() {
        let [asked] = subscribe(&["BTCUSDT", "USDCUSDT"]).try_into().unwrap();
        let expected = serde_json::json!({"method": "SUBSCRIBE", "params": ["btcusdt@ticker", "usdcusdt@ticker"], "id": 1});
        assert_eq!(serde_json::from_str::<serde_json::Value>(&asked).unwrap(), expected);
    }
}
