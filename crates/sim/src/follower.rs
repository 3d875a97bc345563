//! A node that only reads the journal and restarts after every entry: only the log and the serialized state survive.

use engine::Engine;
use engine::codec::{Encoded, decode};
use engine::command::Entry;
use engine::ids::Seq;
use engine::time::Time;
use journal::{Head, Journal, Record};

/// What it has read so far.
#[derive(Debug)]
pub(crate) struct Follower {
    engine: Engine,
    head: Head,
}

impl Follower {
    /// The state before the first entry.
    pub(crate) fn new() -> Follower {
        Follower { engine: Engine::default(), head: Head::GENESIS }
    }

    /// The records after the last one read, which are its next ones.
    pub(crate) fn read(&mut self, journal: &mut Journal) -> Result<Vec<Record>, String> {
        let groups = journal.read_after(self.head, 16).map_err(|error| error.to_string())?;
        self.head = groups.last().map_or(self.head, |group| group.head());
        Ok(groups.into_iter().flat_map(|group| group.records).collect())
    }

    /// Replays one record and restarts from its own state, which must be byte for byte the leader's (I-10).
    pub(crate) fn replay(&mut self, record: &Record, leader: &Engine) -> Result<(), String> {
        self.engine.apply(&entry(record)?, &mut Vec::new());
        let state = self.engine.snapshot();
        if state != leader.snapshot() {
            return Err(format!("I-10: a follower has another state at entry {}", record.seq));
        }
        self.engine = Engine::restore(&state).ok_or_else(|| format!("the state at entry {} does not restore", record.seq))?;
        Ok(())
    }
}

/// The entry that a record holds.
pub(crate) fn entry(record: &Record) -> Result<Entry, String> {
    let Record { seq, time_ms, kind, version, public, private, .. } = record.clone();
    decode(Seq(seq), Time(time_ms), &Encoded { kind, version, public, private }).map_err(|error| error.to_string())
}
