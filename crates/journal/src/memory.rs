//! A database in memory that fails on command, for the simulator and for tests. Its script makes it deterministic.

use crate::error::{AppendError, Error};
use crate::group::{Head, Row};
use crate::snapshot::DraftStore;
use crate::store::{LeaseRow, Store};
use std::collections::{BTreeMap, VecDeque};
use std::ops::RangeInclusive;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What happens to one append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Nothing: the group is committed and acknowledged.
    None,
    /// The database refuses before the commit. Answer: `NotWritten`.
    Refused,
    /// The group is committed for good but the answer is lost. Answer: `Unknown`.
    AnswerLost,
    /// The commit fails and leaves nothing. Answer: `Unknown`.
    CommitLost,
    /// The group is visible but not durable: a crash drops it, a barrier keeps it. Answer: `Unknown`.
    Unsynced,
    /// The machine dies during the commit: what is not durable is gone and every handle loses its connection.
    /// Answer: `Unknown`.
    Crash,
    /// Another node takes the lease just before. Answer: `Fenced`.
    Deposed,
}

#[derive(Debug, Default)]
struct Contents {
    epoch: u64,
    node: String,
    rows: Vec<Row>,
    /// How many of `rows` survive a crash.
    durable: usize,
    snapshots: BTreeMap<u64, Vec<u8>>,
    script: VecDeque<Fault>,
    /// The appending side of [`MemoryDatabase::hold`].
    gate: Option<Arc<Mutex<Gate>>>,
    /// Counts crashes; a handle from before a crash has lost its connection.
    life: u64,
}

/// Where appends wait.
#[derive(Debug)]
struct Gate {
    arrived: Sender<u64>,
    decided: Receiver<Fault>,
}

/// Appends that wait until this end decides what happens to each of them. Once it is dropped, the script decides again.
#[derive(Debug)]
pub struct HeldAppends {
    arrived: Receiver<u64>,
    decided: Sender<Fault>,
}

impl HeldAppends {
    /// The entry that ends the group of an append that has begun to wait since the last call.
    pub fn next(&self) -> Option<u64> {
        self.arrived.try_recv().ok()
    }

    /// Lets the waiting append go on.
    pub fn decide(&self, fault: Fault) {
        // A database that is gone has no appends.
        let _ = self.decided.send(fault);
    }
}

impl Contents {
    fn last_seq(&self) -> u64 {
        self.rows.last().map_or(0, |row| row.seq)
    }

    fn crash(&mut self) {
        self.rows.truncate(self.durable);
        self.life += 1;
    }
}

/// The database that several handles share; a clone is the same database.
#[derive(Clone, Debug, Default)]
pub struct MemoryDatabase(Arc<Mutex<Contents>>);

impl MemoryDatabase {
    /// An empty database without faults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds faults, one for each append to come; after the last one appends succeed.
    pub fn script(&self, faults: impl IntoIterator<Item = Fault>) {
        self.contents().script.extend(faults);
    }

    /// From now on every append waits, as on a slow disk, until the returned end decides what happens to it.
    pub fn hold(&self) -> HeldAppends {
        let ((arrived, waiting), (decided, decisions)) = (channel(), channel());
        self.contents().gate = Some(Arc::new(Mutex::new(Gate { arrived, decided: decisions })));
        HeldAppends { arrived: waiting, decided }
    }

    /// How often the lease was taken.
    pub fn epoch(&self) -> u64 {
        self.contents().epoch
    }

    /// What the holder of the appends decides about the one that ends with `seq`; `None` if nobody holds them.
    fn decision(&self, seq: u64) -> Option<Fault> {
        // Others read the database while an append waits.
        let gate = self.contents().gate.clone()?;
        let gate = gate.lock().unwrap_or_else(PoisonError::into_inner);
        gate.arrived.send(seq).ok()?;
        gate.decided.recv().ok()
    }

    /// The machine dies: what is not durable is gone and every handle loses its connection.
    pub fn crash(&self) {
        self.contents().crash();
    }

    /// Changes the bytes of the row that holds entry `seq`, as a bad disk or an attacker would.
    pub fn damage(&self, seq: u64, change: impl FnOnce(&mut Vec<u8>)) {
        let mut contents = self.contents();
        if let Some(row) = contents.rows.iter_mut().find(|row| row.seq >= seq) {
            change(&mut row.body);
        }
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        // A test that panicked while holding the lock has already failed, and the data it left is consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One connection to a `MemoryDatabase`.
#[derive(Debug)]
pub(crate) struct Memory {
    database: MemoryDatabase,
    life: u64,
}

impl Memory {
    pub(crate) fn open(database: &MemoryDatabase) -> Self {
        let life = database.contents().life;
        Self { database: database.clone(), life }
    }

    fn connected(&self) -> Result<MutexGuard<'_, Contents>, Error> {
        let contents = self.database.contents();
        if contents.life == self.life { Ok(contents) } else { Err(Error::Store("connection lost".into())) }
    }
}

impl Store for Memory {
    fn reopen(&mut self) -> Result<(), Error> {
        self.life = self.database.contents().life;
        Ok(())
    }

