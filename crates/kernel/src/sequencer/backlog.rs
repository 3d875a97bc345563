//! Entries that a follower of the log has not taken yet. Some are in memory and the rest in a file, so a slow follower never delays a
//! write. The followers are the history and the shadow.
//!
//! The file belongs to this process and disappears with it: after a start every follower reads the log itself.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use engine::published::{Batch, Published, facts};
use tokio::sync::Notify;

/// Facts that may wait in memory, about 25 MB; later ones wait in the file. One entry can have thousands of them.
const IN_MEMORY: usize = 65_536;
/// A file that is this long gets no more: its space is free once it is read, however long the follower takes to catch up. Bytes.
const LONG: u64 = 64 << 20;

/// The entries of one group, as a follower takes them.
pub(super) trait Followed: Sized {
    /// How much memory they take, in facts.
    fn facts(&self) -> usize;

    fn to_bytes(&self) -> postcard::Result<Vec<u8>>;

    fn from_bytes(bytes: &[u8]) -> postcard::Result<Self>;
}

impl Followed for Batch {
    fn facts(&self) -> usize {
        facts(self)
    }

    fn to_bytes(&self) -> postcard::Result<Vec<u8>> {
        postcard::to_allocvec(&**self)
    }

    fn from_bytes(bytes: &[u8]) -> postcard::Result<Batch> {
        postcard::from_bytes::<Vec<Published>>(bytes).map(Batch::from)
    }
}

/// Batches in their order.
#[derive(Debug)]
pub(super) struct Backlog<T> {
    /// Where the files are made.
    folder: PathBuf,
    /// Length of a file that gets no more.
    long: u64,
    /// The follower, for the server's log.
    follower: &'static str,
    inner: Mutex<Inner<T>>,
    changed: Notify,
}

#[derive(Debug)]
struct Inner<T> {
    memory: VecDeque<T>,
    facts: usize,
    /// Everything in them is newer than what is in memory.
    files: VecDeque<Spill>,
    /// The reader holds a batch that it has not passed on yet.
    passing: bool,
    closed: bool,
}

impl<T: Followed> Backlog<T> {
    /// Empty; its file is created in this folder when needed.
    pub(super) fn new(folder: PathBuf, follower: &'static str) -> Backlog<T> {
        let inner = Inner { memory: VecDeque::new(), facts: 0, files: VecDeque::new(), passing: false, closed: false };
        Backlog { folder, long: LONG, follower, inner: Mutex::new(inner), changed: Notify::new() }
    }

