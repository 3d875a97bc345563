//! The security log: failed attempts to authenticate, as lines of the target `security`, and their counts. Members and operators appear as
//! numbers; typed names and network addresses are keyed hashes, which link the lines of one attacker.

use engine::ids::{OperatorId, UserId};
use store::secrets::hex;

use super::code::Code;
use super::form::Params;
use super::limits::RateClass;
use super::request::{Input, Request, request};
use super::routes::Entry;
use super::{App, Call, RequestId};

/// The security log's name for a refusal; other refusals are not failed authentications.
fn event(refusal: Code) -> Option<&'static str> {
    Some(match refusal {
        Code::WrongCredentials => "log_in_failed",
        Code::LoginWait => "made_to_wait",
        Code::PasswordWrong => "password_wrong",
        Code::SecondFactorWrong => "second_factor_wrong",
        Code::FundPasswordWrong => "fund_password_wrong",
        Code::FundPasswordLocked => "fund_password_locked",
        Code::WrongCode => "code_wrong",
        Code::CodeLocked => "code_locked",
        Code::UnknownChallenge => "challenge_unknown",
        _ => return None,
    })
}

request! {
    /// By which name a call says who it is.
    pub struct Named checked by handler {
        optional user_string: Input<String>,
        optional account: Input<String>,
        optional name: Input<String>,
    }
}

/// A call that may fail to prove something.
#[derive(Debug)]
pub struct Attempt {
    app: App,
    path: &'static str,
    source: String,
    name: Option<String>,
    member: Option<UserId>,
    operator: Option<OperatorId>,
    id: RequestId,
}

impl Attempt {
    /// What the log needs from a call, since the rest goes to the handler. `None` if nothing is authenticated.
    pub fn of(call: &Call, params: &Params, entry: &Entry) -> Option<Attempt> {
        let proves =
            matches!(entry.route.rate, RateClass::Sign | RateClass::Account | RateClass::Protect | RateClass::Exit | RateClass::Operator);
        if !proves {
            return None;
        }
        let named = Named::read(params).ok();
        let name = named.and_then(|named| [named.user_string, named.account, named.name].iter().find_map(Input::readable).cloned());
        Some(Attempt {
            app: call.app.clone(),
            path: entry.route.path,
            source: call.address_text(),
            name: name.map(|name| name.trim().to_lowercase()),
            member: call.session.map(|session| session.user),
            operator: call.operator.as_ref().map(|session| session.operator.id),
            id: call.id,
        })
    }

    /// Writes down that it failed, if this refusal means so.
    pub fn failed(&self, refusal: Code) {
        let Some(event) = event(refusal) else { return };
        metrics::counter!("security_events_total", "event" => event).increment(1);
        let mark = |kind: &str, text: &str| hex(&self.app.secrets.keyed("security log", &[kind, text])[..8]);
        let (source, name) = (mark("source", &self.source), self.name.as_deref().map(|name| mark("name", name)));
        let (member, operator) = (self.member.map(|user| user.0), self.operator.map(|operator| operator.0));
        tracing::warn!(target: "security", event, path = self.path, source, name, member, operator, request_id = %self.id, "refused");
    }
}
