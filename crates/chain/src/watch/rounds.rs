//! The memory of a watcher that asks for one address after the other, in rounds.
//!
//! A round begins by reading the newest block. When it has passed every address, everything up to `depth` before that block was reported
//! with at least `depth` confirmations, so the next rounds need not ask for it again: that is the floor.

use serde::{Deserialize, Serialize};

use super::{AddressBook, Observation};

/// The state of the round. The unit of the floor depends on the chain's index: heights, or milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rounds {
    /// Everything up to here is settled.
    pub floor: u64,
    /// The floor when this round is over.
    next_floor: u64,
    /// The last address asked for in this round.
    last: Option<String>,
    /// Reported, but without enough confirmations yet.
    pending: Vec<Observation>,
}

impl Rounds {
    /// The addresses to ask for now, and whether they end the round. `settled` is the floor that a round beginning now would reach.
    pub fn begin<'a>(&mut self, book: &'a AddressBook, most: usize, settled: u64) -> (Vec<&'a str>, bool) {
        if self.last.is_none() {
            self.next_floor = settled.max(self.floor);
        }
        book.after(self.last.as_deref(), most)
    }

    /// Observations of an address that were reported before and are not settled.
    pub fn pending(&self, address: &str) -> Vec<Observation> {
        self.pending.iter().filter(|observation| observation.address == address).cloned().collect()
    }

    /// Records that an address was asked for: keeps its unsettled observations, and moves on.
    pub fn pass(&mut self, address: &str, unsettled: impl IntoIterator<Item = Observation>) {
        self.pending.retain(|observation| observation.address != address);
        self.pending.extend(unsettled);
        self.last = Some(address.to_owned());
    }

    /// Records that every address was asked for.
    pub fn close(&mut self) {
        self.floor = self.next_floor;
        self.last = None;
    }
}
