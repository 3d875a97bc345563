//! Wrong passwords in a row (`api.md` 3.1): from the 6th, each further attempt waits, 1 s doubling to 15 min. Kept in SQL, shared by all
//! nodes. An attempt has no sync of its own: guesses would slow down trading, and who guesses does not hold the power switch.
//! A row has a keyed hash of whom it is about, for what somebody typed may be a name, an address or a password.

use std::sync::Arc;

use crate::app::App;
use crate::db::Sql;
use crate::http::reply::{Refusal, refuse};
use crate::sql;
use crate::store::sealing::wait_key;

/// Counts one attempt before it is checked, so that attempts in parallel cannot slip through. `E_LOGIN_WAIT` while waiting.
pub async fn claim(app: &App, account: &str) -> Result<(), Refusal> {
    let (key, now_ms) = (wait_key(&app.vault, account), app.now_ms());
    // The sixth failure waits 1 s (2^0), the sixteenth and later 900 s. Before it there is no wait at all, not even one until "now": of two
    // attempts at once, the one with the earlier time may be counted second.
    let until = "case when waits.failures < 5 then cast(0 as bigint) when waits.failures >= 15 then cast($2 as bigint) + 900000 \
                 else cast($2 as bigint) + (cast(1000 as bigint) << cast(waits.failures - 5 as int)) end";
    let text = format!(
        "insert into waits (account, failures, until_ms, at_ms) values ($1, 1, 0, $2) \
         on conflict (account) do update set failures = waits.failures + 1, until_ms = {until}, at_ms = $2 \
         where waits.until_ms <= $2 returning failures"
    );
    let claimed = app.db.run_relaxed(Arc::new([Sql::new(text, vec![(&key).into(), now_ms.into()])])).await?;
    if claimed.iter().any(|done| done.first().is_some()) {
        return Ok(());
    }
    let row = app.db.query(sql!("select until_ms from waits where account = $1", key)).await?;
    let until = row.first().map(|row| row.id(0)).transpose()?.unwrap_or(now_ms);
    Err(refuse("E_LOGIN_WAIT").retry(until.saturating_sub(now_ms).max(1)))
}

/// The password was right, or reset: the count starts again.
pub fn clear(app: &App, account: &str) -> Sql {
    sql!("delete from waits where account = $1", wait_key(&app.vault, account))
}

/// The first and the last statement of transactions that wait for one another, so that each counts what the one before it wrote: of two
/// that insert the same row, the second waits for the first, which takes it away again.
pub fn in_turn(app: &App, what: &str) -> (Sql, Sql) {
    let text = "insert into waits (account, failures, until_ms, at_ms) values ($1, 0, 0, $2)";
    (sql!(text, wait_key(&app.vault, what), app.now_ms()), clear(app, what))
}

/// The key under which a known member's failures are counted.
pub fn member(user: engine::ids::UserId) -> String {
    format!("user {}", user.0)
}
