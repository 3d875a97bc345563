//! The exact arithmetic of contracts: whole numbers, prices counted in ticks, one rounding for each amount (4.3, 4.5, 4.9).
//!
//! [`Terms::fault`] admits only terms under which no product here exceeds [`WITHIN`], so nothing overflows and nothing is truncated.
//!
//! [`Terms::fault`]: super::terms::Terms::fault
//!
//! The amounts of a closing differ in their types, so a fee cannot stand where a profit is meant, nor insurance where the fee is:
//!
//! ```
//! use engine::contracts::formulas::{Fee, Insurance, Profit, settle};
//! settle(1_000_000, Profit(-20_000), Fee(500), Insurance(0));
//! ```
//!
//! ```compile_fail,E0308
//! use engine::contracts::formulas::{Fee, Insurance, Profit, settle};
//! settle(1_000_000, Fee(500), Profit(-20_000), Insurance(0));
//! ```
//!
//! ```compile_fail,E0308
//! use engine::contracts::formulas::{Fee, Insurance, Profit, settle};
//! settle(Insurance(0), Profit(-20_000), Fee(500), 1_000_000);
//! ```
//!
//! ```compile_fail,E0308
//! use engine::amount::Rate;
//! use engine::contracts::formulas::{Insurance, fee, settle};
//! let charged = fee(1_000_000, Rate(50_000));
//! settle(1_000_000, charged, charged, Insurance(0));
//! ```

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, RATE_ONE, Rate};
use crate::exact::Exact;

/// The largest notional under any terms, times 10^8, fits 128 bits.
pub(crate) const WITHIN: i128 = 1_000_000_000_000_000_000_000_000_000_000;
const FITS: &str = "terms are admitted only if the largest notional is below 10^30, so that it fits 128 bits times 10^8";
const ONE: i128 = 100_000_000;
/// Parts of the effective leverage in a score (4.9).
const SCORE_PARTS: i128 = 10_000;

/// A price in ticks of its contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct TickPrice(pub u64);

/// Value of one tick for a position, quote atoms: `V = lots * kv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TickValue(pub u64);

/// What a position has won, or lost below 0, quote atoms; at most its cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profit(pub i128);

/// A fee that is charged, quote atoms; not always paid in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fee(pub i128);

/// What insurance has to cover losses with, quote atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Insurance(pub Amount);

/// Which way a position gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// When the price rises.
    Long,
    /// When the price falls.
    Short,
}

impl Direction {
    /// Its number on the wire.
    pub const fn number(self) -> u8 {
        match self {
            Direction::Long => 1,
            Direction::Short => 2,
        }
    }
}

/// The maintenance requirement of a position, fixed when it was opened (C-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// Maintenance rate of the tier.
    pub maintenance: Rate,
    /// Fee of a liquidation.
    pub liquidation_fee: Rate,
    /// Deduction of the tier, quote atoms.
    pub deduction: Amount,
}

/// What a position's profit depends on: direction, value of a tick, and its entry price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stake {
    /// Long or short.
    pub direction: Direction,
    /// Quote atoms of one tick.
    pub value: TickValue,
    /// Execution price of the opening, `p0`.
    pub entry: TickPrice,
}

/// How a closing divides the margin (4.5); the four columns of the rule follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// What the owner receives.
    pub returned: Amount,
    /// The part of the fee that is paid.
    pub fee: Amount,
    /// What insurance covers of a loss beyond the margin.
    pub cover: Amount,
    /// The part that insurance does not cover: the pool's own loss.
    pub uncovered: i128,
}

impl TickPrice {
    pub(crate) fn signed(self) -> i128 {
        i128::from(self.0)
    }

    fn of(ticks: i128) -> Option<TickPrice> {
        u64::try_from(ticks).ok().map(TickPrice)
    }
}

impl TickValue {
    /// The value of a tick times a number of ticks, exact (C-2).
    pub(crate) fn times(self, ticks: i128) -> i128 {
        i128::from(self.0).times(ticks, FITS)
    }

