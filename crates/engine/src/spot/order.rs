//! A spot order: its request, its identifiers, and its outcome.

use serde::{Deserialize, Serialize};

use super::status::Status;
use crate::amount::{Amount, Price, Rate};
use crate::ids::{ClientOrderId, MarketId, OrderId, UserId};
use crate::time::Time;

/// Direction of a spot order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Side {
    /// Buys the base coin.
    Buy,
    /// Sells the base coin.
    Sell,
}

impl Side {
    /// The other one.
    pub fn opposite(self) -> Side {
        match self {
            Side::Buy => Side::Sell,
            Side::Sell => Side::Buy,
        }
    }
}

/// Time in force (S-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeInForce {
    /// Good till cancelled: the rest stays on the book.
    GoodTillCancelled,
    /// Immediate or cancel: the rest is cancelled.
    ImmediateOrCancel,
    /// Fill or kill: all at once or nothing.
    FillOrKill,
    /// Refused if it would trade.
    PostOnly,
}

/// The kind of an order, with the fields of that kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrderKind {
    /// Price and quantity.
    Limit {
        /// Limit price, on the tick.
        price: Price,
        /// Base atoms, on the step.
        quantity: Amount,
        /// Time in force.
        time_in_force: TimeInForce,
    },
    /// At the prices of the book, within the band (S-3).
    Market {
        /// A buy: quote atoms to spend. A sell: base atoms, on the step.
        size: Amount,
    },
    /// A limit order that waits for the index to reach `stop` (S-4).
    StopLimit {
        /// Trigger price, on the tick.
        stop: Price,
        /// Limit price, on the tick.
        price: Price,
        /// Base atoms, on the step.
        quantity: Amount,
        /// Must be [`TimeInForce::GoodTillCancelled`].
        time_in_force: TimeInForce,
    },
}

/// Place a spot order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub struct PlaceSpotOrder {
    pub user: UserId,
    pub market: MarketId,
    pub side: Side,
    /// Kind with its fields.
    pub kind: OrderKind,
    /// The client's own id, unique among their open orders.
    pub client_order_id: Option<ClientOrderId>,
}

/// How an order is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrderRef {
    /// By its number.
    Id(OrderId),
    /// By the client's own id.
    Client(ClientOrderId),
}

/// Why an order was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CancelReason {
    /// The owner.
    User,
    /// Immediate-or-cancel: the rest (S-2).
    ImmediateOrCancel,
    /// Fill-or-kill: not all at once (S-2).
    FillOrKill,
    /// An order of the same owner would have traded with it (S-7).
    SelfTrade,
    /// A market order that filled nothing (S-3).
    NoLiquidity,
    /// The pair was retired (0.6).
    Retired,
    /// The owner moved it to another price (S-10).
    Moved,
}

impl CancelReason {
    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            CancelReason::User => "USER",
            CancelReason::ImmediateOrCancel => "IOC",
            CancelReason::FillOrKill => "FOK",
            CancelReason::SelfTrade => "STP",
            CancelReason::NoLiquidity => "NO_LIQUIDITY",
            CancelReason::Retired => "RETIRED",
            CancelReason::Moved => "MOVED",
        }
    }
}

/// A spot order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub struct SpotOrder {
    pub id: OrderId,
    pub user: UserId,
    pub market: MarketId,
    pub side: Side,
    /// Kind with price, quantity or funds.
    pub kind: OrderKind,
    /// The client's own id.
    pub client_order_id: Option<ClientOrderId>,
    pub status: Status,
    /// Why it was cancelled.
    pub reason: Option<CancelReason>,
    /// Base atoms filled.
    pub filled: Amount,
    /// Quote atoms filled.
    pub filled_value: Amount,
    /// Received as taker, atoms of the received coin; the base of the running fee (S-9).
    pub received_as_taker: Amount,
    /// Received as maker.
    pub received_as_maker: Amount,
    /// Fees paid, atoms of the received coin.
    pub fee: Amount,
    /// Fee as maker and as taker, fixed when it was placed (I-11).
    pub fee_rates: (Rate, Rate),
    /// Atoms still held: quote of a buy, base of a sell (S-8).
    pub held: Amount,
    /// Reference price when it was placed (S-5).
    pub reference: Price,
    /// Its time priority: lower trades first at the same price; renewed when a stop is triggered (S-1).
    pub priority: u64,
    /// Placed.
    pub created: Time,
    /// Last change.
    pub updated: Time,
}

impl SpotOrder {
    /// Limit price; `None` for a market order.
    pub fn price(&self) -> Option<Price> {
        match self.kind {
            OrderKind::Limit { price, .. } | OrderKind::StopLimit { price, .. } => Some(price),
            OrderKind::Market { .. } => None,
        }
    }

    /// Ordered base atoms; `None` for a market buy.
    pub fn quantity(&self) -> Option<Amount> {
        match self.kind {
            OrderKind::Limit { quantity, .. } | OrderKind::StopLimit { quantity, .. } => Some(quantity),
            OrderKind::Market { size } => (self.side == Side::Sell).then_some(size),
        }
    }

    /// Base atoms not filled; `None` for a market buy.
    pub fn left(&self) -> Option<Amount> {
        self.quantity().and_then(|quantity| quantity.checked_sub(self.filled))
    }

    pub(crate) fn time_in_force(&self) -> TimeInForce {
        match self.kind {
            OrderKind::Limit { time_in_force, .. } | OrderKind::StopLimit { time_in_force, .. } => time_in_force,
            OrderKind::Market { .. } => TimeInForce::ImmediateOrCancel,
        }
    }

    /// Waiting or on the book.
    pub fn is_live(&self) -> bool {
        matches!(self.status, Status::Waiting | Status::Open)
    }
}
