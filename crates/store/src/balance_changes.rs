//! How balances changed over time: sums of statement lines, and like them derived from the log.

use engine::catalog::Wallet;
use engine::ids::{AssetId, UserId};

use super::history::{small, wallet, wallet_number};
use crate::db::{Db, DbError, Migration, Row, Sql};
use crate::sql;

/// Finds the changes of a time range without reading a member's whole statement.
pub const MIGRATION: Migration = Migration {
    id: 17,
    name: "statement by time",
    // One index for pages and for time ranges, because each line of the busiest table costs an entry in every index.
    ddl: &["DROP INDEX statement_by_wallet", "CREATE INDEX statement_by_wallet ON statement (user_id, wallet, asset, time_ms, id)"],
};

/// The change of a member's balances in one interval.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Number of the stretch, from 0.
    pub stretch: u64,
    /// Wallet.
    pub wallet: Wallet,
    /// Coin.
    pub asset: AssetId,
    /// Atoms added in all, negative if taken.
    pub change: i128,
}

/// Sums are split into two halves, so that neither exceeds 64 bits in SQL: a row has less than 10^18 atoms, so its half has less than 10^9.
const HALF: i64 = 1_000_000_000;

/// The two columns of a sum of atoms, for [`whole`].
pub(crate) fn halves(atoms: &str) -> String {
    let half = |operator| format!("cast(sum(({atoms}) {operator} cast({HALF} as bigint)) as bigint)");
    format!("{}, {}", half('/'), half('%'))
}

/// The sum whose two halves start at this column.
pub(crate) fn whole(row: &Row, at: usize) -> Result<i128, DbError> {
    Ok(i128::from(row.int(at)?) * i128::from(HALF) + i128::from(row.int(at + 1)?))
}

/// The changes of a member's balances in these coins since an instant, up to an entry, in intervals of `step_ms`: a sum for each interval,
/// wallet and coin.
pub async fn changes(
    db: &Db,
    user: UserId,
    coins: impl Iterator<Item = AssetId>,
    (from_ms, step_ms): (u64, u64),
    up_to_seq: u64,
) -> Result<Vec<Change>, DbError> {
    let list = |numbers: &mut dyn Iterator<Item = u32>| numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(",");
    // Wallets and coins are listed so that the index is used down to the time. Rows of two lines do not change the total.
    let text = format!(
        "select (time_ms - $2) / $3 as stretch, wallet, asset, {}
         from statement where user_id = $1 and wallet in ({}) and asset in ({}) and time_ms >= $2 and seq <= $4 and two_lines = 0
         group by stretch, wallet, asset",
        halves("change"),
        list(&mut Wallet::ALL.into_iter().map(|wallet| wallet_number(wallet).into())),
        list(&mut coins.map(|coin| coin.0)),
    );
    let done = db.query(Sql::new(text, vec![user.0.into(), from_ms.into(), step_ms.into(), up_to_seq.into()])).await?;
    let change =
        |row: &Row| Ok(Change { stretch: row.id(0)?, wallet: wallet(row, 1)?, asset: AssetId(small(row, 2)?), change: whole(row, 3)? });
    done.rows.iter().map(change).collect()
}

/// Sum of all changes of a coin in one wallet up to an entry, atoms. This is the balance at that point, as after each row on the way, so it
/// is always below 10^18. Rows of two lines change nothing in total.
pub async fn sum(db: &Db, user: UserId, of: Wallet, asset: AssetId, up_to_seq: u64) -> Result<i64, DbError> {
    let text = "select coalesce(cast(sum(change) as bigint), cast(0 as bigint)) from statement \
                where user_id = $1 and wallet = $2 and asset = $3 and seq <= $4 and two_lines = 0";
    let done = db.query(sql!(text, user.0, u32::from(wallet_number(of)), asset.0, up_to_seq)).await?;
    done.first().map_or(Ok(0), |row| row.int(0))
}
