//! Everything that may enter the log. No command sets a price in live mode, an outcome or a balance.

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, Price};
use crate::backoffice::acts::Operate;
use crate::catalog::funding::Chain;
use crate::catalog::{Catalog, Wallet};
use crate::contracts::position::OpenContract;
use crate::convert::conversion::Convert;
use crate::feature::Feature;
use crate::funding::deposit::{Claimed, Observed};
use crate::funding::withdrawal::{PayoutReport, Verification, Withdraw};
use crate::identity::KycLevel;
use crate::ids::{AddressId, AssetId, CardId, Digest, LoanId, MarketId, OrderId, PositionId, QuoteId, Seq, UserId, WithdrawalId};
use crate::index::MarketQuotes;
use crate::ledger::posting::HouseAccount;
use crate::liabilities::RecordLiabilities;
use crate::loans::loan::ApplyForLoan;
use crate::operators::Declared;
use crate::options::option::BuyOption;
use crate::plans::order::{BuyPlan, RedeemPlan};
use crate::security::FundPasswordChange;
use crate::self_limits::SelfLimit;
use crate::spot::order::{OrderRef, PlaceSpotOrder};
use crate::subscriptions::offering::Commit;
use crate::time::Time;

/// Additional keys for each kind of command that only cancels, closes, repays, secures, redeems or freezes ([`Command::spare_keys`]).
pub const SPARE_KEYS: u32 = 1_000;

/// One entry of the log: what happened, in which order, at which instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Position in the log, from 1, without gaps.
    pub seq: Seq,
    /// Journal time, never decreasing (T-1).
    pub time: Time,
    /// The client's key for repeating this write, if it sent one.
    pub request: Option<Request>,
    /// The command.
    pub command: Command,
}

