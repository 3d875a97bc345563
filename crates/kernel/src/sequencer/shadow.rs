//! The shadow: a second engine behind the log, on a thread of its own. It makes the snapshots, so no write ever waits for one.
//!
//! It applies the same durable entries as the main engine, at its own pace. Entries it has not taken yet wait in memory and then in a file.
//! It costs the memory of one state; a snapshot adds little, since it is written in pieces. The shadow also answers the queries that read
//! every member: whether the invariants hold, and what all members have at one entry.
//!
//! A memory fault here must not reach the log, where every later start would find a different state. So the shadow compares the events of
//! each entry with the published ones, as long as those wait in memory, and keeps no state whose invariants fail. Hashing the published
//! state as well would find every fault, but would stop writes for as long as a snapshot takes.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use engine::Engine;
use engine::command::{Command, Entry};
use engine::ids::{Digest, Seq};
use engine::published::{Batch, facts};
use engine::snapshot::FORMAT;
use journal::{Head, Snapshots};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Sequencer;
use super::backlog::{Backlog, Followed};
use crate::replay;

/// Interval at which the shadow checks for groups to apply. It is not woken for each group: waking a thread costs the writer more than the
/// group costs the shadow.
const LOOK: Duration = Duration::from_millis(50);
/// It is woken when this many facts wait.
const MANY: usize = 8_192;
/// States whose hash is compared with the one recorded in the log; the record follows its snapshot closely.
const REMEMBERED: usize = 4;

/// The writer's end.
pub(super) struct Shadow {
    feed: Arc<Backlog<Group>>,
    /// No further snapshot is wanted.
    abandoned: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A durable group.
#[derive(Debug, Serialize, Deserialize)]
struct Group {
    /// Chain hash behind it.
    hash: [u8; 32],
    entries: Vec<Entry>,
    /// The events of the entries; absent in the file.
    #[serde(skip)]
    published: Option<Batch>,
}

impl Followed for Group {
    fn facts(&self) -> usize {
        self.entries.len() + self.published.as_deref().map_or(0, facts)
    }

    fn to_bytes(&self) -> postcard::Result<Vec<u8>> {
        postcard::to_allocvec(self)
    }

    fn from_bytes(bytes: &[u8]) -> postcard::Result<Group> {
        postcard::from_bytes(bytes)
    }
}

impl Shadow {
    /// Starts at the published state, which is the one after `head`. It saves a snapshot every so many entries, counted from the one of
    /// entry `last`, with its file in `folder`.
    pub(super) fn start(
        sequencer: &Sequencer,
        snapshots: Snapshots,
        head: Head,
        last: u64,
        every: u64,
        folder: PathBuf,
    ) -> Result<Shadow, String> {
        let feed = Arc::new(Backlog::new(folder, "the shadow"));
        let abandoned: Arc<AtomicBool> = Arc::default();
        let engine = sequencer.engine().clone();
        sequencer.shadowed.store(head.seq, Ordering::Relaxed);
        let mut follower = Follower {
            sequencer: sequencer.clone(),
            feed: feed.clone(),
            abandoned: abandoned.clone(),
            engine,
            head,
            snapshots,
            every,
            counted_from: last,
            kept: None,
            made: BTreeMap::new(),
        };
        let work = move || {
            // After a panic the state is not used again, because the node ends.
            let end = catch_unwind(AssertUnwindSafe(|| follower.run()));
            let end =
                end.unwrap_or_else(|_| Err("the shadow cannot apply an entry that is in the log: an invariant does not hold".to_owned()));
            if let Err(why) = end {
                follower.sequencer.fail(&why);
            }
        };
        let thread = thread::Builder::new().name("shadow".to_owned()).spawn(work).map_err(|error| format!("shadow: {error}"))?;
        Ok(Shadow { feed, abandoned, thread: Some(thread) })
    }

    /// Passes a durable group on; `head` is its end, `published` its events. Never waits for the shadow.
    ///
    /// # Errors
    /// When it cannot be kept. A gap cannot be closed, and without a shadow nobody proves what is owed or checks the invariants.
    pub(super) fn follow(&mut self, head: Head, entries: Vec<Entry>, published: Batch) -> Result<(), String> {
        let kept = self.feed.push(Group { hash: head.hash, entries, published: Some(published) });
        if self.feed.waiting() >= MANY {
            self.wake();
        }
        kept.map_err(|error| format!("what the shadow has not applied yet cannot be kept: {error}"))
    }

