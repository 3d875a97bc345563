//! Password hashing in its own small pool: one or two threads of low priority, a queue of 32, and then "too many requests"
//! (reliability A14, A23).

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::{Algorithm, Argon2, Block, Params, Version};
use subtle::ConstantTimeEq;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::app::StartError;
use crate::background::{self, Pool};
use crate::http::reply::{Refusal, refuse};
use crate::secrets::{from_hex, hex, random};

const QUEUE: usize = 32;

/// How a stored text was made: argon2id, one lane. The first field of the text says which.
#[derive(Clone, Copy, Debug)]
struct Cost {
    mark: &'static str,
    memory_kib: u32,
    passes: u32,
}

/// The first makes new texts, all are understood. OWASP calls them equally strong; with less memory and more passes a hash keeps a core
/// and the caches of the others busy for less time.
const COSTS: [Cost; 2] = [Cost { mark: "2$", memory_kib: 12 * 1024, passes: 3 }, Cost { mark: "1$", memory_kib: 19 * 1024, passes: 2 }];

thread_local! {
    /// Of a hash thread, from one hash to the next: the system need not find and clear it again.
    static MEMORY: RefCell<Vec<Block>> = const { RefCell::new(Vec::new()) };
}

/// The pool.
#[derive(Clone)]
pub struct Hasher {
    pool: Pool,
    pepper: [u8; 32],
    room: Arc<Semaphore>,
    done: Arc<AtomicU64>,
}

impl std::fmt::Debug for Hasher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hasher")
    }
}

/// A reserved place in the queue.
#[derive(Debug)]
pub struct Slot {
    hasher: Hasher,
    place: OwnedSemaphorePermit,
}

impl Hasher {
    /// Starts the threads.
    pub fn start(pepper: [u8; 32]) -> Result<Hasher, StartError> {
        let threads = background::width();
        Ok(Hasher { pool: Pool::start("hash", threads)?, pepper, room: Arc::new(Semaphore::new(QUEUE + threads)), done: Arc::default() })
    }

    /// How many passwords were hashed or compared so far.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// A place in the queue, or `E_RATE`.
    pub fn slot(&self) -> Result<Slot, Refusal> {
        let place = self.room.clone().try_acquire_owned().map_err(|_| refuse("E_RATE").retry(1_000))?;
        Ok(Slot { hasher: self.clone(), place })
    }
}

impl Slot {
    /// The text to store for this password.
    pub async fn hash(self, password: &str) -> Result<String, Refusal> {
        let salt: [u8; 16] = random().map_err(|_| refuse("E_INTERNAL"))?;
        let digest = self.digest(password, salt, COSTS[0]).await?;
        Ok(format!("{}{}${}", COSTS[0].mark, hex(&salt), hex(&digest)))
    }

    /// True if the password made the stored text. Without a stored text (unknown account) the same work ends in `false`.
    pub async fn verify(self, password: &str, stored: Option<&str>) -> Result<bool, Refusal> {
        let parsed = stored.and_then(parse);
        let (cost, salt, wanted) = parsed.unwrap_or((COSTS[0], [0; 16], [0; 32]));
        let digest = self.digest(password, salt, cost).await?;
        Ok(bool::from(digest.ct_eq(&wanted)) && parsed.is_some())
    }

    async fn digest(self, password: &str, salt: [u8; 16], cost: Cost) -> Result<[u8; 32], Refusal> {
        metrics::counter!("password_hashes_total").increment(1);
        self.hasher.done.fetch_add(1, Ordering::Relaxed);
        let (password, pepper, place) = (password.to_owned(), self.hasher.pepper, self.place);
        let work = move || -> Result<[u8; 32], argon2::Error> {
            let params = Params::new(cost.memory_kib, cost.passes, 1, Some(32))?;
            let blocks = params.block_count();
            let argon2 = Argon2::new_with_secret(&pepper, Algorithm::Argon2id, Version::V0x13, params)?;
            let mut out = [0; 32];
            // Its place is free when the work is done, also if the caller has gone meanwhile.
            let _place = place;
            MEMORY.with_borrow_mut(|memory| {
                memory.resize(blocks, Block::default());
                argon2.hash_password_into_with_memory(password.as_bytes(), &salt, &mut out, memory)
            })?;
            Ok(out)
        };
        self.hasher.pool.run(work).await.and_then(Result::ok).ok_or_else(|| refuse("E_INTERNAL"))
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
        assert!(hasher.slot().unwrap().verify("correct horse", Some(stored)).await.unwrap());
        assert!(!hasher.slot().unwrap().verify("correct house", Some(stored)).await.unwrap());
        assert!(!hasher.slot().unwrap().verify("correct horse", Some(&stored.replace("1$", "2$"))).await.unwrap());
    }

    #[tokio::test]
    async fn a_password_matches_only_its_own_hash_and_pepper() {
        let hasher = Hasher::start([7; 32]).unwrap();
        let stored = hasher.slot().unwrap().hash("correct horse").await.unwrap();
        assert!(hasher.slot().unwrap().verify("correct horse", Some(&stored)).await.unwrap());
        assert!(!hasher.slot().unwrap().verify("correct house", Some(&stored)).await.unwrap());
        assert!(!hasher.slot().unwrap().verify("correct horse", None).await.unwrap());
        let other = Hasher::start([8; 32]).unwrap();
        assert!(!other.slot().unwrap().verify("correct horse", Some(&stored)).await.unwrap());
    }

    #[test]
    fn a_full_queue_is_refused_at_once() {
        let hasher = Hasher::start([7; 32]).unwrap();
        let held: Vec<Slot> = (0..QUEUE + background::width()).map(|_| hasher.slot().unwrap()).collect();
        assert_eq!(hasher.slot().map(|_| ()), Err(refuse("E_RATE").retry(1_000)));
        drop(held);
        assert!(hasher.slot().is_ok());
    }
}
