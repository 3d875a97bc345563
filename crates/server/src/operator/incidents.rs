//! Credits that their chains contradict (D-7).

use engine::funding::incidents::{Incident as Kept, IncidentStatus};
use serde::Serialize;
use store::Page;
use utoipa::ToSchema;

use crate::http::page::Paginator;
use crate::http::reply::{Answer, Reply};
use crate::http::request::{request, words};
use crate::http::units::amount;
use crate::http::{Call, types};

/// A credit that its chain contradicts.
#[derive(Debug, Serialize, ToSchema)]
pub struct Incident {
    id: u64,
    observation_id: u64,
    chain: &'static str,
    user_id: u64,
    currency_id: u32,
    /// The credited amount.
    credited: String,
    /// What the chain holds instead; null once the chain dropped the payment.
    seen: Option<IncidentSeen>,
    /// The part of the credit that the chain contradicts.
    contradicted: String,
    #[schema(value_type = types::IncidentState)]
    state: &'static str,
    opened_ms: u64,
    /// The last instant at which two operators can reverse the credit.
    until_ms: u64,
    closed_ms: Option<u64>,
}

/// What a watcher sees instead of the credited payment.
#[derive(Debug, Serialize, ToSchema)]
pub struct IncidentSeen {
    user_id: u64,
    currency_id: u32,
    amount: String,
}

/// The wire's word for a state.
fn state(status: IncidentStatus) -> &'static str {
    match status {
        IncidentStatus::Open => "open",
        IncidentStatus::Settled => "settled",
        IncidentStatus::Reversed => "reversed",
        IncidentStatus::Lapsed => "lapsed",
    }
}

words! {
    /// State of an incident.
    pub enum IncidentState as text {
        Open = "open",
        Settled = "settled",
        Reversed = "reversed",
        Lapsed = "lapsed",
    }
}

request! {
    /// What `incidents` takes.
    pub struct ListIncidents in turn {
        optional state: Option<IncidentState>,
        optional page: Page,
    }
}

/// `GET /operator/api/incidents`
pub async fn list(call: Call, request: ListIncidents) -> Answer {
    let (wanted, page) = (request.state.map(IncidentState::word), request.page);
    let (skip, take) = (usize::try_from(page.offset()).unwrap_or(usize::MAX), usize::try_from(page.limit).unwrap_or(0));
    let engine = call.app.sequencer.engine();
    let facts = engine.catalog();
    // An incident whose window has passed is closed only when the next one opens.
    let present = |kept: &Kept| match kept.status {
        IncidentStatus::Open if kept.until() < engine.time() => IncidentStatus::Lapsed,
        status => status,
    };
    let fits = |kept: &&Kept| wanted.is_none_or(|wanted| state(present(kept)) == wanted);
    let view = |kept: &Kept| Incident {
        id: kept.id.0,
        observation_id: kept.observation.0,
        chain: kept.credited.chain.name(),
        user_id: kept.credited.user.0,
        currency_id: kept.credited.asset.0,
        credited: amount(facts, kept.credited.asset, kept.credited.amount),
        seen: kept.seen.map(|seen| IncidentSeen {
            user_id: seen.user.0,
            currency_id: seen.asset.0,
            amount: amount(facts, seen.asset, seen.amount),
        }),
        contradicted: amount(facts, kept.credited.asset, kept.contradicted()),
        state: state(present(kept)),
        opened_ms: kept.opened.0,
        until_ms: kept.until().0,
        closed_ms: kept.closed.map(|at| at.0),
    };
    let found: Vec<Incident> = engine.incidents().rev().filter(fits).skip(skip).take(take).map(view).collect();
    let total = engine.incidents().filter(fits).count() as u64;
    Ok(Reply::ok(Paginator::new(found, total, page)))
}
