//! Spot trading (S-1 to S-10): guards in their order, then changes that cannot fail.

pub mod book;
mod guards;
mod matching;
mod moving;
pub(crate) mod order;
mod orders;
mod retire;
pub mod status;
mod traded;

use std::collections::BTreeSet;
use std::hint::select_unpredictable;

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, Price};
use crate::catalog::{Catalog, Market, Wallet};
use crate::column::Column;
use crate::event::{Event, emit};
use crate::exact::{COUNTED, Exact};
use crate::ids::{AssetId, IdTable, MarketId, MemberIndex, OrderId, TradeId, UserId, to_u32, to_usize};
use crate::ledger::{AssetIndex, Available, Hold, HoldKey, Holder, Ledger, LineKind, ObjectKind, Reason};
use crate::members::Members;
use crate::reject::Reject;
use crate::time::Time;
use crate::units::{Base, Grid, Quote, Scales, Steps, Ticks};
use book::Book;
use matching::{Incoming, Want};
pub use order::{CancelReason, OrderKind, OrderRef, PlaceSpotOrder, Side, SpotOrder, TimeInForce};
pub use orders::FINISHED_KEPT;
use orders::{Known, Orders, Slot};
use status::{Status, Trigger};
pub(crate) use traded::TradedPrices;

/// What a spot command works with, besides the orders.
pub(crate) struct SpotContext<'a> {
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) members: &'a Members,
    pub(crate) events: &'a mut Vec<Event>,
    pub(crate) now: Time,
}

/// All pairs with their books, and all orders.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spot {
    markets: Vec<SpotMarket>,
    by_id: IdTable,
    by_pair: IdTable,
    orders: Orders,
    trades: u64,
    priorities: u64,
    max_open_orders: u32,
}

#[derive(Clone, Debug)]
struct SpotMarket {
    facts: Market,
    grid: Grid,
    base: AssetIndex,
    quote: AssetIndex,
    scales: Scales,
    book: Book,
    /// Waiting stop orders: trigger price, number, slot in the store.
    stop_buys: BTreeSet<(Price, OrderId, Slot)>,
    stop_sells: BTreeSet<(Price, OrderId, Slot)>,
    last_trade: Option<Price>,
    /// Reference before the first trade of a pair without an index (S-5).
    issue_price: Option<Price>,
    /// Of a pair without an index, once that counts (S-5).
    traded: Option<TradedPrices>,
    /// Live orders of each member.
    open: Column<u32>,
}

/// Two coins as one number.
fn pair(base: AssetId, quote: AssetId) -> u64 {
    (u64::from(base.0) << 32) | u64::from(quote.0)
}

/// A limit order that passed the filters of its pair.
struct Checked {
    ticks: Ticks,
    steps: Steps,
    quantity: Base,
    notional: Quote,
}

impl Checked {
    fn incoming(&self) -> Incoming {
        Incoming { worst: self.ticks, want: Want::Steps(self.steps) }
    }
}

impl Spot {
    /// The pairs of genesis: the first of the catalog.
    pub(crate) fn new(of_genesis: &[Market], catalog: &Catalog, ledger: &Ledger) -> Option<Spot> {
        let market = |facts: &Market| SpotMarket::new(facts, catalog, ledger, Column::full());
        let markets = of_genesis.iter().map(market).collect::<Option<Vec<_>>>()?;
        let by_id = IdTable::of(markets.iter().map(|market| u64::from(market.facts.id.0)));
        let by_pair = IdTable::of(markets.iter().map(|market| pair(market.facts.base, market.facts.quote)));
        Some(Spot { markets, by_id, by_pair, max_open_orders: catalog.max_open_orders, ..Spot::default() })
    }

    /// Lists a new pair; its coins are already listed.
    pub(crate) fn list(&mut self, facts: &Market, issue_price: Option<Price>, catalog: &Catalog, ledger: &Ledger) -> Option<()> {
        let market = SpotMarket::new(facts, catalog, ledger, Column::sparse())?;
        self.by_id.insert(u64::from(facts.id.0), to_u32(self.markets.len()));
        self.by_pair.insert(pair(facts.base, facts.quote), to_u32(self.markets.len()));
        self.markets.push(SpotMarket { issue_price, ..market });
        Some(())
    }

