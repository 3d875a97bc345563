//! The events of the log's entries, as rows, screens and sockets receive them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::catalog::Wallet;
use crate::event::Event;
use crate::ids::{AssetId, MarketId, PositionId, Seq, UserId};
use crate::ledger::Balance;
use crate::time::Time;

/// A balance after an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub struct NewBalance {
    pub user: UserId,
    pub wallet: Wallet,
    pub asset: AssetId,
    /// Available and held.
    pub balance: Balance,
}

/// The published result of one entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// Sequence of the entry.
    pub seq: Seq,
    /// Its time.
    pub time: Time,
    /// Events, in order.
    pub events: Vec<Event>,
    /// Member balances that it changed, with their new values.
    pub balances: Vec<NewBalance>,
    /// Its stored answer for repetitions, if it had a key.
    pub answer: Option<Vec<u8>>,
    /// The contract whose take-profit and stop-loss it set, and its pair.
    pub stops: Option<(PositionId, MarketId)>,
}

impl Published {
    /// How much there is to keep or to pass on: the entry, its events and its balances.
    pub fn facts(&self) -> usize {
        self.events.len().saturating_add(self.balances.len()).saturating_add(1)
    }
}

/// The facts of these entries.
pub fn facts(batch: &[Published]) -> usize {
    batch.iter().map(Published::facts).sum()
}

/// The entries of one group.
pub type Batch = Arc<[Published]>;
