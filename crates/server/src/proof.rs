//! Follows the log with a Merkle tree of its entries and signs its head at every full minute, so anyone can prove that an entry is in the
//! log, and detect two different logs (`docs/api.md` 10).

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use engine::codec;
use journal::merkle::{self, BLOCK, Tree};
use journal::{Chained, Group, Hash, Head};
use kernel::journal_clock::Clock;
use kernel::sequencer::{READ, Sequencer, SubmitError};
use ring::signature::{Ed25519KeyPair, KeyPair};
use store::db::Db;
use store::proofs::{self, Block, RecordedCut, SignedHead};
use store::secrets::{self, OpenError};

/// The log is looked at so often: many entries are then read at once.
const LOOK: Duration = Duration::from_millis(250);
const MINUTE_MS: u64 = 60_000;
/// Prefix of the signed bytes, so the signature of a head can mean nothing else.
pub const SIGNED: &[u8; 16] = b"meridian-head-v1";

/// The tree, and the key that signs its head.
pub struct Proof {
    key: Ed25519KeyPair,
    reached: RwLock<Reached>,
}

/// How far the log has been followed.
#[derive(Debug, Default)]
struct Reached {
    tree: Tree,
    hash: Hash,
    /// Chain hash of the first entry.
    genesis: Hash,
    epoch: u64,
    time_ms: u64,
    /// The newest state whose hash is in the log: entry and hash.
    state: (u64, Hash),
}

/// Data that follows from the log and has no row yet. A start begins after the last block that has one, so what is lost here is computed
/// again.
#[derive(Debug, Default)]
struct Unkept {
    blocks: Vec<Block>,
    cuts: Vec<RecordedCut>,
}

impl std::fmt::Debug for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Proof")
    }
}

/// The bytes that a head's signature covers: [`SIGNED`], chain hash of the first entry, number of the last one (8 bytes, big-endian), its
/// chain hash, the Merkle root, the journal time of the last entry (8 bytes, big-endian).
pub fn signed_bytes(genesis: &Hash, head: &SignedHead) -> Vec<u8> {
    [&SIGNED[..], genesis, &head.seq.to_be_bytes(), &head.hash, &head.root, &head.time_ms.to_be_bytes()].concat()
}

impl Proof {
    /// Reads `DIR/secrets/head-key`, or creates it for a log whose heads were never signed: everyone who keeps a head identifies the log by
    /// it.
    ///
    /// # Errors
    /// When the key is missing or a different one.
    pub async fn open(data: &Path, db: &Db) -> Result<Proof, OpenError> {
        let file = data.join("secrets").join("head-key");
        if !file.exists() && proofs::head_key(db).await?.is_none() {
            secrets::create_private(&file, &format!("{}\n", secrets::hex(&secrets::random::<32>()?)))?;
        }
        let text = std::fs::read_to_string(&file)
            .map_err(|error| OpenError(format!("{}: {error}; heads of this log are signed with it", file.display())))?;
        let seed: Option<[u8; 32]> = secrets::from_hex(text.trim());
        let key = seed.and_then(|seed| Ed25519KeyPair::from_seed_unchecked(&seed).ok());
        let key = key.ok_or_else(|| OpenError(format!("{}: 64 hex digits expected", file.display())))?;
        let public = secrets::hex(key.public_key().as_ref());
        proofs::keep_head_key(db, &public).await?;
        if proofs::head_key(db).await?.as_ref() != Some(&public) {
            return Err(OpenError(format!("{}: heads of this log were signed with another key", file.display())));
        }
        Ok(Proof { key, reached: RwLock::default() })
    }

    /// The public key, 32 bytes.
    pub fn public_key(&self) -> &[u8] {
        self.key.public_key().as_ref()
    }

    /// Chain hash of the first entry.
    pub fn genesis(&self) -> Hash {
        self.read(|reached| reached.genesis)
    }

    /// Entries that were followed: a path leads to no head behind them.
    pub fn size(&self) -> u64 {
        self.read(|reached| reached.tree.size())
    }

