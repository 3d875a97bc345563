//! Proposals under dual control: one operator proposes, another confirms exactly that.

use engine::amount::format_decimal;
use engine::backoffice::acts::OperatorAct;
use engine::backoffice::proposals::status::Status;
use engine::backoffice::proposals::{Proposal, Proposed};
use engine::funding::deposits::Observed;
use engine::identity::KycLevel;
use engine::ids::{AssetId, ProposalId, UserId};
use engine::listing::change::{CatalogChange, TextKind};
use engine::reply::Reply as EngineReply;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use store::Page;
use store::db::DbError;
use store::notices::{Topic, insert_once};
use store::secrets::from_hex;
use store::{catalog_texts, documents, operators};
use utoipa::ToSchema;

use super::appointment::{self, NO_MEMBER};
use super::catalog_kinds::ChangeKind;
use super::{
    ByIdWithReason, HOUSE_TEXTS, Roles, act, agreed_texts, catalog, hash_text, item, keep_text, named, need_role, observations, refusal,
    session, step_up,
};
use crate::api::market::pools;
use crate::api::terms::market_status;
use crate::http::page::{Paginator, ts};
use crate::http::reply::{Answer, Code, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::request::{ById, Input, request, words};
use crate::http::types;
use crate::http::units::{amount, code};
use crate::http::{App, Call};

/// A proposal.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Proposal)]
pub struct ProposalView {
    id: u64,
    kind: &'static str,
    /// The subject of a catalog change by its present name: a pair, a coin and chain, or a country.
    subject: Option<String>,
    #[schema(value_type = Object)]
    values: Map<String, Json>,
    #[schema(value_type = Option<Object>)]
    before: Option<Map<String, Json>>,
    reason: String,
    hash: String,
    proposer_id: u32,
    confirmer_id: Option<u32>,
    #[schema(value_type = types::ProposalState)]
    state: &'static str,
    error: Option<&'static str>,
    error_field: Option<&'static str>,
    error_rule: Option<&'static str>,
    effective_ms: Option<u64>,
    created_at: String,
    created_at_ms: u64,
    expires_ms: u64,
}

/// The wire name of a proposed act.
fn kind(proposed: &Proposed) -> &'static str {
    match proposed {
        Proposed::TreasuryMove { .. } => "treasury_move",
        Proposed::ChangeCatalog { .. } => "catalog",
        Proposed::ReverseDeposit { .. } => "observation_reverse",
        Proposed::ReturnWithdrawal { .. } => "withdrawal_returned",
        Proposed::Unfreeze { .. } => "unfreeze",
        Proposed::RevokeIdentity { .. } => "kyc_revoke",
        Proposed::SetReferralRole { .. } => "user_role",
        Proposed::SetOperator { .. } | Proposed::AppointOperator { .. } => "operator",
        Proposed::RetireMarket { .. } => "market_retire",
        Proposed::StopProposal { .. } => "stop",
        Proposed::UnmarkSent { .. } => "withdrawal_unmark",
        Proposed::LaunchOffering { .. } => "offering_launch",
    }
}

/// The state in a word of its own; on lists a confirmed one still waits.
pub(super) fn exact_state(status: Status) -> &'static str {
    if status == Status::Confirmed { "confirmed" } else { state(status) }
}

fn state(status: Status) -> &'static str {
    match status {
        // A confirmed proposal waits for its instant, `effective_ms`.
        Status::Waiting | Status::Confirmed => "waiting",
        Status::Done => "done",
        Status::Cancelled => "cancelled",
        Status::Expired => "expired",
        Status::Refused => "refused",
    }
}

/// The member that a proposal is about.
async fn member(app: &App, proposed: &Proposed) -> Result<Option<UserId>, DbError> {
    Ok(match proposed {
        Proposed::Unfreeze { user } | Proposed::RevokeIdentity { user, .. } | Proposed::SetReferralRole { user, .. } => Some(*user),
        Proposed::ReverseDeposit { observation } => observations::known(app, *observation).await?.map(|seen| seen.observed.user),
        Proposed::ReturnWithdrawal { withdrawal } | Proposed::UnmarkSent { withdrawal } => {
            item::known_withdrawal(app, *withdrawal).await?.map(|known| known.user)
        }
        Proposed::TreasuryMove { .. }
        | Proposed::ChangeCatalog { .. }
        | Proposed::SetOperator { .. }
        | Proposed::AppointOperator { .. }
        | Proposed::StopProposal { .. }
        | Proposed::LaunchOffering { .. }
        | Proposed::RetireMarket { .. } => None,
    })
}

