//! History rows: the past, derived from the log and rebuildable from it. The present comes from the engine.

use engine::amount::{Amount, Price};
use engine::catalog::Wallet;
use engine::ids::{AssetId, MarketId, OrderId, UserId};
use engine::spot::SpotOrder;
use engine::spot::{OrderRef, Side};
use engine::time::Time;

use crate::db::{Db, DbError, Row, Sql, Value};
use crate::page::Page;
use crate::sql;

/// Sequence up to which the rows are written, all but the costs.
pub async fn applied_seq(db: &Db) -> Result<u64, DbError> {
    let done = db.query(sql!("select applied_seq from history where id = 1")).await?;
    done.first().map_or(Ok(0), |row| row.id(0))
}

/// True if this PostgreSQL database has the tables of the history.
pub async fn is_made(db: &Db) -> Result<bool, DbError> {
    let made = db.query(sql!("select case when to_regclass('history') is null then 0 else 1 end")).await?;
    made.first().map_or(Ok(false), |row| row.flag(0))
}

/// Number of a wallet in SQL and on the wire.
pub fn wallet_number(wallet: Wallet) -> u8 {
    match wallet {
        Wallet::Spot => 2,
        Wallet::Futures => 3,
        Wallet::BinaryOptions => 4,
        Wallet::Earn => 5,
    }
}

pub(super) fn wallet(row: &Row, column: usize) -> Result<Wallet, DbError> {
    let number = row.id(column)?;
    let found = Wallet::ALL.into_iter().find(|wallet| u64::from(wallet_number(*wallet)) == number);
    found.ok_or_else(|| DbError::Failed(format!("wallet {number}")))
}

/// Number of a side in SQL and on the wire.
pub fn side_number(side: Side) -> u8 {
    match side {
        Side::Buy => 1,
        Side::Sell => 2,
    }
}

fn side(row: &Row, column: usize) -> Result<Side, DbError> {
    Ok(if row.id(column)? == 1 { Side::Buy } else { Side::Sell })
}

pub(super) fn small(row: &Row, column: usize) -> Result<u32, DbError> {
    u32::try_from(row.id(column)?).map_err(|_| DbError::Failed(format!("column {column}: too large")))
}

/// A statement line.
#[derive(Clone, Debug)]
pub struct StatementLine {
    /// Number.
    pub id: u64,
    /// Entry.
    pub seq: u64,
    /// Its time, ms.
    pub time_ms: u64,
    /// Wallet.
    pub wallet: Wallet,
    /// The held part; else the available one.
    pub held: bool,
    /// Coin.
    pub asset: AssetId,
    /// Kind on the wire.
    pub kind: u32,
    /// Atoms added, negative if taken.
    pub change: i64,
    /// Balance of the part afterwards.
    pub after: i64,
    /// Kind of the object it belongs to.
    pub object: String,
    /// Number of that object.
    pub object_id: u64,
}

const LINE: &str = "id, seq, time_ms, wallet, held, asset, kind, change, balance_after, object, object_id, part";

fn line(row: &Row) -> Result<StatementLine, DbError> {
    Ok(StatementLine {
        // A row has up to two lines.
        id: row.id(0)? * 2 + row.id(11)?,
        seq: row.id(1)?,
        time_ms: row.id(2)?,
        wallet: wallet(row, 3)?,
        held: row.flag(4)?,
        asset: AssetId(small(row, 5)?),
        kind: small(row, 6)?,
        change: row.int(7)?,
        after: row.int(8)?,
        object: row.text(9)?,
        object_id: row.id(10)?,
    })
}

/// The newest lines of a member in all wallets and coins.
pub async fn newest_lines(db: &Db, user: UserId, limit: u64) -> Result<Vec<StatementLine>, DbError> {
    let text = format!("select {LINE} from statement_lines where user_id = $1 order by id desc, part desc limit $2");
    let done = db.query(Sql::new(text, vec![user.0.into(), limit.into()])).await?;
    done.rows.iter().map(line).collect()
}

