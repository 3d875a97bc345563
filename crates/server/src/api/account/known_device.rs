//! Browsers that logged in to an account before. Their cookie has one purpose: their wrong passwords and codes are counted, and their
//! passwords compared, separately from those of strangers, so strangers cannot lock members out of the browser they use every day.

use store::codes;
use store::login_throttle::{self, Counter, Source};
use store::people::Person;
use store::secrets::{hex, random};
use subtle::ConstantTimeEq;

use crate::hasher::Lane;
use crate::http::code::Code;
use crate::http::headers::DEVICE_COOKIE;
use crate::http::reply::{Refusal, refuse};
use crate::http::{App, Call};

/// Seconds that a browser keeps the cookie.
const KEPT_S: u64 = 365 * 86_400;
/// Characters of the number of a device, before its proof.
const NUMBER: usize = 32;

/// An account whose devices are known: its key, and its stored password; a change of password ends them.
#[derive(Clone, Copy, Debug)]
pub struct Account<'a> {
    /// Kind and number, never shown.
    pub word: &'a str,
    /// Stored form of the password.
    pub password: &'a str,
}

/// A device's identification: a random number, and its proof that needs no row.
fn proof(app: &App, account: Account<'_>, number: &str) -> String {
    hex(&app.secrets.keyed("known device", &[account.word, account.password, number]))
}

/// The number of the caller's device, if the account knows it.
pub fn known<'a>(call: &'a Call, account: Account<'_>) -> Option<&'a str> {
    let (number, rest) = call.cookie.split_at_checked(NUMBER)?;
    let right = proof(&call.app, account, number).as_bytes().ct_eq(rest.as_bytes());
    bool::from(right).then_some(number)
}

/// The counter of the caller's attempts for this name, and whether the account knows the device. An unknown name knows none.
pub fn counter(call: &Call, name: &str, account: Option<Account<'_>>) -> Counter {
    match account.and_then(|account| known(call, account)) {
        Some(device) => Counter::of_source(name, Source::Device(device)),
        None => Counter::of_source(name, Source::Address(&call.address_text())),
    }
}

/// How the caller's requests for codes, and entries of them, are counted: as the member's own session, as a device that the account knows,
/// or as a stranger. `owner`: the member who owns the target, if any.
pub fn code_source(call: &Call, owner: Option<&Person>) -> codes::Source {
    let app = &call.app;
    if let Some(session) = call.session.filter(|session| owner.is_some_and(|owner| owner.id == session.user)) {
        return codes::Source::session(app, session.id);
    }
    match owner.and_then(|owner| known(call, Account { word: &login_throttle::member(owner.id), password: &owner.password })) {
        Some(device) => codes::Source::device(app, device),
        None => codes::Source::stranger(app, &call.address_text()),
    }
}

/// The lane in which the caller's password for this account is compared or hashed: a flood of strangers leaves known devices their slots.
pub fn lane(call: &Call, account: Option<Account<'_>>) -> Lane {
    if account.is_some_and(|account| known(call, account).is_some()) { Lane::Known } else { Lane::Guests }
}

/// The cookie of a device that just logged in, for log-ins below `path`: the one it has, or a new one.
///
/// # Errors
/// `E_INTERNAL` without random numbers.
pub fn cookie(call: &Call, account: Account<'_>, path: &str) -> Result<String, Refusal> {
    let drawn;
    let number = match known(call, account) {
        Some(number) => number,
        None => {
            drawn = hex(&random::<{ NUMBER / 2 }>().map_err(|_| refuse(Code::Internal))?);
            &drawn
        }
    };
    let proof = proof(&call.app, account, number);
    // A sandbox is also used without TLS.
    let secure = if call.app.is_sandbox() { "" } else { "; Secure" };
    Ok(format!("{DEVICE_COOKIE}={number}{proof}; Path={path}; Max-Age={KEPT_S}; HttpOnly; SameSite=Strict{secure}"))
}
