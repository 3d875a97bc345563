//! Notices to members about orders, contracts and options that changed on their own. A member's own acts need no notice.

use engine::amount::{PRICE_SCALE, Price, format_decimal, half_even, pow10};
use engine::catalog::Catalog;
use engine::contracts::position::{EndReason, Position, Status};
use engine::options::option::{BinaryOption, Status as OptionStatus, payments};
use engine::spot::status::Status as OrderStatus;
use engine::spot::{CancelReason, OrderKind, Side, SpotOrder};
use engine::time::Time;

use super::account::figures;
use crate::notices::Topic;
use crate::people::HOUSE;

/// A notice about it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) topic: Topic,
    pub(super) args: Vec<(&'static str, String)>,
}

/// How a waiting order ended. Every other ending is in the answer to the order's own command, and a partial fill is not an ending.
pub(super) fn of_order(catalog: &Catalog, order: &SpotOrder) -> Option<Ending> {
    let topic = topic_of_order(order)?;
    let market = catalog.market(order.market)?;
    let (filled, coin) = figures(catalog, market.base, order.filled);
    let mut args = vec![("symbol", market.symbol.clone()), ("coin", coin)];
    if order.status == OrderStatus::Completed {
        let quote = figures(catalog, market.quote, 0).1;
        args.extend([("amount", filled), ("price", price(average(catalog, order)?)), ("quote", quote)]);
    } else {
        args.extend([("filled", filled), ("amount", figures(catalog, market.base, order.quantity()?).0)]);
    }
    Some(Ending { topic, args })
}

fn topic_of_order(order: &SpotOrder) -> Option<Topic> {
    // Only an order that rested on the book trades as a maker. A stop may be filled at the moment it triggers.
    let waited = order.received_as_maker > 0 || matches!(order.kind, OrderKind::StopLimit { .. });
    match (order.status, order.reason, order.side) {
        (OrderStatus::Completed, _, Side::Buy) if waited => Some(Topic::OrderBought),
        (OrderStatus::Completed, _, Side::Sell) if waited => Some(Topic::OrderSold),
        (OrderStatus::Cancelled, Some(CancelReason::SelfTrade), _) => Some(Topic::OrderMet),
        (OrderStatus::Cancelled, Some(CancelReason::Retired), _) => Some(Topic::OrderRetired),
        (OrderStatus::Waiting | OrderStatus::Open | OrderStatus::Completed | OrderStatus::Cancelled, _, _) => None,
    }
}

/// Filled value over filled quantity of an order, rounded half to even to the tick; `None` before it has traded.
pub fn average(catalog: &Catalog, order: &SpotOrder) -> Option<Price> {
    let market = catalog.market(order.market)?;
    let (base, quote) = (catalog.asset(market.base)?, catalog.asset(market.quote)?);
    let scaled = u128::from(order.filled_value) * pow10(base.scale + PRICE_SCALE);
    let divisor = (u128::from(order.filled) * pow10(quote.scale)).checked_mul(u128::from(market.tick.0))?;
    Some(Price(u64::try_from(half_even(scaled, divisor)?).ok()?.checked_mul(market.tick.0)?))
}

/// How a contract ended, or that its order was filled, at this instant.
pub(super) fn of_contract(catalog: &Catalog, at: Time, position: &Position) -> Option<Ending> {
    let Position { status, reason, created, opened, .. } = *position;
    let topic = topic_of(Change { status, reason, created, opened }, at).filter(|_| position.user != HOUSE)?;
    let (ticks, atoms) = match position.status {
        Status::Holding => (Some(position.entry), position.initial_margin),
        Status::Closed => (Some(position.close), position.returned),
        Status::Waiting | Status::Cancelled => (None, position.returned),
    };
    let (amount, coin) = figures(catalog, position.terms.asset, atoms);
    let price = ticks.map(|ticks| ("price", price(position.price(ticks))));
    let symbol = catalog.market(position.market)?.symbol.clone();
    let args = [("symbol", symbol)].into_iter().chain(price).chain([("amount", amount), ("coin", coin)]);
    Some(Ending { topic, args: args.collect() })
}

