//! Operators' own accounts: log-in with password and code always, set-up by a one-time link, and who there is.

use data_encoding::BASE32_NOPAD;
use engine::ids::{Digest, OperatorId, ProposalId};
use engine::operator::{AuditAction, AuditNote, AuditObject, OperatorAct};
use engine::proposals::Proposed;
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use super::proposals::propose;
use super::{REFUSED, Roles, operate, reason, session};
use crate::app::App;
use crate::db::DbError;
use crate::http::Call;
use crate::http::identity::{PASSWORD_MAX, password, strength};
use crate::http::page::ts;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::spot::done;
use crate::http::wire;
use crate::store::audit::{self as log, Note, digest};
use crate::store::operators::{self, Operator as Stored, OperatorSession, TOTAL_MS};
use crate::store::waits;
use crate::totp;

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
    #[schema(value_type = wire::Flag)]
    totp: u8,
    #[schema(value_type = wire::Flag)]
    active: u8,
    last_at: Option<String>,
    last_at_ms: Option<u64>,
}

/// Beside one's own account: who the numbers in cases and proposals are.
#[derive(Debug, Serialize, ToSchema)]
pub struct Colleagues {
    colleagues: Vec<Colleague>,
}

/// An operator as every other sees him.
#[derive(Debug, Serialize, ToSchema)]
pub struct Colleague {
    id: u32,
    name: String,
}

/// Beside the token.
#[derive(Debug, Serialize, ToSchema)]
pub struct OperatorLogin {
    operator: Operator,
    expires_ms: u64,
}

/// A session of a sandbox.
#[derive(Debug, Serialize, ToSchema)]
pub struct SandboxOperator {
    token: String,
    operator: Operator,
    expires_ms: u64,
}

/// What a set-up answers: the secret until it is done.
#[derive(Debug, Serialize, ToSchema)]
pub struct OperatorSetup {
    name: String,
    secret: Option<String>,
    uri: Option<String>,
    #[schema(value_type = wire::Flag)]
    active: u8,
}

fn view(operator: &Stored) -> Operator {
    Operator {
        id: operator.id.0,
        name: operator.name.clone(),
        roles: Roles(operator.roles).words(),
        totp: operator.password.is_some().into(),
        active: operator.active.into(),
        last_at: operator.last_at_ms.map(ts),
        last_at_ms: operator.last_at_ms,
    }
}

/// The key under which failures of a log-in name are counted.
fn account(name: &str) -> String {
    format!("operator {name}")
}

/// The name in its one form.
fn name(call: &Call) -> Result<String, Refusal> {
    let name = call.params.text("name", 2..=64)?.ok_or_else(|| bad_field("name", "required"))?;
    Ok(name.to_lowercase())
}

/// A password that is long and hard to guess.
fn new_password(call: &Call) -> Result<String, Refusal> {
    let typed = password(call.params.need("password")?, "password")?;
    match typed.chars().count() {
        length if length < PASSWORD_MIN => return Err(refuse("E_PASSWORD_SHORT").with("min", PASSWORD_MIN)),
        length if length > PASSWORD_MAX => return Err(refuse("E_PASSWORD_LONG").with("max", PASSWORD_MAX)),
        _ => {}
    }
    if strength(&typed) < STRENGTH_MIN {
        return Err(refuse("E_PASSWORD_COMMON"));
    }
    Ok(typed)
}

/// Notes a log-in or set-up, which have no session yet.
async fn note(app: &App, operator: &Stored, word: &str, reason: &str, action: AuditAction) -> Result<(), Refusal> {
    let note = Note { operator: operator.id, action: word, kind: "console", object_id: 0, reason };
    let id = log::begin(app, &note).await?;
    let act = OperatorAct::Record(AuditNote { action, object: AuditObject::Console, id: 0, reason: digest(reason) });
    let session = OperatorSession { id: 0, operator: operator.clone() };
    let recorded = app.sequencer.submit(operate(&session, act), None).await?;
    done(&recorded, |reject| refuse(reject.name()))?;
    Ok(log::finish(app, id, recorded.seq.0, "", &note, &[]).await?)
}

