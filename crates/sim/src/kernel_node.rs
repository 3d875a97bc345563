//! A node with the kernel's own writer: commands are applied ahead of the log while the journal syncs, and published once they are durable.
//!
//! The work is that of [`node`](crate::node). Every append waits until this side has looked at what a reader sees, and then decides what
//! happens to it. Commands that come while an append waits become the next group. What is written follows from the seed, but for the
//! entries that the writer makes on its own: clocks, and the states of snapshots.
//!
//! Checked at each append and after each round:
//! * The published state, byte for byte, is the one that a replay of the durable log gives; so are the events that the history receives.
//! * Nothing is answered before it is durable, and the answer is the one that the replay gives and that the model expects.
//! * Every answered command is in the log exactly once, and nothing else is, but for commands whose outcome is unknown.
//! * The invariants hold, and the snapshots of the shadow are the states of the log.

mod process;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use engine::Engine;
use engine::command::{Command, Entry, Request};
use engine::feature::Feature;
use engine::ids::MarketId;
use engine::published::Published;
use engine::reply::{FirstAnswer, Outcome};
use engine::time::Time;
use fastrand::Rng;
use journal::{Fault, Head, HeldAppends, Journal, MemoryDatabase};
use kernel::journal_clock::{Clock, Reading};
use kernel::replay;
use kernel::sequencer::{Applied, SubmitError};
use tokio::task::{JoinHandle, yield_now};

use crate::compare;
use crate::options::Options;
use crate::oracle::Oracle;
use crate::projection::Projection;
use crate::workload::Workload;
use process::{Known, Process, locked, start};

/// Uptime at the start, ms.
const UPTIME_MS: u64 = 1_000_000;
const START_MS: u64 = 1_767_225_600_000;
/// More commands than two full groups of the writer hold, so that it seals one group while another commits.
const MANY: usize = 1_100;
/// The first of them, which fill a group: each is written with the others.
const FILLING: usize = 600;
/// Entries of a full group.
const FULL: u64 = 512;
/// One seed in so many sends that many at once.
const MANY_IN: u64 = 4;
/// One seed in so many lets the writer be idle once, longer than it waits for commands.
const IDLE_IN: u64 = 16;
const IDLE: Duration = Duration::from_millis(350);
/// One command in so many makes the engine panic.
const POISON_IN: usize = 40;
/// Looks at the history after a stop.
const LAST_LOOKS: u32 = 50;
/// One append in so many is so slow that every caller leaves.
const LEFT_IN: usize = 30;

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Entries in the journal.
    pub entries: u64,
    /// Entries that the writer made on its own.
    pub own: u64,
    /// Appends, by what happened to them.
    pub appends: BTreeMap<String, u64>,
    /// Commands without an answer of the engine, by reason.
    pub unanswered: BTreeMap<String, u64>,
    /// Commands that the engine could not apply.
    pub poisoned: u64,
    /// Appends so slow that the callers left.
    pub left: u64,
    /// Appends of so many commands that the writer sealed the next group meanwhile.
    pub full: u64,
    /// Snapshots of the shadow that were compared.
    pub snapshots: u64,
    /// Starts after the first one.
    pub restarts: u64,
}

impl Report {
    /// Adds the figures of another run.
    pub fn add(&mut self, other: &Report) {
        self.entries += other.entries;
        self.own += other.own;
        self.poisoned += other.poisoned;
        self.left += other.left;
        self.full += other.full;
        self.snapshots += other.snapshots;
        self.restarts += other.restarts;
        for (name, count) in &other.appends {
            *self.appends.entry(name.clone()).or_default() += count;
        }
        for (name, count) in &other.unanswered {
            *self.unanswered.entry(name.clone()).or_default() += count;
        }
    }
}

/// Something to ask of the node.
struct Work {
    request: Option<Request>,
    command: Command,
    /// A sandbox clock goes to this instant, and these commands follow it at once.
    target: Option<(Time, Vec<Command>)>,
    is_poisoned: bool,
}

/// A command that was sent.
struct Asked {
    work: Work,
    task: JoinHandle<Result<Applied, SubmitError>>,
    answer: Option<Result<Applied, SubmitError>>,
}

/// What a reader of the durable log alone knows.
#[derive(Default)]
struct Log {
    engine: Engine,
    head: Option<Head>,
    entries: Vec<Entry>,
    made: Vec<(Published, Outcome)>,
    /// Hashes of the states at the ends of groups.
    states: BTreeMap<u64, [u8; 32]>,
    oracle: Oracle,
    projection: Projection,
}

