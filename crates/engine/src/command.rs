//! Everything that may enter the log. No command sets a price in live mode, an outcome or a balance.

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, Price};
use crate::catalog::{Catalog, Wallet};
use crate::ids::{AssetId, MarketId, OrderId, Seq, UserId};
use crate::ledger::HouseAccount;
use crate::time::Time;

/// One entry of the log: what happened, in which order, at which instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Position in the log, from 1, without gaps.
    pub seq: Seq,
    /// Journal time, never decreasing (T-1).
    pub time: Time,
    /// The client's key for repeating this write, if it sent one.
    pub request: Option<Request>,
    /// What is asked.
    pub command: Command,
}

/// A client's key for repeating a write (`api.md` 1.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// First 16 bytes of SHA-256 of caller and key.
    pub key: u128,
    /// First 16 bytes of SHA-256 of method, path and parameters.
    pub content: u128,
}

/// `sandbox` or `live`, for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    /// Paper money; clock and price may be pushed.
    Sandbox,
    /// Real money; sandbox commands are refused.
    Live,
}

/// What may enter the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// The first entry: mode, listed facts, and in a sandbox the paper capital of the house.
    Genesis(Genesis),
    /// Time passes; written when nothing else arrives for 250 ms (T-2).
    Clock,
    /// A new member, known to the engine by number only.
    RegisterMember {
        /// The member.
        user: UserId,
        /// Runs the labelled house liquidity. A label only: it exempts from nothing.
        house: bool,
    },
    /// Raw quotes of outside sources for several indices; the engine computes the prices.
    PublishQuotes(Vec<MarketQuotes>),
    /// Place a spot order (S-1 to S-9).
    PlaceSpotOrder(PlaceSpotOrder),
    /// Cancel one open spot order.
    CancelSpotOrder {
        /// Owner.
        user: UserId,
        /// Which order.
        order: OrderRef,
    },
    /// Cancel all open spot orders of a member.
    CancelAllSpotOrders {
        /// Owner.
        user: UserId,
        /// Only orders in pairs of this base coin.
        base: Option<AssetId>,
        /// Only orders in pairs of this quote coin.
        quote: Option<AssetId>,
    },
    /// Move money between two wallets of one member (TR-1 to TR-4).
    Transfer {
        /// Owner.
        user: UserId,
        /// Coin.
        asset: AssetId,
        /// Wallet that pays.
        from: Wallet,
        /// Wallet that receives.
        to: Wallet,
        /// Atoms.
        amount: Amount,
    },
    /// Paper funds for a member. Sandbox only.
    SandboxFaucet {
        /// Owner.
        user: UserId,
        /// Coin.
        asset: AssetId,
        /// Wallet that receives.
        wallet: Wallet,
        /// Atoms, at most [`crate::catalog::Asset::faucet_max`].
        amount: Amount,
    },
    /// Move journal time forward: the entry's own time is the target. Sandbox only.
    SandboxClock,
    /// Append one accepted sample and pin the feed to it. Sandbox only.
    SandboxPrice {
        /// Pair with an index of its own sources.
        market: MarketId,
        /// Price on the tick of the index.
        price: Price,
    },
    /// Stop or free the feed of an index. Sandbox only.
    SandboxFeed {
        /// Pair with an index of its own sources.
        market: MarketId,
        /// True: no samples until a price or a release. False: back to the simulated feed.
        halt: bool,
    },
}

impl Command {
    /// Asked for from outside, so that it may carry a request key and be repeated.
    pub fn may_repeat(&self) -> bool {
        match self {
            Command::Genesis(_) | Command::Clock | Command::RegisterMember { .. } | Command::PublishQuotes(_) => false,
            Command::PlaceSpotOrder(_)
            | Command::CancelSpotOrder { .. }
            | Command::CancelAllSpotOrders { .. }
            | Command::Transfer { .. }
            | Command::SandboxFaucet { .. }
            | Command::SandboxClock
            | Command::SandboxPrice { .. }
            | Command::SandboxFeed { .. } => true,
        }
    }
}

/// The first entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Genesis {
    /// Mode of the journal.
    pub mode: Mode,
    /// What is listed.
    pub catalog: Catalog,
    /// Paper capital: house account, coin, atoms. Must be empty in live mode.
    pub endowments: Vec<(HouseAccount, AssetId, Amount)>,
}

/// Raw quotes for one index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarketQuotes {
    /// The pair.
    pub market: MarketId,
    /// One quote for each source that answered.
    pub quotes: Vec<Quote>,
}

/// One source's quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// Position in the list of sources of the index.
    pub source: u8,
    /// Price; 0 or above [`crate::amount::MAX_PRICE`] is dropped.
    pub price: Price,
    /// Age when it was logged, milliseconds.
    pub age_ms: u32,
}

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

/// What kind of order, with the fields of that kind.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaceSpotOrder {
    /// Owner.
    pub user: UserId,
    /// Pair.
    pub market: MarketId,
    /// Direction.
    pub side: Side,
    /// Kind with its fields.
    pub kind: OrderKind,
    /// The client's own id, 1 to 36 characters, unique among his open orders.
    pub client_order_id: Option<String>,
}

/// How an order is named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OrderRef {
    /// By its number.
    Id(OrderId),
    /// By the client's own id.
    Client(String),
}
