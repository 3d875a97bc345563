//! Log entries in their public form (`docs/api.md` 4.15).

use std::ops::RangeInclusive;

use engine::codec;
use engine::command::Command;
use engine::contracts::position::OpenContract;
use engine::convert::conversion::Convert;
use engine::ids::UserId;
use engine::liabilities::CoinRoot;
use engine::loans::loan::ApplyForLoan;
use engine::options::option::BuyOption;
use engine::plans::order::{BuyPlan, RedeemPlan};
use engine::subscriptions::offering::Commit;
use journal::{Chained, Group, Hash, sealed};
use kernel::replay;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use store::secrets::hex;
use utoipa::ToSchema;

use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, refuse};
use crate::http::request::{Input, request};

/// Entries that a call answers unless it asks for others, and at most.
const ENTRIES: u64 = 10;
const MOST_ENTRIES: u64 = 100;

/// A log entry. Its hash covers `prev`, the numbers, `bytes` and `sealed`. `public` has the decoded content of `bytes`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Entry)]
pub struct EntryView {
    seq: u64,
    time_ms: u64,
    kind: &'static str,
    kind_number: u16,
    version: u8,
    prev: String,
    hash: String,
    bytes: String,
    #[schema(value_type = Object)]
    public: Map<String, Json>,
    #[schema(value_type = Option<String>)]
    sealed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    own: Option<OwnPart>,
}

impl EntryView {
    /// Sequence of the entry.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Removes what only its owner may see.
    pub fn conceal(&mut self) {
        self.own = None;
    }
}

/// What was sealed in an entry of the caller, and the salt.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnEntry)]
struct OwnPart {
    bytes: String,
    salt: String,
}

/// The chain hash of an entry.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntryHash {
    /// Sequence of the entry.
    pub seq: u64,
    /// Hexadecimal.
    pub hash: String,
}

request! {
    /// What `proof/entries` takes.
    pub struct ListEntries checked by handler {
        required from: Input<u64>,
        optional limit: Input<u64>,
    }
}

/// `GET proof/entries`
pub async fn list(call: Call, request: ListEntries) -> Answer {
    let from = request.from.required()?.max(1);
    let limit = request.limit.optional()?.unwrap_or(ENTRIES).clamp(1, MOST_ENTRIES);
    let newest = call.app.sequencer.newest();
    if from > newest {
        return Ok(Reply::ok(Vec::<EntryView>::new()));
    }
    let last = newest.min(from.saturating_add(limit - 1));
    read(&call, from..=last).await.map(Reply::ok)
}

/// Entries as the caller may see them: their own with the sealed part.
///
/// # Errors
/// When the log cannot be read.
pub async fn read(call: &Call, wanted: RangeInclusive<u64>) -> Result<Vec<EntryView>, Refusal> {
    let groups = call.app.sequencer.read_log(wanted.clone()).await?;
    let mut entries = Vec::new();
    for entry in groups.iter().flat_map(Group::chained).filter(|entry| wanted.contains(&entry.record.seq)) {
        entries.push(view(call.session.map(|session| session.user), entry)?);
    }
    Ok(entries)
}

/// Chain hash of an entry.
///
/// # Errors
/// When the log cannot be read.
pub async fn hash_of(call: &Call, seq: u64) -> Result<Hash, Refusal> {
    let groups = call.app.sequencer.read_log(seq..=seq).await?;
    groups.iter().flat_map(Group::chained).find(|entry| entry.record.seq == seq).map(|entry| *entry.hash).or_refuse(Code::NotReady)
}

/// An entry as `reader` may see it.
///
/// # Errors
/// When it cannot be read.
pub fn view(reader: Option<UserId>, Chained { record, prev, hash }: Chained<'_>) -> Result<EntryView, Refusal> {
    let entry = replay::entry_of(record).map_err(|error| {
        tracing::error!(%error, seq = record.seq, "an entry of the log cannot be read");
        refuse(Code::Internal)
    })?;
    let owner = entry.command.member();
    let own = reader.is_some() && owner == reader && !record.private.is_empty();
    Ok(EntryView {
        seq: record.seq,
        time_ms: record.time_ms,
        kind: codec::name_of(record.kind).unwrap_or("unknown"),
        kind_number: record.kind,
        version: record.version,
        prev: hex(prev),
        hash: hex(hash),
        bytes: hex(&record.public),
        public: public(&entry.command),
        sealed: sealed(record).map(|seal| hex(&seal)),
        own: own.then(|| OwnPart { bytes: hex(&record.private), salt: hex(&record.salt) }),
    })
}

