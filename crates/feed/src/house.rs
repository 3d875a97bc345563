//! House liquidity: ordinary orders of one labelled member around the index, on both sides of every pair. A member's order that the index
//! has passed is better than the house's own level, so the house trades against it at the member's price.
//!
//! It has no information and no rights that other members lack. It can lose only what it was given at genesis.

use std::collections::BTreeMap;

use engine::Engine;
use engine::amount::{Amount, Price, pow10};
use engine::catalog::{Market, Wallet};
use engine::command::Command;
use engine::ids::{AssetId, ClientOrderId, MarketId, UserId};
use engine::spot::SpotOrder;
use engine::spot::{OrderKind, OrderRef, PlaceSpotOrder, Side, TimeInForce};
use engine::units::{Base, Scales};

/// Distance of a level from the index, in 0.01 %, and its value in whole USDT.
const LEVELS: [(u64, u64); 8] = [(3, 2_500), (5, 5_000), (8, 9_000), (12, 15_000), (18, 24_000), (27, 36_000), (40, 50_000), (60, 75_000)];
/// An order is moved when it is off its level by more than this share of its distance, percent, so small moves leave the book alone.
const TOLERANCE: u64 = 60;

/// The trader of the house liquidity.
#[derive(Debug)]
pub struct House {
    user: UserId,
    random: fastrand::Rng,
}

/// The orders that the house wants to change. New orders are placed after the old ones are gone.
#[derive(Debug, Default)]
pub struct Plan {
    /// Orders to cancel.
    pub cancel: Vec<Command>,
    /// Orders to place.
    pub place: Vec<Command>,
}

impl House {
    /// The house trades as this member.
    pub fn new(user: UserId, seed: u64) -> House {
        House { user, random: fastrand::Rng::with_seed(seed.rotate_left(32)) }
    }

    /// Moves orders that are off their level, replaces those taken, and leaves a pair whose index is stale.
    pub fn refresh(&mut self, engine: &Engine) -> Plan {
        let mut orders: BTreeMap<MarketId, Vec<&SpotOrder>> = BTreeMap::new();
        engine.live_spot_orders(self.user).for_each(|order| orders.entry(order.market).or_default().push(order));
        let assets = engine.catalog().assets.iter();
        let mut free = assets.filter_map(|asset| Some((asset.id, engine.balance(self.user, Wallet::Spot, asset.id)?.available))).collect();
        let mut plan = Plan::default();
        for market in &engine.catalog().markets {
            let own = orders.remove(&market.id).unwrap_or_default();
            self.plan(engine, market, &own, &mut free, &mut plan);
        }
        plan
    }

    fn plan(&mut self, engine: &Engine, market: &Market, own: &[&SpotOrder], free: &mut BTreeMap<AssetId, Amount>, plan: &mut Plan) {
        if engine.retired_at(market.id).is_some() {
            return;
        }
        let Some(index) = engine.fresh_price(market.id) else {
            if !own.is_empty() {
                plan.cancel.push(Command::CancelAllSpotOrders { user: self.user, base: Some(market.base), quote: Some(market.quote) });
            }
            return;
        };
        for side in [Side::Buy, Side::Sell] {
            for (level, (distance, value)) in LEVELS.into_iter().enumerate() {
                let name = ClientOrderId::new(&format!("{}{}{level}", market.id.0, if side == Side::Buy { 'b' } else { 'a' }));
                let target = target(index, side, distance, market.tick);
                let order = own.iter().find(|order| order.client_order_id == name);
                let tolerance = Price(index.0 / 10_000 * distance * TOLERANCE / 100).max(market.tick);
                match order {
                    Some(order) if order.price().is_some_and(|price| price.distance(target) <= tolerance) => continue,
                    Some(order) => plan.cancel.push(Command::CancelSpotOrder { user: self.user, order: OrderRef::Id(order.id) }),
                    None => {}
                }
                if target.0 > 0
                    && let Some(quantity) = self.quantity(engine, market, side, target, value, free)
                {
                    let kind = OrderKind::Limit { price: target, quantity, time_in_force: TimeInForce::GoodTillCancelled };
                    let order = PlaceSpotOrder { user: self.user, market: market.id, side, kind, client_order_id: name };
                    plan.place.push(Command::PlaceSpotOrder(order));
                }
            }
        }
    }

