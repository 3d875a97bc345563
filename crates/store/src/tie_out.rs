//! Checks that the statements in the rows match the log (I-12), and that the costs cover everything members have.

use std::collections::HashMap;

use engine::Engine;
use engine::catalog::Wallet;
use engine::ids::{AssetId, UserId};
use engine::ledger::Balance;

use super::history::{small, wallet};
use crate::db::{Db, DbError, Row};
use crate::people::HOUSE;
use crate::sql;

/// Rows per read.
const ROWS: u64 = 10_000;

/// One part of a member's wallet.
type Part = (UserId, Wallet, AssetId, bool);

/// The first difference between the statements of all members and the state of `engine` at the entry up to which they are written: each
/// line follows the one before, and the last ones are the balances. The house liquidity has none. `done` receives the number of lines read
/// and their total.
pub async fn fault(db: &Db, engine: &Engine, done: impl Fn(u64, u64)) -> Result<Option<String>, DbError> {
    let end = db.query(sql!("select coalesce(max(id), 0), coalesce(max(seq), 0) from statement")).await?;
    let (last, newest) = end.first().map_or(Ok((0, 0)), |row| Ok((row.id(0)?, row.id(1)?)))?;
    if newest > engine.seq().0 {
        return Ok(Some(format!("the rows are written up to entry {}, a statement has entry {newest}", engine.seq().0)));
    }
    let mut balances: HashMap<Part, i64> = HashMap::new();
    let text =
        "select user_id, wallet, asset, held, balance_after, change, id from statement_lines where id > $1 and id <= $2 order by id, part";
    for from in (0..last).step_by(ROWS as usize) {
        for row in &db.query(sql!(text, from, from + ROWS)).await?.rows {
            let (part, after, change) = (part(row)?, row.int(4)?, row.int(5)?);
            let before = balances.insert(part, after).unwrap_or(0);
            if before.checked_add(change) != Some(after) {
                return Ok(Some(format!("row {} of the statement of user {} does not follow the one before", row.id(6)?, part.0.0)));
            }
        }
        done((from + ROWS).min(last), last);
    }
    let assets = &engine.catalog().assets;
    for user in engine.users().filter(|user| *user != HOUSE) {
        let parts =
            assets.iter().flat_map(|asset| asset.wallets.iter().flat_map(|of| [false, true].map(|held| (user, *of, asset.id, held))));
        for (part, balance) in parts.map(|part| (part, balance(engine, part))) {
            if u64::try_from(balances.remove(&part).unwrap_or(0)) != Ok(balance) {
                return Ok(Some(format!("the statement of user {} does not end with the balance of the log", user.0)));
            }
        }
    }
    if let Some((user, ..)) = balances.keys().next() {
        return Ok(Some(format!("there is a statement of user {}, who has no such wallet", user.0)));
    }
    costs_fault(db, engine).await
}

/// The first member whose coins with and without a cost do not add up to the log's balance. USDT has no costs.
async fn costs_fault(db: &Db, engine: &Engine) -> Result<Option<String>, DbError> {
    let found = db.query(sql!("select user_id, asset, quantity + uncosted from costs")).await?;
    let row = |row: &Row| Ok(((UserId(row.id(0)?), AssetId(small(row, 1)?)), row.id(2)?));
    let mut costs: HashMap<(UserId, AssetId), u64> = found.rows.iter().map(row).collect::<Result<_, DbError>>()?;
    let catalog = engine.catalog();
    for user in engine.users().filter(|user| *user != HOUSE) {
        for asset in catalog.assets.iter().filter(|asset| asset.id != catalog.funding.bank.asset) {
            let has: u64 = asset.wallets.iter().filter_map(|of| engine.balance(user, *of, asset.id)).map(Balance::total).sum();
            if costs.remove(&(user, asset.id)).unwrap_or(0) != has {
                return Ok(Some(format!("the costs of user {} are not of what the log says that they have", user.0)));
            }
        }
    }
    Ok(costs.keys().next().map(|(user, _)| format!("there are costs of user {}, who has no such coin", user.0)))
}

fn part(row: &Row) -> Result<Part, DbError> {
    Ok((UserId(row.id(0)?), wallet(row, 1)?, AssetId(small(row, 2)?), row.flag(3)?))
}

fn balance(engine: &Engine, (user, of, asset, held): Part) -> u64 {
    let balance = engine.balance(user, of, asset).unwrap_or_default();
    if held { balance.held } else { balance.available }
}
