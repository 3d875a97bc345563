//! Candles and the 24 h ticker, made from trades or index samples (M-1 to M-7). A read model: it decides nothing about money.

use std::collections::VecDeque;

use crate::amount::{Amount, Price};
use crate::time::{DAY_MS, HOUR_MS, MINUTE_MS, Time};
use crate::units::product;

/// Volumes are capped here: the greatest number that a database stores.
pub const MAX_VOLUME: Amount = i64::MAX.cast_unsigned();

/// The base of a candle (M-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Series {
    /// Accepted index samples.
    Index,
    /// Trades of our own book.
    Trade,
}

impl Series {
    /// Both.
    pub const ALL: [Series; 2] = [Series::Index, Series::Trade];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Series::Index => "index",
            Series::Trade => "trade",
        }
    }
}

/// Length of a candle (M-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Period {
    /// 1 minute.
    Minute1,
    /// 5 minutes.
    Minute5,
    /// 15 minutes.
    Minute15,
    /// 30 minutes.
    Minute30,
    /// 60 minutes.
    Hour1,
    /// A UTC day.
    Day1,
    /// A week from Monday 00:00 UTC.
    Week1,
    /// A calendar month, UTC.
    Month1,
}

impl Period {
    /// All periods, shortest first.
    pub const ALL: [Period; 8] =
        [Period::Minute1, Period::Minute5, Period::Minute15, Period::Minute30, Period::Hour1, Period::Day1, Period::Week1, Period::Month1];

    /// Start of the bucket that holds `time`, ms; buckets are half-open `[start, end)` in UTC (M-2). Only the week of 1970-01-01 starts
    /// before time 0.
    pub fn start_ms(self, time: Time) -> i64 {
        let before_time = if self == Period::Week1 && time.day() < 4 { 3 * DAY_MS } else { 0 };
        self.start(time).0.cast_signed().saturating_sub_unsigned(before_time)
    }

    /// Start of the bucket that holds `time`, not before time 0.
    pub fn start(self, time: Time) -> Time {
        let aligned = |length: u64| Time(time.0.saturating_sub(time.0.checked_rem(length).unwrap_or(0)));
        match self {
            Period::Minute1 => aligned(MINUTE_MS),
            Period::Minute5 => aligned(5 * MINUTE_MS),
            Period::Minute15 => aligned(15 * MINUTE_MS),
            Period::Minute30 => aligned(30 * MINUTE_MS),
            Period::Hour1 => aligned(HOUR_MS),
            Period::Day1 => aligned(DAY_MS),
            Period::Week1 => Time::of_day(week_of(time).saturating_mul(7).saturating_sub(3)),
            Period::Month1 => {
                let (year, month, _) = civil_date(time.day());
                Time::of_day(day_number(year, month, 1))
            }
        }
    }

    /// Start of the next bucket, which is the end of this one.
    pub fn end(self, start: Time) -> Time {
        match self {
            Period::Minute1 => start.plus(MINUTE_MS),
            Period::Minute5 => start.plus(5 * MINUTE_MS),
            Period::Minute15 => start.plus(15 * MINUTE_MS),
            Period::Minute30 => start.plus(30 * MINUTE_MS),
            Period::Hour1 => start.plus(HOUR_MS),
            Period::Day1 => start.plus(DAY_MS),
            Period::Week1 => Time::of_day(week_of(start).saturating_mul(7).saturating_add(4)),
            Period::Month1 => {
                let (year, month, _) = civil_date(start.day());
                let (year, month) = if month == 12 { (year.saturating_add(1), 1) } else { (year, month.saturating_add(1)) };
                Time::of_day(day_number(year, month, 1))
            }
        }
    }
}

/// Number of the week that holds `time`. Day 0 was a Thursday, so Mondays are the days 4, 11, 18 ...
fn week_of(time: Time) -> u64 {
    time.day().saturating_add(3) / 7
}

