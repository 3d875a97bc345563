//! A member's contract: a waiting order, an open position, and its outcome (4.1, 4.2).

use serde::{Deserialize, Serialize};

use super::figures::Stops;
use super::formulas::{Direction, Requirement, Stake, TickPrice, TickValue, atoms, fee, initial_margin};
use super::terms::Terms;
use crate::amount::{Amount, Price, Rate};
use crate::exact::Exact;
use crate::ids::{AssetId, MarketId, PositionId, UserId};
use crate::time::Time;

/// Open a position, at once or when the mark reaches a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub struct OpenContract {
    pub user: UserId,
    /// Pair whose index is the mark.
    pub market: MarketId,
    /// Long or short.
    pub direction: Direction,
    pub lots: u64,
    pub multiple: u32,
    /// Worst execution price; `None` accepts that of the mark.
    pub limit: Option<Price>,
    /// Closes with a profit.
    pub take_profit: Option<Price>,
    /// Closes with a loss.
    pub stop_loss: Option<Price>,
}

/// State of a contract (4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Status {
    /// An order that waits for its limit.
    Waiting,
    /// An open position.
    Holding,
    /// A position that was closed. Final.
    Closed,
    /// An order that never became a position. Final.
    Cancelled,
}

/// Why a position was closed or an order cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EndReason {
    /// The owner.
    User,
    /// Take profit (4.6).
    TakeProfit,
    /// Stop loss (4.6).
    StopLoss,
    /// Too little margin was left (C-9).
    Liquidation,
    /// It won its cap (C-6).
    ProfitCap,
    /// Open winnings were too much for the pool (4.9).
    Deleveraged,
    /// The pair was retired (0.6).
    Retired,
    /// An order waited for 30 days (4.2).
    Expired,
    /// An order reached its limit and could not be opened (4.7).
    Refused,
}

impl EndReason {
    /// The name in the rules.
    pub fn name(self) -> &'static str {
        match self {
            EndReason::User => "USER",
            EndReason::TakeProfit => "TP",
            EndReason::StopLoss => "SL",
            EndReason::Liquidation => "LIQUIDATION",
            EndReason::ProfitCap => "PROFIT_CAP",
            EndReason::Deleveraged => "ADL",
            EndReason::Retired => "RETIRED",
            EndReason::Expired => "EXPIRED",
            EndReason::Refused => "REFUSED",
        }
    }
}

/// Terms of a contract, fixed when it was opened (I-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedTerms {
    /// Coin of margin, fees and results.
    pub asset: AssetId,
    /// One lot, base atoms.
    pub lot: Amount,
    /// Price step.
    pub tick: Price,
    /// Quote atoms of one tick of the whole contract.
    pub value: TickValue,
    /// Fee of opening and closing.
    pub fee: Rate,
    /// Distance of the execution price from the mark.
    pub spread: Rate,
    /// Fee of each 00:00 UTC.
    pub overnight: Rate,
    /// The maintenance requirement (C-8); for an order, at its limit.
    pub required: Requirement,
}

/// A contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub struct Position {
    /// Number: the sequence of the entry that asked for it.
    pub id: PositionId,
    pub user: UserId,
    /// Pair whose index is the mark.
    pub market: MarketId,
    /// Long or short.
    pub direction: Direction,
    pub lots: u64,
    pub multiple: u32,
    /// Its terms.
    pub terms: FixedTerms,
    /// Which version of the market's terms those are, from 0: an order finds its tier there when it fills.
    pub version: u32,
    pub status: Status,
    /// Why it ended.
    pub reason: Option<EndReason>,
    /// Worst execution price of an order that waited.
    pub limit: Option<TickPrice>,
    /// The mark at which it was opened; 0 while it waits.
    pub origin: TickPrice,
    /// Execution price of the opening, `p0`; 0 while it waits.
    pub entry: TickPrice,
    /// Prices at which it closes automatically.
    pub stops: Stops,
    /// Initial margin (C-3); 0 while it waits.
    pub initial_margin: Amount,
    /// Atoms held of its owner: of an order its hold, of a position its margin now.
    pub held: Amount,
    /// Opening fee that was paid.
    pub open_fee: Amount,
    /// Most that it may win, which the pool reserves (C-6).
    pub cap: Amount,
    /// Overnight fees that were paid (4.8).
    pub overnight_paid: Amount,
    /// Execution price of the closing; 0 before.
    pub close: TickPrice,
    /// Profit or loss of the closing, at most the cap (4.5).
    pub profit: i128,
    /// Fee of the closing or of the liquidation that was paid.
    pub close_fee: Amount,
    /// What its owner received at the end.
    pub returned: Amount,
    /// When it was asked for.
    pub created: Time,
    /// When the position was opened.
    pub opened: Option<Time>,
    /// When it ended.
    pub ended: Option<Time>,
    /// When it next has due work: a position pays at 00:00 UTC (4.8), an order expires (4.2).
    pub due: Time,
}

