//! Wire types that our structs hold as plain text and numbers: flags, states, words, rows of lists that are empty in this release. They
//! exist for the server's description of itself (`openapi.json`).

use serde::Serialize;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::i18n;

macro_rules! one_of {
    ($($(#[$about:meta])+ $name:ident: $kind:ident = $($value:literal)|+;)+) => {$(
        $(#[$about])+
        #[derive(Debug)]
        pub enum $name {}

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                values(Type::$kind, [$($value),+])
            }
        }

        impl ToSchema for $name {}
    )+};
}

one_of! {
    /// 1 = yes.
    Flag: Integer = 0 | 1;
    /// 1 buy, 2 sell.
    Side: Integer = 1 | 2;
    /// 1 waiting, 2 completed, 3 cancelled.
    SpotStatus: Integer = 1 | 2 | 3;
    /// Why an order was cancelled.
    SpotReason: String = "USER" | "IOC" | "FOK" | "STP" | "NO_LIQUIDITY" | "RETIRED" | "MOVED";
    /// Kind of a spot order.
    OrderType: String = "limit" | "market" | "stop_limit";
    /// Time in force.
    TimeInForce: String = "gtc" | "ioc" | "fok" | "post_only";
    /// Side of a fill.
    FillRole: String = "maker" | "taker";
    /// Side of the taker.
    Direction: String = "buy" | "sell";
    /// 1 up, 2 down, 0 even.
    OptionDirection: Integer = 1 | 2 | 0;
    /// 1 long, 2 short.
    ContractSide: Integer = 1 | 2;
    /// 0 waiting, 1 holding, 3 closed, 4 cancelled.
    ContractStatus: Integer = 0 | 1 | 3 | 4;
    /// Why a position was closed or an order cancelled; `REFUSED`: an order reached its limit and could not be opened.
    ContractReason: String = "USER" | "TP" | "SL" | "LIQUIDATION" | "PROFIT_CAP" | "ADL" | "RETIRED" | "EXPIRED" | "REFUSED";
    /// 1 pending, 2 in loan, 3 finished, 4 cancelled, 5 overdue.
    LoanStatus: Integer = 1 | 2 | 3 | 4 | 5;
    /// How a loan ended.
    LoanReason: String = "REPAID" | "AUTO_DEBIT" | "LIQUIDATED" | "USER" | "REJECTED" | "EXPIRED" | "LTV";
    /// 1 subscribing, 2 launched or locked, 3 settled.
    SubscriptionStatus: Integer = 1 | 2 | 3;
    /// 3 under review, 1 passed, 2 refunded.
    ExamStatus: Integer = 3 | 1 | 2;
    /// 1 shown on the home page, 2 not.
    Recommended: Integer = 1 | 2;
    /// The exact state of an offering.
    OfferingState: String = "upcoming" | "open" | "sold_out" | "allocated" | "launched" | "ended" | "cancelled";
    /// 1 in hosting, 2 ended.
    HostingStatus: Integer = 1 | 2;
    /// 1 open, 3 closed.
    OptionStatus: Integer = 1 | 3;
    /// How an option ended.
    OptionResult: String = "open" | "won" | "lost" | "push" | "refunded";
    /// 1 won, -1 lost, 0 push or refunded.
    ProfitResult: Integer = 1 | -1 | 0;
    /// How an even outcome settles an option on up or down.
    TieRule: String = "refund" | "lose";
    /// The side of a hash beside the one computed so far.
    PathSide: String = "left" | "right";
    /// Progress of an export of the member's own data.
    ExportStatus: String = "working" | "ready" | "expired";
    /// Why a quote was not used.
    Unused: String = "stale" | "deviation" | "nonpositive";
    /// State of a pair.
    MarketStatus: String = "open" | "paused" | "retiring" | "retired";
    /// Outcome of a write; one that was never done can no longer be done under its key.
    WriteState: String = "done" | "refused" | "never";
    /// Mode of the journal.
    Mode: String = "sandbox" | "live";
    /// A product that a country allows or forbids.
    Product: String = "spot" | "option" | "contract" | "plan" | "subscription" | "loan" | "flash"
        | "deposit_coin" | "deposit_bank" | "withdraw_coin" | "withdraw_bank";
    /// `change` spot, `lever` contract, `micro` option, `trust` plan.
    Account: String = "change" | "lever" | "micro" | "trust";
    /// 2 spot, 3 contract, 4 option, 5 plan.
    AccountNumber: Integer = 2 | 3 | 4 | 5;
    /// The available or the frozen balance.
    Part: String = "avail" | "frozen";
    /// A public figure.
    StatName: String = "spot_volume_24h" | "option_payouts_24h" | "withdrawal_minutes_median_30d" | "withdrawal_minutes_p95_30d"
        | "withdrawals_rejected_30d" | "withdrawals_paid_30d";
    /// An account of the house.
    PoolAccount: String = "fee" | "option_pool" | "contract_pool" | "insurance" | "plan_treasury" | "loan_treasury"
        | "sub_escrow" | "sub_proceeds" | "flash_pool";
    /// An account of the house, or its labelled liquidity.
    MovedAccount: String = "fee" | "option_pool" | "contract_pool" | "insurance" | "plan_treasury" | "loan_treasury"
        | "sub_escrow" | "sub_proceeds" | "flash_pool" | "liquidity";
    /// Identity level: 0 none, 1 under review, 2 verified, 3 rejected.
    ReviewStatus: Integer = 0 | 1 | 2 | 3;
    /// 1 basic, 2 advanced.
    KycLevel: Integer = 1 | 2;
    /// State of a deposit or withdrawal: 1 under review, 2 passed, 3 rejected, cancelled or returned.
    FundingStatus: Integer = 1 | 2 | 3;
    /// Exact state of a withdrawal.
    WithdrawalState: String = "under_review" | "passed" | "sent" | "rejected" | "cancelled" | "returned";
    /// 0 normal, 1 frozen by an operator, 2 frozen by the user.
    UserStatus: Integer = 0 | 1 | 2;
    /// What a freeze blocks; `all` blocks openings and outgoing money, never closing.
    FreezeScope: String = "none" | "withdraw" | "all";
    /// Referral role.
    UserRole: String = "user" | "promoter" | "partner";
    /// The subject of a notice.
    NoticeKind: String = "deposit" | "withdrawal" | "order" | "option" | "contract" | "plan" | "subscription" | "loan" | "identity"
        | "security" | "ticket" | "chat" | "alert" | "system";
    /// The direction in which the price has to move for an alert.
    AlertDirection: String = "above" | "below";
    /// Whether a withdrawal needs a code; `none`: this server uses no codes.
    WithdrawCodeState: String = "none" | "on" | "off";
    /// How a log-in was authenticated.
    LoginMethod: String = "password" | "totp" | "recovery" | "passkey";
    /// Who wrote a message.
    MessageAuthor: String = "me" | "support" | "system";
    /// Queue of the operators.
    QueueKind: String = "deposit" | "bank_deposit" | "withdrawal" | "identity" | "loan" | "subscription" | "ticket" | "chat" | "fund_reset";
    /// State of a proposal.
    ProposalState: String = "waiting" | "done" | "cancelled" | "expired" | "refused";
    /// State of an observed payment.
    ObservationState: String = "entered" | "matched" | "conflict" | "credited" | "reversed";
    /// State of an incident.
    IncidentState: String = "open" | "settled" | "reversed" | "lapsed";
    /// Role of a node.
    NodeRole: String = "leader" | "follower";
    /// Whether a fund password is set: 1 set, 2 not set.
    FundPassword: Integer = 1 | 2;
    /// Where prices come from.
    MarketKind: String = "live" | "simulated";
    /// Connection to a source of prices.
    SourceState: String = "idle" | "waiting" | "connecting" | "open";
    /// Why a quote was not taken.
    Rejection: String = "price" | "time" | "order";
}

