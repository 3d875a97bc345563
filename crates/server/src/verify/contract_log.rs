//! What the whole log says of a contract that a receipt alone cannot: its samples are those of the log, and no other one would have filled
//! or closed it before (4.6, 4.7).

use std::collections::BTreeSet;

use engine::contracts::figures::{Figures, Stops};
use engine::contracts::formulas::{Direction, TickPrice};
use engine::contracts::position::{EndReason, reason_at};
use engine::contracts::terms::Terms;
use engine::index::FRESH_MS;

use crate::verify::contract_stops::{Prices, admits, wanted};
use crate::verify::evidence::LATE_MS;
use crate::verify::fault::{Fault, Reason};
use crate::verify::log::Entry;
use crate::verify::samples::Sample;

/// The course of a contract as its receipt shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// The entry of the order, and its instant.
    pub(super) asked: (u64, u64),
    pub(super) direction: Direction,
    pub(super) limit: Option<TickPrice>,
    pub(super) terms: Terms,
    /// `None` for an order that never became a position.
    pub(super) opened: Option<(Sample, Figures)>,
    /// `None` while it is open.
    pub(super) end: Option<End>,
    /// Those of the order, and the entries that are shown to have set others since, oldest first.
    pub(super) stops: (Prices, Vec<u64>),
    /// The head of the receipt: its entry and its instant.
    pub(super) head: (u64, u64),
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) reason: EndReason,
    pub(super) seq: u64,
    pub(super) at_ms: u64,
    pub(super) sample: Option<Sample>,
}

/// What even the whole log leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// Entries that ask for other stops; the log does not say whether they were of the owner.
    pub stops: BTreeSet<u64>,
    /// Samples that would have closed a position, unless its order was filled a little later than at its sample.
    pub samples: BTreeSet<u64>,
}

/// The last sample before an entry.
fn known(all: &[Sample], seq: u64) -> Option<&Sample> {
    all.partition_point(|sample| sample.seq < seq).checked_sub(1).and_then(|last| all.get(last))
}

impl Course {
    /// Whether an entry asks for stops of this contract.
    pub fn is_asked_by(&self, entry: &Entry) -> bool {
        wanted(entry).is_some_and(|(contract, _)| contract.0 == self.asked.0)
    }

    /// Compares it with all samples of its pair, and with every entry that asks for stops of it.
    ///
    /// # Errors
    /// The sample or the outcome that the log shows to be another one.
    pub fn check_log(&self, all: &[Sample], asking: &[Entry]) -> Result<Doubts, Fault> {
        if self.waited() {
            self.check_waiting(all)?;
        }
        let Some((opened, figures)) = &self.opened else { return Ok(Doubts::default()) };
        if !self.waited() && known(all, self.asked.0).map(Sample::key) != Some(opened.key()) {
            return Err(Reason::OpenSample.because("the log has another sample before the order"));
        }
        self.check_closing(all)?;
        self.check_holding((opened, figures), all, asking)
    }

    /// A limit was not reached when the order was placed.
    pub fn waited(&self) -> bool {
        self.opened.as_ref().is_none_or(|(sample, _)| sample.seq > self.asked.0)
    }

    fn is_filled_at(&self, sample: &Sample) -> bool {
        let executed = self.terms.ticks(sample.price).map(|mark| self.direction.opening(mark, self.terms.spread));
        self.limit.zip(executed).is_some_and(|(limit, executed)| self.direction.admits(limit, executed))
    }

    /// The order was right to wait, and the first sample that reaches its limit filled it, or found that it could not be filled.
    fn check_waiting(&self, all: &[Sample]) -> Result<(), Fault> {
        let (seq, asked_ms) = self.asked;
        let before = known(all, seq).filter(|sample| asked_ms.saturating_sub(sample.time_ms) <= FRESH_MS);
        if before.is_none_or(|sample| self.is_filled_at(sample)) {
            return Err(Reason::OpenSample.because("when it was placed its limit was reached, or there was no price"));
        }
        let first = all.iter().find(|sample| sample.seq > seq && self.is_filled_at(sample));
        let (reason, stands) = match (&self.opened, &self.end) {
            (Some((opened, _)), _) => (Reason::OpenSample, first.is_some_and(|first| is_like(first, opened))),
            (None, Some(end)) if end.reason == EndReason::Refused => {
                (Reason::Outcome, first.is_some_and(|first| first.at_ms == end.at_ms && first.seq <= end.seq))
            }
            (None, _) => (Reason::Outcome, first.is_none_or(|first| !self.came_before_end(first))),
        };
        let which = first.map_or("no sample".to_owned(), |first| format!("the sample of entry {}", first.seq));
        if stands { Ok(()) } else { Err(reason.because(format!("{which} is the first one that reaches its limit"))) }
    }