/// The public content of an entry: exactly what its public bytes hold, so nothing about a member.
fn public(command: &Command) -> Map<String, Json> {
    let fields = match command {
        Command::Genesis(genesis) => json!({ "mode": genesis.mode, "catalog": genesis.catalog, "endowments": genesis.endowments }),
        Command::RegisterMember { house, .. } => json!({ "house": house }),
        Command::PublishQuotes(quotes) => json!({ "quotes": quotes }),
        Command::Activate(feature) => json!({ "feature": feature }),
        Command::RecordState { seq, form, hash } => json!({ "seq": seq, "form": form, "hash": hex(&hash.0) }),
        Command::RecordLiabilities(record) => json!({
            "seq": record.seq,
            "time": record.time,
            "coins": record.coins.iter().map(liabilities).collect::<Vec<_>>(),
        }),
        Command::PlaceSpotOrder(place) => json!({ "market": place.market, "side": place.side, "kind": place.kind }),
        Command::MoveSpotOrder { order, price, .. } => json!({ "order": order, "price": price }),
        Command::BuyOption(BuyOption { market, direction, asset, seconds, stake, rule, .. }) => json!({
            "market": market,
            "direction": direction,
            "asset": asset,
            "seconds": seconds,
            "stake": stake,
            "rule": hex(&rule.0),
        }),
        Command::OpenContract(OpenContract { market, direction, lots, multiple, limit, take_profit, stop_loss, .. }) => json!({
            "market": market,
            "direction": direction,
            "lots": lots,
            "multiple": multiple,
            "limit": limit,
            "take_profit": take_profit,
            "stop_loss": stop_loss,
        }),
        Command::CloseContract { position, .. } | Command::CancelContract { position, .. } => json!({ "position": position }),
        Command::SetContractStops { position, take_profit, stop_loss, .. } => {
            json!({ "position": position, "take_profit": take_profit, "stop_loss": stop_loss })
        }
        Command::ApplyForLoan(ApplyForLoan { product, amount, collateral_asset, collateral, rule, .. }) => json!({
            "product": product,
            "amount": amount,
            "collateral_asset": collateral_asset,
            "collateral": collateral,
            "rule": rule.map(|rule| hex(&rule.0)),
        }),
        Command::RepayLoan { loan, amount, max_debt, .. } => json!({ "loan": loan, "amount": amount, "max_debt": max_debt }),
        Command::AddCollateral { loan, amount, .. } => json!({ "loan": loan, "amount": amount }),
        Command::CancelLoan { loan, .. } => json!({ "loan": loan }),
        Command::QuoteConversion(Convert { from, to, amount, .. }) => json!({ "from": from, "to": to, "amount": amount }),
        Command::AcceptQuote { quote, .. } => json!({ "quote": quote }),
        Command::Convert { wanted: Convert { from, to, amount, .. }, min_net } => {
            json!({ "from": from, "to": to, "amount": amount, "min_net": min_net })
        }
        Command::CommitToOffering(Commit { offering, asset, amount, .. }) => {
            json!({ "offering": offering, "asset": asset, "amount": amount })
        }
        Command::BuyPlan(BuyPlan { plan, amount, agreed, rule, .. }) => {
            json!({ "plan": plan, "amount": amount, "agreed": agreed, "rule": rule.map(|rule| hex(&rule.0)) })
        }
        Command::RedeemPlan(RedeemPlan { order, .. }) => json!({ "order": order }),
        Command::SubmitIdentity { level, .. } => json!({ "level": level }),
        Command::Operate(operate) if operate.act.concerns_the_house() => json!({ "operator": operate.by.operator, "act": operate.act }),
        Command::Operate(operate) => json!({ "operator": operate.by.operator }),
        Command::DeclareOperator(declared) => json!({
            "operator": declared.operator,
            "name": declared.name,
            "roles": declared.roles,
            "active": declared.active,
            "cause": declared.cause,
        }),
        Command::SandboxFaucet { asset, wallet, amount, .. } => json!({ "asset": asset, "wallet": wallet, "amount": amount }),
        Command::SandboxPrice { market, price } => json!({ "market": market, "price": price }),
        Command::SandboxFeed { market, halt } => json!({ "market": market, "halt": halt }),
        Command::Clock
        | Command::RegisterInvited { .. }
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
        | Command::ObserveDeposit { .. }
        | Command::ReportReorganisation { .. }
        | Command::ReportPayout(_)
        | Command::SandboxClock => Json::Null,
    };
    match exact(fields) {
        Json::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn liabilities(coin: &CoinRoot) -> Json {
    let CoinRoot { asset, came_in, total, users, root } = coin;
    json!({ "asset": asset, "came_in": came_in, "total": total, "users": users, "root": hex(&root.0) })
}

/// Whole numbers beyond 53 bits as text, because many readers of JSON round them.
fn exact(value: Json) -> Json {
    match value {
        Json::Number(number) if number.as_u64().is_none_or(|number| number >= 1 << 53) => Json::String(number.to_string()),
        Json::Array(items) => items.into_iter().map(exact).collect(),
        Json::Object(fields) => fields.into_iter().map(|(name, field)| (name, exact(field))).collect(),
        other => other,
    }
}
