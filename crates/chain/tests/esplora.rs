//! The watcher of Bitcoin against a server on this machine. Its answers have the form that the interface of Esplora documents; there is
//! no real chain behind them.

#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod support;

use std::time::Duration;

use chain::Chain;
use chain::watch::{AddressBook, Cursor, Observation, PollResult, Settings, WatchError, Watcher};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::replay::Replay;

const GENESIS: &str = "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f";
const OURS: &str = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu";
const SECOND: &str = "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g";
const STRANGER: &str = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";

/// A hash that shows what it belongs to.
fn hash(kind: char, number: u64) -> String {
    format!("{}{number:063}", if kind == 'b' { 'b' } else { 'a' })
}

/// A transaction in the form of the interface. Without a block it waits in the pool.
fn transaction(number: u64, block: Option<(u64, &str)>, outputs: &[(&str, u64)]) -> Value {
    let vout: Vec<Value> = outputs
        .iter()
        .map(|(address, value)| json!({"scriptpubkey": "0014", "scriptpubkey_type": "v0_p2wpkh", "scriptpubkey_address": address, "value": value}))
        .chain([json!({"scriptpubkey": "6a", "scriptpubkey_type": "op_return", "value": 0})])
        .collect();
    let status = block.map_or(
        json!({"confirmed": false}),
        |(height, hash)| json!({"confirmed": true, "block_height": height, "block_hash": hash, "block_time": 1_700_000_000 + 600 * height}),
    );
    json!({"txid": hash('t', number), "version": 2, "locktime": 0, "vin": [], "vout": vout, "size": 222, "weight": 561, "fee": 1_410, "status": status})
}

/// The index, and a watcher with its memory.
struct Scene {
    index: Replay,
    watcher: Watcher,
    book: AddressBook,
    cursor: Cursor,
}

impl Scene {
    async fn new() -> Scene {
        Scene::with(|_| {}).await
    }

    async fn with(change: impl FnOnce(&mut Settings)) -> Scene {
        let index = Replay::start().await;
        let mut settings = Settings::mainnet(Chain::Bitcoin, &index.url);
        settings.patience.pause = Duration::from_millis(1);
        settings.depth = 6;
        change(&mut settings);
        let mut book = AddressBook::new(Chain::Bitcoin);
        book.insert(OURS).unwrap();
        index.set("/block-height/0", GENESIS);
        let scene = Scene { index, watcher: Watcher::new(&settings).unwrap(), book, cursor: Cursor::default() };
        scene.tip(100);
        scene.list(OURS, &[]);
        scene.list(SECOND, &[]);
        scene
    }

    fn tip(&self, height: u64) {
        self.index.set("/blocks/tip/height", height);
    }

    /// The whole history of an address: pages of 25, the first one with what waits.
    fn list(&self, address: &str, newest_first: &[Value]) {
        let confirmed = |tx: &&Value| tx["status"]["confirmed"] == true;
        let (waiting, settled): (Vec<&Value>, Vec<&Value>) = newest_first.iter().partition(|tx| !confirmed(tx));
        let first = settled.iter().take(25).copied();
        self.index.set(&format!("/address/{address}/txs"), json!(waiting.into_iter().chain(first).collect::<Vec<_>>()));
        for (at, tx) in settled.iter().enumerate() {
            let page: Vec<_> = settled.iter().skip(at + 1).take(25).collect();
            self.index.set(&format!("/address/{address}/txs/chain/{}", tx["txid"].as_str().unwrap()), json!(page));
        }
    }

    async fn poll(&mut self) -> PollResult {
        let seen = self.try_poll().await.unwrap();
        self.cursor = Cursor::from_text(&seen.cursor.to_text()).unwrap();
        seen
    }

    async fn try_poll(&mut self) -> Result<PollResult, WatchError> {
        self.watcher.poll(&self.book, &self.cursor).await
    }
}

fn short(seen: &[Observation]) -> Vec<(&str, u32, u64, u64)> {
    seen.iter().map(|one| (one.tx.as_str(), one.output, one.amount, one.confirmations)).collect()
}