/// A page of a member's lines in one wallet and coin up to the entry `up_to`, oldest first, after `after`: instant and number of the
/// previous page's last line.
pub async fn statement_after(
    db: &Db,
    user: UserId,
    (of, asset): (Wallet, AssetId),
    up_to: u64,
    after: (u64, u64),
    most: u64,
) -> Result<Vec<StatementLine>, DbError> {
    // The page's rows are chosen first and become lines here, as in the view: through it, PostgreSQL read rows of other pages again. A row
    // has one or two lines, and the first row may have none left.
    let text = format!(
        "with chosen as (select * from statement where user_id = $1 and wallet = $2 and asset = $3 and seq <= $4 and (time_ms, id) >= ($5, $6)
            order by time_ms, id limit $9)
         select {LINE} from
            (select id, part, seq, time_ms, wallet, asset, kind, object, object_id,
                case part when 0 then held else 1 - held end as held, case part when 0 then change else -change end as change,
                case part when 0 then balance_after else other_after end as balance_after
            from chosen cross join (select 0 as part union all select 1) as parts where part <= two_lines) as lines
         where (time_ms, id, part) > ($5, $6, $7) order by time_ms, id, part limit $8"
    );
    let (time_ms, number) = after;
    let args = [user.0.into(), wallet_number(of).into(), asset.0.into(), up_to.into(), time_ms.into()];
    let place = [(number / 2).into(), (number % 2).into(), most.into(), (most + 1).into()];
    db.query(Sql::new(text, args.into_iter().chain(place).collect())).await?.rows.iter().map(line).collect()
}

/// One page of a wallet's statement in one coin, newest first, and how many lines there are.
pub async fn statement(
    db: &Db,
    user: UserId,
    asset: AssetId,
    of: Wallet,
    kind: Option<u64>,
    page: Page,
) -> Result<(Vec<StatementLine>, u64), DbError> {
    let mut chosen = "user_id = $1 and wallet = $2 and asset = $3".to_owned();
    let mut args: Vec<Value> = vec![user.0.into(), wallet_number(of).into(), asset.0.into()];
    if let Some(kind) = kind {
        chosen += " and kind = $4";
        args.push(kind.into());
    }
    // The time of the log never decreases, so this is the order of the numbers and that of the index.
    paged(db, LINE, "statement_lines", &chosen, "time_ms desc, id desc, part desc", args, page, line).await
}

const NEWEST: &str = "id desc";

/// Rows of one page in this order, and how many there are in all.
#[allow(clippy::too_many_arguments, reason = "the parts of one statement")]
async fn paged<T>(
    db: &Db,
    columns: &str,
    table: &str,
    chosen: &str,
    order: &str,
    args: Vec<Value>,
    page: Page,
    read: impl Fn(&Row) -> Result<T, DbError>,
) -> Result<(Vec<T>, u64), DbError> {
    let next = args.len() + 1;
    let count = Sql::new(format!("select count(*) from {table} where {chosen}"), args.clone());
    let mut bounds = args;
    bounds.extend([page.limit.into(), page.offset().into()]);
    let rows = format!("select {columns} from {table} where {chosen} order by {order} limit ${next} offset ${}", next + 1);
    let done = db.read(vec![Sql::new(rows, bounds), count]).await?;
    let [rows, count] = done.as_slice() else { return Err(DbError::Failed("two answers expected".to_owned())) };
    let total = count.first().map_or(Ok(0), |row| row.id(0))?;
    Ok((rows.rows.iter().map(read).collect::<Result<_, _>>()?, total))
}

/// Filter of a list of orders or fills.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Pairs; `None` = all.
    pub markets: Option<Vec<MarketId>>,
    /// 1, 2 or 3 of the wire.
    pub status: Option<u64>,
    /// 1 or 2.
    pub side: Option<u64>,
    /// One order.
    pub order: Option<OrderId>,
    /// Nothing newer than this entry.
    pub up_to_seq: Option<u64>,
}

