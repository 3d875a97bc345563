//! The security log: attempts to prove who one is that failed, as lines of the target `security`, and how many there were. Members and
//! operators are numbers in it; names that were typed and network addresses are keyed hashes, by which lines of one attacker are put together.

use engine::ids::{OperatorId, UserId};
use store::secrets::hex;

use super::code::Code;
use super::form::Params;
use super::limits::RateClass;
use super::request::{Input, Request, request};
use super::routes::Entry;
use super::{App, Call, RequestId};

/// What the security log calls a refusal; others are no attempt to prove anything.
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
    pub struct Named in turn {
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
    /// Whatever a handler needs of a call is with the handler: this is what is left for the log. `None` where nothing is proven.
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
