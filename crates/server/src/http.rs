//! The HTTP house: one dispatcher takes every request through the checks of `api.md` 1.4, in that order, to its handler.

pub mod account;
pub mod answers;
pub mod auth;
pub mod chart;
pub mod content;
pub mod favourites;
pub mod figures;
pub mod form;
pub mod headers;
pub mod health;
pub mod identity;
mod json;
pub mod limits;
pub mod listen;
pub mod market;
pub mod openapi;
pub mod page;
pub mod pools;
pub mod price_record;
pub mod profile;
pub mod reply;
pub mod routes;
pub mod sandbox;
pub mod sandbox_outbox;
pub mod settings;
pub mod spot;
pub mod spot_view;
pub mod statement;
pub mod wallet;
pub mod web;
pub mod wire;

use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use engine::command::Request as EngineRequest;
use engine::ids::UserId;
use futures_util::StreamExt;

use crate::app::App;
use crate::db::{DbError, Sql};
use crate::text::Lang;
use answers::{Gate, Keep, Write};
use auth::Session;
use form::Params;
use headers::Peer;
use limits::{Caller, RateClass};
use reply::{Answer, Finished, Refusal, Reply, bad_field, refuse};
use routes::{Access, BY_URL, Effect, Entry, Verb};

/// Largest form or JSON body.
const MAX_BODY: usize = 64 * 1024;
const BODY_DEADLINE: Duration = Duration::from_secs(30);
/// A body must bring this much in each second after the first five.
const BODY_BYTES_PER_S: u64 = 1024;

/// One call on its way to its handler: checked, but for the meaning of its fields.
#[derive(Clone, Debug)]
pub struct Call {
    /// The shared parts.
    pub app: App,
    /// Fields of the query or body.
    pub params: Params,
    /// The caller's session, if the token is good.
    pub session: Option<Session>,
    /// Language of the answer.
    pub lang: Lang,
    /// Network address of the caller.
    pub address: IpAddr,
    /// Browser and system, shortened.
    pub device: String,
    /// For commands: key and content of a write that may be repeated.
    pub request: Option<EngineRequest>,
    /// For other writes that may be repeated: where their answer is stored.
    pub write: Option<Write>,
    /// Number of the request in the log.
    pub request_id: String,
}

impl Call {
    /// The member who calls. Never fails on a route with [`Access::User`].
    pub fn user(&self) -> Result<UserId, Refusal> {
        self.session.map(|session| session.user).ok_or_else(|| refuse("E_AUTH"))
    }

    /// Runs the statements of a write in one transaction with storing its answer: a kill leaves both or nothing.
    pub async fn commit(&self, mut statements: Vec<Sql>, mut reply: Reply) -> Result<Reply, DbError> {
        if let Some(write) = &self.write {
            statements.push(answers::insert(write, reply.body(self.lang).1, reply.seq, self.app.clock.wall_ms()));
            reply.stored = true;
        }
        if !statements.is_empty() {
            self.app.db.run(statements).await?;
        }
        Ok(reply)
    }

    /// The address as limits count it and the session list shows it.
    pub fn address_text(&self) -> String {
        match Caller::address(self.address) {
            Caller::Address(address) => address.to_string(),
            Caller::User(user) => user.0.to_string(),
        }
    }
}

/// The service for all requests but sockets.
pub fn router(app: App) -> Router {
    Router::new().fallback(dispatch).with_state(app)
}

