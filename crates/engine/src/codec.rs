//! How an entry is encoded in the log: kind, version, a public part that anyone may read, a private part that is sealed (`docs/api.md` 10).
//!
//! Both parts are the `postcard` encoding of the tuples below, which never changes for a kind and version. A new meaning gets a new
//! version.

pub mod parts;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::backoffice::acts::Operate;
use crate::catalog::Catalog;
use crate::catalog::funding::FundingTerms;
use crate::command::{Command, Entry, Genesis, Request};
use crate::contracts::position::OpenContract;
use crate::convert::conversion::Convert;
use crate::funding::withdrawal::Withdraw;
use crate::ids::Seq;
use crate::liabilities::RecordLiabilities;
use crate::loans::loan::ApplyForLoan;
use crate::operators::Declared;
use crate::operators::approval::Reviewer;
use crate::options::option::BuyOption;
use crate::plans::order::{BuyPlan, RedeemPlan};
use crate::spot::order::PlaceSpotOrder;
use crate::subscriptions::offering::Commit;
use crate::time::Time;

/// An entry's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded {
    /// Kind of command.
    pub kind: u16,
    /// Version of that kind.
    pub version: u8,
    /// What anyone may read: no users, no balances of users.
    pub public: Vec<u8>,
    /// What only the owner and holders of the whole log may read.
    pub private: Vec<u8>,
}

/// Kinds with their numbers and names; the numbers are part of every log.
pub const KINDS: [(u16, &str); 50] = [
    (GENESIS, "genesis"),
    (CLOCK, "clock"),
    (REGISTER_MEMBER, "register_member"),
    (PUBLISH_QUOTES, "publish_quotes"),
    (ACTIVATE, "activate"),
    (RECORD_STATE, "record_state"),
    (PLACE_SPOT_ORDER, "place_spot_order"),
    (CANCEL_SPOT_ORDER, "cancel_spot_order"),
    (CANCEL_ALL_SPOT_ORDERS, "cancel_all_spot_orders"),
    (MOVE_SPOT_ORDER, "move_spot_order"),
    (TRANSFER, "transfer"),
    (ADD_ADDRESS, "add_address"),
    (REMOVE_ADDRESS, "remove_address"),
    (ADD_CARD, "add_card"),
    (REMOVE_CARD, "remove_card"),
    (CLAIM_DEPOSIT, "claim_deposit"),
    (WITHDRAW, "withdraw"),
    (CANCEL_WITHDRAWAL, "cancel_withdrawal"),
    (SET_FUND_PASSWORD, "set_fund_password"),
    (RECORD_SECURITY_CHANGE, "record_security_change"),
    (FREEZE_SELF, "freeze_self"),
    (SUBMIT_IDENTITY, "submit_identity"),
    (SET_SELF_LIMITS, "set_self_limits"),
    (OBSERVE_DEPOSIT, "observe_deposit"),
    (REPORT_REORGANISATION, "report_reorganisation"),
    (REPORT_PAYOUT, "report_payout"),
    (OPERATE, "operate"),
    (OPERATE_HOUSE, "operate_house"),
    (DECLARE_OPERATOR, "declare_operator"),
    (SANDBOX_FAUCET, "sandbox_faucet"),
    (SANDBOX_CLOCK, "sandbox_clock"),
    (SANDBOX_PRICE, "sandbox_price"),
    (SANDBOX_FEED, "sandbox_feed"),
    (BUY_OPTION, "buy_option"),
    (OPEN_CONTRACT, "open_contract"),
    (CLOSE_CONTRACT, "close_contract"),
    (SET_CONTRACT_STOPS, "set_contract_stops"),
    (CANCEL_CONTRACT, "cancel_contract"),
    (QUOTE_CONVERSION, "quote_conversion"),
    (ACCEPT_QUOTE, "accept_quote"),
    (CONVERT, "convert"),
    (APPLY_FOR_LOAN, "apply_for_loan"),
    (REPAY_LOAN, "repay_loan"),
    (ADD_COLLATERAL, "add_collateral"),
    (CANCEL_LOAN, "cancel_loan"),
    (COMMIT_TO_OFFERING, "commit_to_offering"),
    (REGISTER_INVITED, "register_invited"),
    (BUY_PLAN, "buy_plan"),
    (REDEEM_PLAN, "redeem_plan"),
    (RECORD_LIABILITIES, "record_liabilities"),
];

