//! Calls of a sandbox (`api.md` 4.17). In live all of them are `E_PATH`.

use super::{Access, Effect, RateClass, Route, Verb, handler, list, of};
use crate::http::code::Code;
use crate::http::{sandbox, sandbox_outbox};

/// The rows.
pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "/sandbox/outbox",
        access: Access::Guest,
        rate: RateClass::Free,
        effect: Effect::LooksNow,
        refusals: &[],
        answers: list::<sandbox_outbox::Kept>(),
        audit: None,
        handler: handler!(sandbox_outbox::list(sandbox_outbox::ReadOutbox)),
    },
    Route {
        verb: Verb::Post,
        path: "/sandbox/faucet",
        access: Access::User,
        rate: RateClass::Free,
        effect: Effect::Commands,
        refusals: &[Code::UnknownAsset, Code::UnknownWallet, Code::BadAmount, Code::FaucetMax],
        answers: of::<sandbox::Credited>(),
        audit: None,
        handler: handler!(sandbox::faucet(sandbox::Faucet)),
    },
    Route {
        verb: Verb::Post,
        path: "/sandbox/clock",
        access: Access::Guest,
        rate: RateClass::Free,
        effect: Effect::Writes,
        refusals: &[Code::BadTime],
        answers: of::<sandbox::Advanced>(),
        audit: None,
        handler: handler!(sandbox::clock(sandbox::MoveClock)),
    },
    Route {
        verb: Verb::Post,
        path: "/sandbox/price",
        access: Access::Guest,
        rate: RateClass::Free,
        effect: Effect::Writes,
        refusals: &[Code::UnknownMarket, Code::BadField, Code::BadAmount, Code::OffTick],
        answers: of::<sandbox::Priced>(),
        audit: None,
        handler: handler!(sandbox::price(sandbox::SetPrice)),
    },
];
