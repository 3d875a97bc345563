//! The head of a request, and the security headers of every answer.

use std::net::{IpAddr, SocketAddr};
use std::sync::LazyLock;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, Version, header};
use serde::Deserialize;

use super::web::Dist;
use crate::config::Config;
use crate::i18n::Lang;

const MAX_TARGET: usize = 4 * 1024;
/// All header bytes of a request.
pub const MAX_HEADERS: usize = 16 * 1024;
/// Header lines of a request.
const MAX_HEADER_LINES: usize = 64;
/// The longest host name with its port. Generated links begin with it, and a longer one would not fit a QR code.
const MAX_HOST: usize = 300;

/// Refuses heads that are too large, or that another program could parse differently, without an envelope.
pub fn check_head(uri: &Uri, version: Version, headers: &HeaderMap) -> Result<(), StatusCode> {
    let hosts = headers.get_all(header::HOST).iter().count();
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).iter().map(HeaderValue::as_bytes);
    let chunked = codings.next().is_none_or(|coding| coding.eq_ignore_ascii_case(b"chunked")) && codings.next().is_none();
    if hosts > 1 || (hosts == 0 && version == Version::HTTP_11) || !chunked {
        return Err(StatusCode::BAD_REQUEST);
    }
    let target = uri.path_and_query().map_or(0, |target| target.as_str().len());
    if target > MAX_TARGET {
        return Err(StatusCode::URI_TOO_LONG);
    }
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    let host = headers.get(header::HOST).map_or(0, HeaderValue::len);
    if bytes > MAX_HEADERS || headers.len() > MAX_HEADER_LINES || host > MAX_HOST {
        return Err(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    }
    Ok(())
}

/// True if a page of another site asks: its `origin` is neither our own host nor a configured one.
pub fn is_foreign(headers: &HeaderMap, config: &Config) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return false };
    let origin = origin.to_str().unwrap_or("null");
    let Some((_, site)) = origin.split_once("://") else { return true };
    let own = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    own != Some(site) && !config.origins.iter().any(|allowed| allowed == site)
}

/// Scheme and host as the caller wrote them, for links that the caller shows to others.
pub fn site(headers: &HeaderMap) -> String {
    let word = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let scheme = if word("x-forwarded-proto").eq_ignore_ascii_case("https") { "https" } else { "http" };
    format!("{scheme}://{}", word(header::HOST.as_str()))
}

/// True if a proxy says that it forwards for another client.
pub fn is_forwarded(headers: &HeaderMap) -> bool {
    ["forwarded", "x-forwarded-for", "x-real-ip", "via"].iter().any(|name| headers.contains_key(*name))
}

/// The caller's address: the socket's, or the one given by a configured proxy.
pub fn caller_address(peer: IpAddr, headers: &HeaderMap, config: &Config) -> IpAddr {
    let trusted = |address: &IpAddr| config.trusted_proxies.contains(&address.to_canonical());
    if !trusted(&peer) {
        return peer;
    }
    let lines: Vec<&[u8]> = headers.get_all("x-forwarded-for").iter().map(HeaderValue::as_bytes).collect();
    let hops = lines.iter().rev().flat_map(|line| line.rsplit(|byte| *byte == b','));
    // From our side outwards: the first address that is not one of our proxies. Nothing beyond an unreadable hop is trusted.
    let mut hops = hops.map_while(|hop| hop_address(std::str::from_utf8(hop).ok()?.trim()));
    hops.find(|hop| !trusted(hop)).unwrap_or(peer)
}

/// The address of one hop, which some proxies write with a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`, `[2001:db8::1]`.
fn hop_address(text: &str) -> Option<IpAddr> {
    let bare = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok().map(IpAddr::V6);
    let with_port = || text.parse::<SocketAddr>().ok().map(|socket| socket.ip());
    text.parse().ok().or_else(with_port).or_else(bare)
}

/// The caller's language: the mark from `set/lang`, which is one of the eleven codes.
pub fn language(headers: &HeaderMap) -> Lang {
    headers.get("language-mark").and_then(|mark| mark.to_str().ok()).and_then(Lang::parse).unwrap_or_default()
}

/// `x-min-seq`, if it is a number.
pub fn min_seq(headers: &HeaderMap) -> Option<u64> {
    headers.get("x-min-seq")?.to_str().ok()?.parse().ok()
}

