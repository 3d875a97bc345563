//! Signed heads of the log, the roots of the blocks of its Merkle tree, and the entries that hold the roots of liabilities. All are derived
//! from the log: without them the tree is computed again.

use engine::time::Time;

use crate::db::{Db, DbError, Migration, Row, Sql};
use crate::sql;

pub(crate) const MIGRATION: Migration = Migration {
    id: 70,
    name: "signed heads",
    ddl: &[
        "CREATE TABLE log_blocks (number INTEGER PRIMARY KEY, root BLOB NOT NULL, hash BLOB NOT NULL) STRICT",
        "CREATE TABLE log_heads (
            seq INTEGER PRIMARY KEY,
            hash BLOB NOT NULL,
            root BLOB NOT NULL,
            signature BLOB NOT NULL,
            state_seq INTEGER NOT NULL,
            state_hash BLOB NOT NULL,
            epoch INTEGER NOT NULL,
            time_ms INTEGER NOT NULL
        ) STRICT",
    ],
};

pub(crate) const LIABILITIES: Migration = Migration {
    id: 91,
    name: "recorded liabilities",
    ddl: &["CREATE TABLE liabilities (seq INTEGER PRIMARY KEY, entry INTEGER NOT NULL, roots BLOB NOT NULL) STRICT"],
};

/// The roots of the liabilities at an entry, as the log has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedCut {
    /// The entry after which the balances were taken.
    pub seq: u64,
    /// The entry that has the roots.
    pub entry: u64,
    /// Its public bytes.
    pub roots: Vec<u8>,
}

/// A full block of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its index, from 0.
    pub number: u64,
    /// Root over its leaves.
    pub root: [u8; 32],
    /// Chain hash of its last entry.
    pub hash: [u8; 32],
}

/// A signed head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedHead {
    /// Last entry.
    pub seq: u64,
    /// Chain hash after it.
    pub hash: [u8; 32],
    /// Merkle root over all entries up to it.
    pub root: [u8; 32],
    /// Ed25519 signature.
    pub signature: Vec<u8>,
    /// Entry of the newest state whose hash is in the log up to there; 0 when there is none.
    pub state_seq: u64,
    /// That hash.
    pub state_hash: [u8; 32],
    /// Epoch of the leader that wrote the last entry.
    pub epoch: u64,
    /// Journal time of the last entry.
    pub time_ms: u64,
}

fn hash(row: &Row, column: usize) -> Result<[u8; 32], DbError> {
    row.blob(column)?.try_into().map_err(|_| DbError::Failed("a hash has 32 bytes".to_owned()))
}

/// The public key that heads of this log are signed with, as hex; none before the first start that signs.
pub async fn head_key(db: &Db) -> Result<Option<String>, DbError> {
    db.query(sql!("select value from facts where name = 'head key'")).await?.rows.first().map(|row| row.text(0)).transpose()
}

/// Stores the public key, unless there is one.
pub async fn keep_head_key(db: &Db, key: &str) -> Result<(), DbError> {
    let keep = sql!("insert into facts (name, value) values ('head key', $1) on conflict (name) do nothing", key);
    db.exec(keep).await.map(drop)
}

/// All full blocks, in their order.
pub async fn blocks(db: &Db) -> Result<Vec<Block>, DbError> {
    let rows = db.query(sql!("select number, root, hash from log_blocks order by number")).await?;
    rows.rows.iter().map(|row| Ok(Block { number: row.id(0)?, root: hash(row, 1)?, hash: hash(row, 2)? })).collect()
}

/// Stores a full block.
pub fn add_block(block: &Block) -> Sql {
    let text = "insert into log_blocks (number, root, hash) values ($1, $2, $3) on conflict (number) do nothing";
    sql!(text, block.number, block.root.to_vec(), block.hash.to_vec())
}

/// Stores a signed head.
pub fn add_head(head: &SignedHead) -> Sql {
    let SignedHead { seq, hash, root, signature, state_seq, state_hash, epoch, time_ms } = head;
    let text = "insert into log_heads (seq, hash, root, signature, state_seq, state_hash, epoch, time_ms)
        values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (seq) do nothing";
    let signature = signature.clone();
    sql!(text, *seq, hash.to_vec(), root.to_vec(), signature, *state_seq, state_hash.to_vec(), *epoch, *time_ms)
}

/// The newest signed head at or before an entry.
pub async fn newest_head(db: &Db, at_most: u64) -> Result<Option<SignedHead>, DbError> {
    let text =
        "select seq, hash, root, signature, state_seq, state_hash, epoch, time_ms from log_heads where seq <= $1 order by seq desc limit 1";
    let rows = db.query(sql!(text, at_most)).await?;
    let head = |row: &Row| {
        Ok(SignedHead {
            seq: row.id(0)?,
            hash: hash(row, 1)?,
            root: hash(row, 2)?,
            signature: row.blob(3)?,
            state_seq: row.id(4)?,
            state_hash: hash(row, 5)?,
            epoch: row.id(6)?,
            time_ms: row.id(7)?,
        })
    };
    rows.rows.first().map(head).transpose()
}

/// Number and journal time of each signed head from an instant on, ascending.
///
/// # Errors
/// Of the database.
pub async fn heads_since(db: &Db, from: Time) -> Result<Vec<(u64, Time)>, DbError> {
    let rows = db.query(sql!("select seq, time_ms from log_heads where time_ms >= $1 order by seq", from.0)).await?;
    rows.rows.iter().map(|row| Ok((row.id(0)?, Time(row.id(1)?)))).collect()
}

/// Stores the roots of a cut. The first entry about it counts.
pub fn add_cut(cut: &RecordedCut) -> Sql {
    let text = "insert into liabilities (seq, entry, roots) values ($1, $2, $3) on conflict (seq) do nothing";
    sql!(text, cut.seq, cut.entry, cut.roots.clone())
}

/// The newest recorded cut at or before an entry.
pub async fn newest_cut(db: &Db, at_most: u64) -> Result<Option<RecordedCut>, DbError> {
    let rows = db.query(sql!("select seq, entry, roots from liabilities where seq <= $1 order by seq desc limit 1", at_most)).await?;
    rows.rows.first().map(|row| Ok(RecordedCut { seq: row.id(0)?, entry: row.id(1)?, roots: row.blob(2)? })).transpose()
}
