//! What members are told of contracts and options that changed by themselves. What they did themselves is no news to them.

use engine::amount::{PRICE_SCALE, Price, format_decimal};
use engine::catalog::Catalog;
use engine::contracts::position::{EndReason, Position, Status};
use engine::options::option::{BinaryOption, Status as OptionStatus, payments};
use engine::time::Time;

use super::outside::figures;
use crate::notices::Topic;
use crate::people::HOUSE;

/// A notice about it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) topic: Topic,
    pub(super) args: Vec<(&'static str, String)>,
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

/// What of a contract says why it changed.
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
        OptionStatus::Lost => (Topic::OptionLost, option.quote.stake),
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
    use super::*;

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
        // Filled after a wait, not at once; and only at the instant at which it was opened.
        let filled = |created, opened, at| topic_of(Change { status: Status::Holding, reason: None, created, opened: Some(opened) }, at);
        assert_eq!(filled(Time(5), Time(9), Time(9)), Some(Topic::ContractOpened));
        assert_eq!(filled(Time(9), Time(9), Time(9)), None);
        assert_eq!(filled(Time(5), Time(9), Time(10)), None);
    }

    fn ended(status: Status, reason: Option<EndReason>) -> Option<Topic> {
        topic_of(Change { status, reason, created: Time(5), opened: None }, Time(9))
    }
}