    /// Whether a sample acted before the end that is claimed.
    fn came_before_end(&self, sample: &Sample) -> bool {
        let Some(end) = &self.end else {
            let (seq, time_ms) = self.head;
            return sample.seq <= seq && sample.at_ms.saturating_add(LATE_MS) < time_ms;
        };
        match (end.reason, &end.sample) {
            (EndReason::User, _) => sample.seq < end.seq,
            (_, Some(last)) => sample.seq < last.seq && !is_like(sample, last),
            // Due work comes before a sample of its instant.
            (_, None) => sample.at_ms < end.at_ms,
        }
    }

    /// The closing sample is of this log, and for an end at the last price there was no later one.
    fn check_closing(&self, all: &[Sample]) -> Result<(), Fault> {
        let Some((end, sample)) = self.end.as_ref().and_then(|end| Some((end, end.sample.as_ref()?))) else { return Ok(()) };
        let is_last_before = |seq| known(all, seq).map(Sample::key) == Some(sample.key());
        let made = is_last_before(sample.seq.saturating_add(1));
        let last = match end.reason {
            EndReason::User => is_last_before(end.seq),
            EndReason::Deleveraged => !all.iter().any(|later| later.seq > sample.seq && later.at_ms < end.at_ms),
            _ => true,
        };
        if made && last { Ok(()) } else { Err(Reason::DeliverySample.because("the log has another sample")) }
    }

    /// No sample between opening and end would have closed the position. Its whole margin makes the furthest liquidation price, whatever was
    /// paid for nights.
    fn check_holding(&self, (opened, figures): (&Sample, &Figures), all: &[Sample], asking: &[Entry]) -> Result<Doubts, Fault> {
        let after = opened.seq.max(self.asked.0);
        let liquidation = figures.stake.liquidation_price(figures.margin, figures.required);
        let (of_order, shown) = &self.stops;
        let (mut in_force, mut doubtful, mut doubts) = (*of_order, Vec::<(u64, Prices)>::new(), Doubts::default());
        let mut asking = asking.iter().filter(|entry| entry.seq > after).peekable();
        for sample in all.iter().filter(|sample| sample.seq > after && self.came_before_end(sample)) {
            while let Some(entry) = asking.next_if(|entry| entry.seq < sample.seq) {
                let Some((_, prices)) = wanted(entry) else { continue };
                let is_shown = shown.contains(&entry.seq);
                if !self.sets(figures, all, entry, prices) {
                    if is_shown {
                        return Err(Reason::Stops.because(format!("entry {} was refused at its price", entry.seq)));
                    }
                } else if is_shown {
                    (in_force, doubtful) = (prices, Vec::new());
                } else if prices != in_force {
                    doubtful.push((entry.seq, prices));
                }
            }
            let Some(mark) = self.terms.ticks(sample.price) else { continue };
            let closes = |(take_profit, stop_loss): Prices| {
                let [take_profit, stop_loss] = [take_profit, stop_loss].map(|price| price.and_then(|price| self.terms.ticks(price)));
                reason_at(figures.stake, liquidation, figures.cap, Stops { take_profit, stop_loss }, mark)
            };
            if closes(in_force).is_some() {
                let anyway = closes((None, None)).is_some();
                // While much is due at once, an order is filled by a later entry than its sample, and holds nothing until then.
                if self.waited() && sample.at_ms <= opened.at_ms.saturating_add(LATE_MS) {
                    doubts.samples.insert(sample.seq);
                } else if anyway || doubtful.is_empty() {
                    return Err(Reason::Outcome.because(format!("the sample of entry {} would have closed it before", sample.seq)));
                }
                doubts.stops.extend(doubtful.iter().map(|(seq, _)| *seq).filter(|_| !anyway));
            }
            doubts.stops.extend(doubtful.iter().filter(|(_, prices)| closes(*prices).is_some()).map(|(seq, _)| *seq));
        }
        Ok(doubts)
    }

    /// Whether an entry of the owner sets these stops: not if they were refused at the price of its instant.
    fn sets(&self, figures: &Figures, all: &[Sample], entry: &Entry, prices: Prices) -> bool {
        let fresh = known(all, entry.seq).filter(|sample| entry.time_ms.saturating_sub(sample.time_ms) <= FRESH_MS);
        let mark = fresh.and_then(|sample| self.terms.ticks(sample.price));
        mark.is_some_and(|mark| admits(&self.terms, figures, mark, prices))
    }
}