    fn position(&self, market: MarketId) -> Option<usize> {
        self.by_id.find(u64::from(market.0)).map(to_usize)
    }

    pub(crate) fn add_member(&mut self) {
        self.orders.add_member();
        for market in &mut self.markets {
            market.open.add_member();
        }
    }

    /// Price of the last trade of a pair.
    pub(crate) fn last_trade(&self, market: MarketId) -> Option<Price> {
        self.market(market).and_then(|market| market.last_trade)
    }

    /// The issue price of a pair without an index (S-5).
    pub(crate) fn issue_price(&self, market: MarketId) -> Option<Price> {
        self.market(market).and_then(|market| market.issue_price)
    }

    /// S-5 for a pair without an index: the last trade of the last full minute, before it the issue price.
    pub(crate) fn reference(&self, market: MarketId, now: Time) -> Option<Price> {
        let market = self.market(market)?;
        let settled = market.traded.as_ref().map_or(market.last_trade, |traded| traded.settled(now, market.last_trade));
        settled.or(market.issue_price)
    }

    /// W-5 for a pair without an index: the mean of its last 24 hours of trading; `None` when that does not count, or without a trade since.
    pub(crate) fn mean_price(&self, market: MarketId) -> Option<Price> {
        let market = self.market(market)?;
        market.traded.as_ref()?.mean(market.scales)
    }

    /// The trades of a pair without an index are kept from here on.
    pub(crate) fn keep_trades(&mut self, market: MarketId) {
        if let Some(market) = self.position(market).and_then(|at| self.markets.get_mut(at)) {
            market.traded.get_or_insert_default();
        }
    }

    /// Of the pairs whose trades are kept.
    pub(crate) fn traded(&self) -> Vec<(MarketId, TradedPrices)> {
        self.markets.iter().filter_map(|market| Some((market.facts.id, market.traded.clone()?))).collect()
    }

    /// The same from a snapshot; `None` for a pair that is not there.
    pub(crate) fn with_traded(mut self, traded: Vec<(MarketId, TradedPrices)>) -> Option<Spot> {
        for (market, traded) in traded {
            let at = self.position(market)?;
            self.markets.get_mut(at)?.traded = Some(traded);
        }
        Some(self)
    }

    /// Book of a pair with its grid.
    pub(crate) fn book(&self, market: MarketId) -> Option<(&Book, &Grid)> {
        self.market(market).map(|market| (&market.book, &market.grid))
    }

    pub(crate) fn find(&self, user: UserId, order: &OrderRef) -> Option<&SpotOrder> {
        let live = self.orders.find(user, order).map(|slot| self.orders.get(slot));
        live.or_else(|| self.orders.find_finished(user, order))
    }

    pub(crate) fn live_of(&self, member: MemberIndex) -> impl Iterator<Item = &SpotOrder> {
        self.orders.live_of(member).map(|(_, order)| order)
    }

    /// New fees and filters of a pair, for orders placed later. Tick and step stay, because open orders depend on them.
    pub(crate) fn set_facts(&mut self, facts: &Market) {
        if let Some(market) = self.position(facts.id).and_then(|at| self.markets.get_mut(at)) {
            market.facts = facts.clone();
        }
    }

    /// The pair in which a coin is traded for another.
    pub(crate) fn pair_of(&self, base: AssetId, quote: AssetId) -> Option<MarketId> {
        let position = self.by_pair.find(pair(base, quote)).map(to_usize)?;
        self.markets.get(position).map(|market| market.facts.id)
    }

    fn market(&self, id: MarketId) -> Option<&SpotMarket> {
        self.markets.get(self.position(id)?)
    }

