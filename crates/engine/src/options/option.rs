//! A short-term option: how it is bought, what it pays, and its outcome (3.1 to 3.3). Pure formulas; nothing here moves money.

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, MAX_AMOUNT, Price, Rate};
use crate::exact::Exact;
use crate::ids::{AssetId, Digest, MarketId, OptionId, Seq, UserId};
use crate::index::ring::Made;
use crate::time::Time;
use crate::units::{rate_divisor, rate_down, rate_up};

const COSTS: &str = "stake, profit and fee of a quote are each below 10^18 (O-3)";

/// The bet of an option, and the movement of an index (O-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// The delivery price is above the band.
    Up,
    /// The delivery price is below the band.
    Down,
    /// The delivery price is in the band, its limits included.
    Flat,
}

impl Direction {
    /// Its number on the wire.
    pub const fn number(self) -> u8 {
        match self {
            Direction::Flat => 0,
            Direction::Up => 1,
            Direction::Down => 2,
        }
    }
}

/// How a bet on up or down is settled when the outcome is flat (O-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TieRule {
    /// The stake is returned, the fee is kept.
    Refund,
    /// It loses.
    Lose,
}

/// State of an option (3.2). All but `Open` are final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Status {
    /// It waits for its delivery.
    Open,
    /// Its type was the outcome: stake and profit are paid.
    Won,
    /// Nothing is paid.
    Lost,
    /// The outcome was flat: the stake is paid back.
    Pushed,
    /// There was no valid delivery price: stake and fee are paid back.
    Refunded,
}

/// Buy an option (O-1 to O-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuyOption {
    /// Buyer.
    pub user: UserId,
    /// Pair whose index decides.
    pub market: MarketId,
    /// The bet.
    pub direction: Direction,
    /// Stake coin.
    pub asset: AssetId,
    /// Length, seconds.
    pub seconds: u32,
    /// Stake, atoms.
    pub stake: Amount,
    /// SHA-256 of the text of the rule that the buyer was offered (`docs/api.md` 10). Another rule refuses the purchase.
    pub rule: Digest,
}

/// Terms of an option that its owner and the house agreed on at the purchase; nothing changes them (I-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// Profit as a share of the stake.
    pub profit: Rate,
    /// Fee as a share of the stake.
    pub fee: Rate,
    /// Half width of the flat band as a share of the open price.
    pub tolerance: Rate,
    /// How a flat outcome settles a bet on up or down.
    pub tie: TieRule,
    /// SHA-256 of the text of the rule.
    pub rule: Digest,
}

/// Amounts of an option in atoms of the stake coin (O-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// Stake.
    pub stake: Amount,
    /// Profit if won, rounded down.
    pub profit: Amount,
    /// Fee, rounded up.
    pub fee: Amount,
}

impl Quote {
    /// `None` when an amount does not fit (0.1).
    pub fn of(stake: Amount, profit: Rate, fee: Rate) -> Option<Quote> {
        let fits = |amount: &Amount| *amount < MAX_AMOUNT;
        let profit = rate_down(stake, profit).filter(fits)?;
        let fee = rate_up(stake, fee).filter(fits)?;
        Some(Quote { stake, profit, fee }).filter(|_| stake < MAX_AMOUNT)
    }

    /// The buyer's cost.
    pub fn cost(&self) -> Amount {
        self.stake.plus(self.fee, COSTS)
    }

    /// The winner's payout.
    pub fn payout(&self) -> Amount {
        self.stake.plus(self.profit, COSTS)
    }

    /// The pool's reserve (O-4).
    pub fn reserve(&self) -> Amount {
        self.payout().plus(self.fee, COSTS)
    }
}

/// Half width of the flat band in price units, rounded down (O-5).
pub fn band(open: Price, tolerance: Rate) -> u128 {
    open.share(tolerance) / rate_divisor()
}

/// The movement of the index between two samples (O-5).
pub fn outcome(open: Price, delivery: Price, tolerance: Rate) -> Direction {
    if u128::from(delivery.distance(open).0) <= band(open, tolerance) {
        Direction::Flat
    } else if delivery > open {
        Direction::Up
    } else {
        Direction::Down
    }
}

/// The result of a bet; `None`: there was no valid delivery price (O-6 to O-9).
pub fn result(bet: Direction, outcome: Option<Direction>, tie: TieRule) -> Status {
    match outcome {
        None => Status::Refunded,
        Some(outcome) if outcome == bet => Status::Won,
        Some(Direction::Flat) if tie == TieRule::Refund => Status::Pushed,
        Some(Direction::Up | Direction::Down | Direction::Flat) => Status::Lost,
    }
}

/// The pool's payments for a result: to the owner, and to the fee account (O-6 to O-9).
pub fn payments(quote: &Quote, result: Status) -> (Amount, Amount) {
    match result {
        Status::Open => (0, 0),
        Status::Won => (quote.payout(), quote.fee),
        Status::Lost => (0, quote.fee),
        Status::Pushed => (quote.stake, quote.fee),
        Status::Refunded => (quote.cost(), 0),
    }
}

/// How an option ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settlement {
    /// The entry with which it was settled.
    pub seq: Seq,
    /// When it fell due: a millisecond after its delivery instant (T-4).
    pub time: Time,
    /// The sample of the delivery price; `None` without a valid one (O-2).
    pub delivery: Option<Made>,
    /// The movement of the index; `None` without a delivery price.
    pub outcome: Option<Direction>,
    /// Atoms that the owner received.
    pub received: Amount,
}

/// A short-term option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BinaryOption {
    /// Number: the sequence of the purchase.
    pub id: OptionId,
    /// Owner.
    pub user: UserId,
    /// Pair whose index decides.
    pub market: MarketId,
    /// The bet.
    pub direction: Direction,
    /// Stake coin.
    pub asset: AssetId,
    /// Stake, profit and fee.
    pub quote: Quote,
    /// Its own terms.
    pub terms: Terms,
    /// Length, seconds.
    pub seconds: u32,
    /// When it was bought.
    pub bought: Time,
    /// The sample of the open price (O-1).
    pub open: Made,
    /// Value of the cost at the purchase, atoms of the coin of the bank terms, rounded up: for the owner's own limits.
    pub value: Amount,
    /// State.
    pub status: Status,
    /// How it ended.
    pub settled: Option<Settlement>,
}

impl BinaryOption {
    /// The instant whose price decides (O-2).
    pub fn delivery_time(&self) -> Time {
        self.bought.plus(u64::from(self.seconds).saturating_mul(crate::time::SECOND_MS))
    }

    /// The first instant at which that price can no longer change (T-4).
    pub(crate) fn due(&self) -> Time {
        self.delivery_time().plus(1)
    }

    /// The owner's loss, in atoms of the coin of the bank terms at the price of the purchase, rounded up.
    pub(crate) fn loss(&self) -> Amount {
        let received = self.settled.map_or(0, |settled| settled.received);
        let (lost, cost) = (self.quote.cost().saturating_sub(received), self.quote.cost());
        let share = crate::units::product(self.value, lost).div_ceil(u128::from(cost.max(1)));
        u64::try_from(share).unwrap_or(self.value)
    }
}
