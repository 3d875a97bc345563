//! Members and their security: sign-up, log-in, profile, second factor, sessions, self-limits.

pub mod access;
pub mod codes;
pub mod exit_kit;
pub mod fund_password;
pub mod known_device;
pub mod outcome;
pub mod profile;
pub mod routes;
pub mod second_factor;
pub mod security;
pub mod self_limits;
pub mod step_up;
pub mod undo;
pub mod withdraw_code;
