//! Liveness, readiness and the health of the node.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::LazyLock;
use std::{env, io};

use axum::body::Body;
use axum::http::{Request, Response};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use serde_json::json;
use sha2::{Digest, Sha256};
use store::db::DbError;
use store::outbox;
use store::secrets::hex;

use super::code::Code;
use super::reply::{Answer, Finished, Reply, refuse};
use super::{App, Call, RequestId, headers};

/// SHA-256 of the running executable in hex, as `sha256sum` prints it; `"unknown"` where it cannot be read.
pub static BUILD: LazyLock<String> = LazyLock::new(|| {
    let read = || {
        let mut file = BufReader::with_capacity(64 * 1024, File::open(env::current_exe()?)?);
        let mut hash = Sha256::new();
        while let bytes @ [_, ..] = file.fill_buf()? {
            hash.update(bytes);
            let read = bytes.len();
            file.consume(read);
        }
        Ok::<_, io::Error>(hex(&hash.finalize()))
    };
    read().unwrap_or_else(|_| "unknown".to_owned())
});

/// `GET /healthz`
pub async fn healthz(_call: Call) -> Answer {
    Ok(alive_reply())
}

/// The answer of a node that is alive but not serving yet.
pub fn not_yet<B>(request: &Request<B>) -> Response<Body> {
    let (id, alive) = (RequestId::next(), request.uri().path() == "/healthz");
    let answer = if alive { Ok(alive_reply()) } else { Err(refuse(Code::NotReady)) };
    let mut response = Finished::new(answer, headers::language(request.headers()), false, id).respond(id, None, || 0);
    headers::secure(response.headers_mut());
    response
}

fn alive_reply() -> Reply {
    Reply::raw("text/plain; charset=utf-8", b"ok".to_vec())
}

/// `GET /readyz`: it serves, and an entry was written, made durable and applied within the last 2 s.
pub async fn readyz(call: Call) -> Answer {
    let app = &call.app;
    if !app.is_ready() || !app.sequencer.makes_progress().await {
        return Err(refuse(Code::NotReady));
    }
    let state = json!({
        "ready": true,
        "role": "leader",
        "seq": app.applied.newest(),
        "lag_ms": 0,
        "mode": if app.is_sandbox() { "sandbox" } else { "live" },
    });
    Ok(Reply::raw("application/json; charset=utf-8", state.to_string().into_bytes()))
}

/// `GET /metrics`: from this machine only. Behind a proxy on this machine every caller would seem to be local.
pub async fn metrics(call: Call) -> Answer {
    if call.forwarded || !call.address.to_canonical().is_loopback() {
        return Err(refuse(Code::UnknownPath));
    }
    measure(&call.app).await?;
    let text = RECORDER.as_ref().map(PrometheusHandle::render).unwrap_or_default();
    Ok(Reply::raw("text/plain; version=0.0.4; charset=utf-8", text.into_bytes()))
}

/// Measures what is waiting at this moment.
async fn measure(app: &App) -> Result<(), DbError> {
    for (lane, waiting) in app.hasher.backlog() {
        metrics::gauge!("hash_backlog", "lane" => lane).set(float(waiting as u64));
    }
    metrics::gauge!("clock_difference_seconds").set(app.clock.difference_ms() as f64 / 1_000.0);
    metrics::gauge!("commands_waiting").set(float(app.sequencer.waiting()));
    metrics::gauge!("shadow_lag_entries").set(float(app.sequencer.shadow_lag()));
    metrics::gauge!("pictures_decoding").set(float(app.files.decoding()));
    for state in ["waiting", "failed"] {
        let messages = outbox::count(&app.db, state).await?;
        metrics::gauge!("messages", "state" => state).set(float(messages));
    }
    Ok(())
}

/// Counts of waiting work are far below 2^52, where every whole number has an exact float.
fn float(count: u64) -> f64 {
    count as f64
}

static RECORDER: LazyLock<Option<PrometheusHandle>> = LazyLock::new(|| PrometheusBuilder::new().install_recorder().ok());

/// Starts counting; the first call counts, others are harmless.
pub fn start_metrics() {
    LazyLock::force(&RECORDER);
}

/// Aggregates the recorded times; without it they would be kept one by one until the next scrape.
pub fn upkeep() {
    if let Some(recorder) = RECORDER.as_ref() {
        recorder.run_upkeep();
    }
}
