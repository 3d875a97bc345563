//! Credits that their chains contradict (D-7).

use engine::funding::incidents::{Incident, IncidentStatus};
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
#[schema(as = Incident)]
pub struct IncidentView {
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
    pub struct ListIncidents checked by handler {
        optional state: Option<IncidentState>,
        optional page: Page,
    }
}

/// `GET /operator/api/incidents`
pub async fn list(call: Call, request: ListIncidents) -> Answer {
    let (wanted, page) = (request.state.map(IncidentState::word), request.page);
    let (skip, take) = page.bounds();
    let engine = call.app.sequencer.engine();
    let facts = engine.catalog();
    // An incident whose window has passed is closed only when the next one opens.
    let present = |incident: &Incident| match incident.status {
        IncidentStatus::Open if incident.until() < engine.time() => IncidentStatus::Lapsed,
        status => status,
    };
    let fits = |incident: &&Incident| wanted.is_none_or(|wanted| state(present(incident)) == wanted);
    let view = |incident: &Incident| IncidentView {
        id: incident.id.0,
        observation_id: incident.observation.0,
        chain: incident.credited.chain.name(),
        user_id: incident.credited.user.0,
        currency_id: incident.credited.asset.0,
        credited: amount(facts, incident.credited.asset, incident.credited.amount),
        seen: incident.seen.map(|seen| IncidentSeen {
            user_id: seen.user.0,
            currency_id: seen.asset.0,
            amount: amount(facts, seen.asset, seen.amount),
        }),
        contradicted: amount(facts, incident.credited.asset, incident.contradicted()),
        state: state(present(incident)),
        opened_ms: incident.opened.0,
        until_ms: incident.until().0,
        closed_ms: incident.closed.map(|at| at.0),
    };
    let found: Vec<IncidentView> = engine.incidents().rev().filter(fits).skip(skip).take(take).map(view).collect();
    let total = engine.incidents().filter(fits).count() as u64;
    Ok(Reply::ok(Paginator::new(found, total, page)))
}
