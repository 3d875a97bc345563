//! Runs due work: each piece at its own instant, one slice per entry (T-3).

use super::Engine;
use crate::command::Command;
use crate::event::Event;
use crate::feature::Feature;
use crate::scheduler::{Class, Due, SLICE};
use crate::time::Time;

impl Engine {
    /// What time changes, before the entry that tells the time: requests, quotes and payments are forgotten, a day begins, due work runs.
    #[inline(never)]
    pub(crate) fn pass_time(&mut self, command: &Command, before: Time, events: &mut Vec<Event>) {
        self.requests.forget(self.time);
        self.conversions.forget(self.time);
        self.settle_fees();
        self.contracts.begin_day(&self.ledger, &self.indices, self.time);
        if self.active(Feature::RiskBounds) {
            self.options.begin_day(&self.ledger, &self.catalog, self.time);
        }
        self.run_due(command, before, events);
        self.forget_finals(events);
        self.quiet_until = self.next_by_time();
    }

    /// The next instant at which time changes something. A spot order adds only a request, kept for a day, and work that is due when a day
    /// begins, so it moves this instant no closer.
    pub(crate) fn next_by_time(&self) -> Time {
        let next_day = Time::of_day(self.time.day().saturating_add(1));
        let others = [self.next_due(), self.requests.next_forgotten(), self.conversions.next_forgotten(), self.funding.next_forgotten()];
        others.into_iter().flatten().fold(next_day, Time::min)
    }

    /// T-3: runs what is due by now, in the order of instants, classes and numbers, each at its own instant. If more than a slice is due,
    /// only a clock settles a slice of it, so no other command waits for the rest. `before`: the time of the last entry.
    pub(crate) fn run_due(&mut self, command: &Command, before: Time, events: &mut Vec<Event>) {
        if !self.has_backlog() {
            return;
        }
        let now = self.time;
        if !self.active(Feature::DueWork) {
            while let Some(due) = self.scheduler.first(now) {
                self.run(due, events);
            }
            return;
        }
        let is_clock = matches!(command, Command::Clock | Command::SandboxClock);
        if !is_clock && self.exceeds_a_slice(now) {
            return;
        }
        let (mut told, mut set_off) = (None, false);
        for _ in 0..SLICE {
            let Some(due) = self.scheduler.first(now) else { break };
            let instant = Some(due.at.max(before));
            if told != instant {
                events.extend(instant.map(Event::HappenedAt));
                told = instant;
            }
            let already = events.len();
            self.time = due.at;
            set_off |= due.class == Class::ContractTriggered;
            self.run(due, events);
            if due.at.day() < now.day() {
                self.settle_late_fees(events.get(already..).unwrap_or_default());
            }
            self.share_fees();
        }
        self.time = now;
        if told != Some(now) {
            events.push(Event::HappenedAt(now));
        }
        if set_off {
            self.deleverage_contracts(events);
        }
    }

    fn run(&mut self, due: Due, events: &mut Vec<Event>) {
        match due.class {
            Class::Proposal => self.run_proposal(due, events),
            Class::Loan => self.run_loan(due, events),
            Class::Subscription => self.run_offering(due, events),
            Class::PlanMaturity => self.mature_plan(due, events),
            Class::ContractOvernight => self.charge_contract(due, events),
            Class::OptionDelivery => self.deliver_option(due, events),
            Class::ContractExpiry => self.expire_contract(due, events),
            Class::ReferralSettlement => self.settle_rebate(due, events),
            Class::ContractTriggered => self.carry_out_contract(due, events),
            Class::LoanTriggered => self.carry_out_loan(due, events),
        }
    }

    /// An offering is one piece of the schedule, whatever it has to settle.
    fn exceeds_a_slice(&self, now: Time) -> bool {
        self.scheduler.exceeds_a_slice(now) || self.subscriptions.exceeds_a_slice(now)
    }

    /// True while work is due at journal time and not settled yet.
    pub fn has_backlog(&self) -> bool {
        self.scheduler.first(self.time).is_some()
    }

    /// How many pieces of work are due at journal time and not settled yet; an offering is one, whatever it has to settle.
    pub fn backlog(&self) -> usize {
        self.scheduler.due(self.time)
    }

    /// The next instant at which work falls due; it may lie in the past while there is a backlog.
    pub fn next_due(&self) -> Option<Time> {
        self.scheduler.next()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::funding::{FinalPayments, Payments};
    use crate::ids::{AssetId, ObservationId, WithdrawalId};
    use crate::ledger::{HouseAccount, LineKind, ObjectKind, Owner, Posting, PostingSide};
    use crate::time::{DAY_MS, HOUR_MS};

    #[test]
    fn time_changes_something_when_a_payment_becomes_final() {
        let now = Time::of_day(20_000).plus(HOUR_MS);
        let mut engine = Engine { time: now, ..Engine::default() };
        assert_eq!(engine.next_by_time(), Time::of_day(20_001));
        let marked = BTreeMap::from([(WithdrawalId(1), Time(now.0 - 72 * HOUR_MS + 9))]);
        engine.funding = engine.funding.with_payments(Payments { marks: marked.into(), ..Payments::default() });
        assert_eq!(engine.next_by_time(), now.plus(10));
        let decided = BTreeMap::from([(ObservationId(2), now), (ObservationId(1), Time(now.0 - 30 * DAY_MS + 5))]);
        engine.funding = engine.funding.with_finals(FinalPayments { last_words: decided.into(), ..FinalPayments::default() });
        assert_eq!(engine.next_by_time(), now.plus(6));
    }

    #[test]
    fn fees_of_work_that_was_due_on_an_earlier_day_are_settled_and_treasury_moves_count_for_themselves() {
        let usdt = AssetId(3);
        let side = |account| PostingSide { owner: Owner::House(account), after: 0, object_id: 1 };
        let posted = |kind, amount, from, to| {
            let (debit, credit) = (side(from), side(to));
            Event::Posted(Posting { asset: usdt, amount, kind, object: ObjectKind::Proposal, debit, credit })
        };
        let (fee, pool) = (HouseAccount::Fee, HouseAccount::OptionPool);
        let mut engine = Engine::default();
        engine.settle_late_fees(&[posted(LineKind::SpotFee, 70, pool, fee), posted(LineKind::TreasuryMove, 5, pool, fee)]);
        assert_eq!(engine.operations.settled_fees(usdt), 70);
        engine.settle_late_fees(&[posted(LineKind::SpotFee, 20, fee, pool), posted(LineKind::SpotFee, 9, pool, pool)]);
        assert_eq!(engine.operations.settled_fees(usdt), 50);
    }
}
