//! Everything in Meridian that talks to the outside world: HTTP, sockets, inputs, messages, pictures, and the checks
//! of a log.

pub mod api;
pub mod app;
mod background;
pub mod boot;
mod coin_disc;
pub mod config;
pub mod countries;
mod databases;
pub mod delivery;
pub mod error;
pub mod exports;
pub mod files;
pub mod hasher;
pub mod http;
pub mod i18n;
pub mod inputs;
pub mod invariants;
pub mod liabilities;
pub mod member_lock;
pub mod notices;
pub mod operator;
pub mod picture;
pub mod poster;
mod progress_bar;
pub mod proof;
pub mod recovery;
pub mod shutdown;
pub mod socket;
pub mod verify;
mod wiring;
