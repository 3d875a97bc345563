use std::time::Instant;

use futures_util::future::join_all;
use server::app::ROUTES;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::harness::{Server, both, both_with, token};

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const JSON: (&str, &str) = ("content-type", "application/json");

#[test]
fn an_unknown_address_is_404_and_a_wrong_method_405() {
    both(|server| async move {
        for path in ["/api/nothing", "/api/", "/api", "/operator/api/nothing", "/sandbox/nothing", "/api/user/login/", "/socket"] {
            let answer = server.get(path).await;
            assert_eq!((answer.status, answer.error().as_str()), (404, "E_PATH"), "{path}");
        }
        let get = server.get("/api/user/login").await;
        assert_eq!((get.status, get.error().as_str(), get.header("allow")), (405, "E_METHOD", "POST"));
        let reads = server.request("DELETE", "/api/news/list", &[], "").await;
        assert_eq!((reads.status, reads.header("allow")), (405, "POST, GET"));
        for method in ["TRACE", "PATCH", "PUT", "HEAD"] {
            assert_eq!(server.request(method, "/api/set/lang", &[], "").await.status, 405, "{method}");
        }
        // An override header changes nothing; a doubled slash after the base is tolerated.
        assert_eq!(server.request("GET", "/api/set/lang", &[("x-http-method-override", "POST")], "").await.status, 405);
        server.get("/api//get/lang").await.ok();
    });
}

#[test]
fn a_large_answer_to_a_read_is_compressed_for_those_who_take_it() {
    both(|server| async move {
        let ask = async |path: &str, coding: &str| {
            let response = server.client.get(server.url(path)).header("accept-encoding", coding).send().await.unwrap();
            let header = |name: &str| response.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
            let told = (header("content-encoding"), header("vary"));
            (told, response.bytes().await.unwrap().to_vec())
        };
        let gzip = Some("gzip".to_owned());
        let vary = Some("accept-encoding".to_owned());
        // One that is made for each caller, and one that is made once.
        for large in ["/api/area_code", "/api/openapi.json"] {
            let (told, whole) = ask(large, "br;q=1, gzip;q=0").await;
            assert_eq!(told, (None, None));
            let (told, short) = ask(large, "deflate, gzip, br").await;
            assert_eq!(told, (gzip.clone(), vary.clone()));
            assert!(short.len() * 3 < whole.len(), "{} of {}", short.len(), whole.len());
            let mut read = Vec::new();
            std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&short[..]), &mut read).unwrap();
            assert_eq!(read, whole);
        }
        // Small responses gain nothing by it.
        let (told, small) = ask("/api/get/lang", "gzip").await;
        assert!(small.len() < 1_024);
        assert_eq!(told, (None, vary));
        // If a part chosen by an attacker may be beside a secret, lengths must reveal nothing: sandbox codes, and what operators see.
        for path in ["/sandbox/outbox", "/operator/api/settlement"] {
            assert_eq!(ask(path, "gzip").await.0, (None, None), "{path}");
        }
    });
}

