//! Whether the statements in the rows are those that the log gives (I-12).

use engine::Engine;
use engine::catalog::Wallet;
use engine::ids::{AssetId, UserId};
use indicatif::ProgressBar;

use super::history::{small, wallet};
use crate::db::{Db, DbError};
use crate::sql;
use crate::store::people::HOUSE;

/// Members whose lines are compared at once.
const MEMBERS: u64 = 1_000;

/// The last line of each part of a wallet, and each line that does not follow the one before it.
const LINES: &str = "select id, user_id, wallet, held, asset, balance_after, broken from (
        select id, user_id, wallet, held, asset, balance_after,
            case when balance_after - change = coalesce(lag(balance_after) over part_of_wallet, 0) then 0 else 1 end as broken,
            lead(id) over part_of_wallet as following
        from statement_lines where user_id > $1 and user_id <= $2 and seq <= $3
        window part_of_wallet as (partition by user_id, wallet, asset, held order by id, part)
    ) as compared where broken = 1 or following is null order by id";

/// The first difference between the statements of all members and the state of `engine` at the entry up to which they are written.
/// The house liquidity has none.
pub async fn fault(db: &Db, engine: &Engine, bar: &ProgressBar) -> Result<Option<String>, DbError> {
    let (mut done, mut balances) = (-1i64, 0u64);
    loop {
        let text = "select max(user_id) from (select distinct user_id from statement where user_id > $1 order by user_id limit $2) as next";
        let last = db.query(sql!(text, done, MEMBERS)).await?;
        let Some(last) = last.first().map(|row| row.maybe_int(0)).transpose()?.flatten() else { break };
        for row in &db.query(sql!(LINES, done, last, engine.seq().0)).await?.rows {
            let (line, user) = (row.id(0)?, UserId(row.id(1)?));
            let (of, held, asset, after) = (wallet(row, 2)?, row.flag(3)?, AssetId(small(row, 4)?), row.int(5)?);
            if row.flag(6)? {
                return Ok(Some(format!("row {line} of the statement of user {} does not follow the one before it", user.0)));
            }
            if u64::try_from(after) != Ok(part(engine, user, of, asset, held)) {
                return Ok(Some(format!("the statement of user {} ends with row {line}, and not with the balance of the log", user.0)));
            }
            balances += u64::from(after != 0);
        }
        done = last;
        bar.inc(MEMBERS);
    }
    let expected: usize = engine.users().filter(|user| *user != HOUSE).map(|user| parts(engine, user)).sum();
    let missing = (balances != expected as u64).then(|| format!("the statements end with {balances} balances, the log with {expected}"));
    Ok(missing)
}

fn part(engine: &Engine, user: UserId, of: Wallet, asset: AssetId, held: bool) -> u64 {
    let balance = engine.balance(user, of, asset).unwrap_or_default();
    if held { balance.held } else { balance.available }
}

/// How many of a member's balances are not 0.
fn parts(engine: &Engine, user: UserId) -> usize {
    let assets = engine.catalog().assets.iter();
    let all = assets.flat_map(|asset| asset.wallets.iter().flat_map(|of| [false, true].map(|held| (*of, asset.id, held))));
    all.filter(|(of, asset, held)| part(engine, user, *of, *asset, *held) != 0).count()
}
