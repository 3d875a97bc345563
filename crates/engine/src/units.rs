//! Units as types, with the products of the order book and of values. Loans and contracts have types and products of their own, in their
//! formulas. One unit cannot be used in place of another:
//!
//! ```
//! use engine::amount::Price;
//! use engine::units::{Base, Grid, Quote, Scales, Steps, Ticks};
//! let scales = Scales { base: 8, quote: 6 };
//! let (quantity, price) = (Base(150_000_000), Price(250_000_000));
//! assert_eq!(quantity.value_floor(price, scales), Ok(Quote(3_750_000)));
//!
//! let grid = Grid::of(Price(10_000_000), Base(1_000), scales).unwrap();
//! let (ticks, steps) = (Ticks(1_000_000), Steps(200));
//! assert_eq!(grid.price(ticks), Price(10_000_000_000_000));
//! assert_eq!(grid.quantity(steps), Base(200_000));
//! assert_eq!(grid.value(ticks, steps), Quote(200_000_000));
//! ```
//!
//! A quantity and a price:
//!
//! ```compile_fail,E0599
//! use engine::amount::Price;
//! use engine::units::{Base, Scales};
//! let (quantity, price) = (Base(150_000_000), Price(250_000_000));
//! price.value_floor(quantity, Scales { base: 8, quote: 6 });
//! ```
//!
//! ```compile_fail,E0308
//! use engine::units::{Base, Scales};
//! Base(150_000_000).value_floor(Base(250_000_000), Scales { base: 8, quote: 6 });
//! ```
//!
//! ```compile_fail,E0308
//! use engine::amount::{Amount, Price};
//! use engine::spot::{OrderKind, TimeInForce};
//! fn limit(price: Price, quantity: Amount) -> OrderKind {
//!     OrderKind::Limit { price: quantity, quantity: price, time_in_force: TimeInForce::GoodTillCancelled }
//! }
//! ```
//!
//! The amount spent and the amount bought:
//!
//! ```compile_fail,E0308
//! use engine::units::{Base, Quote};
//! let spent = Quote(3_750_000);
//! let bought: Base = spent;
//! ```
//!
//! A tick and a step, and the counts of them:
//!
//! ```compile_fail,E0308
//! use engine::amount::Price;
//! use engine::units::{Base, Grid, Scales};
//! Grid::of(Base(1_000), Price(10_000_000), Scales { base: 8, quote: 6 });
//! ```
//!
//! ```compile_fail,E0308
//! use engine::units::{Grid, Steps, Ticks};
//! fn value(grid: &Grid, ticks: Ticks, steps: Steps) {
//!     grid.value(steps, ticks);
//! }
//! ```
//!
//! ```compile_fail,E0308
//! use engine::units::{Grid, Steps, Ticks};
//! fn value(grid: &Grid, ticks: u32, steps: Steps) {
//!     grid.value(ticks, steps);
//! }
//! ```
//!
//! ```compile_fail,E0308
//! use engine::units::{Grid, Steps, Ticks};
//! fn value(grid: &Grid, ticks: Ticks, steps: u64) {
//!     grid.value(ticks, steps);
//! }
//! ```

use std::num::{NonZeroU64, NonZeroU128};

use crate::amount::{Amount, MAX_AMOUNT, MAX_PRICE, PRICE_SCALE, Price, RATE_ONE, Rate, half_even, pow10, power};
use crate::exact::Exact;
use crate::reject::Reject;

/// What trades is held: the value by the buyer, the quantity by the seller, and all of a coin is below 10^18 (S-8, I-1).
pub(crate) const TRADED: &str = "what trades is held, and what is held is below 10^18 (S-8, I-1)";
const ON_BOOK: &str = "prices on the book are below 10^16";

/// Atoms of the coin that is traded or valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Base(pub Amount);

/// Atoms of the coin of a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Quote(pub Amount);

/// A price in ticks of its pair, as the book has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Ticks(pub u32);

/// A quantity in steps of its pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Steps(pub u64);

/// Decimals of the two coins of a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scales {
    /// Of the coin that is traded or valued.
    pub base: u8,
    /// Of the coin of the price.
    pub quote: u8,
}

impl Base {
    /// Its value, rounded down (R-2).
    ///
    /// # Errors
    /// [`Reject::Overflow`] when the value does not fit an amount.
    pub fn value_floor(self, price: Price, scales: Scales) -> Result<Quote, Reject> {
        amount(self.scaled(price, scales)? / value_divisor(scales.base)).map(Quote)
    }

    /// Its value, rounded up (W-5).
    ///
    /// # Errors
    /// [`Reject::Overflow`] when the value does not fit an amount.
    pub fn value_ceil(self, price: Price, scales: Scales) -> Result<Quote, Reject> {
        amount(self.scaled(price, scales)?.div_ceil(value_divisor(scales.base).get())).map(Quote)
    }

