//! Tasks that a node cannot do without.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use super::Sequencer;

impl Sequencer {
    /// Runs this task. A panic in it ends the node: others would wait for the task for ever.
    pub async fn depend_on(self, what: &'static str, task: impl Future<Output = ()>) {
        let mut task = pin!(task);
        poll_fn(|context| {
            let polled = catch_unwind(AssertUnwindSafe(|| task.as_mut().poll(context)));
            polled.unwrap_or_else(|_| {
                self.fail(&format!("{what} stopped: it panicked"));
                Poll::Ready(())
            })
        })
        .await;
    }
}
