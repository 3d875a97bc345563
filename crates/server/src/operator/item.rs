//! One item as its approver must see it: exactly what is signed, with its guards evaluated now. Each view is audited, with its reason.

use engine::Engine;
use engine::funding::deposits::{Claimed, Deposit, Observation};
use engine::funding::withdrawals::{Destination, Withdrawal};
use engine::identity::KycLevel;
use engine::ids::{DepositId, Digest, LoanId, SubmissionId, UserId, WithdrawalId};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use store::account::{self, StoredState};
use store::audit::{self, Line};
use store::db::DbError;
use store::documents::{self, AdvancedPaper, LabelKind, ProofPaper};
use store::operators::TOTAL_MS;
use store::payments::Reference;
use store::secrets::hex;
use store::{files, fund_passwords, messages, people};
use utoipa::ToSchema;

use super::checks::{self, ItemCheck, check, not_known};
use super::queue::{Draft, Kind, QueueRow, finish, kind};
use super::{Reason, disputes, evidence, observations, queue_rows as rows, session};
use crate::api::loans::view::share;
use crate::http::request::{Input, request};
use crate::http::units::{amount, code, percent};

use crate::http::reply::{Answer, Code, OrRefuse, Refusal, Reply, refuse};
use crate::http::{App, Call};

/// Messages of a chat that a view shows.
const MESSAGES: u64 = 100;

/// A queue item with its fields, files, history and checks.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueItem {
    row: QueueRow,
    #[schema(value_type = Object)]
    fields: Map<String, Json>,
    files: Vec<ItemFile>,
    history: Vec<ItemHistory>,
    checks: Vec<ItemCheck>,
    view_id: u64,
}

/// A picture of the item.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemFile {
    key: String,
    label: String,
}

/// An event in the history of the item.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemHistory {
    at_ms: u64,
    operator_id: Option<u32>,
    action: String,
    reason: String,
}

