//! When a call is answered at the latest, whatever it waits for: a database, the journal, the turn of a member, a first attempt under its key.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::Call;
use super::routes::{Effect, Entry, RateClass};

/// Callers are promised 10 s.
const ANSWER: Duration = Duration::from_millis(9_500);

/// The instant at which the answer of a call is due, if it has one.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// The deadline of a call whose body is here. Files may take longer, and so may the clock of a sandbox.
    pub fn of(entry: &Entry) -> Deadline {
        let due = !entry.takes_file() && entry.route.rate != RateClass::Free;
        Deadline(due.then(|| Instant::now() + ANSWER))
    }

    /// The same for what the call does: a read ends by itself, and one of many rows may take longer.
    pub fn of_write(self, call: &Call, effect: Effect) -> Deadline {
        Deadline(self.0.filter(|_| effect.is_write() || call.write.is_some()))
    }

    /// What the work comes to; `None` when it is late.
    pub async fn keep<T>(self, work: impl Future<Output = T>) -> Option<T> {
        match self.0 {
            Some(due) => timeout_at(due, work).await.ok(),
            None => Some(work.await),
        }
    }
}
