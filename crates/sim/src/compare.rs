//! Compares the engine with the model after a command.

use engine::Engine;
use engine::catalog::Wallet;
use engine::contracts::position::EndReason;
use engine::event::{AccountEvent, Event};
use engine::funding::incidents::IncidentStatus;
use engine::ids::{AssetId, MarketId, OrderId, UserId};
use engine::ledger::{HouseAccount, LineKind, ObjectKind};
use engine::liabilities::CoinBalances;
use engine::loans::loan::LoanStep;
use engine::loans::status::EndReason as LoanEnd;
use engine::options::option::Status as OptionStatus;
use engine::plans::status::Status as PlanStatus;
use engine::reject::Reject;
use engine::reply::{Outcome, Reply};
use engine::spot::status::Status;
use engine::spot::{CancelReason, SpotOrder};
use engine::spot::{OrderRef, Side};
use engine::subscriptions::status::CommitmentStatus;

mod words;

use crate::oracle::{Answer, Done, Oracle, Order, PAIRS, Refusal, State};
use crate::projection::Projected;

fn same<T: PartialEq + std::fmt::Debug>(what: &str, engine: T, model: T) -> Result<(), String> {
    if engine == model { Ok(()) } else { Err(format!("{what}: engine {engine:?}, model {model:?}")) }
}

/// The answer, its trades and samples.
///
/// # Errors
/// Says what differs.
pub fn answers(outcome: &Outcome, events: &[Event], seen: &Projected, answer: &Answer) -> Result<(), String> {
    let result = outcome.result.as_ref().map(done).map_err(refusal);
    same("answer", result, answer.result.clone())?;
    same("repeats", outcome.repeated.as_ref().map(|repeated| repeated.seq.0), answer.repeats)?;
    // Due work happens before the command, whatever the command's result (T-3). A retired pair returns its orders.
    let retired = |order: &SpotOrder| order.reason == Some(CancelReason::Retired);
    let given_back = events.iter().any(|event| matches!(event, Event::SpotOrderChanged(order) if retired(order)));
    let by_itself = |event: &&Event| match event {
        Event::Account(change) => match **change {
            AccountEvent::ProposalChanged(_) | AccountEvent::CatalogChanged(_) => true,
            AccountEvent::IncidentChanged(incident) => incident.status == IncidentStatus::Lapsed,
            AccountEvent::OptionChanged(ref option) => option.status != OptionStatus::Open,
            AccountEvent::ContractChanged(ref position) => position.reason != Some(EndReason::User),
            AccountEvent::LoanChanged(ref loan, LoanStep::Ended(_)) => {
                matches!(loan.reason, Some(LoanEnd::AutoDebit | LoanEnd::Liquidated | LoanEnd::Expired))
            }
            AccountEvent::LoanChanged(_, step) => {
                matches!(step, LoanStep::Charged | LoanStep::Lapsed | LoanStep::MarginCalled | LoanStep::MarginRestored)
            }
            AccountEvent::CommitmentChanged(ref commitment) => commitment.status != CommitmentStatus::Review,
            AccountEvent::OfferingChanged(_) => true,
            AccountEvent::RebatePaid(_) => true,
            AccountEvent::PlanChanged(ref order) => order.status == PlanStatus::Completed,
            _ => false,
        },
        Event::SpotOrderChanged(order) => retired(order),
        Event::HappenedAt(_) => true,
        Event::Posted(posting) if posting.kind == LineKind::Rebate => true,
        Event::Posted(posting) if posting.object == ObjectKind::Option => posting.kind != LineKind::OptionBought,
        Event::Posted(posting) if posting.object == ObjectKind::Contract => posting.kind != LineKind::ContractHold,
        Event::Posted(posting) if posting.object == ObjectKind::Loan => {
            matches!(posting.kind, LineKind::LoanRelease | LineKind::LoanRepayment | LineKind::LoanSold)
        }
        Event::Posted(posting) if posting.object == ObjectKind::Commitment => posting.kind != LineKind::SubscriptionPaid,
        Event::Posted(posting) if posting.object == ObjectKind::Plan => posting.kind != LineKind::PlanLocked,
        Event::Posted(_) | Event::LevelChanged { .. } => given_back,
        _ => false,
    };
    if (outcome.result.is_err() || outcome.repeated.is_some()) && !events.iter().all(|event| by_itself(&event)) {
        return Err(format!("nothing should have happened, but {events:?}"));
    }
    let deal = |trade: &engine::event::Trade| {
        let figures = [trade.price.0, trade.quantity, trade.value, trade.taker.fee, trade.maker.fee].map(i128::from);
        (trade.id.0, trade.market.0, figures, trade.taker.order.0, trade.maker.order.0)
    };
    let expected = answer
        .deals
        .iter()
        .map(|deal| (deal.id, deal.pair, [deal.price, deal.quantity, deal.value, deal.fees.0, deal.fees.1], deal.orders.0, deal.orders.1));
    same("trades", seen.trades.iter().map(deal).collect::<Vec<_>>(), expected.collect())?;
    let samples = seen.samples.iter().map(|sample| (sample.market.0, sample.time.0, i128::from(sample.price.0)));
    same("samples", samples.collect::<Vec<_>>(), answer.samples.clone())
}

