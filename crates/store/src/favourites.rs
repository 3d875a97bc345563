//! A member's favourite pairs, in their order.

use engine::ids::{MarketId, UserId};

use crate::db::{Db, DbError};
use crate::error::StoreError;
use crate::sql;

/// More would not fit a screen, nor a purpose.
const MAX: u64 = 200;

/// The pairs in the member's order.
pub async fn list(db: &Db, user: UserId) -> Result<Vec<u32>, DbError> {
    let done = db.query(sql!("select market_id from favourites where user_id = $1 order by position, market_id", user.0)).await?;
    done.rows.iter().map(|row| Ok(u32::try_from(row.id(0)?).unwrap_or(u32::MAX))).collect()
}

/// Adds a pair at the end; one that is there already stays where it is.
pub async fn add(db: &Db, user: UserId, market: MarketId) -> Result<(), StoreError> {
    let present = list(db, user).await?;
    if present.contains(&market.0) {
        return Ok(());
    }
    if present.len() as u64 >= MAX {
        return Err(StoreError::Full { max: MAX });
    }
    let text = "insert into favourites (user_id, market_id, position) \
                select $1, $2, coalesce(max(position), cast(0 as bigint)) + cast(1 as bigint) from favourites where user_id = $1 \
                on conflict (user_id, market_id) do nothing";
    db.exec(sql!(text, user.0, market.0)).await?;
    Ok(())
}

/// Removes a pair.
pub async fn remove(db: &Db, user: UserId, market: MarketId) -> Result<(), DbError> {
    db.exec(sql!("delete from favourites where user_id = $1 and market_id = $2", user.0, market.0)).await?;
    Ok(())
}
