//! What members see and change in their own profile.

use engine::security::{AccountControls, FreezeScope};
use engine::time::Time;
use serde::Serialize;
use store::codes::{self, Purpose};
use store::db::DbError;
use store::files::{self, FilePurpose};
use store::login_throttle::Counter;
use store::notices::{Topic, insert as notice, unread};
use store::people::{self, Identity, Person};
use store::second_factor::end_challenges;
use store::security::same_password;
use store::{operators, outbox, sessions};
use utoipa::ToSchema;

use super::security::{need_free, need_unchanged, start_hold};
use super::undo::{self, Change};
use super::withdraw_code::{self, WithdrawCode};
use super::{fund_password, known_device, second_factor};
use crate::api::account::access::{new_password_twice, or_missed, password_notice};
use crate::api::contact;
use crate::api::identity::verification;
use crate::hasher::Lane;
use crate::http::auth::Ended;
use crate::http::code::Code;
use crate::http::page::ts;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, refuse};
use crate::http::request::{Input, request, words};
use crate::http::values::Line;
use crate::http::{Call, types};
use crate::i18n::{filled, text};

/// The caller's own account.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserCenter {
    id: u64,
    account_number: String,
    nickname: String,
    avatar: Option<String>,
    phone: String,
    email: String,
    area_code: String,
    lang: &'static str,
    name: String,
    card_id: String,
    country: String,
    #[schema(value_type = types::ReviewStatus)]
    review_status: u8,
    reason: String,
    #[schema(value_type = types::ReviewStatus)]
    review_status2: u8,
    reason2: String,
    #[schema(value_type = types::UserStatus)]
    status: u8,
    #[schema(value_type = types::FreezeScope)]
    freeze_scope: &'static str,
    frozen_until_ms: Option<u64>,
    #[schema(value_type = types::UserRole)]
    role: &'static str,
    #[schema(value_type = types::FundPassword)]
    fund_password: u8,
    fund_locked_until_ms: Option<u64>,
    #[schema(value_type = types::Flag)]
    totp: u8,
    #[schema(value_type = types::WithdrawCodeState)]
    withdraw_code: &'static str,
    withdraw_code_until_ms: Option<u64>,
    passkeys: u32,
    password_changed_at_ms: Option<u64>,
    withdraw_hold_until_ms: Option<u64>,
    extension_code: String,
    unread: u64,
    created_at: String,
    created_at_ms: u64,
}

/// The short form of the caller's account.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserCenter2 {
    id: u64,
    phone: String,
    email: String,
    #[schema(value_type = types::ReviewStatus)]
    review_status: u8,
    reason: String,
}

/// `GET user/center`
pub async fn center(call: Call) -> Answer {
    let me = people::get(&call.app, call.user()?).await?;
    let area_code = me.phone.as_deref().and_then(|phone| phone.split_once('-')).map(|(code, _)| code.to_owned());
    let now = Time(call.app.now_ms());
    let security = call.app.sequencer.engine().security(me.id).unwrap_or_default();
    let papers = verification::shown(&call.app, me.id).await?;
    let (status, freeze_scope, frozen_until_ms) = frozen(&security, now);
    let WithdrawCode { withdraw_code, withdraw_code_until_ms } = withdraw_code::shown(&call.app, &me).await?;
    Ok(Reply::ok(UserCenter {
        id: me.id.0,
        avatar: me.avatar.as_deref().map(files::url),
        phone: hidden(me.phone.as_deref()),
        email: hidden(me.email.as_deref()),
        area_code: area_code.unwrap_or_default(),
        lang: me.lang.code(),
        name: papers.name,
        card_id: papers.card_id,
        country: papers.country,
        review_status: papers.basic.0,
        reason: papers.basic.1,
        review_status2: papers.advanced.0,
        reason2: papers.advanced.1,
        status,
        freeze_scope,
        frozen_until_ms,
        role: security.role.word(),
        fund_password: if security.fund_password.set { 1 } else { 2 },
        fund_locked_until_ms: security.fund_password.locked_until.filter(|until| now < *until).map(|until| until.0),
        totp: store::second_factor::is_on(&call.app, me.id).await?.into(),
        withdraw_code,
        withdraw_code_until_ms,
        passkeys: 0,
        password_changed_at_ms: me.password_changed_at_ms,
        withdraw_hold_until_ms: security.hold_until(now).map(|until| until.0),
        extension_code: me.invite_code,
        unread: unread(&call.app.db, me.id, None).await?,
        created_at: ts(me.created_at_ms),
        created_at_ms: me.created_at_ms,
        account_number: me.account_number,
        nickname: me.nickname,
    }))
}

