//! What a sample triggers: fixed by the sample, executed in its order (4.6, 4.9, T-3).

use serde::{Deserialize, Serialize};

use super::deleverage::{Candidate, deleverage, is_strained, ranking};
use super::formulas::TickPrice;
use super::position::{EndReason, Position, Status};
use super::{ContractContext, Contracts, POOL};
use crate::amount::Amount;
use crate::exact::{COUNTED, Exact};
use crate::ids::{MarketId, PositionId};
use crate::index::{Index, Indices};
use crate::ledger::Ledger;
use crate::scheduler::{Class, Due};
use crate::time::{MINUTE_MS, Time};

/// A retired market closes at the mean of the samples of this period before, ms (0.6).
pub(crate) const RETIREMENT_MEAN_MS: u64 = 30 * MINUTE_MS;

/// The work on a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    /// A position is closed for this reason.
    Close(EndReason),
    /// It is closed to save the pool, and paid this profit.
    Deleverage(Amount),
    /// A waiting order fills, or is cancelled if it cannot.
    Fill,
    /// A waiting order is cancelled.
    Cancel(EndReason),
}

/// A triggered contract that is not settled yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Triggered {
    pub(crate) position: PositionId,
    /// The instant of the sample.
    pub(crate) at: Time,
    /// Its mark.
    pub(crate) mark: TickPrice,
    pub(crate) work: Work,
}

impl Contracts {
    /// Fixes the effect of the last sample of a pair: on positions by number, then on waiting orders by number, which end instead of filling
    /// while nothing is opened in the pair.
    pub(crate) fn fix_sample(&mut self, context: &mut ContractContext<'_>, market: MarketId, opens: bool) {
        let Some(mark) = self.mark(context.indices, market) else { return };
        let ids = self.triggers.get(&market).map(|triggers| triggers.set_off(mark)).unwrap_or_default();
        let (waiting, holding): (Vec<Position>, Vec<Position>) =
            ids.iter().filter_map(|id| Some(self.open.get(id)?.position)).partition(|position| position.status == Status::Waiting);
        for position in holding {
            let reason = position.reason_at(mark).expect("the marks that a position waits for are those that close it");
            self.trigger(context, position.id, mark, Work::Close(reason));
        }
        for order in waiting {
            let work = if opens { Work::Fill } else { Work::Cancel(EndReason::Refused) };
            self.trigger(context, order.id, mark, work);
        }
    }

    /// Closes everything in a retired pair at one price (0.6). What a sample has triggered before stays as it is.
    pub(crate) fn retire(&mut self, context: &mut ContractContext<'_>, market: MarketId) {
        let index = context.indices.get(market);
        let mean = index.and_then(|index| self.mean(market, index, context.now)).or_else(|| self.mark(context.indices, market));
        let left = self.open.values().filter(|open| open.position.market == market && open.triggered.is_none());
        let left: Vec<(PositionId, Status)> = left.map(|open| (open.position.id, open.position.status)).collect();
        for (id, status) in left {
            let work = if status == Status::Waiting { Work::Cancel(EndReason::Retired) } else { Work::Close(EndReason::Retired) };
            self.trigger(context, id, mean.unwrap_or_default(), work);
        }
    }

    /// The mean of the last samples, floored to the tick.
    fn mean(&self, market: MarketId, index: &Index, at: Time) -> Option<TickPrice> {
        let terms = self.terms(market)?;
        let recent = index
            .samples()
            .filter(|made| made.at <= at && at.since(made.at) <= RETIREMENT_MEAN_MS)
            .filter_map(|made| terms.ticks(made.sample.price));
        let (sum, count) = recent.fold((0_u64, 0_u64), |(sum, count), ticks| (sum.saturating_add(ticks.0), count.saturating_add(1)));
        sum.checked_div(count).map(TickPrice)
    }