/// The fields of a contract that say why it changed.
struct Change {
    status: Status,
    reason: Option<EndReason>,
    created: Time,
    opened: Option<Time>,
}

fn topic_of(change: Change, at: Time) -> Option<Topic> {
    let filled = change.status == Status::Holding && change.opened == Some(at) && change.created < at;
    if filled {
        return Some(Topic::ContractOpened);
    }
    match (change.status, change.reason?) {
        (Status::Closed, EndReason::TakeProfit) => Some(Topic::ContractTakeProfit),
        (Status::Closed, EndReason::StopLoss) => Some(Topic::ContractStopLoss),
        (Status::Closed, EndReason::Liquidation) => Some(Topic::ContractLiquidated),
        (Status::Closed, EndReason::ProfitCap) => Some(Topic::ContractProfitCap),
        (Status::Closed, EndReason::Deleveraged) => Some(Topic::ContractDeleveraged),
        (Status::Closed, EndReason::Retired) => Some(Topic::ContractRetired),
        (Status::Cancelled, EndReason::Expired) => Some(Topic::ContractExpired),
        (Status::Cancelled, EndReason::Refused) => Some(Topic::ContractRefused),
        (Status::Cancelled, EndReason::Retired) => Some(Topic::ContractOrderRetired),
        (Status::Waiting | Status::Holding | Status::Closed | Status::Cancelled, _) => None,
    }
}

/// How an option ended.
pub(super) fn of_option(catalog: &Catalog, option: &BinaryOption) -> Option<Ending> {
    let (received, _) = payments(&option.quote, option.status);
    let (topic, atoms) = match option.status {
        OptionStatus::Open => return None,
        OptionStatus::Won => (Topic::OptionWon, received),
        OptionStatus::Lost => (Topic::OptionLost, option.quote.cost()),
        OptionStatus::Pushed => (Topic::OptionPushed, received),
        OptionStatus::Refunded => (Topic::OptionRefunded, received),
    };
    let (amount, coin) = figures(catalog, option.asset, atoms);
    let symbol = catalog.market(option.market)?.symbol.clone();
    Some(Ending { topic, args: vec![("symbol", symbol), ("amount", amount), ("coin", coin)] })
}

