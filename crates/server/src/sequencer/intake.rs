//! What waits becomes a sealed group: each command gets its sequence and time, its bytes and its place in the chain.
//!
//! This needs neither the journal nor the engine, so the next group can be made while one commits.

use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use engine::LONGEST_CLOCK_STEP_MS;
use engine::command::{Command, Entry, Request};
use engine::ids::Seq;
use engine::time::Time;
use journal::{Sealed, Sealer};
use tokio::sync::oneshot;

use super::{Answer, Inbox, Job};
use crate::app::Clock;
use crate::background;
use crate::http::reply::refuse;
use crate::replay;
use crate::stamp::Stamp;

/// Commands of one group.
pub(super) const GROUP: usize = 512;
/// Before a group is sealed, threads that wait for a processor get it so often: what they bring shares the sync. On a machine with a
/// processor to spare nobody is waited for.
const YIELDS: usize = 2;
/// Behind a group of so many, more are on their way: the next one waits for them for this long instead. A sync costs as much for few.
const MANY: usize = 8;
const LINGER: Duration = Duration::from_micros(100);
/// A `Clock` entry is written when nothing else came for this long (T-2).
const IDLE: Duration = Duration::from_millis(250);

struct Waiting {
    command: Command,
    request: Option<Request>,
    /// Nobody waits for a `Clock`.
    done: Option<Answer>,
}

/// A group that is ready for the journal.
pub(super) struct Group {
    pub(super) entries: Vec<Entry>,
    /// Who waits for each entry.
    pub(super) waiting: Vec<Option<Answer>>,
    pub(super) sealed: Sealed,
    /// The instant that the sandbox clock of this group goes to.
    pub(super) target: Option<Time>,
}

impl Group {
    /// Tells everybody that the group is not applied, and why.
    pub(super) fn refuse(self, name: &'static str) {
        for done in self.waiting.into_iter().flatten() {
            // Who no longer waits has lost only the answer.
            let _ = done.send(Err(refuse(name)));
        }
    }
}

/// The end of the queue, and what gives an entry its place.
pub(super) struct Intake {
    inbox: Inbox,
    stamp: Stamp,
    sealer: Sealer,
    /// Time of the last sealed entry.
    last: Time,
    /// Commands of the last sealed group.
    sealed: usize,
    /// Taken from the queue for the next group.
    waiting: Vec<Waiting>,
    /// A sandbox clock that comes after them, as a group of its own.
    clock: Option<(Waiting, Time)>,
    /// Who waits for the end, after all of them.
    stop: Option<oneshot::Sender<()>>,
}

impl Intake {
    /// Begins where `sealer` begins; the entry before has the time `last`.
    pub(super) fn new(inbox: Inbox, clock: Arc<Clock>, sealer: Sealer, last: Time) -> Intake {
        Intake { inbox, stamp: Stamp::new(clock), sealer, last, sealed: 0, waiting: Vec::new(), clock: None, stop: None }
    }

