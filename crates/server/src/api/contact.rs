//! Turns mail addresses, phones, passwords and codes, as typed, into their one stored form.

use std::collections::HashSet;
use std::sync::LazyLock;

use store::people::Identity;
use unicode_normalization::UnicodeNormalization;

use crate::countries::COUNTRIES;
use crate::http::code::Code;
use crate::http::reply::{Refusal, refuse};

/// Fewest characters of a password.
pub const PASSWORD_MIN: usize = 6;
/// Most characters of a password.
pub const PASSWORD_MAX: usize = 128;
/// Below this [`strength`] a password is a common one, where the block list is on.
pub const STRENGTH_MIN: u8 = 2;

/// A mail address in lower case.
pub fn email(text: &str) -> Option<Identity> {
    let text = text.trim().to_ascii_lowercase();
    let (local, domain) = text.split_once('@')?;
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let atom =
        |atom: &str| !atom.is_empty() && atom.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte));
    let good = text.len() <= 254
        && local.len() <= 64
        && local.split('.').all(atom)
        && domain.contains('.')
        && domain.split('.').all(label)
        && !domain.split('.').next_back().unwrap_or("").bytes().all(|byte| byte.is_ascii_digit());
    good.then_some(Identity::Email(text))
}

/// A phone as dial code and number.
pub fn phone(area_code: &str, number: &str) -> Option<Identity> {
    static CODES: LazyLock<HashSet<&str>> = LazyLock::new(|| COUNTRIES.iter().map(|country| country.area_code.as_str()).collect());
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (area_code, number) = (area_code.trim().trim_start_matches('+'), number.trim());
    let good = CODES.contains(area_code) && digits(number) && number.len() >= 4 && area_code.len() + number.len() <= 15;
    good.then(|| Identity::Phone(format!("{area_code}-{number}")))
}

/// A mail address or phone of a form, recognised by its format; `None` if it is neither.
pub fn either(text: &str, area_code: Option<&str>) -> Option<Identity> {
    if text.contains('@') { email(text) } else { phone(area_code?, text) }
}

/// A new password, normalised, with the refusals of its length.
pub fn new_password(text: &str) -> Result<String, Refusal> {
    let password = password(text);
    match password.chars().count() {
        length if length < PASSWORD_MIN => Err(refuse(Code::PasswordShort).with("min", PASSWORD_MIN)),
        length if length > PASSWORD_MAX => Err(refuse(Code::PasswordLong).with("max", PASSWORD_MAX)),
        _ => Ok(password),
    }
}

/// Guesses that a password holds out against, from 0 (a thousand) and 1 (a million) to 4.
pub fn strength(password: &str) -> u8 {
    zxcvbn::zxcvbn(password, &["meridian", "operator"]).score().into()
}

/// A password as it is hashed: NFC, blanks preserved. NUL was refused when the request was read.
pub fn password(text: &str) -> String {
    text.nfc().collect()
}

/// A mail address or phone with most of it hidden.
pub fn masked(identity: &str) -> String {
    match identity.split_once('@') {
        Some((local, domain)) => format!("{}***@{domain}", local.chars().take(2).collect::<String>()),
        None => {
            let number = identity.split_once('-').map_or(identity, |(_, number)| number);
            let (from, to) = (2.min(number.len()), number.len().saturating_sub(2));
            format!("{}****{}", &number[..from.min(to)], &number[to.max(from)..])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_addresses_have_one_form() {
        assert_eq!(email(" Ann@Example.COM "), Some(Identity::Email("ann@example.com".to_owned())));
        for bad in [
            "",
            "a",
            "a@b",
            "@b.co",
            "a@",
            "a@@b.co",
            "a b@c.co",
            "a@b..co",
            ".a@b.co",
            "a@-b.co",
            "a@b.1",
            "ä@b.co",
            "a@b.co\r\nbcc: x@y.zz",
        ] {
            assert_eq!(email(bad), None, "{bad}");
        }
    }

    #[test]
    fn phones_have_a_known_dial_code_and_at_most_fifteen_digits() {
        assert_eq!(phone("+49", "15112345678"), Some(Identity::Phone("49-15112345678".to_owned())));
        for (area, number) in
            [("999", "15112345678"), ("49", "123"), ("49", "1511-234"), ("49", "12345678901234"), ("", "1234567"), ("49", "１２３４５")]
        {
            assert_eq!(phone(area, number), None, "{area} {number}");
        }
    }

    #[test]
    fn what_is_shown_of_an_address_does_not_give_it_away() {
        assert_eq!(masked("ann.lee@example.com"), "an***@example.com");
        assert_eq!(masked("49-15112345678"), "15****78");
        assert_eq!(masked("49-1234"), "12****34");
    }
}
