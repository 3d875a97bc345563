//! One node with a faulty database: groups are appended first, and applied once they are certain.

use std::collections::BTreeMap;

use engine::Engine;
use engine::codec::{Encoded, encode};
use engine::command::Entry;
use engine::event::{AccountEvent, Event, Trade};
use engine::funding::status::{DepositStatus, WithdrawalStatus};
use engine::reply::{FirstAnswer, Outcome, Reply};
use engine::spot::status::Status;
use engine::spot::{CancelReason, SpotOrder};
use fastrand::Rng;
use journal::{AppendError, Fault, Head, Journal, MemoryDatabase, Record, Snapshot};
use sha2::{Digest, Sha256};

use crate::compare;
use crate::follower::{self, Follower};
use crate::kinds;
use crate::options::Options;
use crate::oracle::Oracle;
use crate::projection::Projection;
use crate::report::Report;
use crate::workload::Workload;

/// Engine and journal of a node, and everything that watches them.
struct Node {
    rng: Rng,
    database: MemoryDatabase,
    journal: Journal,
    engine: Engine,
    follower: Follower,
    oracle: Oracle,
    projection: Projection,
    /// First answers of requests as their callers got them: order and trades, by the number of the entry.
    answers: BTreeMap<u64, (Option<SpotOrder>, Vec<Trade>)>,
    /// First answers of which the engine keeps only the keys, as in the history.
    history: BTreeMap<u64, FirstAnswer>,
    /// Every entry that was applied, in order.
    applied: Vec<Entry>,
    trace: Sha256,
    report: Report,
}

/// Runs the options of one seed.
///
/// # Errors
/// The first thing that differs.
pub fn run(options: &Options) -> Result<Report, String> {
    let database = MemoryDatabase::new();
    let mut journal = Journal::memory(&database).map_err(|error| error.to_string())?;
    journal.lead("sim", 0).map_err(|error| error.to_string())?;
    let mut node = Node {
        rng: Rng::with_seed(options.seed.wrapping_add(0x9e37_79b9)),
        database,
        journal,
        engine: Engine::default(),
        follower: Follower::new(),
        oracle: Oracle::default(),
        projection: Projection::default(),
        answers: BTreeMap::new(),
        history: BTreeMap::new(),
        applied: Vec::new(),
        trace: Sha256::new(),
        report: Report::default(),
    };
    let mut workload = Workload::new(options);
    let mut made = 0;
    while made < options.commands {
        let group = node.rng.usize(1..=options.largest_group).min(options.commands - made);
        let first = node.engine.seq().0 + 1;
        // Genesis is a group of its own, because nothing sensible can be generated before it is done.
        let group = if first == 1 { 1 } else { group };
        let entries: Vec<Entry> = (0..group as u64).map(|at| workload.next(first + at, &node.oracle, &node.engine)).collect();
        node.write(&entries, options)?;
        made += group;
        if node.one_in(options.snapshot_in) {
            node.save_snapshot()?;
        }
        if node.one_in(options.restart_in) {
            node.restart()?;
        }
    }
    node.finish()
}

impl Node {
    fn one_in(&mut self, n: usize) -> bool {
        n > 0 && self.rng.usize(..n) == 0
    }

    fn record(&mut self, entry: &Entry) -> Record {
        let Encoded { kind, version, public, private } = encode(entry.request, &entry.command);
        let salt = std::array::from_fn(|_| self.rng.u8(..));
        Record { seq: entry.seq.0, time_ms: entry.time.0, kind, version, public, private, salt }
    }

    /// Appends a group, perhaps with a fault, and applies it once it is certain.
    fn write(&mut self, entries: &[Entry], options: &Options) -> Result<(), String> {
        let records: Vec<Record> = entries.iter().map(|entry| self.record(entry)).collect();
        if self.one_in(options.fault_in) {
            let faults = [Fault::Refused, Fault::AnswerLost, Fault::CommitLost, Fault::Unsynced, Fault::Crash, Fault::Deposed];
            self.database.script([faults[self.rng.usize(..faults.len())]]);
            self.report.faults += 1;
        }
        match self.journal.append(&records) {
            Ok(_) => self.committed(entries),
            Err(AppendError::NotWritten(_)) => Ok(()),
            // A deposed handle never leads again; a new process may.
            Err(AppendError::Fenced) => match self.journal.lead("sim", 0) {
                Err(journal::Error::Fenced) => self.restart(),
                answer => Err(format!("a replaced leader leads again: {answer:?}")),
            },
            Err(AppendError::Unknown(_)) => {
                if self.rng.bool() {
                    self.database.crash();
                }
                self.lead_again(entries)
            }
        }
    }

