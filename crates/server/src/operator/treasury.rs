//! House accounts: what is free, and moves that two operators agree on. And the switch that stops opening a product.

use engine::ids::{AssetId, MarketId};
use engine::ledger::HouseAccount;
use engine::operator::OperatorAct;
use engine::product::Product;
use engine::proposals::Proposed;

use super::proposals::propose;
use super::{HOUSE_TEXTS, act, keep_text, reason};
use crate::http::Call;
use crate::http::pools::{self, Pool};
use crate::http::reply::{Answer, Code, OrRefuse, Refusal, Reply, bad_field};
use crate::http::spot::answer;

/// `GET /operator/api/treasury`
pub async fn list(call: Call) -> Answer {
    let engine = call.app.sequencer.engine();
    let pools: Vec<Pool> = pools::all(&engine);
    Ok(Reply::ok(pools).at(engine.seq().0))
}

fn account(call: &Call, name: &str) -> Result<HouseAccount, Refusal> {
    let word = call.params.get(name);
    let all = HouseAccount::POOLS.into_iter().chain([HouseAccount::External]);
    all.into_iter().find(|account| Some(pools::word(*account)) == word).or_refuse(Code::UnknownWallet)
}

/// `POST /operator/api/treasury/move`
pub async fn move_capital(call: Call) -> Answer {
    let why = reason(&call)?;
    let (from, to) = (account(&call, "from")?, account(&call, "to")?);
    let asset = AssetId(
        call.params
            .int("currency_id")
            .or_refuse(Code::UnknownAsset)?
            .and_then(|id| u32::try_from(id).ok())
            .or_refuse(Code::UnknownAsset)?,
    );
    let scale = call.app.sequencer.engine().catalog().asset(asset).map(|asset| asset.scale).or_refuse(Code::UnknownAsset)?;
    let amount = call.params.amount("amount", scale)?;
    propose(&call, Proposed::TreasuryMove { asset, from, to, amount }, Some(asset), &why).await
}

/// `POST /operator/api/catalog/pause`
pub async fn pause(call: Call) -> Answer {
    let why = reason(&call)?;
    call.params.complete()?;
    let named = Product::named(call.params.need("product")?);
    let product = named.filter(|product| product.may_pause()).ok_or_else(|| bad_field("product", "enum"))?;
    let on = call.params.flag("on")?.ok_or_else(|| bad_field("on", "required"))?;
    let market = match call.params.get("match_id") {
        None => None,
        Some(_) => Some(MarketId(
            call.params
                .int("match_id")
                .or_refuse(Code::UnknownMarket)?
                .and_then(|id| u32::try_from(id).ok())
                .or_refuse(Code::UnknownMarket)?,
        )),
    };
    // Already so: nothing to do, and the contract has no refusal for it.
    let so = call.app.sequencer.engine().paused().any(|paused| paused == (product, market));
    let known = market.is_none_or(|market| call.app.sequencer.engine().catalog().market(market).is_some());
    if so == on && known {
        return Ok(Reply::say("ok.saved"));
    }
    let reason = keep_text(&call, HOUSE_TEXTS, &why).await?;
    let applied = act(&call, OperatorAct::Pause { product, market, on, reason }, None).await?;
    Ok(answer("ok.saved", &applied))
}