    /// Its value if that is a whole number of quote atoms and fits 64 bits.
    pub fn value_exact(self, price: Price, scales: Scales) -> Option<Quote> {
        let (scaled, divisor) = (self.scaled(price, scales).ok()?, value_divisor(scales.base));
        u64::try_from(scaled / divisor).ok().filter(|_| scaled.is_multiple_of(divisor.get())).map(Quote)
    }

    fn scaled(self, price: Price, scales: Scales) -> Result<u128, Reject> {
        product(self.0, price.0).checked_mul(pow10(scales.quote)).ok_or(Reject::Overflow)
    }
}

impl Price {
    /// Above 0 and below [`MAX_PRICE`] (0.1 Units).
    pub fn in_bounds(self) -> bool {
        self.0 > 0 && self < MAX_PRICE
    }

    /// A multiple of the tick.
    pub fn lies_on(self, tick: Price) -> bool {
        self.0.is_multiple_of(tick.0)
    }

    /// How far apart two prices are.
    pub fn distance(self, other: Price) -> Price {
        Price(self.0.abs_diff(other.0))
    }

    /// At most this share of `base` away from it.
    pub(crate) fn is_near(self, base: Price, share: Rate) -> bool {
        self.distance(base).share(WHOLE) <= base.share(share)
    }

    /// This share of it, in 10^-8 price units.
    pub(crate) fn share(self, rate: Rate) -> u128 {
        product(self.0, rate.0)
    }
}

/// Decimals of a rate: one whole is [`RATE_ONE`].
const RATE_DECIMALS: u8 = 8;

/// All of something.
pub(crate) const WHOLE: Rate = Rate(RATE_ONE);

impl Ticks {
    /// How many more than `other`.
    #[track_caller]
    pub(crate) fn less(self, other: Ticks, proof: &'static str) -> Ticks {
        Ticks(self.0.less(other.0, proof))
    }
}

impl Steps {
    /// The sum, which `proof` bounds.
    #[track_caller]
    pub(crate) fn plus(self, other: Steps, proof: &'static str) -> Steps {
        Steps(self.0.plus(other.0, proof))
    }

    /// The difference, which `proof` says is not negative.
    #[track_caller]
    pub(crate) fn less(self, other: Steps, proof: &'static str) -> Steps {
        Steps(self.0.less(other.0, proof))
    }
}

/// The grid of a pair: prices are multiples of its tick, quantities of its step, and one step at one tick is a whole number of quote atoms
/// (U-1). A pair is listed only with a grid on which none of its products overflows ([`Catalog::fault`]).
///
/// [`Catalog::fault`]: crate::catalog::Catalog::fault
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    tick: NonZeroU64,
    step: NonZeroU64,
    /// Quote atoms of one step at one tick, below 2^31: times a price on the book, of 32 bits, they fit 64 bits.
    unit: NonZeroU64,
    /// A tick as a share of one price unit, RU.
    tick_ru: NonZeroU128,
}

impl Grid {
    /// `None` where one step at one tick is no whole number of quote atoms from 1 to 2^31 - 1.
    pub fn of(tick: Price, step: Base, scales: Scales) -> Option<Grid> {
        let unit = step.value_exact(tick, scales).filter(|unit| unit.0 < 1 << 31).and_then(|unit| NonZeroU64::new(unit.0))?;
        Some(Grid { tick: NonZeroU64::new(tick.0)?, step: NonZeroU64::new(step.0)?, unit, tick_ru: NonZeroU128::new(tick.share(WHOLE))? })
    }

    /// A price in whole ticks.
    ///
    /// # Errors
    /// [`Reject::Overflow`] for a price beyond the end of the book.
    pub(crate) fn ticks(&self, price: Price) -> Result<Ticks, Reject> {
        Grid::on_book(price.0 / self.tick)
    }

    /// A number of ticks as a price of the book.
    ///
    /// # Errors
    /// [`Reject::Overflow`] beyond its end.
    pub(crate) fn on_book(ticks: u64) -> Result<Ticks, Reject> {
        u32::try_from(ticks).map(Ticks).map_err(|_| Reject::Overflow)
    }

    /// The number of ticks of a price on the grid, possibly beyond the end of the book. Division, product and comparison: a second division
    /// for the remainder costs more.
    pub(crate) fn whole_ticks(&self, price: Price) -> Option<u64> {
        whole(price.0, self.tick)
    }

    /// The number of steps of a quantity on the grid.
    pub(crate) fn whole_steps(&self, quantity: Base) -> Option<Steps> {
        whole(quantity.0, self.step).map(Steps)
    }

    /// The price of this many ticks.
    pub fn price(&self, ticks: Ticks) -> Price {
        Price(u64::from(ticks.0).times(self.tick.get(), ON_BOOK))
    }

    /// A quantity in whole steps.
    pub(crate) fn steps(&self, quantity: Base) -> Steps {
        Steps(quantity.0 / self.step)
    }

