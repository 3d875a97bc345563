//! The arithmetic of subscriptions (6.3): pure functions of amounts, tested against the published cases.

use std::num::NonZeroU128;

use crate::amount::{Amount, Price, RATE_ONE, Rate, pow10};
use crate::exact::Exact;
use crate::units::{Base, Quote, Scales, product, rate_down, value_divisor};

/// The result of one commitment (N-3, N-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotted {
    /// Atoms of the token.
    pub tokens: Amount,
    /// Their cost, atoms of the coin of the price, rounded up.
    pub cost: Amount,
    /// Charge, atoms of the payment coin, rounded up.
    pub charge: Amount,
    /// Returned, atoms of the payment coin.
    pub refund: Amount,
}

/// The issue: the price and the decimals of token and price coin.
#[derive(Clone, Copy, Debug)]
pub struct Issue {
    /// Atoms of the token on offer.
    pub supply: Amount,
    /// Price of one token.
    pub price: Price,
    /// Decimals.
    pub scales: Scales,
}

impl Issue {
    /// Atoms of the token that a value pays for, rounded down (N-3); `None` when the number does not fit.
    pub fn wanted(&self, value: Amount) -> Option<u128> {
        let price = NonZeroU128::new(u128::from(self.price.0).checked_mul(pow10(self.scales.quote))?)?;
        Some(u128::from(value).checked_mul(value_divisor(self.scales.base).get())? / price)
    }

    /// The allotment of a commitment of this value when all commitments together want `total` (N-3, N-4). `None` when a product does not
    /// fit, and for a value of 0.
    pub fn allot(&self, value: Amount, paid: Amount, total: u128) -> Option<Allotted> {
        let wanted = self.wanted(value)?;
        let tokens =
            if total <= u128::from(self.supply) { wanted } else { u128::from(self.supply).checked_mul(wanted)?.checked_div(total)? };
        let tokens = Amount::try_from(tokens).ok()?;
        let Quote(cost) = Base(tokens).value_ceil(self.price, self.scales).ok()?;
        let charge = product(paid, cost).checked_next_multiple_of(u128::from(value))?.checked_div(u128::from(value))?;
        let charge = Amount::try_from(charge).ok()?;
        Some(Allotted { tokens, cost, charge, refund: paid.checked_sub(charge)? })
    }

    /// Value of the whole offering, rounded down; `None` when it does not fit.
    pub fn value(&self) -> Option<Amount> {
        Base(self.supply).value_floor(self.price, self.scales).ok().map(|value| value.0)
    }

    /// The gain of this many tokens at a reference price, rounded down, and its share of the cost in 0.01 %, towards 0 (N-7).
    pub fn gained(&self, tokens: Amount, reference: Price) -> Option<(i128, i128)> {
        let (reference, price) = (i128::from(reference.0), i128::from(self.price.0));
        let difference = reference.checked_sub(price)?;
        let scaled = difference.checked_mul(i128::from(tokens))?.checked_mul(i128::try_from(pow10(self.scales.quote)).ok()?)?;
        let gained = scaled.checked_div_euclid(i128::try_from(value_divisor(self.scales.base).get()).ok()?)?;
        Some((gained, difference.checked_mul(10_000)?.checked_div(price)?))
    }
}

/// A released part of the tokens: the day after the launch, and the share released by then.
pub type Tranche = (u32, Rate);

/// Atoms released once this share is (N-6): all of them at 100 %.
pub fn released(tokens: Amount, share: Rate) -> Amount {
    if share.0 >= RATE_ONE { tokens } else { rate_down(tokens, share).expect("a share of an amount is an amount") }
}

/// The share released this many days after the launch.
pub fn share_after(schedule: &[Tranche], days: u64) -> Rate {
    schedule.iter().take_while(|(day, _)| u64::from(*day) <= days).last().map_or(Rate(0), |(_, share)| *share)
}

/// The sum of the requested values, which the terms of an offering bound.
pub(crate) fn sum(wanted: u128, more: u128) -> u128 {
    wanted.checked_add(more).expect("all commitments together want a hundred times the supply at most (N-2)")
}

/// The rest of a supply.
pub(crate) fn rest(supply: Amount, sold: Amount) -> Amount {
    supply.less(sold, "no more is allotted than there is (N-3)")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUE: Issue = Issue { supply: 15_000_000_000, price: Price(50_000_000), scales: Scales { base: 8, quote: 6 } };

    #[test]
    fn a_gain_rounds_down_and_its_rate_towards_nothing() {
        assert_eq!(ISSUE.gained(100_000_000, Price(60_000_000)), Some((100_000, 2_000)));
        assert_eq!(ISSUE.gained(1, Price(49_999_999)), Some((-1, 0)));
        assert_eq!(ISSUE.gained(100_000_000, Price(40_000_001)), Some((-100_000, -1_999)));
    }

    #[test]
    fn a_value_of_nothing_and_numbers_that_do_not_fit_are_no_commitment() {
        assert_eq!(ISSUE.allot(0, 5, 0), None);
        assert_eq!(Issue { price: Price(0), ..ISSUE }.wanted(1), None);
        assert_eq!(Issue { supply: u64::MAX, price: Price(1), ..ISSUE }.allot(u64::MAX, 1, u128::MAX), None);
    }
}