/// A client's key for repeating a write (`docs/api.md` 1.6).
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
#[expect(missing_docs, reason = "the fields are named by their types")]
pub enum Command {
    /// The first entry: mode, catalog, and in a sandbox the paper capital of the house (0.4).
    Genesis(Box<Genesis>),
    /// Time passes; written when work falls due, when a reader needs the time, and after 10 s without another entry (T-2).
    Clock,
    /// A rule of this release acts from here on, once for ever (I-10): [`Feature`].
    Activate(Feature),
    /// The hash of the state after an earlier entry, from a snapshot (I-10). It changes nothing; a replay compares it.
    RecordState {
        /// The entry.
        seq: Seq,
        /// Form of the state that was hashed ([`crate::snapshot::FORMAT`]): only a release with the same form can compare it.
        form: u16,
        /// [`crate::Engine::state_hash`] after it.
        hash: Digest,
    },
    /// The roots of the liabilities after an earlier entry. It changes nothing; anyone with the whole log can rebuild the trees
    /// (`docs/api.md` 10).
    RecordLiabilities(Box<RecordLiabilities>),
    /// A new member, known to the engine by number only (0.4).
    RegisterMember {
        /// The member.
        user: UserId,
        /// Runs the labelled house liquidity. A label only: it exempts from nothing.
        house: bool,
    },
    /// A new member invited by another (G-5): only the hash of the inviter is public.
    RegisterInvited {
        /// The member.
        user: UserId,
        /// The inviter.
        inviter: UserId,
    },
    /// Raw quotes of outside sources for several indices; the engine computes the prices.
    PublishQuotes(Vec<MarketQuotes>),
    /// Place a spot order (S-1 to S-9).
    PlaceSpotOrder(PlaceSpotOrder),
    /// Cancel one open spot order (2.2).
    CancelSpotOrder {
        user: UserId,
        /// Which order.
        order: OrderRef,
    },
    /// Move an open spot order to another price (S-10).
    MoveSpotOrder {
        user: UserId,
        /// Which order, by number and never by the client's own id: the log must show which order traded.
        order: OrderId,
        /// The new limit price, on the tick.
        price: Price,
    },
    /// Cancel all open spot orders of a member (2.2).
    CancelAllSpotOrders {
        user: UserId,
        /// Only orders in pairs of this base coin.
        base: Option<AssetId>,
        /// Only orders in pairs of this quote coin.
        quote: Option<AssetId>,
    },
    /// Move money between two wallets of one member (TR-1 to TR-4).
    Transfer {
        user: UserId,
        asset: AssetId,
        /// Wallet that pays.
        from: Wallet,
        /// Wallet that receives.
        to: Wallet,
        /// Atoms.
        amount: Amount,
    },
    /// Store a withdrawal address (W-1). Its number is the sequence of the entry.
    AddAddress {
        user: UserId,
        asset: AssetId,
        chain: Chain,
        /// SHA-256 of the canonical text of the address, whose format the edge has checked.
        destination: Digest,
        /// Secrets that the edge checked.
        verification: Verification,
    },
    /// Remove a stored address (W-9).
    RemoveAddress { user: UserId, address: AddressId },
    /// Store a bank card (K-3). Its number in the log is the sequence of the entry.
    AddCard {
        user: UserId,
        /// Keyed digest of the printed number.
        number: Digest,
        /// Keyed digest of all fields.
        destination: Digest,
    },
    /// Remove a stored bank card (K-3).
    RemoveCard { user: UserId, card: CardId },
    /// Claim a deposit (D-2, 10.2). Credits nothing.
    ClaimDeposit {
        user: UserId,
        /// The payment that the member says they sent.
        claimed: Claimed,
        /// Digest of the proof.
        proof: Digest,
    },
    /// Apply for a withdrawal (W-3 to W-6).
    Withdraw(Withdraw),
    /// Cancel a withdrawal before its first approval (11).
    CancelWithdrawal { user: UserId, withdrawal: WithdrawalId },
    /// Set, change or reset the fund password. The password itself never enters the log.
    SetFundPassword {
        user: UserId,
        /// How.
        change: FundPasswordChange,
    },
    /// Login password, phone, e-mail or second factor changed: no withdrawal for 24 h (W-2).
    RecordSecurityChange {
        /// The member.
        user: UserId,
    },
    /// A member freezes their own account (0.6). It can be made longer, not shorter.
    FreezeSelf {
        /// The member.
        user: UserId,
        /// Until when; `None` is until two operators lift it.
        until: Option<Time>,
    },
    /// Set own limits (`docs/rules.md` 0.8): a tighter value takes effect at once, a looser one after 24 h.
    SetSelfLimits {
        /// The member.
        user: UserId,
        /// New values; `None` is no limit.
        changes: Vec<(SelfLimit, Option<u64>)>,
    },
    /// Submit identity papers (V-1 to V-3).
    SubmitIdentity {
        /// The member.
        user: UserId,
        level: KycLevel,
        /// Keyed digest of country and number (basic) or of the pictures (advanced).
        document: Digest,
        /// Keyed digest of everything submitted.
        content: Digest,
    },
    /// A watcher saw a payment to a member's address, or more confirmations of it (D-3).
    ObserveDeposit {
        /// SHA-256 of `chain:transaction:output`.
        tx: Digest,
        /// The observed payment.
        observed: Observed,
        /// Confirmations.
        confirmations: u32,
    },
    /// A watcher saw that a chain dropped a payment (D-7).
    ReportReorganisation {
        /// SHA-256 of `chain:transaction:output`.
        tx: Digest,
    },
    /// A watcher examined the output that is said to have paid a sent withdrawal (W-8).
    ReportPayout(PayoutReport),
    /// An operator acts (0.6); [`crate::backoffice::acts::OperatorAct`] is the closed list of what they may do.
    Operate(Box<Operate>),
    /// The machine itself declares an operator (0.6).
    DeclareOperator(Declared),
    /// Paper funds for a member, posted from outside (0.4). Sandbox only.
    SandboxFaucet {
        user: UserId,
        asset: AssetId,
        /// Wallet that receives.
        wallet: Wallet,
        /// Atoms, at most [`crate::catalog::Asset::faucet_max`].
        amount: Amount,
    },
    /// Move journal time forward: the entry's own time is the target (T-3). Sandbox only.
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
        /// True: no samples until a price or a release. False: back to its sources.
        halt: bool,
    },
    /// Buy a short-term option (O-1 to O-4). Its number is the sequence of the entry.
    BuyOption(BuyOption),
    /// Open a contract, at once or at a limit (4.4, 4.7).
    OpenContract(OpenContract),
    /// Close a position at the mark (4.5).
    CloseContract { user: UserId, position: PositionId },
    /// Set take profit and stop loss of a position (C-15).
    SetContractStops {
        user: UserId,
        position: PositionId,
        /// Closes with a profit; `None` is none.
        take_profit: Option<Price>,
        /// Closes with a loss; `None` is none.
        stop_loss: Option<Price>,
    },
    /// Cancel a waiting order of a contract (4.7).
    CancelContract { user: UserId, position: PositionId },
    /// Ask for a firm quote of a conversion (F-3). Its number is the sequence of the entry.
    QuoteConversion(Convert),
    /// Convert as quoted (F-3 to F-5).
    AcceptQuote { user: UserId, quote: QuoteId },
    /// Convert at the current price (F-6).
    Convert {
        /// The conversion.
        wanted: Convert,
        /// The least that it may bring, atoms of the bought coin.
        min_net: Option<Amount>,
    },
    /// Apply for a loan (B-1). Its number is the sequence of the entry.
    ApplyForLoan(ApplyForLoan),
    /// Repay a loan, in part or as a whole (B-6).
    RepayLoan {
        user: UserId,
        loan: LoanId,
        /// Most atoms to take; `None` is the whole debt.
        amount: Option<Amount>,
        /// A higher debt refuses it, atoms.
        max_debt: Option<Amount>,
    },
    /// Add collateral to a loan (B-8).
    AddCollateral {
        user: UserId,
        loan: LoanId,
        /// Atoms.
        amount: Amount,
    },
    /// Withdraw an application for a loan (7.2).
    CancelLoan { user: UserId, loan: LoanId },
    /// Commit a payment to an offering of a new coin (N-1).
    CommitToOffering(Commit),
    /// Buy a plan (P-1). The number of the order is the sequence of the entry.
    BuyPlan(BuyPlan),
    /// Take a plan order back before it matures (P-5, P-6).
    RedeemPlan(RedeemPlan),
}

