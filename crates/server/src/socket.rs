//! Realtime (`api.md` 7): Socket.IO connections at the site root. No money moves here.

mod channels;
mod hub;
mod people;
mod rooms;
mod telling;

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use serde_json::{Value as Json, json};
use socketioxide::SocketIo;
use socketioxide::extract::{AckSender, SocketRef, TryData};
use socketioxide::handler::ConnectHandler;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::app::App;
use crate::db::DbError;
use crate::http::headers::{self, Peer};
use crate::http::limits::{Caller, RateClass};
use crate::sequencer::Batch;
use crate::store;
use crate::text::Lang;
use hub::{Hub, Message};
use rooms::Room;

/// Path of the sockets.
pub const SOCKETS: &str = "/socket.io/";
/// Largest message of a client.
const MAX_MESSAGE: usize = 16 * 1024;
/// Events that may wait for one reader; beyond this he loses some and sees the gap.
const READER_QUEUE: usize = 512;
/// A connection without a pong ends after the sum of these.
const PING_EVERY: Duration = Duration::from_secs(25);
const PONG_WITHIN: Duration = Duration::from_secs(35);

/// The route of the sockets, and the task that serves them from what the sequencer publishes.
pub fn open(app: &App, published: mpsc::UnboundedReceiver<Batch>) -> (Router, JoinHandle<()>) {
    let (service, io) = SocketIo::builder()
        .req_path("/socket.io")
        .ping_interval(PING_EVERY)
        .ping_timeout(PONG_WITHIN)
        .max_buffer_size(READER_QUEUE)
        .max_payload(u64::try_from(MAX_MESSAGE).unwrap_or(u64::MAX))
        .ws_max_message_size(MAX_MESSAGE)
        .build_svc();
    {
        let (seq, time) = {
            let engine = app.sequencer.engine();
            (engine.seq().0, engine.time())
        };
        let mut tickers = app.tickers.write().unwrap_or_else(PoisonError::into_inner);
        app.catalog.markets.iter().for_each(|market| tickers.start_book(market.id, seq, time));
    }
    let (to_hub, messages) = mpsc::unbounded_channel();
    let (shared, sender) = (app.clone(), to_hub.clone());
    // Before the client learns that it is connected everything it may send has a handler, and its login is known.
    let prepare =
        move |socket: SocketRef, TryData(auth): TryData<Json>| connecting(shared.clone(), sender.clone(), socket, auth.unwrap_or_default());
    let sender = to_hub.clone();
    let connected = move |socket: SocketRef| told(&sender, Message::Ready { id: socket.id });
    // Nothing but a second registration of the namespace could fail here.
    io.ns("/", connected.with(prepare));
    let hub = tokio::spawn(Hub::new(app.clone(), io, to_hub).run(published, messages));
    let routes = Router::new().route_service(SOCKETS, service).layer(from_fn_with_state(app.clone(), gate));
    (routes, hub)
}

/// Refuses pages of other sites and too many attempts.
async fn gate(State(app): State<App>, request: Request, next: Next) -> Response {
    if headers::is_foreign(request.headers(), &app.config) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let attempt = !request.uri().query().unwrap_or_default().split('&').any(|pair| pair.starts_with("sid="));
    if attempt {
        let caller = Caller::address(address(&app, request.headers(), request.extensions().get::<Peer>()));
        if let Err(wait_ms) = app.limits.take(RateClass::Socket, caller, Instant::now()) {
            let retry = [("retry-after", wait_ms.div_ceil(1_000).max(1).to_string())];
            return (StatusCode::TOO_MANY_REQUESTS, retry).into_response();
        }
    }
    next.run(request).await
}

fn address(app: &App, headers: &axum::http::HeaderMap, peer: Option<&Peer>) -> IpAddr {
    headers::caller_address(peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0), headers, &app.config)
}

