//! Turns waiting commands into a sealed group: each command gets its sequence, its time, its bytes and its place in the chain.
//!
//! Each command is first applied to the state ahead of the log, and refused if the engine cannot apply it. This needs neither the journal
//! nor the published state, so the next group can be built while one commits.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use engine::LONGEST_CLOCK_STEP_MS;
use engine::command::{Command, Entry, Request};
use engine::ids::Seq;
use engine::time::Time;
use journal::{KeptLead, Sealed, Sealer};
use tokio::sync::oneshot;

use super::ahead::{Ahead, Made};
use super::progress::{Progress, Step};
use super::{Answer, Inbox, Job, ReadRequest, Sequencer, SubmitError};
use crate::journal_clock::Clock;
use crate::replay;

/// Commands of one group.
pub(super) const GROUP: usize = 512;
/// How often waiting threads are given the processor before a group is sealed: the commands they bring share the sync. With a processor to
/// spare there is no waiting.
const YIELDS: usize = 2;
/// After a group of this size more commands are likely on their way: the next group waits this long for them instead. A sync costs as much
/// for few.
const MANY: usize = 8;
const LINGER: Duration = Duration::from_micros(250);
/// A `Clock` entry is written after this long without another entry (T-2), and earlier when a reader needs the time, which is checked at
/// this interval.
const IDLE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(250);
/// Clock entries behind the commands of each group, which settle a backlog of due work: an order waits for the slices of at most two
/// groups.
const SLICES: usize = 2;

struct Waiting {
    command: Command,
    request: Option<Request>,
    /// Absent for the server's own commands.
    done: Option<Answer>,
}

impl Waiting {
    fn clock() -> Waiting {
        Waiting { command: Command::Clock, request: None, done: None }
    }
}

/// A sandbox clock, and commands at that very instant.
struct Advance {
    target: Time,
    then: Vec<Command>,
    done: Answer,
}

/// A group ready for the journal.
pub(super) struct Group {
    pub(super) entries: Vec<Entry>,
    /// The events of each entry, published once it is durable.
    pub(super) made: Vec<Made>,
    /// The waiting caller of each entry.
    pub(super) waiting: Vec<Option<Answer>>,
    pub(super) sealed: Sealed,
    /// The target instant of this group's sandbox clock.
    pub(super) target: Option<Time>,
}

impl Group {
    /// Answers every caller that the group was not applied, and why.
    pub(super) fn refuse(self, why: SubmitError) {
        for done in self.waiting.into_iter().flatten() {
            // A caller that no longer waits loses only the answer.
            let _ = done.send(Err(why));
        }
    }
}

/// The receiving end of the queue, and the sealer that places entries.
pub(super) struct Intake {
    inbox: Inbox,
    time: Arc<Clock>,
    sealer: Sealer,
    pub(super) ahead: Ahead,
    /// True while background work holds a processor.
    in_background: fn() -> bool,
    /// A reader needs the time.
    time_needed: Arc<AtomicBool>,
    progress: Arc<Progress>,
    /// Time of the last sealed entry.
    last: Time,
    /// When it was sealed.
    last_at: Instant,
    /// Commands of the last sealed group.
    sealed: usize,
    /// The engine could apply nothing of the last group: it is not retried at once.
    stuck: bool,
    /// Taken from the queue for the next group.
    waiting: Vec<Waiting>,
    /// A sandbox clock that comes after them, as its own group.
    clock: Option<Advance>,
    /// Readers of the log itself, in their order.
    wanted: VecDeque<ReadRequest>,
    /// The caller that waits for the end, after all of them.
    stop: Option<oneshot::Sender<KeptLead>>,
}

impl Intake {
    /// Starts where `sealer` and the published state are.
    pub(super) fn new(inbox: Inbox, clock: Arc<Clock>, sealer: Sealer, sequencer: &Sequencer, in_background: fn() -> bool) -> Intake {
        // A new leader writes at once, so that nodes waiting for the lease see it alive. Nothing may come before genesis.
        if sealer.head().seq > 0 {
            sequencer.need_time();
        }
        Intake {
            inbox,
            time: clock,
            sealer,
            ahead: Ahead::new(sequencer.state.clone()),
            in_background,
            time_needed: sequencer.time_needed.clone(),
            progress: sequencer.progress.clone(),
            last: sequencer.engine().time(),
            last_at: Instant::now(),
            sealed: 0,
            stuck: false,
            waiting: Vec::new(),
            clock: None,
            wanted: VecDeque::new(),
            stop: None,
        }
    }