/// Without zeros at its end.
fn price(price: Price) -> String {
    let text = format_decimal(price.0, PRICE_SCALE, PRICE_SCALE);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use engine::amount::Rate;
    use engine::ids::{MarketId, OrderId, UserId};
    use engine::spot::TimeInForce;

    use super::*;
    use crate::rows::Rows;

    /// Seven of ten ten-thousandths of a bitcoin are filled; this was received after it had waited.
    fn order(status: OrderStatus, reason: Option<CancelReason>, side: Side, received_as_maker: u64) -> SpotOrder {
        let kind = OrderKind::Limit { price: Price(9_000_000_000_000), quantity: 100_000, time_in_force: TimeInForce::GoodTillCancelled };
        SpotOrder {
            id: OrderId(5),
            user: UserId(7),
            market: MarketId(1),
            side,
            kind,
            client_order_id: None,
            status,
            reason,
            filled: 70_000,
            filled_value: 62_950_000,
            received_as_taker: 1,
            received_as_maker,
            fee: 0,
            fee_rates: (Rate(80_000), Rate(100_000)),
            held: 0,
            reference: Price(9_000_000_000_000),
            priority: 5,
            created: Time(5),
            updated: Time(9),
        }
    }

    #[test]
    fn an_order_that_waited_is_told_when_it_is_filled_or_the_venue_ends_it() {
        use CancelReason::{FillOrKill, ImmediateOrCancel, Moved, NoLiquidity, Retired, SelfTrade, User};
        let topic = |status, reason, side, maker| topic_of_order(&order(status, reason, side, maker));
        assert_eq!(topic(OrderStatus::Completed, None, Side::Buy, 1), Some(Topic::OrderBought));
        assert_eq!(topic(OrderStatus::Completed, None, Side::Sell, 1), Some(Topic::OrderSold));
        // Filled at once: the response to the command said so.
        assert_eq!(topic(OrderStatus::Completed, None, Side::Buy, 0), None);
        let at_once = order(OrderStatus::Completed, None, Side::Sell, 0);
        let stop =
            OrderKind::StopLimit { stop: Price(1), price: Price(1), quantity: 100_000, time_in_force: TimeInForce::GoodTillCancelled };
        assert_eq!(topic_of_order(&SpotOrder { kind: stop, ..at_once }), Some(Topic::OrderSold));
        assert_eq!(topic(OrderStatus::Open, None, Side::Buy, 1), None);
        assert_eq!(topic(OrderStatus::Cancelled, Some(Retired), Side::Buy, 0), Some(Topic::OrderRetired));
        assert_eq!(topic(OrderStatus::Cancelled, Some(SelfTrade), Side::Buy, 0), Some(Topic::OrderMet));
        for reason in [User, Moved, ImmediateOrCancel, FillOrKill, NoLiquidity] {
            assert_eq!(topic(OrderStatus::Cancelled, Some(reason), Side::Buy, 1), None, "{reason:?}");
        }
    }

    #[test]
    fn the_house_liquidity_is_told_nothing() {
        let filled = order(OrderStatus::Completed, None, Side::Buy, 1);
        for (user, told) in [(UserId(7), &[UserId(7)][..]), (HOUSE, &[])] {
            let mut rows = Rows::default();
            rows.order(&Catalog::standard(), 1, &SpotOrder { user, ..filled });
            assert_eq!((rows.account.told_of_orders.as_slice(), rows.is_empty()), (told, told.is_empty()));
        }
    }

    #[test]
    fn the_figures_of_an_order_are_those_of_its_own_list() {
        let said = |order: &SpotOrder| {
            let ending = of_order(&Catalog::standard(), order).unwrap();
            ending.args.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
        };
        // 62.95 USDT for 0.0007 BTC is 89928.571... each; the tick is a tenth.
        let bought = order(OrderStatus::Completed, None, Side::Buy, 1);
        assert_eq!(said(&bought), "symbol BTC/USDT, coin BTC, amount 0.0007, price 89928.6, quote USDT");
        let ended = order(OrderStatus::Cancelled, Some(CancelReason::Retired), Side::Buy, 1);
        assert_eq!(said(&ended), "symbol BTC/USDT, coin BTC, filled 0.0007, amount 0.001");
    }

    #[test]
    fn what_happens_to_a_contract_by_itself_is_told_and_what_its_owner_did_is_not() {
        let closed = [
            (EndReason::User, None),
            (EndReason::TakeProfit, Some(Topic::ContractTakeProfit)),
            (EndReason::StopLoss, Some(Topic::ContractStopLoss)),
            (EndReason::Liquidation, Some(Topic::ContractLiquidated)),
            (EndReason::ProfitCap, Some(Topic::ContractProfitCap)),
            (EndReason::Deleveraged, Some(Topic::ContractDeleveraged)),
            (EndReason::Retired, Some(Topic::ContractRetired)),
        ];
        let cancelled = [
            (EndReason::User, None),
            (EndReason::Expired, Some(Topic::ContractExpired)),
            (EndReason::Refused, Some(Topic::ContractRefused)),
            (EndReason::Retired, Some(Topic::ContractOrderRetired)),
        ];
        for (reason, topic) in closed {
            assert_eq!(ended(Status::Closed, Some(reason)), topic, "{reason:?}");
        }
        for (reason, topic) in cancelled {
            assert_eq!(ended(Status::Cancelled, Some(reason)), topic, "{reason:?}");
        }
        assert_eq!(ended(Status::Waiting, None), None);
        // Filled after a wait, and not at once: only an opening at this very instant counts.
        let filled = |created, opened, at| topic_of(Change { status: Status::Holding, reason: None, created, opened: Some(opened) }, at);
        assert_eq!(filled(Time(5), Time(9), Time(9)), Some(Topic::ContractOpened));
        assert_eq!(filled(Time(9), Time(9), Time(9)), None);
        assert_eq!(filled(Time(5), Time(9), Time(10)), None);
    }

    fn ended(status: Status, reason: Option<EndReason>) -> Option<Topic> {
        topic_of(Change { status, reason, created: Time(5), opened: None }, Time(9))
    }
}
