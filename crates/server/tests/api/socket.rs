use std::collections::VecDeque;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use engine::catalog::Wallet;
use engine::command::Command;
use engine::ids::{AssetId, UserId};
use engine::published::Published;
use engine::time::Time;
use futures_util::{SinkExt, StreamExt};
use kernel::sequencer::outlet;
use serde_json::{Value as Json, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::harness::{Server, both, both_with, on_threads, token};
use crate::operator::operator;

/// A client that speaks Engine.IO 4 and Socket.IO over one WebSocket.
pub struct Client {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    events: VecDeque<(String, Json)>,
    acks: u64,
}

impl Client {
    pub async fn connect(server: &Server, auth: Json) -> Client {
        Client::connect_from(server, auth, None).await
    }

    /// Connects as a proxy does for the client at this address.
    pub async fn connect_from(server: &Server, auth: Json, address: Option<&str>) -> Client {
        let mut request = address_of(server).into_client_request().unwrap();
        if let Some(address) = address {
            request.headers_mut().insert("x-forwarded-for", address.parse().unwrap());
        }
        Client::open(connect_async(request).await.unwrap().0, auth).await
    }

    /// A guest, if the server takes one more now.
    pub async fn attempt(server: &Server) -> Option<Client> {
        Some(Client::open(connect_async(address_of(server)).await.ok()?.0, json!({})).await)
    }

    /// Asks to be connected, and waits for nothing.
    pub async fn knock(server: &Server, auth: Json) -> Client {
        Client::begin(connect_async(address_of(server)).await.unwrap().0, auth).await
    }

    async fn begin(stream: WebSocketStream<MaybeTlsStream<TcpStream>>, auth: Json) -> Client {
        let mut client = Client { stream, events: VecDeque::new(), acks: 0 };
        assert!(client.packet().await.starts_with('0'));
        client.send(&format!("40{auth}")).await;
        client
    }

    async fn open(stream: WebSocketStream<MaybeTlsStream<TcpStream>>, auth: Json) -> Client {
        let mut client = Client::begin(stream, auth).await;
        assert!(client.packet().await.starts_with("40"));
        client
    }

    async fn send(&mut self, packet: &str) {
        self.stream.send(Message::text(packet)).await.unwrap();
    }

    /// The next packet that is no ping; `"closed"` at the end.
    pub async fn packet(&mut self) -> String {
        loop {
            let next = tokio::time::timeout(Duration::from_secs(10), self.stream.next()).await.expect("a packet");
            match next {
                // A connection that is being ended is not awaited.
                Some(Ok(Message::Text(text))) if text.as_str() == "2" => drop(self.stream.send(Message::text("3")).await),
                Some(Ok(Message::Text(text))) => return text.to_string(),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return "closed".to_owned(),
            }
        }
    }

    /// Sends an event and waits for its acknowledgement; other events wait.
    pub async fn ask(&mut self, name: &str, data: Json) -> Json {
        self.acks += 1;
        let id = self.acks;
        self.send(&format!("42{id}{}", json!([name, data]))).await;
        loop {
            let packet = self.packet().await;
            if let Some(answer) = packet.strip_prefix(&format!("43{id}")) {
                return serde_json::from_str::<Json>(answer).unwrap()[0].clone();
            }
            self.keep(&packet);
        }
    }

    fn keep(&mut self, packet: &str) {
        let Some(event) = packet.strip_prefix("42") else { return };
        let event: Json = serde_json::from_str(event).unwrap();
        self.events.push_back((event[0].as_str().unwrap().to_owned(), event[1].clone()));
    }

    /// True if an event with this name comes; false if the server ends this connection.
    async fn packet_named(&mut self, wanted: &str) -> bool {
        loop {
            if self.events.drain(..).any(|(name, _)| name == wanted) {
                return true;
            }
            let packet = self.packet().await;
            if matches!(packet.as_str(), "41" | "closed") {
                return false;
            }
            self.keep(&packet);
        }
    }

    /// Waits until the server closes this connection, not only what it carries; the events until then.
    pub async fn ended(&mut self) -> Vec<(String, Json)> {
        let end = async {
            loop {
                let packet = self.packet().await;
                if packet == "closed" {
                    return;
                }
                self.keep(&packet);
            }
        };
        tokio::time::timeout(Duration::from_secs(10), end).await.expect("an end");
        self.events.drain(..).collect()
    }

    /// Sends this event without waiting for anything; false if the connection is gone.
    pub async fn throw(&mut self, name: &str, data: Json) -> bool {
        self.stream.send(Message::text(format!("42{}", json!([name, data])))).await.is_ok()
    }

    /// Leaves the namespace, as a client does.
    pub async fn leave(&mut self) {
        // A connection that has ended is gone.
        let _ = self.stream.send(Message::text("41")).await;
    }

    /// Waits for a packet that has one of these in it: which.
    pub async fn first_of(&mut self, words: &[&str]) -> String {
        loop {
            let packet = self.packet().await;
            if let Some(word) = words.iter().find(|word| packet.contains(**word)) {
                return (*word).to_owned();
            }
        }
    }

    /// Numbers of the next private events, so many; all others are passed over.
    async fn numbers(&mut self, count: usize) -> Vec<u64> {
        let mut numbers = Vec::new();
        while numbers.len() < count {
            let packet = self.packet().await;
            assert_ne!(packet, "closed");
            self.keep(&packet);
            numbers.extend(self.events.drain(..).filter_map(|(_, data)| data["pseq"].as_u64()));
        }
        numbers
    }

    /// The next event with this name; others are passed over.
    pub async fn event(&mut self, wanted: &str) -> Json {
        tokio::time::timeout(Duration::from_secs(10), self.next(wanted)).await.unwrap_or_else(|_| panic!("no {wanted}"))
    }

    async fn next(&mut self, wanted: &str) -> Json {
        loop {
            while let Some((name, data)) = self.events.pop_front() {
                if name == wanted {
                    return data;
                }
            }
            let packet = self.packet().await;
            assert_ne!(packet, "closed", "waiting for {wanted}");
            self.keep(&packet);
        }
    }
}

/// Pays this member so many times, at once: each time they hear of a new balance.
async fn pay(server: &Server, who: &str, times: usize) {
    let user = server.get_as(token(who), "/api/user/center").await.ok()["id"].as_u64().unwrap();
    let one = async || {
        let command = Command::SandboxFaucet { user: UserId(user), asset: AssetId(3), wallet: Wallet::Spot, amount: 1 };
        server.running.app.sequencer.submit(command, None).await.unwrap()
    };
    futures_util::future::join_all((0..times).map(|_| one())).await;
}

fn address_of(server: &Server) -> String {
    server.url("/socket.io/?EIO=4&transport=websocket").replace("http://", "ws://")
}

async fn order(server: &Server, who: &str, side: &str, amount: &str, price: &str) -> Json {
    let form = [("legal_id", "3"), ("currency_id", "1"), ("type", side), ("amount", amount), ("target_price", price)];
    server.post_as(token(who), "/api/coin/trade", &form).await.data()
}

async fn pin(server: &Server, price: &str) {
    server.post("/sandbox/price", &[("symbol", "BTC/USDT"), ("price", price)]).await.ok();
}

#[test]
fn a_book_room_starts_with_a_snapshot_and_its_deltas_give_the_book() {
    both(|server| async move {
        pin(&server, "100000").await;
        let who = server.member("ann@example.com").await;
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "10000")]).await.ok();
        order(&server, &who, "1", "0.001", "99000").await;
        let mut client = Client::connect(&server, json!({})).await;
        let ack = client.ask("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await;
        assert_eq!((&ack["code"], &ack["symbol"]), (&json!(1), &json!("BTC/USDT")));
        let snapshot = client.event("book").await;
        assert_eq!((&snapshot["kind"], &snapshot["bids"]), (&json!("snapshot"), &json!([["99000.0", "0.00100000"]])));
        assert_eq!(snapshot["checksum"], crc32fast::hash(b"99000.0:0.00100000"));
        assert_eq!(snapshot["seq"], ack["seq"]);
        // A repeated request is acknowledged without repeating its events.
        for _ in 0..3 {
            assert_eq!(client.ask("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await, ack);
        }

        order(&server, &who, "1", "0.002", "99000").await;
        let delta = client.event("book").await;
        assert_eq!((&delta["kind"], &delta["prev_seq"]), (&json!("delta"), &snapshot["seq"]));
        assert!(delta["seq"].as_u64() > snapshot["seq"].as_u64());
        assert_eq!((&delta["bids"], &delta["asks"]), (&json!([["99000.0", "0.00300000"]]), &json!([])));
        let book = server.get("/api/market/book?symbol=BTC/USDT").await.ok();
        assert_eq!((&book["checksum"], &book["seq"]), (&delta["checksum"], &delta["seq"]));
        server.post_as(token(&who), "/api/coin/cancel_all", &[]).await.ok();
        assert_eq!(client.event("book").await["bids"], json!([["99000.0", "0.00000000"]]));
    });
}

#[test]
fn a_room_that_is_left_before_it_was_entered_is_acknowledged() {
    both(|server| async move {
        pin(&server, "100000").await;
        let who = server.member("ann@example.com").await;
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "10000")]).await.ok();
        let mut client = Client::connect(&server, json!({})).await;
        let room = json!({"channel": "book", "symbol": "BTC/USDT"});
        for _ in 0..12 {
            // Nobody is let into the room until this change of the book has been sent.
            order(&server, &who, "1", "0.001", "99000").await;
            client.send(&format!("421{}", json!(["sub", room]))).await;
            client.send(&format!("422{}", json!(["unsub", room]))).await;
            for _ in 0..2 {
                let ack = tokio::time::timeout(Duration::from_secs(10), client.first_of(&["431[", "432["])).await;
                assert!(ack.is_ok(), "not acknowledged");
            }
        }
    });
}

