//! The listener: connections with caps and deadlines, each served by the router.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tower::ServiceExt;

use super::headers::{MAX_HEADER_LINES, MAX_HEADERS, Peer};
use super::limits::Caller;

const HEADER_DEADLINE: Duration = Duration::from_secs(10);
const CONNECTIONS: usize = 4_096;
const CONNECTIONS_PER_ADDRESS: usize = 100;

/// How many connections each address holds.
#[derive(Debug, Default)]
struct Held(Mutex<HashMap<Caller, usize>>);

impl Held {
    fn enter(self: &Arc<Held>, caller: Caller, trusted: bool) -> Option<Place> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = held.values().sum();
        let own = held.entry(caller).or_default();
        let full = all >= CONNECTIONS || (!trusted && *own >= CONNECTIONS_PER_ADDRESS);
        if full {
            return None;
        }
        *own += 1;
        Some(Place { held: self.clone(), caller })
    }
}

/// One connection; leaving gives its place back.
#[derive(Debug)]
struct Place {
    held: Arc<Held>,
    caller: Caller,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut held = self.held.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = held.get_mut(&self.caller) {
            *own -= 1;
            if *own == 0 {
                held.remove(&self.caller);
            }
        }
    }
}

/// Accepts connections for ever. A configured proxy holds as many as it needs.
pub async fn serve(listener: TcpListener, router: Router, proxies: Vec<IpAddr>) {
    let held: Arc<Held> = Arc::default();
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors: others must end first.
                tracing::warn!(%error, "accept");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Some(place) = held.enter(Caller::address(peer.ip()), proxies.contains(&peer.ip().to_canonical())) else { continue };
        // Small answers leave at once.
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        tokio::spawn(async move {
            let service = service_fn(move |mut request: hyper::Request<Incoming>| {
                request.extensions_mut().insert(Peer(peer.ip()));
                let router = router.clone();
                async move { router.oneshot(request.map(axum::body::Body::new) as Request).await }
            });
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEADER_DEADLINE)
                .max_headers(MAX_HEADER_LINES)
                .max_buf_size(MAX_HEADERS + 8 * 1024)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            if let Err(error) = connection.await {
                tracing::trace!(%error, "connection");
            }
            drop(place);
        });
    }
}
