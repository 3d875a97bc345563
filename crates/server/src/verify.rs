//! `meridian verify`: the whole journal, hash by hash, and the state that it gives.

use std::collections::BTreeMap;

use engine::Engine;

use crate::app::StartError;
use crate::config::VerifyArgs;
use crate::{opening, replay};

/// What was verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Entries in the chain.
    pub entries: u64,
    /// Chain hash after the last one.
    pub hash: [u8; 32],
    /// Hash of the state that they give.
    pub state_hash: [u8; 32],
    /// Snapshots whose state the replay reached exactly.
    pub snapshots: usize,
}

/// Replays everything, compares every hash and every snapshot, checks every invariant.
pub fn run(args: &VerifyArgs) -> Result<Verified, StartError> {
    // Opening would make what is missing. Without the high-water file a journal in PostgreSQL that was cut short would look whole.
    let needed = if args.database.is_none() { "journal.db" } else { "journal.high" };
    if !args.data.join(needed).is_file() {
        return Err(StartError(format!("no {needed} in {}", args.data.display())));
    }
    let mut journal = opening::open_journal(&args.data, args.database.as_deref())?;
    let mut expected = BTreeMap::new();
    let mut at_most = u64::MAX;
    while let Some(snapshot) = journal.snapshot(at_most)? {
        expected.insert(snapshot.head.seq, snapshot.state_hash);
        at_most = snapshot.head.seq.saturating_sub(1);
    }
    let mut engine = Engine::default();
    let mut fault = None;
    let bar = replay::progress_bar("verify", journal.head()?.seq);
    let head = journal.verify(|group| {
        for record in &group.records {
            if fault.is_some() {
                return;
            }
            match replay::entry_of(record) {
                Ok(entry) => drop(replay::apply(&mut engine, &entry)),
                Err(error) => fault = Some(format!("entry {}: {error}", record.seq)),
            }
        }
        let seq = engine.seq().0;
        if expected.get(&seq).is_some_and(|hash| *hash != engine.state_hash()) {
            fault = Some(format!("the snapshot at entry {seq} is not the state that the entries give"));
        }
        bar.set_position(seq);
    })?;
    bar.finish_and_clear();
    if head.seq == 0 {
        return Err(StartError("the journal is empty".to_owned()));
    }
    if let Some(fault) = fault {
        return Err(StartError(fault));
    }
    engine.check_invariants().map_err(StartError)?;
    Ok(Verified { entries: head.seq, hash: head.hash, state_hash: engine.state_hash(), snapshots: expected.len() })
}
