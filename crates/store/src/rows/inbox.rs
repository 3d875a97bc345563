//! Entries that wait in memory while rows are written. A locked table may delay the history; it must not stop the venue.

use std::collections::VecDeque;
use std::pin::pin;

use engine::published::{Batch, facts};
use tokio::sync::mpsc;

/// Facts that may wait, about 200 MB of them. Beyond this they wait in the backlog of the sequencer.
const FACTS: usize = 500_000;

/// The inbox of the history, and what was taken from it early.
#[derive(Debug)]
pub(super) struct Inbox {
    inbox: mpsc::Receiver<Batch>,
    batches: VecDeque<Batch>,
    facts: usize,
}

impl Inbox {
    pub(super) fn new(inbox: mpsc::Receiver<Batch>) -> Inbox {
        Inbox { inbox, batches: VecDeque::new(), facts: 0 }
    }

    /// The next batch; none when nothing will ever come.
    pub(super) async fn recv(&mut self) -> Option<Batch> {
        match self.batches.pop_front() {
            Some(batch) => {
                self.facts -= facts(&batch);
                Some(batch)
            }
            None => self.inbox.recv().await,
        }
    }

    /// Collects what arrives while this work runs.
    pub(super) async fn while_busy<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                Some(batch) = self.inbox.recv(), if self.facts < FACTS => {
                    self.facts += facts(&batch);
                    self.batches.push_back(batch);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::ids::Seq;
    use engine::published::Published;
    use engine::time::Time;
    use tokio::sync::oneshot;

    use super::*;

    fn batch(seq: u64) -> Batch {
        [Published { seq: Seq(seq), time: Time(1), events: Vec::new(), balances: Vec::new(), answer: None, stops: None }].into()
    }

    #[tokio::test]
    async fn what_comes_while_rows_are_written_is_taken_in_and_keeps_its_order() {
        let (sender, inbox) = mpsc::channel(2);
        let mut held = Inbox::new(inbox);
        let (written, writing) = oneshot::channel();
        let sending = tokio::spawn(async move {
            for seq in 0..100 {
                sender.send(batch(seq)).await.unwrap();
            }
            // No send was held up by the write.
            written.send(()).unwrap();
            sender.send(batch(100)).await.unwrap();
        });
        held.while_busy(writing).await.unwrap();
        for seq in 0..=100 {
            assert_eq!(held.recv().await.unwrap()[0].seq, Seq(seq));
        }
        sending.await.unwrap();
        assert!(held.recv().await.is_none());
        assert_eq!(held.facts, 0);
    }
}
