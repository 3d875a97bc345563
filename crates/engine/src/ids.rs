//! Identifiers. All are plain integers inside newtypes, so that one cannot stand for another.

use std::hash::BuildHasher;

use hashbrown::HashTable;
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

/// Finds objects by number. It keeps positions only, so that it stays small: whoever holds the objects says which number lies where.
/// It cannot be iterated, so its inner order can never reach a result.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdTable(HashTable<u32>);

impl IdTable {
    /// The position of the object with this number.
    pub(crate) fn find(&self, id: u64, id_at: impl Fn(u32) -> u64) -> Option<u32> {
        self.0.find(hash(id), |at| id_at(*at) == id).copied()
    }

    /// Adds an object whose number is not in the table.
    pub(crate) fn insert(&mut self, id: u64, at: u32, id_at: impl Fn(u32) -> u64) {
        self.0.insert_unique(hash(id), at, |at| hash(id_at(*at)));
    }

    /// Takes out the object at a position.
    pub(crate) fn remove(&mut self, id: u64, at: u32) {
        if let Ok(entry) = self.0.find_entry(hash(id), |other| *other == at) {
            entry.remove();
        }
    }
}

fn hash(id: u64) -> u64 {
    FxBuildHasher.hash_one(id)
}