/// `POST /operator/api/login`
pub async fn login(call: Call) -> Answer {
    let app = &call.app;
    call.params.complete()?;
    let name = name(&call)?;
    waits::claim(app, &account(&name)).await?;
    let found = operators::named(app, &name).await?.filter(|operator| operator.active);
    let stored = found.as_ref().and_then(|operator| operator.password.as_deref());
    let typed = password(call.params.need("password")?, "password")?;
    let right = app.hasher.slot()?.verify(&typed, stored).await?;
    let operator = found.filter(|_| right).or_refuse("E_CREDENTIALS")?;
    let secret = operators::secret(app, operator.id).await?;
    let step = totp::accepted(&secret, call.params.need("otp")?.trim(), app.clock.wall_ms(), Some(operator.last_step));
    let Some(step) = step else {
        // Somebody has the password of an operator, but not his authenticator.
        note(app, &operator, REFUSED, "log_in: E_2FA_WRONG", AuditAction::LogIn).await?;
        return Err(refuse("E_CREDENTIALS"));
    };
    note(app, &operator, "log_in", "", AuditAction::LogIn).await?;
    let now = app.clock.session_ms();
    let (token, open) = operators::open(operator.id, now)?;
    let mut statements = vec![operators::use_step(operator.id, step), waits::clear(app, &account(&name))];
    statements.extend(open);
    app.db.run(statements).await.map_err(|error| if error == DbError::Missed(0) { refuse("E_CREDENTIALS") } else { error.into() })?;
    Ok(Reply::ok(token).data(OperatorLogin { operator: view(&operator), expires_ms: now + TOTAL_MS }))
}

/// `POST /operator/api/setup`
pub async fn setup(call: Call) -> Answer {
    let app = &call.app;
    call.params.complete()?;
    let link = call.params.need("link")?;
    let Some(operator) = operators::invited(&app.db, link, app.clock.wall_ms()).await? else {
        waits::claim(app, &format!("operator link {}", call.address_text())).await?;
        return Err(refuse("E_CHALLENGE"));
    };
    let secret = operators::secret(app, operator.id).await?;
    let Some(code) = call.params.get("otp") else {
        let text = BASE32_NOPAD.encode(&secret);
        let label = percent_encoding::utf8_percent_encode(&operator.name, percent_encoding::NON_ALPHANUMERIC);
        let uri =
            format!("otpauth://totp/Meridian%20console:{label}?secret={text}&issuer=Meridian%20console&algorithm=SHA1&digits=6&period=30");
        return Ok(Reply::ok(OperatorSetup { name: operator.name, secret: Some(text), uri: Some(uri), active: 0 }));
    };
    let typed = new_password(&call)?;
    waits::claim(app, &account(&operator.name)).await?;
    let step = totp::accepted(&secret, code.trim(), app.clock.wall_ms(), None).or_refuse("E_2FA_WRONG")?;
    let stored = app.hasher.slot()?.hash(&typed).await?;
    note(app, &operator, "set_up", "", AuditAction::ChangeSecret).await?;
    let mut statements = operators::set_up(operator.id, link, stored, step);
    statements.push(waits::clear(app, &account(&operator.name)));
    app.db.run(statements).await.map_err(|error| if error == DbError::Missed(0) { refuse("E_CHALLENGE") } else { error.into() })?;
    Ok(Reply::ok(OperatorSetup { name: operator.name, secret: None, uri: None, active: 1 }))
}

/// `POST /operator/api/logout`
pub async fn logout(call: Call) -> Answer {
    Ok(call.commit(vec![operators::close(session(&call)?.id)], Reply::say("ok.logged_out")).await?)
}

/// `GET /operator/api/me`
pub async fn me(call: Call) -> Answer {
    let all = operators::all(&call.app.db).await?;
    let colleagues = all.into_iter().map(|one| Colleague { id: one.id.0, name: one.name }).collect();
    Ok(Reply::ok(view(&session(&call)?.operator)).data(Colleagues { colleagues }))
}

