//! Calls about texts: news, and answers of support.

use engine::backoffice::acts::{AuditAction, AuditObject};

use crate::api::support::messages::Message;
use crate::http::code::Code;
use crate::http::request::ById;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, of, pages, text};
use crate::operator::{Roles, news, support};

/// The rows.
pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "/operator/api/news",
        access: Access::Operator(Roles::SUPPORT.or(Roles::MARKET).or(Roles::AUDITOR)),
        rate: RateClass::Operator,
        effect: Effect::Read,
        refusals: &[Code::WrongRole],
        answers: pages::<news::EditedNews>(),
        audit: Some(("view", AuditAction::View, AuditObject::Article)),
        handler: handler!(news::list(news::ListArticles)),
    },
    Route {
        verb: Verb::Post,
        path: "/operator/api/news/save",
        access: Access::Operator(Roles::SUPPORT.or(Roles::MARKET)),
        rate: RateClass::Operator,
        effect: Effect::Write,
        refusals: &[Code::WrongRole, Code::BadField, Code::NotFound, Code::BadFile],
        answers: of::<news::EditedNews>(),
        audit: Some(("save", AuditAction::Save, AuditObject::Article)),
        handler: handler!(news::save(news::SaveArticle)),
    },
    Route {
        verb: Verb::Post,
        path: "/operator/api/news/delete",
        access: Access::Operator(Roles::SUPPORT.or(Roles::MARKET)),
        rate: RateClass::Operator,
        effect: Effect::Write,
        refusals: &[Code::WrongRole, Code::NotFound],
        answers: text(),
        audit: Some(("delete", AuditAction::Delete, AuditObject::Article)),
        handler: handler!(news::delete(ById)),
    },
    Route {
        verb: Verb::Post,
        path: "/operator/api/ticket/reply",
        access: Access::Operator(Roles::SUPPORT),
        rate: RateClass::Operator,
        effect: Effect::Write,
        refusals: &[Code::WrongRole, Code::BadField, Code::NotFound, Code::WrongState],
        answers: of::<Message>(),
        audit: Some(("reply", AuditAction::Reply, AuditObject::Ticket)),
        handler: handler!(support::ticket(support::AnswerTicket)),
    },
    Route {
        verb: Verb::Post,
        path: "/operator/api/chat/reply",
        access: Access::Operator(Roles::SUPPORT),
        rate: RateClass::Operator,
        effect: Effect::Write,
        refusals: &[Code::WrongRole, Code::BadField, Code::NotFound],
        answers: of::<Message>(),
        audit: Some(("reply", AuditAction::Reply, AuditObject::Chat)),
        handler: handler!(support::chat(support::AnswerChat)),
    },
];
