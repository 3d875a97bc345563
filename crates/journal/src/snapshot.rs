//! The state of the engine at one entry, so that a start need not replay everything.

use crate::group::Head;
use crate::record::{self, Hash};
use sha2::{Digest, Sha256};

/// Snapshots kept; older ones are deleted.
pub(crate) const KEPT: usize = 3;

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

const MAGIC: [u8; 8] = *b"MDNSNAP1";

/// `MAGIC`, `seq` (u64), chain hash, state hash, the state, SHA-256 of all of that.
pub(crate) fn encode(snapshot: &Snapshot) -> Vec<u8> {
    let mut out = Vec::with_capacity(snapshot.bytes.len() + 112);
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&snapshot.head.seq.to_be_bytes());
    out.extend_from_slice(&snapshot.head.hash);
    out.extend_from_slice(&snapshot.state_hash);
    out.extend_from_slice(&snapshot.bytes);
    let digest = Sha256::digest(&out);
    out.extend_from_slice(&digest);
    out
}

/// Reads a snapshot back; none when a single bit differs from what was written.
pub(crate) fn decode(content: &[u8]) -> Option<Snapshot> {
    let (mut input, digest) = content.split_last_chunk::<32>()?;
    if Sha256::digest(input).as_slice() != digest || record::take(&mut input) != Ok(MAGIC) {
        return None;
    }
    let seq = u64::from_be_bytes(record::take(&mut input).ok()?);
    let hash = record::take(&mut input).ok()?;
    let state_hash = record::take(&mut input).ok()?;
    Some(Snapshot { head: Head { seq, hash }, state_hash, bytes: input.to_vec() })
}
