//! The state as a reader of the events alone derives it; it must be what the engine holds (I-12: an account's lines sum to its balance).

use std::collections::BTreeMap;

use engine::Engine;
use engine::amount::Price;
use engine::event::{Event, Trade};
use engine::ids::{AssetId, MarketId, OrderId};
use engine::index::IndexSample;
use engine::ledger::{HouseAccount, Line, Owner, Part};
use engine::spot::Side;
use engine::spot::SpotOrder;

/// State rebuilt from events.
#[derive(Debug, Default)]
pub struct Projection {
    accounts: BTreeMap<(Owner, AssetId), i128>,
    levels: BTreeMap<(MarketId, Side, Price), u64>,
    live: BTreeMap<OrderId, SpotOrder>,
    trades: u64,
}

/// The trades and samples among the events of one command.
#[derive(Debug, Default)]
pub struct Projected {
    /// Trades in order.
    pub trades: Vec<Trade>,
    /// Samples in order.
    pub samples: Vec<IndexSample>,
}

impl Projection {
    /// Takes the events of one command.
    ///
    /// # Errors
    /// Says which event cannot be.
    pub fn apply(&mut self, events: &[Event]) -> Result<Projected, String> {
        let mut seen = Projected::default();
        for event in events {
            match event {
                Event::Posted(posting) => {
                    let [debit, credit] = posting.lines();
                    let amounts = (debit.asset, debit.amount, debit.credit, credit.credit) == (credit.asset, credit.amount, false, true);
                    if !amounts {
                        return Err(format!("sides do not match: {posting:?}"));
                    }
                    self.post(&debit)?;
                    self.post(&credit)?;
                }
                Event::SpotOrderChanged(order) => {
                    let order = *order;
                    if order.is_live() {
                        self.live.insert(order.id, order)
                    } else {
                        self.live.remove(&order.id)
                    };
                }
                Event::Traded(trade) => {
                    self.trades += 1;
                    if trade.id.0 != self.trades || trade.taker.user == trade.maker.user {
                        return Err(format!("I-9: {trade:?}"));
                    }
                    seen.trades.push(trade.clone());
                }
                Event::LevelChanged { market, side, price, quantity } => {
                    let key = (*market, *side, *price);
                    if *quantity == 0 {
                        self.levels.remove(&key)
                    } else {
                        self.levels.insert(key, *quantity)
                    };
                }
                Event::IndexSampled(sample) => seen.samples.push(sample.clone()),
                Event::MemberRegistered { .. } | Event::Transferred(_) | Event::Account(_) | Event::HappenedAt(_) => {}
            }
        }
        Ok(seen)
    }

    fn post(&mut self, line: &Line) -> Result<(), String> {
        let balance = self.accounts.entry((line.owner, line.asset)).or_default();
        *balance += if line.credit { i128::from(line.amount) } else { -i128::from(line.amount) };
        let outside = line.owner == Owner::House(HouseAccount::External);
        if line.amount == 0 || (!outside && *balance != i128::from(line.after)) || (outside && line.after != 0) {
            return Err(format!("I-12: {balance} after {line:?}"));
        }
        Ok(())
    }

    /// Compares with the engine.
    ///
    /// # Errors
    /// Says what differs.
    pub fn compare(&self, engine: &Engine) -> Result<(), String> {
        for ((owner, asset), expected) in &self.accounts {
            let found = match owner {
                Owner::Member(user, wallet, part) => {
                    let balance = engine.balance(*user, *wallet, *asset).unwrap_or_default();
                    if *part == Part::Available { balance.available } else { balance.held }
                }
                Owner::House(HouseAccount::External) => continue,
                Owner::House(account) => engine.house_balance(*account, *asset),
            };
            if i128::from(found) != *expected {
                return Err(format!("{owner:?} in coin {} has {found}, its lines sum to {expected}", asset.0));
            }
        }
        for market in engine.catalog().markets.iter().map(|market| market.id) {
            for side in [Side::Buy, Side::Sell] {
                let Some((book, grid)) = engine.book(market) else { return Err(format!("no book of {market:?}")) };
                let mut levels: Vec<(Price, u64)> =
                    book.levels(side).map(|(ticks, steps)| (grid.price(ticks), grid.quantity(steps).0)).collect();
                levels.sort_unstable();
                let expected: Vec<(Price, u64)> = self
                    .levels
                    .range((market, side, Price(0))..=(market, side, Price(u64::MAX)))
                    .map(|((.., price), quantity)| (*price, *quantity))
                    .collect();
                if levels != expected {
                    return Err(format!("levels of {market:?} {side:?} are {levels:?}, the events said {expected:?}"));
                }
            }
        }
        let users: std::collections::BTreeSet<_> = self.live.values().map(|order| order.user).collect();
        let mut found: Vec<&SpotOrder> = users.into_iter().flat_map(|user| engine.live_spot_orders(user)).collect();
        found.sort_by_key(|order| order.id);
        if found.iter().copied().ne(self.live.values()) {
            return Err(format!("live orders are {found:?}, the events said {:?}", self.live));
        }
        Ok(())
    }
}
