//! Snapshots as files beside a journal in SQLite: one file each, written under a temporary name and renamed when complete.

use crate::error::Error;
use crate::group::Head;
use crate::high_water::sync_parent;
use crate::snapshot::DraftStore;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// File extensions of snapshots and of drafts.
const WHOLE: &str = ".snapshot";
const DRAFT: &str = ".new";

/// The folder `snapshots/`.
#[derive(Clone, Debug)]
pub(crate) struct SnapshotFolder(PathBuf);

impl SnapshotFolder {
    /// Opens or creates it in the folder `data`.
    pub(crate) fn open(data: &Path) -> Result<Self, Error> {
        let folder = data.join("snapshots");
        fs::create_dir_all(&folder).map_err(|error| Error::file(&folder, &error))?;
        Ok(Self(folder))
    }

    /// The sequence numbers of the snapshots, ascending.
    pub(crate) fn seqs(&self) -> Result<Vec<u64>, Error> {
        let mut seqs: Vec<u64> = self.names(WHOLE)?.iter().filter_map(|name| name.parse().ok()).collect();
        seqs.sort_unstable();
        Ok(seqs)
    }

    pub(crate) fn read(&self, seq: u64) -> Result<Vec<u8>, Error> {
        let path = self.path(seq, WHOLE);
        fs::read(&path).map_err(|error| Error::file(&path, &error))
    }

    /// The names with this extension, without it.
    fn names(&self, end: &str) -> Result<Vec<String>, Error> {
        let folder_error = |error| Error::file(&self.0, &error);
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.0).map_err(folder_error)? {
            let name = entry.map_err(folder_error)?.file_name();
            names.extend(name.to_str().and_then(|name| name.strip_suffix(end)).map(str::to_owned));
        }
        Ok(names)
    }

    fn path(&self, seq: u64, end: &str) -> PathBuf {
        self.0.join(format!("{seq:020}{end}"))
    }
}

/// Writes into the folder.
#[derive(Debug)]
pub(crate) struct FileDrafts {
    folder: SnapshotFolder,
    draft: Option<(u64, File)>,
}

impl FileDrafts {
    pub(crate) fn new(folder: &SnapshotFolder) -> Self {
        Self { folder: folder.clone(), draft: None }
    }

    /// Adds to the draft, and syncs it: a disk that gets everything at the end has no time for the journal meanwhile.
    fn append(&mut self, piece: &[u8]) -> Result<u64, Error> {
        let (seq, file) = self.draft.as_mut().ok_or_else(|| Error::Invalid("no draft".into()))?;
        let path = self.folder.path(*seq, DRAFT);
        file.write_all(piece).and_then(|()| file.sync_data()).map_err(|error| Error::file(&path, &error))?;
        Ok(*seq)
    }
}

impl DraftStore for FileDrafts {
    fn clean(&mut self) -> Result<(), Error> {
        self.draft = None;
        for name in self.folder.names(DRAFT)? {
            let path = self.folder.0.join(name + DRAFT);
            fs::remove_file(&path).map_err(|error| Error::file(&path, &error))?;
        }
        Ok(())
    }

    fn begin(&mut self, head: Head) -> Result<(), Error> {
        let path = self.folder.path(head.seq, DRAFT);
        let file = File::create(&path).map_err(|error| Error::file(&path, &error))?;
        self.draft = Some((head.seq, file));
        Ok(())
    }

    fn add(&mut self, piece: &[u8]) -> Result<(), Error> {
        self.append(piece).map(drop)
    }

    fn publish(&mut self, last: &[u8]) -> Result<(), Error> {
        let seq = self.append(last)?;
        let (draft, whole) = (self.folder.path(seq, DRAFT), self.folder.path(seq, WHOLE));
        let (_, file) = self.draft.take().ok_or_else(|| Error::Invalid("no draft".into()))?;
        let publish = || -> io::Result<()> {
            file.sync_all()?;
            fs::rename(&draft, &whole)?;
            sync_parent(&whole)
        };
        publish().map_err(|error| Error::file(&whole, &error))
    }

    fn prune(&mut self, kept: usize) -> Result<(), Error> {
        let seqs = self.folder.seqs()?;
        let surplus = seqs.len().saturating_sub(kept);
        for seq in seqs.into_iter().take(surplus) {
            let path = self.folder.path(seq, WHOLE);
            fs::remove_file(&path).map_err(|error| Error::file(&path, &error))?;
        }
        Ok(())
    }
}
