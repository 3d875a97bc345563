//! Coinbase Exchange: the ticker channel, sent with each match, and the heartbeat channel once a second.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::candles::{Candles, Length, VenueCandle, start_of};
use super::{Message, Symbol, Ticker, Unreadable, Venue, instant};

pub(super) const VENUE: Venue = Venue {
    name: "coinbase",
    address: "wss://ws-feed.exchange.coinbase.com",
    symbol,
    subscribe,
    ping: None,
    candles: Candles { address: "https://api.exchange.coinbase.com", path, read: read_candles },
    read,
};

/// It has no USDC/USDT, but USDT/USDC.
fn symbol(base: &str, quote: &str) -> Symbol {
    match (base, quote) {
        ("USDC", "USDT") => Symbol { text: "USDT-USDC".to_owned(), inverse: true },
        _ => Symbol::straight(format!("{base}-{quote}")),
    }
}

/// One message per product: it rejects a whole message for one unknown product.
fn subscribe(symbols: &[&str]) -> Vec<String> {
    let ask = |symbol: &&str| json!({"type": "subscribe", "product_ids": [symbol], "channels": ["ticker", "heartbeat"]}).to_string();
    symbols.iter().map(ask).collect()
}

#[derive(Deserialize)]
struct Frame<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    product_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    price: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    time: Option<Cow<'a, str>>,
    #[serde(default)]
    sequence: Option<u64>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    reason: Option<String>,
}

fn read(text: &str) -> Result<Message<'_>, Unreadable> {
    let told: Frame<'_> = serde_json::from_str(text)?;
    match (told.kind.as_ref(), told.product_id, told.price) {
        ("ticker", Some(symbol), Some(price)) => {
            let time_us = told.time.as_deref().and_then(instant::parse);
            Ok(Message::Tickers(vec![Ticker { symbol, price, time_us, sequence: told.sequence }]))
        }
        ("heartbeat" | "subscriptions", ..) => Ok(Message::Alive),
        ("error", ..) => Ok(Message::Refused([told.message, told.reason].into_iter().flatten().collect::<Vec<_>>().join(": "))),
        _ => Err(Unreadable),
    }
}

/// It returns 300 candles, the newest first.
fn path(symbol: &str, length: Length, from_s: u64, to_s: u64) -> String {
    // A request with only one of the two ends is ignored.
    format!("/products/{symbol}/candles?granularity={}&start={from_s}&end={to_s}", length.ms() / 1_000)
}

/// Start, low, high, open, close, volume: JSON numbers, parsed as text.
#[derive(Deserialize)]
struct Row<'a>(
    u64,
    #[serde(borrow)] &'a RawValue,
    #[serde(borrow)] &'a RawValue,
    #[serde(borrow)] &'a RawValue,
    #[serde(borrow)] &'a RawValue,
    #[serde(borrow)] &'a RawValue,
);

fn read_candles(text: &str) -> Result<Vec<VenueCandle<'_>>, Unreadable> {
    let rows: Vec<Row<'_>> = serde_json::from_str(text)?;
    let candle = |Row(start_s, low, high, open, close, volume)| {
        let [open, high, low, close, volume] = [open, high, low, close, volume].map(|number| number.get().into());
        VenueCandle { start_ms: start_of(start_s), open, high, low, close, volume }
    };
    Ok(rows.into_iter().map(candle).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_messages_are_read() {
        let ticker = r#"{"type":"ticker","sequence":37475248783,"product_id":"ETH-USDT","price":"3412.88","open_24h":"3310.79","volume_24h":"245532.79",
            "low_24h":"3300","high_24h":"3450.5","volume_30d":"9788783.6","best_bid":"3412.87","best_bid_size":"0.05","best_ask":"3412.88",
            "best_ask_size":"0.87","side":"buy","time":"2025-11-25T21:30:00.123456Z","trade_id":370843401,"last_size":"11.4"}"#;
        let expected = Ticker {
            symbol: "ETH-USDT".into(),
            price: "3412.88".into(),
            time_us: Some(1_764_106_200_123_456),
            sequence: Some(37_475_248_783),
        };
        assert_eq!(read(ticker), Ok(Message::Tickers(vec![expected])));
        let beat = r#"{"type":"heartbeat","last_trade_id":20,"product_id":"ETH-USDT","sequence":90,"time":"2025-11-25T21:30:00.464459Z"}"#;
        assert_eq!(read(beat), Ok(Message::Alive));
        assert_eq!(read(r#"{"type":"subscriptions","channels":[{"name":"ticker","product_ids":["ETH-USDT"]}]}"#), Ok(Message::Alive));
        let refused = r#"{"type":"error","message":"Failed to subscribe","reason":"TOK-USDT is not a valid product"}"#;
        assert_eq!(read(refused), Ok(Message::Refused("Failed to subscribe: TOK-USDT is not a valid product".to_owned())));
        for wrong in
            ["null", "{}", r#"{"type":"ticker","product_id":"ETH-USDT"}"#, r#"{"type":"l2update"}"#, r#"{"type":"ticker","sequence":-1}"#]
        {
            assert_eq!(read(wrong), Err(Unreadable), "{wrong}");
        }
    }

    #[test]
    fn the_dollar_coins_are_quoted_the_other_way_round() {
        assert_eq!(symbol("USDC", "USDT"), Symbol { text: "USDT-USDC".to_owned(), inverse: true });
        assert_eq!(symbol("BTC", "USDT"), Symbol::straight("BTC-USDT".to_owned()));
    }
}
