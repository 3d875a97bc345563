//! Time as the log knows it: milliseconds since 1970-01-01T00:00:00Z, and UTC days (T-5).

use serde::{Deserialize, Serialize};

/// One second in milliseconds.
pub const SECOND_MS: u64 = 1_000;
/// One minute in milliseconds.
pub const MINUTE_MS: u64 = 60 * SECOND_MS;
/// One hour in milliseconds.
pub const HOUR_MS: u64 = 60 * MINUTE_MS;
/// One day in milliseconds.
pub const DAY_MS: u64 = 24 * HOUR_MS;

/// An instant: milliseconds since 1970-01-01T00:00:00Z, stamped by the sequencer, never decreasing (T-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Time(pub u64);

impl Time {
    /// UTC day number, `floor(t / 86 400 000)`.
    pub fn day(self) -> u64 {
        self.0 / DAY_MS
    }

    /// True on this UTC day, without a division.
    pub(crate) fn is_on(self, day: u64) -> bool {
        self.0.checked_sub(Time::of_day(day).0).is_some_and(|since| since < DAY_MS)
    }

    /// The start of a UTC day, saturating at the end of time.
    pub(crate) fn of_day(day: u64) -> Time {
        Time(day.saturating_mul(DAY_MS))
    }

    /// The start of the next UTC day.
    pub(crate) fn next_day(self) -> Time {
        Time::of_day(self.day().saturating_add(1))
    }

    /// Milliseconds since `earlier`; 0 if `earlier` is later.
    pub fn since(self, earlier: Time) -> u64 {
        self.0.saturating_sub(earlier.0)
    }

    /// This instant moved forward, saturating at the end of time.
    pub fn plus(self, ms: u64) -> Time {
        Time(self.0.saturating_add(ms))
    }
}
