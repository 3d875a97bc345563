//! What the rooms of a pair send: a copy of its book, and its candles, trades and samples since the last tick.

use std::collections::{BTreeMap, BTreeSet};

use engine::Engine;
use engine::amount::{Amount, Price};
use engine::candles::{Candle, Series};
use engine::catalog::{Catalog, Market};
use engine::ids::MarketId;
use engine::spot::Side;
use engine::time::Time;
use kernel::market_stats::BookMark;
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::api::market::chart::{self, PERIODS};
use crate::api::market::quotes::{CHECKED, Trade, checksum, pair_view, series_price, shown_series};
use crate::api::samples::IndexSampleView;
use crate::api::terms::{Openings, takes_orders};
use crate::http::App;
use crate::http::decimal::trimmed;
use crate::http::units::{self, Number};

type Level = [String; 2];
/// Levels of a side in a snapshot.
const SNAPSHOT: usize = 500;
const DEPTH: usize = 10;

/// Fields of every public payload.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Head {
    #[serde(rename = "type")]
    kind: &'static str,
    symbol: String,
    match_id: u32,
    currency_id: u32,
    currency_name: String,
    legal_id: u32,
    legal_name: String,
    seq: u64,
    time_ms: u64,
}

impl Head {
    pub(super) fn new(catalog: &Catalog, market: &Market, kind: &'static str, seq: u64, time: Time) -> Head {
        Head {
            kind,
            symbol: market.symbol.clone(),
            match_id: market.id.0,
            currency_id: market.base.0,
            currency_name: units::code(catalog, market.base).to_owned(),
            legal_id: market.quote.0,
            legal_name: units::code(catalog, market.quote).to_owned(),
            seq,
            time_ms: time.0,
        }
    }
}

/// A payload: the head and the fields of its channel.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Payload<T> {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    body: T,
}

/// Puts a head on the fields of a channel.
pub(super) fn payload(head: Head, body: Json) -> Payload<Json> {
    Payload { head, body }
}

/// A candle; its numbers are JSON numbers, printed exactly.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CandlePayload {
    #[serde(flatten)]
    head: Head,
    period: &'static str,
    series: &'static str,
    time: u64,
    open: Number,
    high: Number,
    low: Number,
    close: Number,
    volume: Number,
    #[serde(rename = "final")]
    is_final: bool,
}

/// A candle with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedCandle {
    pub(super) period: &'static str,
    pub(super) series: Series,
    pub(super) candle: Candle,
    pub(super) is_final: bool,
}

impl PlacedCandle {
    /// It is the last state of a minute, in the series that the pair shows.
    pub(super) fn ends_minute(&self, catalog: &Catalog, market: &Market) -> bool {
        self.is_final && self.series == shown_series(catalog, market) && PERIODS.first().is_some_and(|(word, _)| *word == self.period)
    }

    pub(super) fn payload(&self, catalog: &Catalog, market: &Market, head: Head) -> CandlePayload {
        let price = |price: Price| Number(series_price(catalog, market, self.series, price));
        CandlePayload {
            head,
            period: self.period,
            series: self.series.word(),
            time: self.candle.start.0,
            open: price(self.candle.open),
            high: price(self.candle.high),
            low: price(self.candle.low),
            close: price(self.candle.close),
            volume: Number(trimmed(self.candle.volume, catalog.scale(market.base))),
            is_final: self.is_final,
        }
    }
}

/// What the default room has not heard of a pair.
#[derive(Debug, Default)]
pub(super) struct Later {
    pub(super) trades: Vec<Json>,
    pub(super) day_changed: bool,
    pub(super) book_changed: bool,
    /// The minute that ended.
    pub(super) minute: Option<PlacedCandle>,
}

/// One pair.
#[derive(Debug, Default)]
pub(super) struct Pair {
    bids: BTreeMap<Price, Amount>,
    asks: BTreeMap<Price, Amount>,
    changed: BTreeSet<(Side, Price)>,
    /// The newest change that the book has.
    pub(super) newest: BookMark,
    /// Sequence of the newest change that the readers know.
    pub(super) told: u64,
    candles: BTreeMap<(Series, usize), Candle>,
    dirty: BTreeSet<(Series, usize)>,
    ended: Vec<PlacedCandle>,
    /// Trades and samples since the last tick.
    pub(super) trades: Vec<Trade>,
    pub(super) samples: Vec<IndexSampleView>,
    /// Something that the day's figures show has changed.
    pub(super) day_changed: bool,
    /// The state that its readers know.
    openings: Openings,
}

