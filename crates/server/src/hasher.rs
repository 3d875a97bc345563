//! Password hashing in its own small pool: one or two threads of low priority, a queue of 32, and then "too many requests"
//! (reliability A14, A23).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use argon2::{Algorithm, Argon2, Params, Version};
use subtle::ConstantTimeEq;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::app::StartError;
use crate::background::{self, Pool};
use crate::http::reply::{Refusal, refuse};
use crate::secrets::{from_hex, hex, random};

const QUEUE: usize = 32;
/// argon2id, 19 MiB, 2 passes, 1 lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

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
        let digest = self.digest(password, salt).await?;
        Ok(format!("1${}${}", hex(&salt), hex(&digest)))
    }

    /// True if the password made the stored text. Without a stored text (unknown account) the same work ends in `false`.
    pub async fn verify(self, password: &str, stored: Option<&str>) -> Result<bool, Refusal> {
        let parts = stored.and_then(|stored| stored.strip_prefix("1$")).and_then(|rest| rest.split_once('$'));
        let parsed = parts.and_then(|(salt, digest)| Some((from_hex::<16>(salt)?, from_hex::<32>(digest)?)));
        let (salt, wanted) = parsed.unwrap_or_default();
        let digest = self.digest(password, salt).await?;
        Ok(bool::from(digest.ct_eq(&wanted)) && parsed.is_some())
    }

    async fn digest(self, password: &str, salt: [u8; 16]) -> Result<[u8; 32], Refusal> {
        metrics::counter!("password_hashes_total").increment(1);
        self.hasher.done.fetch_add(1, Ordering::Relaxed);
        let (password, pepper, place) = (password.to_owned(), self.hasher.pepper, self.place);
        let work = move || -> Result<[u8; 32], argon2::Error> {
            let params = Params::new(MEMORY_KIB, PASSES, 1, Some(32))?;
            let argon2 = Argon2::new_with_secret(&pepper, Algorithm::Argon2id, Version::V0x13, params)?;
            let mut out = [0; 32];
            // Its place is free when the work is done, also if the caller has gone meanwhile.
            let _place = place;
            argon2.hash_password_into(password.as_bytes(), &salt, &mut out).map(|()| out)
        };
        self.hasher.pool.run(work).await.and_then(Result::ok).ok_or_else(|| refuse("E_INTERNAL"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
