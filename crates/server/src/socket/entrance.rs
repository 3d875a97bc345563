//! What clients send: each message is charged to a budget, then passed to the hub in the order of arrival.

use std::fmt;
use std::future::{Future, ready};
use std::sync::{Arc, Weak};
use std::time::Instant;

use serde_json::{Value as Json, json};
use socketioxide::extract::{AckSender, SocketRef, TryData};
use store::db::DbError;
use tokio::runtime::Handle;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use super::hub::Message;
use super::lines::{Line, Lines};
use super::rooms::{Channel, Room};
use crate::http::App;
use crate::http::auth::Session;
use crate::http::code::Code;
use crate::http::limits::RateClass;
use crate::i18n::Lang;

/// Cost of a message.
const PLAIN: u64 = 1;
/// Up to 1,000 levels of a book are sent.
const BOOK: u64 = 5;
/// Up to 1,000 events are sent.
const RESUME: u64 = 10;

/// What a new connection needs. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Entrance {
    pub(super) app: App,
    pub(super) lines: Lines,
    pub(super) hub: mpsc::Sender<Message>,
    /// The runtime that queries the database.
    pub(super) requests: Handle,
}

/// Why a connection is not made; the client reads the name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refused(Code);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// Passes a message on at once, so messages keep their order. Only when the hub is far behind does it wait, with its sender.
pub(super) fn pass_on(hub: &mpsc::Sender<Message>, message: Message) -> impl Future<Output = ()> + Send + use<> {
    let left = match hub.try_send(message) {
        Err(TrySendError::Full(message)) => Some((hub.clone(), message)),
        // The hub lives as long as the server.
        Ok(()) | Err(TrySendError::Closed(_)) => None,
    };
    async move {
        if let Some((hub, message)) = left {
            let _ = hub.send(message).await;
        }
    }
}

/// A connection of the default namespace. The library's references for later connections do not keep the server alive: they end with the
/// hub.
pub(super) async fn connect(entrance: Weak<Entrance>, socket: SocketRef, auth: Json) -> Result<(), Refused> {
    let entrance = entrance.upgrade().ok_or(Refused(Code::NotReady))?;
    Entrance::clone(&entrance).connect(socket, auth).await
}

impl Entrance {
    async fn connect(self, socket: SocketRef, auth: Json) -> Result<(), Refused> {
        let line = socket.req_parts().extensions.get::<Arc<Line>>().cloned();
        let connected = match &line {
            Some(line) if line.connects() => self.clone().enter(&socket, line, &auth).await,
            _ => Err(Refused(Code::WrongState)),
        };
        if connected.is_err() {
            self.lines.end_soon(&socket);
            pass_on(&self.hub, Message::Gone { id: socket.id }).await;
        }
        connected
    }

    async fn enter(self, socket: &SocketRef, line: &Arc<Line>, auth: &Json) -> Result<(), Refused> {
        let token = auth["token"].as_str().filter(|token| !token.is_empty());
        if token.is_some() && self.app.limits.take(RateClass::Public, line.address, Instant::now()).is_err() {
            return Err(Refused(Code::TooManyCalls));
        }
        pass_on(&self.hub, Message::Connecting { socket: socket.clone(), address: line.address }).await;
        let lang = auth["language"].as_str().and_then(Lang::parse);
        let first = line.login();
        self.listen(socket, line, lang);
        // A wrong token counts as none, so the client stays a guest.
        self.log_in(socket, first, token, lang).await.map(drop)
    }