impl Pair {
    /// A pair that an entry lists: its book begins there.
    pub(super) fn listed(newest: BookMark) -> Pair {
        Pair { newest, told: newest.seq, ..Pair::default() }
    }

    /// The pair as it is now.
    pub(super) async fn load(app: &App, market: &Market) -> Pair {
        let openings = Openings::of(&app.sequencer.engine(), market.id);
        let mut pair = Pair { openings, ..Pair::default() };
        let now = app.sequencer.engine().time();
        for series in Series::ALL {
            for (at, (_, period)) in PERIODS.into_iter().enumerate() {
                match chart::load(app, market, series, period, now, now).await {
                    Ok(candles) => drop(candles.last().map(|candle| pair.candles.insert((series, at), *candle))),
                    Err(error) => tracing::error!(%error, "candles for the sockets"),
                }
            }
        }
        let engine = app.sequencer.engine();
        pair.copy_book(&engine, market.id);
        pair.newest = app.market_stats().book(market.id);
        pair.told = pair.newest.seq;
        pair
    }

    fn copy_book(&mut self, engine: &Engine, market: MarketId) {
        let Some((book, grid)) = engine.book(market) else { return };
        for (side, copy) in [(Side::Buy, &mut self.bids), (Side::Sell, &mut self.asks)] {
            *copy = book.levels(side).map(|(ticks, steps)| (grid.price(ticks), grid.quantity(steps).0)).collect();
        }
    }

    /// A level has this quantity from an entry on, unless the book was read after that.
    pub(super) fn set_level(&mut self, side: Side, price: Price, quantity: Amount, entry: BookMark) {
        if entry.seq < self.newest.seq || (entry.seq == self.newest.seq && self.changed.is_empty()) {
            return;
        }
        self.newest = entry;
        let levels = if side == Side::Buy { &mut self.bids } else { &mut self.asks };
        if quantity == 0 {
            levels.remove(&price);
        } else {
            levels.insert(price, quantity);
        }
        self.changed.insert((side, price));
    }

    /// Adds a trade, or a sample with no volume, to every candle it belongs to.
    pub(super) fn add(&mut self, series: Series, time: Time, price: Price, volume: Amount, value: Amount) {
        for (at, (_, period)) in PERIODS.into_iter().enumerate() {
            let later = Candle::first(period.start(time), price, volume, value);
            match self.candles.get_mut(&(series, at)) {
                Some(candle) if candle.start == later.start && candle.count > 0 => candle.merge(&later),
                _ => drop(self.candles.insert((series, at), later)),
            }
            self.dirty.insert((series, at));
        }
        self.day_changed = true;
    }

    /// Ends the candles whose bucket is over at `time` (M-5).
    pub(super) fn pass(&mut self, time: Time) {
        for (at, (word, period)) in PERIODS.into_iter().enumerate() {
            for series in Series::ALL {
                let over = |candle: &Candle| period.end(candle.start) <= time;
                if let Some(candle) = self.candles.get(&(series, at)).copied().filter(over) {
                    self.candles.remove(&(series, at));
                    self.dirty.remove(&(series, at));
                    self.ended.push(PlacedCandle { period: word, series, candle, is_final: true });
                }
            }
        }
    }

    /// The candles to send since the last tick: those that ended, then those that changed.
    pub(super) fn take_candles(&mut self) -> Vec<PlacedCandle> {
        let changed: Vec<PlacedCandle> =
            std::mem::take(&mut self.dirty).into_iter().filter_map(|(series, at)| self.shown(series, at)).collect();
        std::mem::take(&mut self.ended).into_iter().chain(changed).collect()
    }

    fn shown(&self, series: Series, at: usize) -> Option<PlacedCandle> {
        let (period, _) = *PERIODS.get(at)?;
        Some(PlacedCandle { period, series, candle: *self.candles.get(&(series, at))?, is_final: false })
    }