/// An object whose fields depend on what it describes.
#[derive(Debug)]
pub enum AnyMap {}

impl PartialSchema for AnyMap {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(SchemaType::Type(Type::Object)).into()
    }
}

impl ToSchema for AnyMap {}

/// Code of a language.
#[derive(Debug)]
pub enum Lang {}

impl PartialSchema for Lang {
    fn schema() -> RefOr<Schema> {
        values(Type::String, i18n::Lang::ALL.map(i18n::Lang::code))
    }
}

impl ToSchema for Lang {}

fn values<const N: usize>(kind: Type, values: [impl Into<serde_json::Value>; N]) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(SchemaType::Type(kind)).enum_values(Some(values)).into()
}

/// The effect of a command on an object.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Answer)]
pub struct ObjectState {
    /// Number of the object.
    pub id: u64,
    /// Journal sequence of the command.
    pub seq: u64,
    /// State of the object after the command.
    pub state: &'static str,
}

/// The log entries that public figures are computed from.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct EntryRange {
    /// The first.
    pub from_seq: u64,
    /// The last.
    pub to_seq: u64,
}

/// A network of a coin.
#[derive(Debug, Serialize, ToSchema)]
pub struct Network {
    /// `BTC`, `ERC20` or `TRC20`.
    pub chain: String,
    /// Displayed name.
    pub name: String,
    /// Smallest credited deposit.
    pub deposit_min: String,
    /// Confirmations before a deposit is credited.
    pub confirmations: u32,
    /// Smallest withdrawal.
    pub withdraw_min: String,
    /// Fee, included in the amount.
    pub withdraw_fee: String,
    /// Whether deposits are open.
    #[schema(value_type = Flag)]
    pub deposit_on: u8,
    /// Whether withdrawals are open.
    #[schema(value_type = Flag)]
    pub withdraw_on: u8,
}

/// Rules of a contract pair.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContractRules {
    /// Pair number.
    pub match_id: u32,
    /// Base coin of one lot.
    pub lot: String,
    /// Price step.
    pub tick: String,
    /// Offered leverage.
    pub multiples: Vec<u32>,
    /// Opening and closing fee, percent.
    pub fee: String,
    /// Distance of the execution price from the mark, percent.
    pub spread: String,
    /// Liquidation fee, percent.
    pub liq_fee: String,
    /// Fee at each 00:00 UTC, percent.
    pub overnight: String,
    /// Profit cap as a multiple of the margin.
    pub cap_roi: u32,
    /// Lots per order.
    pub max_lots: u64,
    /// Maintenance tiers by notional at opening.
    pub tiers: Vec<ContractTier>,
}

/// A maintenance tier.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContractTier {
    /// Up to this notional.
    pub bound: String,
    /// Largest leverage.
    pub max_multiple: u32,
    /// Maintenance margin, percent.
    pub mmr: String,
    /// Deducted from the maintenance margin.
    pub deduction: String,
}

/// The risk text of a product. Spot has none.
#[derive(Debug, Serialize, ToSchema)]
pub struct RiskText {
    /// Product.
    #[schema(value_type = Product)]
    pub product: String,
    /// Version that a member has seen.
    pub version: String,
    /// Title.
    pub title: String,
    /// Sanitised HTML.
    pub body: String,
}
