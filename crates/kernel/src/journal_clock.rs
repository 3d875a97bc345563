//! The time of this node: the wall clock, guarded against jumps; a sandbox may push it forward.
//!
//! Entries, sessions, codes and throttling delays all use it, so one bad reading of the system clock ages none of them. The clock does not
//! follow a jump: the node continues at its own pace and raises an alarm. If the jump lasts, the node gives up the lead, because a person
//! has to say which time is right. A clock that is behind the log at the start continues from the end of the log for as long as it is
//! behind.

use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use engine::time::{DAY_MS, Time};

/// Two clocks that differ by more than this disagree, ms.
const TOLERANCE_MS: u64 = 60_000;
/// A jump that lasts this long ends the lead, ms.
const PATIENCE_MS: u64 = 60_000;
/// The longest downtime that a start accepts when this machine has no record of its own clock, ms.
const LONGEST_STOP_MS: u64 = 7 * DAY_MS;
/// Name of that record in the data directory.
const RECORD: &str = "clock";

/// The system's clocks at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Milliseconds since 1970 by the system's clock, which can be set.
    pub wall_ms: u64,
    /// Milliseconds since the system started, sleep included. It cannot be set.
    pub uptime_ms: u64,
}

/// The guarded wall clock, journal time and session time.
pub struct Clock {
    system: Box<dyn Fn() -> Reading + Send + Sync>,
    pace: Mutex<Pace>,
    journal_ahead_ms: AtomicI64,
    sessions_ahead_ms: AtomicI64,
}

/// The base that the wall clock is compared with.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// The last accepted reading.
    believed: Reading,
    /// How far the log is ahead of the wall clock since the start, ms.
    lead_ms: u64,
    /// Uptime at which the wall clock jumped, while it stays there.
    jumped_at_ms: Option<u64>,
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clock").field("pace", &self.pace()).finish_non_exhaustive()
    }
}

impl Default for Clock {
    fn default() -> Clock {
        Clock::new(system)
    }
}

impl Clock {
    /// A clock over this source of readings.
    pub fn new(system: impl Fn() -> Reading + Send + Sync + 'static) -> Clock {
        let pace = Pace { believed: system(), lead_ms: 0, jumped_at_ms: None };
        Clock {
            system: Box::new(system),
            pace: Mutex::new(pace),
            journal_ahead_ms: AtomicI64::new(0),
            sessions_ahead_ms: AtomicI64::new(0),
        }
    }

    /// The guarded wall clock, milliseconds since 1970.
    pub fn wall_ms(&self) -> u64 {
        self.guarded((self.system)())
    }

    /// The time of the members' authenticator apps, milliseconds since 1970: the guarded clock, without the log's lead over it.
    pub fn authenticator_ms(&self) -> u64 {
        let own = self.wall_ms();
        own.saturating_sub(self.pace().lead_ms)
    }

    /// Journal time, milliseconds since 1970.
    pub fn now_ms(&self) -> u64 {
        self.wall_ms().saturating_add_signed(self.journal_ahead_ms.load(Ordering::Relaxed))
    }

    /// The time that sessions age with.
    pub fn session_ms(&self) -> u64 {
        self.wall_ms().saturating_add_signed(self.sessions_ahead_ms.load(Ordering::Relaxed))
    }

    /// How far journal time is ahead of the wall clock in a sandbox.
    pub fn set_journal_ahead(&self, ms: i64) {
        self.journal_ahead_ms.store(ms, Ordering::Relaxed);
    }

    /// Notes that a sandbox clock moved journal time to this instant.
    pub fn jumped_to(&self, time: Time) {
        let ahead = time.0.saturating_sub(self.wall_ms());
        self.set_journal_ahead(i64::try_from(ahead).unwrap_or(i64::MAX));
    }

    /// Pushes session time forward as well (`sandbox/clock` with `sessions=1`).
    pub fn push_sessions(&self, ms: i64) {
        self.sessions_ahead_ms.fetch_add(ms, Ordering::Relaxed);
    }

    /// Compares the clock with a log that ended at `last`, and with what this machine recorded in `data`.
    ///
    /// # Errors
    /// When the clock is ahead by more than the downtime can have been, and `accept` does not confirm it.
    pub fn check(&self, last: Time, data: &Path, accept: bool) -> Result<(), String> {
        let Reading { wall_ms, uptime_ms } = (self.system)();
        // How much the clock gained beyond the time that really passed.
        let gained = match Record::read(data).filter(|record| Some(&record.boot) == boot().as_ref()) {
            Some(record) => wall_ms.saturating_sub(record.wall_ms.saturating_add(uptime_ms.saturating_sub(record.uptime_ms))),
            None => wall_ms.saturating_sub(last.0.saturating_add(LONGEST_STOP_MS)),
        };
        // A record may be older than the log. A time that the log has already reached is not ahead.
        let ahead = gained.min(wall_ms.saturating_sub(last.0));
        if ahead <= TOLERANCE_MS || accept {
            return Ok(());
        }
        Err(format!(
            "the clock of this machine is {} s ahead of what the stop explains; the log ends at {} ms since 1970. Set the clock, or start with --accept-clock on if it is right",
            ahead / 1_000,
            last.0
        ))
    }

