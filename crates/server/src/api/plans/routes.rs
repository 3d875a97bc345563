//! Calls of locked plans (`api.md` 4.10).

use crate::api::plans::view::{HostingView, PlanView};
use crate::api::plans::{listed, orders, redeeming, report};
use crate::http::code::Code;
use crate::http::request::ById;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, list, of, pages_c, text};

/// The rows.
pub(in crate::api) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "lh/deposit/report",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::Looks,
        refusals: &[],
        answers: of::<report::PlanReport>(),
        audit: None,
        handler: handler!(report::report()),
    },
    Route {
        verb: Verb::Get,
        path: "lh/deposit/config",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::LooksNow,
        refusals: &[],
        answers: list::<PlanView>(),
        audit: None,
        handler: handler!(listed::list(listed::ListPlans)),
    },
    Route {
        verb: Verb::Get,
        path: "lh/deposit/product_info",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::LooksNow,
        refusals: &[Code::NotFound],
        answers: of::<PlanView>(),
        audit: None,
        handler: handler!(listed::find(ById)),
    },
    Route {
        verb: Verb::Post,
        path: "lh/deposit",
        access: Access::User,
        rate: RateClass::Trade,
        effect: Effect::Commands,
        refusals: &[
            Code::ProductDisabled,
            Code::CountryForbids,
            Code::AccountFrozen,
            Code::BadAmount,
            Code::UnknownCycle,
            Code::NotAgreed,
            Code::PlanMin,
            Code::PlanMax,
            Code::Insufficient,
            Code::TreasuryShort,
        ],
        answers: text().and::<orders::HostingOnly>(),
        audit: None,
        handler: handler!(orders::buy(orders::Buy)),
    },
    Route {
        verb: Verb::Get,
        path: "lh/deposit/order",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::Looks,
        refusals: &[],
        answers: pages_c::<HostingView>(),
        audit: None,
        handler: handler!(orders::list(orders::ListOrders)),
    },
    Route {
        verb: Verb::Get,
        path: "lh/deposit/order/preview",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::Looks,
        refusals: &[Code::NotFound, Code::WrongState],
        answers: of::<redeeming::RedeemPreview>(),
        audit: None,
        handler: handler!(redeeming::preview(ById)),
    },
    Route {
        verb: Verb::Post,
        path: "lh/deposit/order/cancel",
        access: Access::User,
        rate: RateClass::Trade,
        effect: Effect::Commands,
        refusals: &[Code::NotFound, Code::WrongState, Code::PriceMoved],
        answers: text().and::<orders::HostingOnly>(),
        audit: None,
        handler: handler!(redeeming::redeem(redeeming::Redeem)),
    },
];
