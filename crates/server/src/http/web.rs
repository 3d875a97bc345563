//! The web app and the operators' console, embedded in the binary (a debug build reads them from the folder at run time).

use std::borrow::Cow;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use rust_embed::RustEmbed;

use super::compressed::accepts;
use super::headers::secure_page;
use super::outgoing;
use super::surface::Surface;
use crate::coin_disc;

/// The app's screen of help.
pub const HELP: &str = "/h5/#/pages/help-center";
/// The app's chat with customer service.
pub const CHAT: &str = "/h5/#/pages/help/center/chat";
/// The sign of the house.
pub const LOGO: &str = "/h5/icon.svg";
/// Where the pictures of coins are, by their code.
const COINS: &str = "coins/";

/// The files of the web build.
#[derive(Debug, RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
pub struct Dist;

/// Answers a page or file of the app; `None` if this path is not one of its own.
pub fn serve(method: &Method, path: &str, headers: &HeaderMap, surface: Surface) -> Option<Response<Body>> {
    if path == "/" || path == "/h5" {
        return Some(redirect(surface.home()));
    }
    if path == "/console" {
        return Some(redirect("/console/"));
    }
    let name = file_of(path)?;
    if !matches!(*method, Method::GET | Method::HEAD) {
        return Some(plain(StatusCode::METHOD_NOT_ALLOWED));
    }
    if name == "csp.json" || name.contains("..") {
        return Some(plain(StatusCode::NOT_FOUND));
    }
    if let Some(code) = name.strip_prefix(COINS).and_then(|file| file.strip_suffix(".svg")) {
        return Some(coin_disc::svg(code).map_or_else(|| plain(StatusCode::NOT_FOUND), |picture| disc(method, picture)));
    }
    let kind = mime_guess::from_path(name).first_or_octet_stream();
    let Some((bytes, encoding)) = best(name, headers) else { return Some(plain(StatusCode::NOT_FOUND)) };
    let mut response = Response::new(Body::empty());
    response.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    if *method != Method::HEAD {
        *response.body_mut() = match bytes {
            Cow::Borrowed(bytes) => outgoing::shared(bytes),
            Cow::Owned(bytes) => Body::from(bytes),
        };
    }
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
    // File names in these folders contain a hash of their content.
    let hashed = ["assets/", "static/", "console/static/"].iter().any(|folder| name.starts_with(folder));
    let cache = if hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    // Only documents need the page policies, which would add half a kilobyte to each of the many files.
    if name.ends_with(".html") {
        secure_page(answer);
    }
    Some(response)
}

/// Address of the picture of a coin.
pub fn coin_logo(code: &str) -> String {
    format!("/h5/{COINS}{}.svg", code.to_ascii_lowercase())
}

fn disc(method: &Method, picture: String) -> Response<Body> {
    let mut response = Response::new(if *method == Method::HEAD { Body::empty() } else { Body::from(picture) });
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));
    response
}

/// The file behind a path: the app's below `/h5/`, the console's below `/console/`, and neither's below the other.
fn file_of(path: &str) -> Option<&str> {
    match path {
        "/h5/" => Some("index.html"),
        "/console/" => Some("console/console.html"),
        _ if path.starts_with("/console/") => path.strip_prefix('/'),
        _ => path.strip_prefix("/h5/").map(|name| if name.starts_with("console/") { "" } else { name }),
    }
}

/// The file in the best encoding that was built and is accepted.
fn best(name: &str, headers: &HeaderMap) -> Option<(Cow<'static, [u8]>, Option<&'static str>)> {
    for (coding, ending) in [("br", ".br"), ("gzip", ".gz")] {
        if accepts(headers, coding)
            && let Some(file) = Dist::get(&format!("{name}{ending}"))
        {
            return Some((file.data, Some(coding)));
        }
    }
    Dist::get(name).map(|file| (file.data, None))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_screens_that_answers_name_are_there() {
        let routes = include_str!("../../../../web/src/app/routes.ts");
        for screen in [HELP, CHAT] {
            let route = screen.strip_prefix("/h5/#/pages/").unwrap_or_default();
            assert!(routes.contains(&format!("\n  '{route}': {{")), "{screen}");
        }
    }

    #[test]
    fn the_sign_of_the_house_is_a_file_of_the_app() {
        let file = LOGO.strip_prefix("/h5/").unwrap_or_default();
        assert!(std::path::Path::new("../../web/public").join(file).is_file(), "{LOGO}");
    }

    #[test]
    fn the_app_and_the_console_are_served_apart() {
        assert_eq!(file_of("/h5/"), Some("index.html"));
        assert_eq!(file_of("/h5/static/js/a.js"), Some("static/js/a.js"));
        assert_eq!(file_of("/console/"), Some("console/console.html"));
        assert_eq!(file_of("/console/static/js/a.js"), Some("console/static/js/a.js"));
        assert_eq!(file_of("/h5/console/console.html"), Some(""), "no file has this name");
        assert_eq!(file_of("/api/app/config"), None);
        assert_eq!(file_of("/consoles/"), None);
    }
}
