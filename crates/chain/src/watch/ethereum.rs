//! Ethereum by JSON-RPC. Every block is read whole and compared with our addresses here, so the node never learns which ones are ours.
//!
//! It sees ether paid by a transaction itself, and transfers of the configured tokens. Ether that a contract sends along (an internal
//! transfer) leaves no trace in these calls and is **not** seen; two operators enter it.

use std::collections::{BTreeSet, VecDeque};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::http::Http;
use super::transfer::{Contracts, Event, Found, Place, TRANSFER};
use super::{AddressBook, Cursor, Memory, Network, Observation, PollResult, Settings, WatchError, newest};
use crate::Chain;
use crate::encoding::{from_hex, is_hash};

/// An Ethereum node.
#[derive(Debug)]
pub struct Ethereum {
    node: Http,
    network: Network,
    contracts: Contracts,
    pub(super) depth: u64,
    step: u64,
}

/// The newest blocks read, and those of their deposits that are not deep enough yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trail {
    /// Height and hash, each the parent of the next, at most as many as the depth.
    blocks: VecDeque<(u64, String)>,
    pending: Vec<Observation>,
}

#[derive(Deserialize)]
struct Reply {
    result: Option<Value>,
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
    code: i64,
    message: String,
}

#[derive(Deserialize)]
struct Header {
    hash: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Block {
    hash: String,
    parent_hash: String,
    transactions: Vec<Transaction>,
}

#[derive(Deserialize)]
struct Transaction {
    hash: String,
    to: Option<String>,
    value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Receipt {
    block_hash: String,
    block_number: Option<String>,
    status: String,
    logs: Vec<Log>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    transaction_hash: String,
    address: String,
    topics: Vec<String>,
    data: String,
}

impl Log {
    /// Contract, topics and data without their `0x`.
    fn parts(&self) -> Option<(&str, Vec<&str>, &str)> {
        let topics = self.topics.iter().map(|topic| bare(topic)).collect::<Option<Vec<_>>>()?;
        Some((bare(&self.address)?, topics, bare(&self.data).unwrap_or_default()))
    }
}

impl Ethereum {
    pub fn new(settings: &Settings) -> Result<Ethereum, WatchError> {
        Ok(Ethereum {
            node: Http::new(settings)?,
            network: Network::new(settings),
            contracts: Contracts::new(settings)?,
            depth: settings.depth,
            step: u64::try_from(settings.step).unwrap_or(u64::MAX),
        })
    }

    /// What a transaction in a block pays: its own ether, else its transfer of one of our tokens with this number.
    pub async fn output(&mut self, tx: &str, number_of: u64, ether: bool) -> Result<Option<Observation>, WatchError> {
        self.check_network().await?;
        let tip = self.tip().await?;
        let call = "eth_getTransactionReceipt";
        let Some(receipt) = self.call::<Option<Receipt>>(call, json!([tx])).await? else { return Ok(None) };
        if number(call, &receipt.status)? != 1 {
            return Ok(None);
        }
        let height = newest(call, number(call, receipt.block_number.as_deref().unwrap_or_default())?)?;
        let place = Place { chain: Chain::Ethereum, tx, height, block: &receipt.block_hash };
        let found = if !ether {
            let logs: Vec<(&str, Vec<&str>, &str)> = receipt.logs.iter().filter_map(Log::parts).collect();
            let events = logs.iter().map(|(contract, topics, data)| Event { contract, topics, data });
            self.contracts.nth(events, number_of, place)
        } else if number_of == 0 {
            let paid = self.call::<Option<Transaction>>("eth_getTransactionByHash", json!([tx])).await?;
            let to = |paid: &Transaction| paid.to.as_deref().and_then(bare).and_then(from_hex);
            match paid.and_then(|paid| Some((to(&paid)?, paid.value))) {
                Some((account, value)) => Found::only(place, 0, account, None, amount(&value)?),
                None => None,
            }
        } else {
            None
        };
        Ok(found.map(|found| Observation { confirmations: (tip + 1).saturating_sub(height), ..found }))
    }

