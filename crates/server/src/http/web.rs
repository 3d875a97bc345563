//! The web app, embedded in the binary (a debug build reads it from the folder at run time).

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use rust_embed::RustEmbed;

use super::headers::secure_page;

/// The files of the web build.
#[derive(Debug, RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
pub struct Dist;

/// Answers a page or file of the app; `None` if this path is none of its own.
pub fn serve(method: &Method, path: &str, headers: &HeaderMap) -> Option<Response<Body>> {
    if path == "/" || path == "/h5" {
        return Some(redirect("/h5/"));
    }
    let name = path.strip_prefix("/h5/")?;
    if !matches!(*method, Method::GET | Method::HEAD) {
        return Some(plain(StatusCode::METHOD_NOT_ALLOWED));
    }
    let name = if name.is_empty() { "index.html" } else { name };
    if name == "csp.json" || name.contains("..") {
        return Some(plain(StatusCode::NOT_FOUND));
    }
    let kind = mime_guess::from_path(name).first_or_octet_stream();
    let Some((bytes, encoding)) = best(name, headers) else { return Some(plain(StatusCode::NOT_FOUND)) };
    let mut response = Response::new(if *method == Method::HEAD { Body::empty() } else { Body::from(bytes) });
    let answer = response.headers_mut();
    let text = kind.type_() == "text" || kind.subtype() == "javascript" || kind.subtype() == "json";
    let kind = if text { format!("{kind}; charset=utf-8") } else { kind.to_string() };
    if let Ok(kind) = HeaderValue::from_str(&kind) {
        answer.insert(header::CONTENT_TYPE, kind);
    }
    if let Some(encoding) = encoding {
        answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    // Names in these folders hold a hash of their content.
    let hashed = name.starts_with("assets/") || name.starts_with("static/");
    let cache = if hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    secure_page(answer);
    Some(response)
}

/// The file in the best encoding that was built and is accepted.
fn best(name: &str, headers: &HeaderMap) -> Option<(Vec<u8>, Option<&'static str>)> {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    let accepts = |coding: &str| accepted.split(',').any(|part| part.split(';').next().unwrap_or("").trim() == coding);
    for (coding, ending) in [("br", ".br"), ("gzip", ".gz")] {
        if accepts(coding)
            && let Some(file) = Dist::get(&format!("{name}{ending}"))
        {
            return Some((file.data.into_owned(), Some(coding)));
        }
    }
    Dist::get(name).map(|file| (file.data.into_owned(), None))
}

fn redirect(to: &'static str) -> Response<Body> {
    let mut response = plain(StatusCode::FOUND);
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static(to));
    response
}

/// An answer without body.
pub fn plain(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    response
}
