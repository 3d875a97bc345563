//! Sign-up, codes, log-in, log-out, password reset. No answer here reveals whether an account exists.

use std::sync::Arc;

use engine::ids::UserId;
use serde::Serialize;
use store::codes::{self, Purpose};
use store::db::{DbError, Sql};
use store::notices::{Topic, insert as notice};
use store::people::{self, Identity, NewPerson, Person};
use store::sealed_columns::Cell;
use store::second_factor::end_challenges;
use store::security::{self, Method};
use store::{login_throttle, operators, outbox, sessions};
use utoipa::ToSchema;

use super::known_device::{self, Account};
use super::second_factor;
use super::security::{need_free, start_hold};
use crate::api::contact;
use crate::api::resume_note;
use crate::countries::is_country;
use crate::hasher::Lane;
use crate::http::auth::{Ended, IDLE_MS};
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request, words};
use crate::http::{App, Call};
use crate::i18n::text;

/// Path of a known device's cookie: log-ins, codes and the calls they authorise.
const DEVICE_PATH: &str = "/api";

/// Data returned by `user/register`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Registered {
    user_id: u64,
    account_number: String,
}

/// Data returned with a session token.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoginExtra {
    user_id: u64,
    expires_ms: u64,
    idle_ms: u64,
}

/// Where messages to a member go: mail first.
pub fn contact(person: &Person) -> Option<Identity> {
    let mail = person.email.clone().map(Identity::Email);
    mail.or_else(|| person.phone.clone().map(Identity::Phone))
}

words! {
    /// The fields of a registration.
    pub enum RegisterBy {
        Email = "email",
        Mobile = "mobile",
    }
}

request! {
    /// What `user/register` takes.
    pub struct Register {
        required by: RegisterBy = "type",
        required user_string: String,
        optional area_code: Input<String> = "area_code" | "areacode" | "country_code",
        required code: String,
        required password: String,
        required re_password: String,
        required agree: bool,
        optional extension_code: Option<String>,
        optional country: Option<String>,
    }
}

/// `POST user/register`
pub async fn register(call: Call, request: Register) -> Answer {
    let app = &call.app;
    let country = country(request.country)?;
    let target = match request.by {
        RegisterBy::Mobile => contact::phone(&request.area_code.required()?, &request.user_string).or_refuse(Code::BadPhone)?,
        RegisterBy::Email => contact::email(&request.user_string).or_refuse(Code::BadEmail)?,
    };
    let password = new_password_twice(&call, &request.password, &request.re_password)?;
    if !request.agree {
        return Err(refuse(Code::NotAgreed));
    }
    let inviter = match request.extension_code {
        Some(code) => {
            let inviter = people::inviter(&app.db, &code.trim().to_ascii_uppercase()).await?;
            // G-5.
            Some(inviter.filter(|inviter| app.sequencer.engine().check_inviter(*inviter).is_ok()).or_refuse(Code::UnknownInviter)?)
        }
        None => None,
    };
    let (code, write) = (&request.code, call.write.as_ref());
    // An interrupted attempt under this key used the code up and created the person; complete it now.
    let (user, account_number) = match resume_note::note(app, write).await? {
        Some(account_number) => {
            let made = people::find(app, &Identity::Account(account_number.clone())).await?;
            (made.or_refuse(Code::Internal)?.id, account_number)
        }
        None => {
            codes::check(app, target.target(), Purpose::Register, code, &known_device::code_source(&call, None)).await?;
            let password = app.hasher.slot(Lane::Guests)?.hash(&password).await?;
            let _lock = app.member_locks.of_addresses().await;
            // An operator's address counts like one that a member has.
            if operators::reserves(app, &target, None).await? {
                return Err(refuse(Code::WrongCode));
            }
            let account_number = people::account_number()?;
            let mut first = vec![codes::consume(app, target.target(), Purpose::Register, code)];
            first.extend(resume_note::begin(app, write, &account_number)?);
            let new =
                NewPerson { identity: &target, account_number: &account_number, password, inviter, country: &country, lang: call.lang };
            (people::add(app, first, new).await.map_err(codes::used_up)?, account_number)
        }
    };
    let seq = app.register_member(user, inviter).await?;
    let mut last = vec![people::registered(user, seq)];
    last.extend(resume_note::end(app, write));
    let reply = Reply::say("ok.registered").data(Registered { user_id: user.0, account_number }).at(seq);
    Ok(call.commit(last, reply).await?)
}

