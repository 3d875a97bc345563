//! The operator interface (`docs/api.md` 8): own accounts, roles from the route table, and every call in the audit log.
//!
//! None of its calls sets a price, a result, a balance, an amount or an address; what needs dual control is a proposal held by the engine.

pub mod accounts;
mod agreed_texts;
pub mod appointment;
pub mod audit;
pub mod catalog;
pub mod catalog_kinds;
mod catalog_values;
mod checks;
pub mod decide;
pub mod disputes;
mod evidence;
pub mod incidents;
pub mod invite;
pub mod item;
mod listing;
pub mod news;
pub mod observations;
pub mod proposals;
pub mod queue;
mod queue_rows;
pub mod registry;
pub mod retirement;
pub mod routes;
pub mod settlement;
pub mod sources;
mod states;
mod step_up;
pub mod support;
mod terms;
pub mod treasury;
pub mod users;

use axum::http::StatusCode;
use engine::backoffice::acts::{AuditAction, AuditNote, AuditObject, Operate, OperatorAct};
use engine::catalog::Wallet;
use engine::command::Command;
use engine::ids::{AssetId, Digest, UserId};
use engine::operators::approval::Reviewer;
pub use engine::operators::roles::Roles;
use engine::reject::Reject;
use kernel::sequencer::Applied;
use store::audit::{self as log, Note, REFUSED, digest};
use store::documents;
use store::operators::OperatorSession;
use store::payments::Reference;
use store::secrets::hex;

use self::catalog_kinds::CatalogKind;
use crate::api::command::done;
use crate::http::audit::AuditTrail;
use crate::http::auth::need_role;
use crate::http::form::Params;
use crate::http::params::Kind;
use crate::http::reply::{Answer, Code, OrRefuse, Refusal, bad_field, refuse};
use crate::http::request::{Input, Request, request};
use crate::http::routes::{Effect, Entry};
use crate::http::units::About;
use crate::http::values::{Line, Value};
use crate::http::{App, Call};

/// How the calls of operators are written down, for the dispatcher.
pub const AUDIT_TRAIL: AuditTrail = AuditTrail {
    turned_away: |app, by, entry, params, refusal| Box::pin(turned_away(app, by, entry, params, refusal)),
    answered: |call, params, entry| Box::pin(answered(call, params, entry)),
};

/// The house, where a text needs an owner.
pub const HOUSE_TEXTS: UserId = UserId(0);

/// The session of a route that has one.
fn session(call: &Call) -> Result<&OperatorSession, Refusal> {
    call.operator.as_ref().ok_or_else(|| refuse(Code::LoggedOut))
}

/// The reason of a call: 3 to 200 characters, or `E_REASON`. Where a call needs one, it is there before its handler runs.
#[derive(Clone, Debug)]
pub struct Reason(pub String);

impl Value for Reason {
    const KIND: Kind = Kind::Text;

    fn parse(name: &'static str, text: &str) -> Result<Reason, Refusal> {
        Line::<3, 200>::parse(name, text).map(|Line(reason)| Reason(reason)).or_refuse(Code::ReasonMissing)
    }
}

request! {
    /// Number of an object, and the reason of an act on it.
    pub struct ByIdWithReason checked by handler {
        required id: Input<u64>,
        required reason: Reason,
    }
}

request! {
    /// What the audit log takes from any call that has it.
    pub struct Noted checked by handler {
        optional kind: Input<String>,
        optional decision: Input<String>,
        optional id: Input<u64>,
        optional user_id: Input<u64>,
        optional view_id: Input<u64>,
        optional reason: Input<Reason>,
    }
}

/// What the audit log says of a call: its word, and the kind and number of what it is about.
struct Subject {
    word: String,
    kind: String,
    id: u64,
    entry: (AuditAction, AuditObject),
}