    /// Notional at a price (C-2).
    pub fn notional(self, price: TickPrice) -> i128 {
        self.times(price.signed())
    }
}

impl Direction {
    /// Execution price of an opening (C-1).
    pub fn opening(self, mark: TickPrice, spread: Rate) -> TickPrice {
        match self {
            Direction::Long => bought(mark, spread),
            Direction::Short => sold(mark, spread),
        }
    }

    /// Execution price of a closing (C-1).
    pub fn closing(self, mark: TickPrice, spread: Rate) -> TickPrice {
        match self {
            Direction::Long => sold(mark, spread),
            Direction::Short => bought(mark, spread),
        }
    }

    /// The furthest mark at which an opening is executed at the limit or better: the highest for a long, the lowest for a short (4.7).
    pub fn filling_mark(self, limit: TickPrice, spread: Rate) -> TickPrice {
        let (limit, spread) = (limit.signed(), i128::from(spread.0));
        let mark = match self {
            Direction::Long => floor(limit.times(ONE, FITS), ONE.plus(spread, FITS)),
            Direction::Short if limit <= 1 => limit,
            Direction::Short => ceil(limit.times(ONE, FITS), ONE.less(spread, FITS)),
        };
        TickPrice::of(mark).unwrap_or(TickPrice(u64::MAX))
    }

    /// True if an execution price is at the limit or better.
    pub fn admits(self, limit: TickPrice, price: TickPrice) -> bool {
        match self {
            Direction::Long => price <= limit,
            Direction::Short => price >= limit,
        }
    }
}

fn bought(mark: TickPrice, spread: Rate) -> TickPrice {
    let price = ceil(mark.signed().times(ONE.plus(i128::from(spread.0), FITS), FITS), ONE);
    TickPrice::of(price).expect(FITS)
}

fn sold(mark: TickPrice, spread: Rate) -> TickPrice {
    let price = floor(mark.signed().times(ONE.less(i128::from(spread.0), FITS), FITS), ONE);
    TickPrice::of(price.max(1)).expect(FITS)
}

/// Initial margin of a notional (C-3).
pub fn initial_margin(notional: i128, multiple: u32) -> i128 {
    ceil(notional, i128::from(multiple))
}

/// A fee on a notional, rounded up (C-4).
pub fn fee(notional: i128, rate: Rate) -> Fee {
    Fee(ceil(notional.times(i128::from(rate.0), FITS), ONE))
}

/// Most that a position may win (C-6).
pub fn profit_cap(notional: i128, cap_roi: u32, multiple: u32) -> i128 {
    notional.min(floor(notional.times(i128::from(cap_roi), FITS), i128::from(multiple)))
}

impl Stake {
    /// Notional at a price (C-2).
    pub fn notional(self, price: TickPrice) -> i128 {
        self.value.notional(price)
    }

    /// Profit or loss at a price (C-5).
    pub fn profit(self, price: TickPrice) -> i128 {
        let rise = price.signed().less(self.entry.signed(), FITS);
        self.value.times(match self.direction {
            Direction::Long => rise,
            Direction::Short => 0_i128.less(rise, FITS),
        })
    }

    /// The requirement at a price (C-8), times 10^8.
    pub fn requirement(self, required: Requirement, price: TickPrice) -> i128 {
        let Requirement { deduction, .. } = required;
        let gross = self.notional(price).times(required.rate(), FITS);
        gross.less(i128::from(deduction).times(ONE, FITS), FITS).max(0)
    }

    /// C-9: the equity is no more than the requirement. Cross-multiplied, so exact.
    pub fn is_liquidated(self, margin: Amount, required: Requirement, mark: TickPrice) -> bool {
        let equity = i128::from(margin).plus(self.profit(mark), FITS);
        equity.times(ONE, FITS) <= self.requirement(required, mark)
    }