    /// Continues from a log that ended at `last`, if the clock is behind it.
    pub fn follow(&self, last: Time) {
        let wall = self.wall_ms();
        if wall.saturating_add(TOLERANCE_MS) < last.0 {
            let behind_ms = last.0 - wall;
            self.pace().lead_ms = behind_ms;
            tracing::error!(behind_ms, "the wall clock is behind the log: time goes on from the end of the log at its own pace");
        }
    }

    /// Records the clock beside the system's uptime, for the next start. A failure costs only that comparison.
    pub fn record(&self, data: &Path) {
        let Some(boot) = boot() else { return };
        let (wall_ms, uptime_ms) = (self.authenticator_ms(), (self.system)().uptime_ms);
        let (file, new) = (data.join(RECORD), data.join("clock.new"));
        let written = fs::write(&new, Record { boot, uptime_ms, wall_ms }.text()).and_then(|()| fs::rename(new, file));
        if let Err(error) = written {
            tracing::warn!(%error, "the clock is not recorded");
        }
    }

    /// Why this node must not lead: its clock jumped and stayed there.
    pub fn fault(&self) -> Option<String> {
        let system = (self.system)();
        let own = self.guarded(system);
        let jumped_at_ms = self.pace().jumped_at_ms?;
        let lasted = system.uptime_ms.saturating_sub(jumped_at_ms) >= PATIENCE_MS;
        lasted.then(|| format!("the clock of this machine jumped from {own} to {} ms since 1970 and stayed there", system.wall_ms))
    }

    /// How far the system's clock is ahead of this one, ms; negative when it is behind.
    pub fn difference_ms(&self) -> i64 {
        let system = (self.system)();
        let (wall, own) = (system.wall_ms.cast_signed(), self.guarded(system).cast_signed());
        wall.saturating_sub(own)
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The system's clock while it keeps our pace, else our own pace; plus the log's lead.
    fn guarded(&self, system: Reading) -> u64 {
        let mut pace = self.pace();
        let passed = system.uptime_ms.saturating_sub(pace.believed.uptime_ms);
        let expected = pace.believed.wall_ms.saturating_add(passed);
        let own = expected.saturating_add(pace.lead_ms);
        if pace.lead_ms > 0 && system.wall_ms.abs_diff(own) <= TOLERANCE_MS {
            tracing::warn!(system.wall_ms, "the wall clock agrees with the log again");
            *pace = Pace { believed: system, lead_ms: 0, jumped_at_ms: None };
            return system.wall_ms;
        }
        if system.wall_ms.abs_diff(expected) <= TOLERANCE_MS {
            pace.believed = system;
            pace.jumped_at_ms = None;
            return system.wall_ms.saturating_add(pace.lead_ms);
        }
        if pace.jumped_at_ms.is_none() {
            pace.jumped_at_ms = Some(system.uptime_ms);
            tracing::error!(system.wall_ms, own, "the wall clock jumped: it is not followed");
        }
        own
    }
}

/// The clocks of this machine.
fn system() -> Reading {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let reading = Reading { wall_ms: u64::try_from(since.as_millis()).unwrap_or(u64::MAX), uptime_ms: uptime_ms() };
    #[cfg(debug_assertions)]
    let reading = moved(reading);
    reading
}

/// For tests of starts and jumps: this file says by how many ms the wall clock is wrong.
#[cfg(debug_assertions)]
fn moved(reading: Reading) -> Reading {
    static FILE: std::sync::LazyLock<Option<std::ffi::OsString>> = std::sync::LazyLock::new(|| std::env::var_os("MERIDIAN_TEST_CLOCK"));
    let wrong = FILE.as_ref().and_then(|file| fs::read_to_string(file).ok()).and_then(|text| text.trim().parse().ok());
    Reading { wall_ms: reading.wall_ms.saturating_add_signed(wrong.unwrap_or(0)), ..reading }
}

/// Time since the system started, ms. A suspended machine sleeps, and its wall clock has not jumped when it wakes.
fn uptime_ms() -> u64 {
    #[cfg(target_os = "linux")]
    const KIND: rustix::time::ClockId = rustix::time::ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    const KIND: rustix::time::ClockId = rustix::time::ClockId::Monotonic;
    let time = rustix::time::clock_gettime(KIND);
    let part = |value: i64| u64::try_from(value).unwrap_or_default();
    part(time.tv_sec).saturating_mul(1_000).saturating_add(part(time.tv_nsec) / 1_000_000)
}

/// The clock beside the uptime.
#[derive(Debug, PartialEq, Eq)]
struct Record {
    /// Identifies this boot of the system: uptimes of two boots cannot be compared.
    boot: String,
    uptime_ms: u64,
    wall_ms: u64,
}

impl Record {
    fn text(&self) -> String {
        format!("{} {} {}\n", self.boot, self.uptime_ms, self.wall_ms)
    }

    fn parse(text: &str) -> Option<Record> {
        let mut words = text.split_whitespace();
        let boot = words.next()?.to_owned();
        Some(Record { boot, uptime_ms: words.next()?.parse().ok()?, wall_ms: words.next()?.parse().ok()? })
    }

