//! One at a time: guesses at a member's fund password wait for one another, so each was counted before the next is compared, and
//! so do those who tell of payments to a member, by a watcher or by hand (D-3). Whoever takes a mail address waits for those who agree on an
//! operator, so that one address never comes to be two people (0.6).

use std::sync::Arc;

use engine::ids::UserId;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// Members share a place when their numbers leave the same remainder; they wait for one step then, not for one another's count.
const PLACES: u64 = 256;

/// Whose turn it is. Cheap to clone.
#[derive(Clone, Debug)]
pub struct MemberLocks {
    places: Arc<[Arc<Mutex<()>>]>,
    addresses: Arc<Mutex<()>>,
    links: Arc<Mutex<()>>,
}

/// Held until the guess was counted, the payment is in the log, or the address is somebody's.
pub type MemberLock = OwnedMutexGuard<()>;

impl Default for MemberLocks {
    fn default() -> MemberLocks {
        MemberLocks { places: (0..PLACES).map(|_| Arc::default()).collect(), addresses: Arc::default(), links: Arc::default() }
    }
}

impl MemberLocks {
    /// Waits for the turn of this member.
    pub async fn of(&self, user: UserId) -> MemberLock {
        let place = usize::try_from(user.0 % PLACES).unwrap_or(0);
        self.places[place].clone().lock_owned().await
    }

    /// Waits for its turn to take an address, or to propose or confirm an operator.
    pub async fn of_addresses(&self) -> MemberLock {
        self.addresses.clone().lock_owned().await
    }

    /// Waits for its turn to log which operators have become members.
    pub async fn of_links(&self) -> MemberLock {
        self.links.clone().lock_owned().await
    }
}
