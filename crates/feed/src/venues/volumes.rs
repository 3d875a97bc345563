//! What the venues say was traded, by the minute. Their tickers tell sums of 24 hours, of which no minute can be made, so their public candles
//! are asked for by HTTP: the past once, then the newest minutes. It is shown in charts as what it is, unverified, and enters no log.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use engine::amount::Amount;
use engine::ids::MarketId;
use engine::time::MINUTE_MS;

use super::board::Asked;
use super::connection::Source;
use super::{Unreadable, from_ms};

/// What one source says was traded of a pair in a minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinuteVolume {
    /// Pair.
    pub market: MarketId,
    /// Name of the source.
    pub source: &'static str,
    /// Start of the minute, ms.
    pub start_ms: u64,
    /// Base atoms.
    pub volume: Amount,
}

/// How a venue is asked for the candles of a minute.
#[derive(Debug)]
pub(super) struct Candles {
    /// Where.
    pub address: &'static str,
    /// Path and query for a symbol, from this second on.
    pub path: fn(symbol: &str, from_s: u64) -> String,
    /// Reads the answer.
    pub read: for<'a> fn(&'a str) -> Result<Vec<Minute<'a>>, Unreadable>,
}

/// The volume of a minute, as told.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Minute<'a> {
    pub start_ms: Option<u64>,
    pub volume: Cow<'a, str>,
}

/// Between two looks at a venue.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// At one pair, and then at the next.
    pub pair: Duration,
    /// At the first pair again.
    pub round: Duration,
    /// After a failure; it doubles up to the longest.
    pub pause: Duration,
    /// The longest pause.
    pub longest_pause: Duration,
}

impl Default for Pace {
    /// A pair is asked about three times a minute, which is far below what any of them allows.
    fn default() -> Pace {
        Pace {
            pair: Duration::from_secs(1),
            round: Duration::from_secs(20),
            pause: Duration::from_secs(30),
            longest_pause: Duration::from_secs(900),
        }
    }
}

/// The longest answer that is read, bytes. Kraken gives 720 candles, which have 60 kilobytes.
const LONGEST: usize = 512 * 1024;
/// For the whole of one answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How far back is asked at first, seconds: as much as each of them gives at once.
const PAST_S: u64 = 5 * 3_600;
/// How far back is asked then.
const NEWEST_S: u64 = 180;
/// Minutes that wait to be taken; older ones are asked for again by the next start.
const WAITING: usize = 50_000;

/// What was told and not yet taken.
#[derive(Debug, Default)]
pub(super) struct Told(Mutex<Vec<MinuteVolume>>);

impl Told {
    pub fn take(&self) -> Vec<MinuteVolume> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, more: Vec<MinuteVolume>) {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() + more.len() <= WAITING {
            told.extend(more);
        }
    }
}

/// Asks one venue for ever. `base` is where its candles are.
pub(super) async fn follow(source: Arc<Source>, base: String, told: Arc<Told>, pace: Pace) {
    // Another part of the process may have installed the same provider before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let built = reqwest::Client::builder().timeout(PATIENCE).redirect(reqwest::redirect::Policy::none()).build();
    let client = match built {
        Ok(client) => client,
        Err(error) => return tracing::error!(%error, "no client for candles"),
    };
    let (mut known, mut failures) = (Vec::new(), 0u32);
    loop {
        for pair in source.pairs() {
            // What is quoted the other way round tells its volume in the other coin.
            if pair.symbol.inverse {
                continue;
            }
            let now_s = source.now_ms() / 1_000;
            let back = if known.contains(&pair) { NEWEST_S } else { PAST_S };
            let url = format!("{base}{}", (source.venue.candles.path)(&pair.symbol.text, now_s.saturating_sub(back)));
            match ask(&client, &url).await {
                Ok(text) => {
                    failures = 0;
                    told.add(minutes(&source, &pair, &text));
                    if !known.contains(&pair) {
                        known.push(pair);
                    }
                }
                Err(why) => {
                    failures += 1;
                    tracing::debug!(venue = source.venue.name, why, "no candles");
                    tokio::time::sleep(pace.pause.saturating_mul(1 << failures.min(16)).min(pace.longest_pause)).await;
                }
            }
            tokio::time::sleep(pace.pair).await;
        }
        tokio::time::sleep(pace.round).await;
    }
}