    fn read(data: &Path) -> Option<Record> {
        Record::parse(&fs::read_to_string(data.join(RECORD)).ok()?)
    }
}

/// The boot id, where the system has one (Linux).
fn boot() -> Option<String> {
    Some(fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const YEAR_MS: u64 = 366 * DAY_MS;
    const START: Reading = Reading { wall_ms: 10 * YEAR_MS, uptime_ms: 5_000 };

    /// A clock started at `START`, and its source.
    fn started() -> (Clock, Arc<Mutex<Reading>>) {
        let source = Arc::new(Mutex::new(START));
        let read = source.clone();
        (Clock::new(move || *read.lock().unwrap()), source)
    }

    /// So many seconds after the start the wall clock is wrong by `wrong` ms.
    fn set(source: &Mutex<Reading>, seconds: u64, wrong: i64) {
        let ms = seconds * 1_000;
        *source.lock().unwrap() = Reading { wall_ms: (START.wall_ms + ms).saturating_add_signed(wrong), uptime_ms: START.uptime_ms + ms };
    }

    /// The right time so many seconds after the start.
    fn right(seconds: u64) -> u64 {
        START.wall_ms + seconds * 1_000
    }

    #[test]
    fn a_jump_is_not_followed_and_ends_the_lead_when_it_lasts() {
        for jump in [i64::try_from(YEAR_MS).unwrap(), 1_000_000, -3_600_000] {
            let (clock, source) = started();
            set(&source, 1, 500);
            assert_eq!(clock.wall_ms(), right(1) + 500, "a small step is followed");
            set(&source, 2, jump);
            let own = right(2) + 500;
            assert_eq!((clock.wall_ms(), clock.session_ms(), clock.now_ms()), (own, own, own));
            set(&source, 61, jump);
            assert_eq!(clock.fault(), None);
            set(&source, 63, jump);
            assert!(clock.fault().is_some_and(|fault| fault.contains("stayed there")));
            set(&source, 500, jump);
            assert_eq!(clock.wall_ms(), right(500) + 500, "and is not followed later either");
        }
    }

    #[test]
    fn a_passing_glitch_changes_nothing() {
        let (clock, source) = started();
        set(&source, 1, 3_600_000);
        assert_eq!(clock.wall_ms(), right(1));
        set(&source, 2, 0);
        assert_eq!(clock.wall_ms(), right(2));
        set(&source, 90, -3_600_000);
        assert_eq!(clock.wall_ms(), right(90));
        set(&source, 100, 0);
        assert_eq!((clock.wall_ms(), clock.fault()), (right(100), None));
    }

    #[test]
    fn a_clock_behind_the_log_goes_on_from_the_log_until_it_catches_up() {
        let (clock, source) = started();
        clock.follow(Time(right(0) + YEAR_MS));
        set(&source, 10, 0);
        assert_eq!((clock.wall_ms(), clock.authenticator_ms()), (right(10) + YEAR_MS, right(10)));
        set(&source, 120, 0);
        assert_eq!(clock.fault(), None, "that the log is ahead is no jump");
        set(&source, 130, i64::try_from(YEAR_MS).unwrap());
        assert_eq!((clock.wall_ms(), clock.authenticator_ms()), (right(130) + YEAR_MS, right(130) + YEAR_MS));
        set(&source, 400, i64::try_from(YEAR_MS).unwrap());
        assert_eq!((clock.wall_ms(), clock.fault()), (right(400) + YEAR_MS, None));
    }

    #[test]
    fn a_clock_a_little_behind_the_log_is_not_moved() {
        let (clock, _) = started();
        clock.follow(Time(right(59)));
        assert_eq!(clock.wall_ms(), right(0));
    }

    #[test]
    fn a_clock_ahead_of_what_the_stop_explains_is_refused_unless_it_is_accepted() {
        let (clock, source) = started();
        let folder = tempfile::tempdir().unwrap();
        let check = |last: u64, accept| clock.check(Time(last), folder.path(), accept);
        // Without a record of this machine, a stop of several days is plausible.
        assert_eq!(check(right(0) - 6 * DAY_MS, false), Ok(()));
        assert!(check(right(0) - YEAR_MS, false).is_err_and(|why| why.contains("--accept-clock on")));
        assert_eq!(check(right(0) - YEAR_MS, true), Ok(()));
        // With a record, the length of the stop is known from the system's uptime.
        clock.record(folder.path());
        assert_eq!(check(right(0) - YEAR_MS, false), Ok(()), "the clock keeps the pace of the system");
        set(&source, 600, 3_600_000);
        assert!(check(right(0), false).is_err(), "it has gained an hour since");
        assert_eq!(check(right(590) + 3_600_000, false), Ok(()), "and the log with it");
        // A record from an earlier boot cannot be compared.
        let earlier = Record { boot: "earlier".to_owned(), uptime_ms: START.uptime_ms, wall_ms: START.wall_ms };
        fs::write(folder.path().join(RECORD), earlier.text()).unwrap();
        assert_eq!(check(right(0), false), Ok(()));
    }
}
