//! History of ended commitments to new coins. Derived from the log and rebuildable from it. Open ones come from the engine.

use engine::amount::Amount;
use engine::ids::{OfferingId, UserId};
use engine::subscriptions::offering::Commitment;

use crate::db::{Db, DbError, Migration, Row, Sql, Value};
use crate::sql;

/// `body` is the commitment as reported by the engine; the other columns are what lists filter by and sum.
pub(crate) const MIGRATION: Migration = Migration {
    id: 85,
    name: "commitments",
    ddl: &[
        "CREATE TABLE commitments (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL,
            offering INTEGER NOT NULL,
            tokens INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT",
        "CREATE INDEX commitments_by_user ON commitments (user_id, id)",
    ],
};

/// For the public commitments of an offering.
pub(crate) const BY_OFFERING: Migration =
    Migration { id: 100, name: "commitments by offering", ddl: &["CREATE INDEX commitments_by_offering ON commitments (offering, id)"] };

pub(crate) const INSERT: &str = "insert into commitments (id, user_id, offering, tokens, seq, body) values";

/// The cells of a commitment that ended with the entry `seq`.
pub(crate) fn cells(seq: u64, commitment: &Commitment) -> Vec<Value> {
    // The value has string keys, and none of its serializers fails.
    let body = serde_json::to_string(commitment).unwrap_or_default();
    let Commitment { id, user, offering, tokens, .. } = commitment;
    vec![id.0.into(), user.0.into(), offering.0.into(), (*tokens).into(), seq.into(), body.into()]
}

fn ended(row: &Row) -> Result<Commitment, DbError> {
    serde_json::from_str(&row.text(0)?).map_err(|error| DbError::Failed(format!("commitment: {error}")))
}

/// A page of a member's ended commitments up to an entry, newest first, after the first `offset`; and the total count.
pub async fn list(db: &Db, user: UserId, up_to_seq: u64, limit: u64, offset: u64) -> Result<(Vec<Commitment>, u64), DbError> {
    let rows = "select body from commitments where user_id = $1 and seq <= $2 order by id desc limit $3 offset $4";
    let count = "select count(*) from commitments where user_id = $1 and seq <= $2";
    let done = db.read(vec![sql!(rows, user.0, up_to_seq, limit, offset), sql!(count, user.0, up_to_seq)]).await?;
    let [rows, count] = done.as_slice() else { return Err(DbError::Failed("two answers expected".to_owned())) };
    let total = count.first().map_or(Ok(0), |row| row.id(0))?;
    Ok((rows.rows.iter().map(ended).collect::<Result<_, _>>()?, total))
}

/// Commitments to an offering after this one that ended with an entry up to `up_to_seq`, oldest first.
///
/// # Errors
/// Of the database.
pub async fn to_offering(db: &Db, id: OfferingId, after: u64, up_to_seq: u64, limit: u64) -> Result<Vec<Commitment>, DbError> {
    let text = "select body from commitments where offering = $1 and id > $2 and seq <= $3 order by id limit $4";
    let after: Value = after.min(i64::MAX.unsigned_abs()).into();
    db.query(sql!(text, id.0, after, up_to_seq, limit)).await?.rows.iter().map(ended).collect()
}

/// The tokens of each of a member's ended commitments that had some, with their offering.
pub async fn tokens(db: &Db, user: UserId, up_to_seq: u64) -> Result<Vec<(OfferingId, Amount)>, DbError> {
    let text = "select offering, tokens from commitments where user_id = $1 and seq <= $2 and tokens > 0";
    let rows = db.query(Sql::new(text.to_owned(), vec![user.0.into(), up_to_seq.into()])).await?.rows;
    let number = |row: &Row| Ok((OfferingId(u32::try_from(row.id(0)?).unwrap_or(u32::MAX)), row.id(1)?));
    rows.iter().map(number).collect()
}