/// Year, month and day of a UTC day number (proleptic Gregorian, from 1970 on). Only days beyond all times saturate.
pub fn civil_date(day: u64) -> (u64, u64, u64) {
    // Counts from 0000-03-01, so that the leap day is the last day of a year.
    let shifted = day.saturating_add(719_468);
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let leap_days = (of_era / 1_460).saturating_add(of_era / 146_096).saturating_sub(of_era / 36_524);
    let year_of_era = of_era.saturating_sub(leap_days) / 365;
    let of_year = of_era.saturating_sub(days_before(year_of_era));
    let shifted_month = of_year.saturating_mul(5).saturating_add(2) / 153;
    let day_of_month = of_year.saturating_sub(days_before_month(shifted_month)).saturating_add(1);
    let month = if shifted_month < 10 { shifted_month.saturating_add(3) } else { shifted_month.saturating_sub(9) };
    (era.saturating_mul(400).saturating_add(year_of_era).saturating_add(u64::from(month <= 2)), month, day_of_month)
}

/// UTC day number of a date from 1970 on.
pub fn day_number(year: u64, month: u64, day: u64) -> u64 {
    let year = year.saturating_sub(u64::from(month <= 2));
    let (era, year_of_era) = (year / 400, year % 400);
    let shifted_month = if month > 2 { month.saturating_sub(3) } else { month.saturating_add(9) };
    let of_year = days_before_month(shifted_month).saturating_add(day).saturating_sub(1);
    let of_era = days_before(year_of_era).saturating_add(of_year);
    era.saturating_mul(146_097).saturating_add(of_era).saturating_sub(719_468)
}

/// Days of an era before its year.
fn days_before(year_of_era: u64) -> u64 {
    year_of_era.saturating_mul(365).saturating_add(year_of_era / 4).saturating_sub(year_of_era / 100)
}

/// Days of a year that begins in March before its month.
fn days_before_month(shifted_month: u64) -> u64 {
    shifted_month.saturating_mul(153).saturating_add(2) / 5
}

/// Open, high, low, close and volume of one bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candle {
    /// Start of the bucket.
    pub start: Time,
    /// First price.
    pub open: Price,
    /// Highest price.
    pub high: Price,
    /// Lowest price.
    pub low: Price,
    /// Last price.
    pub close: Price,
    /// Base atoms; 0 in an index series.
    pub volume: Amount,
    /// Quote atoms.
    pub quote_volume: Amount,
    /// Trades or samples.
    pub count: u64,
}

impl Candle {
    /// A bucket with one trade, or one sample with no volume.
    pub fn first(start: Time, price: Price, volume: Amount, quote_volume: Amount) -> Candle {
        Candle { start, open: price, high: price, low: price, close: price, volume, quote_volume, count: 1 }
    }

    /// An empty bucket after `price` (M-4).
    pub fn flat(start: Time, price: Price) -> Candle {
        Candle { count: 0, ..Candle::first(start, price, 0, 0) }
    }

    /// Merges a later part of the same bucket (M-3). Volumes are capped at [`MAX_VOLUME`].
    pub fn merge(&mut self, later: &Candle) {
        self.high = self.high.max(later.high);
        self.low = self.low.min(later.low);
        self.close = later.close;
        self.volume = self.volume.saturating_add(later.volume).min(MAX_VOLUME);
        self.quote_volume = self.quote_volume.saturating_add(later.quote_volume).min(MAX_VOLUME);
        self.count = self.count.saturating_add(later.count);
    }
}

/// Merges ascending shorter candles into longer ones, without empty buckets (M-3).
pub fn merge_candles(shorter: impl IntoIterator<Item = Candle>, period: Period) -> Vec<Candle> {
    let mut merged: Vec<Candle> = Vec::new();
    for candle in shorter {
        let start = period.start(candle.start);
        match merged.last_mut() {
            Some(last) if last.start == start => last.merge(&candle),
            _ => merged.push(Candle { start, ..candle }),
        }
    }
    merged
}

