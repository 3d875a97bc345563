//! The watcher of Ethereum against a real node: real blocks, real transactions, a real token, and reorganisations that the node makes.

#![allow(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod support;

use chain::Chain;
use chain::watch::{AddressBook, Cursor, Observation, PollResult, Settings, Token, WatchError, Watcher};
use serde_json::{Value, json};
use support::anvil::Anvil;
use support::replay::Replay;

/// The first three deposit addresses of the mnemonic `abandon ... about`.
const OURS: &str = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94";
const SECOND: &str = "0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0";
const STRANGER: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const ETHER: u128 = 1_000_000_000_000_000_000;

/// A node, a token on it, and a watcher with its memory.
struct Scene {
    anvil: Anvil,
    token: String,
    watcher: Watcher,
    book: AddressBook,
    cursor: Cursor,
}

impl Scene {
    async fn new() -> Scene {
        Scene::with(|_| {}).await
    }

    async fn with(change: impl FnOnce(&mut Settings)) -> Scene {
        let anvil = Anvil::start().await;
        let token = anvil.deploy_token().await;
        let mut settings = Settings::mainnet(Chain::Ethereum, &anvil.url);
        settings.network = "31337".into();
        settings.tokens = vec![Token { coin: "USDT".into(), contract: token.clone(), chain_decimals: 6, decimals: 6 }];
        settings.depth = 6;
        change(&mut settings);
        let watcher = Watcher::new(&settings).unwrap();
        let mut book = AddressBook::new(Chain::Ethereum);
        book.insert(OURS).unwrap();
        book.insert(SECOND).unwrap();
        let mut scene = Scene { anvil, token, watcher, book, cursor: Cursor::default() };
        let seen = scene.poll().await;
        assert_eq!((seen.tip, seen.observed.len()), (1, 0));
        scene
    }

    /// Polls, and remembers through text as a server does.
    async fn poll(&mut self) -> PollResult {
        let seen = self.try_poll().await.unwrap();
        self.cursor = Cursor::from_text(&seen.cursor.to_text()).unwrap();
        seen
    }

    async fn try_poll(&mut self) -> Result<PollResult, WatchError> {
        self.watcher.poll(&self.book, &self.cursor).await
    }

    async fn send_tokens(&self, to: &str, atoms: u128) -> String {
        self.anvil.send(Some(&self.token), 0, &format!("0xa9059cbb{}{atoms:064x}", word(to))).await
    }
}

/// An address as an argument of a call.
fn word(address: &str) -> String {
    format!("{:0>64}", address.trim_start_matches("0x").to_lowercase())
}

fn short(seen: &[Observation]) -> Vec<(&str, u32, &str, &str, u64, u64)> {
    seen.iter().map(|one| (one.tx.as_str(), one.output, one.address.as_str(), one.coin.as_str(), one.amount, one.confirmations)).collect()
}

#[tokio::test]
async fn ether_is_seen_in_atoms_with_growing_confirmations() {
    let mut scene = Scene::new().await;
    let tx = scene.anvil.send(Some(OURS), ETHER + 234_567_891_234_567_899, "0x").await;
    scene.anvil.send(Some(STRANGER), ETHER, "0x").await;
    assert_eq!(scene.poll().await.observed, [], "it has no block yet");
    scene.anvil.mine(1).await;
    let seen = scene.poll().await;
    assert_eq!(short(&seen.observed), [(tx.as_str(), 0, OURS, "ETH", 123_456_789, 1)]);
    assert_eq!((seen.observed[0].rest, seen.observed[0].height, &seen.observed[0].contract), (1_234_567_899, 2, &None));
    assert_eq!(seen.observed[0].key(), format!("ERC20:{tx}:0"));
    scene.anvil.mine(3).await;
    assert_eq!(scene.poll().await.observed[0].confirmations, 4);
    assert_eq!(scene.poll().await.observed[0].confirmations, 4, "nothing new, so it is told as it was");
    scene.anvil.mine(2).await;
    assert_eq!(scene.poll().await.observed[0].confirmations, 6);
    assert_eq!(scene.poll().await.observed, [], "deep enough: told for the last time before");
}

