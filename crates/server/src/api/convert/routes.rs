//! Calls of conversions (`docs/api.md` 4.6).

use store::Page;

use crate::api::convert::{commands, view};
use crate::http::code::Code;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, of, pages, text};

/// The rows.
pub(in crate::api) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "wallet/flashAgainstList",
        access: Access::Guest,
        rate: RateClass::Public,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: of::<view::ConversionCoins>(),
        audit: None,
        handler: handler!(view::coins()),
    },
    Route {
        verb: Verb::Post,
        path: "wallet/flash_quote",
        access: Access::User,
        rate: RateClass::Trade,
        effect: Effect::Command,
        refusals: &[
            Code::ProductDisabled,
            Code::CountryForbids,
            Code::UnknownAsset,
            Code::SameAsset,
            Code::BadAmount,
            Code::PriceStale,
            Code::ConversionMin,
            Code::ConversionMax,
            Code::ConversionDay,
        ],
        answers: of::<view::QuoteView>(),
        audit: None,
        handler: handler!(commands::quote(commands::Quote)),
    },
    Route {
        verb: Verb::Post,
        path: "wallet/flashAgainst",
        access: Access::User,
        rate: RateClass::Trade,
        effect: Effect::Command,
        refusals: &[
            Code::ProductDisabled,
            Code::CountryForbids,
            Code::AccountFrozen,
            Code::BadField,
            Code::UnknownAsset,
            Code::SameAsset,
            Code::BadAmount,
            Code::NotFound,
            Code::WrongState,
            Code::QuoteExpired,
            Code::PriceStale,
            Code::ConversionMin,
            Code::ConversionMax,
            Code::ConversionDay,
            Code::PriceMoved,
            Code::Insufficient,
            Code::PoolShort,
        ],
        answers: text().and::<view::ConversionView>(),
        audit: None,
        handler: handler!(commands::convert(commands::Accept)),
    },
    Route {
        verb: Verb::Get,
        path: "wallet/flash_history",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::Read,
        refusals: &[],
        answers: pages::<view::ConversionView>(),
        audit: None,
        handler: handler!(view::history(Page)),
    },
];
