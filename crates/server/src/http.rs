//! HTTP transport: one dispatcher takes every request through the checks of `docs/api.md` 1.4, in that order, to its handler.

pub mod answers;
pub mod audit;
pub mod auth;
pub mod body;
pub mod code;
mod commit;
pub(crate) mod compressed;
mod deadline;
pub mod decimal;
pub mod finished;
pub mod form;
mod framing;
pub mod headers;
pub mod health;
pub mod idempotency;
mod json;
pub mod limits;
pub mod listen;
mod metrics;
pub mod minute_cache;
pub mod open_object_count;
pub mod openapi;
pub mod outgoing;
pub mod page;
pub mod params;
pub mod reply;
pub mod request;
mod request_id;
pub mod routes;
pub mod security_log;
mod shared;
mod slots;
pub mod stream;
pub mod streamed_body;
pub mod surface;
pub(crate) mod text_policy;
pub mod types;
pub mod units;
pub mod values;
pub mod web;

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::time::Instant;

use axum::body::Body;
use axum::http::{HeaderValue, Method, Request, Response, StatusCode, header};
use engine::command::Request as EngineRequest;
use engine::ids::UserId;
use futures_util::FutureExt;
use hyper::body::Incoming;
use store::operators::{self, OperatorSession};

use crate::i18n::Lang;
use answers::{Gate, Keep, Write};
use auth::Session;
use body::Upload;
use code::Code;
use deadline::Deadline;
use form::Params;
use limits::{Caller, RateClass};
use outgoing::Holder;
use reply::{Answer, Finished, Known, Refusal, refuse};
pub use request_id::RequestId;
use routes::{Access, Effect, Entry};
use security_log::Attempt;
pub use shared::{App, Shared};
use surface::Surface;

/// One call on its way to its handler, without its parameters: those are its request.
#[derive(Clone, Debug)]
pub struct Call {
    /// The shared parts.
    pub app: App,
    /// The file that came with it.
    pub upload: Option<Upload>,
    /// The caller's session, if the token is good.
    pub session: Option<Session>,
    /// The same of an operator, on the operators' routes.
    pub operator: Option<OperatorSession>,
    /// For operators: number of the call in the audit log.
    pub audit_id: u64,
    /// Language of the answer.
    pub lang: Lang,
    /// Network address of the caller.
    pub address: IpAddr,
    /// True if a proxy says that it forwards for another client.
    pub forwarded: bool,
    /// Browser and system, shortened, where the call opens a session.
    pub device: String,
    /// The cookie that identifies its device, if the call opens a session; else empty.
    pub cookie: String,
    /// Scheme and host that the member's browser uses, for links; else empty.
    pub site: String,
    /// For commands: key and content of a write that may be repeated.
    pub request: Option<EngineRequest>,
    /// For other writes that may be repeated: where their answer is stored.
    pub write: Option<Write>,
    /// Number of the request in the log.
    pub id: RequestId,
}

impl Call {
    /// The calling member. Never fails on a route with [`Access::User`].
    pub fn user(&self) -> Result<UserId, Refusal> {
        self.session.map(|session| session.user).ok_or_else(|| refuse(Code::LoggedOut))
    }

    /// The number of the caller's session. Never fails on a route with [`Access::User`].
    pub fn session_id(&self) -> Result<u64, Refusal> {
        self.session.map(|session| session.id).ok_or_else(|| refuse(Code::LoggedOut))
    }

    /// True if the engine answered this request before, so it would answer the same again.
    pub fn was_answered(&self) -> bool {
        self.request.is_some_and(|request| self.app.sequencer.engine().was_answered(request))
    }

    /// The address as limits count it and the session list shows it.
    pub fn address_text(&self) -> String {
        limits::counted(self.address).to_string()
    }

    /// The site of the address, see [`limits::site`].
    pub fn site_text(&self) -> String {
        limits::site(self.address).to_string()
    }
}

