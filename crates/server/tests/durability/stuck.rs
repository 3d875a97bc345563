//! A node that is blocked ends in bounded time: by its watchdog, and by a signal whatever is blocked.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::Client;

use crate::load::Member;
use crate::process::{Answer, Disk, Server, block_on, client, write};

/// A server whose sequencer stays in a step, with the state locked, as soon as `stall` requests it.
async fn stallable(data: &Path, stall: &Path, client: &Client) -> Server {
    let variables = [("MERIDIAN_TEST_STALL", stall.to_str().unwrap())];
    let server = Server::start_with(data, &["--workers", "1"], &variables, Disk::Plain, client).await;
    assert_eq!(client.get(format!("{}/healthz", server.url)).send().await.unwrap().status(), 200);
    server
}

#[test]
fn a_blocked_node_is_ended_by_its_watchdog_with_a_reason() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let (data, stall) = (folder.path().join("data"), folder.path().join("stall"));
        let mut server = stallable(&data, &stall, &client).await;
        fs::write(&stall, "Apply").unwrap();
        let blocked = Instant::now();
        // A reader of the state now blocks a thread of the runtime for good, and the runtime has only one.
        let reader = tokio::spawn(client.get(format!("{}/api/market/book?symbol=BTC/USDT", server.url)).send());
        let (ended, said) = tokio::task::spawn_blocking(move || server.ended()).await.unwrap();
        let after = blocked.elapsed();
        assert_eq!(ended.code(), Some(1), "{said}");
        assert!(said.contains("meridian: a group is not applied after 5 s: the sequencer waits for the state"), "{said}");
        assert!(after < Duration::from_secs(10), "{after:?}");
        reader.abort();
        // Nothing was lost on the way.
        fs::remove_file(&stall).unwrap();
        stallable(&data, &stall, &client).await.stop();
    });
}

#[test]
fn a_write_is_answered_within_ten_seconds_while_the_journal_is_not_and_its_key_finds_the_truth() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let (data, stall) = (folder.path().join("data"), folder.path().join("stall"));
        let mut server = stallable(&data, &stall, &client).await;
        let mut ann = Member::new(&client, &server.url, 1, fastrand::Rng::with_seed(1)).await;
        fs::write(&stall, "Commit").unwrap();
        server.wait_for(503, &client).await;
        let form = "currency_id=3&number=1&from_field=change&to_field=lever";
        let asked = Instant::now();
        let answer = ann.post("/api/wallet/change", form, "once").await.unwrap();
        let after = asked.elapsed();
        assert_eq!((answer.status, answer.error().as_str()), (503, "E_OUTCOME_UNKNOWN"));
        assert!(after < Duration::from_secs(10), "{after:?}");
        server.kill();
        drop(server);
        fs::remove_file(&stall).unwrap();
        let mut server = stallable(&data, &stall, &client).await;
        ann.meet(&server.url);
        let first = ann.post("/api/wallet/change", form, "once").await.unwrap();
        first.ok();
        let again = ann.post("/api/wallet/change", form, "once").await.unwrap();
        assert!(again.replay && again.text == first.text);
        server.stop();
    });
}

#[test]
fn no_write_waits_for_others_beyond_ten_seconds_and_what_waited_is_done_once() {
    block_on(async {
        let (folder, client) = (tempfile::tempdir().unwrap(), client());
        let (data, stall) = (folder.path().join("data"), folder.path().join("stall"));
        let mut server = stallable(&data, &stall, &client).await;
        let ann = Member::new(&client, &server.url, 1, fastrand::Rng::with_seed(1)).await;
        fs::write(&stall, "Commit").unwrap();
        server.wait_for(503, &client).await;
        let send = async |wait: u64, path: &str, form: &str, key: &str| {
            tokio::time::sleep(Duration::from_millis(wait)).await;
            let (asked, request) = (Instant::now(), write(&client, &server.url, path, form, key).header("authorization", &ann.token));
            let answer = Answer::to(request).await.expect("an answer");
            let after = asked.elapsed();
            println!("{key} is {} after {after:?}", answer.error());
            assert_eq!((answer.status, answer.error().as_str()), (503, "E_OUTCOME_UNKNOWN"), "{key}: {}", answer.text);
            assert!(after < Duration::from_secs(10), "{key}: answered after {after:?}");
        };
        // Three have one turn after another, and of two under one key the second waits for the first.
        let (add, change) = ("/api/wallet/addaddress", "/api/wallet/change");
        let address = "currency_id=3&netType=TRC20&address=TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8&pay_password=135791&code=123456";
        let move_one = "currency_id=3&number=1&from_field=change&to_field=lever";
        tokio::join!(
            send(0, add, address, "first"),
            send(100, add, address, "second"),
            send(200, add, address, "third"),
            send(0, change, move_one, "once"),
            send(1_000, change, move_one, "once"),
        );
        server.kill();
        drop(server);
        fs::remove_file(&stall).unwrap();
        let mut server = stallable(&data, &stall, &client).await;
        let mut ann = ann;
        ann.meet(&server.url);
        let first = ann.post(change, move_one, "once").await.unwrap();
        first.ok();
        let again = ann.post(change, move_one, "once").await.unwrap();
        assert!(again.replay && again.text == first.text);
        assert_eq!(ann.rows("wallet/hzhistory", "data").await.len(), 1);
        server.stop();
    });
}

