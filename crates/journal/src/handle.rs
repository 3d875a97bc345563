//! One node's handle of the journal: the rules, over a database that only stores rows.

mod lease;
mod signs;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::error::{AppendError, Error};
use crate::group::{Group, Head, Part, Sealed, Sealer, open_run};
use crate::high_water::HighWater;
use crate::memory::{Memory, MemoryDatabase};
use crate::postgres::{ANSWER, LONG, Postgres};
use crate::record::Record;
use crate::snapshot::{self, Snapshot, Snapshots};
use crate::sqlite::Sqlite;
use crate::store::Store;

pub use lease::{LEASE, Lease};
pub use signs::KeptLead;
use signs::SignsOfLife;

/// The greatest number that every database accepts.
const GREATEST_SEQ: u64 = i64::MAX.unsigned_abs();

/// What this handle may do.
#[derive(Clone, Copy, Debug)]
enum Role {
    /// Read only: `lead` was not called, or another node has led since.
    Follower,
    /// Append after this position.
    Leader(Lease),
    /// An append ended without a definite answer.
    InDoubt,
}

/// One node's handle of the journal. It blocks; use it from a thread that is not an async worker.
#[derive(Debug)]
pub struct Journal {
    store: Box<dyn Store>,
    role: Role,
    mark: Option<HighWater>,
    mark_path: Option<PathBuf>,
    /// The high-water mark before the instant of a frozen journal.
    marked: Option<Head>,
    /// Whether a missing high-water file may be created beside a journal that has entries.
    joins_anywhere: bool,
    /// A suffix that this handle writes into the lease, to tell its own leases from all others.
    mark_of_lease: String,
    /// The epoch when this handle last claimed the lease.
    claimed: Option<u64>,
    /// Until the first commit.
    starting: Option<SignsOfLife>,
}

impl Journal {
    /// Opens or creates the journal in the folder `data`: `journal.db`, `journal.high` and `snapshots/`.
    ///
    /// # Errors
    /// `Held` when another process has it, `Damaged` when its end is missing or differs from what was written.
    pub fn sqlite(data: &Path) -> Result<Self, Error> {
        let store = Sqlite::open(data)?;
        Self::open(Box::new(store), Some(data.join("journal.high")), false)
    }

    /// Opens or creates the journal in the PostgreSQL database at `url` (`postgres://...`). The folder `data` of this node keeps
    /// `journal.high`; a node that is new to the database starts its mark at the present end.
    ///
    /// # Errors
    /// `Unsuitable` when the server's settings can lose acknowledged commits, `Damaged` as for `sqlite`.
    pub fn postgres(url: &str, data: &Path) -> Result<Self, Error> {
        std::fs::create_dir_all(data).map_err(|error| Error::file(data, &error))?;
        let store = Postgres::open(url)?;
        Self::open(Box::new(store), Some(data.join("journal.high")), true)
    }

    /// The journal at `url` as it is now, read only: another node may keep writing. Also returns the name of the snapshot, in which other
    /// sessions see the same instant for as long as this handle lives.
    ///
    /// # Errors
    /// As for `postgres`.
    pub fn postgres_frozen(url: &str, data: &Path) -> Result<(Self, String), Error> {
        // Read the mark first: the entry it names is in the database by then.
        let (_, marked) = HighWater::open(&data.join("journal.high"), None)?;
        let mut store = Postgres::open(url)?;
        let snapshot = store.freeze()?;
        let mut journal = Self::new(Box::new(store), None, true)?;
        journal.marked = Some(marked);
        journal.check_end()?;
        Ok((journal, snapshot))
    }

    /// A journal in memory, for the simulator and tests; handles of one `database` act as nodes that share it.
    ///
    /// # Errors
    /// `Damaged` when the database was damaged on purpose.
    pub fn memory(database: &MemoryDatabase) -> Result<Self, Error> {
        Self::open(Box::new(Memory::open(database)), None, true)
    }

    fn open(store: Box<dyn Store>, mark_path: Option<PathBuf>, joins_anywhere: bool) -> Result<Self, Error> {
        let mut journal = Self::new(store, mark_path, joins_anywhere)?;
        journal.check_end()?;
        Ok(journal)
    }

    fn new(store: Box<dyn Store>, mark_path: Option<PathBuf>, joins_anywhere: bool) -> Result<Self, Error> {
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(|error| Error::Store(format!("no random number: {error}")))?;
        let mark_of_lease = format!("#{:016x}", u64::from_be_bytes(random));
        let (role, mark, marked, claimed, starting) = (Role::Follower, None, None, None, None);
        Ok(Self { store, role, mark, mark_path, marked, joins_anywhere, mark_of_lease, claimed, starting })
    }

