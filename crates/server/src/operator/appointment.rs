//! Appointing an operator: two operators agree on name, roles and the person behind the account. The link goes to the address that both
//! signed, and the proposer releases the first log-in.

use engine::backoffice::acts::OperatorAct;
use engine::backoffice::proposals::status::Status;
use engine::backoffice::proposals::{Proposal, Proposed};
use engine::ids::{Digest, OperatorId, UserId};
use engine::operators::{Cause, Declared};
use serde::Serialize;
use store::db::DbError;
use store::operators::{self, TOTAL_MS};
use store::people::{self, Identity};
use store::{documents, outbox};
use utoipa::ToSchema;

use super::accounts::{Name, Operator, note, view};
use super::proposals::propose;
use super::registry::{declare, logged};
use super::{AuditAction, HOUSE_TEXTS, Reason, Roles, act, keep_text};
use crate::api::contact;
use crate::http::params::Kind;
use crate::http::reply::{Answer, Code, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request};
use crate::http::values::{Line, Value};
use crate::http::{App, Call};
use crate::i18n::{Lang, filled, text};

/// The word for an operator without a member account.
pub const NO_MEMBER: &str = "none";

/// An operator session in a sandbox.
#[derive(Debug, Serialize, ToSchema)]
pub struct SandboxOperator {
    token: String,
    operator: Operator,
    expires_ms: u64,
}

/// `GET /operator/api/operators`
pub async fn list(call: Call) -> Answer {
    let mut views = Vec::new();
    for operator in operators::all(&call.app).await? {
        views.push(view(&call.app, &operator).await?);
    }
    Ok(Reply::ok(views))
}

/// A role by its word.
#[derive(Clone, Copy, Debug)]
pub struct Role(Roles);

impl Value for Role {
    const KIND: Kind = Kind::OneOf(&Roles::WORDS);

    fn parse(name: &'static str, text: &str) -> Result<Role, Refusal> {
        Roles::parse(text).map(Role).ok_or_else(|| bad_field(name, "enum"))
    }
}

/// Roles as a list of words.
#[derive(Clone, Copy, Debug)]
pub struct RoleList(Roles);

impl Value for RoleList {
    const KIND: Kind = Kind::Texts;

    fn parse(name: &'static str, text: &str) -> Result<RoleList, Refusal> {
        let words: Vec<String> = serde_json::from_str(text).map_err(|_| bad_field(name, "format"))?;
        if words.len() > Roles::WORDS.len() {
            return Err(bad_field(name, "length"));
        }
        let parsed: Option<Vec<Roles>> = words.iter().map(|word| Roles::parse(word)).collect();
        parsed.map(|roles| RoleList(roles.into_iter().fold(Roles(0), Roles::or))).ok_or_else(|| bad_field(name, "enum"))
    }
}

request! {
    /// What `operator/save` takes.
    pub struct SaveOperator {
        optional id: Input<u64>,
        required name: Name,
        required roles: RoleList,
        required active: bool,
        required linked_member: Line<1, 32>,
        optional mail: Input<Line<1, 254>>,
        required reason: Reason,
    }
}

/// The member account of the same person: an account number, or `none`.
async fn linked_member(call: &Call, typed: String) -> Result<Option<UserId>, Refusal> {
    if typed == NO_MEMBER {
        return Ok(None);
    }
    let person = people::find(&call.app, &Identity::Account(typed)).await?.or_refuse(Code::BadField);
    person.map(|person| Some(person.id)).map_err(|_| bad_field("linked_member", "enum"))
}

/// Where a one-time link goes.
fn mail(typed: Option<Line<1, 254>>) -> Result<Option<String>, Refusal> {
    let Some(Line(typed)) = typed else { return Ok(None) };
    let parsed = contact::email(&typed).ok_or_else(|| bad_field("mail", "format"))?;
    Ok(Some(parsed.target().to_owned()))
}

