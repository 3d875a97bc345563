//! Calls for reports.

use engine::backoffice::acts::{AuditAction, AuditObject};

use crate::http::code::Code;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, of, pages};
use crate::operator::{Roles, audit, settlement, sources};

/// The rows.
pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "/operator/api/audit",
        access: Access::Operator(Roles::AUDITOR.or(Roles::ADMIN)),
        rate: RateClass::Operator,
        effect: Effect::Read,
        refusals: &[Code::WrongRole],
        answers: pages::<audit::AuditRow>(),
        audit: Some(("view", AuditAction::View, AuditObject::Audit)),
        handler: handler!(audit::list(audit::SearchAudit)),
    },
    Route {
        verb: Verb::Get,
        path: "/operator/api/settlement",
        access: Access::Operator(Roles::ANY),
        rate: RateClass::Operator,
        effect: Effect::Read,
        refusals: &[],
        answers: of::<settlement::Settlement>(),
        audit: Some(("view", AuditAction::View, AuditObject::Console)),
        handler: handler!(settlement::show()),
    },
    Route {
        verb: Verb::Get,
        path: "/operator/api/sources",
        access: Access::Operator(Roles::ANY),
        rate: RateClass::Operator,
        effect: Effect::Read,
        refusals: &[],
        answers: of::<sources::PriceSources>(),
        audit: Some(("view", AuditAction::View, AuditObject::Console)),
        handler: handler!(sources::show()),
    },
];
