//! History of ended plan orders, derived from the log and rebuildable from it. Open ones come from the engine.

use engine::amount::Amount;
use engine::ids::{AssetId, PlanOrderId, UserId};
use engine::plans::order::PlanOrder;
use engine::plans::status::Status;
use engine::time::Time;

use crate::db::{Db, DbError, Migration, Row, Sql, Value};
use crate::sql;

/// `body` is the order as reported by the engine; the other columns are what lists filter by and reports add up.
pub(crate) const MIGRATION: Migration = Migration {
    id: 79,
    name: "plan orders",
    ddl: &[
        "CREATE TABLE plan_orders (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            redeemed INTEGER NOT NULL,
            interest INTEGER NOT NULL,
            ended_ms INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT",
        "CREATE INDEX plan_orders_by_user ON plan_orders (user_id, id)",
        "CREATE INDEX plan_orders_by_end ON plan_orders (user_id, ended_ms)",
    ],
};

pub(crate) const INSERT: &str = "insert into plan_orders (id, user_id, asset, redeemed, interest, ended_ms, seq, body) values";

/// The cells of an order that ended; `None` for an open one.
pub(crate) fn cells(order: &PlanOrder) -> Option<Vec<Value>> {
    let ended = order.ended?;
    // The value has string keys, and none of its serializers fails.
    let body = serde_json::to_string(order).unwrap_or_default();
    let redeemed = order.status == Status::Redeemed;
    Some(vec![
        order.id.0.into(),
        order.user.0.into(),
        order.asset.0.into(),
        redeemed.into(),
        ended.interest.into(),
        ended.time.0.into(),
        ended.seq.0.into(),
        body.into(),
    ])
}

fn order(row: &Row) -> Result<PlanOrder, DbError> {
    serde_json::from_str(&row.text(0)?).map_err(|error| DbError::Failed(format!("plan order: {error}")))
}

/// Filter of a list of orders.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// Only those that were redeemed early, or only those that matured.
    pub redeemed: Option<bool>,
    /// Nothing newer than this entry.
    pub up_to_seq: u64,
}

/// A page of a member's ended orders, newest first, after the first `offset`; and the total count.
pub async fn list(db: &Db, user: UserId, filter: Filter, limit: u64, offset: u64) -> Result<(Vec<PlanOrder>, u64), DbError> {
    let mut chosen = "user_id = $1 and seq <= $2".to_owned();
    let mut args: Vec<Value> = vec![user.0.into(), filter.up_to_seq.into()];
    if let Some(redeemed) = filter.redeemed {
        args.push(redeemed.into());
        chosen += &format!(" and redeemed = ${}", args.len());
    }
    let count = Sql::new(format!("select count(*) from plan_orders where {chosen}"), args.clone());
    args.extend([limit.into(), offset.into()]);
    let (limit, offset) = (args.len() - 1, args.len());
    let rows = Sql::new(format!("select body from plan_orders where {chosen} order by id desc limit ${limit} offset ${offset}"), args);
    let done = db.read(vec![rows, count]).await?;
    let [rows, count] = done.as_slice() else { return Err(DbError::Failed("two answers expected".to_owned())) };
    let total = count.first().map_or(Ok(0), |row| row.id(0))?;
    Ok((rows.rows.iter().map(order).collect::<Result<_, _>>()?, total))
}

/// A member's ended order.
pub async fn find(db: &Db, user: UserId, id: PlanOrderId) -> Result<Option<PlanOrder>, DbError> {
    db.query(sql!("select body from plan_orders where user_id = $1 and id = $2", user.0, id.0)).await?.first().map(order).transpose()
}

/// Interest that a member's ended orders paid up to an entry, by coin.
pub async fn interest_paid(db: &Db, user: UserId, up_to_seq: u64) -> Result<Vec<(AssetId, Amount)>, DbError> {
    let text =
        "select asset, cast(sum(interest) as bigint) from plan_orders where user_id = $1 and seq <= $2 group by asset order by asset";
    let row = |row: &Row| {
        let asset = u32::try_from(row.id(0)?).map_err(|_| DbError::Failed("a number of 32 bits expected".to_owned()))?;
        Ok((AssetId(asset), row.id(1)?))
    };
    db.query(sql!(text, user.0, up_to_seq)).await?.rows.iter().map(row).collect()
}

/// A member's orders that ended from an instant on, up to an entry.
pub async fn ended_since(db: &Db, user: UserId, since: Time, up_to_seq: u64) -> Result<Vec<PlanOrder>, DbError> {
    let text = "select body from plan_orders where user_id = $1 and ended_ms >= $2 and seq <= $3";
    db.query(sql!(text, user.0, since.0, up_to_seq)).await?.rows.iter().map(order).collect()
}
