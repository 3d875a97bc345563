//! Price alerts of a member (`docs/api.md` 4.14). They are created, listed and removed here; the history compares them with the samples.

use engine::amount::{MAX_PRICE, PRICE_SCALE, Price};
use engine::catalog::{Catalog, Market};
use engine::ids::MarketId;
use serde::Serialize;
use store::alerts::{self, Draft, MOST_ALERTS};
use store::db::DbError;
use utoipa::ToSchema;

use crate::http::code::Code;
use crate::http::decimal::trimmed;
use crate::http::page::ts;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, refuse};
use crate::http::request::{Input, request, words};
use crate::http::units::{by_id, index_price};
use crate::http::values::TypedAmount;
use crate::http::{Call, types};

/// A price alert: a level of an index.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Alert {
    id: u64,
    match_id: u32,
    symbol: String,
    #[schema(value_type = types::AlertDirection)]
    direction: &'static str,
    price: String,
    #[schema(value_type = types::Flag)]
    active: u8,
    fired_at: Option<String>,
    fired_at_ms: Option<u64>,
    created_at: String,
    created_at_ms: u64,
}

fn view(catalog: &Catalog, alert: &alerts::Alert) -> Result<Alert, Refusal> {
    let market = by_id(catalog, alert.market)?;
    Ok(Alert {
        id: alert.id,
        match_id: market.id.0,
        symbol: market.symbol.clone(),
        direction: if alert.above { Direction::Above } else { Direction::Below }.word(),
        price: level(catalog, market, alert.level),
        active: u8::from(alert.fired_ms.is_none()),
        fired_at: alert.fired_ms.map(ts),
        fired_at_ms: alert.fired_ms,
        created_at: ts(alert.created_at_ms),
        created_at_ms: alert.created_at_ms,
    })
}

/// A level with the decimals of the index; a level between two of its prices with all its decimals.
fn level(catalog: &Catalog, market: &Market, price: Price) -> String {
    let on_tick = catalog.index(market.id).is_some_and(|index| price.lies_on(index.tick));
    if on_tick { index_price(catalog, market, price) } else { trimmed(price.0, PRICE_SCALE) }
}

/// `GET alert/list`
pub async fn list(call: Call) -> Answer {
    let rows = alerts::list(&call.app.db, call.user()?).await?;
    let catalog: &Catalog = &call.app.catalog;
    Ok(Reply::ok(rows.iter().map(|alert| view(catalog, alert)).collect::<Result<Vec<_>, _>>()?))
}

words! {
    /// The direction in which the price has to move.
    pub enum Direction {
        Above = "above",
        Below = "below",
    }
}

request! {
    /// What `alert/add` takes.
    pub struct AddAlert checked by handler {
        required match_id: Input<u64>,
        required direction: Input<Direction>,
        required price: TypedAmount,
    }
}

/// `POST alert/add`
pub async fn add(call: Call, request: AddAlert) -> Answer {
    let (user, catalog): (_, &Catalog) = (call.user()?, &call.app.catalog);
    let number = request.match_id.or(Code::UnknownMarket)?;
    let id = u32::try_from(number).map(MarketId).ok().filter(|id| catalog.index(*id).is_some());
    let market = by_id(catalog, id.or_refuse(Code::UnknownMarket)?)?;
    let direction = request.direction.required()?;
    let price = Price(request.price.atoms(PRICE_SCALE)?);
    if price >= MAX_PRICE {
        return Err(request.price.refused("range"));
    }
    let text = level(catalog, market, price);
    let (after_seq, now_ms) = (call.app.sequencer.engine().seq().0, call.app.now_ms());
    let args = [("symbol", market.symbol.as_str()), ("price", text.as_str())];
    let above = direction == Direction::Above;
    let write = alerts::add(Draft { user, market: market.id, above, level: price, args: &args, after_seq, now_ms });
    let app = call.app.clone();
    let done = call.commit_with(write, move |done| Ok(Reply::ok(view(&app.catalog, &alerts::added(done)?)?))).await;
    done.map_err(|error| match error {
        DbError::Missed(2) => refuse(Code::TooManyOpen).with("max", MOST_ALERTS),
        other => other.into(),
    })
}

request! {
    /// What `alert/del` takes.
    pub struct RemoveAlert checked by handler {
        required id: Input<u64>,
    }
}

/// `POST alert/del`
pub async fn remove(call: Call, request: RemoveAlert) -> Answer {
    let me = call.user()?;
    let id = request.id.or(Code::NotFound)?;
    let done = call.commit(vec![alerts::remove(me, id)], Reply::say("ok.alert_removed")).await;
    done.map_err(|error| if error == DbError::Missed(0) { refuse(Code::NotFound) } else { error.into() })
}
