//! Matching one order against the book: fills, self-trade prevention, fees (S-1, S-2, S-7, S-9).

use super::book::{NodeId, Resting};
use super::order::{OrderKind, Side, TimeInForce};
use super::orders::Slot;
use super::{CancelReason, Spot, SpotContext, SpotOrder, worse};
use crate::amount::Amount;
use crate::catalog::Wallet;
use crate::event::{Event, Trade, TradeParty, emit};
use crate::exact::Exact;
use crate::ledger::{Available, HoldKey, HouseAccount, LineKind, ObjectKind, Reason};
use crate::units::{Base, Quote, Steps, TRADED, Ticks, charge_on_running_total};

/// An order takes once, from what others hold then, and makes for as much as it wanted: twice 10^18 at most, and no fee is above 100 %.
const RECEIVED: &str = "what an order receives, as taker and as maker, is below 10^18 each (S-9, I-1)";

/// What a taker still wants.
#[derive(Clone, Copy)]
pub(super) enum Want {
    Steps(Steps),
    Funds(Quote),
}

/// An order on its way to the book: its last price, and what it wants.
#[derive(Clone, Copy)]
pub(super) struct Incoming {
    pub(super) worst: Ticks,
    pub(super) want: Want,
}

/// One fill: the two orders, and the amounts exchanged.
struct Fill {
    taker: Slot,
    maker: Slot,
    taker_side: Side,
    ticks: Ticks,
    steps: Steps,
    quantity: Base,
    value: Quote,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Taker,
    Maker,
}

impl Spot {
    /// Matches an order that is not on the book, then rests, completes or cancels it.
    pub(super) fn work(&mut self, context: &mut SpotContext<'_>, slot: Slot, at: usize, incoming: Incoming) {
        let order = self.orders.get(slot);
        let (kind, time_in_force) = (order.kind, order.time_in_force());
        if time_in_force == TimeInForce::FillOrKill && !self.fills_whole(slot, at, incoming) {
            return self.finish(context, slot, at, Some(CancelReason::FillOrKill));
        }
        let left = self.match_against_book(context, slot, at, incoming);
        match (kind, left) {
            (OrderKind::Market { .. }, _) => {
                let nothing = self.orders.get(slot).filled == 0;
                self.finish(context, slot, at, nothing.then_some(CancelReason::NoLiquidity));
            }
            (_, Want::Funds(_) | Want::Steps(Steps(0))) => self.finish(context, slot, at, None),
            (_, Want::Steps(steps)) => match time_in_force {
                TimeInForce::ImmediateOrCancel | TimeInForce::FillOrKill => {
                    self.finish(context, slot, at, Some(CancelReason::ImmediateOrCancel))
                }
                TimeInForce::GoodTillCancelled | TimeInForce::PostOnly => {
                    let quantity = self.rest(slot, at, incoming.worst, steps);
                    self.markets[at].emit_level(context.events, self.orders.get(slot).side, incoming.worst, quantity);
                    self.orders.emit(slot, context.events);
                }
            },
        }
    }

    /// Puts the rest of a limit order on the book; returns the quantity of its level.
    pub(super) fn rest(&mut self, slot: Slot, at: usize, price: Ticks, steps: Steps) -> Steps {
        let (side, member) = (self.orders.get(slot).side, self.orders.member(slot));
        let (node, quantity) = self.markets[at].book.insert(side, slot, member, price, steps);
        self.orders.set_node(slot, node);
        quantity
    }

    /// Others' orders within the limit can fill the whole quantity (S-2, fill or kill).
    fn fills_whole(&self, slot: Slot, at: usize, incoming: Incoming) -> bool {
        let Want::Steps(mut missing) = incoming.want else { return false };
        let (side, member) = (self.orders.get(slot).side, self.orders.member(slot));
        for resting in self.markets[at].book.orders(side.opposite()) {
            if worse(side, resting.price, incoming.worst) {
                return false;
            }
            if resting.member != member {
                if missing <= resting.left {
                    return true;
                }
                missing = missing.less(resting.left, TRADED);
            }
        }
        false
    }

    /// Trades with the best orders of the other side as long as the limit allows; returns the unfilled rest.
    fn match_against_book(&mut self, context: &mut SpotContext<'_>, taker: Slot, at: usize, incoming: Incoming) -> Want {
        let Incoming { worst, mut want } = incoming;
        let side = self.orders.get(taker).side;
        let member = self.orders.member(taker);
        let opposite = side.opposite();
        let mut touched: Option<(Ticks, Steps)> = None;
        while let Some((node, resting)) = self.markets[at].book.best(opposite).map(|(node, resting)| (node, *resting)) {
            let market = &self.markets[at];
            let steps = match want {
                Want::Steps(steps) => steps,
                Want::Funds(funds) => market.grid.affordable(resting.price, funds),
            };
            if steps == Steps(0) || worse(side, resting.price, worst) {
                break;
            }
            if let Some((level, quantity)) = touched.filter(|(level, _)| *level != resting.price) {
                market.emit_level(context.events, opposite, level, quantity);
            }
            if resting.member == member {
                touched = Some((resting.price, self.markets[at].book.remove(opposite, node)));
                self.finish(context, resting.tag, at, Some(CancelReason::SelfTrade));
                continue;
            }
            let steps = steps.min(resting.left);
            let (value, quantity) = self.take(context, at, taker, node, &resting, steps);
            touched = Some((resting.price, quantity));
            want = match want {
                Want::Steps(left) => Want::Steps(left.less(steps, TRADED)),
                Want::Funds(funds) => Want::Funds(Quote(funds.0.less(value.0, TRADED))),
            };
        }
        if let Some((level, quantity)) = touched {
            self.markets[at].emit_level(context.events, opposite, level, quantity);
        }
        want
    }

