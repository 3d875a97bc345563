//! Units as types, with the products of them that mean something. Products of a pair's own ticks and steps are in `spot/grid.rs`.
//!
//! A quantity and a price cannot change places, nor can the decimals of the two coins:
//!
//! ```
//! use engine::amount::Price;
//! use engine::units::{Base, Quote, Scales};
//! let (quantity, price) = (Base(150_000_000), Price(250_000_000));
//! assert_eq!(quantity.value_floor(price, Scales { base: 8, quote: 6 }), Ok(Quote(3_750_000)));
//! ```
//!
//! ```compile_fail,E0599
//! use engine::amount::Price;
//! use engine::units::{Base, Scales};
//! let (quantity, price) = (Base(150_000_000), Price(250_000_000));
//! price.value_floor(quantity, Scales { base: 8, quote: 6 });
//! ```
//!
//! ```compile_fail,E0308
//! use engine::units::{Base, Quote, Scales};
//! let spent = Quote(3_750_000);
//! let bought: Base = spent;
//! ```
//!
//! ```compile_fail,E0308
//! use engine::units::{Base, Scales};
//! Base(150_000_000).value_floor(Base(250_000_000), Scales { base: 8, quote: 6 });
//! ```
//!
//! ```compile_fail,E0308
//! use engine::amount::{Amount, Price};
//! use engine::command::{OrderKind, TimeInForce};
//! fn limit(price: Price, quantity: Amount) -> OrderKind {
//!     OrderKind::Limit { price: quantity, quantity: price, time_in_force: TimeInForce::GoodTillCancelled }
//! }
//! ```

use crate::amount::{Amount, MAX_PRICE, Price, RATE_ONE, Rate, amount, pow10, product, value_divisor};
use crate::reject::Reject;

/// Atoms of the coin that is traded or valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Base(pub Amount);

/// Atoms of the coin of a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Quote(pub Amount);

/// Decimals of the two coins of a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scales {
    /// Of the coin that is traded or valued.
    pub base: u8,
    /// Of the coin of the price.
    pub quote: u8,
}

impl Base {
    /// What it is worth, rounded down (R-2).
    ///
    /// # Errors
    /// [`Reject::Overflow`] when the value does not fit an amount.
    pub fn value_floor(self, price: Price, scales: Scales) -> Result<Quote, Reject> {
        amount(self.scaled(price, scales)? / value_divisor(scales.base)).map(Quote)
    }

    /// What it is worth, rounded up (W-5).
    ///
    /// # Errors
    /// [`Reject::Overflow`] when the value does not fit an amount.
    pub fn value_ceil(self, price: Price, scales: Scales) -> Result<Quote, Reject> {
        amount(self.scaled(price, scales)?.div_ceil(value_divisor(scales.base).get())).map(Quote)
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
        product(self.distance(base).0, RATE_ONE) <= product(base.0, share.0)
    }
}