    /// Makes `records` durable as one group and returns the new head. They must follow the present head without a gap.
    ///
    /// # Errors
    /// As for `commit`.
    pub fn append(&mut self, records: &[Record]) -> Result<Head, AppendError> {
        let sealed = self.sealer()?.seal(records)?;
        self.commit(&sealed)
    }

    /// Seals groups that follow the present head under the present lease.
    ///
    /// # Errors
    /// `NotWritten` when this node does not lead, or does not know whether its last group was written.
    pub fn sealer(&self) -> Result<Sealer, AppendError> {
        let Lease { epoch, head } = self.leading()?;
        Ok(Sealer { epoch, head })
    }

    /// Makes a sealed group durable and returns the new head. A group sealed after one that was not written, or under another lease, does
    /// not follow the present head and is refused.
    ///
    /// # Errors
    /// See [`AppendError`]. After `NotWritten` the handle still leads; if its connection is gone every commit fails this way until `lead`
    /// makes a new one.
    pub fn commit(&mut self, Sealed(row): &Sealed) -> Result<Head, AppendError> {
        let lease = self.leading()?;
        if row.epoch != lease.epoch || row.before() != lease.head {
            return Err(AppendError::NotWritten(format!("it was not sealed after entry {} of this lease", lease.head.seq)));
        }
        let head = row.head();
        let outcome = self.store.commit(row).and_then(|()| {
            let marked = self.mark.as_mut().map_or(Ok(()), |mark| mark.note(head));
            marked.map_err(|error| AppendError::Unknown(format!("high-water file: {error}")))
        });
        // Whatever came of it: a node that cannot write must not keep the lead by its signs.
        self.starting = None;
        match &outcome {
            Ok(()) => self.role = Role::Leader(Lease { head, ..lease }),
            Err(AppendError::Fenced) => self.role = Role::Follower,
            Err(AppendError::Unknown(_)) => self.role = Role::InDoubt,
            Err(AppendError::NotWritten(_)) => {}
        }
        outcome.map(|()| head)
    }

    fn leading(&self) -> Result<Lease, AppendError> {
        let not_written = |why: &str| Err(AppendError::NotWritten(why.into()));
        match self.role {
            Role::Leader(lease) => Ok(lease),
            Role::Follower => not_written("this node does not lead"),
            Role::InDoubt => not_written("the outcome of an earlier group is unknown"),
        }
    }

    /// Where the journal ends. On PostgreSQL a follower must not apply everything up to here: see [`Group::durable_to`].
    ///
    /// # Errors
    /// `InDoubt` until `lead` has found the truth.
    pub fn head(&mut self) -> Result<Head, Error> {
        self.certain()?;
        let last_seq = self.store.lease()?.last_seq;
        self.head_at(last_seq)
    }

    /// At most `max_groups` groups, starting with the one that holds entry `from_seq`; their hashes and links are checked.
    ///
    /// # Errors
    /// `InDoubt` until `lead` has found the truth, `Damaged` when they differ from what was written.
    pub fn read(&mut self, from_seq: u64, max_groups: usize) -> Result<Vec<Group>, Error> {
        self.certain()?;
        Part(self.store.rows(from_seq.min(GREATEST_SEQ)..=GREATEST_SEQ, max_groups, LONG)?).open()
    }

    /// The groups that hold these entries, as stored. Opening them, which checks them, takes longer and needs no journal.
    ///
    /// # Errors
    /// As for `read`; `Late` after the 8 s of a commit, because the caller reads between appends.
    pub fn part(&mut self, entries: RangeInclusive<u64>) -> Result<Part, Error> {
        self.certain()?;
        let (first, last) = (*entries.start().min(&GREATEST_SEQ), *entries.end().min(&GREATEST_SEQ));
        Ok(Part(self.store.rows(first..=last, usize::MAX, ANSWER)?))
    }

    /// At most `max_groups` groups after `after`, the position that a replay has reached; the first must continue its chain.
    ///
    /// # Errors
    /// As for `read`.
    pub fn read_after(&mut self, after: Head, max_groups: usize) -> Result<Vec<Group>, Error> {
        self.certain()?;
        let rows = self.store.rows(after.seq.saturating_add(1).min(GREATEST_SEQ)..=GREATEST_SEQ, max_groups, LONG)?;
        open_run(after, &rows)
    }

    /// Walks the whole journal and compares it with the lease row and the high-water file. `progress` is called with each group.
    ///
    /// # Errors
    /// `Damaged` at the first mismatch.
    pub fn verify(&mut self, mut progress: impl FnMut(&Group)) -> Result<Head, Error> {
        self.certain()?;
        let (mut head, mut epoch) = (Head::GENESIS, 0);
        let end = self.check_end()?.seq;
        loop {
            let groups = self.read_after(head, 64)?;
            let Some(last) = groups.last() else { break };
            head = last.head();
            for group in &groups {
                if group.epoch < epoch {
                    let what = "an epoch after a newer one";
                    return Err(Error::damaged(group.head().seq, what));
                }
                epoch = group.epoch;
                progress(group);
            }
        }
        if head.seq < end {
            return Err(Error::damaged(head.seq + 1, format!("entries up to {end} are missing")));
        }
        let lease = self.store.lease()?;
        if lease.last_seq < head.seq || lease.epoch < epoch {
            return Err(Error::damaged(head.seq, "the lease row is behind the journal"));
        }
        Ok(head)
    }

