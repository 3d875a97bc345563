//! The listener: connections with caps and deadlines.

use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::rt::{Sleep, Timer};
use hyper::server::conn::http1;
use hyper::service::{HttpService, service_fn};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::App;
use super::audit::Work;
use super::deadline::LOOK;
use super::headers::MAX_HEADERS;
use super::health;
use super::reply::Known;
use super::slots::Slots;
use super::stream::{Stream, Wire};
use super::surface::Surface;
use crate::http;

/// Path of the sockets.
pub const SOCKETS: &str = "/socket.io/";
const HEADER_DEADLINE: Duration = Duration::from_secs(10);
/// A client that reads nothing of an answer for this long is cut off.
const STALL: Duration = Duration::from_secs(30);
/// Connections that may wait for the end of a start.
const WAITING: usize = 100;

/// Deadlines that are checked by polling. A new one begins with every request, and almost none is ever reached: a real timer for each costs
/// more than reading the head.
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

/// Answers on one connection until it ends or becomes a socket.
async fn converse<S, V>(stream: Stream<S>, service: V) -> hyper::Result<()>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    V: HttpService<Incoming, ResBody = Body, Error = Infallible>,
{
    let connection = http1::Builder::new()
        .timer(Deadlines)
        .header_read_timeout(HEADER_DEADLINE)
        .max_buf_size(MAX_HEADERS + 8 * 1024)
        // Responses are small, so copying them behind their headers is cheaper than writing two buffers.
        .writev(false)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    // Each look polls the connection, which then checks its deadlines.
    loop {
        if let Ok(ended) = tokio::time::timeout(LOOK, connection.as_mut()).await {
            return ended;
        }
    }
}

/// Answers while nothing can be served yet. Connections end when this ends.
pub async fn wait(listener: &TcpListener) -> Infallible {
    let mut held = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        while held.try_join_next().is_some() {}
        if held.len() < WAITING {
            let service = service_fn(async |request| Ok::<_, Infallible>(health::not_yet(&request)));
            held.spawn(converse(Stream::new(stream, STALL, Arc::default()), service));
        }
    }
}

/// Answers a socket request from this network address, which came over this connection.
pub type Sockets = Arc<dyn Fn(IpAddr, Arc<Wire>, Request<Incoming>) -> Work<'static, Response<Body>> + Send + Sync>;

/// Accepts connections for ever.
pub async fn serve(listener: TcpListener, surface: Surface, app: App, sockets: Sockets) {
    let slots: Arc<Slots> = Arc::default();
    loop {
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors: other connections must end first.
                tracing::warn!(%error, "accept");
                slots.make_room();
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let (wire, trusted) = (Arc::new(Wire::default()), app.config.trusted_proxies.contains(&peer.ip().to_canonical()));
        let Some(slot) = slots.enter(&wire, peer.ip(), trusted) else { continue };
        // Sends small responses at once.
        let _ = stream.set_nodelay(true);
        let (app, sockets) = (app.clone(), sockets.clone());
        tokio::spawn(async move {
            let stream = Stream::new(stream, STALL, wire.clone());
            let ends = wire.clone();
            let service = service_fn(move |request: Request<Incoming>| {
                // Only a socket request needs `sockets`.
                let is_socket = request.uri().path() == SOCKETS && surface.serves(SOCKETS);
                let sockets = is_socket.then(|| sockets.clone());
                let (app, wire) = (app.clone(), wire.clone());
                async move {
                    wire.begin();
                    let answer = match sockets {
                        Some(sockets) => sockets(peer.ip(), wire.clone(), request).await,
                        None => http::answer(&app, surface, peer.ip(), request).await,
                    };
                    wire.done(answer.extensions().get::<Known>().is_some());
                    Ok::<_, Infallible>(answer)
                }
            });
            tokio::select! {
                ended = converse(stream, service) => if let Err(error) = ended {
                    tracing::trace!(%error, "connection");
                },
                () = ends.ends() => tracing::trace!("another connection needs the slot"),
            }
            drop(slot);
        });
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn who_takes_nothing_of_an_answer_is_cut_off() {
        let service = || service_fn(async |_| Ok::<_, Infallible>(Response::new(Body::from(vec![b'a'; 100_000]))));
        let patience = Duration::from_millis(300);
        let ask = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

        let (mut idle, stream) = tokio::io::duplex(1_024);
        assert!(idle.write_all(ask).await.is_ok());
        let ended = tokio::time::timeout(Duration::from_secs(5), converse(Stream::new(stream, patience, Arc::default()), service())).await;
        assert!(matches!(ended, Ok(Err(_))), "{ended:?}");

        // A slow client that keeps sending is served to the end, even if that takes longer.
        let (mut slow, stream) = tokio::io::duplex(1_024);
        assert!(slow.write_all(ask).await.is_ok());
        let serving = tokio::spawn(converse(Stream::new(stream, patience, Arc::default()), service()));
        let (started, mut read, mut buffer) = (Instant::now(), 0, [0; 1_024]);
        while let Ok(more @ 1..) = slow.read(&mut buffer).await {
            read += more;
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(read > 100_000 && started.elapsed() > patience, "{read} bytes in {:?}", started.elapsed());
        assert!(matches!(serving.await, Ok(Ok(()))));
    }
}
