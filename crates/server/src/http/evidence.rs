//! What a member shows before money moves: fund password, code, second factor. The edge only finds out what is right; the engine counts,
//! locks and decides in its order (Q-1, Q-2, W-3), so nothing is forgotten by a restart.

use engine::funding::withdrawals::Verification;
use engine::reject::{CodeFault, Reject};
use engine::time::Time;

use super::reply::{OrRefuse, Refusal};
use super::{Call, account, second_factor};
use crate::begun;
use crate::db::Sql;
use crate::hasher::Lane;
use crate::sequencer::Applied;
use crate::store::codes::{self, Purpose};
use crate::store::fund_passwords;
use crate::store::people::Person;
use crate::turns::Turn;

/// Exactly six digits.
pub(super) fn is_fund_password(text: &str) -> bool {
    text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is the member's fund password. What cannot be one is wrong without any work.
pub(super) async fn is_own_fund_password(call: &Call, me: &Person, typed: &str) -> Result<bool, Refusal> {
    let stored = fund_passwords::hash(&call.app.db, me.id).await?;
    match stored.filter(|_| is_fund_password(typed)) {
        Some(stored) => call.app.hasher.slot(Lane::Members)?.verify(typed, Some(&stored)).await,
        None => Ok(false),
    }
}

/// What was found out, and what is still to be done about it; see [`settle`].
pub(super) struct Shown {
    pub(super) verification: Verification,
    /// Uses the right code beside a wrong fund password up.
    code: Option<Sql>,
    /// That all was right and is used up is noted, for a repetition after a crash.
    noted: bool,
    /// No other guess of this member is compared before this one was counted.
    _turn: Option<Turn>,
}

impl Shown {
    /// For commands that the engine refuses before it asks.
    pub(super) const NOTHING: Shown =
        Shown { verification: Verification { fund_password_right: false, code: None }, code: None, noted: false, _turn: None };
}

/// After the command: a right code stays good when the engine counted a wrong fund password, so that only that has to be typed again.
/// Where it does not count, what becomes of the code must not tell a right guess from a wrong one.
pub(super) async fn settle(call: &Call, shown: Shown, applied: &Applied) -> Result<(), Refusal> {
    let used = shown.code.filter(|_| !matches!(applied.outcome.result, Err(Reject::FundPasswordWrong { .. })));
    let noted = begun::end(&call.app, call.write.as_ref()).filter(|_| shown.noted);
    let statements: Vec<Sql> = used.into_iter().chain(noted).collect();
    if statements.is_empty() {
        return Ok(());
    }
    call.app.db.run(statements).await.map(drop).map_err(codes::used_up)
}

/// The fields `pay_password`, `code` (`needed`, or only if it was sent) and `otp`.
pub(super) async fn shown(call: &Call, me: &Person, needed: bool) -> Result<Shown, Refusal> {
    let (app, write) = (&call.app, call.write.as_ref());
    let typed = call.params.need("pay_password")?;
    let turn = Some(app.turns.of(me.id).await);
    let found = |fund_password_right, fault| Verification { fund_password_right, code: fault };
    // An attempt under this key that was cut off had shown everything and used it up.
    if begun::note(app, write).await?.is_some() {
        return Ok(Shown { verification: found(true, None), code: None, noted: true, _turn: turn });
    }
    // The engine gives its first answer again, whatever is right by now.
    if call.was_answered() {
        return Ok(Shown::NOTHING);
    }
    let present = app.sequencer.engine().security(me.id).unwrap_or_default().fund_password;
    // Without one, or while it is locked, nothing is tried; the engine says so.
    if !present.set || present.check_lock(Time(app.now_ms())).is_err() {
        return Ok(Shown { _turn: turn, ..Shown::NOTHING });
    }
    let right = is_own_fund_password(call, me, typed).await?;
    match codes_and_factor(call, me, needed).await {
        Ok((factor, code)) if right => {
            let (place, noted) = (factor.len(), begun::begin(app, write, "shown")?);
            let (is_noted, used) = (noted.is_some(), factor.into_iter().chain(code).chain(noted).collect());
            app.db.run(used).await.map_err(|error| second_factor::used_before(error, place))?;
            Ok(Shown { verification: found(true, None), code: None, noted: is_noted, _turn: turn })
        }
        Ok((factor, code)) => {
            app.db.run(factor).await.map_err(|error| second_factor::used_before(error, usize::MAX))?;
            Ok(Shown { verification: found(false, None), code, noted: false, _turn: turn })
        }
        Err(refusal) => Ok(Shown { verification: found(right, Some(fault(refusal)?)), code: None, noted: false, _turn: turn }),
    }
}

/// Whether both are right; the statements that use up the second factor, and the one for the code.
pub(super) async fn codes_and_factor(call: &Call, me: &Person, needed: bool) -> Result<(Vec<Sql>, Option<Sql>), Refusal> {
    let code = call.params.get("code");
    let target = account::contact(me);
    if needed && code.is_none() {
        return Err(super::reply::refuse("E_CODE"));
    }
    if let Some(code) = code {
        codes::check(&call.app, target.as_ref().or_refuse("E_CODE")?.target(), Purpose::Operation, code).await?;
    }
    let factor = second_factor::proof(call, me.id).await?;
    Ok((factor, code.zip(target).map(|(code, target)| codes::consume(&call.app, target.target(), Purpose::Operation, code))))
}

/// A refusal of a code as the engine knows it; faults of the transport stay what they are.
fn fault(refusal: Refusal) -> Result<CodeFault, Refusal> {
    match refusal.name {
        "E_CODE" => Ok(CodeFault::Wrong),
        "E_CODE_LOCKED" => Ok(CodeFault::Locked),
        "E_2FA_REQUIRED" => Ok(CodeFault::SecondFactorMissing),
        "E_2FA_WRONG" => Ok(CodeFault::SecondFactorWrong),
        _ => Err(refusal),
    }
}
