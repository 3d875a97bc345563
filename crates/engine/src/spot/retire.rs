//! The retirement of a pair (0.6): every open order is cancelled and its hold released. Without positions there is nothing to close at a
//! price.

use super::{CancelReason, Slot, Spot, SpotContext};
use crate::ids::{MarketId, OrderId};

impl Spot {
    /// Cancels all open orders of a pair, by number.
    pub(crate) fn retire(&mut self, context: &mut SpotContext<'_>, market: MarketId) {
        let mut open: Vec<(OrderId, Slot)> =
            self.orders.slots().filter(|(_, order)| order.market == market).map(|(slot, order)| (order.id, slot)).collect();
        open.sort_unstable();
        for (_, slot) in open {
            self.take_out(context, slot, CancelReason::Retired);
        }
    }
}