    fn read<T>(&self, how: impl FnOnce(&Reached) -> T) -> T {
        how(&self.reached.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Chain hash of an entry and the path from it to the root of the head at `head`; `None` when there is none. Reads the log at most once
    /// for each of the two blocks that it may need.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn path(&self, sequencer: &Sequencer, seq: u64, head: u64) -> Result<Option<(Hash, merkle::Path)>, SubmitError> {
        // At most two full blocks are needed: that of the entry and that of the head.
        let (leaf, blocks) = (seq.wrapping_sub(1), self.read(|reached| reached.tree.blocks()));
        let (mut read, mut hash) = (Vec::new(), None);
        for block in [leaf / BLOCK, head / BLOCK] {
            if block < blocks && read.iter().all(|(known, _)| *known != block) {
                let groups = sequencer.read_log(block * BLOCK + 1..=(block + 1) * BLOCK).await?;
                hash = hash.or_else(|| hash_in(&groups, seq));
                read.push((block, hashes(&groups).filter(|(seq, _)| (seq - 1) / BLOCK == block).map(|(_, hash)| hash).collect::<Vec<_>>()));
            }
        }
        let entries = |block: u64| {
            let found = read.iter().find(|(known, _)| *known == block).map(|(_, entries)| entries.clone());
            found.filter(|entries| entries.len() as u64 == BLOCK).ok_or(SubmitError::NotReady)
        };
        let Some(path) = self.read(|reached| reached.tree.path(leaf, head, entries))? else { return Ok(None) };
        // The last block is not full; the tree has its leaves, but not their hashes.
        let hash = match hash {
            Some(hash) => Some(hash),
            None => hash_in(&sequencer.read_log(seq..=seq).await?, seq),
        };
        hash.map(|hash| Some((hash, path))).ok_or(SubmitError::NotReady)
    }

    /// A block of the tree: the groups that hold its entries, and the hashes of those; of the last block as far as there are any.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn block(&self, sequencer: &Sequencer, block: u64) -> Result<(Vec<Group>, Vec<Hash>), SubmitError> {
        let last = ((block + 1) * BLOCK).min(sequencer.newest());
        let groups = sequencer.read_log(block * BLOCK + 1..=last).await?;
        let all = hashes(&groups).filter(|(seq, _)| (seq - 1) / BLOCK == block).map(|(_, hash)| hash).collect();
        Ok((groups, all))
    }

    /// The path from an entry to the root of the head at `head`. The blocks it needs, that of the entry and that of the head, must have
    /// been read before.
    ///
    /// # Errors
    /// When they were not.
    pub fn path_within(&self, blocks: &BTreeMap<u64, Vec<Hash>>, seq: u64, head: u64) -> Result<merkle::Path, SubmitError> {
        let entries = |block: u64| blocks.get(&block).filter(|all| all.len() as u64 == BLOCK).cloned().ok_or(SubmitError::NotReady);
        self.read(|reached| reached.tree.path(seq.wrapping_sub(1), head, entries))?.ok_or(SubmitError::NotReady)
    }

    fn sign(&self) -> Option<SignedHead> {
        let (genesis, mut head) = self.read(|reached| {
            let Reached { tree, hash, epoch, time_ms, state: (state_seq, state_hash), .. } = reached;
            let head = SignedHead {
                seq: tree.size(),
                hash: *hash,
                root: tree.root(),
                signature: Vec::new(),
                state_seq: *state_seq,
                state_hash: *state_hash,
                epoch: *epoch,
                time_ms: *time_ms,
            };
            (reached.genesis, head)
        });
        head.signature = self.key.sign(&signed_bytes(&genesis, &head)).as_ref().to_vec();
        // If the tree was only loaded, time and epoch of the last entry are not known yet.
        (head.time_ms > 0).then_some(head)
    }

    /// Takes the following entries of these groups, and adds what is to be stored of them.
    ///
    /// # Errors
    /// When they do not continue what was followed so far.
    fn follow(&self, groups: &[Group], unkept: &mut Unkept) -> Result<(), String> {
        let mut reached = self.reached.write().unwrap_or_else(PoisonError::into_inner);
        for group in groups {
            let known = reached.tree.size();
            let next = group.chained().find(|entry| entry.record.seq == known + 1);
            if next.map_or(group.head().hash, |next| *next.prev) != reached.hash {
                return Err(format!("the log does not continue entry {known} as it was signed"));
            }
            for Chained { record, hash, .. } in group.chained().filter(|entry| entry.record.seq > known) {
                if record.seq == 1 {
                    reached.genesis = *hash;
                }
                if record.kind == codec::RECORD_STATE {
                    reached.state = codec::parts::recorded_state(&record.public).unwrap_or(reached.state);
                }
                if record.kind == codec::RECORD_LIABILITIES
                    && let Some(seq) = codec::parts::recorded_cut(&record.public)
                {
                    unkept.cuts.push(RecordedCut { seq, entry: record.seq, roots: record.public.clone() });
                }
                let number = reached.tree.blocks();
                unkept.blocks.extend(reached.tree.push(hash).map(|root| Block { number, root, hash: *hash }));
                (reached.hash, reached.time_ms, reached.epoch) = (*hash, record.time_ms, group.epoch);
            }
        }
        Ok(())
    }
}

