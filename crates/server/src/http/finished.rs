//! A finished answer: the bytes sent, and the bytes stored for a repeated write.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};

use super::RequestId;
use super::code::Code;
use super::outgoing::Room;
use super::reply::{Answer, JSON, Message, Reply};
use super::streamed_body::StreamedBody;
use crate::i18n::Lang;

const X_SEQ: HeaderName = HeaderName::from_static("x-seq");
const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Goes with the response to a caller with a session.
#[derive(Clone, Copy, Debug)]
pub struct Known;

/// A finished answer as bytes: those sent, and those stored for a repeated write.
#[derive(Clone, Debug)]
pub struct Finished {
    /// HTTP status.
    pub status: StatusCode,
    /// Content type.
    pub content_type: &'static str,
    /// Body.
    pub body: Vec<u8>,
    /// Streamed in place of the body.
    pub(super) streamed: Option<StreamedBody>,
    /// `x-seq`, if the answer names one.
    pub seq: Option<u64>,
    /// `x-idempotent-replay`.
    pub replay: bool,
    /// Stored already, together with its effect.
    pub stored: bool,
    /// The key belongs to another write, or was answered before: this answer must not be stored for it.
    pub foreign: bool,
    pub(super) headers: HeaderMap,
}

impl Finished {
    /// Writes an answer in the caller's language.
    pub fn new(answer: Answer, lang: Lang, chart: bool, id: RequestId) -> Finished {
        let mut headers = HeaderMap::new();
        match answer {
            Ok(mut reply) => {
                let (content_type, body) = reply.take_body(lang);
                let Reply { message, seq, replay, stored, cookie, .. } = reply;
                let streamed = if let Message::Streamed(_, streamed) = message { Some(streamed) } else { None };
                if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::try_from(cookie).ok()) {
                    headers.insert(header::SET_COOKIE, cookie);
                }
                Finished { status: StatusCode::OK, content_type, body, streamed, seq, replay, stored, foreign: false, headers }
            }
            Err(mut refusal) => {
                metrics::counter!("refusals_total", "name" => refusal.code.name()).increment(1);
                if refusal.code == Code::Internal {
                    refusal = refusal.with("request_id", id.to_string());
                }
                refusal.headers(&mut headers);
                let body = refusal.body(lang, chart);
                let (status, foreign) = (refusal.status(), matches!(refusal.code, Code::DuplicateRequest | Code::AnswerGone));
                Finished {
                    status,
                    content_type: JSON,
                    body,
                    streamed: None,
                    seq: refusal.seq,
                    replay: refusal.replay,
                    stored: false,
                    foreign,
                    headers,
                }
            }
        }
    }

    /// A stored answer, repeated.
    pub fn repeated(body: Vec<u8>, seq: Option<u64>) -> Finished {
        let headers = HeaderMap::new();
        Finished {
            status: StatusCode::OK,
            content_type: JSON,
            body,
            streamed: None,
            seq,
            replay: true,
            stored: true,
            foreign: false,
            headers,
        }
    }

    /// The HTTP response, in the room that a large one has; `newest` is the sequence of an answer that has none.
    pub fn respond(self, id: RequestId, room: Option<Room>, newest: impl FnOnce() -> u64) -> Response<Body> {
        let large = room.is_some().then_some(self.body.len() as u64);
        let length = self.streamed.as_ref().map_or(large, StreamedBody::length);
        let mut response = Response::new(match (self.streamed, room) {
            (Some(streamed), _) => streamed.body(),
            (None, Some(room)) => room.body(self.body),
            (None, None) => Body::from(self.body),
        });
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        // Room for all of these headers and those of every response, without growing.
        headers.reserve(12);
        headers.extend(self.headers);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        length.map(|length| headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length)));
        headers.insert(X_SEQ, HeaderValue::from(self.seq.unwrap_or_else(newest)));
        if let Ok(id) = HeaderValue::try_from(id.to_string()) {
            headers.insert(X_REQUEST_ID, id);
        }
        if self.replay {
            headers.insert(HeaderName::from_static("x-idempotent-replay"), HeaderValue::from_static("1"));
        }
        response
    }
}