#[tokio::test]
async fn tokens_are_seen_by_their_contract_and_their_place_in_the_transaction() {
    let mut scene = Scene::new().await;
    let other = scene.anvil.deploy_token().await;
    let one = scene.send_tokens(OURS, 25_000_000).await;
    // One transaction with two transfers, to two of our addresses.
    let two = scene.anvil.send(Some(&scene.token), 0, &format!("0xb3d76188{}{}{:064x}", word(OURS), word(SECOND), 7)).await;
    scene.send_tokens(STRANGER, 1).await;
    scene.send_tokens(OURS, 0).await;
    // The same event from another contract, which is not trusted.
    scene.anvil.send(Some(&other), 0, &format!("0xa9059cbb{}{:064x}", word(OURS), 1_000_000)).await;
    scene.anvil.mine(1).await;
    let seen = scene.poll().await;
    let mut found = short(&seen.observed);
    found.sort_unstable_by_key(|found| (found.4 != 25_000_000, found.1));
    let expected =
        [(one.as_str(), 1, OURS, "USDT", 25_000_000, 1), (two.as_str(), 1, OURS, "USDT", 7, 1), (two.as_str(), 2, SECOND, "USDT", 7, 1)];
    assert_eq!(found, expected);
    assert_eq!(seen.observed[0].contract.as_deref().map(str::to_lowercase), Some(scene.token.clone()));
    assert_eq!(seen.unfit, []);
}

#[tokio::test]
async fn an_amount_that_fits_no_atoms_is_told_apart_and_stops_nothing() {
    let mut scene = Scene::new().await;
    let huge = scene.send_tokens(OURS, u128::from(u64::MAX) + 1).await;
    let longest = scene.anvil.send(Some(&scene.token), 0, &format!("0xa9059cbb{}01{}", word(OURS), "0".repeat(62))).await;
    let small = scene.send_tokens(OURS, 1).await;
    scene.anvil.mine(1).await;
    let seen = scene.poll().await;
    assert_eq!(short(&seen.observed), [(small.as_str(), 1, OURS, "USDT", 1, 1)]);
    let mut unfit: Vec<_> = seen.unfit.iter().map(|unfit| (unfit.key.as_str(), unfit.raw.as_str())).collect();
    unfit.sort_unstable_by_key(|(_, raw)| raw.len());
    let (huge, longest, raw) = (format!("ERC20:{huge}:1"), format!("ERC20:{longest}:1"), format!("01{}", "0".repeat(62)));
    assert_eq!(unfit, [(huge.as_str(), "18446744073709551616"), (longest.as_str(), raw.as_str())]);
}

#[tokio::test]
async fn a_failed_transaction_and_an_internal_transfer_are_not_seen() {
    let mut scene = Scene::new().await;
    // The token accepts no ether: a payment to it fails, although a block contains it with its value.
    scene.book.insert(&scene.token.clone()).unwrap();
    let failed = scene.anvil.send(Some(&scene.token), ETHER, "0x").await;
    let forwarded = scene.anvil.send(Some(&scene.token), ETHER, &format!("0x101e8952{}", word(OURS))).await;
    scene.anvil.mine(1).await;
    assert_eq!(scene.anvil.call("eth_getTransactionReceipt", json!([failed])).await["status"], "0x0");
    assert_eq!(scene.anvil.call("eth_getBalance", json!([OURS, "latest"])).await, format!("{ETHER:#x}"), "the contract passed it on");
    let seen = scene.poll().await;
    // The call itself pays the contract, which is in the book here; what the contract passes on is not visible.
    let found: Vec<_> = seen.observed.iter().map(|one| (one.tx.as_str(), one.output, one.address.to_lowercase())).collect();
    assert_eq!(found, [(forwarded.as_str(), 0, scene.token)]);
}

