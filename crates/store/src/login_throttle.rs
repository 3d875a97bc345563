//! Wrong passwords in a row (`docs/api.md` 3.1). From the 6th by one source for one name, each further attempt waits, 1 s doubling to 15
//! min. From the 101st by all sources unknown to the account, those sources wait together. The counts are in SQL, shared by all nodes. An
//! attempt has no sync of its own: guesses would slow down trading, and a guesser does not control the power switch. A row is keyed by a
//! hash, because what was typed may be a name, an address or a password. What may happen only so often a day is counted here as well.

use engine::time::DAY_MS;

use crate::db::{DbError, Sql};
use crate::error::StoreError;
use crate::handle::Store;
use crate::sealing::wait_key;
use crate::sql;

/// Failures in a row that one source has without a wait.
const FREE: u64 = 5;
/// The same of all unknown sources together: as many as NIST SP 800-63B allows at one account.
const FREE_TOGETHER: u64 = 100;

/// Where an attempt comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'a> {
    /// A network address as limits count it.
    Address(&'a str),
    /// A device that the account knows.
    Device(&'a str),
}

/// Whose consecutive failures are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    own: String,
    /// The counter of all unknown sources.
    together: Option<String>,
}

impl Counter {
    /// Attempts of one source for one name. A known device never waits because of others.
    pub fn of_source(name: &str, source: Source<'_>) -> Counter {
        match source {
            Source::Address(address) => Counter { own: format!("{name} from {address}"), together: Some(name.to_owned()) },
            Source::Device(device) => Counter { own: format!("{name} by {device}"), together: None },
        }
    }

    /// Attempts of an open session at one secret: those of others do not count.
    pub fn of_session(secret: &str, session: u64) -> Counter {
        Counter { own: format!("{secret} session {session}"), together: None }
    }

    /// Counts one attempt before it is checked, so parallel attempts cannot slip through. [`StoreError::Wait`] while throttled.
    pub async fn claim(&self, store: &Store) -> Result<(), StoreError> {
        let now_ms = store.now_ms();
        let keys: Vec<(String, u64)> = self.keys().map(|(key, free)| (wait_key(&store.vault, key), free)).collect();
        let statements: Vec<Sql> = keys.iter().map(|(key, free)| count(key, *free, now_ms)).collect();
        let waiting = match store.db.run_relaxed(statements.into()).await {
            Ok(_) => return Ok(()),
            // Then no counter is raised.
            Err(DbError::Missed(at)) => keys.get(at).map(|(key, _)| key).ok_or_else(|| DbError::Failed("no such counter".to_owned()))?,
            Err(error) => return Err(error.into()),
        };
        let row = store.db.query(sql!("select until_ms from waits where account = $1", waiting)).await?;
        let until = row.first().map(|row| row.id(0)).transpose()?.unwrap_or(now_ms);
        Err(StoreError::Wait { retry_ms: until.saturating_sub(now_ms).max(1) })
    }

    /// The secret was right, or reset: the count starts again.
    pub fn clear(&self, store: &Store) -> Vec<Sql> {
        self.keys().map(|(key, _)| forget(store, key)).collect()
    }

    fn keys(&self) -> impl Iterator<Item = (&str, u64)> {
        std::iter::once((self.own.as_str(), FREE)).chain(self.together.as_deref().map(|key| (key, FREE_TOGETHER)))
    }
}

/// Counts a failure unless it has to wait: the one after `free` makes the next wait 1 s (2^0), the tenth after that and later ones 900 s.
/// Before it there is no wait at all, not even one until "now": of two attempts at once, the one with the earlier time may be counted second.
fn count(key: &str, free: u64, now_ms: u64) -> Sql {
    let longest = free + 10;
    let text = format!(
        "insert into waits (account, failures, until_ms, at_ms) values ($1, 1, 0, $2) \
         on conflict (account) do update set failures = waits.failures + 1, at_ms = $2, \
         until_ms = case when waits.failures < {free} then cast(0 as bigint) \
         when waits.failures >= {longest} then cast($2 as bigint) + 900000 \
         else cast($2 as bigint) + (cast(1000 as bigint) << cast(waits.failures - {free} as int)) end \
         where waits.until_ms <= $2"
    );
    Sql::new(text, vec![key.into(), now_ms.into()]).exactly(1)
}

/// The statement that counts one of at most so many within 24 hours from the first; misses beyond them.
pub fn count_of_day(store: &Store, what: &str, most: u64) -> Sql {
    let now_ms = store.now_ms();
    let text = "insert into waits (account, failures, until_ms, at_ms) values ($1, 1, $3, $2) \
                on conflict (account) do update set at_ms = $2, \
                failures = case when waits.until_ms <= $2 then 1 else waits.failures + 1 end, \
                until_ms = case when waits.until_ms <= $2 then cast($3 as bigint) else waits.until_ms end \
                where waits.until_ms <= $2 or waits.failures < $4";
    sql!(text, wait_key(&store.vault, what), now_ms, now_ms + DAY_MS, most).exactly(1)
}

/// The statement that takes back what [`count_of_day`] counted.
pub fn uncount(store: &Store, what: &str) -> Sql {
    sql!("update waits set failures = failures - 1 where account = $1 and failures > 0", wait_key(&store.vault, what))
}

fn forget(store: &Store, what: &str) -> Sql {
    sql!("delete from waits where account = $1", wait_key(&store.vault, what))
}

/// The key of a member's account.
pub fn member(user: engine::ids::UserId) -> String {
    format!("user {}", user.0)
}

/// The first and the last statement of transactions that run one after another, so each counts what the one before it wrote: of two that
/// insert the same row, the second waits for the first, which deletes it again.
pub fn in_turn(store: &Store, what: &str) -> (Sql, Sql) {
    let text = "insert into waits (account, failures, until_ms, at_ms) values ($1, 0, 0, $2)";
    (sql!(text, wait_key(&store.vault, what), store.now_ms()), forget(store, what))
}
