//! What is kept of final payments: one key each, so that none is counted twice (D-3, 10.2, W-8). The rest is in the history.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeSeq};

use super::FundingContext;
use super::deposit::{Observation, REVERSAL_MS};
use super::deposits::Deposits;
use super::status::{ObservationStatus, ObservationTrigger, next_observation};
use super::withdrawals::Withdrawals;
use crate::ids::{Digest, ObservationId, WithdrawalId};
use crate::scheduler::SLICE;
use crate::time::Time;

/// The most bytes that a final payment, bank reference or payout occupies; its key has 16, the rest is spare capacity.
pub const FINAL_BYTES: usize = 20;

/// Number of parts, chosen by the first twelve bits of a key. Each part is small enough to grow without a pause.
const PARTS: usize = 1 << 12;

/// 128 bits of a SHA-256.
type Key = [u8; 16];

/// The kind of object a key belongs to: a payment and a payout may share a digest.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FinalKind {
    /// An observed payment, by `chain:transaction:output`.
    Payment,
    /// The bank reference of a credit.
    Reference,
    /// The output that paid a withdrawal, or its bank reference.
    Payout,
}

impl FinalKind {
    fn key(self, of: Digest) -> Key {
        let kind = match self {
            FinalKind::Payment => "final payment",
            FinalKind::Reference => "final reference",
            FinalKind::Payout => "final payout",
        };
        let [first @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = Digest::of(kind, &of).0;
        first
    }
}

fn part(key: &Key) -> usize {
    let [first, second, ..] = *key;
    (usize::from(first) << 4) | usize::from(second >> 4)
}

/// Keys of final payments. None is ever removed, and none reveals its payment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Finals {
    /// By their first bits, each in order; none before the first key.
    parts: Vec<Vec<Key>>,
    count: usize,
}

impl Finals {
    pub(crate) fn has(&self, kind: FinalKind, of: Digest) -> bool {
        let key = kind.key(of);
        self.parts.get(part(&key)).is_some_and(|part| part.binary_search(&key).is_ok())
    }

    pub(crate) fn add(&mut self, kind: FinalKind, of: Digest) {
        self.insert(kind.key(of));
    }

    fn insert(&mut self, key: Key) {
        if self.parts.is_empty() {
            self.parts.resize_with(PARTS, Vec::new);
        }
        let Some(part) = self.parts.get_mut(part(&key)) else { return };
        let Err(at) = part.binary_search(&key) else { return };
        if part.len() == part.capacity() {
            part.reserve_exact((part.len() / 4).saturating_add(4));
        }
        part.insert(at, key);
        self.count = self.count.saturating_add(1);
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }
}

impl Serialize for Finals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut keys = serializer.serialize_seq(Some(self.count))?;
        self.parts.iter().flatten().try_for_each(|key| keys.serialize_element(key))?;
        keys.end()
    }
}

impl<'de> Deserialize<'de> for Finals {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Finals, D::Error> {
        let keys = Vec::<Key>::deserialize(from)?;
        if !keys.is_sorted_by(|one, next| one < next) {
            return Err(D::Error::custom("keys come once, in their order"));
        }
        let mut finals = Finals::default();
        keys.into_iter().for_each(|key| finals.insert(key));
        Ok(finals)
    }
}

/// Objects with the instant from which their time counts, also in the order of those instants.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "BTreeMap<K, Time>", bound(deserialize = "K: Copy + Ord + Deserialize<'de>"))]
pub(crate) struct Dated<K> {
    dates: BTreeMap<K, Time>,
    oldest_first: BTreeSet<(Time, K)>,
}

impl<K> Default for Dated<K> {
    fn default() -> Dated<K> {
        Dated { dates: BTreeMap::new(), oldest_first: BTreeSet::new() }
    }
}

impl<K: Copy + Ord> From<BTreeMap<K, Time>> for Dated<K> {
    fn from(dates: BTreeMap<K, Time>) -> Dated<K> {
        let oldest_first = dates.iter().map(|(object, at)| (*at, *object)).collect();
        Dated { dates, oldest_first }
    }
}

impl<K: Serialize> Serialize for Dated<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.dates.serialize(serializer)
    }
}

impl<K: Copy + Ord> Dated<K> {
    pub(crate) fn get(&self, object: K) -> Option<Time> {
        self.dates.get(&object).copied()
    }