/// Everything about an item but its member's account.
struct Gathered {
    draft: Draft,
    fields: Json,
    files: Vec<(String, &'static str)>,
    checks: Vec<ItemCheck>,
}

/// The text of a withdrawal's destination, if it matches its digest exactly.
pub(super) async fn destination(app: &App, withdrawal: &Withdrawal) -> Result<Option<String>, DbError> {
    let text = documents::one(app, withdrawal.user, withdrawal.destination_digest).await?;
    let digest = |text: &str| match withdrawal.destination {
        Destination::Address { .. } => documents::plain_digest(text),
        Destination::Card(_) => documents::keyed_digest(app, "card", text),
    };
    Ok(text.filter(|text| digest(text) == withdrawal.destination_digest))
}

async fn text_of(app: &App, user: UserId, digest: Option<Digest>) -> Result<Option<String>, DbError> {
    match digest {
        Some(digest) => documents::one(app, user, digest).await,
        None => Ok(None),
    }
}

/// An object as the engine has it, or else as its row has it: the engine forgets what is over.
async fn known<T: StoredState + Clone>(app: &App, id: u64, in_engine: impl FnOnce(&Engine) -> Option<&T>) -> Result<Option<T>, DbError> {
    let known = in_engine(&app.sequencer.engine()).cloned();
    match known {
        Some(known) => Ok(Some(known)),
        None => Ok(account::one::<T>(&app.db, id).await?.map(|row| row.item)),
    }
}

/// A withdrawal, also one that the engine forgot.
pub(super) async fn known_withdrawal(app: &App, id: WithdrawalId) -> Result<Option<Withdrawal>, DbError> {
    known(app, id.0, |engine| engine.withdrawal(id)).await
}

async fn withdrawal(app: &App, id: u64) -> Result<Option<Gathered>, DbError> {
    let Some(known) = known_withdrawal(app, WithdrawalId(id)).await? else { return Ok(None) };
    let to = destination(app, &known).await?;
    let past = evidence::withdrawal(app, &known).await?;
    let notes = documents::labels(app, LabelKind::Withdrawal, known.user, &[id]).await?.remove(&id);
    let (reason, tx) = (text_of(app, known.user, known.reason).await?, text_of(app, known.user, known.tx).await?);
    let paid_by = tx.map(|text| match known.destination {
        Destination::Address { .. } => Reference::of_chain(&text),
        Destination::Card(_) => Reference { tx: text, output: 0 },
    });
    let engine = app.sequencer.engine();
    let facts = engine.catalog();
    let of = |atoms| amount(facts, known.asset, atoms);
    let network = match known.destination {
        Destination::Address { chain, .. } => chain.name(),
        Destination::Card(_) => "card",
    };
    let shown = match (&to, known.destination) {
        (Some(text), Destination::Card(_)) => serde_json::from_str(text).unwrap_or(Json::Null),
        (text, _) => json!(text),
    };
    let day = engine.withdrawal_day(known.user);
    let fields = json!({
        "currency_id": known.asset.0, "currency_name": code(facts, known.asset), "amount": of(known.amount), "fee": of(known.fee),
        "received": of(known.received()), "payout_usd": known.payout_cents.map(|cents| super::proposals::plain(cents, 2)),
        "network": network, "destination": shown, "destination_hash": hex(&known.destination_digest.0),
        "value_usdt": amount(facts, facts.funding.bank.asset, known.value), "notes": notes, "reason": reason,
        "tx": paid_by.as_ref().map(|paid_by| &paid_by.tx), "output": paid_by.as_ref().map(|paid_by| paid_by.output),
        "dispute": disputes::of(&engine, known.id),
        "expected_at_ms": known.expected_at().0, "unmark_until_ms": engine.unmark_until(known.id).map(|until| until.0), "day_count": day.count, "state": rows::withdrawal_state(known.status),
    });
    let mut checks = vec![check(
        "destination_matches",
        to.is_some(),
        if to.is_some() { "the text is the one that was signed" } else { "the text is missing or another" },
    )];
    // The age of the account comes first, because the others say little about an account opened yesterday.
    let [age, past @ ..] = past;
    checks.insert(0, age);
    checks.extend(checks::withdrawal(&engine, &known));
    checks.extend(past);
    Ok(Some(Gathered { draft: rows::withdrawal(&engine, &known), fields, files: Vec::new(), checks }))
}

async fn deposit(app: &App, id: u64, bank: bool) -> Result<Option<Gathered>, DbError> {
    let known = known::<Deposit>(app, id, |engine| engine.deposit(DepositId(id))).await?;
    let Some(known) = known.filter(|known| matches!(known.claimed, Claimed::Bank { .. }) == bank) else { return Ok(None) };
    let proof: Option<ProofPaper> = text_of(app, known.user, known.proof).await?.map(|text| documents::read(&text)).transpose()?;
    let (reason, reference) = (text_of(app, known.user, known.reason).await?, text_of(app, known.user, known.reference).await?);
    let past = match &proof {
        Some(ProofPaper { img, .. }) => vec![evidence::pictures(app, known.user, &[img]).await?, evidence::proof(app, &known, img).await?],
        None => Vec::new(),
    };
    let seen = match known.observation {
        Some(id) => observations::known(app, id).await?,
        None => None,
    };
    let observation = observations::views(app, seen.as_slice()).await?.pop();
    let engine = app.sequencer.engine();
    let facts = engine.catalog();
    let mut checks = vec![checks::not_frozen(&engine, known.user)];
    checks.extend(past);
    let mut fields = json!({"observation": observation, "claimed_tx": proof.as_ref().and_then(|proof| proof.tx.clone()), "reason": reason});
    match known.claimed {
        Claimed::Coin { asset, chain, amount: atoms } => {
            fields["currency_id"] = asset.0.into();
            fields["currency_name"] = code(facts, asset).into();
            fields["network"] = chain.name().into();
            fields["claimed"] = amount(facts, asset, atoms).into();
            fields["credited"] = known.credited.map(|atoms| amount(facts, asset, atoms)).into();
            let network = facts.funding.network(asset, chain);
            let needed = network.map_or(0, |network| network.confirmations);
            let about = |seen: &Observation| {
                let same = (seen.observed.user, seen.observed.asset, seen.observed.chain) == (known.user, asset, chain);
                let enough = network.is_some_and(|network| seen.observed.amount >= network.deposit_min);
                let (have, least) =
                    (seen.confirmations, network.map_or_else(String::new, |network| amount(facts, asset, network.deposit_min)));
                [
                    check("observed", true, observations::state(seen.status)),
                    check("owner_coin_and_network", same, ""),
                    check("confirmations", have >= needed && needed > 0, format!("{have} of {needed}")),
                    check("minimum", enough, least),
                ]
            };
            // The other checks compare a payment that has not been seen yet.
            let unseen = || {
                let [same, confirmations, least] = ["owner_coin_and_network", "confirmations", "minimum"].map(not_known);
                [check("observed", false, "no seen payment belongs to it"), same, confirmations, least]
            };
            checks.extend(seen.as_ref().map_or_else(unseen, about));
        }
        Claimed::Bank { cents } => {
            fields["claimed"] = super::proposals::plain(cents, 2).into();
            fields["rate"] = super::proposals::plain(known.rate.0, engine::amount::PRICE_SCALE).into();
            fields["credited"] = known.credited.map(|atoms| amount(facts, facts.funding.bank.asset, atoms)).into();
            // The second operator to enter it must not copy it from the first.
            fields["reference"] = if known.decided.is_some() { json!(reference) } else { Json::Null };
        }
    }
    let files = proof.map(|proof| vec![(proof.img, "proof")]).unwrap_or_default();
    Ok(Some(Gathered { draft: rows::deposit(&engine, &known), fields, files, checks }))
}

/// A transfer is compared with the bank's statement: its sender, and the reference they were told to use.
async fn with_sender(app: &App, mut found: Gathered) -> Result<Gathered, DbError> {
    let user = found.draft.user;
    let name = documents::verified(app, user).await?.map(|paper| paper.name);
    found.checks.push(check("verified_name", name.is_some(), ""));
    found.fields["verified_name"] = name.into();
    found.fields["told_reference"] = people::get(app, user).await.ok().map(|person| person.account_number).into();
    Ok(found)
}

async fn identity(app: &App, id: u64) -> Result<Option<Gathered>, DbError> {
    let Some(known) = known(app, id, |engine| engine.submission(SubmissionId(id))).await? else { return Ok(None) };
    let text = documents::one(app, known.user, known.content).await?;
    let intact = text.as_ref().is_some_and(|text| documents::keyed_digest(app, "identity", text) == known.content);
    let reason = text_of(app, known.user, known.reason).await?;
    let (past, attempts) = evidence::attempts(app, &known).await?;
    let mut checks = vec![check("content_matches", intact, ""), attempts];
    let mut files = Vec::new();
    let text = text.unwrap_or_default();
    let submitted = match known.level {
        KycLevel::Basic => serde_json::from_str(&text).unwrap_or(Json::Null),
        KycLevel::Advanced => {
            if let Ok(AdvancedPaper { front_pic, reverse_pic, hand_pic }) = documents::read(&text) {
                files = vec![(front_pic, "front"), (reverse_pic, "back"), (hand_pic, "holder")];
            }
            let keys: Vec<&str> = files.iter().map(|(key, _)| key.as_str()).collect();
            let basic = app.sequencer.engine().identity(known.user, KycLevel::Basic).cloned();
            checks.extend([evidence::pictures(app, known.user, &keys).await?, evidence::basic(basic.as_ref())]);
            let basic = text_of(app, known.user, basic.map(|basic| basic.content)).await?;
            basic.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Json::Null)
        }
    };
    checks.push(evidence::country(app, known.user, &submitted).await?);
    let engine = app.sequencer.engine();
    checks.extend(checks::identity(&engine, &known));
    let level = if known.level == KycLevel::Basic { 1 } else { 2 };
    let fields = json!({"level": level, "submitted": submitted, "reason": reason, "past": past});
    Ok(Some(Gathered { draft: rows::identity(&engine, &known), fields, files, checks }))
}