/// The proposed values and the present ones, in words; exactly what the hash covers.
async fn values(app: &App, proposed: &Proposed) -> Result<(Map<String, Json>, Option<Map<String, Json>>), DbError> {
    // Includes objects that the engine no longer keeps.
    let (seen, paid) = match proposed {
        Proposed::ReverseDeposit { observation } => (observations::known(app, *observation).await?, None),
        Proposed::ReturnWithdrawal { withdrawal } | Proposed::UnmarkSent { withdrawal } => {
            (None, item::known_withdrawal(app, *withdrawal).await?)
        }
        _ => (None, None),
    };
    let (mut values, mut before) = {
        let engine = app.sequencer.engine();
        let facts = &engine.catalog_with_tokens();
        let coin = |asset: AssetId, atoms| (code(facts, asset).to_owned(), amount(facts, asset, atoms));
        match proposed {
            Proposed::TreasuryMove { asset, from, to, amount } => {
                let (code, amount) = coin(*asset, *amount);
                let values = json!({"from": pools::word(*from), "to": pools::word(*to), "currency_id": asset.0, "currency_name": code, "amount": amount});
                let free = |account| crate::http::units::amount(facts, *asset, engine.free_capital(account, *asset));
                (values, json!({"from_free": free(*from), "to_free": free(*to)}))
            }
            Proposed::ChangeCatalog { change, effective } => {
                let (mut values, before) = catalog::change_values(&engine, change);
                values["kind"] = ChangeKind::of(change).word().into();
                values["id"] = catalog::number_of(change).into();
                values["effective_ms"] = effective.0.into();
                (values, before)
            }
            Proposed::ReverseDeposit { observation } => match &seen {
                Some(seen) => {
                    let Observed { user, asset, amount, chain } = seen.observed;
                    let (code, amount) = coin(asset, engine.reversible(*observation).unwrap_or(amount));
                    let values =
                        json!({"id": observation.0, "user_id": user.0, "currency_name": code, "amount": amount, "chain": chain.name()});
                    (values, json!({"state": observations::state(seen.status)}))
                }
                None => (json!({"id": observation.0}), Json::Null),
            },
            Proposed::ReturnWithdrawal { withdrawal } | Proposed::UnmarkSent { withdrawal } => match &paid {
                Some(known) => {
                    let (code, amount) = coin(known.asset, known.amount);
                    let values = json!({"id": withdrawal.0, "user_id": known.user.0, "currency_name": code, "amount": amount});
                    (values, json!({"state": super::queue_rows::withdrawal_state(known.status)}))
                }
                None => (json!({"id": withdrawal.0}), Json::Null),
            },
            Proposed::Unfreeze { user } => (json!({"user_id": user.0}), json!({"status": super::users::status(&engine, *user)})),
            Proposed::RevokeIdentity { user, level } => {
                let number = if *level == KycLevel::Basic { 1 } else { 2 };
                (json!({"user_id": user.0, "level": number}), json!({"review_status": super::users::review_status(&engine, *user, *level)}))
            }
            Proposed::SetReferralRole { user, role } => {
                let present = engine.security(*user).unwrap_or_default().role;
                (json!({"user_id": user.0, "role": role.word()}), json!({"role": present.word()}))
            }
            Proposed::RetireMarket { market, at } => {
                let symbol = facts.market(*market).map_or_else(String::new, |market| market.symbol.clone());
                (json!({"match_id": market.0, "symbol": symbol, "at_ms": at.0}), json!({"status": market_status(&engine, *market)}))
            }
            Proposed::LaunchOffering { offering } => {
                let known = engine.offering(*offering);
                let name = known.map(|known| known.terms.token.code.clone());
                let sold = known.map(|known| format_decimal(known.sold, known.terms.token.scale, known.terms.token.scale));
                (json!({"id": offering.0, "new_currency_name": name, "sold": sold}), Json::Null)
            }
            Proposed::SetOperator { subject, roles, active, .. } => {
                (json!({"id": subject.0, "roles": Roles(*roles).words(), "active": u8::from(*active)}), Json::Null)
            }
            Proposed::AppointOperator { subject, roles, active, .. } => {
                (json!({"id": subject.0, "roles": roles.words(), "active": u8::from(*active)}), Json::Null)
            }
            Proposed::StopProposal { proposal } => {
                let stopped = engine.proposal(*proposal);
                let values = json!({
                    "id": proposal.0,
                    "kind": stopped.map(|stopped| kind(&stopped.proposed)),
                    "effective_ms": stopped.and_then(|stopped| stopped.effective).map(|at| at.0),
                });
                (values, Json::Null)
            }
        }
    };
    if let Proposed::SetOperator { subject, name, .. } | Proposed::AppointOperator { subject, name, .. } = proposed {
        let known = operators::get(app, *subject).await?;
        if let Some(known) = known.filter(|known| documents::plain_digest(&known.name) == *name) {
            before = json!({
                "roles": Roles(known.roles).words(),
                "active": u8::from(known.active),
                "linked_member": account_of(app, known.member).await?,
            });
            values["name"] = known.name.into();
        }
    }
    if let Proposed::AppointOperator { member, mail, .. } = proposed {
        values["linked_member"] = account_of(app, *member).await?.into();
        if let Some(mail) = mail {
            values["mail"] = documents::one(app, HOUSE_TEXTS, *mail).await?.into();
        }
    }
    if let Proposed::ChangeCatalog { change: CatalogChange::Text { kind, digest, .. }, .. } = proposed {
        let text = catalog_texts::find(&app.db, *digest).await?.unwrap_or_default();
        match kind {
            TextKind::ReceivingKey(chain) => values["addresses"] = catalog::first_addresses(*chain, &text).into(),
            TextKind::Country | TextKind::RiskText | TextKind::BankAccount | TextKind::WhitePaper => {
                let agreed = agreed_texts::values(&text);
                agreed.as_object().into_iter().flatten().for_each(|(key, value)| values[key.as_str()] = value.clone());
                before = catalog::text_in_force(app, *kind, &values["id"]).await?;
            }
        }
        values["text"] = text.into();
    }
    let map = |value: Json| if let Json::Object(map) = value { Some(map) } else { None };
    Ok((map(values).unwrap_or_default(), map(before)))
}