#[tokio::test]
async fn each_output_to_us_is_seen_once_it_has_a_block() {
    let mut scene = Scene::new().await;
    scene.list(OURS, &[transaction(1, None, &[(OURS, 5_000)])]);
    assert_eq!(scene.poll().await.observed, [], "it waits in the pool");
    let paid = [(STRANGER, 700), (OURS, 5_000), (SECOND, 9), (OURS, 6_000), (OURS, 0)];
    scene.list(OURS, &[transaction(1, Some((100, &hash('b', 100))), &paid)]);
    let seen = scene.poll().await;
    let tx = hash('t', 1);
    assert_eq!(short(&seen.observed), [(tx.as_str(), 1, 5_000, 1), (tx.as_str(), 3, 6_000, 1)]);
    let one = &seen.observed[0];
    assert_eq!((one.chain, one.coin.as_str(), one.rest, &one.contract), (Chain::Bitcoin, "BTC", 0, &None));
    assert_eq!((one.address.as_str(), one.height, one.block.as_str()), (OURS, 100, hash('b', 100).as_str()));
    assert_eq!(one.key(), format!("BTC:{tx}:1"));
    assert_eq!((seen.tip, seen.behind), (100, false));
}

#[tokio::test]
async fn confirmations_grow_until_the_depth_and_a_settled_history_is_not_read_again() {
    let mut scene = Scene::new().await;
    let history: Vec<Value> = (0..60u64).rev().map(|n| transaction(n, Some((40 + n, &hash('b', 40 + n))), &[(OURS, 1_000 + n)])).collect();
    scene.list(OURS, &history);
    let seen = scene.poll().await;
    assert_eq!(seen.observed.len(), 60, "three pages");
    for (tip, confirmations) in [(101, 3), (103, 5), (104, 6)] {
        scene.tip(tip);
        let seen = scene.poll().await;
        assert_eq!(seen.observed.iter().map(|one| one.confirmations).min(), Some(confirmations));
        assert!(seen.observed.len() <= 7, "only what is not settled: {}", seen.observed.len());
    }
    scene.tip(200);
    scene.poll().await;
    scene.index.take_asked();
    assert_eq!(scene.poll().await.observed, []);
    assert_eq!(scene.index.take_asked(), ["/blocks/tip/height".to_owned(), format!("/address/{OURS}/txs")], "one page is enough");
}

#[tokio::test]
async fn the_last_telling_has_all_confirmations_at_any_pace() {
    for pace in [1, 2, 3, 5, 50] {
        let mut scene = Scene::new().await;
        scene.poll().await;
        scene.list(OURS, &[transaction(1, Some((101, &hash('b', 101))), &[(OURS, 5_000)])]);
        let mut last = 0;
        for tip in (101..200).step_by(pace) {
            scene.tip(tip);
            last = scene.poll().await.observed.first().map_or(last, |one| one.confirmations);
        }
        assert!(last >= 6, "pace {pace}: {last}");
    }
}

#[tokio::test]
async fn a_deposit_is_gone_only_when_its_block_is_known_to_be_replaced() {
    let mut scene = Scene::new().await;
    let block = hash('b', 100);
    let status = format!("/block/{block}/status");
    scene.list(OURS, &[transaction(1, Some((100, &block)), &[(OURS, 5_000)])]);
    let told = scene.poll().await.observed;
    // The index does not list it but has the same chain: this is doubt, so nothing is reported.
    scene.list(OURS, &[]);
    assert_eq!(scene.poll().await.gone, [], "the index does not know the block");
    scene.index.set(&status, json!({"in_best_chain": true, "height": 100, "next_best": null}));
    let seen = scene.poll().await;
    assert_eq!((seen.gone, seen.observed), (vec![], vec![]));
    scene.index.set(&status, json!({"in_best_chain": false}));
    assert_eq!(scene.poll().await.gone, told);
    assert_eq!(scene.poll().await.gone, [], "told once");
}