/// Answers all requests except those of sockets.
pub async fn answer(app: &App, surface: Surface, peer: IpAddr, request: Request<Incoming>) -> Response<Body> {
    let (id, started) = (RequestId::next(), Instant::now());
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let (mut response, entry) = handle(app, surface, peer, request, id).await;
    if uri.path().starts_with("/files/") {
        headers::secure_file(response.headers_mut());
    }
    headers::secure(response.headers_mut());
    let status = response.status();
    metrics::count(entry, status, started.elapsed());
    tracing::debug!(%method, path = uri.path(), status = status.as_u16(), request_id = %id, "request");
    response
}

/// The answer, and the call that it belongs to.
async fn handle(
    app: &App,
    surface: Surface,
    peer: IpAddr,
    request: Request<Incoming>,
    id: RequestId,
) -> (Response<Body>, Option<&'static Entry>) {
    let (head, body) = request.into_parts();
    if let Err(status) = headers::check_head(&head.uri, head.version, &head.headers) {
        let mut response = web::plain(status);
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        return (response, None);
    }
    if headers::is_foreign(&head.headers, &app.config) {
        return (web::plain(StatusCode::FORBIDDEN), None);
    }
    let served = surface.serves(head.uri.path());
    if let Some(response) = served.then(|| web::serve(&head.method, head.uri.path(), &head.headers, surface)).flatten() {
        return (response, None);
    }
    let mut lang = headers::language(&head.headers);
    let newest = || app.applied.newest();
    let found = if served { find(app, head.method.as_str(), head.uri.path()) } else { Err(refuse(Code::UnknownPath)) };
    let entry = match found {
        Ok(entry) => entry,
        Err(refusal) => return (Finished::new(Err(refusal), lang, false, id).respond(id, None, newest), None),
    };
    let address = headers::caller_address(peer, &head.headers, &app.config);
    let chart = entry.route.path == "currency/new_timeshar";
    let gzip = compressed::accepts(&head.headers, "gzip");
    let (mut shown, mut known, mut holder) = (None, None, Holder::Guest(Caller::address(address)));
    let mut finished = match prepare(app, entry, head, body, address, lang, id).await {
        Ok((call, params, deadline)) => {
            // Taken before the handler reads, and including what the caller asked to wait for.
            shown = (entry.route.effect == Effect::ReadNow).then(|| app.sequencer.newest());
            known = (call.session.is_some() || call.operator.is_some()).then_some(Known);
            holder = Holder::of(&call);
            lang = call.lang;
            // A write goes on, so it may still happen.
            let late = || Finished::new(Err(refuse(Code::OutcomeUnknown)), lang, chart, id);
            let deadline = deadline.of_write(&call, entry.route.effect);
            deadline.keep(pin!(perform(call, params, entry, chart))).await.unwrap_or_else(late)
        }
        Err(refusal) => Finished::new(Err(refusal), lang, chart, id),
    };
    if gzip && compressed::is_open(entry.route) {
        compressed::compress(&mut finished);
    }
    // What was done is not denied.
    let room = if entry.route.effect.is_write() { Ok(None) } else { app.outgoing.room(holder, finished.body.len()) };
    let room = room.unwrap_or_else(|refusal| {
        finished = Finished::new(Err(refusal), lang, chart, id);
        None
    });
    let mut response = finished.respond(id, room, || shown.unwrap_or_else(newest));
    known.map(|known| response.extensions_mut().insert(known));
    (response, Some(entry))
}

/// Path (404) and method (405).
fn find(app: &App, method: &str, path: &str) -> Result<&'static Entry, Refusal> {
    // A doubled slash after the base is tolerated.
    let single = path.strip_prefix("/api//").map(|rest| format!("/api/{}", rest.trim_start_matches('/')));
    let path = single.as_deref().unwrap_or(path);
    if path.starts_with("/sandbox/") && !app.is_sandbox() {
        return Err(refuse(Code::UnknownPath));
    }
    let by_key =
        path.strip_prefix("/files/").filter(|key| !key.is_empty() && !key.contains('/')).and_then(|_| app.routes.get("/files/{key}"));
    let entries = app.routes.get(path).or(by_key).ok_or_else(|| refuse(Code::UnknownPath))?;
    // Where GET and POST of one path are different calls, the exact method takes precedence over a reading POST that also accepts GET.
    let exact = entries.iter().find(|entry| entry.route.methods().first() == Some(&method));
    let found = exact.or_else(|| entries.iter().find(|entry| entry.route.methods().contains(&method)));
    found.ok_or_else(|| {
        let allowed: Vec<&str> = entries.iter().flat_map(|entry| entry.route.methods()).copied().collect();
        let mut refusal = refuse(Code::WrongMethod);
        refusal.allow = Some(allowed.join(", "));
        refusal
    })
}

