//! Every refusal of the engine with its stable name on the wire (`api.md` 11).

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, Price};
use crate::ids::AssetId;

/// Why a command changed nothing. The first guard that fails, in the order of the rules, is the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reject {
    /// The same request key came before with other content.
    DuplicateRequest,
    /// An object that does not exist, or belongs to somebody else.
    NotFound,
    /// The object is in another state.
    WrongState,
    /// Zero, or out of the range of its kind.
    BadAmount,
    /// An arithmetic bound was reached.
    Overflow,
    /// Unknown coin, or a coin that the wallet does not admit (TR-1).
    BadAsset,
    /// Unknown pair.
    UnknownMarket,
    /// From and to are the same wallet (TR-1).
    SameWallet,
    /// Available balance too small.
    Insufficient {
        /// Coin that is short.
        asset: AssetId,
        /// Atoms available.
        available: Amount,
        /// Atoms needed.
        needed: Amount,
    },
    /// No fresh price (X-7, S-5).
    PriceStale,
    /// Opening is paused for this pair.
    Disabled,
    /// Time in force does not fit the order (S-2, S-4).
    TimeInForce,
    /// Price off the tick.
    Tick,
    /// Quantity off the step.
    Step,
    /// Quantity below the minimum.
    QuantityMin,
    /// Quantity above the maximum.
    QuantityMax,
    /// Value below the minimum.
    NotionalMin,
    /// Value above the maximum.
    NotionalMax,
    /// Limit price outside the band (S-6).
    Band {
        /// Lowest admitted price.
        low: Price,
        /// Highest admitted price.
        high: Price,
        /// Reference price.
        reference: Price,
    },
    /// Trigger on the wrong side of the reference (S-4).
    StopSide {
        /// Reference price.
        reference: Price,
    },
    /// A post-only order would trade (S-2).
    PostOnly,
    /// Another open order of the user has this client id.
    ClientOrderId,
    /// Too many open orders in this pair.
    MaxOrders,
    /// Not one step could trade (S-3).
    NoLiquidity,
    /// More than one faucet call may give.
    FaucetMax {
        /// Largest amount in atoms.
        max: Amount,
    },
    /// Sandbox input under a live genesis, or a second genesis.
    NotAllowed,
    /// Clock target in the past or over 366 days ahead.
    BadTime,
    /// The member exists already.
    MemberExists,
}

impl Reject {
    /// The name on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Reject::DuplicateRequest => "E_DUP_REQUEST",
            Reject::NotFound => "E_NOT_FOUND",
            Reject::WrongState | Reject::MemberExists => "E_STATE",
            Reject::BadAmount => "E_AMOUNT",
            Reject::Overflow => "E_OVERFLOW",
            Reject::BadAsset => "E_ASSET",
            Reject::UnknownMarket => "E_MARKET",
            Reject::SameWallet => "E_ACCOUNT",
            Reject::Insufficient { .. } => "E_INSUFFICIENT",
            Reject::PriceStale => "E_PRICE_STALE",
            Reject::Disabled => "E_DISABLED",
            Reject::TimeInForce => "E_TIF",
            Reject::Tick => "E_TICK",
            Reject::Step => "E_STEP",
            Reject::QuantityMin => "E_QTY_MIN",
            Reject::QuantityMax => "E_QTY_MAX",
            Reject::NotionalMin => "E_NOTIONAL_MIN",
            Reject::NotionalMax => "E_NOTIONAL_MAX",
            Reject::Band { .. } => "E_BAND",
            Reject::StopSide { .. } => "E_STOP_SIDE",
            Reject::PostOnly => "E_POST_ONLY",
            Reject::ClientOrderId => "E_CLIENT_ID",
            Reject::MaxOrders => "E_MAX_ORDERS",
            Reject::NoLiquidity => "E_NO_LIQUIDITY",
            Reject::FaucetMax { .. } => "E_FAUCET_MAX",
            Reject::NotAllowed => "E_PATH",
            Reject::BadTime => "E_TIME",
        }
    }
}
