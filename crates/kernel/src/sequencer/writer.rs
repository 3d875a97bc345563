//! The only writer: it commits a sealed group to the journal, and only then publishes the new state and answers.
//!
//! One group is in flight at a time. While it syncs, the next one gathers in the queue, so batches adapt to the disk.

use std::collections::BTreeMap;
#[cfg(debug_assertions)]
use std::ffi::OsString;
use std::io;
#[cfg(debug_assertions)]
use std::sync::LazyLock;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use engine::Engine;
use engine::command::{Command, Entry};
use engine::ids::MarketId;
use engine::published::Batch;
use engine::reply::Outcome;
use journal::{AppendError, Head, Journal};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, error::TrySendError};

use super::ahead::Made;
use super::backlog::Backlog;
use super::intake::{GROUP, Group, Intake};
use super::outlet::SocketOutlet;
use super::progress::{self, Step};
use super::shadow::Shadow;
use super::{Answer, Applied, Inbox, Outlets, ReadRequest, Sequencer, SubmitError};
use crate::journal_clock::Clock;
use crate::market_stats::{BookMark, MarketStats, changed_books};
use crate::replay;

/// Groups that may wait to be handed over; beyond this the sequencer pauses.
const GROUPS: usize = 16;
/// Pause between attempts to lead again.
const RETRY: Duration = Duration::from_millis(200);

/// The thread's side.
#[derive(Debug)]
pub struct Worker {
    /// The handle that others hold.
    pub sequencer: Sequencer,
    /// Its queue.
    pub inbox: Inbox,
    /// The journal, led by this node.
    pub journal: Journal,
    /// Its end, which the engine has reached.
    pub head: Head,
    /// Name of this node in the lease.
    pub node: String,
    /// Wall clock and journal time.
    pub clock: Arc<Clock>,
    /// Where published entries go.
    pub outlets: Outlets,
    /// Entries between two snapshots.
    pub snapshot_every: u64,
    /// Entry of the snapshot that this node began with, 0 for none: the next one is counted from there, not from the start.
    pub snapshot: u64,
    /// True while background work holds a processor. A thread that yields then yields to that work, and waits for the next tick of the
    /// system.
    pub in_background: fn() -> bool,
}

impl Worker {
    /// Starts its threads. Must be called in the runtime that answers.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn start(self) -> io::Result<()> {
        self.sequencer.leads.store(true, Ordering::Release);
        let (sequencer, watched) = (self.sequencer.clone(), self.sequencer.clone());
        progress::watch(sequencer.progress.clone(), move |why| watched.fail(why))?;
        let runtime = Handle::current();
        let work = move || {
            // A panic while the published state changes means a broken invariant: this node must stop and never skip an entry.
            let end = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || Writer::new(self, &runtime)?.run()));
            sequencer.progress.enter(Step::End);
            match end {
                Ok(Ok(())) => sequencer.leads.store(false, Ordering::Release),
                Ok(Err(reason)) => sequencer.fail(&reason),
                Err(_) => sequencer.fail("the engine stopped: an invariant does not hold"),
            }
        };
        // Two threads: one commits while the other seals. They end with the pool.
        let threads = rayon::ThreadPoolBuilder::new().num_threads(2).thread_name(|at| format!("sequencer-{at}")).build();
        threads.map_err(io::Error::other)?.spawn(work);
        Ok(())
    }
}

struct Writer {
    sequencer: Sequencer,
    intake: Intake,
    journal: Journal,
    /// The end of the journal, which the engine has reached.
    head: Head,
    node: String,
    clock: Arc<Clock>,
    market_stats: Arc<RwLock<MarketStats>>,
    durable: mpsc::Sender<Durable>,
    shadow: Shadow,
}

/// A durable group: its events, and the answers to its callers.
struct Durable {
    batch: Batch,
    answers: Vec<(Answer, Applied)>,
}

