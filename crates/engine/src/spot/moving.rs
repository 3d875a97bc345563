//! An order that moves to another price (S-10): all guards first, then the order ends and what is left of it enters as a new one.

use super::order::{CancelReason, OrderKind, OrderRef, PlaceSpotOrder};
use super::orders::Slot;
use super::status::Status;
use super::{Spot, SpotContext, SpotMarket};
use crate::amount::Price;
use crate::catalog::Wallet;
use crate::exact::Exact;
use crate::ids::{MarketId, OrderId, UserId};
use crate::ledger::Holder;
use crate::reject::Reject;

impl Spot {
    /// A member's order that rests on a book, and its pair. A stop that waits for its trigger is on none.
    pub(crate) fn resting(&self, user: UserId, order: OrderId) -> Result<(Slot, MarketId), Reject> {
        let slot = self.live(user, &OrderRef::Id(order))?;
        let order = self.orders.get(slot);
        if order.status == Status::Open { Ok((slot, order.market)) } else { Err(Reject::AwaitsTrigger) }
    }

    /// Moves a resting order; `id` is the number of the new one, `reference` the price of S-5. Returns the number of the old one.
    pub(crate) fn move_to(
        &mut self,
        context: &mut SpotContext<'_>,
        id: OrderId,
        holder: Holder,
        slot: Slot,
        price: Price,
        reference: Option<Price>,
    ) -> Result<OrderId, Reject> {
        let (old, at) = (*self.orders.get(slot), self.orders.pair(slot));
        let (side, time_in_force, quantity) = (old.side, old.time_in_force(), old.left().ok_or(Reject::WrongState)?);
        let market = &self.markets[at];
        let (checked, reference) = market.check_limit(side, price, quantity, reference)?;
        market.check_post_only(side, time_in_force, checked.ticks)?;
        let held = SpotMarket::hold(side, &checked);
        let available = context.ledger.available(holder.member, Wallet::Spot, market.held_asset(side));
        market.check_funds(side, available.plus(old.held, "the atoms of a coin are below 10^18 (I-1)"), held)?;
        let kind = OrderKind::Limit { price, quantity, time_in_force };
        let place = PlaceSpotOrder { user: old.user, market: old.market, side, kind, client_order_id: old.client_order_id };
        self.take_out(context, slot, CancelReason::Moved);
        let slot = self.open(context, id, holder, &place, at, reference, held);
        self.work(context, slot, at, checked.incoming());
        Ok(old.id)
    }
}
