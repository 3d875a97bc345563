//! Identifiers. All are plain integers inside newtypes, so that one cannot stand for another.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub $inner);
    };
}

id! {
    /// Number of a journal entry, from 1. The entry that makes an object gives the object its id.
    Seq(u64)
}
id! {
    /// Number of a member (a customer, or the labelled house liquidity account).
    UserId(u64)
}
id! {
    /// Number of a coin: BTC 1, ETH 2, USDT 3, USDC 4, listed tokens from 101 (`api.md` 2.1).
    AssetId(u32)
}
id! {
    /// Number of a pair (`match_id` on the wire): 1 BTC/USDT ... 6 ETH/BTC, listed tokens from 101.
    MarketId(u32)
}
id! {
    /// Number of a spot order: the sequence of the entry that placed it.
    OrderId(u64)
}
id! {
    /// Number of a trade, counted from 1 over all markets.
    TradeId(u64)
}
id! {
    /// Dense position of a member inside the engine; never leaves it.
    MemberIndex(u32)
}

impl MemberIndex {
    /// Position as an array index.
    pub(crate) fn at(self) -> usize {
        to_usize(self.0)
    }
}

/// `u32` as an array index; exact on every machine that can hold the engine.
pub(crate) fn to_usize(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// An array length as `u32`; the engine never holds four thousand million objects of one kind.
pub(crate) fn to_u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// A lookup table by number. It cannot be iterated, so its inner order can never reach a result.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdMap<V>(HashMap<u64, V, FxBuildHasher>);

impl<V: Copy> IdMap<V> {
    pub(crate) fn get(&self, id: u64) -> Option<V> {
        self.0.get(&id).copied()
    }
    pub(crate) fn insert(&mut self, id: u64, value: V) {
        self.0.insert(id, value);
    }
    pub(crate) fn remove(&mut self, id: u64) {
        self.0.remove(&id);
    }
}