impl Filter {
    fn conditions(&self, user: UserId) -> (String, Vec<Value>) {
        let mut text = "user_id = $1".to_owned();
        let mut args: Vec<Value> = vec![user.0.into()];
        let mut equal = |column: &str, value: Option<u64>| {
            if let Some(value) = value {
                args.push(value.into());
                text += &format!(" and {column} = ${}", args.len());
            }
        };
        equal("status", self.status);
        equal("side", self.side);
        equal("order_id", self.order.map(|order| order.0));
        if let Some(seq) = self.up_to_seq {
            args.push(seq.into());
            text += &format!(" and seq <= ${}", args.len());
        }
        if let Some(markets) = &self.markets {
            let list: Vec<String> = markets.iter().map(|market| market.0.to_string()).collect();
            // These are numbers of our own catalog. Without any, nothing is found.
            text += &format!(" and market in ({})", if list.is_empty() { "-1".to_owned() } else { list.join(",") });
        }
        (text, args)
    }
}

/// An order after an entry: an ended one after its last change.
#[derive(Clone, Debug)]
pub struct OrderRow {
    /// The order.
    pub order: SpotOrder,
    /// The entry.
    pub seq: u64,
}

fn order_row(row: &Row) -> Result<OrderRow, DbError> {
    let order = serde_json::from_str(&row.text(0)?).map_err(|error| DbError::Failed(format!("order: {error}")))?;
    Ok(OrderRow { order, seq: row.id(1)? })
}

/// A page of a member's ended orders, newest first, after the first `offset`.
pub async fn orders(db: &Db, user: UserId, filter: &Filter, limit: u64, offset: u64) -> Result<Vec<OrderRow>, DbError> {
    let (chosen, mut args) = filter.conditions(user);
    args.extend([limit.into(), offset.into()]);
    let text =
        format!("select body, seq from spot_orders where {chosen} order by id desc limit ${} offset ${}", args.len() - 1, args.len());
    db.query(Sql::new(text, args)).await?.rows.iter().map(order_row).collect()
}

/// A member's ended order by number, or the newest with this client id, of those that were placed up to an entry.
pub async fn order(db: &Db, user: UserId, order: &OrderRef, up_to: u64) -> Result<Option<OrderRow>, DbError> {
    const BY_ID: &str = "select body, seq from spot_orders where user_id = $1 and id <= $2 and id = $3";
    const BY_CLIENT: &str =
        "select body, seq from spot_orders where user_id = $1 and id <= $2 and client_order_id = $3 order by id desc limit 1";
    let find = match order {
        OrderRef::Id(id) => sql!(BY_ID, user.0, up_to, id.0),
        OrderRef::Client(id) => sql!(BY_CLIENT, user.0, up_to, id.as_str()),
    };
    db.query(find).await?.first().map(order_row).transpose()
}

/// One side of a trade, as its owner sees it.
#[derive(Clone, Debug)]
pub struct Fill {
    /// Number.
    pub id: u64,
    /// Trade.
    pub trade: u64,
    /// Order.
    pub order: OrderId,
    /// Pair.
    pub market: MarketId,
    /// Direction.
    pub side: Side,
    /// The resting side.
    pub maker: bool,
    /// Price.
    pub price: Price,
    /// Base atoms.
    pub quantity: Amount,
    /// Quote atoms.
    pub value: Amount,
    /// Atoms of the received coin.
    pub fee: Amount,
    /// Entry.
    pub seq: u64,
    /// Its time, ms.
    pub time_ms: u64,
}

