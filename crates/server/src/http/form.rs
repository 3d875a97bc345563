//! The fields of a request as they were sent (`docs/api.md` 1.1): forms, JSON and uploads become names with texts. Request types parse them
//! into values.

use std::borrow::Cow;

use axum::http::{Method, header::HeaderMap};
use percent_encoding::percent_decode;

use super::code::Code;
use super::json::{Pairs, check_nested};
use super::params::Param;
use super::reply::{Refusal, bad_field, refuse};
use crate::i18n::Lang;

const MAX_FIELDS: usize = 200;

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) text: String,
    /// A JSON number, boolean, list or object: text fields take its text, amounts refuse it.
    pub(super) bare: bool,
}

/// The fields of one request, with the names that its call gives them (and their aliases).
#[derive(Clone, Debug, Default)]
pub struct Params {
    /// Few, so looking through them is quicker than hashing.
    fields: Vec<(Cow<'static, str>, Field)>,
    declared: &'static [Param],
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
                // `null` is an empty field.
                Some(b'n') => Field { text: String::new(), bare: false },
                _ => Field { text: raw.to_owned(), bare: true },
            };
            self.insert(Cow::Owned(name), field)?;
        }
        Ok(())
    }

    /// The declared name if the call has this one, else the decoded name.
    fn named(&self, raw: &[u8]) -> Result<Cow<'static, str>, Refusal> {
        let known = self.declared.iter().flat_map(|param| param.names).find(|name| name.as_bytes() == raw);
        known.map_or_else(|| decode(raw).map(Cow::Owned), |name| Ok(Cow::Borrowed(*name)))
    }

    fn insert(&mut self, name: Cow<'static, str>, field: Field) -> Result<(), Refusal> {
        let doubled = name.contains(['[', ']']) || self.fields.iter().any(|(known, _)| *known == name);
        if doubled || self.fields.len() >= MAX_FIELDS {
            return Err(refuse(Code::UnreadableBody));
        }
        self.fields.push((name, field));
        Ok(())
    }

    /// A field as it was sent, under its name or an alias; empty counts as not sent. `None` also where the call takes no such field.
    pub(super) fn sent(&self, name: &str) -> Option<&Field> {
        let names = self.declared.iter().find(|param| param.name() == name)?.names;
        let sent = |name: &&str| self.fields.iter().find(|(known, _)| *known == **name).map(|(_, field)| field);
        names.iter().filter_map(sent).find(|field| !field.text.is_empty())
    }

    /// The requested language of the answer: a field that every call takes (`docs/api.md` 1.2).
    pub fn lang(&self) -> Option<Lang> {
        self.fields.iter().find(|(name, _)| *name == "lang").and_then(|(_, field)| Lang::parse(&field.text))
    }

    /// The text of a field, for the types of values beside this; a handler reads its request type.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.sent(name).map(|field| field.text.as_str())
    }

    /// `E_FIELD` for the first required field that is missing, or text that no table can store, in the order of their declaration.
    pub fn complete(&self) -> Result<(), Refusal> {
        self.declared.iter().try_for_each(|param| match self.get(param.name()) {
            None if param.required => Err(bad_field(param.name(), "required")),
            Some(text) if text.contains('\0') => Err(bad_field(param.name(), "chars")),
            _ => Ok(()),
        })
    }

    /// All fields in a fixed order, for the content hash of a repeated write.
    pub fn canonical(&self) -> Vec<(&str, &str)> {
        let mut pairs: Vec<(&str, &str)> = self.fields.iter().map(|(name, field)| (name.as_ref(), field.text.as_str())).collect();
        pairs.sort_unstable();
        pairs
    }
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
}
