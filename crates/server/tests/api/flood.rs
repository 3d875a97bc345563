//! Sockets that misuse the protocol itself (reliability 4.4). No database is asked, so one is enough.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Bytes, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::harness::{Server, both_with, on_postgres};
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
                // Who is cut off is as good as who is not.
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
