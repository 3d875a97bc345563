//! What a command that was done answers.

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, Price};
use crate::event::{Trade, Transfer};
use crate::ids::{OrderId, Seq};
use crate::reject::Reject;
use crate::spot::SpotOrder;

/// Answer of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// Nothing to tell.
    Done,
    /// A spot order was placed: its state now, and its trades.
    SpotOrderPlaced {
        /// The order after matching.
        order: Box<SpotOrder>,
        /// Its trades, as taker.
        trades: Vec<Trade>,
    },
    /// A spot order was cancelled.
    SpotOrderCancelled(Box<SpotOrder>),
    /// These were cancelled.
    SpotOrdersCancelled(Vec<OrderId>),
    /// Money moved between wallets.
    Transferred(Transfer),
    /// Paper funds came: available balance afterwards.
    Credited {
        /// Atoms available.
        available: Amount,
    },
    /// A sandbox price was accepted.
    Priced {
        /// The price.
        price: Price,
    },
}

/// Result of applying one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What was done, or why nothing was.
    pub result: Result<Reply, Reject>,
    /// The earlier entry whose answer this repeats, if the request was a repetition.
    pub first_seq: Option<Seq>,
}
