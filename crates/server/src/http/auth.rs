//! Sessions (`docs/api.md` 1.8): opaque tokens of 256 bits, stored as SHA-256; 7 days idle, 30 in all; ended everywhere within a second.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header::AUTHORIZATION};
use engine::ids::UserId;
use engine::operators::roles::Roles;
use engine::time::{DAY_MS, MINUTE_MS};
use kernel::journal_clock::Clock;
use sha2::{Digest, Sha256};
use store::db::{Db, DbError, Sql};
use store::operators::OperatorSession;
use store::secrets::{hex, random};
use store::sessions;
use store::vault::Vault;
use tokio::sync::broadcast;

pub use store::sessions::Session;

use super::reply::{Code, Refusal, refuse};
use super::routes::{Access, Route};

/// Length of inactivity that ends a session.
pub const IDLE_MS: u64 = 7 * DAY_MS;
/// Length of a session in all.
pub const TOTAL_MS: u64 = 30 * DAY_MS;
/// Most sessions of a member. Each has a share of the rate of cancelling for itself.
const MOST: u64 = 30;
/// The last use is written at most this often.
const TOUCH_MS: u64 = 10 * MINUTE_MS;
/// Another process may end a session in the shared database: the cache is believed this long.
const TRUST: Duration = Duration::from_millis(900);
const MAX_CACHED: usize = 100_000;

/// A session ended; sockets that hold it close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// This one.
    One(u64),
    /// All of a member but this one.
    AllBut(UserId, Option<u64>),
}

impl Ended {
    /// True if it means this session.
    pub fn covers(self, session: &Session) -> bool {
        match self {
            Ended::One(id) => session.id == id,
            Ended::AllBut(user, kept) => session.user == user && kept != Some(session.id),
        }
    }
}

/// A session as it was when it was last asked for in SQL, and when that was.
type Cached = (Session, Instant);

#[derive(Debug, Default)]
struct Cache {
    by_digest: HashMap<[u8; 32], Cached>,
    /// Counts endings of sessions: a session read from SQL before the last ending may be an ended one.
    endings: u64,
}

/// All sessions, with a cache in memory.
#[derive(Debug)]
pub struct Sessions {
    db: Db,
    cache: Mutex<Cache>,
    ended: broadcast::Sender<Ended>,
}

/// A fresh session: the token is shown once and never stored.
#[derive(Debug)]
pub struct Opened {
    /// Token for the client.
    pub token: String,
    /// End of the session, session time.
    pub expires_ms: u64,
}

impl Sessions {
    /// Empty cache.
    pub fn new(db: Db) -> Sessions {
        Sessions { db, cache: Mutex::default(), ended: broadcast::Sender::new(1024) }
    }

    /// Starts a session, in one transaction with `others`. One too many ends the one that was not used for longest.
    pub async fn open(
        &self,
        vault: &Vault,
        user: UserId,
        device: &str,
        address: &str,
        clock: &Clock,
        others: Vec<Sql>,
    ) -> Result<Opened, DbError> {
        let token = hex(&random::<32>().map_err(|error| DbError::Failed(error.0))?);
        let now = clock.session_ms();
        let mut statements = others;
        statements.extend([
            sessions::begin(vault, digest(&token), user, device, address, now)?,
            sessions::forget_old(user, now.saturating_sub(TOTAL_MS), now.saturating_sub(IDLE_MS)),
            sessions::end_beyond(user, MOST),
        ]);
        let done = self.db.run_late(statements).await?;
        for ended in done.last().map_or(&[][..], |done| &done.rows) {
            self.forget(Ended::One(ended.id(0)?));
        }
        Ok(Opened { token, expires_ms: now + TOTAL_MS })
    }

    /// The live session of a token.
    pub async fn find(&self, token: &str, clock: &Clock) -> Result<Option<Session>, DbError> {
        match digest(token) {
            Some(key) => self.find_digest(key, self.known(&key), clock).await,
            None => Ok(None),
        }
    }

