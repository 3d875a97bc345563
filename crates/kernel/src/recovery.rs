//! From a journal to a running state: which node leads, how the log begins, and the replay.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::Engine;
use engine::command::{Entry, Genesis};
use engine::published::Batch;
use engine::time::Time;
use journal::{Head, Journal};
use tokio::sync::mpsc;

use crate::catalog_view::CatalogView;
use crate::error::RecoveryError;
use crate::journal_clock::Clock;
use crate::replay::{self, Restored};

/// Reports what a start waits for: at once, then at intervals.
#[derive(Debug, Default)]
struct Waits(Option<Instant>);

impl Waits {
    const AGAIN: Duration = Duration::from_secs(10);

    fn say(&mut self, what: &str) {
        if self.0.is_none_or(|said| said.elapsed() >= Waits::AGAIN) {
            self.0 = Some(Instant::now());
            tracing::warn!(what, "the start waits");
        }
    }
}

/// An open journal; which node leads it is not decided.
#[derive(Debug)]
pub struct Recovery {
    journal: Journal,
    waits: Waits,
    clock: Arc<Clock>,
    /// The state replayed before this node leads.
    replayed: Option<Restored>,
}

impl Recovery {
    /// Opens the journal of the data directory or database. Blocks while the tables of a new database wait for its standby.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(data: &Path, database: Option<&str>) -> Result<Recovery, RecoveryError> {
        let mut waits = Waits::default();
        loop {
            let opened = match database {
                Some(url) => Journal::postgres(url, data),
                None => Journal::sqlite(data),
            };
            match opened {
                Err(error @ journal::Error::Late(_)) => waits.say(&error.to_string()),
                opened => return Ok(Recovery { journal: opened?, waits, clock: Arc::default(), replayed: None }),
            }
        }
    }

    /// The first entry's data; `None` for an empty journal.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn genesis(&mut self) -> Result<Option<Genesis>, RecoveryError> {
        if self.journal.head()? == Head::GENESIS {
            return Ok(None);
        }
        Ok(Some(replay::genesis(&mut self.journal)?.0))
    }

    /// Compares this machine's clock with the end of the log, and with what was recorded in `data`.
    ///
    /// # Errors
    /// When the clock is ahead by more than the downtime can have been, and `accept` does not confirm it.
    pub fn check_clock(&mut self, data: &Path, accept: bool) -> Result<(), RecoveryError> {
        let end = self.journal.head()?.seq;
        let last = self.journal.read(end, 1)?.last().and_then(|group| Some(Time(group.records.last()?.time_ms)));
        last.map_or(Ok(()), |last| self.clock.check(last, data, accept).map_err(RecoveryError))
    }

    /// Compares the end of the journal with the last entry written to the history.
    ///
    /// # Errors
    /// When the history is ahead.
    pub fn check_written(&mut self, written: u64) -> Result<(), RecoveryError> {
        check_written(written, self.journal.head()?)
    }

    /// Replays what is certain while another node may lead: everything up to this entry, which is durable. Anything that would fail this
    /// start must fail here, before the other node gives way to it.
    ///
    /// # Errors
    /// When an entry cannot be read, or its state differs from the one that the log recorded.
    pub fn rehearse(&mut self, written: u64) -> Result<&Engine, RecoveryError> {
        let (mut engine, from, snapshot) = replay::newest_state(&mut self.journal, written)?;
        let head = replay::up_to(&mut self.journal, &mut engine, from, written)?;
        Ok(&self.replayed.insert((engine, head, snapshot)).0)
    }

    /// Leads under this name, and begins an empty journal with the entries that `first` returns for the time of this machine. Blocks for as
    /// long as another node leads, unless its lead is taken over.
    ///
    /// # Errors
    /// When this node cannot lead, or the journal cannot be written.
    pub fn lead<E: From<RecoveryError>>(
        mut self,
        node: String,
        take_over: bool,
        first: impl FnOnce(Time) -> Result<Vec<Entry>, E>,
    ) -> Result<Led, E> {
        let mut end = self.take_lead(&node, take_over)?;
        if end == Head::GENESIS {
            end = self.begin(&first(Time(self.clock.wall_ms()))?)?;
        }
        let Recovery { mut journal, clock, replayed, .. } = self;
        // The replay may take long. The writer ends the signs with its first group.
        journal.live_until_commit().map_err(RecoveryError::from)?;
        let (genesis, began) = replay::genesis(&mut journal)?;
        Ok(Led { journal, end, node, genesis, began, clock, replayed })
    }

    fn take_lead(&mut self, node: &str, take_over: bool) -> Result<Head, RecoveryError> {
        let Recovery { journal, waits, clock, .. } = self;
        // What this clock says is not followed, so the lead of this node would soon end again.
        let now_ms =
            || clock.fault().map_or_else(|| Ok(clock.wall_ms()), |fault| Err(format!("{fault}: this node does not take the lead")));
        if !take_over {
            return Ok(journal.lead_when_free(node, now_ms, |what| waits.say(what))?.head);
        }
        loop {
            match journal.lead(node, now_ms().map_err(RecoveryError)?) {
                Err(error @ journal::Error::Late(_)) => waits.say(&error.to_string()),
                led => return Ok(led?.head),
            }
        }
    }

    fn begin(&mut self, entries: &[Entry]) -> Result<Head, RecoveryError> {
        let mut salts = vec![[0; 16]; entries.len()];
        getrandom::fill(salts.as_flattened_mut()).map_err(|error| RecoveryError(format!("no random numbers: {error}")))?;
        let records: Vec<_> = entries.iter().zip(salts).map(|(entry, salt)| replay::record_of(entry, salt)).collect();
        Ok(self.journal.append(&records)?)
    }
}

