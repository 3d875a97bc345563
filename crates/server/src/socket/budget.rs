//! Limits on what a client may send: token buckets of messages, per connection and per address.

use std::time::Instant;

/// How fast a bucket fills, and how much it holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    pub(super) per_second: u64,
    pub(super) burst: u64,
}

/// Thousandths of one message.
const ONE: u64 = 1_000;

/// A bucket that starts full.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket {
    level: u64,
    at: Instant,
}

impl Bucket {
    pub(super) fn full(rate: Rate, now: Instant) -> Bucket {
        Bucket { level: rate.burst * ONE, at: now }
    }

    /// Takes this many messages; false if there are not enough.
    pub(super) fn take(&mut self, rate: Rate, cost: u64, now: Instant) -> bool {
        self.fill(rate, now);
        let left = self.level.checked_sub(cost * ONE);
        self.level = left.unwrap_or(self.level);
        left.is_some()
    }

    /// True if the bucket has been unused for so long that it can be dropped.
    pub(super) fn is_full(&mut self, rate: Rate, now: Instant) -> bool {
        self.fill(rate, now);
        self.level == rate.burst * ONE
    }

    fn fill(&mut self, rate: Rate, now: Instant) {
        let passed = u64::try_from(now.saturating_duration_since(self.at).as_millis()).unwrap_or(u64::MAX);
        // One message a second is one thousandth of a message a millisecond.
        self.level = self.level.saturating_add(passed.saturating_mul(rate.per_second)).min(rate.burst * ONE);
        if passed > 0 {
            self.at = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let (rate, start) = (Rate { per_second: 20, burst: 200 }, Instant::now());
        let mut bucket = Bucket::full(rate, start);
        assert_eq!((0..1_000).filter(|_| bucket.take(rate, 1, start)).count(), 200);
        let later = start + Duration::from_millis(499);
        assert!(!bucket.take(rate, 10, later) && bucket.take(rate, 9, later));
        assert!(!bucket.is_full(rate, later) && bucket.is_full(rate, later + Duration::from_secs(11)));
    }

    #[test]
    fn many_looks_within_a_millisecond_do_not_stop_it_from_filling() {
        let (rate, start) = (Rate { per_second: 1_000, burst: 1 }, Instant::now());
        let mut bucket = Bucket::full(rate, start);
        let taken = (0..2_000_u64).filter(|half_ms| bucket.take(rate, 1, start + Duration::from_micros(half_ms * 500))).count();
        assert!((999..=1_001).contains(&taken), "{taken}");
    }
}
