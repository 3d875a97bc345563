//! What the house decides about: acts of operators, and proposals that two of them sign (0.6). It says what may be done and by whom;
//! [`Engine`](crate::Engine) does it.

pub mod acts;
pub(crate) mod operations;
pub mod proposals;
mod rights;
