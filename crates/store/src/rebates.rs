//! History of rebates, derived from the log and rebuildable from it (`docs/rules.md` 14). Rebates still owed come from the engine.

use engine::candles::civil_date;
use engine::ids::{AssetId, UserId};
use engine::referral::Rebate;

use crate::db::{Db, DbError, Migration, Row, Sql, Value};
use crate::page::Page;
use crate::sql;

/// `payer` is 0 where several members paid the fees.
pub(crate) const MIGRATION: Migration = Migration {
    id: 87,
    name: "rebates",
    ddl: &[
        "CREATE TABLE rebates (
            id INTEGER PRIMARY KEY,
            user_id INTEGER NOT NULL,
            level INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            amount INTEGER NOT NULL,
            fees INTEGER NOT NULL,
            value INTEGER NOT NULL,
            day INTEGER NOT NULL,
            payer INTEGER NOT NULL,
            time_ms INTEGER NOT NULL,
            seq INTEGER NOT NULL
        ) STRICT",
        "CREATE INDEX rebates_by_user ON rebates (user_id, id)",
        "CREATE INDEX rebates_by_day ON rebates (user_id, day, id)",
    ],
};

pub(crate) const INSERT: &str = "insert into rebates (id, user_id, level, asset, amount, fees, value, day, payer, time_ms, seq) values";

/// The cells of a rebate that the entry `seq` credited.
pub(crate) fn cells(seq: u64, rebate: &Rebate) -> Vec<Value> {
    vec![
        rebate.id.0.into(),
        rebate.user.0.into(),
        rebate.level.number().into(),
        rebate.asset.0.into(),
        rebate.amount.into(),
        rebate.fees.into(),
        rebate.value.into(),
        rebate.day.into(),
        rebate.payer.map_or(0, |payer| payer.0).into(),
        rebate.time.0.into(),
        seq.into(),
    ]
}

/// A UTC day as `2026-01-31`.
pub fn day_text(day: u64) -> String {
    let (year, month, date) = civil_date(day);
    format!("{year:04}-{month:02}-{date:02}")
}

/// A rebate as its owner sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Credited {
    /// Number.
    pub id: u64,
    /// Level of the members who paid the fees.
    pub level: u64,
    /// Coin.
    pub asset: AssetId,
    /// Atoms.
    pub amount: u64,
    /// UTC day of the fees.
    pub day: u64,
    /// The member who paid the fees, if it was only one.
    pub payer: Option<UserId>,
    /// When it was credited.
    pub time_ms: u64,
}

fn credited(row: &Row) -> Result<Credited, DbError> {
    Ok(Credited {
        id: row.id(0)?,
        level: row.id(1)?,
        asset: AssetId(u32::try_from(row.id(2)?).unwrap_or(u32::MAX)),
        amount: row.id(3)?,
        day: row.id(4)?,
        payer: Some(UserId(row.id(5)?)).filter(|payer| payer.0 > 0),
        time_ms: row.id(6)?,
    })
}

/// A member's rebates, newest first, of one day if it is named, up to an entry; and how many there are.
pub async fn list(db: &Db, user: UserId, day: Option<u64>, up_to_seq: u64, page: Page) -> Result<(Vec<Credited>, u64), DbError> {
    let mut chosen = "user_id = $1 and seq <= $2".to_owned();
    let mut args: Vec<Value> = vec![user.0.into(), up_to_seq.into()];
    if let Some(day) = day {
        args.push(day.into());
        chosen += " and day = $3";
    }
    let count = Sql::new(format!("select count(*) from rebates where {chosen}"), args.clone());
    args.extend([page.limit.into(), page.offset().into()]);
    let (limit, offset) = (args.len() - 1, args.len());
    let columns = "id, level, asset, amount, day, payer, time_ms";
    let rows = Sql::new(format!("select {columns} from rebates where {chosen} order by id desc limit ${limit} offset ${offset}"), args);
    let done = db.read(vec![rows, count]).await?;
    let [rows, count] = done.as_slice() else { return Err(DbError::Failed("two answers expected".to_owned())) };
    let total = count.first().map_or(Ok(0), |row| row.id(0))?;
    Ok((rows.rows.iter().map(credited).collect::<Result<_, _>>()?, total))
}

/// What a rank on the leaderboard is made of: the rebates of a day, whoever paid the fees and in whatever coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Number of the last of them.
    pub id: u64,
    /// Value at their credit, atoms of the coin of the bank terms.
    pub value: u64,
    /// UTC day of the fees.
    pub day: u64,
    /// The entry that credited the last of them.
    pub seq: u64,
}

/// A member's days after the one with this number, oldest first, up to an entry.
pub async fn counted(db: &Db, user: UserId, after: u64, up_to_seq: u64, limit: u64) -> Result<Vec<Counted>, DbError> {
    let text = "select max(id), cast(sum(value) as bigint), day, max(seq) from rebates
        where user_id = $1 and seq <= $3 group by day having max(id) > $2 order by day limit $4";
    let row = |row: &Row| Ok(Counted { id: row.id(0)?, value: row.id(1)?, day: row.id(2)?, seq: row.id(3)? });
    db.query(sql!(text, user.0, after.min(i64::MAX.unsigned_abs()), up_to_seq, limit)).await?.rows.iter().map(row).collect()
}
