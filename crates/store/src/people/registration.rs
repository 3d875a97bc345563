//! Finds, at a start, sign-ups that were interrupted between the member's row and the journal.

use engine::ids::UserId;

use crate::db::{Db, DbError, Row, Sql};
use crate::sql;

/// Members that the engine may not know yet, with their inviter: sign-up was interrupted between the row and the journal.
pub async fn unregistered(db: &Db) -> Result<Vec<(UserId, Option<UserId>)>, DbError> {
    let done = db.query(sql!("select id, inviter_id from users where registered_seq is null order by id")).await?;
    let member = |row: &Row| {
        let inviter = row.maybe_int(1)?.and_then(|inviter| u64::try_from(inviter).ok());
        Ok((UserId(row.id(0)?), inviter.map(UserId)))
    };
    done.rows.iter().map(member).collect()
}

/// The journal knows this member since `seq`.
pub fn registered(user: UserId, seq: u64) -> Sql {
    sql!("update users set registered_seq = $1 where id = $2 and registered_seq is null", seq, user.0)
}

/// The highest number that a member ever had.
pub async fn newest(db: &Db) -> Result<u64, DbError> {
    let done = db.query(sql!("select coalesce(max(id), 0) from users")).await?;
    done.rows.first().map_or(Ok(0), |row| row.id(0))
}
