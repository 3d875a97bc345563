//! The public log as its calls show it: entries, signed heads, and the path from one to the other (`docs/log-bytes.md`).

use data_encoding::HEXLOWER;
use journal::merkle::{self, Side};
use journal::{Hash, Record, chain_hash};
use ring::signature::{ED25519, UnparsedPublicKey};
use serde::{Deserialize, Deserializer};
use sha2::{Digest, Sha256};

use crate::proof::SIGNED;
use crate::verify::fault::{Fault, Reason};

/// An entry of `proof/entries`.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry {
    /// Its number.
    pub seq: u64,
    /// Journal time.
    pub time_ms: u64,
    /// Kind of command.
    #[serde(rename = "kind_number")]
    pub kind: u16,
    /// Version of the kind.
    pub version: u8,
    /// Hash of the entry before.
    #[serde(deserialize_with = "hash")]
    pub prev: Hash,
    /// Its claimed hash.
    #[serde(deserialize_with = "hash")]
    pub hash: Hash,
    /// Public bytes.
    #[serde(deserialize_with = "bytes")]
    pub bytes: Vec<u8>,
    /// Seal of the private part.
    #[serde(default, deserialize_with = "maybe_hash")]
    pub sealed: Option<Hash>,
    /// The sealed part, for its owner.
    pub own: Option<Own>,
}

/// The sealed part of an entry.
#[derive(Clone, Debug, Deserialize)]
pub struct Own {
    /// Private bytes.
    #[serde(deserialize_with = "bytes")]
    pub bytes: Vec<u8>,
    /// Salt of the seal.
    #[serde(deserialize_with = "bytes")]
    pub salt: Vec<u8>,
}

/// A head of `proof/head`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct SignedHead {
    /// Last entry.
    pub seq: u64,
    /// Its hash.
    #[serde(deserialize_with = "hash")]
    pub hash: Hash,
    /// Root over all entries up to it.
    #[serde(deserialize_with = "hash")]
    pub root: Hash,
    /// Ed25519 signature.
    #[serde(deserialize_with = "bytes")]
    pub signature: Vec<u8>,
    /// Public key.
    #[serde(deserialize_with = "bytes")]
    pub key: Vec<u8>,
    /// Journal time of the last entry.
    pub time_ms: u64,
    /// Hash of entry 1.
    #[serde(deserialize_with = "hash")]
    pub genesis: Hash,
}

/// One step of the way from an entry to a root.
#[derive(Clone, Debug, Deserialize)]
pub struct Step {
    side: PathSide,
    #[serde(deserialize_with = "hash")]
    hash: Hash,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PathSide {
    Left,
    Right,
}

/// An answer of `proof/inclusion`.
#[derive(Clone, Debug, Deserialize)]
pub struct Inclusion {
    /// The way.
    pub path: Vec<Step>,
}

fn bytes<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(from)?;
    HEXLOWER.decode(text.as_bytes()).map_err(serde::de::Error::custom)
}

fn hash<'de, D: Deserializer<'de>>(from: D) -> Result<Hash, D::Error> {
    bytes(from)?.try_into().map_err(|_| serde::de::Error::custom("a hash has 32 bytes"))
}

fn maybe_hash<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Hash>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    let read = |text: String| HEXLOWER.decode(text.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
    text.map(|text| read(text).ok_or_else(|| serde::de::Error::custom("a hash has 32 bytes"))).transpose()
}

impl Entry {
    /// The hash that its fields have.
    pub fn computed(&self) -> Hash {
        let Entry { seq, time_ms, kind, version, bytes, .. } = self;
        let record = Record { seq: *seq, time_ms: *time_ms, kind: *kind, version: *version, public: bytes.clone(), ..Record::default() };
        chain_hash(&self.prev, &record, self.sealed.as_ref())
    }