    /// Base atoms worth about `value` USDT, rounded to the step, if the house has them free.
    fn quantity(
        &mut self,
        engine: &Engine,
        market: &Market,
        side: Side,
        price: Price,
        value: u64,
        free: &mut BTreeMap<AssetId, Amount>,
    ) -> Option<Amount> {
        let catalog = engine.catalog();
        let (base, quote) = (catalog.asset(market.base)?, catalog.asset(market.quote)?);
        let usdt = catalog.markets.iter().find(|other| other.base == market.base && other.quote == AssetId(3))?;
        let per_coin = engine.fresh_price(usdt.id)?;
        let varied = u128::from(value * self.random.u64(60..=140));
        let atoms = varied * pow10(base.scale) * pow10(engine::amount::PRICE_SCALE) / (100 * u128::from(per_coin.0));
        let quantity = Amount::try_from(atoms).ok()?.min(market.max_quantity) / market.step * market.step;
        let worth = Base(quantity).value_floor(price, Scales { base: base.scale, quote: quote.scale }).ok()?.0;
        // An order that the filters of the pair would refuse is not sent.
        if quantity < market.min_quantity || !(market.min_notional..=market.max_notional).contains(&worth) {
            return None;
        }
        let (coin, needed) = match side {
            Side::Buy => (market.quote, worth),
            Side::Sell => (market.base, quantity),
        };
        let left = free.get_mut(&coin)?;
        *left = left.checked_sub(needed)?;
        Some(quantity)
    }
}

/// Price of a level: `distance` 0.01 % away from the index, at least one unit, rounded away from it. 0 if a buy has no price.
fn target(index: Price, side: Side, distance: u64, tick: Price) -> Price {
    let away = (index.0 / 10_000 * distance).max(1);
    let ticks = match side {
        Side::Buy => index.0.saturating_sub(away) / tick.0,
        Side::Sell => (index.0 + away).div_ceil(tick.0),
    };
    Price(ticks * tick.0)
}

#[cfg(test)]
mod tests {
    use engine::command::{Entry, Genesis, Mode};
    use engine::ids::Seq;
    use engine::time::{HOUR_MS, Time};

    use super::*;
    use crate::simulated::Simulated;

    const HOUSE: UserId = UserId(1);

    fn apply(engine: &mut Engine, time: Time, command: Command) {
        let entry = Entry { seq: Seq(engine.seq().0 + 1), time, request: None, command };
        engine.apply(&entry, &mut Vec::new()).result.expect("the house asks for what can be done");
    }

    /// What an idle sandbox writes: one entry a second for the prices of all pairs, and the orders of the house, which follow them.
    #[test]
    fn an_hour_of_prices_moves_few_orders() {
        let mut engine = Engine::default();
        let begun = Time(1_767_225_600_000);
        let catalog = engine::catalog::Catalog::standard();
        let paper: Vec<_> = catalog.assets.iter().map(|asset| (asset.id, asset.faucet_max)).collect();
        apply(&mut engine, begun, Command::Genesis(Box::new(Genesis { mode: Mode::Sandbox, catalog, endowments: Vec::new() })));
        apply(&mut engine, begun, Command::RegisterMember { user: HOUSE, house: true });
        for (asset, amount) in paper.into_iter().flat_map(|each| [each; 8]) {
            apply(&mut engine, begun, Command::SandboxFaucet { user: HOUSE, asset, wallet: Wallet::Spot, amount });
        }
        let (mut prices, mut house) = (Simulated::new(&engine, 1, None), House::new(HOUSE, 1));
        let (mut samples, mut orders) = (0, 0);
        for now in (1..=HOUR_MS / 1_000).map(|second| begun.plus(second * 1_000)) {
            let sample = prices.sample(&engine, now);
            samples += sample.len();
            sample.into_iter().for_each(|command| apply(&mut engine, now, command));
            let Plan { cancel, place } = house.refresh(&engine);
            orders += cancel.len() + place.len();
            cancel.into_iter().chain(place).for_each(|command| apply(&mut engine, now, command));
        }
        assert_eq!(samples, 3_600);
        assert_eq!(engine.live_spot_orders(HOUSE).count(), 6 * 2 * LEVELS.len());
        assert!((3_600..5 * 3_600).contains(&orders), "{orders} in an hour");
    }

    #[test]
    fn levels_never_cross_the_index() {
        let pairs = [(9_743_215_000_000, 10_000_000), (100_000_000, 10_000), (3_502_000, 1_000), (5_000, 10), (9, 1)];
        for (index, tick) in pairs.map(|(index, tick)| (Price(index), Price(tick))) {
            for (distance, _) in LEVELS {
                assert!(target(index, Side::Buy, distance, tick) < index);
                assert!(target(index, Side::Sell, distance, tick) > index);
            }
        }
    }
}