    /// Everything that waits, or a `Clock` when one is due. `None` when there is nothing to write yet, and at the end.
    ///
    /// # Errors
    /// When no more entries can be made, or the clock cannot be trusted.
    pub(super) fn next(&mut self) -> Result<Option<Group>, String> {
        if let Some(fault) = self.time.fault() {
            return Err(format!("{fault}: this node gives up the lead"));
        }
        if self.waiting.is_empty() && self.clock.is_none() && self.stop.is_none() {
            // A request for a part of the log must not wait for a command to arrive.
            let patience = if self.wanted.is_empty() { self.patience() } else { Duration::ZERO };
            match self.inbox.0.recv_timeout(patience) {
                Ok(job) => {
                    self.take(job);
                    if self.sealed >= MANY {
                        std::thread::sleep(LINGER);
                    } else if !(self.in_background)() {
                        (0..YIELDS).for_each(|_| std::thread::yield_now());
                    }
                }
                Err(_) if self.is_time() => self.waiting.push(Waiting::clock()),
                Err(_) => return Ok(None),
            }
        }
        self.gather();
        self.progress.enter(Step::Seal);
        if !self.waiting.is_empty() {
            let group = std::mem::take(&mut self.waiting);
            return self.seal(group, None, &[]);
        }
        let Some(Advance { target, then, done }) = self.clock.take() else { return Ok(None) };
        if !self.is_ahead(target) {
            drop(done.send(Err(SubmitError::Time)));
            return Ok(None);
        }
        let clock = Waiting { command: Command::SandboxClock, request: None, done: Some(done) };
        let then = then.into_iter().map(|command| Waiting { command, request: None, done: None });
        self.seal(std::iter::once(clock).chain(then).collect(), Some(target), &[])
    }

    /// How long to wait for the next command: a clock comes at the very instant at which work falls due (T-2).
    fn patience(&self) -> Duration {
        match self.ahead.next_due() {
            Some(due) if !self.stuck => LOOK.min(Duration::from_millis(due.since(self.next_time()))),
            Some(_) | None => LOOK,
        }
    }

    /// True if nothing was written for long, work falls due, or a reader needs the time.
    fn is_time(&self) -> bool {
        let due = self.ahead.next_due().is_some_and(|due| due <= self.next_time());
        self.time_needed.swap(false, Ordering::Relaxed) || due || self.last_at.elapsed() >= IDLE
    }

    /// A group to follow these unpublished entries, if so many commands wait that it cannot grow any more.
    ///
    /// # Errors
    /// As for `next`.
    pub(super) fn next_full(&mut self, behind: &[Entry]) -> Result<Option<Group>, String> {
        self.gather();
        if self.waiting.len() < GROUP {
            return Ok(None);
        }
        let group = std::mem::take(&mut self.waiting);
        self.seal(group, None, behind)
    }

    fn gather(&mut self) {
        while self.waiting.len() < GROUP && self.clock.is_none() && self.stop.is_none() {
            let Ok(job) = self.inbox.0.try_recv() else { break };
            self.take(job);
        }
    }

    fn take(&mut self, job: Job) {
        match job {
            // The caller was told that the outcome is unknown, or is gone, so the command is dropped.
            Job::Command { done: Some(done), .. } if done.is_closed() => {}
            Job::Command { command, request, done } => self.waiting.push(Waiting { command, request, done }),
            Job::Advance { done, .. } if done.is_closed() => {}
            Job::Advance { target, then, done } => self.clock = Some(Advance { target, then, done }),
            Job::Read(wanted) => self.wanted.push_back(wanted),
            Job::Stop(stopped) => self.stop = Some(stopped),
        }
    }

    /// The next reader that still waits for a part of the log; callers that hung up are skipped.
    pub(super) fn wanted(&mut self) -> Option<ReadRequest> {
        while let Some(wanted) = self.wanted.pop_front() {
            if !wanted.done.is_closed() {
                return Some(wanted);
            }
        }
        None
    }