/// Samples of one instant and price come to the same.
fn is_like(one: &Sample, other: &Sample) -> bool {
    (one.at_ms, one.price) == (other.at_ms, other.price)
}

#[cfg(test)]
mod tests {
    use engine::amount::Price;
    use engine::codec::encode;
    use engine::command::Command;
    use engine::contracts::figures::Size;
    use engine::ids::{PositionId, UserId};
    use engine::units::Scales;

    use super::*;

    const MINUTE: u64 = 60_000;
    /// The order is entry 10, one second after the first sample.
    const ASKED: (u64, u64) = (10, 2_000);

    fn sample(seq: u64, at_ms: u64, price: u64) -> Sample {
        Sample { seq, at_ms, time_ms: at_ms, price: Price(price * 100_000_000), quotes: Vec::new(), sandbox: true }
    }

    /// The samples of a log: 100,000 before the order, then these.
    fn log(then: &[(u64, u64, u64)]) -> Vec<Sample> {
        [(5, 1_000, 100_000)].iter().chain(then).map(|(seq, at_ms, price)| sample(*seq, *at_ms, *price)).collect()
    }

    fn long(limit: Option<u64>) -> Course {
        let terms = Terms::standard().into_iter().next().unwrap();
        Course {
            asked: ASKED,
            direction: Direction::Long,
            limit: limit.map(|limit| TickPrice(limit * 100)),
            terms,
            opened: None,
            end: None,
            stops: ((None, None), Vec::new()),
            head: (1_000, 100 * MINUTE),
        }
    }

    /// Opened by this sample, with ten lots at ten times.
    fn opened(course: Course, by: Sample) -> Course {
        let size = Size { direction: Direction::Long, lots: 10, multiple: 10 };
        let entry = Direction::Long.opening(course.terms.ticks(by.price).unwrap(), course.terms.spread);
        let figures = course.terms.figures(Scales { base: 8, quote: 6 }, size, entry).unwrap();
        Course { opened: Some((by, figures)), ..course }
    }

    fn ended(course: Course, reason: EndReason, (seq, at_ms): (u64, u64), sample: Option<Sample>) -> Course {
        Course { end: Some(End { reason, seq, at_ms, sample }), ..course }
    }