    /// Its sealed part, if that is shown and matches the seal.
    ///
    /// # Errors
    /// [`Reason::Purchase`].
    pub fn opened(&self) -> Result<Option<&[u8]>, Fault> {
        let Some(own) = &self.own else { return Ok(None) };
        let seal: Hash = Sha256::new().chain_update(&own.salt).chain_update(&own.bytes).finalize().into();
        // With another length, the border between salt and content could be moved under the same seal.
        if own.salt.len() == 16 && self.sealed == Some(seal) {
            Ok(Some(&own.bytes))
        } else {
            Err(Reason::Purchase.because("what is shown is not what the entry sealed"))
        }
    }
}

/// Entries that follow one another, each with the hash that its fields have.
///
/// # Errors
/// [`Reason::Chain`] with the first entry that does not.
pub fn check_chain(entries: &[Entry]) -> Result<(), Fault> {
    for entry in entries {
        if entry.computed() != entry.hash {
            return Err(Reason::Chain.because(format!("entry {} does not have the hash that it bears", entry.seq)));
        }
    }
    for (before, entry) in entries.iter().zip(entries.iter().skip(1)) {
        if entry.prev != before.hash || entry.seq != before.seq + 1 || entry.time_ms < before.time_ms {
            return Err(Reason::Chain.because(format!("entry {} does not continue entry {}", entry.seq, before.seq)));
        }
    }
    Ok(())
}

impl SignedHead {
    /// # Errors
    /// [`Reason::Signature`].
    pub fn check(&self) -> Result<(), Fault> {
        let SignedHead { seq, hash, root, time_ms, genesis, .. } = self;
        let signed = [&SIGNED[..], genesis, &seq.to_be_bytes(), hash, root, &time_ms.to_be_bytes()].concat();
        let good = UnparsedPublicKey::new(&ED25519, &self.key).verify(&signed, &self.signature);
        good.map_err(|_| Reason::Signature.because(format!("the head at entry {seq} is not signed with its key")))
    }

    /// Checks that the key is the one known from elsewhere.
    ///
    /// # Errors
    /// [`Reason::Key`].
    pub fn check_key(&self, known: Option<&[u8]>) -> Result<(), Fault> {
        if known.is_none_or(|known| known == self.key) {
            return Ok(());
        }
        Err(Reason::Key.because(format!("the head is signed with the key {}, which is not the known one", HEXLOWER.encode(&self.key))))
    }

    /// That an entry is in the log of this head, at its number.
    ///
    /// # Errors
    /// [`Reason::Inclusion`].
    pub fn check_inclusion(&self, seq: u64, entry: &Hash, path: &[Step]) -> Result<(), Fault> {
        let missing =
            || Reason::Inclusion.because(format!("nothing proves that entry {seq} is in the log of the head at entry {}", self.seq));
        if seq == 0 || seq > self.seq || sides(seq - 1, self.seq) != path.iter().map(Step::side).collect::<Vec<_>>() {
            return Err(missing());
        }
        let path: merkle::Path = path.iter().map(|step| (step.side(), step.hash)).collect();
        if merkle::root_of(merkle::leaf(entry), &path) == self.root { Ok(()) } else { Err(missing()) }
    }

    /// Checks that the log of this head continues that of an older one. The hashes on the left of the path from the last entry of the older
    /// one up to this root are those that the older root is made of.
    ///
    /// # Errors
    /// [`Reason::Consistency`].
    pub fn check_continues(&self, older: &SignedHead, path: &[Step]) -> Result<(), Fault> {
        let broken = || {
            let (from, to) = (older.seq, self.seq);
            Reason::Consistency.because(format!("the log at entry {to} does not contain the one that was signed at entry {from}"))
        };
        self.check_inclusion(older.seq, &older.hash, path).map_err(|_| broken())?;
        let left: merkle::Path = path.iter().filter(|step| step.side() == Side::Left).map(|step| (step.side(), step.hash)).collect();
        let same = merkle::root_of(merkle::leaf(&older.hash), &left) == older.root && older.genesis == self.genesis;
        if same { Ok(()) } else { Err(broken()) }
    }
}

