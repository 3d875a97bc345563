//! Password hashing in small pools of its own: a lane each for strangers, known devices, members and operators, with low-priority threads,
//! a bounded queue, and then "too many requests". On a machine that is busy with other work idle threads may not run
//! for seconds. A late hash is then computed a second time by a thread that also runs on a busy machine, and the first result counts.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use argon2::{Algorithm, Argon2, Block, Params, Version};
use store::secrets::{from_hex, hex, random};
use subtle::ConstantTimeEq;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::background::{self, Pool, Turn};
use crate::error::StartError;

/// Hashes that may wait in a lane.
const QUEUE: usize = 32;
/// A hash that takes longer than this is late.
const LATE: Duration = Duration::from_millis(300);

/// The kind of caller. No kind can fill another's queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Without session: log-ins and sign-ups.
    Guests,
    /// The same from devices that the account knows.
    Known,
    /// Members with a session.
    Members,
    /// Operators, and people becoming operators.
    Operators,
}

impl Lane {
    const ALL: [Lane; 4] = [Lane::Guests, Lane::Known, Lane::Members, Lane::Operators];

    fn word(self) -> &'static str {
        match self {
            Lane::Guests => "guests",
            Lane::Known => "known",
            Lane::Members => "members",
            Lane::Operators => "operators",
        }
    }

    /// Only strangers come in numbers.
    fn threads(self) -> usize {
        if self == Lane::Guests { background::width() } else { 1 }
    }
}

/// The parameters of a stored hash: argon2id, one lane. The first field of the text identifies them.
#[derive(Clone, Copy, Debug)]
struct Cost {
    mark: &'static str,
    memory_kib: u32,
    passes: u32,
}

/// The first creates new hashes, all can be verified. OWASP calls them equally strong; with less memory and more passes a hash keeps a core
/// and the caches of the others busy for less time.
const COSTS: [Cost; 2] = [Cost { mark: "2$", memory_kib: 12 * 1024, passes: 3 }, Cost { mark: "1$", memory_kib: 19 * 1024, passes: 2 }];

thread_local! {
    /// Of a hash thread, from one hash to the next: the system need not find and clear it again.
    static MEMORY: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
}

/// The threads and the capacity for one kind of caller.
#[derive(Clone, Debug)]
struct LanePool {
    idle: Pool,
    forward: Pool,
    room: Arc<Semaphore>,
}

impl LanePool {
    fn start(lane: Lane) -> Result<LanePool, StartError> {
        let threads = lane.threads();
        Ok(LanePool {
            idle: Pool::start("hash", threads, Turn::Idle)?,
            forward: Pool::start("late hash", 1, Turn::Quarter)?,
            room: Arc::new(Semaphore::new(QUEUE + threads)),
        })
    }

    /// The result of the idle threads; once it is late, whichever result is first.
    async fn run<T: Send + 'static>(&self, work: impl Fn() -> T + Clone + Send + 'static) -> Option<T> {
        let idle = self.idle.run(work.clone());
        tokio::pin!(idle);
        if let Ok(done) = tokio::time::timeout(LATE, &mut idle).await {
            return done;
        }
        metrics::counter!("password_hashes_late_total").increment(1);
        tokio::select! {
            done = &mut idle => done,
            done = self.forward.run(work) => done,
        }
    }
}

/// Why no password was hashed or compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashError {
    /// The queue of the lane is full.
    Full,
    /// The system gave no memory or no random number, or a thread panicked.
    Failed,
}

impl fmt::Display for HashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HashError::Full => "too many passwords wait to be hashed",
            HashError::Failed => "a password was not hashed",
        })
    }
}

impl std::error::Error for HashError {}

/// The pools.
#[derive(Clone)]
pub struct Hasher {
    lanes: [LanePool; 4],
    pepper: [u8; 32],
    done: Arc<AtomicU64>,
}

impl fmt::Debug for Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hasher")
    }
}

/// A reserved slot in a queue.
#[derive(Debug)]
pub struct Slot {
    hasher: Hasher,
    lane: Lane,
    place: OwnedSemaphorePermit,
}

impl Hasher {
    /// Starts the threads.
    pub fn start(pepper: [u8; 32]) -> Result<Hasher, StartError> {
        let [guests, known, members, operators] = Lane::ALL.map(LanePool::start);
        Ok(Hasher { lanes: [guests?, known?, members?, operators?], pepper, done: Arc::default() })
    }

    /// Number of passwords hashed or compared so far.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// A slot in the queue of a lane.
    ///
    /// # Errors
    /// [`HashError::Full`] at once.
    pub fn slot(&self, lane: Lane) -> Result<Slot, HashError> {
        let place = self.lane(lane).room.clone().try_acquire_owned().map_err(|_| HashError::Full)?;
        Ok(Slot { hasher: self.clone(), lane, place })
    }

    /// Number of waiting or running hashes, by the name of their lane.
    pub fn backlog(&self) -> [(&'static str, usize); 4] {
        Lane::ALL.map(|lane| (lane.word(), (QUEUE + lane.threads()).saturating_sub(self.lane(lane).room.available_permits())))
    }

    fn lane(&self, lane: Lane) -> &LanePool {
        &self.lanes[lane as usize]
    }
}

impl Slot {
    /// The text to store for this password.
    pub async fn hash(self, password: &str) -> Result<String, HashError> {
        let salt: [u8; 16] = random().map_err(|_| HashError::Failed)?;
        let digest = self.digest(password, salt, COSTS[0]).await?;
        Ok(format!("{}{}${}", COSTS[0].mark, hex(&salt), hex(&digest)))
    }