struct Node {
    rng: Rng,
    options: Options,
    database: MemoryDatabase,
    held: HeldAppends,
    /// Milliseconds since the start.
    passed: Arc<AtomicU64>,
    clock: Arc<Clock>,
    process: Process,
    log: Log,
    known: Known,
    /// What the history received since the last comparison.
    received: Vec<Published>,
    /// Commands that reached the queue, or were refused before it.
    sent: Arc<AtomicU64>,
    /// Callers left in this round.
    is_left: bool,
    /// Entry of the last snapshot that was compared.
    compared: u64,
    /// The last entry that the history received, or that this process began behind.
    heard: u64,
    report: Report,
}

/// Runs the options of one seed.
///
/// # Errors
/// The first thing that differs.
pub fn run(options: &Options) -> Result<Report, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(|error| error.to_string())?;
    runtime.block_on(work(options))
}

async fn work(options: &Options) -> Result<Report, String> {
    let mut node = Node::new(options)?;
    let mut workload = Workload::new(options);
    let mut made = 0;
    let idles = options.seed.is_multiple_of(IDLE_IN);
    let mut many_at = if options.seed % MANY_IN == 3 { options.commands / 2 } else { usize::MAX };
    while made < options.commands {
        let group = match made {
            // Genesis is a group of its own, because nothing sensible can be generated before it is done.
            0 => 1,
            made if made >= many_at && node.log.engine.features() == Feature::ALL.len() => {
                many_at = usize::MAX;
                MANY
            }
            _ => node.rng.usize(1..=options.largest_group),
        };
        if idles && made == 1 {
            node.idle();
        }
        let first = node.log.entries.len() as u64 - node.report.own + 1;
        let work: Vec<(Work, Time)> =
            (0..group).map(|at| node.next(&mut workload, first + at as u64, group == MANY && at < FILLING)).collect();
        node.round(work).await?;
        made += group.min(options.largest_group);
        if node.one_in(options.restart_in) {
            node.stop().await?;
        }
    }
    node.stop().await?;
    node.report.entries = node.log.entries.len() as u64;
    Ok(std::mem::take(&mut node.report))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, the log says {expected:?}")) }
}

impl Node {
    fn new(options: &Options) -> Result<Node, String> {
        let database = MemoryDatabase::new();
        let passed: Arc<AtomicU64> = Arc::default();
        let source = passed.clone();
        let clock = Arc::new(Clock::new(move || {
            let passed = source.load(Ordering::Relaxed);
            Reading { wall_ms: START_MS + passed, uptime_ms: UPTIME_MS + passed }
        }));
        let (held, known, log) = (database.hold(), Known::default(), Log::default());
        let (process, _) = start(options.seed, &database, &clock, &known)?;
        let rng = Rng::with_seed(options.seed.wrapping_add(0x51ed_2701));
        let (options, received, report) = (options.clone(), Vec::new(), Report::default());
        let (sent, is_left, compared, heard) = (Arc::default(), false, 0, 0);
        Ok(Node { rng, options, database, held, passed, clock, process, log, known, received, sent, is_left, compared, heard, report })
    }

    fn one_in(&mut self, n: usize) -> bool {
        n > 0 && self.rng.usize(..n) == 0
    }

    /// The next command of the workload, with its time.
    fn next(&mut self, workload: &mut Workload, number: u64, is_filling: bool) -> (Work, Time) {
        let Entry { time, mut request, mut command, .. } = workload.next(number, &self.log.oracle, &self.log.engine);
        // The writer records states that are right. A wrong one ends every node that replays it.
        if matches!(command, Command::RecordState { seq, .. } if seq != self.log.engine.seq()) {
            command = Command::Clock;
        }
        let target = (command == Command::SandboxClock && !self.options.live && !is_filling && self.rng.bool()).then(|| {
            let released = Command::SandboxFeed { market: MarketId(1), halt: false };
            (time, if self.rng.bool() { vec![released] } else { Vec::new() })
        });
        // Such a clock has no key.
        request = request.filter(|_| target.is_none());
        let is_poisoned = cfg!(debug_assertions) && command.may_repeat() && target.is_none() && !is_filling && self.one_in(POISON_IN);
        if is_poisoned {
            request = Some(Request { key: POISON, content: 0 });
        }
        (Work { request, command, target, is_poisoned }, time)
    }

    /// Asks for nothing until the writer makes a clock entry on its own; the next round decides on its commit.
    fn idle(&self) {
        self.process.sequencer.need_time();
        std::thread::sleep(IDLE);
    }