async fn loan(app: &App, id: u64) -> Result<Option<Gathered>, DbError> {
    let Some(known) = known(app, id, |engine| engine.loan(LoanId(id))).await? else { return Ok(None) };
    let reason = text_of(app, known.user, known.note).await?;
    let (past, never_late) = evidence::loans(app, &known).await?;
    let engine = app.sequencer.engine();
    let facts = engine.catalog();
    let (lent, bound) = (|atoms| amount(facts, known.terms.asset, atoms), |atoms| amount(facts, known.collateral_asset, atoms));
    let worth = engine.collateral_price(&known).map(|price| known.value(price).0);
    let live = engine.loans_of(known.user).count();
    let mut fields = json!({
        "currency_id": known.terms.asset.0, "currency_name": code(facts, known.terms.asset), "amount": lent(known.amount),
        "day": known.terms.days, "interest_rate": percent(known.terms.rate), "interest": lent(known.interest_to_due()),
        "collateral_currency_id": known.collateral_asset.0, "collateral_currency_name": code(facts, known.collateral_asset),
        "collateral": bound(known.collateral), "collateral_value": worth.map(lent),
        "ltv": worth.and_then(|worth| share(known.amount, worth)), "start_ltv": percent(known.terms.start),
        "debt": lent(known.debt()), "live_loans": live, "reason": reason, "end": known.reason.map(|end| end.name()),
        "state": rows::loan_state(known.status), "past_loans": past,
    });
    fields.as_object_mut().into_iter().for_each(|fields| fields.extend(evidence::schedule(&engine, &known)));
    let mut checks = checks::loan(&engine, &known);
    checks.push(never_late);
    Ok(Some(Gathered { draft: rows::loan(&engine, &known), fields, files: Vec::new(), checks }))
}