/// Whether this address belongs to another operator, or to a proposed one: one mailbox is one person.
async fn is_anothers(app: &App, address: &str, own: &str) -> Result<bool, DbError> {
    let (digest, own_name) = (documents::plain_digest(address), documents::plain_digest(own));
    let has = |proposed: &Proposed| match proposed {
        Proposed::AppointOperator { name, mail, .. } => *name != own_name && (*name == digest || *mail == Some(digest)),
        _ => false,
    };
    let waits = |found: &Proposal| matches!(found.status, Status::Waiting | Status::Confirmed) && has(&found.proposed);
    let is_proposed = app.sequencer.engine().proposals().any(waits);
    Ok(is_proposed || operators::another_has(app, address, own).await?)
}

/// `POST /operator/api/operator/save`
pub async fn save(call: Call, request: SaveOperator) -> Answer {
    let app = &call.app;
    let SaveOperator { name: Name(name), roles: RoleList(roles), active, reason: Reason(why), .. } = request;
    let (member, mail) = (linked_member(&call, request.linked_member.0).await?, mail(request.mail.optional()?)?);
    // If two operators propose the same address at once, the second sees the first.
    let _lock = app.member_locks.of_addresses().await;
    for (field, address) in [("name", Some(&name)), ("mail", mail.as_ref())] {
        if let Some(address) = address
            && is_anothers(app, address, &name).await?
        {
            return Err(bad_field(field, "enum"));
        }
    }
    // If the name or the address belongs to a member, that states a link as well, and all stated links must be the same member.
    if operators::members_of(app, &name, mail.as_deref()).await?.into_iter().any(|found| member != Some(found)) {
        return Err(bad_field("linked_member", "enum"));
    }
    let known = match request.id.optional()? {
        Some(id) => {
            let id = u32::try_from(id).map(OperatorId).map_err(|_| refuse(Code::NotFound))?;
            let known = operators::get(app, id).await?.or_refuse(Code::NotFound)?;
            if known.name != name {
                return Err(bad_field("name", "enum"));
            }
            // A link never changes, and the log enforces that too. An operator linked by mistake is deactivated and appointed under a new
            // name.
            if known.member.is_some() && known.member != member {
                return Err(bad_field("linked_member", "enum"));
            }
            Some(known)
        }
        None => None,
    };
    let subject = match &known {
        Some(known) => known.id,
        None => operators::reserve(&app.db, &name, app.now_ms())
            .await
            .map_err(|error| if error == DbError::Unique { bad_field("name", "enum") } else { error.into() })?,
    };
    // An operator without a password gets a link, which needs an address to go to.
    let needs_link = active && known.is_none_or(|known| known.password.is_none());
    let mail = match mail {
        None if needs_link => return Err(bad_field("mail", "required")),
        Some(mail) if needs_link => Some(keep_text(&call, HOUSE_TEXTS, &mail).await?),
        None | Some(_) => None,
    };
    let name = documents::plain_digest(&name);
    propose(&call, Proposed::AppointOperator { subject, name, roles, active, member, mail }, None, &why).await
}

/// Whether a log-in name or mailbox belongs to another operator, or to a member other than the stated one: it would make one operator two
/// people.
async fn is_somebody_elses(app: &App, address: &str, own: &str, stated: Option<UserId>) -> Result<bool, DbError> {
    let owners = operators::members_of(app, address, None).await?;
    Ok(owners.into_iter().any(|owner| stated != Some(owner)) || operators::another_has(app, address, own).await?)
}

/// Check before two agree: since the proposal its name or mailbox may have been taken by another person. The caller holds the address lock,
/// so this cannot happen while they agree.
///
/// # Errors
/// `E_STATE` with `name` or `mailbox`.
pub async fn check_person(app: &App, kept: &Proposal) -> Result<(), Refusal> {
    let (Proposed::AppointOperator { subject, member, mail, .. }, Status::Waiting) = (&kept.proposed, kept.status) else {
        return Ok(());
    };
    let Some(known) = operators::get(app, *subject).await? else { return Ok(()) };
    let mailbox = match mail {
        Some(mail) => documents::one(app, HOUSE_TEXTS, *mail).await?,
        None => None,
    };
    for (state, address) in [("name", Some(&known.name)), ("mailbox", mailbox.as_ref())] {
        if let Some(address) = address
            && is_somebody_elses(app, address, &known.name, *member).await?
        {
            return Err(refuse(Code::WrongState).with("state", state));
        }
    }
    Ok(())
}

