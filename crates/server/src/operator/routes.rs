//! The calls of operators (`docs/api.md` 4.16), and a sandbox's operator log-in: part of the one table, each with its roles and its name in
//! the audit log.

mod accounts;
mod members;
mod payments;
mod proposals;
mod queues;
mod reports;
mod texts;

use super::Roles;
use crate::http::routes::Route;

/// Operators who view members.
const MEMBER_READERS: Roles = Roles::SUPPORT.or(Roles::VERIFIER).or(Roles::TREASURY).or(Roles::AUDITOR);

/// Every call of operators, area by area.
pub static AREAS: [&[Route]; 7] =
    [accounts::ROUTES, queues::ROUTES, payments::ROUTES, proposals::ROUTES, members::ROUTES, texts::ROUTES, reports::ROUTES];
