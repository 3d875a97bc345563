//! Bitcoin by the HTTP API of Esplora, address by address. Unconfirmed transactions are ignored.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::http::Http;
use super::rounds::{Look, Poll, Rounds};
use super::{AddressBook, Cursor, Network, Observation, PollResult, Settings, WatchError, newest};
use crate::Chain;
use crate::encoding::is_hash;

/// The most pages of one address; only an index that loops has more.
const PAGES: usize = 2_000;

/// An Esplora index.
#[derive(Debug)]
pub struct Esplora {
    index: Http,
    network: Network,
    pub(super) depth: u64,
    step: usize,
}

#[derive(Deserialize)]
struct Transaction {
    txid: String,
    vout: Vec<Output>,
    status: Status,
}

#[derive(Deserialize)]
struct Output {
    scriptpubkey_address: Option<String>,
    value: u64,
}

#[derive(Deserialize)]
struct Status {
    confirmed: bool,
    block_height: Option<u64>,
    block_hash: Option<String>,
}

#[derive(Deserialize)]
struct BlockStatus {
    in_best_chain: bool,
}

impl Esplora {
    pub fn new(settings: &Settings) -> Result<Esplora, WatchError> {
        if !settings.tokens.is_empty() {
            return Err(WatchError::Settings("Bitcoin has no tokens".into()));
        }
        Ok(Esplora { index: Http::new(settings)?, network: Network::new(settings), depth: settings.depth, step: settings.step })
    }

    /// What an output pays, if its transaction has a block.
    pub async fn output(&mut self, tx: &str, number: u64) -> Result<Option<Observation>, WatchError> {
        self.check_network().await?;
        let tip = self.tip().await?;
        let path = format!("/tx/{tx}");
        let Some(found) = self.index.get_if_there::<Transaction>(&path).await? else { return Ok(None) };
        if found.txid != tx {
            return Err(WatchError::answer(&path, "another transaction"));
        }
        let (true, Some(height), Some(block)) = (found.status.confirmed, found.status.block_height, found.status.block_hash) else {
            return Ok(None);
        };
        let place = Place { tx, height, block: &block, confirmations: (tip + 1).saturating_sub(height) };
        let mut outputs = found.vout.into_iter().zip(0..);
        let output = usize::try_from(number).ok().and_then(|number| outputs.nth(number));
        Ok(output.and_then(|(output, number)| Some(place.observation(&output.scriptpubkey_address?, output.value, number))))
    }

    async fn check_network(&mut self) -> Result<(), WatchError> {
        if !self.network.checked {
            let genesis = self.index.text("/block-height/0").await?;
            self.network.accept(genesis.trim())?;
        }
        Ok(())
    }

    async fn tip(&self) -> Result<u64, WatchError> {
        let path = "/blocks/tip/height";
        let tip = self.index.text(path).await?.trim().parse().map_err(|_| WatchError::answer(path, "not a number"))?;
        newest(path, tip)
    }

    pub async fn poll(&mut self, book: &AddressBook, cursor: &Cursor) -> Result<PollResult, WatchError> {
        self.check_network().await?;
        let rounds = Rounds::of(cursor)?;
        let tip = self.tip().await?;
        let settled = tip.saturating_sub(self.depth);
        let (mut poll, addresses) = Poll::begin(rounds, (book, self.step), (tip, settled), self.depth);
        for address in addresses {
            let looked = self.look(address, &poll.rounds, tip).await;
            if !poll.take(address, looked)? {
                break;
            }
        }
        Ok(poll.end())
    }

    /// Asks for one address and compares the answer with what was reported before.
    async fn look(&self, address: &str, rounds: &Rounds, tip: u64) -> Result<Look, WatchError> {
        let before = rounds.pending(address);
        // Doubtful payments may lie below the floor by now and are searched for as well.
        let floor = before.iter().map(|old| old.height.saturating_sub(1)).fold(rounds.floor, u64::min);
        let observed = self.deposits(address, floor, tip).await?;
        let (mut gone, mut doubtful) = (Vec::new(), Vec::new());
        for old in before {
            let key = old.key();
            match observed.iter().find(|new| new.key() == key) {
                Some(new) if new.block == old.block => {}
                Some(_) => gone.push(old),
                None if self.was_replaced(&old.block).await? => gone.push(old),
                None => doubtful.push(old),
            }
        }
        Ok(Look { observed, unfit: Vec::new(), gone, doubtful })
    }

    /// What blocks above the floor, up to the tip, paid to an address.
    async fn deposits(&self, address: &str, floor: u64, tip: u64) -> Result<Vec<Observation>, WatchError> {
        let mut found = Vec::new();
        let mut known = BTreeSet::new();
        let mut path = format!("/address/{address}/txs");
        for _ in 0..PAGES {
            let page: Vec<Transaction> = self.index.get(&path).await?;
            let mut last = None;
            let mut lowest = u64::MAX;
            for tx in page.into_iter().filter(|tx| tx.status.confirmed) {
                let (Some(height), Some(block)) = (tx.status.block_height, tx.status.block_hash) else {
                    return Err(WatchError::answer(&path, "a confirmed transaction without a block"));
                };
                if !is_hash(&tx.txid) || !is_hash(&block) || height > lowest {
                    return Err(WatchError::answer(&path, "not a list of transactions, newest first"));
                }
                if !known.insert(tx.txid.clone()) {
                    return Err(WatchError::answer(&path, "the pages go in circles"));
                }
                lowest = height;
                if height > floor && height <= tip {
                    let confirmations = tip - height + 1;
                    let place = Place { tx: &tx.txid, height, block: &block, confirmations };
                    let ours = tx.vout.iter().zip(0..).filter(|(output, _)| output.scriptpubkey_address.as_deref() == Some(address));
                    found.extend(
                        ours.filter(|(output, _)| output.value > 0)
                            .map(|(output, number)| place.observation(address, output.value, number)),
                    );
                }
                last = Some(tx.txid);
            }
            let Some(last) = last.filter(|_| lowest > floor) else { return Ok(found) };
            path = format!("/address/{address}/txs/chain/{last}");
        }
        Err(WatchError::answer(&path, "the pages have no end"))
    }

    /// Whether a block is known and not in the chain. An index that does not know it may only be behind.
    async fn was_replaced(&self, block: &str) -> Result<bool, WatchError> {
        let status: Option<BlockStatus> = self.index.get_if_there(&format!("/block/{block}/status")).await?;
        Ok(status.is_some_and(|status| !status.in_best_chain))
    }
}

/// The position of a transaction.
struct Place<'a> {
    tx: &'a str,
    height: u64,
    block: &'a str,
    confirmations: u64,
}

impl Place<'_> {
    fn observation(&self, address: &str, amount: u64, output: u32) -> Observation {
        Observation {
            chain: Chain::Bitcoin,
            tx: self.tx.to_owned(),
            output,
            address: address.to_owned(),
            coin: "BTC".to_owned(),
            contract: None,
            amount,
            rest: 0,
            confirmations: self.confirmations,
            height: self.height,
            block: self.block.to_owned(),
        }
    }
}
