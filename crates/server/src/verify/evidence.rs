//! The proof that every receipt carries, and how a claim is compared with what follows from it.

use engine::command::Genesis;
use serde::Deserialize;
use serde_json::{Map, Value as Json};
use store::secrets::hex;

use crate::verify::fault::{Fault, Reason};
use crate::verify::log::{Entry, SignedHead, Step, check_chain};
use crate::verify::samples;

/// Until this long after its instant, ms, something due may not have happened yet.
pub(super) const LATE_MS: u64 = 60_000;

/// The content of a saved document, which may be the whole answer of its call.
pub(super) fn inner(document: &Json) -> &Json {
    document.get("message").filter(|inner| inner.is_object()).unwrap_or(document)
}

/// A signed head, the first entry, and runs of entries of its log.
#[derive(Debug, Deserialize)]
pub(super) struct Proof {
    pub(super) head: SignedHead,
    pub(super) genesis: Entry,
    pub(super) runs: Vec<Run>,
}

/// Entries that follow one another, and the way from the last one to the root.
#[derive(Debug, Deserialize)]
pub(super) struct Run {
    pub(super) entries: Vec<Entry>,
    path: Vec<Step>,
}

/// The chain hash of an entry, as a receipt names it.
#[derive(Debug, Deserialize)]
pub(super) struct EntryHash {
    seq: u64,
    hash: String,
}

impl Proof {
    /// The proof of a receipt, and what its first entry says: signature, key, first entry, chain and inclusion are valid.
    pub(super) fn checked(claimed: Option<&Json>, known: Option<&[u8]>) -> Result<(Proof, Genesis), Fault> {
        let claimed = claimed.filter(|proof| !proof.is_null());
        let proof = claimed.ok_or_else(|| Reason::Proof.because("no signed head covers this receipt yet"))?;
        let proof = Proof::deserialize(proof).map_err(|error| Reason::Format.because(error.to_string()))?;
        proof.head.check()?;
        proof.head.check_key(known)?;
        let genesis = proof.check_genesis()?;
        for Run { entries, path } in &proof.runs {
            check_chain(entries)?;
            let last = entries.last().ok_or_else(|| Reason::Proof.because("a run without entries"))?;
            proof.head.check_inclusion(last.seq, &last.hash, path)?;
        }
        Ok((proof, genesis))
    }

    fn check_genesis(&self) -> Result<Genesis, Fault> {
        let entry = &self.genesis;
        if entry.computed() != entry.hash || entry.hash != self.head.genesis {
            return Err(Reason::Genesis.because("the first entry is not the one that the head names"));
        }
        samples::genesis(entry)
    }

    /// An entry of a run.
    pub(super) fn entry(&self, seq: u64) -> Option<&Entry> {
        self.runs.iter().flat_map(|run| &run.entries).find(|entry| entry.seq == seq)
    }

    /// The run that holds an entry.
    pub(super) fn run(&self, seq: u64) -> Option<&Run> {
        self.runs.iter().find(|run| run.holds(seq))
    }

    /// The log of the head goes on long after an instant: what was due then has happened.
    pub(super) fn is_long_after(&self, instant_ms: u64) -> bool {
        self.head.time_ms > instant_ms.saturating_add(LATE_MS)
    }

    /// The hashes that a receipt names beside its proof are those of the entries.
    pub(super) fn check_hashes(&self, claimed: &[EntryHash]) -> Result<(), Fault> {
        for EntryHash { seq, hash } in claimed {
            if self.entry(*seq).is_some_and(|entry| hex(&entry.hash) != *hash) {
                return Err(Reason::Chain.because(format!("entry {seq} has another hash")));
            }
        }
        Ok(())
    }
}

impl Run {
    pub(super) fn holds(&self, seq: u64) -> bool {
        self.entries.iter().any(|entry| entry.seq == seq)
    }
}

/// Compares the receipt's claims with what follows; fields that are not named are free.
pub(super) fn same(reason: Reason, claimed: &Map<String, Json>, expected: &Json) -> Result<(), Fault> {
    for (name, value) in expected.as_object().into_iter().flatten() {
        let found = claimed.get(name).unwrap_or(&Json::Null);
        if found != value {
            return Err(reason.because(format!("{name} is {found}, but {value} follows from the log")));
        }
    }
    Ok(())
}

/// The same of one value.
pub(super) fn same_value(reason: Reason, name: &str, found: &Json, expected: &Json) -> Result<(), Fault> {
    if found == expected { Ok(()) } else { Err(reason.because(format!("{name} is {found}, but {expected} follows from the log"))) }
}
