//! Repeated writes: the first answer again, for 24 h of journal time (`api.md` 1.6).

use std::collections::VecDeque;

use hashbrown::HashTable;
use serde::{Deserialize, Serialize};

use crate::command::Request;
use crate::event::Event;
use crate::ids::Seq;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::time::{DAY_MS, Time};

/// How long an answer is kept, ms.
pub const KEPT_MS: u64 = DAY_MS;

/// A first answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) content: u128,
    pub(crate) seq: Seq,
    pub(crate) time: Time,
    pub(crate) result: Result<Reply, Reject>,
    pub(crate) facts: Vec<Event>,
}

/// A first answer as it is kept: 64 bytes, and those of its written form.
#[derive(Clone, Debug)]
struct Kept {
    key: u128,
    content: u128,
    seq: Seq,
    time: Time,
    /// Result and facts as a snapshot writes them. As values an order with its trades would take a kilobyte, for a repetition that hardly
    /// ever comes.
    written: Box<[u8]>,
}

impl Kept {
    fn answer(&self) -> Option<Answer> {
        let (result, facts) = postcard::from_bytes(&self.written).ok()?;
        Some(Answer { content: self.content, seq: self.seq, time: self.time, result, facts })
    }
}

/// First answers by request key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    oldest_first: VecDeque<Kept>,
    /// How many were forgotten: the number of the oldest that is kept.
    forgotten: u64,
    /// Numbers of the kept ones. It is found by key only, so that its order can reach no result.
    numbers: HashTable<u64>,
}

/// The last half of a key, which is part of a SHA-256 and so as good as any hash of it.
fn hash(key: u128) -> u64 {
    let [.., a, b, c, d, e, f, g, h] = key.to_be_bytes();
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

impl Requests {
    fn at(&self, number: u64) -> Option<&Kept> {
        self.oldest_first.get(usize::try_from(number.checked_sub(self.forgotten)?).ok()?)
    }

    fn find(&self, key: u128) -> Option<&Kept> {
        let is_it = |number: &u64| self.at(*number).is_some_and(|kept| kept.key == key);
        self.numbers.find(hash(key), is_it).and_then(|number| self.at(*number))
    }

    /// The answer to a repeated request; other content under the same key is a refusal.
    pub(crate) fn earlier(&self, request: Request) -> Option<Result<Answer, Reject>> {
        let kept = self.find(request.key)?;
        if kept.content != request.content {
            return Some(Err(Reject::DuplicateRequest));
        }
        kept.answer().map(Ok)
    }

    /// The entry that was answered under a key, whatever was sent with it, and its refusal if it was refused.
    pub(crate) fn outcome(&self, key: u128) -> Option<(Seq, Option<Reject>)> {
        self.find(key).map(|kept| (kept.seq, kept.answer().and_then(|answer| answer.result.err())))
    }

    /// True if a command was answered under this key: this one, or one of other content.
    pub(crate) fn knows(&self, key: u128) -> bool {
        self.find(key).is_some()
    }

    /// True if a command of other content was answered under this key.
    pub(crate) fn is_taken(&self, request: Request) -> bool {
        self.find(request.key).is_some_and(|kept| kept.content != request.content)
    }

    /// Keeps the answer to a request whose key is not known.
    pub(crate) fn keep(&mut self, key: u128, answer: &Answer) {
        let Answer { content, seq, time, result, facts } = answer;
        let written = postcard::to_allocvec(&(result, facts)).expect("plain values always encode").into_boxed_slice();
        let number = self.forgotten + u64::try_from(self.oldest_first.len()).unwrap_or(u64::MAX);
        self.oldest_first.push_back(Kept { key, content: *content, seq: *seq, time: *time, written });
        let Requests { oldest_first, forgotten, numbers } = self;
        let key_of = |number: &u64| {
            let place = usize::try_from(number.saturating_sub(*forgotten)).ok();
            place.and_then(|place| oldest_first.get(place)).map_or(0, |kept| hash(kept.key))
        };
        numbers.insert_unique(hash(key), number, key_of);
    }

    /// Forgets answers of over 24 h ago.
    pub(crate) fn forget(&mut self, now: Time) {
        while let Some(oldest) = self.oldest_first.front().filter(|kept| now.since(kept.time) > KEPT_MS) {
            let number = self.forgotten;
            if let Ok(found) = self.numbers.find_entry(hash(oldest.key), |other| *other == number) {
                found.remove();
            }
            self.oldest_first.pop_front();
            self.forgotten += 1;
        }
    }

    pub(crate) fn state(&self) -> Vec<(u128, Answer)> {
        self.oldest_first.iter().filter_map(|kept| Some((kept.key, kept.answer()?))).collect()
    }

    pub(crate) fn restore(state: Vec<(u128, Answer)>) -> Requests {
        let mut requests = Requests::default();
        for (key, answer) in &state {
            requests.keep(*key, answer);
        }
        requests
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(seq: u64) -> Answer {
        Answer { content: u128::from(seq), seq: Seq(seq), time: Time(seq), result: Err(Reject::NotFound), facts: Vec::new() }
    }

    #[test]
    fn keys_are_found_while_they_are_kept_and_in_the_order_of_their_answers() {
        let key = |seq: u64| u128::from(seq) << 64 | u128::from(seq % 3);
        let mut requests = Requests::default();
        for seq in 1..=1_000 {
            requests.keep(key(seq), &answer(seq));
        }
        // Many keys share a hash here, and a forgotten one must not take its neighbours with it.
        requests.forget(Time(KEPT_MS + 401));
        for seq in 1..=1_000 {
            let request = Request { key: key(seq), content: u128::from(seq) };
            assert_eq!(requests.earlier(request), (seq > 400).then(|| Ok(answer(seq))), "{seq}");
            assert_eq!(requests.knows(request.key), seq > 400);
            assert!(!requests.is_taken(request));
            assert_eq!(requests.is_taken(Request { content: 0, ..request }), seq > 400);
        }
        let state = requests.state();
        assert_eq!(state.iter().map(|(_, answer)| answer.seq.0).collect::<Vec<_>>(), (401..=1_000).collect::<Vec<_>>());
        assert_eq!(Requests::restore(state.clone()).state(), state);
    }
}