    fn lease(&mut self) -> Result<LeaseRow, Error> {
        let contents = self.connected()?;
        Ok(LeaseRow { epoch: contents.epoch, last_seq: contents.last_seq(), taken_ms: 0, node: contents.node.clone() })
    }

    fn take_lease(&mut self, seen: u64, unmoved: Option<u64>, node: &str, _now_ms: u64) -> Result<bool, Error> {
        let mut contents = self.connected()?;
        if contents.epoch != seen || unmoved.is_some_and(|seq| seq != contents.last_seq()) {
            return Ok(false);
        }
        contents.epoch += 1;
        contents.node = node.to_owned();
        contents.durable = contents.rows.len();
        Ok(true)
    }

    fn commit(&mut self, row: &Row) -> Result<(), AppendError> {
        let unknown = |why: &str| Err(AppendError::Unknown(why.into()));
        let decided = self.database.decision(row.seq);
        let mut contents = self.connected().map_err(|error| AppendError::NotWritten(error.to_string()))?;
        let fault = decided.or_else(|| contents.script.pop_front()).unwrap_or(Fault::None);
        if fault == Fault::Refused {
            return Err(AppendError::NotWritten("refused before the commit".into()));
        }
        if fault == Fault::Deposed {
            contents.epoch += 1;
            contents.node = "another".into();
        }
        if contents.epoch != row.epoch || contents.last_seq() != row.durable_to {
            return Err(AppendError::Fenced);
        }
        match fault {
            Fault::CommitLost => return unknown("the commit failed"),
            Fault::Crash => {
                contents.crash();
                return unknown("the machine died");
            }
            Fault::None | Fault::AnswerLost | Fault::Unsynced | Fault::Refused | Fault::Deposed => {}
        }
        contents.rows.push(row.clone());
        if fault == Fault::Unsynced {
            return unknown("the sync failed");
        }
        contents.durable = contents.rows.len();
        if fault == Fault::AnswerLost {
            return unknown("the answer was lost");
        }
        Ok(())
    }

    fn rows(&mut self, entries: RangeInclusive<u64>, max: usize, _: Duration) -> Result<Vec<Row>, Error> {
        let contents = self.connected()?;
        let start = contents.rows.partition_point(|row| row.seq < *entries.start());
        let held = contents.rows[start..].iter().take_while(|row| row.durable_to < *entries.end());
        Ok(held.take(max).cloned().collect())
    }

    fn snapshot_seqs(&mut self) -> Result<Vec<u64>, Error> {
        Ok(self.connected()?.snapshots.keys().copied().collect())
    }

    fn get_snapshot(&mut self, seq: u64) -> Result<Vec<u8>, Error> {
        let contents = self.connected()?;
        Ok(contents.snapshots.get(&seq).cloned().unwrap_or_default())
    }

    fn drafts(&self) -> Box<dyn DraftStore> {
        Box::new(MemoryDrafts { database: self.database.clone(), seq: 0, bytes: Vec::new() })
    }
}

/// Writes snapshots of a `MemoryDatabase`.
#[derive(Debug)]
struct MemoryDrafts {
    database: MemoryDatabase,
    seq: u64,
    bytes: Vec<u8>,
}

impl DraftStore for MemoryDrafts {
    fn clean(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn begin(&mut self, head: Head) -> Result<(), Error> {
        (self.seq, self.bytes) = (head.seq, Vec::new());
        Ok(())
    }

    fn add(&mut self, piece: &[u8]) -> Result<(), Error> {
        self.bytes.extend_from_slice(piece);
        Ok(())
    }

    fn publish(&mut self, last: &[u8]) -> Result<(), Error> {
        self.add(last)?;
        self.database.contents().snapshots.insert(self.seq, std::mem::take(&mut self.bytes));
        Ok(())
    }

    fn prune(&mut self, kept: usize) -> Result<(), Error> {
        let snapshots = &mut self.database.contents().snapshots;
        while snapshots.len() > kept {
            snapshots.pop_first();
        }
        Ok(())
    }
}
