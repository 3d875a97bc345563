//! Calls of a sandbox (`docs/api.md` 4.17). In live all of them are `E_PATH`.

use crate::api::sandbox::{inputs, outbox};
use crate::http::code::Code;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, list, of};

/// The rows.
pub(in crate::api) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "/sandbox/outbox",
        access: Access::Guest,
        rate: RateClass::Free,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: list::<outbox::OutboxMessage>(),
        audit: None,
        handler: handler!(outbox::list(outbox::ReadOutbox)),
    },
    Route {
        verb: Verb::Post,
        path: "/sandbox/faucet",
        access: Access::User,
        rate: RateClass::Free,
        effect: Effect::Command,
        refusals: &[Code::UnknownAsset, Code::UnknownWallet, Code::BadAmount, Code::FaucetMax],
        answers: of::<inputs::Credited>(),
        audit: None,
        handler: handler!(inputs::faucet(inputs::Faucet)),
    },
    Route {
        verb: Verb::Post,
        path: "/sandbox/clock",
        access: Access::Guest,
        rate: RateClass::Free,
        effect: Effect::Write,
        refusals: &[Code::BadTime],
        answers: of::<inputs::Advanced>(),
        audit: None,
        handler: handler!(inputs::clock(inputs::MoveClock)),
    },
    Route {
        verb: Verb::Post,
        path: "/sandbox/price",
        access: Access::Guest,
        rate: RateClass::Free,
        effect: Effect::Write,
        refusals: &[Code::UnknownMarket, Code::BadField, Code::BadAmount, Code::OffTick],
        answers: of::<inputs::Priced>(),
        audit: None,
        handler: handler!(inputs::price(inputs::SetPrice)),
    },
];