/// The answer, if it is a good one and not too long.
async fn ask(client: &reqwest::Client, url: &str) -> Result<String, String> {
    let mut answer = client.get(url).send().await.map_err(|error| error.without_url().to_string())?;
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

/// The minutes that can be true: whole ones of the time that was asked about, with an amount that a database keeps.
fn minutes(source: &Source, pair: &Asked, text: &str) -> Vec<MinuteVolume> {
    let now_ms = source.now_ms();
    let range = now_ms.saturating_sub((PAST_S + 60) * 1_000)..=now_ms;
    let rows = (source.venue.candles.read)(text).unwrap_or_default();
    let minute = |row: Minute<'_>| {
        let start_ms = row.start_ms.filter(|start| start.is_multiple_of(MINUTE_MS) && range.contains(start))?;
        let volume = atoms(&row.volume, pair.scale)?;
        Some(MinuteVolume { market: pair.market, source: source.venue.name, start_ms, volume })
    };
    rows.into_iter().filter_map(minute).collect()
}

/// A decimal in atoms, cut; `None` for what is none, and for more than there can be.
fn atoms(text: &str, scale: u8) -> Option<Amount> {
    let end = text.find('.').map_or(text.len(), |at| at + 1 + usize::from(scale)).min(text.len());
    let (kept, rest) = text.split_at_checked(end)?;
    if !rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    engine::amount::parse_decimal(kept.trim_end_matches('.'), scale, engine::amount::MAX_AMOUNT).ok()
}

/// Seconds as the start of a minute, ms.
pub(super) fn start_of(seconds: u64) -> Option<u64> {
    from_ms(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_volume_is_cut_to_atoms_or_is_none() {
        for (text, scale, expected) in
            [("1.5", 8, 150_000_000), ("0", 8, 0), ("12.3456789", 6, 12_345_678), ("7", 2, 700), ("1.", 2, 100), ("0.1", 0, 0)]
        {
            assert_eq!(atoms(text, scale), Some(expected), "{text}");
        }
        for text in ["", "-1", "1e-7", "NaN", "1.2.3", "1.23456789x", "1,5", "99999999999999999999", "1.é23456789"] {
            assert_eq!(atoms(text, 8), None, "{text}");
        }
    }

    #[test]
    fn every_venue_is_asked_for_minutes_and_understood() {
        let told = |name: &str, text: &str| {
            let venue = super::super::VENUES.iter().find(|venue| venue.name == name).unwrap();
            (venue.candles.read)(text)
                .map(|rows| rows.into_iter().map(|row| (row.start_ms.unwrap_or(0), row.volume.into_owned())).collect::<Vec<_>>())
        };
        let one = |volume: &str| Ok(vec![(1_764_106_200_000, volume.to_owned())]);
        let answers = [
            (
                "binance",
                r#"[[1764106200000,"97000.0","97100.0","96900.0","97050.0","12.34500000",1764106259999,"1198080.1",321,"6.1","590000.0","0"]]"#,
                "12.34500000",
            ),
            ("coinbase", "[[1764106200,96900.01,97100.0,97000.0,97050.5,12.345]]", "12.345"),
            (
                "kraken",
                r#"{"error":[],"result":{"XBTUSDT":[[1764106200,"97000.0","97100.0","96900.0","97050.0","97020.1","12.34500000",42]],"last":1764106140}}"#,
                "12.34500000",
            ),
            (
                "okx",
                r#"{"code":"0","msg":"","data":[["1764106200000","97000","97100","96900","97050","12.345","1198080.1","1198080.1","0"]]}"#,
                "12.345",
            ),
            (
                "bybit",
                r#"{"retCode":0,"retMsg":"OK","result":{"category":"spot","symbol":"BTCUSDT","list":[["1764106200000","97000","97100","96900","97050","12.345","1198080.1"]]},"retExtInfo":{},"time":1764106210123}"#,
                "12.345",
            ),
        ];
        for (name, answer, volume) in answers {
            assert_eq!(told(name, answer), one(volume), "{name}");
            for wrong in ["", "null", "7", "{}", r#"{"code":"50011","data":[]}x"#, r#"[["a"]]"#, "<html>"] {
                assert!(told(name, wrong).is_err(), "{name}: {wrong}");
            }
        }
        assert_eq!(told("kraken", r#"{"error":["EGeneral:Too many requests"]}"#), Err(Unreadable));
        assert_eq!(told("okx", r#"{"code":"50011","msg":"Too Many Requests","data":[]}"#), Err(Unreadable));
        assert_eq!(told("bybit", r#"{"retCode":10006,"retMsg":"Too many visits!","result":{}}"#), Err(Unreadable));
    }
}
