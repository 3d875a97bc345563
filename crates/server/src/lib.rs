//! Everything of Meridian that touches the world: HTTP, sockets, people, content, messages.

pub mod api;
pub mod app;
mod background;
pub mod boot;
pub mod config;
pub mod countries;
mod databases;
pub mod delivery;
pub mod error;
pub mod exports;
pub mod files;
pub mod hasher;
pub mod http;
pub mod inputs;
pub mod invariants;
pub mod notices;
pub mod opening;
pub mod operator;
pub mod picture;
mod progress_bar;
pub mod proof;
pub mod shutdown;
pub mod socket;
pub mod text;
pub mod turns;
pub mod verify;
mod wiring;