    fn trigger(&mut self, context: &mut ContractContext<'_>, id: PositionId, mark: TickPrice, work: Work) {
        let order = self.triggered.last_key_value().map_or(0, |(last, _)| last.plus(1, COUNTED));
        let Some(open) = self.open.get_mut(&id) else { return };
        if let Some(triggers) = self.triggers.get_mut(&open.position.market) {
            triggers.forget(&open.position);
        }
        open.triggered = Some(order);
        self.triggered.insert(order, Triggered { position: id, at: context.now, mark, work });
        context.scheduler.plan(Class::ContractTriggered, order, None, Some(context.now));
    }

    /// Removes an object from the triggered ones.
    pub(super) fn drop_triggered(&mut self, context: &mut ContractContext<'_>, order: u64) -> Option<Triggered> {
        let work = self.triggered.remove(&order)?;
        context.scheduler.plan(Class::ContractTriggered, order, Some(work.at), None);
        if let Some(open) = self.open.get_mut(&work.position) {
            open.triggered = None;
            self.triggers.entry(open.position.market).or_default().watch(&open.position);
        }
        Some(work)
    }

    /// Executes the triggered work with this number; returns the position that it closed, if any.
    pub(crate) fn carry_out(&mut self, context: &mut ContractContext<'_>, due: Due) -> Option<Position> {
        let Triggered { position: id, mark, work, .. } = self.drop_triggered(context, due.id)?;
        match work {
            Work::Close(reason) => self.conclude(context, id, mark, reason, None),
            Work::Deleverage(paid) => self.conclude(context, id, mark, EndReason::Deleveraged, Some(paid)),
            Work::Fill => {
                self.fill(context, id, mark);
                None
            }
            Work::Cancel(reason) => {
                self.release(context, id, reason);
                None
            }
        }
    }

    /// Auto-deleveraging, once nothing triggered by a sample is left: fixes which positions are closed, and returns whether there are any
    /// (4.9).
    pub(crate) fn deleverage(&mut self, context: &mut ContractContext<'_>) -> bool {
        let Some(pool) = self.strained_pool(context.ledger) else { return false };
        let winnings = self.winnings(context.indices);
        if !is_strained(winnings, pool) {
            return false;
        }
        let closings = deleverage(&ranking(self.winners(context.indices, context.now)), winnings, pool);
        for closing in &closings {
            let id = PositionId(closing.id);
            let market = self.open.get(&id).map(|open| open.position.market);
            if let Some(mark) = market.and_then(|market| self.mark(context.indices, market)) {
                self.trigger(context, id, mark, Work::Deleverage(closing.paid));
            }
        }
        !closings.is_empty()
    }

    /// The balance of the pool, if its open contracts could win enough of it to require deleveraging. They win at most what is reserved for
    /// them, so most samples end here.
    fn strained_pool(&self, ledger: &Ledger) -> Option<Amount> {
        let asset = ledger.asset(self.asset()?)?;
        let (pool, reserved) = (ledger.house(POOL, asset), ledger.reserved(POOL, asset));
        (self.triggered.is_empty() && is_strained(i128::from(reserved), pool)).then_some(pool)
    }

    /// What all winning positions would be paid at the last marks.
    fn winnings(&self, indices: &Indices) -> i128 {
        let of = |market: &MarketId| Some(self.triggers.get(market)?.winnings(self.mark(indices, *market)?));
        self.listed.keys().filter_map(of).fold(0, i128::saturating_add)
    }

    /// Positions that win at a fresh mark: without one none is closed.
    fn winners(&self, indices: &Indices, now: Time) -> Vec<Candidate> {
        let candidate = |position: &Position| {
            let mark = self.fresh_mark(indices, position.market, now).ok()?;
            let profit = position.open_profit(mark);
            let won = position.status == Status::Holding && profit > 0;
            won.then(|| Candidate { id: position.id.0, score: position.stake().score(position.held, profit, mark), profit })
        };
        self.open().filter_map(candidate).collect()
    }
}
