//! Candles on the wire (`currency/new_timeshar`), with their own envelope.

use engine::amount::{PRICE_SCALE, Price, pow10};
use engine::candles::{Candle, MAX_VOLUME, Period, Series, fill_gaps, merge_candles};
use engine::catalog::{Catalog, Market};
use engine::time::{DAY_MS, MINUTE_MS, Time};
use futures_util::future::try_join_all;
use serde::Serialize;
use store::db::DbError;
use store::{prices, source_candles, volumes};
use utoipa::ToSchema;

use crate::api::market::quotes::{series_price, shown_series};
use crate::http::code::Code;
use crate::http::decimal::trimmed;
use crate::http::params::Kind;
use crate::http::reply::Refusal;
use crate::http::reply::{Answer, OrRefuse, Reply, bad_field, refuse};
use crate::http::request::{Input, request, words};
use crate::http::units::{self, Number};
use crate::http::values::Value;
use crate::http::{App, Call};

/// Rows that are given where they exist, and the most there are.
const LEAST: u64 = 200;
const MOST: usize = 1_000;

/// A candle. Its numbers are JSON numbers.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChartRow {
    id: u64,
    time: u64,
    open: Number,
    high: Number,
    low: Number,
    close: Number,
    volume: Number,
    amount: Number,
    vol: Number,
    count: u64,
    period: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    average: Option<Number>,
    #[serde(rename = "base-currency")]
    base_currency: String,
    #[serde(rename = "quote-currency")]
    quote_currency: String,
    #[serde(rename = "final")]
    is_final: bool,
    /// True: prices of the venues from before our own first sample, which are not in the log. Absent: a candle of our own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    past: Option<bool>,
}

/// Words of the periods.
pub const PERIODS: [(&str, Period); 8] = [
    ("1min", Period::Minute1),
    ("5min", Period::Minute5),
    ("15min", Period::Minute15),
    ("30min", Period::Minute30),
    ("60min", Period::Hour1),
    ("1day", Period::Day1),
    ("1week", Period::Week1),
    ("1mon", Period::Month1),
];
const TIMELINE: &str = "timeline";

/// The period of a word or its alias.
pub fn period(word: &str) -> Option<(&'static str, Period)> {
    let word = match word {
        "1H" => "60min",
        "1D" => "1day",
        "1W" => "1week",
        "1M" => "1mon",
        word => word,
    };
    PERIODS.into_iter().find(|(name, _)| *name == word)
}

