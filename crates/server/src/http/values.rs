//! Values of parameters (`docs/api.md` 1.1, 1.5, 1.9): how the text of a field becomes a number, a word, a clean text or an amount.

use engine::catalog::Wallet;
use engine::time::Time;
use serde_json::{Map, Value as Json};
use store::Page;

use super::code::Code;
use super::form::Params;
use super::params::{Kind, Param};
use super::reply::{Refusal, bad_field, refuse};
use super::request::{Field, Request};
use super::text_policy::clean_text;
use super::units;
use crate::i18n::Lang;

const MAX_AMOUNT_LENGTH: usize = 38;

/// What the text of a field can be read as.
pub trait Value: Sized {
    /// Its form in the contract.
    const KIND: Kind;

    /// Reads the text of the field of this name.
    ///
    /// # Errors
    /// It is no such value.
    fn parse(name: &'static str, text: &str) -> Result<Self, Refusal>;
}

/// Any text.
impl Value for String {
    const KIND: Kind = Kind::Text;

    fn parse(_name: &'static str, text: &str) -> Result<String, Refusal> {
        Ok(text.to_owned())
    }
}

/// Digits of a non-negative integer below 2^53.
impl Value for u64 {
    const KIND: Kind = Kind::Integer;

    fn parse(name: &'static str, text: &str) -> Result<u64, Refusal> {
        digits(text).ok_or_else(|| bad_field(name, "format"))
    }
}

/// An instant in milliseconds.
impl Value for Time {
    const KIND: Kind = Kind::Integer;

    fn parse(name: &'static str, text: &str) -> Result<Time, Refusal> {
        u64::parse(name, text).map(Time)
    }
}

/// 0 or 1.
impl Value for bool {
    const KIND: Kind = Kind::Flag;

    fn parse(name: &'static str, text: &str) -> Result<bool, Refusal> {
        match text {
            "0" | "false" => Ok(false),
            "1" | "true" => Ok(true),
            _ => Err(bad_field(name, "enum")),
        }
    }
}

/// One of the eleven languages.
impl Value for Lang {
    const KIND: Kind = Kind::Language;

    fn parse(name: &'static str, text: &str) -> Result<Lang, Refusal> {
        Lang::parse(text).ok_or_else(|| bad_field(name, "enum"))
    }
}

/// The wire's word for a wallet; others are `E_ACCOUNT`.
impl Value for Wallet {
    const KIND: Kind = Kind::Wallet;

    fn parse(_name: &'static str, text: &str) -> Result<Wallet, Refusal> {
        units::wallet(text)
    }
}

/// An object as JSON.
impl Value for Map<String, Json> {
    const KIND: Kind = Kind::Object;

    fn parse(name: &'static str, text: &str) -> Result<Map<String, Json>, Refusal> {
        serde_json::from_str(text).map_err(|_| bad_field(name, "format"))
    }
}

/// A line of free text by the text policy: NFC, trimmed, `LEAST` to `MOST` code points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<const LEAST: usize, const MOST: usize>(pub String);

impl<const LEAST: usize, const MOST: usize> Value for Line<LEAST, MOST> {
    const KIND: Kind = Kind::Text;

    fn parse(name: &'static str, text: &str) -> Result<Self, Refusal> {
        let clean = clean_text(text).ok_or_else(|| bad_field(name, "chars"))?;
        of_length(name, clean, LEAST, MOST).map(Line)
    }
}

/// Text of several lines by the same policy, each line by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines<const LEAST: usize, const MOST: usize>(pub String);

impl<const LEAST: usize, const MOST: usize> Value for Lines<LEAST, MOST> {
    const KIND: Kind = Kind::Text;

    fn parse(name: &'static str, text: &str) -> Result<Self, Refusal> {
        let lines: Option<Vec<String>> = text.replace("\r\n", "\n").trim().split('\n').map(clean_text).collect();
        let clean = lines.ok_or_else(|| bad_field(name, "chars"))?.join("\n");
        of_length(name, clean, LEAST, MOST).map(Lines)
    }
}

fn of_length(name: &str, clean: String, least: usize, most: usize) -> Result<String, Refusal> {
    if (least..=most).contains(&clean.chars().count()) { Ok(clean) } else { Err(bad_field(name, "length")) }
}

/// A value or an amount, or the word `none`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrNone<T> {
    /// The word.
    None,
    /// Anything else.
    Some(T),
}