#[tokio::test]
async fn a_deposit_that_was_in_doubt_is_told_to_the_end_however_late() {
    let mut scene = Scene::new().await;
    let paid = transaction(1, Some((100, &hash('b', 100))), &[(OURS, 5_000)]);
    scene.list(OURS, std::slice::from_ref(&paid));
    scene.poll().await;
    // While the index omits it, the chain grows far beyond the depth.
    scene.list(OURS, &[]);
    for tip in [130, 160] {
        scene.tip(tip);
        let seen = scene.poll().await;
        assert_eq!((seen.gone, seen.observed), (vec![], vec![]));
    }
    scene.list(OURS, &[paid]);
    assert_eq!(short(&scene.poll().await.observed), [(hash('t', 1).as_str(), 0, 5_000, 61)]);
    assert_eq!(scene.poll().await.observed, [], "and then it is settled");
}

#[tokio::test]
async fn a_deposit_that_moves_to_another_block_is_gone_and_seen_again() {
    let mut scene = Scene::new().await;
    scene.list(OURS, &[transaction(1, Some((99, &hash('b', 99))), &[(OURS, 5_000)])]);
    let told = scene.poll().await.observed;
    scene.list(OURS, &[transaction(1, Some((100, &hash('b', 7))), &[(OURS, 5_000)])]);
    let seen = scene.poll().await;
    assert_eq!(seen.gone, told);
    assert_eq!(short(&seen.observed), [(hash('t', 1).as_str(), 0, 5_000, 1)]);
    assert_eq!(scene.poll().await.gone, []);
}

#[tokio::test]
async fn a_round_goes_through_all_addresses_in_parts_and_misses_nothing() {
    let mut scene = Scene::with(|settings| settings.step = 1).await;
    scene.book.insert(SECOND).unwrap();
    let paid = transaction(1, Some((100, &hash('b', 100))), &[(OURS, 5_000), (SECOND, 6_000)]);
    scene.list(OURS, std::slice::from_ref(&paid));
    scene.list(SECOND, &[paid]);
    let first = scene.poll().await;
    assert_eq!((first.observed[0].address.as_str(), first.behind), (OURS, true));
    // Between the parts the chain grows far beyond the depth.
    scene.tip(150);
    let second = scene.poll().await;
    assert_eq!((second.observed[0].address.as_str(), second.behind), (SECOND, false));
    assert_eq!(short(&second.observed), [(hash('t', 1).as_str(), 1, 6_000, 51)]);
    let third = scene.poll().await;
    assert_eq!(short(&third.observed), [(hash('t', 1).as_str(), 0, 5_000, 51)], "the first one is told to the end");
}

#[tokio::test]
async fn a_tired_index_is_asked_again_and_a_dead_one_leaves_the_memory_as_it_was() {
    let mut scene = Scene::new().await;
    for status in [429, 500, 503] {
        scene.index.script().failing = (3, status);
        assert_eq!(scene.poll().await.tip, 100, "{status}");
    }
    scene.index.script().failing = (4, 503);
    let error = scene.try_poll().await.unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, WatchError::Unreachable { .. }), "{text}");
    assert!(!text.contains("127.0.0.1"), "the address of the index may hold a secret: {text}");
    scene.index.script().failing = (1, 401);
    scene.index.take_asked();
    assert!(matches!(scene.try_poll().await, Err(WatchError::Answer { .. })));
    assert_eq!(scene.index.take_asked().len(), 1, "a refusal is not repeated");
    assert_eq!(scene.poll().await.tip, 100);
}

