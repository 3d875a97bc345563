//! TRC-20 by the HTTP API of TronGrid, address by address.
//!
//! The list of an address only says where to look. What counts are the events of the transaction in the solidified chain, whose blocks are
//! never replaced, so no observation is ever gone here. TRX itself is not seen.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};

use super::http::Http;
use super::rounds::{Look, Poll, Rounds};
use super::transfer::{Contracts, Event, Found, Place};
use super::{AddressBook, Cursor, Network, Observation, PollResult, Settings, WatchError, newest};
use crate::Chain;
use crate::encoding::is_hash;

/// Time between two blocks, ms.
const BLOCK_MS: u64 = 3_000;
/// The most pages of one address; only an index that loops has more.
const PAGES: usize = 500;

/// A TronGrid index.
#[derive(Debug)]
pub struct TronGrid {
    index: Http,
    network: Network,
    contracts: Contracts,
    pub(super) depth: u64,
    step: usize,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "blockID")]
    id: String,
    block_header: BlockHeader,
}

#[derive(Deserialize)]
struct BlockHeader {
    raw_data: RawHeader,
}

/// The first block has neither of them.
#[derive(Deserialize)]
struct RawHeader {
    #[serde(default)]
    number: u64,
    #[serde(default)]
    timestamp: u64,
}

#[derive(Deserialize)]
struct Page {
    success: bool,
    data: Vec<Transfer>,
    #[serde(default)]
    meta: Meta,
}

#[derive(Default, Deserialize)]
struct Meta {
    fingerprint: Option<String>,
}

#[derive(Deserialize)]
struct Transfer {
    transaction_id: String,
    token_info: TokenInfo,
}

#[derive(Deserialize)]
struct TokenInfo {
    address: Option<String>,
}

#[derive(Deserialize)]
struct Info {
    id: Option<String>,
    #[serde(rename = "blockNumber")]
    height: Option<u64>,
    receipt: Option<Receipt>,
    #[serde(default)]
    log: Vec<Log>,
}

#[derive(Deserialize)]
struct Receipt {
    result: Option<String>,
}

#[derive(Deserialize)]
struct Log {
    address: String,
    #[serde(default)]
    topics: Vec<String>,
    #[serde(default)]
    data: String,
}

impl TronGrid {
    pub fn new(settings: &Settings) -> Result<TronGrid, WatchError> {
        Ok(TronGrid {
            index: Http::new(settings)?,
            network: Network::new(settings),
            contracts: Contracts::new(settings)?,
            depth: settings.depth,
            step: settings.step,
        })
    }

    /// The transfer of one of our tokens with this number in a solidified transaction.
    pub async fn output(&mut self, tx: &str, number: u64) -> Result<Option<Observation>, WatchError> {
        self.check_network().await?;
        let tip = self.newest().await?.number;
        let Some((height, log)) = self.solidified(tx).await? else { return Ok(None) };
        let block = self.block(height).await?;
        let place = Place { chain: Chain::Tron, tx, height, block: &block.id };
        let logs: Vec<(&Log, Vec<&str>)> = log.iter().map(|log| (log, log.topics.iter().map(String::as_str).collect())).collect();
        let events = logs.iter().map(|(log, topics)| Event { contract: &log.address, topics, data: &log.data });
        let found = self.contracts.nth(events, number, place);
        Ok(found.map(|found| Observation { confirmations: (tip + 1).saturating_sub(height), ..found }))
    }

    async fn check_network(&mut self) -> Result<(), WatchError> {
        if !self.network.checked {
            let first = self.block(0).await?;
            self.network.accept(&first.id)?;
        }
        Ok(())
    }

    async fn newest(&self) -> Result<RawHeader, WatchError> {
        let call = "/wallet/getnowblock";
        let header = self.ask::<Block>(call, json!({})).await?.block_header.raw_data;
        newest(call, header.number)?;
        Ok(header)
    }

    /// Height and events of a transaction, without events if it failed; `None` when the solidified chain does not contain it.
    async fn solidified(&self, tx: &str) -> Result<Option<(u64, Vec<Log>)>, WatchError> {
        let call = "/walletsolidity/gettransactioninfobyid";
        let info: Info = self.ask(call, json!({"value": tx})).await?;
        let (Some(id), Some(height)) = (info.id, info.height) else { return Ok(None) };
        if id != tx {
            return Err(WatchError::answer(call, "another transaction"));
        }
        let success = info.receipt.and_then(|receipt| receipt.result).as_deref() == Some("SUCCESS");
        Ok(Some((height, if success { info.log } else { Vec::new() })))
    }

