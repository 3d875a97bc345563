//! Kraken spot, version 2 of its API: the ticker channel, sent with each change of the best prices. Its prices are JSON numbers; their text
//! is parsed, never a float.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;
use serde_json::value::RawValue;

use super::candles::{Candles, Length, VenueCandle, start_of};
use super::{Message, Symbol, Ticker, Unreadable, Venue, instant};

pub(super) const VENUE: Venue = Venue {
    name: "kraken",
    address: "wss://ws.kraken.com/v2",
    symbol,
    subscribe,
    ping: Some(r#"{"method":"ping"}"#),
    candles: Candles { address: "https://api.kraken.com", path, read: read_candles },
    read,
};

fn symbol(base: &str, quote: &str) -> Symbol {
    Symbol::straight(format!("{base}/{quote}"))
}

/// One message for all symbols: each is answered separately.
fn subscribe(symbols: &[&str]) -> Vec<String> {
    vec![json!({"method": "subscribe", "params": {"channel": "ticker", "symbol": symbols, "event_trigger": "bbo"}}).to_string()]
}

#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(borrow, default)]
    channel: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(default)]
    success: Option<bool>,
    #[serde(default)]
    error: Option<String>,
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Row<'a> {
    #[serde(borrow)]
    symbol: Cow<'a, str>,
    #[serde(borrow)]
    last: &'a RawValue,
    #[serde(borrow, default)]
    timestamp: Option<Cow<'a, str>>,
}

fn read(text: &str) -> Result<Message<'_>, Unreadable> {
    let told: Frame<'_> = serde_json::from_str(text)?;
    match (told.channel.as_deref(), told.method, told.data) {
        (Some("ticker"), _, Some(data)) => {
            let rows: Vec<Row<'_>> = serde_json::from_str(data.get())?;
            Ok(Message::Tickers(rows.into_iter().map(ticker).collect()))
        }
        (Some("heartbeat" | "status"), ..) => Ok(Message::Alive),
        (None, Some(_), _) if told.success == Some(false) => Ok(Message::Refused(told.error.unwrap_or_default())),
        (None, Some(_), _) => Ok(Message::Alive),
        _ => Err(Unreadable),
    }
}

fn ticker(row: Row<'_>) -> Ticker<'_> {
    let time_us = row.timestamp.as_deref().and_then(instant::parse);
    // A price in quotes is read as the same number.
    Ticker { symbol: row.symbol, price: row.last.get().trim_matches('"').into(), time_us, sequence: None }
}

/// Over HTTP it takes a symbol without its slash. It returns the newest 720 since then, however long ago that is.
fn path(symbol: &str, length: Length, from_s: u64, _to_s: u64) -> String {
    let since = from_s.saturating_sub(1);
    format!("/0/public/OHLC?pair={}&interval={}&since={since}", symbol.replace('/', ""), length.ms() / 60_000)
}

#[derive(Deserialize)]
struct Answer<'a> {
    error: Vec<IgnoredAny>,
    /// The candles under its own name of the pair, and the second of the last one.
    #[serde(borrow, default)]
    result: Option<BTreeMap<Cow<'a, str>, &'a RawValue>>,
}

/// Start, open, high, low, close, average, volume, trades.
#[derive(Deserialize)]
struct Candle<'a>(
    u64,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    IgnoredAny,
    #[serde(borrow)] Cow<'a, str>,
    IgnoredAny,
);

fn read_candles(text: &str) -> Result<Vec<VenueCandle<'_>>, Unreadable> {
    let answer: Answer<'_> = serde_json::from_str(text)?;
    let result = answer.result.filter(|_| answer.error.is_empty()).ok_or(Unreadable)?;
    let (_, rows) = result.into_iter().find(|(name, _)| name != "last").ok_or(Unreadable)?;
    let rows: Vec<Candle<'_>> = serde_json::from_str(rows.get())?;
    let candle =
        |Candle(start_s, open, high, low, close, _, volume, _)| VenueCandle { start_ms: start_of(start_s), open, high, low, close, volume };
    Ok(rows.into_iter().map(candle).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_messages_are_read() {
        let ticker = r#"{"channel":"ticker","type":"update","data":[{"symbol":"BTC/USDT","bid":97431.9,"bid_qty":5.4,"ask":97432.0,"ask_qty":0.3,
            "last":97431.95,"volume":217.1,"vwap":97020.1,"low":96100.0,"high":98000.0,"change":120.1,"change_pct":0.12,
            "timestamp":"2025-11-25T21:30:00.123456Z"}]}"#;
        let expected = Ticker { symbol: "BTC/USDT".into(), price: "97431.95".into(), time_us: Some(1_764_106_200_123_456), sequence: None };
        assert_eq!(read(ticker), Ok(Message::Tickers(vec![expected])));
        assert_eq!(read(r#"{"channel":"heartbeat"}"#), Ok(Message::Alive));
        assert_eq!(read(r#"{"channel":"status","type":"update","data":[{"system":"online","api_version":"v2"}]}"#), Ok(Message::Alive));
        assert_eq!(read(r#"{"method":"pong","time_in":"2025-11-25T21:30:00.1Z","time_out":"2025-11-25T21:30:00.1Z"}"#), Ok(Message::Alive));
        let taken = r#"{"method":"subscribe","result":{"channel":"ticker","symbol":"BTC/USDT","snapshot":true},"success":true}"#;
        assert_eq!(read(taken), Ok(Message::Alive));
        let refused = r#"{"error":"Currency pair not supported TOK/USDT","method":"subscribe","success":false,"symbol":"TOK/USDT"}"#;
        assert_eq!(read(refused), Ok(Message::Refused("Currency pair not supported TOK/USDT".to_owned())));
        for wrong in [
            "7",
            "{}",
            r#"{"channel":"ticker"}"#,
            r#"{"channel":"ticker","data":[{"symbol":"BTC/USDT"}]}"#,
            r#"{"channel":"book","data":[]}"#,
        ] {
            assert_eq!(read(wrong), Err(Unreadable), "{wrong}");
        }
    }

    #[test]
    fn a_price_keeps_the_digits_that_were_sent() {
        for sent in ["97431.123456789012345", "1e3", "-1", "NaN", "0.1000"] {
            let text = format!(r#"{{"channel":"ticker","data":[{{"symbol":"BTC/USDT","last":{sent}}}]}}"#);
            match read(&text) {
                Ok(Message::Tickers(rows)) => assert_eq!(rows[0].price, sent),
                other => assert_eq!((sent, other), ("NaN", Err(Unreadable))),
            }
        }
    }
}
