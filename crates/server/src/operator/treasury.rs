//! House accounts: what is free, and transfers under dual control. Also the switch that stops opening a product.

use engine::backoffice::acts::OperatorAct;
use engine::backoffice::proposals::Proposed;
use engine::ids::{AssetId, MarketId};
use engine::ledger::HouseAccount;
use engine::product::Product;

use super::proposals::propose;
use super::{HOUSE_TEXTS, Reason, act, keep_text};
use crate::api::command::answer;
use crate::api::market::pools::{self, Pool};
use crate::http::Call;
use crate::http::params::Kind;
use crate::http::reply::{Answer, Code, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request};
use crate::http::values::{TypedAmount, Value};

/// `GET /operator/api/treasury`
pub async fn list(call: Call) -> Answer {
    let engine = call.app.sequencer.engine();
    let pools: Vec<Pool> = pools::all(&engine);
    Ok(Reply::ok(pools).at(engine.seq().0))
}

fn account(word: Option<&str>) -> Result<HouseAccount, Refusal> {
    let all = HouseAccount::POOLS.into_iter().chain([HouseAccount::External]);
    all.into_iter().find(|account| Some(pools::word(*account)) == word).or_refuse(Code::UnknownWallet)
}

request! {
    /// What `treasury/move` takes.
    pub struct Move checked by handler {
        required from: Option<String>,
        required to: Option<String>,
        required currency_id: Input<u64>,
        required amount: TypedAmount,
        required reason: Reason,
    }
}

/// `POST /operator/api/treasury/move`
pub async fn move_capital(call: Call, request: Move) -> Answer {
    let (from, to) = (account(request.from.as_deref())?, account(request.to.as_deref())?);
    let asset = AssetId(u32::try_from(request.currency_id.or(Code::UnknownAsset)?).map_err(|_| refuse(Code::UnknownAsset))?);
    let scale = call.app.sequencer.engine().known_coin(asset).map(|asset| asset.scale).or_refuse(Code::UnknownAsset)?;
    let amount = request.amount.atoms(scale)?;
    propose(&call, Proposed::TreasuryMove { asset, from, to, amount }, Some(asset), &request.reason.0).await
}

/// A product whose opening can be paused, by its word.
#[derive(Clone, Copy, Debug)]
pub struct PausableProduct(Product);

impl Value for PausableProduct {
    const KIND: Kind = Kind::Text;

    fn parse(name: &'static str, text: &str) -> Result<PausableProduct, Refusal> {
        Product::named(text).filter(|product| product.may_pause()).map(PausableProduct).ok_or_else(|| bad_field(name, "enum"))
    }
}

request! {
    /// What `catalog/pause` takes.
    pub struct Pause {
        required product: PausableProduct,
        optional match_id: Input<u64>,
        required on: bool,
        required reason: Reason,
    }
}

/// `POST /operator/api/catalog/pause`
pub async fn pause(call: Call, request: Pause) -> Answer {
    let Pause { product: PausableProduct(product), on, reason: Reason(why), .. } = request;
    let market = match request.match_id.is_sent() {
        false => None,
        true => Some(MarketId(u32::try_from(request.match_id.or(Code::UnknownMarket)?).map_err(|_| refuse(Code::UnknownMarket))?)),
    };
    // The pause is already as requested. Nothing is left to do, and the contract has no refusal for it.
    let so = call.app.sequencer.engine().paused().any(|paused| paused == (product, market));
    let known = market.is_none_or(|market| call.app.sequencer.engine().catalog().market(market).is_some());
    if so == on && known && !call.was_answered() {
        return Ok(Reply::say("ok.saved"));
    }
    let reason = keep_text(&call, HOUSE_TEXTS, &why).await?;
    match act(&call, OperatorAct::Pause { product, market, on, reason }, None).await {
        // Another operator did the same a moment earlier.
        Err(Refusal { code: Code::WrongState, seq, replay, .. }) => {
            let mut reply = Reply::say("ok.saved");
            (reply.seq, reply.replay) = (seq, replay);
            Ok(reply)
        }
        paused => Ok(answer("ok.saved", &paused?)),
    }
}
