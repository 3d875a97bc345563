//! Instants of RFC 3339 in UTC, as `2025-11-25T21:30:00.123456Z`.

/// Microseconds since 1970; further digits are cut off. `None` for anything else, including other time zones.
pub(super) fn parse(text: &str) -> Option<u64> {
    let text = text.strip_suffix('Z')?;
    let (date, time) = text.split_once('T')?;
    let [year, month, day] = parts(date, '-', [4, 2, 2])?;
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let [hour, minute, second] = parts(time, ':', [2, 2, 2])?;
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let length = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u64::from(is_leap),
        _ => return None,
    };
    if year < 1970 || day == 0 || day > length || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second;
    Some(seconds * 1_000_000 + micros(fraction)?)
}

/// Three numbers with exactly these numbers of digits.
fn parts(text: &str, between: char, lengths: [usize; 3]) -> Option<[u64; 3]> {
    let mut found = [0; 3];
    let mut rest = text.split(between);
    for (slot, length) in found.iter_mut().zip(lengths) {
        let part = rest.next().filter(|part| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit()))?;
        *slot = part.parse().ok()?;
    }
    rest.next().is_none().then_some(found)
}

fn micros(fraction: &str) -> Option<u64> {
    if fraction.is_empty() || fraction.len() > 9 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    format!("{:0<6}", fraction.get(..6).unwrap_or(fraction)).parse().ok()
}

/// Days from 1970 to a day of the Gregorian calendar.
fn days(year: u64, month: u64, day: u64) -> u64 {
    // Years begin in March, so that the leap day is the last day of a year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let before = |year: u64| year * 365 + year / 4 - year / 100 + year / 400;
    // 1970 begins 719,468 days after 1 March of year 0.
    before(year) + (153 * month + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_read_to_the_microsecond() {
        assert_eq!(parse("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(parse("2000-02-29T12:00:00Z"), Some(951_825_600_000_000));
        assert_eq!(parse("2025-11-25T21:30:00.123456Z"), Some(1_764_106_200_123_456));
        assert_eq!(parse("2025-11-25T21:30:00.1Z"), Some(1_764_106_200_100_000));
        assert_eq!(parse("2025-11-25T21:30:00.123456789Z"), Some(1_764_106_200_123_456));
        assert_eq!(parse("9999-12-31T23:59:59.999999Z"), Some(253_402_300_799_999_999));
        let wrong = [
            "",
            "Z",
            "2025-11-25",
            "2025-11-25T21:30:00",
            "2025-11-25T21:30:00+00:00",
            "2025-02-29T00:00:00Z",
            "2025-13-01T00:00:00Z",
            "2025-00-10T00:00:00Z",
            "2025-11-31T00:00:00Z",
            "2025-11-25T24:00:00Z",
            "2025-11-25T23:60:00Z",
            "2025-11-25T23:00:60Z",
            "1969-12-31T00:00:00Z",
            "2025-11-25T21:30:00.Z",
            "2025-11-25T21:30:00.1234567890Z",
            "2025-11-25T21:30:00.12345é789Z",
            "+025-11-25T21:30:00Z",
            "2025-11-25T21:30:00.1.2Z",
            "12025-11-25T21:30:00Z",
        ];
        for text in wrong {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
