//! The one envelope (`docs/api.md` 1.3): a handler returns [`Answer`]; this file alone turns it into HTTP.

use std::path::PathBuf;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use kernel::sequencer::SubmitError;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use store::StoreError;
use store::db::DbError;

use engine::ids::UserId;
use engine::product::Product;

pub use super::code::Code;
pub use super::finished::{Finished, Known};
use super::streamed_body::{Fixed, Pages, StreamedBody};
use crate::files::FileError;
use crate::hasher::HashError;
use crate::i18n::{Lang, text};

/// What every handler returns.
pub type Answer = Result<Reply, Refusal>;

/// A successful answer.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(super) message: Message,
    data: Option<String>,
    /// Journal sequence of the command, or of the state that answered; absent: the newest applied one.
    pub seq: Option<u64>,
    /// A stored first answer of the engine is repeated.
    pub replay: bool,
    /// Stored for a repetition, together with its effect.
    pub stored: bool,
    /// Members whom an operator's call was about; they can read of it.
    pub about: Vec<UserId>,
    /// A cookie that goes out with it, once: it is not part of a stored answer.
    pub cookie: Option<String>,
}

/// What is answered.
#[derive(Clone, Debug)]
pub(super) enum Message {
    Json(String),
    Sentence(&'static str),
    /// Another format than the envelope.
    Raw(&'static str, Vec<u8>),
    /// What is read or made while it is sent.
    Streamed(&'static str, StreamedBody),
    /// The doubled envelope of the chart (`docs/api.md` 1.3).
    Chart(String),
}

impl Reply {
    /// The payload, never `null`, `false`, `0` or `""`.
    pub fn ok(payload: impl Serialize) -> Reply {
        Reply::new(Message::Json(to_json(&payload)))
    }

    /// A sentence of the locale files, by key.
    pub fn say(key: &'static str) -> Reply {
        Reply::new(Message::Sentence(key))
    }

    /// Bytes of another format, with their content type.
    pub fn raw(content_type: &'static str, bytes: Vec<u8>) -> Reply {
        Reply::new(Message::Raw(content_type, bytes))
    }

    /// A file of ours with its content type and length; it may be larger than memory.
    pub fn file(content_type: &'static str, path: PathBuf, length: u64) -> Reply {
        Reply::new(Message::Streamed(content_type, StreamedBody::File { path, length }))
    }

    /// What never changes, with its content type.
    pub fn fixed(content_type: &'static str, bytes: &'static Fixed) -> Reply {
        Reply::new(Message::Streamed(content_type, StreamedBody::Fixed(bytes)))
    }

    /// Pages with their content type, each produced when the one before was taken; together they may be larger than memory.
    pub fn pages(content_type: &'static str, pages: Pages) -> Reply {
        Reply::new(Message::Streamed(content_type, StreamedBody::Pages(pages)))
    }

    /// Chart rows in their own envelope.
    pub fn chart(rows: impl Serialize) -> Reply {
        Reply::new(Message::Chart(to_json(&rows)))
    }

    /// Extra fields beside the payload.
    pub fn data(mut self, data: impl Serialize) -> Reply {
        self.data = Some(to_json(&data));
        self
    }

    /// The sequence that this answer reflects.
    pub fn at(mut self, seq: u64) -> Reply {
        self.seq = Some(seq);
        self
    }

    /// The members that an operator's call was about.
    pub fn about(mut self, users: impl IntoIterator<Item = UserId>) -> Reply {
        self.about.extend(users);
        self
    }

    /// Sets a cookie.
    pub fn cookie(mut self, cookie: String) -> Reply {
        self.cookie = Some(cookie);
        self
    }

    fn new(message: Message) -> Reply {
        Reply { message, data: None, seq: None, replay: false, stored: false, about: Vec::new(), cookie: None }
    }

    /// The body and its content type. The bytes of another format, which may be many, are moved.
    pub fn take_body(&mut self, lang: Lang) -> (&'static str, Vec<u8>) {
        match &mut self.message {
            Message::Raw(content_type, bytes) => (content_type, std::mem::take(bytes)),
            _ => self.body(lang),
        }
    }

    /// The body and its content type.
    pub fn body(&self, lang: Lang) -> (&'static str, Vec<u8>) {
        let data = self.data.as_deref().unwrap_or("\"\"");
        let message = match &self.message {
            Message::Raw(content_type, bytes) => return (content_type, bytes.clone()),
            Message::Streamed(content_type, _) => return (content_type, Vec::new()),
            Message::Chart(rows) => {
                let parts = [r#"{"type":"ok","code":1,"msg":"success","message":"#, rows, r#","data":"#, rows, "}"];
                return (JSON, parts.concat().into_bytes());
            }
            Message::Json(payload) => payload,
            Message::Sentence(key) => &to_json(&text(lang, key)),
        };
        (JSON, [r#"{"type":"ok","code":1,"message":"#, message, r#","data":"#, data, "}"].concat().into_bytes())
    }
}

/// The content type of the envelope.
pub(super) const JSON: &str = "application/json; charset=utf-8";
/// Most answers fit without growing.
const ANSWER: usize = 1_024;

fn to_json(value: &impl Serialize) -> String {
    let mut json = Vec::with_capacity(ANSWER);
    // Our own structs have string keys and no failing serializers, so this cannot fail.
    let written = serde_json::to_writer(&mut json, value).ok().and_then(|()| String::from_utf8(json).ok());
    written.unwrap_or_else(|| "{}".to_owned())
}

/// A refusal: a stable code and its details; the sentence is chosen when it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Why.
    pub code: Code,
    /// Fields beside `error`.
    pub details: Vec<(&'static str, Json)>,
    /// Another sentence than that of the name.
    pub sentence: Option<&'static str>,
    /// Sequence of the refused command, if it came to the engine.
    pub seq: Option<u64>,
    /// For `E_METHOD`: the methods there are.
    pub allow: Option<String>,
    /// A stored first answer of the engine is repeated.
    pub replay: bool,
}

/// A refusal without details.
pub fn refuse(code: Code) -> Refusal {
    Refusal { code, details: Vec::new(), sentence: None, seq: None, allow: None, replay: false }
}

/// A product that may not be opened now, whatever keeps it shut.
pub fn disabled(product: Product) -> Refusal {
    refuse(Code::ProductDisabled).with("product", product.name())
}

/// A field that is missing or has a wrong form: `E_FIELD` with `data.field` and `data.rule`.
pub fn bad_field(field: &str, rule: &str) -> Refusal {
    refuse(Code::BadField).with("field", field).with("rule", rule)
}

impl Refusal {
    /// A detail: text or integer.
    pub fn with(mut self, key: &'static str, value: impl Into<Json>) -> Refusal {
        self.details.push((key, value.into()));
        self
    }

    /// `retry-after` and `data.retry_ms`.
    pub fn retry(self, ms: u64) -> Refusal {
        self.with("retry_ms", ms)
    }

    /// The state of an object, if that is the reason for the refusal.
    pub fn in_state(self, state: Option<&'static str>) -> Refusal {
        match state.filter(|_| self.code == Code::WrongState) {
            Some(state) => self.with("state", state),
            None => self,
        }
    }

    /// The sequence of the refused command.
    pub fn at(mut self, seq: u64) -> Refusal {
        self.seq = Some(seq);
        self
    }

    /// HTTP status (`docs/api.md` 11).
    pub fn status(&self) -> StatusCode {
        self.code.status()
    }

    /// The body of the envelope; `chart` adds the chart's second name for the sentence.
    pub fn body(&self, lang: Lang, chart: bool) -> Vec<u8> {
        let mut sentence = text(lang, self.sentence.unwrap_or(self.code.name())).to_owned();
        // Bounds that the catalog can change, or that differ for operators.
        for (key, bound) in self.details.iter().filter(|(key, _)| matches!(*key, "min" | "max")) {
            sentence = sentence.replace(&format!("{{{key}}}"), &bound.to_string());
        }
        let mut data = Map::new();
        data.insert("error".to_owned(), self.code.name().into());
        data.extend(self.details.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        let mut envelope = json!({"type": self.code.kind(), "code": 0, "message": sentence, "data": data});
        if chart {
            envelope["msg"] = envelope["message"].clone();
        }
        to_json(&envelope).into_bytes()
    }

    pub(super) fn headers(&self, headers: &mut HeaderMap) {
        let retry_ms = self.details.iter().find(|(key, _)| *key == "retry_ms").and_then(|(_, value)| value.as_u64());
        let seconds = match self.code {
            Code::TooManyCalls | Code::LoginWait | Code::NotReady | Code::OutcomeUnknown => {
                Some(retry_ms.map_or(1, |ms| ms.div_ceil(1000).max(1)))
            }
            _ => None,
        };
        if let Some(seconds) = seconds {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(allow) = self.allow.as_deref().and_then(|allow| HeaderValue::from_str(allow).ok()) {
            headers.insert(header::ALLOW, allow);
        }
        if matches!(self.code, Code::TooLarge | Code::UnreadableBody) {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
    }
}

impl From<SubmitError> for Refusal {
    fn from(error: SubmitError) -> Refusal {
        match error {
            SubmitError::NotReady => refuse(Code::NotReady),
            SubmitError::OutcomeUnknown => refuse(Code::OutcomeUnknown),
            SubmitError::Internal => refuse(Code::Internal),
            SubmitError::TooManyKeys { retry_ms } => refuse(Code::TooManyCalls).retry(retry_ms),
            SubmitError::Time => refuse(Code::BadTime),
            SubmitError::AnswerGone => refuse(Code::AnswerGone),
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        match error {
            StoreError::Db(error) => error.into(),
            StoreError::NotReady => refuse(Code::NotReady),
            StoreError::NoMember => refuse(Code::LoggedOut),
            StoreError::Code => refuse(Code::WrongCode),
            StoreError::CodeLocked => refuse(Code::CodeLocked),
            StoreError::Wait { retry_ms } => refuse(Code::LoginWait).retry(retry_ms),
            StoreError::File(rule) => refuse(Code::BadFile).with("rule", rule),
            StoreError::Full { max } => refuse(Code::TooManyOpen).with("max", max),
        }
    }
}

impl From<DbError> for Refusal {
    fn from(error: DbError) -> Refusal {
        match error {
            DbError::Unknown(why) => {
                tracing::error!(why, "commit with unknown outcome");
                refuse(Code::OutcomeUnknown)
            }
            DbError::Away(why) => {
                tracing::error!(why, "database out of reach");
                refuse(Code::NotReady)
            }
            error => {
                tracing::error!(%error, "database");
                refuse(Code::Internal)
            }
        }
    }
}

impl From<FileError> for Refusal {
    fn from(error: FileError) -> Refusal {
        match error {
            FileError::Flaw(flaw) => refuse(Code::BadFile).with("rule", flaw.word()),
            FileError::Busy | FileError::Away => refuse(Code::NotReady),
            FileError::Seal(error) => error.into(),
        }
    }
}

impl From<HashError> for Refusal {
    fn from(error: HashError) -> Refusal {
        match error {
            HashError::Full => refuse(Code::TooManyCalls).retry(1_000),
            HashError::Failed => refuse(Code::Internal),
        }
    }
}

/// Gives a refusal of another meaning the code that the call's list has for it.
pub trait OrRefuse<T> {
    /// The same, refused with `code` and without details.
    fn or_refuse(self, code: Code) -> Result<T, Refusal>;
}

impl<T, E: Into<Refusal>> OrRefuse<T> for Result<T, E> {
    fn or_refuse(self, code: Code) -> Result<T, Refusal> {
        self.map_err(|_| refuse(code))
    }
}

impl<T> OrRefuse<T> for Option<T> {
    fn or_refuse(self, code: Code) -> Result<T, Refusal> {
        self.ok_or_else(|| refuse(code))
    }
}