#[tokio::test]
async fn a_replaced_block_takes_its_deposits_along() {
    let mut scene = Scene::new().await;
    scene.anvil.send(Some(OURS), ETHER, "0x").await;
    scene.anvil.mine(1).await;
    let before = scene.poll().await.observed;
    let fork = scene.anvil.call("evm_snapshot", json!([])).await;
    let tx = scene.send_tokens(OURS, 5_000_000).await;
    scene.anvil.mine(1).await;
    let lost = scene.poll().await.observed.into_iter().find(|found| found.tx == tx).unwrap();
    assert_eq!(scene.anvil.call("evm_revert", json!([fork])).await, true);
    // The node has fewer blocks than we remember, which alone may mean that it is behind.
    let seen = scene.poll().await;
    assert_eq!((seen.gone.len(), seen.tip), (0, 3));
    // Now other blocks replaced ours. The time distinguishes them.
    scene.anvil.call("evm_increaseTime", json!([100])).await;
    scene.anvil.mine(2).await;
    let seen = scene.poll().await;
    assert_eq!(seen.gone, [lost]);
    assert_eq!(short(&seen.observed), [(before[0].tx.as_str(), 0, OURS, "ETH", 100_000_000, 3)], "the block below stays");
    assert_eq!(scene.poll().await.gone, [], "told once");
}

#[tokio::test]
async fn a_deposit_that_moves_to_another_block_is_gone_and_seen_again() {
    let mut scene = Scene::new().await;
    scene.anvil.mine(3).await;
    let tx = scene.anvil.send(Some(SECOND), 3 * ETHER, "0x").await;
    scene.anvil.mine(1).await;
    let first = scene.poll().await.observed;
    assert_eq!(short(&first), [(tx.as_str(), 0, SECOND, "ETH", 300_000_000, 1)]);
    // Two blocks are replaced, and the new ones do not contain it; it is sent again later.
    scene.anvil.call("anvil_reorg", json!([2, []])).await;
    let again = scene.anvil.send(Some(SECOND), 3 * ETHER, "0x").await;
    scene.anvil.mine(1).await;
    let seen = scene.poll().await;
    assert_eq!(seen.gone, first);
    assert_eq!(short(&seen.observed), [(again.as_str(), 0, SECOND, "ETH", 300_000_000, 1)]);
    assert_ne!(seen.observed[0].block, first[0].block);
}

#[tokio::test]
async fn more_replaced_blocks_than_are_remembered_need_a_person() {
    let mut scene = Scene::new().await;
    let fork = scene.anvil.call("evm_snapshot", json!([])).await;
    scene.anvil.mine(10).await;
    scene.poll().await;
    scene.anvil.call("evm_revert", json!([fork])).await;
    scene.anvil.call("evm_increaseTime", json!([100])).await;
    scene.anvil.mine(12).await;
    assert_eq!(scene.try_poll().await.err(), Some(WatchError::DeepReorganisation(6)));
    assert_eq!(scene.try_poll().await.err(), Some(WatchError::DeepReorganisation(6)), "it does not heal by itself");
}

#[tokio::test]
async fn a_long_absence_is_caught_up_in_steps_and_a_lost_memory_tells_again() {
    let mut scene = Scene::with(|settings| settings.step = 4).await;
    let tx = scene.anvil.send(Some(OURS), ETHER, "0x").await;
    scene.anvil.mine(10).await;
    let kept = scene.cursor.clone();
    let first = scene.poll().await;
    assert_eq!((first.tip, first.behind), (5, true));
    assert_eq!(short(&first.observed), [(tx.as_str(), 0, OURS, "ETH", 100_000_000, 4)]);
    // The process ended before the cursor was stored: the same poll gives the same answer.
    assert_eq!(scene.watcher.poll(&scene.book, &kept).await.unwrap(), first);
    let second = scene.poll().await;
    assert_eq!((second.tip, second.behind, second.observed[0].confirmations), (9, true, 8));
    let third = scene.poll().await;
    assert_eq!((third.tip, third.behind, third.observed.len()), (11, false, 0));
}

