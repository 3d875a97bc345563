//! What the plan treasury has promised, order by order and without names: the promises add up to what `public/pools` says is set aside
//! (`docs/api.md` 4.15, P-1). The number of an order is that of the public entry that bought it.

use engine::ledger::HouseAccount;
use engine::plans::order::PlanOrder;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::Call;
use crate::http::reply::{Answer, Reply};
use crate::http::request::{Input, request};
use crate::http::units::{amount, code, percent};
use crate::http::values::Count;

/// Most orders of one answer, and the default.
const MOST: u64 = 100;

/// A plan order that has not ended.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanPromise {
    seq: u64,
    plan_id: u32,
    currency_id: u32,
    currency_name: String,
    amount: String,
    day: u32,
    day_percent: String,
    interest: String,
    bought_ms: u64,
    end_at_ms: u64,
}

/// The entries that the promises are computed from, and the treasury at the last of them.
#[derive(Debug, Serialize, ToSchema)]
pub struct Promised {
    from_seq: u64,
    to_seq: u64,
    treasury: Vec<Treasury>,
}

/// The plan treasury in one coin.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PlanTreasury)]
pub struct Treasury {
    currency_id: u32,
    currency_name: String,
    balance: String,
    reserve: String,
    open_orders: usize,
}

request! {
    /// What `public/promises` takes.
    pub struct ListPromises checked by handler {
        optional after: Input<u64>,
        optional limit: Input<Count<MOST>>,
    }
}

/// `GET public/promises`, oldest first.
pub async fn promises(call: Call, request: ListPromises) -> Answer {
    let after = request.after.optional()?.unwrap_or(0);
    let limit = request.limit.optional()?.map_or(MOST, |limit| limit.0);
    let engine = call.app.sequencer.engine();
    let (catalog, seq) = (engine.catalog(), engine.seq().0);
    let promise = |order: &PlanOrder| PlanPromise {
        seq: order.id.0,
        plan_id: order.plan.0,
        currency_id: order.asset.0,
        currency_name: code(catalog, order.asset).to_string(),
        amount: amount(catalog, order.asset, order.amount),
        day: order.terms.cycle,
        day_percent: percent(order.terms.day_yield),
        interest: amount(catalog, order.asset, order.interest),
        bought_ms: order.bought.0,
        end_at_ms: order.maturity().0,
    };
    let rows: Vec<PlanPromise> =
        engine.open_plan_orders_after(after).take(usize::try_from(limit).unwrap_or(usize::MAX)).map(promise).collect();
    let account = HouseAccount::PlanTreasury;
    let treasury = catalog.assets.iter().filter_map(|asset| {
        let (balance, free) = (engine.house_balance(account, asset.id), engine.free_capital(account, asset.id));
        let open_orders = engine.open_plan_orders().filter(|order| order.asset == asset.id).count();
        (balance > 0 || open_orders > 0).then(|| Treasury {
            currency_id: asset.id.0,
            currency_name: asset.code.clone(),
            balance: amount(catalog, asset.id, balance),
            reserve: amount(catalog, asset.id, balance - free),
            open_orders,
        })
    });
    Ok(Reply::ok(rows).data(Promised { from_seq: 1, to_seq: seq, treasury: treasury.collect() }).at(seq))
}