#[tokio::test]
async fn limits_of_time_and_length_hold() {
    let mut scene = Scene::with(|settings| settings.patience.longest = 4_000).await;
    scene.poll().await;
    let long: Vec<Value> =
        (0..25u64).rev().map(|n| transaction(n, Some((70 + n, &hash('b', 70 + n))), &[(OURS, 1), (STRANGER, 1)])).collect();
    scene.list(OURS, &long);
    let error = scene.try_poll().await.unwrap_err().to_string();
    assert!(error.contains("more than 4000 bytes"), "{error}");

    // A server that accepts the connection and never answers.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mut settings = Settings::mainnet(Chain::Bitcoin, &format!("http://{}/secret-key", silent.local_addr().unwrap()));
    (settings.patience.timeout, settings.patience.tries) = (Duration::from_millis(100), 1);
    let mut watcher = Watcher::new(&settings).unwrap();
    let started = std::time::Instant::now();
    let error = watcher.poll(&scene.book, &scene.cursor).await.unwrap_err();
    assert!(matches!(error, WatchError::Unreachable { .. }), "{error}");
    assert!(started.elapsed() < Duration::from_secs(5));
    for shown in [error.to_string(), format!("{error:?} {watcher:?} {settings:?}")] {
        assert!(!shown.contains("secret-key"), "{shown}");
    }
}

#[tokio::test]
async fn another_network_is_refused() {
    let mut scene = Scene::new().await;
    scene.index.set("/block-height/0", "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943");
    assert!(matches!(scene.try_poll().await, Err(WatchError::Network { .. })));
}

#[tokio::test]
async fn a_cursor_or_book_of_another_chain_is_refused() {
    let mut scene = Scene::new().await;
    let other = Cursor::from_text(r#"{"Blocks":{"blocks":[[1,"0x00"]],"pending":[]}}"#).unwrap();
    assert_eq!(scene.watcher.poll(&scene.book, &other).await.err(), Some(WatchError::Cursor));
    assert_eq!(Cursor::from_text("{}").err(), Some(WatchError::Cursor));
    assert!(matches!(scene.watcher.poll(&AddressBook::new(Chain::Tron), &scene.cursor).await, Err(WatchError::Settings(_))));
}

#[tokio::test]
async fn lists_that_make_no_sense_are_errors() {
    let mut scene = Scene::new().await;
    let good = |number, height| transaction(number, Some((height, &hash('b', height))), &[(OURS, 5_000)]);
    let without_block = json!([{"txid": hash('t', 1), "vout": [], "status": {"confirmed": true}}]);
    let mut bad_id = good(1, 100);
    bad_id["txid"] = "x/../../secret".into();
    let mut fraction = good(1, 100);
    fraction["vout"][0]["value"] = json!(0.5);
    let mut negative = good(1, 100);
    negative["vout"][0]["value"] = json!(-1);
    for (what, page) in [
        ("twice", json!([good(1, 95), good(1, 95)])),
        ("no block", without_block),
        ("no hash", json!([bad_id])),
        ("a fraction", json!([fraction])),
        ("less than nothing", json!([negative])),
        ("an object", json!({})),
        ("a string", json!("busy")),
        (
            "a height beyond all",
            json!([{"txid": hash('t', 1), "vout": [], "status": {"confirmed": true, "block_height": 1e30, "block_hash": hash('b', 1)}}]),
        ),
    ] {
        scene.index.set(&format!("/address/{OURS}/txs"), page);
        assert!(matches!(scene.try_poll().await, Err(WatchError::Answer { .. })), "{what}");
    }
    scene.list(OURS, &[good(1, 96), good(2, 97)]);
    assert!(scene.try_poll().await.unwrap_err().to_string().contains("newest first"));
    scene.list(OURS, &[]);
    for tip in ["", "-1", "1e3", "18446744073709551615", "18446744073709551616"] {
        scene.index.set("/blocks/tip/height", tip);
        assert!(matches!(scene.try_poll().await, Err(WatchError::Answer { .. })), "{tip}");
    }
    scene.tip(100);
    // An index that repeats the same page for ever.
    scene.index.set(&format!("/address/{OURS}/txs"), json!([good(1, 95)]));
    scene.index.set(&format!("/address/{OURS}/txs/chain/{}", hash('t', 1)), json!([good(1, 95)]));
    assert!(scene.try_poll().await.unwrap_err().to_string().contains("circles"));
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let refused = |change: fn(&mut Settings)| {
        let mut settings = Settings::mainnet(Chain::Bitcoin, "https://example.com/api");
        assert!(Watcher::new(&settings).is_ok());
        change(&mut settings);
        assert!(matches!(Watcher::new(&settings), Err(WatchError::Settings(_))), "{settings:?}");
    };
    refused(|settings| settings.url = "not a url".into());
    refused(|settings| settings.url = "file:///etc/passwd".into());
    refused(|settings| settings.headers = vec![("a b".into(), "c".into())]);
    refused(|settings| settings.headers = vec![("key".into(), "a\nb".into())]);
    refused(|settings| settings.depth = 0);
    refused(|settings| settings.step = 0);
    refused(|settings| settings.patience.tries = 0);
    refused(|settings| settings.tokens = Settings::mainnet(Chain::Tron, "").tokens);
    refused(|settings| (settings.chain, settings.tokens) = (Chain::Ethereum, Settings::mainnet(Chain::Tron, "").tokens));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    /// Whatever replaces an answer, the poll returns a value.
    #[test]
    fn broken_answers_are_errors_and_never_panics(cut in 0usize..400, byte in any::<u8>(), which in 0usize..3) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut scene = Scene::with(|settings| settings.patience.tries = 1).await;
            let page = json!([transaction(1, Some((100, &hash('b', 100))), &[(OURS, 5_000)])]).to_string();
            let mut broken = page.into_bytes();
            match which {
                0 => broken.truncate(cut),
                1 => broken[cut] = byte,
                _ => broken = vec![byte; cut],
            }
            let text = String::from_utf8_lossy(&broken).into_owned();
            scene.index.set(if which == 2 { "/blocks/tip/height" } else { "/address/bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu/txs" }, text);
            if let Ok(seen) = scene.try_poll().await {
                assert!(seen.observed.len() <= 1);
            }
        });
    }
}