    /// Trades `steps` with one resting order; returns the value and the quantity left in the level.
    fn take(
        &mut self,
        context: &mut SpotContext<'_>,
        at: usize,
        taker: Slot,
        node: NodeId,
        resting: &Resting,
        steps: Steps,
    ) -> (Quote, Steps) {
        let market = &mut self.markets[at];
        let taker_side = self.orders.get(taker).side;
        let fill = Fill {
            taker,
            maker: resting.tag,
            taker_side,
            ticks: resting.price,
            steps,
            quantity: market.grid.quantity(steps),
            value: market.grid.value(resting.price, steps),
        };
        let used_up = steps == resting.left;
        let quantity = match used_up {
            true => market.book.remove(taker_side.opposite(), node),
            false => market.book.reduce(taker_side.opposite(), node, steps),
        };
        if let Some(traded) = &mut market.traded {
            traded.note(context.now, market.last_trade, fill.quantity.0, fill.value.0);
        }
        market.last_trade = Some(market.grid.price(fill.ticks));
        self.settle(context, at, &fill);
        if used_up {
            self.finish(context, fill.maker, at, None);
        } else {
            self.orders.emit(fill.maker, context.events);
        }
        (fill.value, quantity)
    }

    /// Posts a fill (2.3): value to the seller, quantity to the buyer, the better price back to the buyer, both fees to the house.
    fn settle(&mut self, context: &mut SpotContext<'_>, at: usize, fill: &Fill) {
        let trade = self.next_trade();
        let taker_fee = self.book_fill(context, fill, Role::Taker);
        let maker_fee = self.book_fill(context, fill, Role::Maker);
        let (buyer, seller) = match fill.taker_side {
            Side::Buy => (fill.taker, fill.maker),
            Side::Sell => (fill.maker, fill.taker),
        };
        let (buyer_fee, seller_fee) = match fill.taker_side {
            Side::Buy => (taker_fee, maker_fee),
            Side::Sell => (maker_fee, taker_fee),
        };
        let released = self.release_of(at, fill, buyer);
        let market = &self.markets[at];
        let (base, quote) = (market.base, market.quote);
        let (buyer_id, seller_id) = (self.orders.get(buyer).id.0, self.orders.get(seller).id.0);
        let (buyer, seller) = (self.orders.holder(buyer), self.orders.holder(seller));
        let because = |kind, debit_id, credit_id| Reason { kind, object: ObjectKind::SpotOrder, debit_id, credit_id };
        let held = |holder| HoldKey(holder, Wallet::Spot);
        let available = |holder| Available(holder, Wallet::Spot);
        let house = HouseAccount::Fee;
        let ledger = &mut *context.ledger;
        let trade_lines = LineKind::SpotTrade;
        ledger.transfer(quote, held(buyer), available(seller), fill.value.0, because(trade_lines, buyer_id, seller_id), context.events);
        ledger.transfer(base, held(seller), available(buyer), fill.quantity.0, because(trade_lines, seller_id, buyer_id), context.events);
        ledger.transfer(
            quote,
            held(buyer),
            available(buyer),
            released.0,
            because(LineKind::SpotRelease, buyer_id, buyer_id),
            context.events,
        );
        ledger.transfer(base, available(buyer), house, buyer_fee, because(LineKind::SpotFee, buyer_id, buyer_id), context.events);
        ledger.transfer(quote, available(seller), house, seller_fee, because(LineKind::SpotFee, seller_id, seller_id), context.events);
        let party = |slot: Slot, fee| {
            let SpotOrder { id, user, .. } = *self.orders.get(slot);
            TradeParty { order: id, user, fee, house: context.members.is_house(self.orders.member(slot)) }
        };
        let trade = Trade {
            id: trade,
            market: market.facts.id,
            price: market.grid.price(fill.ticks),
            quantity: fill.quantity.0,
            value: fill.value.0,
            taker_side: fill.taker_side,
            taker: party(fill.taker, taker_fee),
            maker: party(fill.maker, maker_fee),
            time: context.now,
        };
        emit(context.events, || Event::Traded(trade));
    }

    /// Writes a fill into one of its orders and returns the fee, rounded on the running total of the order in that role (S-9).
    fn book_fill(&mut self, context: &SpotContext<'_>, fill: &Fill, role: Role) -> Amount {
        let order = match role {
            Role::Taker => self.orders.change(fill.taker),
            Role::Maker => self.orders.change(fill.maker),
        };
        let (received, spent) = match order.side {
            Side::Buy => (fill.quantity.0, fill.value.0),
            Side::Sell => (fill.value.0, fill.quantity.0),
        };
        let (total, rate) = match role {
            Role::Taker => (&mut order.received_as_taker, order.fee_rates.1),
            Role::Maker => (&mut order.received_as_maker, order.fee_rates.0),
        };
        let fee = charge_on_running_total(*total, received, rate).expect(RECEIVED);
        *total = total.plus(received, RECEIVED);
        order.fee = order.fee.plus(fee, RECEIVED);
        order.filled = order.filled.plus(fill.quantity.0, TRADED);
        order.filled_value = order.filled_value.plus(fill.value.0, RECEIVED);
        order.held = order.held.less(spent, TRADED);
        order.updated = context.now;
        fee
    }

    /// What a limit buyer held for this fill above its value: released at once (S-8).
    fn release_of(&mut self, at: usize, fill: &Fill, buyer: Slot) -> Quote {
        let market = &self.markets[at];
        let order = self.orders.change(buyer);
        let Some(Ok(limit)) = order.price().map(|price| market.grid.ticks(price)) else { return Quote(0) };
        let better = limit.less(fill.ticks, TRADED);
        let released = market.grid.value(better, fill.steps);
        order.held = order.held.less(released.0, TRADED);
        released
    }
}
