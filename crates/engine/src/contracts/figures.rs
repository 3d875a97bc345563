//! What a position would be at an execution price, and whether it is allowed (4.4, C-15).

use serde::{Deserialize, Serialize};

use super::formulas::{Direction, Requirement, Stake, TickPrice, TickValue, atoms, fee, initial_margin, profit_cap};
use super::terms::Terms;
use crate::amount::{Amount, Price};
use crate::exact::Exact;
use crate::reject::Reject;
use crate::units::Scales;

/// Prices at which a position closes automatically, in ticks; `None` for no stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stops {
    /// Closes with a profit.
    pub take_profit: Option<TickPrice>,
    /// Closes with a loss.
    pub stop_loss: Option<TickPrice>,
}

/// The part of an order that the figures depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Long or short.
    pub direction: Direction,
    /// Lots, at least 1.
    pub lots: u64,
    /// Multiple.
    pub multiple: u32,
}

/// The figures of a position at its execution price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Direction, value of a tick and price.
    pub stake: Stake,
    /// Multiple.
    pub multiple: u32,
    /// Notional, atoms (C-2).
    pub notional: Amount,
    /// Initial margin (C-3).
    pub margin: Amount,
    /// Opening fee (C-4).
    pub fee: Amount,
    /// Profit cap (C-6).
    pub cap: Amount,
    /// Maintenance rate and deduction of its tier.
    pub required: Requirement,
}

impl Terms {
    /// Lots and multiple are offered.
    ///
    /// # Errors
    /// [`Reject::Lots`], [`Reject::LotsMax`], [`Reject::Leverage`].
    pub fn check_size(&self, size: Size) -> Result<(), Reject> {
        if size.lots == 0 {
            return Err(Reject::Lots);
        }
        if size.lots > self.max_lots {
            return Err(Reject::LotsMax { max: self.max_lots });
        }
        let max = self.multiples.last().copied().unwrap_or(0);
        if self.multiples.contains(&size.multiple) { Ok(()) } else { Err(Reject::Leverage { max }) }
    }

    /// The requirement of the tier of a notional, which admits the multiple.
    ///
    /// # Errors
    /// [`Reject::Tier`], then [`Reject::Leverage`].
    pub(super) fn check_tier(&self, notional: i128, multiple: u32) -> Result<Requirement, Reject> {
        let (tier, required) = self.tier(notional).ok_or(Reject::Tier { max: self.max_notional() })?;
        if multiple > tier.max_multiple { Err(Reject::Leverage { max: tier.max_multiple }) } else { Ok(required) }
    }

    /// The figures at an execution price, whose tier is fixed by them.
    ///
    /// # Errors
    /// [`Reject::Tier`], then [`Reject::Leverage`] for a multiple above that of the tier.
    pub fn figures(&self, scales: Scales, size: Size, entry: TickPrice) -> Result<Figures, Reject> {
        let value: TickValue = self.tick_value(size.lots, scales)?;
        let notional = value.notional(entry);
        let required = self.check_tier(notional, size.multiple)?;
        Ok(Figures {
            multiple: size.multiple,
            stake: Stake { direction: size.direction, value, entry },
            notional: atoms(notional),
            margin: atoms(initial_margin(notional, size.multiple)),
            fee: atoms(fee(notional, self.fee).0),
            cap: atoms(profit_cap(notional, self.cap_roi, size.multiple)),
            required,
        })
    }
}

impl Figures {
    /// What its owner must have available: margin and fee.
    pub fn cost(&self) -> Amount {
        self.margin.plus(self.fee, "both are at most a notional, which is below 10^18")
    }

    /// It is not liquidated at once.
    ///
    /// # Errors
    /// [`Reject::LiquidatedAtOpen`].
    pub fn check_alive(&self, mark: TickPrice) -> Result<(), Reject> {
        let gone = self.stake.is_liquidated(self.margin, self.required, mark);
        if gone { Err(Reject::LiquidatedAtOpen) } else { Ok(()) }
    }
}

/// C-15: take profit first, then stop loss, against the mark, the cap price and the liquidation price.
///
/// # Errors
/// The stop that is out of its bounds.
pub fn check_stops(stake: Stake, cap: Amount, liquidation: TickPrice, mark: TickPrice, stops: Stops) -> Result<(), StopFault> {
    let cap_price = TickPrice(u64::try_from(stake.cap_price(cap)).unwrap_or(0));
    let above = TickPrice(mark.0.saturating_add(1));
    let below = TickPrice(mark.0.saturating_sub(1));
    let (profit, loss) = match stake.direction {
        Direction::Long => ((above, cap_price), (TickPrice(liquidation.0.saturating_add(1)), below)),
        Direction::Short => ((TickPrice(cap_price.0.max(1)), below), (above, TickPrice(liquidation.0.saturating_sub(1)))),
    };
    let within = |(low, high): (TickPrice, TickPrice), price: Option<TickPrice>| price.is_none_or(|price| low <= price && price <= high);
    if !within(profit, stops.take_profit) {
        return Err(StopFault::TakeProfit { low: profit.0, high: profit.1 });
    }
    if !within(loss, stops.stop_loss) {
        return Err(StopFault::StopLoss { low: loss.0, high: loss.1 });
    }
    Ok(())
}

/// A stop outside its bounds, which are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopFault {
    /// Take profit.
    TakeProfit {
        /// Lowest admitted price.
        low: TickPrice,
        /// Highest admitted price.
        high: TickPrice,
    },
    /// Stop loss.
    StopLoss {
        /// Lowest admitted price.
        low: TickPrice,
        /// Highest admitted price.
        high: TickPrice,
    },
}

impl StopFault {
    /// The refusal with its bounds as prices.
    pub(super) fn reject(self, tick: Price) -> Reject {
        let price = |ticks: TickPrice| Price(ticks.0.saturating_mul(tick.0));
        match self {
            StopFault::TakeProfit { low, high } => Reject::TakeProfit { low: price(low), high: price(high) },
            StopFault::StopLoss { low, high } => Reject::StopLoss { low: price(low), high: price(high) },
        }
    }
}
