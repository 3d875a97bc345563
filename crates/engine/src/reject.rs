//! Every refusal of the engine with its stable name on the wire (`docs/api.md` 11).

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, Price};
use crate::ids::{AssetId, Digest};
use crate::limit::SelfLimit;
use crate::product::Product;
use crate::time::Time;

/// Why a command changed nothing. The first guard that fails, in the order of the rules, is the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reject {
    /// The same request key came before with other content (0.7).
    DuplicateRequest,
    /// An object that does not exist, or belongs to another member (0.7).
    NotFound,
    /// The object is in another state (0.7).
    WrongState,
    /// Zero, or out of the range of its kind (0.7).
    BadAmount,
    /// An arithmetic bound was reached (0.7).
    Overflow,
    /// Unknown coin, or a coin that the wallet does not admit (TR-1).
    BadAsset,
    /// Unknown pair (2.4).
    UnknownMarket,
    /// From and to are the same wallet (TR-1).
    SameWallet,
    /// Available balance too small (0.7).
    Insufficient {
        /// The coin.
        asset: AssetId,
        /// Atoms available.
        available: Amount,
        /// Atoms needed.
        needed: Amount,
    },
    /// No fresh price (X-7, S-5).
    PriceStale,
    /// The product may not be opened: it is paused or switched off (0.6). Only its number is stored, so an answer that is repeated does not
    /// say which product it was: the command does.
    Disabled(#[serde(skip)] Option<Product>),
    /// Time in force does not fit the order (S-2, S-4).
    TimeInForce,
    /// Price off the tick (2.4).
    Tick,
    /// Quantity off the step (2.4).
    Step,
    /// Quantity below the minimum (2.4).
    QuantityMin,
    /// Quantity above the maximum (2.4).
    QuantityMax,
    /// Value below the minimum (2.4).
    NotionalMin,
    /// Value above the maximum (2.4).
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
    /// Another open order of the user has this client id (2.4).
    ClientOrderId,
    /// Too many open orders in this pair (2.4).
    MaxOrders,
    /// Not one step could trade (S-3).
    NoLiquidity,
    /// More than one faucet call may give (`docs/api.md` 4.17).
    FaucetMax {
        /// Largest amount in atoms.
        max: Amount,
    },
    /// Sandbox input under a live genesis, or a second genesis (0.4).
    NotAllowed,
    /// Clock target in the past or over 366 days ahead (T-1).
    BadTime,
    /// The member exists already (0.7).
    MemberExists,
    /// The member is frozen (0.6).
    Frozen {
        /// Who froze it.
        by: FrozenBy,
        /// Its end, if it has one.
        until: Option<Time>,
    },
    /// Basic verification is missing (V-5).
    KycBasic,
    /// Three submissions of this level in 24 h (V-2).
    KycLimit,
    /// Another member's document (V-3).
    KycDuplicate,
    /// No fund password is set.
    FundPasswordUnset,
    /// The fund password is locked.
    FundPasswordLocked {
        /// End of the lock.
        until: Time,
    },
    /// The fund password was wrong; the entry counts, as a right one does whatever is refused after it.
    FundPasswordWrong {
        /// Entries left before the lock; 0: it is locked now.
        left: u8,
    },
    /// A code or second factor was not right at the edge (W-3).
    Code(CodeFault),
    /// No such address or card of the member (W-3).
    AddressUnset {
        /// A card was meant.
        card: bool,
    },
    /// The coin does not travel on this chain, or the address is of another one (W-1, D-4).
    BadChain,
    /// The address is stored already (W-1).
    AddressDuplicate,
    /// Too many stored addresses (W-1).
    AddressMax {
        /// Most addresses.
        max: u32,
    },
    /// The card is stored already (K-3).
    CardDuplicate,
    /// Too many stored cards (K-3).
    CardMax {
        /// Most cards.
        max: u32,
    },
    /// The address or card is younger than 24 h (W-1).
    CooldownAddress {
        /// When it may be used.
        until: Time,
    },
    /// A security change was less than 24 h ago (W-2).
    CooldownSecurity {
        /// End of the hold.
        until: Time,
    },
    /// Below the smallest withdrawal (W-3).
    WithdrawMin {
        /// Atoms.
        min: Amount,
    },
    /// Too many applications today (W-4).
    WithdrawCount {
        /// The next UTC day.
        resets: Time,
    },
    /// Over the value limit of the day (W-5).
    WithdrawLimit {
        /// Value left today, in atoms of the coin of the bank terms.
        left: Amount,
        /// The advanced level would allow it.
        upgrade: bool,
    },
    /// Below the smallest deposit (D-2, D-4).
    DepositMin {
        /// Atoms, or US cents for a bank transfer.
        min: u64,
    },
    /// Too many open deposit claims (D-2).
    ClaimLimit {
        /// Most claims.
        max: u32,
    },
    /// The payment or bank reference was used before (D-3).
    DuplicateTx,
    /// Too few confirmations (D-4).
    Confirmations {
        /// Seen.
        seen: u32,
        /// Needed.
        needed: u32,
    },
    /// The item changed since the operator saw it (0.6).
    ChangedSince {
        /// Present version.
        version: u32,
        /// Present hash.
        hash: Digest,
    },
    /// An operator and the member concerned are one person (W-7, 0.6).
    SelfReview,
    /// A second person is needed (W-7, 0.6).
    SameOperator,
    /// More than the free balance of a house account (L-3).
    FreeShort {
        /// Free atoms.
        free: Amount,
    },
    /// Values that the catalog does not allow (0.6).
    BadCatalog,
    /// An operator who is unknown, switched off, not released, or without a role for it (0.6).
    Role,
    /// An option duration that is unknown or switched off, or whose rule is no longer the one that was offered (3.4).
    Duration,
    /// The member's own limit (`docs/rules.md` 0.8).
    SelfLimit {
        /// Which.
        limit: SelfLimit,
        /// Its value.
        value: u64,
        /// The used part of the limit, without the refused command; the present instant for a pause.
        used: u64,
    },
    /// Stake below the smallest (3.4).
    StakeMin {
        /// Atoms.
        min: Amount,
    },
    /// Stake above the largest (3.4).
    StakeMax {
        /// Atoms.
        max: Amount,
    },
    /// Too many open objects (3.1, 4.1, 7.1).
    OpenLimit {
        /// Most open ones.
        max: u32,
    },
    /// The house pool cannot cover it (O-4).
    PoolShort {
        /// Free atoms of the pool.
        free: Amount,
    },
    /// Not a whole number of lots from 1 on (4.4).
    Lots,
    /// More lots than an order may have (4.4).
    LotsMax {
        /// Most lots.
        max: u64,
    },
    /// A multiple that is not on offer, or above that of the tier (4.4).
    Leverage {
        /// Largest multiple.
        max: u32,
    },
    /// A notional above the last tier (4.4).
    Tier {
        /// Largest notional, atoms.
        max: Amount,
    },
    /// The position would be liquidated at once (4.4).
    LiquidatedAtOpen,
    /// Take profit out of its bounds (C-15).
    TakeProfit {
        /// Lowest admitted price.
        low: Price,
        /// Highest admitted price.
        high: Price,
    },
    /// Stop loss out of its bounds (C-15).
    StopLoss {
        /// Lowest admitted price.
        low: Price,
        /// Highest admitted price.
        high: Price,
    },
    /// The pool has lost as much today as it may (C-13, O-11).
    PoolLossLimit,
    /// Both coins of a conversion are the same (F-1).
    SameAsset,
    /// Worth less than the minimum of a conversion (`docs/rules.md` 8).
    ConversionMin {
        /// Smallest value, atoms of the coin of the bank terms.
        min: Amount,
    },
    /// Worth more than the maximum of one conversion (`docs/rules.md` 8).
    ConversionMax {
        /// Largest value.
        max: Amount,
    },
    /// More than a member may convert in a day (`docs/rules.md` 8).
    ConversionDay {
        /// The rest of the limit, atoms of the coin of the bank terms.
        left: Amount,
    },
    /// The quote has expired (F-3).
    QuoteExpired,
    /// The price moved too far, or less would come out than was asked for (F-4, F-6).
    PriceMoved {
        /// What it would pay now; 0 for nothing.
        net: Amount,
    },
    /// A cycle that is unknown or switched off (B-1).
    Cycle,
    /// Loan below the smallest (B-1).
    LoanMin {
        /// Atoms.
        min: Amount,
    },
    /// Loan above the largest (B-1).
    LoanMax {
        /// Atoms.
        max: Amount,
    },
    /// The collateral is not enough (B-1, B-2).
    LoanToValue {
        /// The smallest sufficient collateral, atoms.
        min_collateral: Amount,
    },
    /// A treasury cannot cover it (B-1).
    TreasuryShort {
        /// Free atoms of the coin.
        free: Amount,
    },
    /// Outside the time window in which it is possible (6.2).
    Window {
        /// From then on.
        start: Time,
        /// Before then.
        end: Time,
    },
    /// The offering does not take this coin (N-2).
    PayCurrency,
    /// Value below the smallest commitment (N-2).
    SubscriptionMin {
        /// Atoms of the quote coin.
        min: Amount,
    },
    /// More than one member may commit to the offering (N-2).
    UserCap {
        /// Value left, atoms of the quote coin.
        left: Amount,
    },
    /// More than all commitments together may be worth (N-2).
    SoldOut,
    /// An unknown or frozen member as the inviter of a new one (G-5).
    UnknownInviter,
    /// A plan that is unknown or closed (P-1).
    PlanCycle,
    /// The agreement was not accepted (P-1).
    Agreement,
    /// Principal below the smallest (P-1).
    PlanMin {
        /// Atoms.
        min: Amount,
    },
    /// Principal above the largest (P-1).
    PlanMax {
        /// Atoms.
        max: Amount,
    },
    /// The deduction is higher than the owner accepts (`docs/api.md` 4.10).
    FeeMoved {
        /// Atoms.
        fee: Amount,
    },
    /// The terms are not those that the member was shown (`docs/api.md` 4.10, 4.12).
    TermsChanged,
    /// More is owed than the borrower would pay (`docs/api.md` 4.12).
    DebtMoved {
        /// Atoms.
        debt: Amount,
    },
    /// A stop order that waits for its trigger cannot be moved (S-10). Not [`Reject::WrongState`], because a repeated answer must name the
    /// same state, and the order may have left it since.
    AwaitsTrigger,
    /// Too much staked on open options (3.1).
    OpenStakes {
        /// Most stakes of the coin together, atoms.
        max: Amount,
    },
    /// A stop in a pair without an index: nothing would trigger it (S-4).
    OrderType,
}