async fn reset(app: &App, id: u64) -> Result<Option<Gathered>, DbError> {
    let Some(known) = fund_passwords::reset(&app.db, id).await? else { return Ok(None) };
    let pictures = app.sequencer.engine().identity(known.user, KycLevel::Advanced).map(|advanced| advanced.content);
    let pictures: Option<AdvancedPaper> = text_of(app, known.user, pictures).await?.map(|text| documents::read(&text)).transpose()?;
    // the deciding operator compares the holder.
    let files = pictures.map(|paper| vec![(paper.hand_pic, "holder")]).unwrap_or_default();
    let engine = app.sequencer.engine();
    let checks = checks::of_member(&engine, known.user);
    Ok(Some(Gathered { draft: rows::reset(&engine, &known), fields: json!({}), files, checks }))
}

fn message(message: &messages::Message) -> Json {
    let from = match message.author {
        messages::Author::Member => "user",
        messages::Author::Support => "support",
        messages::Author::System => "system",
    };
    json!({"id": message.id, "from": from, "content": message.content, "files": message.files, "at_ms": message.created_at_ms})
}

async fn ticket(app: &App, id: u64) -> Result<Option<Gathered>, DbError> {
    let Some(known) = messages::any_ticket(app, id).await? else { return Ok(None) };
    let thread = messages::thread(app, &known).await?;
    let files = thread.iter().flat_map(|message| message.files.iter().map(|key| (key.clone(), "picture"))).collect();
    let fields = json!({"title": known.title, "category": known.category, "messages": thread.iter().map(message).collect::<Vec<_>>()});
    Ok(Some(Gathered { draft: rows::ticket(&known), fields, files, checks: Vec::new() }))
}

async fn chat(app: &App, id: u64) -> Result<Option<Gathered>, DbError> {
    let user = UserId(id);
    let newest = messages::chat(app, user, 1 << 53, MESSAGES).await?;
    let Some(last) = newest.first() else { return Ok(None) };
    let waits = last.author == messages::Author::Member;
    let draft = rows::chat(&store::queues::Chat { user, last_id: last.id, at_ms: last.created_at_ms, waits });
    let files = newest.iter().flat_map(|message| message.files.iter().map(|key| (key.clone(), "picture"))).collect();
    let fields = json!({"messages": newest.iter().rev().map(message).collect::<Vec<_>>()});
    Ok(Some(Gathered { draft, fields, files, checks: Vec::new() }))
}

