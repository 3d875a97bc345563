//! What is offered (`api.md` 4.11).

use engine::ids::OfferingId;
use engine::subscriptions::offering::Offering;
use engine::subscriptions::status::OfferingStatus;
use serde_json::json;
use store::Page;

use crate::api::subscriptions::view::{offering_view, recommended};
use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Reply};
use crate::http::request::{ById, request};

request! {
    /// What `lh/send/config` takes.
    pub struct ListOfferings in turn {
        optional page: Page,
    }
}

/// Those that one can commit to come first, those that are over last; the newer one before the older.
fn rank(offering: &Offering) -> (u8, std::cmp::Reverse<OfferingId>) {
    let rank = match offering.status {
        OfferingStatus::Open => 0,
        OfferingStatus::Upcoming => 1,
        OfferingStatus::SoldOut | OfferingStatus::Allocated => 2,
        OfferingStatus::Launched => 3,
        OfferingStatus::Ended | OfferingStatus::Cancelled => 4,
    };
    (rank, std::cmp::Reverse(offering.terms.id))
}

/// `GET lh/send/config`
pub async fn list(call: Call, request: ListOfferings) -> Answer {
    let engine = call.app.sequencer.engine();
    let mut all: Vec<&Offering> = engine.offerings().collect();
    all.sort_by_key(|offering| rank(offering));
    let bound = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let shown = all.into_iter().skip(bound(request.page.offset())).take(bound(request.page.limit));
    let rows: Vec<_> = shown.map(|offering| offering_view(&engine, call.lang, offering)).collect();
    Ok(Reply::ok(rows).at(engine.seq().0))
}

/// `GET lh/send/product_info`
pub async fn one(call: Call, request: ById) -> Answer {
    let id = u32::try_from(request.id.or(Code::NotFound)?).ok().map(OfferingId);
    let engine = call.app.sequencer.engine();
    let offering = id.and_then(|id| engine.offering(id)).or_refuse(Code::NotFound)?;
    Ok(Reply::ok(offering_view(&engine, call.lang, offering)).at(engine.seq().0))
}

/// `GET lh/send/get_recommend`
pub async fn recommend(call: Call) -> Answer {
    let engine = call.app.sequencer.engine();
    let shown = recommended(&engine).map(|offering| offering_view(&engine, call.lang, offering));
    Ok(shown.map_or_else(|| Reply::ok(json!({})), Reply::ok).at(engine.seq().0))
}
