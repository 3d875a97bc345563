//! A group: the entries that one transaction makes durable together, and the row that keeps them.

use crate::error::{AppendError, Error};
use crate::record::{self, Hash, Record};

/// A position in the chain: the last entry and the chain hash after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Head {
    /// Sequence number of the last entry; 0 before the first.
    pub seq: u64,
    /// Chain hash after that entry.
    pub hash: Hash,
}

impl Head {
    /// The head of an empty journal.
    pub const GENESIS: Self = Self { seq: 0, hash: [0; 32] };
}

/// Entries that became durable in one transaction, checked against their chain hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Fencing epoch of the leader that wrote it.
    pub epoch: u64,
    /// The entries, in order and without gaps; never empty.
    pub records: Vec<Record>,
    /// Chain hash before the first entry.
    pub prev_hash: Hash,
    /// Chain hash after each entry.
    hashes: Vec<Hash>,
}

/// An entry in its place in the chain.
#[derive(Clone, Copy, Debug)]
pub struct Chained<'a> {
    /// The entry.
    pub record: &'a Record,
    /// Chain hash before it.
    pub prev: &'a Hash,
    /// Chain hash after it.
    pub hash: &'a Hash,
}

impl Group {
    /// The position after this group.
    pub fn head(&self) -> Head {
        self.records.last().zip(self.hashes.last()).map_or(Head::GENESIS, |(last, hash)| Head { seq: last.seq, hash: *hash })
    }

    /// The entries with their chain hashes.
    pub fn chained(&self) -> impl Iterator<Item = Chained<'_>> {
        let before = std::iter::once(&self.prev_hash).chain(&self.hashes);
        self.records.iter().zip(before.zip(&self.hashes)).map(|(record, (prev, hash))| Chained { record, prev, hash })
    }

    /// Everything up to here was known to be durable when the group was written: a follower may apply up to the greatest `durable_to` it
    /// has seen (one commit is in flight at a time, so it is the entry before the group).
    pub fn durable_to(&self) -> u64 {
        self.records.first().map_or(0, |first| first.seq.saturating_sub(1))
    }
}

/// Seals groups one after another without the database, so it can work while an earlier group commits.
///
/// Each sealed group follows the one before. If a group turns out not to be written, everything sealed after it is void:
/// [`Journal::commit`](crate::Journal::commit) refuses it, and a new sealer starts at the journal's real end.
#[derive(Debug)]
pub struct Sealer {
    pub(crate) epoch: u64,
    pub(crate) head: Head,
}

impl Sealer {
    /// The position after the last sealed group.
    pub fn head(&self) -> Head {
        self.head
    }

    /// Encodes `records` as one group and chains it. They must follow the last sealed group without a gap.
    ///
    /// # Errors
    /// `NotWritten` when they do not; the sealer is unchanged.
    pub fn seal(&mut self, records: &[Record]) -> Result<Sealed, AppendError> {
        let row = Row::seal(self.epoch, self.head, records).map_err(AppendError::NotWritten)?;
        self.head = row.head();
        Ok(Sealed(row))
    }
}

/// A group with its place in the chain, not yet in the journal.
#[derive(Debug)]
pub struct Sealed(pub(crate) Row);

/// A run of groups as they are stored.
#[derive(Debug)]
pub struct Part(pub(crate) Vec<Row>);

impl Part {
    /// Decodes the groups; their hashes and links are checked.
    ///
    /// # Errors
    /// `Damaged` when they differ from what was written.
    pub fn open(&self) -> Result<Vec<Group>, Error> {
        let before = self.0.first().map_or(Head::GENESIS, Row::before);
        open_run(before, &self.0)
    }
}

/// Version of the body's layout.
const BODY_VERSION: u8 = 1;

/// The largest body that is written or accepted, in bytes.
pub const MAX_BODY: usize = 64 << 20;

/// A journal row as the database stores it. All columns but `hash` and `body` repeat parts of the body, so people and followers can read
/// them without decoding; `open` checks that they match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub seq: u64,
    pub epoch: u64,
    pub prev_hash: Hash,
    pub hash: Hash,
    pub version: u8,
    pub time_ms: u64,
    pub durable_to: u64,
    pub body: Vec<u8>,
}

