//! The memory of a watcher that asks for one address after the other, in rounds.
//!
//! A round begins by reading the newest block. When it has passed every address, everything up to `depth` before that block was reported
//! with at least `depth` confirmations, so the next rounds need not ask for it again: that is the floor.

use serde::{Deserialize, Serialize};

use super::{AddressBook, Cursor, Memory, Observation, PollResult, Unfit, WatchError};

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

/// The result for one address.
#[derive(Debug, Default)]
pub struct Look {
    pub observed: Vec<Observation>,
    pub unfit: Vec<Unfit>,
    pub gone: Vec<Observation>,
    /// Reported before but no longer listed, although the index still knows its block. It is asked for again.
    pub doubtful: Vec<Observation>,
}

impl Rounds {
    /// The state that a poll ended with.
    pub fn of(cursor: &Cursor) -> Result<Rounds, WatchError> {
        match &cursor.0 {
            Memory::Start => Ok(Rounds::default()),
            Memory::Rounds(rounds) => Ok(rounds.clone()),
            Memory::Blocks(_) => Err(WatchError::Cursor),
        }
    }

    /// The addresses to ask for now, and whether they end the round. `settled` is the floor that a round beginning now would reach.
    fn begin<'a>(&mut self, book: &'a AddressBook, most: usize, settled: u64) -> (Vec<&'a str>, bool) {
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
    fn pass(&mut self, address: &str, unsettled: impl IntoIterator<Item = Observation>) {
        self.pending.retain(|observation| observation.address != address);
        self.pending.extend(unsettled);
        self.last = Some(address.to_owned());
    }

    /// Records that every address was asked for.
    fn close(&mut self) {
        self.floor = self.next_floor;
        self.last = None;
    }
}

/// A poll: the state of its round, and what its addresses gave so far.
#[derive(Debug)]
pub struct Poll {
    pub rounds: Rounds,
    depth: u64,
    seen: PollResult,
    /// An address was read.
    begun: bool,
}

impl Poll {
    /// A poll up to the block `tip`, and the addresses to ask for, at most `most`.
    pub fn begin(mut rounds: Rounds, (book, most): (&AddressBook, usize), (tip, settled): (u64, u64), depth: u64) -> (Poll, Vec<&str>) {
        let (addresses, over) = rounds.begin(book, most, settled);
        let seen = PollResult { tip, gone: Vec::new(), observed: Vec::new(), unfit: Vec::new(), cursor: Cursor::default(), behind: !over };
        (Poll { rounds, depth, seen, begun: false }, addresses)
    }

    /// Takes what an address gave, and says whether to ask for the next one.
    ///
    /// # Errors
    /// The failure of the first address.
    pub fn take(&mut self, address: &str, looked: Result<Look, WatchError>) -> Result<bool, WatchError> {
        match looked {
            Ok(Look { observed, unfit, gone, doubtful }) => {
                let young = observed.iter().filter(|one| one.confirmations < self.depth).cloned();
                self.rounds.pass(address, young.chain(doubtful));
                self.seen.observed.extend(observed);
                self.seen.unfit.extend(unfit);
                self.seen.gone.extend(gone);
                self.begun = true;
                Ok(true)
            }
            // Keep what was read so far: an index that fails midway may fail midway every time.
            Err(_) if self.begun => {
                self.seen.behind = true;
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// The result, with the memory for the next poll.
    pub fn end(mut self) -> PollResult {
        if !self.seen.behind {
            self.rounds.close();
        }
        PollResult { cursor: Cursor(Memory::Rounds(self.rounds)), ..self.seen }
    }
}