    /// The same, by the digest of a token and the cached data about it.
    pub async fn find_digest(&self, key: [u8; 32], cached: Option<Cached>, clock: &Clock) -> Result<Option<Session>, DbError> {
        let endings = self.lock().endings;
        let fresh = cached.filter(|(_, checked)| !self.db.is_shared() || checked.elapsed() < TRUST);
        let mut session = match fresh {
            Some((session, _)) => session,
            None => match sessions::find(&self.db, &key).await? {
                Some(session) => session,
                None => {
                    self.lock().by_digest.remove(&key);
                    return Ok(None);
                }
            },
        };
        let now = clock.session_ms();
        if now >= session.last_at_ms + IDLE_MS || now >= session.created_at_ms + TOTAL_MS {
            // Its row grants nothing, so one that cannot be deleted now may stay.
            if let Err(error) = self.end(session).await {
                tracing::warn!(%error, "an expired session");
            }
            return Ok(None);
        }
        let mut stale = now > session.last_at_ms + TOUCH_MS;
        if stale {
            match sessions::touch(&self.db, session.id, now).await {
                Ok(true) => session.last_at_ms = now,
                Ok(false) => return Ok(None),
                // A database that only reads, for example on a full disk, ends no session: the next call tries again.
                Err(error) => {
                    tracing::warn!(%error, "the last use of a session");
                    stale = false;
                }
            }
        }
        if fresh.is_none() || stale {
            let mut cache = self.lock();
            if cache.by_digest.len() >= MAX_CACHED {
                cache.by_digest.clear();
            }
            if cache.endings == endings {
                cache.by_digest.insert(key, (session, Instant::now()));
            }
        }
        Ok(Some(session))
    }

    /// The cached data for the token with this digest if it was valid before; other tokens are looked up in SQL, so they are rate-limited
    /// first.
    pub fn known(&self, key: &[u8; 32]) -> Option<Cached> {
        self.lock().by_digest.get(key).copied()
    }

    /// Ends one session.
    pub async fn end(&self, session: Session) -> Result<(), DbError> {
        self.db.exec(sessions::end(session.id)).await?;
        self.forget(Ended::One(session.id));
        Ok(())
    }

    /// Drops ended sessions from the cache and notifies the sockets.
    pub fn forget(&self, ended: Ended) {
        {
            let mut cache = self.lock();
            cache.endings += 1;
            cache.by_digest.retain(|_, (session, _)| !ended.covers(session));
        }
        // Without an open socket there is no receiver.
        let _ = self.ended.send(ended);
    }

    /// True once the session is known to have ended; sockets ask every second, because another node may have ended it. A database that does
    /// not answer knows nothing, and is asked again.
    pub async fn has_ended(&self, token: &str, clock: &Clock) -> bool {
        matches!(self.find(token, clock).await, Ok(None))
    }

    /// Sessions that end from now on.
    pub fn endings(&self) -> broadcast::Receiver<Ended> {
        self.ended.subscribe()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The digest of a token; `None` if it cannot be one.
pub fn digest(token: &str) -> Option<[u8; 32]> {
    (token.len() == 64).then(|| Sha256::digest(token).into())
}

/// The token of a request: raw or as `Bearer`. Two headers are none.
pub fn token(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(AUTHORIZATION).iter();
    let (Some(only), None) = (all.next(), all.next()) else { return None };
    let text = only.to_str().ok()?.trim();
    let text = text.strip_prefix("Bearer ").map_or(text, str::trim);
    (!text.is_empty()).then_some(text)
}

/// `E_AUTH` without a session, `E_ROLE` without the role that the route requires. The one place where roles open a route.
pub fn check_role(route: &Route, session: Option<&OperatorSession>) -> Result<(), Refusal> {
    let Access::Operator(roles) = route.access else { return Ok(()) };
    let session = session.ok_or_else(|| refuse(Code::LoggedOut))?;
    need_role(session, roles)
}

/// `E_ROLE` unless the operator has one of these.
pub fn need_role(session: &OperatorSession, roles: Roles) -> Result<(), Refusal> {
    if roles.meets(Roles(session.operator.roles)) { Ok(()) } else { Err(refuse(Code::WrongRole).with("roles", roles.words())) }
}