    /// Lets the shadow apply everything and save the state at the end, and waits for that.
    pub(super) fn finish(&mut self) {
        self.feed.close();
        self.wake();
        if let Some(thread) = self.thread.take() {
            // The thread catches its own panics.
            let _ = thread.join();
        }
    }

    fn wake(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for Shadow {
    /// A writer that ended early leaves no snapshot.
    fn drop(&mut self) {
        self.abandoned.store(true, Ordering::Relaxed);
        self.wake();
    }
}

/// The thread's side.
struct Follower {
    sequencer: Sequencer,
    feed: Arc<Backlog<Group>>,
    abandoned: Arc<AtomicBool>,
    engine: Engine,
    /// The entry that the engine has reached.
    head: Head,
    snapshots: Snapshots,
    every: u64,
    /// Entry of the last snapshot, including a failed one.
    counted_from: u64,
    /// Entry of the last saved snapshot.
    kept: Option<u64>,
    /// Hashes of the last saved states.
    made: BTreeMap<u64, [u8; 32]>,
}

impl Follower {
    fn run(&mut self) -> Result<(), String> {
        if let Err(error) = self.snapshots.clean() {
            tracing::warn!(%error, "drafts of snapshots are not removed yet");
        }
        while !self.abandoned.load(Ordering::Relaxed) {
            // Checked before `take`: a group that was added before the feed closed must be taken first.
            let is_end = self.feed.is_closed();
            let group = self.feed.take().map_err(|error| format!("what the shadow has not applied yet cannot be read: {error}"))?;
            match group {
                Some(group) => self.apply(&group)?,
                None if is_end => {
                    if self.kept != Some(self.head.seq) {
                        // Nothing more is written to the log; the next start records this state.
                        self.keep()?;
                    }
                    return Ok(());
                }
                None => thread::park_timeout(LOOK),
            }
            self.sequencer.checks.answer(&self.engine);
            if self.head.seq - self.counted_from >= self.every
                && let Some(hash) = self.keep()?
            {
                self.sequencer.record_state(Seq(self.head.seq), hash);
            }
        }
        Ok(())
    }

    /// Applies a group, and compares the states it records.
    fn apply(&mut self, Group { hash, entries, published }: &Group) -> Result<(), String> {
        for (place, entry) in entries.iter().enumerate() {
            let before = self.engine.time();
            let (own, _) = replay::apply_entry(&mut self.engine, entry);
            if published.as_ref().and_then(|published| published.get(place)).is_some_and(|published| *published != own) {
                return Err(format!("the shadow diverged: entry {} made something else known there than was published", entry.seq.0));
            }
            if let Command::RecordState { seq, form: FORMAT, hash: Digest(recorded) } = &entry.command
                && self.made.get(&seq.0).is_some_and(|made| made != recorded)
            {
                return Err(replay::another_state(seq.0));
            }
            self.sequencer.cuts.take(before, &self.engine);
        }
        self.head = Head { seq: self.engine.seq().0, hash: *hash };
        self.sequencer.shadowed.store(self.head.seq, Ordering::Relaxed);
        Ok(())
    }

    /// Saves the state and returns its hash; a failure costs only a longer replay.
    ///
    /// # Errors
    /// When an invariant does not hold.
    fn keep(&mut self) -> Result<Option<[u8; 32]>, String> {
        if let Some(fault) = self.engine.faults().into_iter().find_map(|(_, fault)| fault) {
            return Err(format!("the shadow diverged: {fault}"));
        }
        self.counted_from = self.head.seq;
        #[cfg(debug_assertions)]
        super::writer::stall("Shadow", || {});
        match self.write() {
            Ok(hash) => {
                self.kept = Some(self.head.seq);
                self.made.insert(self.head.seq, hash);
                if self.made.len() > REMEMBERED {
                    self.made.pop_first();
                }
                Ok(Some(hash))
            }
            Err(error) => {
                tracing::error!(%error, "snapshot not saved");
                Ok(None)
            }
        }
    }

    fn write(&mut self) -> Result<[u8; 32], journal::Error> {
        let (mut digest, mut draft) = (Sha256::new(), self.snapshots.begin(self.head)?);
        let abandoned = &self.abandoned;
        self.engine.write_snapshot(&mut |piece| {
            if abandoned.load(Ordering::Relaxed) {
                return Err(journal::Error::Invalid("this node ends".to_owned()));
            }
            digest.update(piece);
            draft.write(piece)
        })?;
        let hash = digest.finalize().into();
        draft.finish(hash)?;
        Ok(hash)
    }
}

#[cfg(test)]
mod tests;
