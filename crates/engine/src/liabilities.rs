//! Proof of liabilities: what all members have of each coin at one entry of the log, as a Merkle-sum tree (`docs/log-bytes.md`). The roots
//! enter the log, so everybody is shown the same ones; a member checks that their own leaf is in it.
//!
//! A tree is a pure function of the balances and of a seed, which the entry of the roots seals: whoever holds the whole log can make it
//! once more.

mod sum_tree;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::amount::Amount;
use crate::ids::{AssetId, Digest, Seq, UserId};
use crate::ledger::HouseAccount;
use crate::time::Time;
pub use sum_tree::{Node, Proven, Side, Step, SumTree, fold, sides};

/// Balances are cut at every full ten minutes of journal time, ms.
pub const INTERVAL_MS: u64 = 600_000;

/// The interval of ten minutes that an instant lies in. The first entry of an interval is its cut; where the numbers of two cuts that follow
/// one another differ by more than 1, one was missed.
pub fn interval(time: Time) -> u64 {
    time.0 / INTERVAL_MS
}

/// What everybody has of every coin after one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The entry.
    pub seq: Seq,
    /// Its journal time.
    pub time: Time,
    /// Coin by coin.
    pub coins: Vec<CoinBalances>,
    /// What the house accounts have; of a coin they have together what came in and is no member's. It enters no tree.
    pub house: Vec<(HouseAccount, AssetId, Amount)>,
}

/// The balances of one coin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoinBalances {
    /// The coin.
    pub asset: AssetId,
    /// What came in from outside and has not left, atoms: members and house accounts together have that much (I-1).
    pub came_in: Amount,
    /// Each member who has any of it, with the total of the four wallets, available and held.
    pub members: Vec<(UserId, Amount)>,
}

/// The roots of a cut, as they enter the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordLiabilities {
    /// The entry after which the balances were taken.
    pub seq: Seq,
    /// Its journal time.
    pub time: Time,
    /// Coin by coin.
    pub coins: Vec<CoinRoot>,
    /// What nonces and order of the leaves follow from. Sealed: who knows it could try out who has what.
    pub seed: Digest,
}

/// The root of one coin's tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoinRoot {
    /// The coin.
    pub asset: AssetId,
    /// [`CoinBalances::came_in`].
    pub came_in: Amount,
    /// Sum of all leaves.
    pub total: Amount,
    /// Leaves.
    pub users: u64,
    /// Hash of the root.
    pub root: Digest,
}

/// The blinding value of a member's leaf. It differs in every cut and for every coin, and cannot be computed without the seed.
pub fn nonce(seed: &Digest, asset: AssetId, user: UserId) -> Digest {
    let mut hasher = Sha256::new();
    hasher.update(seed.0);
    hasher.update(asset.0.to_be_bytes());
    hasher.update(user.0.to_be_bytes());
    Digest(hasher.finalize().into())
}

impl RecordLiabilities {
    /// The trees of a cut, and the entry of their roots.
    pub fn of(cut: Cut, seed: Digest) -> (Vec<SumTree>, RecordLiabilities) {
        let Cut { seq, time, coins, .. } = cut;
        let coin = |CoinBalances { asset, came_in, members }| {
            let tree = SumTree::new(asset, seed, members);
            let root = CoinRoot { asset, came_in, total: tree.root().sum, users: tree.users(), root: tree.root().hash };
            (tree, root)
        };
        let (trees, coins) = coins.into_iter().map(coin).unzip();
        (trees, RecordLiabilities { seq, time, coins, seed })
    }
}