impl Position {
    /// The stake that the formulas work on.
    pub fn stake(&self) -> Stake {
        Stake { direction: self.direction, value: self.terms.value, entry: self.entry }
    }

    /// C-10 with the present margin.
    pub fn liquidation_price(&self) -> TickPrice {
        self.stake().liquidation_price(self.held, self.terms.required)
    }

    /// C-12; `None` where it is not reachable.
    pub fn cap_price(&self) -> Option<TickPrice> {
        u64::try_from(self.stake().cap_price(self.cap)).ok().filter(|ticks| *ticks > 0).map(TickPrice)
    }

    /// A price in ticks as a price.
    pub fn price(&self, ticks: TickPrice) -> Price {
        Price(ticks.0.saturating_mul(self.terms.tick.0))
    }

    /// Its equity at a mark: margin and profit or loss, at most the cap (C-7).
    pub fn equity(&self, mark: TickPrice) -> i128 {
        i128::from(self.held).plus(self.open_profit(mark), "margins and results are below 10^30")
    }

    /// Profit or loss at a mark, at most the cap (C-5, C-6).
    pub fn open_profit(&self, mark: TickPrice) -> i128 {
        self.stake().profit(mark).min(i128::from(self.cap))
    }

    /// Fees paid so far: for the opening and for nights.
    pub(crate) fn fees_taken(&self) -> Amount {
        self.open_fee.plus(self.overnight_paid, "fees of an open contract are below its notional")
    }

    /// The effect of a sample on it (4.6).
    pub(crate) fn reason_at(&self, mark: TickPrice) -> Option<EndReason> {
        reason_at(self.stake(), self.liquidation_price(), self.cap, self.stops, mark)
    }

    /// The mark at and below which a sample closes it, and the one at and above which; `None` where no mark does.
    pub(crate) fn closing_marks(&self) -> (Option<TickPrice>, Option<TickPrice>) {
        let liquidation = self.liquidation_price();
        let Stops { take_profit, stop_loss } = self.stops;
        match self.direction {
            Direction::Long => (stop_loss.max(Some(liquidation)), least(take_profit, self.cap_price())),
            Direction::Short => (take_profit.max(self.cap_price()), least(stop_loss, Some(liquidation))),
        }
    }

    /// The furthest mark at which a waiting order fills (4.7).
    pub(crate) fn filling_mark(&self) -> Option<TickPrice> {
        self.limit.map(|limit| self.direction.filling_mark(limit, self.terms.spread))
    }

    /// Waiting or holding.
    pub fn is_open(&self) -> bool {
        match self.status {
            Status::Waiting | Status::Holding => true,
            Status::Closed | Status::Cancelled => false,
        }
    }
}

/// The smaller of two prices that both may be missing.
fn least(one: Option<TickPrice>, other: Option<TickPrice>) -> Option<TickPrice> {
    one.into_iter().chain(other).min()
}

/// The effect of a sample on a position, the first that matches (4.6).
pub fn reason_at(stake: Stake, liquidation: TickPrice, cap: Amount, stops: Stops, mark: TickPrice) -> Option<EndReason> {
    let (lost, stopped, taken) = match stake.direction {
        Direction::Long => {
            (mark <= liquidation, stops.stop_loss.is_some_and(|price| mark <= price), stops.take_profit.is_some_and(|price| mark >= price))
        }
        Direction::Short => {
            (mark >= liquidation, stops.stop_loss.is_some_and(|price| mark >= price), stops.take_profit.is_some_and(|price| mark <= price))
        }
    };
    if lost {
        Some(EndReason::Liquidation)
    } else if stake.profit(mark) >= i128::from(cap) {
        Some(EndReason::ProfitCap)
    } else if stopped {
        Some(EndReason::StopLoss)
    } else if taken {
        Some(EndReason::TakeProfit)
    } else {
        None
    }
}

/// The cost of an opening at a price: margin and fee (4.7).
pub fn opening_cost(terms: &Terms, value: TickValue, multiple: u32, price: TickPrice) -> Amount {
    let notional = value.notional(price);
    atoms(initial_margin(notional, multiple).plus(fee(notional, terms.fee).0, "both are at most a notional"))
}

/// The price at which a waiting order fills and its cost there: the execution price of the mark, or the limit if its owner cannot afford
/// that (4.7).
pub fn fill_price(
    terms: &Terms,
    value: TickValue,
    multiple: u32,
    (executed, limit): (TickPrice, TickPrice),
    funds: Amount,
) -> (TickPrice, Amount) {
    let cost = opening_cost(terms, value, multiple, executed);
    if cost <= funds { (executed, cost) } else { (limit, opening_cost(terms, value, multiple, limit)) }
}
