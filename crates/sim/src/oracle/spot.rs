//! Spot trading by the rules (S-1 to S-10).

use std::collections::{BTreeMap, VecDeque};

use engine::amount::{Price, Rate};
use engine::catalog::Wallet;
use engine::ids::{ClientOrderId, MarketId, UserId};
use engine::spot::FINISHED_KEPT;
use engine::spot::{OrderKind, PlaceSpotOrder, Side, TimeInForce};

use super::{AMOUNT_LIMIT, COINS, Oracle, PRICE_LIMIT, Refusal, need, refuse};

const OPEN_ORDERS: usize = 100;

/// A pair of the table in 2.1; prices in 1e-8, amounts in atoms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) id: u32,
    pub(crate) base: u32,
    pub(crate) quote: u32,
    pub(crate) tick: i128,
    pub(crate) step: i128,
    /// Smallest and largest quantity and value; lowest and highest limit price of buys and sells, parts in 10^8 of the reference.
    quantity: (i128, i128),
    value: (i128, i128),
    bands: [(i128, i128); 2],
}

const fn pair(id: u32, base: u32, quote: u32, tick: i128, step: i128, max_quantity: i128) -> Pair {
    let bands = [(50_000_000, 105_000_000), (95_000_000, 200_000_000)];
    Pair { id, base, quote, tick, step, quantity: (step, max_quantity), value: (5_000_000, 1_000_000_000_000), bands }
}

pub(crate) const PAIRS: [Pair; 6] = [
    pair(1, 1, 3, 10_000_000, 1_000, 10_000_000_000),
    pair(2, 2, 3, 1_000_000, 10_000, 200_000_000_000),
    pair(3, 4, 3, 10_000, 10_000, 1_000_000_000_000),
    pair(4, 1, 4, 10_000_000, 1_000, 10_000_000_000),
    pair(5, 2, 4, 1_000_000, 10_000, 200_000_000_000),
    Pair { value: (5_000, 1_000_000_000), ..pair(6, 2, 1, 1_000, 100_000, 200_000_000_000) },
];

impl Pair {
    /// Steps of the smallest order at a price, rounded up.
    pub(crate) fn smallest_steps(&self, price: i128) -> i128 {
        let step = self.value_of(self.step, price).max(1);
        (self.value.0 + step - 1) / step
    }

    /// Quote atoms of `quantity` at `price`, rounded down; exact on step and tick (U-1).
    fn value_of(&self, quantity: i128, price: i128) -> i128 {
        let scale = |coin: u32| COINS.iter().find(|(number, _)| *number == coin).map_or(0, |(_, scale)| *scale);
        (quantity * price).saturating_mul(10_i128.pow(scale(self.quote))) / 10_i128.pow(scale(self.base) + 8)
    }
}

/// State of an order (2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Stop order, not triggered.
    Waiting,
    /// On the book.
    Open,
    /// Filled.
    Completed,
    /// Ended without a complete fill.
    Cancelled,
}

/// An order of the model.
#[derive(Clone, Debug)]
pub struct Order {
    /// Number.
    pub id: u64,
    /// Owner.
    pub user: u64,
    /// Pair.
    pub pair: u32,
    /// Buys the base coin.
    pub buy: bool,
    /// Limit price; 0 for a market order.
    pub price: i128,
    /// Remaining base atoms; 0 for a market buy.
    pub left: i128,
    /// Quote atoms that a market buy may still spend.
    funds: i128,
    market: bool,
    stop: i128,
    post_only: bool,
    client: Option<String>,
    /// State.
    pub state: State,
    /// Why it was cancelled.
    pub reason: Option<&'static str>,
    /// Base atoms filled.
    pub filled: i128,
    /// Quote atoms filled.
    pub value: i128,
    /// Fees paid.
    pub fee: i128,
    as_taker: i128,
    as_maker: i128,
    /// Fee as maker and as taker when it was placed (I-11).
    rates: (i128, i128),
    /// Lower trades first at the same price.
    pub rank: u64,
}