/// `GET user/center2`
pub async fn center2(call: Call) -> Answer {
    let me = people::get(&call.app, call.user()?).await?;
    let (review_status, reason) = verification::shown(&call.app, me.id).await?.advanced;
    let (phone, email) = (hidden(me.phone.as_deref()), hidden(me.email.as_deref()));
    Ok(Reply::ok(UserCenter2 { id: me.id.0, phone, email, review_status, reason }))
}

/// Who froze the account (1 an operator, 2 the member), what is blocked, and until when, if it ends by itself.
fn frozen(security: &AccountControls, now: Time) -> (u8, &'static str, Option<u64>) {
    let freezes = security.freezes;
    let until = freezes.self_until.filter(|until| now < *until);
    let own = freezes.self_open || until.is_some();
    match freezes.by_operator {
        Some(FreezeScope::Withdrawals) if !own => (1, "withdraw", None),
        Some(_) => (1, "all", None),
        None if own => (2, "all", until.filter(|_| !freezes.self_open).map(|until| until.0)),
        None => (0, "none", None),
    }
}

fn hidden(identity: Option<&str>) -> String {
    identity.map(contact::masked).unwrap_or_default()
}

request! {
    /// What `user/edit_profile` takes.
    pub struct EditProfile checked by handler {
        optional nickname: Option<Line<2, 32>>,
        optional avatar: Option<String>,
    }
}

/// `POST user/edit_profile`
pub async fn edit(call: Call, request: EditProfile) -> Answer {
    let me = call.user()?;
    let mut statements = Vec::new();
    if let Some(url) = request.avatar {
        let key = files::own(&call.app.db, me, &url, FilePurpose::Avatar).await?;
        let old = people::get(&call.app, me).await?.avatar.filter(|old| *old != key);
        statements.extend([files::keep(me, &key, call.app.now_ms()), people::set_avatar(me, &key)]);
        statements.extend(old.map(|old| files::release(me, &old)));
    }
    if let Some(Line(nickname)) = request.nickname {
        statements.push(people::set_nickname(&call.app, me, &nickname)?);
    }
    let done = call.commit(statements, Reply::say("ok.saved")).await;
    // The picture was deleted between its check and its use.
    done.map_err(|error| if error == DbError::Missed(0) { refuse(Code::BadFile).with("rule", "owner") } else { error.into() })
}

words! {
    /// Which password is changed.
    pub enum PasswordKind {
        Login = "1",
        Fund = "2",
    }
}

request! {
    /// What `user/e_pwd` takes.
    pub struct ChangePassword {
        required old_password: String = "old_password" | "oldpassword",
        required password: String,
        optional re_password: Option<String>,
        optional which: Input<PasswordKind> = "type",
        optional otp: Option<String>,
    }
}

/// `POST user/e_pwd`
pub async fn change_password(call: Call, request: ChangePassword) -> Answer {
    let app = &call.app;
    need_free(app, call.user()?)?;
    if request.which.optional()? == Some(PasswordKind::Fund) {
        return fund_password::change_with_old(&call, &request).await;
    }
    let password = new_password_twice(&call, &request.password, request.re_password.as_ref().unwrap_or(&request.password))?;
    let me = people::get(app, call.user()?).await?;
    check_password(&call, &me, &request.old_password).await?;
    if contact::password(&request.old_password) == password {
        return Err(refuse(Code::PasswordSame));
    }
    second_factor::demand(&call, me.id, request.otp.as_deref()).await?;
    if fund_password::is_same(&call, &me, &password).await? {
        return Err(refuse(Code::PasswordSame));
    }
    let password = app.hasher.slot(Lane::Members)?.hash(&password).await?;
    let me = need_unchanged(app, &me).await?;
    let seq = start_hold(app, me.id).await?;
    let kept = call.session.map(|session| session.id);
    let statements = vec![
        same_password(&me),
        people::set_password(me.id, password, app.now_ms()),
        end_challenges(me.id),
        sessions::end_all_but(me.id, kept),
        password_notice(&call, &me)?,
        notice(me.id, Topic::Password, &[], None, app.now_ms()),
    ];
    let reply = call.commit(statements, Reply::say("ok.password_changed").at(seq)).await;
    let reply = reply.map_err(|error| or_missed(error, Code::PasswordWrong))?;
    app.sessions.forget(Ended::AllBut(me.id, kept));
    app.notices.tell(me.id).await;
    Ok(reply)
}

request! {
    /// What `user/edit_email` takes.
    pub struct ChangeEmail {
        required email: String,
        required code: String,
        required password: String,
        optional otp: Option<String>,
    }
}

