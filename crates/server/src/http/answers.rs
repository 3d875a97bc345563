//! Repeated writes (`docs/api.md` 1.6): the same caller and key gets the first answer again for 24 h, from memory and from SQL. An answer
//! can contain what its caller wrote, so it is sealed there, under a keyed hash of caller and key.

use std::collections::{HashMap, VecDeque};
use std::net::Ipv6Addr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use engine::time::DAY_MS;
use kernel::journal_clock::Clock;
use store::answers::{self, StoredAnswer, stored_name};
use store::db::{Db, DbError};
use store::vault::Vault;
use tokio::sync::Notify;

use super::code::Code;
use super::reply::{Finished, Refusal, refuse};
use super::routes::{Effect, Route};

const KEEP_MS: u64 = DAY_MS;
/// Beyond this, the oldest hours are only in SQL.
const MAX_HELD: usize = 200_000;
/// How many are read at the start.
const MAX_READ: u64 = 100_000;
/// Answers held for one member or operator; beyond it the oldest is dropped. The engine keeps its own answers.
const OF_MEMBER: usize = 1_000;
/// The same for a guest's address. Their answers are looked up in SQL as well, so those in memory may be dropped earlier.
const OF_GUEST: usize = 100;
/// Keys that a member may close within 24 h. A closed key is a promise, so none is dropped.
const CLOSED: usize = 1_000;

#[derive(Clone, Debug)]
enum Progress {
    Running(Arc<Notify>),
    Done { body: Vec<u8>, seq: Option<u64>, at_ms: u64 },
}

#[derive(Clone, Debug)]
struct Entry {
    content: [u8; 32],
    held: Progress,
    of_guest: bool,
}

/// The answers in memory.
#[derive(Debug, Default)]
struct Memory {
    entries: HashMap<String, Entry>,
    /// Each owner's finished answers, oldest first, including those that are now only in SQL. A start forgets the owners.
    by_owner: HashMap<String, VecDeque<FinishedKey>>,
    /// When each member closed keys.
    closed: HashMap<String, VecDeque<u64>>,
}

#[derive(Debug)]
struct FinishedKey {
    name: String,
    at_ms: u64,
    in_sql: bool,
}

/// A write that may be repeated: its caller and key, and its content.
#[derive(Clone, Debug)]
pub struct Write {
    /// Caller and key.
    pub caller: String,
    /// Hash of method, path and parameters.
    pub content: [u8; 32],
}

/// Prefix of every guest's caller.
pub const GUEST: &str = "address ";

impl Write {
    fn is_guest(&self) -> bool {
        self.caller.starts_with(GUEST)
    }

    /// Its owner: the caller without the key. All networks of an IPv6 /48 are one guest.
    fn owner(&self) -> String {
        let owner = self.caller.rsplit_once(' ').map_or("", |(owner, _)| owner);
        match owner.strip_prefix(GUEST).and_then(|address| address.parse::<Ipv6Addr>().ok()).map(|v6| (v6.to_ipv4_mapped(), v6.segments()))
        {
            Some((None, [a, b, c, ..])) => format!("{GUEST}{a:x}:{b:x}:{c:x}"),
            _ => owner.to_owned(),
        }
    }
}

/// The stored answers.
#[derive(Debug)]
pub struct Answers {
    db: Db,
    memory: Mutex<Memory>,
    /// Some of the last 24 h are in SQL only. While not, an order costs no read.
    is_cut: AtomicBool,
}

/// What to do with a write that carries a key.
#[derive(Debug)]
pub enum Gate {
    /// The first attempt: execute it, then [`Answers::finish`].
    First,
    /// Executed before: this was the answer.
    Done(Finished),
}

/// Where a finished answer is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Nowhere: transport faults, and answers that the engine keeps itself.
    Nowhere,
    /// In memory only: the answer contains a token, or is in SQL already.
    Memory,
    /// In memory and in SQL.
    Both,
}

