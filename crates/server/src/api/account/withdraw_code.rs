//! The second factor of a withdrawal: the authenticator, or a code by mail or SMS for whoever has none. It is on unless the member has
//! switched it off, which takes 24 hours.

use engine::time::DAY_MS;
use serde::Serialize;
use store::db::DbError;
use store::notices::{Topic, insert as notice};
use store::people::{self, Person};
use store::second_factor as authenticators;
use store::withdraw_codes;
use utoipa::ToSchema;

use super::profile::check_password;
use super::second_factor;
use super::security::need_free;
use crate::api::account::step_up;
use crate::http::reply::{Answer, Refusal, Reply};
use crate::http::request::request;
use crate::http::{App, Call, wire};

/// Whether a withdrawal asks for a code, and until when.
#[derive(Debug, Serialize, ToSchema)]
pub struct WithdrawCode {
    #[schema(value_type = wire::WithdrawCodeState)]
    pub(super) withdraw_code: &'static str,
    pub(super) withdraw_code_until_ms: Option<u64>,
}

/// What the member has chosen. It has no effect on a server that does not ask for codes.
pub(super) async fn shown(app: &App, me: &Person) -> Result<WithdrawCode, DbError> {
    if !app.config.withdrawal_code.unwrap_or(!app.is_sandbox()) {
        return Ok(WithdrawCode { withdraw_code: "none", withdraw_code_until_ms: None });
    }
    let off = withdraw_codes::off_from(&app.db, me.id).await?;
    let until = off.filter(|from| app.now_ms() < *from);
    let withdraw_code = if off.is_none() || until.is_some() { "on" } else { "off" };
    Ok(WithdrawCode { withdraw_code, withdraw_code_until_ms: until })
}

/// Whether this member has to send a code with a withdrawal; one who has an authenticator sends its code in any case.
pub(in crate::api) async fn is_needed(app: &App, me: &Person) -> Result<bool, DbError> {
    Ok(shown(app, me).await?.withdraw_code == "on" && !authenticators::is_on(app, me.id).await?)
}

request! {
    /// What `user/withdraw_code` takes.
    pub struct SetWithdrawCode {
        required on: bool,
        required password: String,
        optional code: Option<String>,
        optional otp: Option<String>,
    }
}

/// `POST user/withdraw_code`
pub async fn set(call: Call, request: SetWithdrawCode) -> Answer {
    let app = &call.app;
    let me = people::get(app, call.user()?).await?;
    need_free(app, me.id)?;
    check_password(&call, &me, &request.password).await?;
    let done = async || -> Result<Reply, Refusal> { Ok(Reply::say("ok.saved").data(shown(app, &me).await?)) };
    if request.on {
        app.db.exec(withdraw_codes::switch_on(me.id)).await?;
        return done().await;
    }
    if withdraw_codes::off_from(&app.db, me.id).await?.is_some() {
        return done().await;
    }
    let needed = !authenticators::is_on(app, me.id).await?;
    let (factor, code) = step_up::codes_and_factor(&call, &me, needed, (request.code.as_deref(), request.otp.as_deref())).await?;
    let place = factor.len();
    let rest = [withdraw_codes::switch_off(me.id, app.now_ms() + DAY_MS), notice(me.id, Topic::WithdrawCodeOff, &[], None, app.now_ms())];
    let used = app.db.run(factor.into_iter().chain(code.map(|code| code.consume)).chain(rest).collect()).await;
    used.map_err(|error| second_factor::used_before(error, place))?;
    app.notices.tell(me.id).await;
    done().await
}
