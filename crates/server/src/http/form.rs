//! Strings from outside into typed values (`api.md` 1.1, 1.5, 1.9). Everything that a caller sends passes through here.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use axum::http::{Method, header::HeaderMap};
use percent_encoding::percent_decode;

use super::clean::clean_text;
use super::code::Code;
use super::json::{Pairs, check_nested};
use super::reply::{Refusal, bad_field, refuse};
use super::routes::Param;
use crate::text::Lang;

const MAX_FIELDS: usize = 200;
const MAX_AMOUNT_LENGTH: usize = 38;

#[derive(Clone, Debug)]
struct Field {
    text: String,
    /// A JSON number, boolean, list or object: text fields take its text, amounts refuse it.
    bare: bool,
}

/// The fields of one request, read by the names that the route table gives them (and their aliases).
#[derive(Clone, Debug, Default)]
pub struct Params {
    /// Few, so looking through them is quicker than hashing.
    fields: Vec<(Cow<'static, str>, Field)>,
    declared: &'static [Param],
}

/// A checked page request (`api.md` 1.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// From 1.
    pub page: u64,
    /// 1 to 100.
    pub limit: u64,
}

impl Page {
    /// Rows to skip.
    pub fn offset(self) -> u64 {
        (self.page - 1).saturating_mul(self.limit)
    }
}

impl Params {
    /// Reads the query of a GET, or the body of a POST or PUT.
    pub fn read(
        declared: &'static [Param],
        method: &Method,
        query: Option<&str>,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<Params, Refusal> {
        let mut params = Params { fields: Vec::new(), declared };
        if *method == Method::GET || *method == Method::HEAD {
            params.form(query.unwrap_or("").as_bytes())?;
            return Ok(params);
        }
        let kind = headers.get(axum::http::header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap_or("?"));
        let is = |kind: &str, wanted| kind.split(';').next().unwrap_or("").trim().eq_ignore_ascii_case(wanted);
        match kind {
            None if body.is_empty() => {}
            Some(kind) if is(kind, "application/x-www-form-urlencoded") => params.form(body)?,
            Some(kind) if is(kind, "application/json") => params.json(body)?,
            _ => return Err(refuse(Code::MediaType)),
        }
        Ok(params)
    }

    /// The fields of an upload.
    pub fn of_parts(declared: &'static [Param], fields: Vec<(String, String)>) -> Result<Params, Refusal> {
        let mut params = Params { fields: Vec::new(), declared };
        fields.into_iter().try_for_each(|(name, text)| params.insert(Cow::Owned(name), Field { text, bare: false }))?;
        Ok(params)
    }

    /// Adds the last part of the path, where the route names it: `/files/{key}`.
    pub fn take_path(&mut self, route: &str, path: &str) -> Result<(), Refusal> {
        let Some((start, name)) = route.strip_suffix('}').and_then(|route| route.split_once('{')) else { return Ok(()) };
        let text = decode(path.strip_prefix(start).unwrap_or("").as_bytes())?;
        self.insert(Cow::Owned(name.to_owned()), Field { text, bare: false })
    }

    fn form(&mut self, body: &[u8]) -> Result<(), Refusal> {
        for pair in body.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty()) {
            let cut = pair.iter().position(|byte| *byte == b'=').unwrap_or(pair.len());
            let (name, value) = pair.split_at(cut);
            self.insert(self.named(name)?, Field { text: decode(value.get(1..).unwrap_or_default())?, bare: false })?;
        }
        Ok(())
    }

    fn json(&mut self, body: &[u8]) -> Result<(), Refusal> {
        let text = std::str::from_utf8(body).map_err(|_| refuse(Code::UnreadableBody))?;
        if text.trim().is_empty() {
            return Ok(());
        }
        let Pairs(pairs) = serde_json::from_str(text).map_err(|_| refuse(Code::UnreadableBody))?;
        for (name, value) in pairs {
            check_nested(&value)?;
            let raw = value.get();
            let field = match raw.as_bytes().first() {
                Some(b'"') => Field { text: serde_json::from_str(raw).map_err(|_| refuse(Code::UnreadableBody))?, bare: false },
                // `null` is the empty field.
                Some(b'n') => Field { text: String::new(), bare: false },
                _ => Field { text: raw.to_owned(), bare: true },
            };
            self.insert(Cow::Owned(name), field)?;
        }
        Ok(())
    }