    /// Places an order; `reference` is the price of S-5.
    pub(crate) fn place(
        &mut self,
        context: &mut SpotContext<'_>,
        id: OrderId,
        holder: Holder,
        place: &PlaceSpotOrder,
        reference: Option<Price>,
    ) -> Result<(), Reject> {
        let at = self.position(place.market).ok_or(Reject::UnknownMarket)?;
        let market = &self.markets[at];
        let (reference, held, incoming) = match place.kind {
            OrderKind::Limit { price, quantity, time_in_force } | OrderKind::StopLimit { price, quantity, time_in_force, .. } => {
                let (checked, reference) = market.check_limit(place.side, price, quantity, reference)?;
                if let OrderKind::StopLimit { stop, .. } = place.kind {
                    market.check_stop(place.side, stop, time_in_force, reference)?;
                } else {
                    market.check_post_only(place.side, time_in_force, checked.ticks)?;
                }
                (reference, SpotMarket::hold(place.side, &checked), checked.incoming())
            }
            OrderKind::Market { size } => {
                let reference = market.check_market(place.side, size, reference)?;
                (reference, size, market.market_order(place.side, size, reference))
            }
        };
        self.check_owner(context, holder.member, place, at, held)?;
        if let OrderKind::Market { size } = place.kind {
            self.markets[at].check_liquidity(place.side, holder.member, size, incoming.worst)?;
        }
        let slot = self.open(context, id, holder, place, at, reference, held);
        match place.kind {
            OrderKind::StopLimit { stop, .. } => {
                self.markets[at].stops(place.side).insert((stop, id, slot));
                self.orders.emit(slot, context.events);
            }
            OrderKind::Limit { .. } | OrderKind::Market { .. } => self.work(context, slot, at, incoming),
        }
        Ok(())
    }

    /// The guards that concern the owner: client id, number of open orders, balance.
    fn check_owner(
        &self,
        context: &SpotContext<'_>,
        member: MemberIndex,
        place: &PlaceSpotOrder,
        at: usize,
        held: Amount,
    ) -> Result<(), Reject> {
        let market = &self.markets[at];
        if place.client_order_id.is_some_and(|client_id| self.orders.client_id_in_use(place.user, client_id)) {
            return Err(Reject::ClientOrderId);
        }
        let may_rest = match place.kind {
            OrderKind::Limit { time_in_force, .. } => matches!(time_in_force, TimeInForce::GoodTillCancelled | TimeInForce::PostOnly),
            OrderKind::StopLimit { .. } => true,
            OrderKind::Market { .. } => false,
        };
        if may_rest && market.open.get(member) >= self.max_open_orders {
            return Err(Reject::MaxOrders);
        }
        market.check_funds(place.side, context.ledger.available(member, Wallet::Spot, market.held_asset(place.side)), held)
    }

    /// Stores the order and binds its hold (S-8).
    #[expect(clippy::too_many_arguments, reason = "the facts of a new order, all checked before")]
    fn open(
        &mut self,
        context: &mut SpotContext<'_>,
        id: OrderId,
        holder: Holder,
        place: &PlaceSpotOrder,
        at: usize,
        reference: Price,
        held: Amount,
    ) -> Slot {
        let market = &mut self.markets[at];
        market.count(holder.member, |open| open.plus(1, COUNTED));
        let asset = market.held_asset(place.side);
        let (from, to) = (Available(holder, Wallet::Spot), HoldKey(holder, Wallet::Spot));
        context.ledger.transfer(asset, from, to, held, reason(LineKind::SpotHold, id), context.events);
        self.priorities = self.priorities.plus(1, COUNTED);
        let status = match place.kind {
            OrderKind::StopLimit { .. } => Status::Waiting,
            OrderKind::Limit { .. } | OrderKind::Market { .. } => Status::Open,
        };
        let (priority, fee_rates) = (self.priorities, (market.facts.maker_fee, market.facts.taker_fee));
        let known = Known { id, holder, pair: at, client_order_id: place.client_order_id };
        self.orders.insert(known, || SpotOrder {
            id,
            user: place.user,
            market: place.market,
            side: place.side,
            kind: place.kind,
            client_order_id: place.client_order_id,
            status,
            reason: None,
            filled: 0,
            filled_value: 0,
            received_as_taker: 0,
            received_as_maker: 0,
            fee: 0,
            fee_rates,
            held,
            reference,
            priority,
            created: context.now,
            updated: context.now,
        })
    }

