//! Postings -> sums of the house's accounts, and of the fees members paid. Their rows are in [`crate::house_days`] and [`crate::fee_days`].

use std::collections::BTreeMap;

use engine::event::{AccountEvent, Event};
use engine::ids::UserId;
use engine::ledger::{Line, LineKind, Owner, Posting};
use engine::published::Published;
use engine::time::Time;

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

/// Sums since rows were last written.
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

    /// The day is that of the entry, as the public log shows it, even for work that was due earlier. Fees count on the day on which their
    /// work fell due, as rebates do.
    pub(super) fn take(&mut self, published: &Published) {
        let seq = published.seq.0;
        for (at, event) in published.events.iter().enumerate() {
            let Event::Posted(posting) = event else { continue };
            self.post(published.time.day(), seq, posting);
            let later = published.events.get(at..).unwrap_or_default();
            if let Some((payer, due)) = fee(posting, later, published.time).filter(|(payer, _)| *payer != HOUSE) {
                let (fees, last) = self.fees.entry((payer.0, due.day(), posting.asset.0)).or_default();
                (*fees, *last) = (fees.saturating_add(posting.amount), seq);
            }
        }
    }

    fn post(&mut self, day: u64, seq: u64, posting: &Posting) {
        let lines = posting.lines();
        // A move between wallets of the house liquidity, or into its held part, stays with it.
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
        // Sums beyond the integers of SQL are cut off at their bound, as in SQL.
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

/// The member who paid a fee that is shared with their referrer (G-1), and when its work fell due: an object whose work was late says so
/// itself, in the first of the `later` events that has its new state. The fee of an option is in the pool with its stake until the option
/// ends.
fn fee(posting: &Posting, later: &[Event], now: Time) -> Option<(UserId, Time)> {
    let object = posting.debit.object_id;
    let changed = || later.iter().filter_map(|event| if let Event::Account(changed) = event { Some(&**changed) } else { None });
    match (posting.kind, posting.debit.owner) {
        (LineKind::SpotFee | LineKind::ConversionFee, Owner::Member(user, ..)) => Some((user, now)),
        (LineKind::ContractFee, Owner::Member(user, ..)) => {
            let due = changed().find_map(|event| match event {
                AccountEvent::ContractChanged(position) if position.id.0 == object => position.ended.or(position.opened),
                _ => None,
            });
            Some((user, due.unwrap_or(now)))
        }
        (LineKind::OptionFee, Owner::House(_)) => changed().find_map(|event| match event {
            AccountEvent::OptionChanged(option) if option.id.0 == object => Some((option.user, option.settled?.time)),
            _ => None,
        }),
        _ => None,
    }
}
