//! Realtime (`docs/api.md` 7): Socket.IO connections at the site root. No money moves here.
//!
//! Everything here runs on threads of its own, so whatever clients send delays no request. Work that needs the database is passed to the
//! request threads.

mod broadcast;
mod budget;
mod channels;
mod delivery;
mod entrance;
mod hub;
mod lines;
mod member_streams;
mod rooms;

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode, Uri, header};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use kernel::sequencer::outlet::SocketInlet;
use serde_json::Value as Json;
use socketioxide::SocketIo;
use socketioxide::extract::{SocketRef, TryData};
use socketioxide::handler::ConnectHandler;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};
use tower::ServiceExt;

use crate::http::App;
use crate::http::headers;
use crate::http::limits::{Caller, RateClass};
use crate::http::listen::{self, SOCKETS};
use crate::http::stream::Wire;
use entrance::Entrance;
use hub::{Hub, Message};
use lines::Lines;

/// Largest message of a client.
const MAX_MESSAGE: usize = 16 * 1024;
/// Events that may wait for one reader. Beyond this public events are lost, which the reader sees by the gap, and private ones come later.
const READER_QUEUE: usize = 512;
/// Messages that may wait for the hub; further ones wait with their sender.
const HUB_QUEUE: usize = 4_096;
/// A connection without a pong ends after the sum of these.
const PING_EVERY: Duration = Duration::from_secs(25);
const PONG_WITHIN: Duration = Duration::from_secs(35);
/// Longest session number that is accepted.
const MAX_SESSION: usize = 32;
/// Cores for each thread of the sockets.
const CORES_A_THREAD: usize = 4;

/// The threads of the sockets, until they are dropped.
#[derive(Debug)]
pub struct Threads(Option<Runtime>);

impl Threads {
    /// One thread for every four cores.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn start() -> io::Result<Threads> {
        let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get().div_ceil(CORES_A_THREAD));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).thread_name("sockets").enable_all().build()?;
        Ok(Threads(Some(runtime)))
    }

    /// The runtime handle of these threads. Without threads, the caller's.
    pub fn handle(&self) -> Handle {
        self.0.as_ref().map_or_else(Handle::current, |runtime| runtime.handle().clone())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // A runtime must not block on another one.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// The way of requests to the sockets. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Sockets {
    app: App,
    lines: Lines,
    threads: Handle,
}

/// The handle of the sockets, and the task that serves them from what the sequencer publishes; both run on these threads. Must be called in
/// the runtime that queries the database.
pub fn open(app: &App, published: SocketInlet, threads: &Handle) -> (Sockets, JoinHandle<()>) {
    let (service, io) = SocketIo::builder()
        .req_path("/socket.io")
        .ping_interval(PING_EVERY)
        .ping_timeout(PONG_WITHIN)
        .max_buffer_size(READER_QUEUE)
        .max_payload(u64::try_from(MAX_MESSAGE).unwrap_or(u64::MAX))
        .ws_max_message_size(MAX_MESSAGE)
        .build_svc();
    let (to_hub, messages) = mpsc::channel(HUB_QUEUE);
    let lines = Lines::new(Router::new().route_service(SOCKETS, service));
    let entrance = Arc::new(Entrance { app: app.clone(), lines: lines.clone(), hub: to_hub.clone(), requests: Handle::current() });
    // Before the client learns that it is connected, all its messages have handlers and its login is known.
    let entering = Arc::downgrade(&entrance);
    let prepare =
        move |socket: SocketRef, TryData(auth): TryData<Json>| entrance::connect(entering.clone(), socket, auth.unwrap_or_default());
    let connected = move |socket: SocketRef| entrance::pass_on(&to_hub, Message::Ready { socket });
    // Only a second registration of the namespace could fail here.
    io.ns("/", connected.with(prepare));
    let serving = Hub::new(io, entrance).run(published, messages);
    let hub = threads.spawn(app.sequencer.clone().depend_on("what serves the sockets", serving));
    (Sockets { app: app.clone(), lines, threads: threads.clone() }, hub)
}

impl Sockets {
    /// The way there for the listener.
    pub fn service(self) -> listen::Sockets {
        Arc::new(move |peer, wire, request| {
            let sockets = self.clone();
            Box::pin(async move { sockets.answer(peer, wire, request).await })
        })
    }

    /// Answers a socket request: pages of other sites and callers over the limit are refused here, the rest goes to the socket threads.
    async fn answer(&self, peer: IpAddr, wire: Arc<Wire>, request: Request<Incoming>) -> Response<Body> {
        let session = query(request.uri(), "sid").map(str::to_owned);
        let mut response = match self.admit(peer, &wire, request.map(Body::new)) {
            Ok(request) => {
                // These tasks end with the connection that waits for them.
                let mut answering = JoinSet::new();
                answering.spawn_on(self.lines.library().oneshot(request), &self.threads);
                let answered = answering.join_next().await.and_then(Result::ok);
                answered.map_or_else(|| StatusCode::SERVICE_UNAVAILABLE.into_response(), |Ok(response)| response)
            }
            Err(refused) => refused.respond(),
        };
        // Before this response is written no WebSocket data can arrive, so everything is read as requests.
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            wire.becomes_socket();
            session.iter().for_each(|session| self.lines.changes(session, &wire));
        }
        headers::secure(response.headers_mut());
        response
    }

    fn admit(&self, peer: IpAddr, wire: &Arc<Wire>, mut request: Request<Body>) -> Result<Request<Body>, Refused> {
        if let Err(status) = headers::check_head(request.uri(), request.version(), request.headers()) {
            return Err(Refused { status, wait_ms: None });
        }
        if headers::is_foreign(request.headers(), &self.app.config) {
            return Err(Refused { status: StatusCode::FORBIDDEN, wait_ms: None });
        }
        let (caller, now) = (Caller::address(headers::caller_address(peer, request.headers(), &self.app.config)), Instant::now());
        let websocket = match query(request.uri(), "transport") {
            Some("websocket") => true,
            Some("polling") => false,
            // The library would also accept `websocket=`.
            Some(_) | None => return Err(Refused { status: StatusCode::BAD_REQUEST, wait_ms: None }),
        };
        match query(request.uri(), "sid") {
            Some(session) if session.len() > MAX_SESSION => return Err(Refused { status: StatusCode::BAD_REQUEST, wait_ms: None }),
            Some(_) => {
                if !self.lines.polls(caller, now) {
                    return Err(too_often(1_000));
                }
            }
            None => {
                self.app.limits.take(RateClass::Socket, caller, now).map_err(too_often)?;
                let line = self.lines.begin(caller, websocket.then(|| wire.clone()), now).ok_or_else(|| too_often(1_000))?;
                request.extensions_mut().insert(line);
            }
        }
        Ok(request)
    }
}

fn query<'a>(uri: &'a Uri, name: &str) -> Option<&'a str> {
    let mut pairs = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// An answer without a body.
#[derive(Clone, Copy, Debug)]
struct Refused {
    status: StatusCode,
    wait_ms: Option<u64>,
}

impl Refused {
    fn respond(self) -> Response<Body> {
        let mut response = self.status.into_response();
        if let Some(wait_ms) = self.wait_ms {
            response.headers_mut().insert(header::RETRY_AFTER, wait_ms.div_ceil(1_000).max(1).into());
        }
        response
    }
}

fn too_often(wait_ms: u64) -> Refused {
    Refused { status: StatusCode::TOO_MANY_REQUESTS, wait_ms: Some(wait_ms) }
}
