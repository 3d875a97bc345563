//! The offerings (`docs/api.md` 4.11).

use engine::ids::OfferingId;
use engine::listing::change::TextKind;
use engine::subscriptions::offering::Offering;
use engine::subscriptions::status::OfferingStatus;
use serde_json::{Value as Json, json};
use store::{Page, catalog_texts};

use crate::api::subscriptions::view::{OfferingView, offering_view, recommended};
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply};
use crate::http::request::{ById, request};
use crate::http::types::EntryRange;
use crate::http::{App, Call};

request! {
    /// What `lh/send/config` takes.
    pub struct ListOfferings checked by handler {
        optional page: Page,
    }
}

/// Order of the list: open offerings first, ended ones last, and newer ones before older ones.
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

/// The white paper of each; two operators agreed on the digest of its address.
async fn with_papers(app: &App, mut shown: Vec<OfferingView>) -> Result<Vec<OfferingView>, Refusal> {
    for offering in &mut shown {
        let Some(digest) = app.catalog.text(TextKind::WhitePaper, offering.id) else { continue };
        let text = catalog_texts::find(&app.db, digest).await?;
        let kept: Option<Json> = text.and_then(|text| serde_json::from_str(&text).ok());
        offering.white_paper = kept.and_then(|kept| kept["url"].as_str().map(str::to_owned)).filter(|url| !url.is_empty());
    }
    Ok(shown)
}

/// `GET lh/send/config`
pub async fn list(call: Call, request: ListOfferings) -> Answer {
    let (rows, seq) = listed(&call, request.page);
    Ok(Reply::ok(with_papers(&call.app, rows).await?).data(EntryRange { from_seq: 1, to_seq: seq }).at(seq))
}

fn listed(call: &Call, page: Page) -> (Vec<OfferingView>, u64) {
    let engine = call.app.sequencer.engine();
    let mut all: Vec<&Offering> = engine.offerings().collect();
    all.sort_by_key(|offering| rank(offering));
    let bound = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let shown = all.into_iter().skip(bound(page.offset())).take(bound(page.limit));
    (shown.map(|offering| offering_view(&engine, call.lang, offering)).collect(), engine.seq().0)
}

/// `GET lh/send/product_info`
pub async fn one(call: Call, request: ById) -> Answer {
    let id = u32::try_from(request.id.or(Code::NotFound)?).ok().map(OfferingId);
    let (shown, seq) = {
        let engine = call.app.sequencer.engine();
        let offering = id.and_then(|id| engine.offering(id)).or_refuse(Code::NotFound)?;
        (offering_view(&engine, call.lang, offering), engine.seq().0)
    };
    let shown = with_papers(&call.app, vec![shown]).await?.pop().or_refuse(Code::Internal)?;
    Ok(Reply::ok(shown).data(EntryRange { from_seq: 1, to_seq: seq }).at(seq))
}

/// `GET lh/send/get_recommend`
pub async fn recommend(call: Call) -> Answer {
    let (shown, seq) = {
        let engine = call.app.sequencer.engine();
        (recommended(&engine).map(|offering| offering_view(&engine, call.lang, offering)), engine.seq().0)
    };
    let shown = with_papers(&call.app, shown.into_iter().collect()).await?.pop();
    Ok(shown.map_or_else(|| Reply::ok(json!({})), Reply::ok).data(EntryRange { from_seq: 1, to_seq: seq }).at(seq))
}
