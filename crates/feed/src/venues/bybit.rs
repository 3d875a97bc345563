//! Bybit spot, version 5 of its API: the tickers topic, sent at most twenty times a second, always complete.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;

use super::candles::{Candles, Length, ROWS, VenueCandle};
use super::{Message, Symbol, Ticker, Unreadable, Venue, from_ms};

pub(super) const VENUE: Venue = Venue {
    name: "bybit",
    address: "wss://stream.bybit.com/v5/public/spot",
    symbol,
    subscribe,
    // The venue asks for a ping every 20 seconds.
    ping: Some(r#"{"op":"ping"}"#),
    candles: Candles { address: "https://api.bybit.com", path, read: read_candles },
    read,
};

fn symbol(base: &str, quote: &str) -> Symbol {
    Symbol::straight(format!("{base}{quote}"))
}

/// One message per topic: it rejects a whole message for one unknown topic.
fn subscribe(symbols: &[&str]) -> Vec<String> {
    symbols.iter().map(|symbol| json!({"op": "subscribe", "args": [format!("tickers.{symbol}")]}).to_string()).collect()
}

#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(borrow, default)]
    topic: Option<Cow<'a, str>>,
    #[serde(default)]
    ts: Option<u64>,
    /// It grows across the whole venue, so two tickers may have the same.
    #[serde(default)]
    cs: Option<u64>,
    #[serde(borrow, default)]
    data: Option<Row<'a>>,
    #[serde(borrow, default)]
    op: Option<Cow<'a, str>>,
    #[serde(default)]
    success: Option<bool>,
    #[serde(default)]
    ret_msg: Option<String>,
}

#[derive(Deserialize)]
struct Row<'a> {
    #[serde(borrow)]
    symbol: Cow<'a, str>,
    #[serde(borrow, rename = "lastPrice")]
    last: Cow<'a, str>,
}

fn read(text: &str) -> Result<Message<'_>, Unreadable> {
    let told: Frame<'_> = serde_json::from_str(text)?;
    match (told.topic, told.data) {
        (Some(topic), Some(row)) if topic.strip_prefix("tickers.") == Some(row.symbol.as_ref()) => {
            let time_us = told.ts.and_then(from_ms);
            Ok(Message::Tickers(vec![Ticker { symbol: row.symbol, price: row.last, time_us, sequence: told.cs }]))
        }
        (None, _) if told.op.is_some() && told.success == Some(false) => Ok(Message::Refused(told.ret_msg.unwrap_or_default())),
        (None, _) if told.op.is_some() => Ok(Message::Alive),
        _ => Err(Unreadable),
    }
}

fn word(length: Length) -> &'static str {
    match length {
        Length::Minute => "1",
        Length::Hour => "60",
        Length::Day => "D",
    }
}

fn path(symbol: &str, length: Length, from_s: u64, to_s: u64) -> String {
    let [from_ms, to_ms] = [from_s, to_s].map(|seconds| seconds.saturating_mul(1_000));
    format!("/v5/market/kline?category=spot&symbol={symbol}&interval={}&start={from_ms}&end={to_ms}&limit={ROWS}", word(length))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    ret_code: i64,
    #[serde(borrow)]
    result: Listed<'a>,
}

#[derive(Deserialize)]
struct Listed<'a> {
    #[serde(borrow)]
    list: Vec<Candle<'a>>,
}

/// Start, open, high, low, close, volume, value.
#[derive(Deserialize)]
struct Candle<'a>(
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    IgnoredAny,
);

fn read_candles(text: &str) -> Result<Vec<VenueCandle<'_>>, Unreadable> {
    let answer: Answer<'_> = serde_json::from_str(text)?;
    if answer.ret_code != 0 {
        return Err(Unreadable);
    }
    let candle =
        |Candle(start, open, high, low, close, volume, _)| VenueCandle { start_ms: start.parse().ok(), open, high, low, close, volume };
    Ok(answer.result.list.into_iter().map(candle).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_messages_are_read() {
        let ticker = r#"{"topic":"tickers.BTCUSDT","ts":1764106200123,"type":"snapshot","cs":2588407389,"data":{"symbol":"BTCUSDT","lastPrice":"97432.77",
            "highPrice24h":"98000","lowPrice24h":"96000","prevPrice24h":"97000","volume24h":"6780.8","turnover24h":"143","price24hPcnt":"0.0196",
            "usdIndexPrice":"97400.7"}}"#;
        let expected = Ticker {
            symbol: "BTCUSDT".into(),
            price: "97432.77".into(),
            time_us: Some(1_764_106_200_123_000),
            sequence: Some(2_588_407_389),
        };
        assert_eq!(read(ticker), Ok(Message::Tickers(vec![expected])));
        assert_eq!(read(r#"{"success":true,"ret_msg":"pong","conn_id":"0970e817","op":"ping"}"#), Ok(Message::Alive));
        assert_eq!(read(r#"{"success":true,"ret_msg":"subscribe","conn_id":"0970e817","op":"subscribe"}"#), Ok(Message::Alive));
        let refused = r#"{"success":false,"ret_msg":"Invalid symbol :[tickers.TOKUSDT]","conn_id":"0970e817","op":"subscribe"}"#;
        assert_eq!(read(refused), Ok(Message::Refused("Invalid symbol :[tickers.TOKUSDT]".to_owned())));
        let other = r#"{"topic":"tickers.BTCUSDT","ts":1764106200123,"data":{"symbol":"ETHUSDT","lastPrice":"97432.77"}}"#;
        for wrong in ["{", "{}", other, r#"{"topic":"tickers.BTCUSDT","ts":1764106200123,"data":{"symbol":"BTCUSDT"}}"#] {
            assert_eq!(read(wrong), Err(Unreadable), "{wrong}");
        }
    }
}