    /// Lets time pass up to this instant.
    fn pass(&self, time: Time) {
        self.passed.fetch_add(time.0.saturating_sub(self.clock.now_ms()), Ordering::Relaxed);
    }

    /// Sends the first command alone, and the others while its append waits.
    async fn round(&mut self, work: Vec<(Work, Time)>) -> Result<(), String> {
        let before = self.log.entries.len();
        let mut asked: Vec<Asked> = Vec::new();
        let mut rest = work.into_iter();
        let mut may_leave = true;
        self.ask(&mut asked, rest.next());
        loop {
            yield_now().await;
            self.collect(&mut asked).await;
            if let Some(seq) = self.held.next() {
                let sent = self.sent.load(Ordering::Relaxed) + rest.len() as u64;
                rest.by_ref().for_each(|work| self.ask(&mut asked, Some(work)));
                while self.sent.load(Ordering::Relaxed) < sent {
                    yield_now().await;
                }
                self.collect(&mut asked).await;
                self.look(&asked)?;
                self.decide(seq, &mut asked, may_leave).await?;
            } else if asked.iter().all(|asked| asked.answer.is_some()) {
                match rest.next() {
                    Some(next) => self.ask(&mut asked, Some(next)),
                    // What nobody waits for may still be on its way. This one comes after all of it.
                    None if std::mem::take(&mut self.is_left) && self.failure().is_none() => {
                        may_leave = false;
                        let clock = Work { request: None, command: Command::Clock, target: None, is_poisoned: false };
                        self.ask(&mut asked, Some((clock, Time(0))));
                    }
                    None => break,
                }
            }
            if self.failure().is_some() {
                rest.by_ref().for_each(drop);
            }
            std::thread::yield_now();
        }
        self.look(&asked)?;
        self.account(before, &asked)?;
        match self.failure() {
            Some(why) if why.contains("another node leads") => self.restart(),
            Some(why) => Err(format!("the node failed: {why}")),
            None => self.snapshots(),
        }
    }

    fn ask(&mut self, asked: &mut Vec<Asked>, work: Option<(Work, Time)>) {
        let Some((work, time)) = work else { return };
        let (sequencer, command, request, target) =
            (self.process.sequencer.clone(), work.command.clone(), work.request, work.target.clone());
        if target.is_none() {
            self.pass(time);
        }
        let sent = self.sent.clone();
        let task = tokio::spawn(async move {
            // It reaches the queue before it waits for the first time.
            sent.fetch_add(1, Ordering::Relaxed);
            match target {
                Some((time, then)) => sequencer.advance(time, then).await,
                None => sequencer.submit(command, request).await,
            }
        });
        asked.push(Asked { work, task, answer: None });
    }

    /// Takes the answers, and what the history received.
    async fn collect(&mut self, asked: &mut [Asked]) {
        for asked in asked.iter_mut().filter(|asked| asked.answer.is_none() && asked.task.is_finished()) {
            asked.answer = Some((&mut asked.task).await.unwrap_or(Err(SubmitError::OutcomeUnknown)));
        }
        while let Ok(batch) = self.process.history.try_recv() {
            for published in batch.iter() {
                let first = published.answer.as_deref().and_then(FirstAnswer::from_bytes);
                locked(&self.known).extend(first.map(|first| (published.seq.0, first)));
                self.received.push(published.clone());
            }
        }
    }

    fn failure(&self) -> Option<String> {
        locked(&self.process.failure).clone()
    }

    /// Compares what everyone sees with the durable log. Called while the writer is idle, or waits with an append that is not in the log.
    fn look(&mut self, asked: &[Asked]) -> Result<(), String> {
        self.follow()?;
        let end = self.log.engine.seq();
        if self.failure().is_none() {
            let published = self.process.sequencer.engine();
            same("the published state is the one after entry", published.seq(), end)?;
            same("the published state", published.state_hash(), self.log.engine.state_hash())?;
            // A group that was found in the log after doubt is handed over a moment after it is published.
            let newest = self.process.sequencer.newest();
            if newest > end.0 {
                return Err(format!("entry {newest} is said to be readable, the log ends at {}", end.0));
            }
            same("time", published.time(), self.log.engine.time())?;
        }
        for published in self.received.drain(..) {
            let made = self.log.made.get(at(published.seq.0)).map(|(made, _)| made);
            same("the history received", Some(&published), made)?;
            same("the history received entry", published.seq.0, self.heard + 1)?;
            self.heard = published.seq.0;
        }
        let early = asked.iter().filter_map(|asked| asked.answer.as_ref()?.as_ref().ok()).find(|applied| applied.seq > end);
        early.map_or(Ok(()), |applied| Err(format!("entry {} was answered and is not in the log", applied.seq.0)))
    }