    /// Adds a batch; never waits for a reader.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn push(&self, batch: T) -> io::Result<()> {
        let mut inner = self.inner();
        if inner.files.is_empty() && inner.facts < IN_MEMORY {
            inner.facts += batch.facts();
            inner.memory.push_back(batch);
        } else {
            if inner.files.is_empty() {
                tracing::warn!(facts = inner.facts, "{} is behind: what follows waits in a file", self.follower);
            }
            if inner.files.back().is_none_or(|file| file.end >= self.long) {
                inner.files.push_back(Spill::new(&self.folder)?);
            }
            inner.files.back_mut().map_or(Ok(()), |file| file.append(&batch))?;
        }
        drop(inner);
        self.changed.notify_one();
        Ok(())
    }

    /// Facts waiting in memory.
    pub(super) fn waiting(&self) -> usize {
        self.inner().facts
    }

    /// True if everything that was added has been passed on.
    pub(super) fn is_idle(&self) -> bool {
        let inner = self.inner();
        inner.memory.is_empty() && inner.files.is_empty() && !inner.passing
    }

    /// Ends the input: nothing more will be added.
    pub(super) fn close(&self) {
        self.inner().closed = true;
        self.changed.notify_one();
    }

    /// The oldest batch, if one waits.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) fn take(&self) -> io::Result<Option<T>> {
        self.inner().take(self.follower)
    }

    /// True if nothing more will be added.
    pub(super) fn is_closed(&self) -> bool {
        self.inner().closed
    }

    /// The oldest batch, when there is one; `None` at the end. For a single reader, which must have passed on the previous batch.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(super) async fn pop(&self) -> io::Result<Option<T>> {
        loop {
            let changed = self.changed.notified();
            {
                let mut inner = self.inner();
                let next = inner.take(self.follower)?;
                inner.passing = next.is_some();
                if next.is_some() || inner.closed {
                    return Ok(next);
                }
            }
            changed.await;
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner<T>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Followed> Inner<T> {
    fn take(&mut self, follower: &str) -> io::Result<Option<T>> {
        if let Some(batch) = self.memory.pop_front() {
            self.facts -= batch.facts();
            return Ok(Some(batch));
        }
        let Some(file) = self.files.front_mut() else { return Ok(None) };
        let batch = file.next()?;
        if file.is_read() {
            self.files.pop_front();
            if self.files.is_empty() {
                tracing::info!("{follower} has caught up");
            }
        }
        Ok(Some(batch))
    }
}

/// Batches in an unnamed file, each preceded by its length.
#[derive(Debug)]
struct Spill {
    file: File,
    read_to: u64,
    end: u64,
}

impl Spill {
    fn new(folder: &Path) -> io::Result<Spill> {
        Ok(Spill { file: tempfile::tempfile_in(folder)?, read_to: 0, end: 0 })
    }

    fn append(&mut self, batch: &impl Followed) -> io::Result<()> {
        let bytes = batch.to_bytes().map_err(io::Error::other)?;
        let length = u64::try_from(bytes.len()).map_err(io::Error::other)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(&length.to_be_bytes())?;
        self.file.write_all(&bytes)?;
        self.end = self.file.stream_position()?;
        Ok(())
    }

    fn next<T: Followed>(&mut self) -> io::Result<T> {
        self.file.seek(SeekFrom::Start(self.read_to))?;
        let mut length = [0; 8];
        self.file.read_exact(&mut length)?;
        let mut bytes = vec![0; usize::try_from(u64::from_be_bytes(length)).map_err(io::Error::other)?];
        self.file.read_exact(&mut bytes)?;
        self.read_to = self.file.stream_position()?;
        T::from_bytes(&bytes).map_err(io::Error::other)
    }

    fn is_read(&self) -> bool {
        self.read_to >= self.end
    }
}

#[cfg(test)]
mod tests {
    use engine::event::Event;
    use engine::ids::{Seq, UserId};
    use engine::time::Time;

    use super::*;

    fn batch(first: u64, entries: u64) -> Batch {
        let published = |seq| Published {
            seq: Seq(seq),
            time: Time(seq),
            events: vec![Event::MemberRegistered { user: UserId(seq), house: false }],
            balances: Vec::new(),
            answer: None,
            stops: None,
        };
        (first..first + entries).map(published).collect()
    }

    #[tokio::test]
    async fn what_does_not_fit_in_memory_comes_back_from_the_file_in_its_order() {
        let folder = tempfile::tempdir().unwrap();
        let backlog = Backlog::new(folder.path().to_owned(), "the test");
        let (mut next, mut read) = (1, 1);
        // Falls behind three times by more than memory holds, and catches up each time.
        for _ in 0..3 {
            for _ in 0..80 {
                backlog.push(batch(next, 512)).unwrap();
                next += 512;
            }
            assert!(backlog.inner().facts < IN_MEMORY + 2 * 512 && !backlog.inner().files.is_empty());
            while read < next {
                let batch = backlog.pop().await.unwrap().unwrap();
                for published in batch.iter() {
                    assert_eq!((published.seq, published.events.len()), (Seq(read), 1));
                    read += 1;
                }
            }
            assert!(backlog.inner().files.is_empty(), "caught up");
        }
        backlog.push(batch(next, 1)).unwrap();
        backlog.close();
        assert_eq!(backlog.pop().await.unwrap().map(|batch| batch.len()), Some(1));
        assert!(backlog.pop().await.unwrap().is_none());
    }
    #[test]
    fn what_was_read_of_a_long_backlog_takes_no_more_space() {
        let folder = tempfile::tempdir().unwrap();
        let mut backlog = Backlog::new(folder.path().to_owned(), "the test");
        backlog.long = 50_000;
        // Each has two facts.
        let in_memory = IN_MEMORY as u64 / 2;
        for seq in 0..in_memory + 30_000 {
            backlog.push(batch(seq, 1)).unwrap();
        }
        let kept = || backlog.inner().files.iter().map(|file| file.end).sum::<u64>();
        let before = kept();
        for seq in 0..in_memory + 20_000 {
            assert_eq!(backlog.take().unwrap().unwrap()[0].seq, Seq(seq));
        }
        assert!(kept() < before / 2, "{before} bytes, then {}", kept());
    }

    #[test]
    fn few_entries_with_many_facts_wait_in_the_file_too() {
        let folder = tempfile::tempdir().unwrap();
        let backlog: Backlog<Batch> = Backlog::new(folder.path().to_owned(), "the test");
        let due = Event::MemberRegistered { user: UserId(1), house: false };
        let slice = |seq| Published {
            seq: Seq(seq),
            time: Time(seq),
            events: vec![due.clone(); IN_MEMORY],
            balances: Vec::new(),
            answer: None,
            stops: None,
        };
        for seq in 0..20 {
            backlog.push([slice(seq)].into()).unwrap();
        }
        assert_eq!(backlog.inner().memory.len(), 1);
        for seq in 0..20 {
            assert_eq!(backlog.take().unwrap().unwrap()[0].seq, Seq(seq));
        }
        assert!(backlog.is_idle());
    }
}
