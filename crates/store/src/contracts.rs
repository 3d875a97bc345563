//! History of contracts: closed contracts, and the public record of openings and closings. Derived from the log and rebuildable from it.
//! Open contracts come from the engine.

use engine::amount::{Amount, Price};
use engine::contracts::formulas::Direction;
use engine::contracts::position::{Position, Status};
use engine::ids::{MarketId, PositionId, UserId};

use crate::db::{Db, DbError, Migration, Row, Sql, Value};
use crate::sql;

/// `body` is the contract as reported by the engine; the other columns are what lists filter by. A contract has at most two trades,
/// `closing` 0 or 1; they name no member.
pub(crate) const MIGRATION: Migration = Migration {
    id: 73,
    name: "contracts",
    ddl: &[
        "CREATE TABLE contracts (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL,
            market INTEGER NOT NULL,
            status INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT",
        "CREATE INDEX contracts_by_user ON contracts (user_id, id)",
        "CREATE TABLE contract_trades (
            position INTEGER NOT NULL,
            closing INTEGER NOT NULL,
            market INTEGER NOT NULL,
            price INTEGER NOT NULL,
            quantity INTEGER NOT NULL,
            buys INTEGER NOT NULL,
            time_ms INTEGER NOT NULL,
            PRIMARY KEY (position, closing)
        ) STRICT",
        "CREATE INDEX contract_trades_by_time ON contract_trades (market, time_ms, position, closing)",
    ],
};

pub(crate) const INSERT: &str = "insert into contracts (id, user_id, market, status, seq, body) values";
pub(crate) const TRADE: &str = "insert into contract_trades (position, closing, market, price, quantity, buys, time_ms) values";
/// The row is the same each time it is written.
pub(crate) const KNOWN: &str = "on conflict (position, closing) do nothing";

/// The cells of a contract that ended with the entry `seq`.
pub(crate) fn cells(seq: u64, position: &Position) -> Vec<Value> {
    // The value has string keys, and none of its serializers fails.
    let body = serde_json::to_string(position).unwrap_or_default();
    let status = status_number(position.status);
    vec![position.id.0.into(), position.user.0.into(), position.market.0.into(), status.into(), seq.into(), body.into()]
}

/// The public trade that a change of a contract may be: its opening, or its closing. A night that was paid for is none.
pub(crate) fn trade_cells(position: &Position) -> Option<[Value; 7]> {
    let (closing, ticks, at) = match position.status {
        Status::Holding if position.overnight_paid == 0 => (false, position.entry, position.opened?),
        Status::Closed => (true, position.close, position.ended?),
        Status::Holding | Status::Waiting | Status::Cancelled => return None,
    };
    let buys = (position.direction == Direction::Long) != closing;
    let price = position.price(ticks);
    let quantity = position.lots.saturating_mul(position.terms.lot);
    let (id, market) = (position.id.0, position.market.0);
    Some([id.into(), closing.into(), market.into(), price.0.into(), quantity.into(), buys.into(), at.0.into()])
}

/// The wire's number of a state.
pub fn status_number(status: Status) -> u8 {
    match status {
        Status::Waiting => 0,
        Status::Holding => 1,
        Status::Closed => 3,
        Status::Cancelled => 4,
    }
}

/// Filter of a list of contracts.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only these pairs.
    pub markets: Option<Vec<MarketId>>,
    /// Only in this state.
    pub status: Option<Status>,
    /// Nothing newer than this entry.
    pub up_to_seq: u64,
}

/// A contract that ended with the entry `seq`.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// The contract.
    pub position: Position,
    /// Its last entry.
    pub seq: u64,
}

fn ended(row: &Row) -> Result<Ended, DbError> {
    let position = serde_json::from_str(&row.text(0)?).map_err(|error| DbError::Failed(format!("contract: {error}")))?;
    Ok(Ended { position, seq: row.id(1)? })
}

/// A page of a member's ended contracts, newest first, after the first `offset`; and the total count.
pub async fn list(db: &Db, user: UserId, filter: &Filter, limit: u64, offset: u64) -> Result<(Vec<Ended>, u64), DbError> {
    let mut chosen = "user_id = $1 and seq <= $2".to_owned();
    let mut args: Vec<Value> = vec![user.0.into(), filter.up_to_seq.into()];
    if let Some(status) = filter.status {
        args.push(status_number(status).into());
        chosen += &format!(" and status = ${}", args.len());
    }
    if let Some(markets) = &filter.markets {
        let list: Vec<String> = markets.iter().map(|market| market.0.to_string()).collect();
        // Pair 0 does not exist, so an empty list matches nothing.
        chosen += &format!(" and market in (0{}{})", if list.is_empty() { "" } else { ", " }, list.join(", "));
    }
    let count = Sql::new(format!("select count(*) from contracts where {chosen}"), args.clone());
    args.extend([limit.into(), offset.into()]);
    let (limit, offset) = (args.len() - 1, args.len());
    let rows = Sql::new(format!("select body, seq from contracts where {chosen} order by id desc limit ${limit} offset ${offset}"), args);
    let done = db.read(vec![rows, count]).await?;
    let [rows, count] = done.as_slice() else { return Err(DbError::Failed("two answers expected".to_owned())) };
    let total = count.first().map_or(Ok(0), |row| row.id(0))?;
    Ok((rows.rows.iter().map(ended).collect::<Result<_, _>>()?, total))
}

/// A member's ended contract.
pub async fn find(db: &Db, user: UserId, id: PositionId) -> Result<Option<Ended>, DbError> {
    let text = "select body, seq from contracts where user_id = $1 and id = $2";
    db.query(sql!(text, user.0, id.0)).await?.first().map(ended).transpose()
}

/// An opening or a closing, of whomever.
#[derive(Clone, Copy, Debug)]
pub struct PublicTrade {
    /// Execution price.
    pub price: Price,
    /// Base atoms.
    pub quantity: Amount,
    /// A long was opened or a short closed.
    pub buys: bool,
    /// When, ms.
    pub time_ms: u64,
}

/// The last openings and closings in a pair, newest first.
pub async fn trades(db: &Db, market: MarketId, limit: u64) -> Result<Vec<PublicTrade>, DbError> {
    let text = "select price, quantity, buys, time_ms from contract_trades where market = $1
        order by time_ms desc, position desc, closing desc limit $2";
    let rows = db.query(sql!(text, market.0, limit)).await?.rows;
    let trade = |row: &Row| Ok(PublicTrade { price: Price(row.id(0)?), quantity: row.id(1)?, buys: row.int(2)? == 1, time_ms: row.id(3)? });
    rows.iter().map(trade).collect()
}