async fn gather(app: &App, kind: Kind, id: u64) -> Result<Gathered, Refusal> {
    let found = match kind {
        Kind::Deposit => deposit(app, id, false).await?,
        Kind::BankDeposit => match deposit(app, id, true).await? {
            Some(found) => Some(with_sender(app, found).await?),
            None => None,
        },
        Kind::Withdrawal => withdrawal(app, id).await?,
        Kind::Identity => identity(app, id).await?,
        Kind::Loan => loan(app, id).await?,
        Kind::FundReset => reset(app, id).await?,
        Kind::Ticket => ticket(app, id).await?,
        Kind::Chat => chat(app, id).await?,
    };
    found.or_refuse(Code::NotFound)
}

/// The present line of an item.
pub(super) async fn row(app: &App, kind: Kind, id: u64) -> Result<(QueueRow, UserId, bool), Refusal> {
    let Gathered { draft, .. } = gather(app, kind, id).await?;
    let (user, open) = (draft.user, draft.status != "under_review");
    let row = finish(app, vec![draft]).await?.pop().or_refuse(Code::Internal)?;
    Ok((row, user, open))
}

request! {
    /// What `item` takes.
    pub struct ShowItem checked by handler {
        required kind: Input<String>,
        required id: Input<u64>,
        required reason: Reason,
    }
}

/// `GET /operator/api/item`
pub async fn show(call: Call, request: ShowItem) -> Answer {
    let app = &call.app;
    let kind = kind(&call, &request.kind, Kind::readers)?;
    let id = request.id.or(Code::NotFound)?;
    let Gathered { draft, fields, files, checks } = gather(app, kind, id).await?;
    let user = draft.user;
    let keys: Vec<(String, UserId)> = files.iter().map(|(key, _)| (key.clone(), user)).collect();
    app.db.run(audit::show_files(call.audit_id, &keys)).await?;
    let past = audit::history(app, kind.word(), id).await?;
    let line = |line: Line| ItemHistory {
        at_ms: line.created_at_ms,
        operator_id: Some(line.operator.0),
        action: line.action,
        reason: line.reason,
    };
    let row = finish(app, vec![draft]).await?.pop().or_refuse(Code::Internal)?;
    let begun = ItemHistory { at_ms: row.created_at_ms, operator_id: None, action: "submitted".to_owned(), reason: String::new() };
    let item = QueueItem {
        row,
        fields: if let Json::Object(fields) = fields { fields } else { Map::new() },
        files: files.into_iter().map(|(key, label)| ItemFile { key, label: label.to_owned() }).collect(),
        history: std::iter::once(begun).chain(past.into_iter().map(line)).collect(),
        checks,
        view_id: call.audit_id,
    };
    Ok(Reply::ok(item).about([user]))
}

request! {
    /// What `file` takes: the picture, and the look at its item.
    pub struct ShowFile checked by handler {
        required key: Option<String>,
        required view_id: Input<u64>,
    }
}

/// `GET /operator/api/file`
pub async fn file(call: Call, request: ShowFile) -> Answer {
    let app = &call.app;
    let key = request.key.as_deref().filter(|key| files::is_key(key)).or_refuse(Code::NotFound)?;
    let view = request.view_id.or(Code::NotFound)?;
    let since = app.now_ms().saturating_sub(TOTAL_MS);
    let shown = audit::shown_file(app, view, session(&call)?.operator.id, key, since).await?;
    let owner = shown.or_refuse(Code::NotFound)?;
    let jpeg = app.files.get_for_operator(&app.store, owner, key).await?.ok_or_else(|| refuse(Code::NotFound))?;
    Ok(Reply::raw("image/jpeg", jpeg).about([owner]))
}