    async fn check_network(&mut self) -> Result<(), WatchError> {
        if !self.network.checked {
            let found = number("eth_chainId", &self.call::<String>("eth_chainId", json!([])).await?)?;
            self.network.accept(&found.to_string())?;
        }
        Ok(())
    }

    async fn tip(&self) -> Result<u64, WatchError> {
        let call = "eth_blockNumber";
        newest(call, number(call, &self.call::<String>(call, json!([])).await?)?)
    }

    pub async fn poll(&mut self, book: &AddressBook, cursor: &Cursor) -> Result<PollResult, WatchError> {
        self.check_network().await?;
        let mut trail = match &cursor.0 {
            Memory::Start => Trail::default(),
            Memory::Blocks(trail) => trail.clone(),
            Memory::Rounds(_) => return Err(WatchError::Cursor),
        };
        let newest = self.tip().await?;
        let gone = self.walk_back(&mut trail, newest).await?;
        let mut unfit = Vec::new();
        let first = trail.blocks.back().map_or(newest.saturating_sub(self.depth), |(height, _)| height + 1);
        let last = newest.min(first.saturating_add(self.step - 1));
        for height in first..=last {
            let read = match self.read_block(height, trail.blocks.back(), book).await {
                // Keep what was read so far: a provider that fails midway may fail midway every time.
                Err(_) if height > first => break,
                read => read?,
            };
            let Some((hash, found)) = read else { break };
            trail.blocks.push_back((height, hash));
            trail.pending.extend(found.observed);
            unfit.extend(found.unfit);
        }
        let tip = trail.blocks.back().map_or(0, |(height, _)| *height);
        for observation in &mut trail.pending {
            observation.confirmations = (tip + 1).saturating_sub(observation.height);
        }
        let observed = trail.pending.clone();
        trail.pending.retain(|observation| observation.confirmations < self.depth);
        while trail.blocks.front().is_some_and(|(height, _)| tip - height >= self.depth) {
            trail.blocks.pop_front();
        }
        Ok(PollResult { tip, gone, observed, unfit, cursor: Cursor(Memory::Blocks(trail)), behind: first <= tip && tip < newest })
    }

    /// Forgets the blocks that are no longer in the chain, and returns their deposits.
    async fn walk_back(&self, trail: &mut Trail, newest: u64) -> Result<Vec<Observation>, WatchError> {
        let Some((oldest, _)) = trail.blocks.front().cloned() else { return Ok(Vec::new()) };
        if newest < oldest {
            return Err(WatchError::answer("eth_blockNumber", format!("the node is at block {newest}, far behind")));
        }
        let mut replaced = false;
        for (height, hash) in trail.blocks.iter().rev().filter(|(height, _)| *height <= newest) {
            let found = self.block::<Header>(*height, false).await?;
            let found = found.ok_or_else(|| WatchError::answer("eth_getBlockByNumber", format!("no block {height}")))?;
            if found.hash != *hash {
                replaced = true;
                continue;
            }
            // A node that only lags behind agrees with its newest block, so nothing is forgotten.
            let fork = *height;
            if !replaced {
                return Ok(Vec::new());
            }
            trail.blocks.retain(|(height, _)| *height <= fork);
            let (kept, gone) = std::mem::take(&mut trail.pending).into_iter().partition(|observation| observation.height <= fork);
            trail.pending = kept;
            return Ok(gone);
        }
        Err(WatchError::DeepReorganisation(oldest))
    }

