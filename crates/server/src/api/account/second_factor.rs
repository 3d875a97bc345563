//! Two-factor log-in by an authenticator app: set-up, recovery codes, the second step of a log-in, and the check that other calls require.
//! Wrong codes are counted separately from wrong passwords, so a known password does not reset their count.

use data_encoding::BASE32_NOPAD;
use engine::ids::UserId;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use store::db::{DbError, Sql};
use store::login_throttle::{self, Counter};
use store::notices::{Topic, insert as notice};
use store::people::{self, Person};
use store::second_factor::{self, Authenticator};
use store::secrets::random;
use store::security::{self, Method, same_password};
use store::totp;
use utoipa::ToSchema;

use super::known_device::{self, Account};
use super::profile::check_password;
use super::security::{need_free, start_hold};
use super::undo::{self, Change};
use super::withdraw_code;
use crate::api::account::access::{finish_login, or_missed};
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, refuse};
use crate::http::request::{Input, request, words};
use crate::http::{App, Call};

/// What an authenticator app needs for its set-up.
#[derive(Debug, Serialize, ToSchema)]
pub struct Setup {
    setup_id: String,
    secret: String,
    uri: String,
}

/// Recovery codes. Each works once, and they are shown only once.
#[derive(Debug, Serialize, ToSchema)]
pub struct RecoveryCodes {
    recovery_codes: Vec<String>,
}

/// The count of wrong codes of the caller's session.
fn counter(call: &Call) -> Result<Counter, Refusal> {
    Ok(Counter::of_session("second factor", call.session_id()?))
}

/// The step that the typed code belongs to.
fn step(app: &App, own: &Authenticator, typed: &str) -> Result<u64, Refusal> {
    totp::accepted(&own.secret, typed.trim(), app.clock.authenticator_ms(), Some(own.last_step)).or_refuse(Code::SecondFactorWrong)
}

/// The refusal of a log-in with the right password, when a second factor is on.
pub async fn challenge(app: &App, of: &Person) -> Result<(), Refusal> {
    if !second_factor::is_on(app, of.id).await? {
        return Ok(());
    }
    let made = second_factor::challenge(app, of).await;
    let (challenge, expires_ms) = made.map_err(|error| or_missed(error, Code::WrongCredentials))?;
    let methods = json!(["totp", "recovery"]);
    Err(refuse(Code::SecondFactorRequired).with("challenge", challenge).with("methods", methods).with("expires_ms", expires_ms))
}

/// The field `otp` of a call that moves money or security: `E_2FA_REQUIRED`, `E_2FA_WRONG`. The code is used up, whatever follows.
pub async fn demand(call: &Call, user: UserId, otp: Option<&str>) -> Result<(), Refusal> {
    let proof = proof(call, user, otp).await?;
    call.app.db.run(proof).await.map(drop).map_err(used)
}

/// The same for a call with more to use up in the same transaction: the statements, the first of which misses if it was done meanwhile.
pub async fn proof(call: &Call, user: UserId, otp: Option<&str>) -> Result<Vec<Sql>, Refusal> {
    let app = &call.app;
    let Some(own) = second_factor::authenticator(app, user).await? else { return Ok(Vec::new()) };
    let typed = otp.or_refuse(Code::SecondFactorRequired)?;
    let counter = counter(call)?;
    counter.claim(app).await?;
    let mut statements = vec![second_factor::use_step(user, step(app, &own, typed)?)];
    statements.extend(counter.clear(app));
    Ok(statements)
}

/// The refusal for a failed statement in a transaction that begins with [`proof`] and uses a code of `codes` at this position.
pub fn used_before(error: DbError, code: usize) -> Refusal {
    match error {
        DbError::Missed(at) if at == code => refuse(Code::WrongCode),
        other => used(other),
    }
}

/// The same if [`same_password`] comes before the proof. It comes first because undoing a change locks the row of the member first.
pub fn used_after_password(error: DbError, code: usize) -> Refusal {
    match error {
        DbError::Missed(0) => refuse(Code::PasswordWrong),
        DbError::Missed(at) => used_before(DbError::Missed(at - 1), code),
        other => other.into(),
    }
}

