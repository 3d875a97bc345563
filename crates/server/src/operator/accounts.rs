//! Operators' own accounts: log-in always with password and code, set-up by a one-time link, and the list of operators.

use data_encoding::BASE32_NOPAD;
use engine::backoffice::acts::{AuditAction, AuditNote, AuditObject, OperatorAct};
use engine::ids::OperatorId;
use serde::Serialize;
use store::audit::{self as log, Note, digest};
use store::db::DbError;
use store::login_throttle::{Counter, Source};
use store::operators::{self, Operator as Stored, OperatorSession, TOTAL_MS};
use store::totp;
use utoipa::ToSchema;

use super::{REFUSED, Roles, operate, registry, session};
use crate::api::account::known_device::{self, Account};
use crate::api::command::done;
use crate::api::contact::{PASSWORD_MAX, password, strength};
use crate::hasher::Lane;
use crate::http::page::ts;
use crate::http::params::Kind;
use crate::http::reply::{Answer, Code, OrRefuse, Refusal, Reply, refuse};
use crate::http::request::{Input, request};
use crate::http::types;
use crate::http::values::{Line, Value};
use crate::http::{App, Call};

/// Where the cookie of a known console goes.
const LOG_IN_PATH: &str = "/operator/api/login";
/// Fewest characters of an operator's password.
const PASSWORD_MIN: usize = 15;
/// The [`strength`] of a good password.
const STRENGTH_MIN: u8 = 3;

/// An operator.
#[derive(Debug, Serialize, ToSchema)]
pub struct Operator {
    id: u32,
    name: String,
    roles: Vec<&'static str>,
    #[schema(value_type = types::Flag)]
    totp: u8,
    #[schema(value_type = types::Flag)]
    active: u8,
    /// Account number of the same person as a member; empty if they have none.
    linked_member: String,
    /// The operator who has to release the first log-in.
    waits_for: Option<u32>,
    last_at: Option<String>,
    last_at_ms: Option<u64>,
}

/// Data returned with one's own account: the names behind the numbers in cases and proposals.
#[derive(Debug, Serialize, ToSchema)]
pub struct Colleagues {
    colleagues: Vec<Colleague>,
}

/// An operator as other operators see them.
#[derive(Debug, Serialize, ToSchema)]
pub struct Colleague {
    id: u32,
    name: String,
}

/// Data returned with a session token.
#[derive(Debug, Serialize, ToSchema)]
pub struct OperatorLogin {
    operator: Operator,
    expires_ms: u64,
}

/// Data returned by a set-up. It has the secret until the set-up is complete.
#[derive(Debug, Serialize, ToSchema)]
pub struct OperatorSetup {
    name: String,
    secret: Option<String>,
    uri: Option<String>,
    #[schema(value_type = types::Flag)]
    active: u8,
}

pub(super) async fn view(app: &App, operator: &Stored) -> Result<Operator, DbError> {
    let linked = operator.member.as_slice();
    let accounts = operators::accounts(&app.db, linked).await?;
    Ok(Operator {
        id: operator.id.0,
        name: operator.name.clone(),
        roles: Roles(operator.roles).words(),
        totp: operator.password.is_some().into(),
        active: operator.active.into(),
        linked_member: operator.member.and_then(|member| accounts.get(&member).cloned()).unwrap_or_default(),
        waits_for: operator.waits_for.map(|by| by.0),
        last_at: operator.last_at_ms.map(ts),
        last_at_ms: operator.last_at_ms,
    })
}

/// The key under which failures of a log-in name are counted.
fn account(name: &str) -> String {
    format!("operator {name}")
}

/// The word for an operator's account.
fn word(operator: OperatorId) -> String {
    format!("operator {}", operator.0)
}

/// The name of an operator in its one form.
#[derive(Clone, Debug)]
pub struct Name(pub String);

impl Value for Name {
    const KIND: Kind = Kind::Text;

    fn parse(name: &'static str, text: &str) -> Result<Name, Refusal> {
        Line::<2, 64>::parse(name, text).map(|Line(typed)| Name(typed.to_lowercase()))
    }
}