fn country(typed: Option<String>) -> Result<String, Refusal> {
    let country = typed.unwrap_or_default().to_ascii_uppercase();
    if country.is_empty() || is_country(&country) { Ok(country) } else { Err(bad_field("country", "enum")) }
}

words! {
    /// The fields of a log-in.
    pub enum LoginBy {
        Email = "email",
        Mobile = "mobile",
        Username = "username",
    }
}

request! {
    /// What `user/login` takes.
    pub struct Login {
        required user_string: String,
        required password: String,
        optional user_type: Option<LoginBy> = "user_type" | "type",
        optional area_code: Input<String> = "area_code" | "areacode",
    }
}

/// `POST user/login`
pub async fn login(call: Call, request: Login) -> Answer {
    let app = &call.app;
    let typed = request.user_string.trim();
    let by = request.user_type.unwrap_or(match typed.contains('@') {
        true => LoginBy::Email,
        false if request.area_code.is_sent() => LoginBy::Mobile,
        false => LoginBy::Username,
    });
    let identity = match by {
        LoginBy::Email => contact::email(typed),
        LoginBy::Mobile => contact::phone(&request.area_code.required()?, typed),
        LoginBy::Username => Some(Identity::Account(typed.to_owned())),
    };
    let password = contact::password(&request.password);

    let found = match &identity {
        Some(identity) => people::find(app, identity).await?,
        None => None,
    };
    // Each name has its own counter, also a name that does not exist, so a wait reveals nothing about the account.
    let name = identity.as_ref().map_or_else(|| format!("no {} {typed}", by.word()), log_in_name);
    let word = found.as_ref().map(|person| login_throttle::member(person.id)).unwrap_or_default();
    let account = found.as_ref().map(|person| Account { word: &word, password: &person.password });
    let counter = known_device::counter(&call, &name, account);
    let slot = app.hasher.slot(known_device::lane(&call, account))?;
    counter.claim(app).await?;
    let right = slot.verify(&password, found.as_ref().map(|person| person.password.as_str())).await?;
    if let Some(person) = found.as_ref().filter(|_| !right) {
        keep_failed_login(app, person.id, call.device.clone(), call.address_text());
    }
    let Some(person) = found.filter(|_| right) else { return Err(refuse(Code::WrongCredentials)) };
    if let Err(demanded) = second_factor::challenge(app, &person).await {
        app.db.run(counter.clear(app)).await?;
        return Err(demanded);
    }
    let mut statements = vec![security::same_password(&person)];
    statements.extend(counter.clear(app));
    finish_login(&call, &person, Method::Password, statements).await.map_err(|error| or_missed(error, Code::WrongCredentials))
}

/// The name under which the failures of log-ins by this identity are counted.
fn log_in_name(identity: &Identity) -> String {
    let kind = match identity {
        Identity::Email(_) => "email",
        Identity::Phone(_) => "mobile",
        Identity::Account(_) => "username",
    };
    format!("log-in {kind} {}", identity.target())
}

/// The counters that a reset clears, for every name of the account: those of its source, and those that unknown sources share.
fn clear_waits(call: &Call, of: &Person) -> Vec<Sql> {
    let account = Some(Identity::Account(of.account_number.clone()));
    let names = [of.email.clone().map(Identity::Email), of.phone.clone().map(Identity::Phone), account];
    let counters = names.iter().flatten().map(|name| known_device::counter(call, &log_in_name(name), None));
    counters.flat_map(|counter| counter.clear(&call.app)).collect()
}

/// Runs beside the answer, so the answer is as fast as for an unknown name, which has no such row (A15).
fn keep_failed_login(app: &App, user: UserId, device: String, address: String) {
    let app = app.clone();
    tokio::spawn(async move {
        let failed = security::login_event(&app, user, false, Method::Password, &device, &address);
        let kept = async { app.db.run_relaxed(Arc::new([failed?])).await };
        if let Err(error) = kept.await {
            tracing::error!(%error, "a failed log-in is missing in the history");
        }
    });
}

/// The refusal of a write whose first statement found that another write came first.
pub(super) fn or_missed(error: DbError, code: Code) -> Refusal {
    if error == DbError::Missed(0) { refuse(code) } else { error.into() }
}

