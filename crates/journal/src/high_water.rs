//! The high-water file: an independent record of how far the journal had come.
//!
//! A hash chain cannot distinguish a truncated journal from one that never went further. So each group's head is also written to a small
//! second file, and a journal that does not reach it is refused.
//!
//! It has two 64-byte slots, each in a disk block of its own. They are written alternately, each synced before the other is written, so a
//! torn write always leaves a good slot. Slot: `MAGIC` (8), `seq` (8), chain hash (32), first 16 bytes of SHA-256 over those.
//!
//! Every mark is written before its group is acknowledged, so it is exact after a crash of the process. It is also synced, but at most
//! every 20 ms: a sync per group would cost a third of the throughput. So after a power failure under load the mark may lag by the groups
//! of 20 ms. A group just before a pause may be missing for as long as the operating system holds written pages (usually 30 s); at less
//! than 50 groups a second each mark is synced.

use crate::error::Error;
use crate::group::Head;
use crate::record;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

const MAGIC: [u8; 8] = *b"MDNHIGH1";
const SLOT: usize = 64;
const SLOT_OFFSETS: [u64; 2] = [0, 4096];
const FILE_LEN: usize = 8192;
const SYNC_INTERVAL: Duration = Duration::from_millis(20);

/// The open file.
#[derive(Debug)]
pub(crate) struct HighWater {
    file: File,
    /// The slot to write next: not the one synced last.
    slot: usize,
    synced: Option<Instant>,
}

impl HighWater {
    /// Opens the file and reads the mark. A missing file is created at `first`, if given; otherwise it is damage.
    pub(crate) fn open(path: &Path, first: Option<Head>) -> Result<(Self, Head), Error> {
        let file_error = |error| Error::file(path, &error);
        if !path.try_exists().map_err(file_error)? {
            let head = first.ok_or_else(|| Error::damaged(0, "the high-water file is missing"))?;
            create(path, head).map_err(file_error)?;
        }
        let mut options = File::options();
        let file = options.read(true).write(true).open(path).map_err(file_error)?;
        let (newest, head) = read(&file).ok_or_else(|| Error::damaged(0, "the high-water file is unreadable"))?;
        let mark = Self { file, slot: 1 - newest, synced: None };
        Ok((mark, head))
    }

    /// Writes a mark, and syncs it if the last sync is long enough ago.
    pub(crate) fn note(&mut self, head: Head) -> io::Result<()> {
        self.file.write_all_at(&slot_bytes(head), SLOT_OFFSETS[self.slot])?;
        if self.synced.is_none_or(|synced| synced.elapsed() >= SYNC_INTERVAL) {
            self.sync()?;
        }
        Ok(())
    }

    /// Makes the mark durable.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        self.slot = 1 - self.slot;
        self.synced = Some(Instant::now());
        Ok(())
    }
}

impl Drop for HighWater {
    /// Closing leaves no unsynced data to the operating system. An error can no longer be reported here.
    fn drop(&mut self) {
        drop(self.file.sync_data());
    }
}

fn create(path: &Path, head: Head) -> io::Result<()> {
    // Written under another name first, because a crash must not leave a file without a valid slot.
    let temporary = path.with_extension("high.new");
    let file = File::create(&temporary)?;
    let mut content = [0; FILE_LEN];
    content[..SLOT].copy_from_slice(&slot_bytes(head));
    file.write_all_at(&content, 0)?;
    file.sync_all()?;
    std::fs::rename(&temporary, path)?;
    sync_parent(path)
}

/// Makes a rename or a deletion in the folder of `path` durable.
pub(crate) fn sync_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

fn slot_bytes(head: Head) -> [u8; SLOT] {
    let mut bytes = [0; SLOT];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..16].copy_from_slice(&head.seq.to_be_bytes());
    bytes[16..48].copy_from_slice(&head.hash);
    let digest = Sha256::digest(&bytes[..48]);
    bytes[48..].copy_from_slice(&digest[..16]);
    bytes
}

/// The good slot with the greatest sequence number, and its head.
fn read(file: &File) -> Option<(usize, Head)> {
    let good = |slot: usize| {
        let mut bytes = [0; SLOT];
        file.read_exact_at(&mut bytes, SLOT_OFFSETS[slot]).ok()?;
        let mut fields = &bytes[8..48];
        let seq = u64::from_be_bytes(record::take(&mut fields).ok()?);
        let hash = record::take(&mut fields).ok()?;
        let head = Head { seq, hash };
        (slot_bytes(head) == bytes).then_some((slot, head))
    };
    [good(0), good(1)].into_iter().flatten().max_by_key(|(_, head)| head.seq)
}
