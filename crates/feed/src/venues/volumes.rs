//! What the venues say was traded, by the minute. Their tickers tell sums of 24 hours, of which no minute can be made, so their public candles
//! are asked for by HTTP: the past once, then the newest minutes. It is shown in charts as what it is, unverified, and enters no log.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use engine::amount::Amount;
use engine::ids::MarketId;
use engine::time::MINUTE_MS;

use super::board::Asked;
use super::candles::{Asker, Length, VenueCandle};
use super::connection::Source;

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
    /// For the past of a pair; then it is made of those that answered, if they are enough.
    pub past: Duration,
}

impl Pace {
    /// The pause after so many failures in a row.
    pub(super) fn after(&self, failures: u32) -> Duration {
        self.pause.saturating_mul(1 << failures.min(16)).min(self.longest_pause)
    }
}

impl Default for Pace {
    /// A pair is asked about three times a minute, which is far below what any of them allows.
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

/// How far back is asked at first, seconds: as many minutes as each of them gives at once, also when it counts both ends.
const PAST_S: u64 = 298 * 60;
/// How far back is asked then.
const NEWEST_S: u64 = 180;
/// Minutes that wait to be taken; older ones are asked for again by the next start.
const WAITING: usize = 50_000;

/// What was told and not yet taken.
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

/// Asks one venue for ever. `base` is where its candles are.
pub(super) async fn follow(source: Arc<Source>, base: String, told: Arc<ReportedVolumes>, pace: Pace) {
    let Some(asker) = Asker::new(base) else { return };
    let (mut known, mut failures) = (Vec::new(), 0u32);
    loop {
        for pair in source.pairs() {
            // What is quoted the other way round tells its volume in the other coin.
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

/// The minutes that can be true: whole ones of the time that was asked about, with an amount that a database keeps.
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

/// A decimal in atoms, cut; `None` for what is none, and for more than there can be.
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