impl Subject {
    fn of(entry: &Entry, noted: &Noted) -> Option<Subject> {
        let (word, action, object) = entry.route.audit?;
        let kind = noted.kind.readable().map(String::as_str);
        let kind = kind.filter(|kind| queue::Kind::parse(kind).is_some() || CatalogKind::ALL.iter().any(|row| row.word() == *kind));
        let decision = noted.decision.readable().map(String::as_str);
        Some(Subject {
            word: decision.filter(|word| *word == "reject").unwrap_or(word).to_owned(),
            kind: kind.unwrap_or(object_word(object)).to_owned(),
            id: [&noted.id, &noted.user_id, &noted.view_id].into_iter().find_map(Input::readable).copied().unwrap_or(0),
            entry: (action, object),
        })
    }

    fn note<'a>(&'a self, by: &OperatorSession, action: &'a str, reason: &'a str) -> Note<'a> {
        Note { operator: by.operator.id, action, kind: &self.kind, object_id: self.id, reason }
    }

    /// The journal's entry for a view, or for a call that never reached the engine: its sequence.
    async fn record(&self, app: &App, by: &OperatorSession, reason: &str) -> Result<u64, Refusal> {
        let (action, object) = self.entry;
        let act = OperatorAct::Record(AuditNote { action, object, id: self.id, reason: digest(reason) });
        let recorded = app.sequencer.submit(operate(by, act), None).await?;
        done(&recorded, |reject| refuse(reject.into()))?;
        Ok(recorded.seq.0)
    }

    /// The row of a refused call: its action and the name of the refusal.
    async fn refused(&self, app: &App, by: &OperatorSession, refusal: &Refusal, seq: Option<u64>) -> Result<(), Refusal> {
        let reason = format!("{}: {}", self.word, refusal.code.name());
        let note = self.note(by, REFUSED, &reason);
        // The row is written before its entry, so that no entry is without a row.
        let id = log::begin(app, &note).await?;
        let seq = match seq {
            Some(seq) => seq,
            None => self.record(app, by, &reason).await?,
        };
        Ok(log::finish(app, id, seq, "", &note, &[]).await?)
    }
}

/// Writes down that a call was refused before its handler. It was counted in its rate class, so these rows cannot be a flood.
///
/// # Errors
/// The log could not be written.
async fn turned_away(app: &App, by: Option<&OperatorSession>, entry: &Entry, params: &Params, refusal: &Refusal) -> Result<(), Refusal> {
    match (by, Subject::of(entry, &Noted::read(params)?)) {
        (Some(by), Some(subject)) => subject.refused(app, by, refusal, None).await,
        _ => Ok(()),
    }
}

/// Runs a call; one of an operator is in the journal and in the audit log before its answer goes out, whatever the answer is.
async fn answered(mut call: Call, params: Params, entry: &'static Entry) -> Answer {
    let (app, route) = (call.app.clone(), entry.route);
    let noted = Noted::read(&params)?;
    let (Some(by), Some(subject)) = (call.operator.clone(), Subject::of(entry, &noted)) else {
        return route.handler.call(call, params).await;
    };
    let why = noted.reason.readable().map(|Reason(why)| why.clone());
    if why.is_none() && entry.params.iter().any(|param| param.name() == "reason" && param.required) {
        let refusal = refuse(Code::ReasonMissing);
        subject.refused(&app, &by, &refusal, None).await?;
        return Err(refusal);
    }
    let why = why.unwrap_or_default();
    let note = subject.note(&by, &subject.word, &why);
    let audit_id = log::begin(&app, &note).await?;
    call.audit_id = audit_id;
    let before = if route.effect == Effect::Command { None } else { Some(subject.record(&app, &by, &why).await?) };
    let answer = route.handler.call(call, params).await;
    let (own, about) = match &answer {
        Ok(reply) => (reply.seq, reply.about.clone()),
        Err(refusal) => (refusal.seq, Vec::new()),
    };
    // An act refused before it reached the engine is recorded like a view.
    let seq = match before.or(own) {
        Some(seq) => seq,
        None => subject.record(&app, &by, &why).await?,
    };
    let role = Roles(by.operator.roles).words().join(", ");
    let mut logged = log::finish(&app, audit_id, seq, &role, &note, &about).await.map_err(Refusal::from);
    if let (Ok(()), Err(refusal)) = (&logged, &answer)
        && refusal.status() == StatusCode::OK
    {
        logged = subject.refused(&app, &by, refusal, Some(seq)).await;
    }
    if let Err(error) = logged {
        tracing::error!(error.name = error.code.name(), "audit log");
        // The data is shown only if its owner can read of the access. The act itself is in the journal.
        return Err(refuse(Code::OutcomeUnknown));
    }
    answer
}