/// A trade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// Number, from 1.
    pub id: u64,
    /// Pair.
    pub pair: u32,
    /// Price.
    pub price: i128,
    /// Base atoms.
    pub quantity: i128,
    /// Quote atoms.
    pub value: i128,
    /// Orders: the taker's and the maker's.
    pub orders: (u64, u64),
    /// Their fees.
    pub fees: (i128, i128),
}

/// All orders.
#[derive(Clone, Debug, Default)]
pub(super) struct SpotModel {
    pub(super) live: BTreeMap<u64, Order>,
    pub(super) finished: VecDeque<Order>,
    pub(super) last_trades: BTreeMap<u32, i128>,
    deals: u64,
    ranks: u64,
}

fn facts(pair: u32) -> Option<Pair> {
    PAIRS.iter().find(|facts| facts.id == pair).copied()
}

fn ceil_fee(received: i128, rate: i128) -> i128 {
    (received * rate + 99_999_999) / 100_000_000
}

impl SpotModel {
    /// S-8: what the user's live orders hold of a coin.
    pub(super) fn held(&self, user: u64, coin: u32) -> i128 {
        let hold = |order: &Order| match facts(order.pair) {
            Some(pair) if order.buy && pair.quote == coin => pair.value_of(order.left, order.price),
            Some(pair) if !order.buy && pair.base == coin => order.left,
            _ => 0,
        };
        self.live.values().filter(|order| order.user == user).map(hold).sum()
    }

    pub(super) fn by_client_id(&self, user: u64, client: &str) -> Option<&Order> {
        self.live.values().find(|order| order.user == user && order.client.as_deref() == Some(client))
    }

    pub(super) fn was_of(&self, user: u64, id: u64) -> bool {
        self.finished.iter().any(|order| order.id == id && order.user == user)
    }

    pub(super) fn side(&self, pair: u32, buy: bool) -> Vec<&Order> {
        let mut side: Vec<&Order> =
            self.live.values().filter(|order| order.pair == pair && order.buy == buy && order.state == State::Open).collect();
        side.sort_by_key(|order| (if buy { -order.price } else { order.price }, order.rank));
        side
    }

    pub(super) fn finish(&mut self, id: u64, state: State, reason: Option<&'static str>) {
        let Some(mut order) = self.live.remove(&id) else { return };
        order.state = state;
        order.reason = reason;
        self.finished.push_back(order);
        if self.finished.len() > FINISHED_KEPT {
            self.finished.pop_front();
        }
    }

    pub(super) fn cancel_all(&mut self, user: u64, base: Option<u32>, quote: Option<u32>) -> Vec<u64> {
        let wanted = |order: &&Order| {
            let pair = facts(order.pair);
            let fits = |coin: Option<u32>, of: fn(Pair) -> u32| coin.is_none() || coin == pair.map(of);
            order.user == user && fits(base, |pair| pair.base) && fits(quote, |pair| pair.quote)
        };
        let ids: Vec<u64> = self.live.values().filter(wanted).map(|order| order.id).collect();
        ids.iter().for_each(|id| self.finish(*id, State::Cancelled, Some("USER")));
        ids
    }
}

impl Oracle {
    /// Filters of a pair for orders placed later: quantity, value, bands of buys and of sells.
    pub(super) fn set_filters(&mut self, pair: MarketId, quantity: (u64, u64), value: (u64, u64), bands: [(Rate, Rate); 2]) {
        let wide = |(least, most): (u64, u64)| (i128::from(least), i128::from(most));
        let (quantity, value, bands) = (wide(quantity), wide(value), bands.map(|(least, most)| wide((least.0, most.0))));
        self.world.filters.extend(facts(pair.0).map(|facts| (facts.id, Pair { quantity, value, bands, ..facts })));
    }

