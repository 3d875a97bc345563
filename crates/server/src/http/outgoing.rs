//! Large answers on their way out. A caller who does not read holds one in memory, so those of one caller and of all are bounded.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use engine::ids::UserId;
use futures_util::stream;

use super::Call;
use super::code::Code;
use super::reply::{Refusal, refuse};

/// Smaller answers are not counted.
const LARGE: usize = 64 * 1024;
/// Bytes of large answers that one member may hold: a few pictures.
const OF_MEMBER: usize = 32 << 20;
const OF_MEMBERS: usize = 256 << 20;
const OF_GUESTS: usize = 64 << 20;
const OF_OPERATORS: usize = 256 << 20;
/// Bytes that are handed to the connection at once, which keeps a copy of them.
const PIECE: usize = 16 * 1024;
/// When to ask again for a large answer while others are unread.
const RETRY_MS: u64 = 1_000;

/// Who holds a large answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// All guests together.
    Guests,
    /// A member.
    Member(UserId),
    /// All operators together.
    Operators,
    /// All members together.
    Members,
}

impl Holder {
    /// The caller.
    pub fn of(call: &Call) -> Holder {
        match (&call.session, &call.operator) {
            (Some(session), _) => Holder::Member(session.user),
            (None, Some(_)) => Holder::Operators,
            (None, None) => Holder::Guests,
        }
    }

    fn most(self) -> usize {
        match self {
            Holder::Guests => OF_GUESTS,
            Holder::Member(_) => OF_MEMBER,
            Holder::Operators => OF_OPERATORS,
            Holder::Members => OF_MEMBERS,
        }
    }

    /// Everyone for whom an answer to this caller counts.
    fn counted(self) -> impl Iterator<Item = Holder> {
        let all = matches!(self, Holder::Member(_)).then_some(Holder::Members);
        std::iter::once(self).chain(all)
    }
}

/// Bytes of the large answers that are being sent.
#[derive(Debug, Default)]
pub struct Outgoing(Arc<Mutex<HashMap<Holder, usize>>>);

/// Room for one large answer; dropping it returns the room.
#[derive(Debug)]
pub struct Room {
    all: Arc<Mutex<HashMap<Holder, usize>>>,
    holder: Holder,
    bytes: usize,
}

impl Outgoing {
    /// Room for an answer of so many bytes, if that is large.
    ///
    /// # Errors
    /// [`Code::TooManyCalls`] when the caller, or all of their kind, must first read others.
    pub fn room(&self, holder: Holder, bytes: usize) -> Result<Option<Room>, Refusal> {
        if bytes < LARGE {
            return Ok(None);
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // One answer always fits, however large.
        let is_full = |holder: Holder| all.get(&holder).is_some_and(|held| held + bytes > holder.most());
        if holder.counted().any(is_full) {
            return Err(refuse(Code::TooManyCalls).retry(RETRY_MS));
        }
        holder.counted().for_each(|holder| *all.entry(holder).or_default() += bytes);
        Ok(Some(Room { all: self.0.clone(), holder, bytes }))
    }
}

/// A body that is handed on in pieces; `kept`, such as its room, lives as long as it.
pub fn in_pieces<K: Send + 'static>(bytes: Bytes, kept: K) -> Body {
    let next = |(mut rest, kept): (Bytes, K)| async move {
        let piece = rest.split_to(rest.len().min(PIECE));
        (!piece.is_empty()).then_some((Ok::<_, Infallible>(piece), (rest, kept)))
    };
    Body::from_stream(stream::unfold((bytes, kept), next))
}

impl Drop for Room {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        for holder in self.holder.counted() {
            if let Some(held) = all.get_mut(&holder) {
                *held -= self.bytes;
                if *held == 0 {
                    all.remove(&holder);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    const MIB: usize = 1 << 20;

    fn member(number: u64) -> Holder {
        Holder::Member(UserId(number))
    }

    impl Outgoing {
        fn large(&self, holder: Holder, bytes: usize) -> Option<Room> {
            self.room(holder, bytes).ok().map(|room| room.unwrap())
        }
    }

    #[test]
    fn who_does_not_read_gets_no_more_and_takes_nothing_from_others() {
        let outgoing = Outgoing::default();
        let held: Vec<Room> = std::iter::from_fn(|| outgoing.large(member(1), 8 * MIB)).collect();
        assert_eq!(held.len(), 4);
        assert!(matches!(outgoing.room(member(1), LARGE - 1), Ok(None)), "small answers are not counted");
        assert!(outgoing.large(member(2), 8 * MIB).is_some());
        drop(held);
        assert!(outgoing.large(member(1), 8 * MIB).is_some());
        assert!(outgoing.0.lock().unwrap().is_empty());
    }

    #[test]
    fn all_members_together_are_bounded_and_neither_guests_nor_operators_wait_for_them() {
        let outgoing = Outgoing::default();
        let held: Vec<Room> = (0..100).filter_map(|number| outgoing.large(member(number), 30 * MIB)).collect();
        assert_eq!(held.len(), 8);
        let guests: Vec<Room> = std::iter::from_fn(|| outgoing.large(Holder::Guests, MIB)).collect();
        assert_eq!(guests.len(), 64);
        assert!(outgoing.large(Holder::Operators, 8 * MIB).is_some());
    }

    #[test]
    fn an_answer_larger_than_a_share_fits_alone() {
        let outgoing = Outgoing::default();
        let large = outgoing.large(member(1), OF_MEMBER + 1);
        assert!(large.is_some() && outgoing.large(member(1), LARGE).is_none());
    }

    #[test]
    fn a_body_in_pieces_is_whole_and_keeps_its_room_until_the_end() {
        let outgoing = Outgoing::default();
        let bytes: Vec<u8> = (0..LARGE + 5).map(|at| at as u8).collect();
        let body = in_pieces(bytes.clone().into(), outgoing.large(member(1), bytes.len()).unwrap());
        assert_eq!(outgoing.0.lock().unwrap().len(), 2);
        let read = axum::body::to_bytes(body, usize::MAX).now_or_never().unwrap().unwrap();
        assert_eq!(read, bytes);
        assert!(outgoing.0.lock().unwrap().is_empty());
    }
}