    /// The 1-minute candle of the series that the pair shows.
    pub(super) fn minute(&self, catalog: &Catalog, market: &Market) -> Option<PlacedCandle> {
        self.shown(shown_series(catalog, market), 0)
    }

    fn side(&self, side: Side) -> Box<dyn Iterator<Item = (Price, Amount)> + '_> {
        match side {
            Side::Buy => Box::new(self.bids.iter().rev().map(|(price, quantity)| (*price, *quantity))),
            Side::Sell => Box::new(self.asks.iter().map(|(price, quantity)| (*price, *quantity))),
        }
    }

    fn best(&self, catalog: &Catalog, market: &Market, side: Side, count: usize) -> Vec<Level> {
        self.side(side).take(count).map(|(price, quantity)| printed(catalog, market, price, quantity)).collect()
    }

    fn sum(&self, catalog: &Catalog, market: &Market) -> u32 {
        checksum(&self.best(catalog, market, Side::Buy, CHECKED), &self.best(catalog, market, Side::Sell, CHECKED))
    }

    /// Makes the next tick send all of it.
    pub(super) fn show_all(&mut self) {
        self.dirty = self.candles.keys().copied().collect();
        self.day_changed = true;
        self.openings = Openings::default();
    }

    /// True if the book changed since the last tick.
    pub(super) fn book_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// The changed levels since the last tick.
    pub(super) fn delta(&mut self, catalog: &Catalog, market: &Market) -> Json {
        let prev_seq = std::mem::replace(&mut self.told, self.newest.seq);
        let changed = std::mem::take(&mut self.changed);
        let of = |side: Side| -> Vec<Level> {
            let levels = if side == Side::Buy { &self.bids } else { &self.asks };
            let changed = changed.iter().filter(|(of, _)| *of == side);
            changed.map(|(_, price)| printed(catalog, market, *price, levels.get(price).copied().unwrap_or(0))).collect()
        };
        json!({"kind": "delta", "prev_seq": prev_seq, "bids": of(Side::Buy), "asks": of(Side::Sell), "checksum": self.sum(catalog, market)})
    }

    /// The whole book.
    pub(super) fn snapshot(&self, catalog: &Catalog, market: &Market) -> Json {
        let of = |side| self.best(catalog, market, side, SNAPSHOT);
        json!({"kind": "snapshot", "prev_seq": self.told, "bids": of(Side::Buy), "asks": of(Side::Sell), "checksum": self.sum(catalog, market)})
    }

    /// The pair's state to be sent, if it has changed.
    pub(super) fn new_status(&mut self, openings: Openings) -> Option<Json> {
        let told = std::mem::replace(&mut self.openings, openings);
        let Openings { status, options, contracts } = openings;
        let (spot, lever, options) = (u8::from(takes_orders(status)), u8::from(contracts), u8::from(options));
        (told != openings).then(|| json!({"open_coin_trade": spot, "open_lever": lever, "open_microtrade": options, "reason": status}))
    }

    /// Ten levels a side; both from high to low.
    pub(super) fn depth(&self, catalog: &Catalog, market: &Market) -> Json {
        let bids = self.best(catalog, market, Side::Buy, DEPTH);
        let mut asks = self.best(catalog, market, Side::Sell, DEPTH);
        asks.reverse();
        json!({"bids": bids, "asks": asks})
    }
}

fn printed(catalog: &Catalog, market: &Market, price: Price, quantity: Amount) -> Level {
    [units::price(market, price), units::amount(catalog, market.base, quantity)]
}

/// The figures of the rolling day.
pub(super) fn day(app: &App, market: &Market) -> Json {
    // Our own view types always serialize to an object.
    serde_json::to_value(pair_view(app, market)).map_or_else(
        |_| json!({}),
        |view| {
            let names = ["change", "now_price", "open", "high", "low", "volume", "quote_volume", "index_price", "stale"];
            let close = ("close".to_owned(), view["now_price"].clone());
            let fields =
                names.into_iter().map(|name| (name.to_owned(), view[name].clone())).chain([close, ("period".to_owned(), json!("1day"))]);
            Json::Object(fields.collect())
        },
    )
}
