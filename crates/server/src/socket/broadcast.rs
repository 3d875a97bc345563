//! What the hub sends: public rooms on a tick, members at once.

use std::collections::BTreeMap;

use engine::candles::{Period, Series};
use engine::contracts::position::Position;
use engine::event::{AccountEvent, Event};
use engine::ids::{MarketId, Seq, UserId};
use engine::options::option::{BinaryOption, Status};
use engine::published::{NewBalance, Published};
use engine::time::Time;
use kernel::market_stats::{BookMark, listed_pair};
use serde::Serialize;
use serde_json::{Value as Json, json};
use store::history::PublicTrade;

use super::channels::{Head, Later, Pair, day, payload};
use super::hub::Hub;
use super::member_streams::FOLLOWING;
use super::rooms::{Channel, Room};
use crate::api::contracts::view::{following, position_view, totals};
use crate::api::market::quotes::trade_view;
use crate::api::options::view::option_view;
use crate::api::samples::sample_view;
use crate::api::spot::view::{fill_of, fill_view, order_view};
use crate::api::terms::Openings;
use crate::http::units::{amount, wallet_word};
use crate::i18n::Lang;

/// Attempts to read candles and books of one instant; after them a trade may be counted twice in an unfinished candle.
const LOADS: usize = 3;

impl Hub {
    /// Processes the events of new entries, and sends members those that concern them.
    pub(super) fn follow(&mut self, batch: &[Published]) {
        let known = self.known;
        for published in batch.iter().filter(|published| published.seq > known) {
            // Every candle ends with a minute.
            let minute = Period::Minute1.start(published.time);
            if minute > self.passed {
                self.passed = minute;
                self.pairs.values_mut().for_each(|pair| pair.pass(published.time));
            }
            for event in &published.events {
                self.take(published, event);
            }
            let mut changed: BTreeMap<u64, Vec<&NewBalance>> = BTreeMap::new();
            for balance in published.balances.iter().filter(|balance| self.people.follows(balance.user)) {
                changed.entry(balance.user.0).or_default().push(balance);
            }
            for (user, balances) in changed {
                let row = |new: &&NewBalance| {
                    let text = |atoms| amount(&self.app.catalog, new.asset, atoms);
                    json!({"currency_id": new.asset.0, "account": wallet_word(new.wallet), "avail": text(new.balance.available), "frozen": text(new.balance.held)})
                };
                let data = balances.iter().map(row).collect();
                self.tell_member(UserId(user), "balance", published.seq.0, data);
            }
        }
    }

    fn take(&mut self, published: &Published, event: &Event) {
        let seq = published.seq.0;
        match event {
            Event::LevelChanged { market, side, price, quantity } => {
                if let Some(pair) = self.pairs.get_mut(market) {
                    pair.set_level(*side, *price, *quantity, BookMark { seq, time: published.time });
                }
            }
            Event::IndexSampled(sample) => {
                if let Some(pair) = self.pairs.get_mut(&sample.market) {
                    pair.add(Series::Index, sample.time, sample.price, 0, 0);
                    pair.samples.extend(sample_view(&self.app.catalog, sample, seq));
                }
            }
            Event::Traded(trade) => {
                if let (Some(pair), Some(market)) = (self.pairs.get_mut(&trade.market), self.app.catalog.market(trade.market)) {
                    pair.add(Series::Trade, trade.time, trade.price, trade.quantity, trade.value);
                    let public = PublicTrade {
                        id: trade.id.0,
                        side: trade.taker_side,
                        price: trade.price,
                        quantity: trade.quantity,
                        seq,
                        time_ms: trade.time.0,
                        house: trade.with_house(),
                    };
                    pair.trades.push(trade_view(&self.app.catalog, market, &public));
                }
                for (party, maker) in [(trade.taker, false), (trade.maker, true)] {
                    if self.people.follows(party.user)
                        && let Ok(fill) = fill_view(&self.app.catalog, &fill_of(trade, maker, seq))
                    {
                        self.tell_member(party.user, "trade", seq, json!(fill));
                    }
                }
            }
            Event::SpotOrderChanged(order) => {
                if self.people.follows(order.user)
                    && let Ok(view) = order_view(&self.app.catalog, order, seq)
                {
                    self.tell_member(order.user, "order", seq, json!(view));
                }
            }
            Event::Account(change) => {
                if let Some(market) = listed_pair(change) {
                    self.pairs.insert(market, Pair::listed(BookMark { seq, time: published.time }));
                }
                match &**change {
                    AccountEvent::OptionChanged(option) => self.tell_option(option, seq, published.time),
                    AccountEvent::ContractChanged(position) => self.tell_position(position, seq),
                    _ => {}
                }
            }
            // Balances come with the entry; the other events affect no screen.
            Event::Posted(_) | Event::Transferred(_) | Event::MemberRegistered { .. } | Event::HappenedAt(_) => {}
        }
    }

