//! Writes of more than one step that a kill cuts off between two of them: repeated under their key they come to one effect and one answer.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use serde_json::Value as Json;

use crate::process::{Answer, Disk, PATIENCE, SYNCS, Server, WRITES, block_on, client, write};

/// Waits until something is so.
async fn until(what: &str, mut so: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !so().await {
        assert!(Instant::now() < deadline, "not yet {what} after {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

fn number(data: &Path, query: &str) -> i64 {
    let people = Connection::open_with_flags(data.join("meridian.db"), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    people.query_row(query, [], |row| row.get(0)).unwrap()
}

/// Sends writes, waits until they are in progress, and kills the server: their clients got no answer.
async fn cut_off(server: &mut Server, requests: Vec<reqwest::RequestBuilder>, middle: impl AsyncFnMut() -> bool) {
    let sent: Vec<_> = requests.into_iter().map(|request| tokio::spawn(Answer::to(request))).collect();
    until("in the middle of the write", middle).await;
    server.kill();
    for told in sent {
        let told = told.await.unwrap();
        assert!(told.is_none(), "the answer came before the kill: {}", told.unwrap().text);
    }
}

#[test]
fn a_sign_up_that_was_cut_off_is_finished_under_its_key() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let mut server = Server::start(&data, &[], Disk::Plain, &client).await;
        let mut codes = Vec::new();
        for name in ["ann", "bob"] {
            let form = format!("user_string={name}@example.com&type=register");
            Answer::to(write(&client, &server.url, "/api/sms_mail", &form, "")).await.unwrap().ok();
            let kept = Answer::to(client.get(format!("{}/sandbox/outbox?to={name}@example.com", server.url))).await.unwrap().ok();
            codes.push(kept["message"][0]["code"].as_str().unwrap().to_owned());
        }
        server.kill();

        let sign_up = |url: &str, number: usize, password: &str| {
            let (name, code) = (["ann", "bob"][number], &codes[number]);
            let form = format!("type=email&user_string={name}@example.com&code={code}&password={password}&re_password={password}&agree=1");
            write(&client, url, "/api/user/register", &form, name)
        };
        // The rows of both are there, but their journal entries are not yet.
        server = Server::start(&data, &[], Disk::Slow { calls: SYNCS, ms: 5_000, file: Some("journal.db-wal") }, &client).await;
        let requests = vec![sign_up(&server.url, 0, "secret1"), sign_up(&server.url, 1, "secret1")];
        cut_off(&mut server, requests, async || number(&data, "select count(*) from users where registered_seq is null") == 2).await;

        server = Server::start(&data, &[], Disk::Plain, &client).await;
        let finished = Answer::to(sign_up(&server.url, 0, "secret1")).await.unwrap();
        let made = finished.ok()["data"].clone();
        let account = format!("select id from users where account_number = '{}'", made["account_number"].as_str().unwrap());
        assert_eq!(made["user_id"], number(&data, &account));
        let again = Answer::to(sign_up(&server.url, 0, "secret1")).await.unwrap();
        assert_eq!((&again.text, again.seq, again.replay), (&finished.text, finished.seq, true));
        assert_eq!(number(&data, "select count(*) from users where email is not null"), 2);
        assert_eq!(number(&data, "select count(*) from answers where caller like 'begun%'"), 1, "a note outlived its write");
        let other = Answer::to(sign_up(&server.url, 1, "another2")).await.unwrap();
        assert_eq!(other.error(), "E_DUP_REQUEST", "the key belongs to another write");

        let login = write(&client, &server.url, "/api/user/login", "user_string=ann@example.com&password=secret1", "");
        let token = Answer::to(login).await.unwrap().ok()["message"].as_str().unwrap().to_owned();
        let faucet = write(&client, &server.url, "/sandbox/faucet", "asset=USDT&amount=5", "").header("authorization", token);
        assert_eq!(Answer::to(faucet).await.unwrap().ok()["message"]["balance"], "5.000000");
    });
}

async fn time(client: &reqwest::Client, url: &str) -> u64 {
    Answer::to(client.get(format!("{url}/api/app/config"))).await.unwrap().ok()["message"]["server_time_ms"].as_u64().unwrap()
}

async fn price(client: &reqwest::Client, url: &str) -> Json {
    let pair = Answer::to(client.get(format!("{url}/api/currency/deal?currency_id=1&legal_id=3"))).await.unwrap().ok();
    pair["message"]["index_price"].clone()
}

#[test]
fn sandbox_inputs_that_were_cut_off_act_once() {
    const STEP_MS: u64 = 3_600_000;
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        Server::start(&data, &[], Disk::Plain, &client).await.kill();
        // The journal has the input, but the answer is not written yet.
        let slow = Disk::Slow { calls: WRITES, ms: 20, file: Some("meridian.db-wal") };
        let mut server = Server::start(&data, &[], slow, &client).await;
        let before = time(&client, &server.url).await;
        let clock = |url: &str| write(&client, url, "/sandbox/clock", &format!("advance_ms={STEP_MS}"), "clock");
        let (request, url) = (vec![clock(&server.url)], server.url.clone());
        cut_off(&mut server, request, async || time(&client, &url).await >= before + STEP_MS).await;

        server = Server::start(&data, &[], slow, &client).await;
        let moved = Answer::to(clock(&server.url)).await.unwrap();
        assert_eq!(Answer::to(clock(&server.url)).await.unwrap().text, moved.text);
        let moved = moved.ok()["message"].take();
        let (from, to) = (moved["from_ms"].as_u64().unwrap(), moved["time_ms"].as_u64().unwrap());
        assert_eq!(to - from, STEP_MS);
        let after = time(&client, &server.url).await;
        assert!((to..before + STEP_MS + 60_000).contains(&after), "an hour once, not twice: {before} {after}");

        let pin = |url: &str, price: u32, key: &str| write(&client, url, "/sandbox/price", &format!("symbol=BTC/USDT&price={price}"), key);
        let (request, url) = (vec![pin(&server.url, 70_001, "first")], server.url.clone());
        cut_off(&mut server, request, async || price(&client, &url).await == "70001.00").await;

        server = Server::start(&data, &[], Disk::Plain, &client).await;
        let second = Answer::to(pin(&server.url, 70_002, "second")).await.unwrap();
        let first = Answer::to(pin(&server.url, 70_001, "first")).await.unwrap();
        assert_eq!(price(&client, &server.url).await, "70002.00", "the first pin was done again");
        assert!(first.replay && first.seq < second.seq, "{} {}", first.seq, second.seq);
        let sample = first.ok()["message"]["sample"].take();
        assert_eq!((sample["seq"].as_u64(), sample["price"].as_str()), (Some(first.seq), Some("70001.00")));
        assert!(sample["time_ms"].as_u64() < second.ok()["message"]["sample"]["time_ms"].as_u64());
    });
}