    /// The quantity of this many steps. That of one order always fits. A level of very cheap orders may hold more than fits; it is then
    /// shown as the greatest number.
    pub fn quantity(&self, steps: Steps) -> Base {
        Base(steps.0.saturating_mul(self.step.get()))
    }

    /// The value of one step: 32 bits by 31 bits.
    fn step_value(&self, price: Ticks) -> u64 {
        u64::from(price.0).wrapping_mul(self.unit.get())
    }

    /// The value of a trade, or of its hold.
    pub fn value(&self, price: Ticks, steps: Steps) -> Quote {
        Quote(self.step_value(price).times(steps.0, TRADED))
    }

    /// The value of the wanted quantity, capped at the greatest number.
    pub(crate) fn notional(&self, ticks: u64, steps: Steps) -> Quote {
        Quote(ticks.saturating_mul(steps.0).saturating_mul(self.unit.get()))
    }

    /// How many steps these quote atoms buy.
    pub(crate) fn affordable(&self, price: Ticks, funds: Quote) -> Steps {
        Steps(funds.0.checked_div(self.step_value(price)).unwrap_or(0))
    }

    /// The ticks of this share of the reference: from the lowest on, or up to the highest.
    pub(crate) fn share_up(&self, reference: Price, rate: Rate) -> u128 {
        reference.share(rate).div_ceil(self.tick_ru.get())
    }

    /// The same, rounded down.
    pub(crate) fn share_down(&self, reference: Price, rate: Rate) -> u128 {
        reference.share(rate) / self.tick_ru
    }

    /// A number of ticks as a price of a refusal.
    pub(crate) fn bound(&self, ticks: u128) -> Option<Price> {
        u64::try_from(ticks).ok()?.checked_mul(self.tick.get()).map(Price)
    }
}

/// An intermediate result as an amount.
///
/// # Errors
/// [`Reject::Overflow`] from [`MAX_AMOUNT`] on.
fn amount(value: u128) -> Result<Amount, Reject> {
    match u64::try_from(value) {
        Ok(value) if value < MAX_AMOUNT => Ok(value),
        _ => Err(Reject::Overflow),
    }
}

fn whole(of: u64, unit: NonZeroU64) -> Option<u64> {
    let count = of / unit;
    (count.wrapping_mul(unit.get()) == of).then_some(count)
}

/// The whole product of two numbers: 64 by 64 bits fit 128.
pub(crate) fn product(one: u64, other: u64) -> u128 {
    u128::from(one).wrapping_mul(u128::from(other))
}

/// A user pays this much: `ceil(amount * rate / 10^8)` (R-2); `None` when it does not fit. Fee rates are at most [`RATE_ONE`], which the
/// catalog checks: of them there is always a fee.
pub fn rate_up(amount: Amount, rate: Rate) -> Option<Amount> {
    // Split so that every product fits 64 bits and the divisor is a constant.
    let (whole, part) = (amount / RATE_ONE, amount % RATE_ONE);
    whole.checked_mul(rate.0)?.checked_add(part.checked_mul(rate.0)?.div_ceil(RATE_ONE))
}

/// A user receives this much: `floor(amount * rate / 10^8)` (R-2); `None` when it does not fit 64 bits.
pub fn rate_down(amount: Amount, rate: Rate) -> Option<Amount> {
    u64::try_from(product(amount, rate.0) / rate_divisor()).ok()
}

/// One whole in rate units, to divide by.
pub(crate) fn rate_divisor() -> NonZeroU128 {
    power(RATE_DECIMALS)
}

/// Charge for one more part of a running total: `ceil(after) - ceil(before)` (R-3); `None` when a total does not fit.
pub fn charge_on_running_total(before: Amount, added: Amount, rate: Rate) -> Option<Amount> {
    rate_up(before.checked_add(added)?, rate)?.checked_sub(rate_up(before, rate)?)
}

/// `product(quantity, price)` times `10^quote_scale` over this is a value in quote atoms.
pub(crate) fn value_divisor(base_scale: u8) -> NonZeroU128 {
    power(base_scale.saturating_add(PRICE_SCALE))
}

/// `numerator / denominator` rounded half to even to a multiple of `tick`; `None` if there is no such price.
pub(crate) fn on_tick(numerator: u128, denominator: u64, tick: Price) -> Option<Price> {
    let ticks = half_even(numerator, product(denominator, tick.0))?;
    u64::try_from(ticks.checked_mul(u128::from(tick.0))?).ok().map(Price)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fees_are_rounded_up_once_for_the_running_total() {
        let rate = Rate(100_000);
        let fees: Vec<_> =
            [(0, 333), (333, 333), (666, 334)].map(|(before, added)| charge_on_running_total(before, added, rate).unwrap()).into();
        assert_eq!(fees, [1, 0, 0]);
    }
}