const GENESIS: u16 = 1;
const CLOCK: u16 = 2;
const REGISTER_MEMBER: u16 = 3;
const PUBLISH_QUOTES: u16 = 4;
const ACTIVATE: u16 = 5;
/// A replay looks for these before it begins.
pub const RECORD_STATE: u16 = 6;
/// Public but for the seed of the trees.
pub const RECORD_LIABILITIES: u16 = 7;
const PLACE_SPOT_ORDER: u16 = 16;
const CANCEL_SPOT_ORDER: u16 = 17;
const CANCEL_ALL_SPOT_ORDERS: u16 = 18;
/// The order's number is public: side and quantity of the new order follow from it, and without them no trade could be checked.
const MOVE_SPOT_ORDER: u16 = 19;
const TRANSFER: u16 = 32;
const ADD_ADDRESS: u16 = 33;
const REMOVE_ADDRESS: u16 = 34;
const ADD_CARD: u16 = 35;
const REMOVE_CARD: u16 = 36;
const CLAIM_DEPOSIT: u16 = 37;
const WITHDRAW: u16 = 38;
const CANCEL_WITHDRAWAL: u16 = 39;
const SET_FUND_PASSWORD: u16 = 48;
const RECORD_SECURITY_CHANGE: u16 = 49;
const FREEZE_SELF: u16 = 50;
const SUBMIT_IDENTITY: u16 = 51;
const SET_SELF_LIMITS: u16 = 52;
const OBSERVE_DEPOSIT: u16 = 64;
const REPORT_REORGANISATION: u16 = 65;
const REPORT_PAYOUT: u16 = 66;
/// An operator's act about a member: only its kind is public.
const OPERATE: u16 = 80;
/// An operator's act about the house: public as a whole, but for the member behind the operator.
const OPERATE_HOUSE: u16 = 81;
/// An operator declared by the machine: public except for the member behind them.
const DECLARE_OPERATOR: u16 = 82;
const SANDBOX_FAUCET: u16 = 240;
const SANDBOX_CLOCK: u16 = 241;
const SANDBOX_PRICE: u16 = 242;
const SANDBOX_FEED: u16 = 243;
/// Public except for the buyer: anyone can recompute pool and outcome.
const BUY_OPTION: u16 = 96;
/// Contracts are public except for their owner: anyone can recompute pool and results.
const OPEN_CONTRACT: u16 = 112;
const CLOSE_CONTRACT: u16 = 113;
const SET_CONTRACT_STOPS: u16 = 114;
const CANCEL_CONTRACT: u16 = 115;
/// Conversions are public except for their owner: anyone can recompute what each pays.
const QUOTE_CONVERSION: u16 = 128;
const ACCEPT_QUOTE: u16 = 129;
const CONVERT: u16 = 130;
/// Loans are public except for their borrower: anyone can recompute what the treasury lends and what a loan costs.
const APPLY_FOR_LOAN: u16 = 160;
const REPAY_LOAN: u16 = 161;
const ADD_COLLATERAL: u16 = 162;
const CANCEL_LOAN: u16 = 163;
/// Public except for the member: anyone can recompute the allocation.
const COMMIT_TO_OFFERING: u16 = 176;
/// The new member and their inviter are both sealed.
const REGISTER_INVITED: u16 = 192;
/// Plans are public except for their owner: anyone can recompute the treasury and its promises.
const BUY_PLAN: u16 = 144;
const REDEEM_PLAN: u16 = 145;
const VERSION: u8 = 1;
/// Genesis with terms of money coming in and going out. Version 1 has none of them.
const GENESIS_VERSION: u8 = 2;
/// A withdrawal that states the amount that arrives. Version 1 does not.
const WITHDRAW_VERSION: u8 = 2;

