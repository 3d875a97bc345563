//! The time that entries are stamped with: the wall clock, guarded against jumps, plus what a sandbox pushed it forward.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::time::Time;

use crate::app::Clock;

/// A difference beyond this between the wall clock and the monotonic one is a jump, ms.
const JUMP_MS: u64 = 60_000;
/// A jump forward is followed after it has stood for this long; one bad reading must not age everything at once.
const FOLLOW_AFTER: Duration = Duration::from_secs(60);

/// Journal time as the leader stamps it.
#[derive(Debug)]
pub(crate) struct Stamp {
    clock: Arc<Clock>,
    base: (Instant, u64),
    jumped_since: Option<Instant>,
    ahead_ms: u64,
}

impl Stamp {
    pub(crate) fn new(clock: Arc<Clock>) -> Stamp {
        let ahead_ms = clock.now_ms().saturating_sub(clock.wall_ms());
        Stamp { base: (Instant::now(), clock.wall_ms()), clock, jumped_since: None, ahead_ms }
    }

    /// Now.
    pub(crate) fn now(&mut self) -> Time {
        let wall = self.clock.wall_ms();
        Time(self.guarded(Instant::now(), wall)).plus(self.ahead_ms)
    }

    /// A sandbox clock moved journal time to this instant.
    pub(crate) fn jumped_to(&mut self, time: Time) {
        let wall = self.guarded(Instant::now(), self.clock.wall_ms());
        self.ahead_ms = time.0.saturating_sub(wall);
        self.clock.set_journal_ahead(i64::try_from(self.ahead_ms).unwrap_or(i64::MAX));
    }

    /// The wall clock, or while it jumps the monotonic continuation of what it was.
    fn guarded(&mut self, now: Instant, wall: u64) -> u64 {
        let passed = u64::try_from(now.saturating_duration_since(self.base.0).as_millis()).unwrap_or(u64::MAX);
        let expected = self.base.1.saturating_add(passed);
        if wall.abs_diff(expected) <= JUMP_MS {
            self.jumped_since = None;
        } else {
            let since = *self.jumped_since.get_or_insert_with(|| {
                tracing::error!(wall, expected, "the wall clock jumped: not followed yet");
                now
            });
            // A clock that went back is never followed: journal time goes on at its own pace.
            if wall < expected || now.saturating_duration_since(since) < FOLLOW_AFTER {
                return expected;
            }
            tracing::warn!(wall, expected, "the jump of the wall clock lasted: followed");
        }
        self.base = (now, wall);
        self.jumped_since = None;
        wall
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_forward_is_followed_only_after_it_lasted() {
        let mut stamp = Stamp::new(Arc::default());
        let (start, wall) = stamp.base;
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(stamp.guarded(after(1), wall + 1_500), wall + 1_500);
        let year = 366 * 86_400_000;
        assert_eq!(stamp.guarded(after(2), wall + year), wall + 2_500);
        assert_eq!(stamp.guarded(after(61), wall + year + 59_000), wall + 61_500);
        assert_eq!(stamp.guarded(after(63), wall + year + 61_000), wall + year + 61_000);
    }

    #[test]
    fn a_passing_glitch_and_a_clock_that_went_back_change_nothing() {
        let mut stamp = Stamp::new(Arc::default());
        let (start, wall) = stamp.base;
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(stamp.guarded(after(1), wall + 3_600_000), wall + 1_000);
        assert_eq!(stamp.guarded(after(2), wall + 2_000), wall + 2_000);
        assert_eq!(stamp.guarded(after(90), wall.saturating_sub(3_600_000)), wall + 90_000);
        assert_eq!(stamp.guarded(after(500), wall.saturating_sub(3_000_000)), wall + 500_000);
    }
}
