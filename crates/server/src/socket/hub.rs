//! The one task that serves all sockets: it follows the log, conflates each room on a short tick, and numbers what it tells.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use engine::ids::MarketId;
use engine::time::Time;
use serde_json::{Value as Json, json};
use socketioxide::SocketIo;
use socketioxide::extract::{AckSender, SocketRef};
use socketioxide::socket::Sid;
use tokio::sync::{broadcast, mpsc};
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

use super::channels::{Head, Pair, payload};
use super::people::People;
use super::rooms::{Channel, DEFAULT, Room};
use crate::app::App;
use crate::http::auth::{Ended, Session};
use crate::http::limits::Caller;
use crate::sequencer::Batch;
use crate::text::Lang;

/// A room is told at most this often.
const TICK: Duration = Duration::from_millis(100);
/// Ticks between two tellings of the default room, and between two looks at the sessions.
const DEFAULT_TICKS: u64 = 10;
const MOST_ROOMS: usize = 50;
const MOST_OF_USER: usize = 10;
const MOST_OF_ADDRESS: usize = 100;
const CONNECT_WITHIN: Duration = Duration::from_secs(60);

/// What the connections tell the hub.
pub(super) enum Message {
    Connecting { socket: SocketRef, address: Caller },
    Ready { id: Sid },
    LoggedIn { socket: SocketRef, session: Session, token: String, lang: Lang },
    Subscribe { socket: SocketRef, room: Room, ack: AckSender },
    Unsubscribe { socket: SocketRef, room: Room, ack: AckSender },
    Resume { socket: SocketRef, pseq: u64 },
    Ended { id: Sid },
    Gone { id: Sid },
}

struct Connection {
    socket: SocketRef,
    address: Caller,
    session: Option<(Session, String)>,
    /// Of his notices.
    lang: Lang,
    rooms: BTreeSet<Room>,
    by_default: bool,
    /// The client knows that it is connected; before that it is told nothing.
    ready: bool,
    since: Instant,
}

/// All connections and rooms.
pub(super) struct Hub {
    pub(super) app: App,
    pub(super) io: SocketIo,
    to_self: mpsc::UnboundedSender<Message>,
    connections: HashMap<Sid, Connection>,
    pub(super) people: People,
    pub(super) pairs: BTreeMap<MarketId, Pair>,
    /// The minute whose beginning the pairs have passed.
    pub(super) passed: Time,
    /// Trades and pairs that the default room was not told of yet.
    pub(super) later: BTreeMap<MarketId, (Vec<Json>, bool, bool)>,
    pub(super) seqs: HashMap<Room, u64>,
    checking: Option<JoinHandle<()>>,
}

/// Says that the session ended, and ends the connection.
fn log_out(socket: SocketRef) {
    // A reader whose queue is full is ended all the same.
    let _ = socket.emit("logout", &json!({"error": "E_AUTH"}));
    let _ = socket.disconnect();
}

impl Hub {
    pub(super) fn new(app: App, io: SocketIo, to_self: mpsc::UnboundedSender<Message>) -> Hub {
        Hub {
            app,
            io,
            to_self,
            connections: HashMap::new(),
            people: People::default(),
            pairs: BTreeMap::new(),
            passed: Time::default(),
            later: BTreeMap::new(),
            seqs: HashMap::new(),
            checking: None,
        }
    }

    pub(super) async fn run(mut self, mut published: mpsc::UnboundedReceiver<Batch>, mut messages: mpsc::UnboundedReceiver<Message>) {
        for market in &self.app.catalog.markets {
            let pair = Pair::load(&self.app, market).await;
            self.pairs.insert(market.id, pair);
            let book = Room { channel: Channel::Book, market: market.id, candles: None, default: false };
            self.seqs.insert(book, self.app.tickers().book(market.id).seq);
        }
        let mut endings = self.app.sessions.endings();
        let mut notices = self.app.told.subscribe();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut ticks: u64 = 0;
        loop {
            tokio::select! {
                // What was answered before a message came is taken in before the message.
                biased;
                batch = published.recv() => match batch {
                    Some(batch) => self.follow(&batch).await,
                    None => return,
                },
                Some(message) = messages.recv() => self.handle(message).await,
                ending = endings.recv() => self.end(ending),
                Ok(told) = notices.recv() => self.tell_notice(told).await,
                _ = tick.tick() => {
                    ticks += 1;
                    self.tell(ticks.is_multiple_of(DEFAULT_TICKS)).await;
                    if ticks.is_multiple_of(DEFAULT_TICKS) {
                        self.check_sessions();
                        self.people.forget(Instant::now());
                    }
                }
            }
        }
    }

    async fn handle(&mut self, message: Message) {
        match message {
            Message::Connecting { socket, address } => {
                let now = Instant::now();
                let connection = Connection {
                    socket: socket.clone(),
                    address,
                    session: None,
                    lang: Lang::default(),
                    rooms: BTreeSet::new(),
                    by_default: true,
                    ready: false,
                    since: now,
                };
                self.connections.insert(socket.id, connection);
            }
            Message::Ready { id } => self.ready(id),
            Message::LoggedIn { socket, session, token, lang } => self.log_in(socket, session, token, lang),
            Message::Subscribe { socket, room, ack } => self.subscribe(&socket, room, ack).await,
            Message::Unsubscribe { socket, room, ack } => {
                if let Some(connection) = self.connections.get_mut(&socket.id) {
                    connection.rooms.remove(&room);
                    socket.leave(room.name());
                }
                self.acknowledge(room, ack);
            }
            Message::Resume { socket, pseq } => self.resume(&socket, pseq),
            Message::Ended { id } => {
                if let Some(connection) = self.connections.get(&id) {
                    log_out(connection.socket.clone());
                }
            }
            Message::Gone { id } => self.forget(id),
        }
    }

