//! The shadow: one more engine behind the log, on a thread of its own. It makes the snapshots, so no write ever waits for one.
//!
//! It applies the same durable entries as everybody, in its own time. What it has not taken yet waits in memory and then in a file. It
//! costs the memory of one state; a snapshot costs little on top of that, since it is written in pieces. Whoever wants to know whether the
//! invariants hold asks it as well: that looks at every member. So does who wants to know what all members have at one entry.
//!
//! A fault of its memory must not reach the log, where every later start would find another state. So it compares the facts of each entry
//! with those that were published, as long as they wait in memory, and keeps no state whose invariants do not hold. To hash the published state
//! as well would find every fault, and stop writes for as long as a snapshot takes.

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
use engine::published::Batch;
use engine::snapshot::FORMAT;
use journal::{Head, Snapshots};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Sequencer;
use super::backlog::{Backlog, Followed};
use crate::replay;

/// The shadow looks this often whether there is something to apply. It is not woken for each group: waking a thread costs the writer
/// more than the group costs the shadow.
const LOOK: Duration = Duration::from_millis(50);
/// It is woken when so many entries wait.
const MANY: usize = 1_024;
/// States whose hash is compared with the one that the log records; the record follows its snapshot closely.
const REMEMBERED: usize = 4;

/// The writer's end.
pub(super) struct Shadow {
    feed: Arc<Backlog<Group>>,
    /// Nothing is worth a snapshot any more.
    abandoned: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A durable group.
#[derive(Debug, Serialize, Deserialize)]
struct Group {
    /// Chain hash behind it.
    hash: [u8; 32],
    entries: Vec<Entry>,
    /// What the entries made known; in the file nothing.
    #[serde(skip)]
    published: Option<Batch>,
}

impl Followed for Group {
    fn entries(&self) -> usize {
        self.entries.len()
    }

    fn to_bytes(&self) -> postcard::Result<Vec<u8>> {
        postcard::to_allocvec(self)
    }