    pub async fn poll(&mut self, book: &AddressBook, cursor: &Cursor) -> Result<PollResult, WatchError> {
        self.check_network().await?;
        let rounds = Rounds::of(cursor)?;
        let RawHeader { number: tip, timestamp } = self.newest().await?;
        let settled = timestamp.saturating_sub(self.depth.saturating_mul(BLOCK_MS));
        let (mut poll, addresses) = Poll::begin(rounds, (book, self.step), (tip, settled), self.depth);
        for address in addresses {
            let looked = self.look(address, &poll.rounds, book, tip).await;
            let looked = looked.map(|Found { observed, unfit }| Look { observed, unfit, ..Look::default() });
            if !poll.take(address, looked)? {
                break;
            }
        }
        Ok(poll.end())
    }

    /// Unsettled deposits of one address: those reported before, and new ones.
    async fn look(&self, address: &str, rounds: &Rounds, book: &AddressBook, tip: u64) -> Result<Found, WatchError> {
        let mut found = Found { observed: rounds.pending(address), unfit: Vec::new() };
        let known: BTreeSet<String> = found.observed.iter().map(|observation| observation.tx.clone()).collect();
        for tx in self.transactions(address, rounds.floor).await?.difference(&known) {
            self.read(tx, address, book, &mut found).await?;
        }
        for observation in &mut found.observed {
            observation.confirmations = (tip + 1).saturating_sub(observation.height);
        }
        Ok(found)
    }

    /// The transactions since the floor that transferred one of our tokens to an address.
    async fn transactions(&self, address: &str, floor: u64) -> Result<BTreeSet<String>, WatchError> {
        let list = format!("/v1/accounts/{address}/transactions/trc20");
        let query = format!("only_confirmed=true&only_to=true&limit=200&order_by=block_timestamp,asc&min_timestamp={floor}");
        let mut path = format!("{list}?{query}");
        let mut transactions = BTreeSet::new();
        let mut marks = BTreeSet::new();
        for _ in 0..PAGES {
            let page: Page = self.index.get(&path).await?;
            if !page.success {
                return Err(WatchError::answer(&list, "no success"));
            }
            for transfer in page.data {
                let token = transfer.token_info.address;
                if !self.contracts.addresses().any(|contract| token.as_deref() == Some(contract)) {
                    continue;
                }
                if !is_hash(&transfer.transaction_id) {
                    return Err(WatchError::answer(&list, "a transaction without an id"));
                }
                transactions.insert(transfer.transaction_id);
            }
            let Some(mark) = page.meta.fingerprint else { return Ok(transactions) };
            if !mark.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte)) || !marks.insert(mark.clone()) {
                return Err(WatchError::answer(&list, "the pages go in circles"));
            }
            path = format!("{list}?{query}&fingerprint={mark}");
        }
        Err(WatchError::answer(&list, "the pages have no end"))
    }

    /// Takes what a transaction paid to one address.
    async fn read(&self, tx: &str, address: &str, book: &AddressBook, found: &mut Found) -> Result<(), WatchError> {
        // The list is sometimes ahead of the solidified chain; the next poll asks again.
        let Some((height, logs)) = self.solidified(tx).await? else {
            return Err(WatchError::answer("/walletsolidity/gettransactioninfobyid", format!("{tx} is listed and not solidified")));
        };
        if logs.is_empty() {
            return Ok(());
        }
        let block = self.block(height).await?;
        let place = Place { chain: Chain::Tron, tx, height, block: &block.id };
        let mut all = Found::default();
        for (log, output) in logs.iter().zip(1..) {
            let topics: Vec<&str> = log.topics.iter().map(String::as_str).collect();
            let event = Event { contract: &log.address, topics: &topics, data: &log.data };
            self.contracts.take(event, place, output, book, &mut all);
        }
        // What the same transaction paid to other addresses of ours comes with their own lists.
        found.observed.extend(all.observed.into_iter().filter(|observation| observation.address == address));
        found.unfit.extend(all.unfit.into_iter().filter(|unfit| unfit.address == address));
        Ok(())
    }

    async fn block(&self, height: u64) -> Result<Block, WatchError> {
        let call = "/walletsolidity/getblock";
        let block: Block = self.ask(call, json!({"detail": false, "id_or_num": height.to_string()})).await?;
        if block.block_header.raw_data.number != height || !is_hash(&block.id) {
            return Err(WatchError::answer(call, "another block"));
        }
        Ok(block)
    }

    async fn ask<T: serde::de::DeserializeOwned>(&self, path: &str, body: Value) -> Result<T, WatchError> {
        self.index.post(path, path, &body).await
    }
}
