//! Identifiers. All are plain integers inside newtypes, so one cannot be mistaken for another.

use std::fmt;
use std::hash::BuildHasher;
use std::num::NonZeroU8;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

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
    /// Number of a coin: BTC 1, ETH 2, USDT 3, USDC 4, listed tokens from 101 (`docs/api.md` 2.1).
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
    /// Number of a stored withdrawal address: the sequence of its entry (W-1).
    AddressId(u64)
}
id! {
    /// Number of a stored bank card: the sequence of its entry (K-3).
    CardId(u64)
}
id! {
    /// Number of a deposit claim: the sequence of the entry that opened it.
    DepositId(u64)
}
id! {
    /// Number of an observed payment: the sequence of its first entry.
    ObservationId(u64)
}
id! {
    /// Number of an incident: the sequence of the entry that opened it.
    IncidentId(u64)
}
id! {
    /// Number of a withdrawal: the sequence of its entry.
    WithdrawalId(u64)
}
id! {
    /// Number of an identity submission: the sequence of its entry.
    SubmissionId(u64)
}
id! {
    /// Number of a short-term option: the sequence of its purchase.
    OptionId(u64)
}
id! {
    /// Number of a rebate, counted from 1 (G-2).
    RebateId(u64)
}
id! {
    /// Number of an operators' proposal: the sequence of its entry.
    ProposalId(u64)
}
id! {
    /// Number of a contract: the sequence of the entry that asked for it.
    PositionId(u64)
}
id! {
    /// Number of a quote of a conversion: the sequence of the entry that asked for it.
    QuoteId(u64)
}
id! {
    /// Number of a conversion: the sequence of its entry.
    ConversionId(u64)
}
id! {
    /// Number of a loan: the sequence of the entry that applied for it.
    LoanId(u64)
}
id! {
    /// Number of a loan product: from 1.
    LoanProductId(u32)
}
id! {
    /// Number of an offering of a new coin, given by the operators who list it.
    OfferingId(u32)
}
id! {
    /// Number of a commitment to an offering: the sequence of its entry.
    CommitmentId(u64)
}
id! {
    /// Number of a plan: 1 to 12 are the original ones.
    PlanId(u32)
}
id! {
    /// Number of a plan order: the sequence of its purchase.
    PlanOrderId(u64)
}
id! {
    /// Number of an operator. Their identity is kept outside the log.
    OperatorId(u32)
}
id! {
    /// SHA-256 (or HMAC-SHA-256 if the text could be guessed) of something kept outside the log: a destination, a proof, a reason.
    Digest([u8; 32])
}
id! {
    /// Dense position of a member inside the engine; never leaves it.
    MemberIndex(u32)
}

/// A client's own id of an order: 1 to 36 bytes of text, stored inline, so an order is copied without reference counting. It uses whole
/// words: a copy of 37 bytes consists of overlapping parts, and reading them back stalls.
#[repr(align(8))]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct ClientOrderId {
    length: NonZeroU8,
    bytes: [u8; ClientOrderId::MAX],
}

impl ClientOrderId {
    /// Longest id, bytes.
    pub const MAX: usize = 36;

    /// `None` for an empty or too long text.
    pub fn new(text: &str) -> Option<ClientOrderId> {
        let mut bytes = [0; ClientOrderId::MAX];
        bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(ClientOrderId { length: NonZeroU8::new(u8::try_from(text.len()).ok()?)?, bytes })
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        let text = self.bytes.get(..usize::from(self.length.get())).and_then(|bytes| std::str::from_utf8(bytes).ok());
        text.expect("it was made from a text of this length")
    }
}

impl TryFrom<String> for ClientOrderId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<ClientOrderId, Self::Error> {
        ClientOrderId::new(&text).ok_or("a client order id has 1 to 36 bytes")
    }
}

impl Serialize for ClientOrderId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl fmt::Debug for ClientOrderId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(to)
    }
}

