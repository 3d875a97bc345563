//! Invitations and their rebates (`docs/rules.md` 14).

pub mod counted;
pub mod invite;
pub mod rebates;
pub mod routes;
pub mod share;
