//! Calls of subscriptions of new coins (`docs/api.md` 4.11).

use crate::api::subscriptions::view::OfferingView;
use crate::api::subscriptions::{offerings, orders, public};
use crate::http::code::Code;
use crate::http::request::ById;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, list, of, text};
use crate::http::types::{AnyMap, EntryRange};

/// The rows.
pub(in crate::api) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "lh/send/config",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: list::<OfferingView>().and::<EntryRange>(),
        audit: None,
        handler: handler!(offerings::list(offerings::ListOfferings)),
    },
    Route {
        verb: Verb::Get,
        path: "lh/send/product_info",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::ReadNow,
        refusals: &[Code::NotFound],
        answers: of::<OfferingView>().and::<EntryRange>(),
        audit: None,
        handler: handler!(offerings::one(ById)),
    },
    Route {
        verb: Verb::Get,
        path: "lh/send/get_recommend",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: of::<AnyMap>(),
        audit: None,
        handler: handler!(offerings::recommend()),
    },
    Route {
        verb: Verb::Post,
        path: "lh/send/order",
        access: Access::User,
        rate: RateClass::Trade,
        effect: Effect::Command,
        refusals: &[
            Code::ProductDisabled,
            Code::CountryForbids,
            Code::AccountFrozen,
            Code::NotFound,
            Code::BadAmount,
            Code::OutsideWindow,
            Code::PayCurrency,
            Code::SubscriptionMin,
            Code::UserCap,
            Code::SoldOut,
            Code::PriceStale,
            Code::Insufficient,
        ],
        answers: text().and::<orders::CommitmentOnly>(),
        audit: None,
        handler: handler!(orders::submit(orders::Order)),
    },
    Route {
        verb: Verb::Get,
        path: "lh/send/order_list",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::Read,
        refusals: &[],
        answers: of::<orders::CommitmentPage>(),
        audit: None,
        handler: handler!(orders::list(orders::ListOrders)),
    },
    Route {
        verb: Verb::Get,
        path: "public/commitments",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::ReadNow,
        refusals: &[Code::NotFound],
        answers: list::<public::PublicCommitment>().and::<public::Committed>(),
        audit: None,
        handler: handler!(public::commitments(public::ListPublic)),
    },
];