impl Row {
    /// Builds the row that follows `from`.
    ///
    /// Body: `BODY_VERSION` (u8), `epoch` (u64), `seq` of the first entry (u64), number of entries (u32), the record
    /// frames, CRC-32 of all of that (u32). The checksum covers what the chain hash does not: the epoch.
    pub(crate) fn seal(epoch: u64, from: Head, records: &[Record]) -> Result<Self, String> {
        let last = records.last().ok_or("a group without entries")?;
        let count = u32::try_from(records.len()).map_err(|_| "too many entries")?;
        let mut body = Vec::with_capacity(64 + records.len() * 192);
        body.push(BODY_VERSION);
        body.extend_from_slice(&epoch.to_be_bytes());
        body.extend_from_slice(&(from.seq + 1).to_be_bytes());
        body.extend_from_slice(&count.to_be_bytes());
        let mut head = from;
        for record in records {
            if record.seq != head.seq + 1 {
                return Err(format!("entry {} does not follow {}", record.seq, head.seq));
            }
            record::encode(record, &mut body)?;
            head = Head { seq: record.seq, hash: record::entry_hash(&head.hash, record) };
        }
        body.extend_from_slice(&crc32fast::hash(&body).to_be_bytes());
        if body.len() > MAX_BODY {
            return Err(format!("a group of {} bytes is too large", body.len()));
        }
        Ok(Self {
            seq: head.seq,
            epoch,
            prev_hash: from.hash,
            hash: head.hash,
            version: BODY_VERSION,
            time_ms: last.time_ms,
            durable_to: from.seq,
            body,
        })
    }

    /// The position after the row.
    pub(crate) fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash }
    }

    /// The position before the row, if its columns are correct.
    pub(crate) fn before(&self) -> Head {
        Head { seq: self.durable_to, hash: self.prev_hash }
    }

    /// Decodes the row and recomputes its chain hash.
    pub(crate) fn open(&self) -> Result<Group, Error> {
        let damaged = |what: &str| Error::damaged(self.seq, what);
        let (epoch, records) = decode_body(&self.body).map_err(damaged)?;
        let (Some(first), Some(last)) = (records.first(), records.last()) else {
            return Err(damaged("a group without entries"));
        };
        let columns_agree = self.epoch == epoch
            && self.version == BODY_VERSION
            && self.seq == last.seq
            && self.time_ms == last.time_ms
            && self.durable_to + 1 == first.seq;
        if !columns_agree {
            return Err(damaged("the columns do not agree with the body"));
        }
        let hashes: Vec<Hash> = records
            .iter()
            .scan(self.prev_hash, |hash, record| {
                *hash = record::entry_hash(hash, record);
                Some(*hash)
            })
            .collect();
        if hashes.last() != Some(&self.hash) {
            return Err(damaged("the chain hash does not agree with the entries"));
        }
        Ok(Group { epoch, records, prev_hash: self.prev_hash, hashes })
    }
}

/// Decodes a body strictly: every byte has one meaning, and trailing bytes are refused.
fn decode_body(body: &[u8]) -> Result<(u64, Vec<Record>), &'static str> {
    if body.len() > MAX_BODY {
        return Err("the body is too large");
    }
    let (mut input, checksum) = body.split_last_chunk().ok_or("cut short")?;
    if crc32fast::hash(input) != u32::from_be_bytes(*checksum) {
        return Err("the checksum does not agree with the body");
    }
    let [version] = record::take(&mut input)?;
    if version != BODY_VERSION {
        return Err("a body version that this build does not know");
    }
    let epoch = u64::from_be_bytes(record::take(&mut input)?);
    let first = u64::from_be_bytes(record::take(&mut input)?);
    let count = u32::from_be_bytes(record::take(&mut input)?);
    if first == 0 || first.checked_add(u64::from(count)).is_none() {
        return Err("impossible sequence numbers");
    }
    // Do not allocate by the count, which is not trusted; the frames show how many there are.
    let mut records = Vec::new();
    for offset in 0..u64::from(count) {
        records.push(record::decode(first + offset, &mut input)?);
    }
    if !input.is_empty() {
        return Err("bytes after the last entry");
    }
    Ok((epoch, records))
}