    fn ready(&mut self, id: Sid) {
        let Some(connection) = self.connections.get_mut(&id) else { return };
        let (socket, address) = (connection.socket.clone(), connection.address);
        connection.ready = true;
        if connection.by_default {
            socket.join(DEFAULT);
        }
        if let Some((session, _)) = &connection.session {
            socket.join(user_rooms(session.user.0, connection.lang));
        }
        if self.connections.values().filter(|other| other.address == address).count() > MOST_OF_ADDRESS {
            drop(socket.disconnect());
        }
    }

    fn log_in(&mut self, socket: SocketRef, session: Session, token: String, lang: Lang) {
        let now = Instant::now();
        let Some(connection) = self.connections.get_mut(&socket.id) else { return };
        if let Some((before, _)) = connection.session.take() {
            self.people.leave(before.user, now);
            socket.leave(user_rooms(before.user.0, connection.lang));
        }
        // The wall clock in ms is above every number given before: nobody gets a thousand events a second for long.
        if !self.people.enter(session.user, MOST_OF_USER, self.app.clock.wall_ms(), now) {
            drop(socket.disconnect());
            return;
        }
        if connection.ready {
            socket.join(user_rooms(session.user.0, lang));
        }
        connection.lang = lang;
        connection.session = Some((session, token));
    }

    fn forget(&mut self, id: Sid) {
        if let Some(Connection { session: Some((session, _)), .. }) = self.connections.remove(&id) {
            self.people.leave(session.user, Instant::now());
        }
    }

    async fn subscribe(&mut self, socket: &SocketRef, room: Room, ack: AckSender) {
        let Some(connection) = self.connections.get_mut(&socket.id) else { return };
        if connection.rooms.len() >= MOST_ROOMS && !connection.rooms.contains(&room) {
            drop(ack.send(&json!({"code": 0, "error": "E_OPEN_LIMIT"})));
            return;
        }
        if std::mem::take(&mut connection.by_default) {
            socket.leave(DEFAULT);
        }
        if room.channel == Channel::Book {
            // What waits for the tick is told first, so that the snapshot and the deltas after it fit.
            self.tell_book(room.market).await;
        }
        let Some(connection) = self.connections.get_mut(&socket.id) else { return };
        connection.rooms.insert(room);
        socket.join(room.name());
        self.acknowledge(room, ack);
        if room.channel == Channel::Book {
            let (Some(market), Some(pair)) = (self.app.catalog.market(room.market), self.pairs.get(&room.market)) else { return };
            let seq = self.seqs.get(&room).copied().unwrap_or(0);
            let time = self.app.tickers().book(room.market).time;
            let head = Head::new(&self.app.catalog, market, room.channel.word(), seq, time);
            drop(socket.emit(room.channel.word(), &payload(head, pair.snapshot(&self.app.catalog, market, seq))));
        }
    }

    fn acknowledge(&self, room: Room, ack: AckSender) {
        let symbol = self.app.catalog.market(room.market).map_or("", |market| market.symbol.as_str());
        let seq = self.seqs.get(&room).copied().unwrap_or(0);
        drop(ack.send(&json!({"code": 1, "channel": room.channel.word(), "symbol": symbol, "seq": seq})));
    }

    fn resume(&self, socket: &SocketRef, pseq: u64) {
        let Some(Connection { session: Some((session, _)), lang, .. }) = self.connections.get(&socket.id) else { return };
        match self.people.after(session.user, pseq) {
            Some(missed) => missed.for_each(|private| drop(socket.emit(private.name, &*private.payload_in(*lang)))),
            None => {
                let seq = self.app.sequencer.engine().seq().0;
                drop(socket.emit("resync", &json!({"seq": seq})));
            }
        }
    }

    /// Closes what belongs to ended sessions. Endings that were missed are found by the check of each second.
    fn end(&mut self, ending: Result<Ended, broadcast::error::RecvError>) {
        let Ok(ended) = ending else { return };
        for connection in self.connections.values() {
            if connection.session.as_ref().is_some_and(|(session, _)| ended.covers(session)) {
                log_out(connection.socket.clone());
            }
        }
    }

    /// Looks whether the sessions still live: they expire, and another node may have ended them.
    fn check_sessions(&mut self) {
        // Connections that broke off before they were made tell nobody.
        let stuck = self.connections.iter().filter(|(_, connection)| !connection.ready && connection.since.elapsed() > CONNECT_WITHIN);
        let stuck: Vec<Sid> = stuck.map(|(id, _)| *id).collect();
        stuck.into_iter().for_each(|id| self.forget(id));
        if self.checking.as_ref().is_some_and(|task| !task.is_finished()) {
            return;
        }
        let sessions = self.connections.iter().filter_map(|(id, connection)| Some((*id, connection.session.as_ref()?.1.clone())));
        let (sessions, app, hub): (Vec<_>, _, _) = (sessions.collect(), self.app.clone(), self.to_self.clone());
        self.checking = Some(tokio::spawn(async move {
            for (id, token) in sessions {
                if !app.sessions.is_live(&token, &app.clock).await {
                    let _ = hub.send(Message::Ended { id });
                }
            }
        }));
    }
}

pub(super) fn user_room(user: u64) -> String {
    format!("user|{user}")
}

/// Of a member's connections in one language.
pub(super) fn notice_room(user: u64, lang: Lang) -> String {
    format!("user|{user}|{}", lang.code())
}

fn user_rooms(user: u64, lang: Lang) -> [String; 2] {
    [user_room(user), notice_room(user, lang)]
}