async fn dispatch(State(app): State<App>, request: Request) -> Response<Body> {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let request_id = format!("{:x}-{:x}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let (started, method, path) = (Instant::now(), request.method().clone(), request.uri().path().to_owned());
    let mut response = handle(&app, request, &request_id).await;
    headers::secure(response.headers_mut());
    let label = BY_URL.get_key_value(path.as_str()).map_or("other", |(url, _)| url.as_str());
    metrics::counter!("http_requests_total", "path" => label, "status" => response.status().as_u16().to_string()).increment(1);
    metrics::histogram!("http_request_seconds", "path" => label).record(started.elapsed().as_secs_f64());
    tracing::debug!(%method, path, status = response.status().as_u16(), request_id, "request");
    response
}

async fn handle(app: &App, request: Request, request_id: &str) -> Response<Body> {
    let (head, body) = request.into_parts();
    if let Err(status) = headers::check_head(&head.uri, head.version, &head.headers) {
        let mut response = web::plain(status);
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        return response;
    }
    if headers::is_foreign(&head.headers, &app.config) {
        return web::plain(StatusCode::FORBIDDEN);
    }
    if let Some(response) = web::serve(&head.method, head.uri.path(), &head.headers) {
        return response;
    }
    let lang = headers::language(&head.headers);
    let fault = |refusal: Refusal| Finished::new(Err(refusal), lang, false, request_id).respond(request_id, newest(app));
    let entry = match find(app, head.method.as_str(), head.uri.path()) {
        Ok(entry) => entry,
        Err(refusal) => return fault(refusal),
    };
    let peer = head.extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
    let address = headers::caller_address(peer, &head.headers, &app.config);
    let chart = entry.route.path == "currency/new_timeshar";
    let result = prepare(app, entry, head, body, address, lang, request_id).await;
    let (call, entry) = match result {
        Ok(ready) => ready,
        Err(refusal) => return Finished::new(Err(refusal), lang, chart, request_id).respond(request_id, newest(app)),
    };
    let finished = perform(call, entry, chart).await;
    finished.respond(request_id, newest(app))
}

fn newest(app: &App) -> u64 {
    *app.applied.borrow()
}

/// Path (404) and method (405).
fn find(app: &App, method: &str, path: &str) -> Result<&'static Entry, Refusal> {
    // A doubled slash after the base is tolerated.
    let single = path.strip_prefix("/api//").map(|rest| format!("/api/{}", rest.trim_start_matches('/')));
    let path = single.as_deref().unwrap_or(path);
    if path.starts_with("/sandbox/") && !app.is_sandbox() {
        return Err(refuse("E_PATH"));
    }
    let entries = BY_URL.get(path).ok_or_else(|| refuse("E_PATH"))?;
    // Where GET and POST of one path are different calls, the exact method wins over the GET of a reading POST.
    let exact = entries.iter().find(|entry| entry.route.methods().first() == Some(&method));
    let found = exact.or_else(|| entries.iter().find(|entry| entry.route.methods().contains(&method)));
    found.ok_or_else(|| {
        let allowed: Vec<&str> = entries.iter().flat_map(|entry| entry.route.methods()).copied().collect();
        let mut refusal = refuse("E_METHOD");
        refusal.allow = Some(allowed.join(", "));
        refusal
    })
}

/// Sizes, content type, body, rate class, session, freshness.
async fn prepare(
    app: &App,
    entry: &'static Entry,
    head: axum::http::request::Parts,
    body: Body,
    address: IpAddr,
    lang: Lang,
    request_id: &str,
) -> Result<(Call, &'static Entry), Refusal> {
    let route = entry.route;
    let body = if head.method == "GET" { Vec::new() } else { read_body(&head.headers, body).await? };
    let params = Params::read(entry.params, &head.method, head.uri.query(), &head.headers, &body)?;
    let overriding = entry.params.iter().any(|param| param.name() == "lang").then(|| params.get("lang").and_then(Lang::parse)).flatten();

    let token = auth::token(&head.headers);
    let take = |class, caller| app.limits.take(class, caller, Instant::now()).map_err(|ms| refuse("E_RATE").retry(ms));
    if token.is_some_and(|token| !app.sessions.knows(token)) {
        take(RateClass::Public, Caller::address(address))?;
    }
    let session = match token {
        Some(token) if app.is_ready() => app.sessions.find(token, &app.clock).await?,
        _ => None,
    };
    let (class, caller) = match session {
        Some(session) if route.rate.per_user() => (route.rate, Caller::User(session.user)),
        // Without a session the answer will be "log in"; guessing tokens is bounded like any public call.
        None if route.rate.per_user() => (RateClass::Public, Caller::address(address)),
        _ => (route.rate, Caller::address(address)),
    };
    take(class, caller)?;
    if !app.is_ready() && route.rate != RateClass::Free {
        return Err(refuse("E_NOT_READY"));
    }
    if route.access == Access::User && session.is_none() {
        return Err(refuse("E_AUTH"));
    }
    if route.effect == Effect::Looks
        && let Some(seq) = headers::min_seq(&head.headers)
    {
        app.wait_for(seq).await?;
    }
    let key = if route.effect == Effect::Looks { None } else { idempotency_key(&head.headers)? };
    let verb = match route.verb {
        Verb::Get => "GET",
        Verb::Post => "POST",
        Verb::Put => "PUT",
    };
    let write = key.map(|key| {
        let who = session.map_or_else(|| format!("address {address}"), |session| format!("user {}", session.user.0));
        let mut parts = vec![verb, route.path];
        let fields = params.canonical();
        parts.extend(fields.iter().flat_map(|(name, value)| [*name, *value]));
        Write { caller: format!("{who} {key}"), content: app.secrets.keyed("content", &parts) }
    });
    let request = write
        .as_ref()
        .map(|write| EngineRequest { key: first_half(app.secrets.keyed("key", &[&write.caller])), content: first_half(write.content) });
    let device = headers::device(&head.headers);
    let lang = overriding.unwrap_or(lang);
    let call = Call { app: app.clone(), params, session, lang, address, device, request, write, request_id: request_id.to_owned() };
    Ok((call, entry))
}