/// Publishes groups in their order and then answers, so a caller that knows the number of an entry finds it with every follower of the log.
/// A task of its own, because each wake from the sequencer's thread is a system call and wakes from a task are not.
async fn hand_over(
    mut groups: mpsc::Receiver<Durable>,
    history: mpsc::Sender<Batch>,
    backlog: Arc<Backlog<Batch>>,
    mut sockets: SocketOutlet,
    sequencer: Sequencer,
) {
    while let Some(Durable { batch, answers }) = groups.recv().await {
        if let Some(last) = batch.last() {
            sequencer.published.send_replace(last.seq.0);
        }
        sockets.send(batch.clone());
        // A group must not overtake groups that still wait.
        let late = if backlog.is_idle() { history.try_send(batch).err().map(TrySendError::into_inner) } else { Some(batch) };
        let kept = late.map_or(Ok(()), |batch| backlog.push(batch));
        for (done, applied) in answers {
            // A caller that no longer waits loses only the answer.
            let _ = done.send(Ok(applied));
        }
        if let Err(error) = kept {
            // The next group would leave a gap in the history.
            sequencer.fail(&format!("what the history has not written yet cannot be kept: {error}"));
            break;
        }
    }
    backlog.close();
}

/// Passes on to the history what it did not take at once, at its own pace.
async fn feed(backlog: Arc<Backlog<Batch>>, history: mpsc::Sender<Batch>, sequencer: Sequencer) {
    loop {
        match backlog.pop().await {
            Ok(Some(batch)) => {
                // When the server ends, no one reads any more.
                let _ = history.send(batch).await;
            }
            Ok(None) => return,
            Err(error) => return sequencer.fail(&format!("what the history has not written yet cannot be read: {error}")),
        }
    }
}

/// For the state being published.
fn mark_books(market_stats: &RwLock<MarketStats>, books: BTreeMap<MarketId, BookMark>) {
    if !books.is_empty() {
        market_stats.write().unwrap_or_else(PoisonError::into_inner).mark_books(books);
    }
}

/// For tests of what ends a blocked node: when this file names a step, that step never ends. A stalled step that applies, or waits for
/// commands, keeps the state locked; the watchdog ends the first and takes the second for an idle node.
#[cfg(debug_assertions)]
pub(super) fn stall(step: &str, block: impl FnOnce()) {
    static FILE: LazyLock<Option<OsString>> = LazyLock::new(|| std::env::var_os("MERIDIAN_TEST_STALL"));
    let Some(file) = &*FILE else { return };
    if std::fs::read_to_string(file).is_ok_and(|wanted| wanted == step) {
        block();
        loop {
            std::thread::park();
        }
    }
}

impl Writer {
    fn new(worker: Worker, runtime: &Handle) -> Result<Writer, String> {
        let Worker { sequencer, inbox, journal, head, node, clock, outlets, snapshot_every, snapshot, in_background } = worker;
        let Outlets { history, backlog, sockets, market_stats } = outlets;
        let shadow = Shadow::start(&sequencer, journal.snapshots(), head, snapshot, snapshot_every, backlog.clone())?;
        let (durable, groups) = mpsc::channel(GROUPS);
        let backlog = Arc::new(Backlog::new(backlog, "the history"));
        let (feeding, handing) =
            (feed(backlog.clone(), history.clone(), sequencer.clone()), hand_over(groups, history, backlog, sockets, sequencer.clone()));
        runtime.spawn(sequencer.clone().depend_on("what feeds the history", feeding));
        runtime.spawn(sequencer.clone().depend_on("what publishes durable entries", handing));
        let sealer = journal.sealer().map_err(|error| error.to_string())?;
        let intake = Intake::new(inbox, clock.clone(), sealer, &sequencer, in_background);
        Ok(Writer { sequencer, intake, journal, head, node, clock, market_stats, durable, shadow })
    }

