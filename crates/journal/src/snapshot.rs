//! The state of the engine at one entry, so a start need not replay everything.
//!
//! It is written in pieces by [`Snapshots`], which never uses the journal's own connection: no append waits for a snapshot. A snapshot
//! cannot be read before it is published as a whole, and one that a crash cut short is removed by the next writer.

use crate::error::Error;
use crate::group::Head;
use crate::record::{self, Hash};
use sha2::{Digest, Sha256};

/// Snapshots kept; older ones are deleted.
pub(crate) const KEPT: usize = 3;

/// Bytes passed to a database at a time.
const PIECE: usize = 1 << 20;

/// The state after `head`, as bytes of the engine's own canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The last entry that the state includes; always the end of a group.
    pub head: Head,
    /// The engine's hash of the state.
    pub state_hash: Hash,
    /// The state.
    pub bytes: Vec<u8>,
}

/// What a database does for a writer of snapshots. It connects on first use.
pub(crate) trait DraftStore: Send + std::fmt::Debug {
    /// Removes unfinished drafts.
    fn clean(&mut self) -> Result<(), Error>;

    /// Begins a draft.
    fn begin(&mut self, head: Head) -> Result<(), Error>;

    /// Adds a piece to the draft, durably: unsynced pieces would later delay the sync of the journal.
    fn add(&mut self, piece: &[u8]) -> Result<(), Error>;

    /// Adds the last piece and makes the draft the snapshot at its entry, all at once and durably.
    fn publish(&mut self, last: &[u8]) -> Result<(), Error>;

    /// Deletes all but the newest `kept` snapshots.
    fn prune(&mut self, kept: usize) -> Result<(), Error>;
}

/// Writes snapshots. It blocks: use it from a background thread.
#[derive(Debug)]
pub struct Snapshots(pub(crate) Box<dyn DraftStore>);

impl Snapshots {
    /// Removes the draft of a writer that did not finish. Called at a start; beginning a new draft does it too.
    ///
    /// # Errors
    /// When the database or the folder is unreachable.
    pub fn clean(&mut self) -> Result<(), Error> {
        self.0.clean()
    }

    /// Begins the snapshot of the state after `head`, which must be durable and the end of a group.
    ///
    /// # Errors
    /// As for `clean`.
    pub fn begin(&mut self, head: Head) -> Result<Draft<'_>, Error> {
        self.0.clean()?;
        self.0.begin(head)?;
        let mut draft = Draft { store: self.0.as_mut(), digest: Sha256::new(), piece: Vec::with_capacity(PIECE) };
        draft.write(&MAGIC)?;
        draft.write(&head.seq.to_be_bytes())?;
        draft.write(&head.hash)?;
        Ok(draft)
    }
}

/// A snapshot in progress. If dropped before its end it is not a snapshot.
#[derive(Debug)]
pub struct Draft<'a> {
    store: &'a mut dyn DraftStore,
    digest: Sha256,
    /// Not written yet; shorter than a piece.
    piece: Vec<u8>,
}

impl Draft<'_> {
    /// Adds bytes of the state, in any quantity.
    ///
    /// # Errors
    /// When they cannot be stored; the draft is then unusable.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        self.digest.update(bytes);
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(PIECE - self.piece.len()));
            self.piece.extend_from_slice(now);
            if self.piece.len() == PIECE {
                self.store.add(&self.piece)?;
                self.piece.clear();
            }
            bytes = later;
        }
        Ok(())
    }

    /// Makes the draft a snapshot, durably, and deletes all but the newest three.
    ///
    /// # Errors
    /// As for `write`; `Invalid` when the database shows that the journal has no such entry.
    pub fn finish(mut self, state_hash: Hash) -> Result<(), Error> {
        self.write(&state_hash)?;
        let digest = std::mem::take(&mut self.digest).finalize();
        self.piece.extend_from_slice(&digest);
        self.store.publish(&self.piece)?;
        self.store.prune(KEPT)
    }
}

/// `MAGIC`, `seq` (u64), chain hash, the state, state hash, SHA-256 of all of that.
const MAGIC: [u8; 8] = *b"MDNSNAP2";
/// The format that release 2.5.8 wrote, in one value: `MAGIC_1`, `seq` (u64), chain hash, state hash, the state, SHA-256 of all of that.
const MAGIC_1: [u8; 8] = *b"MDNSNAP1";

/// Reads a snapshot back; `None` when a single bit differs from what was written.
pub(crate) fn decode(mut content: Vec<u8>) -> Option<Snapshot> {
    let (written, digest) = content.split_last_chunk::<32>()?;
    if Sha256::digest(written).as_slice() != digest {
        return None;
    }
    let mut input = written;
    let magic = record::take(&mut input).ok()?;
    let head = Head { seq: u64::from_be_bytes(record::take(&mut input).ok()?), hash: record::take(&mut input).ok()? };
    let (state_hash, state) = match magic {
        MAGIC => input.split_last_chunk::<32>().map(|(state, hash)| (*hash, state.len()))?,
        MAGIC_1 => (record::take(&mut input).ok()?, input.len()),
        _ => return None,
    };
    // Done in place, because there may not be room for the state twice.
    let end = content.len() - 32 - if magic == MAGIC { 32 } else { 0 };
    content.truncate(end);
    content.drain(..end - state);
    Some(Snapshot { head, state_hash, bytes: content })
}
