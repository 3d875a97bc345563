//! The watcher of Tron against a server on this machine. Its answers have the form that TronGrid and the HTTP interface of a node
//! document; there is no real chain behind them.

#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod support;

use std::time::Duration;

use chain::Chain;
use chain::watch::{AddressBook, Cursor, Observation, PollResult, Settings, WatchError, Watcher};
use serde_json::{Value, json};
use support::replay::Replay;

const GENESIS: &str = "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc";
const OURS: &str = "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH";
const OURS_ACCOUNT: &str = "c8599111f29c1e1e061265b4af93ea1f274ad78a";
const SECOND: &str = "TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK";
const SECOND_ACCOUNT: &str = "b6e708a39781c96bd399c7657780ff9fe9f052a8";
const USDT: &str = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const USDT_ACCOUNT: &str = "a614f803b6fd780986a42c78ec9c7f77e6ded13c";
const TRANSFER: &str = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/// The time of block 0 of the story, ms.
const BEGIN: u64 = 1_700_000_000_000;

fn hash(kind: char, number: u64) -> String {
    format!("{kind}{number:063}")
}

/// An event of a transfer.
fn transfer(contract: &str, to: &str, value: &str) -> Value {
    let topics = [TRANSFER.to_owned(), format!("{:0>64}", "b4a428ab7092c2f1395f376ce297033b3bb446c1"), format!("{to:0>64}")];
    json!({"address": contract, "topics": topics, "data": format!("{value:0>64}")})
}

/// An event that is no transfer.
fn approval(contract: &str) -> Value {
    json!({"address": contract, "topics": ["8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925"], "data": "00"})
}

/// A line in the list of an address.
fn line(number: u64, contract: &str) -> Value {
    json!({
        "transaction_id": hash('a', number),
        "token_info": {"symbol": "USDT", "address": contract, "decimals": 6, "name": "Tether USD"},
        "block_timestamp": BEGIN,
        "from": "TSTVYwFDp7SBfZk7Hrz3tucwQVASyJdwC7",
        "to": OURS,
        "type": "Transfer",
        "value": "999999999999",
    })
}

struct Scene {
    index: Replay,
    watcher: Watcher,
    book: AddressBook,
    cursor: Cursor,
}