    /// The caller that waits for the end, once nothing else waits.
    pub(super) fn stopped(&mut self) -> Option<oneshot::Sender<KeptLead>> {
        if self.waiting.is_empty() && self.clock.is_none() { self.stop.take() } else { None }
    }

    /// Refuses everything that waits.
    pub(super) fn refuse_all(&mut self) {
        loop {
            self.gather();
            let clock = self.clock.take().map(|clock| Some(clock.done));
            let mut refused = self.waiting.drain(..).map(|waiting| waiting.done).chain(clock).peekable();
            if refused.peek().is_none() {
                return;
            }
            refused.flatten().for_each(|done| drop(done.send(Err(SubmitError::NotReady))));
        }
    }

    /// Restarts at the published state: everything sealed so far is in it or never will be. `jumped`: a sandbox clock whose outcome was
    /// unknown turned out to be in the log.
    pub(super) fn restart(&mut self, sealer: Sealer, last: Time, jumped: bool) {
        (self.sealer, self.last) = (sealer, last);
        self.ahead.rebuild([].iter());
        // Without one the wall clock is a little behind, and catches up.
        if jumped && last > self.now() {
            self.time.jumped_to(last);
        }
    }

    /// Notes that a sandbox clock is in the log.
    pub(super) fn jumped_to(&mut self, time: Time) {
        self.time.jumped_to(time);
    }

    fn now(&self) -> Time {
        Time(self.time.now_ms())
    }

    /// The time of the next entry, which never goes back (T-1).
    fn next_time(&self) -> Time {
        self.last.max(self.now())
    }

    /// True if a sandbox clock may go to this instant.
    fn is_ahead(&mut self, target: Time) -> bool {
        target > self.next_time() && target <= self.last.plus(LONGEST_CLOCK_STEP_MS)
    }

    /// Gives each command its sequence and time (a sandbox clock its target), applies it ahead of the log and seals what could be applied.
    /// Clocks follow while work is due. `behind`: sealed entries that are not published yet.
    fn seal(&mut self, group: Vec<Waiting>, target: Option<Time>, behind: &[Entry]) -> Result<Option<Group>, String> {
        let time = target.map_or_else(|| self.next_time(), |target| self.last.max(target));
        let mut salts = vec![[0; 16]; group.len()];
        getrandom::fill(salts.as_flattened_mut()).map_err(|error| format!("no random salt: {error}"))?;
        let mut entries = Vec::with_capacity(group.len());
        let mut made = Vec::with_capacity(group.len());
        let mut records = Vec::with_capacity(group.len());
        let mut waiting = Vec::with_capacity(group.len());
        let mut seq = self.sealer.head().seq + 1;
        // A clock entry has no private part, so it needs no salt.
        let clocks = std::iter::repeat_with(|| (Waiting::clock(), [0; 16])).take(SLICES);
        for (place, (Waiting { command, request, done }, salt)) in (0..).zip(group.into_iter().zip(salts.iter().copied()).chain(clocks)) {
            if place >= salts.len() && !self.ahead.has_backlog() {
                break;
            }
            let entry = Entry { seq: Seq(seq), time, request, command };
            let record = replay::record_of(&entry, salt);
            let Some(facts) = self.ahead.apply(&entry) else {
                tracing::error!(kind = record.kind, seq, "the engine cannot apply a command of this kind: refused");
                done.into_iter().for_each(|done| drop(done.send(Err(SubmitError::Internal))));
                self.ahead.rebuild(behind.iter().chain(&entries));
                continue;
            };
            records.push(record);
            entries.push(entry);
            made.push(facts);
            waiting.push(done);
            seq += 1;
        }
        self.stuck = entries.is_empty();
        if self.stuck {
            return Ok(None);
        }
        match self.sealer.seal(&records) {
            Ok(sealed) => {
                (self.last, self.last_at, self.sealed) = (time, Instant::now(), entries.len());
                Ok(Some(Group { entries, made, waiting, sealed, target }))
            }
            Err(why) => {
                tracing::error!(%why, "group not sealed");
                waiting.into_iter().flatten().for_each(|done| drop(done.send(Err(SubmitError::NotReady))));
                self.ahead.rebuild(behind.iter());
                Ok(None)
            }
        }
    }
}