/// The buckets with start in `[from, to)`, empty ones repeating the close before them (M-4). `candles` are ascending;
/// `close_before` is the last price before `from`, if there was one.
pub fn fill_gaps(candles: &[Candle], period: Period, from: Time, to: Time, close_before: Option<Price>) -> Vec<Candle> {
    let mut filled = Vec::new();
    let mut close = close_before;
    let mut start = period.start(from);
    if start < from {
        start = period.end(start);
    }
    let mut waiting = candles.iter().filter(|candle| candle.start >= from).peekable();
    while start < to {
        if let Some(candle) = waiting.next_if(|candle| candle.start == start) {
            close = Some(candle.close);
            filled.push(*candle);
        } else if let Some(price) = close {
            filled.push(Candle::flat(start, price));
        }
        start = period.end(start);
    }
    filled
}

/// The rolling day of one series: its 1-minute candles of the current minute and the 1 439 before it, and the close before them (M-7).
#[derive(Clone, Debug, Default)]
pub struct RollingDay {
    minutes: VecDeque<Candle>,
    close_before: Option<Price>,
}

/// The 24 h ticker (M-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticker {
    /// First price in the window.
    pub open: Price,
    /// Highest.
    pub high: Price,
    /// Lowest.
    pub low: Price,
    /// Last price.
    pub last: Price,
    /// Base atoms.
    pub volume: Amount,
    /// Quote atoms.
    pub quote_volume: Amount,
    /// Trades.
    pub count: u64,
}

impl Ticker {
    /// Last less open: whether it is a fall, and its size.
    pub fn change(&self) -> (bool, Price) {
        (self.last < self.open, self.last.distance(self.open))
    }

    /// Size of the change in 0.01 %, truncated toward zero.
    pub fn change_percent(&self) -> u64 {
        let shares = product(self.change().1.0, 10_000).checked_div(u128::from(self.open.0));
        shares.and_then(|shares| u64::try_from(shares).ok()).unwrap_or(u64::MAX)
    }
}

impl RollingDay {
    /// Adds a trade, or a sample with no volume. Times never decrease.
    pub fn add(&mut self, time: Time, price: Price, volume: Amount, quote_volume: Amount) {
        let candle = Candle::first(Period::Minute1.start(time), price, volume, quote_volume);
        self.add_minute(candle);
    }

    /// Adds a 1-minute candle, or a later part of the newest one.
    pub fn add_minute(&mut self, candle: Candle) {
        match self.minutes.back_mut() {
            Some(last) if last.start == candle.start => last.merge(&candle),
            _ => self.minutes.push_back(candle),
        }
        self.forget(candle.start);
    }

    fn forget(&mut self, now: Time) {
        let first = window_start(now);
        while let Some(candle) = self.minutes.front().filter(|candle| candle.start < first) {
            self.close_before = Some(candle.close);
            self.minutes.pop_front();
        }
    }

    /// The ticker at `now`, which is not before the last addition; `None` before the first trade.
    pub fn ticker(&self, now: Time) -> Option<Ticker> {
        let mut window = self.window(now);
        let Some(open) = window.next() else {
            let price = self.minutes.back().map(|candle| candle.close).or(self.close_before)?;
            return Some(Ticker { open: price, high: price, low: price, last: price, volume: 0, quote_volume: 0, count: 0 });
        };
        let mut day = *open;
        window.for_each(|candle| day.merge(candle));
        Some(Ticker {
            open: day.open,
            high: day.high,
            low: day.low,
            last: day.close,
            volume: day.volume,
            quote_volume: day.quote_volume,
            count: day.count,
        })
    }

    /// Those of the window at `now`, which the ticker then is the sum of.
    pub fn window(&self, now: Time) -> impl Iterator<Item = &Candle> {
        let first = window_start(now);
        self.minutes.iter().filter(move |candle| candle.start >= first)
    }

    /// The 1-minute candles in the window, ascending, without empty ones.
    pub fn minutes(&self) -> impl DoubleEndedIterator<Item = &Candle> {
        self.minutes.iter()
    }
}

/// The first instant of the rolling day (M-7).
pub fn window_start(now: Time) -> Time {
    Time(Period::Minute1.start(now).0.saturating_sub(1_439 * MINUTE_MS))
}
