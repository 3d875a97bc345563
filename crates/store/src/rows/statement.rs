//! Statement lines of members, as rows.

use engine::catalog::Wallet;
use engine::ids::{AssetId, UserId};
use engine::ledger::{Line, ObjectKind, Owner, Part, Posting};

use super::line_kinds::{line_kind, object_word};
use crate::db::{self, Value};
use crate::history::wallet_number;
use crate::people::HOUSE;

/// Its columns are those of [`Statement::rows`].
pub(super) const INSERT: &str = "insert into statement
    (seq, time_ms, user_id, wallet, held, asset, kind, change, balance_after, two_lines, other_after, object, object_id) values";

/// A row of a statement: one line, or the two of money that changed its part within one wallet.
#[derive(Debug)]
struct Row {
    user: UserId,
    /// Its position among the rows of one transaction.
    place: usize,
    /// Sequence and time of its entry.
    seq: u64,
    time_ms: u64,
    wallet: Wallet,
    part: Part,
    asset: AssetId,
    /// Kind on the wire.
    kind: u32,
    /// Atoms added to the part, negative if taken.
    change: i64,
    /// The part's balance afterwards.
    after: u64,
    /// The other part's balance afterwards, if it received what this one paid.
    other_after: Option<u64>,
    object: ObjectKind,
    object_id: u64,
}

/// The rows of one transaction.
#[derive(Debug, Default)]
pub(super) struct Statement(Vec<Row>);

impl Statement {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Money held for an order and released again moves within one wallet. Most postings are of this kind, so their two lines share a row.
    pub(super) fn post(&mut self, seq: u64, time_ms: u64, posting: &Posting) {
        let [paid, received] = posting.lines();
        match (paid.owner, received.owner) {
            (Owner::Member(payer, from, _), Owner::Member(payee, to, _))
                if (payer, from, paid.object_id) == (payee, to, received.object_id) =>
            {
                self.line(seq, time_ms, &paid, Some(received.after));
            }
            _ => [paid, received].iter().for_each(|line| self.line(seq, time_ms, line, None)),
        }
    }

    fn line(&mut self, seq: u64, time_ms: u64, line: &Line, other_after: Option<u64>) {
        let Line { owner, asset, credit, amount, after, kind, object, object_id } = *line;
        let Owner::Member(user, wallet, part) = owner else { return };
        if user == HOUSE {
            return;
        }
        // Amounts are below 10^18.
        let amount = i64::try_from(amount).unwrap_or(i64::MAX);
        let change = if credit { amount } else { -amount };
        let (place, kind) = (self.0.len(), line_kind(kind, wallet, credit));
        let row = Row { user, place, seq, time_ms, wallet, part, asset, kind, change, after, other_after, object, object_id };
        self.0.push(row);
    }

    /// The rows for SQL, each member's in their order; their memory is reused for the next ones. Rows that are neighbours in the index come
    /// one after the other, so each of its pages is found and loaded into the processor's cache once and not once for each row.
    pub(super) fn rows(&mut self) -> db::Rows {
        self.0.sort_unstable_by_key(|row| (row.user, row.place));
        let cells = |row: Row| {
            [
                row.seq.into(),
                row.time_ms.into(),
                row.user.0.into(),
                wallet_number(row.wallet).into(),
                (row.part == Part::Held).into(),
                row.asset.0.into(),
                row.kind.into(),
                row.change.into(),
                row.after.into(),
                row.other_after.is_some().into(),
                row.other_after.into(),
                Value::Text(object_word(row.object).into()),
                row.object_id.into(),
            ]
        };
        self.0.drain(..).map(cells).collect()
    }
}
