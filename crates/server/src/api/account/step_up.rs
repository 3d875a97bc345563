//! What a member must present before money moves: fund password, code, second factor. The edge only checks what is right; the engine
//! counts, locks and decides in its order (Q-1, Q-2, W-3), so a restart loses nothing.

use engine::command::Command;
use engine::funding::withdrawals::Verification;
use engine::reject::{CodeFault, Reject};
use engine::time::Time;
use kernel::sequencer::{Applied, SubmitError};
use store::codes::{self, Purpose};
use store::db::Sql;
use store::fund_passwords;
use store::people::{self, Person};

use super::{known_device, second_factor};
use crate::api::account::access;
use crate::api::resume_note;
use crate::hasher::Lane;
use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{OrRefuse, Refusal};
use crate::member_lock::MemberLock;

/// Exactly six digits.
pub(super) fn is_fund_password(text: &str) -> bool {
    text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is the member's fund password. A text that cannot be one is wrong without any hashing.
pub(super) async fn is_own_fund_password(call: &Call, me: &Person, typed: &str) -> Result<bool, Refusal> {
    let stored = fund_passwords::hash(&call.app.db, me.id).await?;
    match stored.filter(|_| is_fund_password(typed)) {
        Some(stored) => Ok(call.app.hasher.slot(Lane::Members)?.verify(typed, Some(&stored)).await?),
        None => Ok(false),
    }
}

/// The findings, and what is still to be done about them; see [`settle`].
pub(in crate::api) struct StepUp {
    pub(in crate::api) verification: Verification,
    /// Uses the right code up although the fund password is wrong.
    code: Option<Sql>,
    /// A note, for a repetition after a crash, says that all factors were right and are used up.
    noted: bool,
    /// Makes a code good again that was used up.
    give_back: Option<Sql>,
    /// No other guess of this member is compared before this one was counted.
    _lock: Option<MemberLock>,
}

impl StepUp {
    /// For commands that the engine refuses before it asks.
    pub(in crate::api) const NOTHING: StepUp = StepUp::of(Verification { fund_password_right: false, code: None }, None);

    const fn of(verification: Verification, lock: Option<MemberLock>) -> StepUp {
        StepUp { verification, code: None, noted: false, give_back: None, _lock: lock }
    }
}

/// A right code: the statement that uses it up, and the one that takes this back.
pub(super) struct RightCode {
    pub(super) consume: Sql,
    give_back: Sql,
}

/// Brings the command into the log. If it did nothing, the code becomes valid again, for this attempt or another. In that case no note says
/// that this attempt used it up, so there is still one command for one code. A second factor changes half a minute later.
pub(in crate::api) async fn submit(call: &Call, shown: &mut StepUp, command: Command) -> Result<Applied, Refusal> {
    let submitted = call.app.sequencer.submit(command, call.request).await;
    if submitted.as_ref().is_err_and(|error| matches!(error, SubmitError::TooManyKeys { .. } | SubmitError::NotReady))
        && let Some(code) = shown.give_back.take()
    {
        let note = resume_note::end(&call.app, call.write.as_ref()).filter(|_| shown.noted).map(|note| note.exactly(1));
        if let Err(error) = call.app.db.run(std::iter::once(code).chain(note).collect()).await {
            tracing::warn!(%error, "a code stays used up although nothing was done");
        }
    }
    Ok(submitted?)
}

/// After the command: a right code stays valid when the engine counted a wrong fund password, so only that has to be typed again. If the
/// engine does not count it, the fate of the code must not distinguish a right guess from a wrong one.
pub(in crate::api) async fn settle(call: &Call, shown: StepUp, applied: &Applied) -> Result<(), Refusal> {
    let used = shown.code.filter(|_| !matches!(applied.outcome.result, Err(Reject::FundPasswordWrong { .. })));
    let noted = resume_note::end(&call.app, call.write.as_ref()).filter(|_| shown.noted);
    let statements: Vec<Sql> = used.into_iter().chain(noted).collect();
    if statements.is_empty() {
        return Ok(());
    }
    Ok(call.app.db.run(statements).await.map(drop).map_err(codes::used_up)?)
}

/// The factors as typed: the fund password, the code and the second factor.
#[derive(Clone, Copy)]
pub(in crate::api) struct Factors<'a> {
    pub(in crate::api) pay_password: &'a str,
    pub(in crate::api) code: Option<&'a str>,
    pub(in crate::api) otp: Option<&'a str>,
}

