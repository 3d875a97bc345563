//! Calls about payments seen on chains.

use engine::backoffice::acts::{AuditAction, AuditObject};
use store::Page;

use crate::http::code::Code;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, of, pages};
use crate::operator::{ByIdWithReason, Roles, disputes, incidents, observations, proposals};

/// The rows.
pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Post,
        path: "/operator/api/observation",
        access: Access::Operator(Roles::TREASURY),
        rate: RateClass::Operator,
        effect: Effect::Command,
        refusals: &[
            Code::WrongRole,
            Code::BadField,
            Code::UnknownChain,
            Code::UnknownAsset,
            Code::BadAmount,
            Code::NotFound,
            Code::DuplicateTx,
            Code::SameOperator,
        ],
        answers: of::<observations::ObservationView>(),
        audit: Some(("enter", AuditAction::Save, AuditObject::Observation)),
        handler: handler!(observations::enter(observations::EnterObservation)),
    },
    Route {
        verb: Verb::Get,
        path: "/operator/api/observations",
        access: Access::Operator(Roles::TREASURY.or(Roles::AUDITOR)),
        rate: RateClass::Operator,
        effect: Effect::Read,
        refusals: &[Code::WrongRole],
        answers: pages::<observations::ObservationView>(),
        audit: Some(("view", AuditAction::View, AuditObject::Observation)),
        handler: handler!(observations::list(observations::ListObservations)),
    },
    Route {
        verb: Verb::Post,
        path: "/operator/api/observation/reverse",
        access: Access::Operator(Roles::TREASURY),
        rate: RateClass::Operator,
        effect: Effect::Command,
        refusals: &[Code::WrongRole, Code::ReasonMissing, Code::NotFound, Code::WrongState],
        answers: of::<proposals::ProposalView>(),
        audit: Some(("propose_reverse", AuditAction::Save, AuditObject::Observation)),
        handler: handler!(observations::reverse(ByIdWithReason)),
    },
    Route {
        verb: Verb::Get,
        path: "/operator/api/incidents",
        access: Access::Operator(Roles::TREASURY.or(Roles::AUDITOR)),
        rate: RateClass::Operator,
        effect: Effect::Read,
        refusals: &[Code::WrongRole],
        answers: pages::<incidents::IncidentView>(),
        audit: Some(("view", AuditAction::View, AuditObject::Incident)),
        handler: handler!(incidents::list(incidents::ListIncidents)),
    },
    Route {
        verb: Verb::Get,
        path: "/operator/api/disputes",
        access: Access::Operator(Roles::TREASURY.or(Roles::AUDITOR)),
        rate: RateClass::Operator,
        effect: Effect::Read,
        refusals: &[Code::WrongRole],
        answers: pages::<disputes::DisputeView>(),
        audit: Some(("view", AuditAction::View, AuditObject::Withdrawal)),
        handler: handler!(disputes::list(Page)),
    },
];