/// A code that was used meanwhile is wrong.
fn used(error: DbError) -> Refusal {
    if error == DbError::Missed(0) { refuse(Code::SecondFactorWrong) } else { error.into() }
}

words! {
    /// How a log-in is completed in its second step.
    pub enum SecondFactor {
        Totp = "totp",
        Recovery = "recovery",
        Passkey = "passkey",
    }
}

request! {
    /// What `user/login/verify` takes.
    pub struct Verify {
        required challenge: String,
        required method: SecondFactor,
        optional code: Input<String>,
        optional credential: Input<Map<String, Json>>,
    }
}

/// `POST user/login/verify`
pub async fn verify(call: Call, request: Verify) -> Answer {
    let (app, id) = (&call.app, &request.challenge);
    match request.method {
        SecondFactor::Passkey => request.credential.must_be_sent()?,
        SecondFactor::Totp | SecondFactor::Recovery => request.code.must_be_sent()?,
    }
    let typed = request.code.readable().map_or("", String::as_str);
    let user = second_factor::challenged(app, id).await?.or_refuse(Code::UnknownChallenge)?;
    let own = second_factor::authenticator(app, user).await?.or_refuse(Code::UnknownChallenge)?;
    let me = people::get(app, user).await?;
    let account = Account { word: &login_throttle::member(user), password: &me.password };
    let counter = known_device::counter(&call, &format!("second factor {}", user.0), Some(account));
    counter.claim(app).await?;
    let (method, code) = match request.method {
        SecondFactor::Recovery => {
            let known = second_factor::is_recovery(app, user, typed).await?;
            (Method::Recovery, known.then(|| second_factor::use_recovery(app, user, typed)))
        }
        // Passkeys are not supported yet, so none is right.
        SecondFactor::Passkey => (Method::Passkey, None),
        SecondFactor::Totp => (Method::Totp, step(app, &own, typed).ok().map(|step| second_factor::use_step(user, step))),
    };
    let Some(code) = code else {
        app.db.exec(security::login_event(app, user, false, method, &call.device, &call.address_text())?).await?;
        return Err(refuse(Code::SecondFactorWrong));
    };
    let mut statements = vec![code, second_factor::end_challenge(app, id)];
    statements.extend(counter.clear(app));
    if method == Method::Recovery {
        let left = second_factor::recovery_left(app, user).await?.saturating_sub(1).to_string();
        statements.push(notice(user, Topic::RecoveryUsed, &[("left", &left)], None, app.now_ms()));
    }
    let done = finish_login(&call, &me, method, statements).await;
    done.map_err(|error| if error == DbError::Missed(1) { refuse(Code::UnknownChallenge) } else { used(error) })
}

request! {
    /// What `user/totp/setup` takes.
    pub struct BeginSetup {
        required password: String,
    }
}

/// `POST user/totp/setup`
pub async fn setup(call: Call, request: BeginSetup) -> Answer {
    let app = &call.app;
    let me = people::get(app, call.user()?).await?;
    need_free(app, me.id)?;
    check_password(&call, &me, &request.password).await?;
    if second_factor::is_on(app, me.id).await? {
        return Err(refuse(Code::WrongState).with("state", "on"));
    }
    let secret: [u8; 20] = random().map_err(|_| refuse(Code::Internal))?;
    let setup_id = second_factor::begin(app, me.id, &secret).await?;
    let secret = BASE32_NOPAD.encode(&secret);
    let uri = format!("otpauth://totp/Meridian:{}?secret={secret}&issuer=Meridian&algorithm=SHA1&digits=6&period=30", me.account_number);
    Ok(Reply::ok(Setup { setup_id, secret, uri }))
}

request! {
    /// What `user/totp/enable` takes.
    pub struct Enable {
        required setup_id: String,
        required code: String,
    }
}

