//! The second factor of a withdrawal: the authenticator, or a code by mail or SMS for members without one. It is on unless the member has
//! switched it off, which takes 24 hours.

use engine::time::DAY_MS;
use serde::Serialize;
use store::db::DbError;
use store::notices::{Topic, insert as notice};
use store::people::{self, Person};
use store::second_factor as authenticators;
use store::security::same_password;
use store::withdraw_codes;
use utoipa::ToSchema;

use super::profile::check_password;
use super::second_factor;
use super::security::need_free;
use crate::api::account::step_up;
use crate::http::reply::{Answer, Reply};
use crate::http::request::request;
use crate::http::{App, Call, types};

/// Whether withdrawals need a code, and until when.
#[derive(Debug, Serialize, ToSchema)]
pub struct WithdrawCode {
    #[schema(value_type = types::WithdrawCodeState)]
    pub(super) withdraw_code: &'static str,
    pub(super) withdraw_code_until_ms: Option<u64>,
}

/// The member's choice. It has no effect on a server that does not ask for codes.
pub(super) async fn shown(app: &App, me: &Person) -> Result<WithdrawCode, DbError> {
    Ok(chosen(app, withdraw_codes::off_from(&app.db, me.id).await?))
}

/// The same for a member who needs no code from this journal time on.
fn chosen(app: &App, off_from: Option<u64>) -> WithdrawCode {
    if !app.config.withdrawal_code.unwrap_or(!app.is_sandbox()) {
        return WithdrawCode { withdraw_code: "none", withdraw_code_until_ms: None };
    }
    let until = off_from.filter(|from| app.now_ms() < *from);
    let withdraw_code = if off_from.is_none() || until.is_some() { "on" } else { "off" };
    WithdrawCode { withdraw_code, withdraw_code_until_ms: until }
}

/// Whether this member has to send a code with a withdrawal; a member with an authenticator sends its code in any case.
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
    need_free(app, me.id)?;
    let done = |off_from| Reply::say("ok.saved").data(chosen(app, off_from));
    if request.on {
        return Ok(call.commit(vec![withdraw_codes::switch_on(me.id)], done(None)).await?);
    }
    let off_from = withdraw_codes::off_from(&app.db, me.id).await?;
    if off_from.is_some() {
        return Ok(done(off_from));
    }
    let needed = !authenticators::is_on(app, me.id).await?;
    let (factor, code) = step_up::codes_and_factor(&call, &me, needed, (request.code.as_deref(), request.otp.as_deref())).await?;
    let place = factor.len();
    let now = app.now_ms();
    let off_from = now + DAY_MS;
    let rest = [withdraw_codes::switch_off(me.id, off_from), notice(me.id, Topic::WithdrawCodeOff, &[], None, now)];
    let shown = std::iter::once(same_password(&me)).chain(factor).chain(code.map(|code| code.consume));
    let statements = shown.chain(rest).collect();
    need_free(app, me.id)?;
    let reply = call.commit(statements, done(Some(off_from))).await;
    let reply = reply.map_err(|error| second_factor::used_after_password(error, place))?;
    app.notices.tell(me.id).await;
    Ok(reply)
}
