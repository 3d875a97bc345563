//! Favourite pairs.

use engine::ids::MarketId;
use store::db::Returning;
use store::favourites;

use crate::http::Call;
use crate::http::code::Code;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply};
use crate::http::request::{Input, request};

/// `GET favor/list`
pub async fn list(call: Call) -> Answer {
    Ok(Reply::ok(favourites::list(&call.app.db, call.user()?).await?))
}

request! {
    /// What `favor/add` and `favor/del` take.
    pub struct Favourite checked by handler {
        required match_id: Input<u64>,
    }
}

/// `POST favor/add`
pub async fn add(call: Call, request: Favourite) -> Answer {
    let (me, market) = (call.user()?, market(&call, &request)?);
    let write = favourites::add(&call.app.db, me, market).await?;
    commit(&call, write).await
}

/// `POST favor/del`
pub async fn remove(call: Call, request: Favourite) -> Answer {
    let (me, market) = (call.user()?, market(&call, &request)?);
    commit(&call, favourites::remove(me, market)).await
}

fn market(call: &Call, request: &Favourite) -> Result<MarketId, Refusal> {
    let number = request.match_id.or(Code::UnknownMarket)?;
    let id = u32::try_from(number).ok().map(MarketId);
    id.filter(|id| call.app.catalog.market(*id).is_some()).or_refuse(Code::UnknownMarket)
}

async fn commit(call: &Call, write: Returning) -> Answer {
    Ok(call.commit_with(write, |done| Ok(Reply::ok(favourites::listed(done)?))).await?)
}
