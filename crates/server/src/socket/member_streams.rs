//! Private events: numbered per member and kept for a while, so a reader who was away can continue.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use engine::ids::UserId;
use serde_json::{Value as Json, json};
use socketioxide::socket::Sid;
use store::notices::Notice;

use crate::api::support::notices::view;
use crate::i18n::Lang;

/// Reports what changes in open contracts once a second. Its lists are kept only for the newest one: clients that were away read that one
/// last.
pub(super) const FOLLOWING: &str = "lever_trade";
const LISTS: [&str; 3] = ["trades_all", "trades_entrust", "trades_cur"];

/// Number of events kept for a member, and for how long.
const KEPT: usize = 1_000;
const KEPT_FOR: Duration = Duration::from_secs(15 * 60);
/// Number of events kept for all members; each takes about a kilobyte.
const KEPT_IN_ALL: usize = 100_000;

/// A private event with its number.
#[derive(Clone, Debug)]
pub(super) struct Private {
    pub(super) pseq: u64,
    pub(super) name: &'static str,
    payload: Json,
    /// The notice that the payload is rendered from, in each reader's language.
    notice: Option<Notice>,
    at: Instant,
}

/// An event of a member.
#[derive(Clone, Debug)]
pub(super) struct What {
    pub(super) name: &'static str,
    /// Sequence of its entry.
    pub(super) seq: u64,
    /// The fields of its payload besides the numbers; an object.
    pub(super) body: Json,
    /// Its data in each language.
    pub(super) notice: Option<Notice>,
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
    readers: Vec<Sid>,
    left: Instant,
}

impl Person {
    /// Drops the lists of the last [`FOLLOWING`] event: the next one has newer ones.
    fn shorten_following(&mut self) {
        let last = self.kept.iter_mut().rev().find(|kept| kept.name == FOLLOWING);
        if let Some(Json::Object(fields)) = last.map(|last| &mut last.payload) {
            LISTS.iter().for_each(|list| drop(fields.remove(*list)));
        }
    }
}

/// Members with a connection now or within the last quarter of an hour.
#[derive(Debug, Default)]
pub(super) struct People {
    of: HashMap<UserId, Person>,
    /// Events kept for all of them.
    kept: usize,
}

impl People {
    /// A connection of this member begins: the number of the newest event, or `None` if they have too many. `start` is above every
    /// number they were ever given.
    pub(super) fn enter(&mut self, user: UserId, reader: Sid, most: usize, start: u64, now: Instant) -> Option<u64> {
        let new = || Person { newest: start, kept: VecDeque::new(), readers: Vec::new(), left: now };
        let person = self.of.entry(user).or_insert_with(new);
        if person.readers.len() >= most {
            return None;
        }
        person.readers.push(reader);
        Some(person.newest)
    }

    /// A connection of this member ended.
    pub(super) fn leave(&mut self, user: UserId, reader: Sid, now: Instant) {
        if let Some(person) = self.of.get_mut(&user) {
            person.readers.retain(|one| *one != reader);
            person.left = now;
        }
    }

    /// True if a client follows this member, or may come back to.
    pub(super) fn follows(&self, user: UserId) -> bool {
        self.of.contains_key(&user)
    }

    /// Members who are connected now.
    pub(super) fn present(&self) -> impl Iterator<Item = UserId> {
        self.of.iter().filter(|(_, person)| !person.readers.is_empty()).map(|(user, _)| *user)
    }

    /// Numbers and stores an event: the event and its readers, or `None` for a member without followers.
    pub(super) fn tell(&mut self, user: UserId, news: What, now: Instant) -> Option<(&Private, &[Sid])> {
        let person = self.of.get_mut(&user)?;
        person.newest += 1;
        let mut payload = news.body;
        (payload["pseq"], payload["seq"]) = (json!(person.newest), json!(news.seq));
        if news.name == FOLLOWING {
            person.shorten_following();
        }
        person.kept.push_back(Private { pseq: person.newest, name: news.name, payload, notice: news.notice, at: now });
        self.kept += 1;
        while person.kept.len() > KEPT || person.kept.front().is_some_and(|oldest| now.duration_since(oldest.at) > KEPT_FOR) {
            person.kept.pop_front();
            self.kept -= 1;
        }
        if self.kept > KEPT_IN_ALL {
            self.halve(user);
        }
        let person = self.of.get(&user)?;
        Some((person.kept.back()?, &person.readers))
    }

    /// Drops the older half of what is kept for each member, but not the newest event of this one, which is not sent yet.
    fn halve(&mut self, user: UserId) {
        self.kept = 0;
        for (of, person) in &mut self.of {
            let left = if *of == user { person.kept.len().div_ceil(2) } else { person.kept.len() / 2 };
            person.kept.drain(..person.kept.len() - left);
            self.kept += left;
        }
    }

    /// Number of the newest event of a member.
    pub(super) fn newest(&self, user: UserId) -> Option<u64> {
        Some(self.of.get(&user)?.newest)
    }

