//! What members do with open spot orders (`docs/api.md` 4.7): cancel them, or move one to another price.

use engine::catalog::Wallet;
use engine::command::Command;
use engine::ids::{OrderId, UserId};
use engine::product::Product;
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use engine::spot::status::Status;
use engine::spot::{OrderRef, Side, SpotOrder};
use serde::Serialize;
use store::history;
use utoipa::ToSchema;

use crate::api::command::{answer, answered, done};
use crate::api::country;
use crate::api::spot::orders::{OneOrder, fills_of, price_of, refusal};
use crate::api::spot::view::{FillView, OrderView, order_view};
use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Refusal, refuse};
use crate::http::request::{Input, request};
use crate::http::units::{self, About};
use crate::http::values::TypedAmount;

/// The order after a command.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderOnly {
    order: OrderView,
}

/// The order at its new price, the number of the one that it replaced, and its trades.
#[derive(Debug, Serialize, ToSchema)]
pub struct MovedOrder {
    order: OrderView,
    replaced: u64,
    fills: Vec<FillView>,
}

/// Numbers of the cancelled orders.
#[derive(Debug, Serialize, ToSchema)]
pub struct Cancelled {
    cancelled: Vec<u64>,
}

request! {
    /// What `coin/move` takes.
    pub struct MoveOrder checked by handler {
        required id: Input<u64>,
        required target_price: TypedAmount,
    }
}

request! {
    /// What `coin/cancel_all` takes.
    pub struct CancelAll checked by handler {
        optional currency_id: Input<u64>,
        optional legal_id: Input<u64>,
    }
}

/// `PUT coin/trade`, `POST coin/cancel`
pub async fn cancel(call: Call, request: OneOrder) -> Answer {
    let (user, order) = (call.user()?, request.order()?);
    let command = Command::CancelSpotOrder { user, order };
    let applied = call.app.sequencer.submit(command, call.request).await?;
    let seq = applied.answered_by();
    if matches!(applied.outcome.result, Err(Reject::NotFound | Reject::WrongState))
        && let Some(state) = known(&call, user, &order, seq).await?.as_ref().and_then(ended)
    {
        return Err(answered(refuse(Code::WrongState).with("state", state), &applied));
    }
    let catalog = &call.app.catalog;
    let about = About { catalog, market: None, asset: None, wallet: Wallet::Spot };
    done(&applied, |reject| about.refusal(reject))?;
    let order = applied.spot_order().or_refuse(Code::Internal)?;
    Ok(answer("ok.order_cancelled", &applied).data(OrderOnly { order: order_view(catalog, order, seq)? }))
}

/// A member's order; the history knows those that the engine has forgotten. An order that was placed after the entry that is answered is
/// none, whatever its name: a repeated answer says what the first one said.
async fn known(call: &Call, user: UserId, order: &OrderRef, seq: u64) -> Result<Option<SpotOrder>, Refusal> {
    let (recent, now) = {
        let engine = call.app.sequencer.engine();
        (engine.spot_order(user, order).filter(|order| order.id.0 <= seq).copied(), engine.seq().0)
    };
    match recent {
        Some(order) => Ok(Some(order)),
        None => {
            // Its row may not be written yet.
            call.app.wait_for(now).await?;
            Ok(history::order(&call.app.db, user, order, seq).await?.map(|row| row.order))
        }
    }
}

/// The state of an order that has ended, which never changes again.
fn ended(order: &SpotOrder) -> Option<&'static str> {
    match order.status {
        Status::Completed => Some("completed"),
        Status::Cancelled => Some("cancelled"),
        Status::Waiting | Status::Open => None,
    }
}

/// `POST coin/move`
pub async fn move_to(call: Call, request: MoveOrder) -> Answer {
    let user = call.user()?;
    country::check(&call, Product::Spot, |_| false).await?;
    let order = OrderId(request.id.or(Code::NotFound)?);
    let price = match price_of(&request.target_price) {
        Ok(price) => price,
        Err(fault) => return Err(in_turn(&call, user, order, fault).await?),
    };
    let applied = call.app.sequencer.submit(Command::MoveSpotOrder { user, order, price }, call.request).await?;
    let seq = applied.answered_by();
    let replaced = match &applied.outcome.result {
        Ok(EngineReply::SpotOrderMoved { replaced, .. }) => replaced.0,
        Ok(_) => return Err(refuse(Code::Internal)),
        Err(reject) => return Err(answered(unmoved(&call, user, order, reject, seq).await?, &applied)),
    };
    let catalog = &call.app.catalog;
    let order = order_view(catalog, applied.spot_order().or_refuse(Code::Internal)?, seq)?;
    Ok(answer("ok.order_moved", &applied).data(MovedOrder { order, replaced, fills: fills_of(catalog, &applied)? }))
}

/// An unreadable price never reaches the engine, but what is refused before the price still comes before its fault.
async fn in_turn(call: &Call, user: UserId, order: OrderId, fault: Refusal) -> Result<Refusal, Refusal> {
    let (movable, seq) = {
        let engine = call.app.sequencer.engine();
        (engine.may_move(user, order), engine.seq().0)
    };
    match movable {
        Err(reject) => unmoved(call, user, order, &reject, seq).await,
        Ok(()) => Ok(fault),
    }
}

/// Why an order does not move.
async fn unmoved(call: &Call, user: UserId, order: OrderId, reject: &Reject, seq: u64) -> Result<Refusal, Refusal> {
    let order = known(call, user, &OrderRef::Id(order), seq).await?;
    if matches!(reject, Reject::NotFound | Reject::WrongState)
        && let Some(state) = order.as_ref().and_then(ended)
    {
        return Ok(refuse(Code::WrongState).with("state", state));
    }
    let catalog = &call.app.catalog;
    let market = order.and_then(|order| catalog.market(order.market));
    let about = About { catalog, market, asset: None, wallet: Wallet::Spot };
    Ok(refusal(about, reject, order.map_or(Side::Buy, |order| order.side)))
}

/// `POST coin/cancel_all`
pub async fn cancel_all(call: Call, request: CancelAll) -> Answer {
    let user = call.user()?;
    let catalog = &call.app.catalog;
    let coin = |given: &Input<u64>| match given.is_sent() {
        false => Ok(None),
        true => units::coin(catalog, given.readable()).map(|asset| Some(asset.id)).or_refuse(Code::UnknownMarket),
    };
    let command = Command::CancelAllSpotOrders { user, base: coin(&request.currency_id)?, quote: coin(&request.legal_id)? };
    let applied = call.app.sequencer.submit(command, call.request).await?;
    let about = About { catalog, market: None, asset: None, wallet: Wallet::Spot };
    let EngineReply::SpotOrdersCancelled(orders) = done(&applied, |reject| about.refusal(reject))? else {
        return Err(refuse(Code::Internal));
    };
    Ok(answer("ok.orders_cancelled", &applied).data(Cancelled { cancelled: orders.iter().map(|order| order.0).collect() }))
}
