//! History of deposits, withdrawals and identity submissions: derived from the log and rebuildable from it.

use engine::funding::deposits::{Claimed, Deposit};
use engine::funding::status::{DepositStatus, WithdrawalStatus};
use engine::funding::withdrawals::Withdrawal;
use engine::identity::Identity;
use engine::identity::status::Status;
use engine::ids::UserId;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::db::{Db, DbError, Row, Sql, Value};
use crate::page::Page;

/// Something that has a history row.
pub trait StoredState: Serialize + DeserializeOwned {
    /// The insert of its table, up to `values`.
    const INSERT: &'static str;
    /// Reads its table.
    const SELECT: &'static str;
    /// Number, owner, state of the wire, when it began.
    fn columns(&self) -> (u64, UserId, u8, u64);
    /// The column value that selects the queue, if the state does not: the last column.
    fn half(&self) -> Option<bool> {
        None
    }
}

/// The end of [`StoredState::INSERT`]: a newer state replaces the older one.
pub const NEWER: &str = "on conflict (id) do update set status = excluded.status, seq = excluded.seq, changed_ms = excluded.changed_ms, \
     body = excluded.body";

/// The same of withdrawals, which wait until they are sent.
pub const NEWER_WAITING: &str = "on conflict (id) do update set status = excluded.status, seq = excluded.seq, \
     changed_ms = excluded.changed_ms, body = excluded.body, waits = excluded.waits";

impl StoredState for Deposit {
    const INSERT: &'static str = "insert into deposits (id, user_id, status, seq, created_ms, changed_ms, body, bank) values";
    const SELECT: &'static str = "from deposits";
    fn columns(&self) -> (u64, UserId, u8, u64) {
        (self.id.0, self.user, deposit_number(self.status), self.created.0)
    }
    fn half(&self) -> Option<bool> {
        Some(matches!(self.claimed, Claimed::Bank { .. }))
    }
}

impl StoredState for Withdrawal {
    const INSERT: &'static str = "insert into withdrawals (id, user_id, status, seq, created_ms, changed_ms, body, waits) values";
    const SELECT: &'static str = "from withdrawals";
    fn columns(&self) -> (u64, UserId, u8, u64) {
        (self.id.0, self.user, withdrawal_number(self.status), self.submitted.0)
    }
    fn half(&self) -> Option<bool> {
        Some(matches!(self.status, WithdrawalStatus::UnderReview | WithdrawalStatus::Passed))
    }
}

impl StoredState for Identity {
    const INSERT: &'static str = "insert into submissions (id, user_id, status, seq, created_ms, changed_ms, body) values";
    const SELECT: &'static str = "from submissions";
    fn columns(&self) -> (u64, UserId, u8, u64) {
        (self.submission.0, self.user, identity_number(self.status), self.submitted.0)
    }
}

/// The wire's state of a deposit (`docs/api.md` 2.2).
pub fn deposit_number(status: DepositStatus) -> u8 {
    match status {
        DepositStatus::UnderReview => 1,
        DepositStatus::Passed => 2,
        DepositStatus::Rejected => 3,
    }
}

/// The wire's state of a withdrawal.
pub fn withdrawal_number(status: WithdrawalStatus) -> u8 {
    match status {
        WithdrawalStatus::UnderReview => 1,
        WithdrawalStatus::Passed | WithdrawalStatus::Sent | WithdrawalStatus::Confirmed => 2,
        WithdrawalStatus::Rejected | WithdrawalStatus::Cancelled | WithdrawalStatus::Returned => 3,
    }
}

/// The wire's state of a level of verification.
pub fn identity_number(status: Status) -> u8 {
    match status {
        Status::Unverified => 0,
        Status::UnderReview => 1,
        Status::Verified => 2,
        Status::Rejected => 3,
    }
}

/// The cells of a history row.
pub fn cells(seq: u64, changed_ms: u64, item: &impl StoredState) -> Vec<Value> {
    let (id, user, status, created_ms) = item.columns();
    let body = serde_json::to_string(item).unwrap_or_default();
    let mut cells = vec![id.into(), user.0.into(), status.into(), seq.into(), created_ms.into(), changed_ms.into(), body.into()];
    cells.extend(item.half().map(Value::from));
    cells
}

/// A stored state, with the entry that made it.
#[derive(Clone, Debug)]
pub struct VersionedRow<T> {
    /// The object.
    pub item: T,
    /// Entry of its last change.
    pub seq: u64,
    /// Time of its last change, ms.
    pub changed_ms: u64,
}

/// One page, newest first, and how many there are: of one member or of all, in one state or in any.
pub async fn list<T: StoredState>(
    db: &Db,
    user: Option<UserId>,
    status: Option<u64>,
    page: Page,
) -> Result<(Vec<VersionedRow<T>>, u64), DbError> {
    let mut chosen = String::from(" where 1 = 1");
    let mut args: Vec<Value> = Vec::new();
    for (column, value) in [("user_id", user.map(|user| user.0)), ("status", status)] {
        if let Some(value) = value {
            args.push(value.into());
            chosen += &format!(" and {column} = ${}", args.len());
        }
    }
    let count = Sql::new(format!("select count(*) {}{chosen}", T::SELECT), args.clone());
    let places = (args.len() + 1, args.len() + 2);
    args.extend([page.limit.into(), page.offset().into()]);
    let rows = format!("select body, seq, changed_ms {}{chosen} order by id desc limit ${} offset ${}", T::SELECT, places.0, places.1);
    let done = db.read(vec![Sql::new(rows, args), count]).await?;
    let total = done[1].first().map(|row| row.id(0)).transpose()?.unwrap_or(0);
    Ok((done[0].rows.iter().map(kept).collect::<Result<_, _>>()?, total))
}

/// The object with this number.
pub async fn one<T: StoredState>(db: &Db, id: u64) -> Result<Option<VersionedRow<T>>, DbError> {
    let done = db.query(Sql::new(format!("select body, seq, changed_ms {} where id = $1", T::SELECT), vec![id.into()])).await?;
    done.first().map(kept).transpose()
}

fn kept<T: StoredState>(row: &Row) -> Result<VersionedRow<T>, DbError> {
    Ok(VersionedRow { item: serde_json::from_str(&row.text(0)?).map_err(DbError::failed)?, seq: row.id(1)?, changed_ms: row.id(2)? })
}

/// How many withdrawals a member applied for since an instant, up to and with this one.
pub async fn withdrawals_since(db: &Db, user: UserId, since_ms: u64, id: u64) -> Result<u64, DbError> {
    let text = "select count(*) from withdrawals where user_id = $1 and created_ms >= $2 and id < $3";
    Ok(db.query(crate::sql!(text, user.0, since_ms, id)).await?.first().map_or(Ok(0), |row| row.id(0))? + 1)
}
