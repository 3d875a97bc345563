//! The one task that serves all sockets: it follows the log, conflates each room on a short tick, and numbers its messages.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::ids::{MarketId, Seq};
use engine::time::Time;
use kernel::sequencer::outlet::{News, SocketInlet};
use serde_json::json;
use socketioxide::SocketIo;
use socketioxide::extract::{AckSender, SocketRef};
use socketioxide::socket::Sid;
use tokio::runtime::Handle;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

use super::channels::{Head, Later, Pair, payload};
use super::entrance::Entrance;
use super::lines::Lines;
use super::member_streams::People;
use super::rooms::{Channel, DEFAULT, Room};
use crate::http::App;
use crate::http::auth::{Ended, Session};
use crate::http::code::Code;
use crate::http::limits::Caller;
use crate::i18n::Lang;

/// A room is updated at most this often.
const TICK: Duration = Duration::from_millis(100);
/// Ticks between two updates of the default room, and between two checks of the sessions.
const DEFAULT_TICKS: u64 = 10;
const MOST_ROOMS: usize = 50;
const MOST_OF_USER: usize = 10;
const MOST_OF_ADDRESS: usize = 100;
const CONNECT_WITHIN: Duration = Duration::from_secs(60);
/// When a member has too many connections, those that are not made within this time have broken off.
const MADE_WITHIN: Duration = Duration::from_secs(1);

/// A message from a connection to the hub.
pub(super) enum Message {
    Connecting {
        socket: SocketRef,
        address: Caller,
    },
    Ready {
        socket: SocketRef,
    },
    /// Answered once the member's events go to this connection; false if they have too many. Of two the one with the higher number counts.
    LoggedIn {
        socket: SocketRef,
        number: u64,
        session: Session,
        token: String,
        lang: Lang,
        follows: oneshot::Sender<bool>,
    },
    Subscribe {
        socket: SocketRef,
        room: Room,
        ack: AckSender,
    },
    Unsubscribe {
        socket: SocketRef,
        room: Room,
        ack: AckSender,
    },
    Resume {
        socket: SocketRef,
        pseq: u64,
    },
    Ended {
        id: Sid,
    },
    Gone {
        id: Sid,
    },
}

pub(super) struct Connection {
    pub(super) socket: SocketRef,
    address: Caller,
    pub(super) session: Option<(Session, String)>,
    /// Language of their notices.
    pub(super) lang: Lang,
    rooms: BTreeSet<Room>,
    by_default: bool,
    /// The client knows that it is connected; nothing is sent before that.
    pub(super) ready: bool,
    since: Instant,
    /// Number of the newest login.
    login: u64,
    /// The member's event sent last; `None` when what follows it is lost.
    pub(super) place: Option<u64>,
    /// Not all of the member's events were sent.
    pub(super) behind: bool,
}

/// All connections and rooms.
pub(super) struct Hub {
    pub(super) app: App,
    pub(super) io: SocketIo,
    to_self: mpsc::Sender<Message>,
    /// New connections come in as long as this lives.
    _entrance: Arc<Entrance>,
    lines: Lines,
    /// The runtime that queries the database.
    pub(super) requests: Handle,
    pub(super) connections: HashMap<Sid, Connection>,
    /// Connections that have to catch up.
    pub(super) behind: VecDeque<Sid>,
    /// Connections that wait for a room: until they are ready, or until the changes of a book are sent.
    pub(super) waiting: Vec<(SocketRef, Room, AckSender)>,
    /// Entries up to here are included in what was read from the state.
    pub(super) known: Seq,
    pub(super) people: People,
    pub(super) pairs: BTreeMap<MarketId, Pair>,
    /// The minute whose beginning the pairs have passed.
    pub(super) passed: Time,
    /// Not yet sent to the default room.
    pub(super) later: BTreeMap<MarketId, Later>,
    /// Number of the newest event of each room; a book has the sequence of its newest change instead.
    pub(super) seqs: HashMap<Room, u64>,
    checking: Option<JoinHandle<()>>,
}

impl Hub {
    pub(super) fn new(io: SocketIo, entrance: Arc<Entrance>) -> Hub {
        let Entrance { app, lines, hub, requests } = Entrance::clone(&entrance);
        Hub {
            app,
            io,
            to_self: hub,
            _entrance: entrance,
            lines,
            requests,
            connections: HashMap::new(),
            behind: VecDeque::new(),
            waiting: Vec::new(),
            known: Seq(0),
            people: People::default(),
            pairs: BTreeMap::new(),
            passed: Time::default(),
            later: BTreeMap::new(),
            seqs: HashMap::new(),
            checking: None,
        }
    }

