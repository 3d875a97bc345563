//! Repeated writes: the first answer again, for 24 h of journal time (`api.md` 1.6).

use std::collections::{BTreeMap, VecDeque};

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

/// First answers by request key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    answers: BTreeMap<u128, Answer>,
    oldest_first: VecDeque<(Time, u128)>,
}

impl Requests {
    /// The answer to a repeated request; other content under the same key is a refusal.
    pub(crate) fn earlier(&self, request: Request) -> Option<Result<&Answer, Reject>> {
        let answer = self.answers.get(&request.key)?;
        Some(if answer.content == request.content { Ok(answer) } else { Err(Reject::DuplicateRequest) })
    }

    pub(crate) fn keep(&mut self, key: u128, answer: Answer) {
        self.oldest_first.push_back((answer.time, key));
        self.answers.insert(key, answer);
    }

    /// Forgets answers of over 24 h ago.
    pub(crate) fn forget(&mut self, now: Time) {
        while let Some((_, key)) = self.oldest_first.front().filter(|(time, _)| now.since(*time) > KEPT_MS) {
            self.answers.remove(key);
            self.oldest_first.pop_front();
        }
    }

    pub(crate) fn state(&self) -> Vec<(u128, Answer)> {
        self.oldest_first.iter().filter_map(|(_, key)| Some((*key, self.answers.get(key)?.clone()))).collect()
    }

    pub(crate) fn restore(state: Vec<(u128, Answer)>) -> Requests {
        let oldest_first = state.iter().map(|(key, answer)| (answer.time, *key)).collect();
        Requests { answers: state.into_iter().collect(), oldest_first }
    }
}
