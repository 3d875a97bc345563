//! The rolling 24-hour statistics of every pair and series, kept in memory from the events of the log (M-7).

use std::collections::{BTreeMap, VecDeque};

use engine::candles::{Candle, Period, RollingDay, Series, Ticker, window_start};
use engine::event::{AccountEvent, Event};
use engine::ids::MarketId;
use engine::listing::change::{CatalogChange, CatalogVersion};
use engine::published::Published;
use engine::time::Time;

/// The pair that the event lists.
pub fn listed_pair(change: &AccountEvent) -> Option<MarketId> {
    match change {
        AccountEvent::CatalogChanged(CatalogVersion { change: CatalogChange::ListMarket { market, .. }, .. }) => Some(market.id),
        _ => None,
    }
}

/// Rolling 24-hour statistics, and when each book last changed.
#[derive(Clone, Debug, Default)]
pub struct MarketStats {
    days: BTreeMap<(MarketId, Series), RollingDay>,
    books: BTreeMap<MarketId, BookMark>,
    /// For each minute, a number that no entry of it or of a later one is below, ascending.
    begins: VecDeque<(Time, u64)>,
    /// After this minute every one with entries is among them, with its first.
    known_after: Time,
    newest: u64,
}

/// The entries that a rolling day follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// No entry before this one counts.
    pub from_seq: u64,
    /// The last entry that is counted.
    pub to_seq: u64,
}

/// The latest change of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookMark {
    /// Sequence of its entry; after a start, of the entry that the start began with. Books with the same sequence are identical.
    pub seq: u64,
    /// Time of the last change.
    pub time: Time,
}

impl MarketStats {
    /// Adds the 1-minute candles of one series, ascending.
    pub fn load(&mut self, market: MarketId, series: Series, minutes: impl IntoIterator<Item = Candle>) {
        let day = self.days.entry((market, series)).or_default();
        minutes.into_iter().for_each(|candle| day.add_minute(candle));
    }

    /// Says that what was added follows from the entries up to this one, the last of which is of this time. `begins` are minutes, ascending,
    /// with a number that no entry of theirs or later is below.
    pub fn load_range(&mut self, begins: impl IntoIterator<Item = (Time, u64)>, (now, newest): (Time, u64)) {
        begins.into_iter().for_each(|(minute, seq)| self.begin(minute, seq));
        // Of the current minute there may be entries from before the start.
        self.begin(now, self.begins.back().map_or(1, |(_, seq)| *seq));
        self.known_after = Period::Minute1.start(now);
        self.newest = newest;
    }

    fn begin(&mut self, time: Time, seq: u64) {
        let minute = Period::Minute1.start(time);
        if self.begins.back().is_none_or(|(last, _)| *last < minute) {
            self.begins.push_back((minute, seq));
        }
        let first = window_start(minute);
        while self.begins.get(1).is_some_and(|(next, _)| *next <= first) {
            self.begins.pop_front();
        }
    }

    /// The entries that the rolling days follow from at `now`.
    pub fn range(&self, now: Time) -> Range {
        let first = window_start(now);
        let after = self.begins.partition_point(|(minute, _)| *minute <= first);
        let before = after.checked_sub(1).and_then(|at| self.begins.get(at));
        let from = match before {
            None => 1,
            // In between nothing was written.
            Some((minute, _)) if *minute < first && *minute >= self.known_after => {
                self.begins.get(after).map_or(self.newest, |(_, seq)| *seq)
            }
            Some((_, seq)) => *seq,
        };
        Range { from_seq: from.min(self.newest.max(1)), to_seq: self.newest }
    }

    /// Adds the events of new entries.
    pub fn take(&mut self, batch: &[Published]) {
        for published in batch {
            self.begin(published.time, published.seq.0);
            self.newest = published.seq.0;
            for event in &published.events {
                match event {
                    Event::IndexSampled(sample) => {
                        self.days.entry((sample.market, Series::Index)).or_default().add(sample.time, sample.price, 0, 0);
                    }
                    Event::Traded(trade) => {
                        self.days.entry((trade.market, Series::Trade)).or_default().add(
                            trade.time,
                            trade.price,
                            trade.quantity,
                            trade.value,
                        );
                    }
                    // Changed books are marked together with the state that has them.
                    Event::LevelChanged { .. }
                    | Event::Account(_)
                    | Event::MemberRegistered { .. }
                    | Event::Posted(_)
                    | Event::SpotOrderChanged(_)
                    | Event::Transferred(_)
                    | Event::HappenedAt(_) => {}
                }
            }
        }
    }

