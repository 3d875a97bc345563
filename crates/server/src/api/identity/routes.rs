//! Calls about identity papers (`api.md` 4.4).

use crate::api::identity::verification;
use crate::http::code::Code;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, pages, text};
use crate::http::wire;
use store::Page;

/// The rows.
pub(crate) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Post,
        path: "user/real_name",
        access: Access::User,
        rate: RateClass::Account,
        effect: Effect::Commands,
        refusals: &[Code::WrongState, Code::IdentityLimit, Code::IdentityDuplicate],
        answers: text().and::<wire::ObjectState>(),
        audit: None,
        handler: handler!(verification::submit_basic(verification::SubmitBasic)),
    },
    Route {
        verb: Verb::Post,
        path: "user/real_name2",
        access: Access::User,
        rate: RateClass::Account,
        effect: Effect::Commands,
        refusals: &[Code::BasicIdentityMissing, Code::BadField, Code::BadFile, Code::WrongState, Code::IdentityLimit],
        answers: text().and::<wire::ObjectState>(),
        audit: None,
        handler: handler!(verification::submit_advanced(verification::SubmitAdvanced)),
    },
    Route {
        verb: Verb::Get,
        path: "charge_mention/verification_log",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::Looks,
        refusals: &[],
        answers: pages::<verification::VerificationRow>().and::<verification::ToCorrect>(),
        audit: None,
        handler: handler!(verification::log(Page)),
    },
];
