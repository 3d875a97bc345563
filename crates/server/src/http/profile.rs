//! What a member sees and changes of himself.

use serde::Serialize;
use utoipa::ToSchema;

use super::account::{HOLD_MS, new_password_twice, password_notice};
use super::auth::{Ended, Sessions};
use super::page::ts;
use super::reply::{Answer, OrRefuse, Refusal, Reply, refuse};
use super::{Call, identity, wire};
use crate::store::codes::{self, Purpose};
use crate::store::people::{self, Person};
use crate::store::{outbox, waits};
use crate::text::{filled, text};

/// A fund password is not set: there is no call that sets one yet.
const FUND_PASSWORD_UNSET: u8 = 2;

/// The member's own facts.
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
    #[schema(value_type = wire::ReviewStatus)]
    review_status: u8,
    reason: String,
    #[schema(value_type = wire::ReviewStatus)]
    review_status2: u8,
    reason2: String,
    #[schema(value_type = wire::UserStatus)]
    status: u8,
    #[schema(value_type = wire::UserRole)]
    role: &'static str,
    #[schema(value_type = wire::FundPassword)]
    fund_password: u8,
    fund_locked_until_ms: Option<u64>,
    #[schema(value_type = wire::Flag)]
    totp: u8,
    passkeys: u32,
    withdraw_hold_until_ms: Option<u64>,
    extension_code: String,
    unread: u32,
    created_at: String,
    created_at_ms: u64,
}

/// The short form.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserCenter2 {
    id: u64,
    phone: String,
    email: String,
    #[schema(value_type = wire::ReviewStatus)]
    review_status: u8,
    reason: String,
}

/// `GET user/center`
pub async fn center(call: Call) -> Answer {
    let me = people::get(&call.app.db, call.user()?).await?;
    let area_code = me.phone.as_deref().and_then(|phone| phone.split_once('-')).map(|(code, _)| code.to_owned());
    let now = call.app.now_ms();
    Ok(Reply::ok(UserCenter {
        id: me.id.0,
        avatar: None,
        phone: hidden(me.phone.as_deref()),
        email: hidden(me.email.as_deref()),
        area_code: area_code.unwrap_or_default(),
        lang: me.lang.code(),
        name: String::new(),
        card_id: String::new(),
        country: String::new(),
        review_status: 0,
        reason: String::new(),
        review_status2: 0,
        reason2: String::new(),
        status: 0,
        role: "user",
        fund_password: FUND_PASSWORD_UNSET,
        fund_locked_until_ms: None,
        totp: 0,
        passkeys: 0,
        withdraw_hold_until_ms: me.withdraw_hold_until_ms.filter(|until| *until > now),
        extension_code: me.invite_code,
        unread: 0,
        created_at: ts(me.created_at_ms),
        created_at_ms: me.created_at_ms,
        account_number: me.account_number,
        nickname: me.nickname,
    }))
}

/// `GET user/center2`
pub async fn center2(call: Call) -> Answer {
    let me = people::get(&call.app.db, call.user()?).await?;
    Ok(Reply::ok(UserCenter2 {
        id: me.id.0,
        phone: hidden(me.phone.as_deref()),
        email: hidden(me.email.as_deref()),
        review_status: 0,
        reason: String::new(),
    }))
}

fn hidden(identity: Option<&str>) -> String {
    identity.map(identity::masked).unwrap_or_default()
}

/// `POST user/has_password`
pub async fn has_fund_password(call: Call) -> Answer {
    call.user()?;
    Ok(Reply::ok(FUND_PASSWORD_UNSET))
}

/// `POST user/edit_profile`
pub async fn edit(call: Call) -> Answer {
    let me = call.user()?;
    let nickname = call.params.text("nickname", 2..=32)?;
    // A picture must have been uploaded by its owner; nothing has.
    if call.params.get("avatar").is_some() {
        return Err(refuse("E_FILE").with("rule", "owner"));
    }
    let statements = nickname.iter().map(|nickname| people::set_nickname(me, nickname)).collect();
    Ok(call.commit(statements, Reply::say("ok.saved")).await?)
}

/// `POST user/e_pwd`
pub async fn change_password(call: Call) -> Answer {
    let (app, params) = (&call.app, &call.params);
    params.complete()?;
    if params.one_of("type", &["1", "2"])? == Some("2") {
        return Err(refuse("E_FUNDPW_UNSET"));
    }
    let again = if params.get("re_password").is_some() { "re_password" } else { "password" };
    let password = new_password_twice(&call, "password", again)?;
    let me = people::get(&app.db, call.user()?).await?;
    check_password(&call, &me, "old_password").await?;
    if identity::password(params.need("old_password")?, "old_password")? == password {
        return Err(refuse("E_PASSWORD_SAME"));
    }
    let password = app.hasher.slot()?.hash(&password).await?;
    let kept = call.session.map(|session| session.id);
    let statements = vec![
        people::set_password(me.id, password, app.now_ms() + HOLD_MS),
        Sessions::end_all_but(me.id, kept),
        password_notice(&call, &me),
    ];
    let reply = call.commit(statements, Reply::say("ok.password_changed")).await?;
    app.sessions.forget(Ended::AllBut(me.id, kept));
    Ok(reply)
}

/// `POST user/edit_email`
pub async fn change_email(call: Call) -> Answer {
    let (app, params) = (&call.app, &call.params);
    params.complete()?;
    let target = identity::email(params.need("email")?).or_refuse("E_EMAIL")?;
    let me = people::get(&app.db, call.user()?).await?;
    check_password(&call, &me, "password").await?;
    let code = params.need("code")?;
    codes::check(app, target.target(), Purpose::Bind, code).await?;
    let mut statements =
        vec![codes::consume(app, target.target(), Purpose::Bind, code), people::set_email(me.id, target.target(), app.now_ms() + HOLD_MS)];
    // The address that loses its place is told, so that a thief cannot change it unseen.
    if let Some(old) = me.email.as_deref().or(me.phone.as_deref()) {
        let to = identity::masked(target.target());
        let message = outbox::Message {
            target: old,
            purpose: "email",
            subject: text(me.lang, "message.email.subject").to_owned(),
            body: filled(me.lang, "message.email.text", &[("to", &to)]),
            code: None,
        };
        statements.push(outbox::insert(app, message, false));
    }
    call.commit(statements, Reply::say("ok.email_changed")).await.map_err(codes::used_up)
}

/// The present password, with the waits of wrong ones: `E_LOGIN_WAIT`, `E_PASSWORD_OLD`.
async fn check_password(call: &Call, me: &Person, field: &str) -> Result<(), Refusal> {
    let password = identity::password(call.params.need(field)?, field)?;
    let (app, account) = (&call.app, waits::member(me.id));
    let slot = app.hasher.slot()?;
    waits::claim(&app.db, &account, app.now_ms()).await?;
    if !slot.verify(&password, Some(&me.password)).await? {
        return Err(refuse("E_PASSWORD_OLD"));
    }
    app.db.exec(waits::clear(&account)).await?;
    Ok(())
}
