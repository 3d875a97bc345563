//! The one task that serves all sockets: it follows the log, conflates each room on a short tick, and numbers what it tells.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

use engine::event::Event;
use engine::ids::MarketId;
use serde::Serialize;
use serde_json::{Value as Json, json};
use socketioxide::SocketIo;
use socketioxide::extract::{AckSender, SocketRef};
use socketioxide::socket::Sid;
use tokio::sync::{broadcast, mpsc};
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

use super::channels::{Head, Pair, day, payload};
use super::people::People;
use super::rooms::{Channel, DEFAULT, Room};
use crate::app::App;
use crate::http::auth::{Ended, Session};
use crate::http::figures::{amount, wallet_word};
use crate::http::limits::Caller;
use crate::http::market::trade_view;
use crate::http::price_record::sample_view;
use crate::http::spot_view::{fill_of, fill_view, order_view};
use crate::sequencer::{Batch, NewBalance, Published};
use crate::store::history::PublicTrade;
use crate::store::people::HOUSE;
use crate::tickers::Series;

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
    LoggedIn { socket: SocketRef, session: Session, token: String },
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
    rooms: BTreeSet<Room>,
    by_default: bool,
    /// The client knows that it is connected; before that it is told nothing.
    ready: bool,
    since: Instant,
}