impl Command {
    /// Places, moves or cancels spot orders.
    pub(crate) fn is_spot_order(&self) -> bool {
        matches!(
            self,
            Command::PlaceSpotOrder(_)
                | Command::MoveSpotOrder { .. }
                | Command::CancelSpotOrder { .. }
                | Command::CancelAllSpotOrders { .. }
        )
    }

    /// Sent by a caller, so it may carry a request key and be repeated.
    pub fn may_repeat(&self) -> bool {
        match self {
            Command::Genesis(_)
            | Command::Clock
            | Command::Activate(_)
            | Command::RecordState { .. }
            | Command::RecordLiabilities(_)
            | Command::RegisterMember { .. }
            | Command::RegisterInvited { .. }
            | Command::PublishQuotes(_)
            | Command::ObserveDeposit { .. }
            | Command::ReportReorganisation { .. }
            | Command::ReportPayout(_)
            | Command::DeclareOperator(_) => false,
            Command::PlaceSpotOrder(_)
            | Command::MoveSpotOrder { .. }
            | Command::CancelSpotOrder { .. }
            | Command::CancelAllSpotOrders { .. }
            | Command::Transfer { .. }
            | Command::AddAddress { .. }
            | Command::RemoveAddress { .. }
            | Command::AddCard { .. }
            | Command::RemoveCard { .. }
            | Command::ClaimDeposit { .. }
            | Command::Withdraw(_)
            | Command::CancelWithdrawal { .. }
            | Command::SetFundPassword { .. }
            | Command::RecordSecurityChange { .. }
            | Command::FreezeSelf { .. }
            | Command::SetSelfLimits { .. }
            | Command::SubmitIdentity { .. }
            | Command::Operate(_)
            | Command::SandboxFaucet { .. }
            | Command::SandboxClock
            | Command::SandboxPrice { .. }
            | Command::SandboxFeed { .. }
            | Command::BuyOption(_)
            | Command::OpenContract(_)
            | Command::CloseContract { .. }
            | Command::SetContractStops { .. }
            | Command::CancelContract { .. }
            | Command::QuoteConversion(_)
            | Command::AcceptQuote { .. }
            | Command::Convert { .. }
            | Command::ApplyForLoan(_)
            | Command::RepayLoan { .. }
            | Command::AddCollateral { .. }
            | Command::CancelLoan { .. }
            | Command::CommitToOffering(_)
            | Command::BuyPlan(_)
            | Command::RedeemPlan(_) => true,
        }
    }