impl Keep {
    /// Where the answer of a call is stored.
    pub fn of(finished: &Finished, route: &Route, write: &Write) -> Keep {
        match route.effect {
            _ if finished.status != StatusCode::OK || finished.foreign => Keep::Nowhere,
            // The engine keeps its own answers, and a preview is not one of them.
            Effect::Read | Effect::ReadNow | Effect::ReadOrCommand => Keep::Nowhere,
            Effect::Write if finished.stored => Keep::Memory,
            // A guest's write stored its answer with its change, except for sandbox inputs. Other guest calls can be done again with the
            // same result.
            Effect::Write if write.is_guest() && !route.path.starts_with("/sandbox/") => Keep::Memory,
            Effect::Write => Keep::Both,
            // A member whose answer was lost gets it again. An answer that opens the console is given once.
            Effect::Sensitive if route.path.starts_with("/operator/") => Keep::Nowhere,
            Effect::Sensitive => Keep::Memory,
            Effect::Command if finished.seq.is_none() => Keep::Both,
            Effect::Command => Keep::Nowhere,
        }
    }
}

impl Memory {
    /// Records the owner of this answer, and drops the oldest of too many, which is returned. `closes`: it prevents a key from being used.
    fn keep(&mut self, write: &Write, kept: FinishedKey, closes: bool) -> Option<FinishedKey> {
        let owner = write.owner();
        if closes {
            self.closed.entry(owner).or_default().push_back(kept.at_ms);
            return None;
        }
        let all = self.by_owner.entry(owner).or_default();
        all.push_back(kept);
        let most = if write.is_guest() { OF_GUEST } else { OF_MEMBER };
        let surplus = if all.len() > most { all.pop_front() } else { None };
        surplus.inspect(|surplus| drop(self.entries.remove(&surplus.name)))
    }
}

impl Answers {
    /// Reads what is younger than 24 h.
    pub async fn load(db: Db, vault: &Vault, clock: &Clock) -> Result<Answers, DbError> {
        let since = clock.wall_ms().saturating_sub(KEEP_MS);
        let newest = answers::newest(&db, since, MAX_READ).await?;
        let is_cut = AtomicBool::new(newest.len() as u64 >= MAX_READ);
        let entries = newest.into_iter().map(|(name, answer)| entry(vault, &name, &answer).map(|entry| (name, entry)));
        let entries = entries.collect::<Result<_, _>>()?;
        Ok(Answers { db, memory: Mutex::new(Memory { entries, ..Memory::default() }), is_cut })
    }

    /// Asks whether this write of a call with this effect came before. Waits while the first one is on the way; `E_DUP_REQUEST` for other
    /// content.
    pub async fn enter(&self, vault: &Vault, write: &Write, effect: Effect) -> Result<Gate, Refusal> {
        self.pass(vault, write, effect, false).await
    }

    /// Looks up the answer under this key, whatever was sent with it. [`Gate::First`]: until [`Answers::finish`] every other attempt is
    /// held back.
    pub async fn settle(&self, vault: &Vault, closed: &Write) -> Result<Gate, Refusal> {
        self.pass(vault, closed, Effect::Write, true).await
    }

    async fn pass(&self, vault: &Vault, write: &Write, effect: Effect, whatever: bool) -> Result<Gate, Refusal> {
        let (caller, content) = (&stored_name(vault, &write.caller), &write.content);
        loop {
            // A write that was committed with its answer and then failed is in SQL only.
            let beside_the_log = effect == Effect::Write;
            let elsewhere = beside_the_log || self.db.is_shared() || self.is_cut.load(Ordering::Relaxed) || write.is_guest();
            let stored = if elsewhere { answers::find(&self.db, caller).await? } else { None };
            let stored = stored.map(|answer| entry(vault, caller, &answer)).transpose()?;
            let running = {
                let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
                let entry = match (memory.entries.get(caller), stored) {
                    (Some(entry), _) => entry.clone(),
                    (None, Some(entry)) => entry,
                    (None, None) => {
                        let held = Progress::Running(Arc::default());
                        memory.entries.insert(caller.clone(), Entry { content: *content, held, of_guest: write.is_guest() });
                        return Ok(Gate::First);
                    }
                };
                if !whatever && entry.content != *content {
                    return Err(refuse(Code::DuplicateRequest));
                }
                match entry.held {
                    Progress::Done { body, seq, .. } => return Ok(Gate::Done(Finished::repeated(body, seq))),
                    // Registered while the lock is held, so `finish` cannot happen in between.
                    Progress::Running(done) => done.notified_owned(),
                }
            };
            running.await;
        }
    }