/// A password that is long and hard to guess.
fn new_password(text: &str) -> Result<String, Refusal> {
    let typed = password(text);
    match typed.chars().count() {
        length if length < PASSWORD_MIN => return Err(refuse(Code::PasswordShort).with("min", PASSWORD_MIN)),
        length if length > PASSWORD_MAX => return Err(refuse(Code::PasswordLong).with("max", PASSWORD_MAX)),
        _ => {}
    }
    if strength(&typed) < STRENGTH_MIN {
        return Err(refuse(Code::PasswordCommon));
    }
    Ok(typed)
}

/// Notes a log-in or set-up, which have no session yet.
pub(super) async fn note(app: &App, operator: &Stored, word: &str, reason: &str, action: AuditAction) -> Result<(), Refusal> {
    let note = Note { operator: operator.id, action: word, kind: "console", object_id: 0, reason };
    let id = log::begin(app, &note).await?;
    let act = OperatorAct::Record(AuditNote { action, object: AuditObject::Console, id: 0, reason: digest(reason) });
    let session = OperatorSession { id: 0, operator: operator.clone(), proved_ms: 0 };
    let recorded = app.sequencer.submit(operate(&session, act), None).await?;
    done(&recorded, |reject| refuse(reject.into()))?;
    Ok(log::finish(app, id, recorded.seq.0, "", &note, &[]).await?)
}

request! {
    /// What `login` takes.
    pub struct LogIn {
        required name: Name,
        required password: String,
        required otp: String,
    }
}

/// `POST /operator/api/login`
pub async fn login(call: Call, request: LogIn) -> Answer {
    let (app, Name(name)) = (&call.app, request.name);
    registry::log_announced(app).await?;
    let found = operators::named(app, &name).await?.filter(|operator| operator.active);
    let stored = found.as_ref().and_then(|operator| operator.password.as_deref());
    let word = found.as_ref().map(|operator| word(operator.id)).unwrap_or_default();
    let device = stored.map(|password| Account { word: &word, password });
    let counter = known_device::counter(&call, &account(&name), device);
    counter.claim(app).await?;
    let typed = password(&request.password);
    let right = app.hasher.slot(Lane::Operators)?.verify(&typed, stored).await?;
    let operator = found.as_ref().filter(|_| right).or_refuse(Code::WrongCredentials)?;
    let secret = operators::secret(app, operator.id).await?;
    let step = totp::accepted(&secret, request.otp.trim(), app.clock.authenticator_ms(), Some(operator.last_step));
    let Some(step) = step else {
        // The caller has an operator's password, but not their authenticator.
        note(app, operator, REFUSED, &format!("log_in: {}", Code::SecondFactorWrong), AuditAction::LogIn).await?;
        return Err(refuse(Code::WrongCredentials));
    };
    if operator.waits_for.is_some() {
        note(app, operator, REFUSED, &format!("log_in: {}", Code::WrongState), AuditAction::LogIn).await?;
        return Err(refuse(Code::WrongState).with("state", "not_released"));
    }
    note(app, operator, "log_in", "", AuditAction::LogIn).await?;
    let now = app.clock.session_ms();
    let (token, open) = operators::open(operator.id, now)?;
    let cookie = known_device::cookie(&call, device.or_refuse(Code::WrongCredentials)?, LOG_IN_PATH)?;
    let mut statements = vec![operators::use_step(operator.id, step, stored.or_refuse(Code::WrongCredentials)?)];
    statements.extend(counter.clear(app));
    statements.extend(open);
    match app.db.run(statements).await {
        // Another log-in used the code first, or the password was changed meanwhile.
        Err(DbError::Missed(0)) => {
            note(app, operator, REFUSED, &format!("log_in: {}", Code::SecondFactorWrong), AuditAction::LogIn).await?;
            return Err(refuse(Code::WrongCredentials));
        }
        opened => opened?,
    };
    Ok(Reply::ok(token).data(OperatorLogin { operator: view(app, operator).await?, expires_ms: now + TOTAL_MS }).cookie(cookie))
}

