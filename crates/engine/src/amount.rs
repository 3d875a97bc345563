//! Money arithmetic: amounts in atoms, prices with scale 8, rates in units of 1e-8. Integers only.

use serde::{Deserialize, Serialize};

use crate::reject::Reject;

/// One amount in atoms of its asset (the smallest unit: 1e-8 BTC, 1e-6 USDT). Below [`MAX_AMOUNT`].
pub type Amount = u64;
/// One price: 1 unit = 1e-8 quote coin for 1 whole base coin. Below [`MAX_PRICE`].
pub type Price = u64;

/// Amounts are below 10^18 atoms (0.1 Units).
pub const MAX_AMOUNT: Amount = 1_000_000_000_000_000_000;
/// Prices are below 10^16 units (0.1 Units).
pub const MAX_PRICE: Price = 10_000_000_000_000_000;
/// Decimals of every price.
pub const PRICE_SCALE: u8 = 8;
/// One whole in rate units.
pub const RATE_ONE: u64 = 100_000_000;

/// Rates are at most 10^10 RU, 10 000 % (0.1 Units).
pub const MAX_RATE: u64 = 10_000_000_000;

/// A rate in RU: 1 RU = 1e-8, so 0.1 % is 100 000. At most 10^10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Rate(pub u64);

/// A user pays this much: `ceil(amount * rate / 10^8)`. Fee rates are at most [`RATE_ONE`], which the catalog checks.
pub fn rate_up(amount: Amount, rate: Rate) -> Amount {
    // Split so that every product fits 64 bits and the division is by a constant.
    let (whole, part) = (amount / RATE_ONE, amount % RATE_ONE);
    whole * rate.0 + (part * rate.0).div_ceil(RATE_ONE)
}

/// Charge for one more part of a running total: `ceil(after) - ceil(before)`.
pub fn charge_on_running_total(before: Amount, added: Amount, rate: Rate) -> Amount {
    rate_up(before + added, rate) - rate_up(before, rate)
}

/// `10^exponent`, for exponents up to 38.
pub fn pow10(exponent: u8) -> u128 {
    10u128.pow(u32::from(exponent))
}

/// Quote atoms of `quantity` base atoms at `price`, rounded down.
///
/// # Errors
/// [`Reject::Overflow`] when the value does not fit an amount.
pub fn value_floor(quantity: Amount, price: Price, base_scale: u8, quote_scale: u8) -> Result<Amount, Reject> {
    let product = u128::from(quantity) * u128::from(price);
    let scaled = product.checked_mul(pow10(quote_scale)).ok_or(Reject::Overflow)?;
    amount(scaled / pow10(base_scale + PRICE_SCALE))
}

/// Quote atoms of `quantity` base atoms at `price`, rounded up (W-5).
///
/// # Errors
/// [`Reject::Overflow`] when the value does not fit an amount.
pub fn value_ceil(quantity: Amount, price: Price, base_scale: u8, quote_scale: u8) -> Result<Amount, Reject> {
    let product = u128::from(quantity) * u128::from(price);
    let scaled = product.checked_mul(pow10(quote_scale)).ok_or(Reject::Overflow)?;
    amount(scaled.div_ceil(pow10(base_scale + PRICE_SCALE)))
}

/// `numerator / denominator` rounded half to even. The denominator must not be 0.
pub fn half_even(numerator: u128, denominator: u128) -> u128 {
    let (quotient, rest) = (numerator / denominator, numerator % denominator);
    let up = match (rest * 2).cmp(&denominator) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => quotient % 2 == 1,
        std::cmp::Ordering::Greater => true,
    };
    quotient + u128::from(up)
}

/// An intermediate result as an amount.
///
/// # Errors
/// [`Reject::Overflow`] from [`MAX_AMOUNT`] on.
pub fn amount(value: u128) -> Result<Amount, Reject> {
    match u64::try_from(value) {
        Ok(value) if value < MAX_AMOUNT => Ok(value),
        _ => Err(Reject::Overflow),
    }
}

/// Why a text is no amount (`api.md`, `E_AMOUNT` `data.reason`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalError {
    /// Not `^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$` or longer than 38 bytes.
    Format,
    /// More decimals than the scale; never truncated.
    Scale,
    /// Too large for its kind.
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
    let mut value: u128 = 0;
    for byte in whole.bytes().chain(fraction.bytes()) {
        value = value * 10 + u128::from(byte - b'0');
    }
    let missing = usize::from(scale) - fraction.len();
    value *= 10u128.pow(u32::try_from(missing).unwrap_or(0));
    match u64::try_from(value) {
        Ok(value) if value < limit => Ok(value),
        _ => Err(DecimalError::Range),
    }
}

/// Prints `value` units of `10^-scale` with exactly `digits` decimals, `digits <= scale`; further digits are cut toward zero.
pub fn format_decimal(value: u64, scale: u8, digits: u8) -> String {
    let cut = scale.saturating_sub(digits);
    let shown = u128::from(value) / pow10(cut);
    let unit = pow10(digits);
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
    fn decimals_print_with_fixed_digits() {
        assert_eq!(format_decimal(100_500_000, 6, 6), "100.500000");
        assert_eq!(format_decimal(998_001, 8, 8), "0.00998001");
        assert_eq!(format_decimal(9_743_215_999_999, 8, 2), "97432.15");
        assert_eq!(format_decimal(7, 0, 0), "7");
    }

    #[test]
    fn fees_are_rounded_up_once_for_the_running_total() {
        let rate = Rate(100_000);
        let fees: Vec<_> = [(0, 333), (333, 333), (666, 334)].map(|(before, added)| charge_on_running_total(before, added, rate)).into();
        assert_eq!(fees, [1, 0, 0]);
    }
}
