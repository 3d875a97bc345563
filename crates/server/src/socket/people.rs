//! Private events: numbered for each member, kept for a while so that a reader who was away can go on.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use engine::ids::UserId;
use serde_json::{Value as Json, json};

use crate::http::notices::view;
use crate::store::notices::Notice;
use crate::text::Lang;

/// Events that are kept for a member, and for how long.
const KEPT: usize = 1_000;
const KEPT_FOR: Duration = Duration::from_secs(15 * 60);

/// A private event with its number.
#[derive(Clone, Debug)]
pub(super) struct Private {
    pub(super) pseq: u64,
    pub(super) name: &'static str,
    pub(super) payload: Json,
    /// What the payload is made of in the language of each reader.
    pub(super) notice: Option<Notice>,
    at: Instant,
}

impl Private {
    pub(super) fn payload_in(&self, lang: Lang) -> Cow<'_, Json> {
        let Some(notice) = &self.notice else { return Cow::Borrowed(&self.payload) };
        let mut payload = self.payload.clone();
        payload["data"] = json!(view(lang, notice));
        Cow::Owned(payload)
    }
}

#[derive(Debug)]
struct Person {
    newest: u64,
    kept: VecDeque<Private>,
    connections: usize,
    left: Instant,
}

/// Members with a connection now or within the last quarter of an hour.
#[derive(Debug, Default)]
pub(super) struct People(HashMap<UserId, Person>);

impl People {
    /// A connection of this member begins; false if he has too many. `start` is above every number he was ever given.
    pub(super) fn enter(&mut self, user: UserId, most: usize, start: u64, now: Instant) -> bool {
        let person = self.0.entry(user).or_insert_with(|| Person { newest: start, kept: VecDeque::new(), connections: 0, left: now });
        if person.connections >= most {
            return false;
        }
        person.connections += 1;
        true
    }

    /// A connection of this member ended.
    pub(super) fn leave(&mut self, user: UserId, now: Instant) {
        if let Some(person) = self.0.get_mut(&user) {
            person.connections -= 1;
            person.left = now;
        }
    }

    /// True if somebody follows this member, or may come back to.
    pub(super) fn follows(&self, user: UserId) -> bool {
        self.0.contains_key(&user)
    }

    /// Numbers and keeps an event; `None` for a member whom nobody follows.
    pub(super) fn tell(&mut self, user: UserId, name: &'static str, seq: u64, data: Json, now: Instant) -> Option<&mut Private> {
        let person = self.0.get_mut(&user)?;
        person.newest += 1;
        let payload = json!({"pseq": person.newest, "seq": seq, "data": data});
        person.kept.push_back(Private { pseq: person.newest, name, payload, notice: None, at: now });
        while person.kept.len() > KEPT || person.kept.front().is_some_and(|oldest| now.duration_since(oldest.at) > KEPT_FOR) {
            person.kept.pop_front();
        }
        person.kept.back_mut()
    }

    /// What follows `pseq`; `None` when some of it is not kept any more.
    pub(super) fn after(&self, user: UserId, pseq: u64) -> Option<impl Iterator<Item = &Private>> {
        let person = self.0.get(&user)?;
        let oldest = person.kept.front().map_or(person.newest + 1, |oldest| oldest.pseq);
        (pseq.saturating_add(1) >= oldest && pseq <= person.newest).then(|| person.kept.iter().filter(move |private| private.pseq > pseq))
    }

    /// Forgets who has been away for too long.
    pub(super) fn forget(&mut self, now: Instant) {
        self.0.retain(|_, person| person.connections > 0 || now.duration_since(person.left) <= KEPT_FOR);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_goes_on_where_he_was_or_is_told_to_read_anew() {
        let (now, me) = (Instant::now(), UserId(7));
        let mut people = People::default();
        assert!(people.tell(me, "order", 1, json!(0), now).is_none());
        assert!(people.enter(me, 1, 100, now));
        assert!(!people.enter(me, 1, 100, now));
        for seq in 0..1_500 {
            people.tell(me, "order", seq, json!(seq), now);
        }
        let numbers = |pseq| people.after(me, pseq).map(|rest| rest.map(|private| private.pseq).collect::<Vec<_>>());
        assert_eq!(numbers(1_600), Some(vec![]));
        assert_eq!(numbers(1_598), Some(vec![1_599, 1_600]));
        assert_eq!(numbers(600).map(|rest| rest.len()), Some(1_000));
        assert_eq!(numbers(599), None);
        assert_eq!(numbers(1_601), None);
        assert_eq!(numbers(u64::MAX), None);
    }

    #[test]
    fn who_was_away_for_long_starts_anew() {
        let (now, me) = (Instant::now(), UserId(7));
        let mut people = People::default();
        people.enter(me, 10, 100, now);
        people.leave(me, now);
        people.forget(now + KEPT_FOR);
        assert!(people.after(me, 100).is_some());
        people.forget(now + KEPT_FOR + Duration::from_secs(1));
        assert!(people.after(me, 100).is_none());
    }
}