    /// 2.4, then 2.3.
    pub(super) fn place(&mut self, id: u64, place: &PlaceSpotOrder, deals: &mut Vec<Deal>) -> Result<(), Refusal> {
        let Some(pair) = self.world.filters.get(&place.market.0).copied() else { return refuse("E_MARKET") };
        let (user, buy) = (place.user.0, place.side == Side::Buy);
        let reference = self.fresh(pair.id);
        let mut order = Order {
            id,
            user,
            pair: pair.id,
            buy,
            price: 0,
            left: 0,
            funds: 0,
            market: false,
            stop: 0,
            post_only: false,
            client: place.client_order_id.map(|id| id.as_str().to_owned()),
            state: State::Open,
            reason: None,
            filled: 0,
            value: 0,
            fee: 0,
            as_taker: 0,
            as_maker: 0,
            rates: self.pair_rates(pair.id),
            rank: 0,
        };
        let mut tif = TimeInForce::ImmediateOrCancel;
        let hold = match place.kind {
            OrderKind::Market { size } => {
                order.market = true;
                let Some(reference) = reference else { return refuse("E_PRICE_STALE") };
                let size = i128::from(size);
                check_market(&pair, buy, size, reference)?;
                if buy {
                    order.funds = size
                } else {
                    order.left = size
                }
                size
            }
            OrderKind::Limit { price, quantity, time_in_force } | OrderKind::StopLimit { price, quantity, time_in_force, .. } => {
                (order.price, order.left, tif) = (i128::from(price.0), i128::from(quantity), time_in_force);
                order.post_only = tif == TimeInForce::PostOnly;
                let reference = check_limit(&pair, buy, order.price, order.left, reference)?;
                if let OrderKind::StopLimit { stop, .. } = place.kind {
                    order.stop = i128::from(stop.0);
                    order.state = State::Waiting;
                    need(tif == TimeInForce::GoodTillCancelled, "E_TIF")?;
                    need(order.stop > 0 && order.stop < PRICE_LIMIT && order.stop % pair.tick == 0, "E_TICK")?;
                    need(if buy { order.stop > reference } else { order.stop < reference }, "E_STOP_SIDE")?;
                } else if tif == TimeInForce::PostOnly {
                    let best = self.spot.side(pair.id, !buy).first().map(|maker| maker.price);
                    need(best.is_none_or(|best| if buy { best > order.price } else { best < order.price }), "E_POST_ONLY")?;
                }
                if buy { pair.value_of(order.left, order.price) } else { order.left }
            }
        };
        if let Some(client) = &order.client {
            need(self.spot.by_client_id(user, client).is_none(), "E_CLIENT_ID")?;
        }
        if matches!(tif, TimeInForce::GoodTillCancelled | TimeInForce::PostOnly) {
            let open = self.spot.live.values().filter(|order| order.user == user && order.pair == pair.id).count();
            need(open < OPEN_ORDERS, "E_MAX_ORDERS")?;
        }
        let coin = if buy { pair.quote } else { pair.base };
        let available = self.balance(user, Wallet::Spot, coin).map_or(0, |balance| balance.0);
        if available < hold {
            return Err(Refusal { name: "E_INSUFFICIENT", short: Some((coin, available, hold)) });
        }
        if order.market {
            let tradable = |maker: &&Order| {
                maker.user != user
                    && in_band(&pair, buy, maker.price, reference)
                    && (!buy || pair.value_of(pair.step, maker.price) <= order.funds)
            };
            need(self.spot.side(pair.id, !buy).iter().any(tradable), "E_NO_LIQUIDITY")?;
        }
        self.spot.ranks += 1;
        order.rank = self.spot.ranks;
        if order.state == State::Waiting {
            self.spot.live.insert(id, order);
        } else {
            self.run(order, &pair, tif, reference, deals);
        }
        Ok(())
    }