#[test]
fn a_guest_hears_every_public_channel_and_nothing_private() {
    both(|server| async move {
        pin(&server, "100000").await;
        let mut guest = Client::connect(&server, json!({})).await;
        for event in ["daymarket", "kline"] {
            let told = guest.event(event).await;
            assert_eq!((&told["type"], told["seq"].as_u64().is_some()), (&json!(event), true));
        }
        for (data, error) in [
            (json!({"channel": "book", "symbol": "DOGE/USDT"}), "E_MARKET"),
            (json!({"channel": "order", "symbol": "BTC/USDT"}), "E_FIELD"),
            (json!({"channel": "kline", "symbol": "BTC/USDT", "period": "3min"}), "E_PERIOD"),
            (json!("book"), "E_FIELD"),
        ] {
            assert_eq!(guest.ask("sub", data).await, json!({"code": 0, "error": error}));
        }
        for channel in ["index", "match_trade", "market_depth"] {
            guest.ask("sub", json!({"channel": channel, "symbol": "BTC/USDT"})).await;
        }
        guest.ask("sub", json!({"channel": "kline", "symbol": "BTC/USDT", "period": "1H", "series": "trade"})).await;
        pin(&server, "100000.01").await;
        let sample = guest.event("index").await;
        assert!(sample["data"]["price"].as_str().unwrap().starts_with("100000.0"));
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        server.post_as(token(&ann), "/sandbox/faucet", &[("asset", "BTC"), ("amount", "1")]).await.ok();
        server.post_as(token(&bob), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000")]).await.ok();
        order(&server, &ann, "2", "0.01", "100000").await;
        order(&server, &bob, "1", "0.002", "100000").await;
        let mut heard = std::collections::BTreeSet::new();
        while !["match_trade", "market_depth", "kline"].iter().all(|name| heard.contains(*name)) {
            let packet = guest.packet().await;
            guest.keep(&packet);
            while let Some((name, data)) = guest.events.pop_front() {
                assert!(data.get("pseq").is_none(), "{name} is private");
                if name == "match_trade" {
                    assert_eq!((&data["data"][0]["price"], &data["data"][0]["amount"]), (&json!("100000.0"), &json!("0.00200000")));
                    assert_eq!(data["data"][0]["house"], false);
                }
                if name == "kline" {
                    assert_eq!((&data["period"], &data["volume"]), (&json!("60min"), &json!(0.002)));
                }
                heard.insert(name);
            }
        }
    });
}

#[test]
fn the_default_room_hears_how_a_minute_ended() {
    both(|server| async move {
        pin(&server, "100000").await;
        let mut guest = Client::connect(&server, json!({})).await;
        let running = guest.event("kline").await;
        assert_eq!((&running["period"], &running["final"]), (&json!("1min"), &json!(false)));
        server.post("/sandbox/clock", &[("advance_ms", "60000")]).await.ok();
        for _ in 0..60 {
            let told = guest.event("kline").await;
            if told["symbol"] == "BTC/USDT" && told["final"] == true {
                assert_eq!((&told["period"], &told["series"], &told["close"]), (&json!("1min"), &json!("index"), &json!(100_000.0)));
                return;
            }
        }
        panic!("no minute ended");
    });
}

#[test]
fn a_member_hears_his_orders_and_goes_on_where_he_was() {
    both(|server| async move {
        pin(&server, "100000").await;
        let who = server.member("ann@example.com").await;
        let mut client = Client::connect(&server, json!({"token": who})).await;
        client.ask("sub", json!({"channel": "market_status", "symbol": "BTC/USDT"})).await;
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000")]).await.ok();
        let funded = client.event("balance").await;
        assert_eq!(funded["data"][0], json!({"currency_id": 3, "account": "change", "avail": "1000.000000", "frozen": "0.000000"}));
        let placed = order(&server, &who, "1", "0.001", "90000").await;
        let told = client.event("order").await;
        assert_eq!((&told["data"], &told["seq"]), (&placed["order"], &placed["order"]["seq"]));
        assert_eq!(told["pseq"].as_u64(), funded["pseq"].as_u64().map(|pseq| pseq + 1));

        drop(client);
        server.post_as(token(&who), "/api/coin/cancel_all", &[]).await.ok();
        let mut again = Client::connect(&server, json!({"token": who})).await;
        again.send(&format!("42{}", json!(["resume", {"pseq": told["pseq"]}]))).await;
        assert_eq!(again.event("balance").await["data"][0]["frozen"], "90.000000");
        assert_eq!(again.event("order").await["data"]["status"], 3);
        again.send(&format!("42{}", json!(["resume", {"pseq": 7}]))).await;
        assert!(again.event("resync").await["seq"].as_u64() >= placed["order"]["seq"].as_u64());
    });
}

#[test]
fn an_ended_session_is_told_so_within_a_second() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        // A client with a wrong token stays a guest.
        let mut client = Client::connect(&server, json!({"token": "wrong"})).await;
        assert_eq!(client.ask("login", json!({"token": "wrong"})).await["error"], "E_AUTH");
        assert_eq!(client.ask("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await["code"], 1);
        assert_eq!(client.ask("login", json!({"token": who})).await, json!({"code": 1}));
        server.post_as(token(&who), "/api/user/logout", &[]).await.ok();
        // A second of its own, plus what a busy machine needs.
        let ended = tokio::time::timeout(Duration::from_secs(5), client.ended()).await;
        assert!(ended.unwrap().contains(&("logout".to_owned(), json!({"error": "E_AUTH"}))));
    });
}

