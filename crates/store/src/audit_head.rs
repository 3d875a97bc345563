//! The head of the audit log's chain.

use std::sync::{Mutex, PoisonError};

/// The newest row of the audit log that this process wrote: it has to stay.
#[derive(Debug, Default)]
pub struct AuditHead {
    newest: Mutex<Option<(u64, [u8; 32])>>,
    /// Rows form a chain, so writers take turns.
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