/// Sizes, content type and body, then [`admit`]; and when the answer is due.
async fn prepare(
    app: &App,
    entry: &'static Entry,
    head: axum::http::request::Parts,
    body: Incoming,
    address: IpAddr,
    lang: Lang,
    id: RequestId,
) -> Result<(Call, Params, Deadline), Refusal> {
    let received = if entry.takes_file() {
        // Boxed, because every connection would otherwise reserve room for the largest of these futures, which most never need.
        Box::pin(body::parts(app, entry.params, &head, body, address)).await?
    } else {
        let body = if head.method == Method::GET { Vec::new() } else { body::whole(&head.headers, body).await? };
        (Params::read(entry.params, &head.method, head.uri.query(), &head.headers, &body)?, None)
    };
    // A body has times of its own.
    let deadline = Deadline::of(entry);
    let admitted = deadline.keep(pin!(admit(app, entry, head, received, address, lang, id))).await;
    let (call, params) = admitted.unwrap_or_else(|| Err(refuse(Code::NotReady)))?;
    Ok((call, params, deadline))
}

/// Rate class, session, freshness. Nothing is done for the caller yet.
async fn admit(
    app: &App,
    entry: &'static Entry,
    head: axum::http::request::Parts,
    (mut params, upload): (Params, Option<Upload>),
    address: IpAddr,
    lang: Lang,
    id: RequestId,
) -> Result<(Call, Params), Refusal> {
    let route = entry.route;
    params.take_path(route.path, head.uri.path())?;
    let overriding = params.lang();

    let token = auth::token(&head.headers);
    let now = Instant::now();
    let too_many = |taken: Result<(), u64>| taken.map_err(|ms| refuse(Code::TooManyCalls).retry(ms));
    let take = |class, caller| too_many(app.limits.take(class, caller, now));
    let for_operators = matches!(route.access, Access::Operator(_));
    let key = token.and_then(auth::digest);
    let known = key.and_then(|key| app.sessions.known(&key));
    if token.is_some() && (for_operators || known.is_none()) {
        take(RateClass::Public, Caller::address(address))?;
    }
    let ready = app.is_ready();
    let session = match key {
        Some(key) if ready && !for_operators => app.sessions.find_digest(key, known, &app.clock).await?,
        _ => None,
    };
    let operator = match token {
        Some(token) if ready && for_operators => Box::pin(operators::session(app, token, app.clock.session_ms())).await?,
        _ => None,
    };
    match (&session, &operator) {
        (Some(session), _) if route.rate.per_session() => too_many(app.limits.take_of_session(route.rate, session, now))?,
        (Some(session), _) if route.rate.per_user() => take(route.rate, Caller::User(session.user))?,
        (_, Some(session)) => take(route.rate, Caller::Operator(session.operator.id))?,
        // Without a session the answer will be "log in". Guessing tokens is limited like any public call.
        (None, None) if route.rate.per_user() => take(RateClass::Public, Caller::address(address))?,
        _ => take(route.rate, Caller::address(address))?,
    }
    // No session has been looked up yet, so "log in" would be wrong for a member with a valid one.
    if (route.rate != RateClass::Free || route.access == Access::User) && !(ready && app.serves()) {
        return Err(refuse(Code::NotReady));
    }
    if route.access == Access::User && session.is_none() {
        return Err(refuse(Code::LoggedOut));
    }
    if let Err(refusal) = auth::check_role(route, operator.as_ref()) {
        (app.audit.turned_away)(app, operator.as_ref(), entry, &params, &refusal).await?;
        return Err(refusal);
    }
    // Health checks and the sandbox's own calls never wait.
    let newest = headers::min_seq(&head.headers).filter(|_| route.rate != RateClass::Free);
    if let Some(seq) = newest {
        match route.effect {
            Effect::ReadNow | Effect::ReadOrCommand => app.wait_for_state(seq).await?,
            Effect::Read => app.wait_for(seq).await?,
            Effect::Write | Effect::Sensitive | Effect::Command => {}
        }
    }
    let key = if route.effect.takes_key() { idempotency::key(&head.headers)? } else { None };
    let caller = key.map(|key| match (session, &operator) {
        (Some(session), _) => idempotency::caller_of(session.user, &key),
        (None, Some(session)) => format!("operator {} {key}", session.operator.id.0),
        (None, None) => format!("{}{address} {key}", answers::GUEST),
    });
    let write = caller.map(|caller| idempotency::write_of(app, route, caller, &params));
    let request = write.as_ref().map(|write| idempotency::request_of(app, write));
    let device = if route.effect == Effect::Sensitive { headers::device(&head.headers) } else { Default::default() };
    let proves = matches!(route.rate, RateClass::Sign | RateClass::Code) || route.effect == Effect::Sensitive;
    let cookie = if proves { headers::cookie(&head.headers, headers::DEVICE_COOKIE).to_owned() } else { Default::default() };
    let looks = route.access == Access::User && !route.effect.is_write();
    let site = if looks { headers::site(&head.headers) } else { Default::default() };
    let lang = overriding.unwrap_or(lang);
    let call = Call {
        app: app.clone(),
        upload,
        session,
        operator,
        audit_id: 0,
        lang,
        address,
        forwarded: headers::is_forwarded(&head.headers),
        device,
        cookie,
        site,
        request,
        write,
        id,
    };
    Ok((call, params))
}

