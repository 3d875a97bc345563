//! A member's favourite pairs, in the member's order.

use engine::ids::{MarketId, UserId};

use crate::db::{Db, DbError, Done, Returning};
use crate::error::StoreError;
use crate::sql;

/// More would not fit a screen, nor a purpose.
const MAX: u64 = 200;

const LIST: &str = "select market_id from favourites where user_id = $1 order by position, market_id";

/// The pairs in the member's order.
pub async fn list(db: &Db, user: UserId) -> Result<Vec<u32>, DbError> {
    listed(&db.query(sql!(LIST, user.0)).await?)
}

/// The pairs that remain after [`add`] or [`remove`], in the member's order.
pub fn listed(done: &Done) -> Result<Vec<u32>, DbError> {
    done.rows.iter().map(|row| Ok(u32::try_from(row.id(0)?).unwrap_or(u32::MAX))).collect()
}

/// Adds a pair at the end; one already present keeps its position.
///
/// # Errors
/// [`StoreError::Full`] when there are too many.
pub async fn add(db: &Db, user: UserId, market: MarketId) -> Result<Returning, StoreError> {
    let present = list(db, user).await?;
    if present.len() as u64 >= MAX && !present.contains(&market.0) {
        return Err(StoreError::Full { max: MAX });
    }
    let text = "insert into favourites (user_id, market_id, position) \
                select $1, $2, coalesce(max(position), cast(0 as bigint)) + cast(1 as bigint) from favourites where user_id = $1 \
                on conflict (user_id, market_id) do nothing";
    Ok(Returning { statements: vec![sql!(text, user.0, market.0), sql!(LIST, user.0)], place: 1 })
}

/// Removes a pair.
pub fn remove(user: UserId, market: MarketId) -> Returning {
    let delete = sql!("delete from favourites where user_id = $1 and market_id = $2", user.0, market.0);
    Returning { statements: vec![delete, sql!(LIST, user.0)], place: 1 }
}
