//! Numeric types for money: amounts in atoms, prices with scale 8, rates in units of 1e-8. Integers only. Their products are in
//! `units.rs`.

use std::num::NonZeroU128;

use serde::{Deserialize, Serialize};

/// One amount in atoms of its asset (the smallest unit: 1e-8 BTC, 1e-6 USDT). Below [`MAX_AMOUNT`].
pub type Amount = u64;
/// One price: 1 unit = 1e-8 quote coin for 1 whole base coin. Below [`MAX_PRICE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Price(pub u64);

/// Amounts are below 10^18 atoms (0.1 Units).
pub const MAX_AMOUNT: Amount = 1_000_000_000_000_000_000;
/// Prices are below 10^16 units (0.1 Units).
pub const MAX_PRICE: Price = Price(10_000_000_000_000_000);
/// Decimals of every price.
pub const PRICE_SCALE: u8 = 8;
/// The price 1.
pub const PRICE_ONE: Price = Price(100_000_000);
/// One whole in rate units.
pub const RATE_ONE: u64 = 100_000_000;

/// Rates are at most 10^10 RU, 10 000 % (0.1 Units).
pub const MAX_RATE: u64 = 10_000_000_000;

/// A rate in RU: 1 RU = 1e-8, so 0.1 % is 100 000. At most 10^10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Rate(pub u64);

const TEN: NonZeroU128 = NonZeroU128::MIN.saturating_add(9);

/// `10^exponent`, for exponents up to 38; the greatest number beyond.
pub fn pow10(exponent: u8) -> u128 {
    power(exponent).get()
}

pub(crate) fn power(exponent: u8) -> NonZeroU128 {
    TEN.saturating_pow(u32::from(exponent))
}

/// `numerator / denominator` rounded half to even; `None` if the denominator is 0.
pub fn half_even(numerator: u128, denominator: u128) -> Option<u128> {
    let (quotient, rest) = (numerator.checked_div(denominator)?, numerator.checked_rem(denominator)?);
    let up = match rest.cmp(&denominator.checked_sub(rest)?) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => !quotient.is_multiple_of(2),
        std::cmp::Ordering::Greater => true,
    };
    quotient.checked_add(u128::from(up))
}

/// Why a text is no amount (`docs/api.md` 11, `E_AMOUNT`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalError {
    /// Not digits with at most one point between them, or a leading zero; or over 38 bytes that are not all digits and points.
    Format,
    /// More decimals than the scale; never truncated.
    Scale,
    /// Too large for its kind, or too many digits.
    Range,
}

/// Parses the wire's decimal text into integer units of `10^-scale`, below `limit`.
///
/// # Errors
/// See [`DecimalError`]; nothing is rounded or truncated, `1.50` with scale 2 equals `1.5`.
pub fn parse_decimal(text: &str, scale: u8, limit: u64) -> Result<u64, DecimalError> {
    let bytes = text.as_bytes();
    if bytes.is_empty() {
        return Err(DecimalError::Format);
    }
    if bytes.len() > 38 {
        let numeric = bytes.iter().all(|b| b.is_ascii_digit() || *b == b'.');
        return Err(if numeric { DecimalError::Range } else { DecimalError::Format });
    }
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    if !digits(whole) || leading_zero || !fraction.is_none_or(digits) {
        return Err(DecimalError::Format);
    }
    if whole.len() > 18 {
        return Err(DecimalError::Range);
    }
    let fraction = fraction.unwrap_or("");
    if fraction.len() > usize::from(scale) {
        return Err(DecimalError::Scale);
    }
    let zeros = std::iter::repeat_n(b'0', usize::from(scale).saturating_sub(fraction.len()));
    let mut value: u64 = 0;
    for byte in whole.bytes().chain(fraction.bytes()).chain(zeros) {
        let digit = u64::from(byte.wrapping_sub(b'0'));
        value = value.checked_mul(10).and_then(|value| value.checked_add(digit)).ok_or(DecimalError::Range)?;
    }
    if value < limit { Ok(value) } else { Err(DecimalError::Range) }
}