/// Stored answer or handler. A write of people or content, and one whose answer a repetition is waiting for, runs to its end even if the
/// caller hangs up. A command needs no such care: it is in the log, or it is not.
async fn perform(call: Call, params: Params, entry: &'static Entry, chart: bool) -> Finished {
    let (lang, id, effect) = (call.lang, call.id, entry.route.effect);
    let ended_badly = || Finished::new(Err(refuse(Code::Internal)), lang, chart, id);
    let Some(write) = call.write.clone() else {
        let work = run(call, params, entry, chart);
        return match effect {
            Effect::Read | Effect::ReadNow | Effect::ReadOrCommand | Effect::Command => work.await,
            Effect::Write | Effect::Sensitive => tokio::spawn(work).await.unwrap_or_else(|_| ended_badly()),
        };
    };
    let app = call.app.clone();
    match app.answers.enter(&app.vault, &write, effect).await {
        Err(refusal) => Finished::new(Err(refusal), lang, chart, id),
        Ok(Gate::Done(finished)) => finished,
        Ok(Gate::First) => {
            let work = async move {
                let finished = match is_taken(&call, effect) {
                    true => Finished::new(Err(refuse(Code::DuplicateRequest)), lang, chart, id),
                    false => run(call, params, entry, chart).await,
                };
                let keep = Keep::of(&finished, entry.route, &write);
                app.answers.finish(&app.vault, &write, &finished, keep, app.clock.wall_ms()).await;
                finished
            };
            tokio::spawn(work).await.unwrap_or_else(|_| ended_badly())
        }
    }
}

/// True if the key of a write of people or content was used for a command before. The engine checks the keys of commands itself.
fn is_taken(call: &Call, effect: Effect) -> bool {
    matches!(effect, Effect::Write | Effect::Sensitive) && call.request.is_some_and(|request| call.app.sequencer.engine().is_taken(request))
}

/// The handler; a panic becomes `E_INTERNAL`.
async fn run(call: Call, params: Params, entry: &'static Entry, chart: bool) -> Finished {
    let (lang, id) = (call.lang, call.id);
    let attempt = Attempt::of(&call, &params, entry);
    // State that handlers share is behind locks that accept a poisoned state.
    let work =
        if call.operator.is_some() { (call.app.audit.answered)(call, params, entry) } else { entry.route.handler.call(call, params) };
    let answer: Answer = AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| {
        tracing::error!(request_id = %id, path = entry.route.path, "handler failed");
        Err(refuse(Code::Internal))
    });
    if let (Some(attempt), Err(refusal)) = (attempt, &answer) {
        attempt.failed(refusal.code);
    }
    Finished::new(answer, lang, chart, id)
}
