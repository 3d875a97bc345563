//! The value of collateral, and how much of it is sold (B-1, B-2, B-8, B-9). Pure formulas; nothing here moves money.
//!
//! Three amounts differ in their types: a [`Debt`] in the lent coin, its collateral in [`Base`] atoms, and the collateral's value in
//! [`Quote`] atoms, which are of the lent coin too. Swapped, they do not compile:
//!
//! ```
//! use engine::amount::{Price, Rate};
//! use engine::loans::formulas::{Debt, highest_price, sell};
//! use engine::units::{Base, Scales};
//! let (debt, collateral, scales) = (Debt(600_000_000), Base(1_000_000), Scales { base: 8, quote: 6 });
//! sell(debt, collateral, Price(7_200_000_000_000), Rate(2_000_000), scales);
//! highest_price(debt, collateral, Rate(83_000_000), scales);
//! ```
//!
//! ```compile_fail,E0308
//! use engine::amount::{Price, Rate};
//! use engine::loans::formulas::{Debt, sell};
//! use engine::units::{Base, Scales};
//! let (debt, collateral, scales) = (Debt(600_000_000), Base(1_000_000), Scales { base: 8, quote: 6 });
//! sell(collateral, debt, Price(7_200_000_000_000), Rate(2_000_000), scales);
//! ```
//!
//! ```compile_fail,E0308
//! use engine::amount::Rate;
//! use engine::loans::formulas::{Debt, highest_price};
//! use engine::units::{Base, Scales};
//! highest_price(Base(1_000_000), Debt(600_000_000), Rate(83_000_000), Scales { base: 8, quote: 6 });
//! ```
//!
//! ```compile_fail,E0308
//! use engine::amount::Rate;
//! use engine::loans::formulas::{Debt, covers};
//! use engine::units::Quote;
//! covers(Debt(600_000_000), Quote(720_000_000), Rate(60_000_000));
//! ```
//!
//! ```compile_fail,E0308
//! use engine::amount::Rate;
//! use engine::loans::formulas::{Debt, Shares, level};
//! use engine::units::Quote;
//! level(Quote(720_000_000), Debt(600_000_000), Shares { call: Rate(75_000_000), liquidation: Rate(83_000_000) });
//! ```

use crate::amount::{Amount, MAX_AMOUNT, Price, RATE_ONE, Rate, pow10};
use crate::exact::Exact;
use crate::units::{Base, Quote, Scales, product, rate_up, value_divisor};

const HALF: &str = "at most the collateral is sold (B-9)";

/// What is lent or owed, atoms of the lent coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Debt(pub Amount);

/// How near a loan is to a margin call or a liquidation (B-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Below the margin call.
    Fine,
    /// At the margin call or above.
    MarginCall,
    /// At the liquidation or above.
    Liquidation,
}

/// Shares of the collateral's value at which something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Margin call.
    pub call: Rate,
    /// Liquidation.
    pub liquidation: Rate,
}

/// Value of the collateral, rounded down; capped at the greatest amount.
pub fn value(collateral: Base, price: Price, scales: Scales) -> Quote {
    collateral.value_floor(price, scales).unwrap_or(Quote(MAX_AMOUNT))
}

/// Whether this amount may be lent against collateral of this value (B-1): equality is enough.
pub fn covers(value: Quote, amount: Debt, share: Rate) -> bool {
    product(amount.0, RATE_ONE) <= product(value.0, share.0)
}

/// The smallest collateral for an amount (B-2); `None` when it is no amount.
pub fn smallest_collateral(amount: Debt, price: Price, share: Rate, scales: Scales) -> Option<Base> {
    let value = product(amount.0, RATE_ONE).checked_next_multiple_of(u128::from(share.0))?.checked_div(u128::from(share.0))?;
    atoms(value.checked_mul(value_divisor(scales.base).get())?, price, scales)
}

/// `ceil(scaled / (price * 10^quote scale))` if that is an amount.
fn atoms(scaled: u128, price: Price, scales: Scales) -> Option<Base> {
    let unit = u128::from(price.0).checked_mul(pow10(scales.quote)).filter(|unit| *unit > 0)?;
    u64::try_from(scaled.div_ceil(unit)).ok().filter(|amount| *amount < MAX_AMOUNT).map(Base)
}

/// The level of a debt against collateral of this value (B-8).
pub fn level(debt: Debt, value: Quote, shares: Shares) -> Level {
    let reaches = |share: Rate| product(debt.0, RATE_ONE) >= product(value.0, share.0);
    match (reaches(shares.liquidation), reaches(shares.call)) {
        (true, _) => Level::Liquidation,
        (false, true) => Level::MarginCall,
        (false, false) => Level::Fine,
    }
}

