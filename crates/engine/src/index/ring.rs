//! The last samples of an index, for rules that look back: a price at a past instant, the mean of half an hour.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::Sample;
use crate::time::Time;

/// Samples stored per index: half an hour at one a second.
pub const RING: usize = 1_800;

/// A sample and when it was made. A computed one is made after its time, which is that of its older leg: it was unknown before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// When it became known; never before the one before it.
    pub at: Time,
    /// Its own time, from which it ages, and its price.
    pub sample: Sample,
}

/// The last [`RING`] samples of one index, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ring(VecDeque<Made>);

impl Ring {
    pub(super) fn push(&mut self, made: Made) {
        if self.0.len() >= RING {
            self.0.pop_front();
        }
        self.0.push_back(made);
    }

    /// The last one that was known at an instant.
    pub(super) fn made_at(&self, instant: Time) -> Option<Made> {
        let known = self.0.partition_point(|made| made.at <= instant);
        self.0.get(known.checked_sub(1)?).copied()
    }

    /// The same without when it was made.
    pub(super) fn known_at(&self, instant: Time) -> Option<Sample> {
        self.made_at(instant).map(|made| made.sample)
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = Made> {
        self.0.iter().copied()
    }

    /// Whether a ring is valid: within its maximum length, in the order of time.
    pub(super) fn is_sound(&self) -> bool {
        self.0.len() <= RING && self.0.iter().zip(self.0.iter().skip(1)).all(|(earlier, later)| earlier.at <= later.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amount::Price;

    fn made(at: u64, time: u64, price: u64) -> Made {
        Made { at: Time(at), sample: Sample { time: Time(time), price: Price(price) } }
    }

    #[test]
    fn the_oldest_go_and_an_instant_finds_what_was_known_then() {
        let mut ring = Ring::default();
        assert_eq!(ring.known_at(Time(5)), None);
        for second in 0..2_000 {
            ring.push(made(second * 1_000, second * 1_000, second));
        }
        assert_eq!(ring.iter().count(), RING);
        assert_eq!(ring.iter().next(), Some(made(200_000, 200_000, 200)));
        assert_eq!(ring.known_at(Time(199_999)), None, "it does not reach so far back");
        assert_eq!(ring.known_at(Time(200_000)).unwrap().price, Price(200));
        assert_eq!(ring.known_at(Time(200_999)).unwrap().price, Price(200));
        assert_eq!(ring.known_at(Time(u64::MAX)).unwrap().price, Price(1_999));
        assert!(ring.is_sound());
    }

    #[test]
    fn what_was_made_later_out_of_older_legs_changes_no_earlier_instant() {
        let mut ring = Ring::default();
        ring.push(made(1_000, 1_000, 7));
        ring.push(made(3_000, 900, 8));
        assert_eq!(ring.known_at(Time(2_999)).unwrap().price, Price(7));
        assert_eq!(ring.known_at(Time(3_000)), Some(Sample { time: Time(900), price: Price(8) }));
    }
}
