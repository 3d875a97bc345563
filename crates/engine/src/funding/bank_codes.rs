//! Formats of international bank numbers (K-1). Pure checks for the edge: the numbers themselves never enter the log.

/// IBAN: 15 to 34 letters and digits without blanks, two letters and two digits first, remainder 1 modulo 97 (ISO 13616).
pub fn is_iban(text: &str) -> bool {
    let plain: Vec<u8> = text.split_whitespace().flat_map(str::bytes).map(|byte| byte.to_ascii_uppercase()).collect();
    let [country_1, country_2, check_1, check_2, rest @ ..] = plain.as_slice() else { return false };
    let head =
        [country_1, country_2].iter().all(|byte| byte.is_ascii_uppercase()) && [check_1, check_2].iter().all(|byte| byte.is_ascii_digit());
    if !head || !(15..=34).contains(&plain.len()) || !rest.iter().all(u8::is_ascii_alphanumeric) {
        return false;
    }
    let turned = rest.iter().chain([country_1, country_2, check_1, check_2]);
    // A remainder is below 97, so this cannot wrap.
    let digit = |remainder: u32, digit: u32| remainder.wrapping_mul(10).wrapping_add(digit) % 97;
    let remainder = turned.fold(0, |remainder, byte| match char::from(*byte).to_digit(36) {
        Some(letter @ 10..) => digit(digit(remainder, letter / 10), letter % 10),
        Some(number) => digit(remainder, number),
        None => remainder,
    });
    remainder == 1
}

/// SWIFT: four letters, two letters, two letters or digits, and three more for a branch (ISO 9362). Capital letters only.
pub fn is_swift(text: &str) -> bool {
    let bytes = text.as_bytes();
    let code = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    matches!(bytes.len(), 8 | 11) && bytes.iter().take(6).all(u8::is_ascii_uppercase) && bytes.iter().all(code)
}

/// Fedwire: nine digits with their checksum.
pub fn is_fedwire(text: &str) -> bool {
    let bytes = text.as_bytes();
    let weights = [3, 7, 1, 3, 7, 1, 3, 7, 1];
    let sum: u32 = bytes.iter().zip(weights).map(|(byte, weight)| u32::from(byte.wrapping_sub(b'0')).wrapping_mul(weight)).sum();
    bytes.len() == 9 && bytes.iter().all(u8::is_ascii_digit) && sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fedwire_numbers_carry_a_checksum() {
        assert!(is_fedwire("021000021") && is_fedwire("011401533"));
        for wrong in ["021000022", "02100002", "0210000211", "02100002a", "", "０21000021"] {
            assert!(!is_fedwire(wrong), "{wrong}");
        }
    }

    #[test]
    fn any_text_is_a_number_or_not() {
        for text in ["GB", "GB8", "É\u{301}", "GB82\u{a0}WEST12345698765432", "🏦🏦🏦🏦🏦🏦🏦🏦", "AAAAAAAÉ"] {
            assert!(!is_swift(text) && !is_fedwire(text), "{text}");
            let _ = is_iban(text);
        }
    }
}