#[test]
fn sandbox_inputs_that_were_answered_act_once_after_a_kill() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let mut server = Server::start(&data, &[], Disk::Plain, &client).await;
        let member = crate::load::Member::new(&client, &server.url, 0, fastrand::Rng::with_seed(1)).await;
        let inputs = [
            ("/sandbox/faucet", "asset=USDT&amount=7"),
            ("/sandbox/clock", "advance_ms=60000"),
            ("/sandbox/price", "symbol=ETH/USDT&price=3000"),
        ];
        let send = async |url: &str, path: &str, form: &str| {
            Answer::to(write(&client, url, path, form, &path[9..]).header("authorization", &member.token)).await.unwrap()
        };
        let mut first = Vec::new();
        for (path, form) in inputs {
            first.push(send(&server.url, path, form).await);
            server.kill();
            server = Server::start(&data, &[], Disk::Plain, &client).await;
        }
        for ((path, form), first) in inputs.into_iter().zip(first) {
            first.ok();
            let again = send(&server.url, path, form).await;
            assert_eq!((&again.text, again.replay), (&first.text, true), "{path}");
        }
    });
}

/// The kill comes as soon as the change can be seen in the database. Each write to the disk takes a while, so an answer of a
/// transaction of its own would not be there yet.
#[test]
fn a_write_beside_the_log_that_a_kill_met_behind_its_commit_happened_once() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let data = folder.path().join("data");
        let mut server = Server::start(&data, &[], Disk::Plain, &client).await;
        let [ann, bob] = [0, 1].map(|number| (number, fastrand::Rng::with_seed(1)));
        let ann = crate::load::Member::new(&client, &server.url, ann.0, ann.1).await.token;
        let bob = crate::load::Member::new(&client, &server.url, bob.0, bob.1).await.token;
        let post = async |token: &str, path: &str, form: &str| {
            let request = write(&client, &server.url, path, form, "").header("authorization", token);
            Answer::to(request).await.unwrap().ok()["message"].take()
        };
        let user = async |token: &str| {
            let request = client.get(format!("{}/api/user/center", server.url)).header("authorization", token);
            Answer::to(request).await.unwrap().ok()["message"]["id"].to_string()
        };
        let desk = post("", "/sandbox/operator", "role=support&name=sue").await["token"].as_str().unwrap().to_owned();
        let (letter, news) = ("title=Lost&content=Where+is+it", "c_id=4&lang=en&title=Pause&content=x");
        let ticket = post(&ann, "/api/feedback/add", letter).await["id"].to_string();
        let article = post(&desk, "/operator/api/news/save", news).await["id"].to_string();
        let (hers, his) = (user(&ann).await, user(&bob).await);
        let sessions = format!("select count(*) from sessions where user_id = {his}");
        let [alerts, tickets, messages, exports, articles] =
            ["alerts", "tickets", "messages", "exports", "articles"].map(|table| format!("select count(*) from {table}"));
        let calls = [
            (&ann, "/api/alert/add", "match_id=1&direction=above&price=900000".to_owned(), &alerts),
            (&ann, "/api/feedback/add", letter.to_owned(), &tickets),
            (&ann, "/api/feedback/reply", format!("id={ticket}&content=Still+nothing"), &messages),
            (&ann, "/api/chat/send", "content=Hello".to_owned(), &messages),
            (&ann, "/api/user/export", "password=secret1".to_owned(), &exports),
            (&desk, "/operator/api/ticket/reply", format!("id={ticket}&content=On+its+way"), &messages),
            (&desk, "/operator/api/chat/reply", format!("user_id={hers}&content=Hello"), &messages),
            (&desk, "/operator/api/news/save", news.to_owned(), &articles),
            (&desk, "/operator/api/news/delete", format!("id={article}"), &articles),
            (&desk, "/operator/api/user/end_sessions", format!("id={his}&reason=he+phoned"), &sessions),
        ];
        server.kill();
        let slow = Disk::Slow { calls: WRITES, ms: 20, file: Some("meridian.db-wal") };
        server = Server::start(&data, &[], slow, &client).await;
        for (at, (token, path, form, rows)) in calls.into_iter().enumerate() {
            let request = |url: &str| write(&client, url, path, &form, &format!("key-{at}")).header("authorization", token);
            let before = number(&data, rows);
            let sent = tokio::spawn(Answer::to(request(&server.url)));
            until(path, async || number(&data, rows) != before).await;
            server.kill();
            let told = sent.await.unwrap();

            server = Server::start(&data, &[], slow, &client).await;
            assert_eq!((number(&data, rows) - before).abs(), 1, "{path}");
            let first = Answer::to(request(&server.url)).await.unwrap();
            first.ok();
            assert!(first.replay, "{path} was done again: {}", first.text);
            assert!(told.is_none_or(|told| told.text == first.text), "{path}: {}", first.text);
            let again = Answer::to(request(&server.url)).await.unwrap();
            assert_eq!((&again.text, again.replay), (&first.text, true), "{path}");
            assert_eq!((number(&data, rows) - before).abs(), 1, "{path}");
        }
    });
}