    /// Says what happens to the waiting append, and waits until the writer is done with it.
    async fn decide(&mut self, seq: u64, asked: &mut [Asked], may_leave: bool) -> Result<(), String> {
        let faults = [Fault::Refused, Fault::AnswerLost, Fault::CommitLost, Fault::Unsynced, Fault::Crash, Fault::Deposed];
        let fault = if self.one_in(self.options.fault_in) { faults[self.rng.usize(..faults.len())] } else { Fault::None };
        if self.one_in(LEFT_IN) && may_leave {
            self.report.left += 1;
            self.is_left = true;
            for asked in asked.iter_mut().filter(|asked| asked.answer.is_none()) {
                asked.task.abort();
                asked.answer = Some(Err(SubmitError::OutcomeUnknown));
            }
        }
        *self.report.appends.entry(format!("{fault:?}")).or_default() += 1;
        self.report.full += u64::from(seq - self.log.engine.seq().0 >= FULL);
        let epoch = self.database.epoch();
        self.held.decide(fault);
        loop {
            let sequencer = &self.process.sequencer;
            let is_done = match fault {
                Fault::None => sequencer.newest() >= seq,
                // It never leads again, and fails.
                Fault::Deposed => false,
                // It leads again under a new lease.
                _ => self.database.epoch() > epoch && sequencer.leads(),
            };
            if is_done || self.failure().is_some() {
                return Ok(());
            }
            yield_now().await;
            self.collect(asked).await;
            std::thread::yield_now();
        }
    }

    /// Reads what is new in the durable log, and compares it with the model.
    fn follow(&mut self) -> Result<(), String> {
        let Log { engine, head, entries, made, states, oracle, projection } = &mut self.log;
        let mut journal = Journal::memory(&self.database).map_err(|error| error.to_string())?;
        loop {
            let groups = journal.read_after(head.unwrap_or(Head::GENESIS), 16).map_err(|error| error.to_string())?;
            if groups.is_empty() {
                return Ok(());
            }
            for group in groups {
                *head = Some(group.head());
                for record in &group.records {
                    let entry = replay::entry_of(record).map_err(|error| error.to_string())?;
                    let here = |what: String| format!("entry {} {:?} {:?}\n{what}", entry.seq.0, entry.request, entry.command);
                    let (published, mut outcome) = replay::apply_entry(engine, &entry);
                    let first = published.answer.as_deref().and_then(FirstAnswer::from_bytes);
                    locked(&self.known).extend(first.map(|first| (entry.seq.0, first)));
                    if let Some(first) = outcome.is_answered_by() {
                        let first = locked(&self.known).get(&first.0).cloned();
                        outcome.complete(first.ok_or_else(|| here("it has no first answer".to_owned()))?);
                    }
                    let answer = oracle.apply(&entry);
                    let seen = projection.apply(&published.events).map_err(here)?;
                    compare::answers(&outcome, &published.events, &seen, &answer).map_err(here)?;
                    made.push((published, outcome));
                    entries.push(entry);
                }
                engine.check_invariants()?;
                compare::states(engine, oracle)?;
                states.insert(engine.seq().0, engine.state_hash());
            }
        }
    }

