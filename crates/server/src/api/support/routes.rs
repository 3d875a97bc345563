//! Calls about notifications, tickets and the chat (`docs/api.md` 4.14).

use crate::api::support::{messages, notices};
use crate::http::code::Code;
use crate::http::request::ById;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, list, of, pages, text};
use store::Page;

/// The rows.
pub(in crate::api) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "notice/list",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::Read,
        refusals: &[],
        answers: pages::<notices::Notification>(),
        audit: None,
        handler: handler!(notices::list(notices::ListNotices)),
    },
    Route {
        verb: Verb::Post,
        path: "notice/read",
        access: Access::User,
        rate: RateClass::Account,
        effect: Effect::Write,
        refusals: &[Code::NotFound],
        answers: text().and::<notices::Unread>(),
        audit: None,
        handler: handler!(notices::read(notices::ReadNotices)),
    },
    Route {
        verb: Verb::Post,
        path: "feedback/add",
        access: Access::User,
        rate: RateClass::Account,
        effect: Effect::Write,
        refusals: &[Code::BadFile, Code::TooManyOpen],
        answers: of::<messages::Ticket>(),
        audit: None,
        handler: handler!(messages::open_ticket(messages::OpenTicket)),
    },
    Route {
        verb: Verb::Get,
        path: "feedback/list",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: pages::<messages::Ticket>(),
        audit: None,
        handler: handler!(messages::tickets(Page)),
    },
    Route {
        verb: Verb::Get,
        path: "feedback/detail",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::ReadNow,
        refusals: &[Code::NotFound],
        answers: of::<messages::Thread>(),
        audit: None,
        handler: handler!(messages::ticket(ById)),
    },
    Route {
        verb: Verb::Post,
        path: "feedback/reply",
        access: Access::User,
        rate: RateClass::Account,
        effect: Effect::Write,
        refusals: &[Code::BadField, Code::NotFound, Code::WrongState, Code::BadFile],
        answers: of::<messages::Message>(),
        audit: None,
        handler: handler!(messages::reply(messages::WriteInTicket)),
    },
    Route {
        verb: Verb::Get,
        path: "chat/history",
        access: Access::User,
        rate: RateClass::Read,
        effect: Effect::ReadNow,
        refusals: &[],
        answers: list::<messages::Message>(),
        audit: None,
        handler: handler!(messages::chat(messages::ReadChat)),
    },
    Route {
        verb: Verb::Post,
        path: "chat/send",
        access: Access::User,
        rate: RateClass::Account,
        effect: Effect::Write,
        refusals: &[Code::BadFile],
        answers: of::<messages::Message>(),
        audit: None,
        handler: handler!(messages::say(messages::Say)),
    },
];
