//! Is it alive, may it serve, how is it doing.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::LazyLock;
use std::{env, io};

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::Call;
use super::reply::{Answer, Reply, refuse};
use crate::secrets::hex;

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

/// `GET /metrics`: from this machine only. Behind a proxy on this machine everybody would come from here.
pub async fn metrics(call: Call) -> Answer {
    if call.forwarded || !call.address.to_canonical().is_loopback() {
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