/// The account number of a linked member, or the word for none.
async fn account_of(app: &App, member: Option<UserId>) -> Result<String, DbError> {
    let Some(member) = member else { return Ok(NO_MEMBER.to_owned()) };
    Ok(operators::accounts(&app.db, &[member]).await?.remove(&member).unwrap_or_else(|| member.0.to_string()))
}

/// A proposal as the wire shows it.
pub async fn proposal_view(app: &App, proposal: &Proposal) -> Result<ProposalView, DbError> {
    let (values, present) = values(app, &proposal.proposed).await?;
    // Once the proposal has acted, the present value is its own result.
    let before = present.filter(|_| matches!(proposal.status, Status::Waiting | Status::Confirmed));
    let owner = member(app, &proposal.proposed).await?.unwrap_or(HOUSE_TEXTS);
    let (error_field, error_rule) = catalog::refused_value(&app.sequencer.engine(), proposal).unzip();
    let subject = catalog::subject(&app.sequencer.engine(), &proposal.proposed);
    Ok(ProposalView {
        id: proposal.id.0,
        kind: kind(&proposal.proposed),
        subject,
        values,
        before,
        reason: documents::one(app, owner, proposal.reason).await?.unwrap_or_default(),
        hash: hash_text(proposal.hash()),
        proposer_id: proposal.proposer.0,
        confirmer_id: proposal.confirmed.map(|by| by.operator.0),
        state: state(proposal.status),
        error: proposal.refused.as_ref().map(|reject| reject.name()),
        error_field,
        error_rule,
        effective_ms: proposal.effective.map(|at| at.0),
        created_at: ts(proposal.created.0),
        created_at_ms: proposal.created.0,
        expires_ms: proposal.expires().0,
    })
}

/// Proposes, and answers the proposal. `asset` is the coin of the figures in a refusal.
pub async fn propose(call: &Call, proposed: Proposed, asset: Option<AssetId>, why: &str) -> Answer {
    let owner = member(&call.app, &proposed).await?;
    let reason = keep_text(call, owner.unwrap_or(HOUSE_TEXTS), why).await?;
    let made = act(call, OperatorAct::Propose { proposed, reason }, asset).await;
    let applied = made.map_err(|refusal| named(refusal, &[(Code::SelfReview, Code::NotFound)]))?;
    let Ok(EngineReply::Proposal(proposal)) = &applied.outcome.result else { return Err(refuse(Code::Internal)) };
    let mut reply = Reply::ok(proposal_view(&call.app, proposal).await?).at(applied.answered_by()).about(owner);
    reply.replay = applied.is_repetition();
    Ok(reply)
}

words! {
    /// State of a proposal.
    pub enum ProposalState as text {
        Waiting = "waiting",
        Done = "done",
        Cancelled = "cancelled",
        Expired = "expired",
        Refused = "refused",
    }
}

request! {
    /// What `proposals` takes.
    pub struct ListProposals {
        optional state: Option<ProposalState>,
        optional page: Page,
    }
}

/// `GET /operator/api/proposals`
pub async fn list(call: Call, request: ListProposals) -> Answer {
    let (wanted, page) = (request.state.unwrap_or(ProposalState::Waiting).word(), request.page);
    let found: Vec<Proposal> = {
        let engine = call.app.sequencer.engine();
        engine.proposals().rev().filter(|proposal| state(proposal.status) == wanted).cloned().collect()
    };
    let (skip, take) = page.bounds();
    let mut rows = Vec::new();
    for proposal in found.iter().skip(skip).take(take) {
        rows.push(proposal_view(&call.app, proposal).await?);
    }
    Ok(Reply::ok(Paginator::new(rows, found.len() as u64, page)))
}