#[test]
fn a_database_that_fails_for_some_seconds_ends_no_session() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let mut client = Client::connect(&server, json!({"token": who})).await;
        let exec = |text: &'static str| server.running.app.db.exec(store::sql!(text));
        exec("alter table sessions rename to lost").await.unwrap();
        // Their use is to be written down again.
        server.running.app.clock.push_sessions(11 * 60_000);
        if !server.running.app.db.is_shared() {
            server.get_as(token(&who), "/api/user/center").await.ok();
        }
        // Sessions are checked each second.
        tokio::time::sleep(Duration::from_secs(3)).await;
        exec("alter table lost rename to sessions").await.unwrap();
        pay(&server, &who, 1).await;
        assert_eq!(client.first_of(&["logout", "balance"]).await, "balance");

        server.post_as(token(&who), "/api/user/logout", &[]).await.ok();
        assert_eq!(client.event("logout").await["error"], "E_AUTH");
    });
}

#[test]
fn foreign_pages_and_endless_subscriptions_are_refused() {
    both_with(&[], |server| async move {
        let mut request = address_of(&server).into_client_request().unwrap();
        request.headers_mut().insert("origin", "https://elsewhere.example".parse().unwrap());
        let refused = connect_async(request).await.unwrap_err().to_string();
        assert!(refused.contains("403"), "{refused}");

        let mut client = Client::connect(&server, json!({})).await;
        let periods = ["1min", "5min", "15min", "30min", "60min", "1day", "1week", "1mon"];
        let pairs = ["BTC/USDT", "ETH/USDT", "USDC/USDT", "BTC/USDC"];
        let all = pairs
            .iter()
            .flat_map(|pair| ["index", "trade"].map(|series| (pair, series)))
            .flat_map(|(pair, series)| periods.map(|period| (pair, series, period)));
        let mut refused = 0;
        for (symbol, series, period) in all {
            let ack = client.ask("sub", json!({"channel": "kline", "symbol": symbol, "series": series, "period": period})).await;
            refused += u32::from(ack["error"] == "E_OPEN_LIMIT");
        }
        assert_eq!(refused, 64 - 50);
        let left = client.ask("unsub", json!({"channel": "kline", "symbol": "BTC/USDT", "series": "index", "period": "1min"})).await;
        assert_eq!(left["code"], 1);
        assert_eq!(client.ask("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await["code"], 1);
    });
}

#[test]
fn a_member_holds_ten_sockets_and_no_more() {
    both(|server| async move {
        let (ann, bob) = (server.member("ann@example.com").await, server.member("bob@example.com").await);
        let mut held = Vec::new();
        for _ in 0..10 {
            held.push(Client::connect(&server, json!({"token": ann})).await);
        }
        let mut eleventh = Client::connect(&server, json!({})).await;
        eleventh.send(&format!("42{}", json!(["login", {"token": ann}]))).await;
        assert!(eleventh.ended().await.contains(&("closed".to_owned(), json!({"error": "E_OPEN_LIMIT"}))));
        Client::connect(&server, json!({"token": bob})).await.ask("unsub", json!({"channel": "book", "symbol": "BTC/USDT"})).await;
        for client in &mut held {
            assert_eq!(client.ask("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await["code"], 1);
        }
        // A place that is given back can be taken again, and its holder receives their events.
        drop(held.pop());
        let faucet = [("asset", "USDT"), ("amount", "1")];
        let again = async {
            loop {
                let mut client = Client::connect(&server, json!({})).await;
                client.ask("login", json!({"token": ann})).await;
                server.post_as(token(&ann), "/sandbox/faucet", &faucet).await.ok();
                if client.packet_named("balance").await {
                    break;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(10), again).await.expect("a place");
    });
}

#[test]
fn an_address_holds_a_hundred_sockets_and_no_more() {
    both_with(&["--trusted-proxy", "127.0.0.1"], |server| async move {
        let mut held = Vec::new();
        for _ in 0..100 {
            held.push(Client::connect_from(&server, json!({}), Some("198.51.100.7")).await);
        }
        Client::connect_from(&server, json!({}), Some("198.51.100.7")).await.ended().await;
        let mut other = Client::connect_from(&server, json!({}), Some("198.51.100.8")).await;
        let (first, last) = (0, held.len() - 1);
        for client in [&mut other].into_iter().chain(held.get_disjoint_mut([first, last]).unwrap()) {
            assert_eq!(client.ask("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await["code"], 1);
        }
    });
}

#[test]
fn a_reader_who_does_not_read_hears_all_of_it_later_in_order_and_holds_nobody_up() {
    const EVENTS: usize = 900;
    const AGAIN: usize = 15;
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4_096).unwrap();
        let stream = MaybeTlsStream::Plain(socket.connect(server.running.address).await.unwrap());
        let (stream, _) = tokio_tungstenite::client_async(address_of(&server), stream).await.unwrap();
        let mut slow = Client::open(stream, json!({"token": who})).await;
        let mut quick = Client::connect(&server, json!({"token": who})).await;
        for client in [&mut slow, &mut quick] {
            // Leaves the public rooms, so that only private events are counted.
            client.ask("sub", json!({"channel": "market_status", "symbol": "USDC/USDT"})).await;
        }
        pay(&server, &who, 1).await;
        let first = slow.event("balance").await["pseq"].as_u64().unwrap();
        assert_eq!(quick.numbers(1).await, [first]);
        let all: Vec<u64> = (first + 1..).take(EVENTS).collect();
        let (heard, ()) = tokio::join!(quick.numbers(EVENTS), pay(&server, &who, EVENTS));
        assert_eq!(heard, all);
        // Requests all of it again and again, and reads nothing. Others are served.
        for _ in 0..AGAIN {
            slow.send(&format!("42{}", json!(["resume", {"pseq": first}]))).await;
        }
        quick.ask("unsub", json!({"channel": "book", "symbol": "BTC/USDT"})).await;
        tokio::time::sleep(Duration::from_secs(1)).await;

        pay(&server, &who, 1).await;
        let mut heard = slow.numbers(1).await;
        while heard.last() != Some(&(first + 901)) {
            assert!(heard.len() < EVENTS * (AGAIN + 2), "{heard:?}");
            heard.extend(slow.numbers(1).await);
        }
        heard.pop();
        assert!(heard.ends_with(&all), "{heard:?}");
    });
}

#[test]
fn a_resume_replays_all_that_is_kept_in_order_or_says_that_it_cannot() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let mut client = Client::connect(&server, json!({"token": who})).await;
        client.ask("sub", json!({"channel": "market_status", "symbol": "USDC/USDT"})).await;
        pay(&server, &who, 1).await;
        let first = client.numbers(1).await[0];
        drop(client);
        pay(&server, &who, 1_000).await;
        let mut client = Client::connect(&server, json!({"token": who})).await;
        client.throw("resume", json!({"pseq": first})).await;
        assert_eq!(client.numbers(1_000).await, (first + 1..=first + 1_000).collect::<Vec<_>>());

        // One more, and one of the earlier ones is dropped.
        pay(&server, &who, 1).await;
        assert_eq!(client.numbers(1).await, [first + 1_001]);
        client.throw("resume", json!({"pseq": first})).await;
        let told = client.event("resync").await;
        assert!(told["seq"].as_u64().unwrap() > 1_000);
        pay(&server, &who, 1).await;
        assert_eq!(client.numbers(1).await, [first + 1_002]);
    });
}

#[test]
fn sockets_that_missed_entries_are_told_to_read_again() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        // Separate sockets whose events this test writes; there is room for none.
        let (mut outlet, inlet) = outlet::bounded(1);
        let (sockets, hub) = server::socket::open(&server.running.app, inlet, &tokio::runtime::Handle::current());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("ws://{}/socket.io/?EIO=4&transport=websocket", listener.local_addr().unwrap());
        let listening = tokio::spawn(server::http::listen::serve(
            listener,
            server::http::surface::Surface::Both,
            server.running.app.clone(),
            sockets.service(),
        ));
        let mut client = Client::open(connect_async(address).await.unwrap().0, json!({"token": who})).await;
        let ack = client.ask("sub", json!({"channel": "book", "symbol": "BTC/USDT"})).await;
        assert_eq!(client.event("book").await["kind"], "snapshot");
        for channel in ["match_trade", "market_status"] {
            client.ask("sub", json!({"channel": channel, "symbol": "BTC/USDT"})).await;
        }
        server.post_as(token(&who), "/sandbox/faucet", &[("asset", "USDT"), ("amount", "1000")]).await.ok();
        let bid = order(&server, &who, "1", "0.001", "60000").await;
        assert_eq!(bid["order"]["status"], 1, "{bid}");

        let newest = server.running.app.sequencer.engine().seq();
        let nothing = || [Published { seq: newest, time: Time(0), events: Vec::new(), balances: Vec::new(), answer: None, stops: None }];
        // Too many at once for any client; a later one reports the gap.
        (0..100_000).for_each(|_| outlet.send(nothing().into()));
        tokio::time::sleep(Duration::from_secs(1)).await;
        outlet.send(nothing().into());
        assert!(client.event("resync").await["seq"].as_u64() >= bid["order"]["seq"].as_u64());
        let book = client.event("book").await;
        assert_eq!((&book["kind"], &book["bids"]), (&json!("snapshot"), &json!([["60000.0", "0.00100000"]])));
        assert!(book["seq"].as_u64() > ack["seq"].as_u64().map(|seq| seq + 1), "no gap: {ack} {book}");
        assert!(client.event("match_trade").await["seq"].as_u64() > Some(1));
        assert!(client.event("market_status").await["seq"].as_u64() > Some(1));
        listening.abort();
        hub.abort();
    });
}

