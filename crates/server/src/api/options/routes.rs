//! Calls of short-term options (`docs/api.md` 4.8).

use crate::api::options::view::OptionView;
use crate::api::options::{orders, receipt, terms};
use crate::http::code::Code;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, list, of, pages};

/// The rows.
pub(in crate::api) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "microtrade/seconds",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: list::<terms::OptionDuration>(),
        audit: None,
        handler: handler!(terms::seconds(terms::Lengths)),
    },
    Route {
        verb: Verb::Get,
        path: "microtrade/payable_currencies",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: list::<terms::OptionCoin>(),
        audit: None,
        handler: handler!(terms::payable_currencies()),
    },
    Route {
        verb: Verb::Post,
        path: "microtrade/submit",
        access: Access::User,
        rate: RateClass::Trade,
        effect: Effect::Command,
        refusals: &[
            Code::ProductDisabled,
            Code::CountryForbids,
            Code::AccountFrozen,
            Code::UnknownMarket,
            Code::UnknownAsset,
            Code::UnknownOrderType,
            Code::UnknownDuration,
            Code::TermsChanged,
            Code::BadAmount,
            Code::BasicIdentityMissing,
            Code::SelfLimit,
            Code::StakeMin,
            Code::StakeMax,
            Code::TooManyOpen,
            Code::PriceStale,
            Code::Insufficient,
            Code::PoolLossLimit,
            Code::PoolShort,
        ],
        answers: of::<OptionView>(),
        audit: None,
        handler: handler!(orders::submit(orders::Submit)),
    },
    Route {
        verb: Verb::Get,
        path: "microtrade/lists",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::Read,
        refusals: &[],
        answers: pages::<OptionView>(),
        audit: None,
        handler: handler!(orders::list(orders::ListOptions)),
    },
    Route {
        verb: Verb::Get,
        path: "microtrade/receipt",
        access: Access::User,
        rate: RateClass::Proof,
        effect: Effect::Read,
        refusals: &[Code::NotFound],
        answers: of::<receipt::OptionReceipt>(),
        audit: None,
        handler: handler!(receipt::receipt(receipt::ReadReceipt)),
    },
];