fn check_written(written: u64, end: Head) -> Result<(), RecoveryError> {
    if written > end.seq {
        let what = format!("the history knows entry {written}, the journal ends at {}: they do not belong together", end.seq);
        return Err(RecoveryError(what));
    }
    Ok(())
}

/// A journal that this node leads, not yet replayed to its end.
#[derive(Debug)]
pub struct Led {
    journal: Journal,
    end: Head,
    node: String,
    /// The data of its first entry.
    pub genesis: Genesis,
    /// Time of that entry.
    pub began: Time,
    /// The time of this node.
    pub clock: Arc<Clock>,
    replayed: Option<Restored>,
}

/// A journal, and the state at its end.
#[derive(Debug)]
pub struct Replayed {
    /// The journal, led by this node.
    pub journal: Journal,
    /// Its end.
    pub end: Head,
    /// Name of this node in the lease.
    pub node: String,
    /// The state there.
    pub engine: Engine,
    /// Entry of the snapshot that the replay began with, 0 for none.
    pub snapshot: u64,
    /// The hash of that state if the newest snapshot is at the end: no entry records it yet.
    pub unrecorded: Option<[u8; 32]>,
}

impl Led {
    /// Compares the end of the journal with the last entry written to the history.
    ///
    /// # Errors
    /// When the history is ahead.
    pub fn check_written(&self, written: u64) -> Result<(), RecoveryError> {
        check_written(written, self.end)
    }

    /// Replays to the end of the journal, and reports its progress now and then, in entries. On the way the history, which is written at
    /// least up to `written`, receives the entries it lacks, after the catalog that they were written under. Blocks.
    ///
    /// # Errors
    /// When an entry cannot be read, its state differs from the one that the log recorded, or the history takes no more.
    pub fn replay(
        self,
        written: u64,
        history: &mpsc::Sender<Batch>,
        listed: &CatalogView,
        done: impl Fn(u64, u64),
    ) -> Result<Replayed, RecoveryError> {
        let Led { mut journal, end, node, replayed, .. } = self;
        let (mut engine, head, snapshot) = match replayed {
            Some(replayed) if replayed.1.seq <= written => newer_than(replayed, &mut journal, written)?,
            // A rehearsed state that is newer than the history cannot be used, because entries before it have to be replayed.
            _ => replay::newest_state(&mut journal, written)?,
        };
        if head != Head::GENESIS {
            listed.take(&engine);
        }
        let reached = replay::tail(&mut journal, &mut engine, head, |engine, published| {
            listed.follow(engine, &published);
            done(engine.seq().0.saturating_sub(head.seq), end.seq.saturating_sub(head.seq));
            history.blocking_send(published.into()).map_err(|_| RecoveryError("the history stopped".to_owned()))
        })?;
        if reached != end {
            return Err(RecoveryError(format!("the journal ends at {}, replay reached {}", end.seq, reached.seq)));
        }
        let unrecorded = snapshot.filter(|(seq, _)| *seq == end.seq).map(|(_, hash)| hash);
        Ok(Replayed { journal, end, node, engine, snapshot: snapshot.map_or(0, |(seq, _)| seq), unrecorded })
    }
}

