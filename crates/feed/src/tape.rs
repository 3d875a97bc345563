//! The recorded index of another instance in place of simulated sources (`--tape`): a file of answers of `market/index`, one after another.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;

use engine::amount::{MAX_PRICE, PRICE_SCALE, Price, parse_decimal};
use engine::catalog::Catalog;
use engine::ids::MarketId;
use engine::index::{MarketQuotes, Quote};
use engine::time::Time;
use serde::Deserialize;

use crate::SOURCED;

#[derive(Deserialize)]
struct Answer {
    message: Vec<Sample>,
}

#[derive(Deserialize)]
struct Sample {
    symbol: String,
    price: String,
    time_ms: u64,
}

/// The remainder of a tape. It begins with the first tick; at its end the indices go stale, as if their sources had fallen silent.
#[derive(Debug)]
pub struct Tape {
    rest: VecDeque<(u64, MarketId, Price)>,
    /// Offset from the tape's time to the log's, ms.
    shift: Option<i128>,
}

impl Tape {
    /// Reads a file. Computed indices are skipped: they follow from the others.
    ///
    /// # Errors
    /// What is wrong, and in which answer.
    pub fn read(path: &Path, catalog: &Catalog) -> Result<Tape, String> {
        let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
        let mut rest = Vec::new();
        for (number, answer) in (1..).zip(serde_json::Deserializer::from_str(&text).into_iter::<Answer>()) {
            for sample in answer.map_err(|error| format!("answer {number}: {error}"))?.message {
                let wrong = |what: &str| format!("answer {number}: {what}: {} {} {}", sample.symbol, sample.price, sample.time_ms);
                let market = catalog.markets.iter().find(|market| market.symbol == sample.symbol).ok_or_else(|| wrong("no such pair"))?;
                let price = parse_decimal(&sample.price, PRICE_SCALE, MAX_PRICE.0).ok().map(Price).filter(|price| price.in_bounds());
                let price = price.ok_or_else(|| wrong("no price"))?;
                if SOURCED.contains(&market.id) {
                    rest.push((sample.time_ms, market.id, price));
                }
            }
        }
        if rest.is_empty() {
            return Err("no sample of an index that has sources".to_owned());
        }
        rest.sort_unstable();
        Ok(Tape { rest: rest.into(), shift: None })
    }

    /// Quotes due since the last tick, for these pairs: all sources of a pair give the tape's price.
    pub(super) fn quotes(&mut self, now: Time, pairs: &[(MarketId, usize)]) -> Vec<MarketQuotes> {
        let Some(&(first, ..)) = self.rest.front() else { return Vec::new() };
        let shift = *self.shift.get_or_insert(i128::from(now.0) - i128::from(first));
        let mut due = Vec::new();
        while let Some(&(time, market, price)) = self.rest.front()
            && i128::from(time) + shift <= i128::from(now.0)
        {
            self.rest.pop_front();
            due.retain(|quotes: &MarketQuotes| quotes.market != market);
            // After a jump of the clock the age may be large; the index takes only fresh quotes.
            let age_ms = u32::try_from(i128::from(now.0) - i128::from(time) - shift).unwrap_or(u32::MAX);
            if let Some((_, sources)) = pairs.iter().find(|(pair, _)| *pair == market) {
                due.push(MarketQuotes { market, quotes: (0u8..).take(*sources).map(|source| Quote { source, price, age_ms }).collect() });
            }
        }
        due
    }
}
