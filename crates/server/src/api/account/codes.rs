//! Codes by mail and phone: sent, and checked before the call that uses them up. No answer here reveals whether an account exists.

use serde::Serialize;
use store::codes::{self, Asker, Purpose, Recipient, Source};
use store::db::DbError;
use store::people::{self, Identity};
use utoipa::ToSchema;

use super::known_device;
use crate::api::account::access::contact;
use crate::api::contact;
use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Reply, refuse};
use crate::http::request::{request, words};
use crate::i18n::with_code;

/// Data returned when a code was sent.
#[derive(Debug, Serialize, ToSchema)]
pub struct CodeSent {
    resend_ms: u64,
    expires_ms: u64,
    sent_to: String,
}

/// Data returned for a correct code.
#[derive(Debug, Serialize, ToSchema)]
pub struct CodeValid {
    valid_until_ms: u64,
}

words! {
    /// What a guest can use a code for.
    pub enum Scene {
        Register = "register",
        Forget = "forget",
        Bind = "bind",
    }
}

impl Scene {
    fn purpose(self) -> Purpose {
        match self {
            Scene::Register => Purpose::Register,
            Scene::Forget => Purpose::Forget,
            Scene::Bind => Purpose::Bind,
        }
    }
}

request! {
    /// What `sms_mail` takes.
    pub struct SendMail {
        required user_string: String,
        required scene: Scene = "type" | "scene",
    }
}

request! {
    /// What `sms_send` takes.
    pub struct SendSms {
        required user_string: String,
        required area_code: String = "area_code" | "areacode" | "country_code",
        required scene: Scene = "type" | "scene",
    }
}

words! {
    /// What a member can use a code for.
    pub enum Occasion {
        Operation = "operation",
        Fund = "fund",
        Contact = "contact",
        Security = "security",
    }
}

request! {
    /// What `set/sms_other_mail` takes.
    pub struct SendToSelf checked by handler {
        optional occasion: Option<Occasion> = "type",
    }
}

request! {
    /// What `user/check_mobile` takes.
    pub struct CheckMobile {
        required user_string: String,
        required area_code: String = "area_code" | "areacode" | "country_code",
        required mobile_code: String = "mobile_code" | "code",
        optional scene: Option<Scene> = "type" | "scene",
    }
}

request! {
    /// What `user/check_email` takes.
    pub struct CheckEmail {
        required user_string: String,
        required email_code: String = "email_code" | "code",
        optional scene: Option<Scene> = "type" | "scene",
    }
}

/// `POST sms_mail`
pub async fn send_mail(call: Call, request: SendMail) -> Answer {
    let target = contact::email(&request.user_string).or_refuse(Code::BadEmail)?;
    send(call, target, request.scene.purpose()).await
}

/// `POST sms_send`
pub async fn send_sms(call: Call, request: SendSms) -> Answer {
    let target = contact::phone(&request.area_code, &request.user_string).or_refuse(Code::BadPhone)?;
    send(call, target, request.scene.purpose()).await
}

async fn send(call: Call, target: Identity, purpose: Purpose) -> Answer {
    let owner = people::find(&call.app, &target).await?;
    let recipient = match (purpose, &owner) {
        (Purpose::Forget, None) => Recipient::Nobody,
        (Purpose::Forget, Some(_)) | (_, None) => Recipient::Code,
        (_, Some(_)) => Recipient::Owner,
    };
    if purpose == Purpose::Bind {
        call.user()?;
    }
    let source = known_device::code_source(&call, owner.as_ref());
    send_code(&call, &target, purpose, recipient, &source).await
}

async fn send_code(call: &Call, target: &Identity, purpose: Purpose, recipient: Recipient, source: &Source) -> Answer {
    let _lock = match target {
        Identity::Phone(_) => Some(call.app.member_locks.of_sms().await.or_refuse(Code::NotReady)?),
        _ => None,
    };
    let asker = Asker { source, address: &call.address_text(), site: &call.site_text() };
    let sent = codes::send(&call.app, target.target(), purpose, recipient, &asker, |key, code| with_code(call.lang, key, code))?;
    let sent_to = contact::masked(target.target());
    let reply = Reply::say("ok.code_sent").data(CodeSent { resend_ms: sent.resend_ms, expires_ms: sent.expires_ms, sent_to });
    match call.commit(sent.statements, reply).await {
        Err(DbError::Missed(_)) => {
            Err(refuse(Code::TooManyCalls).retry(codes::too_often(&call.app, target.target(), purpose, &asker).await?))
        }
        done => Ok(done?),
    }
}

/// `POST set/sms_other_mail`: a code to the caller's own mail address, else phone.
pub async fn send_to_self(call: Call, request: SendToSelf) -> Answer {
    let me = people::get(&call.app, call.user()?).await?;
    let purpose = match request.occasion {
        None | Some(Occasion::Operation) => Purpose::Operation,
        Some(Occasion::Fund) => Purpose::Fund,
        Some(Occasion::Contact) => Purpose::Contact,
        Some(Occasion::Security) => Purpose::Security,
    };
    let target = contact(&me).or_refuse(Code::BadField)?;
    send_code(&call, &target, purpose, Recipient::Code, &known_device::code_source(&call, Some(&me))).await
}

/// `POST user/check_mobile`
pub async fn check_mobile(call: Call, request: CheckMobile) -> Answer {
    let target = contact::phone(&request.area_code, &request.user_string);
    check_code(&call, target, &request.mobile_code, request.scene).await
}

/// `POST user/check_email`
pub async fn check_email(call: Call, request: CheckEmail) -> Answer {
    let target = contact::email(&request.user_string);
    check_code(&call, target, &request.email_code, request.scene).await
}

async fn check_code(call: &Call, target: Option<Identity>, code: &str, scene: Option<Scene>) -> Answer {
    let purpose = scene.map_or(Purpose::Forget, Scene::purpose);
    // A text that cannot be an address has no code either.
    let target = target.or_refuse(Code::WrongCode)?;
    let owner = people::find(&call.app, &target).await?;
    let source = known_device::code_source(call, owner.as_ref());
    let valid_until_ms = codes::check(&call.app, target.target(), purpose, code, &source).await?;
    Ok(Reply::say("ok.code_valid").data(CodeValid { valid_until_ms }))
}