#[tokio::test]
async fn a_node_that_tires_in_the_middle_keeps_what_was_read() {
    let mut scene = Scene::with(|settings| settings.patience.longest = 8_000).await;
    let tx = scene.anvil.send(Some(OURS), ETHER, "0x").await;
    scene.anvil.mine(2).await;
    // A block with more data than the watcher reads.
    scene.anvil.send(Some(STRANGER), 0, &format!("0x{}", "ff".repeat(5_000))).await;
    scene.anvil.mine(1).await;
    let seen = scene.poll().await;
    assert_eq!((seen.tip, seen.behind), (3, true));
    assert_eq!(short(&seen.observed), [(tx.as_str(), 0, OURS, "ETH", 100_000_000, 2)]);
    assert!(scene.try_poll().await.unwrap_err().to_string().contains("more than 8000 bytes"), "now it is the first one to read");
}

/// The question as the watcher writes it.
fn question(method: &str, params: Value) -> String {
    format!("/ {}", json!({"id": 1, "jsonrpc": "2.0", "method": method, "params": params}))
}

fn result(result: Value) -> Value {
    json!({"id": 1, "jsonrpc": "2.0", "result": result})
}

/// A hash of one digit.
fn hash(digit: char) -> String {
    format!("0x{}", String::from(digit).repeat(64))
}

#[tokio::test]
async fn a_chain_that_changes_between_two_calls_is_read_again_later() {
    let node = Replay::start().await;
    let mut settings = Settings::mainnet(Chain::Ethereum, &node.url);
    settings.tokens.clear();
    let mut watcher = Watcher::new(&settings).unwrap();
    let mut book = AddressBook::new(Chain::Ethereum);
    book.insert(OURS).unwrap();
    node.set(&question("eth_chainId", json!([])), result("0x1".into()));
    node.set(&question("eth_blockNumber", json!([])), result("0x1".into()));
    let block = |hash: String, parent: String, transactions: Value| {
        result(json!({"hash": hash, "parentHash": parent, "transactions": transactions}))
    };
    let paid = json!([{"hash": hash('5'), "to": OURS.to_lowercase(), "value": "0xde0b6b3a7640000"}]);
    let receipt = |block: String| result(json!({"blockHash": block, "status": "0x1", "logs": []}));
    let first = question("eth_getBlockByNumber", json!(["0x0", true]));
    let second = question("eth_getBlockByNumber", json!(["0x1", true]));
    let receipts = question("eth_getTransactionReceipt", json!([hash('5')]));
    node.set(&first, block(hash('a'), hash('0'), json!([])));
    node.set(&question("eth_getBlockByNumber", json!(["0x0", false])), block(hash('a'), hash('0'), json!([])));

    // The second block is the child of a different first block.
    node.set(&second, block(hash('b'), hash('c'), paid.clone()));
    node.set(&receipts, receipt(hash('b')));
    let seen = watcher.poll(&book, &Cursor::default()).await.unwrap();
    assert_eq!((seen.tip, seen.observed.len(), seen.behind), (0, 0, true));
    // The transaction has moved to another block since.
    node.set(&second, block(hash('b'), hash('a'), paid));
    node.set(&receipts, receipt(hash('d')));
    let again = watcher.poll(&book, &seen.cursor).await.unwrap();
    assert_eq!((again.tip, again.observed.len(), again.behind), (0, 0, false), "no progress, so there is time for a pause");
    node.set(&receipts, receipt(hash('b')));
    let seen = watcher.poll(&book, &again.cursor).await.unwrap();
    assert_eq!(short(&seen.observed), [(hash('5').as_str(), 0, OURS, "ETH", 100_000_000, 1)]);
}

