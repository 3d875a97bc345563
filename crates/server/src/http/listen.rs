//! The listener: connections with caps and deadlines.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use hyper::body::Incoming;
use hyper::rt::{Sleep, Timer};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tower::ServiceExt;

use super::headers::{MAX_HEADER_LINES, MAX_HEADERS, Peer};
use super::limits::Caller;
use crate::app::App;
use crate::http;
use crate::socket::SOCKETS;

const HEADER_DEADLINE: Duration = Duration::from_secs(10);
/// A connection looks at its deadline this often.
const LOOK: Duration = Duration::from_secs(1);
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

/// Deadlines that are over when somebody looks. A new one begins with every request, and nearly none is ever reached: a real timer for
/// each costs more than reading the head.
#[derive(Clone, Copy, Debug)]
struct Deadline(Instant);

impl Future for Deadline {
    type Output = ();
    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if Instant::now() < self.0 { Poll::Pending } else { Poll::Ready(()) }
    }
}

impl Sleep for Deadline {}

/// Makes them.
#[derive(Debug)]
struct Deadlines;

impl Timer for Deadlines {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(Instant::now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Deadline(deadline))
    }
}

/// Accepts connections for ever. A configured proxy holds as many as it needs.
pub async fn serve(listener: TcpListener, app: App, sockets: Router) {
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
        let Some(place) = held.enter(Caller::address(peer.ip()), app.config.trusted_proxies.contains(&peer.ip().to_canonical())) else {
            continue;
        };
        // Small answers leave at once.
        let _ = stream.set_nodelay(true);
        let (app, sockets) = (app.clone(), sockets.clone());
        tokio::spawn(async move {
            let service = service_fn(move |mut request: hyper::Request<Incoming>| {
                // Only a socket needs the router.
                let sockets = (request.uri().path() == SOCKETS).then(|| sockets.clone());
                let app = app.clone();
                async move {
                    let Some(sockets) = sockets else { return Ok::<_, Infallible>(http::answer(&app, peer.ip(), request).await) };
                    request.extensions_mut().insert(Peer(peer.ip()));
                    sockets.oneshot(request.map(axum::body::Body::new)).await
                }
            });
            let connection = http1::Builder::new()
                .timer(Deadlines)
                .header_read_timeout(HEADER_DEADLINE)
                .max_headers(MAX_HEADER_LINES)
                .max_buf_size(MAX_HEADERS + 8 * 1024)
                // Answers are small: copying them behind their head is cheaper than handing over two pieces.
                .writev(false)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            let mut connection = pin!(connection);
            // Whoever looks polls the connection, and it asks for its deadline.
            let ended = loop {
                if let Ok(ended) = tokio::time::timeout(LOOK, connection.as_mut()).await {
                    break ended;
                }
            };
            if let Err(error) = ended {
                tracing::trace!(%error, "connection");
            }
            drop(place);
        });
    }
}