    /// The owner of an option that has ended, under the name of the contract and the older one.
    fn tell_option(&mut self, option: &BinaryOption, seq: u64, now: Time) {
        if option.status == Status::Open || !self.people.follows(option.user) {
            return;
        }
        let Ok(view) = option_view(&self.app.sequencer.engine(), Lang::default(), option, now) else { return };
        for name in ["option_settled", "closed_microorder"] {
            self.tell_member(option.user, name, seq, json!(view));
        }
    }

    /// The owner of a contract that has changed; of one that has ended also under the older name.
    fn tell_position(&mut self, position: &Position, seq: u64) {
        if !self.people.follows(position.user) {
            return;
        }
        let told = {
            let engine = self.app.sequencer.engine();
            position_view(&engine, Lang::default(), position, seq).map(|view| (view, totals(&engine, position.user)))
        };
        let Ok((view, totals)) = told else { return };
        self.tell_fields(position.user, "position", seq, json!({"data": view, "rate_profits_total": totals}));
        if !position.is_open() {
            self.tell_fields(position.user, "lever_closed", seq, json!({"id": position.id.0}));
        }
    }

    /// Sends connected members their open contracts at the present marks.
    pub(super) fn follow_contracts(&mut self) {
        let present: Vec<UserId> = self.people.present().collect();
        let (seq, told) = {
            let engine = self.app.sequencer.engine();
            let of = |user: UserId| Some((user, following(&engine, Lang::default(), user)?));
            (engine.seq().0, present.into_iter().filter_map(of).collect::<Vec<_>>())
        };
        for (user, body) in told {
            self.tell_fields(user, FOLLOWING, seq, body);
        }
    }

    /// Sends every room what happened since the last tick, encoded once for all its readers.
    pub(super) async fn tell(&mut self, default_too: bool) {
        let app = self.app.clone();
        for market in &app.catalog.markets {
            self.tell_candles(market.id).await;
            let room = |channel| Room { channel, market: market.id, candles: None, default: false };
            let openings = Openings::of(&app.sequencer.engine(), market.id);
            let Some(pair) = self.pairs.get_mut(&market.id) else { continue };
            let changed_status = pair.new_status(openings);
            let (trades, samples) = (std::mem::take(&mut pair.trades), std::mem::take(&mut pair.samples));
            let (day_changed, book_changed) = (std::mem::take(&mut pair.day_changed), pair.book_changed());
            let later = self.later.entry(market.id).or_default();
            later.trades.extend(trades.iter().map(|trade| json!(trade)));
            later.day_changed |= day_changed;
            later.book_changed |= book_changed;
            if let Some(status) = changed_status {
                self.emit(room(Channel::Status), status).await;
            }
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
            self.let_in(market.id);
            if default_too {
                self.tell_default(market.id).await;
            }
        }
    }