    /// The writer of snapshots beside this handle, usable also while it appends.
    pub fn snapshots(&self) -> Snapshots {
        Snapshots(self.store.drafts())
    }

    /// Saves a complete snapshot at once. Its head must be the end of a group.
    ///
    /// # Errors
    /// `Invalid` when the journal has no such head.
    pub fn save_snapshot(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        self.certain()?;
        if self.head_at(snapshot.head.seq)? != snapshot.head {
            return Err(Error::Invalid("a snapshot of another history".into()));
        }
        let mut snapshots = self.snapshots();
        let mut draft = snapshots.begin(snapshot.head)?;
        draft.write(&snapshot.bytes)?;
        draft.finish(snapshot.state_hash)
    }

    /// True if a snapshot of one of these entries was saved; whether it is good is not checked.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn has_snapshot(&mut self, entries: RangeInclusive<u64>) -> Result<bool, Error> {
        Ok(self.store.snapshot_seqs()?.iter().any(|seq| entries.contains(seq)))
    }

    /// The newest good snapshot at or before `at_most`. A snapshot that is damaged, or not of this chain, is skipped; if the result is
    /// unusable, ask again below it.
    ///
    /// # Errors
    /// `Damaged` when a good snapshot lies beyond the end of the journal: the journal has lost entries.
    pub fn snapshot(&mut self, at_most: u64) -> Result<Option<Snapshot>, Error> {
        self.certain()?;
        let end = self.store.lease()?.last_seq;
        let seqs = self.store.snapshot_seqs()?;
        for seq in seqs.into_iter().rev().filter(|seq| *seq <= at_most) {
            let content = self.store.get_snapshot(seq)?;
            let Some(snapshot) = snapshot::decode(content).filter(|snapshot| snapshot.head.seq == seq) else {
                continue;
            };
            if snapshot.head.seq > end {
                let what = format!("a snapshot of entry {} exists", snapshot.head.seq);
                return Err(Error::damaged(end + 1, what));
            }
            if self.head_at(snapshot.head.seq).ok() == Some(snapshot.head) {
                return Ok(Some(snapshot));
            }
        }
        Ok(None)
    }

    fn certain(&self) -> Result<(), Error> {
        match self.role {
            Role::InDoubt => Err(Error::InDoubt),
            Role::Follower | Role::Leader(_) => Ok(()),
        }
    }

    /// The head at the end of the group that ends with `seq`.
    fn head_at(&mut self, seq: u64) -> Result<Head, Error> {
        if seq == 0 {
            return Ok(Head::GENESIS);
        }
        match self.store.rows(seq..=GREATEST_SEQ, 1, LONG)?.first() {
            Some(row) if row.seq == seq => Ok(row.open()?.head()),
            _ => Err(Error::damaged(seq, "no group ends here")),
        }
    }

    /// Checks that the journal ends where the lease row says and reaches the high-water mark; returns its end.
    fn check_end(&mut self) -> Result<Head, Error> {
        let before = self.store.lease()?;
        let head = self.head_at(before.last_seq)?;
        // Another node may append in the meantime, but a row and the lease row always change together.
        let beyond = self.store.rows(head.seq + 1..=GREATEST_SEQ, 1, LONG)?;
        let after = self.store.lease()?;
        if beyond.iter().any(|row| row.seq > after.last_seq) {
            return Err(Error::damaged(head.seq + 1, "rows beyond the lease row"));
        }
        let Some(marked) = self.read_mark(head)? else { return Ok(head) };
        if marked.seq > head.seq {
            let what = format!("the journal ends here but had reached {}", marked.seq);
            return Err(Error::damaged(head.seq + 1, what));
        }
        if self.head_at(marked.seq)? != marked {
            return Err(Error::damaged(marked.seq, "not the entry that the high-water file saw"));
        }
        Ok(head)
    }

    /// The mark in the high-water file, if there is one.
    fn read_mark(&mut self, head: Head) -> Result<Option<Head>, Error> {
        let Some(path) = &self.mark_path else { return Ok(self.marked) };
        // Closing the file makes the last mark durable before it is read.
        self.mark = None;
        let may_start = self.joins_anywhere || head == Head::GENESIS;
        let (mark, marked) = HighWater::open(path, may_start.then_some(head))?;
        self.mark = Some(mark);
        Ok(Some(marked))
    }
}
