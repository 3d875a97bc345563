//! Everything of Meridian that touches the world: HTTP, sockets, people, content, messages.

pub mod app;
pub mod boot;
pub mod config;
pub mod db;
pub mod delivery;
pub mod feed;
pub mod hasher;
pub mod history;
pub mod http;
pub mod opening;
mod replay;
pub mod secrets;
pub mod sequencer;
pub mod socket;
mod stamp;
pub mod store;
pub mod text;
pub mod tickers;
pub mod verify;