/// A connection of the default namespace: its events become messages to the hub, in their order.
async fn connecting(app: App, hub: mpsc::UnboundedSender<Message>, socket: SocketRef, auth: Json) -> Result<(), Infallible> {
    let parts = socket.req_parts();
    let address = Caller::address(address(&app, &parts.headers, parts.extensions.get::<Peer>()));
    // The hub lives as long as the server.
    let _ = hub.send(Message::Connecting { socket: socket.clone(), address });

    let lang = auth["language"].as_str().and_then(Lang::parse);
    let (shared, sender) = (app.clone(), hub.clone());
    socket.on("login", async move |socket: SocketRef, TryData(data): TryData<Json>, ack: AckSender| {
        let data = data.unwrap_or_default();
        let token = data["token"].as_str().or_else(|| data.as_str());
        let answer = match shared.limits.take(RateClass::Public, address, Instant::now()) {
            Err(_) => json!({"code": 0, "error": "E_RATE"}),
            Ok(()) if log_in(&shared, &sender, &socket, token, lang).await => json!({"code": 1}),
            Ok(()) => json!({"code": 0, "error": "E_AUTH"}),
        };
        // Who has gone needs no answer, here and below.
        let _ = ack.send(&answer);
    });
    let (shared, sender) = (app.clone(), hub.clone());
    socket.on("sub", move |socket: SocketRef, TryData(data): TryData<Json>, ack: AckSender| {
        match Room::parse(&shared.catalog, &data.unwrap_or_default()) {
            Ok(room) => drop(sender.send(Message::Subscribe { socket, room, ack })),
            Err(error) => drop(ack.send(&json!({"code": 0, "error": error}))),
        }
        ready(())
    });
    let (shared, sender) = (app.clone(), hub.clone());
    socket.on("unsub", move |socket: SocketRef, TryData(data): TryData<Json>, ack: AckSender| {
        match Room::parse(&shared.catalog, &data.unwrap_or_default()) {
            Ok(room) => drop(sender.send(Message::Unsubscribe { socket, room, ack })),
            Err(error) => drop(ack.send(&json!({"code": 0, "error": error}))),
        }
        ready(())
    });
    let sender = hub.clone();
    socket.on("resume", move |socket: SocketRef, TryData(data): TryData<Json>| {
        let pseq = data.unwrap_or_default()["pseq"].as_u64().unwrap_or(0);
        told(&sender, Message::Resume { socket, pseq })
    });
    let sender = hub.clone();
    socket.on_disconnect(move |socket: SocketRef| told(&sender, Message::Gone { id: socket.id }));
    log_in(&app, &hub, &socket, auth["token"].as_str(), lang).await;
    Ok(())
}

/// Tells the hub at once, so that messages keep their order; nothing is left to wait for.
fn told(hub: &mpsc::UnboundedSender<Message>, message: Message) -> Ready<()> {
    // The hub lives as long as the server.
    let _ = hub.send(message);
    ready(())
}

/// Tells the hub whose connection this is, and in which language he reads; false without a good token.
async fn log_in(app: &App, hub: &mpsc::UnboundedSender<Message>, socket: &SocketRef, token: Option<&str>, lang: Option<Lang>) -> bool {
    let Some(token) = token.filter(|token| !token.is_empty()) else { return false };
    let known = async {
        let Some(session) = app.sessions.find(token, &app.clock).await? else { return Ok(None) };
        let lang = match lang {
            Some(lang) => lang,
            None => store::people::lang(&app.db, session.user).await?,
        };
        Ok::<_, DbError>(Some((session, lang)))
    };
    match known.await {
        Ok(Some((session, lang))) => {
            let _ = hub.send(Message::LoggedIn { socket: socket.clone(), session, token: token.to_owned(), lang });
            true
        }
        // A wrong token is none: its owner stays a guest.
        Ok(None) => false,
        Err(error) => {
            tracing::error!(%error, "socket login");
            false
        }
    }
}
