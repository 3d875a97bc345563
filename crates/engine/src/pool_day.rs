//! What a pool has lost since 00:00 UTC (C-13, O-11).

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, RATE_ONE, Rate};
use crate::exact::Exact;
use crate::reject::Reject;
use crate::time::Time;

/// The pool's loss of a UTC day at which nothing more is opened, as a share of its equity at 00:00 (C-13, O-11).
pub const POOL_LOSS_LIMIT: Rate = Rate(20_000_000);
const BOUNDED: &str = "balances and open results are below 10^30 atoms";

/// The pool at the beginning of a UTC day, atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct PoolDay {
    day: u64,
    /// Balance less what belongs to its counterparties.
    equity: i128,
    /// What operators moved in since, less what they moved out.
    moved: i128,
}

/// A pool's balance less what of it belongs to its counterparties: their unpaid profits, or what they paid for open options.
pub(crate) fn equity(balance: Amount, owed: i128) -> i128 {
    i128::from(balance).less(owed, BOUNDED)
}

impl PoolDay {
    /// True at the first entry of a UTC day.
    pub(crate) fn is_over(&self, now: Time) -> bool {
        !now.is_on(self.day)
    }

    pub(crate) fn begin(&mut self, now: Time, equity: i128) {
        *self = PoolDay { day: now.day(), equity, moved: 0 };
    }

    /// A treasury move into the pool; below 0 for a move out of it.
    pub(crate) fn moved(&mut self, amount: i128) {
        self.moved = self.moved.plus(amount, BOUNDED);
    }

    /// The pool's profit or loss since the day began, without treasury moves.
    pub(crate) fn result(&self, equity: i128) -> i128 {
        equity.less(self.equity, BOUNDED).less(self.moved, BOUNDED)
    }

    pub(crate) fn check(&self, equity: i128) -> Result<(), Reject> {
        check_pool_loss(self.result(equity), self.equity)
    }
}

/// C-13: the result of the pool since 00:00 UTC against its equity then. A pool that has lost nothing passes, also one that began the day
/// with nothing.
///
/// # Errors
/// [`Reject::PoolLossLimit`].
pub fn check_pool_loss(result: i128, equity: i128) -> Result<(), Reject> {
    let limit = 0_i128.less(equity.times(i128::from(POOL_LOSS_LIMIT.0), BOUNDED), BOUNDED);
    if result >= 0 || result.times(i128::from(RATE_ONE), BOUNDED) > limit { Ok(()) } else { Err(Reject::PoolLossLimit) }
}
