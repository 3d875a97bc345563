//! What the venues report as traded, by the minute. Their tickers give sums of 24 hours, from which no minute can be derived, so their
//! public candles are fetched by HTTP: the past once, then the newest minutes. Charts show it as unverified; it never enters the log.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use engine::amount::Amount;
use engine::ids::MarketId;
use engine::time::MINUTE_MS;

use super::board::Asked;
use super::candles::{Asker, Length, VenueCandle};
use super::connection::Source;

/// What one source reports as traded of a pair in a minute.
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

/// Pauses between requests to a venue.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Between one pair and the next.
    pub pair: Duration,
    /// Before the first pair again.
    pub round: Duration,
    /// After a failure; it doubles up to the longest.
    pub pause: Duration,
    /// The longest pause.
    pub longest_pause: Duration,
    /// Time limit for the past of a pair; then it is made from the venues that answered, if they are enough.
    pub past: Duration,
}

impl Pace {
    /// The pause after this many failures in a row.
    pub(super) fn after(&self, failures: u32) -> Duration {
        self.pause.saturating_mul(1 << failures.min(16)).min(self.longest_pause)
    }
}

impl Default for Pace {
    /// A pair is requested three times a minute, far below every venue's limit.
    fn default() -> Pace {
        Pace {
            pair: Duration::from_secs(1),
            round: Duration::from_secs(20),
            pause: Duration::from_secs(30),
            longest_pause: Duration::from_secs(900),
            past: Duration::from_secs(180),
        }
    }
}

/// Time range of the first request, seconds: as many minutes as each venue returns at once, even if it counts both ends.
const PAST_S: u64 = 298 * 60;
/// Time range of later requests.
const NEWEST_S: u64 = 180;
/// Minutes that wait to be taken; older ones are requested again by the next start.
const WAITING: usize = 50_000;

/// Reported but not yet taken.
#[derive(Debug, Default)]
pub(super) struct ReportedVolumes(Mutex<Vec<MinuteVolume>>);

impl ReportedVolumes {
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

/// Requests from one venue for ever. `base` is where its candles are.
pub(super) async fn follow(source: Arc<Source>, base: String, told: Arc<ReportedVolumes>, pace: Pace) {
    let Some(asker) = Asker::new(base) else { return };
    let (mut known, mut failures) = (Vec::new(), 0u32);
    loop {
        for pair in source.pairs() {
            // A pair quoted the other way round has its volume in the other coin.
            if pair.symbol.inverse {
                continue;
            }
            let now_s = source.now_ms() / 1_000;
            let back = if known.contains(&pair) { NEWEST_S } else { PAST_S };
            let path = (source.venue.candles.path)(&pair.symbol.text, Length::Minute, now_s.saturating_sub(back), now_s);
            match asker.ask(&path).await {
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
                    tokio::time::sleep(pace.after(failures)).await;
                }
            }
            tokio::time::sleep(pace.pair).await;
        }
        tokio::time::sleep(pace.round).await;
    }
}

/// The plausible minutes: whole ones of the requested time range, with an amount that a database can store.
fn minutes(source: &Source, pair: &Asked, text: &str) -> Vec<MinuteVolume> {
    let now_ms = source.now_ms();
    let range = now_ms.saturating_sub((PAST_S + 60) * 1_000)..=now_ms;
    let rows = (source.venue.candles.read)(text).unwrap_or_default();
    let minute = |row: VenueCandle<'_>| {
        let start_ms = row.start_ms.filter(|start| start.is_multiple_of(MINUTE_MS) && range.contains(start))?;
        let volume = atoms(&row.volume, pair.scale)?;
        Some(MinuteVolume { market: pair.market, source: source.venue.name, start_ms, volume })
    };
    rows.into_iter().filter_map(minute).collect()
}

/// A decimal in atoms, rounded down; `None` for other texts, and for impossible amounts.
fn atoms(text: &str, scale: u8) -> Option<Amount> {
    let end = text.find('.').map_or(text.len(), |at| at + 1 + usize::from(scale)).min(text.len());
    let (kept, rest) = text.split_at_checked(end)?;
    if !rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    engine::amount::parse_decimal(kept.trim_end_matches('.'), scale, engine::amount::MAX_AMOUNT).ok()
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
}