/// Why bytes are no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodecError {
    /// This release does not know the kind or version; the node must stop, never skip.
    UnknownKind {
        /// Kind found.
        kind: u16,
        /// Version found.
        version: u8,
    },
    /// The bytes do not fit the kind.
    Damaged,
}

impl std::fmt::Display for CodecError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CodecError::UnknownKind { kind, version } => {
                write!(f, "entry of unknown kind {kind} version {version}: a newer release wrote this log")
            }
            CodecError::Damaged => write!(f, "an entry's bytes do not fit its kind"),
        }
    }
}

impl std::error::Error for CodecError {}

/// Bytes of an entry's command and request key; sequence and time are written beside them.
pub fn encode(request: Option<Request>, command: &Command) -> Encoded {
    let (kind, public, private) = match command {
        Command::Genesis(genesis) if genesis.catalog.funding != FundingTerms::default() => {
            return Encoded { kind: GENESIS, version: GENESIS_VERSION, public: bytes(genesis), private: Vec::new() };
        }
        Command::Genesis(genesis) => {
            let Genesis { mode, catalog, endowments } = &**genesis;
            let Catalog { assets, markets, indices, max_open_orders, .. } = catalog;
            (GENESIS, bytes(&(mode, (assets, markets, indices, max_open_orders), endowments)), Vec::new())
        }
        Command::Clock => (CLOCK, Vec::new(), Vec::new()),
        Command::RegisterMember { user, house } => (REGISTER_MEMBER, bytes(house), bytes(user)),
        Command::PublishQuotes(quotes) => (PUBLISH_QUOTES, bytes(quotes), Vec::new()),
        Command::Activate(feature) => (ACTIVATE, bytes(feature), Vec::new()),
        Command::RecordState { seq, form, hash } => (RECORD_STATE, bytes(&(seq, form, hash)), Vec::new()),
        Command::RecordLiabilities(record) => {
            let RecordLiabilities { seq, time, coins, seed } = &**record;
            (RECORD_LIABILITIES, bytes(&(seq, time, coins)), bytes(seed))
        }
        Command::PlaceSpotOrder(place) => {
            let PlaceSpotOrder { user, market, side, kind, client_order_id } = place;
            (PLACE_SPOT_ORDER, bytes(&(market, side, kind)), bytes(&(request, user, client_order_id)))
        }
        Command::CancelSpotOrder { user, order } => (CANCEL_SPOT_ORDER, Vec::new(), bytes(&(request, user, order))),
        Command::MoveSpotOrder { user, order, price } => (MOVE_SPOT_ORDER, bytes(&(order, price)), bytes(&(request, user))),
        Command::CancelAllSpotOrders { user, base, quote } => (CANCEL_ALL_SPOT_ORDERS, Vec::new(), bytes(&(request, user, base, quote))),
        Command::Transfer { user, asset, from, to, amount } => (TRANSFER, Vec::new(), bytes(&(request, user, asset, from, to, amount))),
        Command::AddAddress { user, asset, chain, destination, verification } => {
            (ADD_ADDRESS, Vec::new(), bytes(&(request, user, asset, chain, destination, verification)))
        }
        Command::RemoveAddress { user, address } => (REMOVE_ADDRESS, Vec::new(), bytes(&(request, user, address))),
        Command::AddCard { user, number, destination } => (ADD_CARD, Vec::new(), bytes(&(request, user, number, destination))),
        Command::RemoveCard { user, card } => (REMOVE_CARD, Vec::new(), bytes(&(request, user, card))),
        Command::ClaimDeposit { user, claimed, proof } => (CLAIM_DEPOSIT, Vec::new(), bytes(&(request, user, claimed, proof))),
        Command::Withdraw(Withdraw { user, asset, amount, destination, verification, arrives }) => {
            let wanted = (request, user, asset, amount, destination, verification);
            let (version, private) = match arrives {
                None => (VERSION, bytes(&wanted)),
                Some(arrives) => (WITHDRAW_VERSION, bytes(&(wanted, arrives))),
            };
            return Encoded { kind: WITHDRAW, version, public: Vec::new(), private };
        }
        Command::CancelWithdrawal { user, withdrawal } => (CANCEL_WITHDRAWAL, Vec::new(), bytes(&(request, user, withdrawal))),
        Command::SetFundPassword { user, change } => (SET_FUND_PASSWORD, Vec::new(), bytes(&(request, user, change))),
        Command::RecordSecurityChange { user } => (RECORD_SECURITY_CHANGE, Vec::new(), bytes(&(request, user))),
        Command::FreezeSelf { user, until } => (FREEZE_SELF, Vec::new(), bytes(&(request, user, until))),
        Command::SetSelfLimits { user, changes } => (SET_SELF_LIMITS, Vec::new(), bytes(&(request, user, changes))),
        Command::SubmitIdentity { user, level, document, content } => {
            (SUBMIT_IDENTITY, bytes(level), bytes(&(request, user, document, content)))
        }
        Command::ObserveDeposit { tx, observed, confirmations } => (OBSERVE_DEPOSIT, Vec::new(), bytes(&(tx, observed, confirmations))),
        Command::ReportReorganisation { tx } => (REPORT_REORGANISATION, Vec::new(), bytes(tx)),
        Command::ReportPayout(report) => (REPORT_PAYOUT, Vec::new(), bytes(report)),
        Command::Operate(operate) => {
            let Operate { by, act } = &**operate;
            match act.concerns_the_house() {
                true => (OPERATE_HOUSE, bytes(&(by.operator, act)), bytes(&(request, by.member))),
                false => (OPERATE, bytes(&(by.operator, act.kind())), bytes(&(request, by.member, act))),
            }
        }
        Command::DeclareOperator(declared) => {
            let Declared { operator, name, roles, active, member, cause } = declared;
            (DECLARE_OPERATOR, bytes(&(operator, name, roles, active, cause)), bytes(member))
        }
        Command::SandboxFaucet { user, asset, wallet, amount } => {
            (SANDBOX_FAUCET, bytes(&(asset, wallet, amount)), bytes(&(request, user)))
        }
        Command::SandboxClock => (SANDBOX_CLOCK, Vec::new(), bytes(&request)),
        Command::SandboxPrice { market, price } => (SANDBOX_PRICE, bytes(&(market, price)), bytes(&request)),
        Command::SandboxFeed { market, halt } => (SANDBOX_FEED, bytes(&(market, halt)), bytes(&request)),
        Command::BuyOption(buy) => {
            let BuyOption { user, market, direction, asset, seconds, stake, rule } = buy;
            (BUY_OPTION, bytes(&(market, direction, asset, seconds, stake, rule)), bytes(&(request, user)))
        }
        Command::OpenContract(open) => {
            let OpenContract { user, market, direction, lots, multiple, limit, take_profit, stop_loss } = open;
            (OPEN_CONTRACT, bytes(&(market, direction, lots, multiple, limit, take_profit, stop_loss)), bytes(&(request, user)))
        }
        Command::CloseContract { user, position } => (CLOSE_CONTRACT, bytes(position), bytes(&(request, user))),
        Command::SetContractStops { user, position, take_profit, stop_loss } => {
            (SET_CONTRACT_STOPS, bytes(&(position, take_profit, stop_loss)), bytes(&(request, user)))
        }
        Command::CancelContract { user, position } => (CANCEL_CONTRACT, bytes(position), bytes(&(request, user))),
        Command::QuoteConversion(Convert { user, from, to, amount }) => {
            (QUOTE_CONVERSION, bytes(&(from, to, amount)), bytes(&(request, user)))
        }
        Command::AcceptQuote { user, quote } => (ACCEPT_QUOTE, bytes(quote), bytes(&(request, user))),
        Command::Convert { wanted: Convert { user, from, to, amount }, min_net } => {
            (CONVERT, bytes(&(from, to, amount, min_net)), bytes(&(request, user)))
        }
        Command::ApplyForLoan(apply) => {
            let ApplyForLoan { user, product, amount, collateral_asset, collateral, rule } = apply;
            (APPLY_FOR_LOAN, bytes(&(product, amount, collateral_asset, collateral, rule)), bytes(&(request, user)))
        }
        Command::RepayLoan { user, loan, amount, max_debt } => (REPAY_LOAN, bytes(&(loan, amount, max_debt)), bytes(&(request, user))),
        Command::AddCollateral { user, loan, amount } => (ADD_COLLATERAL, bytes(&(loan, amount)), bytes(&(request, user))),
        Command::CancelLoan { user, loan } => (CANCEL_LOAN, bytes(loan), bytes(&(request, user))),
        Command::CommitToOffering(commit) => {
            let Commit { user, offering, asset, amount } = commit;
            (COMMIT_TO_OFFERING, bytes(&(offering, asset, amount)), bytes(&(request, user)))
        }
        Command::RegisterInvited { user, inviter } => (REGISTER_INVITED, Vec::new(), bytes(&(user, inviter))),
        Command::BuyPlan(BuyPlan { user, plan, amount, agreed, rule }) => {
            (BUY_PLAN, bytes(&(plan, amount, agreed, rule)), bytes(&(request, user)))
        }
        Command::RedeemPlan(RedeemPlan { user, order, max_deduction }) => {
            (REDEEM_PLAN, bytes(order), bytes(&(request, user, max_deduction)))
        }
    };
    Encoded { kind, version: VERSION, public, private }
}

