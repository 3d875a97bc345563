//! History of ended options, derived from the log and rebuildable from it. Open options come from the engine.

use engine::ids::{AssetId, MarketId, OptionId, UserId};
use engine::options::option::BinaryOption;
use engine::time::{DAY_MS, Time};

use crate::db::{Db, DbError, Migration, Row, Sql, Value};
use crate::sql;

/// `body` is the option as reported by the engine; the other columns are what lists filter by, and the instants of its two samples.
pub(crate) const MIGRATION: Migration = Migration {
    id: 66,
    name: "options",
    ddl: &[
        "CREATE TABLE options (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL,
            market INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            open_ms INTEGER NOT NULL,
            delivery_ms INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT",
        "CREATE INDEX options_by_user ON options (user_id, id)",
        "CREATE INDEX options_by_open ON options (market, open_ms)",
        "CREATE INDEX options_by_delivery ON options (market, delivery_ms)",
    ],
};

pub(crate) const BY_END: Migration =
    Migration { id: 101, name: "options by end", ddl: &["CREATE INDEX options_by_end ON options (user_id, seq, id)"] };

pub(crate) const INSERT: &str = "insert into options (id, user_id, market, asset, open_ms, delivery_ms, seq, body) values";

/// The cells of an option that ended with the entry `seq`.
pub(crate) fn cells(seq: u64, option: &BinaryOption) -> Vec<Value> {
    let delivery = option.settled.and_then(|settled| settled.delivery).map_or(0, |made| made.at.0);
    // The value has string keys, and none of its serializers fails.
    let body = serde_json::to_string(option).unwrap_or_default();
    vec![
        option.id.0.into(),
        option.user.0.into(),
        option.market.0.into(),
        option.asset.0.into(),
        option.open.at.0.into(),
        delivery.into(),
        seq.into(),
        body.into(),
    ]
}

/// Filter of a list of options.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// One pair.
    pub market: Option<MarketId>,
    /// One stake coin.
    pub asset: Option<AssetId>,
    /// Nothing newer than this entry.
    pub up_to_seq: u64,
}

/// Which of two options is listed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one bought later.
    Bought,
    /// The one that ended later; of one entry the one bought later.
    Ended,
}

fn option(row: &Row) -> Result<BinaryOption, DbError> {
    serde_json::from_str(&row.text(0)?).map_err(|error| DbError::Failed(format!("option: {error}")))
}

/// `limit` of a member's ended options after the first `offset`; and the total count.
pub async fn list(
    db: &Db,
    user: UserId,
    filter: Filter,
    order: Order,
    (limit, offset): (u64, u64),
) -> Result<(Vec<BinaryOption>, u64), DbError> {
    let mut chosen = "user_id = $1 and seq <= $2".to_owned();
    let mut args: Vec<Value> = vec![user.0.into(), filter.up_to_seq.into()];
    for (column, number) in [("market", filter.market.map(|market| market.0)), ("asset", filter.asset.map(|asset| asset.0))] {
        if let Some(number) = number {
            args.push(number.into());
            chosen += &format!(" and {column} = ${}", args.len());
        }
    }
    let count = Sql::new(format!("select count(*) from options where {chosen}"), args.clone());
    args.extend([limit.into(), offset.into()]);
    let (limit, offset) = (args.len() - 1, args.len());
    let first = match order {
        Order::Bought => "id desc",
        Order::Ended => "seq desc, id desc",
    };
    let rows = Sql::new(format!("select body from options where {chosen} order by {first} limit ${limit} offset ${offset}"), args);
    let done = db.read(vec![rows, count]).await?;
    let [rows, count] = done.as_slice() else { return Err(DbError::Failed("two answers expected".to_owned())) };
    let total = count.first().map_or(Ok(0), |row| row.id(0))?;
    Ok((rows.rows.iter().map(option).collect::<Result<_, _>>()?, total))
}

/// How many options of a market fell due after `since` and found no valid price (O-2).
pub async fn refunded_after(db: &Db, market: MarketId, since: Time) -> Result<u64, DbError> {
    // Only these have no delivery sample, and no option runs longer than a day.
    let opened_ms = since.0.saturating_sub(DAY_MS);
    let query = sql!("select body from options where market = $1 and delivery_ms = 0 and open_ms >= $2", market.0, opened_ms);
    let ended = db.query(query).await?.rows.iter().map(option).collect::<Result<Vec<_>, _>>()?;
    let refunded = ended.iter().filter(|option| option.settled.is_some_and(|settled| settled.time > since && settled.delivery.is_none()));
    Ok(refunded.count() as u64)
}

/// A member's ended option.
pub async fn find(db: &Db, user: UserId, id: OptionId) -> Result<Option<BinaryOption>, DbError> {
    db.query(sql!("select body from options where user_id = $1 and id = $2", user.0, id.0)).await?.first().map(option).transpose()
}
