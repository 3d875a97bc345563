//! The retirement of a pair (0.6): two operators agree on it, it is public a day before, and open orders are cancelled at its instant.

use engine::backoffice::proposals::{FURTHEST_MS, Proposed, RETIREMENT_NOTICE_MS};
use engine::ids::MarketId;
use engine::time::Time;

use super::Reason;
use super::proposals::propose;
use crate::http::Call;
use crate::http::reply::{Answer, Code, OrRefuse, bad_field};
use crate::http::request::{Input, request};

request! {
    /// What `market/retire` takes.
    pub struct Retire checked by handler {
        required match_id: Input<u64>,
        required at_ms: Input<Time>,
        required reason: Reason,
    }
}

/// `POST /operator/api/market/retire`
pub async fn retire(call: Call, request: Retire) -> Answer {
    let number = u32::try_from(request.match_id.or(Code::UnknownMarket)?).ok();
    let market =
        number.map(MarketId).filter(|id| call.app.sequencer.engine().catalog().market(*id).is_some()).or_refuse(Code::UnknownMarket)?;
    request.complete()?;
    let at = request.at_ms.required()?;
    let ahead = at.since(Time(call.app.now_ms()));
    if !call.was_answered() && !(RETIREMENT_NOTICE_MS..=FURTHEST_MS).contains(&ahead) {
        return Err(bad_field("at_ms", "range"));
    }
    propose(&call, Proposed::RetireMarket { market, at }, None, &request.reason.0).await
}