/// One page of a member's fills, newest first.
pub async fn fills(db: &Db, user: UserId, filter: &Filter, page: Page) -> Result<(Vec<Fill>, u64), DbError> {
    let (chosen, args) = filter.conditions(user);
    let columns = "id, trade_id, order_id, market, side, maker, price, quantity, amount, fee, seq, time_ms";
    let fill = |row: &Row| {
        Ok(Fill {
            id: row.id(0)?,
            trade: row.id(1)?,
            order: OrderId(row.id(2)?),
            market: MarketId(small(row, 3)?),
            side: side(row, 4)?,
            maker: row.flag(5)?,
            price: Price(row.id(6)?),
            quantity: row.id(7)?,
            value: row.id(8)?,
            fee: row.id(9)?,
            seq: row.id(10)?,
            time_ms: row.id(11)?,
        })
    };
    paged(db, columns, "fills", &chosen, NEWEST, args, page, fill).await
}

/// A trade without its parties.
#[derive(Clone, Copy, Debug)]
pub struct PublicTrade {
    /// Number.
    pub id: u64,
    /// Side of the taker.
    pub side: Side,
    /// Price.
    pub price: Price,
    /// Base atoms.
    pub quantity: Amount,
    /// Entry.
    pub seq: u64,
    /// Its time, ms.
    pub time_ms: u64,
    /// One of its sides is the house liquidity.
    pub house: bool,
}

/// The newest trades of a pair, or those before one.
pub async fn trades(db: &Db, market: MarketId, before: Option<u64>, limit: u64) -> Result<Vec<PublicTrade>, DbError> {
    let before = before.unwrap_or(u64::MAX >> 1);
    let find = sql!(
        "select id, side, price, quantity, seq, time_ms, house from trades where market = $1 and id < $2 order by id desc limit $3",
        market.0,
        before,
        limit
    );
    let trade = |row: &Row| {
        Ok(PublicTrade {
            id: row.id(0)?,
            side: side(row, 1)?,
            price: Price(row.id(2)?),
            quantity: row.id(3)?,
            seq: row.id(4)?,
            time_ms: row.id(5)?,
            house: row.flag(6)?,
        })
    };
    db.query(find).await?.rows.iter().map(trade).collect()
}

/// Number of the first trade of all pairs at or after an instant: numbers rise with time. The one after the newest when there is none.
///
/// # Errors
/// Of the database.
pub async fn first_trade_at(db: &Db, time: Time) -> Result<u64, DbError> {
    let newest = db.query(sql!("select id from trades order by id desc limit 1")).await?;
    let (mut low, mut high) = (1, newest.first().map_or(Ok(0), |row| row.id(0))? + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        let found = db.query(sql!("select id, time_ms from trades where id >= $1 order by id limit 1", middle)).await?;
        let (id, at) = found.first().map_or(Ok((high, u64::MAX)), |row| Ok::<_, DbError>((row.id(0)?, row.id(1)?)))?;
        if at < time.0 { low = id + 1 } else { high = middle }
    }
    Ok(low)
}

/// A transfer between two wallets.
#[derive(Clone, Copy, Debug)]
pub struct TransferRow {
    /// Number: the sequence of its entry.
    pub id: u64,
    /// Coin.
    pub asset: AssetId,
    /// Wallet that paid.
    pub from: Wallet,
    /// Wallet that received.
    pub to: Wallet,
    /// Atoms.
    pub amount: Amount,
    /// Time of the entry, ms.
    pub time_ms: u64,
}

/// One page of a member's transfers, newest first.
pub async fn transfers(db: &Db, user: UserId, page: Page) -> Result<(Vec<TransferRow>, u64), DbError> {
    let transfer = |row: &Row| {
        Ok(TransferRow {
            id: row.id(0)?,
            asset: AssetId(small(row, 1)?),
            from: wallet(row, 2)?,
            to: wallet(row, 3)?,
            amount: row.id(4)?,
            time_ms: row.id(5)?,
        })
    };
    let columns = "id, asset, from_wallet, to_wallet, amount, time_ms";
    paged(db, columns, "transfers", "user_id = $1", NEWEST, vec![user.0.into()], page, transfer).await
}
