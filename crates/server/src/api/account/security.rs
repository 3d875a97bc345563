//! The security centre: open sessions and ending them, log-ins, and which operators viewed the member's data.

use std::net::Ipv6Addr;

use engine::command::Command;
use engine::ids::UserId;
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use engine::time::{DAY_MS, Time};
use serde::Serialize;
use serde_json::Value as Json;
use store::Page;
use store::db::{DbError, Returning};
use store::people::Person;
use store::second_factor::end_challenges;
use store::{people, security, sessions};
use utoipa::ToSchema;

use super::profile::check_password;
use crate::api::command::answer;
use crate::http::auth::{Ended, IDLE_MS, TOTAL_MS};
use crate::http::code::Code;
use crate::http::page::{Paginator, ts};
use crate::http::reply::{Answer, Refusal, Reply, refuse};
use crate::http::request::{Input, request, words};
use crate::http::{App, Call, types};

/// An open session.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Session)]
pub struct SessionRow {
    id: u64,
    #[schema(value_type = types::Flag)]
    current: u8,
    device: String,
    address: String,
    created_at: String,
    created_at_ms: u64,
    last_at: String,
    last_at_ms: u64,
    expires_ms: u64,
}

/// Data returned when sessions were ended.
#[derive(Debug, Serialize, ToSchema)]
pub struct Revoked {
    /// Number of sessions ended.
    pub revoked: u64,
}

/// A log-in attempt.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoginEvent {
    id: u64,
    #[schema(value_type = types::Flag)]
    ok: u8,
    #[schema(value_type = types::LoginMethod)]
    method: String,
    device: String,
    address: String,
    created_at: String,
    created_at_ms: u64,
}

/// An operator's access to the member's data, or action on their account.
#[derive(Debug, Serialize, ToSchema)]
pub struct AccessRow {
    id: u64,
    role: String,
    action: String,
    kind: String,
    reason: String,
    created_at: String,
    created_at_ms: u64,
}

/// An address with its last part hidden.
fn partly(address: &str) -> String {
    match address.parse::<Ipv6Addr>() {
        Ok(v6) => {
            let [a, b, c, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}:*")
        }
        Err(_) => address.rsplit_once('.').map_or_else(|| "*".to_owned(), |(start, _)| format!("{start}.*")),
    }
}

/// `GET user/sessions`
pub async fn sessions(call: Call) -> Answer {
    let (me, now) = (call.user()?, call.app.clock.session_ms());
    let open = security::sessions(&call.app, me, now.saturating_sub(TOTAL_MS), now.saturating_sub(IDLE_MS)).await?;
    let row = |session: security::OpenSession| SessionRow {
        id: session.id,
        current: call.session.is_some_and(|own| own.id == session.id).into(),
        device: session.device,
        address: partly(&session.address),
        created_at: ts(session.created_at_ms),
        created_at_ms: session.created_at_ms,
        last_at: ts(session.last_at_ms),
        last_at_ms: session.last_at_ms,
        expires_ms: (session.created_at_ms + TOTAL_MS).min(session.last_at_ms + IDLE_MS),
    };
    Ok(Reply::ok(open.into_iter().map(row).collect::<Vec<_>>()))
}

request! {
    /// What `user/sessions/revoke` takes.
    pub struct Revoke checked by handler {
        optional id: Input<u64>,
        optional others: Option<bool>,
    }
}

/// `POST user/sessions/revoke`
pub async fn revoke(call: Call, request: Revoke) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let done = |revoked| Reply::say("ok.sessions_ended").data(Revoked { revoked });
    if request.others == Some(true) {
        let kept = call.session.map(|session| session.id);
        let now = app.clock.session_ms();
        let open = security::sessions(app, me, now.saturating_sub(TOTAL_MS), now.saturating_sub(IDLE_MS)).await?;
        let others = open.iter().filter(|session| Some(session.id) != kept).count() as u64;
        let reply = call.commit(vec![sessions::end_all_but(me, kept)], done(others)).await?;
        app.sessions.forget(Ended::AllBut(me, kept));
        return Ok(reply);
    }
    request.id.must_be_sent()?;
    let id = request.id.or(Code::NotFound)?;
    let reply = call.commit(vec![security::end_session(me, id)], done(1)).await;
    let reply = reply.map_err(|error| if error == DbError::Missed(0) { refuse(Code::NotFound) } else { error.into() })?;
    app.sessions.forget(Ended::One(id));
    Ok(reply)
}

/// Ends all sessions of a member, whose number is in the answer, and log-ins waiting for their second factor. After the commit the caller
/// drops the sessions from the cache.
pub fn end_sessions(user: UserId) -> Returning {
    Returning { statements: vec![sessions::end_all_but(user, None), end_challenges(user)], place: 0 }
}

/// Whether an operator's freeze of this member is in force.
pub fn is_frozen_by_operator(app: &App, user: UserId) -> bool {
    app.sequencer.engine().security(user).unwrap_or_default().freezes.by_operator.is_some()
}