/// Each entry's number and chain hash.
fn hashes(groups: &[Group]) -> impl Iterator<Item = (u64, Hash)> {
    groups.iter().flat_map(Group::chained).map(|entry| (entry.record.seq, *entry.hash))
}

/// Chain hash of an entry of these groups.
fn hash_in(groups: &[Group], seq: u64) -> Option<Hash> {
    hashes(groups).find(|(number, _)| *number == seq).map(|(_, hash)| hash)
}

/// Follows the log for ever and signs its head.
pub async fn run(proof: Arc<Proof>, sequencer: Sequencer, clock: Arc<Clock>, db: Db) {
    while let Err(why) = begin(&proof, &sequencer, &db).await {
        tracing::warn!(why, "signed heads wait");
        tokio::time::sleep(LOOK).await;
    }
    let (mut signed, mut unkept) = ((0, 0), Unkept::default());
    loop {
        // A minute of journal time, so that a sandbox whose clock was moved need not wait for a real minute. Read before the newest entry, so
        // that the head of a minute covers everything before it.
        let minute = clock.now_ms() / MINUTE_MS;
        let size = proof.size();
        let newest = sequencer.newest();
        if size < newest {
            if let Err(why) = step(&proof, &sequencer, &db, size + 1..=newest.min(size + READ), &mut unkept).await {
                tracing::warn!(why, "signed heads wait");
                tokio::time::sleep(LOOK).await;
            }
            if newest > size + READ {
                continue;
            }
        }
        if minute != signed.0
            && let Some(head) = proof.sign().filter(|head| head.seq > signed.1)
        {
            let seq = head.seq;
            match db.run_relaxed([proofs::add_head(&head)].into()).await {
                Ok(_) => signed = (minute, seq),
                Err(error) => tracing::warn!(%error, "a signed head is not kept"),
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Begins at the last known full block.
async fn begin(proof: &Proof, sequencer: &Sequencer, db: &Db) -> Result<(), String> {
    let mut blocks = proofs::blocks(db).await.map_err(|error| error.to_string())?;
    // A block that could not be stored is computed again, with those after it.
    let whole = (0..).zip(&blocks).take_while(|(number, block)| *number == block.number).count();
    blocks.truncate(whole);
    let head = proofs::newest_head(db, blocks.len() as u64 * BLOCK).await.map_err(|error| error.to_string())?;
    let first = sequencer.read_log(1..=1).await.map_err(|error| format!("{error:?}"))?;
    let last = Head { seq: blocks.len() as u64 * BLOCK, hash: blocks.last().map_or([0; 32], |block| block.hash) };
    if last.seq > sequencer.newest() {
        return Err("the log ends before what was signed".to_owned());
    }
    let mut reached = proof.reached.write().unwrap_or_else(PoisonError::into_inner);
    *reached = Reached {
        tree: Tree::of_blocks(blocks.iter().map(|block| block.root)),
        hash: last.hash,
        genesis: hashes(&first).next().map_or([0; 32], |(_, hash)| hash),
        state: head.map_or((0, [0; 32]), |head| (head.state_seq, head.state_hash)),
        ..Reached::default()
    };
    Ok(())
}

async fn step(
    proof: &Proof,
    sequencer: &Sequencer,
    db: &Db,
    entries: std::ops::RangeInclusive<u64>,
    unkept: &mut Unkept,
) -> Result<(), String> {
    let groups = sequencer.read_log(entries).await.map_err(|error| format!("{error:?}"))?;
    proof.follow(&groups, unkept)?;
    let Unkept { blocks, cuts } = &*unkept;
    let kept: Vec<_> = blocks.iter().map(proofs::add_block).chain(cuts.iter().map(proofs::add_cut)).collect();
    if kept.is_empty() {
        return Ok(());
    }
    // They follow from the log, so callers need not wait for their sync.
    db.run_relaxed(kept.into()).await.map_err(|error| error.to_string())?;
    *unkept = Unkept::default();
    Ok(())
}