    pub(crate) fn date(&mut self, object: K, at: Time) {
        self.remove(object);
        self.dates.insert(object, at);
        self.oldest_first.insert((at, object));
    }

    pub(crate) fn remove(&mut self, object: K) {
        if let Some(at) = self.dates.remove(&object) {
            self.oldest_first.remove(&(at, object));
        }
    }

    /// When the time of `ms` of the first of them will be over.
    pub(crate) fn next_over(&self, ms: u64) -> Option<Time> {
        self.oldest_first.first().map(|(at, _)| at.plus(ms).plus(1))
    }

    /// Those whose time of `ms` is over, oldest first; at its last instant it is not.
    pub(crate) fn over(&self, ms: u64, now: Time) -> impl Iterator<Item = K> {
        self.oldest_first.iter().take_while(move |(at, _)| at.plus(ms) < now).map(|(_, object)| *object)
    }

    pub(crate) fn objects(&self) -> impl Iterator<Item = K> {
        self.dates.keys().copied()
    }
}

impl Deposits {
    pub(crate) fn finals(&self) -> (&Finals, &Dated<ObservationId>) {
        (&self.finals, &self.last_words)
    }

    pub(crate) fn set_finals(&mut self, finals: Finals, last_words: Dated<ObservationId>) {
        (self.finals, self.last_words) = (finals, last_words);
    }

    /// A payment with this key is final: it was credited, and its outcome stays.
    pub(crate) fn is_final(&self, tx: Digest) -> bool {
        self.finals.has(FinalKind::Payment, tx)
    }

    /// A bank reference was credited before (10.2).
    pub(super) fn is_used(&self, reference: Digest) -> bool {
        self.references.contains(&reference) || self.finals.has(FinalKind::Reference, reference)
    }

    /// Marks a bank reference as used: what it credited cannot be reversed.
    pub(super) fn use_reference(&mut self, context: &FundingContext<'_>, reference: Digest) {
        if context.finals {
            self.finals.add(FinalKind::Reference, reference);
        } else {
            self.references.insert(reference);
        }
    }

    /// Bank references are final already; whatever was decided is so after its time.
    pub(crate) fn begin_finals(&mut self, now: Time) {
        std::mem::take(&mut self.references).into_iter().for_each(|reference| self.finals.add(FinalKind::Reference, reference));
        let decided = |seen: &&Observation| matches!(seen.status, ObservationStatus::Credited | ObservationStatus::Reversed);
        self.last_words = Dated::from(self.observations().filter(decided).map(|seen| (seen.id, now)).collect::<BTreeMap<_, _>>());
    }

    /// A new report about a decided payment restarts its time.
    pub(super) fn note_word(&mut self, context: &FundingContext<'_>, id: ObservationId) {
        if context.finals {
            self.last_words.date(id, context.now);
        }
    }

    /// Removes payments whose last report is over 30 days old, which also ends their incidents.
    pub(crate) fn forget_finals(&mut self, context: &mut FundingContext<'_>) {
        let over: Vec<ObservationId> = self.last_words.over(REVERSAL_MS, context.now).take(SLICE).collect();
        for id in over {
            self.last_words.remove(id);
            self.incidents.forget(context, id);
            if let Some(seen) = self.observations.remove(&id) {
                self.by_tx.remove(&seen.tx);
                self.finals.add(FinalKind::Payment, seen.tx);
            }
        }
    }

    /// When the next decided payment becomes final.
    pub(super) fn next_forgotten(&self) -> Option<Time> {
        self.last_words.next_over(REVERSAL_MS)
    }

    /// Every dated payment was decided, and none is both here and final.
    pub(super) fn finals_fault(&self) -> Option<String> {
        let decided = |id| self.observation(id).is_some_and(|seen| next_observation(seen.status, ObservationTrigger::Agree).is_err());
        let dated = self.last_words.objects().find(|id| !decided(*id)).map(|id| format!("D-3: date of observation {}", id.0));
        let kept = || self.observations().find(|seen| self.is_final(seen.tx)).map(|seen| format!("D-3: final observation {}", seen.id.0));
        dated.or_else(kept)
    }
}

impl Withdrawals {
    /// Finishes what can no longer be undone, in the order of numbers.
    pub(super) fn finish_marks(&mut self, now: Time) {
        let mut over: Vec<WithdrawalId> = self.over(now).collect();
        over.sort_unstable();
        over.into_iter().for_each(|id| self.finish_payout(id, false));
    }

