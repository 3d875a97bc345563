//! What the house decides about: acts of operators, proposals that two of them sign, and who they are (0.6). It says what may be done and by
//! whom; [`Engine`](crate::Engine) does it.

pub mod acts;
pub mod approval;
pub(crate) mod operations;
pub mod operators;
pub mod proposals;
pub mod roles;