impl Digest {
    /// SHA-256 of a kind of object and the canonical (`postcard`) bytes of what is signed.
    pub(crate) fn of<T: Serialize>(kind: &str, signed: &T) -> Digest {
        let bytes = postcard::to_allocvec(&(kind, signed)).expect("plain values always encode");
        Digest(Sha256::digest(bytes).into())
    }
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

/// Numbers below this have a slot of their own: 16 MiB when all are in use, as for four million members.
const NEAR: u64 = 1 << 22;
/// Other consecutive numbers share a bucket, so many look-ups touch few cache lines.
const NEIGHBOURS: u64 = 16;
const NONE: u32 = u32::MAX;

/// Positions of objects by number. It cannot be iterated, so its inner order can never reach a result.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdTable {
    near: Vec<u32>,
    far: HashTable<(u64, [u32; 16])>,
}

impl IdTable {
    /// Positions of these numbers; of a repeated one the first.
    pub(crate) fn of(ids: impl Iterator<Item = u64>) -> IdTable {
        let mut table = IdTable::default();
        for (position, id) in ids.enumerate() {
            if table.find(id).is_none() {
                table.insert(id, to_u32(position));
            }
        }
        table
    }

    /// The position of the object with this number.
    #[inline]
    pub(crate) fn find(&self, id: u64) -> Option<u32> {
        let position = if id < NEAR { self.near.get(usize::try_from(id).ok()?).copied() } else { self.find_far(id) };
        position.filter(|position| *position != NONE)
    }

    fn find_far(&self, id: u64) -> Option<u32> {
        let (bucket, at) = place_of(id);
        let (_, positions) = self.far.find(hash(bucket), |(other, _)| *other == bucket)?;
        positions.get(at).copied()
    }

    /// Adds an object whose number is not in the table.
    pub(crate) fn insert(&mut self, id: u64, position: u32) {
        if let Some(at) = usize::try_from(id).ok().filter(|_| id < NEAR) {
            if at >= self.near.len() {
                self.near.resize(at.saturating_add(1), NONE);
            }
            self.near[at] = position;
            return;
        }
        let (bucket, at) = place_of(id);
        let entry = self.far.entry(hash(bucket), |(other, _)| *other == bucket, |(other, _)| hash(*other));
        let (_, positions) = entry.or_insert((bucket, [NONE; 16])).into_mut();
        if let Some(place) = positions.get_mut(at) {
            *place = position;
        }
    }
}

fn place_of(id: u64) -> (u64, usize) {
    (id / NEIGHBOURS, usize::try_from(id % NEIGHBOURS).unwrap_or(usize::MAX))
}

fn hash(id: u64) -> u64 {
    FxBuildHasher.hash_one(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_order_id_is_written_as_its_text_and_read_back_within_its_length() {
        let longest = "ü".repeat(18);
        for text in ["a", "mine-1", &longest] {
            let bytes = postcard::to_allocvec(&ClientOrderId::new(text).unwrap()).unwrap();
            assert_eq!(bytes, postcard::to_allocvec(text).unwrap());
            assert_eq!(postcard::from_bytes::<ClientOrderId>(&bytes).unwrap().as_str(), text);
        }
        for text in [String::new(), longest + "a"] {
            assert_eq!(ClientOrderId::new(&text), None);
            assert!(postcard::from_bytes::<ClientOrderId>(&postcard::to_allocvec(&text).unwrap()).is_err());
        }
    }

    #[test]
    fn a_table_tells_neighbours_apart() {
        let mut table = IdTable::default();
        let last_near = NEAR - 1;
        for (position, id) in [0, 15, 17, last_near, NEAR, NEAR + 1, 1 << 40, u64::MAX].into_iter().enumerate() {
            assert_eq!(table.find(id), None);
            table.insert(id, to_u32(position));
            assert_eq!(table.find(id), Some(to_u32(position)));
        }
        assert_eq!(
            [0, 1, 15, 16, last_near, NEAR, NEAR + 1, NEAR + 2, u64::MAX - 1, u64::MAX].map(|id| table.find(id)),
            [Some(0), None, Some(1), None, Some(3), Some(4), Some(5), None, None, Some(7)]
        );
    }
}
