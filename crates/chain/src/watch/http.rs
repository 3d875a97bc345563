//! One way to send a request: with limits of time and length, and with retries when the other side is overloaded.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, RequestBuilder, StatusCode, Url};
use serde::de::DeserializeOwned;

use super::{Patience, Settings, WatchError};

/// The other side. Its address may contain a secret, so no text shows it.
pub struct Http {
    client: Client,
    base: String,
    patience: Patience,
}

impl std::fmt::Debug for Http {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Http").field("patience", &self.patience).finish_non_exhaustive()
    }
}

/// The result of an attempt.
enum Attempt {
    Body(Vec<u8>),
    Absent,
    Again(String),
    Refused(String),
}

impl Http {
    pub fn new(settings: &Settings) -> Result<Http, WatchError> {
        let wrong = |what: &str| WatchError::Settings(what.to_owned());
        let url = Url::parse(&settings.url).map_err(|_| wrong("the URL cannot be read"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong("the URL must begin with http or https"));
        }
        let mut headers = HeaderMap::new();
        for (name, value) in &settings.headers {
            let name = HeaderName::try_from(name.as_str()).map_err(|_| wrong("the name of a header cannot be used"))?;
            let mut value = HeaderValue::try_from(value.as_str()).map_err(|_| wrong("the value of a header cannot be used"))?;
            value.set_sensitive(true);
            headers.insert(name, value);
        }
        // Another part of the process may have installed the provider already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .timeout(settings.patience.timeout)
            .redirect(reqwest::redirect::Policy::none())
            .default_headers(headers)
            .build()
            .map_err(|error| WatchError::Settings(error.without_url().to_string()))?;
        Ok(Http { client, base: settings.url.trim_end_matches('/').to_owned(), patience: settings.patience })
    }

    /// The text of a resource.
    pub async fn text(&self, path: &str) -> Result<String, WatchError> {
        let body = self.find(path).await?.ok_or_else(|| WatchError::answer(path, "not found"))?;
        String::from_utf8(body).map_err(|_| WatchError::answer(path, "not a text"))
    }

    /// A resource.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, WatchError> {
        self.get_if_there(path).await?.ok_or_else(|| WatchError::answer(path, "not found"))
    }

    /// A resource that may be absent.
    pub async fn get_if_there<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, WatchError> {
        self.find(path).await?.map(|body| read(path, &body)).transpose()
    }

    /// The answer to a request; `call` names it in errors.
    pub async fn post<T: DeserializeOwned>(&self, call: &str, path: &str, body: &serde_json::Value) -> Result<T, WatchError> {
        let request = || self.request(Method::POST, path).header(CONTENT_TYPE, "application/json").body(body.to_string());
        let answer = self.ask(call, request).await?.ok_or_else(|| WatchError::answer(call, "not found"))?;
        read(call, &answer)
    }

    async fn find(&self, path: &str) -> Result<Option<Vec<u8>>, WatchError> {
        self.ask(path, || self.request(Method::GET, path)).await
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    async fn ask(&self, call: &str, request: impl Fn() -> RequestBuilder) -> Result<Option<Vec<u8>>, WatchError> {
        let mut last = String::new();
        for attempt in 0..self.patience.tries {
            if attempt > 0 {
                tokio::time::sleep(self.pause(attempt)).await;
            }
            match self.attempt(request()).await {
                Attempt::Body(body) => return Ok(Some(body)),
                Attempt::Absent => return Ok(None),
                Attempt::Again(why) => last = why,
                Attempt::Refused(why) => return Err(WatchError::answer(call, why)),
            }
        }
        Err(WatchError::Unreachable { call: call.to_owned(), why: last })
    }

    fn pause(&self, attempt: u32) -> Duration {
        self.patience.pause.saturating_mul(1 << (attempt - 1).min(6))
    }

    async fn attempt(&self, request: RequestBuilder) -> Attempt {
        let again = |error: reqwest::Error| Attempt::Again(error.without_url().to_string());
        let mut answer = match request.send().await {
            Ok(answer) => answer,
            Err(error) => return again(error),
        };
        match answer.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => return Attempt::Absent,
            status if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() => {
                return Attempt::Again(format!("status {status}"));
            }
            status => return Attempt::Refused(format!("status {status}")),
        }
        let mut body = Vec::new();
        loop {
            match answer.chunk().await {
                Ok(Some(part)) if body.len() + part.len() <= self.patience.longest => body.extend_from_slice(&part),
                Ok(Some(_)) => return Attempt::Refused(format!("an answer of more than {} bytes", self.patience.longest)),
                Ok(None) => return Attempt::Body(body),
                Err(error) => return again(error),
            }
        }
    }
}

fn read<T: DeserializeOwned>(call: &str, body: &[u8]) -> Result<T, WatchError> {
    serde_json::from_slice(body).map_err(|error| WatchError::answer(call, format!("not the expected JSON: {error}")))
}