/// `POST /operator/api/password`
pub async fn change_password(call: Call) -> Answer {
    let app = &call.app;
    call.params.complete()?;
    let own = session(&call)?;
    let name = &own.operator.name;
    waits::claim(app, &account(name)).await?;
    let old = password(call.params.need("old_password")?, "old_password")?;
    if !app.hasher.slot()?.verify(&old, own.operator.password.as_deref()).await? {
        return Err(refuse("E_PASSWORD_OLD"));
    }
    let typed = new_password(&call)?;
    let secret = operators::secret(app, own.operator.id).await?;
    let step = totp::accepted(&secret, call.params.need("otp")?.trim(), app.clock.wall_ms(), Some(own.operator.last_step));
    let step = step.or_refuse("E_2FA_WRONG")?;
    let stored = app.hasher.slot()?.hash(&typed).await?;
    let mut statements = vec![operators::use_step(own.operator.id, step), waits::clear(app, &account(name))];
    statements.extend(operators::set_password(own.operator.id, stored, own.id));
    let reply = call.commit(statements, Reply::say("ok.password_changed")).await;
    reply.map_err(|error| if error == DbError::Missed(0) { refuse("E_2FA_WRONG") } else { error.into() })
}

/// `GET /operator/api/operators`
pub async fn list(call: Call) -> Answer {
    let all = operators::all(&call.app.db).await?;
    Ok(Reply::ok(all.iter().map(view).collect::<Vec<_>>()))
}

/// Roles as a list of words.
fn roles(call: &Call) -> Result<Roles, Refusal> {
    let words = call.params.list("roles", Roles::WORDS.len())?;
    let parsed: Option<Vec<Roles>> = words.iter().map(|word| Roles::parse(word)).collect();
    Ok(parsed.ok_or_else(|| bad_field("roles", "enum"))?.into_iter().fold(Roles(0), Roles::or))
}

/// `POST /operator/api/operator/save`
pub async fn save(call: Call) -> Answer {
    let app = &call.app;
    let why = reason(&call)?;
    call.params.complete()?;
    let (name, roles) = (name(&call)?, roles(&call)?);
    let active = call.params.flag("active")?.ok_or_else(|| bad_field("active", "required"))?;
    let subject = match call.params.int("id")? {
        Some(id) => {
            let id = u32::try_from(id).map(OperatorId).map_err(|_| refuse("E_NOT_FOUND"))?;
            let known = operators::get(app, id).await?.or_refuse("E_NOT_FOUND")?;
            if known.name != name {
                return Err(bad_field("name", "enum"));
            }
            id
        }
        None => operators::reserve(&app.db, &name, app.now_ms())
            .await
            .map_err(|error| if error == DbError::Unique { bad_field("name", "enum") } else { error.into() })?,
    };
    let digest = Digest(Sha256::digest(&name).into());
    propose(&call, Proposed::SetOperator { subject, name: digest, roles: roles.0, active }, None, &why).await
}

/// What two operators agreed on about an operator becomes so; a one-time link for one who has no password yet, and on a repetition no link.
pub async fn agreed(
    app: &App,
    proposal: ProposalId,
    (subject, roles, active): (OperatorId, u8, bool),
    again: bool,
) -> Result<Option<String>, DbError> {
    app.db.run(operators::agree(subject, proposal, roles, active)).await?;
    let known = operators::get(app, subject).await?;
    if known.is_none_or(|operator| !operator.active || operator.password.is_some() || (again && operator.has_link)) {
        return Ok(None);
    }
    let (link, statement) = operators::new_link(subject, app.clock.wall_ms())?;
    app.db.exec(statement).await?;
    Ok(Some(link))
}

/// `POST /sandbox/operator`
pub async fn sandbox(call: Call) -> Answer {
    let app = &call.app;
    call.params.complete()?;
    let role = Roles::parse(call.params.need("role")?).ok_or_else(|| bad_field("role", "enum"))?;
    let name = match call.params.text("name", 2..=64)? {
        Some(name) => name.to_lowercase(),
        None => {
            format!("{}-{}", role.words().join(""), crate::secrets::hex(&crate::secrets::random::<4>().map_err(|_| refuse("E_INTERNAL"))?))
        }
    };
    let known = operators::named(app, &name).await?.map_or(0, |operator| operator.roles);
    let id = operators::put(&app.db, &name, known | role.0, true, app.now_ms()).await?;
    let operator = operators::get(app, id).await?.or_refuse("E_INTERNAL")?;
    note(app, &operator, "log_in", "", AuditAction::LogIn).await?;
    let now = app.clock.session_ms();
    let (token, open) = operators::open(id, now)?;
    app.db.run(open).await?;
    Ok(Reply::ok(SandboxOperator { token, operator: view(&operator), expires_ms: now + TOTAL_MS }))
}
