//! The terms of conversions (`docs/rules.md` 8). A change affects quotes made later.

use serde::{Deserialize, Serialize};

use super::conversion::Priced;
use crate::amount::{Amount, MAX_AMOUNT, RATE_ONE, Rate, pow10};
use crate::reject::Reject;
use crate::units::value_divisor;

/// The longest life of a quote, ms: the longer a quote lives, the more it is worth to a member who watches the price.
pub const LONGEST_LIFE_MS: u64 = 60_000;

/// The terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversionTerms {
    /// How much worse the price is than the index.
    pub spread: Rate,
    /// Fee as a share of the amount bought.
    pub fee: Rate,
    /// Smallest value, atoms of the coin of the bank terms.
    pub min: Amount,
    /// Largest value.
    pub max: Amount,
    /// Most that one member may convert in a UTC day.
    pub day: Amount,
    /// How long a quote is valid, ms.
    pub life_ms: u64,
}

impl ConversionTerms {
    /// The terms that [`crate::feature::Feature::Conversions`] puts in force. They are what that entry means in every log, so they never
    /// change; other terms come by changes of the catalog.
    pub fn standard() -> ConversionTerms {
        ConversionTerms {
            spread: Rate(100_000),
            fee: Rate(100_000),
            min: 10_000_000,
            max: 50_000_000_000,
            day: 500_000_000_000,
            life_ms: 10_000,
        }
    }

    /// The smallest and the largest number of atoms of a coin whose value, rounded down, is within the bounds.
    pub(crate) fn bounds(&self, coin: Priced, bank_scale: u8) -> Option<(Amount, Amount)> {
        let worth = u128::from(coin.price.0).checked_mul(pow10(bank_scale))?;
        let one = value_divisor(coin.scale).get();
        let least = u128::from(self.min).checked_mul(one)?.checked_add(worth.checked_sub(1)?)?.checked_div(worth)?;
        let most = u128::from(self.max).checked_add(1)?.checked_mul(one)?.checked_sub(1)?.checked_div(worth)?;
        let most = most.min(u128::from(MAX_AMOUNT).saturating_sub(1));
        Some((u64::try_from(least).ok()?, u64::try_from(most).ok()?)).filter(|(least, most)| least <= most)
    }

    /// What a conversion costs beyond the index: by as much the rate may move before a quote is void (F-4).
    pub(crate) fn edge(&self) -> Rate {
        Rate(self.spread.0.saturating_add(self.fee.0))
    }

    /// Whether these values are allowed.
    ///
    /// # Errors
    /// [`Reject::BadCatalog`].
    pub(crate) fn check(&self) -> Result<(), Reject> {
        let ConversionTerms { spread, fee, min, max, day, life_ms } = *self;
        let rates = spread.0 < RATE_ONE && fee.0 < RATE_ONE;
        let bounds = min > 0 && min <= max && max <= day && day < MAX_AMOUNT;
        if rates && bounds && (1..=LONGEST_LIFE_MS).contains(&life_ms) { Ok(()) } else { Err(Reject::BadCatalog) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_terms_are_allowed_and_never_change() {
        let terms = ConversionTerms::standard();
        terms.check().unwrap();
        let bytes = postcard::to_allocvec(&terms).unwrap();
        let read: (u64, u64, u64, u64, u64, u64) = postcard::from_bytes(&bytes).unwrap();
        let entry = "an entry of old logs would mean something else";
        assert_eq!(read, (100_000, 100_000, 10_000_000, 50_000_000_000, 500_000_000_000, 10_000), "{entry}");
    }

    #[test]
    fn the_bounds_of_a_coin_are_the_first_and_the_last_amount_that_pass() {
        use crate::amount::Price;
        use crate::convert::conversion::{Convert, Deal};
        use crate::ids::{AssetId, UserId};
        let (terms, other) = (ConversionTerms::standard(), Priced { price: Price(100_000_000), scale: 6 });
        for (price, scale) in [(10_000_000_000_000, 8), (98_765_430_000, 8), (99_990_000, 6), (1, 0), (7, 2), (9_999_999_999_999_999, 0)] {
            let coin = Priced { price: Price(price), scale };
            let Some((least, most)) = terms.bounds(coin, 6) else {
                assert_eq!(price, 9_999_999_999_999_999, "one of it is worth more than the largest value");
                continue;
            };
            let passes = |amount| {
                let wanted = Convert { user: UserId(1), from: AssetId(1), to: AssetId(2), amount };
                !matches!(Deal::of(&wanted, coin, other, 6, &terms), Err(Reject::ConversionMin { .. } | Reject::ConversionMax { .. }))
            };
            assert_eq!([least - 1, least, most, most + 1].map(passes), [false, true, true, false], "{coin:?} {least} {most}");
        }
    }

    #[test]
    fn values_out_of_their_range_are_refused() {
        let good = ConversionTerms::standard();
        let edge =
            ConversionTerms { spread: Rate(RATE_ONE - 1), fee: Rate(RATE_ONE - 1), min: 1, max: 1, day: 1, life_ms: LONGEST_LIFE_MS };
        assert_eq!((edge.check(), ConversionTerms { day: MAX_AMOUNT - 1, ..good }.check()), (Ok(()), Ok(())));
        for bad in [
            ConversionTerms { spread: Rate(RATE_ONE), ..good },
            ConversionTerms { fee: Rate(RATE_ONE), ..good },
            ConversionTerms { min: 0, ..good },
            ConversionTerms { min: good.max + 1, ..good },
            ConversionTerms { max: good.day + 1, ..good },
            ConversionTerms { day: MAX_AMOUNT, ..good },
            ConversionTerms { life_ms: 0, ..good },
            ConversionTerms { life_ms: LONGEST_LIFE_MS + 1, ..good },
        ] {
            assert_eq!(bad.check(), Err(Reject::BadCatalog), "{bad:?}");
        }
    }
}
