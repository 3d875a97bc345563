//! Redeeming a plan order early, and a preview of what it pays (`docs/api.md` 4.10).

use engine::command::Command;
use engine::ids::{AssetId, PlanOrderId, UserId};
use engine::plans::order::{PlanOrder, RedeemPlan};
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use engine::time::{DAY_MS, Time};
use kernel::sequencer::Applied;
use serde::Serialize;
use store::plans;
use utoipa::ToSchema;

use crate::api::command::done;
use crate::api::plans::orders::{refusal, told};
use crate::api::plans::view::status_number;
use crate::http::Call;
use crate::http::code::Code;
use crate::http::decimal::Decimal;
use crate::http::reply::{Answer, Refusal, Reply, bad_field, refuse};
use crate::http::request::{ById, Input, request};
use crate::http::units::amount_of;
use crate::http::values::TypedAmount;

/// The most decimals that any coin has.
const MOST_DECIMALS: u8 = 8;

/// What an early redemption would pay and cost. Valid until the next midnight.
#[derive(Debug, Serialize, ToSchema)]
pub struct RedeemPreview {
    id: u64,
    day_index: u64,
    accrued_days: u32,
    remain_day: u32,
    #[schema(value_type = String)]
    current_interest: Decimal,
    #[schema(value_type = String)]
    damages: Decimal,
    #[schema(value_type = String)]
    penalty: Decimal,
    #[schema(value_type = String)]
    cancel_fee: Decimal,
    #[schema(value_type = String)]
    returned: Decimal,
    valid_until_ms: u64,
}

request! {
    /// What `lh/deposit/order/cancel` takes.
    pub struct Redeem checked by handler {
        required id: Input<u64>,
        optional max_fee: TypedAmount,
    }
}

/// `GET lh/deposit/order/preview`
pub async fn preview(call: Call, request: ById) -> Answer {
    let (user, id) = (call.user()?, PlanOrderId(request.id.or(Code::NotFound)?));
    let now = Time(call.app.now_ms());
    let Some(order) = known(&call, user, id) else {
        return Err(ended(&call, user, id, None).await?.unwrap_or_else(|| refuse(Code::NotFound)));
    };
    let Some(found) = order.redemption(now) else { return Err(state(&order)) };
    let engine = call.app.sequencer.engine();
    let amount = |atoms| amount_of(engine.catalog(), order.asset, atoms);
    let preview = RedeemPreview {
        id: id.0,
        day_index: now.day(),
        accrued_days: found.days,
        remain_day: found.remaining,
        current_interest: amount(found.interest),
        damages: amount(found.damages),
        penalty: amount(found.penalty),
        cancel_fee: amount(found.deduction),
        returned: amount(found.payout),
        valid_until_ms: (now.day() + 1) * DAY_MS,
    };
    Ok(Reply::ok(preview).at(engine.seq().0))
}

/// `POST lh/deposit/order/cancel`
pub async fn redeem(call: Call, request: Redeem) -> Answer {
    let user = call.user()?;
    let id = request.id.readable().copied().map(PlanOrderId);
    let order = id.and_then(|id| known(&call, user, id));
    let asset = order.map(|order| order.asset);
    let max_deduction = most(&call, asset, &request.max_fee)?;
    let order = id.ok_or_else(|| refuse(Code::NotFound))?;
    let command = Command::RedeemPlan(RedeemPlan { user, order, max_deduction });
    let applied = call.app.sequencer.submit(command, call.request).await?;
    in_state(&call, user, order, &applied).await?;
    let EngineReply::Plan(order) = done(&applied, |reject| refusal(&call, asset, reject))? else { return Err(refuse(Code::Internal)) };
    told(&call, "ok.plan_redeemed", &applied, order)
}

/// The highest acceptable deduction; without the field any is accepted. No one pays this amount, so an unreadable one is a fault of the
/// field.
fn most(call: &Call, asset: Option<AssetId>, typed: &TypedAmount) -> Result<Option<u64>, Refusal> {
    let scale = asset.and_then(|asset| call.app.catalog.asset(asset)).map_or(MOST_DECIMALS, |facts| facts.scale);
    match () {
        () if !typed.is_sent() => Ok(None),
        () if typed.is_zero(scale) => Ok(Some(0)),
        () => typed.atoms(scale).map(Some).map_err(|_| bad_field("max_fee", "format")),
    }
}

/// A member's order that the engine knows.
fn known(call: &Call, user: UserId, id: PlanOrderId) -> Option<PlanOrder> {
    call.app.sequencer.engine().plan_order(id).filter(|order| order.user == user).cloned()
}

/// `E_STATE` with the state of a member's order that the engine refused a command for; the history knows those that it has forgotten.
async fn in_state(call: &Call, user: UserId, id: PlanOrderId, applied: &Applied) -> Result<(), Refusal> {
    if !matches!(applied.outcome.result, Err(Reject::NotFound | Reject::WrongState)) {
        return Ok(());
    }
    let seq = applied.answered_by();
    let found = known(call, user, id).map(|order| state(&order));
    let found = match found {
        Some(refusal) => Some(refusal),
        None => ended(call, user, id, Some(seq)).await?,
    };
    let Some(mut refusal) = found else { return Ok(()) };
    refusal.seq = Some(seq);
    refusal.replay = applied.is_repetition();
    Err(refusal)
}

/// `E_STATE` of a member's order that is in the history; `None` if there is none.
async fn ended(call: &Call, user: UserId, id: PlanOrderId, seq: Option<u64>) -> Result<Option<Refusal>, Refusal> {
    let newest = call.app.sequencer.engine().seq().0;
    // Its row may not be written yet.
    call.app.wait_for(seq.unwrap_or(newest)).await?;
    Ok(plans::find(&call.app.db, user, id).await?.map(|order| state(&order)))
}

fn state(order: &PlanOrder) -> Refusal {
    refuse(Code::WrongState).with("state", status_number(order.status))
}
