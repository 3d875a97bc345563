//! Favourite pairs.

use engine::ids::{MarketId, UserId};
use store::favourites;

use super::Call;
use super::reply::{Answer, OrRefuse, Refusal, Reply};

/// `GET favor/list`
pub async fn list(call: Call) -> Answer {
    let me = call.user()?;
    answer(&call, me).await
}

/// `POST favor/add`
pub async fn add(call: Call) -> Answer {
    let (me, market) = (call.user()?, market(&call)?);
    favourites::add(&call.app.db, me, market).await?;
    answer(&call, me).await
}

/// `POST favor/del`
pub async fn remove(call: Call) -> Answer {
    let (me, market) = (call.user()?, market(&call)?);
    favourites::remove(&call.app.db, me, market).await?;
    answer(&call, me).await
}

fn market(call: &Call) -> Result<MarketId, Refusal> {
    let number = call.params.need_int("match_id").or_refuse("E_MARKET")?;
    let id = u32::try_from(number).ok().map(MarketId);
    id.filter(|id| call.app.catalog.market(*id).is_some()).or_refuse("E_MARKET")
}

async fn answer(call: &Call, me: UserId) -> Answer {
    Ok(Reply::ok(favourites::list(&call.app.db, me).await?))
}
