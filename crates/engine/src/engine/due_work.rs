//! Runs due work: each piece at its own instant, one slice per entry (T-3).

use super::Engine;
use crate::command::Command;
use crate::event::Event;
use crate::feature::Feature;
use crate::scheduler::{Class, Due, SLICE};
use crate::time::Time;

impl Engine {
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
    use super::*;
    use crate::ids::AssetId;
    use crate::ledger::{HouseAccount, LineKind, ObjectKind, Owner, Posting, PostingSide};

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