/// Opens `rows` as a continuous run after `from`: without gaps, each hash following from the one before, epochs
/// never going back.
pub(crate) fn open_run(from: Head, rows: &[Row]) -> Result<Vec<Group>, Error> {
    let (mut head, mut epoch) = (from, 0);
    rows.iter()
        .map(|row| {
            let group = row.open()?;
            if row.durable_to != head.seq {
                let what = format!("entries after {} are missing", head.seq);
                return Err(Error::damaged(head.seq + 1, what));
            }
            if group.prev_hash != head.hash {
                return Err(Error::damaged(row.seq, "the chain is broken before it"));
            }
            if group.epoch < epoch {
                return Err(Error::damaged(row.seq, "an epoch after a newer one"));
            }
            (head, epoch) = (group.head(), group.epoch);
            Ok(group)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn records() -> impl Strategy<Value = Vec<Record>> {
        let bytes = || prop::collection::vec(any::<u8>(), 0..40);
        let one = (any::<u64>(), any::<u16>(), any::<u8>(), bytes(), bytes(), any::<[u8; 16]>());
        prop::collection::vec(one, 1..8).prop_map(|entries| {
            (1..)
                .zip(entries)
                .map(|(seq, (time_ms, kind, version, public, private, salt))| Record {
                    seq,
                    time_ms,
                    kind,
                    version,
                    public,
                    // A salt is kept only with private bytes.
                    salt: if private.is_empty() { [0; 16] } else { salt },
                    private,
                })
                .collect()
        })
    }

    proptest! {
        #[test]
        fn a_group_comes_back_as_it_was(entries in records(), epoch in any::<u64>()) {
            let row = Row::seal(epoch, Head::GENESIS, &entries).expect("sealed");
            let group = row.open().expect("opened");
            let mut before = Head::GENESIS.hash;
            for Chained { record, prev, hash } in group.chained() {
                prop_assert_eq!((*prev, *hash), (before, record::entry_hash(&before, record)));
                before = *hash;
            }
            prop_assert_eq!(group.head(), row.head());
            prop_assert_eq!(group.records, entries);
            prop_assert_eq!(group.epoch, epoch);
        }

        #[test]
        fn arbitrary_bytes_never_panic_and_have_one_meaning(mut body in prop::collection::vec(any::<u8>(), 0..200), fix in any::<bool>()) {
            if fix {
                // Set the version and pass the checksum, so that the frames themselves are tested.
                if let Some(first) = body.first_mut() { *first = BODY_VERSION; }
                body.extend_from_slice(&crc32fast::hash(&body).to_be_bytes());
            }
            if let Ok((epoch, entries)) = decode_body(&body) && !entries.is_empty() {
                let from = Head { seq: entries[0].seq - 1, hash: [0; 32] };
                prop_assert_eq!(Row::seal(epoch, from, &entries).expect("sealed").body, body);
            }
        }

        #[test]
        fn a_mutated_frame_never_panics(entries in records(), at in any::<prop::sample::Index>(), value in any::<u8>()) {
            let mut body = Row::seal(1, Head::GENESIS, &entries).expect("sealed").body;
            body.truncate(body.len() - 4);
            let at = at.index(body.len());
            body[at] = value;
            body.extend_from_slice(&crc32fast::hash(&body).to_be_bytes());
            if let Ok((epoch, decoded)) = decode_body(&body) && !decoded.is_empty() {
                let from = Head { seq: decoded[0].seq - 1, hash: [0; 32] };
                prop_assert_eq!(Row::seal(epoch, from, &decoded).expect("sealed").body, body);
            }
        }

        #[test]
        fn any_flipped_bit_is_noticed(entries in records(), at in any::<prop::sample::Index>()) {
            let mut row = Row::seal(7, Head::GENESIS, &entries).expect("sealed");
            let bit = at.index(row.body.len() * 8);
            row.body[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(row.open().is_err());
        }
    }

    #[test]
    fn the_canonical_form_is_fixed() {
        let entry = Record { seq: 1, time_ms: 2, kind: 3, version: 4, public: b"five".to_vec(), private: b"six".to_vec(), salt: [7; 16] };
        let hex = |hash: Hash| hash.map(|byte| format!("{byte:02x}")).concat();
        // Computed with another implementation from the table in `entry_hash`.
        assert_eq!(hex(record::entry_hash(&[0; 32], &entry)), SEALED);
        let open = Record { private: Vec::new(), ..entry };
        assert_eq!(hex(record::entry_hash(&[0; 32], &open)), OPEN);
    }

    const SEALED: &str = "9a68e852f4b094eacd552c1c9b66268315eb87ace675f8155c80d35839cf941b";
    const OPEN: &str = "1b4f0ec69527a6d12afa1d978897702366db4e63e1bcc47cb56bd8f00a9bd8df";
}
