//! When a call is answered at the latest, whatever it waits for: a database, the journal, the turn of a member, a first attempt under its key.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::{Duration, Instant};

use super::Call;
use super::routes::{Effect, Entry, RateClass};

/// Interval at which a connection checks its deadlines, and so those of its calls.
pub const LOOK: Duration = Duration::from_secs(1);
/// Callers are promised 10 s. A connection notices that a deadline has passed when it next looks at its own.
const ANSWER: Duration = Duration::from_millis(9_500).saturating_sub(LOOK);

/// The instant at which the answer of a call is due, if it has one. Like those of connections it is checked by polling, because almost none
/// is ever reached.
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

    /// What the work comes to; `None` when it is late. The work stays where it is: the futures of calls are large.
    pub async fn keep<T>(self, mut work: Pin<&mut impl Future<Output = T>>) -> Option<T> {
        poll_fn(|context| match work.as_mut().poll(context) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending if self.0.is_some_and(|due| Instant::now() >= due) => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        })
        .await
    }
}
