//! The messages of a sandbox: they are kept here to be read instead of being sent.

use serde::Serialize;
use store::outbox;
use utoipa::ToSchema;

use crate::api::contact;
use crate::countries::COUNTRIES;
use crate::http::Call;
use crate::http::reply::{Answer, Reply};
use crate::http::request::request;
use crate::http::values::Count;

/// A message in the sandbox outbox.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OutboxMessage)]
pub struct OutboxMessage {
    id: u64,
    to: String,
    purpose: String,
    code: Option<String>,
    text: String,
    time_ms: u64,
}

request! {
    /// What `/sandbox/outbox` takes.
    pub struct ReadOutbox {
        required to: String,
        optional limit: Option<Count<100>>,
    }
}

/// `GET /sandbox/outbox`
pub async fn list(call: Call, request: ReadOutbox) -> Answer {
    let to = request.to.trim().to_owned();
    let targets = match contact::email(&to) {
        Some(mail) => vec![mail.target().to_owned()],
        None => phone_targets(&to.chars().filter(char::is_ascii_digit).collect::<String>()),
    };
    let kept = outbox::kept(&call.app, &targets, request.limit.map_or(10, |limit| limit.0)).await?;
    let row = |message: outbox::OutboxRow| OutboxMessage {
        id: message.id,
        to: to.clone(),
        purpose: message.purpose,
        code: message.code,
        text: message.body,
        time_ms: message.time_ms,
    };
    Ok(Reply::ok(kept.into_iter().map(row).collect::<Vec<_>>()))
}

/// The stored forms that these digits may mean: with their dial code, or without it.
fn phone_targets(digits: &str) -> Vec<String> {
    let mut codes: Vec<&str> = COUNTRIES.iter().map(|country| country.area_code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let with_code = codes.iter().filter_map(|code| digits.strip_prefix(code).map(|number| format!("{code}-{number}")));
    let alone = codes.iter().map(|code| format!("{code}-{digits}"));
    with_code.chain(alone).collect()
}
