//! What the option pool has lost since 00:00 UTC, of each stake coin (O-11).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::AssetId;
use crate::pool_day::PoolDay;
use crate::reject::Reject;
use crate::time::Time;

/// The pool at the beginning of a UTC day. A coin that is not here began it with nothing.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct PoolDays {
    day: u64,
    of_coin: BTreeMap<AssetId, PoolDay>,
}

impl PoolDays {
    /// True at the first entry of a UTC day.
    pub(super) fn is_over(&self, now: Time) -> bool {
        !now.is_on(self.day)
    }

    pub(super) fn begin(&mut self, now: Time, equities: impl Iterator<Item = (AssetId, i128)>) {
        let with_any = equities.filter(|(_, equity)| *equity != 0);
        let begun = with_any.map(|(asset, equity)| {
            let mut day = PoolDay::default();
            day.begin(now, equity);
            (asset, day)
        });
        *self = PoolDays { day: now.day(), of_coin: begun.collect() };
    }

    /// A treasury move into the pool; below 0 for a move out of it.
    pub(super) fn moved(&mut self, asset: AssetId, amount: i128) {
        self.of_coin.entry(asset).or_default().moved(amount);
    }

    pub(super) fn check(&self, asset: AssetId, equity: i128) -> Result<(), Reject> {
        self.of_coin.get(&asset).copied().unwrap_or_default().check(equity)
    }
}
