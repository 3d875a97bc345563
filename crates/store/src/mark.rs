//! How far the rows of the history are.

use std::sync::Arc;

use tokio::sync::{Notify, watch};

/// How far the rows are, and whether somebody waits for more of them.
#[derive(Clone, Debug, Default)]
pub struct Mark {
    pub(crate) reached: watch::Sender<u64>,
    pub(crate) wanted: Arc<Notify>,
}

impl Mark {
    /// Sequence of the newest entry whose rows can be read.
    pub fn newest(&self) -> u64 {
        *self.reached.borrow()
    }

    /// Waits until the rows of this entry can be read. They are written at once.
    pub async fn reach(&self, seq: u64) {
        if self.newest() < seq {
            self.wanted.notify_one();
            // The sender lives as long as `self`.
            let _ = self.reached.subscribe().wait_for(|newest| *newest >= seq).await;
        }
    }
}
