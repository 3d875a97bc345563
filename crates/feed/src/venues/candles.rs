//! The public candles of the venues, fetched by HTTP. Charts show them as the venues' own; they never enter the log.

use std::borrow::Cow;
use std::time::Duration;

use engine::time::{DAY_MS, HOUR_MS, MINUTE_MS};

use super::{Unreadable, from_ms};

/// Candles that each venue returns at once, at least.
pub(super) const ROWS: u64 = 300;
/// The longest answer that is read, bytes. Kraken returns 720 candles, about 60 kilobytes.
const LONGEST: usize = 512 * 1024;
/// Time limit for one whole answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Candle lengths that all venues have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Length {
    Minute,
    Hour,
    /// A UTC day.
    Day,
}

impl Length {
    pub fn ms(self) -> u64 {
        match self {
            Length::Minute => MINUTE_MS,
            Length::Hour => HOUR_MS,
            Length::Day => DAY_MS,
        }
    }
}

/// How a venue is asked for candles.
#[derive(Debug)]
pub(super) struct Candles {
    /// Where.
    pub address: &'static str,
    /// Path and query for a symbol: candles that start from the first of these seconds to the second, at most [`ROWS`].
    pub path: fn(symbol: &str, length: Length, from_s: u64, to_s: u64) -> String,
    /// Reads the answer.
    pub read: for<'a> fn(&'a str) -> Result<Vec<VenueCandle<'a>>, Unreadable>,
}

/// A candle, as reported.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct VenueCandle<'a> {
    pub start_ms: Option<u64>,
    pub open: Cow<'a, str>,
    pub high: Cow<'a, str>,
    pub low: Cow<'a, str>,
    pub close: Cow<'a, str>,
    pub volume: Cow<'a, str>,
}

/// Requests one page after another from a venue.
#[derive(Debug)]
pub(super) struct Asker {
    client: reqwest::Client,
    base: String,
}

impl Asker {
    /// `base` is where its candles are; `None`, and a line in the log, when there is no client.
    pub fn new(base: String) -> Option<Asker> {
        // Another part of the process may have installed the provider already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let built = reqwest::Client::builder().timeout(PATIENCE).redirect(reqwest::redirect::Policy::none()).build();
        match built {
            Ok(client) => Some(Asker { client, base }),
            Err(error) => {
                tracing::error!(%error, "no client for candles");
                None
            }
        }
    }

    /// The answer, if it is successful and not too long.
    pub async fn ask(&self, path: &str) -> Result<String, String> {
        let mut answer = self.client.get(format!("{}{path}", self.base)).send().await.map_err(|error| error.without_url().to_string())?;
        if !answer.status().is_success() {
            return Err(format!("it answers {}", answer.status()));
        }
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await.map_err(|error| error.without_url().to_string())? {
            if body.len() + part.len() > LONGEST {
                return Err("an answer that is too long".to_owned());
            }
            body.extend_from_slice(&part);
        }
        String::from_utf8(body).map_err(|_| "no text".to_owned())
    }
}

/// Seconds as the start of a candle, ms.
pub(super) fn start_of(seconds: u64) -> Option<u64> {
    from_ms(seconds)
}

#[cfg(test)]
mod tests {
    use super::super::VENUES;
    use super::*;

