//! What was acknowledged survives `kill -9` of the real binary under load: nothing lost, nothing doubled, every invariant holds.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use journal::testing::PostgresServer;
use serde_json::Value as Json;

const CYCLES: u64 = 10;
const CLIENTS: u64 = 8;
const LOAD: Duration = Duration::from_millis(1_200);

/// A write with its key, and the answer that its client got.
struct Acked {
    path: &'static str,
    form: String,
    key: String,
    text: String,
}

struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start(data: &Path, database: Option<&str>) -> Server {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let listen = format!("127.0.0.1:{port}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_meridian"));
        command.args(["serve", "--genesis", "sandbox", "--chart-days", "1", "--listen", &listen, "--data"]).arg(data);
        command.args(database.map(|url| ["--database", url]).into_iter().flatten());
        let process = command.stdout(Stdio::null()).spawn().unwrap();
        Server { process, url: format!("http://{listen}") }
    }

    async fn ready(&mut self, client: &reqwest::Client) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let answer = client.get(format!("{}/readyz", self.url)).send().await;
            if answer.is_ok_and(|answer| answer.status() == 200) {
                return;
            }
            assert!(self.process.try_wait().unwrap().is_none(), "the server ended");
            assert!(Instant::now() < deadline, "the server is not ready");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// SIGKILL.
    fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

async fn post(client: &reqwest::Client, url: String, token: &str, key: &str, form: &str) -> Option<(u16, String)> {
    let mut request = client.post(url).header("content-type", "application/x-www-form-urlencoded").body(form.to_owned());
    for (name, value) in [("authorization", token), ("idempotency-key", key)] {
        if !value.is_empty() {
            request = request.header(name, value);
        }
    }
    let answer = request.send().await.ok()?;
    Some((answer.status().as_u16(), answer.text().await.ok()?))
}

fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

async fn member(client: &reqwest::Client, url: &str, number: u64) -> String {
    let mail = format!("load{number}@example.com");
    let path = |path: &str| format!("{url}{path}");
    post(client, path("/api/sms_mail"), "", "", &format!("user_string={mail}&type=register")).await.unwrap();
    let kept = client.get(path(&format!("/sandbox/outbox?to={mail}"))).send().await.unwrap().text().await.unwrap();
    let code = json(&kept)["message"][0]["code"].as_str().unwrap().to_owned();
    let form = format!("type=email&user_string={mail}&code={code}&password=secret1&re_password=secret1&agree=1");
    post(client, path("/api/user/register"), "", "", &form).await.unwrap();
    let (_, text) = post(client, path("/api/user/login"), "", "", &format!("user_string={mail}&password=secret1")).await.unwrap();
    let token = json(&text)["message"].as_str().unwrap().to_owned();
    for (asset, amount) in [("USDT", "1000000"), ("BTC", "10")] {
        post(client, path("/sandbox/faucet"), &token, "", &format!("asset={asset}&amount={amount}")).await.unwrap();
    }
    token
}

/// Sends orders and transfers until the server is gone; what was answered with 200.
async fn load(client: reqwest::Client, url: String, token: String, name: String, stop: Arc<AtomicBool>) -> Vec<Acked> {
    let mut acked = Vec::new();
    for step in 0u64.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let (path, form) = match step % 4 {
            0 => ("/api/wallet/change", "currency_id=3&number=0.25&from_field=change&to_field=trust".to_owned()),
            1 => ("/api/coin/trade", "legal_id=3&currency_id=1&type=1&order_type=market&funds=20".to_owned()),
            2 => ("/api/coin/trade", "legal_id=3&currency_id=1&type=2&order_type=market&amount=0.0002".to_owned()),
            _ => ("/api/coin/cancel_all", String::new()),
        };
        let key = format!("{name}-{step}");
        match post(&client, format!("{url}{path}"), &token, &key, &form).await {
            Some((200, text)) => acked.push(Acked { path, form, key, text }),
            // Wait out the rate; anything else is no answer.
            Some((429, _)) => tokio::time::sleep(Duration::from_millis(100)).await,
            Some(_) | None => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
    acked
}

fn verify(data: &Path, database: Option<&str>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_meridian"));
    command.arg("verify").arg("--data").arg(data).args(database.map(|url| ["--database", url]).into_iter().flatten());
    let output = command.output().unwrap();
    assert!(output.status.success(), "verify: {}", String::from_utf8_lossy(&output.stderr));
}

fn nothing_is_lost(database: Option<&str>) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(10)).build().unwrap();
        let mut server = Server::start(&data, database);
        server.ready(&client).await;
        let mut tokens = Vec::new();
        for number in 0..CLIENTS {
            tokens.push(member(&client, &server.url, number).await);
        }
        let mut moved = vec![0u64; tokens.len()];
        let mut answered = 0;
        for cycle in 0..CYCLES {
            let stop = Arc::new(AtomicBool::new(false));
            let clients = tokens.iter().enumerate().map(|(at, token)| {
                tokio::spawn(load(client.clone(), server.url.clone(), token.clone(), format!("c{cycle}-{at}"), stop.clone()))
            });
            let clients: Vec<_> = clients.collect();
            tokio::time::sleep(LOAD + Duration::from_millis(37 * cycle)).await;
            server.kill();
            stop.store(true, Ordering::Relaxed);
            let mut acked = Vec::new();
            for client in clients {
                acked.push(client.await.unwrap());
            }
            verify(&data, database);
            server = Server::start(&data, database);
            server.ready(&client).await;
            for (at, (acked, token)) in acked.iter().zip(&tokens).enumerate() {
                for Acked { path, form, key, text } in acked {
                    // Sent again with its key, each write answers exactly what it answered before the kill.
                    let again = loop {
                        match post(&client, format!("{}{path}", server.url), token, key, form).await.unwrap() {
                            (429, _) => tokio::time::sleep(Duration::from_millis(100)).await,
                            (_, text) => break text,
                        }
                    };
                    assert_eq!(&again, text, "{key}");
                    answered += 1;
                    moved[at] += u64::from(*path == "/api/wallet/change" && json(text)["type"] == "ok");
                }
            }
        }
        assert!(answered >= 200, "only {answered} writes were answered: no load");
        // What the wallets hold is what the acknowledged transfers moved, and at most one more for each kill.
        for (moved, token) in moved.iter().zip(&tokens) {
            let (_, text) = post(&client, format!("{}/api/wallet/detail", server.url), token, "", "currency=3&type=trust").await.unwrap();
            let held: f64 = json(&text)["message"]["balance"].as_str().unwrap().parse().unwrap();
            let steps = (held / 0.25).round();
            let range = f64::from(u32::try_from(*moved).unwrap())..=f64::from(u32::try_from(moved + CYCLES).unwrap());
            assert!(range.contains(&steps), "{steps} transfers in the wallet, {moved} acknowledged");
        }
        server.kill();
        verify(&data, database);
        println!("{answered} acknowledged writes found again after {CYCLES} kills");
    });
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_on_sqlite() {
    nothing_is_lost(None);
}

#[test]
fn nothing_acknowledged_is_lost_or_doubled_on_postgresql() {
    let postgres = PostgresServer::start();
    nothing_is_lost(Some(&postgres.create_database("durability")));
}