/// Refuses changes of a member's log-in or payment credentials while an operator's freeze is in force: they may come from a thief.
pub(super) fn need_free(app: &App, user: UserId) -> Result<(), Refusal> {
    if is_frozen_by_operator(app, user) {
        return Err(refuse(Code::AccountFrozen).with("by", "operator").with("until_ms", Json::Null));
    }
    Ok(())
}

/// The member as they are now, after a wait that followed the checks: meanwhile the owner may have taken the account back from the caller,
/// or an operator may have frozen it.
///
/// # Errors
/// `E_ACCOUNT_FROZEN`, and `E_PASSWORD_OLD` if the password is not the checked one any more.
pub(super) async fn need_unchanged(app: &App, checked: &Person) -> Result<Person, Refusal> {
    let me = people::get(app, checked.id).await?;
    need_free(app, me.id)?;
    if me.password == checked.password { Ok(me) } else { Err(refuse(Code::PasswordWrong)) }
}

/// `GET user/login_history`
pub async fn login_history(call: Call, page: Page) -> Answer {
    let me = call.user()?;
    let (rows, total) = security::login_events(&call.app, me, page).await?;
    let row = |event: security::LoginEvent| LoginEvent {
        id: event.id,
        ok: event.ok.into(),
        method: event.method,
        device: event.device,
        address: partly(&event.address),
        created_at: ts(event.created_at_ms),
        created_at_ms: event.created_at_ms,
    };
    Ok(Reply::ok(Paginator::new(rows.into_iter().map(row).collect(), total, page)))
}

/// `GET user/access_log`
pub async fn access_log(call: Call, page: Page) -> Answer {
    let me = call.user()?;
    let (rows, total) = security::accesses(&call.app, me, page).await?;
    let row = |access: security::Access| AccessRow {
        id: access.id,
        role: access.role,
        action: access.action,
        kind: access.kind,
        reason: access.reason,
        created_at: ts(access.created_at_ms),
        created_at_ms: access.created_at_ms,
    };
    Ok(Reply::ok(Paginator::new(rows.into_iter().map(row).collect(), total, page)))
}

/// Withdrawals wait 24 h after a security change (W-2); call this before the change, so no change is without its hold. Returns its
/// sequence.
pub(super) async fn start_hold(app: &App, user: UserId) -> Result<u64, Refusal> {
    let applied = app.sequencer.submit(Command::RecordSecurityChange { user }, None).await?;
    applied.outcome.result.as_ref().map(|_| applied.seq.0).map_err(|_| refuse(Code::Internal))
}

/// Data returned by `user/freeze`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Frozen {
    until_ms: Option<u64>,
}

words! {
    /// For how many days members lock their own account; 0 is without end.
    pub enum FreezeDays {
        One = "1",
        Seven = "7",
        Thirty = "30",
        Open = "0",
    }
}

request! {
    /// What `user/freeze` takes.
    pub struct Freeze {
        required password: String,
        required days: FreezeDays,
    }
}

/// `POST user/freeze`: never shorter than a freeze that is there.
pub async fn freeze(call: Call, request: Freeze) -> Answer {
    let app = &call.app;
    let days = match request.days {
        FreezeDays::One => Some(1),
        FreezeDays::Seven => Some(7),
        FreezeDays::Thirty => Some(30),
        FreezeDays::Open => None,
    };
    let me = people::get(app, call.user()?).await?;
    match check_password(&call, &me, &request.password).await {
        // Wrong passwords in this session delay other calls but not a freeze. The answer does not reveal whether the password was right, so
        // it is no way to guess. Who only has the session must not lock the owner out for long.
        Err(refusal) if refusal.code == Code::LoginWait && matches!(request.days, FreezeDays::One | FreezeDays::Seven) => {}
        checked => checked?,
    }
    let asked = days.map(|days| Time(app.now_ms() + days * DAY_MS));
    let command = |until| Command::FreezeSelf { user: me.id, until };
    let applied = app.sequencer.submit(command(asked), call.request).await?;
    let security = match applied.outcome.result.as_ref() {
        Ok(EngineReply::Security(security)) => *security,
        // A freeze that ends no earlier is already in force.
        Err(Reject::WrongState) => app.sequencer.engine().security(me.id).unwrap_or_default(),
        Err(Reject::DuplicateRequest) => return Err(refuse(Code::DuplicateRequest)),
        _ => return Err(refuse(Code::Internal)),
    };
    let until = security.freezes.self_until.filter(|_| !security.freezes.self_open);
    Ok(answer("ok.frozen", &applied).data(Frozen { until_ms: until.map(|until| until.0) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_of_an_address_is_hidden() {
        assert_eq!(partly("203.0.113.77"), "203.0.113.*");
        assert_eq!(partly("2001:db8:5:7::"), "2001:db8:5:*");
        assert_eq!(partly("::"), "0:0:0:*");
    }
}
