//! The final check of all invariants.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use kernel::sequencer::{HeldTotals, Sequencer};
use store::db::DbError;
use store::{Store, audit};

/// Maximum age of the last check, which reads every member.
const CHECK: Duration = Duration::from_secs(60);
/// Newest rows of the audit log whose chain is checked.
const AUDITED_ROWS: u64 = 2_000;

/// The last check of the engine's invariants and of the chain of the audit log, and when it was.
#[derive(Debug, Default)]
pub struct Invariants(Mutex<Option<(Instant, HeldTotals)>>);

impl Invariants {
    /// The invariants that hold, as of at most a minute ago.
    ///
    /// # Errors
    /// When the database cannot be asked.
    pub async fn held(&self, store: &Store, sequencer: &Sequencer) -> Result<HeldTotals, DbError> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, held)) = last.filter(|(at, _)| at.elapsed() < CHECK) {
            return Ok(held);
        }
        let audit = audit::broken(store, AUDITED_ROWS).await?.is_none();
        // Without an answer nothing is known, and the page shows that.
        let Some(mut held) = sequencer.check().await else { return Ok(vec![("check", false), ("audit_chain", audit)]) };
        held.push(("audit_chain", audit));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), held.clone()));
        Ok(held)
    }
}
