//! Buying plans and listing one's orders (`docs/api.md` 4.10): request fields into one command, its reply into the wire's order.

use std::cmp::Reverse;

use engine::Engine;
use engine::catalog::Wallet;
use engine::command::Command;
use engine::ids::{AssetId, PlanId, UserId};
use engine::plans::order::{BuyPlan, PlanOrder};
use engine::product::Product;
use engine::reject::Reject;
use engine::reply::Reply as EngineReply;
use engine::time::Time;
use kernel::sequencer::Applied;
use serde::Serialize;
use store::Page;
use store::plans::{self, Filter};
use utoipa::ToSchema;

use crate::api::command::{answer, done, is_hash, shown_rule};
use crate::api::country;
use crate::api::plans::view::{HostingView, hosting_view};
use crate::http::Call;
use crate::http::code::Code;
use crate::http::page::PageC;
use crate::http::params::Kind;
use crate::http::reply::{Answer, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request};
use crate::http::units::About;
use crate::http::values::{TypedAmount, Value};

/// The most decimals that any coin has.
const MOST_DECIMALS: u8 = 8;

/// 1 in hosting, 2 ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListStatus {
    /// In hosting.
    Hosting,
    /// Ended.
    Ended,
}

impl Value for ListStatus {
    const KIND: Kind = Kind::Integer;

    fn parse(name: &'static str, text: &str) -> Result<ListStatus, Refusal> {
        match text {
            "1" => Ok(ListStatus::Hosting),
            "2" => Ok(ListStatus::Ended),
            _ => Err(bad_field(name, "enum")),
        }
    }
}

request! {
    /// What `lh/deposit` takes.
    pub struct Buy checked by handler {
        required config_id: Input<u64>,
        required amount: TypedAmount,
        required agree: Input<bool>,
        optional rule: Option<String>,
    }
}

request! {
    /// What `lh/deposit/order` takes.
    pub struct ListOrders checked by handler {
        optional status: Option<ListStatus>,
        optional is_cancel: Option<bool>,
        optional page: Page,
    }
}

/// The plan order after a command.
#[derive(Debug, Serialize, ToSchema)]
pub struct HostingOnly {
    order: HostingView,
}

/// A refusal of the engine with its details.
pub(super) fn refusal(call: &Call, asset: Option<AssetId>, reject: &Reject) -> Refusal {
    About { catalog: &call.app.catalog, market: None, asset, wallet: Wallet::Earn }.refusal(reject)
}

/// The answer to a command: the order as it left it.
pub(super) fn told(call: &Call, sentence: &'static str, applied: &Applied, order: &PlanOrder) -> Answer {
    let at = order.ended.map_or(order.bought, |ended| ended.time);
    let order = hosting_view(&call.app.sequencer.engine(), order, at);
    Ok(answer(sentence, applied).data(HostingOnly { order }))
}

/// The purchase described by these fields. An unreadable field is refused at its place in the order: the engine says whether another
/// refusal comes before.
fn read(engine: &Engine, user: UserId, request: &Buy) -> Result<BuyPlan, Refusal> {
    let id = request.config_id.readable().and_then(|id| u32::try_from(*id).ok()).map(PlanId);
    let asset = id.and_then(|id| engine.plan(id)).map(|listed| listed.plan.asset);
    let scale = asset.and_then(|asset| engine.catalog().asset(asset)).map_or(MOST_DECIMALS, |facts| facts.scale);
    let amount = request.amount.atoms(scale)?;
    let plan = id.ok_or_else(|| refuse(Code::UnknownCycle))?;
    // Whether the plan is sold is checked before the agreement, and the engine knows it.
    let agreed = request.agree.readable().copied().unwrap_or(false);
    Ok(BuyPlan { user, plan, amount, agreed, rule: shown_rule(request.rule.as_ref()) })
}

/// `POST lh/deposit`
pub async fn buy(call: Call, request: Buy) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    let is_paused = |engine: &Engine| matches!(engine.may_buy_plan(user), Err(Reject::Disabled(_)));
    country::check(&call, Product::Plan, is_paused).await?;
    let (buy, guard) = {
        let engine = app.sequencer.engine();
        (read(&engine, user, &request), engine.may_buy_plan(user))
    };
    let buy = buy.map_err(|fault| guard.as_ref().map_or_else(|reject| refusal(&call, None, reject), |()| fault))?;
    let asset = app.sequencer.engine().plan(buy.plan).map(|listed| listed.plan.asset);
    if request.agree.readable().is_none() || !is_hash(request.rule.as_ref()) {
        // An unreadable field never reaches the log, so the engine's own checks find the refusal that comes first.
        let first = guard.and_then(|()| app.sequencer.engine().check_plan_purchase(&buy));
        return Err(first.err().map_or_else(|| refuse(Code::Internal), |reject| refusal(&call, asset, &reject)));
    }
    let applied = app.sequencer.submit(Command::BuyPlan(buy), call.request).await?;
    let EngineReply::Plan(order) = done(&applied, |reject| refusal(&call, asset, reject))? else { return Err(refuse(Code::Internal)) };
    told(&call, "ok.plan_bought", &applied, order)
}

/// `GET lh/deposit/order`
pub async fn list(call: Call, request: ListOrders) -> Answer {
    let (app, user, page) = (&call.app, call.user()?, request.page);
    // The engine has the open orders, and the history those that had ended by then.
    let (seq, mut rows) = {
        let engine = app.sequencer.engine();
        let open = request.status != Some(ListStatus::Ended) && request.is_cancel != Some(true);
        let orders: Vec<PlanOrder> = if open { engine.plan_orders_of(user).cloned().collect() } else { Vec::new() };
        (engine.seq().0, orders)
    };
    let open = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    // Each open order shifts the page by at most one row, so the page is within the rows from here to its end.
    let before = page.offset().min(open);
    let mut total = open;
    if request.status != Some(ListStatus::Hosting) {
        app.wait_for(seq).await?;
        let filter = Filter { redeemed: request.is_cancel, up_to_seq: seq };
        let (ended, count) = plans::list(&app.db, user, filter, page.limit + open, page.offset() - before).await?;
        rows.extend(ended);
        total += count;
    }
    rows.sort_by_key(|order| Reverse(order.id));
    let bound = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let now = Time(app.now_ms());
    let engine = app.sequencer.engine();
    let shown = rows.iter().skip(bound(before)).take(bound(page.limit)).map(|order| hosting_view(&engine, order, now));
    Ok(Reply::ok(PageC::new(shown.collect(), total, page)).at(seq))
}