impl<T> OrNone<T> {
    /// The value; not that of the word.
    pub fn some(self) -> Option<T> {
        match self {
            OrNone::None => None,
            OrNone::Some(value) => Some(value),
        }
    }
}

impl<T: Value> Value for OrNone<T> {
    const KIND: Kind = Kind::OrNone(&T::KIND);

    fn parse(name: &'static str, text: &str) -> Result<OrNone<T>, Refusal> {
        if text == "none" { Ok(OrNone::None) } else { T::parse(name, text).map(OrNone::Some) }
    }
}

/// At most `MOST` texts, as JSON; none if the field is not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts<const MOST: usize>(pub Vec<String>);

impl<const MOST: usize> Field for Texts<MOST> {
    const KIND: Kind = Kind::Texts;

    fn read(params: &Params, name: &'static str) -> Result<Self, Refusal> {
        let Some(text) = params.get(name) else { return Ok(Texts(Vec::new())) };
        let list: Vec<String> = serde_json::from_str(text).map_err(|_| bad_field(name, "format"))?;
        if list.len() > MOST { Err(bad_field(name, "length")) } else { Ok(Texts(list)) }
    }
}

/// A count from 1 to `MOST`; what is beyond a bound is moved to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count<const MOST: u64>(pub u64);

impl<const MOST: u64> Value for Count<MOST> {
    const KIND: Kind = Kind::Integer;

    fn parse(name: &'static str, text: &str) -> Result<Self, Refusal> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(bad_field(name, "format"));
        }
        Ok(Count(if digits == text { text.parse().unwrap_or(u64::MAX).clamp(1, MOST) } else { 1 }))
    }
}

/// A number from 1 to `MOST`.
#[derive(Clone, Copy, Debug)]
pub struct UpTo<const MOST: u64>(pub u64);

impl<const MOST: u64> Value for UpTo<MOST> {
    const KIND: Kind = Kind::Integer;

    fn parse(name: &'static str, text: &str) -> Result<Self, Refusal> {
        match u64::parse(name, text)? {
            number if (1..=MOST).contains(&number) => Ok(UpTo(number)),
            _ => Err(bad_field(name, "enum")),
        }
    }
}

/// `page` and `limit` of a paged call, moved into their bounds.
impl Field for Page {
    const KIND: Kind = Kind::Integer;
    const PARAMS: Option<&'static [Param]> = Some(&[
        Param { names: &["page"], required: false, kind: Kind::Integer },
        Param { names: &["limit"], required: false, kind: Kind::Integer },
    ]);

    fn read(params: &Params, _name: &'static str) -> Result<Page, Refusal> {
        let page = Option::<Count<1_000_000_000_000>>::read(params, "page")?;
        let limit = Option::<Count<100>>::read(params, "limit")?;
        Ok(Page { page: page.map_or(1, |page| page.0), limit: limit.map_or(10, |limit| limit.0) })
    }
}

impl Request for Page {
    const PARAMS: &'static [&'static [Param]] = match <Page as Field>::PARAMS {
        Some(both) => &[both],
        None => &[],
    };

    fn read(params: &Params) -> Result<Page, Refusal> {
        <Page as Field>::read(params, "page")
    }
}

/// An amount or price as it was typed. How many decimals it may have, the coin or the pair says.
#[derive(Clone, Debug)]
pub struct TypedAmount {
    name: &'static str,
    /// Text of the amount grammar, or the reason of `E_AMOUNT`; `None` if nothing was sent.
    sent: Option<Result<String, &'static str>>,
}

impl Field for TypedAmount {
    const KIND: Kind = Kind::Decimal;

    fn read(params: &Params, name: &'static str) -> Result<TypedAmount, Refusal> {
        let sent = params.sent(name).map(|field| match &field.text {
            text if !field.bare && is_amount(text) => Ok(text.clone()),
            text if !field.bare && is_long_amount(text) => Err("range"),
            _ => Err("format"),
        });
        Ok(TypedAmount { name, sent })
    }
}

impl Field for OrNone<TypedAmount> {
    const KIND: Kind = Kind::OrNone(&TypedAmount::KIND);

