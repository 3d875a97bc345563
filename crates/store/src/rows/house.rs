//! Postings -> sums of the house's accounts. Their rows are in [`crate::house_days`].

use std::collections::BTreeMap;

use engine::event::Event;
use engine::ledger::{Line, Posting};
use engine::published::Published;

use super::words::house_kind;
use crate::db;
use crate::house_days::account_number;

/// Atoms received and paid since rows were last written, and the last entry that moved them.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    received: u64,
    paid: u64,
    seq: u64,
}

/// What moved since rows were last written, by day, account, coin and kind.
#[derive(Debug, Default)]
pub(super) struct House(BTreeMap<(u64, u32, u32, u32), Sum>);

impl House {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The day is that of the entry, as everybody sees it in the log, also of work that was due earlier.
    pub(super) fn take(&mut self, published: &Published) {
        for event in &published.events {
            if let Event::Posted(posting) = event {
                self.post(published.time.day(), published.seq.0, posting);
            }
        }
    }

    fn post(&mut self, day: u64, seq: u64, posting: &Posting) {
        let lines = posting.lines();
        // What moves between wallets of the liquidity, or is held there, is still there.
        let [from, to] = lines.map(|line| account_number(line.owner));
        if from == to {
            return;
        }
        for Line { owner, asset, credit, amount, kind, .. } in lines {
            let Some(account) = account_number(owner) else { continue };
            let sum = self.0.entry((day, account, asset.0, house_kind(kind))).or_default();
            let side = if credit { &mut sum.received } else { &mut sum.paid };
            *side = side.saturating_add(amount);
            sum.seq = seq;
        }
    }

    pub(super) fn rows(self) -> db::Rows {
        // What is beyond the integers of SQL ends at their bound, as in SQL.
        let bound = |atoms: u64| atoms.min(i64::MAX.unsigned_abs());
        let cells = |((day, account, asset, kind), Sum { received, paid, seq }): ((u64, u32, u32, u32), Sum)| {
            [day.into(), account.into(), asset.into(), kind.into(), bound(received).into(), bound(paid).into(), seq.into()]
        };
        self.0.into_iter().map(cells).collect()
    }
}
