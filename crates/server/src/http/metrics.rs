//! How often each call was answered and how long it took (`/metrics`).

use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use axum::http::StatusCode;
use metrics::{Counter, Histogram};

use super::routes::Entry;

/// The figures of one call. They are looked up in the registry once; a registry is slower than many a call.
pub struct Meter {
    url: String,
    /// Answers with status 200, and the time of all answers.
    found: OnceLock<(Counter, Histogram)>,
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter").field("url", &self.url).finish_non_exhaustive()
    }
}

impl Meter {
    /// For the call with this path.
    pub fn new(url: String) -> Meter {
        Meter { url, found: OnceLock::new() }
    }
}

/// Counts one answer; `None` is a call that is not in the route table.
pub fn count(entry: Option<&'static Entry>, status: StatusCode, took: Duration) {
    let Some(Meter { url, found }) = entry.map(|entry| &entry.meter) else {
        counter("other", status).increment(1);
        metrics::histogram!("http_request_seconds", "path" => "other").record(took);
        return;
    };
    let (ok, seconds) =
        found.get_or_init(|| (counter(url, StatusCode::OK), metrics::histogram!("http_request_seconds", "path" => url.as_str())));
    if status == StatusCode::OK {
        ok.increment(1);
    } else {
        counter(url, status).increment(1);
    }
    seconds.record(took);
}

fn counter(path: &'static str, status: StatusCode) -> Counter {
    metrics::counter!("http_requests_total", "path" => path, "status" => status.as_u16().to_string())
}
