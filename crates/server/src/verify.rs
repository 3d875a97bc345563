//! `meridian verify`: the whole journal, hash by hash, and the state that it gives.

use std::collections::BTreeMap;

use engine::Engine;
use engine::command::Command;

use crate::app::StartError;
use crate::config::VerifyArgs;
use crate::db::Db;
use crate::secrets::Secrets;
use crate::store::audit::{self, Act};
use crate::vault::Vault;
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

/// Replays everything, compares every hash and every snapshot, checks every invariant, and the audit log against the acts of operators.
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
    let (mut fault, mut acts) = (None, BTreeMap::new());
    let bar = replay::progress_bar("verify", journal.head()?.seq);
    let head = journal.verify(|group| {
        for record in &group.records {
            if fault.is_some() {
                return;
            }
            match replay::entry_of(record) {
                Ok(entry) => {
                    let accepted = replay::apply(&mut engine, &entry).1.result.is_ok();
                    if let Command::Operate(operate) = &entry.command {
                        acts.insert(record.seq, Act::of(operate, accepted));
                    }
                }
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
    if !acts.is_empty() {
        check_audit(args, &acts)?;
    }
    Ok(Verified { entries: head.seq, hash: head.hash, state_hash: engine.state_hash(), snapshots: expected.len() })
}

/// The audit log lies with the people: it must have what operators did by the journal.
fn check_audit(args: &VerifyArgs, acts: &BTreeMap<u64, Act>) -> Result<(), StartError> {
    let key_file = args.key_file.clone().unwrap_or_else(|| args.data.join("secrets").join("data-keys"));
    let people = args.data.join("meridian.db");
    // Opening would make what is missing.
    for needed in [Some(&key_file), Some(&people).filter(|_| args.database.is_none())].into_iter().flatten() {
        if !needed.is_file() {
            return Err(StartError(format!("the audit log cannot be checked without {}", needed.display())));
        }
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let db = match args.database.as_deref() {
            Some(url) => Db::postgres(url)?,
            None => Db::sqlite(&people)?,
        };
        let secrets = Secrets::open(&args.data, &db).await?;
        let vault = Vault::open(&key_file, &secrets, &db).await?;
        audit::fault(&db, &vault, acts).await?.map_or(Ok(()), |fault| Err(StartError(fault)))
    })
}
