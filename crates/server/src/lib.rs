//! Everything of Meridian that touches the world: HTTP, sockets, people, content, messages.

pub mod app;
mod background;
mod begun;
pub mod boot;
pub mod config;
pub mod db;
pub mod delivery;
pub mod feed;
pub mod files;
pub mod hasher;
pub mod history;
pub mod http;
pub mod opening;
pub mod operator;
pub mod picture;
mod progress_bar;
pub mod secrets;
pub mod security_log;
pub mod shutdown;
pub mod socket;
pub mod store;
pub mod text;
pub mod totp;
pub mod turns;
pub mod vault;
pub mod verify;