/// Opens the session of an authenticated member, in one transaction with `others`, which come first.
pub(super) async fn finish_login(call: &Call, of: &Person, method: Method, others: Vec<Sql>) -> Result<Reply, DbError> {
    let (app, user, device, address) = (&call.app, of.id, &call.device, call.address_text());
    let account = Account { word: &login_throttle::member(user), password: &of.password };
    let cookie = known_device::cookie(call, account, DEVICE_PATH).map_err(|_| DbError::Failed("no random numbers".to_owned()))?;
    let mut statements = others;
    statements.push(security::login_event(app, user, true, method, device, &address)?);
    if security::is_new_device(app, user, device).await? {
        let device = Cell::NOTICE.seal(&app.vault, user, device)?;
        statements.push(notice(user, Topic::NewDevice, &[("device", &device)], None, app.now_ms()));
    }
    let opened = app.sessions.open(&app.vault, user, device, &address, &app.clock, statements).await?;
    app.notices.tell(user).await;
    let extra = LoginExtra { user_id: user.0, expires_ms: opened.expires_ms, idle_ms: IDLE_MS };
    Ok(Reply::ok(opened.token).data(extra).cookie(cookie))
}

/// `POST user/logout`
pub async fn logout(call: Call) -> Answer {
    if let Some(session) = call.session {
        call.app.sessions.end(session).await?;
    }
    Ok(Reply::say("ok.logged_out"))
}

request! {
    /// What `user/forget` takes.
    pub struct Forget {
        required account: String,
        optional area_code: Input<String> = "area_code" | "areacode" | "country_code",
        required code: String,
        required password: String,
        required repassword: String = "repassword" | "re_password",
    }
}

/// `POST user/forget`
pub async fn forget(call: Call, request: Forget) -> Answer {
    let app = &call.app;
    if !request.account.contains('@') {
        request.area_code.must_be_sent()?;
    }
    let password = new_password_twice(&call, &request.password, &request.repassword)?;
    let area_code = request.area_code.readable().map(String::as_str);
    let target = contact::either(&request.account, area_code).or_refuse(Code::WrongCode)?;
    let code = &request.code;
    let found = people::find(app, &target).await?;
    codes::check(app, target.target(), Purpose::Forget, code, &known_device::code_source(&call, found.as_ref())).await?;
    // Only an existing account can have a right code.
    let person = found.or_refuse(Code::WrongCode)?;
    need_free(app, person.id)?;
    let account = Account { word: &login_throttle::member(person.id), password: &person.password };
    let password = app.hasher.slot(known_device::lane(&call, Some(account)))?.hash(&password).await?;
    need_free(app, person.id)?;
    let seq = start_hold(app, person.id).await?;
    let consume = codes::consume(app, target.target(), Purpose::Forget, code);
    let mut statements = vec![
        consume,
        people::same_contact(app, person.id, &target)?,
        people::set_password(person.id, password, app.now_ms()),
        end_challenges(person.id),
        sessions::end_all_but(person.id, None),
        password_notice(&call, &person)?,
        notice(person.id, Topic::Password, &[], None, app.now_ms()),
    ];
    statements.extend(clear_waits(&call, &person));
    let reply = call.commit(statements, Reply::say("ok.password_changed").at(seq)).await;
    let reply = reply.map_err(|error| match error {
        // Meanwhile its owner took the account back, so this address no longer opens it.
        DbError::Missed(1) => refuse(Code::WrongCode),
        error => codes::used_up(error).into(),
    })?;
    app.sessions.forget(Ended::AllBut(person.id, None));
    Ok(reply)
}

/// Tells a member that the password was changed.
pub fn password_notice(call: &Call, person: &Person) -> Result<store::db::Sql, DbError> {
    let target = contact(person);
    let message = outbox::Message {
        target: target.as_ref().map_or("", Identity::target),
        purpose: "password",
        subject: text(person.lang, "message.password.subject").to_owned(),
        body: text(person.lang, "message.password.text").to_owned(),
        code: None,
        expires_ms: None,
    };
    outbox::insert(&call.app, message, target.is_none())
}

/// A new password and its repetition.
pub fn new_password_twice(call: &Call, typed: &str, again: &str) -> Result<String, Refusal> {
    let password = contact::new_password(typed)?;
    let refuses_common = call.app.config.password_blocklist.unwrap_or(!call.app.is_sandbox());
    if refuses_common && contact::strength(&password) < contact::STRENGTH_MIN {
        return Err(refuse(Code::PasswordCommon));
    }
    if again != typed {
        return Err(refuse(Code::PasswordMismatch));
    }
    Ok(password)
}
