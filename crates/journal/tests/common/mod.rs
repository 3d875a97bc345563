//! Shared by the tests: entries to append, and a place for a journal in each of the three databases.
#![allow(dead_code, reason = "each test file uses a part of it")]

use journal::testing::PostgresServer;
use journal::{Head, Journal, MemoryDatabase, Record, entry_hash};
use std::path::Path;
use tempfile::TempDir;

/// `count` entries that follow `after`, some with private bytes, all different.
pub fn entries(after: Head, count: u64) -> Vec<Record> {
    (after.seq + 1..=after.seq + count)
        .map(|seq| Record {
            seq,
            time_ms: 1_700_000_000_000 + seq,
            kind: 1 + (seq % 5) as u16,
            version: 1,
            public: seq.to_be_bytes().repeat((seq % 7) as usize),
            private: vec![seq as u8; (seq % 3) as usize * 10],
            salt: if seq % 3 == 0 { [0; 16] } else { [seq as u8; 16] },
        })
        .collect()
}

/// Appends one group of `count` entries after the end.
pub fn append(journal: &mut Journal, count: u64) -> Head {
    let head = journal.head().expect("a head");
    journal.append(&entries(head, count)).expect("appended")
}

/// The head that the entries of `entries` must lead to, computed here from the definition.
pub fn expected_head(seq: u64) -> Head {
    let chain = |hash, record: &Record| entry_hash(&hash, record);
    let hash = entries(Head::GENESIS, seq).iter().fold([0; 32], chain);
    Head { seq, hash }
}

/// The place of a journal; `open` opens the same one again.
pub enum Place {
    Sqlite(TempDir),
    Postgres(PostgresServer, TempDir),
    Memory(MemoryDatabase),
}

impl Place {
    pub fn sqlite() -> Self {
        Self::Sqlite(folder())
    }

    pub fn postgres() -> Self {
        Self::Postgres(PostgresServer::start(), folder())
    }

    pub fn memory() -> Self {
        Self::Memory(MemoryDatabase::new())
    }

    pub fn try_open(&self) -> Result<Journal, journal::Error> {
        match self {
            Self::Sqlite(data) => Journal::sqlite(data.path()),
            Self::Postgres(server, data) => Journal::postgres(&server.url(), data.path()),
            Self::Memory(database) => Journal::memory(database),
        }
    }

    pub fn open(&self) -> Journal {
        self.try_open().expect("opened")
    }

    /// Opened and leading.
    pub fn lead(&self) -> Journal {
        let mut journal = self.open();
        journal.lead("test", 1).expect("led");
        journal
    }
}

pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Copies the files of a live journal as a crash would leave them.
pub fn copy_files(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let name = path.file_name().expect("a name");
            std::fs::copy(&path, to.join(name)).expect("copied");
        }
    }
}