    /// After doubt: the journal has either the whole group or nothing of it.
    fn lead_again(&mut self, entries: &[Entry]) -> Result<(), String> {
        let lease = self.journal.lead("sim", 0).map_err(|error| error.to_string())?;
        let (before, after) = (self.engine.seq().0, self.engine.seq().0 + entries.len() as u64);
        if lease.head.seq != before && lease.head.seq != after {
            return Err(format!("after doubt the journal ends at {}, which is neither {before} nor {after}", lease.head.seq));
        }
        if lease.head.seq == after {
            self.committed(entries)?;
        }
        if self.rng.bool() { self.restart() } else { Ok(()) }
    }

    /// Applies certain entries one by one, here and in the follower, which reads them from the journal.
    fn committed(&mut self, entries: &[Entry]) -> Result<(), String> {
        let records = self.follower.read(&mut self.journal)?;
        if records.len() != entries.len() {
            return Err(format!("{} entries were acknowledged, the journal has {}", entries.len(), records.len()));
        }
        entries.iter().zip(&records).try_for_each(|(entry, record)| {
            self.apply(entry)?;
            self.follower.replay(record, &self.engine)
        })
    }

    fn apply(&mut self, entry: &Entry) -> Result<(), String> {
        let here = |what: String| format!("entry {} at {}: {:?} {:?}\n{what}", entry.seq.0, entry.time.0, entry.request, entry.command);
        let waiting: Vec<u64> =
            self.oracle.live().values().filter(|order| order.state == crate::oracle::State::Waiting).map(|order| order.id).collect();
        let mut events: Vec<Event> = Vec::new();
        let mut outcome = self.engine.apply(entry, &mut events);
        if let Some(first) = outcome.is_answered_by() {
            let kept = self.history.get(&first.0).ok_or_else(|| here(format!("entry {} has no first answer", first.0)))?;
            outcome.complete(kept.clone());
        }
        self.history.extend(outcome.in_history.clone().map(|first| (entry.seq.0, first)));
        let answer = self.oracle.apply(entry);
        self.applied.push(entry.clone());
        self.trace.update(format!("{entry:?}{outcome:?}{events:?}"));
        let seen = self.projection.apply(&events).map_err(here)?;
        compare::answers(&outcome, &events, &seen, &answer).map_err(here)?;
        compare::states(&self.engine, &self.oracle).map_err(here)?;
        compare::changed_orders(&self.engine, &self.oracle, &events).map_err(here)?;
        self.check_repetition(entry.seq.0, &outcome, &events).map_err(here)?;
        self.projection.compare(&self.engine).map_err(here)?;
        self.engine.check_invariants().map_err(here)?;
        self.report.entries += 1;
        match &outcome.result {
            Err(reject) => *self.report.refused.entry(reject.name()).or_default() += 1,
            Ok(_) if outcome.repeated.is_none() => self.report.count(kinds::asked(entry)),
            Ok(_) => {}
        }
        if matches!(outcome.result, Ok(Reply::SelfLimits(..))) && outcome.repeated.is_none() {
            self.report.limits += 1;
        }
        self.report.trades += seen.trades.len() as u64;
        for event in &events {
            self.report.count(kinds::acted(event));
            match event {
                Event::SpotOrderChanged(order) if order.reason == Some(CancelReason::Retired) => self.report.given_back += 1,
                Event::Account(change) => match &**change {
                    AccountEvent::WithdrawalChanged(paper) if paper.status == WithdrawalStatus::Passed => self.report.withdrawn += 1,
                    AccountEvent::DepositChanged(claim) if claim.status == DepositStatus::Passed => self.report.deposited += 1,
                    AccountEvent::ProposalChanged(found) if found.status == engine::backoffice::proposals::status::Status::Done => {
                        self.report.proposals += 1
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        let triggered = |event: &&Event| matches!(event, Event::SpotOrderChanged(order) if order.status != Status::Waiting && waiting.contains(&order.id.0));
        self.report.triggered += if seen.samples.is_empty() { 0 } else { events.iter().filter(triggered).count() as u64 };
        Ok(())
    }

    /// A repeated request returns the order and the trades as in the first answer.
    fn check_repetition(&mut self, seq: u64, outcome: &Outcome, events: &[Event]) -> Result<(), String> {
        let shown = (outcome.spot_order(events).cloned(), outcome.trades(events).cloned().collect::<Vec<_>>());
        match &outcome.repeated {
            None => {
                self.answers.insert(seq, shown);
                Ok(())
            }
            Some(first) if self.answers.get(&first.seq.0) == Some(&shown) => Ok(()),
            Some(first) => Err(format!("repeats {} as {shown:?}, which was {:?}", first.seq.0, self.answers.get(&first.seq.0))),
        }
    }

    fn head(&mut self) -> Result<Head, String> {
        let head = self.journal.head().map_err(|error| error.to_string())?;
        let seq = self.engine.seq().0;
        if head.seq == seq { Ok(head) } else { Err(format!("the journal ends at {}, the engine at {seq}", head.seq)) }
    }

    fn save_snapshot(&mut self) -> Result<(), String> {
        let (head, state_hash, bytes) = (self.head()?, self.engine.state_hash(), self.engine.snapshot());
        if head.seq == 0 {
            return Ok(());
        }
        self.journal.save_snapshot(&Snapshot { head, state_hash, bytes }).map_err(|error| error.to_string())
    }

    /// The process dies: a new handle, the state from a snapshot with its tail, and again from nothing; all three must be equal.
    fn restart(&mut self) -> Result<(), String> {
        let text = |error: journal::Error| error.to_string();
        self.report.restarts += 1;
        self.database.crash();
        self.journal = Journal::memory(&self.database).map_err(text)?;
        let lease = self.journal.lead("sim", 0).map_err(text)?;
        let hash = self.engine.state_hash();
        let kept = self.journal.snapshot(lease.head.seq).map_err(text)?;
        let restored = kept.map(|kept| {
            Engine::restore(&kept.bytes).filter(|engine| engine.state_hash() == kept.state_hash).map(|engine| (engine, kept.head))
        });
        let (engine, from) = match restored {
            Some(restored) => restored.ok_or("a snapshot does not restore to its own hash")?,
            None => (Engine::default(), Head::GENESIS),
        };
        self.engine = self.replayed(engine, from)?;
        let from_nothing = self.replayed(Engine::default(), Head::GENESIS)?;
        for (name, engine) in [("snapshot and tail", &self.engine), ("full replay", &from_nothing)] {
            if engine.state_hash() != hash {
                return Err(format!("I-10: {name} gives another state at entry {}", engine.seq().0));
            }
        }
        self.trace.update(hash);
        Ok(())
    }

    fn replayed(&mut self, mut engine: Engine, mut from: Head) -> Result<Engine, String> {
        loop {
            let groups = self.journal.read_after(from, 16).map_err(|error| error.to_string())?;
            let Some(last) = groups.last() else { return Ok(engine) };
            from = last.head();
            for record in groups.iter().flat_map(|group| &group.records) {
                let entry = follower::entry(record)?;
                let at = (entry.seq.0 - 1) as usize;
                if self.applied.get(at) != Some(&entry) {
                    return Err(format!(
                        "entry {} was acknowledged as {:?} and reads back as {entry:?}",
                        entry.seq.0,
                        self.applied.get(at)
                    ));
                }
                engine.apply(&entry, &mut Vec::new());
            }
        }
    }

    /// Checks that the whole journal is sound and holds exactly what was applied.
    fn finish(mut self) -> Result<Report, String> {
        self.restart()?;
        let head = self.journal.verify(|_| {}).map_err(|error| error.to_string())?;
        if head.seq != self.applied.len() as u64 {
            return Err(format!("{} entries were acknowledged, the journal has {}", self.applied.len(), head.seq));
        }
        self.trace.update(head.hash);
        self.report.trace = self.trace.finalize().into();
        Ok(self.report)
    }
}