    /// True if the password made the stored text. Without a stored text (unknown account) the same work ends in `false`.
    pub async fn verify(self, password: &str, stored: Option<&str>) -> Result<bool, HashError> {
        let parsed = stored.and_then(parse);
        let (cost, salt, wanted) = parsed.unwrap_or((COSTS[0], [0; 16], [0; 32]));
        let digest = self.digest(password, salt, cost).await?;
        Ok(bool::from(digest.ct_eq(&wanted)) && parsed.is_some())
    }

    async fn digest(self, password: &str, salt: [u8; 16], cost: Cost) -> Result<[u8; 32], HashError> {
        metrics::counter!("password_hashes_total").increment(1);
        self.hasher.done.fetch_add(1, Ordering::Relaxed);
        // The place becomes free when the work is done, even if the caller has gone in the meantime.
        let (password, pepper, place) = (password.to_owned(), self.hasher.pepper, Arc::new(self.place));
        let work = move || -> Result<[u8; 32], argon2::Error> {
            let params = Params::new(cost.memory_kib, cost.passes, 1, Some(32))?;
            let blocks = params.block_count();
            let argon2 = Argon2::new_with_secret(&pepper, Algorithm::Argon2id, Version::V0x13, params)?;
            let mut out = [0; 32];
            let _place = &place;
            MEMORY.with_borrow_mut(|memory| {
                memory.resize(blocks, Block::default());
                argon2.hash_password_into_with_memory(password.as_bytes(), &salt, &mut out, memory)
            })?;
            Ok(out)
        };
        self.hasher.lane(self.lane).run(work).await.and_then(Result::ok).ok_or(HashError::Failed)
    }
}

/// The cost, the salt and the digest of a stored text.
fn parse(stored: &str) -> Option<(Cost, [u8; 16], [u8; 32])> {
    let (cost, rest) = COSTS.iter().find_map(|cost| Some((*cost, stored.strip_prefix(cost.mark)?)))?;
    let (salt, digest) = rest.split_once('$')?;
    Some((cost, from_hex(salt)?, from_hex(digest)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_text_of_the_first_version_is_still_understood() {
        let hasher = Hasher::start([7; 32]).unwrap();
        let stored = "1$0102030405060708090a0b0c0d0e0f10$9cd36ac610c7cbf388701f36e957c0c6df12fe17a1b2d3de0ba2ef7de1c72d32";
        assert!(hasher.slot(Lane::Guests).unwrap().verify("correct horse", Some(stored)).await.unwrap());
        assert!(!hasher.slot(Lane::Guests).unwrap().verify("correct house", Some(stored)).await.unwrap());
        assert!(!hasher.slot(Lane::Guests).unwrap().verify("correct horse", Some(&stored.replace("1$", "2$"))).await.unwrap());
    }

    #[tokio::test]
    async fn a_password_matches_only_its_own_hash_and_pepper() {
        let hasher = Hasher::start([7; 32]).unwrap();
        let stored = hasher.slot(Lane::Guests).unwrap().hash("correct horse").await.unwrap();
        assert!(hasher.slot(Lane::Guests).unwrap().verify("correct horse", Some(&stored)).await.unwrap());
        assert!(!hasher.slot(Lane::Guests).unwrap().verify("correct house", Some(&stored)).await.unwrap());
        assert!(!hasher.slot(Lane::Guests).unwrap().verify("correct horse", None).await.unwrap());
        let other = Hasher::start([8; 32]).unwrap();
        assert!(!other.slot(Lane::Guests).unwrap().verify("correct horse", Some(&stored)).await.unwrap());
    }

    #[test]
    fn a_full_queue_is_refused_at_once_and_fills_no_other_lane() {
        let hasher = Hasher::start([7; 32]).unwrap();
        let held: Vec<Slot> = (0..QUEUE + background::width()).map(|_| hasher.slot(Lane::Guests).unwrap()).collect();
        assert_eq!(hasher.slot(Lane::Guests).map(|_| ()), Err(HashError::Full));
        assert_eq!(hasher.backlog()[0], ("guests", held.len()));
        assert!([Lane::Known, Lane::Members, Lane::Operators].into_iter().all(|lane| hasher.slot(lane).is_ok()));
        drop(held);
        assert!(hasher.slot(Lane::Guests).is_ok());
    }

    #[tokio::test]
    async fn a_hash_whose_idle_thread_does_not_run_comes_from_another() {
        let hasher = Hasher::start([7; 32]).unwrap();
        let (hold, held) = std::sync::mpsc::channel::<()>();
        // The lane's only idle thread does not take it before the test is over.
        let stuck = hasher.lane(Lane::Operators).idle.clone();
        let stuck = tokio::spawn(async move { stuck.run(move || held.recv()).await });
        tokio::task::yield_now().await;
        let stored = hasher.slot(Lane::Operators).unwrap().hash("correct horse").await.unwrap();
        assert!(hasher.slot(Lane::Operators).unwrap().verify("correct horse", Some(&stored)).await.unwrap());
        drop(hold);
        stuck.await.unwrap();
    }
}
