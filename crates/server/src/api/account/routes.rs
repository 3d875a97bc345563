//! The calls of this area.

pub mod access;
pub mod profile;
pub mod security;
