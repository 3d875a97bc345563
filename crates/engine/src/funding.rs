//! Funding from and to the outside: deposits (10), withdrawals (11), stored addresses and bank cards (W-1, 12).

pub mod bank_codes;
pub(crate) mod deposit;
pub mod deposits;
pub mod destinations;
pub mod finals;
pub mod incidents;
pub mod payouts;
pub mod status;
pub(crate) mod withdrawal;
pub mod withdrawals;

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use crate::catalog::funding::FundingTerms;
use crate::event::Event;
use crate::ids::{ObservationId, WithdrawalId};
use crate::ledger::Ledger;
use crate::time::Time;
use deposits::Deposits;
use destinations::Destinations;
use finals::{Dated, Finals};
use incidents::Incidents;
use withdrawals::Withdrawals;

/// Finished deposit notices and withdrawals that stay known, so deciding one again is `E_STATE`. Older ones are only in the history.
pub const FINISHED_KEPT: usize = 1_024;

/// All claims, observations, withdrawals and destinations.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Funding {
    pub(crate) destinations: Destinations,
    pub(crate) deposits: Deposits,
    pub(crate) withdrawals: Withdrawals,
}

/// Additional funding data of a log with [`crate::feature::Feature::Payments`]: a section of the snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Payments {
    pub(crate) incidents: Incidents,
    pub(crate) marks: Dated<WithdrawalId>,
}

/// Additional funding data of a log with [`crate::feature::Feature::FinalPayments`]: a section of the snapshot.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct FinalPayments {
    pub(crate) credits: Finals,
    pub(crate) last_words: Dated<ObservationId>,
    pub(crate) payouts: Finals,
}

impl Funding {
    pub(crate) fn payments(&self) -> Payments {
        Payments { incidents: self.deposits.incidents().clone(), marks: self.withdrawals.marks.clone() }
    }

    pub(crate) fn with_payments(mut self, Payments { incidents, marks }: Payments) -> Funding {
        self.deposits.set_incidents(incidents);
        self.withdrawals.marks = marks;
        self
    }

    /// The fields of [`FinalPayments`] in their order; `None` while they are empty.
    pub(crate) fn finals(&self) -> Option<(&Finals, &Dated<ObservationId>, &Finals)> {
        let ((credits, last_words), payouts) = (self.deposits.finals(), self.withdrawals.finals());
        let empty = credits.len() == 0 && last_words.objects().next().is_none() && payouts.len() == 0;
        (!empty).then_some((credits, last_words, payouts))
    }

    pub(crate) fn with_finals(mut self, FinalPayments { credits, last_words, payouts }: FinalPayments) -> Funding {
        self.deposits.set_finals(credits, last_words);
        self.withdrawals.set_finals(payouts);
        self
    }

    /// From the rule's entry on: final data leaves the state, and decided data does so 30 days later.
    pub(crate) fn begin_finals(&mut self, now: Time) {
        self.deposits.begin_finals(now);
        self.withdrawals.begin_finals();
    }

    /// When the next object becomes final.
    pub(crate) fn next_forgotten(&self) -> Option<Time> {
        self.deposits.next_forgotten().into_iter().chain(self.withdrawals.next_forgotten()).min()
    }

    /// Removes what has become final, a slice with each entry.
    pub(crate) fn forget_finals(&mut self, context: &mut FundingContext<'_>) {
        self.deposits.forget_finals(context);
        self.withdrawals.forget_finals(context.now);
    }
}

/// What a funding command works with.
pub(crate) struct FundingContext<'a> {
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) terms: &'a FundingTerms,
    pub(crate) events: &'a mut Vec<Event>,
    pub(crate) now: Time,
    /// Sequence of the entry: the number of the object it creates.
    pub(crate) seq: u64,
    /// [`crate::feature::Feature::Payments`] is active.
    pub(crate) payments: bool,
    /// [`crate::feature::Feature::FinalPayments`] is active.
    pub(crate) finals: bool,
}

/// Objects by number: all open ones, and the last finished ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ObjectStore<T> {
    items: BTreeMap<u64, T>,
    finished: VecDeque<u64>,
}

impl<T> Default for ObjectStore<T> {
    fn default() -> ObjectStore<T> {
        ObjectStore { items: BTreeMap::new(), finished: VecDeque::new() }
    }
}

impl<T> ObjectStore<T> {
    pub(crate) fn get(&self, id: u64) -> Option<&T> {
        self.items.get(&id)
    }

    pub(crate) fn change(&mut self, id: u64) -> Option<&mut T> {
        self.items.get_mut(&id)
    }

    pub(crate) fn put(&mut self, id: u64, item: T) {
        self.items.insert(id, item);
    }

    /// Marks an object as finished; the oldest finished one may be forgotten.
    pub(crate) fn finish(&mut self, id: u64) {
        self.finished.push_back(id);
        if self.finished.len() > FINISHED_KEPT
            && let Some(oldest) = self.finished.pop_front()
        {
            self.items.remove(&oldest);
        }
    }

    pub(crate) fn all(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.items.values()
    }
}