    /// C-10: of a long the highest price at which it is liquidated, 0 for never; of a short the lowest.
    pub fn liquidation_price(self, margin: Amount, required: Requirement) -> TickPrice {
        let (entry, value) = (self.entry.signed(), i128::from(self.value.0));
        let (worth, deduction, margin) = (self.notional(self.entry), i128::from(required.deduction), i128::from(margin));
        let used_up = ceil(margin, value);
        let price = match self.direction {
            Direction::Long => {
                let left = worth.less(margin, FITS).less(deduction, FITS).times(ONE, FITS);
                let required = floor(left, value.times(ONE.less(required.rate(), FITS), FITS));
                required.max(entry.less(used_up, FITS)).max(0)
            }
            Direction::Short => {
                let left = worth.plus(margin, FITS).plus(deduction, FITS).times(ONE, FITS);
                let required = ceil(left, value.times(ONE.plus(required.rate(), FITS), FITS));
                required.min(entry.plus(used_up, FITS))
            }
        };
        TickPrice::of(price).expect(FITS)
    }

    /// C-11: the last price without a debt; below 0 for a long whose margin is above its notional.
    pub fn bankruptcy_price(self, margin: Amount) -> i128 {
        let distance = floor(i128::from(margin), i128::from(self.value.0));
        self.beyond_entry(0_i128.less(distance, FITS))
    }

    /// C-12: the price from which on a position wins its cap; at or below 0 where a short cannot reach it.
    pub fn cap_price(self, cap: Amount) -> i128 {
        self.beyond_entry(ceil(i128::from(cap), i128::from(self.value.0)))
    }

    /// The entry price moved by this many ticks in favour of the position.
    fn beyond_entry(self, ticks: i128) -> i128 {
        match self.direction {
            Direction::Long => self.entry.signed().plus(ticks, FITS),
            Direction::Short => self.entry.signed().less(ticks, FITS),
        }
    }

    /// Rank for deleveraging: profit share times effective leverage (4.9). `profit` is above 0.
    pub fn score(self, margin: Amount, profit: i128, mark: TickPrice) -> i128 {
        let share = floor(profit.times(ONE, FITS), self.notional(self.entry));
        let equity = i128::from(margin).plus(profit, FITS);
        share.times(floor(self.notional(mark).times(SCORE_PARTS, FITS), equity), FITS)
    }
}

impl Requirement {
    fn rate(self) -> i128 {
        i128::from(self.maintenance.0).plus(i128::from(self.liquidation_fee.0), FITS)
    }
}

/// Divides a margin at a closing with this result (4.5). `profit` is already capped.
pub fn settle(margin: Amount, profit: Profit, fee: Fee, insurance: Insurance) -> Settlement {
    let equity = i128::from(margin).plus(profit.0, FITS);
    if equity <= 0 {
        let missing = 0_i128.less(equity, FITS);
        let cover = missing.min(i128::from(insurance.0));
        return Settlement { returned: 0, fee: 0, cover: atoms(cover), uncovered: missing.less(cover, FITS) };
    }
    let fee = fee.0.min(equity);
    Settlement { returned: atoms(equity.less(fee, FITS)), fee: atoms(fee), cover: 0, uncovered: 0 }
}

/// A result that a rule bounds as an amount.
pub(crate) fn atoms(value: i128) -> Amount {
    Amount::try_from(value).expect("margins, caps and fees are below 10^18")
}

/// Rounded down; `by` is above 0.
pub(crate) fn floor(value: i128, by: i128) -> i128 {
    value.checked_div_euclid(by).expect(DIVISOR)
}

/// Rounded up; `by` is above 0.
pub(crate) fn ceil(value: i128, by: i128) -> i128 {
    let rest = value.checked_rem_euclid(by).expect(DIVISOR);
    floor(value, by).plus(i128::from(rest != 0), FITS)
}

const DIVISOR: &str = "multiples, values of a tick and notionals are above 0, and rates are below 100 %";

/// Fits a rate that something is divided by the rest of.
pub(crate) fn is_share(rate: Rate) -> bool {
    rate.0 < RATE_ONE
}
