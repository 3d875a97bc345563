//! Stores the venues' past candles of each pair, for the charts of the time before its first sample. They never enter the log.

use std::collections::BTreeSet;

use engine::catalog::{Catalog, IndexOrigin};
use engine::ids::MarketId;
use feed::venues::live::Live;
use feed::venues::past::PastCandle;
use store::db::{Db, DbError};
use store::source_candles;

/// Requests the past of each pair once, as soon as the log has a sample of it.
#[derive(Debug, Default)]
pub struct Past {
    /// Nothing more is to be done about these by this process.
    settled: BTreeSet<MarketId>,
    /// What has arrived and is not written yet.
    come: Vec<(MarketId, Vec<PastCandle>)>,
}

impl Past {
    /// Requests what is missing and writes what has arrived. A pair without any stored past is requested again by the next start.
    ///
    /// # Errors
    /// When the database does not answer; the rest follows the next time.
    pub async fn keep(&mut self, db: &Db, live: &Live, catalog: &Catalog) -> Result<(), DbError> {
        for index in &catalog.indices {
            // Computed pairs are not traded at any venue.
            if !matches!(index.origin, IndexOrigin::Sources(_)) || self.settled.contains(&index.market) {
                continue;
            }
            if source_candles::are_kept(db, index.market).await? {
                self.settled.insert(index.market);
            } else if let Some(first) = source_candles::first_of_log(db, index.market).await? {
                live.want_past(index.market, first);
            }
        }
        self.come.extend(live.pasts());
        while let Some((market, candles)) = self.come.last() {
            let candles: Vec<_> = candles.iter().map(|past| (past.minutes, past.candle)).collect();
            source_candles::put(db, *market, &candles).await?;
            self.settled.insert(*market);
            self.come.pop();
        }
        Ok(())
    }
}