    pub(super) async fn run(mut self, mut published: SocketInlet, mut messages: mpsc::Receiver<Message>) {
        self.load_pairs().await;
        let mut endings = self.app.sessions.endings();
        let mut notices = self.app.notices.subscribe();
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut ticks: u64 = 0;
        loop {
            tokio::select! {
                // Ticks come first, so that a busy log cannot delay them. Entries published before a message came are taken before that
                // message.
                biased;
                _ = tick.tick() => {
                    ticks += 1;
                    self.tick(ticks.is_multiple_of(DEFAULT_TICKS)).await;
                }
                news = published.recv() => match news {
                    Some(News::Entries(batch)) => self.follow(&batch),
                    Some(News::Gap) => self.start_over().await,
                    None => return,
                },
                Some(message) = messages.recv() => self.handle(message),
                ending = endings.recv() => self.end(ending),
                notice = notices.recv() => match notice {
                    Ok(told) => self.tell_notices(&told),
                    // Too many notices at once: members who missed one read again.
                    Err(_) => self.all_read_again(),
                },
            }
        }
    }

    async fn tick(&mut self, default_too: bool) {
        self.tell(default_too).await;
        self.all_catch_up();
        if default_too {
            self.follow_contracts();
            let now = Instant::now();
            self.check_sessions();
            self.people.forget(now);
            self.lines.tidy(now);
        }
    }

