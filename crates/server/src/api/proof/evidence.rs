//! What a receipt carries so that it can be checked without us: runs of entries, each with the path from its last entry to one signed head.

use std::ops::RangeInclusive;

use serde::Serialize;
use utoipa::ToSchema;

use crate::api::proof::entries::{self, EntryView};
use crate::api::proof::heads::{self, HeadView, Step};
use crate::http::Call;
use crate::http::reply::Refusal;

/// Entries that one run may hold. A busy venue writes more between a sample and what it decided; then the run holds only the two ends.
pub const RUN: u64 = 256;

/// Log entries, and the proof that they are in the log.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReceiptProof)]
pub struct Evidence {
    head: HeadView,
    genesis: EntryView,
    runs: Vec<Run>,
}

/// Consecutive entries, each with the hash of the one before it, and the Merkle path from the last one to the root of the head.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReceiptRun)]
struct Run {
    entries: Vec<EntryView>,
    path: Vec<Step>,
}

/// The evidence of these runs, in the order of their beginnings; `None` as long as no signed head covers them. Sealed parts are shown only
/// for the entries `own`, so a file that is passed on reveals nothing else about its owner.
///
/// # Errors
/// When the log cannot be read.
pub async fn evidence(call: &Call, runs: &[RangeInclusive<u64>], own: &[u64]) -> Result<Option<Evidence>, Refusal> {
    let last = runs.iter().map(|run| *run.end()).max().unwrap_or(1);
    let Some(head) = heads::newest(&call.app, call.app.proof.size()).await?.filter(|head| head.seq >= last) else { return Ok(None) };
    let mut shown = Vec::new();
    for run in joined(runs) {
        let (_, path) = heads::path(call, *run.end(), &head).await?;
        let mut entries = entries::read(call, run).await?;
        entries.iter_mut().filter(|entry| !own.contains(&entry.seq())).for_each(EntryView::conceal);
        shown.push(Run { entries, path });
    }
    let genesis = entries::read(call, 1..=1).await?.pop();
    Ok(genesis.map(|genesis| Evidence { head: heads::view(&call.app, &head), genesis, runs: shown }))
}

/// Runs that meet become one.
fn joined(runs: &[RangeInclusive<u64>]) -> Vec<RangeInclusive<u64>> {
    let mut all: Vec<RangeInclusive<u64>> = Vec::new();
    for run in runs {
        match all.last_mut().filter(|before| *run.start() <= before.end().saturating_add(1)) {
            Some(before) => *before = *before.start().min(run.start())..=*before.end().max(run.end()),
            None => all.push(run.clone()),
        }
    }
    all
}

/// The first of the last [`RUN`] entries up to `seq` that is not older than an instant, ms.
///
/// # Errors
/// When the log cannot be read.
pub async fn first_since(call: &Call, seq: u64, since_ms: u64) -> Result<u64, Refusal> {
    let from = seq.saturating_sub(RUN - 1).max(1);
    let groups = call.app.sequencer.read_log(from..=seq).await?;
    let records = groups.iter().flat_map(|group| &group.records).filter(|record| (from..=seq).contains(&record.seq));
    Ok(records.filter(|record| record.time_ms >= since_ms).map(|record| record.seq).next().unwrap_or(seq))
}

/// The first of the [`RUN`] entries from `seq` on that is newer than an instant, ms.
///
/// # Errors
/// When the log cannot be read.
pub async fn first_after(call: &Call, seq: u64, instant_ms: u64) -> Result<Option<u64>, Refusal> {
    let last = call.app.sequencer.newest().min(seq.saturating_add(RUN - 1));
    let groups = call.app.sequencer.read_log(seq..=last.max(seq)).await?;
    let records = groups.iter().flat_map(|group| &group.records).filter(|record| (seq..=last).contains(&record.seq));
    Ok(records.filter(|record| record.time_ms > instant_ms).map(|record| record.seq).next())
}

/// One run from `first` to `last`, or its ends when there is too much between them.
pub fn run_or_ends(first: u64, sample: u64, last: u64) -> Vec<RangeInclusive<u64>> {
    if last.saturating_sub(first) < RUN { vec![first..=last] } else { vec![first..=sample, last..=last] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_meet_become_one_and_a_long_one_keeps_its_ends() {
        assert_eq!(joined(&[3..=5, 6..=9, 20..=21]), [3..=9, 20..=21]);
        assert_eq!(joined(&[3..=9, 5..=7]), [3..=9]);
        assert_eq!(run_or_ends(10, 10, 265), [10..=265]);
        assert_eq!(run_or_ends(10, 12, 266), [10..=12, 266..=266]);
    }
}
