//! Parses the text of a price into whole units, exactly or not at all.

use engine::amount::{MAX_PRICE, PRICE_ONE, PRICE_SCALE, Price, half_even, parse_decimal};

/// Digits and at most one point, no sign, no exponent, at most eight significant decimals, above 0 and below the largest price.
pub(super) fn exact(text: &str) -> Option<Price> {
    // Digits after the eighth decimal must be 0, or the price is not exact.
    let point = text.find('.').map(|at| at + 1 + usize::from(PRICE_SCALE)).unwrap_or(text.len()).min(text.len());
    let (text, rest) = text.split_at_checked(point)?;
    if rest.bytes().any(|byte| byte != b'0') {
        return None;
    }
    parse_decimal(text, PRICE_SCALE, MAX_PRICE.0).ok().map(Price).filter(|price| price.in_bounds())
}

/// One divided by a price, to the nearest unit.
pub(super) fn inverse(price: Price) -> Option<Price> {
    let square = u128::from(PRICE_ONE.0).checked_mul(u128::from(PRICE_ONE.0))?;
    let units = half_even(square, u128::from(price.0))?;
    u64::try_from(units).ok().map(Price).filter(|price| price.in_bounds())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_is_exact_or_none() {
        let good = [
            ("97432.15", 9_743_215_000_000),
            ("97432.15000000", 9_743_215_000_000),
            ("1.00010000000000", 100_010_000),
            ("0.00000001", 1),
            ("100", 10_000_000_000),
            ("99999999.99999999", 9_999_999_999_999_999),
        ];
        for (text, units) in good {
            assert_eq!(exact(text), Some(Price(units)), "{text}");
        }
        let forty = "1234567890123456789012345678901234567890";
        let bad = [
            "",
            " ",
            "0",
            "0.0",
            "0.000000001",
            "1.000000001",
            "-1",
            "+1",
            "1e3",
            "1E3",
            "NaN",
            "nan",
            "inf",
            "Infinity",
            "0x10",
            "1,5",
            "1 ",
            " 1",
            ".5",
            "01",
            "1.2.3",
            "100.",
            "1.é0000000",
            "1.0000000é",
            "100000000",
            "99999999999999999999",
            forty,
            "１",
            "null",
            "1_000",
            ".",
            "00",
        ];
        for text in bad {
            assert_eq!(exact(text), None, "{text}");
        }
        assert_eq!(exact(&format!("1.{}", "0".repeat(100_000))), Some(Price(100_000_000)));
        assert_eq!(exact(&"9".repeat(100_000)), None);
    }

    #[test]
    fn the_other_way_round_is_rounded_to_the_nearest_unit() {
        assert_eq!(inverse(Price(100_000_000)), Some(Price(100_000_000)));
        // 1 / 1.0003 = 0.999700089...
        assert_eq!(inverse(Price(100_030_000)), Some(Price(99_970_009)));
        assert_eq!(inverse(Price(99_970_009)), Some(Price(100_030_000)));
        assert_eq!(inverse(Price(0)), None);
        assert_eq!(inverse(Price(1)), None, "above the largest price");
    }
}
