//! Postings -> sums of the house's accounts, and of what its members paid it in fees. Their rows are in [`crate::house_days`] and
//! [`crate::fee_days`].

use std::collections::BTreeMap;

use engine::event::{AccountEvent, Event};
use engine::ids::UserId;
use engine::ledger::{Line, LineKind, Owner, Posting};
use engine::published::Published;

use super::line_kinds::house_kind;
use crate::db::{self, Sql};
use crate::house_days::account_number;
use crate::people::HOUSE;
use crate::{fee_days, house_days};

/// Atoms received and paid since rows were last written, and the last entry that moved them.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    received: u64,
    paid: u64,
    seq: u64,
}

/// What moved since rows were last written.
#[derive(Debug, Default)]
pub(super) struct House {
    /// By day, account, coin and kind.
    moved: BTreeMap<(u64, u32, u32, u32), Sum>,
    /// Fees by payer, day and coin, and the last entry of them.
    fees: BTreeMap<(u64, u64, u32), (u64, u64)>,
}

impl House {
    pub(super) fn is_empty(&self) -> bool {
        self.moved.is_empty() && self.fees.is_empty()
    }

    /// The day is that of the entry, as everybody sees it in the log, also of work that was due earlier. Fees count on the day of their own
    /// instant, as rebates do.
    pub(super) fn take(&mut self, published: &Published) {
        let (seq, mut at) = (published.seq.0, published.time);
        for event in &published.events {
            match event {
                Event::Posted(posting) => {
                    self.post(published.time.day(), seq, posting);
                    if let Some(payer) = payer(posting, &published.events).filter(|payer| *payer != HOUSE) {
                        let (fees, last) = self.fees.entry((payer.0, at.day(), posting.asset.0)).or_default();
                        (*fees, *last) = (fees.saturating_add(posting.amount), seq);
                    }
                }
                Event::HappenedAt(instant) => at = *instant,
                _ => {}
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
            let sum = self.moved.entry((day, account, asset.0, house_kind(kind))).or_default();
            let side = if credit { &mut sum.received } else { &mut sum.paid };
            *side = side.saturating_add(amount);
            sum.seq = seq;
        }
    }

    pub(super) fn statements(self) -> impl Iterator<Item = Sql> {
        // What is beyond the integers of SQL ends at their bound, as in SQL.
        let bound = |atoms: u64| atoms.min(i64::MAX.unsigned_abs());
        let moved = |((day, account, asset, kind), Sum { received, paid, seq }): ((u64, u32, u32, u32), Sum)| {
            [day.into(), account.into(), asset.into(), kind.into(), bound(received).into(), bound(paid).into(), seq.into()]
        };
        let fee = |((payer, day, asset), (fees, seq)): ((u64, u64, u32), (u64, u64))| {
            [payer.into(), day.into(), asset.into(), bound(fees).into(), seq.into()]
        };
        let moved: db::Rows = self.moved.into_iter().map(moved).collect();
        let fees: db::Rows = self.fees.into_iter().map(fee).collect();
        let all = [(house_days::INSERT, house_days::ADD, moved), (fee_days::INSERT, fee_days::ADD, fees)];
        all.into_iter().filter(|(_, _, rows)| !rows.is_empty()).map(|(head, tail, rows)| Sql::bulk(head, tail, rows))
    }
}

/// Who paid a fee of which whoever invited them gets a share (G-1). That of an option lies in the pool with its stake until the option ends.
fn payer(posting: &Posting, events: &[Event]) -> Option<UserId> {
    match (posting.kind, posting.debit.owner) {
        (LineKind::SpotFee | LineKind::ContractFee | LineKind::ConversionFee, Owner::Member(user, ..)) => Some(user),
        (LineKind::OptionFee, Owner::House(_)) => events.iter().find_map(|event| match event {
            Event::Account(outside) => match &**outside {
                AccountEvent::OptionChanged(option) if option.id.0 == posting.debit.object_id => Some(option.user),
                _ => None,
            },
            _ => None,
        }),
        _ => None,
    }
}