/// The highest price at which a debt reaches this share of its collateral. The value is rounded down, so it is the highest price at which
/// the value is still the largest one that the debt reaches.
pub fn highest_price(debt: Debt, collateral: Base, share: Rate, scales: Scales) -> Price {
    let largest = product(debt.0, RATE_ONE).checked_div(u128::from(share.0)).unwrap_or(u128::MAX);
    let above = largest.saturating_add(1).saturating_mul(value_divisor(scales.base).get());
    let unit = u128::from(collateral.0).saturating_mul(pow10(scales.quote));
    let price = above.saturating_sub(1).checked_div(unit).unwrap_or(u128::MAX);
    Price(u64::try_from(price).unwrap_or(u64::MAX))
}

/// What a liquidation sells and returns, atoms (B-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sale {
    /// Fee, of the lent coin.
    pub fee: Amount,
    /// Collateral sold.
    pub sold: Base,
    /// Its value, of the lent coin, rounded down.
    pub value: Quote,
    /// Collateral that goes back.
    pub returned: Base,
}

impl Sale {
    /// The debt that the sale does not cover: the loss of the house.
    pub fn shortfall(&self, debt: Debt) -> Amount {
        debt.0.saturating_sub(self.value.0)
    }

    /// The part of the fee that it covers.
    pub fn covered_fee(&self, debt: Debt) -> Amount {
        self.value.0.saturating_sub(debt.0).min(self.fee)
    }
}

/// Sells as much of the collateral as covers debt and fee (B-9).
pub fn sell(debt: Debt, collateral: Base, price: Price, fee: Rate, scales: Scales) -> Sale {
    let fee = rate_up(debt.0, fee).unwrap_or(MAX_AMOUNT);
    let owed = u128::from(debt.0.saturating_add(fee)).saturating_mul(value_divisor(scales.base).get());
    let sold = atoms(owed, price, scales).map_or(collateral, |needed| needed.min(collateral));
    Sale { fee, sold, value: value(sold, price, scales), returned: Base(collateral.0.less(sold.0, HALF)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALES: Scales = Scales { base: 8, quote: 6 };
    const SHARES: Shares = Shares { call: Rate(75_000_000), liquidation: Rate(83_000_000) };

    #[test]
    fn the_highest_price_of_a_share_reaches_it_and_the_next_one_does_not() {
        let mut step = 1_u64;
        let mut next = |bound: u64| {
            step = step.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (step >> 33) % bound + 1
        };
        for round in 0..20_000 {
            let debt = Debt(next(if round % 2 == 0 { 50 } else { 60_000_000_000 }));
            let collateral = Base(next(if round % 3 == 0 { 10 } else { 5_000_000_000 }));
            for share in [SHARES.call, SHARES.liquidation] {
                let price = highest_price(debt, collateral, share, SCALES);
                let reached = |price: Price| product(debt.0, RATE_ONE) >= product(value(collateral, price, SCALES).0, share.0);
                assert!(reached(price), "{debt:?} against {collateral:?} at {price:?}");
                assert!(price.0 == u64::MAX || !reached(Price(price.0 + 1)), "{debt:?} against {collateral:?} above {price:?}");
            }
        }
    }

    #[test]
    fn the_smallest_collateral_is_enough_and_one_atom_less_is_not() {
        for amount in [1, 33_333_333, 600_000_000, 1_000_000_000_001].map(Debt) {
            for price in [1, 99_999_999, 3_333_333_000_000, 9_999_999_999_999_999] {
                let share = Rate(60_000_000);
                let Some(smallest) = smallest_collateral(amount, Price(price), share, SCALES) else { continue };
                let enough = |collateral| covers(value(collateral, Price(price), SCALES), amount, share);
                assert!(enough(smallest) && !enough(Base(smallest.0 - 1)), "{amount:?} at {price}");
            }
        }
    }

    #[test]
    fn a_sale_never_leaves_its_bounds() {
        for debt in [0, 1, 600_300_000, MAX_AMOUNT / 2].map(Debt) {
            for collateral in [0, 1, 1_000_000, MAX_AMOUNT - 1].map(Base) {
                for price in [1, 7_200_000_000_000, 9_999_999_999_999_999] {
                    let sale = sell(debt, collateral, Price(price), Rate(2_000_000), SCALES);
                    assert_eq!(sale.sold.0 + sale.returned.0, collateral.0);
                    assert!(sale.shortfall(debt) <= debt.0 && sale.covered_fee(debt) <= sale.fee);
                    let all = sale.shortfall(debt) == 0 && sale.covered_fee(debt) == sale.fee;
                    assert!(all || sale.returned == Base(0), "what is not covered leaves nothing to give back");
                }
            }
        }
    }
}
