//! Password hashing in its own small pool: one thread, a queue of 32, and then "too many requests" (reliability A14, A23).

use std::sync::{Arc, mpsc};
use std::thread;

use argon2::{Algorithm, Argon2, Params, Version};
use subtle::ConstantTimeEq;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::app::StartError;
use crate::http::reply::{Refusal, refuse};
use crate::secrets::{from_hex, hex, random};

const QUEUE: usize = 32;
/// argon2id, 19 MiB, 2 passes, 1 lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

type Job = Box<dyn FnOnce(&Argon2<'_>) + Send>;

/// The pool.
#[derive(Clone)]
pub struct Hasher {
    jobs: mpsc::Sender<Job>,
    room: Arc<Semaphore>,
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
    _place: OwnedSemaphorePermit,
}

impl Hasher {
    /// Starts the thread.
    pub fn start(pepper: [u8; 32]) -> Result<Hasher, StartError> {
        let (jobs, inbox) = mpsc::channel::<Job>();
        let params = Params::new(MEMORY_KIB, PASSES, 1, Some(32)).map_err(|error| StartError(error.to_string()))?;
        let work = move || {
            let Ok(argon2) = Argon2::new_with_secret(&pepper, Algorithm::Argon2id, Version::V0x13, params) else { return };
            for job in inbox {
                job(&argon2);
            }
        };
        thread::Builder::new().name("hash".to_owned()).spawn(work)?;
        Ok(Hasher { jobs, room: Arc::new(Semaphore::new(QUEUE + 1)) })
    }

    /// A place in the queue, or `E_RATE`.
    pub fn slot(&self) -> Result<Slot, Refusal> {
        let place = self.room.clone().try_acquire_owned().map_err(|_| refuse("E_RATE").retry(1_000))?;
        Ok(Slot { hasher: self.clone(), _place: place })
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
        let (answer, answered) = oneshot::channel();
        let password = password.to_owned();
        let job: Job = Box::new(move |argon2| {
            let mut out = [0; 32];
            let result = argon2.hash_password_into(password.as_bytes(), &salt, &mut out).map(|()| out);
            let _ = answer.send(result);
        });
        self.hasher.jobs.send(job).map_err(|_| refuse("E_INTERNAL"))?;
        let result = answered.await.map_err(|_| refuse("E_INTERNAL"))?;
        result.map_err(|_| refuse("E_INTERNAL"))
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
        let held: Vec<Slot> = (0..=QUEUE).map(|_| hasher.slot().unwrap()).collect();
        assert_eq!(hasher.slot().map(|_| ()), Err(refuse("E_RATE").retry(1_000)));
        drop(held);
        assert!(hasher.slot().is_ok());
    }
}