    fn listen(&self, socket: &SocketRef, line: &Arc<Line>, lang: Option<Lang>) {
        let (entrance, own) = (self.clone(), line.clone());
        socket.on("login", move |socket: SocketRef, TryData(data): TryData<Json>, ack: AckSender| {
            let allowed = entrance.lines.allow(&own, &socket, PLAIN, Instant::now());
            let number = own.login();
            async move {
                if allowed {
                    let answer = entrance.login(&own, number, &socket, &data.unwrap_or_default(), lang).await;
                    // A client that has gone needs no answer, here and below.
                    let _ = ack.send(&answer);
                }
            }
        });
        for (event, joining) in [("sub", true), ("unsub", false)] {
            let (entrance, own) = (self.clone(), line.clone());
            socket.on(event, move |socket: SocketRef, TryData(data): TryData<Json>, ack: AckSender| {
                entrance.room(&own, socket, &data.unwrap_or_default(), ack, joining)
            });
        }
        let (entrance, own) = (self.clone(), line.clone());
        socket.on("resume", move |socket: SocketRef, TryData(data): TryData<Json>| {
            let pseq = data.unwrap_or_default()["pseq"].as_u64().unwrap_or(0);
            let allowed = entrance.lines.allow(&own, &socket, RESUME, Instant::now());
            let passing = allowed.then(|| pass_on(&entrance.hub, Message::Resume { socket, pseq }));
            async {
                if let Some(passing) = passing {
                    passing.await
                }
            }
        });
        let (entrance, own) = (self.clone(), line.clone());
        socket.on_fallback(move |socket: SocketRef| {
            entrance.lines.allow(&own, &socket, PLAIN, Instant::now());
            ready(())
        });
        let entrance = self.clone();
        socket.on_disconnect(move |socket: SocketRef| {
            // A client that leaves the namespace has nothing left here.
            entrance.lines.end(&socket);
            pass_on(&entrance.hub, Message::Gone { id: socket.id })
        });
    }

    async fn login(&self, line: &Line, number: u64, socket: &SocketRef, data: &Json, lang: Option<Lang>) -> Json {
        let token = data["token"].as_str().or_else(|| data.as_str());
        match self.app.limits.take(RateClass::Public, line.address, Instant::now()) {
            Err(_) => json!({"code": 0, "error": Code::TooManyCalls.name()}),
            Ok(()) => match self.log_in(socket, number, token, lang).await {
                Ok(true) => json!({"code": 1}),
                Ok(false) => json!({"code": 0, "error": Code::LoggedOut.name()}),
                Err(Refused(code)) => json!({"code": 0, "error": code.name()}),
            },
        }
    }

    fn room(&self, line: &Line, socket: SocketRef, data: &Json, ack: AckSender, joining: bool) -> impl Future<Output = ()> + Send + use<> {
        let room = Room::parse(&self.app.catalog, data);
        let cost = if joining && room.is_ok_and(|room| room.channel == Channel::Book) { BOOK } else { PLAIN };
        let passing = self.lines.allow(line, &socket, cost, Instant::now()).then(|| match room {
            Ok(room) if joining => Some(pass_on(&self.hub, Message::Subscribe { socket, room, ack })),
            Ok(room) => Some(pass_on(&self.hub, Message::Unsubscribe { socket, room, ack })),
            Err(error) => {
                drop(ack.send(&json!({"code": 0, "error": error.name()})));
                None
            }
        });
        async {
            if let Some(passing) = passing.flatten() {
                passing.await
            }
        }
    }

    /// Tells the hub which member this connection belongs to, and their language, and waits until their events go to it. A client that
    /// learns it is connected misses none. False without a valid token.
    ///
    /// # Errors
    /// `E_NOT_READY` while sessions cannot be read, `E_OPEN_LIMIT` when the member has too many connections.
    async fn log_in(&self, socket: &SocketRef, number: u64, token: Option<&str>, lang: Option<Lang>) -> Result<bool, Refused> {
        let Some(token) = token.filter(|token| !token.is_empty()) else { return Ok(false) };
        let (app, shown) = (self.app.clone(), token.to_owned());
        let asked = self.requests.spawn(async move { session(&app, &shown, lang).await });
        let Ok(found) = asked.await else { return Err(Refused(Code::NotReady)) };
        let found = found.map_err(|error| {
            tracing::error!(%error, "socket login");
            Refused(Code::NotReady)
        })?;
        let Some((session, lang)) = found else { return Ok(false) };
        let (follows, following) = oneshot::channel();
        pass_on(&self.hub, Message::LoggedIn { socket: socket.clone(), number, session, token: token.to_owned(), lang, follows }).await;
        // Not answered when the hub has ended.
        if following.await == Ok(false) { Err(Refused(Code::TooManyOpen)) } else { Ok(true) }
    }
}

async fn session(app: &App, token: &str, lang: Option<Lang>) -> Result<Option<(Session, Lang)>, DbError> {
    let Some(session) = app.sessions.find(token, &app.clock).await? else { return Ok(None) };
    let lang = match lang {
        Some(lang) => lang,
        None => store::people::lang(&app.db, session.user).await?,
    };
    Ok(Some((session, lang)))
}
