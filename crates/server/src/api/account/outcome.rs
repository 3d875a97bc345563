//! The outcome of a write whose answer was lost (`docs/api.md` 1.6), looked up by its key alone: the caller need not keep what was sent.

use engine::command::Command;
use engine::requests::Earlier;
use serde::Serialize;
use serde_json::Value as Json;
use utoipa::ToSchema;

use crate::http::answers::{Gate, Keep, Write};
use crate::http::code::Code;
use crate::http::reply::{Answer, Finished, Refusal, Reply, refuse};
use crate::http::request::request;
use crate::http::{Call, idempotency, types};

/// The outcome of a write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WriteOutcome {
    /// `never`: the write was not done, and can no longer be done under this key.
    #[schema(value_type = types::WriteState)]
    state: &'static str,
    /// Name of its refusal.
    error: Option<String>,
    /// Sequence of its entry.
    seq: Option<u64>,
}

request! {
    /// What `user/outcome` takes.
    pub struct Settle checked by handler {
        required key: String,
    }
}

/// `POST user/outcome`: a key that was never used is closed, so a request still on its way comes too late.
pub async fn settle(call: Call, request: Settle) -> Answer {
    let caller = idempotency::caller_of(call.user()?, idempotency::valid(&request.key)?);
    // No call has this content, so any later call under the key is a different write.
    let closed = Write { caller, content: call.app.secrets.keyed("content", &["closed"]) };
    let outcome = match call.app.answers.settle(&call.app.vault, &closed).await? {
        Gate::Done(first) => told(&first),
        Gate::First => {
            let found = found(&call, &closed).await;
            let never = Finished::repeated(Vec::new(), None);
            let keep = if found.as_ref().is_ok_and(Option::is_none) { Keep::Memory } else { Keep::Nowhere };
            call.app.answers.finish(&call.app.vault, &closed, &never, keep, call.app.clock.wall_ms()).await;
            found?.unwrap_or_else(|| told(&never))
        }
    };
    Ok(Reply::ok(outcome))
}

/// The outcome from the log or from the stored answers; if there is none, the key is closed.
async fn found(call: &Call, closed: &Write) -> Result<Option<WriteOutcome>, Refusal> {
    let app = &call.app;
    if let Some(logged) = from_the_log(call, closed).await? {
        return Ok(Some(logged));
    }
    match app.answers.closing_waits_ms(closed, app.clock.wall_ms()) {
        Some(ms) => Err(refuse(Code::TooManyCalls).retry(ms)),
        None => Ok(app.answers.close(&app.vault, closed, app.clock.wall_ms()).await?.as_ref().map(told)),
    }
}

/// Commands wait in one queue: once this one is through, every earlier one is in the log or never will be.
async fn from_the_log(call: &Call, closed: &Write) -> Result<Option<WriteOutcome>, Refusal> {
    call.app.sequencer.submit(Command::Clock, None).await?;
    let key = idempotency::request_of(&call.app, closed).key;
    let found = call.app.sequencer.engine().outcome(key);
    let Some(Earlier { seq, answer }) = found else { return Ok(None) };
    let first = match answer {
        Some(first) => first,
        None => call.app.sequencer.first_answer(seq).await?,
    };
    let reject = first.result.err();
    Ok(Some(WriteOutcome {
        state: if reject.is_some() { "refused" } else { "done" },
        error: reject.map(|reject| Code::from(&reject).name().to_owned()),
        seq: Some(seq.0),
    }))
}

/// A stored first answer; without content it closes the key.
fn told(first: &Finished) -> WriteOutcome {
    if first.body.is_empty() {
        return WriteOutcome { state: "never", error: None, seq: None };
    }
    let body: Json = serde_json::from_slice(&first.body).unwrap_or_default();
    let error = (body["type"] != "ok").then(|| body["data"]["error"].as_str().unwrap_or("ERROR").to_owned());
    WriteOutcome { state: if error.is_some() { "refused" } else { "done" }, error, seq: first.seq }
}