    /// The same, a slice at a time; the keys of the paying transactions stay.
    pub(crate) fn forget_finals(&mut self, now: Time) {
        let over: Vec<WithdrawalId> = self.over(now).take(SLICE).collect();
        over.into_iter().for_each(|id| self.finish_payout(id, true));
    }

    pub(super) fn finish_payout(&mut self, id: WithdrawalId, is_final: bool) {
        self.forget_mark(id);
        let tx = self.get(id).and_then(|sent| sent.tx).filter(|tx| is_final && self.sent.remove(tx));
        if let Some(tx) = tx {
            self.finals.add(FinalKind::Payout, tx);
        }
        self.store.finish(id.0);
    }

    /// Sent withdrawals whose mark can no longer be undone are final already.
    pub(crate) fn begin_finals(&mut self) {
        let marked: BTreeSet<Digest> = self.marked().filter_map(|id| self.get(id)?.tx).collect();
        let (open, over) = std::mem::take(&mut self.sent).into_iter().partition(|tx| marked.contains(tx));
        self.sent = open;
        BTreeSet::into_iter(over).for_each(|tx| self.finals.add(FinalKind::Payout, tx));
    }

    pub(crate) fn finals(&self) -> &Finals {
        &self.finals
    }

    pub(crate) fn set_finals(&mut self, finals: Finals) {
        self.finals = finals;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(number: u64) -> Digest {
        let mut bytes = [0; 32];
        bytes[24..].copy_from_slice(&number.to_be_bytes());
        Digest(bytes)
    }

    fn bytes(finals: &Finals) -> usize {
        finals.parts.capacity() * size_of::<Vec<Key>>() + finals.parts.iter().map(|part| part.capacity() * size_of::<Key>()).sum::<usize>()
    }

    #[test]
    fn what_is_final_keeps_at_most_20_bytes_and_is_known_for_ever() {
        const { assert!(FINAL_BYTES <= 40) };
        // One list per part, with the spare capacity that it reserves.
        let spare = PARTS * (size_of::<Vec<Key>>() + 5 * size_of::<Key>());
        let mut finals = Finals::default();
        assert_eq!(bytes(&finals), 0);
        for number in 1..=300_000 {
            finals.add(FinalKind::Payment, digest(number));
            if number.is_multiple_of(10_000) {
                assert!(bytes(&finals) <= spare + FINAL_BYTES * finals.len(), "{} bytes for {number}", bytes(&finals));
            }
        }
        finals.add(FinalKind::Payment, digest(7));
        assert_eq!(finals.len(), 300_000);
        assert!((1..=300_000).all(|number| finals.has(FinalKind::Payment, digest(number))));
        assert!(![0, 300_001].into_iter().any(|number| finals.has(FinalKind::Payment, digest(number))));
        assert!(![FinalKind::Reference, FinalKind::Payout].into_iter().any(|kind| finals.has(kind, digest(7))), "each kind for itself");
    }

    #[test]
    fn the_same_keys_have_the_same_bytes_and_come_back() {
        let (mut there, mut back) = (Finals::default(), Finals::default());
        (0..5_000).for_each(|number| there.add(FinalKind::Payout, digest(number)));
        (0..5_000).rev().for_each(|number| back.add(FinalKind::Payout, digest(number)));
        let written = postcard::to_allocvec(&there).unwrap();
        assert_eq!(written.len(), 2 + 16 * 5_000);
        assert_eq!(written, postcard::to_allocvec(&back).unwrap());
        assert_eq!(postcard::from_bytes::<Finals>(&written).unwrap(), there);
        let (first, second) = (there.parts.iter().flatten().next().copied().unwrap(), [0; 16]);
        for damaged in [vec![first, first], vec![first, second]] {
            assert!(postcard::from_bytes::<Finals>(&postcard::to_allocvec(&damaged).unwrap()).is_err());
        }
    }

    #[test]
    fn a_later_date_replaces_the_earlier_one() {
        let mut dated = Dated::default();
        for (object, at) in [(1, 10), (2, 5), (1, 30), (3, 20)] {
            dated.date(object, Time(at));
        }
        assert_eq!(dated.over(5, Time(10)).count(), 0);
        assert_eq!(dated.over(5, Time(26)).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(dated.get(1), Some(Time(30)));
        dated.remove(2);
        assert_eq!(Dated::from(BTreeMap::from([(1, Time(30)), (3, Time(20))])), dated);
    }
}
