//! Work that falls due at an instant: one order for all products (T-3).
//!
//! The schedule is derived: every open object names its own instant, and a restored state rebuilds its schedule from them.

use std::collections::BTreeSet;

use crate::time::Time;

/// Objects that one entry settles at most (T-3).
pub const SLICE: usize = 256;

/// Kinds of due work, in the order in which they run at one instant (T-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// A proposal acts or expires.
    Proposal,
    /// An offering opens, closes, settles one of its commitments, or is cancelled.
    Subscription,
    /// A plan order matures.
    PlanMaturity,
    /// A loan is charged, repaid automatically, or ends (7.2).
    Loan,
    /// A position pays for the night.
    ContractOvernight,
    /// An option is delivered.
    OptionDelivery,
    /// A waiting order of a contract expires.
    ContractExpiry,
    /// A day's fees are shared with referrers.
    ReferralSettlement,
    /// Contract work triggered by a sample: it comes after everything that was due at its instant.
    ContractTriggered,
    /// Loan work triggered by a sample: it comes after everything else that the sample triggers.
    LoanTriggered,
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

/// Everything scheduled, in its order.
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

    /// The first work due at `now`.
    pub(crate) fn first(&self, now: Time) -> Option<Due> {
        self.0.first().copied().filter(|due| due.at <= now)
    }

    /// True if more are due at `now` than an entry settles.
    pub(crate) fn exceeds_a_slice(&self, now: Time) -> bool {
        self.0.iter().nth(SLICE).is_some_and(|due| due.at <= now)
    }

    /// How many are due at `now`.
    pub(crate) fn due(&self, now: Time) -> usize {
        self.0.iter().take_while(|due| due.at <= now).count()
    }

    pub(crate) fn next(&self) -> Option<Time> {
        self.0.first().map(|due| due.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_runs_in_the_order_of_instants_and_numbers_however_often_it_was_planned_again() {
        let mut scheduler = Scheduler::default();
        let mut instants = [None; 50];
        // The steps run through a full cycle modulo a prime: every object is moved many times, sometimes away.
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
        let mut run = Vec::new();
        while let Some(Due { at, class, id }) = scheduler.first(Time(20)) {
            run.push((at, id));
            scheduler.plan(class, id, Some(at), None);
        }
        assert_eq!(run, expected);
        assert_eq!(scheduler.next(), None);
    }

    #[test]
    fn what_falls_due_at_one_instant_runs_by_its_class_as_the_rule_lists_them() {
        let rule = [
            Class::Proposal,
            Class::Subscription,
            Class::PlanMaturity,
            Class::Loan,
            Class::ContractOvernight,
            Class::OptionDelivery,
            Class::ContractExpiry,
            Class::ReferralSettlement,
            Class::ContractTriggered,
            Class::LoanTriggered,
        ];
        let due = |class| Due { at: Time(7), class, id: 0 };
        let mut scheduler = Scheduler::of(rule.into_iter().rev().map(due));
        let mut run = Vec::new();
        while let Some(Due { at, class, id }) = scheduler.first(Time(7)) {
            run.push(class);
            scheduler.plan(class, id, Some(at), None);
        }
        assert_eq!(run, rule);
    }
}