    fn read(params: &Params, name: &'static str) -> Result<Self, Refusal> {
        if params.get(name) == Some("none") { Ok(OrNone::None) } else { TypedAmount::read(params, name).map(OrNone::Some) }
    }
}

impl TypedAmount {
    /// True if anything was sent.
    pub fn is_sent(&self) -> bool {
        self.sent.is_some()
    }

    /// `E_FIELD` if nothing was sent.
    pub fn must_be_sent(&self) -> Result<(), Refusal> {
        if self.is_sent() { Ok(()) } else { Err(bad_field(self.name, "required")) }
    }

    /// What was sent is an amount of some coin, where a call has no use for it.
    ///
    /// # Errors
    /// `E_AMOUNT`.
    pub fn check(&self) -> Result<(), Refusal> {
        let sent = self.sent.as_ref().map_or(Ok(()), |sent| sent.as_ref().map(drop));
        sent.map_err(|reason| self.refused(reason))
    }

    /// True if it is zero, where a call gives that a meaning.
    pub fn is_zero(&self, scale: u8) -> bool {
        matches!(&self.sent, Some(Ok(text)) if atoms(text, scale) == Ok(0))
    }

    /// The amount in units of 10^-`scale`, above zero.
    ///
    /// # Errors
    /// `E_AMOUNT` for anything else, also when it is missing.
    pub fn atoms(&self, scale: u8) -> Result<u64, Refusal> {
        let text = self.sent.as_ref().unwrap_or(&Err("required")).as_ref().map_err(|reason| self.refused(reason))?;
        match atoms(text, scale).map_err(|reason| self.refused(reason).with("scale", scale))? {
            0 => Err(self.refused("zero")),
            atoms => Ok(atoms),
        }
    }

    /// `E_AMOUNT` with this reason.
    pub fn refused(&self, reason: &str) -> Refusal {
        refuse(Code::BadAmount).with("field", self.name).with("reason", reason)
    }
}

/// `^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$` on ASCII, at most 38 characters.
fn is_amount(text: &str) -> bool {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text.len() <= MAX_AMOUNT_LENGTH
        && all_digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && whole.len() <= 18
        && fraction.is_none_or(|fraction| all_digits(fraction) && fraction.len() <= 18)
}

/// A plain number that is only too long.
fn is_long_amount(text: &str) -> bool {
    text.len() > 18 && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Text of the amount grammar into units of 10^-`scale`; the reason of `E_AMOUNT` if it does not fit. Nothing is rounded.
pub fn atoms(text: &str, scale: u8) -> Result<u64, &'static str> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let scale = usize::from(scale);
    if fraction.len() > scale {
        return Err("scale");
    }
    let zeros = std::iter::repeat_n(b'0', scale - fraction.len());
    let value = whole.bytes().chain(fraction.bytes()).chain(zeros).try_fold(0_u64, |value, byte| {
        let digit = char::from(byte).to_digit(10)?;
        value.checked_mul(10)?.checked_add(digit.into())
    });
    value.filter(|value| *value < engine::amount::MAX_AMOUNT).ok_or("range")
}

/// A number below 2^53, which every part of the way keeps exactly: JSON, SQL and the app.
pub(crate) fn digits(text: &str) -> Option<u64> {
    let plain = !text.is_empty() && text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok())?.filter(|number| *number < 1 << 53)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_amount_grammar_takes_plain_decimals_only() {
        for good in ["1", "0", "0.5", "1.50", "999999999999999999.999999999999999999"] {
            assert!(is_amount(good), "{good}");
        }
        for bad in [
            "", "1e9", "1E-8", "0x10", "1_000", "1,000", "1.0.0", ".5", "5.", "+1", "-1", "-0", " 1", "1 ", "1\n", "01", "１２", "٣", "²",
            "NaN",
        ] {
            assert!(!is_amount(bad), "{bad}");
        }
        assert_eq!(atoms("1.5", 6), Ok(1_500_000));
        assert_eq!(atoms("1.50", 1), Err("scale"));
        assert_eq!(atoms("999999999999999999", 6), Err("range"));
        assert_eq!(atoms("0.00", 2), Ok(0));
    }
}