#[test]
fn who_follows_the_state_of_a_pair_hears_that_it_is_paused_and_resumed() {
    both(|server| async move {
        let desk = operator(&server, "one", &["market"]).await;
        let mut client = Client::connect(&server, json!({})).await;
        client.ask("sub", json!({"channel": "market_status", "symbol": "BTC/USDT"})).await;
        let pause = async |product: &str, on: &str| {
            let fields = [("product", product), ("match_id", "1"), ("on", on), ("reason", "a test")];
            server.post_as(token(&desk), "/operator/api/catalog/pause", &fields).await.ok();
        };
        // Contracts of the pair can be paused separately.
        for (seq, product, on, open, lever, reason) in [
            (1, "spot", "1", 0, 1, "paused"),
            (2, "spot", "0", 1, 1, "open"),
            (3, "contract", "1", 1, 0, "open"),
            (4, "contract", "0", 1, 1, "open"),
        ] {
            pause(product, on).await;
            let told = client.event("market_status").await;
            let told =
                [&told["symbol"], &told["seq"], &told["open_coin_trade"], &told["open_lever"], &told["open_microtrade"], &told["reason"]];
            assert_eq!(told, [&json!("BTC/USDT"), &json!(seq), &json!(open), &json!(lever), &json!(1), &json!(reason)]);
        }
        // Options can be paused separately, for all pairs or for one.
        for (seq, form) in [(5, vec![("product", "option"), ("on", "1")]), (6, vec![("product", "option"), ("on", "0")])] {
            let fields = [form.as_slice(), &[("reason", "a test")]].concat();
            server.post_as(token(&desk), "/operator/api/catalog/pause", &fields).await.ok();
            let told = client.event("market_status").await;
            let (open, pair) = (u8::from(seq == 6), &server.get("/api/currency/quotation_new").await.ok()[0]["quotation"][0]);
            assert_eq!((&told["seq"], &told["open_microtrade"], &told["open_coin_trade"]), (&json!(seq), &json!(open), &json!(1)));
            assert_eq!((&pair["open_microtrade"], &pair["micro_trade_fee"]), (&json!(open), &json!("0.5")));
        }
    });
}

