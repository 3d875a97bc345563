//! The fund password (15): set, changed, reset. The text never leaves the edge; the engine knows whether one is set, how many wrong
//! attempts there were and until when it is locked.

use engine::command::Command;
use engine::identity::KycLevel;
use engine::ids::UserId;
use engine::reject::Reject;
use engine::security::{AccountControls, FundPasswordChange, HOLD_MS};
use engine::time::Time;
use serde::Serialize;
use store::codes::{self, Purpose};
use store::db::{DbError, Sql};
use store::fund_passwords::{self, ResetStatus};
use store::notices::{Topic, insert as notice};
use store::people::{self, Person};
use store::sealed_columns::Cell;
use store::security::same_password;
use utoipa::ToSchema;

use super::profile::{ChangePassword, check_password};
use super::security::{is_frozen_by_operator, need_free, need_unchanged};
use super::{known_device, second_factor};
use crate::api::account::access::{contact, or_missed};
use crate::api::account::step_up::{is_fund_password, is_own_fund_password};
use crate::api::contact;
use crate::api::resume_note;
use crate::hasher::Lane;
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, refuse};
use crate::http::request::{Input, request};
use crate::http::units::About;
use crate::http::{App, Call, types};

/// Data returned by `safe/update_password`.
#[derive(Debug, Serialize, ToSchema)]
pub struct FundPasswordSaved {
    #[schema(value_type = types::Flag)]
    review: u8,
    hold_until_ms: Option<u64>,
}

/// `POST user/has_password`: 1 set, 2 not set.
pub async fn has_fund_password(call: Call) -> Answer {
    let security = security(&call.app, call.user()?);
    Ok(Reply::ok(if security.fund_password.set { 1 } else { 2 }))
}

request! {
    /// What `safe/update_password` takes.
    pub struct UpdateFundPassword {
        required password: String,
        required re_password: String,
        optional oldpassword: Option<String> = "oldpassword" | "old_password",
        optional login_password: Input<String>,
        optional code: Input<String>,
        optional otp: Option<String>,
    }
}

/// `POST safe/update_password`: the first one, a change with the present one, or a reset with log-in password and code.
pub async fn update(call: Call, request: UpdateFundPassword) -> Answer {
    let (app, password) = (&call.app, new_fund_password(&request.password)?);
    if request.re_password != password {
        return Err(refuse(Code::PasswordMismatch));
    }
    let user = call.user()?;
    need_free(app, user)?;
    if let Some(old) = request.oldpassword.as_deref().filter(|_| security(app, user).fund_password.set) {
        return change(&call, user, Change { password, old, otp: request.otp.as_deref() }, Code::FundPasswordSame).await;
    }
    let _lock = app.member_locks.of(user).await;
    let me = people::get(app, user).await?;
    need_free(app, user)?;
    // An interrupted attempt under this key used the code up and stored the row; complete it now.
    if let Some(hash) = resume_note::note(app, call.write.as_ref()).await? {
        return finish_first(&call, &me, &hash).await;
    }
    let code = &request.code.required()?;
    check_password(&call, &me, &request.login_password.required()?).await?;
    let target = contact(&me).or_refuse(Code::WrongCode)?;
    codes::check(app, target.target(), Purpose::Fund, code, &known_device::code_source(&call, Some(&me))).await?;
    // Not compared with the present fund password, because such a comparison would be an uncounted guess.
    if is_login_password(&call, &me, password).await? {
        return Err(refuse(Code::FundPasswordSame));
    }
    let factor = second_factor::proof(&call, me.id, request.otp.as_deref()).await?;
    let code_at = factor.len();
    let missed = move |error| second_factor::used_after_password(error, code_at);
    let mut statements = vec![same_password(&me)];
    statements.extend(factor);
    statements.push(codes::consume(app, target.target(), Purpose::Fund, code));
    let hash = app.hasher.slot(Lane::Members)?.hash(password).await?;
    need_unchanged(app, &me).await?;
    let set = security(app, me.id).fund_password.set;
    if !set {
        // The row has no effect until the engine knows that there is a fund password, so it is written first.
        statements.push(fund_passwords::set(me.id, hash.clone()));
        statements.extend(resume_note::begin(app, call.write.as_ref(), &hash)?);
        app.db.run(statements).await.map_err(missed)?;
        return finish_first(&call, &me, &hash).await;
    }
    let advanced = app.sequencer.engine().kyc_level(me.id) == Some(KycLevel::Advanced);
    let mut reply = Reply::say("ok.fund_password_saved");
    let (review, hold_until_ms) = if advanced {
        statements.extend(fund_passwords::ask(app, me.id, hash));
        statements.push(notice(me.id, Topic::FundResetAsked, &[], None, app.now_ms()));
        (1, None)
    } else {
        let (security, seq) = submit(app, &me, FundPasswordChange::Reset).await?;
        statements.extend(stored(app, &me, hash));
        reply.seq = Some(seq);
        (0, hold(app, &security))
    };
    let reply = reply.data(FundPasswordSaved { review, hold_until_ms });
    let reply = call.commit(statements, reply).await.map_err(missed)?;
    app.notices.tell(me.id).await;
    Ok(reply)
}

