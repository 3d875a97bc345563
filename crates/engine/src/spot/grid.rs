//! The grid of a pair: prices lie on its ticks, quantities on its steps, and one step at one tick is a whole number of quote atoms (U-1).
//! Here are all products of the three. A pair is listed only with a grid on which none of them overflows ([`Catalog::fault`]).
//!
//! [`Catalog::fault`]: crate::catalog::Catalog::fault

use std::num::{NonZeroU64, NonZeroU128};

use super::book::{Ticks, atoms};
use crate::amount::{Amount, Price, RATE_ONE, Rate, product};
use crate::catalog::Market;
use crate::command::Side;
use crate::exact::Exact;
use crate::reject::Reject;
use crate::units::Scales;

/// What trades is held: the value by the buyer, the quantity by the seller, and all of a coin is below 10^18 (S-8, I-1).
pub(super) const TRADED: &str = "what trades is held, and what is held is below 10^18 (S-8, I-1)";
const ON_BOOK: &str = "prices on the book are below 10^16";

/// Tick, step, and what one step is worth at one tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    tick: NonZeroU64,
    step: NonZeroU64,
    /// Quote atoms, below 2^31.
    unit: NonZeroU64,
    /// A tick as a share of one price unit, RU.
    tick_ru: NonZeroU128,
}

impl Grid {
    /// `None` for a pair without one.
    pub(super) fn of(facts: &Market, scales: Scales) -> Option<Grid> {
        let unit = facts.unit(scales).filter(|unit| *unit < Market::UNITS_BELOW).and_then(NonZeroU64::new)?;
        let (tick, step) = (NonZeroU64::new(facts.tick.0)?, NonZeroU64::new(facts.step)?);
        Some(Grid { tick, step, unit, tick_ru: NonZeroU128::new(product(RATE_ONE, facts.tick.0))? })
    }

    /// A price in whole ticks.
    ///
    /// # Errors
    /// [`Reject::Overflow`] for a price beyond the end of the book.
    pub(super) fn ticks(&self, price: Price) -> Result<Ticks, Reject> {
        Ticks::try_from(price.0 / self.tick).map_err(|_| Reject::Overflow)
    }

    /// The number of ticks of a price that lies on one. Division, product and comparison: a second division for the rest costs more.
    pub(super) fn whole_ticks(&self, price: Price) -> Option<u64> {
        whole(price.0, self.tick)
    }

    /// The number of steps of a quantity that lies on one.
    pub(super) fn whole_steps(&self, quantity: Amount) -> Option<u64> {
        whole(quantity, self.step)
    }

    pub(super) fn price(&self, ticks: Ticks) -> Price {
        Price(u64::from(ticks).times(self.tick.get(), ON_BOOK))
    }

    /// A quantity in whole steps.
    pub(super) fn steps(&self, quantity: Amount) -> u64 {
        quantity / self.step
    }

    /// Base atoms of a number of steps.
    pub(super) fn quantity(&self, steps: u64) -> Amount {
        atoms(steps, self.step.get())
    }

    /// Quote atoms of one step: 32 bits by 31 bits.
    fn step_value(&self, price: Ticks) -> Amount {
        u64::from(price).wrapping_mul(self.unit.get())
    }

    /// Quote atoms of what trades, or is held for it.
    pub(super) fn value(&self, price: Ticks, steps: u64) -> Amount {
        self.step_value(price).times(steps, TRADED)
    }

    /// Quote atoms of what is wanted; the greatest number if they are more.
    pub(super) fn notional(&self, ticks: u64, steps: u64) -> Amount {
        ticks.saturating_mul(steps).saturating_mul(self.unit.get())
    }

    /// How many steps these quote atoms buy.
    pub(super) fn affordable(&self, price: Ticks, funds: Amount) -> u64 {
        funds.checked_div(self.step_value(price)).unwrap_or(0)
    }

    /// The ticks of this share of the reference: from the lowest on, or up to the highest.
    pub(super) fn share_up(&self, reference: Price, rate: Rate) -> u128 {
        product(reference.0, rate.0).div_ceil(self.tick_ru.get())
    }

    /// The same, rounded down.
    pub(super) fn share_down(&self, reference: Price, rate: Rate) -> u128 {
        product(reference.0, rate.0) / self.tick_ru
    }

    /// The last price a market order may trade at (S-6).
    pub(super) fn worst(&self, facts: &Market, side: Side, reference: Price) -> Ticks {
        let ticks = match side {
            Side::Buy => self.share_down(reference, facts.band_buy.1),
            Side::Sell => self.share_up(reference, facts.band_sell.0),
        };
        Ticks::try_from(ticks).unwrap_or(Ticks::MAX)
    }

    /// A number of ticks as a price of a refusal.
    pub(super) fn bound(&self, ticks: u128) -> Option<Price> {
        u64::try_from(ticks).ok()?.checked_mul(self.tick.get()).map(Price)
    }
}

fn whole(of: u64, unit: NonZeroU64) -> Option<u64> {
    let count = of / unit;
    (count.wrapping_mul(unit.get()) == of).then_some(count)
}
