//! The liabilities that a public log records: one entry of roots for each cut, and every cut at the first entry of its ten minutes. So a
//! venue can neither show two truths nor choose the moment.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use engine::codec::{self, RECORD_LIABILITIES};
use engine::command::Command;
use engine::ids::AssetId;
use engine::liabilities::{CoinRoot, interval};
use engine::time::Time;

use crate::verify::fault::{Fault, Reason};
use crate::verify::log::Entry;
use crate::verify::samples::genesis;

/// The cuts seen so far.
#[derive(Debug, Default)]
pub struct Cuts {
    /// First entries of an interval that have no roots yet, with their journal time.
    begun: BTreeMap<u64, u64>,
    /// Interval of the last entry.
    interval: u64,
    /// The newest entry with roots.
    last: Option<u64>,
    /// The coins that every later cut must have a root of, even when nobody holds any: those of the first entry and of every cut so far.
    coins: BTreeSet<AssetId>,
    recorded: u64,
}

impl Cuts {
    /// Takes the next entry of the log.
    ///
    /// # Errors
    /// [`Reason::Cut`] when roots are of no first entry of ten minutes, or that entry has roots already, or sums are impossible, or a coin is
    /// left out.
    pub fn take(&mut self, entry: &Entry) -> Result<(), Fault> {
        if entry.seq == 1 {
            self.coins = genesis(entry)?.catalog.assets.iter().map(|coin| coin.id).collect();
        }
        if entry.kind == RECORD_LIABILITIES {
            self.check(entry)?;
        }
        let now = interval(Time(entry.time_ms));
        if entry.seq > 1 && now > self.interval {
            self.begun.insert(entry.seq, entry.time_ms);
        }
        self.interval = now;
        Ok(())
    }

    fn check(&mut self, entry: &Entry) -> Result<(), Fault> {
        let fault = |why: &str| Reason::Cut.because(format!("entry {}: {why}", entry.seq));
        let Ok(Some(Command::RecordLiabilities(record))) = codec::parts::decode_public(entry.kind, entry.version, &entry.bytes) else {
            return Err(fault("its roots cannot be read"));
        };
        let cut = record.seq.0;
        if self.last.is_some_and(|last| cut <= last) {
            return Err(fault("its balances are not newer than those recorded before"));
        }
        if self.begun.remove(&cut) != Some(record.time.0) {
            return Err(fault("its balances are not those of the first entry of ten minutes"));
        }
        if record.coins.iter().any(|CoinRoot { came_in, total, .. }| total > came_in) {
            return Err(fault("members have more than came in"));
        }
        let coins: BTreeSet<AssetId> = record.coins.iter().map(|coin| coin.asset).collect();
        if coins.len() != record.coins.len() || !coins.is_superset(&self.coins) {
            return Err(fault("a coin is left out, or has two roots"));
        }
        self.coins = coins;
        // Earlier cuts that are still missing stay gaps for ever.
        self.begun.retain(|seq, _| *seq > cut);
        self.last = Some(cut);
        self.recorded += 1;
        Ok(())
    }
}

impl fmt::Display for Cuts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cuts, each at the first entry of its ten minutes, recorded once and of every coin", self.recorded)
    }
}

#[cfg(test)]
mod tests {
    use engine::catalog::Catalog;
    use engine::codec::encode;
    use engine::command::{Genesis, Mode};
    use engine::ids::{Digest, Seq};
    use engine::liabilities::RecordLiabilities;

    use super::*;

    fn entry(seq: u64, time_ms: u64, command: &Command) -> Entry {
        let encoded = encode(None, command);
        Entry {
            seq,
            time_ms,
            kind: encoded.kind,
            version: encoded.version,
            prev: [0; 32],
            hash: [0; 32],
            bytes: encoded.public,
            sealed: None,
            own: None,
        }
    }

    fn roots(seq: u64, time: u64, total: u64) -> Command {
        roots_of(Catalog::standard().assets.iter().map(|coin| coin.id), seq, time, total)
    }

    fn roots_of(coins: impl Iterator<Item = AssetId>, seq: u64, time: u64, total: u64) -> Command {
        let coins = coins.map(|asset| CoinRoot { asset, came_in: 10, total, users: 1, root: Digest([1; 32]) }).collect();
        Command::RecordLiabilities(Box::new(RecordLiabilities { seq: Seq(seq), time: Time(time), coins, seed: Digest([0; 32]) }))
    }

    /// Whether a log with these roots at its end, after two full ten minutes at entries 3 and 5, is right.
    fn end_of_log(last: &[Command]) -> bool {
        let mut cuts = Cuts::default();
        let genesis = Genesis { mode: Mode::Live, catalog: Catalog::standard(), endowments: Vec::new() };
        cuts.take(&entry(1, 5, &Command::Genesis(Box::new(genesis)))).unwrap();
        for (seq, time) in [(2, 599_999), (3, 600_000), (4, 700_000), (5, 1_200_001), (6, 1_200_002)] {
            cuts.take(&entry(seq, time, &Command::Clock)).unwrap();
        }
        (7..).zip(last).try_for_each(|(seq, command)| cuts.take(&entry(seq, 1_200_003, command))).is_ok()
    }

    #[test]
    fn a_cut_is_at_the_first_entry_of_ten_minutes_and_recorded_once() {
        assert!(end_of_log(&[roots(3, 600_000, 10), roots(5, 1_200_001, 10)]));
        assert!(end_of_log(&[roots(5, 1_200_001, 0)]), "a gap is not wrong");
        assert!(!end_of_log(&[roots(5, 1_200_001, 10), roots(5, 1_200_001, 10)]), "twice");
        assert!(!end_of_log(&[roots(5, 1_200_001, 10), roots(3, 600_000, 10)]), "afterwards");
        assert!(!end_of_log(&[roots(4, 700_000, 10)]), "at another moment");
        assert!(!end_of_log(&[roots(5, 1_200_002, 10)]), "of another time");
        assert!(!end_of_log(&[roots(5, 1_200_001, 11)]), "more than there is");
    }

    #[test]
    fn every_coin_of_the_first_entry_and_of_an_earlier_cut_has_one_root() {
        let all: Vec<AssetId> = Catalog::standard().assets.iter().map(|coin| coin.id).collect();
        let more: Vec<AssetId> = all.iter().copied().chain([AssetId(99)]).collect();
        let cut = |coins: &[AssetId], seq, time| roots_of(coins.iter().copied(), seq, time, 10);
        assert!(end_of_log(&[cut(&all, 3, 600_000), cut(&more, 5, 1_200_001)]), "one is listed later");
        assert!(!end_of_log(&[cut(&all[1..], 5, 1_200_001)]), "a coin of the first entry");
        assert!(!end_of_log(&[cut(&more, 3, 600_000), cut(&all, 5, 1_200_001)]), "a coin of an earlier cut");
        assert!(!end_of_log(&[cut(&[&all[..], &all[..1]].concat(), 5, 1_200_001)]), "two roots");
    }
}
