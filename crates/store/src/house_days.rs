//! What moved the public accounts of the house: a sum for each day, account, coin and kind, derived from the log and rebuildable from it.
//! The sums add up to the balances of the accounts, so there are few rows whatever the volume.

use engine::ids::AssetId;
use engine::ledger::{HouseAccount, Owner};

use crate::db::{Db, DbError, Migration, Row, Value};
use crate::people::HOUSE;
use crate::sql;

/// The rows share the mark of the costs, which go back to the beginning with it: a start makes both from the log.
pub(crate) const MIGRATION: Migration = Migration {
    id: 94,
    name: "days of the house",
    ddl: &[
        "CREATE TABLE house_days (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            day INTEGER NOT NULL,
            account INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            received INTEGER NOT NULL,
            paid INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            UNIQUE (day, account, asset, kind)
        ) STRICT",
        "DELETE FROM costs",
        "DELETE FROM costs_aside",
        "DELETE FROM cost_prices",
        "UPDATE history SET costs_seq = 0",
    ],
};

pub(crate) const INSERT: &str = "insert into house_days (day, account, asset, kind, received, paid, seq) values";
/// A sum that no integer holds would be an error, and the history would never get over it.
pub(crate) const ADD: &str = "on conflict (day, account, asset, kind) do update set seq = excluded.seq,
    received = case when house_days.received > 9223372036854775807 - excluded.received then 9223372036854775807
        else house_days.received + excluded.received end,
    paid = case when house_days.paid > 9223372036854775807 - excluded.paid then 9223372036854775807
        else house_days.paid + excluded.paid end";

/// Number of the house's own liquidity in rows; pools have their index in [`HouseAccount::POOLS`].
const LIQUIDITY: u32 = 100;

/// An account's number in rows; none for a member, and for the outside.
pub(crate) fn account_number(owner: Owner) -> Option<u32> {
    match owner {
        Owner::House(account) => u32::try_from(HouseAccount::POOLS.iter().position(|pool| *pool == account)?).ok(),
        Owner::Member(user, ..) => (user == HOUSE).then_some(LIQUIDITY),
    }
}

/// What one account of the house received and paid in one coin, on one day, of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HouseDay {
    /// Number; later rows have higher ones.
    pub id: u64,
    /// UTC day of the entries.
    pub day: u64,
    /// The account; `None` is the labelled house liquidity, all its wallets together.
    pub account: Option<HouseAccount>,
    /// Coin.
    pub asset: AssetId,
    /// Kind of the movements, a number of the account log or of the house alone.
    pub kind: u32,
    /// Atoms received.
    pub received: u64,
    /// Atoms paid.
    pub paid: u64,
    /// The last entry counted.
    pub seq: u64,
}

fn house_day(row: &Row) -> Result<HouseDay, DbError> {
    let small = |at| u32::try_from(row.id(at)?).map_err(|_| DbError::Failed("a number of 32 bits expected".to_owned()));
    let account = match small(2)? {
        LIQUIDITY => None,
        at => {
            let pool = usize::try_from(at).ok().and_then(|at| HouseAccount::POOLS.get(at));
            Some(*pool.ok_or_else(|| DbError::Failed("an account of the house expected".to_owned()))?)
        }
    };
    Ok(HouseDay {
        id: row.id(0)?,
        day: row.id(1)?,
        account,
        asset: AssetId(small(3)?),
        kind: small(4)?,
        received: row.id(5)?,
        paid: row.id(6)?,
        seq: row.id(7)?,
    })
}

/// Rows after the one with this number, in their order.
///
/// # Errors
/// Of the database.
pub async fn list(db: &Db, after: u64, limit: u64) -> Result<Vec<HouseDay>, DbError> {
    let text = "select id, day, account, asset, kind, received, paid, seq from house_days where id > $1 order by id limit $2";
    let after: Value = after.min(i64::MAX.unsigned_abs()).into();
    db.query(sql!(text, after, limit)).await?.rows.iter().map(house_day).collect()
}
