//! Calls about invitations (`docs/api.md` 4.13).

use store::Page;

use crate::api::referral::{counted, invite, rebates, share};
use crate::http::code::Code;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, list, of, pages, raw};
use crate::http::types::EntryRange;

/// The rows.
pub(in crate::api) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "user/invite",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: of::<invite::Invite>(),
        audit: None,
        handler: handler!(invite::invite()),
    },
    Route {
        verb: Verb::Post,
        path: "user/my_invite_list",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::Read,
        refusals: &[],
        answers: pages::<invite::Invitee>(),
        audit: None,
        handler: handler!(invite::invitees(Page)),
    },
    Route {
        verb: Verb::Post,
        path: "user/my_account_return",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::Read,
        refusals: &[],
        answers: pages::<rebates::RebateRow>(),
        audit: None,
        handler: handler!(rebates::list(rebates::ListRebates)),
    },
    Route {
        verb: Verb::Post,
        path: "user/invite_list",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: list::<invite::Rank>().and::<EntryRange>(),
        audit: None,
        handler: handler!(invite::leaderboard()),
    },
    Route {
        verb: Verb::Get,
        path: "public/rebates",
        access: Access::Guest,
        rate: RateClass::Proof,
        effect: Effect::Read,
        refusals: &[Code::BadField],
        answers: list::<counted::CountedRebate>().and::<counted::CountedPlace>(),
        audit: None,
        handler: handler!(counted::list(counted::ListCounted)),
    },
    Route {
        verb: Verb::Get,
        path: "user/my_poster",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: of::<share::PosterView>(),
        audit: None,
        handler: handler!(share::poster()),
    },
    Route {
        verb: Verb::Get,
        path: "user/my_share",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: of::<share::Share>(),
        audit: None,
        handler: handler!(share::share()),
    },
    Route {
        verb: Verb::Get,
        path: "user/poster_image",
        access: Access::User,
        rate: RateClass::Account,
        effect: Effect::ReadNow,
        refusals: &[Code::NotFound],
        answers: raw(),
        audit: None,
        handler: handler!(share::picture(share::ShowPoster)),
    },
];
