//! Repeated writes: the first answer again, for 24 h of journal time (`docs/api.md` 1.6).
//!
//! At most [`KEY_BYTES`] of an answered request stay in memory: enough to know that it was answered, with which content and by which entry.
//! The answer itself is in the history. Requests from before [`crate::feature::Feature::CompactRequests`] keep their whole answer here
//! until they are forgotten, because the states of their log contain it.

use std::collections::{BTreeMap, VecDeque};

use hashbrown::HashTable;
use serde::{Deserialize, Serialize};

use crate::command::Request;
use crate::event::Event;
use crate::exact::{COUNTED, Exact};
use crate::ids::{MemberIndex, Seq};
use crate::reject::Reject;
use crate::reply::{FirstAnswer, Reply};
use crate::time::{DAY_MS, Time};

/// How long an answer is kept, ms.
pub const KEPT_MS: u64 = DAY_MS;

/// The maximum memory of a stored key, bytes: its slot in the queue, its slots of the table including free ones, and the count of its
/// member.
pub const KEY_BYTES: usize = size_of::<PackedAnswer>() + SLOTS_BYTES + size_of::<u32>();

/// Keys that may be stored for a member; further writes with a new key are refused before they reach the log.
pub const MOST_KEYS: u32 = 10_000;

/// Bytes of the table for each key at most: beyond this it is made again.
const SLOTS_BYTES: usize = 16;

/// Keys of one piece of the queue: 32 KiB, which allocators give without a rest.
const PIECE: usize = 32 * 1_024 / size_of::<PackedAnswer>();

/// Means no member.
const NOBODY: u32 = u32::MAX;

/// A first answer, as contained in the state of an old log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) content: u128,
    pub(crate) seq: Seq,
    pub(crate) time: Time,
    pub(crate) result: Result<Reply, Reject>,
    pub(crate) facts: Vec<Event>,
}

/// A request that the entry `seq` answered at `time`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Answered {
    pub(crate) request: Request,
    pub(crate) seq: Seq,
    pub(crate) time: Time,
    /// The member who sent it; `None` for an operator's, which counts toward no member's limit.
    pub(crate) member: Option<MemberIndex>,
}

/// An earlier request with the same key and content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// The entry that answered it.
    pub seq: Seq,
    /// Its answer; `None`: the history has it.
    pub answer: Option<FirstAnswer>,
}

/// An [`Answered`] as it is stored: bytes without padding, and numbers relative to the first of its piece.
#[derive(Clone, Copy, Debug)]
struct PackedAnswer {
    key: [u8; 16],
    content: [u8; 16],
    entries: u32,
    ms: u32,
    member: u32,
}

/// A run of the queue. Pieces never grow, so no unused slot costs memory.
#[derive(Clone, Debug)]
struct Piece {
    /// Number of its first key.
    number: u64,
    seq: Seq,
    time: Time,
    kept: Vec<PackedAnswer>,
}

impl Piece {
    fn new(number: u64, first: &Answered) -> Piece {
        Piece { number, seq: first.seq, time: first.time, kept: Vec::with_capacity(PIECE) }
    }

    /// False if it is full, or the distance from the first key is too large.
    fn push(&mut self, answered: &Answered) -> bool {
        let entries = answered.seq.0.checked_sub(self.seq.0).and_then(|entries| u32::try_from(entries).ok());
        let ms = answered.time.0.checked_sub(self.time.0).and_then(|ms| u32::try_from(ms).ok());
        let (Some(entries), Some(ms), true) = (entries, ms, self.kept.len() < PIECE) else { return false };
        let Request { key, content } = answered.request;
        let member = answered.member.map_or(NOBODY, |member| member.0);
        self.kept.push(PackedAnswer { key: key.to_be_bytes(), content: content.to_be_bytes(), entries, ms, member });
        true
    }

    fn get(&self, number: u64) -> Option<Answered> {
        let kept = self.kept.get(usize::try_from(number.checked_sub(self.number)?).ok()?)?;
        Some(Answered {
            request: Request { key: u128::from_be_bytes(kept.key), content: u128::from_be_bytes(kept.content) },
            seq: Seq(self.seq.0.plus(u64::from(kept.entries), COUNTED)),
            time: self.time.plus(u64::from(kept.ms)),
            member: (kept.member != NOBODY).then_some(MemberIndex(kept.member)),
        })
    }
}

