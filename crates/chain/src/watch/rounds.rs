//! The memory of a watcher that asks for one address after the other, round and round.
//!
//! A round begins with a look at the newest block. When it has passed every address, everything up to `depth` before that block was told
//! with at least `depth` confirmations, so the next rounds need not ask for it again: that is the floor.

use serde::{Deserialize, Serialize};

use super::{AddressBook, Observation};

/// Where the round stands. The unit of the floor is what the chain's index can be asked for: heights, or milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rounds {
    /// Everything up to here is settled.
    pub floor: u64,
    /// The floor when this round is over.
    next_floor: u64,
    /// The last address that was asked for in this round.
    last: Option<String>,
    /// What was told and has not enough confirmations yet.
    pending: Vec<Observation>,
}

impl Rounds {
    /// The addresses to ask for now, and whether they end the round. `settled` is the floor that a round beginning now would earn.
    pub fn begin<'a>(&mut self, book: &'a AddressBook, most: usize, settled: u64) -> (Vec<&'a str>, bool) {
        if self.last.is_none() {
            self.next_floor = settled.max(self.floor);
        }
        book.after(self.last.as_deref(), most)
    }

    /// What was told of an address before and is not settled.
    pub fn pending(&self, address: &str) -> Vec<Observation> {
        self.pending.iter().filter(|observation| observation.address == address).cloned().collect()
    }

    /// An address was asked for: remembers what of it is not settled now, and goes on behind it.
    pub fn pass(&mut self, address: &str, unsettled: impl IntoIterator<Item = Observation>) {
        self.pending.retain(|observation| observation.address != address);
        self.pending.extend(unsettled);
        self.last = Some(address.to_owned());
    }

    /// Every address was asked for.
    pub fn close(&mut self) {
        self.floor = self.next_floor;
        self.last = None;
    }
}