fn first_half(hash: [u8; 32]) -> u128 {
    hash.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte))
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value.to_str().unwrap_or("\n");
    let plain = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    match key.len() {
        0 => Ok(None),
        1..=64 if plain => Ok(Some(key.to_owned())),
        _ => Err(bad_field("idempotency-key", "format")),
    }
}

/// Stored answer or handler. A write runs to its end even if the caller hangs up.
async fn perform(call: Call, entry: &'static Entry, chart: bool) -> Finished {
    let (app, lang, id) = (call.app.clone(), call.lang, call.request_id.clone());
    let Some(write) = call.write.clone() else { return run(call, entry, chart).await };
    match app.answers.enter(&write).await {
        Err(refusal) => Finished::new(Err(refusal), lang, chart, &id),
        Ok(Gate::Done(finished)) => finished,
        Ok(Gate::First) => {
            let work = async move {
                let finished = run(call, entry, chart).await;
                let keep = match entry.route.effect {
                    _ if finished.status != StatusCode::OK => Keep::Nowhere,
                    Effect::Looks => Keep::Nowhere,
                    Effect::Writes if finished.stored => Keep::Memory,
                    Effect::Writes => Keep::Both,
                    Effect::Secret => Keep::Memory,
                    Effect::Commands if finished.seq.is_none() => Keep::Both,
                    Effect::Commands => Keep::Nowhere,
                };
                app.answers.finish(&write, &finished, keep, app.clock.wall_ms()).await;
                finished
            };
            tokio::spawn(work).await.unwrap_or_else(|_| Finished::new(Err(refuse("E_INTERNAL")), lang, chart, &id))
        }
    }
}

/// The handler in its own task: a panic becomes `E_INTERNAL`, and a dropped connection does not stop it half-way.
async fn run(call: Call, entry: &'static Entry, chart: bool) -> Finished {
    let (lang, id) = (call.lang, call.request_id.clone());
    let answer: Answer = match tokio::spawn((entry.route.handler)(call)).await {
        Ok(answer) => answer,
        Err(error) => {
            tracing::error!(request_id = id, path = entry.route.path, %error, "handler failed");
            Err(refuse("E_INTERNAL"))
        }
    };
    Finished::new(answer, lang, chart, &id)
}

/// Reads a body within size and time: 30 s in all, and never slower than 1 KiB a second.
async fn read_body(headers: &HeaderMap, body: Body) -> Result<Vec<u8>, Refusal> {
    if headers.contains_key(header::CONTENT_ENCODING) {
        return Err(refuse("E_MEDIA_TYPE"));
    }
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > MAX_BODY) {
        return Err(refuse("E_TOO_LARGE"));
    }
    let started = Instant::now();
    let mut bytes = Vec::new();
    let mut stream = body.into_data_stream();
    loop {
        let earned = Duration::from_secs(5 + u64::try_from(bytes.len()).unwrap_or(u64::MAX) / BODY_BYTES_PER_S);
        let left = earned.min(BODY_DEADLINE).saturating_sub(started.elapsed());
        match tokio::time::timeout(left, stream.next()).await {
            Ok(None) => return Ok(bytes),
            Ok(Some(Ok(chunk))) if bytes.len() + chunk.len() <= MAX_BODY => bytes.extend_from_slice(&chunk),
            Ok(Some(Ok(_))) => return Err(refuse("E_TOO_LARGE")),
            Ok(Some(Err(_))) | Err(_) => return Err(refuse("E_BODY")),
        }
    }
}
