//! Sockets that misuse the protocol itself (reliability 4.4). No database is asked, so one is enough.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Bytes, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::harness::{Server, both_with, on_postgres, token};
use crate::socket::Client;

type Stream = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A connected guest.
async fn guest(server: &Server) -> Stream {
    let address = format!("ws://{}/socket.io/?EIO=4&transport=websocket", server.running.address);
    let (mut stream, _) = connect_async(address).await.unwrap();
    stream.send(Message::text("40{}")).await.unwrap();
    while !stream.next().await.unwrap().unwrap().to_text().unwrap().starts_with("40") {}
    stream
}

/// Waits for the end; this many seconds at most.
async fn end(stream: &mut Stream, within: u64) {
    let end = async { while let Some(Ok(_)) = stream.next().await {} };
    tokio::time::timeout(Duration::from_secs(within), end).await.expect("an end");
}

fn piece(kind: Data, text: &str, last: bool) -> Message {
    Message::Frame(Frame::message(Bytes::copy_from_slice(text.as_bytes()), OpCode::Data(kind), last))
}

#[test]
fn messages_that_are_too_long_or_binary_end_their_connection_alone() {
    on_postgres(|server| async move {
        let mut other = Client::connect(&server, json!({})).await;
        let long = format!("42{}", json!(["sub", {"channel": "x".repeat(17_000)}]));
        let mut stream = guest(&server).await;
        stream.send(Message::text(long)).await.unwrap();
        end(&mut stream, 10).await;

        let mut stream = guest(&server).await;
        stream.send(piece(Data::Text, "42", false)).await.unwrap();
        for _ in 0..200 {
            // Cut off on the way.
            let _ = stream.send(piece(Data::Continue, &"x".repeat(100), false)).await;
        }
        end(&mut stream, 10).await;

        let mut stream = guest(&server).await;
        stream.send(Message::binary(b"42[\"sub\",{}]".as_slice())).await.unwrap();
        end(&mut stream, 10).await;
        assert_eq!(other.ask("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await["code"], 1);
    });
}

#[test]
fn many_pings_and_empty_pieces_hold_nobody_up() {
    on_postgres(|server| async move {
        let (mut pings, mut pieces) = (guest(&server).await, guest(&server).await);
        let mut other = Client::connect(&server, json!({})).await;
        pieces.send(piece(Data::Text, "", false)).await.unwrap();
        let flood = async {
            for _ in 0..20_000 {
                // A client that is cut off counts as much as one that is not.
                let _ = pings.send(Message::Ping(Bytes::from_static(b"x"))).await;
                let _ = pieces.send(piece(Data::Continue, "", false)).await;
            }
        };
        let asked = async {
            let started = Instant::now();
            for _ in 0..20 {
                assert_eq!(other.ask("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await["code"], 1);
            }
            started.elapsed()
        };
        let (_, took) = tokio::join!(flood, asked);
        assert!(took < Duration::from_secs(5), "{took:?}");
    });
}

#[test]
fn a_connection_without_pongs_ends_within_a_minute() {
    on_postgres(|server| async move {
        let mut stream = guest(&server).await;
        let started = Instant::now();
        end(&mut stream, 70).await;
        let took = started.elapsed().as_secs();
        assert!((30..=62).contains(&took), "{took} s");
    });
}

#[test]
fn whose_a_token_is_can_be_asked_over_a_socket_as_often_as_elsewhere() {
    both_with(&["--genesis", "live"], |server| async move {
        let (mut client, token) = (Client::connect(&server, json!({})).await, "a".repeat(64));
        let mut names = Vec::new();
        for _ in 0..200 {
            names.push(client.ask("login", json!({"token": token})).await["error"].as_str().unwrap().to_owned());
        }
        assert!(names[..90].iter().all(|name| name == "E_AUTH") && names.iter().any(|name| name == "E_RATE"), "{names:?}");
    });
}

#[test]
fn guests_who_send_too_much_are_ended_with_the_reason_and_hold_up_no_order() {
    both_with(&[], |server| async move {
        let who = server.member("ann@example.com").await;
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000")]).await.ok();
        let until = Instant::now() + Duration::from_secs(4);
        let flood = async |kind: usize| {
            let mut reasons = 0;
            while Instant::now() < until {
                // Too many attempts are refused as well.
                let Some(mut client) = Client::attempt(&server).await else { continue };
                let (name, data) = match kind % 4 {
                    0 => ("sub", json!({"channel": "book", "symbol": "BTC/USDT"})),
                    1 => ("resume", json!({"pseq": 7})),
                    2 => ("anything", json!({"deep": [[[[1]]]], "text": "x".repeat(16_000)})),
                    _ => ("unsub", json!(["no room", null, -1])),
                };
                for _ in 0..5_000 {
                    // A client that is read slowly has to wait.
                    let thrown = tokio::time::timeout_at(until.into(), client.throw(name, data.clone())).await;
                    if thrown != Ok(true) {
                        break;
                    }
                }
                if kind < 4 && kind != 2 && Instant::now() < until {
                    reasons += usize::from(client.ended().await.contains(&("closed".to_owned(), json!({"error": "E_RATE"}))));
                }
            }
            reasons
        };
        let orders = async {
            let (mut placed, mut slowest) = (0, Duration::ZERO);
            while Instant::now() < until {
                let form = [("legal_id", "3"), ("currency_id", "1"), ("type", "1"), ("amount", "0.001"), ("target_price", "60000")];
                let started = Instant::now();
                server.post_as(token(&who), "/api/coin/trade", &form).await.ok();
                slowest = slowest.max(started.elapsed());
                server.post_as(token(&who), "/api/coin/cancel_all", &[]).await.ok();
                placed += 1;
                // Ten writes a second are allowed.
                tokio::time::sleep(Duration::from_millis(250)).await;
            }
            (placed, slowest)
        };
        let (reasons, (placed, slowest)) = tokio::join!(futures_util::future::join_all((0..8).map(flood)), orders);
        println!("{reasons:?} floods ended, {placed} orders, the slowest answered in {slowest:?}");
        // Large messages are read so slowly that there are never too many.
        assert!([0, 1, 3].iter().all(|kind| reasons[*kind] > 0), "{reasons:?}");
        assert!(placed > 5 && slowest < Duration::from_secs(1), "{placed} orders, {slowest:?}");
    });
}

#[test]
fn the_sockets_of_one_address_share_a_budget_and_others_have_their_own() {
    both_with(&["--trusted-proxy", "127.0.0.1"], |server| async move {
        let mut clients = Vec::new();
        for _ in 0..20 {
            clients.push(Client::connect_from(&server, json!({}), Some("2001:db8::1")).await);
        }
        // Fewer than one connection may send, and together more than an address may.
        let asked = clients.iter_mut().map(|client| async {
            for _ in 0..190 {
                client.throw("unsub", json!({"channel": "book", "symbol": "BTC/USDT"})).await;
            }
            client.throw("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await;
            client.first_of(&["closed", "snapshot"]).await
        });
        let answers = futures_util::future::join_all(asked).await;
        let ended = answers.iter().filter(|first| *first == "closed").count();
        assert!((5..=12).contains(&ended), "{answers:?}");
        // A neighbour in the same network is refused too.
        let mut neighbour = Client::connect_from(&server, json!({}), Some("2001:db8::2")).await;
        for _ in 0..100 {
            neighbour.throw("resume", json!({})).await;
        }
        assert!(neighbour.ended().await.contains(&("closed".to_owned(), json!({"error": "E_RATE"}))));
        let mut other = Client::connect_from(&server, json!({}), Some("2001:db8:0:1::1")).await;
        assert_eq!(other.ask("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await["code"], 1);
    });
}

#[test]
fn a_client_on_long_polling_is_bounded_and_ended_like_any_other() {
    on_postgres(|server| async move {
        let path = "/socket.io/?EIO=4&transport=polling";
        let opened = server.get(path).await;
        let sid = opened.text.split('"').nth(3).unwrap().to_owned();
        let session = format!("{path}&sid={sid}");
        let post = async |body: String| server.request("POST", &session, &[("content-type", "text/plain")], body).await;
        assert_eq!(post("40{}".to_owned()).await.text, "ok");
        while !server.get(&session).await.text.contains("40{") {}
        let one = "42[\"unsub\",{\"channel\":\"book\",\"symbol\":\"BTC/USDT\"}]";
        assert_eq!(post([one; 250].join("\u{1e}")).await.text, "ok");
        let mut told = String::new();
        while !told.contains("closed") {
            told = server.get(&session).await.text;
        }
        assert!(told.contains("42[\"closed\",{\"error\":\"E_RATE\"}]"), "{told}");
        let end = async { while server.get(&session).await.status != 400 {} };
        tokio::time::timeout(Duration::from_secs(10), end).await.expect("an end");
        assert_eq!(post(one.to_owned()).await.status, 400);
    });
}

#[test]
fn answers_of_sockets_carry_the_security_headers_of_all_others() {
    on_postgres(|server| async move {
        let expected = server.get("/api/market/ticker").await;
        let polling = "/socket.io/?EIO=4&transport=polling";
        for (path, headers, status) in [
            (polling, &[][..], 200),
            ("/socket.io/?EIO=4&transport=polling&sid=AAAAAAAAAAAAAAAA", &[], 400),
            ("/socket.io/?EIO=4&transport=pigeon", &[], 400),
            ("/socket.io/?EIO=9&transport=polling", &[], 400),
            ("/socket.io/", &[], 400),
            (polling, &[("origin", "https://elsewhere.example")], 403),
        ] {
            let answer = server.request("GET", path, headers, "").await;
            assert_eq!(answer.status, status, "{path}: {}", answer.text);
            for name in ["x-content-type-options", "referrer-policy", "content-security-policy"] {
                assert!(!answer.header(name).is_empty() && answer.header(name) == expected.header(name), "{path}: {name}");
            }
        }
    });
}

#[test]
fn sockets_that_come_and_go_and_say_nonsense_leave_a_server_that_serves() {
    both_with(&["--trusted-proxy", "127.0.0.1"], |server| async move {
        let who = server.member("ann@example.com").await;
        let nonsense = [
            json!(null),
            json!([]),
            json!({"channel": 7, "symbol": ["BTC/USDT"]}),
            json!({"channel": "book", "symbol": "x".repeat(5_000)}),
            json!({"channel": "kline", "symbol": "BTC/USDT", "period": {}, "series": -1}),
            json!({"token": {"a": 1}, "pseq": -1}),
            json!({"pseq": "9"}),
            json!(1e308),
        ];
        let come_and_go = async |number: usize| {
            let Some(mut client) = Client::attempt(&server).await else { return };
            for name in ["sub", "unsub", "resume", "login", "", "connect"] {
                client.throw(name, nonsense[number % nonsense.len()].clone()).await;
            }
            for room in 0..20 {
                client.throw("sub", json!({"channel": "kline", "symbol": "BTC/USDT", "period": format!("{}min", room * number)})).await;
            }
            if number.is_multiple_of(3) {
                client.throw("login", json!({"token": who})).await;
            }
            // Half of them leave without a message, in the middle of it.
            if number.is_multiple_of(2) {
                client.throw("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await;
                client.leave().await;
            }
        };
        for round in 0..4 {
            futures_util::future::join_all((0..20).map(|number| come_and_go(round * 20 + number))).await;
        }
        // A member who is logged out in the middle, while being sent all of it.
        let mut member = Client::connect_from(&server, json!({"token": who}), Some("198.51.100.7")).await;
        member.ask("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await;
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000")]).await.ok();
        server.post_as(token(&who), "/api/user/logout", &[]).await.ok();
        assert!(member.ended().await.contains(&("logout".to_owned(), json!({"error": "E_AUTH"}))));
        // Requests for a WebSocket that is never opened, in a row on one connection.
        let bogus = "GET /socket.io/?EIO=4&transport=websocket&sid=AAAAAAAAAAAAAAAA HTTP/1.1\r\nhost: x\r\n\r\n";
        let last = "GET /readyz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        let answers = server.raw(format!("{}{last}", bogus.repeat(50)).as_bytes());
        assert_eq!((answers.matches("HTTP/1.1 400").count(), answers.matches("HTTP/1.1 200").count()), (50, 1), "{answers}");
        let mut other = Client::connect_from(&server, json!({}), Some("198.51.100.8")).await;
        assert_eq!(other.ask("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await["code"], 1);
    });
}