    fn run(mut self) -> Result<(), String> {
        let mut ahead = None;
        loop {
            self.enter(Step::Idle);
            let group = if ahead.is_some() { ahead.take() } else { self.intake.next()? };
            if let Some(group) = group {
                ahead = self.write(group)?;
            }
            if let Some(ReadRequest { entries, done }) = self.intake.wanted() {
                self.enter(Step::Read);
                let part = self.journal.part(entries);
                let is_lost = matches!(part, Err(journal::Error::Late(_) | journal::Error::Store(_)));
                // A caller that no longer waits needs no answer.
                let _ = done.send(part);
                if is_lost {
                    // A commit would wait behind the lost read in the same session. The group sealed ahead was never sent.
                    ahead.take().into_iter().for_each(|ahead: Group| ahead.refuse(SubmitError::NotReady));
                    self.lead_again()?;
                }
            }
            let stop = if ahead.is_none() { self.intake.stopped() } else { None };
            if let Some(stopped) = stop {
                self.enter(Step::Snapshot);
                let Writer { journal, durable, mut shadow, .. } = self;
                let kept = journal.keep_lead();
                shadow.finish();
                // The history ends behind its last group.
                drop(durable);
                // A caller that no longer waits does not keep it.
                let _ = stopped.send(kept);
                return Ok(());
            }
        }
    }

    fn enter(&self, step: Step) {
        self.sequencer.progress.enter(step);
        #[cfg(debug_assertions)]
        stall(&format!("{step:?}"), || std::mem::forget(matches!(step, Step::Apply | Step::Idle).then(|| self.sequencer.state.write())));
    }

    /// Commits a group, publishes it and answers. Returns the next group if it was sealed meanwhile.
    fn write(&mut self, group: Group) -> Result<Option<Group>, String> {
        self.enter(Step::Commit);
        let (committed, ahead) = self.commit(&group);
        match committed {
            Ok(head) => {
                self.head = head;
                if let Some(time) = group.target {
                    self.intake.jumped_to(time);
                }
                self.publish(group, matches!(ahead, Ok(None)))?;
                return ahead;
            }
            Err(AppendError::Fenced) => return Err("another node leads this journal".to_owned()),
            Err(AppendError::NotWritten(why)) => {
                tracing::error!(why, "group not written");
                group.refuse(SubmitError::NotReady);
            }
            Err(AppendError::Unknown(why)) => {
                tracing::error!(why, "outcome of a group unknown");
                group.refuse(SubmitError::OutcomeUnknown);
            }
        }
        // A group sealed after one that may be missing is never committed.
        ahead?.into_iter().for_each(|ahead| ahead.refuse(SubmitError::NotReady));
        self.lead_again()?;
        Ok(None)
    }

    /// Commits. Only after a full group can more commands wait: then the next group is sealed at the same time, on another core if one is
    /// free. A smaller group took everything that waited, and the next one gathers until this one is durable.
    fn commit(&mut self, group: &Group) -> (Result<Head, AppendError>, Result<Option<Group>, String>) {
        let (journal, intake) = (&mut self.journal, &mut self.intake);
        if group.entries.len() < GROUP {
            return (journal.commit(&group.sealed), Ok(None));
        }
        rayon::join(|| journal.commit(&group.sealed), || intake.next_full(&group.entries))
    }

    /// Publishes a durable group. If nothing is sealed after it, the state ahead of the log is the new one; otherwise that one is too far
    /// ahead, and the entries are applied again.
    fn publish(&mut self, group: Group, is_last: bool) -> Result<(), String> {
        self.enter(Step::Apply);
        let Group { entries, made, waiting, .. } = group;
        let (listed, market_stats, books) =
            (&self.sequencer.listed, &self.market_stats, changed_books(made.iter().map(|(published, _)| published)));
        let follow = |engine: &Engine| {
            mark_books(market_stats, books);
            made.iter().for_each(|(published, _)| listed.follow(engine, std::slice::from_ref(published)));
        };
        if is_last {
            self.intake.ahead.publish(follow);
        } else {
            let mut engine = self.sequencer.state.write();
            entries.iter().for_each(|entry| replay::repeat(&mut engine, entry));
            follow(&engine);
        }
        let batch = self.hand_over(&entries, made, waiting)?;
        if is_last {
            self.intake.ahead.catch_up(&entries);
        }
        self.shadow.follow(self.head, entries, batch)
    }

    /// Applies entries that turned out to be in the journal, and publishes them.
    fn apply(&mut self, entries: &[Entry]) -> Result<Batch, String> {
        self.enter(Step::Apply);
        let made: Vec<Made> = {
            let mut engine = self.sequencer.state.write();
            let made: Vec<Made> = entries.iter().map(|entry| replay::apply_entry(&mut engine, entry)).collect();
            mark_books(&self.market_stats, changed_books(made.iter().map(|(published, _)| published)));
            made.iter().for_each(|(published, _)| self.sequencer.listed.follow(&engine, std::slice::from_ref(published)));
            made
        };
        self.hand_over(entries, made, Vec::new())
    }

