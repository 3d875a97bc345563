//! The totals of a member's plans (`docs/api.md` 4.10).

use std::collections::BTreeMap;

use engine::Engine;
use engine::amount::Amount;
use engine::ids::{AssetId, UserId};
use engine::plans::order::PlanOrder;
use engine::time::{DAY_MS, Time};
use serde::Serialize;
use store::plans;
use utoipa::ToSchema;

use crate::api::worth::value_of;
use crate::http::Call;
use crate::http::reply::{Answer, Reply};
use crate::http::units::amount;

/// Totals of a member's plan orders.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanReport {
    total_profit: String,
    today_profit: String,
    total_order: usize,
    total_deposit: String,
    by_currency: Vec<PlanCoin>,
}

/// The totals in one coin.
#[derive(Debug, Serialize, ToSchema)]
struct PlanCoin {
    currency_id: u32,
    total_profit: String,
    today_profit: String,
    total_deposit: String,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    paid: Amount,
    today: Amount,
    locked: Amount,
}

/// `GET lh/deposit/report`
pub async fn report(call: Call) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    let now = Time(app.now_ms());
    let (seq, open) = {
        let engine = app.sequencer.engine();
        (engine.seq().0, engine.plan_orders_of(user).cloned().collect::<Vec<PlanOrder>>())
    };
    app.wait_for(seq).await?;
    let sums = sums(&call, user, &open, (now, seq)).await?;
    let engine = app.sequencer.engine();
    Ok(Reply::ok(shown(&engine, &sums, open.len())).at(seq))
}

async fn sums(
    call: &Call,
    user: UserId,
    open: &[PlanOrder],
    (now, seq): (Time, u64),
) -> Result<BTreeMap<AssetId, Sums>, crate::http::reply::Refusal> {
    let db = &call.app.db;
    let midnight = Time(now.0 / DAY_MS * DAY_MS);
    let mut sums: BTreeMap<AssetId, Sums> = BTreeMap::new();
    for (asset, paid) in plans::interest_paid(db, user, seq).await? {
        sums.entry(asset).or_default().paid = paid;
    }
    // Every order that was open at the end of the last day earned interest on it.
    let ended = plans::ended_since(db, user, midnight, seq).await?;
    for order in open.iter().chain(&ended) {
        let of = sums.entry(order.asset).or_default();
        of.today = of.today.saturating_add(last_day(order, midnight));
    }
    for order in open {
        let of = sums.entry(order.asset).or_default();
        of.locked = of.locked.saturating_add(order.amount);
    }
    Ok(sums)
}

/// The interest of the UTC day that ended at this midnight.
fn last_day(order: &PlanOrder, midnight: Time) -> Amount {
    let before = Time(midnight.0.saturating_sub(DAY_MS));
    order.accrued(midnight).saturating_sub(order.accrued(before))
}

fn shown(engine: &Engine, sums: &BTreeMap<AssetId, Sums>, open: usize) -> PlanReport {
    let worth = |of: fn(&Sums) -> Amount| {
        let amounts: Vec<(AssetId, Amount)> = sums.iter().map(|(asset, sums)| (*asset, of(sums))).collect();
        value_of(engine, &amounts)
    };
    let coin = |(asset, of): (&AssetId, &Sums)| {
        let text = |atoms| amount(engine.catalog(), *asset, atoms);
        PlanCoin { currency_id: asset.0, total_profit: text(of.paid), today_profit: text(of.today), total_deposit: text(of.locked) }
    };
    PlanReport {
        total_profit: worth(|sums| sums.paid),
        today_profit: worth(|sums| sums.today),
        total_order: open,
        total_deposit: worth(|sums| sums.locked),
        by_currency: sums.iter().map(coin).collect(),
    }
}