/// Applies what two operators agreed on about an operator. One who was switched off loses their sessions; one without a password gets a
/// link by mail; a repetition sends none.
pub async fn agreed(
    app: &App,
    lang: Lang,
    (subject, active, mail): (OperatorId, bool, Option<Digest>),
    again: bool,
) -> Result<(), DbError> {
    if !active {
        app.db.exec(operators::end_sessions(subject)).await?;
    }
    let (Some(known), Some(mail)) = (operators::get(app, subject).await?, mail) else { return Ok(()) };
    if !known.active || known.password.is_some() || (again && known.has_link) {
        return Ok(());
    }
    let Some(target) = documents::one(app, HOUSE_TEXTS, mail).await? else { return Ok(()) };
    // The mailbox was checked before the signature. It may have changed hands before an interrupted attempt is repeated.
    let stated = app.sequencer.engine().operator(subject).and_then(|operator| operator.member);
    if is_somebody_elses(app, &target, &known.name, stated).await? {
        tracing::error!(operator = subject.0, "no link: its address belongs to somebody else by now");
        return Ok(());
    }
    let (link, made) = operators::new_link(subject, app.clock.wall_ms())?;
    let message = outbox::Message {
        target: &target,
        purpose: "operator",
        subject: text(lang, "message.operator.subject").to_owned(),
        body: filled(lang, "message.operator.text", &[("name", &known.name), ("path", &format!("/console/#/setup/{link}"))]),
        code: Some(link),
        expires_ms: None,
    };
    let statements = vec![made, operators::set_mail(app, subject, &target)?, outbox::insert(app, message, false)?];
    app.db.run(statements).await.map(drop)
}

request! {
    /// What `operator/release` takes.
    pub struct Release {
        required id: Input<u64>,
    }
}

/// `POST /operator/api/operator/release`
pub async fn release(call: Call, request: Release) -> Answer {
    let app = &call.app;
    let subject = u32::try_from(request.id.or(Code::NotFound)?).map(OperatorId).map_err(|_| refuse(Code::NotFound))?;
    let known = operators::get(app, subject).await?.or_refuse(Code::NotFound)?;
    // If the set-up came after the release, the proposer would not know who did it.
    if known.waits_for.is_some() && known.password.is_none() {
        return Err(refuse(Code::WrongState).with("state", "not_set_up"));
    }
    let applied = act(&call, OperatorAct::ReleaseOperator { subject }, None).await?;
    let known = operators::get(app, subject).await?.or_refuse(Code::NotFound)?;
    let mut reply = Reply::ok(view(app, &known).await?).at(applied.answered_by());
    reply.replay = applied.is_repetition();
    Ok(reply)
}

request! {
    /// What `/sandbox/operator` takes.
    pub struct FirstOperator {
        required role: Role,
        optional name: Option<Name>,
    }
}

/// `POST /sandbox/operator`
pub async fn sandbox(call: Call, request: FirstOperator) -> Answer {
    let (app, Role(role)) = (&call.app, request.role);
    let name = match request.name {
        Some(Name(name)) => name,
        None => {
            format!(
                "{}-{}",
                role.words().join(""),
                store::secrets::hex(&store::secrets::random::<4>().map_err(|_| refuse(Code::Internal))?)
            )
        }
    };
    let id = operators::number(&app.db, &name, app.now_ms()).await?;
    let known = logged(app, id);
    let roles = role.or(known.map_or(Roles(0), |known| known.roles));
    if known.is_none_or(|known| known.roles != roles || !known.active || known.waits_for.is_some()) {
        let member = match known.and_then(|known| known.member) {
            Some(member) => Some(member),
            None => operators::member_of(app, &name, None).await?,
        };
        let name = documents::plain_digest(&name);
        declare(app, Declared { operator: id, name, roles, active: true, member, cause: Cause::Sandbox }).await?;
    }
    let operator = operators::get(app, id).await?.or_refuse(Code::Internal)?;
    note(app, &operator, "log_in", "", AuditAction::LogIn).await?;
    let now = app.clock.session_ms();
    let (token, open) = operators::open(id, now)?;
    app.db.run(open).await?;
    Ok(Reply::ok(SandboxOperator { token, operator: view(app, &operator).await?, expires_ms: now + TOTAL_MS }))
}