    /// Cancels one order of a member.
    pub(crate) fn cancel(&mut self, context: &mut SpotContext<'_>, user: UserId, order: &OrderRef) -> Result<OrderId, Reject> {
        let slot = self.live(user, order)?;
        let id = self.orders.get(slot).id;
        self.take_out(context, slot, CancelReason::User);
        Ok(id)
    }

    /// A live order of a member.
    fn live(&self, user: UserId, order: &OrderRef) -> Result<Slot, Reject> {
        self.orders.find(user, order).ok_or_else(|| {
            let finished = self.orders.find_finished(user, order).is_some();
            if finished { Reject::WrongState } else { Reject::NotFound }
        })
    }

    /// Cancels all orders of a member, oldest first, optionally only in pairs with a base or quote coin.
    pub(crate) fn cancel_all(
        &mut self,
        context: &mut SpotContext<'_>,
        member: MemberIndex,
        base: Option<AssetId>,
        quote: Option<AssetId>,
    ) -> Vec<OrderId> {
        let wanted = |order: &SpotOrder| {
            let facts = self.market(order.market).map(|market| &market.facts);
            facts.is_some_and(|facts| base.is_none_or(|base| facts.base == base) && quote.is_none_or(|quote| facts.quote == quote))
        };
        let found: Vec<(Slot, OrderId)> =
            self.orders.live_of(member).filter(|(_, order)| wanted(order)).map(|(slot, order)| (slot, order.id)).collect();
        for (slot, _) in &found {
            self.take_out(context, *slot, CancelReason::User);
        }
        found.into_iter().map(|(_, id)| id).collect()
    }

    /// Takes a live order off the book or out of the waiting ones.
    fn take_out(&mut self, context: &mut SpotContext<'_>, slot: Slot, why: CancelReason) {
        let (order, node) = (self.orders.get(slot), self.orders.node(slot));
        let at = self.orders.pair(slot);
        let market = &mut self.markets[at];
        match (node, order.kind) {
            (Some(node), _) => {
                let price = market.book.get(node).price;
                let quantity = market.book.remove(order.side, node);
                market.emit_level(context.events, order.side, price, quantity);
            }
            (None, OrderKind::StopLimit { stop, .. }) => {
                market.stops(order.side).remove(&(stop, order.id, slot));
            }
            (None, OrderKind::Limit { .. } | OrderKind::Market { .. }) => {}
        }
        self.finish(context, slot, at, Some(why));
    }

    /// Runs the stop orders of a pair that its new index price reaches, by number (S-4).
    pub(crate) fn trigger_stops(&mut self, context: &mut SpotContext<'_>, market: MarketId, price: Price) {
        let Some(at) = self.position(market) else { return };
        let market = &mut self.markets[at];
        let reached_buys = market.stop_buys.iter().take_while(|(stop, ..)| *stop <= price);
        let reached_sells = market.stop_sells.iter().rev().take_while(|(stop, ..)| *stop >= price);
        let mut reached: Vec<(OrderId, Price, Slot)> =
            reached_buys.chain(reached_sells).map(|(stop, id, slot)| (*id, *stop, *slot)).collect();
        reached.sort_unstable();
        for (id, stop, slot) in reached {
            self.priorities = self.priorities.plus(1, COUNTED);
            let priority = self.priorities;
            let order = self.orders.change(slot);
            order.status = moved(order.status, Trigger::StopReached);
            order.priority = priority;
            order.updated = context.now;
            let market = &mut self.markets[at];
            market.stops(order.side).remove(&(stop, id, slot));
            if let Some(incoming) = market.limit_order(order) {
                self.work(context, slot, at, incoming);
            }
        }
    }

