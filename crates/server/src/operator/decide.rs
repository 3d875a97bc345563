//! Decisions: approving or rejecting exactly what was seen, and recording the outcome of a payment outside.

use engine::Engine;
use engine::backoffice::acts::{AuditAction, AuditNote, AuditObject, Decision, Item, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::funding::withdrawals::Destination;
use engine::ids::{AssetId, DepositId, Digest, LoanId, ObservationId, SubmissionId, UserId, WithdrawalId};
use engine::operators::approval::SignedVersion;
use serde::Serialize;
use store::documents;
use store::fund_passwords::{self, ResetStatus};
use store::secrets::from_hex;
use utoipa::ToSchema;

use super::item;
use super::observations::transaction;
use super::proposals::propose;
use super::queue::{Kind, QueueRow, kind};
use super::{ByIdWithReason, Reason, act, hash_text, keep_reference, keep_text, named, queue_rows, session, step_up};
use crate::api::account::fund_password;
use crate::api::command::answer;
use crate::http::reply::{Answer, Code, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request, words};
use crate::http::values::Line;
use crate::http::{Call, types};

/// Data returned for a decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct Decided {
    row: QueueRow,
    #[schema(value_type = types::Flag)]
    done: u8,
}

/// Data returned for a note about a payment.
#[derive(Debug, Serialize, ToSchema)]
pub struct Sent {
    row: QueueRow,
}

words! {
    /// What an operator decides.
    pub enum Verdict {
        Approve = "approve",
        Reject = "reject",
    }
}

request! {
    /// What `decide` takes.
    pub struct Decide checked by handler {
        required kind: Input<String>,
        required id: Input<u64>,
        required decision: Input<Verdict>,
        optional reason: Input<Reason>,
        required version: Input<u64>,
        required hash: Input<String>,
        optional reference: Input<Line<1, 100>>,
        optional observation_id: Input<u64>,
        optional otp: Option<String>,
    }
}

/// Version and hash that the operator had before them.
fn seen(request: &Decide) -> Result<SignedVersion, Refusal> {
    let version = u32::try_from(request.version.required()?).map_err(|_| bad_field("version", "range"))?;
    let hash = from_hex::<32>(&request.hash.required()?.to_ascii_lowercase()).map(Digest).ok_or_else(|| bad_field("hash", "format"))?;
    Ok(SignedVersion { version, hash })
}

/// `POST /operator/api/decide`
pub async fn decide(call: Call, request: Decide) -> Answer {
    let app = &call.app;
    let kind = kind(&call, &request.kind, Kind::deciders)?;
    let approve = request.decision.required()? == Verdict::Approve;
    let reason = if request.reason.is_sent() || !approve { Some(request.reason.or(Code::ReasonMissing)?) } else { None };
    let why = reason.filter(|_| !approve).map_or_else(String::new, |Reason(why)| why);
    let id = request.id.or(Code::NotFound)?;
    let seen = seen(&request)?;
    // Fields that this kind of item ignores must still be readable.
    request.reference.optional()?;
    if request.observation_id.is_sent() {
        request.observation_id.or(Code::NotFound)?;
    }
    if matches!(kind, Kind::Ticket | Kind::Chat) {
        return Err(bad_field("kind", "enum"));
    }
    if approve {
        step_up::demand(&call, request.otp.as_deref()).await?;
    }
    // The engine gives the refusals about the item; only those that need its texts are checked here.
    let (_, user, _) = item::row(app, kind, id).await?;
    if kind == Kind::FundReset {
        return reset(&call, id, user, &why, seen).await;
    }
    let decision = decision(&call, &request, (kind, user), approve, &why).await?;
    if kind == Kind::Withdrawal && approve {
        check_destination(&call, id).await?;
    }
    let of = match kind {
        Kind::Withdrawal => Item::Withdrawal(WithdrawalId(id)),
        Kind::Identity => Item::Identity(SubmissionId(id)),
        Kind::Loan => Item::Loan(LoanId(id)),
        _ => Item::Deposit(DepositId(id)),
    };
    let asset = asset(&app.sequencer.engine(), kind, id);
    let decided = act(&call, OperatorAct::Decide { item: of, decision, seen }, asset).await;
    // No withdrawal passes while its owner is frozen or no longer verified; the checks of the item show which.
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
        Kind::Loan => engine.loan(LoanId(id)).map(|known| known.terms.asset),
        Kind::Deposit => {
            let observation = engine.deposit(DepositId(id))?.observation?;
            engine.observation(observation).map(|seen| seen.observed.asset)
        }
        _ => None,
    }
}

