//! OKX spot: the tickers channel, sent with each trade and each change of the best prices, at most ten times a second.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;

use super::candles::{Candles, Length, ROWS, VenueCandle};
use super::{Message, Symbol, Ticker, Unreadable, Venue, from_ms_text};

pub(super) const VENUE: Venue = Venue {
    name: "okx",
    address: "wss://ws.okx.com:8443/ws/v5/public",
    symbol,
    subscribe,
    // The venue closes a connection after 30 quiet seconds.
    ping: Some("ping"),
    candles: Candles { address: "https://www.okx.com", path, read: read_candles },
    read,
};

fn symbol(base: &str, quote: &str) -> Symbol {
    Symbol::straight(format!("{base}-{quote}"))
}

fn subscribe(symbols: &[&str]) -> Vec<String> {
    let ask = |symbol: &&str| json!({"op": "subscribe", "args": [{"channel": "tickers", "instId": symbol}]}).to_string();
    symbols.iter().map(ask).collect()
}

#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(borrow, default)]
    event: Option<Cow<'a, str>>,
    #[serde(default)]
    msg: Option<String>,
    #[serde(borrow, default)]
    data: Option<Vec<Row<'a>>>,
}

#[derive(Deserialize)]
struct Row<'a> {
    #[serde(borrow, rename = "instId")]
    symbol: Cow<'a, str>,
    #[serde(borrow)]
    last: Cow<'a, str>,
    #[serde(borrow, default)]
    ts: Option<Cow<'a, str>>,
}

fn read(text: &str) -> Result<Message<'_>, Unreadable> {
    if text == "pong" {
        return Ok(Message::Alive);
    }
    let told: Frame<'_> = serde_json::from_str(text)?;
    match (told.event.as_deref(), told.data) {
        (None, Some(rows)) => Ok(Message::Tickers(rows.into_iter().map(ticker).collect())),
        (Some("subscribe" | "channel-conn-count"), _) => Ok(Message::Alive),
        (Some("error" | "channel-conn-count-error"), _) => Ok(Message::Refused(told.msg.unwrap_or_default())),
        // The venue sends this before it closes the connection for an upgrade.
        (Some("notice"), _) => Ok(Message::Leaving),
        _ => Err(Unreadable),
    }
}

fn ticker(row: Row<'_>) -> Ticker<'_> {
    Ticker { symbol: row.symbol, price: row.last, time_us: row.ts.as_deref().and_then(from_ms_text), sequence: None }
}

/// Without `utc` its day is a day in Hong Kong.
fn word(length: Length) -> &'static str {
    match length {
        Length::Minute => "1m",
        Length::Hour => "1H",
        Length::Day => "1Dutc",
    }
}

/// It returns what lies between the two, the newest first.
fn path(symbol: &str, length: Length, from_s: u64, to_s: u64) -> String {
    let (before, after) = (from_s.saturating_mul(1_000).saturating_sub(1), to_s.saturating_mul(1_000).saturating_add(1));
    format!("/api/v5/market/candles?instId={symbol}&bar={}&before={before}&after={after}&limit={ROWS}", word(length))
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    code: Cow<'a, str>,
    #[serde(borrow)]
    data: Vec<Candle<'a>>,
}

/// Start, open, high, low, close, volume, twice the value, whether it is over.
#[derive(Deserialize)]
struct Candle<'a>(
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    IgnoredAny,
    IgnoredAny,
    IgnoredAny,
);

fn read_candles(text: &str) -> Result<Vec<VenueCandle<'_>>, Unreadable> {
    let answer: Answer<'_> = serde_json::from_str(text)?;
    if answer.code != "0" {
        return Err(Unreadable);
    }
    let candle =
        |Candle(start, open, high, low, close, volume, ..)| VenueCandle { start_ms: start.parse().ok(), open, high, low, close, volume };
    Ok(answer.data.into_iter().map(candle).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_messages_are_read() {
        let ticker = r#"{"arg":{"channel":"tickers","instId":"BTC-USDT"},"data":[{"instType":"SPOT","instId":"BTC-USDT","last":"97432.2","lastSz":"0.01",
            "askPx":"97432.3","askSz":"11","bidPx":"97432.2","bidSz":"5","open24h":"97000","high24h":"98000","low24h":"96000","volCcy24h":"22",
            "vol24h":"22","sodUtc0":"97000","sodUtc8":"97000","ts":"1764106200123"}]}"#;
        let expected = Ticker { symbol: "BTC-USDT".into(), price: "97432.2".into(), time_us: Some(1_764_106_200_123_000), sequence: None };
        assert_eq!(read(ticker), Ok(Message::Tickers(vec![expected])));
        assert_eq!(read("pong"), Ok(Message::Alive));
        let taken = r#"{"event":"subscribe","arg":{"channel":"tickers","instId":"BTC-USDT"},"connId":"a4d3ae55"}"#;
        assert_eq!(read(taken), Ok(Message::Alive));
        let refused = r#"{"event":"error","code":"60018","msg":"Wrong URL or instId:TOK-USDT doesn't exist","connId":"a4d3ae55"}"#;
        assert_eq!(read(refused), Ok(Message::Refused("Wrong URL or instId:TOK-USDT doesn't exist".to_owned())));
        let leaving =
            r#"{"event":"notice","code":"64008","msg":"The connection will soon be closed for a service upgrade","connId":"a4d3ae55"}"#;
        assert_eq!(read(leaving), Ok(Message::Leaving));
        let wrong =
            ["ping", "{}", r#"{"data":[{"instId":"BTC-USDT","last":97432.2}]}"#, r#"{"data":[{"last":"1"}]}"#, r#"{"event":"login"}"#];
        for wrong in wrong {
            assert_eq!(read(wrong), Err(Unreadable), "{wrong}");
        }
    }
}