    /// Every answered command is in the log exactly once, and every entry is one that was asked for.
    fn account(&mut self, before: usize, asked: &[Asked]) -> Result<(), String> {
        let mut claimed = BTreeSet::new();
        let is = |entry: &Entry, work: &Work| (entry.request, &entry.command) == (work.request, &work.command);
        for Asked { work, answer, .. } in asked {
            let applied = match answer {
                Some(Ok(applied)) => applied,
                Some(Err(why)) => {
                    self.report.poisoned += u64::from(work.is_poisoned && *why == SubmitError::Internal);
                    if *why == SubmitError::Internal && !work.is_poisoned {
                        return Err(format!("the engine cannot apply {:?}", work.command));
                    }
                    *self.report.unanswered.entry(format!("{why:?}")).or_default() += 1;
                    continue;
                }
                None => return Err(format!("{:?} was never answered", work.command)),
            };
            let seq = applied.seq.0;
            let (Some(entry), Some((published, outcome))) = (self.log.entries.get(at(seq)), self.log.made.get(at(seq))) else {
                return Err(format!("entry {seq} was answered and is not in the log"));
            };
            if at(seq) < before || !is(entry, work) || work.is_poisoned {
                return Err(format!("{:?} was answered as entry {seq}, which is {entry:?}", work.command));
            }
            if !claimed.insert(seq) {
                return Err(format!("entry {seq} answered two commands"));
            }
            let told = Outcome { in_history: None, ..applied.outcome.clone() };
            same(&format!("the answer of entry {seq}"), (&told, applied.events()), (outcome, &published.events[..]))?;
        }
        let unknown = |asked: &&Asked| matches!(asked.answer, Some(Err(SubmitError::OutcomeUnknown))) && !asked.work.is_poisoned;
        let mut unknown: Vec<&Work> = asked.iter().filter(unknown).map(|asked| &asked.work).collect();
        let then = asked.iter().filter(|asked| matches!(asked.answer, Some(Ok(_) | Err(SubmitError::OutcomeUnknown))));
        let mut then: Vec<&Command> = then.flat_map(|asked| asked.work.target.iter().flat_map(|(_, then)| then)).collect();
        for entry in self.log.entries.iter().skip(before).filter(|entry| !claimed.contains(&entry.seq.0)) {
            if let Some(at) = unknown.iter().position(|work| is(entry, work)) {
                unknown.swap_remove(at);
            } else if let Some(at) = then.iter().position(|command| **command == entry.command) {
                then.swap_remove(at);
            } else if matches!(entry.command, Command::Clock | Command::RecordState { .. }) && entry.request.is_none() {
                self.report.own += 1;
            } else {
                return Err(format!("it is in the log, and whoever asked for it was told otherwise: {entry:?}"));
            }
        }
        Ok(())
    }

    /// Compares the newest snapshot with the state that the log gives.
    fn snapshots(&mut self) -> Result<(), String> {
        let text = |error: journal::Error| error.to_string();
        let Some(kept) = Journal::memory(&self.database).map_err(text)?.snapshot(u64::MAX).map_err(text)? else { return Ok(()) };
        if std::mem::replace(&mut self.compared, kept.head.seq) == kept.head.seq {
            return Ok(());
        }
        self.report.snapshots += 1;
        let state = Some(&kept.state_hash);
        same(&format!("the snapshot of entry {}", kept.head.seq), state, self.log.states.get(&kept.head.seq))
    }

    /// The process ends in order, and another one starts from the snapshot that it left.
    async fn stop(&mut self) -> Result<(), String> {
        let (before, sequencer) = (self.log.entries.len(), self.process.sequencer.clone());
        let mut stopping = tokio::spawn(async move { sequencer.stop().await });
        while !stopping.is_finished() {
            yield_now().await;
            self.collect(&mut []).await;
            if self.held.next().is_some() {
                self.look(&[])?;
                self.held.decide(Fault::None);
            }
            std::thread::yield_now();
        }
        drop((&mut stopping).await);
        self.follow()?;
        // The last groups are on their way to the history.
        for _ in 0..LAST_LOOKS {
            yield_now().await;
            self.collect(&mut []).await;
            self.look(&[])?;
        }
        same("the last entry that the history received", self.heard, self.log.engine.seq().0)?;
        self.account(before, &[])?;
        if let Some(why) = self.failure() {
            return Err(format!("the node failed: {why}"));
        }
        let text = |error: journal::Error| error.to_string();
        let kept = Journal::memory(&self.database).map_err(text)?.snapshot(u64::MAX).map_err(text)?;
        let kept = kept.ok_or("a node that stops saves its state")?;
        same("the last snapshot is of entry", kept.head, self.log.head.unwrap_or(Head::GENESIS))?;
        if kept.bytes != self.log.engine.snapshot() {
            return Err(format!("I-10: the shadow's state of entry {} is not that of a replay", kept.head.seq));
        }
        self.snapshots()?;
        self.restart()
    }

    /// A new process over the same database.
    fn restart(&mut self) -> Result<(), String> {
        self.report.restarts += 1;
        (self.received, self.heard) = (Vec::new(), self.log.engine.seq().0);
        let (process, began) = start(self.options.seed, &self.database, &self.clock, &self.known)?;
        self.process = process;
        same("I-10: a start gives the state", began, self.log.engine.state_hash())
    }
}

/// The place of an entry among all.
fn at(seq: u64) -> usize {
    usize::try_from(seq).unwrap_or_default().wrapping_sub(1)
}

#[cfg(debug_assertions)]
use kernel::sequencer::POISON;
#[cfg(not(debug_assertions))]
const POISON: u128 = 0;