    /// A name of the route table as it stands there, any other one decoded.
    fn named(&self, raw: &[u8]) -> Result<Cow<'static, str>, Refusal> {
        let known = self.declared.iter().flat_map(Param::names).find(|name| name.as_bytes() == raw);
        known.map_or_else(|| decode(raw).map(Cow::Owned), |name| Ok(Cow::Borrowed(name)))
    }

    fn insert(&mut self, name: Cow<'static, str>, field: Field) -> Result<(), Refusal> {
        let doubled = name.contains(['[', ']']) || self.fields.iter().any(|(known, _)| *known == name);
        if doubled || self.fields.len() >= MAX_FIELDS {
            return Err(refuse(Code::UnreadableBody));
        }
        self.fields.push((name, field));
        Ok(())
    }

    fn field(&self, name: &str) -> Option<&Field> {
        let declared = self.declared.iter().find(|param| param.name() == name);
        debug_assert!(declared.is_some(), "the route table does not list the parameter {name}");
        let names = declared.map(Param::names)?;
        let sent = |name| self.fields.iter().find(|(known, _)| *known == name).map(|(_, field)| field);
        names.filter_map(sent).find(|field| !field.text.is_empty())
    }

    /// The text of a field; empty counts as not sent.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.field(name).map(|field| field.text.as_str())
    }

    /// The text of a field that must be sent.
    pub fn need(&self, name: &str) -> Result<&str, Refusal> {
        self.get(name).ok_or_else(|| bad_field(name, "required"))
    }

    /// `E_FIELD` for the first required field that is missing, or text that no table can hold, in the order of the table.
    pub fn complete(&self) -> Result<(), Refusal> {
        self.declared.iter().try_for_each(|param| match self.get(param.name()) {
            None if param.required() => Err(bad_field(param.name(), "required")),
            Some(text) if text.contains('\0') => Err(bad_field(param.name(), "chars")),
            _ => Ok(()),
        })
    }

    /// Free text by the text policy: NFC, trimmed, `length` in code points.
    pub fn text(&self, name: &str, length: RangeInclusive<usize>) -> Result<Option<String>, Refusal> {
        let Some(raw) = self.get(name) else { return Ok(None) };
        let clean = clean_text(raw).ok_or_else(|| bad_field(name, "chars"))?;
        if !length.contains(&clean.chars().count()) {
            return Err(bad_field(name, "length"));
        }
        Ok(Some(clean))
    }

    /// Text of several lines by the same policy, each line by itself.
    pub fn lines(&self, name: &str, length: RangeInclusive<usize>) -> Result<Option<String>, Refusal> {
        let Some(raw) = self.get(name) else { return Ok(None) };
        let lines: Option<Vec<String>> = raw.replace("\r\n", "\n").trim().split('\n').map(clean_text).collect();
        let clean = lines.ok_or_else(|| bad_field(name, "chars"))?.join("\n");
        if !length.contains(&clean.chars().count()) {
            return Err(bad_field(name, "length"));
        }
        Ok(Some(clean))
    }

    /// A list of texts, as JSON.
    pub fn list(&self, name: &str, most: usize) -> Result<Vec<String>, Refusal> {
        let Some(text) = self.get(name) else { return Ok(Vec::new()) };
        let list: Vec<String> = serde_json::from_str(text).map_err(|_| bad_field(name, "format"))?;
        if list.len() > most { Err(bad_field(name, "length")) } else { Ok(list) }
    }

    /// Digits of a non-negative integer below 2^53.
    pub fn int(&self, name: &str) -> Result<Option<u64>, Refusal> {
        self.get(name).map(|text| digits(text).ok_or_else(|| bad_field(name, "format"))).transpose()
    }

    /// An integer that must be sent.
    pub fn need_int(&self, name: &str) -> Result<u64, Refusal> {
        self.int(name)?.ok_or_else(|| bad_field(name, "required"))
    }

    /// Number of an object: unknown, malformed and foreign numbers are all `E_NOT_FOUND`.
    pub fn id(&self, name: &str) -> Result<u64, Refusal> {
        self.get(name).and_then(digits).ok_or_else(|| refuse(Code::NotFound))
    }

    /// 0 or 1.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, Refusal> {
        match self.get(name) {
            None => Ok(None),
            Some("0" | "false") => Ok(Some(false)),
            Some("1" | "true") => Ok(Some(true)),
            Some(_) => Err(bad_field(name, "enum")),
        }
    }

    /// One of these words.
    pub fn one_of(&self, name: &str, words: &[&'static str]) -> Result<Option<&'static str>, Refusal> {
        let Some(text) = self.get(name) else { return Ok(None) };
        words.iter().copied().find(|word| *word == text).map(Some).ok_or_else(|| bad_field(name, "enum"))
    }

    /// One of the eleven languages.
    pub fn lang(&self, name: &str) -> Result<Option<Lang>, Refusal> {
        self.get(name).map(|code| Lang::parse(code).ok_or_else(|| bad_field(name, "enum"))).transpose()
    }

    /// The text of an amount or price, of the right grammar but of any scale; absent if not sent.
    pub fn amount_text(&self, name: &str) -> Result<Option<&str>, Refusal> {
        match self.field(name) {
            None => Ok(None),
            Some(field) if !field.bare && is_amount(&field.text) => Ok(Some(&field.text)),
            Some(field) if !field.bare && is_long_amount(&field.text) => Err(bad_amount(name, "range")),
            Some(_) => Err(bad_amount(name, "format")),
        }
    }

    /// An amount in units of 10^-`scale`, above zero: `E_AMOUNT` for anything else, also when it is missing.
    pub fn amount(&self, name: &str, scale: u8) -> Result<u64, Refusal> {
        let text = self.amount_text(name)?.ok_or_else(|| bad_amount(name, "format"))?;
        match atoms(text, scale).map_err(|reason| bad_amount(name, reason).with("scale", scale))? {
            0 => Err(bad_amount(name, "zero")),
            atoms => Ok(atoms),
        }
    }

    /// A count from 1 to `max`; what is beyond a bound is moved to it.
    pub fn bounded(&self, name: &str, default: u64, max: u64) -> Result<u64, Refusal> {
        let Some(text) = self.get(name) else { return Ok(default) };
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(bad_field(name, "format"));
        }
        Ok(if digits == text { text.parse().unwrap_or(u64::MAX).clamp(1, max) } else { 1 })
    }

    /// `page` and `limit` of a paged call, moved into their bounds.
    pub fn page(&self) -> Result<Page, Refusal> {
        Ok(Page { page: self.bounded("page", 1, 1_000_000_000_000)?, limit: self.bounded("limit", 10, 100)? })
    }

    /// All fields in a fixed order, for the content hash of a repeated write.
    pub fn canonical(&self) -> Vec<(&str, &str)> {
        let mut pairs: Vec<(&str, &str)> = self.fields.iter().map(|(name, field)| (name.as_ref(), field.text.as_str())).collect();
        pairs.sort_unstable();
        pairs
    }
}

