//! The listener: connections with caps and deadlines.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use hyper::body::Incoming;
use hyper::rt::{Sleep, Timer};
use hyper::server::conn::http1;
use hyper::service::{HttpService, service_fn};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpListener;
use tower::ServiceExt;

use super::headers::{MAX_HEADER_LINES, MAX_HEADERS, Peer};
use super::limits::Caller;
use crate::app::App;
use crate::http;
use crate::socket::SOCKETS;

const HEADER_DEADLINE: Duration = Duration::from_secs(10);
/// Whoever takes nothing of an answer for this long is cut off.
const STALL: Duration = Duration::from_secs(30);
/// A connection looks at its deadlines this often.
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

/// A stream that ends when its reader takes nothing for too long. It looks whenever somebody polls it.
#[derive(Debug)]
struct Patient<S> {
    stream: S,
    patience: Duration,
    stalled: Option<Instant>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(cx, bytes);
        if written.is_ready() {
            this.stalled = None;
        } else if this.stalled.get_or_insert_with(Instant::now).elapsed() >= this.patience {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        written
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

/// Answers on one connection until it ends or becomes a socket.
async fn converse<S, V>(stream: S, patience: Duration, service: V) -> hyper::Result<()>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    V: HttpService<Incoming, ResBody = axum::body::Body, Error = Infallible>,
{
    let connection = http1::Builder::new()
        .timer(Deadlines)
        .header_read_timeout(HEADER_DEADLINE)
        .max_headers(MAX_HEADER_LINES)
        .max_buf_size(MAX_HEADERS + 8 * 1024)
        // Answers are small: copying them behind their head is cheaper than handing over two pieces.
        .writev(false)
        .serve_connection(TokioIo::new(Patient { stream, patience, stalled: None }), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    // Whoever looks polls the connection, and it asks for its deadlines.
    loop {
        if let Ok(ended) = tokio::time::timeout(LOOK, connection.as_mut()).await {
            return ended;
        }
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
            if let Err(error) = converse(stream, STALL, service).await {
                tracing::trace!(%error, "connection");
            }
            drop(place);
        });
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use axum::body::Body;
    use hyper::Response;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[test]
    fn there_is_room_for_4096_connections_and_no_more() {
        let held: Arc<Held> = Arc::default();
        let caller = |number: u32| Caller::address(IpAddr::V4(Ipv4Addr::from(number)));
        let mut places: Vec<_> = (0..4_096).map(|number| held.enter(caller(number), false)).collect();
        assert!(places.iter().all(Option::is_some));
        assert!(held.enter(caller(4_096), false).is_none() && held.enter(caller(0), true).is_none());
        places.pop();
        assert!(held.enter(caller(4_096), false).is_some());
    }

    #[tokio::test]
    async fn who_takes_nothing_of_an_answer_is_cut_off() {
        let service = || service_fn(async |_| Ok::<_, Infallible>(Response::new(Body::from(vec![b'a'; 100_000]))));
        let patience = Duration::from_millis(300);
        let ask = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

        let (mut idle, stream) = tokio::io::duplex(1_024);
        assert!(idle.write_all(ask).await.is_ok());
        let ended = tokio::time::timeout(Duration::from_secs(5), converse(stream, patience, service())).await;
        assert!(matches!(ended, Ok(Err(_))), "{ended:?}");

        // A slow one who goes on is served to the end, though that takes longer.
        let (mut slow, stream) = tokio::io::duplex(1_024);
        assert!(slow.write_all(ask).await.is_ok());
        let serving = tokio::spawn(converse(stream, patience, service()));
        let (started, mut read, mut buffer) = (Instant::now(), 0, [0; 1_024]);
        while let Ok(more @ 1..) = slow.read(&mut buffer).await {
            read += more;
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(read > 100_000 && started.elapsed() > patience, "{read} bytes in {:?}", started.elapsed());
        assert!(matches!(serving.await, Ok(Ok(()))));
    }
}