fn known(call: &Call, id: &Input<u64>) -> Result<Proposal, Refusal> {
    let id = ProposalId(id.or(Code::NotFound)?);
    call.app.sequencer.engine().proposal(id).cloned().or_refuse(Code::NotFound)
}

request! {
    /// What `proposal/confirm` takes.
    pub struct Confirm checked by handler {
        required id: Input<u64>,
        required hash: Input<String>,
        optional otp: Option<String>,
    }
}

/// `POST /operator/api/proposal/confirm`
pub async fn confirm(call: Call, request: Confirm) -> Answer {
    let proposal = known(&call, &request.id)?;
    let roles = call.app.sequencer.engine().roles_of(&proposal.proposed);
    need_role(session(&call)?, roles)?;
    let hash = from_hex::<32>(&request.hash.required()?).map(engine::ids::Digest).ok_or_else(|| bad_field("hash", "format"))?;
    step_up::demand(&call, request.otp.as_deref()).await?;
    let asset = if let Proposed::TreasuryMove { asset, .. } = &proposal.proposed { Some(*asset) } else { None };
    let about = member(&call.app, &proposal.proposed).await?;
    let _lock = match &proposal.proposed {
        Proposed::AppointOperator { .. } => Some(call.app.member_locks.of_addresses().await),
        _ => None,
    };
    appointment::check_person(&call.app, &proposal).await?;
    let confirmed = act(&call, OperatorAct::Confirm { proposal: proposal.id, hash }, asset).await;
    // A failed guard of the proposed act means that the act is no longer possible. `SelfReview` means that a second person must confirm.
    let unlisted = [
        Code::UnknownAsset,
        Code::UnknownWallet,
        Code::BadAmount,
        Code::Insufficient,
        Code::BadTime,
        Code::UnknownMarket,
        Code::Overflow,
        Code::NotFound,
    ]
    .map(|code| (code, Code::WrongState));
    let applied = confirmed.map_err(|refusal| named(refusal, &[(Code::SelfReview, Code::SameOperator)]))?;
    let Ok(EngineReply::Proposal(done)) = &applied.outcome.result else { return Err(refuse(Code::Internal)) };
    if let Some(reject) = &done.refused {
        // The proposal has ended, and the refusal gives the reason.
        let mut refused = named(refusal(&call, asset, reject), &unlisted).with("state", state(done.status));
        if let Some((field, rule)) = catalog::refused_value(&call.app.sequencer.engine(), done) {
            refused = refused.with("field", field).with("rule", rule);
        }
        return Err(Refusal { seq: Some(applied.answered_by()), ..refused });
    }
    if let (Proposed::AppointOperator { subject, active, mail, .. }, Status::Done) = (&done.proposed, done.status) {
        // A repetition sends a link only if the first attempt was interrupted before the link was made.
        appointment::agreed(&call.app, call.lang, (*subject, *active, *mail), applied.is_repetition()).await?;
    }
    if let (Proposed::Unfreeze { user }, Status::Done) = (&done.proposed, done.status) {
        // Once, also if the first attempt was interrupted before it.
        call.app.db.exec(insert_once(*user, Topic::Unfrozen, &[], applied.answered_by(), call.app.now_ms())).await?;
        call.app.notices.tell(*user).await;
    }
    let mut reply = Reply::ok(proposal_view(&call.app, done).await?).at(applied.answered_by()).about(about);
    reply.replay = applied.is_repetition();
    Ok(reply)
}

/// `POST /operator/api/proposal/cancel`
pub async fn cancel(call: Call, request: ById) -> Answer {
    let id = ProposalId(request.id.or(Code::NotFound)?);
    let applied = act(&call, OperatorAct::CancelProposal { proposal: id }, None).await?;
    let Ok(EngineReply::Proposal(proposal)) = &applied.outcome.result else { return Err(refuse(Code::Internal)) };
    Ok(Reply::ok(proposal_view(&call.app, proposal).await?).at(applied.answered_by()))
}

/// `POST /operator/api/proposal/stop`
pub async fn stop(call: Call, request: ByIdWithReason) -> Answer {
    let proposal = known(&call, &request.id)?;
    let proposed = Proposed::StopProposal { proposal: proposal.id };
    let roles = call.app.sequencer.engine().roles_of(&proposed);
    need_role(session(&call)?, roles)?;
    propose(&call, proposed, None, &request.reason.0).await
}

/// An amount with the decimals of a scale, for values that belong to no coin.
pub(super) fn plain(units: u64, scale: u8) -> String {
    format_decimal(units, scale, scale)
}
