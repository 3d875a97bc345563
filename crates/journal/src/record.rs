//! One entry of the journal: its bytes and its hash.

use sha2::{Digest, Sha256};

/// A SHA-256 digest.
pub type Hash = [u8; 32];

/// One entry: what the engine applies at one sequence number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Position in the journal; the first entry is 1.
    pub seq: u64,
    /// Journal time, milliseconds since 1970 UTC.
    pub time_ms: u64,
    /// Which command this is; 0 is not used.
    pub kind: u16,
    /// Version of the command kind; an old version keeps its meaning for ever.
    pub version: u8,
    /// Canonical bytes that anyone may see.
    pub public: Vec<u8>,
    /// Canonical bytes that only the owner may see; empty when there are none.
    pub private: Vec<u8>,
    /// Random salt of the seal; it is used, and kept, only when `private` is not empty.
    pub salt: [u8; 16],
}

/// The public stand-in for the private bytes: `SHA-256(salt || private)`, none when there are no private bytes.
pub fn sealed(record: &Record) -> Option<Hash> {
    if record.private.is_empty() {
        return None;
    }
    let mut hasher = Sha256::new();
    hasher.update(record.salt);
    hasher.update(&record.private);
    Some(hasher.finalize().into())
}

/// The chain hash after `record`, given the chain hash before it (32 zero bytes before entry 1).
///
/// SHA-256 over this canonical form, integers big-endian, without separators:
///
/// | bytes | field |
/// |---|---|
/// | 32 | `prev` |
/// | 8 | `seq` |
/// | 8 | `time_ms` |
/// | 2 | `kind` |
/// | 1 | `version` |
/// | 4 | length of `public` |
/// | n | `public` |
/// | 32 or 0 | [`sealed`], absent when the entry has no private bytes |
pub fn entry_hash(prev: &Hash, record: &Record) -> Hash {
    chain_hash(prev, record, sealed(record).as_ref())
}

/// [`entry_hash`] for callers that know only the seal, not the private bytes.
pub fn chain_hash(prev: &Hash, record: &Record, sealed: Option<&Hash>) -> Hash {
    // `encode` refuses a longer public part, so the hash saturates and needs no error of its own.
    let public_len = u32::try_from(record.public.len()).unwrap_or(u32::MAX);
    let mut head = [0u8; 55];
    head[..32].copy_from_slice(prev);
    head[32..40].copy_from_slice(&record.seq.to_be_bytes());
    head[40..48].copy_from_slice(&record.time_ms.to_be_bytes());
    head[48..50].copy_from_slice(&record.kind.to_be_bytes());
    head[50] = record.version;
    head[51..].copy_from_slice(&public_len.to_be_bytes());
    let mut hasher = Sha256::new();
    hasher.update(head);
    hasher.update(&record.public);
    if let Some(seal) = sealed {
        hasher.update(seal);
    }
    hasher.finalize().into()
}

/// Bytes of a record frame before its payload: time, kind, version, length of the public part.
const FIXED: usize = 8 + 2 + 1 + 4;

/// Bytes that `encode` will write for `record`.
fn encoded_len(record: &Record) -> usize {
    let private = match record.private.len() {
        0 => 0,
        n => n + record.salt.len(),
    };
    4 + FIXED + record.public.len() + private
}

/// Appends the frame of `record`: length of the rest (u32), `time_ms` (u64), `kind` (u16), `version` (u8),
/// length of `public` (u32), `public`, and, only if there are private bytes, `salt` (16) and `private`.
/// The sequence number is not repeated: it follows from the position in the group.
///
/// # Errors
/// When the record does not fit a 32-bit length.
pub(crate) fn encode(record: &Record, out: &mut Vec<u8>) -> Result<(), &'static str> {
    let too_long = "a record does not fit its length field";
    let frame = u32::try_from(encoded_len(record) - 4).map_err(|_| too_long)?;
    let public = u32::try_from(record.public.len()).map_err(|_| too_long)?;
    out.extend_from_slice(&frame.to_be_bytes());
    out.extend_from_slice(&record.time_ms.to_be_bytes());
    out.extend_from_slice(&record.kind.to_be_bytes());
    out.push(record.version);
    out.extend_from_slice(&public.to_be_bytes());
    out.extend_from_slice(&record.public);
    if !record.private.is_empty() {
        out.extend_from_slice(&record.salt);
        out.extend_from_slice(&record.private);
    }
    Ok(())
}

/// Reads one frame as entry `seq` from the front of `input`; allocates no more than the frame holds.
///
/// # Errors
/// When a length does not match the bytes present.
pub(crate) fn decode(seq: u64, input: &mut &[u8]) -> Result<Record, &'static str> {
    let frame_len = u32::from_be_bytes(take(input)?);
    let mut frame = split(input, frame_len)?;
    let time_ms = u64::from_be_bytes(take(&mut frame)?);
    let kind = u16::from_be_bytes(take(&mut frame)?);
    let [version] = take(&mut frame)?;
    let public_len = u32::from_be_bytes(take(&mut frame)?);
    let public = split(&mut frame, public_len)?.to_vec();
    let mut salt = [0; 16];
    if !frame.is_empty() {
        salt = take(&mut frame)?;
        if frame.is_empty() {
            return Err("a salt without private bytes");
        }
    }
    Ok(Record { seq, time_ms, kind, version, public, private: frame.to_vec(), salt })
}

/// Takes `N` bytes off the front.
pub(crate) fn take<const N: usize>(input: &mut &[u8]) -> Result<[u8; N], &'static str> {
    let (front, rest) = input.split_first_chunk().ok_or("cut short")?;
    *input = rest;
    Ok(*front)
}

/// Takes `len` bytes off the front without copying them.
fn split<'a>(input: &mut &'a [u8], len: u32) -> Result<&'a [u8], &'static str> {
    let len = usize::try_from(len).map_err(|_| "a length beyond memory")?;
    let (front, rest) = input.split_at_checked(len).ok_or("cut short")?;
    *input = rest;
    Ok(front)
}