/// The word of a period or its alias, as the word of its rows.
#[derive(Clone, Copy, Debug)]
pub struct PeriodWord(&'static str, Period);

impl Value for PeriodWord {
    const KIND: Kind = Kind::OneOf(&["1min", "5min", "15min", "30min", "60min", "1day", "1week", "1mon", TIMELINE, "1H", "1D", "1W", "1M"]);

    fn parse(name: &'static str, text: &str) -> Result<PeriodWord, Refusal> {
        let found = if text == TIMELINE { Some((TIMELINE, Period::Minute1)) } else { period(text) };
        found.map(|(word, period)| PeriodWord(word, period)).ok_or_else(|| bad_field(name, "enum"))
    }
}

words! {
    /// The source of the candles' prices.
    pub enum SeriesWord {
        Index = "index",
        Trade = "trade",
    }
}

request! {
    /// What `currency/new_timeshar` takes; instants in seconds.
    pub struct ListCandles checked by handler {
        required symbol: Option<String>,
        required period: Input<PeriodWord>,
        optional from: Input<u64>,
        optional to: Input<u64>,
        optional series: Input<SeriesWord>,
    }
}

/// `GET currency/new_timeshar`
pub async fn candles(call: Call, request: ListCandles) -> Answer {
    let (app, catalog) = (&call.app, &call.app.catalog);
    let market = units::by_symbol(catalog, request.symbol.as_deref())?;
    let known = || refuse(Code::UnknownPeriod).with("periods", PERIODS.iter().map(|(word, _)| *word).chain([TIMELINE]).collect::<Vec<_>>());
    let PeriodWord(word, period) = *request.period.readable().ok_or_else(known)?;
    let timeline = word == TIMELINE;
    let series = match request.series.optional()? {
        None => shown_series(catalog, market),
        Some(SeriesWord::Trade) => Series::Trade,
        Some(SeriesWord::Index) => catalog.index(market.id).map(|_| Series::Index).or_refuse(Code::UnknownMarket)?,
    };
    let now = Time(app.now_ms());
    let seconds = |given: &Input<u64>| Ok::<_, Refusal>(given.optional()?.map(|s| Time(s.saturating_mul(1_000))));
    let to = seconds(&request.to)?.unwrap_or(now);
    let from = seconds(&request.from)?;
    // A client clock that is slightly fast may ask for times not reached yet. Milliseconds instead of seconds are a mistake.
    if to > now.plus(DAY_MS) {
        return Err(bad_field("to", "range"));
    }
    if from.is_some_and(|from| from > to) {
        return Err(bad_field("from", "range"));
    }
    let (from, to) = if timeline {
        (Time(period.start(now).0.saturating_sub(DAY_MS - MINUTE_MS)), now)
    } else {
        let least = back(period, to, LEAST - 1);
        (from.map_or(least, |from| from.min(least)), to.min(now))
    };
    let mut rows = load(app, market, series, period, from, to).await?;
    let of_log = rows.len();
    if series == Series::Index {
        rows.splice(0..0, source_candles::before_log(&app.db, market.id, period, from, period.end(period.start(to))).await?);
    }
    let past = rows.len() - of_log;
    let surplus = rows.len().saturating_sub(if timeline { usize::MAX } else { MOST });
    rows.drain(..surplus);
    let past = past.saturating_sub(surplus);
    let mut so_far = Volume::default();
    let view = |(at, candle): (usize, &Candle)| {
        so_far.add(candle);
        let mut row = row(catalog, market, series, word, candle, period.end(candle.start) <= now);
        row.average = so_far
            .average(catalog, market)
            .filter(|_| timeline && series == Series::Trade)
            .map(|price| Number(units::price(market, price)));
        row.past = (at < past).then_some(true);
        row
    };
    Ok(Reply::chart(rows.iter().enumerate().map(view).collect::<Vec<_>>()))
}

/// Points of a small line: the closes of a day's hours.
const POINTS: u64 = 24;

/// The last day of a pair in a few points, oldest first. There are none before its first price.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DayLine)]
pub struct DayLine {
    symbol: String,
    match_id: u32,
    points: Vec<String>,
}

/// `GET market/lines`
pub async fn lines(call: Call) -> Answer {
    let (app, catalog) = (&call.app, &call.app.catalog);
    let now = Time(app.now_ms());
    let from = back(Period::Hour1, now, POINTS - 1);
    let line = async |market: &Market| {
        let series = shown_series(catalog, market);
        let hours = load(app, market, series, Period::Hour1, from, now).await?;
        let points = hours.iter().map(|hour| series_price(catalog, market, series, hour.close)).collect();
        Ok::<_, DbError>(DayLine { symbol: market.symbol.clone(), match_id: market.id.0, points })
    };
    Ok(Reply::ok(try_join_all(catalog.markets.iter().map(line)).await?))
}

/// Start of the bucket that is `count` buckets before that of `time`.
fn back(period: Period, time: Time, count: u64) -> Time {
    let mut start = period.start(time);
    for _ in 0..count {
        start = period.start(Time(start.0.saturating_sub(1)));
    }
    start
}

/// The log's candles of a period that start between `from` and `to`, without gaps.
pub async fn load(app: &App, market: &Market, series: Series, period: Period, from: Time, to: Time) -> Result<Vec<Candle>, DbError> {
    // Weeks and months are merged from days.
    let minutes = prices::STORED.iter().find(|(_, stored)| *stored == period).map_or(1_440, |(minutes, _)| *minutes);
    let from = period.start(from);
    let end = period.end(period.start(to));
    // A long range is read from its newest thousand buckets only.
    let most = u64::try_from(MOST).unwrap_or(u64::MAX);
    let from = if to.since(from) / MINUTE_MS > most { from.max(back(period, to, if minutes == 1 { 1_440 } else { most })) } else { from };
    let before = prices::candle_before(&app.db, market.id, series, minutes, from).await?;
    let stored = prices::candles(&app.db, market.id, series, minutes, from, end).await?;
    let merged = merge_candles(stored, period);
    let mut filled = fill_gaps(&merged, period, from, end, before.map(|candle| candle.close));
    if series == Series::Index {
        // Samples have no volume; what their sources report is stored beside the log.
        let reported = volumes::of(&app.db, market.id, minutes, period, from, end).await?;
        for candle in &mut filled {
            candle.volume = candle.volume.saturating_add(reported.get(&candle.start).copied().unwrap_or(0)).min(MAX_VOLUME);
        }
    }
    Ok(filled)
}

/// A candle on the wire.
pub fn row(catalog: &Catalog, market: &Market, series: Series, word: &'static str, candle: &Candle, is_final: bool) -> ChartRow {
    let price = |price: Price| Number(series_price(catalog, market, series, price));
    let scale = |asset| catalog.scale(asset);
    let volume = Number(trimmed(candle.volume, scale(market.base)));
    ChartRow {
        id: candle.start.0 / 1_000,
        time: candle.start.0,
        open: price(candle.open),
        high: price(candle.high),
        low: price(candle.low),
        close: price(candle.close),
        amount: volume.clone(),
        volume,
        vol: Number(trimmed(candle.quote_volume, scale(market.quote))),
        count: candle.count,
        period: word,
        average: None,
        base_currency: units::code(catalog, market.base).to_owned(),
        quote_currency: units::code(catalog, market.quote).to_owned(),
        is_final,
        past: None,
    }
}

/// Traded quantity since the start of the timeline.
#[derive(Default)]
struct Volume {
    base: u128,
    quote: u128,
}

impl Volume {
    fn add(&mut self, candle: &Candle) {
        self.base += u128::from(candle.volume);
        self.quote += u128::from(candle.quote_volume);
    }

    /// M-6: quote over base, rounded down, as a price.
    fn average(&self, catalog: &Catalog, market: &Market) -> Option<Price> {
        let (base, quote) = (catalog.asset(market.base)?, catalog.asset(market.quote)?);
        let scaled = self.quote.checked_mul(pow10(base.scale + PRICE_SCALE))?;
        u64::try_from(scaled.checked_div(self.base * pow10(quote.scale))?).ok().map(Price)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walking_back_counts_calendar_buckets() {
        let new_year = Time(1_767_225_600_000);
        assert_eq!(back(Period::Day1, new_year.plus(5), 1), Time(new_year.0 - DAY_MS));
        assert_eq!(back(Period::Month1, new_year.plus(5), 2), Time(new_year.0 - 61 * DAY_MS));
        assert_eq!(period("1M").map(|(word, _)| word), Some("1mon"));
        assert_eq!(period("2min"), None);
    }
}