    async fn tell_candles(&mut self, id: MarketId) {
        let app = self.app.clone();
        let (Some(market), Some(pair)) = (app.catalog.market(id), self.pairs.get_mut(&id)) else { return };
        for shown in pair.take_candles() {
            if shown.ends_minute(&app.catalog, market) {
                self.later.entry(id).or_default().minute = Some(shown);
            }
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
        let delta = pair.delta(&app.catalog, market);
        let head = Head::new(&app.catalog, market, room.channel.word(), pair.told, pair.newest.time);
        self.send(room, &payload(head, delta)).await;
    }

    /// Updates the default room: each pair and channel at most once a second.
    async fn tell_default(&mut self, id: MarketId) {
        let app = self.app.clone();
        let Later { trades, day_changed, book_changed, minute: ended } = std::mem::take(self.later.entry(id).or_default());
        let (Some(market), Some(pair)) = (app.catalog.market(id), self.pairs.get(&id)) else { return };
        let room = |channel| Room { channel, market: id, candles: None, default: true };
        let depth = pair.depth(&app.catalog, market);
        // The end of a minute comes first, and what has changed of the next one a second later.
        let minute = ended.or_else(|| pair.minute(&app.catalog, market).filter(|_| day_changed));
        if !trades.is_empty() {
            self.emit(room(Channel::Trades), json!({"data": trades})).await;
        }
        if book_changed {
            self.emit(room(Channel::Depth), depth).await;
        }
        if day_changed {
            self.emit(room(Channel::Day), day(&app, market)).await;
        }
        if let Some(minute) = minute
            && let Some(head) = self.head(room(Channel::Candles))
        {
            self.send(room(Channel::Candles), &minute.payload(&app.catalog, market, head)).await;
            self.later.entry(id).or_default().day_changed |= minute.is_final;
        }
    }

    /// Reads the pairs from the state and the history. Entries already included in what was read are skipped later.
    pub(super) async fn load_pairs(&mut self) {
        let app = self.app.clone();
        let loading = self.requests.spawn(async move {
            // The candles come from the history, which must be as new as the books.
            let newest = app.sequencer.engine().seq().0;
            if app.wait_for(newest).await.is_err() {
                tracing::error!("the history lags behind the sockets");
            }
            let mut pairs = BTreeMap::new();
            for _ in 0..LOADS {
                let before = app.applied.newest();
                for market in &app.catalog.markets {
                    pairs.insert(market.id, Pair::load(&app, market).await);
                }
                if app.applied.newest() == before {
                    break;
                }
            }
            (pairs, app.applied.newest())
        });
        if let Ok((pairs, newest)) = loading.await {
            (self.pairs, self.known) = (pairs, Seq(newest));
        }
    }

    /// Entries were lost before this point: restarts from the present state, and lets every reader see that something is missing.
    pub(super) async fn start_over(&mut self) {
        self.load_pairs().await;
        self.all_read_again();
        let app = self.app.clone();
        for market in &app.catalog.markets {
            let room = |channel| Room { channel, market: market.id, candles: None, default: false };
            for channel in [Channel::Day, Channel::Depth, Channel::Trades, Channel::Index, Channel::Status] {
                self.seqs.entry(room(channel)).or_default();
            }
        }
        self.seqs.values_mut().for_each(|seq| *seq += 1);
        for market in &app.catalog.markets {
            let room = |channel| Room { channel, market: market.id, candles: None, default: false };
            let Some(pair) = self.pairs.get_mut(&market.id) else { continue };
            pair.show_all();
            let depth = pair.depth(&app.catalog, market);
            let head = Head::new(&app.catalog, market, Channel::Book.word(), pair.told, pair.newest.time);
            let snapshot = payload(head, pair.snapshot(&app.catalog, market));
            self.send(room(Channel::Book), &snapshot).await;
            self.emit(room(Channel::Depth), depth).await;
            self.emit(room(Channel::Trades), json!({"data": []})).await;
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
        // A reader too slow for its queue loses the event and notices the gap.
        let told = self.io.to(room.name()).emit(room.channel.word(), payload).await;
        drop(told);
    }
}