    /// Hands over the events of published entries, with the answers to waiting callers.
    fn hand_over(&mut self, entries: &[Entry], made: Vec<Made>, waiting: Vec<Option<Answer>>) -> Result<Batch, String> {
        // These commands have no events of their own; their events come from work that fell due.
        let by_itself = |entry: &Entry| {
            matches!(entry.command, Command::Clock | Command::SandboxClock | Command::RecordState { .. } | Command::RecordLiabilities(_))
        };
        let passed: usize =
            entries.iter().zip(&made).filter(|(entry, _)| by_itself(entry)).map(|(_, (published, _))| published.events.len()).sum();
        self.sequencer.passed.fetch_add(passed as u64, Ordering::Relaxed);
        let (batch, outcomes): (Vec<_>, Vec<Outcome>) = made.into_iter().unzip();
        let batch: Batch = batch.into();
        let applied = |(place, (entry, outcome)): (usize, (&Entry, Outcome))| Applied {
            seq: entry.seq,
            time: entry.time,
            outcome,
            group: batch.clone(),
            place,
        };
        let applied = entries.iter().zip(outcomes).enumerate().map(applied);
        let answers = waiting.into_iter().zip(applied).filter_map(|(done, applied)| Some((done?, applied))).collect();
        self.market_stats.write().unwrap_or_else(PoisonError::into_inner).take(&batch);
        self.sequencer.progress.applied();
        self.enter(Step::HandOver);
        // The other end lives as long as the runtime, unless it panicked.
        let handed = self.durable.blocking_send(Durable { batch: batch.clone(), answers });
        handed.map_err(|_| "nobody publishes durable entries any more".to_owned())?;
        Ok(batch)
    }

    /// The way out of doubt: leads again, and applies what turned out to be in the journal.
    fn lead_again(&mut self) -> Result<(), String> {
        self.sequencer.leads.store(false, Ordering::Release);
        let (mut leads, mut jumped) = (false, false);
        loop {
            // Entered in every round, because `follow` enters steps of its own. Each call to the journal may be slow.
            self.enter(Step::Lead);
            let led = if leads { Ok(()) } else { self.journal.lead(&self.node, self.clock.wall_ms()).map(drop) };
            match led.and_then(|()| self.journal.read_after(self.head, 64)) {
                Ok(groups) if groups.is_empty() => break,
                Ok(groups) => {
                    leads = true;
                    jumped |= self.follow(&groups)?;
                }
                Err(
                    error @ (journal::Error::Fenced
                    | journal::Error::Damaged { .. }
                    | journal::Error::Held(_)
                    | journal::Error::Unsuitable(_)),
                ) => {
                    return Err(error.to_string());
                }
                Err(error) => {
                    tracing::error!(%error, "journal out of reach");
                    leads = false;
                    self.intake.refuse_all();
                    if self.intake.stopped().is_some() {
                        return Err("stopped while the journal was out of reach".to_owned());
                    }
                    std::thread::sleep(RETRY);
                }
            }
        }
        let sealer = self.journal.sealer().map_err(|error| error.to_string())?;
        self.intake.restart(sealer, self.sequencer.engine().time(), jumped);
        // A node that failed meanwhile does not lead again.
        if let Some(why) = self.sequencer.failure.borrow().clone() {
            return Err(why);
        }
        self.sequencer.leads.store(true, Ordering::Release);
        Ok(())
    }

    /// Applies and publishes groups that turned out to be in the journal. True if one has a sandbox clock.
    fn follow(&mut self, groups: &[journal::Group]) -> Result<bool, String> {
        let mut jumped = false;
        for group in groups {
            let entries = group.records.iter().map(replay::entry_of).collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
            let batch = self.apply(&entries)?;
            jumped |= entries.iter().any(|entry| entry.command == Command::SandboxClock);
            self.shadow.follow(group.head(), entries, batch)?;
            self.head = group.head();
        }
        Ok(jumped)
    }
}

#[cfg(test)]
mod tests;
