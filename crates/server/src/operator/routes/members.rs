//! Calls about members.

use engine::backoffice::acts::{AuditAction, AuditObject};

use super::MEMBER_READERS;
use crate::api::account::security::Revoked;
use crate::http::code::Code;
use crate::http::routes::{Access, Effect, RateClass, Route, Verb, handler, of, pages, text};
use crate::operator::{ByIdWithReason, Roles, proposals, users};

/// The rows.
pub(super) const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "/operator/api/user/search",
        access: Access::Operator(MEMBER_READERS),
        rate: RateClass::Operator,
        effect: Effect::Read,
        refusals: &[Code::WrongRole, Code::BadField],
        answers: pages::<users::UserRow>(),
        audit: Some(("search", AuditAction::Search, AuditObject::Member)),
        handler: handler!(users::search(users::SearchMembers)),
    },
    Route {
        verb: Verb::Get,
        path: "/operator/api/user/detail",
        access: Access::Operator(MEMBER_READERS),
        rate: RateClass::Operator,
        effect: Effect::Read,
        refusals: &[Code::WrongRole, Code::ReasonMissing, Code::NotFound],
        answers: of::<users::UserDetail>(),
        audit: Some(("view", AuditAction::View, AuditObject::Member)),
        handler: handler!(users::detail(ByIdWithReason)),
    },
    Route {
        verb: Verb::Post,
        path: "/operator/api/user/freeze",
        access: Access::Operator(Roles::SUPPORT.or(Roles::VERIFIER).or(Roles::TREASURY)),
        rate: RateClass::Operator,
        effect: Effect::Command,
        refusals: &[Code::WrongRole, Code::ReasonMissing, Code::NotFound, Code::WrongState],
        answers: text(),
        audit: Some(("freeze", AuditAction::Save, AuditObject::Member)),
        handler: handler!(users::freeze(users::FreezeMember)),
    },
    Route {
        verb: Verb::Post,
        path: "/operator/api/user/end_sessions",
        access: Access::Operator(Roles::SUPPORT.or(Roles::VERIFIER).or(Roles::TREASURY)),
        rate: RateClass::Operator,
        effect: Effect::Write,
        refusals: &[Code::WrongRole, Code::ReasonMissing, Code::NotFound],
        answers: text().and::<Revoked>(),
        audit: Some(("end_sessions", AuditAction::Save, AuditObject::Member)),
        handler: handler!(users::end_sessions(ByIdWithReason)),
    },
    Route {
        verb: Verb::Post,
        path: "/operator/api/user/unfreeze",
        access: Access::Operator(Roles::VERIFIER.or(Roles::TREASURY)),
        rate: RateClass::Operator,
        effect: Effect::Command,
        refusals: &[Code::WrongRole, Code::ReasonMissing, Code::NotFound, Code::WrongState],
        answers: of::<proposals::ProposalView>(),
        audit: Some(("propose_unfreeze", AuditAction::Save, AuditObject::Member)),
        handler: handler!(users::unfreeze(ByIdWithReason)),
    },
    Route {
        verb: Verb::Post,
        path: "/operator/api/user/kyc_revoke",
        access: Access::Operator(Roles::VERIFIER),
        rate: RateClass::Operator,
        effect: Effect::Command,
        refusals: &[Code::WrongRole, Code::ReasonMissing, Code::NotFound, Code::WrongState],
        answers: of::<proposals::ProposalView>(),
        audit: Some(("propose_revoke", AuditAction::Save, AuditObject::Member)),
        handler: handler!(users::revoke_identity(users::RevokeIdentity)),
    },
    Route {
        verb: Verb::Post,
        path: "/operator/api/user/role",
        access: Access::Operator(Roles::ADMIN),
        rate: RateClass::Operator,
        effect: Effect::Command,
        refusals: &[Code::WrongRole, Code::ReasonMissing, Code::NotFound],
        answers: of::<proposals::ProposalView>(),
        audit: Some(("propose_role", AuditAction::Save, AuditObject::Member)),
        handler: handler!(users::referral_role(users::SetReferralRole)),
    },
];