async fn decision(call: &Call, request: &Decide, (kind, user): (Kind, UserId), approve: bool, why: &str) -> Result<Decision, Refusal> {
    if !approve {
        return Ok(Decision::Reject { reason: keep_text(call, user, why).await? });
    }
    match kind {
        Kind::BankDeposit => {
            let Line(reference) = request.reference.required()?;
            Ok(Decision::ApproveBank(keep_reference(call, user, "reference", &reference, 0).await?))
        }
        Kind::Deposit if request.observation_id.is_sent() => {
            Ok(Decision::ApproveWith(ObservationId(request.observation_id.or(Code::NotFound)?)))
        }
        _ => Ok(Decision::Approve),
    }
}

/// No one signs a destination whose text differs from the one signed at submission.
async fn check_destination(call: &Call, id: u64) -> Result<(), Refusal> {
    let known = call.app.sequencer.engine().withdrawal(WithdrawalId(id)).cloned().or_refuse(Code::NotFound)?;
    if item::destination(&call.app, &known).await?.is_none() {
        return Err(refuse(Code::ChangedSince).with("version", known.version).with("hash", hash_text(known.hash())));
    }
    Ok(())
}

async fn reset(call: &Call, id: u64, user: UserId, why: &str, seen: SignedVersion) -> Answer {
    let app = &call.app;
    let known = fund_passwords::reset(&app.db, id).await?.or_refuse(Code::NotFound)?;
    let (approve, hash) = (why.is_empty(), queue_rows::reset_hash(&known));
    // An approval that broke off after it had claimed the reset left a newer version; its repetition finishes it.
    let broken_off = call.was_answered() && known.status == ResetStatus::Approved;
    if known.status.is_open() && !broken_off && (u64::from(seen.version), seen.hash.0) != (known.version, hash) {
        return Err(refuse(Code::ChangedSince).with("version", known.version).with("hash", hash_text(Digest(hash))));
    }
    if session(call)?.operator.member == Some(user) {
        return Err(refuse(Code::SelfReview));
    }
    if approve && known.status.is_open() {
        fund_password::need_free_to_approve(app, user)?;
    }
    // The engine has no part in this decision, so the journal records the view.
    let note = AuditNote { action: AuditAction::Save, object: AuditObject::Member, id: user.0, reason: documents::plain_digest(why) };
    let noted = act(call, OperatorAct::Record(note), None).await?;
    let answer = |row, done: bool| {
        let mut reply = Reply::say("ok.saved").data(Decided { row, done: done.into() }).at(noted.answered_by()).about([user]);
        reply.replay = noted.is_repetition();
        reply
    };
    if noted.is_repetition() && !known.status.is_open() {
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

request! {
    /// What `withdrawal/sent` takes.
    pub struct MarkSent {
        required id: Input<u64>,
        required tx: Line<1, 200>,
        optional output: Input<u64>,
    }
}

/// `POST /operator/api/withdrawal/sent`
pub async fn sent(call: Call, request: MarkSent) -> Answer {
    let (app, Line(text)) = (&call.app, request.tx);
    let id = request.id.or(Code::NotFound)?;
    let (_, user, _) = item::row(app, Kind::Withdrawal, id).await?;
    let destination = app.sequencer.engine().withdrawal(WithdrawalId(id)).map(|known| known.destination);
    let output = request.output.optional()?.unwrap_or(0);
    let text = match destination {
        // Banks number their payments in their own ways, and each payment covers one withdrawal.
        None | Some(Destination::Card(_)) if output > 0 => return Err(bad_field("output", "range")),
        None | Some(Destination::Card(_)) => text,
        Some(Destination::Address { chain, .. }) => transaction(chain, &text).ok_or_else(|| bad_field("tx", "format"))?,
    };
    // A transaction can pay many withdrawals, one with each output.
    let tx = keep_reference(&call, user, "tx", &text, output).await?;
    let applied = act(&call, OperatorAct::MarkSent { withdrawal: WithdrawalId(id), tx }, None).await?;
    let (row, ..) = item::row(app, Kind::Withdrawal, id).await?;
    Ok(answer("ok.saved", &applied).data(Sent { row }).about([user]))
}

/// `POST /operator/api/withdrawal/returned`
pub async fn returned(call: Call, request: ByIdWithReason) -> Answer {
    let withdrawal = WithdrawalId(request.id.or(Code::NotFound)?);
    propose(&call, Proposed::ReturnWithdrawal { withdrawal }, None, &request.reason.0).await
}

/// `POST /operator/api/withdrawal/unmark`
pub async fn unmark(call: Call, request: ByIdWithReason) -> Answer {
    let withdrawal = WithdrawalId(request.id.or(Code::NotFound)?);
    propose(&call, Proposed::UnmarkSent { withdrawal }, None, &request.reason.0).await
}
