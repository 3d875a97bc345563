//! Watchers: they ask a node or an index of a chain what arrived at our addresses, and report it as [`Observation`]s (D-3).
//!
//! A poll queries a chain with a [`Cursor`] as its memory. The same cursor can be polled again after any failure: nothing is lost, only
//! reported twice. An observation is reported repeatedly, with growing confirmations, until it has as many as [`Settings::depth`] or
//! [`Watcher::deepen`] says; one whose block left the chain before that is reported as gone (D-7).

mod amount;
mod book;
mod esplora;
mod ethereum;
mod http;
mod rounds;
mod transfer;
mod trongrid;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Chain;

pub use book::AddressBook;
use esplora::Esplora;
use ethereum::Ethereum;
use rounds::Rounds;
use trongrid::TronGrid;

/// How a watcher reaches its chain, and what it looks for.
#[derive(Clone)]
pub struct Settings {
    /// The chain.
    pub chain: Chain,
    /// Address of the API, for example `https://blockstream.info/api`. It may contain a secret and is never printed.
    pub url: String,
    /// Names and values of headers for every request, such as `TRON-PRO-API-KEY`. Never printed.
    pub headers: Vec<(String, String)>,
    /// The expected network: the chain id of Ethereum in decimal digits, else the hash of the first block.
    pub network: String,
    /// The token contracts that count. Tokens of any other contract are ignored, whatever their name.
    pub tokens: Vec<Token>,
    /// Up to how many confirmations a deposit is watched, blocks, unless the watcher is told to look deeper.
    pub depth: u64,
    /// The most work of one poll: blocks of Ethereum, addresses of the others.
    pub step: usize,
    /// Limits of a single request.
    pub patience: Patience,
}

/// A coin that is a contract on its chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Our name for it, for example `USDT`.
    pub coin: String,
    /// The address of the contract.
    pub contract: String,
    /// Decimals of its smallest unit on the chain.
    pub chain_decimals: u8,
    /// Decimals of our atom.
    pub decimals: u8,
}

/// Limits of a single request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From the first byte sent to the last byte received.
    pub timeout: Duration,
    /// Attempts in all, when the other side is unreachable, overloaded or fails.
    pub tries: u32,
    /// Wait before the second attempt; it doubles for each one after.
    pub pause: Duration,
    /// The longest answer that is read, bytes.
    pub longest: usize,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { timeout: Duration::from_secs(20), tries: 4, pause: Duration::from_millis(500), longest: 16 << 20 }
    }
}

impl Settings {
    /// The main network of a chain with its well-known contracts of USDT and USDC.
    pub fn mainnet(chain: Chain, url: &str) -> Settings {
        let token = |coin: &str, contract: &str| Token { coin: coin.into(), contract: contract.into(), chain_decimals: 6, decimals: 6 };
        let (network, tokens, depth, step) = match chain {
            Chain::Bitcoin => ("000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f", vec![], 12, 100),
            Chain::Ethereum => (
                "1",
                vec![
                    token("USDT", "0xdAC17F958D2ee523a2206206994597C13D831ec7"),
                    token("USDC", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
                ],
                96,
                50,
            ),
            Chain::Tron => (
                "00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc",
                vec![token("USDT", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"), token("USDC", "TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8")],
                1_200,
                100,
            ),
        };
        let (url, network) = (url.to_owned(), network.to_owned());
        Settings { chain, url, headers: Vec::new(), network, tokens, depth, step, patience: Patience::default() }
    }
}

impl std::fmt::Debug for Settings {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Settings").field("chain", &self.chain).field("network", &self.network).finish_non_exhaustive()
    }
}

/// A deposit in a block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// The chain.
    pub chain: Chain,
    /// The transaction: 64 hexadecimal digits in lower case, with `0x` before them on Ethereum.
    pub tx: String,
    /// Which part of the transaction. Bitcoin: the number of the output. Ethereum and Tron: 0 is the transaction's own value, a token
    /// transfer is 1 plus its position among the events of the transaction. That position stays the same when the block changes.
    pub output: u32,
    /// Our address, in canonical text.
    pub address: String,
    /// The coin that arrived. It can differ from the coin that the address was given out for.
    pub coin: String,
    /// The token's contract, in canonical text.
    pub contract: Option<String>,
    /// Atoms of the coin, rounded down; never 0.
    pub amount: u64,
    /// The remainder of rounding, in the chain's own unit: less than one atom.
    pub rest: u64,
    /// Blocks from its own to the newest, both included.
    pub confirmations: u64,
    /// The height of its block.
    pub height: u64,
    /// The hash of its block.
    pub block: String,
}

impl Observation {
    /// The key under which it can be credited once (D-3).
    pub fn key(&self) -> String {
        format!("{}:{}:{}", self.chain.name(), self.tx, self.output)
    }
}

/// A transfer to us whose amount we cannot represent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// Key of the observation it would have been.
    pub key: String,
    /// Our address.
    pub address: String,
    /// The amount as the chain writes it.
    pub raw: String,
}

/// The result of a poll. Process `gone` before `observed`: a transaction that moved to another block is in both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PollResult {
    /// The height of the newest block examined.
    pub tip: u64,
    /// Reported before, and no longer in the chain (D-7).
    pub gone: Vec<Observation>,
    /// In the chain now. The next poll reports it again, with more confirmations.
    pub observed: Vec<Observation>,
    /// Transfers whose amount we cannot represent. Reported at least once.
    pub unfit: Vec<Unfit>,
    /// The memory for the next poll. Store it only after everything above is stored.
    pub cursor: Cursor,
    /// There is more to read at once: poll again without a pause.
    pub behind: bool,
}

