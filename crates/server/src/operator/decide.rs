//! Decisions: approve or reject exactly what was seen, and what became of a payment outside.

use engine::Engine;
use engine::funding::withdrawals::Destination;
use engine::ids::{AssetId, DepositId, Digest, ObservationId, SubmissionId, UserId, WithdrawalId};
use engine::operator::{AuditAction, AuditNote, AuditObject, Decision, Item, OperatorAct};
use engine::proposals::Proposed;
use engine::review::Seen;
use serde::Serialize;
use utoipa::ToSchema;

use super::item;
use super::observations::transaction;
use super::proposals::propose;
use super::queue::{Kind, QueueRow, kind};
use super::{act, hash_text, keep_reference, keep_text, named, queue_rows, reason, session, step_up};
use crate::http::reply::{Answer, Code, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::spot::answer;
use crate::http::{Call, fund_password, wire};
use crate::secrets::from_hex;
use crate::store::{fund_passwords, papers};

/// Beside a decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct Decided {
    row: QueueRow,
    #[schema(value_type = wire::Flag)]
    done: u8,
}

/// Beside a note about a payment.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sent {
    row: QueueRow,
}

/// Version and hash that the operator had before him.
fn seen(call: &Call) -> Result<Seen, Refusal> {
    let version = u32::try_from(call.params.need_int("version")?).map_err(|_| bad_field("version", "range"))?;
    let hash = from_hex::<32>(&call.params.need("hash")?.to_ascii_lowercase()).map(Digest).ok_or_else(|| bad_field("hash", "format"))?;
    Ok(Seen { version, hash })
}

/// `POST /operator/api/decide`
pub async fn decide(call: Call) -> Answer {
    let app = &call.app;
    let kind = kind(&call, Kind::deciders)?;
    let approve = match call.params.one_of("decision", &["approve", "reject"])? {
        Some(word) => word == "approve",
        None => return Err(bad_field("decision", "required")),
    };
    let why = if approve { String::new() } else { reason(&call)? };
    let id = call.params.id("id")?;
    let seen = seen(&call)?;
    if matches!(kind, Kind::Ticket | Kind::Chat) {
        return Err(bad_field("kind", "enum"));
    }
    if approve {
        step_up::demand(&call).await?;
    }
    // Refusals that concern the item come from the engine; here only what its texts need.
    let (_, user, _) = item::row(app, kind, id).await?;
    if kind == Kind::FundReset {
        return reset(&call, id, user, &why, seen).await;
    }
    let decision = decision(&call, kind, user, approve, &why).await?;
    if kind == Kind::Withdrawal && approve {
        check_destination(&call, id).await?;
    }
    let of = match kind {
        Kind::Withdrawal => Item::Withdrawal(WithdrawalId(id)),
        Kind::Identity => Item::Identity(SubmissionId(id)),
        _ => Item::Deposit(DepositId(id)),
    };
    let asset = asset(&app.sequencer.engine(), kind, id);
    let decided = act(&call, OperatorAct::Decide { item: of, decision, seen }, asset).await;
    // Nothing leaves while its owner is frozen or no longer verified; the checks of the item say which.
    let applied = decided.map_err(|refusal| match refusal.code {
        Code::AccountFrozen => named(refusal, &[(Code::AccountFrozen, Code::WrongState)]).with("state", "frozen"),
        Code::BasicIdentityMissing => named(refusal, &[(Code::BasicIdentityMissing, Code::WrongState)]).with("state", "not_verified"),
        _ => refusal,
    })?;
    let (row, user, done) = item::row(app, kind, id).await?;
    Ok(answer("ok.saved", &applied).data(Decided { row, done: done.into() }).about([user]))
}

/// The coin that a refusal of this decision may name.
fn asset(engine: &Engine, kind: Kind, id: u64) -> Option<AssetId> {
    match kind {
        Kind::Withdrawal => engine.withdrawal(WithdrawalId(id)).map(|known| known.asset),
        Kind::Deposit => {
            let observation = engine.deposit(DepositId(id))?.observation?;
            engine.observation(observation).map(|seen| seen.observed.asset)
        }
        _ => None,
    }
}

