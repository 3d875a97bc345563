//! Large answers on their way out. A caller who does not read holds one in memory, so those of one caller and of all are bounded.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use engine::ids::UserId;
use futures_util::stream;
use tokio::task::yield_now;

use super::Call;
use super::code::Code;
use super::limits::Caller;
use super::reply::{Refusal, refuse};

/// Bytes that are handed to the connection at once, which keeps a copy of them.
pub const PIECE: usize = 16 * 1024;
/// Bytes that are handed on in one turn.
const BURST: usize = 4 * PIECE;
/// Answers of one piece are not counted.
const LARGE: usize = PIECE + 1;
/// Bytes of large answers that one guest's address may hold, and a member: a few pictures.
const OF_GUEST: usize = 8 << 20;
const OF_MEMBER: usize = 32 << 20;
const OF_GUESTS: usize = 64 << 20;
const OF_MEMBERS: usize = 256 << 20;
const OF_OPERATORS: usize = 256 << 20;
/// Who takes fewer bytes a second of an answer, after the first seconds, is cut off: the room is wanted by others.
const LEAST_PACE: usize = PIECE;
const FIRST: Duration = Duration::from_secs(30);
/// When to ask again for a large answer while others are unread.
const RETRY_MS: u64 = 1_000;

/// A caller, or callers together, whose large answers share a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A guest's address.
    Guest(Caller),
    /// A member.
    Member(UserId),
    /// All guests.
    Guests,
    /// All members.
    Members,
    /// All operators.
    Operators,
}

impl Holder {
    /// Who holds the answer to this call.
    pub fn of(call: &Call) -> Holder {
        match (&call.session, &call.operator) {
            (Some(session), _) => Holder::Member(session.user),
            (None, Some(_)) => Holder::Operators,
            (None, None) => Holder::Guest(Caller::address(call.address)),
        }
    }

    fn most(self) -> usize {
        match self {
            Holder::Guest(_) => OF_GUEST,
            Holder::Member(_) => OF_MEMBER,
            Holder::Guests => OF_GUESTS,
            Holder::Members => OF_MEMBERS,
            Holder::Operators => OF_OPERATORS,
        }
    }

    /// Everyone for whom an answer to this caller counts.
    fn counted(self) -> impl Iterator<Item = Holder> {
        let all = match self {
            Holder::Guest(_) => Some(Holder::Guests),
            Holder::Member(_) => Some(Holder::Members),
            Holder::Guests | Holder::Members | Holder::Operators => None,
        };
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

impl Room {
    /// The body of this answer, which keeps the room until it is sent, or its reader is too slow.
    pub fn body(self, bytes: Vec<u8>) -> Body {
        let begun = Instant::now();
        let next = move |(mut rest, room): (Bytes, Room)| async move {
            let Some(piece) = piece_of(&mut rest).await else { return Ok(None) };
            let sent = room.bytes - rest.len();
            match is_too_slow(sent, begun.elapsed()) {
                true => Err(io::Error::from(io::ErrorKind::TimedOut)),
                false => Ok(Some((piece, (rest, room)))),
            }
        };
        Body::from_stream(stream::try_unfold((bytes.into(), self), next))
    }
}

/// True if a reader who has taken so many bytes in this time holds their room too long.
fn is_too_slow(sent: usize, time: Duration) -> bool {
    let wanted = time.saturating_sub(FIRST).as_secs().saturating_mul(LEAST_PACE as u64);
    (sent as u64) < wanted
}

/// The next piece. Between two bursts others have their turn: a caller may send many requests at once, and the connection takes all that
/// the system's buffer has room for.
async fn piece_of(rest: &mut Bytes) -> Option<Bytes> {
    if rest.len() % BURST < PIECE {
        yield_now().await;
    }
    let piece = rest.split_to(rest.len().min(PIECE));
    (!piece.is_empty()).then_some(piece)
}

/// The body of an answer that all callers share, so it needs no room.
pub fn shared(bytes: &'static [u8]) -> Body {
    let next = |mut rest| async move { piece_of(&mut rest).await.map(|piece| (Ok::<_, Infallible>(piece), rest)) };
    Body::from_stream(stream::unfold(Bytes::from_static(bytes), next))
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
        let guest = |number: u8| Holder::Guest(Caller::address([192, 0, 2, number].into()));
        let guests: Vec<Room> = (0..100).filter_map(|number| outgoing.large(guest(number / 10), MIB)).collect();
        assert_eq!(guests.len(), 64, "8 of each address, and 64 of all");
        assert!(outgoing.large(Holder::Operators, 8 * MIB).is_some());
    }

    #[test]
    fn an_answer_larger_than_a_share_fits_alone() {
        let outgoing = Outgoing::default();
        let large = outgoing.large(member(1), OF_MEMBER + 1);
        assert!(large.is_some() && outgoing.large(member(1), LARGE).is_none());
    }

    #[tokio::test]
    async fn a_body_in_pieces_is_whole_and_keeps_its_room_until_the_end() {
        let outgoing = Outgoing::default();
        let bytes: Vec<u8> = (0..LARGE + 5).map(|at| at as u8).collect();
        let body = outgoing.large(member(1), bytes.len()).unwrap().body(bytes.clone());
        assert_eq!(outgoing.0.lock().unwrap().len(), 2);
        let read = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        assert_eq!(read, bytes);
        assert!(outgoing.0.lock().unwrap().is_empty());
    }

    #[test]
    fn a_reader_has_half_a_minute_and_then_a_least_pace() {
        let after = |sent: usize, s: u64| is_too_slow(sent, Duration::from_secs(s));
        assert!(!after(0, 30) && after(0, 31));
        // The largest picture, by the slowest line that is served.
        assert!(!after(60 * PIECE, 90) && after(60 * PIECE, 91));
    }
}
