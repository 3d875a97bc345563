//! What the entries of the log made known: the facts that rows, screens and sockets are made of.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::catalog::Wallet;
use crate::event::Event;
use crate::ids::{AssetId, MarketId, PositionId, Seq, UserId};
use crate::ledger::Balance;
use crate::time::Time;

/// A balance after an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewBalance {
    /// Owner.
    pub user: UserId,
    /// Wallet.
    pub wallet: Wallet,
    /// Coin.
    pub asset: AssetId,
    /// Available and held.
    pub balance: Balance,
}

/// What one entry made known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Published {
    /// Sequence of the entry.
    pub seq: Seq,
    /// Its time.
    pub time: Time,
    /// Facts, in order.
    pub events: Vec<Event>,
    /// Balances of members that it changed, as they are after it.
    pub balances: Vec<NewBalance>,
    /// Its answer for repetitions, as it is stored, if it had a key.
    pub answer: Option<Vec<u8>>,
    /// The contract whose take-profit and stop-loss it set, and its pair.
    pub stops: Option<(PositionId, MarketId)>,
}

/// The entries of one group.
pub type Batch = Arc<[Published]>;
