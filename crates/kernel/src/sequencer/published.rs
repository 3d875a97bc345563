//! The events of a group's entries, and the answer to each command in it.

use engine::event::{Event, Trade};
use engine::ids::Seq;
use engine::published::Batch;
use engine::reply::Outcome;
use engine::spot::SpotOrder;
use engine::time::Time;

/// A command with its place in the log and its outcome.
#[derive(Clone, Debug)]
pub struct Applied {
    /// Sequence of its entry.
    pub seq: Seq,
    /// Journal time of its entry.
    pub time: Time,
    /// What was done, or why nothing was done.
    pub outcome: Outcome,
    /// The group of its entry.
    pub(super) group: Batch,
    /// Its place in the group.
    pub(super) place: usize,
}

impl Applied {
    /// The entry that this answer belongs to: the first one, if the command was a repetition.
    pub fn answered_by(&self) -> u64 {
        self.outcome.repeated.as_ref().map_or(self.seq, |first| first.seq).0
    }

    /// True if this repeats a first answer.
    pub fn is_repetition(&self) -> bool {
        self.outcome.repeated.is_some()
    }

    /// The order that answers a placing or cancelling command.
    pub fn spot_order(&self) -> Option<&SpotOrder> {
        self.outcome.spot_order(self.events())
    }

    /// The trades that answer a placing command.
    pub fn trades(&self) -> impl Iterator<Item = &Trade> {
        self.outcome.trades(self.events())
    }

    /// What its entry caused, including work that was due before it.
    pub fn events(&self) -> &[Event] {
        self.group.get(self.place).map_or(&[], |published| published.events.as_slice())
    }
}