/// Browser and system of a request in a few words, for the list of sessions.
pub fn device(headers: &HeaderMap) -> String {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or("");
    let first = |pairs: &[(&str, &'static str)]| pairs.iter().find(|(mark, _)| agent.contains(mark)).map_or("Other", |(_, name)| *name);
    // The order matters, because most browsers also name others.
    let browser = first(&[
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("SamsungBrowser", "Samsung Internet"),
        ("Firefox", "Firefox"),
        ("FxiOS", "Firefox"),
        ("Chrome", "Chrome"),
        ("CriOS", "Chrome"),
        ("Safari", "Safari"),
    ]);
    let system = first(&[
        ("Android", "Android"),
        ("iPhone", "iOS"),
        ("iPad", "iPadOS"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ]);
    format!("{browser}, {system}")
}

/// Name of the cookie by which an account knows a browser that logged in to it before.
pub const DEVICE_COOKIE: &str = "meridian_device";

/// The value of a cookie; empty if there is none.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map_or("", |(_, value)| value)
}

/// Security headers of an answer that is not a page.
pub fn secure(headers: &mut HeaderMap) {
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let none = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(none);
}

/// Security headers of a member's picture: the app saves or draws it; it is never shown as a page of ours.
pub fn secure_file(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'; frame-ancestors 'none'"));
}

/// Security headers of the app's pages.
pub fn secure_page(headers: &mut HeaderMap) {
    static POLICY: LazyLock<String> = LazyLock::new(page_policy);
    if let Ok(policy) = HeaderValue::from_str(&POLICY) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));
    headers.insert(HeaderName::from_static("permissions-policy"), HeaderValue::from_static("camera=(self), geolocation=(), microphone=()"));
}

/// Hashes of the build's own inline script and styles, written by the web build into `csp.json`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Inline {
    script: Vec<String>,
    style: Vec<String>,
}

fn page_policy() -> String {
    let inline: Inline = Dist::get("csp.json").and_then(|file| serde_json::from_slice(&file.data).ok()).unwrap_or_default();
    let hashes = |list: &[String]| -> String { list.iter().map(|hash| format!(" '{}'", hash.trim_matches('\''))).collect() };
    format!(
        "default-src 'none'; script-src 'self'{}; style-src 'self'{}; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; \
         manifest-src 'self'; media-src 'self' blob:; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types meridian",
        hashes(&inline.script),
        hashes(&inline.style)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Cli, Command};
    use clap::Parser;

    fn config(options: &[&str]) -> Config {
        let words = ["meridian", "serve"].iter().chain(options);
        match Cli::parse_from(words).command {
            Command::Serve(args) => args.check().unwrap(),
            other => panic!("{other:?}"),
        }
    }

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn a_forwarded_address_is_believed_only_from_a_configured_proxy() {
        let proxy: IpAddr = "10.0.0.1".parse().unwrap();
        let forwarded = headers(&[("x-forwarded-for", "6.6.6.6, 9.9.9.9")]);
        assert_eq!(caller_address(proxy, &forwarded, &config(&[])), proxy);
        let behind = config(&["--trusted-proxy", "10.0.0.1"]);
        assert_eq!(caller_address(proxy, &forwarded, &behind), "9.9.9.9".parse::<IpAddr>().unwrap());
        assert_eq!(caller_address("8.8.8.8".parse().unwrap(), &forwarded, &behind), "8.8.8.8".parse::<IpAddr>().unwrap());
        // Hops that a caller wrote before our proxy are not an address, even where they cannot be parsed.
        for written in [&b"6.6.6.6, x, 9.9.9.9"[..], b"6.6.6.6, \xff, 9.9.9.9", b"6.6.6.6,, 9.9.9.9, 10.0.0.1"] {
            let mut lines = headers(&[("x-forwarded-for", "7.7.7.7")]);
            lines.append("x-forwarded-for", HeaderValue::from_bytes(written).unwrap());
            assert_eq!(caller_address(proxy, &lines, &behind), "9.9.9.9".parse::<IpAddr>().unwrap(), "{written:?}");
        }
    }

    #[test]
    fn a_forwarded_address_is_read_with_its_port() {
        let (proxy, behind) = ("10.0.0.1".parse().unwrap(), config(&["--trusted-proxy", "10.0.0.1"]));
        for (written, address) in [
            ("9.9.9.9:4711", "9.9.9.9"),
            ("6.6.6.6, 9.9.9.9:4711, 10.0.0.1:80", "9.9.9.9"),
            ("[2001:db8::1]:4711", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("9.9.9.9:x", "10.0.0.1"),
        ] {
            assert_eq!(
                caller_address(proxy, &headers(&[("x-forwarded-for", written)]), &behind),
                address.parse::<IpAddr>().unwrap(),
                "{written}"
            );
        }
    }

    #[test]
    fn only_pages_of_our_own_host_may_ask() {
        let own = config(&["--origin", "localhost:5173"]);
        let asks = |origin: &'static str| is_foreign(&headers(&[("host", "me:8080"), ("origin", origin)]), &own);
        assert!(!asks("http://me:8080"));
        assert!(!asks("http://localhost:5173"));
        assert!(asks("http://me:8081") && asks("https://evil.com") && asks("null"));
        assert!(!is_foreign(&headers(&[("host", "me:8080")]), &own));
    }
}