    /// The hash of a block and its deposits to us; `None` when the chain has changed since the block before it was read.
    async fn read_block(
        &self,
        height: u64,
        parent: Option<&(u64, String)>,
        book: &AddressBook,
    ) -> Result<Option<(String, Found)>, WatchError> {
        let Some(block) = self.block::<Block>(height, true).await? else { return Ok(None) };
        if parent.is_some_and(|(_, hash)| *hash != block.parent_hash) {
            return Ok(None);
        }
        let ours = |to: &Option<String>| to.as_deref().and_then(bare).and_then(from_hex).and_then(|account| book.of_account(&account));
        let paid: Vec<(&Transaction, &str)> = block.transactions.iter().filter_map(|tx| Some((tx, ours(&tx.to)?))).collect();
        let mut wanted: BTreeSet<String> = paid.iter().map(|(tx, _)| tx.hash.clone()).collect();
        wanted.extend(self.transactions_with_transfers(&block.hash, height, book).await?);
        let mut found = Found::default();
        if !wanted.iter().chain([&block.hash]).all(|hash| bare(hash).is_some_and(is_hash)) {
            return Err(WatchError::answer("eth_getBlockByNumber", "a hash is not a hash"));
        }
        for tx in wanted {
            let receipt = self.call::<Option<Receipt>>("eth_getTransactionReceipt", json!([tx])).await?;
            let Some(receipt) = receipt.filter(|receipt| receipt.block_hash == block.hash) else { return Ok(None) };
            if number("eth_getTransactionReceipt", &receipt.status)? != 1 {
                continue;
            }
            let place = Place { chain: Chain::Ethereum, tx: &tx, height, block: &block.hash };
            if let Some((paid, address)) = paid.iter().find(|(paid, _)| paid.hash == tx) {
                found.add(place, 0, address, None, amount(&paid.value)?);
            }
            for (log, output) in receipt.logs.iter().zip(1..) {
                self.take(log, place, output, book, &mut found);
            }
        }
        Ok(Some((block.hash, found)))
    }

    /// The transactions of a block that transfer one of our tokens to one of our addresses.
    async fn transactions_with_transfers(&self, block: &str, height: u64, book: &AddressBook) -> Result<BTreeSet<String>, WatchError> {
        let contracts: Vec<&str> = self.contracts.addresses().collect();
        if contracts.is_empty() {
            return Ok(BTreeSet::new());
        }
        let filter = json!([{"address": contracts, "blockHash": block, "topics": [format!("0x{TRANSFER}")]}]);
        let logs = self.call::<Vec<Log>>("eth_getLogs", filter).await?;
        let ours = logs.into_iter().filter(|log| {
            let mut found = Found::default();
            let place = Place { chain: Chain::Ethereum, tx: &log.transaction_hash, height, block };
            self.take(log, place, 0, book, &mut found);
            !found.is_empty()
        });
        Ok(ours.map(|log| log.transaction_hash).collect())
    }

    fn take(&self, log: &Log, place: Place<'_>, output: u32, book: &AddressBook, found: &mut Found) {
        let Some((contract, topics, data)) = log.parts() else { return };
        self.contracts.take(Event { contract, topics: &topics, data }, place, output, book, found);
    }

    async fn block<T: DeserializeOwned>(&self, height: u64, whole: bool) -> Result<Option<T>, WatchError> {
        self.call("eth_getBlockByNumber", json!([format!("{height:#x}"), whole])).await
    }

    async fn call<T: DeserializeOwned>(&self, method: &str, params: Value) -> Result<T, WatchError> {
        let question = json!({"id": 1, "jsonrpc": "2.0", "method": method, "params": params});
        let reply: Reply = self.node.post(method, "", &question).await?;
        if let Some(Refusal { code, message }) = reply.error {
            let message: String = message.chars().take(200).collect();
            return Err(WatchError::answer(method, format!("refused with {code}: {message}")));
        }
        let result = reply.result.unwrap_or(Value::Null);
        serde_json::from_value(result).map_err(|error| WatchError::answer(method, format!("not the expected JSON: {error}")))
    }
}

/// Hexadecimal digits without their `0x`.
fn bare(text: &str) -> Option<&str> {
    text.strip_prefix("0x")
}

fn number(call: &str, text: &str) -> Result<u64, WatchError> {
    let parsed = bare(text).and_then(|digits| u64::from_str_radix(digits, 16).ok());
    parsed.ok_or_else(|| WatchError::answer(call, "not a number"))
}

/// The amount of a transaction in wei, or its text when it is longer than any real one.
fn amount(text: &str) -> Result<Result<u128, &str>, WatchError> {
    let digits = bare(text).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let digits = digits.ok_or_else(|| WatchError::answer("eth_getBlockByNumber", "an amount is not a number"))?;
    Ok(u128::from_str_radix(digits, 16).map_err(|_| text))
}