/// `E_AMOUNT` with `data.field` and `data.reason`.
pub fn bad_amount(field: &str, reason: &str) -> Refusal {
    refuse(Code::BadAmount).with("field", field).with("reason", reason)
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

fn decode(raw: &[u8]) -> Result<String, Refusal> {
    if !raw.iter().any(|byte| matches!(byte, b'+' | b'%')) {
        return String::from_utf8(raw.to_vec()).map_err(|_| refuse(Code::UnreadableBody));
    }
    let spaced: Vec<u8> = raw.iter().map(|byte| if *byte == b'+' { b' ' } else { *byte }).collect();
    let mut rest = spaced.as_slice();
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        let hex = rest.get(at + 1..at + 3).filter(|pair| pair.iter().all(u8::is_ascii_hexdigit));
        if hex.is_none() {
            return Err(refuse(Code::UnreadableBody));
        }
        rest = &rest[at + 3..];
    }
    let bytes: Vec<u8> = percent_decode(&spaced).collect();
    String::from_utf8(bytes).map_err(|_| refuse(Code::UnreadableBody))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> Result<Params, Refusal> {
        let mut params = Params::default();
        params.form(text.as_bytes()).map(|()| params)
    }

    fn json(text: &str) -> Result<Params, Refusal> {
        let mut params = Params::default();
        params.json(text.as_bytes()).map(|()| params)
    }

    #[test]
    fn malformed_bodies_are_refused_whole() {
        for bad in ["a=1&a=2", "a[]=1", "a[x]=1", "%5B=1", "a=%zz", "a=%4", "a=%", "a=%ff", "%ff=1"] {
            assert_eq!(form(bad).err().map(|refusal| refusal.code), Some(Code::UnreadableBody), "{bad}");
        }
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(8), "]".repeat(8));
        let deepest = format!("{{\"a\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
        for bad in [r#"{"a":1,"a":2}"#, r#"{"a":{"b":1,"b":2}}"#, "[1]", "1", "{", "\u{feff}{}", r#"{"a":"\ud800"}"#, &deep, &deepest] {
            assert_eq!(json(bad).err().map(|refusal| refusal.code), Some(Code::UnreadableBody), "{bad:.60}");
        }
        let allowed = format!("{{\"a\":{}1{}}}", "[".repeat(7), "]".repeat(7));
        assert!(json(&allowed).is_ok());
        assert!(json(r#"{"a":1e400,"b":null,"c":"x"}"#).is_ok());
        let many: String = (0..201).map(|at| format!("f{at}=1&")).collect();
        assert!(form(&many).is_err());
    }

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
