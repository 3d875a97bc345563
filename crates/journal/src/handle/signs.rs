//! A leader that starts, or writes its last rows: it appends nothing, and still must not count as stalled.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::{Journal, LEASE, Lease};
use crate::error::Error;

/// Interval between two signs.
const INTERVAL: Duration = Duration::from_secs(LEASE.as_secs() / 5);
/// A start that takes longer is stuck.
const LONGEST: Duration = Duration::from_secs(3_600);

/// Shows the nodes that wait for the lead that this one lives, until it is dropped.
#[derive(Debug)]
pub(super) struct SignsOfLife {
    _until_dropped: Option<Sender<()>>,
}

/// The lead of a node that appends nothing more: no other node leads until this is dropped.
#[derive(Debug)]
pub struct KeptLead {
    _signs: Option<SignsOfLife>,
    _journal: Journal,
}

impl Journal {
    /// Keeps the lead while the last rows are written. Without signs of life it is kept for as long as an idle leader's.
    pub fn keep_lead(self) -> KeptLead {
        KeptLead { _signs: self.live().ok(), _journal: self }
    }

    /// A leader that has much to do before its first entry gives signs of life until this handle has tried to commit it, or is dropped.
    ///
    /// # Errors
    /// When this node does not lead, or the system gives no thread.
    pub fn live_until_commit(&mut self) -> Result<(), Error> {
        self.starting = Some(self.live()?);
        Ok(())
    }

    /// Gives signs of life from a thread and a session of their own.
    fn live(&self) -> Result<SignsOfLife, Error> {
        let Lease { epoch, .. } = self.leading().map_err(|error| Error::Invalid(error.to_string()))?;
        let Some(mut signs) = self.store.signs(epoch) else { return Ok(SignsOfLife { _until_dropped: None }) };
        let (until_dropped, dropped) = channel();
        let work = move || {
            let begun = Instant::now();
            while begun.elapsed() < LONGEST && dropped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                // The next one may come through.
                let _ = signs.give();
            }
        };
        let thread = thread::Builder::new().name("signs-of-life".to_owned()).spawn(work);
        thread.map_err(|error| Error::Store(format!("signs of life: {error}")))?;
        Ok(SignsOfLife { _until_dropped: Some(until_dropped) })
    }
}