/// Completes the first fund password, whose row is stored: the engine learns of it, unless an interrupted attempt already reported it.
async fn finish_first(call: &Call, me: &Person, hash: &str) -> Answer {
    let app = &call.app;
    if fund_passwords::hash(&app.db, me.id).await?.as_deref() != Some(hash) {
        // Another attempt changed it in between.
        return Err(refuse(Code::WrongCode));
    }
    let mut reply = Reply::say("ok.fund_password_saved").data(FundPasswordSaved { review: 0, hold_until_ms: None });
    if !security(app, me.id).fund_password.set {
        reply.seq = Some(submit(app, me, FundPasswordChange::First).await?.1);
    }
    let mut statements = vec![notice(me.id, Topic::FundPassword, &[], None, app.now_ms())];
    statements.extend(resume_note::end(&call.app, call.write.as_ref()));
    let reply = call.commit(statements, reply).await?;
    app.notices.tell(me.id).await;
    Ok(reply)
}

/// `POST user/e_pwd` with `type=2`.
pub(super) async fn change_with_old(call: &Call, request: &ChangePassword) -> Answer {
    let password = new_fund_password(&request.password)?;
    if request.re_password.as_deref().is_some_and(|again| again != password) {
        return Err(refuse(Code::PasswordMismatch));
    }
    let typed = Change { password, old: &request.old_password, otp: request.otp.as_deref() };
    change(call, call.user()?, typed, Code::PasswordSame).await
}

fn new_fund_password(typed: &str) -> Result<&str, Refusal> {
    if is_fund_password(typed) { Ok(typed) } else { Err(refuse(Code::FundPasswordForm)) }
}

/// A new fund password, the present one as typed, and the second factor.
struct Change<'a> {
    password: &'a str,
    old: &'a str,
    otp: Option<&'a str>,
}

/// Changes the password with the present one. A wrong entry counts; a right one is not counted if the call fails later.
async fn change(call: &Call, user: UserId, Change { password, old, otp }: Change<'_>, same: Code) -> Answer {
    let app = &call.app;
    if !security(app, user).fund_password.set {
        return Err(refuse(Code::FundPasswordUnset));
    }
    let before = people::get(app, user).await?;
    let _lock = app.member_locks.of(user).await;
    let me = &need_unchanged(app, &before).await?;
    let locked = security(app, me.id).fund_password.check_lock(Time(app.now_ms())).is_err();
    // The engine gives the reason and counts the attempt.
    if locked || !is_own_fund_password(call, me, old).await? {
        submit(app, me, FundPasswordChange::Change { old_right: false }).await?;
        return Err(refuse(Code::FundPasswordWrong));
    }
    if old == password || is_login_password(call, me, password).await? {
        return Err(refuse(same));
    }
    second_factor::demand(call, me.id, otp).await?;
    let hash = app.hasher.slot(Lane::Members)?.hash(password).await?;
    need_unchanged(app, me).await?;
    let (security, seq) = submit(app, me, FundPasswordChange::Change { old_right: true }).await?;
    let reply = Reply::say("ok.fund_password_saved").data(FundPasswordSaved { review: 0, hold_until_ms: hold(app, &security) }).at(seq);
    // Undoing a change ends the log-in password and restores the fund password, which this one must not replace.
    let statements = std::iter::once(same_password(me)).chain(stored(app, me, hash)).collect();
    let reply = call.commit(statements, reply).await.map_err(|error| or_missed(error, Code::PasswordWrong))?;
    app.notices.tell(me.id).await;
    Ok(reply)
}

fn stored(app: &App, me: &Person, hash: String) -> [Sql; 2] {
    [fund_passwords::set(me.id, hash), notice(me.id, Topic::FundPassword, &[], None, app.now_ms())]
}

/// Whether a new log-in password is the fund password. The check is a guess at it, so a mismatch counts as a wrong entry.
pub(super) async fn is_same(call: &Call, me: &Person, password: &str) -> Result<bool, Refusal> {
    let app = &call.app;
    if !is_fund_password(password) || !security(app, me.id).fund_password.set {
        return Ok(false);
    }
    let _lock = app.member_locks.of(me.id).await;
    security(app, me.id).fund_password.check_lock(Time(app.now_ms())).map_err(|reject| about(app, &reject))?;
    if is_own_fund_password(call, me, password).await? {
        return Ok(true);
    }
    match submit(app, me, FundPasswordChange::Change { old_right: false }).await {
        Err(wrong) if wrong.code == Code::FundPasswordWrong => Ok(false),
        Err(other) => Err(other),
        Ok(_) => Err(refuse(Code::Internal)),
    }
}

