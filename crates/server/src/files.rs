//! Storage of pictures: an object store (a folder with synced writes, or any S3 API), sealed like all personal data, and the small pools
//! that decode, seal and open them. The row of a file is written first and the object second, so no row that counts ever points to nothing.

use std::fmt;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use engine::ids::UserId;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, ObjectStoreExt, RetryConfig};
use sha2::{Digest, Sha256};
use store::Store;
use store::db::DbError;
use store::files::{self, Picture};
use store::secrets::{hex, random};
use store::vault::Place;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use crate::background::{Pool, Turn};
use crate::config::Config;
use crate::error::StartError;
use crate::picture::{self, Flaw};

/// Decodes at once, and the memory that all of them together may take.
const DECODES: usize = 2;
const MEMORY_MIB: u32 = 320;
/// Stored pictures that are opened or sealed at once for members, and for operators.
const OF_MEMBERS: usize = 16;
const OF_OPERATORS: usize = 4;
/// The object store answers within this time, retries included.
const ANSWER: Duration = Duration::from_secs(15);
/// S3's error code for a missing bucket.
const NO_BUCKET: &str = "NoSuchBucket";
/// A caller waits this long for a turn.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// The file is not an acceptable picture.
    Flaw(Flaw),
    /// Its turn did not come in time.
    Busy,
    /// The object store does not answer.
    Away,
    /// It could not be sealed, or not be opened.
    Seal(DbError),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Flaw(flaw) => write!(f, "no picture: {}", flaw.word()),
            FileError::Busy => f.write_str("too many pictures wait for their turn"),
            FileError::Away => f.write_str("the store of files does not answer"),
            FileError::Seal(error) => write!(f, "sealed picture: {error}"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<DbError> for FileError {
    fn from(error: DbError) -> FileError {
        FileError::Seal(error)
    }
}

/// The object store and the pools.
#[derive(Debug)]
pub struct Files {
    store: Arc<dyn ObjectStore>,
    decoders: Pool,
    permits: Semaphore,
    memory: Arc<Semaphore>,
    /// Seals and opens pictures. Somebody waits for each, so it works on a busy machine as well.
    sealer: Pool,
    /// Turns at pictures that are fetched, opened or sealed, which bound those in memory.
    of_members: Arc<Semaphore>,
    of_operators: Arc<Semaphore>,
}

impl Files {
    /// `DIR/files`, another folder, or `s3://bucket/prefix` with the usual `AWS_*` variables.
    pub fn open(config: &Config) -> Result<Files, StartError> {
        let wrong = |error: object_store::Error| StartError(format!("files: {error}"));
        let store: Arc<dyn ObjectStore> = match config.files.as_deref() {
            Some(url) if url.starts_with("s3://") => {
                let (bucket, prefix) = url.trim_start_matches("s3://").split_once('/').unwrap_or((url.trim_start_matches("s3://"), ""));
                // The client of a bucket needs a TLS provider. Another part of the process may have installed it already.
                let _ = rustls::crypto::ring::default_provider().install_default();
                let retry = RetryConfig { max_retries: 3, retry_timeout: ANSWER, ..RetryConfig::default() };
                let s3 = AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(retry).build().map_err(wrong)?;
                Arc::new(PrefixStore::new(s3, prefix))
            }
            other => {
                let folder = other.map_or_else(|| config.data.join("files"), Into::into);
                std::fs::create_dir_all(&folder)?;
                std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o700))?;
                // Off by default. Without it, an acknowledged picture could be lost in a power cut.
                Arc::new(LocalFileSystem::new_with_prefix(&folder).map_err(wrong)?.with_fsync(true))
            }
        };
        let memory = Arc::new(Semaphore::new(usize::try_from(MEMORY_MIB).unwrap_or(usize::MAX)));
        Ok(Files {
            store,
            decoders: Pool::start("picture", DECODES, Turn::Idle)?,
            permits: Semaphore::new(DECODES),
            memory,
            sealer: Pool::start("seal", 1, Turn::Quarter)?,
            of_members: Arc::new(Semaphore::new(OF_MEMBERS)),
            of_operators: Arc::new(Semaphore::new(OF_OPERATORS)),
        })
    }

    /// Decoders that have a picture.
    pub fn decoding(&self) -> u64 {
        DECODES.saturating_sub(self.permits.available_permits()) as u64
    }

    /// Tests the store at the start, so a missing bucket or a wrong key shows then and not with a member's first picture. A store that
    /// merely does not answer may come back.
    pub async fn check(&self) -> Result<(), StartError> {
        let probe = ObjectPath::from(format!("probe-{}", hex(&random::<8>()?)));
        let tried = self.answer(async {
            // Listed and not written, because some stores create a missing bucket on a write.
            let listed = self.store.list_with_delimiter(Some(&probe)).await;
            if let Err(error) = listed
                && error.to_string().contains(NO_BUCKET)
            {
                return Err(object_store::Error::NotFound { path: NO_BUCKET.to_owned(), source: Box::new(error) });
            }
            self.store.put(&probe, vec![0].into()).await?;
            self.store.delete(&probe).await
        });
        match tried.await {
            Ok(()) => Ok(()),
            Err(
                error @ (object_store::Error::NotFound { .. }
                | object_store::Error::PermissionDenied { .. }
                | object_store::Error::Unauthenticated { .. }),
            ) => Err(StartError(format!("files: {error}"))),
            Err(error) => {
                tracing::error!(%error, "the store of files does not answer");
                Ok(())
            }
        }
    }

    /// Converts a received file into a picture of ours, in its turn.
    ///
    /// # Errors
    /// [`FileError::Flaw`] if it is not a picture, [`FileError::Busy`] when its turn does not come.
    pub async fn picture(&self, mut file: std::fs::File) -> Result<Picture, FileError> {
        let turn = tokio::time::timeout(PATIENCE, self.permits.acquire()).await;
        let Ok(Ok(_turn)) = turn else { return Err(FileError::Busy) };
        let read = move || {
            let mut bytes = Vec::new();
            // One byte more than allowed is enough to refuse it.
            let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.take(picture::MAX_BYTES + 1).read_to_end(&mut bytes));
            read.map_err(|_| Flaw::Damaged)?;
            picture::memory_mib(&bytes).map(|wanted| (bytes, wanted))
        };
        let (bytes, wanted) = self.in_pool(read).await?;
        let wanted = wanted.min(MEMORY_MIB);
        let memory = self.memory.clone().acquire_many_owned(wanted).await.map_err(|_| FileError::Busy)?;
        let decode = move || {
            // Released when the work is done, even if the caller has gone in the meantime.
            let _memory = memory;
            picture::normalise(&bytes)
        };
        self.in_pool(decode).await
    }

    /// Decoders run apart from the web's own threads; one that panics has met a damaged file.
    async fn in_pool<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T, Flaw> + Send + 'static) -> Result<T, FileError> {
        let done = self.decoders.run(work).await.unwrap_or_else(|| {
            metrics::counter!("decoder_panics_total").increment(1);
            tracing::error!("a decoder panicked");
            Err(Flaw::Damaged)
        });
        done.map_err(FileError::Flaw)
    }

    /// Stores a picture, sealed in its turn. When this returns it is on the disk.
    ///
    /// # Errors
    /// [`FileError::Away`] when the store does not answer, [`FileError::Busy`] when its turn does not come.
    pub async fn put(&self, keys: &Arc<Store>, owner: UserId, key: &str, jpeg: Vec<u8>) -> Result<(), FileError> {
        let turn = tokio::time::timeout(PATIENCE, self.of_members.clone().acquire_owned()).await;
        let Ok(Ok(turn)) = turn else { return Err(FileError::Busy) };
        let (keys, row) = (keys.clone(), key.to_owned());
        let sealed = self.with_keys(turn, move || keys.vault.seal(place(owner, &row), &jpeg)).await??;
        self.answer(self.store.put(&ObjectPath::from(key), sealed.into())).await.map(drop).map_err(away)
    }

    /// A stored picture; `None` when the object is missing, as after restoring a backup.
    ///
    /// # Errors
    /// [`FileError::Away`] when the store does not answer, [`FileError::Busy`] when its turn does not come.
    pub async fn get(&self, keys: &Arc<Store>, owner: UserId, key: &str) -> Result<Option<Vec<u8>>, FileError> {
        self.opened(&self.of_members, keys, (owner, key), |jpeg| jpeg).await
    }

    /// The same for an operator, who does not wait for members.
    ///
    /// # Errors
    /// As for [`Files::get`].
    pub async fn get_for_operator(&self, keys: &Arc<Store>, owner: UserId, key: &str) -> Result<Option<Vec<u8>>, FileError> {
        self.opened(&self.of_operators, keys, (owner, key), |jpeg| jpeg).await
    }

    /// The SHA-256 of a stored picture.
    ///
    /// # Errors
    /// As for [`Files::get`].
    pub async fn digest(&self, keys: &Arc<Store>, owner: UserId, key: &str) -> Result<Option<[u8; 32]>, FileError> {
        self.opened(&self.of_members, keys, (owner, key), |jpeg| Sha256::digest(&jpeg).into()).await
    }

    /// What is made of a stored picture.
    async fn opened<T: Send + 'static>(
        &self,
        turns: &Arc<Semaphore>,
        keys: &Arc<Store>,
        (owner, key): (UserId, &str),
        make: impl FnOnce(Vec<u8>) -> T + Send + 'static,
    ) -> Result<Option<T>, FileError> {
        let path = ObjectPath::from(key);
        let never = |closed: AcquireError| object_store::Error::Generic { store: "files", source: closed.into() };
        let fetched = async {
            let turn = turns.clone().acquire_owned().await.map_err(never)?;
            Ok((turn, self.store.get(&path).await?.bytes().await?))
        };
        let found = self.answer(fetched).await;
        match found {
            Ok((turn, sealed)) => {
                let (keys, row) = (keys.clone(), key.to_owned());
                let open = move || keys.vault.unseal(place(owner, &row), &sealed).map(make);
                Ok(Some(self.with_keys(turn, open).await??))
            }
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(away(error)),
        }
    }

    /// Seals or opens a picture, which may have several megabytes and takes as long as hundreds of orders: never on a thread that answers.
    /// `turn` ends with the work, even if the caller has gone in the meantime.
    async fn with_keys<T: Send + 'static>(
        &self,
        turn: OwnedSemaphorePermit,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, FileError> {
        let done = self.sealer.run(move || {
            let _turn = turn;
            work()
        });
        tokio::time::timeout(PATIENCE, done).await.ok().flatten().ok_or(FileError::Busy)
    }

    /// The store's answer, within the time limit.
    async fn answer<T>(&self, asked: impl Future<Output = object_store::Result<T>>) -> object_store::Result<T> {
        let late = |source: tokio::time::error::Elapsed| object_store::Error::Generic { store: "files", source: source.into() };
        tokio::time::timeout(ANSWER, asked).await.unwrap_or_else(|elapsed| Err(late(elapsed)))
    }

    /// Deletes unused files a day after their upload, and unfinished ones.
    pub async fn sweep(&self, store: &Store) -> Result<(), DbError> {
        for key in files::unused(&store.db, store.now_ms()).await? {
            match self.answer(self.store.delete(&ObjectPath::from(key.as_str()))).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => files::forget(&store.db, &key).await?,
                // Retried next time; the other files would wait for the same store.
                Err(error) => {
                    tracing::warn!(%error, "file not deleted");
                    break;
                }
            }
        }
        Ok(())
    }
}

fn away(error: object_store::Error) -> FileError {
    tracing::error!(%error, "the store of files does not answer");
    FileError::Away
}

fn place(owner: UserId, key: &str) -> Place<'_> {
    Place { column: "files", owner, row: key }
}