request! {
    /// What `setup` takes. Without a code it only shows the secret.
    pub struct SetUp {
        required link: String,
        optional password: Input<String>,
        optional otp: Option<String>,
    }
}

/// `POST /operator/api/setup`
pub async fn setup(call: Call, request: SetUp) -> Answer {
    let (app, link) = (&call.app, request.link.as_str());
    registry::log_announced(app).await?;
    let Some(operator) = operators::invited(app, link, app.clock.wall_ms()).await? else {
        known_device::counter(&call, "operator link", None).claim(app).await?;
        return Err(refuse(Code::UnknownChallenge));
    };
    let secret = operators::secret(app, operator.id).await?;
    let Some(code) = request.otp else {
        let text = BASE32_NOPAD.encode(&secret);
        let label = percent_encoding::utf8_percent_encode(&operator.name, percent_encoding::NON_ALPHANUMERIC);
        let uri =
            format!("otpauth://totp/Meridian%20console:{label}?secret={text}&issuer=Meridian%20console&algorithm=SHA1&digits=6&period=30");
        return Ok(Reply::ok(OperatorSetup { name: operator.name, secret: Some(text), uri: Some(uri), active: 0 }));
    };
    let typed = new_password(&request.password.required()?)?;
    // Only a holder of the link gets this far.
    let counter = Counter::of_source("set-up of an operator", Source::Device(link));
    counter.claim(app).await?;
    let step = totp::accepted(&secret, code.trim(), app.clock.authenticator_ms(), None).or_refuse(Code::SecondFactorWrong)?;
    let stored = app.hasher.slot(Lane::Operators)?.hash(&typed).await?;
    note(app, &operator, "set_up", "", AuditAction::ChangeSecret).await?;
    let mut statements = operators::set_up(operator.id, link, stored, step);
    statements.extend(counter.clear(app));
    app.db
        .run(statements)
        .await
        .map_err(|error| if error == DbError::Missed(0) { refuse(Code::UnknownChallenge) } else { error.into() })?;
    Ok(Reply::ok(OperatorSetup { name: operator.name, secret: None, uri: None, active: 1 }))
}

/// `POST /operator/api/logout`
pub async fn logout(call: Call) -> Answer {
    Ok(call.commit(vec![operators::close(session(&call)?.id)], Reply::say("ok.logged_out")).await?)
}

/// `GET /operator/api/me`
pub async fn me(call: Call) -> Answer {
    let all = operators::all(&call.app).await?;
    let colleagues = all.into_iter().map(|one| Colleague { id: one.id.0, name: one.name }).collect();
    Ok(Reply::ok(view(&call.app, &session(&call)?.operator).await?).data(Colleagues { colleagues }))
}

request! {
    /// What `password` takes.
    pub struct ChangePassword {
        required old_password: String,
        required password: String,
        required otp: String,
    }
}

/// `POST /operator/api/password`
pub async fn change_password(call: Call, request: ChangePassword) -> Answer {
    let app = &call.app;
    let own = session(&call)?;
    let counter = Counter::of_session("operator", own.id);
    counter.claim(app).await?;
    let old = password(&request.old_password);
    let kept = own.operator.password.as_deref();
    if !app.hasher.slot(Lane::Operators)?.verify(&old, kept).await? {
        return Err(refuse(Code::PasswordWrong));
    }
    let typed = new_password(&request.password)?;
    let secret = operators::secret(app, own.operator.id).await?;
    let step = totp::accepted(&secret, request.otp.trim(), app.clock.authenticator_ms(), Some(own.operator.last_step));
    let step = step.or_refuse(Code::SecondFactorWrong)?;
    let stored = app.hasher.slot(Lane::Operators)?.hash(&typed).await?;
    let mut statements = vec![operators::use_step(own.operator.id, step, kept.or_refuse(Code::PasswordWrong)?)];
    statements.extend(counter.clear(app));
    statements.extend(operators::set_password(own.operator.id, stored, own.id));
    let reply = call.commit(statements, Reply::say("ok.password_changed")).await;
    reply.map_err(|error| if error == DbError::Missed(0) { refuse(Code::SecondFactorWrong) } else { error.into() })
}