/// The part that is blocked when the signal comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blocked {
    /// The journal does not answer. No watchdog ends that, but the node reports that it is not ready.
    Journal,
    /// A reader keeps the state while nothing is written, which no watchdog ends either. Further readers block every serving thread,
    /// because there is only one.
    RuntimeAndState,
    /// A durable group does not get into the state: the watchdog is about to end that, and a signal does not keep it from doing so.
    Apply,
}

/// Blocks a node, tells it to stop, once or twice, and returns its output and how long that took.
async fn told_to_end(blocked: Blocked, twice: bool) -> (String, Duration) {
    let (folder, client) = (tempfile::tempdir().unwrap(), client());
    let (data, stall) = (folder.path().join("data"), folder.path().join("stall"));
    let mut server = stallable(&data, &stall, &client).await;
    let step = match blocked {
        Blocked::Journal => "Commit",
        Blocked::RuntimeAndState => "Idle",
        Blocked::Apply => "Apply",
    };
    fs::write(&stall, step).unwrap();
    let reader = match blocked {
        Blocked::Journal => {
            server.wait_for(503, &client).await;
            None
        }
        Blocked::RuntimeAndState | Blocked::Apply => {
            let read = || client.get(format!("{}/api/market/book?symbol=BTC/USDT", server.url)).send();
            let begun = Instant::now();
            while tokio::time::timeout(Duration::from_secs(1), read()).await.is_ok() {
                assert!(begun.elapsed() < Duration::from_secs(30), "nobody keeps the state");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            Some(tokio::spawn(read()))
        }
    };
    if blocked == Blocked::RuntimeAndState {
        let alive = client.get(format!("{}/healthz", server.url)).timeout(Duration::from_secs(1)).send().await;
        assert!(alive.is_err_and(|error| error.is_timeout()), "a thread that serves is left");
    }
    let asked = Instant::now();
    server.signal("TERM");
    if twice {
        tokio::time::sleep(Duration::from_millis(500)).await;
        server.signal("TERM");
    }
    let (ended, said) = tokio::task::spawn_blocking(move || server.ended()).await.unwrap();
    reader.into_iter().for_each(|reader| reader.abort());
    assert_eq!(ended.code(), Some(1), "{blocked:?}: {said}");
    (said, asked.elapsed())
}

#[test]
fn a_signal_ends_a_node_whatever_is_blocked() {
    const LATE: &str = "meridian: the orderly end took too long after a signal";
    const AGAIN: &str = "meridian: ended by a second signal";
    const WATCHED: &str = "meridian: a group is not applied after 5 s";
    let ends = async |blocked, twice, reason: &str, seconds| {
        let (said, after) = told_to_end(blocked, twice).await;
        assert!(said.contains(reason), "{blocked:?}: {said}");
        println!("{blocked:?}, twice {twice}: ended after {after:?}");
        assert!(after < Duration::from_secs(seconds), "{blocked:?}: {after:?}");
    };
    block_on(async {
        // All at once, so that each of them waits most of the time.
        tokio::join!(
            ends(Blocked::Journal, false, LATE, 25),
            ends(Blocked::Journal, true, AGAIN, 10),
            ends(Blocked::RuntimeAndState, false, LATE, 25),
            ends(Blocked::RuntimeAndState, true, AGAIN, 10),
            ends(Blocked::Apply, false, WATCHED, 15),
        );
    });
}