    /// Everything that waits, or a `Clock` when nothing comes for a while. None at the end, and when what came was refused.
    ///
    /// # Errors
    /// When no entry can be made any more.
    pub(super) fn next(&mut self) -> Result<Option<Group>, String> {
        if self.waiting.is_empty() && self.clock.is_none() && self.stop.is_none() {
            match self.inbox.0.recv_timeout(IDLE) {
                Ok(job) => {
                    self.take(job);
                    if self.sealed >= MANY {
                        std::thread::sleep(LINGER);
                    } else if !background::is_busy() {
                        (0..YIELDS).for_each(|_| std::thread::yield_now());
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    self.waiting.push(Waiting { command: Command::Clock, request: None, done: None });
                }
            }
        }
        self.gather();
        if !self.waiting.is_empty() {
            let group = std::mem::take(&mut self.waiting);
            return self.seal(group, None);
        }
        let Some((clock, target)) = self.clock.take() else { return Ok(None) };
        if !self.is_ahead(target) {
            clock.done.into_iter().for_each(|done| drop(done.send(Err(refuse("E_TIME")))));
            return Ok(None);
        }
        self.seal(vec![clock], Some(target))
    }

    /// A group, if so many commands wait that it cannot grow any more.
    ///
    /// # Errors
    /// As for `next`.
    pub(super) fn next_full(&mut self) -> Result<Option<Group>, String> {
        self.gather();
        if self.waiting.len() < GROUP {
            return Ok(None);
        }
        let group = std::mem::take(&mut self.waiting);
        self.seal(group, None)
    }

    fn gather(&mut self) {
        while self.waiting.len() < GROUP && self.clock.is_none() && self.stop.is_none() {
            let Ok(job) = self.inbox.0.try_recv() else { break };
            self.take(job);
        }
    }

    fn take(&mut self, job: Job) {
        match job {
            Job::Command { command, request, at: None, done } => self.waiting.push(Waiting { command, request, done: Some(done) }),
            Job::Command { command, request, at: Some(target), done } => {
                self.clock = Some((Waiting { command, request, done: Some(done) }, target));
            }
            Job::Stop(stopped) => self.stop = Some(stopped),
        }
    }

    /// Who waits for the end, once nothing else waits.
    pub(super) fn stopped(&mut self) -> Option<oneshot::Sender<()>> {
        if self.waiting.is_empty() && self.clock.is_none() { self.stop.take() } else { None }
    }

    /// Refuses everything that waits.
    pub(super) fn refuse_all(&mut self) {
        loop {
            self.gather();
            let clock = self.clock.take().map(|(clock, _)| clock);
            let mut refused = self.waiting.drain(..).chain(clock).peekable();
            if refused.peek().is_none() {
                return;
            }
            refused.filter_map(|waiting| waiting.done).for_each(|done| drop(done.send(Err(refuse("E_NOT_READY")))));
        }
    }

    /// Begins anew: what was sealed so far is either written or never will be.
    pub(super) fn restart(&mut self, sealer: Sealer, last: Time) {
        (self.sealer, self.last) = (sealer, last);
        if last > self.stamp.now() {
            // A clock whose outcome was in doubt turned out to be in the log.
            self.stamp.jumped_to(last);
        }
    }

    /// A sandbox clock is in the log.
    pub(super) fn jumped_to(&mut self, time: Time) {
        self.stamp.jumped_to(time);
    }

    /// True if a sandbox clock may go to this instant.
    fn is_ahead(&mut self, target: Time) -> bool {
        target > self.last.max(self.stamp.now()) && target <= self.last.plus(LONGEST_CLOCK_STEP_MS)
    }

    /// Gives each command its sequence and time (a sandbox clock its target) and seals them.
    fn seal(&mut self, group: Vec<Waiting>, target: Option<Time>) -> Result<Option<Group>, String> {
        // Time never goes back (T-1).
        let time = self.last.max(target.unwrap_or_else(|| self.stamp.now()));
        let mut salts = vec![[0; 16]; group.len()];
        getrandom::fill(salts.as_flattened_mut()).map_err(|error| format!("no random salt: {error}"))?;
        let mut entries = Vec::with_capacity(group.len());
        let mut records = Vec::with_capacity(group.len());
        let mut waiting = Vec::with_capacity(group.len());
        for ((seq, Waiting { command, request, done }), salt) in (self.sealer.head().seq + 1..).zip(group).zip(salts) {
            let entry = Entry { seq: Seq(seq), time, request, command };
            records.push(replay::record_of(&entry, salt));
            entries.push(entry);
            waiting.push(done);
        }
        match self.sealer.seal(&records) {
            Ok(sealed) => {
                (self.last, self.sealed) = (time, entries.len());
                Ok(Some(Group { entries, waiting, sealed, target }))
            }
            Err(why) => {
                tracing::error!(%why, "group not sealed");
                waiting.into_iter().flatten().for_each(|done| drop(done.send(Err(refuse("E_NOT_READY")))));
                Ok(None)
            }
        }
    }
}
