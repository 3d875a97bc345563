//! From the sequencer to the sockets: bounded, and never blocking a write.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use engine::published::{Batch, facts};
use tokio::sync::mpsc;

/// Events and balances that may wait for the sockets, about 20 MiB.
const MOST: usize = 65_536;

/// What the sockets receive from the log, in its order.
#[derive(Debug)]
pub enum News {
    /// The entries of one group.
    Entries(Batch),
    /// Groups were dropped because the sockets were too far behind.
    Gap,
}

/// The sequencer's end.
#[derive(Debug)]
pub struct SocketOutlet {
    news: mpsc::UnboundedSender<News>,
    waiting: Arc<AtomicUsize>,
    most: usize,
    dropped: bool,
}

/// The sockets' end.
#[derive(Debug)]
pub struct SocketInlet {
    news: mpsc::UnboundedReceiver<News>,
    waiting: Arc<AtomicUsize>,
}

/// A new pair of ends.
pub fn to_sockets() -> (SocketOutlet, SocketInlet) {
    bounded(MOST)
}

/// A new pair of ends with room for this many events and balances.
pub fn bounded(most: usize) -> (SocketOutlet, SocketInlet) {
    // `waiting` bounds the channel, because a group is one message whatever its size.
    let (sender, receiver) = mpsc::unbounded_channel();
    let waiting: Arc<AtomicUsize> = Arc::default();
    (SocketOutlet { news: sender, waiting: waiting.clone(), most, dropped: false }, SocketInlet { news: receiver, waiting })
}

impl SocketOutlet {
    /// Passes a group on. If the sockets are too far behind it is dropped; once half of the waiting entries are processed, the sockets
    /// learn of the gap.
    pub fn send(&mut self, batch: Batch) {
        let (weight, waiting) = (facts(&batch), self.waiting.load(Ordering::Acquire));
        if self.dropped && waiting > self.most / 2 {
            return;
        }
        if waiting > 0 && waiting + weight > self.most {
            self.dropped = true;
            return;
        }
        // The other end lives until the server ends; then no one reads any more.
        if std::mem::take(&mut self.dropped) {
            let _ = self.news.send(News::Gap);
        }
        self.waiting.fetch_add(weight, Ordering::AcqRel);
        let _ = self.news.send(News::Entries(batch));
    }
}

impl SocketInlet {
    /// The next news; `None` when the sequencer has ended.
    pub async fn recv(&mut self) -> Option<News> {
        let news = self.news.recv().await?;
        if let News::Entries(batch) = &news {
            self.waiting.fetch_sub(facts(batch), Ordering::AcqRel);
        }
        Some(news)
    }
}

#[cfg(test)]
mod tests {
    use engine::ids::Seq;
    use engine::published::Published;
    use engine::time::Time;

    use super::*;

    fn batch(seq: u64) -> Batch {
        [Published { seq: Seq(seq), time: Time(seq), events: Vec::new(), balances: Vec::new(), answer: None, stops: None }].into()
    }

    #[tokio::test]
    async fn sockets_that_lag_behind_learn_of_a_gap_and_never_hold_the_sequencer_back() {
        let (mut outlet, mut inlet) = bounded(10);
        for seq in 0..1_000 {
            outlet.send(batch(seq));
        }
        let mut heard = Vec::new();
        for seq in 1_000.. {
            if heard.len() >= 12 {
                break;
            }
            match inlet.recv().await {
                Some(News::Entries(batch)) => heard.push(Some(batch[0].seq.0)),
                Some(News::Gap) => heard.push(None),
                None => break,
            }
            outlet.send(batch(seq));
        }
        let before: Vec<_> = (0..10).map(Some).collect();
        assert_eq!((&heard[..10], heard[10]), (before.as_slice(), None));
        // What follows the gap is newer than everything that was dropped.
        assert!(heard[11] >= Some(1_000), "{heard:?}");
    }

    #[tokio::test]
    async fn a_group_larger_than_the_bound_passes_when_nothing_waits() {
        let (mut outlet, mut inlet) = bounded(1);
        let large: Batch = (0..5).map(|seq| batch(seq)[0].clone()).collect();
        outlet.send(large);
        assert!(matches!(inlet.recv().await, Some(News::Entries(batch)) if batch.len() == 5));
    }
}
