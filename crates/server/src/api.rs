//! The calls, one folder an area: handlers beside the types they answer with, and the rows of the route table.

pub mod account;
pub mod begun;
pub mod command;
pub mod content;
pub mod country;
pub mod funding;
pub mod identity;
pub mod market;
pub mod sandbox;
pub mod settings;
pub mod spot;
pub mod support;
pub mod wallet;