/// The memory of a watcher between polls, also across restarts. The default starts from the beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor(Memory);

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Memory {
    #[default]
    Start,
    /// Ethereum is read block by block.
    Blocks(ethereum::Trail),
    /// The others are asked for one address after the other, in rounds.
    Rounds(Rounds),
}

impl Cursor {
    /// The text to store.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The cursor from a stored text.
    pub fn from_text(text: &str) -> Result<Cursor, WatchError> {
        serde_json::from_str(text).map_err(|_| WatchError::Cursor)
    }
}

/// Why a poll failed. The previous cursor stays valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WatchError {
    /// The settings cannot work.
    #[error("settings of the watcher: {0}")]
    Settings(String),
    /// No answer after all attempts.
    #[error("{call}: {why}")]
    Unreachable {
        /// The call, without the address of the other side.
        call: String,
        /// The error of the last attempt.
        why: String,
    },
    /// The answer is an error, too long or meaningless.
    #[error("{call}: {why}")]
    Answer {
        /// The call, without the address of the other side.
        call: String,
        /// What is wrong with the answer.
        why: String,
    },
    /// The other side serves another network, whose coins may be worth nothing.
    #[error("the network is {found}, expected {expected}")]
    Network {
        /// The network of the settings.
        expected: String,
        /// The network that answered.
        found: String,
    },
    /// More blocks were replaced than are remembered. A person must investigate before the watcher restarts.
    #[error("the chain was replaced below block {0}")]
    DeepReorganisation(u64),
    /// A cursor of another kind of watcher, or a damaged one.
    #[error("not a cursor of this watcher")]
    Cursor,
}

impl WatchError {
    fn answer(call: &str, why: impl Into<String>) -> WatchError {
        WatchError::Answer { call: call.to_owned(), why: why.into() }
    }
}

/// Watches one chain.
#[derive(Debug)]
pub enum Watcher {
    /// Ethereum by JSON-RPC, block by block.
    Ethereum(Ethereum),
    /// Bitcoin by the HTTP API of Esplora, address by address.
    Esplora(Esplora),
    /// Tron by the HTTP API of TronGrid, address by address.
    TronGrid(TronGrid),
}

impl Watcher {
    /// Checks the settings. Sends no request yet.
    pub fn new(settings: &Settings) -> Result<Watcher, WatchError> {
        if settings.depth == 0 || settings.step == 0 || settings.patience.tries == 0 {
            return Err(WatchError::Settings("depth, step and tries are at least 1".into()));
        }
        Ok(match settings.chain {
            Chain::Bitcoin => Watcher::Esplora(Esplora::new(settings)?),
            Chain::Ethereum => Watcher::Ethereum(Ethereum::new(settings)?),
            Chain::Tron => Watcher::TronGrid(TronGrid::new(settings)?),
        })
    }

    /// The chain it watches.
    pub fn chain(&self) -> Chain {
        match self {
            Watcher::Ethereum(_) => Chain::Ethereum,
            Watcher::Esplora(_) => Chain::Bitcoin,
            Watcher::TronGrid(_) => Chain::Tron,
        }
    }

    /// Watches deposits until they have at least this many confirmations: for when a credit requires more than [`Settings::depth`].
    pub fn deepen(&mut self, confirmations: u64) {
        let depth = match self {
            Watcher::Ethereum(node) => &mut node.depth,
            Watcher::Esplora(index) => &mut index.depth,
            Watcher::TronGrid(index) => &mut index.depth,
        };
        *depth = confirmations.max(*depth);
    }

    /// What an output of a transaction pays, to whatever address, once it is in a block (W-8). For tokens, and for everything on Tron, the
    /// outputs are the transaction's transfers of our tokens, counted from 0.
    pub async fn output(&mut self, tx: &str, number: u64, coin: &str) -> Result<Option<Observation>, WatchError> {
        match self {
            Watcher::Ethereum(node) => node.output(tx, number, coin == "ETH").await,
            Watcher::Esplora(index) => index.output(tx, number).await,
            Watcher::TronGrid(index) => index.output(tx, number).await,
        }
    }

    /// Polls once, from the cursor's position. The first poll also checks which network answers.
    pub async fn poll(&mut self, addresses: &AddressBook, cursor: &Cursor) -> Result<PollResult, WatchError> {
        if addresses.chain() != self.chain() {
            return Err(WatchError::Settings("the addresses belong to another chain".into()));
        }
        match self {
            Watcher::Ethereum(node) => node.poll(addresses, cursor).await,
            Watcher::Esplora(index) => index.poll(addresses, cursor).await,
            Watcher::TronGrid(index) => index.poll(addresses, cursor).await,
        }
    }
}

/// No chain will be this high for ages; a larger number is invalid, and would overflow sums.
const HIGHEST: u64 = 1 << 40;

/// The height of the newest block, if it is plausible.
fn newest(call: &str, height: u64) -> Result<u64, WatchError> {
    if height < HIGHEST { Ok(height) } else { Err(WatchError::answer(call, "not the height of a block")) }
}

/// Checks once per watcher that the right network answers.
#[derive(Debug)]
struct Network {
    expected: String,
    checked: bool,
}

impl Network {
    fn new(settings: &Settings) -> Network {
        Network { expected: settings.network.clone(), checked: false }
    }

    fn accept(&mut self, found: &str) -> Result<(), WatchError> {
        self.checked = found == self.expected;
        if self.checked {
            Ok(())
        } else {
            Err(WatchError::Network { expected: self.expected.clone(), found: found.chars().take(80).collect() })
        }
    }
}