    fn from_bytes(bytes: &[u8]) -> postcard::Result<Group> {
        postcard::from_bytes(bytes)
    }
}

impl Shadow {
    /// Starts behind the published state, which is the one after `head`; it keeps a snapshot every so many entries, and its file in `folder`.
    pub(super) fn start(sequencer: &Sequencer, snapshots: Snapshots, head: Head, every: u64, folder: PathBuf) -> Result<Shadow, String> {
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
            counted_from: head.seq,
            kept: None,
            made: BTreeMap::new(),
        };
        let work = move || {
            // After a panic the state is not used again: the node ends.
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

    /// Passes a durable group on; `head` is its end, `published` what it made known. Never waits for the shadow.
    pub(super) fn follow(&mut self, head: Head, entries: Vec<Entry>, published: Batch) {
        if self.abandoned.load(Ordering::Relaxed) {
            return;
        }
        if let Err(error) = self.feed.push(Group { hash: head.hash, entries, published: Some(published) }) {
            // A gap cannot be closed. Without snapshots a start takes longer, and nothing else.
            tracing::error!(%error, "no more snapshots until the next start: what the shadow has not applied yet cannot be kept");
            self.abandoned.store(true, Ordering::Relaxed);
        }
        if self.feed.waiting() >= MANY {
            self.wake();
        }
    }

    /// Lets it apply everything and keep the state at the end, and waits for that.
    pub(super) fn finish(&mut self) {
        self.feed.close();
        self.wake();
        if let Some(thread) = self.thread.take() {
            // Its own panics are caught there.
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
    /// A writer that ended early leaves no snapshot behind.
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
    /// Entry of the last snapshot, also of one that failed.
    counted_from: u64,
    /// Entry of the last snapshot that is kept.
    kept: Option<u64>,
    /// Hashes of the last states that were kept.
    made: BTreeMap<u64, [u8; 32]>,
}

impl Follower {
    fn run(&mut self) -> Result<(), String> {
        if let Err(error) = self.snapshots.clean() {
            tracing::warn!(%error, "drafts of snapshots are not removed yet");
        }
        while !self.abandoned.load(Ordering::Relaxed) {
            // Asked first: what is added before the end is taken before it is believed.
            let is_end = self.feed.is_closed();
            let group = self.feed.take().map_err(|error| format!("what the shadow has not applied yet cannot be read: {error}"))?;
            match group {
                Some(group) => self.apply(&group)?,
                None if is_end => {
                    if self.kept != Some(self.head.seq) {
                        // Nothing is written any more: the next start records it.
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

    /// Applies a group, and compares the states that it records.
    fn apply(&mut self, Group { hash, entries, published }: &Group) -> Result<(), String> {
        for (place, entry) in entries.iter().enumerate() {
            let before = self.engine.time();
            let (own, _) = replay::apply(&mut self.engine, entry);
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

    /// Keeps the state and returns its hash; a failure costs only a longer replay.
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
mod tests {
    use engine::catalog::{Catalog, Wallet};
    use engine::command::{Genesis, Mode};
    use engine::ids::{AssetId, UserId};
    use engine::time::Time;
    use journal::{Journal, MemoryDatabase};

    use super::super::{Outlets, outlet, writer};
    use super::*;
    use crate::journal_clock::Clock;

    const EVERY: u64 = 10;

    /// A sequencer over this database, which keeps what it makes known to itself, with a genesis.
    async fn started(database: &MemoryDatabase) -> Sequencer {
        let mut journal = Journal::memory(database).unwrap();
        journal.lead("test", 1).unwrap();
        let (sequencer, inbox) = Sequencer::new();
        let (history, _) = tokio::sync::mpsc::channel(1);
        let outlets = Outlets { history, backlog: std::env::temp_dir(), sockets: outlet::to_sockets().0, tickers: Arc::default() };
        let (head, node, clock) = (Head::GENESIS, "test".to_owned(), Arc::new(Clock::default()));
        let worker = writer::Worker {
            sequencer: sequencer.clone(),
            inbox,
            journal,
            head,
            node,
            clock,
            outlets,
            snapshot_every: EVERY,
            in_background: || false,
        };
        worker.start().unwrap();
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        sequencer.submit(Command::Genesis(Box::new(genesis)), None).await.unwrap();
        sequencer
    }

    async fn register(sequencer: &Sequencer, users: std::ops::Range<u64>) {
        for user in users {
            sequencer.submit(Command::RegisterMember { user: UserId(user), house: false }, None).await.unwrap();
        }
    }

    /// The first state that the log records.
    async fn recorded(database: &MemoryDatabase) -> (u64, [u8; 32]) {
        let mut journal = Journal::memory(database).unwrap();
        loop {
            if let Some((seq, hash)) = replay::recorded_states(&mut journal, Head::GENESIS).unwrap().pop_first() {
                return (seq, hash);
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_shadow_keeps_the_state_that_the_log_gives_and_has_it_recorded() {
        let database = MemoryDatabase::new();
        let sequencer = started(&database).await;
        register(&sequencer, 1..2 * EVERY).await;
        let (seq, hash) = recorded(&database).await;
        register(&sequencer, 2 * EVERY..5 * EVERY).await;
        sequencer.stop().await;
        let mut journal = Journal::memory(&database).unwrap();
        let mut engine = Engine::default();
        let end = replay::tail(&mut journal, &mut engine, Head::GENESIS, |_, _| Ok(())).unwrap();
        let mut early = Engine::default();
        replay::up_to(&mut journal, &mut early, Head::GENESIS, seq).unwrap();
        assert_eq!((early.seq(), early.state_hash()), (Seq(seq), hash));
        let last = journal.snapshot(u64::MAX).unwrap().unwrap();
        assert_eq!((last.head, last.state_hash), (end, engine.state_hash()));
        assert!(last.bytes == engine.snapshot());
        assert!(journal.snapshot(end.seq - 1).unwrap().is_some(), "one was kept on the way");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_node_whose_shadow_has_another_state_than_the_log_says_stops() {
        let database = MemoryDatabase::new();
        let sequencer = started(&database).await;
        register(&sequencer, 1..2 * EVERY).await;
        let (seq, _) = recorded(&database).await;
        sequencer.record_state(Seq(seq), [7; 32]);
        let why = sequencer.failure().await;
        assert!(why.contains(&format!("the state after entry {seq} is not the one")), "{why}");
        assert!(!sequencer.leads());
    }

    fn entry(seq: u64, command: Command) -> Entry {
        Entry { seq: Seq(seq), time: Time(seq), request: None, command }
    }

    /// The first entries of a log: a genesis, a member, and paper money of theirs.
    fn entries() -> [Entry; 3] {
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        let user = UserId(2);
        let faucet = Command::SandboxFaucet { user, asset: AssetId(3), wallet: Wallet::Spot, amount: MONEY };
        [entry(1, Command::Genesis(Box::new(genesis))), entry(2, Command::RegisterMember { user, house: false }), entry(3, faucet)]
    }

    const MONEY: u64 = 123_456_789;

    /// A shadow behind the state of this sequencer, which is the one after the entry `seq`.
    fn behind(sequencer: &Sequencer, seq: u64) -> Shadow {
        let snapshots = Journal::memory(&MemoryDatabase::new()).unwrap().snapshots();
        Shadow::start(sequencer, snapshots, Head { seq, ..Head::GENESIS }, EVERY, std::env::temp_dir()).unwrap()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_shadow_that_makes_something_else_known_than_was_published_stops_its_node() {
        for diverges in [false, true] {
            let (sequencer, _inbox) = Sequencer::new();
            let (mut shadow, mut engine) = (behind(&sequencer, 0), Engine::default());
            for entry in entries() {
                let (mut published, _) = replay::apply(&mut engine, &entry);
                if diverges && entry.seq == Seq(3) {
                    published.balances[0].balance.available += 1;
                }
                sequencer.published.send_replace(entry.seq.0);
                shadow.follow(Head { seq: entry.seq.0, ..Head::GENESIS }, vec![entry], [published].into());
            }
            shadow.finish();
            assert_eq!(sequencer.shadow_lag(), u64::from(diverges));
            let failure = sequencer.failure.borrow().clone();
            assert_eq!(failure.map(|why| why.contains("the shadow diverged: entry 3 ")), diverges.then_some(true));
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_shadow_keeps_and_records_no_state_whose_invariants_do_not_hold() {
        let mut engine = Engine::default();
        entries().iter().for_each(|entry| replay::repeat(&mut engine, entry));
        // A fault of its memory: one bit of what the member has.
        let (mut bytes, money) = (engine.snapshot(), postcard::to_allocvec(&MONEY).unwrap());
        let place = bytes.windows(money.len()).position(|window| window == money).unwrap();
        bytes[place] ^= 1;
        let (sequencer, inbox) = Sequencer::new();
        sequencer.load(Engine::restore(&bytes).unwrap());
        behind(&sequencer, 3).finish();
        let failure = sequencer.failure.borrow().clone().unwrap();
        assert!(failure.contains("the shadow diverged: I-1"), "{failure}");
        assert!(inbox.0.try_recv().is_err(), "nothing is recorded");
    }
}