fn done(reply: &Reply) -> Done {
    match reply {
        Reply::Done => Done::Nothing,
        Reply::SpotOrderPlaced(id) => Done::Placed(id.0),
        Reply::SpotOrderCancelled(id) => Done::Cancelled(id.0),
        Reply::SpotOrderMoved { order, replaced } => Done::Moved(replaced.0, order.0),
        Reply::SpotOrdersCancelled(ids) => Done::CancelledAll(ids.iter().map(|id| id.0).collect()),
        Reply::Transferred(done) => Done::Transferred(i128::from(done.from_available), i128::from(done.to_available)),
        Reply::Credited { available } => Done::Credited(i128::from(*available)),
        Reply::Priced { price } => Done::Priced(i128::from(price.0)),
        Reply::Address(address) => Done::Object(format!("address {}", address.id.0)),
        Reply::Card(card) => Done::Object(format!("card {}", card.id.0)),
        Reply::Deposit(deposit) => Done::Object(words::deposit(deposit)),
        Reply::Observation(seen) => Done::Object(words::observation(seen)),
        Reply::Withdrawal(withdrawal) => Done::Object(words::withdrawal(withdrawal)),
        Reply::Identity(identity) => Done::Object(words::identity(identity)),
        Reply::Security(security) => Done::Object(words::security(security)),
        Reply::Proposal(proposal) => Done::Object(words::proposal(proposal)),
        Reply::Operator(operator) => Done::Object(words::operator(operator)),
        Reply::Option(option) => Done::Object(words::option(option)),
        Reply::Contract(position) => Done::Object(words::contract(position)),
        Reply::Quote(found) => Done::Object(words::quote(found)),
        Reply::Conversion(done) => Done::Object(format!("conversion {} {}", done.id.0, words::deal(&done.deal))),
        Reply::Loan(loan) => Done::Object(words::loan(loan)),
        Reply::LoanRepaid(loan, paid) => {
            Done::Object(format!("{} {} {} {}", words::loan(loan), paid.penalty, paid.interest, paid.principal))
        }
        Reply::Commitment(commitment) => Done::Object(words::commitment(commitment)),
        Reply::Plan(order) => Done::Object(words::plan(order)),
        Reply::SelfLimits(limits, at) => Done::Object(words::limits(limits, *at)),
    }
}

fn refusal(reject: &Reject) -> Refusal {
    let short = match reject {
        Reject::Insufficient { asset, available, needed } => Some((asset.0, i128::from(*available), i128::from(*needed))),
        _ => None,
    };
    Refusal { name: reject.name(), short }
}

