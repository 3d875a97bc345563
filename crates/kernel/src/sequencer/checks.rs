//! Checks of the whole state. The shadow runs them, so no write waits for one.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use engine::Engine;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// A check takes a second for millions of members, and the shadow may be behind.
const ANSWER: Duration = Duration::from_secs(10);

/// By name, whether each invariant of the engine holds.
pub type HeldTotals = Vec<(&'static str, bool)>;

/// Callers waiting for a check.
#[derive(Debug, Default)]
pub(super) struct Checks(Mutex<Vec<oneshot::Sender<HeldTotals>>>);

impl Checks {
    /// The shadow's result; `None` when it does not answer.
    pub(super) async fn ask(&self) -> Option<HeldTotals> {
        let (asked, answer) = oneshot::channel();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(asked);
        timeout(ANSWER, answer).await.ok()?.ok()
    }

    /// Runs one check for all callers.
    pub(super) fn answer(&self, engine: &Engine) {
        let asked = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        if asked.is_empty() {
            return;
        }
        let held: HeldTotals = engine.faults().into_iter().map(|(name, fault)| (name, fault.is_none())).collect();
        for waiting in asked {
            // A caller that no longer waits needs no answer.
            let _ = waiting.send(held.clone());
        }
    }
}
