//! What the writer is doing and since when, and the watchdog that monitors it.
//!
//! Waiting for the journal is not the writer's own fault and may take long: it is logged. If a durable group does not reach the state, or
//! its answers do not leave, something is blocked for good. This node then exits, because a restart can recover and a blocked node cannot.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Interval of the watchdog's checks.
const LOOK: Duration = Duration::from_millis(250);
/// Checks that find the same step before it is logged; then it is logged again at the same interval.
const LOGGED: u32 = 8;
const LOGGED_AGAIN: u32 = 40;
/// Checks that find the same own step before the node ends: 5 s. They are counted, not timed, so the time during which a process was
/// suspended does not count.
const ENDED: u32 = 20;

/// What the writer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Waits for commands.
    Idle,
    /// Applies a group ahead of the log and seals it.
    Seal,
    /// Waits until the journal has made a group durable.
    Commit,
    /// Applies a durable group to the state, waiting until it has no readers.
    Apply,
    /// Hands the answers of a group to the runtime.
    HandOver,
    /// Reads a part of the log for a caller.
    Read,
    /// Asks the journal for the outcome of a group, and leads again.
    Lead,
    /// Waits at the end until the shadow has saved the state beside the journal.
    Snapshot,
    /// Has ended.
    End,
}

impl Step {
    const ALL: [Step; 9] =
        [Step::Idle, Step::Seal, Step::Commit, Step::Apply, Step::HandOver, Step::Read, Step::Lead, Step::Snapshot, Step::End];

    fn number(self) -> u64 {
        Step::ALL.iter().zip(0..).find(|(step, _)| **step == self).map_or(0, |(_, number)| number)
    }

    /// What a long step waits for.
    fn waits_for(self) -> &'static str {
        match self {
            Step::Idle | Step::End => "nothing",
            Step::Seal => "the engine, which is not done with a command",
            Step::Commit => "the journal to make a group durable",
            Step::Apply => "the state, which somebody reads and does not give back, or its own work on it",
            Step::HandOver => "the threads that answer",
            Step::Read => "the journal to be read",
            Step::Lead => "the journal to say what became of a group",
            Step::Snapshot => "a snapshot",
        }
    }

    /// True if a long step is a fault of this process.
    fn is_own(self) -> bool {
        matches!(self, Step::Seal | Step::Apply | Step::HandOver)
    }
}

/// Shared by the writer, the watchdog and readiness.
#[derive(Debug)]
pub(super) struct Progress {
    began: Instant,
    /// Changes of step, times the number of steps, plus the present one: entering the same step again gives a different number.
    step: AtomicU64,
    /// When a durable group was last applied, ms after `began`, plus one; 0 for never.
    applied: AtomicU64,
}

impl Default for Progress {
    fn default() -> Progress {
        Progress { began: Instant::now(), step: AtomicU64::new(0), applied: AtomicU64::new(0) }
    }
}

impl Progress {
    /// Records that the writer begins a step.
    pub(super) fn enter(&self, step: Step) {
        let steps = u64::try_from(Step::ALL.len()).unwrap_or(u64::MAX);
        let count = (self.step.load(Ordering::Relaxed) / steps).wrapping_add(1);
        // Only the writer writes it.
        self.step.store(count.wrapping_mul(steps).wrapping_add(step.number()), Ordering::Relaxed);
    }

    /// The present step, and a number that differs for each step ever entered.
    fn now(&self) -> (Step, u64) {
        let entered = self.step.load(Ordering::Relaxed);
        let number = usize::try_from(entered).unwrap_or_default() % Step::ALL.len();
        (Step::ALL.get(number).copied().unwrap_or(Step::Idle), entered)
    }

    /// Records that a durable group is in the state.
    pub(super) fn applied(&self) {
        self.applied.store(self.passed().saturating_add(1), Ordering::Relaxed);
    }

    /// True if a durable group was applied within this time.
    pub(super) fn applied_within(&self, time: Duration) -> bool {
        let applied = self.applied.load(Ordering::Relaxed);
        let since = self.passed().saturating_add(1).saturating_sub(applied);
        applied > 0 && u128::from(since) <= time.as_millis()
    }

    fn passed(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Starts the watchdog. It calls `end` with the reason, once, when the writer is stuck in a step of its own; it ends with the writer.
///
/// # Errors
/// When the system gives no thread.
pub(super) fn watch(progress: Arc<Progress>, end: impl FnOnce(&str) + Send + 'static) -> std::io::Result<()> {
    let look = move || {
        let (mut before, mut looks) = (0, 0_u32);
        loop {
            thread::sleep(LOOK);
            let (step, entered) = progress.now();
            looks = if entered == before { looks.saturating_add(1) } else { 0 };
            before = entered;
            match step {
                Step::End => return,
                Step::Idle => {}
                step if step.is_own() && looks >= ENDED => {
                    return end(&format!(
                        "a group is not applied after {} s: the sequencer waits for {}",
                        seconds(looks),
                        step.waits_for()
                    ));
                }
                step if looks == LOGGED || (looks > 0 && looks.is_multiple_of(LOGGED_AGAIN)) => {
                    tracing::warn!(seconds = seconds(looks), "the sequencer waits for {}", step.waits_for());
                }
                _ => {}
            }
        }
    };
    thread::Builder::new().name("watchdog".to_owned()).spawn(look).map(drop)
}

fn seconds(looks: u32) -> u64 {
    LOOK.saturating_mul(looks).as_secs()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn watched(step: Step) -> (Arc<Progress>, mpsc::Receiver<String>) {
        let (progress, (told, reason)) = (Arc::new(Progress::default()), mpsc::channel());
        progress.enter(step);
        watch(progress.clone(), move |why| told.send(why.to_owned()).unwrap()).unwrap();
        (progress, reason)
    }

    #[test]
    fn a_group_that_is_not_applied_ends_the_node_with_the_reason() {
        let (_progress, reason) = watched(Step::Apply);
        let reason = reason.recv_timeout(Duration::from_secs(30)).expect("the watchdog ends the node");
        assert!(reason.contains("not applied after 5 s") && reason.contains("the state, which somebody reads"), "{reason}");
    }

    #[test]
    fn a_slow_journal_and_steps_that_change_end_nothing() {
        let (waiting, first) = watched(Step::Commit);
        let (reading, third) = watched(Step::Read);
        let (busy, second) = watched(Step::Apply);
        for _ in 0..14 {
            thread::sleep(Duration::from_millis(500));
            busy.enter(Step::Apply);
        }
        for (progress, reason) in [(waiting, first), (reading, third), (busy, second)] {
            progress.enter(Step::End);
            assert!(reason.recv().is_err(), "the watchdog ends with the writer and says nothing");
        }
    }

    #[test]
    fn readiness_is_fresh_for_as_long_as_asked_and_not_before_the_first_group() {
        let progress = Progress::default();
        assert!(!progress.applied_within(Duration::MAX));
        progress.applied();
        assert!(progress.applied_within(Duration::from_secs(60)));
        thread::sleep(Duration::from_millis(20));
        assert!(!progress.applied_within(Duration::from_millis(5)));
    }
}
