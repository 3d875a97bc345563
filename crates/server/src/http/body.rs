//! Request bodies: read within limits of size and time, whole or as the parts of an upload.

use std::fs::File;
use std::future::poll_fn;
use std::io::{Seek, SeekFrom};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header, request};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http_body_util::{BodyDataStream, BodyExt};
use hyper::body::Incoming as Body;
use multer::{Field, Multipart};
use sha2::{Digest, Sha256};
use store::secrets::hex;
use tokio::io::AsyncWriteExt;
use tokio::sync::Mutex as AsyncMutex;

use super::App;
use super::auth;
use super::code::Code;
use super::form::Params;
use super::limits::{Caller, RateClass};
use super::params::{Kind, Param};
use super::reply::{Refusal, refuse};
use crate::picture;

/// Largest form or JSON body.
const MAX_BODY: usize = 64 * 1024;
/// Largest request with a file.
const MAX_UPLOAD: usize = 6 * 1024 * 1024;
const MAX_PARTS: usize = 20;
const DEADLINE: Duration = Duration::from_secs(30);
/// A body must bring this much in each second after the first five.
const BYTES_PER_S: u64 = 1024;

/// After a refusal this much of the rest of a body is still read: a client that is cut off while sending never sees the answer.
const LINGER_BYTES: usize = 16 * 1024 * 1024;
const LINGER: Duration = Duration::from_secs(2);

/// A body on its way: 30 s in all, never slower than 1 KiB a second, never larger than allowed.
struct Incoming {
    stream: BodyDataStream<Body>,
    started: Instant,
    taken: usize,
    max: usize,
}

impl Incoming {
    fn new(body: Body, max: usize) -> Incoming {
        Incoming { stream: body.into_data_stream(), started: Instant::now(), taken: 0, max }
    }

    /// Checks what the head of the request says about its body.
    fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if headers.contains_key(header::CONTENT_ENCODING) {
            return Err(refuse(Code::MediaType));
        }
        let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if announced.is_some_and(|length| length > self.max) { Err(refuse(Code::TooLarge)) } else { Ok(()) }
    }

    /// The next bytes, `None` at the end. A connection is polled every second, so its deadline needs no timer.
    async fn next(&mut self) -> Result<Option<Bytes>, Code> {
        let earned = Duration::from_secs(5 + u64::try_from(self.taken).unwrap_or(u64::MAX) / BYTES_PER_S);
        let deadline = self.started + earned.min(DEADLINE);
        let read = poll_fn(|context| match self.stream.poll_next_unpin(context) {
            Poll::Pending if Instant::now() < deadline => Poll::Pending,
            Poll::Pending => Poll::Ready(None),
            Poll::Ready(read) => Poll::Ready(Some(read)),
        });
        match read.await {
            Some(None) => Ok(None),
            Some(Some(Ok(chunk))) => {
                self.taken += chunk.len();
                if self.taken > self.max { Err(Code::TooLarge) } else { Ok(Some(chunk)) }
            }
            Some(Some(Err(_))) | None => Err(Code::UnreadableBody),
        }
    }

    /// Reads and drops the rest.
    async fn linger(&mut self) {
        let rest = async {
            let mut left = LINGER_BYTES;
            while let Some(Ok(chunk)) = self.stream.next().await {
                let Some(rest) = left.checked_sub(chunk.len()) else { return };
                left = rest;
            }
        };
        // A slower client is cut off.
        let _ = tokio::time::timeout(LINGER, rest).await;
    }
}

/// A form or JSON body, whole.
pub async fn whole(headers: &HeaderMap, body: Body) -> Result<Vec<u8>, Refusal> {
    let mut incoming = Incoming::new(body, MAX_BODY);
    let read = async {
        incoming.check(headers)?;
        let mut bytes = Vec::new();
        while let Some(chunk) = incoming.next().await.map_err(refuse)? {
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    };
    let read = read.await;
    if read.is_err() {
        incoming.linger().await;
    }
    read
}

/// A file that came with a call, in a temporary file without a name.
#[derive(Clone, Debug)]
pub struct Upload {
    file: Arc<Mutex<File>>,
    /// Bytes received.
    pub length: u64,
}

impl Upload {
    /// The bytes, from their start.
    pub fn open(&self) -> std::io::Result<File> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner).try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }
}

/// What the stream of parts may still read before a part begins; a part's own head is small.
#[derive(Debug, Default)]
struct Watch {
    fault: Option<Code>,
    head_left: Option<usize>,
}

/// The fields and the file of a `multipart/form-data` body. A body without a session is read and dropped.
pub async fn parts(
    app: &App,
    declared: &'static [Param],
    head: &request::Parts,
    body: Body,
    address: IpAddr,
) -> Result<(Params, Option<Upload>), Refusal> {
    let incoming = Arc::new(AsyncMutex::new(Incoming::new(body, MAX_UPLOAD)));
    let read = read_parts(app, declared, head, &incoming, address).await;
    if read.is_err() {
        incoming.lock().await.linger().await;
    }
    read
}

