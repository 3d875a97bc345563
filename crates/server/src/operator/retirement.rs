//! The end of a pair (0.6): two operators agree on it, everybody can read of it a day before, open orders are given back at its instant.

use engine::ids::MarketId;
use engine::proposals::{FURTHEST_MS, Proposed, RETIREMENT_NOTICE_MS};
use engine::time::Time;

use super::proposals::propose;
use super::reason;
use crate::http::Call;
use crate::http::reply::{Answer, Code, OrRefuse, bad_field};

/// `POST /operator/api/market/retire`
pub async fn retire(call: Call) -> Answer {
    let why = reason(&call)?;
    let number = call.params.int("match_id").or_refuse(Code::UnknownMarket)?.and_then(|id| u32::try_from(id).ok());
    let market =
        number.map(MarketId).filter(|id| call.app.sequencer.engine().catalog().market(*id).is_some()).or_refuse(Code::UnknownMarket)?;
    call.params.complete()?;
    let at = Time(call.params.need_int("at_ms")?);
    let ahead = at.since(Time(call.app.now_ms()));
    if !call.was_answered() && !(RETIREMENT_NOTICE_MS..=FURTHEST_MS).contains(&ahead) {
        return Err(bad_field("at_ms", "range"));
    }
    propose(&call, Proposed::RetireMarket { market, at }, None, &why).await
}
