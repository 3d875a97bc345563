//! Keys of writes that may be repeated: their format, their owner, and the form in which the engine knows them.

use axum::http::HeaderMap;
use engine::command::Request;
use engine::ids::UserId;

use super::App;
use super::answers::Write;
use super::form::Params;
use super::reply::{Refusal, bad_field};
use super::routes::{Route, Verb};

/// The header's key.
pub fn key(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    if value.is_empty() {
        return Ok(None);
    }
    let key = value.to_str().ok().filter(|key| is_plain(key)).ok_or_else(|| bad_field("idempotency-key", "format"))?;
    Ok(Some(key.to_owned()))
}

/// Checks a key that is a parameter.
pub fn valid(key: &str) -> Result<&str, Refusal> {
    if is_plain(key) { Ok(key) } else { Err(bad_field("key", "format")) }
}

fn is_plain(key: &str) -> bool {
    (1..=64).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// The caller and key under which a member's answer is stored.
pub fn caller_of(user: UserId, key: &str) -> String {
    format!("user {} {key}", user.0)
}

/// A caller's write with its content.
pub fn write_of(app: &App, route: &Route, caller: String, params: &Params) -> Write {
    let verb = match route.verb {
        Verb::Get => "GET",
        Verb::Post => "POST",
        Verb::Put => "PUT",
    };
    let mut parts = vec![verb, route.path];
    let fields = params.canonical();
    parts.extend(fields.iter().flat_map(|(name, value)| [*name, *value]));
    Write { caller, content: app.secrets.keyed("content", &parts) }
}

/// The engine's identification of a write.
pub fn request_of(app: &App, write: &Write) -> Request {
    Request { key: first_half(app.secrets.keyed("key", &[&write.caller])), content: first_half(write.content) }
}

fn first_half(hash: [u8; 32]) -> u128 {
    hash.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
}
