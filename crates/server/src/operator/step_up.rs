//! A fresh code of the authenticator before an approval, so an unattended console cannot approve anything for long.

use store::db::DbError;
use store::login_throttle::Counter;
use store::operators;
use store::totp;

use super::session;
use crate::http::Call;
use crate::http::reply::{Code, OrRefuse, Refusal, refuse};

/// The field `otp`, unless a code of this session, including that of its log-in, is still valid: `E_2FA_REQUIRED`, `E_2FA_WRONG`. A code
/// works once.
pub(super) async fn demand(call: &Call, otp: Option<&str>) -> Result<(), Refusal> {
    let (app, own) = (&call.app, session(call)?);
    // The engine repeats its first answer.
    if call.was_answered() {
        return Ok(());
    }
    let now = app.clock.session_ms();
    let Some(password) = own.operator.password.as_deref() else {
        // Operators made on the first-run screen of a sandbox have no authenticator.
        return if app.is_sandbox() { Ok(()) } else { Err(refuse(Code::SecondFactorRequired)) };
    };
    let typed = match otp {
        Some(typed) => typed.trim(),
        None if now < own.proved_ms.saturating_add(app.config.step_up_grace_ms) => return Ok(()),
        None => return Err(refuse(Code::SecondFactorRequired)),
    };
    let counter = Counter::of_session("operator", own.id);
    counter.claim(app).await?;
    let secret = operators::secret(app, own.operator.id).await?;
    let step =
        totp::accepted(&secret, typed, app.clock.authenticator_ms(), Some(own.operator.last_step)).or_refuse(Code::SecondFactorWrong)?;
    let mut statements = vec![operators::use_step(own.operator.id, step, password), operators::prove(own.id, now)];
    statements.extend(counter.clear(app));
    let used = app.db.run(statements).await;
    used.map(drop).map_err(|error| if error == DbError::Missed(0) { refuse(Code::SecondFactorWrong) } else { error.into() })
}
