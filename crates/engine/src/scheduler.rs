//! Work that falls due at an instant: one order for all products (T-3).
//!
//! The schedule is derived: every open object names its own instant, and a restored state makes its schedule from that.

use std::collections::BTreeSet;

use crate::Engine;
use crate::event::Event;
use crate::time::Time;

/// Kinds of due work, in the order in which they run at one instant (T-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// A proposal acts or expires.
    Proposal,
}

/// One piece of due work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Due {
    /// When it runs. An object that may still be changed at an instant falls due one millisecond later (T-4).
    pub(crate) at: Time,
    pub(crate) class: Class,
    /// Number of the object within its class.
    pub(crate) id: u64,
}

/// Everything that is planned, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scheduler(BTreeSet<Due>);

impl Scheduler {
    /// The schedule of these.
    pub(crate) fn of(planned: impl Iterator<Item = Due>) -> Scheduler {
        Scheduler(planned.collect())
    }

    /// An object is opened, changed or ended: its old instant is forgotten, its new one planned.
    pub(crate) fn plan(&mut self, class: Class, id: u64, before: Option<Time>, after: Option<Time>) {
        if let Some(at) = before {
            self.0.remove(&Due { at, class, id });
        }
        if let Some(at) = after {
            self.0.insert(Due { at, class, id });
        }
    }

    /// The first that is due at `now`.
    pub(crate) fn first(&self, now: Time) -> Option<Due> {
        self.0.first().copied().filter(|due| due.at <= now)
    }

    /// How many are due at `now`.
    pub(crate) fn backlog(&self, now: Time) -> usize {
        self.0.iter().take_while(|due| due.at <= now).count()
    }

    pub(crate) fn next(&self) -> Option<Time> {
        self.0.first().map(|due| due.at)
    }
}

impl Engine {
    /// T-3: what falls due by now, in the order of instants, classes and numbers.
    pub(crate) fn run_due(&mut self, events: &mut Vec<Event>) {
        while let Some(due) = self.scheduler.first(self.time) {
            match due.class {
                Class::Proposal => self.run_proposal(due, events),
            }
        }
    }

    /// How many pieces of work are due at journal time and not settled yet.
    pub fn backlog(&self) -> usize {
        self.scheduler.backlog(self.time)
    }

    /// The next instant at which work falls due; it may lie in the past while there is a backlog.
    pub fn next_due(&self) -> Option<Time> {
        self.scheduler.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_runs_in_the_order_of_instants_and_numbers_however_often_it_was_planned_again() {
        let mut scheduler = Scheduler::default();
        let mut instants = [None; 50];
        // Steps of a full cycle modulo a prime: every object is moved many times, sometimes away.
        let mut step = 1_u64;
        for _ in 0..5_000 {
            step = step * 48_271 % 2_147_483_647;
            let (object, at) = (step % 50, (!step.is_multiple_of(7)).then_some(Time(step / 50 % 20)));
            let place = &mut instants[usize::try_from(object).unwrap()];
            scheduler.plan(Class::Proposal, object, *place, at);
            *place = at;
        }
        let mut expected: Vec<(Time, u64)> = (0..).zip(instants).filter_map(|(id, at)| Some((at?, id))).collect();
        expected.sort_unstable();
        assert_eq!(scheduler.backlog(Time(9)), expected.iter().filter(|(at, _)| *at <= Time(9)).count());
        let mut run = Vec::new();
        while let Some(Due { at, class, id }) = scheduler.first(Time(20)) {
            run.push((at, id));
            scheduler.plan(class, id, Some(at), None);
        }
        assert_eq!(run, expected);
        assert_eq!(scheduler.next(), None);
    }
}
