//! Where the chain of the audit log ends.

use std::sync::{Mutex, PoisonError};

/// The newest row of the audit log that this process wrote: it has to stay.
#[derive(Debug, Default)]
pub struct AuditHead {
    newest: Mutex<Option<(u64, [u8; 32])>>,
    /// Rows follow one another: whoever writes one waits for the writer before.
    pub(crate) turn: tokio::sync::Mutex<()>,
}

impl AuditHead {
    pub(crate) fn read(&self) -> Option<(u64, [u8; 32])> {
        *self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn wrote(&self, id: u64, hash: [u8; 32]) {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        *newest = (*newest).max(Some((id, hash)));
    }
}