/// Prints `value` units of `10^-scale` with exactly `digits` decimals, `digits <= scale`; further digits are cut toward zero.
pub fn format_decimal(value: u64, scale: u8, digits: u8) -> String {
    let cut = scale.saturating_sub(digits);
    let shown = u128::from(value) / power(cut);
    let unit = power(digits);
    if digits == 0 {
        return shown.to_string();
    }
    format!("{}.{:0width$}", shown / unit, shown % unit, width = usize::from(digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimal_text_follows_the_grammar_of_the_wire() {
        for (text, scale, expected) in [
            ("1", 8, Ok(100_000_000)),
            ("0.5", 2, Ok(50)),
            ("1.50", 2, Ok(150)),
            ("0", 6, Ok(0)),
            ("1.005", 2, Err(DecimalError::Scale)),
            ("0.000000001", 8, Err(DecimalError::Scale)),
            ("999999999999999999", 6, Err(DecimalError::Range)),
            ("18446744073709551616", 0, Err(DecimalError::Range)),
        ] {
            assert_eq!(parse_decimal(text, scale, MAX_AMOUNT), expected, "{text}");
        }
        for text in [
            "",
            ".5",
            "5.",
            "+1",
            "-1",
            "-0",
            "1e9",
            "0x10",
            "1_000",
            "1,000",
            "1.0.0",
            " 1",
            "1 ",
            "1\n",
            "01",
            "00",
            "NaN",
            "Infinity",
            "١٢",
            "１２",
            "²",
            "1\u{a0}",
            "1\u{200d}",
        ] {
            assert_eq!(parse_decimal(text, 8, MAX_AMOUNT), Err(DecimalError::Format), "{text:?}");
        }
    }

    #[test]
    fn a_parsed_amount_is_below_its_limit_whatever_its_length() {
        for (text, scale, limit, expected) in [
            ("99", 0, 100, Ok(99)),
            ("100", 0, 100, Err(DecimalError::Range)),
            ("0.99", 2, 100, Ok(99)),
            ("1", 2, 100, Err(DecimalError::Range)),
            ("0", 0, 0, Err(DecimalError::Range)),
            // 18 digits before the point are valid, 19 are not.
            ("999999999999999999", 0, u64::MAX, Ok(MAX_AMOUNT - 1)),
            ("1000000000000000000", 0, u64::MAX, Err(DecimalError::Range)),
            // The largest number that fits, then two that do not: one with a larger last digit, one with a digit more.
            ("18446744073.709551614", 9, u64::MAX, Ok(u64::MAX - 1)),
            ("18446744073.709551615", 9, u64::MAX, Err(DecimalError::Range)),
            ("18446744073.709551616", 9, u64::MAX, Err(DecimalError::Range)),
            ("184467440737.095516150", 9, u64::MAX, Err(DecimalError::Range)),
            ("1", u8::MAX, u64::MAX, Err(DecimalError::Range)),
            // 38 bytes are accepted, 39 are not.
            ("0.000000000000000000000000000000000001", 36, 2, Ok(1)),
            ("0.0000000000000000000000000000000000001", 37, 2, Err(DecimalError::Range)),
            ("0.00000000000000000000000000000000000x1", 37, 2, Err(DecimalError::Format)),
        ] {
            assert_eq!(parse_decimal(text, scale, limit), expected, "{text}");
        }
    }

    #[test]
    fn decimals_print_with_fixed_digits() {
        assert_eq!(format_decimal(100_500_000, 6, 6), "100.500000");
        assert_eq!(format_decimal(998_001, 8, 8), "0.00998001");
        assert_eq!(format_decimal(9_743_215_999_999, 8, 2), "97432.15");
        assert_eq!(format_decimal(7, 0, 0), "7");
    }
}