    /// S-10, naively: cancel, place again, and restore all orders if that is refused.
    pub(super) fn move_order(&mut self, id: u64, user: u64, old: u64, price: Price, deals: &mut Vec<Deal>) -> Result<u64, Refusal> {
        let Some(order) = self.spot.live.get(&old).cloned() else { return refuse("E_NOT_FOUND") };
        let time_in_force = if order.post_only { TimeInForce::PostOnly } else { TimeInForce::GoodTillCancelled };
        let kind = OrderKind::Limit { price, quantity: u64::try_from(order.left).unwrap_or(u64::MAX), time_in_force };
        let side = if order.buy { Side::Buy } else { Side::Sell };
        let client_order_id = order.client.as_deref().and_then(ClientOrderId::new);
        let before = self.spot.clone();
        self.spot.finish(old, State::Cancelled, Some("MOVED"));
        let anew = PlaceSpotOrder { user: UserId(user), market: MarketId(order.pair), side, kind, client_order_id };
        let placed = self.place(id, &anew, deals);
        if placed.is_err() {
            self.spot = before;
        }
        placed.map(|()| old)
    }

    /// S-4: stop orders triggered by the new price, by number.
    pub(super) fn trigger(&mut self, pair: u32, price: i128, deals: &mut Vec<Deal>) {
        let reached = |order: &&Order| {
            order.pair == pair && order.state == State::Waiting && if order.buy { price >= order.stop } else { price <= order.stop }
        };
        let ids: Vec<u64> = self.spot.live.values().filter(reached).map(|order| order.id).collect();
        for id in ids {
            let (Some(mut order), Some(pair)) = (self.spot.live.remove(&id), facts(pair)) else { continue };
            self.spot.ranks += 1;
            (order.rank, order.state) = (self.spot.ranks, State::Open);
            self.run(order, &pair, TimeInForce::GoodTillCancelled, None, deals);
        }
    }

    /// Matches an order, then rests or ends it (S-2, S-3).
    fn run(&mut self, mut order: Order, pair: &Pair, tif: TimeInForce, reference: Option<i128>, deals: &mut Vec<Deal>) {
        let id = order.id;
        let crosses = |order: &Order, price: i128| match order.market {
            true => in_band(pair, order.buy, price, reference),
            false if order.buy => price <= order.price,
            false => price >= order.price,
        };
        if tif == TimeInForce::FillOrKill {
            let others =
                self.spot.side(pair.id, !order.buy).into_iter().filter(|maker| maker.user != order.user && crosses(&order, maker.price));
            if others.map(|maker| maker.left).sum::<i128>() < order.left {
                self.spot.live.insert(id, order);
                return self.spot.finish(id, State::Cancelled, Some("FOK"));
            }
        }
        while let Some(maker) = self.spot.side(pair.id, !order.buy).first().map(|maker| (*maker).clone()) {
            let wanted =
                if order.market && order.buy { order.funds / pair.value_of(pair.step, maker.price) * pair.step } else { order.left };
            if wanted == 0 || !crosses(&order, maker.price) {
                break;
            }
            if maker.user == order.user {
                self.spot.finish(maker.id, State::Cancelled, Some("STP"));
                continue;
            }
            self.trade(&mut order, maker, wanted, pair, deals);
        }
        let (ended, filled) = (order.left == 0, order.filled > 0);
        let market = order.market;
        self.spot.live.insert(id, order);
        match tif {
            _ if market && filled => self.spot.finish(id, State::Completed, None),
            _ if market => self.spot.finish(id, State::Cancelled, Some("NO_LIQUIDITY")),
            _ if ended => self.spot.finish(id, State::Completed, None),
            TimeInForce::ImmediateOrCancel | TimeInForce::FillOrKill => self.spot.finish(id, State::Cancelled, Some("IOC")),
            TimeInForce::GoodTillCancelled | TimeInForce::PostOnly => {}
        }
    }

