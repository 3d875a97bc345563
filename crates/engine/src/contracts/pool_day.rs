//! What the contract pool has lost since 00:00 UTC (C-13).

use serde::{Deserialize, Serialize};

use super::figures::check_pool_loss;
use crate::amount::Amount;
use crate::exact::Exact;
use crate::reject::Reject;
use crate::time::Time;

const BOUNDED: &str = "balances and open results are below 10^30 atoms";

/// The pool at the beginning of a UTC day, atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct PoolDay {
    day: u64,
    /// Balance less open profits of its counterparties.
    equity: i128,
    /// What operators moved in since, less what they moved out.
    moved: i128,
}

/// A pool's balance less the unpaid profits of its counterparties.
pub(crate) fn equity(balance: Amount, open_profit: i128) -> i128 {
    i128::from(balance).less(open_profit, BOUNDED)
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
