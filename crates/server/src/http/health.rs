//! Is it alive, may it serve, how is it doing.

use std::sync::LazyLock;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use serde_json::json;

use super::Call;
use super::reply::{Answer, Reply, refuse};

/// `GET /healthz`
pub async fn healthz(_call: Call) -> Answer {
    Ok(Reply::raw("text/plain; charset=utf-8", b"ok".to_vec()))
}

/// `GET /readyz`
pub async fn readyz(call: Call) -> Answer {
    let app = &call.app;
    if !app.is_ready() {
        return Err(refuse("E_NOT_READY"));
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

/// `GET /metrics`: from this machine only.
pub async fn metrics(call: Call) -> Answer {
    if !call.address.to_canonical().is_loopback() {
        return Err(refuse("E_PATH"));
    }
    let text = RECORDER.as_ref().map(PrometheusHandle::render).unwrap_or_default();
    Ok(Reply::raw("text/plain; version=0.0.4; charset=utf-8", text.into_bytes()))
}

static RECORDER: LazyLock<Option<PrometheusHandle>> = LazyLock::new(|| PrometheusBuilder::new().install_recorder().ok());

/// Starts counting; the first call counts, others are harmless.
pub fn start_metrics() {
    LazyLock::force(&RECORDER);
}

/// Folds the recorded times into their figures; without it they would be kept one by one until somebody asks.
pub fn upkeep() {
    if let Some(recorder) = RECORDER.as_ref() {
        recorder.run_upkeep();
    }
}