async fn decision(call: &Call, kind: Kind, user: UserId, approve: bool, why: &str) -> Result<Decision, Refusal> {
    if !approve {
        return Ok(Decision::Reject { reason: keep_text(call, user, why).await? });
    }
    match kind {
        Kind::BankDeposit => {
            let reference = call.params.text("reference", 1..=100)?.ok_or_else(|| bad_field("reference", "required"))?;
            Ok(Decision::ApproveBank(keep_reference(call, user, "reference", &reference, 0).await?))
        }
        Kind::Deposit if call.params.get("observation_id").is_some() => {
            Ok(Decision::ApproveWith(ObservationId(call.params.id("observation_id")?)))
        }
        _ => Ok(Decision::Approve),
    }
}

/// Nobody signs a destination whose text is not the one that was signed at submission.
async fn check_destination(call: &Call, id: u64) -> Result<(), Refusal> {
    let known = call.app.sequencer.engine().withdrawal(WithdrawalId(id)).cloned().or_refuse(Code::NotFound)?;
    if item::destination(&call.app, &known).await?.is_none() {
        return Err(refuse(Code::ChangedSince).with("version", known.version).with("hash", hash_text(known.hash())));
    }
    Ok(())
}

async fn reset(call: &Call, id: u64, user: UserId, why: &str, seen: Seen) -> Answer {
    let app = &call.app;
    let known = fund_passwords::reset(&app.db, id).await?.or_refuse(Code::NotFound)?;
    let (approve, hash) = (why.is_empty(), queue_rows::reset_hash(&known));
    if known.status.is_open() && (u64::from(seen.version), seen.hash.0) != (known.version, hash) {
        return Err(refuse(Code::ChangedSince).with("version", known.version).with("hash", hash_text(Digest(hash))));
    }
    if session(call)?.operator.member == Some(user) {
        return Err(refuse(Code::SelfReview));
    }
    // Nothing of it is the engine's, so the look is what the journal gets.
    let note = AuditNote { action: AuditAction::Save, object: AuditObject::Member, id: user.0, reason: papers::plain_digest(why) };
    let noted = act(call, OperatorAct::Record(note), None).await?;
    let answer = |row, done: bool| {
        let mut reply = Reply::say("ok.saved").data(Decided { row, done: done.into() }).at(noted.answered_by()).about([user]);
        reply.replay = noted.is_repetition();
        reply
    };
    if noted.is_repetition() {
        let (row, _, done) = item::row(app, Kind::FundReset, id).await?;
        return Ok(answer(row, done));
    }
    if approve {
        fund_password::approve_reset(app, id, known.version).await?;
    } else {
        fund_password::reject_reset(app, id, known.version, why).await?;
    }
    let (row, _, done) = item::row(app, Kind::FundReset, id).await?;
    Ok(answer(row, done))
}

/// `POST /operator/api/withdrawal/sent`
pub async fn sent(call: Call) -> Answer {
    let app = &call.app;
    call.params.complete()?;
    let text = call.params.text("tx", 1..=200)?.ok_or_else(|| bad_field("tx", "required"))?;
    let id = call.params.id("id")?;
    let (_, user, _) = item::row(app, Kind::Withdrawal, id).await?;
    let destination = app.sequencer.engine().withdrawal(WithdrawalId(id)).map(|known| known.destination);
    let output = call.params.int("output")?.unwrap_or(0);
    let text = match destination {
        // A bank numbers its payments as it likes, and each pays once.
        None | Some(Destination::Card(_)) if output > 0 => return Err(bad_field("output", "range")),
        None | Some(Destination::Card(_)) => text,
        Some(Destination::Address { chain, .. }) => transaction(chain, &text).ok_or_else(|| bad_field("tx", "format"))?,
    };
    // A transaction with many outputs pays many withdrawals, each output one.
    let tx = keep_reference(&call, user, "tx", &text, output).await?;
    let applied = act(&call, OperatorAct::MarkSent { withdrawal: WithdrawalId(id), tx }, None).await?;
    let (row, ..) = item::row(app, Kind::Withdrawal, id).await?;
    Ok(answer("ok.saved", &applied).data(Sent { row }).about([user]))
}

/// `POST /operator/api/withdrawal/returned`
pub async fn returned(call: Call) -> Answer {
    let why = reason(&call)?;
    let withdrawal = WithdrawalId(call.params.id("id")?);
    propose(&call, Proposed::ReturnWithdrawal { withdrawal }, None, &why).await
}

/// `POST /operator/api/withdrawal/unmark`
pub async fn unmark(call: Call) -> Answer {
    let why = reason(&call)?;
    let withdrawal = WithdrawalId(call.params.id("id")?);
    propose(&call, Proposed::UnmarkSent { withdrawal }, None, &why).await
}
