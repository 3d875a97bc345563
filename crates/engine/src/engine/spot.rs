//! Spot orders that open something: the guards that need the whole state, before those of the pair.

use super::Engine;
use crate::amount::Price;
use crate::event::Event;
use crate::ids::{MarketId, MemberIndex, OrderId, UserId};
use crate::product::Product;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::security::FreezeScope;
use crate::spot::{OrderKind, PlaceSpotOrder};

impl Engine {
    pub(super) fn place_spot_order(&mut self, place: &PlaceSpotOrder, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let reference = self.reference_price(place.market);
        let id = OrderId(self.seq.0);
        let holder = self.holder(place.user)?;
        self.check_new_order(holder.member, place.market)?;
        let is_stop = matches!(place.kind, OrderKind::StopLimit { .. });
        // Samples trigger stops (S-4), so without an index a stop would wait for ever.
        if is_stop && self.catalog.market(place.market).is_some() && self.catalog.index(place.market).is_none() {
            return Err(Reject::OrderType);
        }
        let (spot, mut context) = self.spot_context(events);
        spot.place(&mut context, id, holder, place, reference)?;
        self.share_fees();
        Ok(Reply::SpotOrderPlaced(id))
    }

    /// S-10: the order is found first, and then it must pass what a new one must.
    pub(super) fn move_spot_order(&mut self, user: UserId, order: OrderId, price: Price, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let (slot, market) = self.spot.resting(user, order)?;
        let reference = self.reference_price(market);
        let id = OrderId(self.seq.0);
        let holder = self.holder(user)?;
        self.check_new_order(holder.member, market)?;
        let (spot, mut context) = self.spot_context(events);
        let replaced = spot.move_to(&mut context, id, holder, slot, price, reference)?;
        self.share_fees();
        Ok(Reply::SpotOrderMoved { order: id, replaced })
    }

    /// Why any move of an order would be refused, whatever the price (S-10).
    ///
    /// # Errors
    /// What is refused before the price is looked at.
    pub fn may_move(&self, user: UserId, order: OrderId) -> Result<(), Reject> {
        let (_, market) = self.spot.resting(user, order)?;
        self.check_new_order(self.member(user)?, market)
    }

    /// The member may trade, and the pair is not retired.
    fn check_new_order(&self, member: MemberIndex, market: MarketId) -> Result<(), Reject> {
        self.check_trading(member, Some(market))?;
        if self.is_retired(market) { Err(Reject::UnknownMarket) } else { Ok(()) }
    }

    /// Spot is open, also the pair if it is known, and the member is not frozen.
    pub(super) fn check_trading(&self, member: MemberIndex, market: Option<MarketId>) -> Result<(), Reject> {
        self.check_open(Product::Spot, market, member)?;
        self.security.check_freezes(member, self.time, FreezeScope::All)
    }
}
