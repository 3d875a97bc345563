//! Collects what one transaction of the history will write.

use std::ops::Deref;
use std::time::Duration;

use engine::catalog::Catalog;
use engine::published::{Published, facts};
use engine::time::Time;

use super::Rows;
use super::inbox::Inbox;
use crate::mark::{Mark, Written};

/// Facts of one transaction, or a group more. One entry can have thousands of them.
pub(super) const FACTS: usize = 65_536;
/// Rows wait this long for others, unless a reader or a notice needs them: a transaction writes whole pages, and many rows share one.
const GATHER: Duration = Duration::from_millis(500);

/// What one transaction will write.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub(super) rows: Rows,
    pub(super) facts: usize,
    /// Sequence of the last entry that came.
    seen: u64,
    /// Sequence and time of the newest entry after the marks.
    pub(super) newest: Option<(u64, Time)>,
}

impl Gathered {
    /// Waits for entries and collects those of a short time; false when the input has ended. Every batch is dropped at once, so its memory
    /// serves the next ones.
    ///
    /// # Errors
    /// As for `take`.
    pub(super) async fn gather(
        &mut self,
        catalog: &impl Deref<Target = Catalog>,
        applied: &Mark,
        inbox: &mut Inbox,
        written: Written,
    ) -> Result<bool, &'static str> {
        self.facts = 0;
        let Some(first) = inbox.recv().await else { return Ok(false) };
        self.take(catalog, &first, written)?;
        drop(first);
        let over = tokio::time::sleep(GATHER);
        tokio::pin!(over);
        while self.facts < FACTS && self.rows.account.told.is_empty() {
            tokio::select! {
                biased;
                // A caller that waits for an entry knows its number, so its batch is in the inbox before the wish.
                batch = inbox.recv() => match batch {
                    Some(batch) => self.take(catalog, &batch, written)?,
                    None => break,
                },
                () = applied.wanted.notified() => break,
                () = &mut over => break,
            }
        }
        Ok(true)
    }

    /// # Errors
    /// When entries before these are missing: their rows would be missing for ever.
    pub(super) fn take(&mut self, catalog: &Catalog, batch: &[Published], written: Written) -> Result<(), &'static str> {
        self.facts += facts(batch);
        for Published { seq, .. } in batch {
            if seq.0 > self.seen.max(written.least()) + 1 {
                return Err("entries are missing before those that the history gets");
            }
            self.seen = self.seen.max(seq.0);
        }
        // A restart replays the log from a snapshot that may be older than the rows, or from its beginning for the costs.
        for published in batch.iter().filter(|published| published.seq.0 > written.least()) {
            if published.seq.0 > written.rows {
                self.rows.take(catalog, published);
            }
            if published.seq.0 > written.costs {
                self.rows.costs.take(catalog, published);
                self.rows.house.take(published);
                self.rows.stops_set(published);
            }
            self.newest = Some((published.seq.0, published.time));
        }
        Ok(())
    }
}
