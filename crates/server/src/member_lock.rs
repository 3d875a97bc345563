//! Locks that serialise a member's work. Guesses at a fund password run one at a time, so each is counted before the next is compared
//! . So do reports of payments to a member, by a watcher or by hand (D-3). Taking a mail address and approving an operator also
//! exclude each other, so one address never belongs to two people (0.6).

use std::sync::Arc;
use std::time::Duration;

use engine::ids::UserId;
use tokio::sync::{Mutex, OwnedMutexGuard};

/// Members share a lock when their numbers have the same remainder; they then wait for one step, without sharing a count.
const PLACES: u64 = 256;

/// The locks. Cheap to clone.
#[derive(Clone, Debug)]
pub struct MemberLocks {
    places: Arc<[Arc<Mutex<()>>]>,
    addresses: Arc<Mutex<()>>,
    links: Arc<Mutex<()>>,
    sms: Arc<Mutex<()>>,
}

/// Held until the guess is counted, the payment is in the log, or the address is assigned.
pub type MemberLock = OwnedMutexGuard<()>;

impl Default for MemberLocks {
    fn default() -> MemberLocks {
        MemberLocks {
            places: (0..PLACES).map(|_| Arc::default()).collect(),
            addresses: Arc::default(),
            links: Arc::default(),
            sms: Arc::default(),
        }
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

    /// Waits for its turn to ask for a code by SMS, at most 5 s. In the database these requests have one turn, and without this one they
    /// would wait for it on all connections.
    pub async fn of_sms(&self) -> Option<MemberLock> {
        tokio::time::timeout(Duration::from_secs(5), self.sms.clone().lock_owned()).await.ok()
    }
}
