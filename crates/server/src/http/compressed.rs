//! Compresses large answers for clients that accept it.

use std::io::Write;

use axum::http::{HeaderMap, HeaderValue, header};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::reply::Finished;
use super::routes::{Effect, Route};
use super::streamed_body::StreamedBody;

/// Smaller answers fit into the packet that carries their head.
const LEAST: usize = 1_024;

/// True if the caller takes this coding.
pub fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let listed = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    listed.split(',').any(|part| {
        let (name, weight) = part.split_once(';').unwrap_or((part, ""));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|weight| weight.trim_matches(['0', '.']).is_empty());
        name.trim().eq_ignore_ascii_case(coding) && !refused
    })
}

/// True if the length of this call's answers reveals no secret. An attacker who may choose a part of an answer and sees its compressed
/// length can guess the rest (BREACH). So only what members and guests read is compressed: it contains no token, code or key, and no page
/// of another site can request it, because a session is a header and not a cookie. Writes, which return such secrets, are sent as they are,
/// and so are the answers of a sandbox's outbox and of operators, whose paths are not below `/api/`.
pub fn is_open(route: &Route) -> bool {
    matches!(route.effect, Effect::Read | Effect::ReadNow) && !route.path.starts_with('/')
}

/// Compresses a large body, for a caller that accepts it.
pub fn compress(finished: &mut Finished) {
    finished.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(StreamedBody::Fixed(fixed)) = finished.streamed {
        finished.streamed = Some(StreamedBody::FixedGzip(fixed));
    } else if let Some(body) = gzip(&finished.body) {
        finished.body = body;
    } else {
        return;
    }
    finished.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
}

/// The body in fewer bytes; `None` where that gains nothing.
pub fn gzip(body: &[u8]) -> Option<Vec<u8>> {
    if body.len() < LEAST {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), Compression::fast());
    encoder.write_all(body).ok()?;
    encoder.finish().ok().filter(|short| short.len() < body.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coding_is_taken_unless_it_is_missing_or_has_no_weight() {
        for (listed, taken) in
            [("gzip", true), ("br, GZIP;q=0.5", true), ("br;q=1, gzip ; q=0.0", false), ("gzip;q=0", false), ("x-gzip", false), ("", false)]
        {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(listed))]);
            assert_eq!(accepts(&headers, "gzip"), taken, "{listed}");
        }
        assert!(!accepts(&HeaderMap::new(), "gzip"));
    }

    #[test]
    fn only_what_gains_by_it_is_compressed() {
        assert_eq!(gzip(&[b'a'; LEAST - 1]), None);
        assert!(gzip(&[b'a'; LEAST]).is_some_and(|short| short.len() < 100));
        let mut noise = vec![0; 4_096];
        fastrand::Rng::with_seed(1).fill(&mut noise);
        assert_eq!(gzip(&noise), None);
    }
}