/// Balances, fees, books, orders and prices.
///
/// # Errors
/// Says what differs.
pub fn states(engine: &Engine, oracle: &Oracle) -> Result<(), String> {
    for user in &oracle.members {
        for (wallet, coin) in Wallet::ALL.into_iter().flat_map(|wallet| (1..=4).map(move |coin| (wallet, coin))) {
            let found = engine
                .balance(UserId(*user), wallet, AssetId(coin))
                .map(|balance| (i128::from(balance.available), i128::from(balance.held)));
            same(&format!("balance of {user} in {wallet:?}, coin {coin}"), found, oracle.balance(*user, wallet, coin))?;
        }
    }
    for coin in 1..=4 {
        let found = i128::from(engine.house_balance(HouseAccount::Fee, AssetId(coin)));
        same(&format!("fees in coin {coin}"), found, oracle.fees.get(&coin).copied().unwrap_or(0))?;
    }
    for (account, coin) in HouseAccount::POOLS.into_iter().flat_map(|account| (1..=4).map(move |coin| (account, coin))) {
        let free = i128::from(engine.free_capital(account, AssetId(coin)));
        same(&format!("free capital of {account:?} in coin {coin}"), free, oracle.free(account, coin))?;
    }
    for (coin, launched) in oracle.offered_coins() {
        let free = i128::from(engine.free_capital(HouseAccount::SubEscrow, AssetId(coin)));
        same(&format!("free tokens {coin}"), free, oracle.free(HouseAccount::SubEscrow, coin))?;
        same(&format!("token {coin} is listed"), engine.catalog().asset(AssetId(coin)).is_some(), launched)?;
        for user in &oracle.members {
            let found = engine.balance(UserId(*user), Wallet::Spot, AssetId(coin)).unwrap_or_default();
            let found = (i128::from(found.available), i128::from(found.held));
            same(&format!("tokens {coin} of {user}"), found, oracle.tokens(*user, coin))?;
        }
    }
    liabilities(engine, oracle)?;
    words::objects(engine, oracle)?;
    for pair in PAIRS {
        let market = MarketId(pair.id);
        same("last trade", engine.last_trade(market).map(|price| i128::from(price.0)), oracle.last_trade(pair.id))?;
        same("fresh price", engine.fresh_price(market).map(|price| i128::from(price.0)), oracle.fresh(pair.id))?;
        let last = engine.index(market).and_then(|index| index.filter.last()).map(|last| (last.time.0, i128::from(last.price.0)));
        same("last sample", last, oracle.last_sample(pair.id))?;
        for (side, buy) in [(Side::Buy, true), (Side::Sell, false)] {
            let Some((book, grid)) = engine.book(market) else { return Err("no book".to_owned()) };
            let found = book.orders(side).map(|resting| {
                let user = oracle.members[resting.member.0 as usize];
                (user, i128::from(grid.price(resting.price).0), i128::from(grid.quantity(resting.left).0))
            });
            let expected = oracle.side(pair.id, buy).into_iter().map(|order| (order.user, order.price, order.left));
            same(&format!("book of {market:?} {side:?}"), found.collect::<Vec<_>>(), expected.collect())?;
        }
    }
    let live = oracle.members.iter().flat_map(|user| engine.live_spot_orders(UserId(*user)).map(|order| order.id.0));
    let mut live: Vec<u64> = live.collect();
    live.sort_unstable();
    same("live orders", live, oracle.live().keys().copied().collect())?;
    oracle.live().values().try_for_each(|order| one_order(engine, order))
}

/// The liabilities of a cut, coin by coin: members' totals over all wallets, which together with the house add up to all that came in.
fn liabilities(engine: &Engine, oracle: &Oracle) -> Result<(), String> {
    for CoinBalances { asset, came_in, members } in engine.cut().coins {
        let of = |user: u64| {
            let known = |(available, held): (i128, i128)| available + held;
            let wallets = Wallet::ALL.into_iter().filter_map(|wallet| oracle.balance(user, wallet, asset.0));
            if asset.0 <= 4 { wallets.map(known).sum() } else { known(oracle.tokens(user, asset.0)) }
        };
        let expected = oracle.members.iter().map(|user| (*user, of(*user))).filter(|(_, total)| *total > 0);
        let found: Vec<(u64, i128)> = members.iter().map(|(user, total)| (user.0, i128::from(*total))).collect();
        same(&format!("liabilities in coin {}", asset.0), found.clone(), expected.collect())?;
        let house: i128 = HouseAccount::POOLS.into_iter().map(|account| i128::from(engine.house_balance(account, asset))).sum();
        let total: i128 = found.iter().map(|(_, total)| total).sum();
        same(&format!("what came in of coin {}", asset.0), i128::from(came_in), total + house)?;
    }
    Ok(())
}

/// The orders that a command changed, finished ones included.
///
/// # Errors
/// Says what differs.
pub fn changed_orders(engine: &Engine, oracle: &Oracle, events: &[Event]) -> Result<(), String> {
    for event in events {
        let Event::SpotOrderChanged(order) = event else { continue };
        if let Some(expected) = oracle.order(order.id.0) {
            one_order(engine, expected)?;
        }
    }
    Ok(())
}

fn one_order(engine: &Engine, expected: &Order) -> Result<(), String> {
    let found = engine.spot_order(UserId(expected.user), &OrderRef::Id(OrderId(expected.id)));
    let found = found.ok_or(format!("order {} is not known", expected.id))?;
    let state = |order: &SpotOrder| match order.status {
        Status::Waiting => State::Waiting,
        Status::Open => State::Open,
        Status::Completed => State::Completed,
        Status::Cancelled => State::Cancelled,
    };
    let figures = [found.filled, found.filled_value, found.fee].map(i128::from);
    let shown = (state(found), found.reason.map(|reason| reason.name()), figures);
    same(&format!("order {}", expected.id), shown, (expected.state, expected.reason, [expected.filled, expected.value, expected.fee]))
}