#[test]
fn malformed_bodies_are_400() {
    both(|server| async move {
        for (kind, body) in [
            (FORM, &b"lang=en&lang=jp"[..]),
            (FORM, b"lang[]=en"),
            (FORM, b"lang[x]=en"),
            (FORM, b"lang=%zz"),
            (FORM, b"lang=%ff"),
            (FORM, b"lang=\xff"),
            (JSON, b"{\"lang\":\"en\",\"lang\":\"jp\"}"),
            (JSON, b"[\"en\"]"),
            (JSON, b"{\"lang\":\"en\""),
            (JSON, b"\xef\xbb\xbf{\"lang\":\"en\"}"),
            (JSON, b"{\"a\":[[[[[[[[[1]]]]]]]]]}"),
            (JSON, b"{\"a\":{\"b\":1,\"b\":2}}"),
            (JSON, b"{\"lang\":\"\xff\"}"),
        ] {
            let answer = server.request("POST", "/api/set/lang", &[kind], body.to_vec()).await;
            assert_eq!((answer.status, answer.error().as_str()), (400, "E_BODY"), "{}", String::from_utf8_lossy(body));
        }
        assert_eq!(server.get("/api/news/list?c_id=19&c_id=4").await.status, 400);
        // Unknown fields are ignored; both kinds of body are read.
        server.request("POST", "/api/set/lang", &[JSON], r#"{"lang":"en","admin":true,"list":[1]}"#).await.ok();
        server
            .request("POST", "/api/set/lang", &[("content-type", "application/x-www-form-urlencoded; charset=UTF-8")], "lang=en&x=1")
            .await
            .ok();
    });
}

#[test]
fn other_content_types_are_415() {
    both(|server| async move {
        for kind in ["text/plain", "multipart/form-data; boundary=x", "application/xml", "multipart/form-data", ""] {
            let answer = server.request("POST", "/api/set/lang", &[("content-type", kind)], "lang=en").await;
            assert_eq!((answer.status, answer.error().as_str()), (415, "E_MEDIA_TYPE"), "{kind}");
        }
        assert_eq!(server.request("POST", "/api/set/lang", &[], "lang=en").await.status, 415);
        let packed = server.request("POST", "/api/set/lang", &[FORM, ("content-encoding", "gzip")], "lang=en").await;
        assert_eq!(packed.status, 415);
    });
}

#[test]
fn sizes_are_bounded() {
    both(|server| async move {
        let fill = |bytes: usize| format!("lang=en&x={}", "a".repeat(bytes - 10));
        server.request("POST", "/api/set/lang", &[FORM], fill(64 * 1024)).await.ok();
        let answer = server.request("POST", "/api/set/lang", &[FORM], fill(64 * 1024 + 1)).await;
        assert_eq!((answer.status, answer.error().as_str()), (413, "E_TOO_LARGE"));
        let server = std::sync::Arc::new(server);
        let raw = |text: String| {
            let server = server.clone();
            async move { tokio::task::spawn_blocking(move || server.raw(text.as_bytes())).await.unwrap() }
        };
        // Announced too large: refused before it arrives, and the connection ends.
        let early = raw(
            "POST /api/set/lang HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 99999999\r\n\r\n"
                .to_owned(),
        )
        .await;
        assert!(early.starts_with("HTTP/1.1 413"), "{early}");
        // Chunked, without an announcement.
        let chunk = format!("{:x}\r\n{}\r\n", 70_000, "a".repeat(70_000));
        let chunked = raw(format!("POST /api/set/lang HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n\r\n{chunk}0\r\n\r\n")).await;
        assert!(chunked.starts_with("HTTP/1.1 413"), "{chunked}");
        let long = raw(format!("GET /api/get/lang?x={} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(4096))).await;
        assert!(long.starts_with("HTTP/1.1 414"), "{long}");
        let wide = raw(format!("GET /api/get/lang HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n", "a".repeat(17_000))).await;
        assert!(wide.starts_with("HTTP/1.1 431"), "{wide}");
        // Neither a link that is given out nor the code of a poster can begin with it.
        let host = raw(format!("GET /api/get/lang HTTP/1.1\r\nhost: {}\r\n\r\n", "a".repeat(301))).await;
        assert!(host.starts_with("HTTP/1.1 431"), "{host}");
        let many: String = (0..65).map(|number| format!("h{number}: x\r\n")).collect();
        let many = raw(format!("GET /api/get/lang HTTP/1.1\r\nhost: x\r\n{many}\r\n")).await;
        assert!(many.starts_with("HTTP/1.1 431"), "{many}");
    });
}

#[test]
fn requests_that_can_be_read_in_two_ways_are_refused() {
    both(|server| async move {
        let server = std::sync::Arc::new(server);
        let head = "POST /api/set/lang HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\n";
        for rest in [
            "content-length: 7\r\ncontent-length: 8\r\n\r\nlang=en",
            "transfer-encoding: xchunked\r\n\r\n7\r\nlang=en\r\n0\r\n\r\n",
            "x-a: b\r\n c\r\ncontent-length: 7\r\n\r\nlang=en",
            "transfer-encoding: chunked, chunked\r\n\r\n7\r\nlang=en\r\n0\r\n\r\n",
            "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n7\r\nlang=en\r\n0\r\n\r\n",
            "host: y\r\ncontent-length: 7\r\n\r\nlang=en",
            "transfer-encoding: chunked\r\n\r\n7\nlang=en\r\n0\r\n\r\n",
            "x-a: b\rx-c: d\r\ncontent-length: 7\r\n\r\nlang=en",
            "x-a : b\r\ncontent-length: 7\r\n\r\nlang=en",
        ] {
            let (server, request) = (server.clone(), format!("{head}{rest}"));
            let answer = tokio::task::spawn_blocking(move || server.raw(request.as_bytes())).await.unwrap();
            assert!(answer.starts_with("HTTP/1.1 400"), "{rest}: {answer}");
        }
        let nameless = tokio::task::spawn_blocking({
            let server = server.clone();
            move || server.raw(b"GET /healthz HTTP/1.1\r\n\r\n")
        });
        assert!(nameless.await.unwrap().starts_with("HTTP/1.1 400"));
        // Also after a valid request on the same connection, and nothing after it is answered.
        let sound = format!("{head}content-length: 7\r\n\r\nlang=en");
        let smuggled = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
        for rest in [
            "content-length: 7\r\ntransfer-encoding: chunked\r\n\r\n7\r\nlang=en\r\n0\r\n\r\n",
            "transfer-encoding: chunked\r\ncontent-length: 7\r\n\r\n7\r\nlang=en\r\n0\r\n\r\n",
            "content-length: 7\n\r\nlang=en",
            "x-a: b\ncontent-length: 7\r\n\r\nlang=en",
            "content-length: 7\r\n\nlang=en",
        ] {
            let (server, request) = (server.clone(), format!("{sound}{head}{rest}{smuggled}"));
            let answer = tokio::task::spawn_blocking(move || server.raw(request.as_bytes())).await.unwrap();
            let answers: Vec<&str> = answer.split("HTTP/1.1 ").skip(1).map(|one| one.get(..3).unwrap_or_default()).collect();
            assert_eq!(answers, ["200", "400"], "{rest}: {answer}");
        }
    });
}

#[test]
fn what_follows_a_request_for_a_socket_is_read_as_requests_until_there_is_one() {
    both(|server| async move {
        // No upgrade is requested, so the first is refused; the second can be read in two ways.
        let asks = "GET /socket.io/?EIO=4&transport=websocket&sid=AAAAAAAAAAAAAAAA HTTP/1.1\r\nhost: x\r\n\r\n";
        let two_ways = "GET /healthz HTTP/1.1\nhost: x\r\nconnection: close\r\n\r\n";
        // It comes at every moment from before the first answer to after it.
        for pause in 0..150 {
            let mut stream = tokio::net::TcpStream::connect(server.running.address).await.unwrap();
            stream.set_nodelay(true).unwrap();
            stream.write_all(asks.as_bytes()).await.unwrap();
            (0..pause * 200).for_each(|_| std::hint::spin_loop());
            stream.write_all(two_ways.as_bytes()).await.unwrap();
            let mut answers = Vec::new();
            // A refused client may see the connection cut before the last answer.
            let _ = stream.read_to_end(&mut answers).await;
            let answers = String::from_utf8_lossy(&answers).into_owned();
            assert!(!answers.contains("HTTP/1.1 200"), "pause {pause}: {answers}");
            assert!(answers.starts_with("HTTP/1.1 400"), "pause {pause}: {answers}");
        }
        assert_eq!(server.get("/healthz").await.text, "ok");
    });
}

#[test]
fn a_slow_head_is_closed_after_ten_seconds() {
    both(|server| async move {
        let server = std::sync::Arc::new(server);
        let started = std::time::Instant::now();
        let other = server.clone();
        let slow = tokio::task::spawn_blocking(move || other.raw(b"GET /api/get/lang HTTP/1.1\r\nhost:"));
        server.get("/api/get/lang").await.ok();
        slow.await.unwrap();
        let seconds = started.elapsed().as_secs();
        assert!((9..15).contains(&seconds), "{seconds} s");
    });
}

#[test]
fn slow_bodies_are_cut_off_and_hold_nobody_up() {
    both(|server| async move {
        let address = server.running.address;
        let head =
            "POST /api/set/lang HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 1000\r\n\r\nl";
        // More than there are workers; one half drips, the other sends nothing more.
        let slow = (0..20).map(|number| {
            tokio::spawn(async move {
                let started = std::time::Instant::now();
                let (mut reader, mut writer) = tokio::net::TcpStream::connect(address).await.unwrap().into_split();
                writer.write_all(head.as_bytes()).await.unwrap();
                let drip = tokio::spawn(async move {
                    while number % 2 == 0 && writer.write_all(b"l").await.is_ok() {
                        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
                    }
                    // Held open, as a slow caller does.
                    std::future::pending::<()>().await;
                    drop(writer);
                });
                let mut answer = Vec::new();
                // If the connection is cut in the middle of a late byte, the answer may be lost.
                let _ = reader.read_to_end(&mut answer).await;
                drip.abort();
                (started.elapsed(), String::from_utf8_lossy(&answer).into_owned())
            })
        });
        let slow: Vec<_> = slow.collect();
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        let started = std::time::Instant::now();
        for _ in 0..20 {
            server.get("/api/get/lang").await.ok();
        }
        assert!(started.elapsed().as_secs() < 3, "others waited for {:?}", started.elapsed());
        let mut said = 0;
        for slow in slow {
            let (took, answer) = slow.await.unwrap();
            assert!((4..30).contains(&took.as_secs()), "cut off after {took:?}");
            assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{answer}");
            said += usize::from(!answer.is_empty());
        }
        assert!(said >= 10, "only {said} of 20 were told why");
    });
}

#[test]
fn requests_in_a_row_are_answered_in_their_order_and_none_after_a_fault() {
    both(|server| async move {
        let server = std::sync::Arc::new(server);
        let raw = |request: String| {
            let server = server.clone();
            async move { tokio::task::spawn_blocking(move || server.raw(request.as_bytes())).await.unwrap() }
        };
        let get = |path: &str, more: &str| format!("GET {path} HTTP/1.1\r\nhost: x\r\n{more}\r\n");
        let answers =
            raw(get("/healthz", "") + &get("/api/nothing", "") + &get("/readyz", "") + &get("/metrics", "connection: close\r\n")).await;
        let statuses: Vec<&str> = answers.split("HTTP/1.1 ").skip(1).filter_map(|answer| answer.get(..3)).collect();
        assert_eq!(statuses, ["200", "404", "200", "200"], "{answers}");
        let at = |text: &str| answers.find(text).unwrap_or_else(|| panic!("no {text}: {answers}"));
        assert!(at("E_PATH") < at("\"ready\"") && at("\"ready\"") < at("http_requests_total"));

        let fault = "POST /api/set/lang HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1\r\n\r\n{";
        let after = raw(fault.to_owned() + &get("/healthz", "")).await;
        assert!(after.starts_with("HTTP/1.1 400") && after.matches("HTTP/1.1 ").count() == 1, "{after}");
    });
}

#[test]
fn connections_of_one_address_are_bounded_and_given_back() {
    both(|server| async move {
        let connect = async || tokio::net::TcpStream::connect(server.running.address).await.unwrap();
        let ask = async |one: &mut tokio::net::TcpStream| {
            let mut answer = [0; 12];
            one.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.ok()?;
            one.read_exact(&mut answer).await.ok()?;
            (&answer == b"HTTP/1.1 200").then_some(())
        };
        // The first hundred have all sent a request and wait for nothing; each further one is answered, and replaces the oldest.
        let mut held = Vec::new();
        for number in 0..150 {
            let mut one = connect().await;
            assert!(ask(&mut one).await.is_some(), "number {number} was not answered");
            held.push((one, std::time::Instant::now()));
        }
        for (one, _) in held.iter_mut().take(50) {
            // The rest of its answer, and then its end, which may come as a reset.
            let mut rest = Vec::new();
            let ended = tokio::time::timeout(std::time::Duration::from_secs(10), one.read_to_end(&mut rest));
            let _ = ended.await.expect("the end of a connection beyond the hundred");
        }
        for (one, answered) in held.iter().skip(50) {
            let mut rest = [0; 4_096];
            while let Ok(read) = one.try_read(&mut rest) {
                // A connection without a next request ends by itself after ten seconds.
                assert!(read > 0 || answered.elapsed().as_secs() >= 9, "one of the newest hundred ended");
                if read == 0 {
                    break;
                }
            }
        }
        drop(held);
        server.get("/api/get/lang").await.ok();
    });
}

#[test]
fn every_answer_carries_the_security_headers() {
    both(|server| async move {
        for path in ["/api/get/lang", "/api/nothing", "/healthz", "/"] {
            let answer = server.get(path).await;
            assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
            assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
            assert!(answer.header("content-security-policy").contains("frame-ancestors 'none'"), "{path}");
        }
        let answer = server.get("/api/get/lang").await;
        assert_eq!(answer.header("cache-control"), "no-store");
        assert!(!answer.header("x-request-id").is_empty() && !answer.header("x-seq").is_empty());
        assert_eq!(answer.header("access-control-allow-origin"), "");
        let root = server.get("/").await;
        assert_eq!((root.status, root.header("location")), (302, "/h5/"));
    });
}

#[test]
fn pages_of_other_sites_are_refused() {
    both(|server| async move {
        let own = format!("http://{}", server.running.address);
        server.request("GET", "/api/get/lang", &[("origin", &own)], "").await.ok();
        for foreign in ["https://evil.example", "null", "http://127.0.0.1:1"] {
            assert_eq!(server.request("POST", "/api/set/lang", &[FORM, ("origin", foreign)], "lang=en").await.status, 403, "{foreign}");
        }
    });
}

#[test]
fn an_old_enough_state_is_answered_and_a_coming_one_waited_for() {
    both(|server| async move {
        server.request("GET", "/api/get/lang", &[("x-min-seq", "0")], "").await.ok();
        let started = std::time::Instant::now();
        let never = server.request("GET", "/api/get/lang", &[("x-min-seq", "9007199254740991")], "").await;
        assert_eq!((never.status, never.error().as_str(), never.header("retry-after")), (503, "E_NOT_READY", "1"));
        assert!(started.elapsed().as_millis() >= 1900);
    });
}

#[test]
fn rates_are_counted_per_caller() {
    both_with(&["--genesis", "live"], |server: Server| async move {
        // All at once, because one after the other their hashes would take long enough to earn more.
        let answers = join_all((0..40).map(|_| server.login("nobody@example.com", "wrong-1"))).await;
        let refused = answers.iter().find(|answer| answer.error() == "E_RATE").expect("the burst of 20 has an end");
        assert_eq!(refused.status, 429);
        assert!(refused.json()["data"]["retry_ms"].as_u64() > Some(0));
        // Other classes are not affected.
        server.get("/api/get/lang").await.ok();
    });
}

#[test]
fn health_says_what_it_must() {
    both(|server| async move {
        assert_eq!(server.get("/healthz").await.text, "ok");
        // A health check does not wait, not even for an entry that does not exist yet.
        assert_eq!(server.request("GET", "/healthz", &[("x-min-seq", "999999999")], "").await.text, "ok");
        let ready = server.get("/readyz").await;
        assert_eq!((ready.status, ready.json()["mode"].as_str()), (200, Some("sandbox")));
        server.get("/api/get/lang").await.ok();
        assert!(server.get("/metrics").await.text.contains("http_requests_total"));
        let api = server.get("/api/openapi.json").await.json();
        assert_eq!(api["openapi"], "3.1.0");
        assert!(api["paths"]["/api/user/login"]["post"]["requestBody"].is_object());
    });
}

#[test]
fn a_page_that_is_no_number_is_refused_and_one_out_of_bounds_is_moved() {
    both(|server| async move {
        for (query, field) in [("page=x", "page"), ("limit=x", "limit"), ("limit=1.5", "limit"), ("page=-", "page")] {
            let answer = server.get(&format!("/api/news/list?c_id=4&{query}")).await;
            assert_eq!((answer.error().as_str(), &answer.json()["data"]["field"]), ("E_FIELD", &field.into()), "{query}");
        }
        for (query, page, limit) in [("page=0", 1, 10), ("page=-5&limit=-1", 1, 1), ("limit=1000", 1, 100), ("page=&limit=", 1, 10)] {
            let list = server.get(&format!("/api/news/list?c_id=4&{query}")).await.ok();
            assert_eq!((&list["page"], &list["limit"]), (&page.into(), &limit.into()), "{query}");
        }
    });
}

#[test]
fn the_console_can_have_an_address_of_its_own() {
    both_with(&["--console-listen", "127.0.0.1:0"], |server| async move {
        let console = server.running.console.unwrap();
        let there = |path: &str| format!("http://{console}{path}");
        let unknown = server.get("/api/nothing").await;
        for path in ["/console", "/console/", "/operator/api/me", "/operator/api/settlement"] {
            let answer = server.get(path).await;
            assert_eq!((answer.status, answer.text), (404, unknown.text.clone()), "{path}");
        }
        assert_eq!(server.post("/sandbox/operator", &[("role", "admin")]).await.status, 404);
        let opened = server.post(&there("/sandbox/operator"), &[("role", "admin")]).await.ok();
        let who = token(opened["token"].as_str().unwrap());
        server.get_as(who, &there("/operator/api/me")).await.ok();
        assert_eq!(server.get_as(who, "/operator/api/me").await.status, 404, "nor with a session");
        assert_eq!(server.get(&there("/")).await.header("location"), "/console/");
        for path in ["/h5/", "/api/user/center", "/api/market/list", "/socket.io/?EIO=4&transport=polling", "/sandbox/outbox"] {
            assert_eq!(server.get(&there(path)).await.status, 404, "{path}");
        }
        for path in ["/healthz", "/readyz", "/metrics", "/api/app/config"] {
            assert_eq!((server.get(path).await.status, server.get(&there(path)).await.status), (200, 200), "{path}");
        }
    });
}

#[test]
fn the_description_of_the_interface_is_made_once_and_not_for_each_guest() {
    both(|server| async move {
        let begun = Instant::now();
        let text = server::http::openapi::document(&ROUTES).to_string();
        let made = begun.elapsed();
        let asked = b"GET /api/openapi.json HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        assert!(server.raw(asked).ends_with(&text));
        let begun = Instant::now();
        for _ in 0..10 {
            assert!(server.raw(asked).starts_with("HTTP/1.1 200"));
        }
        assert!(begun.elapsed() < made * 5, "{:?} for ten, {made:?} to make one", begun.elapsed());
    });
}