    /// Ends an order: releases the rest of its hold and emits the change. Without a reason it is completed.
    fn finish(&mut self, context: &mut SpotContext<'_>, slot: Slot, at: usize, cancelled: Option<CancelReason>) {
        let holder = self.orders.holder(slot);
        let SpotOrder { id, side, held, status, .. } = *self.orders.get(slot);
        let status = moved(status, if cancelled.is_some() { Trigger::Cancel } else { Trigger::Filled });
        let market = &mut self.markets[at];
        let (from, to) = (HoldKey(holder, Wallet::Spot), Available(holder, Wallet::Spot));
        context.ledger.transfer(market.held_asset(side), from, to, held, reason(LineKind::SpotRelease, id), context.events);
        market.count(holder.member, |open| open.less(1, COUNTED));
        self.orders.finish(slot, status, cancelled, context.now, context.events);
    }

    fn next_trade(&mut self) -> TradeId {
        self.trades = self.trades.plus(1, COUNTED);
        TradeId(self.trades)
    }

    pub(crate) fn state(&self) -> SpotState {
        SpotState {
            live: self.orders.live(),
            finished: self.orders.finished(),
            last_trades: self.markets.iter().map(|market| market.last_trade).collect(),
            trades: self.trades,
            priorities: self.priorities,
        }
    }

    /// Puts a snapshot's orders back: numbers in order for the owners' lists, then priorities in order for the books.
    pub(crate) fn restore(mut self, state: SpotState, members: &Members) -> Option<Spot> {
        (0..members.len()).for_each(|_| self.add_member());
        if state.last_trades.len() != self.markets.len() {
            return None;
        }
        for (market, last) in self.markets.iter_mut().zip(state.last_trades) {
            market.last_trade = last;
        }
        (self.trades, self.priorities) = (state.trades, state.priorities);
        let mut resting = Vec::new();
        for order in state.live {
            let member = members.index(order.user)?;
            let at = self.position(order.market)?;
            self.markets[at].count(member, |open| open.plus(1, COUNTED));
            let (priority, waiting) = (order.priority, order.status == Status::Waiting);
            let holder = Holder { member, user: order.user };
            let slot = self.orders.insert(Known { id: order.id, holder, pair: at, client_order_id: order.client_order_id }, || order);
            if waiting {
                self.rewait(slot, at)?;
            } else {
                resting.push((priority, slot, at));
            }
        }
        resting.sort_unstable();
        for (_, slot, at) in resting {
            let incoming = self.markets[at].limit_order(self.orders.get(slot))?;
            let Want::Steps(steps @ Steps(1..)) = incoming.want else { return None };
            self.rest(slot, at, incoming.worst, steps);
        }
        for order in state.finished {
            let member = members.index(order.user)?;
            self.orders.restore_finished(order, member);
        }
        Some(self)
    }

    fn rewait(&mut self, slot: Slot, at: usize) -> Option<()> {
        let order = self.orders.get(slot);
        let OrderKind::StopLimit { stop, .. } = order.kind else { return None };
        self.markets[at].stops(order.side).insert((stop, order.id, slot));
        Some(())
    }

    /// I-3: the holds of each member's open orders.
    pub(crate) fn holds(&self) -> impl Iterator<Item = Hold> {
        self.orders.members().flat_map(|member| self.orders.live_of(member).map(move |(_, order)| (member, order))).filter_map(
            |(member, order)| {
                let facts = &self.market(order.market)?.facts;
                let asset = if order.side == Side::Buy { facts.quote } else { facts.base };
                Some(Hold { member, wallet: Wallet::Spot, asset, amount: order.held })
            },
        )
    }

    /// I-9: the first pair whose book is crossed or holds an order that is not live.
    pub(crate) fn faulty_book(&self) -> Option<MarketId> {
        let sound = |market: &SpotMarket| {
            let best = |side| market.book.best(side).map(|(_, resting)| resting.price);
            let crossed = best(Side::Buy).zip(best(Side::Sell)).is_some_and(|(bid, ask)| bid >= ask);
            let live = |side| {
                market.book.orders(side).all(|resting| {
                    let order = self.orders.get(resting.tag);
                    order.status == Status::Open && order.left() == Some(market.grid.quantity(resting.left).0)
                })
            };
            !crossed && live(Side::Buy) && live(Side::Sell)
        };
        self.markets.iter().find(|market| !sound(market)).map(|market| market.facts.id)
    }
}

