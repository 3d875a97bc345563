//! Limits that members set for themselves: tighter at once, looser after 24 h.

use engine::Engine;
use engine::command::Command;
use engine::ids::{AssetId, UserId};
use engine::reply::Reply as EngineReply;
use engine::self_limits::{SelfLimit, SelfLimits};
use engine::time::Time;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::command::done;
use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{Answer, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request};
use crate::http::units::{self, About, self_limit_word};
use crate::http::values::{OrNone, TypedAmount};

/// How much of the limits of a UTC day is used.
#[derive(Debug, Serialize, ToSchema)]
pub struct SelfLimitsUsed {
    option_stake_day: String,
    /// What was lost today, and what open options and contracts may still lose.
    loss_day: String,
}

/// A loosened limit that is not yet in force.
#[derive(Debug, Serialize, ToSchema)]
pub struct SelfLimitPending {
    field: &'static str,
    value: Option<String>,
    effective_ms: u64,
}

/// A member's own limits.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SelfLimits)]
pub struct SelfLimitsView {
    option_stake_day: Option<String>,
    loss_day: Option<String>,
    leverage_max: Option<u64>,
    pause_until_ms: Option<u64>,
    used: SelfLimitsUsed,
    pending: Vec<SelfLimitPending>,
}

/// The coin that stakes and losses are valued in.
fn value_coin(engine: &Engine) -> AssetId {
    engine.catalog().funding.bank.asset
}

fn is_value(limit: SelfLimit) -> bool {
    matches!(limit, SelfLimit::OptionStakeDay | SelfLimit::LossDay)
}

fn view(engine: &Engine, user: UserId, limits: &SelfLimits, now: Time) -> SelfLimitsView {
    let used = engine.day_use(user);
    let amount = |atoms: u64| units::amount(engine.catalog(), value_coin(engine), atoms);
    let text = |limit: SelfLimit, value: u64| if is_value(limit) { amount(value) } else { value.to_string() };
    let pending = |limit: SelfLimit| {
        let coming = limits.coming(limit, now)?;
        Some(SelfLimitPending {
            field: self_limit_word(limit),
            value: coming.value.map(|value| text(limit, value)),
            effective_ms: coming.at.0,
        })
    };
    SelfLimitsView {
        option_stake_day: limits.value(SelfLimit::OptionStakeDay, now).map(amount),
        loss_day: limits.value(SelfLimit::LossDay, now).map(amount),
        leverage_max: limits.value(SelfLimit::LeverageMax, now),
        pause_until_ms: limits.value(SelfLimit::PauseUntil, now),
        used: SelfLimitsUsed {
            option_stake_day: amount(used.option_stakes),
            loss_day: amount(used.losses.saturating_add(engine.at_risk(user))),
        },
        pending: SelfLimit::ALL.into_iter().filter_map(pending).collect(),
    }
}

/// `GET user/limits`
pub async fn show(call: Call) -> Answer {
    let me = call.user()?;
    let engine = call.app.sequencer.engine();
    Ok(Reply::ok(view(&engine, me, &engine.self_limits(me), Time(call.app.now_ms()))))
}

request! {
    /// What `POST user/limits` takes.
    pub struct SetLimits checked by handler {
        optional option_stake_day: OrNone<TypedAmount>,
        optional loss_day: OrNone<TypedAmount>,
        optional leverage_max: Input<OrNone<u64>>,
        optional pause_until_ms: Input<OrNone<u64>>,
    }
}

/// A new value; `none` is no limit, absent is no change.
fn given(request: &SetLimits, limit: SelfLimit, scale: u8) -> Result<Option<(SelfLimit, Option<u64>)>, Refusal> {
    let number = |given: &Input<OrNone<u64>>| Ok::<_, Refusal>(given.optional()?.map(OrNone::some));
    let amount = |given: &OrNone<TypedAmount>| match given {
        OrNone::None => Ok(Some(None)),
        OrNone::Some(typed) if typed.is_sent() => typed.atoms(scale).map(|atoms| Some(Some(atoms))),
        OrNone::Some(_) => Ok(None),
    };
    let value = match limit {
        SelfLimit::OptionStakeDay => amount(&request.option_stake_day)?,
        SelfLimit::LossDay => amount(&request.loss_day)?,
        SelfLimit::LeverageMax => number(&request.leverage_max)?,
        SelfLimit::PauseUntil => number(&request.pause_until_ms)?,
    };
    if limit == SelfLimit::LeverageMax && value == Some(Some(0)) {
        return Err(bad_field(self_limit_word(limit), "range"));
    }
    Ok(value.map(|value| (limit, value)))
}

/// `POST user/limits`
pub async fn set(call: Call, request: SetLimits) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    let scale = {
        let engine = app.sequencer.engine();
        engine.catalog().scale(value_coin(&engine))
    };
    // Fields come before amounts, as in the call's order of refusals.
    let mut order = SelfLimit::ALL;
    order.sort_by_key(|limit| is_value(*limit));
    let mut changes = Vec::new();
    for limit in order {
        changes.extend(given(&request, limit, scale)?);
    }
    if changes.is_empty() {
        return Err(bad_field(self_limit_word(SelfLimit::OptionStakeDay), "required"));
    }
    let applied = app.sequencer.submit(Command::SetSelfLimits { user, changes }, call.request).await?;
    let engine = app.sequencer.engine();
    let about = About { catalog: engine.catalog(), market: None, asset: Some(value_coin(&engine)), wallet: engine::catalog::Wallet::Spot };
    let EngineReply::SelfLimits(limits, at) = done(&applied, |reject| about.refusal(reject))? else { return Err(refuse(Code::Internal)) };
    let mut reply = Reply::ok(view(&engine, user, limits, *at)).at(applied.answered_by());
    reply.replay = applied.is_repetition();
    Ok(reply)
}