fn bytes<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).expect("plain values always encode")
}

/// The name of a kind, as in public listings.
pub fn name_of(kind: u16) -> Option<&'static str> {
    KINDS.iter().find(|(number, _)| *number == kind).map(|(_, name)| *name)
}

/// Kinds that have a later version beside the first.
const LATER: [(u16, u8); 2] = [(GENESIS, GENESIS_VERSION), (WITHDRAW, WITHDRAW_VERSION)];

/// Every kind in each of its versions that this release reads.
pub fn versions() -> impl Iterator<Item = (u16, u8)> {
    KINDS.iter().map(|(kind, _)| (*kind, VERSION)).chain(LATER)
}

/// Whether this release can read this version of the kind, if it knows the kind.
fn is_known(kind: u16, version: u8) -> bool {
    version == VERSION || LATER.contains(&(kind, version))
}

/// Reads an entry back.
///
/// # Errors
/// [`CodecError::UnknownKind`] for kinds of later releases, [`CodecError::Damaged`] for bytes that do not fit, trailing ones included.
pub fn decode(seq: Seq, time: Time, encoded: &Encoded) -> Result<Entry, CodecError> {
    let Encoded { kind, version, public, private } = encoded;
    if !is_known(*kind, *version) {
        return Err(CodecError::UnknownKind { kind: *kind, version: *version });
    }
    let (request, command) = match *kind {
        GENESIS if *version == GENESIS_VERSION => (None, Command::Genesis(read(public)?)),
        GENESIS => {
            let (mode, (assets, markets, indices, max_open_orders), endowments) = read(public)?;
            let catalog = Catalog { assets, markets, indices, max_open_orders, funding: FundingTerms::default() };
            (None, Command::Genesis(Box::new(Genesis { mode, catalog, endowments })))
        }
        CLOCK => (None, Command::Clock),
        REGISTER_MEMBER => (None, Command::RegisterMember { house: read(public)?, user: read(private)? }),
        PUBLISH_QUOTES => (None, Command::PublishQuotes(read(public)?)),
        // A feature of a later release is treated like a kind of a later release.
        ACTIVATE => (None, Command::Activate(read(public).map_err(|_| CodecError::UnknownKind { kind: ACTIVATE, version: VERSION })?)),
        RECORD_STATE => {
            let (seq, form, hash) = read(public)?;
            (None, Command::RecordState { seq, form, hash })
        }
        RECORD_LIABILITIES => {
            let (seq, time, coins) = read(public)?;
            (None, Command::RecordLiabilities(Box::new(RecordLiabilities { seq, time, coins, seed: read(private)? })))
        }
        PLACE_SPOT_ORDER => {
            let (market, side, kind) = read(public)?;
            let (request, user, client_order_id) = read(private)?;
            (request, Command::PlaceSpotOrder(PlaceSpotOrder { user, market, side, kind, client_order_id }))
        }
        CANCEL_SPOT_ORDER => {
            let (request, user, order) = read(private)?;
            (request, Command::CancelSpotOrder { user, order })
        }
        MOVE_SPOT_ORDER => {
            let (order, price) = read(public)?;
            let (request, user) = read(private)?;
            (request, Command::MoveSpotOrder { user, order, price })
        }
        CANCEL_ALL_SPOT_ORDERS => {
            let (request, user, base, quote) = read(private)?;
            (request, Command::CancelAllSpotOrders { user, base, quote })
        }
        TRANSFER => {
            let (request, user, asset, from, to, amount) = read(private)?;
            (request, Command::Transfer { user, asset, from, to, amount })
        }
        ADD_ADDRESS => {
            let (request, user, asset, chain, destination, verification) = read(private)?;
            (request, Command::AddAddress { user, asset, chain, destination, verification })
        }
        REMOVE_ADDRESS => {
            let (request, user, address) = read(private)?;
            (request, Command::RemoveAddress { user, address })
        }
        ADD_CARD => {
            let (request, user, number, destination) = read(private)?;
            (request, Command::AddCard { user, number, destination })
        }
        REMOVE_CARD => {
            let (request, user, card) = read(private)?;
            (request, Command::RemoveCard { user, card })
        }
        CLAIM_DEPOSIT => {
            let (request, user, claimed, proof) = read(private)?;
            (request, Command::ClaimDeposit { user, claimed, proof })
        }
        WITHDRAW => {
            let ((request, user, asset, amount, destination, verification), arrives) = match *version {
                WITHDRAW_VERSION => read(private).map(|(wanted, arrives)| (wanted, Some(arrives)))?,
                _ => (read(private)?, None),
            };
            (request, Command::Withdraw(Withdraw { user, asset, amount, destination, verification, arrives }))
        }
        CANCEL_WITHDRAWAL => {
            let (request, user, withdrawal) = read(private)?;
            (request, Command::CancelWithdrawal { user, withdrawal })
        }
        SET_FUND_PASSWORD => {
            let (request, user, change) = read(private)?;
            (request, Command::SetFundPassword { user, change })
        }
        RECORD_SECURITY_CHANGE => {
            let (request, user) = read(private)?;
            (request, Command::RecordSecurityChange { user })
        }
        FREEZE_SELF => {
            let (request, user, until) = read(private)?;
            (request, Command::FreezeSelf { user, until })
        }
        SET_SELF_LIMITS => {
            let (request, user, changes) = read(private)?;
            (request, Command::SetSelfLimits { user, changes })
        }
        SUBMIT_IDENTITY => {
            let (request, user, document, content) = read(private)?;
            (request, Command::SubmitIdentity { user, level: read(public)?, document, content })
        }
        OBSERVE_DEPOSIT => {
            let (tx, observed, confirmations) = read(private)?;
            (None, Command::ObserveDeposit { tx, observed, confirmations })
        }
        REPORT_REORGANISATION => (None, Command::ReportReorganisation { tx: read(private)? }),
        REPORT_PAYOUT => (None, Command::ReportPayout(read(private)?)),
        OPERATE => {
            let (operator, _kind): (_, u8) = read(public)?;
            let (request, member, act) = read(private)?;
            (request, Command::Operate(Box::new(Operate { by: Reviewer { operator, member }, act })))
        }
        OPERATE_HOUSE => {
            let (operator, act) = read(public)?;
            let (request, member) = read(private)?;
            (request, Command::Operate(Box::new(Operate { by: Reviewer { operator, member }, act })))
        }
        DECLARE_OPERATOR => {
            let (operator, name, roles, active, cause) = read(public)?;
            let member = read(private)?;
            (None, Command::DeclareOperator(Declared { operator, name, roles, active, member, cause }))
        }
        SANDBOX_FAUCET => {
            let (asset, wallet, amount) = read(public)?;
            let (request, user) = read(private)?;
            (request, Command::SandboxFaucet { user, asset, wallet, amount })
        }
        SANDBOX_CLOCK => (read(private)?, Command::SandboxClock),
        SANDBOX_PRICE => {
            let (market, price) = read(public)?;
            (read(private)?, Command::SandboxPrice { market, price })
        }
        SANDBOX_FEED => {
            let (market, halt) = read(public)?;
            (read(private)?, Command::SandboxFeed { market, halt })
        }
        BUY_OPTION => {
            let (market, direction, asset, seconds, stake, rule) = read(public)?;
            let (request, user) = read(private)?;
            (request, Command::BuyOption(BuyOption { user, market, direction, asset, seconds, stake, rule }))
        }
        OPEN_CONTRACT => {
            let (market, direction, lots, multiple, limit, take_profit, stop_loss) = read(public)?;
            let (request, user) = read(private)?;
            let open = OpenContract { user, market, direction, lots, multiple, limit, take_profit, stop_loss };
            (request, Command::OpenContract(open))
        }
        CLOSE_CONTRACT => {
            let (request, user) = read(private)?;
            (request, Command::CloseContract { user, position: read(public)? })
        }
        SET_CONTRACT_STOPS => {
            let (position, take_profit, stop_loss) = read(public)?;
            let (request, user) = read(private)?;
            (request, Command::SetContractStops { user, position, take_profit, stop_loss })
        }
        CANCEL_CONTRACT => {
            let (request, user) = read(private)?;
            (request, Command::CancelContract { user, position: read(public)? })
        }
        QUOTE_CONVERSION => {
            let (from, to, amount) = read(public)?;
            let (request, user) = read(private)?;
            (request, Command::QuoteConversion(Convert { user, from, to, amount }))
        }
        ACCEPT_QUOTE => {
            let (request, user) = read(private)?;
            (request, Command::AcceptQuote { user, quote: read(public)? })
        }
        CONVERT => {
            let (from, to, amount, min_net) = read(public)?;
            let (request, user) = read(private)?;
            (request, Command::Convert { wanted: Convert { user, from, to, amount }, min_net })
        }
        APPLY_FOR_LOAN => {
            let (product, amount, collateral_asset, collateral, rule) = read(public)?;
            let (request, user) = read(private)?;
            (request, Command::ApplyForLoan(ApplyForLoan { user, product, amount, collateral_asset, collateral, rule }))
        }
        REPAY_LOAN => {
            let ((loan, amount, max_debt), (request, user)) = (read(public)?, read(private)?);
            (request, Command::RepayLoan { user, loan, amount, max_debt })
        }
        ADD_COLLATERAL => {
            let ((loan, amount), (request, user)) = (read(public)?, read(private)?);
            (request, Command::AddCollateral { user, loan, amount })
        }
        CANCEL_LOAN => {
            let (request, user) = read(private)?;
            (request, Command::CancelLoan { user, loan: read(public)? })
        }
        COMMIT_TO_OFFERING => {
            let (offering, asset, amount) = read(public)?;
            let (request, user) = read(private)?;
            (request, Command::CommitToOffering(Commit { user, offering, asset, amount }))
        }
        REGISTER_INVITED => {
            let (user, inviter) = read(private)?;
            (None, Command::RegisterInvited { user, inviter })
        }
        BUY_PLAN => {
            let ((plan, amount, agreed, rule), (request, user)) = (read(public)?, read(private)?);
            (request, Command::BuyPlan(BuyPlan { user, plan, amount, agreed, rule }))
        }
        REDEEM_PLAN => {
            let (order, (request, user, max_deduction)) = (read(public)?, read(private)?);
            (request, Command::RedeemPlan(RedeemPlan { user, order, max_deduction }))
        }
        kind => return Err(CodecError::UnknownKind { kind, version: *version }),
    };
    // Accept only the bytes that encoding would produce: no trailing bytes, nothing in an unused part, one form for each value.
    if encode(request, &command) == *encoded { Ok(Entry { seq, time, request, command }) } else { Err(CodecError::Damaged) }
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        Ok(_) | Err(_) => Err(CodecError::Damaged),
    }
}