/// The wire names of audited objects.
fn object_word(object: AuditObject) -> &'static str {
    match object {
        AuditObject::Console => "console",
        AuditObject::Queue => "queue",
        AuditObject::Deposit => "deposit",
        AuditObject::Observation => "observation",
        AuditObject::Withdrawal => "withdrawal",
        AuditObject::Identity => "identity",
        AuditObject::File => "file",
        AuditObject::Member => "user",
        AuditObject::Treasury => "treasury",
        AuditObject::Catalog => "catalog",
        AuditObject::Proposal => "proposal",
        AuditObject::Operator => "operator",
        AuditObject::Ticket => "ticket",
        AuditObject::Chat => "chat",
        AuditObject::Article => "news",
        AuditObject::Audit => "audit",
        AuditObject::Incident => "incident",
        AuditObject::Loan => "loan",
    }
}

fn operate(session: &OperatorSession, act: OperatorAct) -> Command {
    let by = Reviewer { operator: session.operator.id, member: session.operator.member };
    Command::Operate(Box::new(Operate { by, act }))
}

/// Sends an act of the calling operator to the engine, and answers its refusal. `asset` is the coin of the figures in it.
async fn act(call: &Call, act: OperatorAct, asset: Option<AssetId>) -> Result<Applied, Refusal> {
    registry::learn_links(&call.app).await?;
    let applied = call.app.sequencer.submit(operate(session(call)?, act.clone()), call.request).await?;
    done(&applied, |reject| {
        let refusal = refusal(call, asset, reject);
        if refusal.code == Code::WrongState { refusal.with("state", states::of_act(&call.app.sequencer.engine(), &act)) } else { refusal }
    })?;
    Ok(applied)
}

/// Gives a refusal that a call does not list the code that it lists for it; the details go with the old code.
fn named(refusal: Refusal, codes: &[(Code, Code)]) -> Refusal {
    match codes.iter().find(|(unlisted, _)| *unlisted == refusal.code) {
        Some((_, listed)) => Refusal { code: *listed, details: Vec::new(), ..refusal },
        None => refusal,
    }
}

fn refusal(call: &Call, asset: Option<AssetId>, reject: &Reject) -> Refusal {
    let engine = call.app.sequencer.engine();
    About { catalog: engine.catalog(), market: None, asset, wallet: Wallet::Spot }.refusal(reject)
}

/// Stores a text before the command that names it by its digest.
async fn keep_text(call: &Call, owner: UserId, text: &str) -> Result<Digest, Refusal> {
    let digest = documents::plain_digest(text);
    call.app.db.exec(documents::keep(&call.app, owner, digest, text)?).await?;
    Ok(digest)
}

/// Stores a typed reference of an outside payment under the digest of its letters and digits: spaces, case and a leading `0x` do not make
/// it a different payment.
async fn keep_reference(call: &Call, owner: UserId, field: &str, text: &str, output: u64) -> Result<Digest, Refusal> {
    let reference = Reference { tx: text.to_owned(), output };
    let digest = reference.digest().ok_or_else(|| bad_field(field, "format"))?;
    call.app.db.exec(documents::keep(&call.app, owner, digest, &reference.text())?).await?;
    Ok(digest)
}

/// An account number with its middle hidden.
fn masked(account: &str) -> String {
    let (start, end) = (account.get(..3).unwrap_or(""), account.get(account.len().saturating_sub(2)..).unwrap_or(""));
    format!("{start}****{end}")
}

fn hash_text(hash: Digest) -> String {
    hex(&hash.0)
}