    /// Keys allowed beyond [`MOST_KEYS`], so a member, or a thief, who used those up can still cancel and above all freeze. Each kind has
    /// more than the one before it, and cannot use up the next one's.
    ///
    /// [`MOST_KEYS`]: crate::requests::MOST_KEYS
    pub fn spare_keys(&self) -> u32 {
        match self {
            Command::CancelSpotOrder { .. }
            | Command::CancelAllSpotOrders { .. }
            | Command::CloseContract { .. }
            | Command::CancelContract { .. }
            | Command::RepayLoan { .. }
            | Command::AddCollateral { .. }
            | Command::CancelLoan { .. }
            | Command::RedeemPlan(_) => SPARE_KEYS,
            Command::CancelWithdrawal { .. } => 2 * SPARE_KEYS,
            Command::FreezeSelf { .. } => 3 * SPARE_KEYS,
            Command::Genesis(_)
            | Command::Clock
            | Command::Activate(_)
            | Command::RecordState { .. }
            | Command::RecordLiabilities(_)
            | Command::RegisterMember { .. }
            | Command::RegisterInvited { .. }
            | Command::PublishQuotes(_)
            | Command::PlaceSpotOrder(_)
            | Command::MoveSpotOrder { .. }
            | Command::Transfer { .. }
            | Command::AddAddress { .. }
            | Command::RemoveAddress { .. }
            | Command::AddCard { .. }
            | Command::RemoveCard { .. }
            | Command::ClaimDeposit { .. }
            | Command::Withdraw(_)
            | Command::SetFundPassword { .. }
            | Command::RecordSecurityChange { .. }
            | Command::SetSelfLimits { .. }
            | Command::SubmitIdentity { .. }
            | Command::ObserveDeposit { .. }
            | Command::ReportReorganisation { .. }
            | Command::ReportPayout(_)
            | Command::Operate(_)
            | Command::DeclareOperator(_)
            | Command::SandboxFaucet { .. }
            | Command::SandboxClock
            | Command::SandboxPrice { .. }
            | Command::SandboxFeed { .. }
            | Command::BuyOption(_)
            | Command::OpenContract(_)
            | Command::SetContractStops { .. }
            | Command::QuoteConversion(_)
            | Command::AcceptQuote { .. }
            | Command::Convert { .. }
            | Command::ApplyForLoan(_)
            | Command::CommitToOffering(_)
            | Command::BuyPlan(_) => 0,
        }
    }

    /// The member who sends it.
    pub fn member(&self) -> Option<UserId> {
        match self {
            Command::PlaceSpotOrder(place) => Some(place.user),
            Command::Withdraw(withdraw) => Some(withdraw.user),
            Command::BuyOption(buy) => Some(buy.user),
            Command::OpenContract(open) => Some(open.user),
            Command::QuoteConversion(wanted) | Command::Convert { wanted, .. } => Some(wanted.user),
            Command::ApplyForLoan(apply) => Some(apply.user),
            Command::CommitToOffering(commit) => Some(commit.user),
            Command::BuyPlan(buy) => Some(buy.user),
            Command::RedeemPlan(redeem) => Some(redeem.user),
            Command::MoveSpotOrder { user, .. }
            | Command::CancelSpotOrder { user, .. }
            | Command::CancelAllSpotOrders { user, .. }
            | Command::Transfer { user, .. }
            | Command::AddAddress { user, .. }
            | Command::RemoveAddress { user, .. }
            | Command::AddCard { user, .. }
            | Command::RemoveCard { user, .. }
            | Command::ClaimDeposit { user, .. }
            | Command::CancelWithdrawal { user, .. }
            | Command::SetFundPassword { user, .. }
            | Command::RecordSecurityChange { user }
            | Command::FreezeSelf { user, .. }
            | Command::SetSelfLimits { user, .. }
            | Command::SubmitIdentity { user, .. }
            | Command::SandboxFaucet { user, .. }
            | Command::CloseContract { user, .. }
            | Command::SetContractStops { user, .. }
            | Command::CancelContract { user, .. }
            | Command::AcceptQuote { user, .. }
            | Command::RepayLoan { user, .. }
            | Command::AddCollateral { user, .. }
            | Command::CancelLoan { user, .. } => Some(*user),
            Command::Genesis(_)
            | Command::Clock
            | Command::Activate(_)
            | Command::RecordState { .. }
            | Command::RecordLiabilities(_)
            | Command::RegisterMember { .. }
            | Command::RegisterInvited { .. }
            | Command::PublishQuotes(_)
            | Command::ObserveDeposit { .. }
            | Command::ReportReorganisation { .. }
            | Command::ReportPayout(_)
            | Command::Operate(_)
            | Command::DeclareOperator(_)
            | Command::SandboxClock
            | Command::SandboxPrice { .. }
            | Command::SandboxFeed { .. } => None,
        }
    }
}

/// The first entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Genesis {
    /// Mode of the journal.
    pub mode: Mode,
    /// The initial catalog.
    pub catalog: Catalog,
    /// Paper capital: house account, coin, atoms. Must be empty in live mode.
    pub endowments: Vec<(HouseAccount, AssetId, Amount)>,
}