#[tokio::test]
async fn answers_that_make_no_sense_are_errors() {
    let node = Replay::start().await;
    let mut watcher = Watcher::new(&Settings::mainnet(Chain::Ethereum, &node.url)).unwrap();
    let book = AddressBook::new(Chain::Ethereum);
    node.set(&question("eth_chainId", json!([])), result("0x1".into()));
    let wrong = ["", "0x", "5", "0xg", "-0x5", "0xffffffffffffffff", "0x10000000000000000"].map(Value::from);
    for answer in wrong.into_iter().chain([json!(5), json!(null), json!({}), json!([])]) {
        node.set(&question("eth_blockNumber", json!([])), result(answer.clone()));
        let error = watcher.poll(&book, &Cursor::default()).await.unwrap_err();
        assert!(error.to_string().starts_with("eth_blockNumber: not "), "{answer}: {error}");
    }
    node.set(&question("eth_blockNumber", json!([])), json!({"error": {"code": -32005, "message": "limit exceeded"}}));
    let error = watcher.poll(&book, &Cursor::default()).await.unwrap_err().to_string();
    assert_eq!(error, "eth_blockNumber: refused with -32005: limit exceeded");

    node.set(&question("eth_blockNumber", json!([])), result("0x0".into()));
    let block = json!({"hash": hash('a'), "parentHash": hash('0'), "transactions": []});
    let mut variants = vec![json!("0x"), json!([]), json!({})];
    for (field, value) in
        [("hash", json!("0x12")), ("hash", json!(hash('A'))), ("transactions", json!([hash('b')])), ("parentHash", json!(null))]
    {
        let mut wrong = block.clone();
        wrong[field] = value;
        variants.push(wrong);
    }
    for answer in variants {
        node.set(&question("eth_getBlockByNumber", json!(["0x0", true])), result(answer.clone()));
        let logs = json!([{"address": Settings::mainnet(Chain::Ethereum, "").tokens.iter().map(|token| &token.contract).collect::<Vec<_>>(),
            "blockHash": answer["hash"], "topics": ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"]}]);
        node.set(&question("eth_getLogs", logs), result(json!([])));
        assert!(matches!(watcher.poll(&book, &Cursor::default()).await, Err(WatchError::Answer { .. })), "{answer}");
    }
}

#[tokio::test]
async fn another_network_is_refused() {
    let anvil = Anvil::start().await;
    let mut watcher = Watcher::new(&Settings::mainnet(Chain::Ethereum, &anvil.url)).unwrap();
    let error = watcher.poll(&AddressBook::new(Chain::Ethereum), &Cursor::default()).await.err();
    assert_eq!(error, Some(WatchError::Network { expected: "1".into(), found: "31337".into() }));
}

#[tokio::test]
async fn an_output_is_looked_up_with_what_it_pays_to_whomever() {
    let mut scene = Scene::new().await;
    let ether = scene.anvil.send(Some(STRANGER), ETHER / 2, "0x").await;
    let token = scene.send_tokens(STRANGER, 99_000_000).await;
    let failing = scene.send_tokens(STRANGER, u128::MAX >> 1).await;
    let look = async |scene: &mut Scene, tx: &str, number: u64, coin: &str| {
        let found = scene.watcher.output(tx, number, coin).await.unwrap();
        found.map(|one| (one.address, one.coin, one.amount, one.confirmations))
    };
    assert_eq!(look(&mut scene, &token, 0, "USDT").await, None, "it waits for its block");
    scene.anvil.mine(1).await;
    assert_eq!(look(&mut scene, &ether, 0, "ETH").await, Some((STRANGER.into(), "ETH".into(), 50_000_000, 1)));
    scene.anvil.mine(4).await;
    assert_eq!(look(&mut scene, &token, 0, "USDT").await, Some((STRANGER.into(), "USDT".into(), 99_000_000, 5)));
    for (tx, number, coin) in
        [(&token, 1, "USDT"), (&token, u64::MAX, "USDT"), (&ether, 0, "USDT"), (&ether, 1, "ETH"), (&failing, 0, "USDT")]
    {
        assert_eq!(look(&mut scene, tx, number, coin).await, None, "{coin} {number}");
    }
    assert_eq!(look(&mut scene, &format!("0x{}", "7".repeat(64)), 0, "USDT").await, None, "nothing of this name");
}
