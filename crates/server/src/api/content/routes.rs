//! Calls for news and help (`docs/api.md` 4.5).

use crate::api::content::news;
use crate::http::code::Code;
use crate::http::request::ById;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, of, pages_b};

/// The rows.
pub(in crate::api) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Post,
        path: "news/list",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: pages_b::<news::News>(),
        audit: None,
        handler: handler!(news::list(news::ListNews)),
    },
    Route {
        verb: Verb::Post,
        path: "news/detail",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::ReadNow,
        refusals: &[Code::NotFound],
        answers: of::<news::NewsDetail>(),
        audit: None,
        handler: handler!(news::detail(ById)),
    },
];
