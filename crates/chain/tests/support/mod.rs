//! Substitutes for chains in tests.

#![allow(dead_code, reason = "each test file uses one part")]

pub mod anvil;
pub mod replay;