/// `POST user/totp/enable`
pub async fn enable(call: Call, request: Enable) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    need_free(app, me)?;
    let person = people::get(app, me).await?;
    let secret = second_factor::begun(app, me, &request.setup_id).await?.or_refuse(Code::UnknownChallenge)?;
    let counter = counter(&call)?;
    counter.claim(app).await?;
    let step = totp::accepted(&secret, request.code.trim(), app.clock.authenticator_ms(), None).or_refuse(Code::SecondFactorWrong)?;
    // It replaces the code that a withdrawal needs, and setting it up needed no such code. The hold gives the owner a day to notice.
    if withdraw_code::is_needed(app, &person).await? {
        start_hold(app, me).await?;
    }
    let (recovery_codes, fresh) = second_factor::new_recovery(app, me)?;
    // A set-up ends with the password that it was begun with. The row of the member is locked first, as when a change is undone.
    let mut statements = vec![same_password(&person)];
    statements.extend(second_factor::enable(app, me, &request.setup_id, &secret, step)?);
    statements.extend(fresh);
    statements.extend(undo::offer(app, &person, Change::TotpOn).await?);
    statements.extend(counter.clear(app));
    statements.push(notice(me, Topic::TotpOn, &[], None, app.now_ms()));
    need_free(app, me)?;
    app.db.run(statements).await.map_err(|error| match error {
        DbError::Missed(1) => refuse(Code::WrongState).with("state", "on"),
        DbError::Missed(0 | 2) => refuse(Code::UnknownChallenge),
        error => error.into(),
    })?;
    app.notices.tell(me).await;
    Ok(Reply::ok(RecoveryCodes { recovery_codes }))
}

request! {
    /// The proof that a change of an authenticator needs, which only the owner has.
    pub struct OwnerProof {
        required password: String,
        required code: String,
    }
}

/// The caller with their authenticator and their present password: `E_STATE`, `E_PASSWORD_OLD`.
async fn owner(call: &Call, password: &str) -> Result<(Person, Authenticator), Refusal> {
    let me = people::get(&call.app, call.user()?).await?;
    need_free(&call.app, me.id)?;
    let own = second_factor::authenticator(&call.app, me.id).await?.ok_or_else(|| refuse(Code::WrongState).with("state", "off"))?;
    check_password(call, &me, password).await?;
    counter(call)?.claim(&call.app).await?;
    need_free(&call.app, me.id)?;
    Ok((me, own))
}

/// `POST user/totp/disable`
pub async fn disable(call: Call, request: OwnerProof) -> Answer {
    let (app, typed) = (&call.app, request.code.as_str());
    let (me, own) = owner(&call, &request.password).await?;
    let code: Sql = if second_factor::is_recovery(app, me.id, typed).await? {
        second_factor::use_recovery(app, me.id, typed)
    } else {
        second_factor::use_step(me.id, step(app, &own, typed)?)
    };
    let seq = start_hold(app, me.id).await?;
    let mut statements = vec![same_password(&me), code];
    statements.extend(second_factor::disable(me.id));
    statements.extend(counter(&call)?.clear(app));
    statements.extend(undo::offer(app, &me, Change::TotpOff).await?);
    statements.push(notice(me.id, Topic::TotpOff, &[], None, app.now_ms()));
    need_free(app, me.id)?;
    let reply = call.commit(statements, Reply::say("ok.totp_off").at(seq)).await;
    let reply = reply.map_err(|error| used_after_password(error, usize::MAX))?;
    app.notices.tell(me.id).await;
    Ok(reply)
}

/// `POST user/totp/recovery`
pub async fn renew_recovery(call: Call, request: OwnerProof) -> Answer {
    let app = &call.app;
    let (me, own) = owner(&call, &request.password).await?;
    let step = step(app, &own, &request.code)?;
    let (recovery_codes, fresh) = second_factor::new_recovery(app, me.id)?;
    let mut statements = vec![same_password(&me), second_factor::use_step(me.id, step)];
    statements.extend(fresh);
    statements.extend(counter(&call)?.clear(app));
    statements.extend(undo::offer(app, &me, Change::RecoveryCodes).await?);
    statements.push(notice(me.id, Topic::RecoveryCodes, &[], None, app.now_ms()));
    need_free(app, me.id)?;
    app.db.run(statements).await.map_err(|error| used_after_password(error, usize::MAX))?;
    app.notices.tell(me.id).await;
    Ok(Reply::ok(RecoveryCodes { recovery_codes }))
}