/// Answered requests by key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    oldest_first: VecDeque<Piece>,
    /// Number of forgotten requests, which is the number of the oldest stored one.
    forgotten: u64,
    /// How many there ever were: the number of the next one.
    next: u64,
    /// The last 32 bits of the numbers of stored requests. It is searched only by key, so its order cannot affect any result.
    numbers: HashTable<u32>,
    /// Result and events of the requests from before the feature, as a snapshot writes them, by their entry.
    written: BTreeMap<Seq, Box<[u8]>>,
    /// Stored keys of each member, up to the last member who has one.
    by_member: Vec<u32>,
}

/// The last half of a key, which is part of a SHA-256 and so as good as any hash of it.
fn hash(key: u128) -> u64 {
    let [.., a, b, c, d, e, f, g, h] = key.to_be_bytes();
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

fn last_32_bits(number: u64) -> u32 {
    let [.., a, b, c, d] = number.to_be_bytes();
    u32::from_be_bytes([a, b, c, d])
}

/// The stored request of this number.
fn at(oldest_first: &VecDeque<Piece>, number: u64) -> Option<Answered> {
    let piece = oldest_first.partition_point(|piece| piece.number <= number).checked_sub(1)?;
    oldest_first.get(piece)?.get(number)
}

impl Requests {
    fn at(&self, number: u32) -> Option<Answered> {
        let from_oldest = number.wrapping_sub(last_32_bits(self.forgotten));
        at(&self.oldest_first, self.forgotten.plus(u64::from(from_oldest), COUNTED))
    }

    fn find(&self, key: u128) -> Option<Answered> {
        let is_it = |number: &u32| self.at(*number).is_some_and(|answered| answered.request.key == key);
        self.numbers.find(hash(key), is_it).and_then(|number| self.at(*number))
    }

    fn written(&self, seq: Seq) -> Option<FirstAnswer> {
        self.written.get(&seq).and_then(|written| postcard::from_bytes(written).ok())
    }

    /// The earlier request of a repetition; other content under the same key is a refusal.
    pub(crate) fn earlier(&self, request: Request) -> Option<Result<Earlier, Reject>> {
        let answered = self.find(request.key)?;
        if answered.request != request {
            return Some(Err(Reject::DuplicateRequest));
        }
        Some(Ok(Earlier { seq: answered.seq, answer: self.written(answered.seq) }))
    }

    /// The entry answered under a key, whatever its content, and its answer if it is here.
    pub(crate) fn outcome(&self, key: u128) -> Option<Earlier> {
        self.find(key).map(|answered| Earlier { seq: answered.seq, answer: self.written(answered.seq) })
    }

    /// True if a command was answered under this key: this one, or one of other content.
    pub(crate) fn knows(&self, key: u128) -> bool {
        self.find(key).is_some()
    }

    /// True if a command of other content was answered under this key.
    pub(crate) fn is_taken(&self, request: Request) -> bool {
        self.find(request.key).is_some_and(|answered| answered.request != request)
    }

    /// Number of a member's stored keys, without those from before the feature.
    pub(crate) fn kept_of(&self, member: MemberIndex) -> u32 {
        self.by_member.get(member.at()).copied().unwrap_or(0)
    }

    /// Stores a request with an unknown key. The history stores its answer.
    pub(crate) fn keep(&mut self, answered: &Answered) {
        self.make_room();
        if !self.oldest_first.back_mut().is_some_and(|piece| piece.push(answered)) {
            let mut piece = Piece::new(self.next, answered);
            piece.push(answered);
            self.oldest_first.push_back(piece);
        }
        self.numbers.insert_unique(hash(answered.request.key), last_32_bits(self.next), |_| 0);
        self.next = self.next.plus(1, COUNTED);
        if let Some(member) = answered.member {
            self.by_member.resize(self.by_member.len().max(member.at().plus(1, COUNTED)), 0);
            self.by_member.get_mut(member.at()).into_iter().for_each(|count| *count = count.plus(1, COUNTED));
        }
    }

    /// Stores a request with its answer, as before the feature.
    pub(crate) fn keep_written(&mut self, key: u128, answer: &Answer) {
        let Answer { content, seq, time, result, facts } = answer;
        let written = postcard::to_allocvec(&(result, facts)).expect("plain values always encode").into_boxed_slice();
        self.written.insert(*seq, written);
        self.keep(&Answered { request: Request { key, content: *content }, seq: *seq, time: *time, member: None });
    }

    /// When the oldest request will be forgotten.
    pub(crate) fn next_forgotten(&self) -> Option<Time> {
        at(&self.oldest_first, self.forgotten).map(|oldest| oldest.time.plus(KEPT_MS).plus(1))
    }

    /// Forgets requests of over 24 h ago.
    pub(crate) fn forget(&mut self, now: Time) {
        if self.forgotten == self.next {
            return;
        }
        while let Some(oldest) = at(&self.oldest_first, self.forgotten).filter(|oldest| now.since(oldest.time) > KEPT_MS) {
            let number = last_32_bits(self.forgotten);
            if let Ok(found) = self.numbers.find_entry(hash(oldest.request.key), |other| *other == number) {
                found.remove();
            }
            self.written.remove(&oldest.seq);
            if let Some(count) = oldest.member.and_then(|member| self.by_member.get_mut(member.at())) {
                *count = count.less(1, COUNTED);
            }
            self.forgotten = self.forgotten.plus(1, COUNTED);
            if self.oldest_first.get(1).is_some_and(|second| second.number <= self.forgotten) || self.forgotten == self.next {
                self.oldest_first.pop_front();
            }
        }
        if self.numbers.allocation_size() > SLOTS_BYTES.saturating_mul(self.numbers.len().saturating_add(PIECE)) {
            self.renumber();
        }
    }

    /// Before a key is added: the table never grows automatically, which could leave it a quarter full.
    fn make_room(&mut self) {
        if self.numbers.len() == self.numbers.capacity() {
            self.renumber();
        }
    }

    /// Rebuilds the table with a quarter of spare capacity: as it has a power of two of slots, at least a third of them are used.
    fn renumber(&mut self) {
        let count = self.numbers.len();
        self.numbers = HashTable::with_capacity(count.saturating_add(count / 4).saturating_add(16));
        for piece in &self.oldest_first {
            for (number, kept) in (piece.number..).zip(&piece.kept).filter(|(number, _)| *number >= self.forgotten) {
                self.numbers.insert_unique(hash(u128::from_be_bytes(kept.key)), last_32_bits(number), |_| 0);
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = Answered> {
        (self.forgotten..self.next).filter_map(|number| at(&self.oldest_first, number))
    }

    /// Those from before the feature, with their answers.
    pub(crate) fn written_state(&self) -> Vec<(u128, Answer)> {
        let answer = |Answered { request: Request { key, content }, seq, time, .. }| {
            let FirstAnswer { result, facts } = self.written(seq)?;
            Some((key, Answer { content, seq, time, result, facts }))
        };
        self.all().filter_map(answer).collect()
    }

    /// The others.
    pub(crate) fn state(&self) -> Vec<Answered> {
        self.all().filter(|answered| !self.written.contains_key(&answered.seq)).collect()
    }

    /// Those from before the feature are the older ones.
    pub(crate) fn restore(written: &[(u128, Answer)], answered: &[Answered]) -> Requests {
        let mut requests = Requests::default();
        written.iter().for_each(|(key, answer)| requests.keep_written(*key, answer));
        answered.iter().for_each(|answered| requests.keep(answered));
        requests
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(seq: u64) -> Answer {
        Answer { content: u128::from(seq), seq: Seq(seq), time: Time(seq), result: Err(Reject::NotFound), facts: Vec::new() }
    }

    fn answered(key: u128, seq: u64) -> Answered {
        let member = (!seq.is_multiple_of(5)).then_some(MemberIndex(u32::try_from(seq % 5).unwrap()));
        Answered { request: Request { key, content: u128::from(seq) }, seq: Seq(seq), time: Time(seq), member }
    }

    /// Many keys share a hash.
    fn key(seq: u64) -> u128 {
        u128::from(seq) << 64 | u128::from(seq % 3)
    }

    /// A key whose hash is as good as that of the server.
    fn scattered(seq: u64) -> u128 {
        u128::from(seq.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29).wrapping_mul(0xbf58_476d_1ce4_e5b9))
    }

    #[test]
    fn keys_are_found_while_they_are_kept_and_in_the_order_of_their_answers() {
        let mut requests = Requests::default();
        (1..=500).for_each(|seq| requests.keep_written(key(seq), &written(seq)));
        (501..=3_000).for_each(|seq| requests.keep(&answered(key(seq), seq)));
        for oldest in [1, 401, 1_101, 2_999] {
            // Forgetting one key must not remove its neighbours.
            requests.forget(Time(KEPT_MS + oldest));
            for seq in 1..=3_000 {
                let request = Request { key: key(seq), content: u128::from(seq) };
                let answer = (seq <= 500).then_some(FirstAnswer { result: Err(Reject::NotFound), facts: Vec::new() });
                let known = seq >= oldest;
                assert_eq!(requests.earlier(request), known.then_some(Ok(Earlier { seq: Seq(seq), answer })), "{seq}");
                assert_eq!(requests.knows(request.key), known);
                assert!(!requests.is_taken(request));
                assert_eq!(requests.is_taken(Request { content: 0, ..request }), known);
            }
            let (old, new) = (requests.written_state(), requests.state());
            assert_eq!(old.iter().map(|(_, answer)| answer.seq.0).collect::<Vec<_>>(), (oldest..=500).collect::<Vec<_>>());
            assert_eq!(new.iter().map(|answered| answered.seq.0).collect::<Vec<_>>(), (oldest.max(501)..=3_000).collect::<Vec<_>>());
            for member in 1..5 {
                let kept = new.iter().filter(|answered| answered.member == Some(MemberIndex(member))).count();
                assert_eq!(usize::try_from(requests.kept_of(MemberIndex(member))).unwrap(), kept);
            }
            let restored = Requests::restore(&old, &new);
            assert_eq!((restored.written_state(), restored.state()), (old, new));
        }
    }

    #[test]
    fn a_long_pause_and_a_long_log_between_two_keys_are_no_matter() {
        let mut requests = Requests::default();
        let places = [(1, 5), (1 << 40, 6), ((1 << 40) + 7, 7)];
        for (seq, time) in places {
            requests.keep(&Answered { seq: Seq(seq), time: Time(time), ..answered(key(seq), seq) });
        }
        assert_eq!(requests.state().iter().map(|answered| (answered.seq.0, answered.time.0)).collect::<Vec<_>>(), places);
        requests.forget(Time(KEPT_MS + (1 << 50)));
        assert!(requests.state().is_empty() && requests.oldest_first.is_empty());
        requests.keep(&Answered { time: Time(1 << 50), ..answered(key(9), 9) });
        assert!(requests.knows(key(9)));
    }

    #[test]
    fn a_kept_key_costs_at_most_64_bytes_however_many_came_and_went() {
        const { assert!(KEY_BYTES <= 64) };
        assert_eq!((PIECE + 1) * size_of::<PackedAnswer>() / 1_024, 32);
        let bytes = |requests: &Requests| {
            let pieces: usize =
                requests.oldest_first.iter().map(|piece| size_of::<Piece>() + piece.kept.capacity() * size_of::<PackedAnswer>()).sum();
            pieces + requests.numbers.allocation_size()
        };
        // The two ends of the queue, and a table without keys.
        let spare = 3 * PIECE * size_of::<PackedAnswer>() + SLOTS_BYTES * PIECE;
        let mut requests = Requests::default();
        for seq in 1..=200_000 {
            requests.forget(Time(if seq < 100_000 { 0 } else { KEPT_MS + (seq - 100_000) * 3 / 2 }));
            requests.keep(&answered(scattered(seq), seq));
            let count = requests.numbers.len();
            assert!(bytes(&requests) <= spare + KEY_BYTES * count, "{} bytes for {count} keys", bytes(&requests));
        }
        assert_eq!(requests.numbers.len(), 50_001);
        requests.forget(Time(KEPT_MS + 300_000));
        assert!(bytes(&requests) <= spare, "{}", bytes(&requests));
    }
}