impl Scene {
    async fn new() -> Scene {
        let index = Replay::start().await;
        let mut settings = Settings::mainnet(Chain::Tron, &format!("{}/", index.url));
        settings.patience.pause = Duration::from_millis(1);
        settings.headers = vec![("TRON-PRO-API-KEY".into(), "the-key".into())];
        settings.depth = 20;
        let mut book = AddressBook::new(Chain::Tron);
        book.insert(OURS).unwrap();
        let scene = Scene { index, watcher: Watcher::new(&settings).unwrap(), book, cursor: Cursor::default() };
        let first = json!({"blockID": GENESIS, "block_header": {"raw_data": {"txTrieRoot": "00", "parentHash": "00"}}});
        scene.index.set(r#"/walletsolidity/getblock {"detail":false,"id_or_num":"0"}"#, first);
        scene.tip(1_000);
        scene.list(OURS, 0, &[]);
        scene.list(SECOND, 0, &[]);
        scene
    }

    fn block(height: u64) -> Value {
        json!({"blockID": hash('b', height), "block_header": {"raw_data": {"number": height, "timestamp": BEGIN + 3_000 * height}, "witness_signature": "00"}})
    }

    fn tip(&self, height: u64) {
        self.index.set("/wallet/getnowblock {}", Scene::block(height));
    }

    fn path(address: &str, floor: u64) -> String {
        let options = "only_confirmed=true&only_to=true&limit=200&order_by=block_timestamp,asc";
        format!("/v1/accounts/{address}/transactions/trc20?{options}&min_timestamp={floor}")
    }

    /// The list of an address, as requested with this floor.
    fn list(&self, address: &str, floor: u64, lines: &[Value]) {
        self.index
            .set(&Scene::path(address, floor), json!({"data": lines, "success": true, "meta": {"at": BEGIN, "page_size": lines.len()}}));
    }

    /// A solidified transaction.
    fn transaction(&self, number: u64, height: u64, result: &str, log: &[Value]) {
        let info = json!({
            "id": hash('a', number), "fee": 13_844_850, "blockNumber": height, "blockTimeStamp": BEGIN + 3_000 * height, "contractResult": [""],
            "contract_address": format!("41{USDT_ACCOUNT}"), "receipt": {"energy_usage_total": 64_285, "net_usage": 345, "result": result}, "log": log,
        });
        self.index.set(&Scene::question(number), info);
        self.index.set(&format!(r#"/walletsolidity/getblock {{"detail":false,"id_or_num":"{height}"}}"#), Scene::block(height));
    }

    fn question(number: u64) -> String {
        format!(r#"/walletsolidity/gettransactioninfobyid {{"value":"{}"}}"#, hash('a', number))
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

fn short(seen: &[Observation]) -> Vec<(&str, u32, &str, u64, u64)> {
    seen.iter().map(|one| (one.tx.as_str(), one.output, one.address.as_str(), one.amount, one.confirmations)).collect()
}

#[tokio::test]
async fn transfers_are_taken_from_the_events_and_not_from_the_list() {
    let mut scene = Scene::new().await;
    scene.list(OURS, 0, &[line(1, USDT), line(1, USDT)]);
    let log = [
        approval(USDT_ACCOUNT),
        transfer(USDT_ACCOUNT, OURS_ACCOUNT, "17d7840"),
        transfer("b4a428ab7092c2f1395f376ce297033b3bb446c1", OURS_ACCOUNT, "f4240"),
        transfer(USDT_ACCOUNT, "b4a428ab7092c2f1395f376ce297033b3bb446c1", "f4240"),
        transfer(USDT_ACCOUNT, OURS_ACCOUNT, "1"),
        transfer(USDT_ACCOUNT, OURS_ACCOUNT, "0"),
    ];
    scene.transaction(1, 980, "SUCCESS", &log);
    let seen = scene.poll().await;
    let tx = hash('a', 1);
    assert_eq!(short(&seen.observed), [(tx.as_str(), 2, OURS, 25_000_000, 21), (tx.as_str(), 5, OURS, 1, 21)]);
    let one = &seen.observed[0];
    assert_eq!((one.chain, one.coin.as_str(), one.contract.as_deref()), (Chain::Tron, "USDT", Some(USDT)));
    assert_eq!((one.height, one.block.as_str(), one.rest), (980, hash('b', 980).as_str(), 0));
    assert_eq!(one.key(), format!("TRC20:{tx}:2"));
    assert_eq!((seen.tip, seen.behind), (1_000, false));
    assert_eq!(scene.index.script().headers["tron-pro-api-key"], "the-key");
}

#[tokio::test]
async fn one_transaction_to_two_of_us_is_told_with_each_address_once() {
    let mut scene = Scene::new().await;
    scene.book.insert(SECOND).unwrap();
    scene.list(OURS, 0, &[line(1, USDT)]);
    scene.list(SECOND, 0, &[line(1, USDT)]);
    scene.transaction(1, 990, "SUCCESS", &[transfer(USDT_ACCOUNT, OURS_ACCOUNT, "a"), transfer(USDT_ACCOUNT, SECOND_ACCOUNT, "b")]);
    let seen = scene.poll().await;
    let tx = hash('a', 1);
    assert_eq!(short(&seen.observed), [(tx.as_str(), 2, SECOND, 11, 11), (tx.as_str(), 1, OURS, 10, 11)]);
}

#[tokio::test]
async fn other_tokens_and_failed_transactions_bring_nothing() {
    let mut scene = Scene::new().await;
    // Details of a token that only calls itself USDT are not even requested.
    scene.list(OURS, 0, &[line(1, "TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj"), line(2, USDT)]);
    scene.transaction(2, 990, "OUT_OF_ENERGY", &[transfer(USDT_ACCOUNT, OURS_ACCOUNT, "f4240")]);
    assert_eq!(scene.poll().await.observed, []);
    assert!(!scene.index.take_asked().contains(&Scene::question(1)));
}

#[tokio::test]
async fn confirmations_grow_until_the_depth_without_asking_again() {
    let mut scene = Scene::new().await;
    scene.list(OURS, 0, &[line(1, USDT)]);
    scene.transaction(1, 995, "SUCCESS", &[transfer(USDT_ACCOUNT, OURS_ACCOUNT, "f4240")]);
    assert_eq!(scene.poll().await.observed[0].confirmations, 6);
    // The list is requested from 20 blocks before the look that began the last round.
    scene.list(OURS, BEGIN + 980 * 3_000, &[line(1, USDT)]);
    scene.tip(1_013);
    scene.index.take_asked();
    assert_eq!(scene.poll().await.observed[0].confirmations, 19);
    assert!(!scene.index.take_asked().contains(&Scene::question(1)), "it is known already");
    // Slots were missed: by time it has left the list, by blocks it has too few confirmations.
    scene.list(OURS, BEGIN + 993 * 3_000, &[]);
    scene.index.set(
        "/wallet/getnowblock {}",
        json!({"blockID": hash('b', 1), "block_header": {"raw_data": {"number": 1_013, "timestamp": BEGIN + 1_100 * 3_000}}}),
    );
    assert_eq!(scene.poll().await.observed[0].confirmations, 19);
    scene.list(OURS, BEGIN + 1_080 * 3_000, &[]);
    scene.tip(1_101);
    assert_eq!(scene.poll().await.observed[0].confirmations, 107, "told to the end");
    scene.list(OURS, BEGIN + 1_081 * 3_000, &[]);
    assert_eq!(scene.poll().await.observed, []);
}

#[tokio::test]
async fn all_pages_of_a_list_are_read() {
    let mut scene = Scene::new().await;
    let lines: Vec<Value> = (0..3).map(|number| line(number, USDT)).collect();
    let first = Scene::path(OURS, 0);
    let page = |line: &Value, mark: Option<&str>| json!({"data": [line], "success": true, "meta": {"at": BEGIN, "fingerprint": mark, "page_size": 1}});
    scene.index.set(&first, page(&lines[0], Some("39i4ti")));
    scene.index.set(&format!("{first}&fingerprint=39i4ti"), page(&lines[1], Some("39i4tj")));
    scene.index.set(&format!("{first}&fingerprint=39i4tj"), page(&lines[2], None));
    for number in 0..3 {
        scene.transaction(number, 990 + number, "SUCCESS", &[transfer(USDT_ACCOUNT, OURS_ACCOUNT, "f4240")]);
    }
    assert_eq!(scene.poll().await.observed.len(), 3);
    scene.index.set(&format!("{first}&fingerprint=39i4tj"), page(&lines[2], Some("39i4ti")));
    scene.cursor = Cursor::default();
    assert!(scene.try_poll().await.unwrap_err().to_string().contains("circles"));
    scene.index.set(&first, page(&lines[0], Some("a&limit=1")));
    assert!(matches!(scene.try_poll().await, Err(WatchError::Answer { .. })), "a mark may not change the question");
}

#[tokio::test]
async fn a_listed_transaction_that_is_not_solidified_is_waited_for() {
    let mut scene = Scene::new().await;
    scene.list(OURS, 0, &[line(1, USDT)]);
    scene.index.set(&Scene::question(1), json!({}));
    let error = scene.try_poll().await.unwrap_err().to_string();
    assert!(error.contains("not solidified"), "{error}");
    scene.transaction(1, 999, "SUCCESS", &[transfer(USDT_ACCOUNT, OURS_ACCOUNT, "f4240")]);
    assert_eq!(scene.poll().await.observed.len(), 1);
}

#[tokio::test]
async fn an_amount_that_fits_no_atoms_is_told_apart() {
    let mut scene = Scene::new().await;
    scene.list(OURS, 0, &[line(1, USDT)]);
    scene.transaction(
        1,
        990,
        "SUCCESS",
        &[transfer(USDT_ACCOUNT, OURS_ACCOUNT, "10000000000000000"), transfer(USDT_ACCOUNT, OURS_ACCOUNT, "2")],
    );
    let seen = scene.poll().await;
    assert_eq!((seen.observed.len(), seen.unfit.len(), seen.unfit[0].raw.as_str()), (1, 1, "18446744073709551616"));
}

#[tokio::test]
async fn answers_that_make_no_sense_are_errors() {
    let mut scene = Scene::new().await;
    let highest = json!({"blockID": hash('b', 1), "block_header": {"raw_data": {"number": u64::MAX, "timestamp": u64::MAX}}});
    scene.index.set("/wallet/getnowblock {}", highest);
    assert!(matches!(scene.try_poll().await, Err(WatchError::Answer { .. })), "a height beyond all");
    scene.tip(1_000);
    scene.index.set(&Scene::path(OURS, 0), json!({"data": [], "success": false}));
    assert!(matches!(scene.try_poll().await, Err(WatchError::Answer { .. })), "no success");
    let mut nameless = line(1, USDT);
    nameless["transaction_id"] = "../../wallet".into();
    scene.list(OURS, 0, &[nameless]);
    assert!(matches!(scene.try_poll().await, Err(WatchError::Answer { .. })), "no id");
    scene.list(OURS, 0, &[line(1, USDT)]);
    scene.transaction(1, 990, "SUCCESS", &[transfer(USDT_ACCOUNT, OURS_ACCOUNT, "1")]);
    scene.index.set(r#"/walletsolidity/getblock {"detail":false,"id_or_num":"990"}"#, Scene::block(991));
    assert!(matches!(scene.try_poll().await, Err(WatchError::Answer { .. })), "another block");
    scene.transaction(2, 990, "SUCCESS", &[]);
    let other = json!({"id": hash('a', 2), "blockNumber": 990, "receipt": {"result": "SUCCESS"}});
    scene.index.set(&Scene::question(1), other);
    assert!(matches!(scene.try_poll().await, Err(WatchError::Answer { .. })), "another transaction");
    // Truncated events are not transfers, and no reason to stop.
    let mut short = transfer(USDT_ACCOUNT, OURS_ACCOUNT, "1");
    short["topics"] = json!([TRANSFER, "00"]);
    let mut odd = transfer(USDT_ACCOUNT, OURS_ACCOUNT, "1");
    odd["topics"][2] = "zz".into();
    scene.transaction(1, 990, "SUCCESS", &[short, odd, json!({"address": USDT_ACCOUNT}), transfer(USDT_ACCOUNT, OURS_ACCOUNT, "7")]);
    assert_eq!(scene.poll().await.observed[0].output, 4);
}

#[tokio::test]
async fn another_network_is_refused() {
    let mut scene = Scene::new().await;
    let nile = json!({"blockID": "0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc", "block_header": {"raw_data": {}}});
    scene.index.set(r#"/walletsolidity/getblock {"detail":false,"id_or_num":"0"}"#, nile);
    assert!(matches!(scene.try_poll().await, Err(WatchError::Network { .. })));
}

#[tokio::test]
async fn an_index_that_tires_in_the_middle_does_not_stop_the_round() {
    let mut scene = Scene::new().await;
    scene.book.insert(SECOND).unwrap();
    // In text order the second address comes first.
    scene.list(SECOND, 0, &[line(1, USDT)]);
    scene.transaction(1, 990, "SUCCESS", &[transfer(USDT_ACCOUNT, SECOND_ACCOUNT, "7")]);
    scene.index.set(&Scene::path(OURS, 0), "busy");
    let seen = scene.poll().await;
    assert_eq!((short(&seen.observed), seen.behind), (vec![(hash('a', 1).as_str(), 1, SECOND, 7, 11)], true));
    assert!(scene.try_poll().await.is_err(), "now it is the first one to ask for");
    scene.list(OURS, 0, &[]);
    let seen = scene.poll().await;
    assert_eq!((seen.observed, seen.behind), (vec![], false));
}

#[tokio::test]
async fn the_outputs_of_a_transaction_are_its_transfers_in_their_order_to_whomever() {
    let mut scene = Scene::new().await;
    let tx = hash('a', 1);
    scene.index.set(&Scene::question(1), json!({}));
    assert_eq!(scene.watcher.output(&tx, 0, "USDT").await.unwrap(), None, "not solidified");
    let paid = [approval(USDT_ACCOUNT), transfer(USDT_ACCOUNT, OURS_ACCOUNT, "a"), transfer(USDT_ACCOUNT, SECOND_ACCOUNT, "b")];
    scene.transaction(1, 990, "SUCCESS", &paid);
    for (number, address, amount) in [(0, OURS, 10), (1, SECOND, 11)] {
        let found = scene.watcher.output(&tx, number, "USDT").await.unwrap().unwrap();
        assert_eq!((found.address.as_str(), found.amount, found.confirmations, found.coin.as_str()), (address, amount, 11, "USDT"));
    }
    assert_eq!(scene.watcher.output(&tx, 2, "USDT").await.unwrap(), None);
    scene.transaction(1, 990, "OUT_OF_ENERGY", &paid);
    assert_eq!(scene.watcher.output(&tx, 0, "USDT").await.unwrap(), None, "it failed");
}