impl SpotMarket {
    fn new(facts: &Market, catalog: &Catalog, ledger: &Ledger, open: Column<u32>) -> Option<SpotMarket> {
        let scales = Scales { base: catalog.asset(facts.base)?.scale, quote: catalog.asset(facts.quote)?.scale };
        Some(SpotMarket {
            grid: facts.grid(scales)?,
            base: ledger.asset(facts.base)?,
            quote: ledger.asset(facts.quote)?,
            scales,
            facts: facts.clone(),
            book: Book::default(),
            stop_buys: BTreeSet::new(),
            stop_sells: BTreeSet::new(),
            last_trade: None,
            issue_price: None,
            traded: None,
            open,
        })
    }

    fn count(&mut self, member: MemberIndex, how: impl FnOnce(u32) -> u32) {
        self.open.change(member, |open| *open = how(*open));
    }

    fn held_asset(&self, side: Side) -> AssetIndex {
        match side {
            Side::Buy => self.quote,
            Side::Sell => self.base,
        }
    }

    fn stops(&mut self, side: Side) -> &mut BTreeSet<(Price, OrderId, Slot)> {
        match side {
            Side::Buy => &mut self.stop_buys,
            Side::Sell => &mut self.stop_sells,
        }
    }

    /// The form in which a checked limit order enters the book.
    fn limit_order(&self, order: &SpotOrder) -> Option<Incoming> {
        let worst = self.grid.ticks(order.price()?).ok()?;
        Some(Incoming { worst, want: Want::Steps(self.grid.steps(Base(order.left()?))) })
    }

    fn market_order(&self, side: Side, size: Amount, reference: Price) -> Incoming {
        // The worst price at which it may trade (S-6).
        let (worst, want) = match side {
            Side::Buy => (self.grid.share_down(reference, self.facts.band_buy.1), Want::Funds(Quote(size))),
            Side::Sell => (self.grid.share_up(reference, self.facts.band_sell.0), Want::Steps(self.grid.steps(Base(size)))),
        };
        Incoming { worst: Ticks(u32::try_from(worst).unwrap_or(u32::MAX)), want }
    }

    fn hold(side: Side, checked: &Checked) -> Amount {
        select_unpredictable(side == Side::Buy, checked.notional.0, checked.quantity.0)
    }

    fn crosses(&self, side: Side, ticks: Ticks) -> bool {
        self.book.best(side.opposite()).is_some_and(|(_, resting)| !worse(side, resting.price, ticks))
    }

    /// Emits the open quantity of a level.
    fn emit_level(&self, events: &mut Vec<Event>, side: Side, ticks: Ticks, steps: Steps) {
        let (price, quantity) = (self.grid.price(ticks), self.grid.quantity(steps).0);
        emit(events, || Event::LevelChanged { market: self.facts.id, side, price, quantity });
    }
}

/// A resting price that is worse than the taker's last price.
fn worse(side: Side, resting: Ticks, last: Ticks) -> bool {
    select_unpredictable(side == Side::Buy, resting > last, resting < last)
}

/// The next state of an order that the engine itself moves.
fn moved(status: Status, trigger: Trigger) -> Status {
    status::next(status, trigger).expect("only live orders are matched, triggered or taken out")
}

fn reason(kind: LineKind, order: OrderId) -> Reason {
    Reason { kind, object: ObjectKind::SpotOrder, debit_id: order.0, credit_id: order.0 }
}

/// Orders and counters in a snapshot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SpotState {
    live: Vec<SpotOrder>,
    finished: Vec<SpotOrder>,
    last_trades: Vec<Option<Price>>,
    trades: u64,
    priorities: u64,
}
