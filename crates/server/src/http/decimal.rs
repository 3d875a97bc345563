//! Decimals and instants that are formatted straight into the answer: an order has more than ten of them.

use std::fmt;

use serde::{Serialize, Serializer};

use super::page::WIRE_OFFSET_MINUTES;

/// All digits of a `u64`, a point, and the zeros of the longest fraction.
const LONGEST: usize = 40;

/// Units of 10^-`digits`, printed with all `digits` decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// Units.
    pub units: u64,
    /// Decimals, below 20.
    pub digits: u8,
}

impl Decimal {
    fn text(self, buffer: &mut [u8; LONGEST]) -> &str {
        let (mut rest, mut at, mut printed) = (self.units, LONGEST, 0);
        while rest > 0 || printed <= self.digits {
            if printed == self.digits && printed > 0 {
                at -= 1;
                buffer[at] = b'.';
            }
            at -= 1;
            buffer[at] = digit(rest % 10);
            (rest, printed) = (rest / 10, printed + 1);
        }
        ascii(&buffer[at..])
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text(&mut [0; LONGEST]))
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text(&mut [0; LONGEST]))
    }
}

/// Units of 10^-`scale` with all decimals: `"100.500000"`.
pub fn fixed(units: u64, scale: u8) -> String {
    Decimal { units, digits: scale }.to_string()
}

/// Units of 10^-`scale` without trailing zeros: `"0.4"`.
pub fn trimmed(units: u64, scale: u8) -> String {
    let mut text = fixed(units, scale);
    if scale > 0 {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    text
}

/// Units of 10^-`scale` with all decimals, and a sign if they are below 0.
pub fn signed(units: i128, scale: u8) -> String {
    let sign = if units < 0 { "-" } else { "" };
    match u64::try_from(units.unsigned_abs()) {
        Ok(units) => format!("{sign}{}", fixed(units, scale)),
        // A notional at an extreme price may not fit 64 bits; the largest value that does is shown.
        Err(_) => format!("{sign}{}", fixed(u64::MAX, scale)),
    }
}

/// The same without trailing zeros.
pub fn signed_trimmed(units: i128, scale: u8) -> String {
    let mut text = signed(units, scale);
    if scale > 0 {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    text
}

/// Milliseconds since 1970, printed as `YYYY-MM-DD HH:mm:ss` in the zone of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireTime(pub u64);

impl WireTime {
    fn text(self, buffer: &mut [u8; 19]) -> &str {
        let seconds = i64::try_from(self.0 / 1000).unwrap_or(i64::MAX / 2).saturating_add(WIRE_OFFSET_MINUTES * 60);
        let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        // Days to a date of the Gregorian calendar, counted in years that begin in March.
        let shifted = days + 719_468;
        let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        *buffer = *b"0000-00-00 00:00:00";
        let parts = [(0, 4, year), (5, 2, month), (8, 2, day), (11, 2, second / 3600), (14, 2, second / 60 % 60), (17, 2, second % 60)];
        for (start, width, value) in parts {
            let mut rest = value.unsigned_abs();
            for place in buffer[start..start + width].iter_mut().rev() {
                *place = digit(rest % 10);
                rest /= 10;
            }
        }
        ascii(buffer)
    }
}

impl fmt::Display for WireTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text(&mut [0; 19]))
    }
}

impl Serialize for WireTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text(&mut [0; 19]))
    }
}

fn digit(below_ten: u64) -> u8 {
    b'0' + u8::try_from(below_ten).unwrap_or(0)
}

fn ascii(text: &[u8]) -> &str {
    // Digits and signs are ASCII.
    std::str::from_utf8(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_has_all_its_digits_and_at_least_one_before_the_point() {
        let text = |units, digits| Decimal { units, digits }.to_string();
        assert_eq!((text(0, 0), text(0, 2), text(7, 8)), ("0".into(), "0.00".into(), "0.00000007".into()));
        assert_eq!((text(120, 0), text(120, 2), text(120, 3)), ("120".into(), "1.20".into(), "0.120".into()));
        assert_eq!(text(u64::MAX, 19), "1.8446744073709551615");
        assert_eq!(text(1, 38), format!("0.{}1", "0".repeat(37)));
        assert_eq!(serde_json::to_string(&Decimal { units: 5, digits: 1 }).unwrap(), "\"0.5\"");
    }

    #[test]
    fn amounts_are_written_with_the_scale_of_their_coin() {
        assert_eq!(fixed(100_500_000, 6), "100.500000");
        assert_eq!(fixed(998_001, 8), "0.00998001");
        assert_eq!(fixed(7, 0), "7");
        assert_eq!((signed(-50_000, 6), signed(0, 2), signed(i128::MIN, 0)), ("-0.050000".into(), "0.00".into(), format!("-{}", u64::MAX)));
        assert_eq!((signed_trimmed(-1_050, 2), signed_trimmed(0, 2), signed_trimmed(100, 0)), ("-10.5".into(), "0".into(), "100".into()));
        assert_eq!(trimmed(100_000, 6), "0.1");
        assert_eq!(trimmed(105_000_000, 6), "105");
    }

    #[test]
    fn instants_are_written_in_the_zone_of_the_wire() {
        let text = |ms| WireTime(ms).to_string();
        assert_eq!(text(1_767_268_800_000), "2026-01-01 08:00:00");
        assert_eq!(text(1_709_179_199_000), "2024-02-28 23:59:59");
        assert_eq!(text(1_709_265_600_000), "2024-03-01 00:00:00");
        assert_eq!(text(0), "1969-12-31 20:00:00");
        assert_eq!(serde_json::to_string(&WireTime(0)).unwrap(), "\"1969-12-31 20:00:00\"");
    }
}
