//! Lines with the outside on the other side -> rows of [`crate::flows`].

use std::collections::BTreeMap;

use engine::amount::Amount;
use engine::ids::{AssetId, UserId};
use engine::ledger::{LineKind, ObjectKind, Posting};
use engine::time::Time;

use crate::db::{self, Sql, Value};
use crate::flows::{INSERT, INSERT_RETURNED, KNOWN};
use crate::people::HOUSE;

/// Deposits, their corrections, paper money, and withdrawals done and returned.
pub(super) fn is_outside(kind: LineKind) -> bool {
    matches!(
        kind,
        LineKind::Deposit
            | LineKind::DepositCorrection
            | LineKind::Faucet
            | LineKind::WithdrawalDone
            | LineKind::WithdrawalFee
            | LineKind::WithdrawalBack
    )
}

/// What came in with one entry, negative for what went out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flow {
    pub(super) atoms: i64,
    pub(super) usdt: Option<i64>,
    pub(super) withdrawal: Option<u64>,
}

/// Flows since rows were last written, by member, instant, entry and coin.
#[derive(Debug, Default)]
pub(super) struct Flows(pub(super) BTreeMap<(UserId, Time, u64, AssetId), Flow>);

impl Flows {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A line that a member paid or received, and its value. The house has no flows.
    pub(super) fn add(
        &mut self,
        (seq, at): (u64, Time),
        posting: &Posting,
        (payer, payee): (Option<UserId>, Option<UserId>),
        worth: Option<Amount>,
    ) {
        let Some(user) = payer.or(payee).filter(|user| *user != HOUSE) else { return };
        // Amounts are below 10^18.
        let signed = |amount: Amount| {
            let amount = i64::try_from(amount).unwrap_or(i64::MAX);
            if payee.is_some() { amount } else { -amount }
        };
        let (atoms, usdt) = (signed(posting.amount), worth.map(signed));
        let withdrawal = (posting.object == ObjectKind::Withdrawal).then_some(posting.debit.object_id);
        let flow = self.0.entry((user, at, seq, posting.asset)).or_insert(Flow { atoms: 0, usdt: Some(0), withdrawal });
        flow.atoms = flow.atoms.saturating_add(atoms);
        flow.usdt = flow.usdt.zip(usdt).map(|(sum, more)| sum.saturating_add(more));
    }

    /// A returned withdrawal takes its value from the row of what went out, which may be among these.
    pub(super) fn statements(&self) -> Vec<Sql> {
        let (mut rows, mut returned) = (db::Rows::default(), Vec::new());
        for ((user, at, seq, asset), Flow { atoms, usdt, withdrawal }) in &self.0 {
            let flow = [Value::from(user.0), at.0.into(), (*seq).into(), asset.0.into(), (*atoms).into()];
            match withdrawal {
                Some(withdrawal) if *atoms > 0 => {
                    returned.push(Sql::new(INSERT_RETURNED, flow.into_iter().chain([(*withdrawal).into()]).collect()));
                }
                _ => rows.push(flow.into_iter().chain([(*usdt).into(), (*withdrawal).into()])),
            }
        }
        let rows = (!rows.is_empty()).then(|| Sql::bulk(INSERT, KNOWN, rows));
        rows.into_iter().chain(returned).collect()
    }
}