    /// The events after `pseq`; `None` when some of them are no longer kept.
    pub(super) fn after(&self, user: UserId, pseq: u64) -> Option<impl Iterator<Item = &Private>> {
        let person = self.of.get(&user)?;
        let missed = usize::try_from(person.newest.checked_sub(pseq)?).ok()?;
        let from = person.kept.len().checked_sub(missed)?;
        Some(person.kept.range(from..))
    }

    /// Events were lost before this point: no client can continue where it was.
    pub(super) fn lose(&mut self) {
        self.kept = 0;
        for person in self.of.values_mut() {
            person.newest += 1;
            person.kept.clear();
        }
    }

    /// Drops the events of members who have been away for too long.
    pub(super) fn forget(&mut self, now: Instant) {
        let kept = &mut self.kept;
        self.of.retain(|_, person| {
            let stays = !person.readers.is_empty() || now.duration_since(person.left) <= KEPT_FOR;
            if !stays {
                *kept -= person.kept.len();
            }
            stays
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(seq: u64) -> What {
        What { name: "order", seq, body: json!({"data": seq}), notice: None }
    }

    #[test]
    fn a_reader_goes_on_where_they_were_or_is_told_to_read_again() {
        let (now, me, reader) = (Instant::now(), UserId(7), Sid::new());
        let mut people = People::default();
        assert!(people.tell(me, order(1), now).is_none());
        assert_eq!(people.enter(me, reader, 1, 100, now), Some(100));
        assert_eq!(people.enter(me, Sid::new(), 1, 100, now), None);
        for seq in 0..1_500 {
            assert!(people.tell(me, order(seq), now).is_some_and(|(_, readers)| readers == [reader]));
        }
        let numbers = |people: &People, pseq| people.after(me, pseq).map(|rest| rest.map(|private| private.pseq).collect::<Vec<_>>());
        assert_eq!(numbers(&people, 1_600), Some(vec![]));
        assert_eq!(numbers(&people, 1_598), Some(vec![1_599, 1_600]));
        assert_eq!(numbers(&people, 600).map(|rest| (rest.len(), rest[0])), Some((1_000, 601)));
        assert_eq!(numbers(&people, 599), None);
        assert_eq!(numbers(&people, 1_601), None);
        assert_eq!(numbers(&people, u64::MAX), None);
        // Events may have been lost, so the previous newest number is no longer accepted.
        people.lose();
        assert_eq!((numbers(&people, 1_600), numbers(&people, 1_601)), (None, Some(vec![])));
    }

    #[test]
    fn what_is_kept_for_all_members_is_bounded() {
        let now = Instant::now();
        let mut people = People::default();
        let members = u64::try_from(KEPT_IN_ALL / 500).unwrap();
        for member in 0..members {
            people.enter(UserId(member), Sid::new(), 1, 100, now);
        }
        let kept = |people: &People| people.of.values().map(|person| person.kept.len()).sum::<usize>();
        for seq in 0..700 {
            for member in 0..members {
                assert!(people.tell(UserId(member), order(seq), now).is_some());
                assert!(people.kept <= KEPT_IN_ALL);
            }
        }
        assert_eq!(people.kept, kept(&people));
        for member in 0..members {
            assert!(people.after(UserId(member), 100).is_none(), "told to read again");
            assert_eq!(people.after(UserId(member), 700).map(Iterator::count), Some(100));
        }
        people.lose();
        assert_eq!((people.kept, kept(&people)), (0, 0));
    }

    #[test]
    fn only_the_newest_word_on_open_contracts_has_its_lists() {
        let (now, me) = (Instant::now(), UserId(7));
        let mut people = People::default();
        people.enter(me, Sid::new(), 1, 100, now);
        for seq in 1..=3 {
            let body = json!({"profits_all": "1", "trades_all": "[]", "trades_entrust": "[]", "trades_cur": "[]"});
            people.tell(me, What { name: FOLLOWING, seq, body, notice: None }, now);
            people.tell(me, order(seq), now);
        }
        let kept: Vec<Json> = people.after(me, 100).unwrap().map(|private| private.payload_in(Lang::default()).into_owned()).collect();
        let lists: Vec<bool> = kept.iter().map(|payload| payload["trades_all"].is_string()).collect();
        assert_eq!(lists, [false, false, false, false, true, false]);
        assert_eq!(kept[0], json!({"pseq": 101, "seq": 1, "profits_all": "1"}));
    }

    #[test]
    fn who_was_away_for_long_starts_from_a_fresh_read() {
        let (now, me, reader) = (Instant::now(), UserId(7), Sid::new());
        let mut people = People::default();
        people.enter(me, reader, 10, 100, now);
        people.leave(me, reader, now);
        people.forget(now + KEPT_FOR);
        assert!(people.after(me, 100).is_some());
        people.forget(now + KEPT_FOR + Duration::from_secs(1));
        assert!(people.after(me, 100).is_none());
    }
}