    fn red(course: &Course, all: &[Sample]) -> &'static str {
        course.check_log(all, &[]).map_or_else(|fault| fault.reason.name(), |doubts| if doubts == Doubts::default() { "" } else { "?" })
    }

    #[test]
    fn an_order_waits_until_the_first_sample_that_reaches_its_limit() {
        let waits = long(Some(99_000));
        let reached = |at_ms| log(&[(12, at_ms, 98_900)]);
        assert_eq!(red(&waits, &log(&[(12, 3_000, 99_000)])), "", "the spread is missing");
        assert_eq!(
            [red(&waits, &reached(3_000)), red(&waits, &reached(99 * MINUTE))],
            ["outcome", ""],
            "long ago, or as the head was signed"
        );
        assert_eq!(red(&long(Some(100_100)), &log(&[])), "open_sample", "it need not wait");
        let stale = [sample(5, 0, 100_000)];
        assert_eq!(red(&Course { asked: (10, 3_001), ..waits.clone() }, &stale), "open_sample", "it would have been refused");
        let end = |reason, at_ms| ended(waits.clone(), reason, (20, at_ms), None);
        for reason in [EndReason::Expired, EndReason::Retired] {
            assert_eq!([red(&end(reason, 3_000), &reached(3_000)), red(&end(reason, 3_001), &reached(3_000))], ["", "outcome"]);
        }
        assert_eq!(
            [red(&end(EndReason::Refused, 3_000), &reached(3_000)), red(&end(EndReason::Refused, 3_001), &reached(3_000))],
            ["", "outcome"]
        );
        assert_eq!(red(&end(EndReason::Refused, 3_000), &log(&[])), "outcome", "nothing reached it");
        assert_eq!(
            [red(&end(EndReason::User, 3_000), &reached(3_000)), red(&end(EndReason::User, 3_000), &log(&[(21, 3_000, 98_900)]))],
            ["outcome", ""]
        );
        // Filled in the very millisecond of the order; by the first of two, whichever a receipt names, or by a later one.
        let fills = |seq, at_ms| opened(waits.clone(), sample(seq, at_ms, 98_900));
        assert_eq!(red(&fills(11, 2_000), &log(&[(11, 2_000, 98_900)])), "");
        let twice = log(&[(12, 3_000, 98_900), (13, 3_000, 98_900), (14, 4_000, 98_900)]);
        assert_eq!([12, 13].map(|seq| red(&fills(seq, 3_000), &twice)), [""; 2]);
        assert_eq!(red(&fills(14, 4_000), &twice), "open_sample");
    }

    #[test]
    fn a_position_is_closed_by_the_first_sample_that_closes_it() {
        let at_once = opened(long(None), sample(5, 1_000, 100_000));
        let with = |take_profit: u64| Course { stops: ((Some(Price(take_profit * 100_000_000)), None), vec![20]), ..at_once.clone() };
        let fall = log(&[(12, 3_000, 110_000), (30, 9_000, 90_000)]);
        let gone = |course: Course| ended(course, EndReason::Liquidation, (30, 9_000), Some(sample(30, 9_000, 90_000)));
        assert_eq!([red(&gone(at_once.clone()), &fall), red(&gone(with(110_000)), &fall)], ["", "outcome"], "the profit was passed over");
        assert_eq!(red(&at_once, &fall), "outcome", "it is long gone");
        assert_eq!(red(&Course { head: (1_000, 9_000 + MINUTE), ..at_once.clone() }, &fall), "", "it may not have been known yet");
        assert_eq!(red(&ended(at_once.clone(), EndReason::User, (25, 8_000), Some(sample(12, 3_000, 110_000))), &fall), "");
        assert_eq!(red(&ended(at_once.clone(), EndReason::User, (25, 8_000), Some(sample(5, 1_000, 100_000))), &fall), "delivery_sample");
        assert_eq!(red(&ended(at_once.clone(), EndReason::Retired, (40, 9_000), None), &fall), "", "due work comes first");
        assert_eq!(red(&ended(at_once.clone(), EndReason::Retired, (40, 9_001), None), &fall), "outcome");
        let saved = |by: Sample| ended(at_once.clone(), EndReason::Deleveraged, (14, 4_000), Some(by));
        let rise = log(&[(12, 3_000, 109_000), (13, 3_500, 110_000), (14, 4_000, 111_000)]);
        assert_eq!(
            [red(&saved(sample(13, 3_500, 110_000)), &rise), red(&saved(sample(12, 3_000, 109_000)), &rise)],
            ["", "delivery_sample"]
        );
        // Filled by a sample, but not at once while much is due.
        let filled = opened(long(Some(99_000)), sample(12, 3_000, 98_900));
        let crash = |at_ms| log(&[(12, 3_000, 98_900), (13, at_ms, 80_000)]);
        assert_eq!([red(&filled, &crash(4_000)), red(&filled, &crash(4_000 + MINUTE))], ["?", "outcome"]);
    }

    #[test]
    fn the_stops_that_were_set_when_a_sample_came_decide() {
        let stops = |seq: u64, take_profit: u64| {
            let (position, take_profit) = (PositionId(ASKED.0), Some(Price(take_profit * 100_000_000)));
            let encoded = encode(None, &Command::SetContractStops { user: UserId(2), position, take_profit, stop_loss: None });
            let (kind, version, bytes) = (encoded.kind, encoded.version, encoded.public);
            Entry { seq, time_ms: 3_000, kind, version, prev: [0; 32], hash: [0; 32], bytes, sealed: None, own: None }
        };
        let profit = |take_profit: u64| (Some(Price(take_profit * 100_000_000)), None);
        let course = Course { stops: (profit(105_000), vec![20]), ..opened(long(None), sample(5, 1_000, 100_000)) };
        let check = |asking: &[Entry], all: &[Sample]| course.check_log(all, asking).map_err(|fault| fault.reason.name());
        let rise = log(&[(12, 2_500, 100_000), (30, 4_000, 106_000)]);
        assert_eq!(check(&[stops(20, 108_000)], &rise), Ok(Doubts::default()), "moved away before");
        assert_eq!(check(&[stops(31, 108_000)], &rise), Err("outcome"), "moved away too late");
        assert_eq!(check(&[stops(20, 99_000)], &rise), Err("stops"), "refused at its price");
        let by = |seq: u64| Ok(Doubts { stops: BTreeSet::from([seq]), ..Doubts::default() });
        assert_eq!(check(&[stops(21, 108_000)], &rise), by(21), "not shown, but perhaps set");
        assert_eq!(check(&[stops(20, 108_000), stops(22, 106_000)], &rise), by(22), "nor shown that it was not");
        assert_eq!(check(&[stops(19, 106_000), stops(20, 108_000)], &rise), Ok(Doubts::default()), "replaced");
    }
}