    /// One fill at the resting price, with fees on the running totals (S-9). What an order holds follows from its remainder.
    fn trade(&mut self, taker: &mut Order, mut maker: Order, wanted: i128, pair: &Pair, deals: &mut Vec<Deal>) {
        let quantity = wanted.min(maker.left);
        let (price, value) = (maker.price, pair.value_of(quantity, maker.price));
        let mut fees = [0, 0];
        for (order, takes, at) in [(&mut *taker, true, 0), (&mut maker, false, 1)] {
            let (received, coin) = if order.buy { (quantity, pair.base) } else { (value, pair.quote) };
            let (total, rate) = if takes { (&mut order.as_taker, order.rates.1) } else { (&mut order.as_maker, order.rates.0) };
            fees[at] = ceil_fee(*total + received, rate) - ceil_fee(*total, rate);
            *total += received;
            order.fee += fees[at];
            order.filled += quantity;
            order.value += value;
            if order.market && order.buy {
                order.funds -= value
            } else {
                order.left -= quantity
            }
            let (paid, paid_coin) = if order.buy { (value, pair.quote) } else { (quantity, pair.base) };
            self.add(order.user, Wallet::Spot, coin, received - fees[at]);
            self.add(order.user, Wallet::Spot, paid_coin, -paid);
            *self.fees.entry(coin).or_default() += fees[at];
            *self.world.day_fees.entry((self.now / 86_400_000, coin)).or_default() += fees[at];
        }
        // The fee in the base coin is posted first.
        let parties = [(taker.buy, taker.user, fees[0]), (maker.buy, maker.user, fees[1])];
        for (buys, coin) in [(true, pair.base), (false, pair.quote)] {
            for (_, user, fee) in parties.into_iter().filter(|(buy, ..)| *buy == buys) {
                self.share_fee(user, coin, fee);
            }
        }
        self.spot.deals += 1;
        self.spot.last_trades.insert(pair.id, price);
        deals.push(Deal {
            id: self.spot.deals,
            pair: pair.id,
            price,
            quantity,
            value,
            orders: (taker.id, maker.id),
            fees: (fees[0], fees[1]),
        });
        let (id, used_up) = (maker.id, maker.left == 0);
        self.spot.live.insert(id, maker);
        if used_up {
            self.spot.finish(id, State::Completed, None);
        }
    }
}

fn check_limit(pair: &Pair, buy: bool, price: i128, quantity: i128, reference: Option<i128>) -> Result<i128, Refusal> {
    need(price > 0 && price < PRICE_LIMIT && quantity > 0 && quantity < AMOUNT_LIMIT, "E_AMOUNT")?;
    need(price % pair.tick == 0, "E_TICK")?;
    check_quantity(pair, quantity)?;
    check_value(pair, pair.value_of(quantity, price))?;
    let Some(reference) = reference else { return refuse("E_PRICE_STALE") };
    let (low, high) = if buy { pair.bands[0] } else { pair.bands[1] };
    need(price * 100_000_000 >= reference * low && price * 100_000_000 <= reference * high, "E_BAND")?;
    Ok(reference)
}

fn check_market(pair: &Pair, buy: bool, size: i128, reference: i128) -> Result<(), Refusal> {
    need(size > 0 && size < AMOUNT_LIMIT, "E_AMOUNT")?;
    if buy {
        return check_value(pair, size);
    }
    check_quantity(pair, size)?;
    let value = pair.value_of(size, reference);
    need(value < AMOUNT_LIMIT, "E_OVERFLOW")?;
    check_value(pair, value)
}

fn check_quantity(pair: &Pair, quantity: i128) -> Result<(), Refusal> {
    need(quantity % pair.step == 0, "E_STEP")?;
    need(quantity >= pair.quantity.0, "E_QTY_MIN")?;
    need(quantity <= pair.quantity.1, "E_QTY_MAX")
}

fn check_value(pair: &Pair, value: i128) -> Result<(), Refusal> {
    need(value >= pair.value.0, "E_NOTIONAL_MIN")?;
    need(value <= pair.value.1, "E_NOTIONAL_MAX")
}

/// S-6: market orders trade up to the highest price of a buy or down to the lowest of a sell.
fn in_band(pair: &Pair, buy: bool, price: i128, reference: Option<i128>) -> bool {
    let [(_, most), (least, _)] = pair.bands;
    let scaled = price * 100_000_000;
    reference.is_some_and(|reference| if buy { scaled <= reference * most } else { scaled >= reference * least })
}