/// The leader saved snapshots while this node waited, perhaps for weeks: the newest of them bounds the replay.
fn newer_than(rehearsed: Restored, journal: &mut Journal, written: u64) -> Result<Restored, RecoveryError> {
    if !journal.has_snapshot(rehearsed.1.seq + 1..=written)? {
        return Ok(rehearsed);
    }
    let newest = replay::newest_state(journal, written)?;
    Ok(if newest.1.seq > rehearsed.1.seq { newest } else { rehearsed })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use engine::catalog::{Catalog, Wallet};
    use engine::command::{Command, Mode};
    use engine::ids::{AssetId, Seq, UserId};
    use journal::{MemoryDatabase, Snapshot};

    use super::*;
    use crate::journal_clock::Reading;

    fn entries(time: Time) -> Vec<Entry> {
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        let user = UserId(2);
        let paid = |amount| Command::SandboxFaucet { user, asset: AssetId(3), wallet: Wallet::Spot, amount };
        let commands = [Command::Genesis(Box::new(genesis)), Command::RegisterMember { user, house: false }, paid(5), paid(7)];
        (1..).zip(commands).map(|(seq, command)| Entry { seq: Seq(seq), time, request: None, command }).collect()
    }

    /// The entries that a history written up to `written` receives after all of them were rehearsed.
    fn sent(written: u64) -> Vec<u64> {
        let folder = tempfile::tempdir().unwrap();
        let first = |time| Ok::<_, RecoveryError>(entries(time));
        drop(Recovery::open(folder.path(), None).unwrap().lead("one".to_owned(), true, first).unwrap());
        let mut recovery = Recovery::open(folder.path(), None).unwrap();
        recovery.rehearse(4).unwrap();
        let led = recovery.lead("two".to_owned(), true, first).unwrap();
        let (history, mut inbox) = mpsc::channel(8);
        let replayed = led.replay(written, &history, &CatalogView::default(), |_, _| {}).unwrap();
        assert_eq!(replayed.engine.seq(), Seq(4));
        drop(history);
        std::iter::from_fn(|| inbox.blocking_recv()).flat_map(|batch| batch.iter().map(|one| one.seq.0).collect::<Vec<_>>()).collect()
    }

    /// Entry of the snapshot that a node began with after it had waited: it rehearsed entries up to 4, and a snapshot of entry 5 was saved
    /// since.
    fn begun_with(written: u64) -> u64 {
        let database = MemoryDatabase::new();
        let node =
            || Recovery { journal: Journal::memory(&database).unwrap(), waits: Waits::default(), clock: Arc::default(), replayed: None };
        let first = |time| Ok::<_, RecoveryError>(entries(time));
        let (history, _inbox) = mpsc::channel(8);
        let leader = node().lead("one".to_owned(), true, first).unwrap();
        let mut waiting = node();
        waiting.rehearse(4).unwrap();

        let Replayed { mut journal, mut engine, .. } = leader.replay(4, &history, &CatalogView::default(), |_, _| {}).unwrap();
        for seq in [5, 6] {
            let command = Command::SandboxFaucet { user: UserId(2), asset: AssetId(3), wallet: Wallet::Spot, amount: seq };
            let entry = Entry { seq: Seq(seq), time: engine.time(), request: None, command };
            replay::apply_entry(&mut engine, &entry);
            let head = journal.append(&[replay::record_of(&entry, [1; 16])]).unwrap();
            if seq == 5 {
                journal.save_snapshot(&Snapshot { head, state_hash: engine.state_hash(), bytes: engine.snapshot() }).unwrap();
            }
        }
        let led = waiting.lead("two".to_owned(), true, first).unwrap();
        let replayed = led.replay(written, &history, &CatalogView::default(), |_, _| {}).unwrap();
        assert_eq!((replayed.engine.seq(), replayed.engine.state_hash()), (Seq(6), engine.state_hash()));
        replayed.snapshot
    }

    #[test]
    fn a_node_whose_clock_jumped_while_it_waited_does_not_take_the_lead() {
        let start = Reading { wall_ms: 1_000_000_000_000, uptime_ms: 5_000 };
        let source = Arc::new(Mutex::new(start));
        let read = source.clone();
        let clock = Arc::new(Clock::new(move || *read.lock().unwrap()));
        for later_ms in [10, 61_000] {
            *source.lock().unwrap() = Reading { wall_ms: start.wall_ms - 3_600_000 + later_ms, uptime_ms: start.uptime_ms + later_ms };
            assert_eq!(clock.fault().is_some(), later_ms > 60_000);
        }
        for take_over in [false, true] {
            let journal = Journal::memory(&MemoryDatabase::new()).unwrap();
            let waiting = Recovery { journal, waits: Waits::default(), clock: clock.clone(), replayed: None };
            let refused = waiting.lead("two".to_owned(), take_over, |time| Ok::<_, RecoveryError>(entries(time))).unwrap_err();
            assert!(refused.0.contains("does not take the lead"), "{refused}");
        }
    }

    #[test]
    fn a_node_that_has_waited_begins_with_the_newest_state() {
        assert_eq!(begun_with(6), 5);
        assert_eq!(begun_with(5), 5);
        assert_eq!(begun_with(4), 0, "the history lacks what came before it");
    }

    #[test]
    fn a_history_that_lacks_more_than_was_rehearsed_gets_it() {
        assert_eq!(sent(4), [0u64; 0], "what is written need not be sent");
        assert_eq!(sent(0), [1, 2, 3, 4]);
        assert_eq!(sent(3), [1, 2, 3, 4], "from the newest state before it");
    }
}
