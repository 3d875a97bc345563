//! Calls for news and help (`api.md` 4.5).

use super::{Access, Effect, RateClass, Route, Verb, handler, of, pages_b};
use crate::http::code::Code;
use crate::http::content;
use crate::http::request::ById;

/// The rows.
pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Post,
        path: "news/list",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::LooksNow,
        refusals: &[],
        answers: pages_b::<content::News>(),
        audit: None,
        handler: handler!(content::list(content::ListNews)),
    },
    Route {
        verb: Verb::Post,
        path: "news/detail",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::LooksNow,
        refusals: &[Code::NotFound],
        answers: of::<content::NewsDetail>(),
        audit: None,
        handler: handler!(content::detail(ById)),
    },
];
