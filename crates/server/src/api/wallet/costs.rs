//! The cost of coins and the profit from selling them (`wallet/costs`), by the rules of [`store::costs`].

use engine::amount::PRICE_SCALE;
use engine::ids::AssetId;
use engine::units::Scales;
use serde::Serialize;
use store::costs::{self, Cost};
use utoipa::ToSchema;

use super::balances::USDT;
use crate::http::decimal::{fixed, signed};
use crate::http::reply::{Answer, Reply};
use crate::http::request::request;
use crate::http::units;
use crate::http::{App, Call};

/// Quantity and cost of a member's coin, over all accounts.
#[derive(Debug, Serialize, ToSchema)]
pub struct CoinCost {
    coin: u32,
    /// The part whose cost is known.
    quantity: String,
    /// The part that came in while the coin had no price, so that its cost is not known.
    without_cost: String,
    /// Cost of `quantity`, USDT.
    cost: String,
    /// Average cost of one whole coin, USDT, rounded down. Null if no cost is known.
    average: Option<String>,
    /// Realised profit of all sales, USDT. Negative for a loss.
    realised: String,
}

request! {
    /// What `wallet/costs` takes.
    pub struct ListCosts checked by handler {
        optional coin: Option<u64>,
    }
}

/// `GET wallet/costs`
pub async fn list(call: Call, request: ListCosts) -> Answer {
    let (app, me) = (&call.app, call.user()?);
    let coin = request.coin.map(|number| units::coin(&app.catalog, Some(&number))).transpose()?.map(|asset| asset.id);
    // As recent as what the accounts show.
    let seq = app.sequencer.engine().seq().0;
    app.wait_for(seq).await?;
    let costs = costs::of_member(&app.db, me, coin).await?;
    Ok(Reply::ok(costs.into_iter().map(|(asset, cost)| shown(app, asset, cost)).collect::<Vec<_>>()).at(seq))
}

fn shown(app: &App, asset: AssetId, cost: Cost) -> CoinCost {
    let scale = |asset| app.catalog.scale(asset);
    let (scales, Cost { holding, realised }) = (Scales { base: scale(asset), quote: scale(USDT) }, cost);
    CoinCost {
        coin: asset.0,
        quantity: fixed(holding.quantity, scales.base),
        without_cost: fixed(holding.uncosted, scales.base),
        cost: fixed(holding.cost, scales.quote),
        average: holding.average(scales).map(|price| fixed(price.0, PRICE_SCALE)),
        realised: signed(realised.into(), scales.quote),
    }
}