#[tokio::test]
async fn an_index_that_tires_in_the_middle_does_not_stop_the_round() {
    let mut scene = Scene::new().await;
    scene.book.insert(SECOND).unwrap();
    let paid = transaction(1, Some((100, &hash('b', 100))), &[(OURS, 5_000), (SECOND, 6_000)]);
    scene.list(OURS, std::slice::from_ref(&paid));
    scene.index.set(&format!("/address/{SECOND}/txs"), "busy");
    let seen = scene.poll().await;
    assert_eq!((short(&seen.observed), seen.behind), (vec![(hash('t', 1).as_str(), 0, 5_000, 1)], true));
    assert!(scene.try_poll().await.is_err(), "now it is the first one to ask for");
    scene.list(SECOND, &[paid]);
    let seen = scene.poll().await;
    assert_eq!((short(&seen.observed), seen.behind), (vec![(hash('t', 1).as_str(), 1, 6_000, 1)], false));
}

#[tokio::test]
async fn an_output_is_looked_up_with_what_it_pays_to_whomever() {
    let mut scene = Scene::new().await;
    let tx = hash('t', 7);
    let path = format!("/tx/{tx}");
    assert_eq!(scene.watcher.output(&tx, 0, "BTC").await.unwrap(), None, "nothing of this name");
    let paid = [(STRANGER, 700), (SECOND, 900)];
    scene.index.set(&path, transaction(7, None, &paid));
    assert_eq!(scene.watcher.output(&tx, 1, "BTC").await.unwrap(), None, "it waits in the pool");
    scene.index.set(&path, transaction(7, Some((98, &hash('b', 98))), &paid));
    let found = scene.watcher.output(&tx, 1, "BTC").await.unwrap().unwrap();
    assert_eq!((found.address.as_str(), found.amount, found.output, found.confirmations), (SECOND, 900, 1, 3));
    for number in [2, 3, u64::MAX] {
        assert_eq!(scene.watcher.output(&tx, number, "BTC").await.unwrap(), None, "a note, and no output");
    }
    scene.index.set(&path, transaction(8, Some((98, &hash('b', 98))), &paid));
    assert!(scene.watcher.output(&tx, 0, "BTC").await.is_err(), "another transaction");
}