    /// The ticker of a series; `None` before its first price.
    pub fn ticker(&self, market: MarketId, series: Series, now: Time) -> Option<Ticker> {
        self.days.get(&(market, series))?.ticker(now)
    }

    /// The 1-minute candles that the ticker of a series is the sum of, ascending, without empty ones.
    pub fn window(&self, market: MarketId, series: Series, now: Time) -> impl Iterator<Item = &Candle> {
        self.days.get(&(market, series)).into_iter().flat_map(move |day| day.window(now))
    }

    /// The 1-minute candles of the last 24 hours, ascending.
    pub fn minutes(&self, market: MarketId, series: Series) -> impl DoubleEndedIterator<Item = &Candle> {
        self.days.get(&(market, series)).into_iter().flat_map(RollingDay::minutes)
    }

    /// The latest change of a pair's book.
    pub fn book(&self, market: MarketId) -> BookMark {
        self.books.get(&market).copied().unwrap_or_default()
    }

    /// Marks the books as a start finds them, or as they are in the state being published. The state's lock is held, so a reader of a book
    /// there finds that book's mark here.
    pub fn mark_books(&mut self, books: impl IntoIterator<Item = (MarketId, BookMark)>) {
        self.books.extend(books);
    }
}

/// The books that these entries changed.
pub fn changed_books<'a>(entries: impl IntoIterator<Item = &'a Published>) -> BTreeMap<MarketId, BookMark> {
    let mut books = BTreeMap::new();
    for Published { seq, time, events, .. } in entries {
        for event in events {
            let changed = match event {
                Event::LevelChanged { market, .. } => Some(*market),
                // The statistics of a pair begin with the entry that lists it.
                Event::Account(change) => listed_pair(change),
                _ => None,
            };
            books.extend(changed.map(|market| (market, BookMark { seq: seq.0, time: *time })));
        }
    }
    books
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::time::{DAY_MS, MINUTE_MS};

    #[test]
    fn the_range_of_a_day_begins_with_its_first_entry_and_after_a_start_not_after_it() {
        let mut stats = MarketStats::default();
        assert_eq!(stats.range(Time(DAY_MS)), Range { from_seq: 1, to_seq: 0 });
        let day = Time(100 * DAY_MS);
        // As a start finds them: no entry of the minute or of a later one has a lower number.
        stats.load_range([(day, 10), (day.plus(2 * MINUTE_MS), 20)], (day.plus(3 * MINUTE_MS), 30));
        let from = |stats: &MarketStats, minutes: u64| stats.range(day.plus(DAY_MS - MINUTE_MS).plus(minutes * MINUTE_MS)).from_seq;
        assert_eq!([0, 1, 2, 3].map(|minutes| from(&stats, minutes)), [10, 10, 20, 20]);
        // The first of each minute, and nothing of those after it.
        for (time, seq) in [(DAY_MS + 1, 31), (DAY_MS + 2, 32), (DAY_MS + MINUTE_MS, 33), (DAY_MS + 3 * MINUTE_MS, 34)] {
            stats.begin(day.plus(time), seq);
        }
        assert_eq!([1440, 1441, 1442, 1443].map(|minutes| from(&stats, minutes)), [30, 30, 30, 30]);
        stats.newest = 34;
        assert_eq!([1440, 1441, 1442, 1443].map(|minutes| from(&stats, minutes)), [31, 33, 34, 34]);
        for minute in 0..3_000 {
            stats.begin(day.plus(2 * DAY_MS + minute * MINUTE_MS), 100 + minute);
        }
        assert_eq!(stats.begins.len(), 1_440);
    }
}