    #[test]
    fn every_venue_is_asked_for_candles_and_understood() {
        let told = |name: &str, text: &str| {
            let venue = VENUES.iter().find(|venue| venue.name == name).unwrap();
            (venue.candles.read)(text).map(|rows| {
                let texts = |row: VenueCandle<'_>| [row.open, row.high, row.low, row.close, row.volume].map(Cow::into_owned);
                rows.into_iter().map(|row| (row.start_ms.unwrap_or(0), texts(row))).collect::<Vec<_>>()
            })
        };
        let one = |figures: [&str; 5]| Ok(vec![(1_764_106_200_000, figures.map(str::to_owned))]);
        let answers = [
            (
                "binance",
                r#"[[1764106200000,"97000.0","97100.0","96900.0","97050.0","12.34500000",1764106259999,"1198080.1",321,"6.1","590000.0","0"]]"#,
                ["97000.0", "97100.0", "96900.0", "97050.0", "12.34500000"],
            ),
            ("coinbase", "[[1764106200,96900.01,97100.0,97000.0,97050.5,12.345]]", ["97000.0", "97100.0", "96900.01", "97050.5", "12.345"]),
            (
                "kraken",
                r#"{"error":[],"result":{"XBTUSDT":[[1764106200,"97000.0","97100.0","96900.0","97050.0","97020.1","12.34500000",42]],"last":1764106140}}"#,
                ["97000.0", "97100.0", "96900.0", "97050.0", "12.34500000"],
            ),
            (
                "okx",
                r#"{"code":"0","msg":"","data":[["1764106200000","97000","97100","96900","97050","12.345","1198080.1","1198080.1","0"]]}"#,
                ["97000", "97100", "96900", "97050", "12.345"],
            ),
            (
                "bybit",
                r#"{"retCode":0,"retMsg":"OK","result":{"category":"spot","symbol":"BTCUSDT","list":[["1764106200000","97000","97100","96900","97050","12.345","1198080.1"]]},"retExtInfo":{},"time":1764106210123}"#,
                ["97000", "97100", "96900", "97050", "12.345"],
            ),
        ];
        for (name, answer, figures) in answers {
            assert_eq!(told(name, answer), one(figures), "{name}");
            for wrong in ["", "null", "7", "{}", r#"{"code":"50011","data":[]}x"#, r#"[["a"]]"#, "<html>"] {
                assert!(told(name, wrong).is_err(), "{name}: {wrong}");
            }
        }
        assert_eq!(told("kraken", r#"{"error":["EGeneral:Too many requests"]}"#), Err(Unreadable));
        assert_eq!(told("okx", r#"{"code":"50011","msg":"Too Many Requests","data":[]}"#), Err(Unreadable));
        assert_eq!(told("bybit", r#"{"retCode":10006,"retMsg":"Too many visits!","result":{}}"#), Err(Unreadable));
    }

    #[test]
    fn every_venue_is_asked_for_minutes_hours_and_days_of_utc() {
        let asked = |name: &str, length| {
            let venue = VENUES.iter().find(|venue| venue.name == name).unwrap();
            (venue.candles.path)(&(venue.symbol)("BTC", "USDT").text, length, 1_764_028_800, 1_764_115_200)
        };
        let expected = [
            ("binance", "/api/v3/klines?symbol=BTCUSDT&interval=1d&startTime=1764028800000&endTime=1764115200000&limit=300"),
            ("coinbase", "/products/BTC-USDT/candles?granularity=86400&start=1764028800&end=1764115200"),
            ("kraken", "/0/public/OHLC?pair=BTCUSDT&interval=1440&since=1764028799"),
            // Its plain day begins at 16:00 UTC.
            ("okx", "/api/v5/market/candles?instId=BTC-USDT&bar=1Dutc&before=1764028799999&after=1764115200001&limit=300"),
            ("bybit", "/v5/market/kline?category=spot&symbol=BTCUSDT&interval=D&start=1764028800000&end=1764115200000&limit=300"),
        ];
        for (name, path) in expected {
            assert_eq!(asked(name, Length::Day), path, "{name}");
        }
        let words = [
            ("binance", "1m&", "1h&"),
            ("coinbase", "=60&", "=3600&"),
            ("kraken", "l=1&", "l=60&"),
            ("okx", "1m&", "1H&"),
            ("bybit", "l=1&", "l=60&"),
        ];
        for (name, minute, hour) in words {
            assert!(asked(name, Length::Minute).contains(minute) && asked(name, Length::Hour).contains(hour), "{name}");
        }
    }
}