/// Who froze a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FrozenBy {
    /// An operator.
    Operator,
    /// The member.
    Member,
}

/// What was wrong with a code or second factor. The edge checks it, the engine answers in the order of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CodeFault {
    /// Wrong or expired code.
    Wrong,
    /// Too many wrong codes.
    Locked,
    /// A second factor is on and none was sent.
    SecondFactorMissing,
    /// Wrong or used second factor.
    SecondFactorWrong,
}

impl Reject {
    /// The name on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Reject::DuplicateRequest => "E_DUP_REQUEST",
            Reject::NotFound => "E_NOT_FOUND",
            Reject::WrongState | Reject::MemberExists | Reject::AwaitsTrigger => "E_STATE",
            Reject::BadAmount => "E_AMOUNT",
            Reject::Overflow => "E_OVERFLOW",
            Reject::BadAsset => "E_ASSET",
            Reject::UnknownMarket => "E_MARKET",
            Reject::SameWallet => "E_ACCOUNT",
            Reject::Insufficient { .. } => "E_INSUFFICIENT",
            Reject::PriceStale => "E_PRICE_STALE",
            Reject::Disabled(_) => "E_DISABLED",
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
            Reject::Frozen { .. } => "E_ACCOUNT_FROZEN",
            Reject::KycBasic => "E_KYC_BASIC",
            Reject::KycLimit => "E_KYC_LIMIT",
            Reject::KycDuplicate => "E_KYC_DUP",
            Reject::FundPasswordUnset => "E_FUNDPW_UNSET",
            Reject::FundPasswordLocked { .. } => "E_FUNDPW_LOCKED",
            Reject::FundPasswordWrong { .. } => "E_FUNDPW_WRONG",
            Reject::Code(CodeFault::Wrong) => "E_CODE",
            Reject::Code(CodeFault::Locked) => "E_CODE_LOCKED",
            Reject::Code(CodeFault::SecondFactorMissing) => "E_2FA_REQUIRED",
            Reject::Code(CodeFault::SecondFactorWrong) => "E_2FA_WRONG",
            Reject::AddressUnset { .. } => "E_ADDRESS_UNSET",
            Reject::BadChain => "E_CHAIN",
            Reject::AddressDuplicate => "E_ADDRESS_DUP",
            Reject::AddressMax { .. } => "E_ADDRESS_MAX",
            Reject::CardDuplicate => "E_CARD_DUP",
            Reject::CardMax { .. } => "E_CARD_MAX",
            Reject::CooldownAddress { .. } => "E_COOLDOWN_ADDRESS",
            Reject::CooldownSecurity { .. } => "E_COOLDOWN_SECURITY",
            Reject::WithdrawMin { .. } => "E_WITHDRAW_MIN",
            Reject::WithdrawCount { .. } => "E_WITHDRAW_COUNT",
            Reject::WithdrawLimit { .. } => "E_WITHDRAW_LIMIT",
            Reject::DepositMin { .. } => "E_DEPOSIT_MIN",
            Reject::ClaimLimit { .. } => "E_CLAIM_LIMIT",
            Reject::DuplicateTx => "E_DUP_TX",
            Reject::Confirmations { .. } => "E_CONFIRMATIONS",
            Reject::ChangedSince { .. } => "E_VERSION",
            Reject::SelfReview => "E_SELF_REVIEW",
            Reject::SameOperator => "E_SAME_OPERATOR",
            Reject::FreeShort { .. } => "E_FREE_SHORT",
            Reject::BadCatalog => "E_CATALOG",
            Reject::Role => "E_ROLE",
            Reject::Duration => "E_DURATION",
            Reject::SelfLimit { .. } => "E_SELF_LIMIT",
            Reject::StakeMin { .. } => "E_STAKE_MIN",
            Reject::StakeMax { .. } => "E_STAKE_MAX",
            Reject::OpenLimit { .. } | Reject::OpenStakes { .. } => "E_OPEN_LIMIT",
            Reject::OrderType => "E_TYPE",
            Reject::PoolShort { .. } => "E_POOL_SHORT",
            Reject::Lots => "E_LOTS",
            Reject::LotsMax { .. } => "E_LOTS_MAX",
            Reject::Leverage { .. } => "E_LEVERAGE",
            Reject::Tier { .. } => "E_TIER",
            Reject::LiquidatedAtOpen => "E_LIQ_AT_OPEN",
            Reject::TakeProfit { .. } => "E_TP",
            Reject::StopLoss { .. } => "E_SL",
            Reject::PoolLossLimit => "E_POOL_LOSS_LIMIT",
            Reject::SameAsset => "E_SAME_ASSET",
            Reject::ConversionMin { .. } => "E_FLASH_MIN",
            Reject::ConversionMax { .. } => "E_FLASH_MAX",
            Reject::ConversionDay { .. } => "E_FLASH_DAY",
            Reject::QuoteExpired => "E_QUOTE_EXPIRED",
            Reject::PriceMoved { .. } => "E_PRICE_MOVED",
            Reject::Cycle => "E_CYCLE",
            Reject::LoanMin { .. } => "E_LOAN_MIN",
            Reject::LoanMax { .. } => "E_LOAN_MAX",
            Reject::LoanToValue { .. } => "E_LTV",
            Reject::TreasuryShort { .. } => "E_TREASURY_SHORT",
            Reject::Window { .. } => "E_WINDOW",
            Reject::PayCurrency => "E_PAY_CURRENCY",
            Reject::SubscriptionMin { .. } => "E_SUB_MIN",
            Reject::UserCap { .. } => "E_USER_CAP",
            Reject::SoldOut => "E_SOLD_OUT",
            Reject::UnknownInviter => "E_INVITE",
            Reject::PlanCycle => "E_CYCLE",
            Reject::Agreement => "E_AGREEMENT",
            Reject::PlanMin { .. } => "E_PLAN_MIN",
            Reject::PlanMax { .. } => "E_PLAN_MAX",
            Reject::FeeMoved { .. } => "E_PRICE_MOVED",
            Reject::TermsChanged => "E_TERMS",
            Reject::DebtMoved { .. } => "E_DEBT_MOVED",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_the_product_and_is_stored_as_before_it_did() {
        let bytes = postcard::to_allocvec(&Reject::Disabled(Some(Product::BankDeposit))).unwrap();
        assert_eq!(bytes, [10], "answers in old states keep their bytes");
        assert_eq!(postcard::from_bytes::<Reject>(&bytes).unwrap(), Reject::Disabled(None));
    }
}