/// it must not be the log-in password.
async fn is_login_password(call: &Call, me: &Person, password: &str) -> Result<bool, Refusal> {
    let password = contact::password(password);
    Ok(call.app.hasher.slot(Lane::Members)?.verify(&password, Some(&me.password)).await?)
}

fn security(app: &App, user: UserId) -> AccountControls {
    app.sequencer.engine().security(user).unwrap_or_default()
}

fn hold(app: &App, security: &AccountControls) -> Option<u64> {
    security.changed.map(|changed| changed.plus(HOLD_MS).0).filter(|until| *until > app.now_ms())
}

/// The member's new protection, and the sequence of the change.
async fn submit(app: &App, me: &Person, change: FundPasswordChange) -> Result<(AccountControls, u64), Refusal> {
    let applied = app.sequencer.submit(Command::SetFundPassword { user: me.id, change }, None).await?;
    match applied.outcome.result {
        Ok(engine::reply::Reply::Security(security)) => Ok((security, applied.seq.0)),
        Err(reject) => Err(about(app, &reject)),
        Ok(_) => Err(refuse(Code::Internal)),
    }
}

fn about(app: &App, reject: &Reject) -> Refusal {
    About { catalog: &app.catalog, market: None, asset: None, wallet: engine::catalog::Wallet::Spot }.refusal(reject)
}

/// Refuses approvals of resets while an operator's freeze is in force, as the member can then change no secret either.
///
/// # Errors
/// `E_STATE`.
pub fn need_free_to_approve(app: &App, user: UserId) -> Result<(), Refusal> {
    if is_frozen_by_operator(app, user) { Err(refuse(Code::WrongState).with("state", "frozen")) } else { Ok(()) }
}

/// An operator has looked at the member's pictures: the new password is in force, and the hold of W-2 begins. An approval that broke off
/// half-way is still in the queue, with a new version, and is approved again.
///
/// # Errors
/// `E_NOT_FOUND`, `E_STATE`, `E_VERSION`.
pub async fn approve_reset(app: &App, id: u64, version: u64) -> Result<(), Refusal> {
    let reset = open(app, id, version).await?;
    let me = people::get(app, reset.user).await?;
    need_free_to_approve(app, me.id)?;
    // Of simultaneous decisions one claims the row, and only that one reaches the engine.
    app.db.run(vec![fund_passwords::claim(id, version)]).await.map_err(decided_meanwhile)?;
    submit(app, &me, FundPasswordChange::Reset).await?;
    // A freeze that came meanwhile ends the reset.
    need_free_to_approve(app, me.id)?;
    let mut statements = vec![fund_passwords::finish(id, version + 1, app.now_ms())];
    statements.extend(stored(app, &me, reset.hash));
    decide(app, &me, statements).await
}

/// An operator does not believe it, for a reason that the member reads.
///
/// # Errors
/// As [`approve_reset`].
pub async fn reject_reset(app: &App, id: u64, version: u64, why: &str) -> Result<(), Refusal> {
    let reset = open(app, id, version).await?;
    if reset.status == ResetStatus::Approved {
        return Err(refuse(Code::WrongState));
    }
    let me = people::get(app, reset.user).await?;
    let why = Cell::NOTICE.seal(&app.vault, me.id, why)?;
    let told = notice(me.id, Topic::FundResetRejected, &[("reason", &why)], None, app.now_ms());
    decide(app, &me, vec![fund_passwords::reject(id, version, app.now_ms()), told]).await
}

async fn open(app: &App, id: u64, version: u64) -> Result<fund_passwords::Reset, Refusal> {
    let reset = fund_passwords::reset(&app.db, id).await?.or_refuse(Code::NotFound)?;
    match reset.status {
        ResetStatus::Done | ResetStatus::Rejected => Err(refuse(Code::WrongState)),
        ResetStatus::Waiting | ResetStatus::Approved if reset.version == version => Ok(reset),
        ResetStatus::Waiting | ResetStatus::Approved => Err(refuse(Code::ChangedSince).with("version", reset.version)),
    }
}

async fn decide(app: &App, me: &Person, statements: Vec<Sql>) -> Result<(), Refusal> {
    app.db.run(statements).await.map_err(decided_meanwhile)?;
    app.notices.tell(me.id).await;
    Ok(())
}

fn decided_meanwhile(error: DbError) -> Refusal {
    if error == DbError::Missed(0) { refuse(Code::WrongState) } else { error.into() }
}
