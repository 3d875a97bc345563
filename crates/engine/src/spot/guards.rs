//! The guards of a pair: filters, bands, stops, funds and liquidity, in the order of 2.4.

use super::order::{Side, TimeInForce};
use super::{Checked, SpotMarket, worse};
use crate::amount::{Amount, MAX_AMOUNT, MAX_PRICE, Price};
use crate::ids::MemberIndex;
use crate::reject::Reject;
use crate::units::{Base, Grid, Quote, Steps, Ticks, WHOLE};

impl SpotMarket {
    /// Filters and bands of a limit price and quantity, in the order of 2.4.
    pub(super) fn check_limit(
        &self,
        side: Side,
        price: Price,
        quantity: Amount,
        reference: Option<Price>,
    ) -> Result<(Checked, Price), Reject> {
        let facts = &self.facts;
        if !price.in_bounds() || quantity == 0 || quantity >= MAX_AMOUNT {
            return Err(Reject::BadAmount);
        }
        let (grid, quantity) = (&self.grid, Base(quantity));
        let ticks = grid.whole_ticks(price).ok_or(Reject::Tick)?;
        let steps = self.check_quantity(quantity)?;
        let notional = self.check_notional(grid.notional(ticks, steps))?;
        let reference = reference.ok_or(Reject::PriceStale)?;
        let (lowest, highest) = match side {
            Side::Buy => facts.band_buy,
            Side::Sell => facts.band_sell,
        };
        let whole = price.share(WHOLE);
        if whole < reference.share(lowest) || whole > reference.share(highest) {
            let bound = |ticks: u128| grid.bound(ticks).unwrap_or(MAX_PRICE);
            let (low, high) = (bound(grid.share_up(reference, lowest)), bound(grid.share_down(reference, highest)));
            return Err(Reject::Band { low, high, reference });
        }
        Ok((Checked { ticks: Grid::on_book(ticks)?, steps, quantity, notional }, reference))
    }

    /// The quantity in steps.
    pub(super) fn check_quantity(&self, quantity: Base) -> Result<Steps, Reject> {
        let steps = self.grid.whole_steps(quantity).ok_or(Reject::Step)?;
        if quantity.0 < self.facts.min_quantity {
            return Err(Reject::QuantityMin);
        }
        if quantity.0 > self.facts.max_quantity {
            return Err(Reject::QuantityMax);
        }
        Ok(steps)
    }

    pub(super) fn check_notional(&self, notional: Quote) -> Result<Quote, Reject> {
        if notional.0 < self.facts.min_notional {
            return Err(Reject::NotionalMin);
        }
        if notional.0 > self.facts.max_notional {
            return Err(Reject::NotionalMax);
        }
        Ok(notional)
    }

    /// A stop waits good till cancelled, on the tick, on the far side of the reference (S-4).
    pub(super) fn check_stop(&self, side: Side, stop: Price, time_in_force: TimeInForce, reference: Price) -> Result<(), Reject> {
        if time_in_force != TimeInForce::GoodTillCancelled {
            return Err(Reject::TimeInForce);
        }
        if !stop.in_bounds() || !stop.lies_on(self.facts.tick) {
            return Err(Reject::Tick);
        }
        let ahead = match side {
            Side::Buy => stop > reference,
            Side::Sell => stop < reference,
        };
        if ahead { Ok(()) } else { Err(Reject::StopSide { reference }) }
    }

    /// Filters of a market order (S-3); a missing price comes first.
    pub(super) fn check_market(&self, side: Side, size: Amount, reference: Option<Price>) -> Result<Price, Reject> {
        let reference = reference.ok_or(Reject::PriceStale)?;
        if size == 0 || size >= MAX_AMOUNT {
            return Err(Reject::BadAmount);
        }
        let notional = match side {
            Side::Buy => Quote(size),
            Side::Sell => {
                self.check_quantity(Base(size))?;
                Base(size).value_floor(reference, self.scales)?
            }
        };
        self.check_notional(notional)?;
        Ok(reference)
    }

    /// A post-only order must not trade at once (S-2).
    pub(super) fn check_post_only(&self, side: Side, time_in_force: TimeInForce, ticks: Ticks) -> Result<(), Reject> {
        if time_in_force == TimeInForce::PostOnly && self.crosses(side, ticks) { Err(Reject::PostOnly) } else { Ok(()) }
    }

    /// What an order may take is enough for its hold (S-8).
    pub(super) fn check_funds(&self, side: Side, available: Amount, needed: Amount) -> Result<(), Reject> {
        let asset = if side == Side::Buy { self.facts.quote } else { self.facts.base };
        if available < needed { Err(Reject::Insufficient { asset, available, needed }) } else { Ok(()) }
    }

    /// At least one step could trade with another member (S-3).
    pub(super) fn check_liquidity(&self, side: Side, member: MemberIndex, size: Amount, worst: Ticks) -> Result<(), Reject> {
        let mut others = self.book.orders(side.opposite()).filter(|resting| resting.member != member);
        let found = others.next().is_some_and(|resting| {
            let affordable = side == Side::Sell || self.grid.affordable(resting.price, Quote(size)) > Steps(0);
            affordable && !worse(side, resting.price, worst)
        });
        if found { Ok(()) } else { Err(Reject::NoLiquidity) }
    }
}
