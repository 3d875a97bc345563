//! The rolling 24-hour statistics of every pair and series, kept in memory from the events of the log (M-7).

use std::collections::BTreeMap;

use engine::candles::{Candle, RollingDay, Series, Ticker};
use engine::event::{AccountEvent, Event};
use engine::ids::MarketId;
use engine::listing::change::{CatalogChange, CatalogVersion};
use engine::published::Published;
use engine::time::Time;

/// The pair that the event lists.
pub fn listed_pair(outside: &AccountEvent) -> Option<MarketId> {
    match outside {
        AccountEvent::CatalogChanged(CatalogVersion { change: CatalogChange::ListMarket { market, .. }, .. }) => Some(market.id),
        _ => None,
    }
}

/// Rolling 24-hour statistics, and when each book last changed.
#[derive(Clone, Debug, Default)]
pub struct MarketStats {
    days: BTreeMap<(MarketId, Series), RollingDay>,
    books: BTreeMap<MarketId, BookMark>,
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

    /// Adds the events of new entries.
    pub fn take(&mut self, batch: &[Published]) {
        for published in batch {
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
                Event::Account(outside) => listed_pair(outside),
                _ => None,
            };
            books.extend(changed.map(|market| (market, BookMark { seq: seq.0, time: *time })));
        }
    }
    books
}
