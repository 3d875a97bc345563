//! The base of the public statistics: sums of whole minutes of the log, derived from it and rebuildable from it.

use engine::candles::Series;
use engine::funding::withdrawals::Withdrawal;
use engine::ids::{AssetId, MarketId};
use engine::options::option::{BinaryOption, Status};
use engine::time::{MINUTE_MS, Time};

use crate::db::{Db, DbError, Migration, Row, Value};
use crate::sql;

/// Payouts of options to their owners, by the minute of the entry that settled them.
pub(crate) const MIGRATION: Migration = Migration {
    id: 74,
    name: "minutes of options",
    ddl: &["CREATE TABLE option_minutes (
            start_ms INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            ended INTEGER NOT NULL,
            paid INTEGER NOT NULL,
            PRIMARY KEY (start_ms, asset)
        ) STRICT"],
};

pub(crate) const INSERT: &str = "insert into option_minutes (start_ms, asset, ended, paid) values";
/// A sum that no integer holds would be an error, and the history would never get over it.
pub(crate) const ADD: &str = "on conflict (start_ms, asset) do update set ended = option_minutes.ended + excluded.ended,
    paid = case when option_minutes.paid > 9223372036854775807 - excluded.paid then 9223372036854775807
        else option_minutes.paid + excluded.paid end";

/// A minute of one coin: options that ended, and atoms that they paid.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OptionMinute {
    ended: u64,
    paid: u64,
}

impl OptionMinute {
    /// The minute of an option settled by an entry at this time; `None` for an open one.
    pub(crate) fn of(time: Time, option: &BinaryOption) -> Option<(u64, u32)> {
        (option.status != Status::Open).then_some((time.0 / MINUTE_MS * MINUTE_MS, option.asset.0))
    }

    pub(crate) fn add(&mut self, option: &BinaryOption) {
        self.ended += 1;
        self.paid = self.paid.saturating_add(option.settled.map_or(0, |settled| settled.received));
    }

    pub(crate) fn cells(self, (start, asset): (u64, u32)) -> [Value; 4] {
        [start.into(), asset.into(), self.ended.into(), self.paid.into()]
    }
}

/// The number of a coin or pair.
fn small(row: &Row) -> Result<u32, DbError> {
    u32::try_from(row.id(0)?).map_err(|_| DbError::Failed("a number of 32 bits expected".to_owned()))
}

/// Payouts of options settled in these minutes, stakes included, by coin.
pub async fn option_payouts(db: &Db, from: Time, to: Time) -> Result<Vec<(AssetId, u64)>, DbError> {
    let text = "select asset, cast(sum(paid) as bigint) from option_minutes where start_ms >= $1 and start_ms < $2 group by asset";
    let row = |row: &Row| Ok((AssetId(small(row)?), row.id(1)?));
    db.query(sql!(text, from.0, to.0)).await?.rows.iter().map(row).collect()
}

/// Volume traded in these minutes, quote atoms by pair.
pub async fn spot_volumes(db: &Db, from: Time, to: Time) -> Result<Vec<(MarketId, u64)>, DbError> {
    let text = "select market, cast(sum(quote_volume) as bigint) from candles
        where series = $1 and minutes = 1 and start_ms >= $2 and start_ms < $3 and simulated = 0 group by market";
    let row = |row: &Row| Ok((MarketId(small(row)?), row.id(1)?));
    db.query(sql!(text, crate::prices::series_number(Series::Trade), from.0, to.0)).await?.rows.iter().map(row).collect()
}

/// Withdrawals finally decided, by operators or a chain, between these instants, with the instant of the decision.
pub async fn decided_withdrawals(db: &Db, from: Time, to: Time) -> Result<Vec<(Withdrawal, Time)>, DbError> {
    let text = "select body, changed_ms from withdrawals where status in (2, 3) and changed_ms >= $1 and changed_ms < $2";
    let row = |row: &Row| {
        let body = serde_json::from_str(&row.text(0)?).map_err(|error| DbError::Failed(format!("withdrawal: {error}")))?;
        Ok((body, Time(row.id(1)?)))
    };
    db.query(sql!(text, from.0, to.0)).await?.rows.iter().map(row).collect()
}
