//! Storage of copies of members' own data: a folder beside the database, and the one idle thread that makes them. Tables are not stored;
//! their pages are made on request, a few at a time.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::background::{Pool, Turn};
use crate::error::StartError;

/// How the names of exit kits begin; pictures have others.
pub const KIT: &str = "kit-";
/// Pages of tables that are made at the same time, for all callers together.
const TABLES: usize = 2;
/// How the names of drafts end.
const PART: &str = ".part";

/// The folder and the thread.
#[derive(Clone, Debug)]
pub struct Exports {
    folder: PathBuf,
    pool: Pool,
    tables: Arc<Semaphore>,
}

impl Exports {
    /// Makes the folder where there is none.
    ///
    /// # Errors
    /// When it cannot be made, or no thread started.
    pub fn open(data: &Path) -> Result<Exports, StartError> {
        let folder = data.join("exports");
        fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        Ok(Exports { folder, pool: Pool::start("exports", 1, Turn::Idle)?, tables: Arc::new(Semaphore::new(TABLES)) })
    }

    /// The file of a finished copy. Its name is one of ours.
    pub fn file(&self, key: &str) -> PathBuf {
        self.folder.join(key)
    }

    /// A file to write a copy into; it is not available to anyone before [`Exports::publish`].
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn draft(&self, key: &str) -> std::io::Result<fs::File> {
        fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(self.part(key))
    }

    /// Gives a draft its name.
    ///
    /// # Errors
    /// When it cannot be renamed.
    pub fn publish(&self, key: &str) -> std::io::Result<()> {
        fs::rename(self.part(key), self.file(key))
    }

    /// The names of all stored copies, finished or not.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn keys(&self) -> std::io::Result<HashSet<String>> {
        let names = fs::read_dir(&self.folder)?.map(|file| Ok(file?.file_name().to_string_lossy().into_owned()));
        names.map(|name| name.map(|name| name.strip_suffix(PART).map_or(name.clone(), str::to_owned))).collect()
    }

    /// Deletes a copy and its draft; they may be gone already.
    pub fn forget(&self, key: &str) {
        for file in [self.file(key), self.part(key)] {
            if let Err(error) = fs::remove_file(&file)
                && error.kind() != std::io::ErrorKind::NotFound
            {
                tracing::error!(%error, "a copy of somebody's data cannot be deleted");
            }
        }
    }

    /// Runs work on the idle thread, one after the other.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        self.pool.run(work).await
    }

    /// Makes a page of a table in its turn, so at most two pages are read from the database at once, however many tables are being sent.
    pub async fn page<T>(&self, make: impl Future<Output = T>) -> T {
        // The semaphore is never closed, so this cannot fail.
        let _turn = self.tables.acquire().await.ok();
        make.await
    }

    fn part(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}{PART}"))
    }
}
