//! What the house decides: acts of operators, and proposals under dual control (0.6). This module says what may be done and by whom;
//! [`Engine`](crate::Engine) does it.

pub mod acts;
pub(crate) mod operations;
pub mod proposals;
mod rights;