    fn handle(&mut self, message: Message) {
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
                    login: 0,
                    place: None,
                    behind: false,
                };
                self.connections.insert(socket.id, connection);
            }
            Message::Ready { socket } => self.ready(&socket),
            Message::LoggedIn { socket, number, session, token, lang, follows } => {
                // A client that has gone is not waiting.
                let _ = follows.send(self.log_in(&socket, number, session, token, lang));
            }
            Message::Subscribe { socket, room, ack } => self.subscribe(&socket, room, ack),
            Message::Unsubscribe { socket, room, ack } => {
                if let Some(connection) = self.connections.get_mut(&socket.id) {
                    connection.rooms.remove(&room);
                    socket.leave(room.name());
                }
                // A `sub` that still waits is answered first.
                let waited: Vec<_> = self.waiting.extract_if(.., |(of, which, _)| of.id == socket.id && *which == room).collect();
                waited.into_iter().map(|(.., ack)| ack).chain([ack]).for_each(|ack| self.acknowledge(room, ack));
            }
            Message::Resume { socket, pseq } => self.resume(&socket, pseq),
            Message::Ended { id } => {
                if let Some(connection) = self.connections.get(&id) {
                    self.log_out(&connection.socket);
                }
            }
            Message::Gone { id } => self.forget(id),
        }
    }

    /// Reports that the session ended, and closes the connection.
    fn log_out(&self, socket: &SocketRef) {
        // The session of a reader with a full queue ends all the same.
        let _ = socket.emit("logout", &json!({"error": Code::LoggedOut.name()}));
        let _ = socket.clone().disconnect();
        self.lines.end(socket);
    }

    /// One connection too many.
    fn turn_away(&self, socket: &SocketRef) {
        let _ = socket.emit("closed", &json!({"error": Code::TooManyOpen.name()}));
        let _ = socket.clone().disconnect();
        self.lines.end(socket);
    }

    fn ready(&mut self, socket: &SocketRef) {
        let Some(connection) = self.connections.get_mut(&socket.id) else {
            // It took so long that it counted as broken off.
            return self.turn_away(socket);
        };
        let address = connection.address;
        connection.ready = true;
        if connection.by_default {
            socket.join(DEFAULT);
        }
        if connection.session.is_some() {
            // Events since the log-in.
            connection.falls_behind(&mut self.behind);
        }
        if self.connections.values().filter(|other| other.address == address).count() > MOST_OF_ADDRESS {
            self.turn_away(socket);
        }
    }

    fn log_in(&mut self, socket: &SocketRef, number: u64, session: Session, token: String, lang: Lang) -> bool {
        let now = Instant::now();
        let Some(connection) = self.connections.get_mut(&socket.id) else { return true };
        // A later login was faster.
        if number < connection.login {
            return true;
        }
        connection.login = number;
        if let Some((before, _)) = connection.session.take() {
            self.people.leave(before.user, socket.id, now);
        }
        // The wall clock in ms is above every number given before, because no member gets more than a thousand events a second for long.
        let start = self.app.clock.wall_ms();
        let mut place = self.people.enter(session.user, socket.id, MOST_OF_USER, start, now);
        if place.is_none() {
            // Connections that broke off during their login do not count.
            self.forget_stuck(MADE_WITHIN, |connection| connection.session.as_ref().is_some_and(|(other, _)| other.user == session.user));
            place = self.people.enter(session.user, socket.id, MOST_OF_USER, start, now);
        }
        let Some(connection) = self.connections.get_mut(&socket.id) else { return true };
        if place.is_none() {
            // A client that is still connecting is refused instead, by its entrance.
            if connection.ready {
                self.turn_away(socket);
            }
            return false;
        }
        connection.place = place;
        connection.lang = lang;
        connection.session = Some((session, token));
        true
    }

    /// Forgets those of these connections that are not made within this time.
    fn forget_stuck(&mut self, within: Duration, of: impl Fn(&Connection) -> bool) {
        let stuck = |connection: &Connection| !connection.ready && connection.since.elapsed() > within && of(connection);
        let stuck: Vec<Sid> = self.connections.iter().filter(|(_, connection)| stuck(connection)).map(|(id, _)| *id).collect();
        stuck.into_iter().for_each(|id| self.forget(id));
    }

    fn forget(&mut self, id: Sid) {
        if let Some(Connection { session: Some((session, _)), .. }) = self.connections.remove(&id) {
            self.people.leave(session.user, id, Instant::now());
        }
    }

    fn subscribe(&mut self, socket: &SocketRef, room: Room, ack: AckSender) {
        let Some(connection) = self.connections.get_mut(&socket.id) else { return };
        if connection.rooms.len() >= MOST_ROOMS && !connection.rooms.contains(&room) {
            drop(ack.send(&json!({"code": 0, "error": Code::TooManyOpen.name()})));
            return;
        }
        if !connection.rooms.insert(room) {
            self.acknowledge(room, ack);
            return;
        }
        if std::mem::take(&mut connection.by_default) {
            socket.leave(DEFAULT);
        }
        if !connection.ready || (room.channel == Channel::Book && self.pairs.get(&room.market).is_some_and(Pair::book_changed)) {
            // A client may ask before the library counts it as connected, and until then events to it are lost. Changes of a book that wait
            // for the tick are sent first, so that the later deltas continue the snapshot.
            self.waiting.push((socket.clone(), room, ack));
            return;
        }
        self.join(socket, room, ack);
    }

    fn join(&self, socket: &SocketRef, room: Room, ack: AckSender) {
        socket.join(room.name());
        self.acknowledge(room, ack);
        if room.channel == Channel::Book
            && let (Some(market), Some(pair)) = (self.app.catalog.market(room.market), self.pairs.get(&room.market))
        {
            let head = Head::new(&self.app.catalog, market, room.channel.word(), pair.told, pair.newest.time);
            drop(socket.emit(room.channel.word(), &payload(head, pair.snapshot(&self.app.catalog, market))));
        }
    }

    /// Lets in the connections that waited for a room of this pair, once the changes of its book were sent.
    pub(super) fn let_in(&mut self, market: MarketId) {
        let is_ready = |socket: &SocketRef| self.connections.get(&socket.id).is_none_or(|connection| connection.ready);
        let now: Vec<_> = self.waiting.extract_if(.., |(socket, room, _)| room.market == market && is_ready(socket)).collect();
        for (socket, room, ack) in now {
            if self.connections.get(&socket.id).is_some_and(|connection| connection.rooms.contains(&room)) {
                self.join(&socket, room, ack);
            }
        }
    }

    fn acknowledge(&self, room: Room, ack: AckSender) {
        let symbol = self.app.catalog.market(room.market).map_or("", |market| market.symbol.as_str());
        let seq = match room.channel {
            Channel::Book => self.pairs.get(&room.market).map(|pair| pair.told),
            _ => self.seqs.get(&room).copied(),
        };
        let seq = seq.unwrap_or(0);
        drop(ack.send(&json!({"code": 1, "channel": room.channel.word(), "symbol": symbol, "seq": seq})));
    }

    /// Closes the connections of ended sessions. The check of each second finds missed endings.
    fn end(&mut self, ending: Result<Ended, broadcast::error::RecvError>) {
        let Ok(ended) = ending else { return };
        for connection in self.connections.values() {
            if connection.session.as_ref().is_some_and(|(session, _)| ended.covers(session)) {
                self.log_out(&connection.socket);
            }
        }
    }

    /// Checks whether the sessions are still valid: they expire, and another node may have ended them.
    fn check_sessions(&mut self) {
        // Connections that broke off before they were established send no event.
        self.forget_stuck(CONNECT_WITHIN, |_| true);
        if self.checking.as_ref().is_some_and(|task| !task.is_finished()) {
            return;
        }
        let sessions = self.connections.iter().filter_map(|(id, connection)| Some((*id, connection.session.as_ref()?.1.clone())));
        let (sessions, app, hub): (Vec<_>, _, _) = (sessions.collect(), self.app.clone(), self.to_self.clone());
        self.checking = Some(self.requests.spawn(async move {
            for (id, token) in sessions {
                if app.sessions.has_ended(&token, &app.clock).await {
                    let _ = hub.send(Message::Ended { id }).await;
                }
            }
        }));
    }
}
