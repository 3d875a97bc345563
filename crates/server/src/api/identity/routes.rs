//! Calls about identity documents (`docs/api.md` 4.4) and pictures (`docs/api.md` 4.1).

use crate::api::identity::{uploads, verification};
use crate::http::code::Code;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, pages, raw, text};
use crate::http::types;
use store::Page;

/// The rows.
pub(in crate::api) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Post,
        path: "user/real_name",
        access: Access::User,
        rate: RateClass::Account,
        effect: Effect::Command,
        refusals: &[Code::WrongState, Code::IdentityLimit, Code::IdentityDuplicate],
        answers: text().and::<types::ObjectState>(),
        audit: None,
        handler: handler!(verification::submit_basic(verification::SubmitBasic)),
    },
    Route {
        verb: Verb::Post,
        path: "user/real_name2",
        access: Access::User,
        rate: RateClass::Account,
        effect: Effect::Command,
        refusals: &[Code::BasicIdentityMissing, Code::BadField, Code::BadFile, Code::WrongState, Code::IdentityLimit],
        answers: text().and::<types::ObjectState>(),
        audit: None,
        handler: handler!(verification::submit_advanced(verification::SubmitAdvanced)),
    },
    Route {
        verb: Verb::Get,
        path: "charge_mention/verification_log",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::Read,
        refusals: &[],
        answers: pages::<verification::VerificationRow>().and::<verification::ToCorrect>(),
        audit: None,
        handler: handler!(verification::log(Page)),
    },
    Route {
        verb: Verb::Post,
        path: "upload",
        access: Access::User,
        rate: RateClass::Upload,
        effect: Effect::Write,
        refusals: &[Code::BadFile, Code::UploadQuota],
        answers: text().and::<uploads::Uploaded>(),
        audit: None,
        handler: handler!(uploads::upload(uploads::Upload)),
    },
    Route {
        verb: Verb::Get,
        path: "/files/{key}",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::ReadNow,
        refusals: &[Code::NotFound],
        answers: raw(),
        audit: None,
        handler: handler!(uploads::show(uploads::Show)),
    },
];
