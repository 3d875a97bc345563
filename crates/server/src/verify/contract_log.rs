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
        if !self.waited() && known(all, self.asked.0) != Some(opened) {
            return Err(Reason::OpenSample.because("the log has another sample before the order"));
        }
        self.check_closing(all)?;
        self.check_holding((opened, figures), all, asking)
    }

    /// A limit was not reached when the order was placed.
    fn waited(&self) -> bool {
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
        let made = known(all, sample.seq.saturating_add(1)) == Some(sample);
        let last = match end.reason {
            EndReason::User => known(all, end.seq) == Some(sample),
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
