//! What the entries of a group made known, and the answer to each command among them.

use std::collections::HashSet;

use engine::Engine;
use engine::catalog::Wallet;
use engine::event::{Event, Trade};
use engine::ids::{AssetId, Seq, UserId};
use engine::ledger::Owner;
use engine::published::{Batch, NewBalance};
use engine::reply::Outcome;
use engine::spot::SpotOrder;
use engine::time::Time;

/// A command with its place in the log and what became of it.
#[derive(Clone, Debug)]
pub struct Applied {
    /// Sequence of its entry.
    pub seq: Seq,
    /// Journal time of its entry.
    pub time: Time,
    /// What was done, or why nothing was.
    pub outcome: Outcome,
    /// The group of its entry.
    pub(super) group: Batch,
    /// Its place in the group.
    pub(super) place: usize,
}

impl Applied {
    /// The entry whose answer this is: the first one, if the command was a repetition.
    pub fn answered_by(&self) -> u64 {
        self.outcome.repeated.as_ref().map_or(self.seq, |first| first.seq).0
    }

    /// True if a first answer is repeated.
    pub fn is_repetition(&self) -> bool {
        self.outcome.repeated.is_some()
    }

    /// The order that a placing or cancelling command answers.
    pub fn spot_order(&self) -> Option<&SpotOrder> {
        self.outcome.spot_order(self.events())
    }

    /// The trades that a placing command answers.
    pub fn trades(&self) -> impl Iterator<Item = &Trade> {
        self.outcome.trades(self.events())
    }

    /// What its entry caused, work that was due before it included.
    pub fn events(&self) -> &[Event] {
        self.group.get(self.place).map_or(&[], |published| published.events.as_slice())
    }
}

/// The balances of members that these events changed, in the order in which they were first touched. Linear in the events: a sweep of
/// the book touches two balances of every maker.
pub fn new_balances(engine: &Engine, events: &[Event]) -> Vec<NewBalance> {
    let mut touched: HashSet<(UserId, Wallet, AssetId)> = HashSet::new();
    let mut changed = Vec::new();
    for event in events {
        let Event::Posted(posting) = event else { continue };
        for side in [posting.debit, posting.credit] {
            let Owner::Member(user, wallet, _) = side.owner else { continue };
            let asset = posting.asset;
            if touched.insert((user, wallet, asset))
                && let Some(balance) = engine.balance(user, wallet, asset)
            {
                changed.push(NewBalance { user, wallet, asset, balance });
            }
        }
    }
    changed
}