/// Whether the factors are right; the code only if it is `needed` or was sent.
pub(in crate::api) async fn shown(call: &Call, me: &Person, needed: bool, typed: Factors<'_>) -> Result<StepUp, Refusal> {
    let (app, write) = (&call.app, call.write.as_ref());
    let lock = Some(app.member_locks.of(me.id).await);
    let found = |fund_password_right, fault| Verification { fund_password_right, code: fault };
    // An interrupted attempt under this key showed all factors and used them up.
    if resume_note::note(app, write).await?.is_some() {
        return Ok(StepUp { noted: true, ..StepUp::of(found(true, None), lock) });
    }
    // The engine repeats its first answer, whatever is right by now.
    if call.was_answered() {
        return Ok(StepUp { _lock: lock, ..StepUp::NOTHING });
    }
    let present = app.sequencer.engine().security(me.id).unwrap_or_default().fund_password;
    // Without a fund password, or while it is locked, nothing is checked; the engine refuses.
    if !present.set || present.check_lock(Time(app.now_ms())).is_err() {
        return Ok(StepUp { _lock: lock, ..StepUp::NOTHING });
    }
    let right = is_own_fund_password(call, me, typed.pay_password).await?;
    // The code has to come by the address that the member has after these waits.
    let me = &people::get(app, me.id).await?;
    match codes_and_factor(call, me, needed, (typed.code, typed.otp)).await {
        Ok((factor, code)) if right => {
            let (place, note) = (factor.len(), resume_note::begin(app, write, "shown")?);
            let (noted, (code, give_back)) = (note.is_some(), code.map(|code| (code.consume, code.give_back)).unzip());
            app.db
                .run(factor.into_iter().chain(code).chain(note).collect())
                .await
                .map_err(|error| second_factor::used_before(error, place))?;
            Ok(StepUp { noted, give_back, ..StepUp::of(found(true, None), lock) })
        }
        Ok((factor, code)) => {
            app.db.run(factor).await.map_err(|error| second_factor::used_before(error, usize::MAX))?;
            Ok(StepUp { code: code.map(|code| code.consume), ..StepUp::of(found(false, None), lock) })
        }
        Err(refusal) => Ok(StepUp::of(found(right, Some(fault(refusal)?)), lock)),
    }
}

/// Whether both are right; the statements that use up the second factor, and the code, if one was sent.
pub(super) async fn codes_and_factor(
    call: &Call,
    me: &Person,
    needed: bool,
    (code, otp): (Option<&str>, Option<&str>),
) -> Result<(Vec<Sql>, Option<RightCode>), Refusal> {
    let app = &call.app;
    let code = match code {
        None if needed => return Err(crate::http::reply::refuse(Code::WrongCode)),
        None => None,
        Some(code) => {
            let contact = access::contact(me).or_refuse(Code::WrongCode)?;
            let (target, purpose) = (contact.target(), Purpose::Operation);
            let expires_ms = codes::check(app, target, purpose, code, &known_device::code_source(call, Some(me))).await?;
            let give_back = codes::give_back(app, target, purpose, code, expires_ms);
            Some(RightCode { consume: codes::consume(app, target, purpose, code), give_back })
        }
    };
    Ok((second_factor::proof(call, me.id, otp).await?, code))
}

/// A refusal of a code as the engine knows it; transport faults pass through unchanged.
fn fault(refusal: Refusal) -> Result<CodeFault, Refusal> {
    match refusal.code {
        Code::WrongCode => Ok(CodeFault::Wrong),
        Code::CodeLocked => Ok(CodeFault::Locked),
        Code::SecondFactorRequired => Ok(CodeFault::SecondFactorMissing),
        Code::SecondFactorWrong => Ok(CodeFault::SecondFactorWrong),
        _ => Err(refusal),
    }
}