/// `POST user/edit_email`
pub async fn change_email(call: Call, request: ChangeEmail) -> Answer {
    let ChangeEmail { email, code, password, otp } = request;
    let target = contact::email(&email).or_refuse(Code::BadEmail)?;
    change_contact(&call, Proof { target, code, password, otp }, Topic::Email, "email", "ok.email_changed").await
}

request! {
    /// What `user/edit_mobile` takes.
    pub struct ChangePhone {
        required mobile: String,
        required area_code: String = "area_code" | "areacode" | "country_code",
        required code: String,
        required password: String,
        optional otp: Option<String>,
    }
}

/// `POST user/edit_mobile`
pub async fn change_phone(call: Call, request: ChangePhone) -> Answer {
    let ChangePhone { mobile, area_code, code, password, otp } = request;
    let target = contact::phone(&area_code, &mobile).or_refuse(Code::BadPhone)?;
    change_contact(&call, Proof { target, code, password, otp }, Topic::Phone, "phone", "ok.phone_changed").await
}

/// A new mail address or phone, and what shows that its owner changes it.
struct Proof {
    target: Identity,
    code: String,
    password: String,
    otp: Option<String>,
}

/// A new mail address or phone, after code and password were checked; the hold on withdrawals begins before the change.
async fn change_contact(call: &Call, proof: Proof, topic: Topic, message: &'static str, done: &'static str) -> Answer {
    let (app, Proof { target, code, password, otp }) = (&call.app, &proof);
    let checked = people::get(app, call.user()?).await?;
    need_free(app, checked.id)?;
    check_password(call, &checked, password).await?;
    codes::check(app, target.target(), Purpose::Bind, code, &known_device::code_source(call, None)).await?;
    second_factor::demand(call, checked.id, otp.as_deref()).await?;
    let _lock = app.member_locks.of_addresses().await;
    let me = need_unchanged(app, &checked).await?;
    // An operator's address counts like one that another member has.
    if operators::reserves(app, target, Some(me.id)).await? {
        return Err(refuse(Code::WrongCode));
    }
    let seq = start_hold(app, me.id).await?;
    let consumed = codes::consume(app, target.target(), Purpose::Bind, code);
    let mut statements = vec![same_password(&me), consumed];
    statements.extend(operators::bind(app, &me).await?);
    statements.push(people::set_contact(app, &me, target)?);
    let to = contact::masked(target.target());
    // The previous phone gets a message, so that a thief cannot change it unseen. The previous mail address gets the way to undo the
    // change.
    let (change, subject, body) = match topic {
        Topic::Email => (Change::Email(&to), "message.email.subject", "message.email.text"),
        _ => (Change::Phone(&to), "message.phone.subject", "message.phone.text"),
    };
    statements.extend(undo::offer(app, &me, change).await?);
    if let Some(old) = me.phone.as_deref().filter(|_| topic == Topic::Phone || me.email.is_none()) {
        let (subject, body) = (text(me.lang, subject).to_owned(), filled(me.lang, body, &[("to", &to)]));
        statements.push(outbox::insert(
            app,
            outbox::Message { target: old, purpose: message, subject, body, code: None, expires_ms: None },
            false,
        )?);
    }
    statements.push(notice(me.id, topic, &[("to", &to)], None, app.now_ms()));
    let reply = call.commit(statements, Reply::say(done).at(seq)).await.map_err(changed_meanwhile)?;
    app.notices.tell(me.id).await;
    Ok(reply)
}

/// The refusal for a failed transaction that begins with the password and the code that were checked.
fn changed_meanwhile(error: DbError) -> Refusal {
    match error {
        DbError::Missed(0) => refuse(Code::PasswordWrong),
        // The code was replaced or used, or another member has the address by now.
        DbError::Missed(1) | DbError::Unique => refuse(Code::WrongCode),
        error => error.into(),
    }
}

/// The present password, with the waits of wrong ones in this session: `E_LOGIN_WAIT`, `E_PASSWORD_OLD`.
pub(super) async fn check_password(call: &Call, me: &Person, typed: &str) -> Result<(), Refusal> {
    let password = contact::password(typed);
    let (app, counter) = (&call.app, Counter::of_session("password", call.session_id()?));
    let slot = app.hasher.slot(Lane::Members)?;
    counter.claim(app).await?;
    if !slot.verify(&password, Some(&me.password)).await? {
        return Err(refuse(Code::PasswordWrong));
    }
    app.db.run(counter.clear(app)).await?;
    Ok(())
}