#[test]
fn each_connection_is_told_a_notice_in_its_own_language_also_later() {
    both(|server| async move {
        let who = server.member("ann@example.com").await;
        let mut german = Client::connect(&server, json!({"token": who, "language": "deyu"})).await;
        let mut english = Client::connect(&server, json!({"token": who})).await;
        let ticket = server.post_as(token(&who), "/api/feedback/add", &[("title", "Lost"), ("content", "Where?")]).await.ok();
        let support = operator(&server, "sue", &["support"]).await;
        let id = ticket["id"].to_string();
        let reply = [("id", id.as_str()), ("content", "There.")];
        server.post_as(token(&support), "/operator/api/ticket/reply", &reply).await.ok();
        let told = german.event("notification").await;
        assert_eq!(told["data"]["title"], "Antwort auf Ihre Anfrage");
        assert_eq!(english.event("notification").await["data"]["title"], "Answer to your request");
        let mut later = Client::connect(&server, json!({"token": who, "language": "fayu"})).await;
        later.send(&format!("42{}", json!(["resume", {"pseq": told["pseq"].as_u64().unwrap() - 1}]))).await;
        let again = later.event("notification").await;
        assert_eq!((&again["pseq"], &again["data"]["id"]), (&told["pseq"], &told["data"]["id"]));
        assert_eq!(again["data"]["title"], "Réponse à votre demande");
    });
}

