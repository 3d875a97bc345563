//! Who leads: a new node waits for a live leader, and a replaced leader never comes back.

use std::time::{Duration, Instant};

use super::{Journal, Role};
use crate::error::Error;
use crate::group::Head;
use crate::store::LeaseRow;

/// The right to append, as `lead` obtained it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The fencing epoch; every row carries the epoch of its writer.
    pub epoch: u64,
    /// Where the journal ends. All of it is durable and may be applied.
    pub head: Head,
}

/// A leader with a live session is considered stalled when the journal has not moved for this long. A leader writes at least every ten
/// seconds, however little happens, and one that starts gives signs of life.
pub const LEASE: Duration = Duration::from_secs(15);
/// Polling interval of a node that waits for the lease.
const POLL: Duration = Duration::from_millis(200);

impl Journal {
    /// Becomes the leader at once: takes a new epoch, which fences every earlier leader, and commits it as the barrier that makes all
    /// earlier entries durable. This is also the way out of doubt: what the returned head includes is in the journal for good, anything
    /// else never will be. Works on a fresh connection. `now_ms` and `node` are stored for people to read.
    ///
    /// # Errors
    /// `Fenced` when another node took the lease, at the same moment or since this handle claimed it: this handle never leads again. `Late`
    /// when the barrier is not known to be durable. `Damaged` as for opening.
    pub fn lead(&mut self, node: &str, now_ms: u64) -> Result<Lease, Error> {
        self.take(node, now_ms, None, None)
    }

    /// Becomes the leader once the previous leader has gone or stalled: its session has ended, or the journal has not moved for [`LEASE`] and
    /// there was no sign of life.
    /// Meanwhile `waits` is called a few times a second with the reason for waiting. `now_ms` and `node` as for `lead`; before each attempt
    /// the time is asked for, and a fault of the clock ends the wait.
    ///
    /// # Errors
    /// `Damaged` as for opening, `Invalid` with the fault of the clock. An unresponsive database is not an error: the call keeps waiting.
    pub fn lead_when_free(
        &mut self,
        node: &str,
        now_ms: impl Fn() -> Result<u64, String>,
        mut waits: impl FnMut(&str),
    ) -> Result<Lease, Error> {
        let mut watched = None;
        loop {
            match self.lead_if_free(node, now_ms().map_err(Error::Invalid)?, &mut watched) {
                Ok(Ok(lease)) => return Ok(lease),
                Ok(Err(leader)) => waits(&format!("another node leads: {leader}")),
                Err(error @ (Error::Store(_) | Error::Late(_))) => {
                    waits(&error.to_string());
                    // The database may not have answered the leader either, so its silence is not a stall.
                    watched = None;
                    // The next round asks again, whether this succeeds or not.
                    let _ = self.store.reopen();
                }
                Err(error) => return Err(error),
            }
            std::thread::sleep(POLL);
        }
    }

    /// The lease, or the name of the node that has it. `watched` is what was last seen of its row, and since when.
    fn lead_if_free(&mut self, node: &str, now_ms: u64, watched: &mut Option<(LeaseRow, Instant)>) -> Result<Result<Lease, String>, Error> {
        let row = self.store.lease()?;
        let since = match watched {
            Some((seen, since)) if *seen == row => *since,
            _ => watched.insert((row.clone(), Instant::now())).1,
        };
        let lives = !self.holds(&row) && self.store.is_attended(row.epoch)?;
        if lives && since.elapsed() < LEASE {
            return Ok(Err(row.node));
        }
        // A node that has not led yet may lose this race and try again.
        self.claimed = None;
        match self.take(node, now_ms, Some(row.epoch), lives.then_some(row.last_seq)) {
            Err(Error::Fenced) => Ok(Err(row.node)),
            taken => taken.map(Ok),
        }
    }

    /// True if this handle was the last to take the lease.
    fn holds(&self, row: &LeaseRow) -> bool {
        row.node.ends_with(&self.mark_of_lease)
    }

    /// Takes the lease; `free`: only the one of this epoch, since another new node may have been quicker; `unmoved`: only while the journal
    /// ends there.
    fn take(&mut self, node: &str, now_ms: u64, free: Option<u64>, unmoved: Option<u64>) -> Result<Lease, Error> {
        self.role = Role::InDoubt;
        self.store.reopen()?;
        let seen = self.store.lease()?;
        let quicker = free.is_some_and(|epoch| epoch != seen.epoch);
        let replaced = quicker || self.claimed.is_some_and(|epoch| epoch != seen.epoch) && !self.holds(&seen);
        self.claimed.get_or_insert(seen.epoch);
        let node = format!("{node} {}", self.mark_of_lease);
        if replaced || !self.store.take_lease(seen.epoch, unmoved, &node, now_ms)? {
            self.role = Role::Follower;
            return Err(Error::Fenced);
        }
        let epoch = seen.epoch + 1;
        self.claimed = Some(epoch);
        let head = self.check_end()?;
        if let Some(mark) = &mut self.mark {
            let marked = mark.note(head).and_then(|()| mark.sync());
            marked.map_err(|error| Error::Store(format!("high-water file: {error}")))?;
        }
        let lease = Lease { epoch, head };
        self.role = Role::Leader(lease);
        Ok(lease)
    }
}
