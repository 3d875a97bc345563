//! A server on this machine that answers like a public index. The answers are written by the tests in the form that the index documents.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

/// The answers to give, and the recorded requests.
#[derive(Default)]
pub struct Script {
    answers: BTreeMap<String, (u16, String)>,
    /// Every question: its path with the query, and its body if it has one.
    pub asked: Vec<String>,
    /// The headers of the last question.
    pub headers: axum::http::HeaderMap,
    /// Questions that are answered with this status first.
    pub failing: (u32, u16),
}

/// The running server.
pub struct Replay {
    pub url: String,
    script: Arc<Mutex<Script>>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Replay {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Replay {
    pub async fn start() -> Replay {
        let script = Arc::new(Mutex::new(Script::default()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let app = Router::new().fallback(answer).with_state(Arc::clone(&script));
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Replay { url, script, task }
    }

    /// The answer to a question from now on.
    pub fn set(&self, question: &str, answer: impl ToString) {
        self.script().answers.insert(question.to_owned(), (200, answer.to_string()));
    }

    /// Forgets an answer: the question is answered with 404.
    pub fn unset(&self, question: &str) {
        self.script().answers.remove(question);
    }

    pub fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().unwrap()
    }

    /// The requests since the last call.
    pub fn take_asked(&self) -> Vec<String> {
        std::mem::take(&mut self.script().asked)
    }
}

async fn answer(State(script): State<Arc<Mutex<Script>>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap_or(Bytes::new());
    let question = [head.uri.to_string(), String::from_utf8_lossy(&body).into_owned()].join(" ").trim_end().to_owned();
    let mut script = script.lock().unwrap();
    script.asked.push(question.clone());
    script.headers = head.headers;
    if script.failing.0 > 0 {
        script.failing.0 -= 1;
        return StatusCode::from_u16(script.failing.1).unwrap().into_response();
    }
    match script.answers.get(&question) {
        Some((status, text)) => (StatusCode::from_u16(*status).unwrap(), text.clone()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