async fn read_parts(
    app: &App,
    declared: &'static [Param],
    head: &request::Parts,
    incoming: &Arc<AsyncMutex<Incoming>>,
    address: IpAddr,
) -> Result<(Params, Option<Upload>), Refusal> {
    incoming.lock().await.check(&head.headers)?;
    let kind = head.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let boundary = multer::parse_boundary(kind).map_err(|_| refuse(Code::MediaType))?;
    let keeps = has_session(app, &head.headers, address).await?;

    let watch: Arc<Mutex<Watch>> = Arc::default();
    let shared = (incoming.clone(), watch.clone());
    let chunks = stream::unfold(true, move |more| {
        let (incoming, watch) = shared.clone();
        async move {
            if !more {
                return None;
            }
            // The parser buffers everything that is ready, so at most one chunk may be.
            tokio::task::yield_now().await;
            let next = incoming.lock().await.next().await;
            let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
            let fault = match next {
                Ok(None) => return None,
                Ok(Some(chunk)) => {
                    let left = watch.head_left.map(|left| left.checked_sub(chunk.len()));
                    if left != Some(None) {
                        watch.head_left = left.flatten();
                        return Some((Ok(chunk), true));
                    }
                    Code::UnreadableBody
                }
                Err(fault) => fault,
            };
            watch.fault = Some(fault);
            Some((Err(std::io::Error::other(fault.name())), false))
        }
    });
    let fault = |_: multer::Error| {
        let watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
        refuse(watch.fault.unwrap_or(Code::UnreadableBody))
    };
    let expect_head = |left: Option<usize>| watch.lock().unwrap_or_else(PoisonError::into_inner).head_left = left;

    let mut body = Multipart::new(Box::pin(chunks), boundary);
    let (mut fields, mut upload) = (Vec::new(), None);
    for _ in 0..=MAX_PARTS {
        expect_head(Some(MAX_BODY));
        let Some(mut part) = body.next_field().await.map_err(&fault)? else {
            return Ok((Params::of_parts(declared, fields)?, upload));
        };
        expect_head(None);
        let name = part.name().ok_or_else(|| refuse(Code::UnreadableBody))?.to_owned();
        let is_file = declared.iter().any(|param| param.kind == Kind::File && param.name() == name);
        let text = if is_file && upload.is_none() {
            let (received, digest) = spool(&mut part, keeps, &fault).await?;
            upload = Some(received);
            digest
        } else {
            let mut bytes = Vec::new();
            while let Some(chunk) = part.chunk().await.map_err(&fault)? {
                if bytes.len() + chunk.len() > MAX_BODY {
                    return Err(refuse(Code::TooLarge));
                }
                bytes.extend_from_slice(&chunk);
            }
            String::from_utf8(bytes).map_err(|_| refuse(Code::UnreadableBody))?
        };
        fields.push((name, text));
    }
    Err(refuse(Code::UnreadableBody))
}

/// Writes a part into a temporary file, up to one byte more than a picture may have; its length and digest.
async fn spool(part: &mut Field<'static>, keeps: bool, fault: &impl Fn(multer::Error) -> Refusal) -> Result<(Upload, String), Refusal> {
    let failed = |error: std::io::Error| {
        tracing::error!(%error, "upload not taken in");
        refuse(Code::Internal)
    };
    let file = tempfile::tempfile().map_err(failed)?;
    let mut out = tokio::fs::File::from_std(file.try_clone().map_err(failed)?);
    let (mut length, mut hash) = (0, Sha256::new());
    while let Some(chunk) = part.chunk().await.map_err(fault)? {
        length += chunk.len() as u64;
        hash.update(&chunk);
        if keeps && length <= picture::MAX_BYTES {
            out.write_all(&chunk).await.map_err(failed)?;
        }
    }
    out.flush().await.map_err(failed)?;
    let digest: [u8; 32] = hash.finalize().into();
    Ok((Upload { file: Arc::new(Mutex::new(file)), length }, hex(&digest)))
}

/// Checks the session before the body is read (`docs/api.md` 1.4), so that uploads without one cannot fill the disk.
async fn has_session(app: &App, headers: &HeaderMap, address: IpAddr) -> Result<bool, Refusal> {
    let Some(key) = auth::token(headers).filter(|_| app.is_ready()).and_then(auth::digest) else { return Ok(false) };
    let known = app.sessions.known(&key);
    if known.is_none() {
        app.limits.take(RateClass::Public, Caller::address(address), Instant::now()).map_err(|ms| refuse(Code::TooManyCalls).retry(ms))?;
    }
    Ok(app.sessions.find_digest(key, known, &app.clock).await?.is_some())
}