#[test]
fn while_what_serves_the_sockets_stands_still_no_call_waits() {
    on_threads(1, |server| async move {
        let room = json!({"channel": "index", "symbol": "BTC/USDT"});
        let mut client = Client::connect(&server, json!({})).await;
        client.ask("sub", room.clone()).await;
        let mut stands_still = false;
        while !stands_still {
            // A sample changes the figures of the day, which are read from there and sent within a second; then they wait for us.
            client.event("index").await;
            let (go_on, stop) = mpsc::channel::<()>();
            let app = server.running.app.clone();
            // A separate thread holds them, and only this long, so that calls that wait for them fail here and end.
            let holder = thread::spawn(move || {
                let _days = app.market_stats.write().unwrap();
                let _ = stop.recv_timeout(Duration::from_secs(10));
            });
            let until = Instant::now() + Duration::from_millis(1_500);
            while !stands_still && Instant::now() < until {
                tokio::time::sleep(Duration::from_millis(20)).await;
                stands_still = tokio::time::timeout(Duration::from_millis(300), client.ask("sub", room.clone())).await.is_err();
            }
            let from = Instant::now();
            for _ in 0..10 {
                server.get("/api/app/config").await.ok();
            }
            assert!(from.elapsed() < Duration::from_secs(3), "calls wait for the sockets");
            drop(go_on);
            holder.join().unwrap();
        }
        client.event("index").await;
    });
}
