//! Fees of members by UTC day and coin, as rebates count them (G-1): what part of a rebate whose fees brought. Derived from the log and
//! rebuildable from it.

use std::collections::BTreeMap;

use engine::ids::UserId;

use crate::db::{Db, DbError, Migration, Sql};

/// The rows share the mark of the costs, which go back to the beginning with it: a start makes both from the log. They add up, so a later step
/// that sets the mark back deletes them too.
pub(crate) const MIGRATION: Migration = Migration {
    id: 99,
    name: "days of fees",
    ddl: &[
        "CREATE TABLE fee_days (
            user_id INTEGER NOT NULL,
            day INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            fees INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            PRIMARY KEY (user_id, day, asset)
        ) STRICT",
        "DELETE FROM costs",
        "DELETE FROM costs_aside",
        "DELETE FROM cost_prices",
        "DELETE FROM house_days",
        "UPDATE history SET costs_seq = 0",
    ],
};

pub(crate) const INSERT: &str = "insert into fee_days (user_id, day, asset, fees, seq) values";
/// The fees of a day are less than all there is of their coin, and that is less than 10^18 atoms.
pub(crate) const ADD: &str = "on conflict (user_id, day, asset) do update set seq = excluded.seq, fees = fee_days.fees + excluded.fees";

/// What the fees of each of these members brought to who invited them, up to an entry: of every rebate their part, at its value when it was
/// credited and rounded down. A rebate is rounded once for all of its fees (G-2), so the parts may be some atoms less than the whole.
///
/// # Errors
/// Of the database.
pub async fn brought(db: &Db, inviter: UserId, payers: &[UserId], up_to_seq: u64) -> Result<BTreeMap<UserId, u64>, DbError> {
    let mut parts = BTreeMap::new();
    if payers.is_empty() {
        return Ok(parts);
    }
    let places: Vec<String> = (3..).take(payers.len()).map(|place| format!("${place}")).collect();
    // The database multiplies a row only where the product fits 63 bits. The other rows, days of very high fees, are multiplied here.
    let text = format!(
        "with parts as (
             select paid.user_id as payer, rebates.value as value, rebates.fees as fees,
                 case when paid.fees < rebates.fees then paid.fees else rebates.fees end as paid
             from rebates join fee_days paid on paid.day = rebates.day and paid.asset = rebates.asset
             where rebates.user_id = $1 and rebates.level = 1 and rebates.seq <= $2 and rebates.fees > 0 and paid.user_id in ({}))
         select payer, cast(sum(value * paid / fees) as bigint), 1, 1 from parts where value <= 9223372036854775807 / fees group by payer
         union all select payer, value, paid, fees from parts where value > 9223372036854775807 / fees",
        places.join(", ")
    );
    let values = [inviter.0, up_to_seq].into_iter().chain(payers.iter().map(|payer| payer.0)).map(Into::into).collect();
    for row in &db.query(Sql::new(text, values)).await?.rows {
        let (value, paid, fees) = (u128::from(row.id(1)?), u128::from(row.id(2)?), u128::from(row.id(3)?));
        let part = u64::try_from(value * paid / fees.max(1)).unwrap_or(u64::MAX);
        let sum: &mut u64 = parts.entry(UserId(row.id(0)?)).or_default();
        *sum = sum.saturating_add(part);
    }
    Ok(parts)
}