impl Step {
    fn side(&self) -> Side {
        match self.side {
            PathSide::Left => Side::Left,
            PathSide::Right => Side::Right,
        }
    }
}

/// On which sides the path from a leaf to the root of a tree of this size has its hashes, the nearest first.
fn sides(leaf: u64, size: u64) -> Vec<Side> {
    let (mut first, mut end, mut sides) = (0, size, Vec::new());
    while end - first > 1 {
        let middle = first + (1_u64 << (end - first - 1).ilog2());
        if leaf < middle {
            sides.push(Side::Right);
            end = middle;
        } else {
            sides.push(Side::Left);
            first = middle;
        }
    }
    sides.reverse();
    sides
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use journal::merkle::Tree;

    use super::*;

    fn entry(number: u64) -> Hash {
        Sha256::digest(number.to_be_bytes()).into()
    }

    fn head(tree: &Tree) -> SignedHead {
        let (signature, key) = (Vec::new(), Vec::new());
        SignedHead { seq: tree.size(), hash: entry(tree.size()), root: tree.root(), signature, key, time_ms: 0, genesis: entry(1) }
    }

    fn path(tree: &Tree, seq: u64) -> Vec<Step> {
        let Ok(Some(path)) = tree.path::<Infallible>(seq - 1, tree.size(), |_| Ok(Vec::new())) else { panic!("{seq}") };
        let side = |side| if side == Side::Left { PathSide::Left } else { PathSide::Right };
        path.into_iter().map(|(at, hash)| Step { side: side(at), hash }).collect()
    }

    #[test]
    fn what_an_entry_sealed_has_one_border_between_salt_and_content() {
        let opened = |salt: &[u8], bytes: &[u8]| {
            let sealed = Some(Sha256::new().chain_update([7; 16]).chain_update([0, 0xac, 2]).finalize().into());
            let own = Some(Own { bytes: bytes.to_vec(), salt: salt.to_vec() });
            let (prev, hash) = ([0; 32], [0; 32]);
            Entry { seq: 2, time_ms: 0, kind: 96, version: 1, prev, hash, bytes: Vec::new(), sealed, own }.opened().is_ok()
        };
        assert!(opened(&[7; 16], &[0, 0xac, 2]));
        assert!(!opened(&[[7; 16].as_slice(), &[0]].concat(), &[0xac, 2]));
        assert!(!opened(&[7; 15], &[7, 0, 0xac, 2]));
    }

    #[test]
    fn a_path_proves_one_entry_at_one_number_and_that_every_older_log_is_contained() {
        let mut tree = Tree::default();
        let mut heads: Vec<SignedHead> = Vec::new();
        for number in 1..=70 {
            tree.push(&entry(number));
            let newest = head(&tree);
            for older in heads.iter().chain([&newest]) {
                let path = path(&tree, older.seq);
                newest.check_inclusion(older.seq, &older.hash, &path).unwrap();
                newest.check_continues(older, &path).unwrap();
                assert!(newest.check_inclusion(older.seq + 1, &older.hash, &path).is_err(), "{} of {number}", older.seq);
                assert!(newest.check_inclusion(older.seq, &entry(99), &path).is_err());
                let forked = SignedHead { root: entry(98), ..older.clone() };
                assert_eq!(newest.check_continues(&forked, &path).map_err(|fault| fault.reason), Err(Reason::Consistency));
                let other = SignedHead { genesis: entry(97), ..older.clone() };
                assert_eq!(newest.check_continues(&other, &path).map_err(|fault| fault.reason), Err(Reason::Consistency));
            }
            heads.push(newest);
        }
        assert!(heads[4].check_inclusion(0, &entry(0), &[]).is_err() && heads[4].check_inclusion(6, &entry(6), &[]).is_err());
    }
}