/// All connections and rooms.
pub(super) struct Hub {
    app: App,
    io: SocketIo,
    to_self: mpsc::UnboundedSender<Message>,
    connections: HashMap<Sid, Connection>,
    people: People,
    pairs: BTreeMap<MarketId, Pair>,
    /// Trades and pairs that the default room was not told of yet.
    later: BTreeMap<MarketId, (Vec<Json>, bool, bool)>,
    seqs: HashMap<Room, u64>,
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
                    rooms: BTreeSet::new(),
                    by_default: true,
                    ready: false,
                    since: now,
                };
                self.connections.insert(socket.id, connection);
            }
            Message::Ready { id } => self.ready(id),
            Message::LoggedIn { socket, session, token } => self.log_in(socket, session, token),
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
            socket.join(user_room(session.user.0));
        }
        if self.connections.values().filter(|other| other.address == address).count() > MOST_OF_ADDRESS {
            drop(socket.disconnect());
        }
    }

    fn log_in(&mut self, socket: SocketRef, session: Session, token: String) {
        let now = Instant::now();
        let Some(connection) = self.connections.get_mut(&socket.id) else { return };
        if let Some((before, _)) = connection.session.take() {
            self.people.leave(before.user, now);
            socket.leave(user_room(before.user.0));
        }
        // The wall clock in ms is above every number given before: nobody gets a thousand events a second for long.
        if !self.people.enter(session.user, MOST_OF_USER, self.app.clock.wall_ms(), now) {
            drop(socket.disconnect());
            return;
        }
        if connection.ready {
            socket.join(user_room(session.user.0));
        }
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
        let session = self.connections.get(&socket.id).and_then(|connection| connection.session.as_ref());
        let Some((session, _)) = session else { return };
        match self.people.after(session.user, pseq) {
            Some(missed) => missed.for_each(|private| drop(socket.emit(private.name, &private.payload))),
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

    /// Takes in what new entries made known, and tells members what concerns them.
    async fn follow(&mut self, batch: &[Published]) {
        for published in batch {
            self.pairs.values_mut().for_each(|pair| pair.pass(published.time));
            for event in &published.events {
                self.take(published, event).await;
            }
            let mut changed: BTreeMap<u64, Vec<&NewBalance>> = BTreeMap::new();
            for balance in published.balances.iter().filter(|balance| balance.user != HOUSE) {
                changed.entry(balance.user.0).or_default().push(balance);
            }
            for (user, balances) in changed {
                let row = |new: &&NewBalance| {
                    let text = |atoms| amount(&self.app.catalog, new.asset, atoms);
                    json!({"currency_id": new.asset.0, "account": wallet_word(new.wallet), "avail": text(new.balance.available), "frozen": text(new.balance.held)})
                };
                let data = balances.iter().map(row).collect();
                self.tell_member(engine::ids::UserId(user), "balance", published.seq.0, data).await;
            }
        }
    }

    async fn take(&mut self, published: &Published, event: &Event) {
        let (app, seq) = (self.app.clone(), published.seq.0);
        match event {
            Event::LevelChanged { market, side, price, quantity } => {
                if let Some(pair) = self.pairs.get_mut(market) {
                    pair.set_level(*side, *price, *quantity);
                }
            }
            Event::IndexSampled(sample) => {
                if let Some(pair) = self.pairs.get_mut(&sample.market) {
                    pair.add(Series::Index, sample.time, sample.price, 0, 0);
                    pair.samples.extend(sample_view(&app.catalog, sample, seq));
                }
            }
            Event::Traded(trade) => {
                if let (Some(pair), Some(market)) = (self.pairs.get_mut(&trade.market), app.catalog.market(trade.market)) {
                    pair.add(Series::Trade, trade.time, trade.price, trade.quantity, trade.value);
                    let public = PublicTrade {
                        id: trade.id.0,
                        side: trade.taker_side,
                        price: trade.price,
                        quantity: trade.quantity,
                        seq,
                        time_ms: trade.time.0,
                    };
                    pair.trades.push(trade_view(&app.catalog, market, &public));
                }
                for (party, maker) in [(trade.taker, false), (trade.maker, true)] {
                    if let Ok(fill) = fill_view(&app.catalog, &fill_of(trade, maker, seq)) {
                        self.tell_member(party.user, "trade", seq, json!(fill)).await;
                    }
                }
            }
            Event::SpotOrderChanged(order) => {
                if let Ok(view) = order_view(&app.catalog, order, seq) {
                    self.tell_member(order.user, "order", seq, json!(view)).await;
                }
            }
            // Balances come with the entry; the others concern nobody's screen.
            Event::Posted(_) | Event::Transferred(_) | Event::MemberRegistered { .. } => {}
        }
    }

    async fn tell_member(&mut self, user: engine::ids::UserId, name: &'static str, seq: u64, data: Json) {
        if let Some(private) = self.people.tell(user, name, seq, data, Instant::now()) {
            let told = self.io.to(user_room(user.0)).emit(private.name, &private.payload).await;
            drop(told);
        }
    }

    /// Tells every room what happened since the last tick, encoded once for all its readers.
    async fn tell(&mut self, default_too: bool) {
        let app = self.app.clone();
        for market in &app.catalog.markets {
            self.tell_candles(market.id).await;
            let room = |channel| Room { channel, market: market.id, candles: None, default: false };
            let Some(pair) = self.pairs.get_mut(&market.id) else { continue };
            let (trades, samples) = (std::mem::take(&mut pair.trades), std::mem::take(&mut pair.samples));
            let (day_changed, book_changed) = (std::mem::take(&mut pair.day_changed), pair.book_changed());
            let later = self.later.entry(market.id).or_default();
            later.0.extend(trades.iter().map(|trade| json!(trade)));
            later.1 |= day_changed;
            later.2 |= book_changed;
            if !trades.is_empty() {
                self.emit(room(Channel::Trades), json!({"data": trades})).await;
            }
            for sample in samples {
                self.emit(room(Channel::Index), json!({"data": sample})).await;
            }
            if day_changed {
                self.emit(room(Channel::Day), day(&app, market)).await;
            }
            if book_changed {
                if let Some(depth) = self.pairs.get(&market.id).map(|pair| pair.depth(&app.catalog, market)) {
                    self.emit(room(Channel::Depth), depth).await;
                }
                self.tell_book(market.id).await;
            }
            if default_too {
                self.tell_default(market.id).await;
            }
        }
    }

    async fn tell_candles(&mut self, id: MarketId) {
        let app = self.app.clone();
        let (Some(market), Some(pair)) = (app.catalog.market(id), self.pairs.get_mut(&id)) else { return };
        for shown in pair.take_candles() {
            let room = Room { channel: Channel::Candles, market: id, candles: Some((shown.period, shown.series)), default: false };
            if let Some(head) = self.head(room) {
                self.send(room, &shown.payload(&app.catalog, market, head)).await;
            }
        }
    }

    async fn tell_book(&mut self, id: MarketId) {
        let room = Room { channel: Channel::Book, market: id, candles: None, default: false };
        let app = self.app.clone();
        let (Some(market), Some(pair)) = (app.catalog.market(id), self.pairs.get_mut(&id)) else { return };
        if !pair.book_changed() {
            return;
        }
        let before = self.seqs.get(&room).copied().unwrap_or(0);
        let delta = pair.delta(&app.catalog, market, before);
        self.emit(room, delta).await;
        app.tickers.write().unwrap_or_else(std::sync::PoisonError::into_inner).published(id, before + 1);
    }

    /// The room of those who asked for nothing: each pair and channel at most once a second.
    async fn tell_default(&mut self, id: MarketId) {
        let app = self.app.clone();
        let (trades, day_changed, book_changed) = std::mem::take(self.later.entry(id).or_default());
        let (Some(market), Some(pair)) = (app.catalog.market(id), self.pairs.get(&id)) else { return };
        let room = |channel| Room { channel, market: id, candles: None, default: true };
        let (depth, minute) = (pair.depth(&app.catalog, market), pair.minute(&app.catalog, market));
        if !trades.is_empty() {
            self.emit(room(Channel::Trades), json!({"data": trades})).await;
        }
        if book_changed {
            self.emit(room(Channel::Depth), depth).await;
        }
        if day_changed {
            self.emit(room(Channel::Day), day(&app, market)).await;
            if let (Some(minute), Some(head)) = (minute, self.head(room(Channel::Candles))) {
                self.send(room(Channel::Candles), &minute.payload(&app.catalog, market, head)).await;
            }
        }
    }

    /// The next head of a room.
    fn head(&mut self, room: Room) -> Option<Head> {
        let seq = self.seqs.entry(room).or_default();
        *seq += 1;
        let market = self.app.catalog.market(room.market)?;
        let time = self.app.sequencer.engine().time();
        Some(Head::new(&self.app.catalog, market, room.channel.word(), *seq, time))
    }

    async fn emit(&mut self, room: Room, body: Json) {
        if let Some(head) = self.head(room) {
            self.send(room, &payload(head, body)).await;
        }
    }

    async fn send(&self, room: Room, payload: &impl Serialize) {
        // A reader too slow for its queue loses the event and sees the gap.
        let told = self.io.to(room.name()).emit(room.channel.word(), payload).await;
        drop(told);
    }
}

fn user_room(user: u64) -> String {
    format!("user|{user}")
}