    /// Closes a key for good. An earlier attempt under it, whose outcome is unknown, may still be committing: the database waits for that
    /// one, and if it commits, its answer is returned.
    ///
    /// # Errors
    /// The database did not confirm that the key is closed.
    pub async fn close(&self, vault: &Vault, closed: &Write, now_ms: u64) -> Result<Option<Finished>, DbError> {
        let never = answers::insert(vault, &closed.caller, closed.content, &[], None, now_ms)?;
        match self.db.run(vec![never.exactly(1)]).await {
            Ok(_) => Ok(None),
            Err(DbError::Missed(_)) => {
                let name = stored_name(vault, &closed.caller);
                let stored = answers::find(&self.db, &name).await?.ok_or(DbError::Missed(0))?;
                Ok(Some(Finished::repeated(answers::open(vault, &name, &stored.sealed)?, stored.seq)))
            }
            Err(error) => Err(error),
        }
    }

    /// Stores the first answer and releases the attempts waiting for it.
    pub async fn finish(&self, vault: &Vault, write: &Write, finished: &Finished, keep: Keep, now_ms: u64) {
        let stored =
            async { self.db.exec(answers::insert(vault, &write.caller, write.content, &finished.body, finished.seq, now_ms)?).await };
        if keep == Keep::Both
            && let Err(error) = stored.await
        {
            tracing::error!(%error, "answer not stored");
        }
        let name = stored_name(vault, &write.caller);
        let surplus = {
            let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
            let before = match keep {
                Keep::Nowhere => memory.entries.remove(&name),
                Keep::Memory | Keep::Both => {
                    let held = Progress::Done { body: finished.body.clone(), seq: finished.seq, at_ms: now_ms };
                    let entry = Entry { content: write.content, held, of_guest: write.is_guest() };
                    memory.entries.insert(name.clone(), entry)
                }
            };
            if let Some(Entry { held: Progress::Running(done), .. }) = before {
                done.notify_waiters();
            }
            let in_sql = keep == Keep::Both || finished.stored;
            if keep == Keep::Nowhere {
                None
            } else {
                memory.keep(write, FinishedKey { name, at_ms: now_ms, in_sql }, finished.body.is_empty())
            }
        };
        if let Some(FinishedKey { name, in_sql: true, .. }) = surplus
            && let Err(error) = self.db.run_relaxed([answers::forget(name)].into()).await
        {
            tracing::error!(%error, "old answer not forgotten");
        }
    }

    /// Milliseconds until this member may close another key; `None`: now.
    pub fn closing_waits_ms(&self, closed: &Write, now_ms: u64) -> Option<u64> {
        let memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let full = memory.closed.get(&closed.owner()).filter(|closed| closed.len() >= CLOSED)?;
        full.front().map(|oldest| (oldest + KEEP_MS).saturating_sub(now_ms)).filter(|ms| *ms > 0)
    }

    /// Drops what is older than 24 h; called by a timer.
    pub async fn prune(&self, now_ms: u64) -> Result<(), DbError> {
        let keep = |since: u64| move |_: &String, entry: &mut Entry| !matches!(entry.held, Progress::Done { at_ms, .. } if at_ms < since);
        {
            let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
            let Memory { entries, by_owner, closed } = &mut *memory;
            let mut span = KEEP_MS;
            let since = now_ms.saturating_sub(span);
            entries.retain(keep(since));
            by_owner.retain(|_, kept| {
                kept.retain(|kept| kept.at_ms >= since);
                !kept.is_empty()
            });
            closed.retain(|_, closed| {
                closed.retain(|at_ms| *at_ms >= since);
                !closed.is_empty()
            });
            if entries.len() > MAX_HELD {
                entries.retain(|_, entry| !entry.of_guest || matches!(entry.held, Progress::Running(_)));
            }
            while entries.len() > MAX_HELD && span > 60_000 {
                span /= 2;
                self.is_cut.store(true, Ordering::Relaxed);
                entries.retain(keep(now_ms.saturating_sub(span)));
            }
        }
        self.db.exec(answers::forget_before(now_ms.saturating_sub(KEEP_MS))).await?;
        Ok(())
    }
}

fn entry(vault: &Vault, name: &str, stored: &StoredAnswer) -> Result<Entry, DbError> {
    let body = answers::open(vault, name, &stored.sealed)?;
    Ok(Entry { content: stored.content, held: Progress::Done { body, seq: stored.seq, at_ms: stored.at_ms }, of_guest: false })
}

#[cfg(test)]
mod tests;
