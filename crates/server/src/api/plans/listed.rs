//! The plans on offer (`docs/api.md` 4.10).

use std::cmp::Reverse;

use engine::ids::PlanId;
use engine::plans::terms::ListedPlan;
use store::Page;

use crate::api::plans::view::plan_view;
use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Reply};
use crate::http::request::{ById, request};

request! {
    /// What `lh/deposit/config` takes.
    pub struct ListPlans checked by handler {
        optional page: Page,
    }
}

/// `GET lh/deposit/config`; those that are sold first.
pub async fn list(call: Call, request: ListPlans) -> Answer {
    let (engine, page) = (call.app.sequencer.engine(), request.page);
    let mut all: Vec<&ListedPlan> = engine.plans().collect();
    all.sort_by_key(|listed| (Reverse(listed.plan.on), listed.plan.id));
    let bound = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let shown = all.into_iter().skip(bound(page.offset())).take(bound(page.limit));
    Ok(Reply::ok(shown.map(|listed| plan_view(engine.catalog(), call.lang, listed)).collect::<Vec<_>>()).at(engine.seq().0))
}

/// `GET lh/deposit/product_info`
pub async fn find(call: Call, request: ById) -> Answer {
    let engine = call.app.sequencer.engine();
    let id = request.id.readable().and_then(|id| u32::try_from(*id).ok()).map(PlanId);
    let listed = id.and_then(|id| engine.plan(id)).or_refuse(Code::NotFound)?;
    Ok(Reply::ok(plan_view(engine.catalog(), call.lang, listed)).at(engine.seq().0))
}
