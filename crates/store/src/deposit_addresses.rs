//! Deposit addresses: one for each member, coin and chain, never shared with another member (D-1).

use engine::catalog::funding::Chain;
use engine::ids::{AssetId, Digest, UserId};

use crate::db::{Db, DbError, Row, Sql, Value};
use crate::sql;

/// A deposit address that is not assigned yet.
#[derive(Debug)]
pub struct Fresh {
    /// As the chain writes it.
    pub address: String,
    /// Digest of the receiving key that it was made from.
    pub source: Option<Digest>,
    /// Its index under that key.
    pub place: Option<u64>,
}

/// The address that a member has for a coin on a chain.
pub async fn find(db: &Db, user: UserId, asset: AssetId, chain: Chain) -> Result<Option<String>, DbError> {
    let text = "select address from deposit_addresses where user_id = $1 and asset = $2 and chain = $3";
    db.query(sql!(text, user.0, asset.0, chain.name())).await?.first().map(|row| row.text(0)).transpose()
}

/// The statement that gives an address out, unless the member has one by now.
pub fn give(user: UserId, asset: AssetId, chain: Chain, fresh: Fresh, now_ms: u64) -> Sql {
    let statement = "insert into deposit_addresses (user_id, asset, chain, address, source, place, created_at_ms) \
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (user_id, asset, chain) do nothing";
    let source: Value = fresh.source.map(|source| source.0.to_vec()).into();
    sql!(statement, user.0, asset.0, chain.name(), fresh.address, source, fresh.place, now_ms)
}

/// The next index under the receiving key of a chain; no index is used twice.
pub async fn next_place(db: &Db, chain: Chain) -> Result<u64, DbError> {
    let next = "insert into deposit_places (chain, next) values ($1, 1) \
         on conflict (chain) do update set next = deposit_places.next + 1 returning next";
    let done = db.exec(sql!(next, chain.name())).await?;
    Ok(done.first().map_or(Ok(0), |row| row.id(0))?.saturating_sub(1))
}

/// The member who owns an address, and the coin it was given out for.
pub async fn owner(db: &Db, chain: Chain, address: &str) -> Result<Option<(UserId, AssetId)>, DbError> {
    let done =
        db.query(sql!("select user_id, asset from deposit_addresses where address = $1 and chain = $2", address, chain.name())).await?;
    let owner = |row: &Row| Ok((UserId(row.id(0)?), AssetId(u32::try_from(row.id(1)?).map_err(DbError::failed)?)));
    done.first().map(owner).transpose()
}

/// Addresses of a chain that were given out after this row, oldest first, for its watcher.
pub async fn since(db: &Db, chain: Chain, after: u64) -> Result<Vec<(u64, String)>, DbError> {
    let done =
        db.query(sql!("select id, address from deposit_addresses where chain = $1 and id > $2 order by id", chain.name(), after)).await?;
    done.rows.iter().map(|row| Ok((row.id(0)?, row.text(1)?))).collect()
}
