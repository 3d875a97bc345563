//! Spot orders (`docs/api.md` 4.7): request fields into one command, its reply into the wire's order.

use std::cmp::Reverse;

use engine::Engine;
use engine::amount::{MAX_PRICE, PRICE_SCALE, Price};
use engine::catalog::{Catalog, Market, Wallet};
use engine::command::Command;
use engine::ids::{AssetId, MarketId, OrderId, UserId};
use engine::product::Product;
use engine::reject::Reject;
use engine::spot::SpotOrder;
use engine::spot::{OrderKind, OrderRef, PlaceSpotOrder, Side, TimeInForce};
use kernel::sequencer::Applied;
use serde::Serialize;
use store::Page;
use store::history::{self, Filter, OrderRow, side_number};
use store::order_changes;
use utoipa::ToSchema;

use crate::api::command::{answer, done};
use crate::api::country;
use crate::api::spot::view::{FillView, OrderView, fill_of, fill_view, order_view};
use crate::http::Call;
use crate::http::code::Code;
use crate::http::page::Paginator;
use crate::http::params::Kind;
use crate::http::reply::{Answer, OrRefuse, Refusal, Reply, bad_field, refuse};
use crate::http::request::{Input, request, words};
use crate::http::units::{self, About};
use crate::http::values::{TypedAmount, UpTo, Value};

/// An order and its fills.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrderWithFills {
    order: OrderView,
    fills: Vec<FillView>,
}

words! {
    /// Kind of an order.
    pub enum OrderType {
        Limit = "limit",
        Market = "market",
        StopLimit = "stop_limit",
    }
}

words! {
    /// How long an order may wait.
    pub enum TifWord {
        Gtc = "gtc",
        Ioc = "ioc",
        Fok = "fok",
        PostOnly = "post_only",
    }
}

/// 1 buys, 2 sells.
impl Value for Side {
    const KIND: Kind = Kind::Integer;

    fn parse(name: &'static str, text: &str) -> Result<Side, Refusal> {
        match text {
            "1" => Ok(Side::Buy),
            "2" => Ok(Side::Sell),
            _ => Err(bad_field(name, "enum")),
        }
    }
}

request! {
    /// What `POST coin/trade` takes.
    pub struct PlaceOrder checked by handler {
        required legal_id: Input<u64>,
        required currency_id: Input<u64>,
        required side: Input<Side> = "type",
        optional amount: TypedAmount,
        optional target_price: TypedAmount,
        optional order_type: Input<OrderType>,
        optional tif: Input<TifWord>,
        optional stop_price: TypedAmount,
        optional funds: TypedAmount,
        optional client_order_id: Option<String>,
    }
}

impl PlaceOrder {
    fn pair<'a>(&self, catalog: &'a Catalog) -> Result<&'a Market, Refusal> {
        units::by_coins(catalog, self.currency_id.readable(), self.legal_id.readable())
    }
}

request! {
    /// An order by its number, or by the client's own id.
    pub struct OneOrder checked by handler {
        optional id: Input<u64>,
        optional client_order_id: Option<String>,
    }
}

impl OneOrder {
    pub(super) fn order(&self) -> Result<OrderRef, Refusal> {
        let client = units::client_order_id(self.client_order_id.as_deref()).or_refuse(Code::NotFound)?;
        if self.id.is_sent() {
            return self.id.or(Code::NotFound).map(|id| OrderRef::Id(OrderId(id)));
        }
        client.map(OrderRef::Client).ok_or_else(|| bad_field("id", "required"))
    }
}

request! {
    /// What `coin/list` takes.
    pub struct ListOrders checked by handler {
        optional currency_id: Option<u64>,
        optional legal_id: Option<u64>,
        optional status: Option<UpTo<3>>,
        optional side: Option<UpTo<2>> = "type",
        optional page: Page,
    }
}

request! {
    /// What `coin/fills` takes.
    pub struct ListFills checked by handler {
        optional currency_id: Option<u64>,
        optional legal_id: Option<u64>,
        optional order_id: Input<u64>,
        optional page: Page,
    }
}

/// `POST coin/trade`
pub async fn place(call: Call, request: PlaceOrder) -> Answer {
    let user = call.user()?;
    let catalog = &call.app.catalog;
    let client_order_id = units::client_order_id(request.client_order_id.as_deref())?;
    let meant = request.pair(catalog).ok();
    country::check(&call, Product::Spot, |engine| is_paused(engine, meant)).await?;
    let (market, side, kind) = wanted(&call, &request).map_err(|fault| in_turn(&call, user, meant, fault))?;
    let about = About { catalog, market: Some(market), asset: None, wallet: Wallet::Spot };
    let command = Command::PlaceSpotOrder(PlaceSpotOrder { user, market: market.id, side, kind, client_order_id });
    let applied = call.app.sequencer.submit(command, call.request).await?;
    let seq = applied.answered_by();
    done(&applied, |reject| refusal(about, reject, side))?;
    let order = applied.spot_order().or_refuse(Code::Internal)?;
    let order = order_view(catalog, order, seq)?;
    Ok(answer("ok.order_placed", &applied).data(OrderWithFills { order, fills: fills_of(catalog, &applied)? }))
}

/// The trades of an order that its own command made.
pub(super) fn fills_of(catalog: &Catalog, applied: &Applied) -> Result<Vec<FillView>, Refusal> {
    applied.trades().map(|trade| fill_view(catalog, &fill_of(trade, false, applied.answered_by()))).collect()
}

/// Opening is paused for the pair that is meant, or for all.
fn is_paused(engine: &Engine, meant: Option<&Market>) -> bool {
    let meant = meant.map(|market| market.id);
    engine.paused().any(|(product, of)| product == Product::Spot && (of.is_none() || of == meant))
}

/// An unreadable order never reaches the engine, but a pause and a freeze still come before its fault.
fn in_turn(call: &Call, user: UserId, market: Option<&Market>, fault: Refusal) -> Refusal {
    match call.app.sequencer.engine().may_trade(user, market.map(|market| market.id)) {
        Err(reject) => About { catalog: &call.app.catalog, market, asset: None, wallet: Wallet::Spot }.refusal(&reject),
        Ok(()) => fault,
    }
}

/// Pair, side and kind of an order, refused in the order of the call's list.
fn wanted<'a>(call: &'a Call, request: &PlaceOrder) -> Result<(&'a Market, Side, OrderKind), Refusal> {
    let market = request.pair(&call.app.catalog)?;
    let side = request.side.or(Code::UnknownSide)?;
    let word = request.order_type.optional().or_refuse(Code::UnknownOrderType)?.unwrap_or(OrderType::Limit);
    // Samples trigger stops (S-4), so a stop would wait for ever without an index.
    if word == OrderType::StopLimit && call.app.catalog.index(market.id).is_none() {
        return Err(refuse(Code::UnknownOrderType));
    }
    let kind = match word {
        OrderType::Market => at_market(call, request, market, side)?,
        OrderType::Limit | OrderType::StopLimit => priced(&call.app.catalog, request, market, word)?,
    };
    // Amounts that this kind of order ignores must still be readable.
    [&request.amount, &request.target_price, &request.stop_price, &request.funds].into_iter().try_for_each(TypedAmount::check)?;
    Ok((market, side, kind))
}

/// A market order. The price it needs is checked before its figures. A readable order goes to the engine even without a price, because it
/// may be a repetition.
fn at_market(call: &Call, request: &PlaceOrder, market: &Market, side: Side) -> Result<OrderKind, Refusal> {
    let catalog = &call.app.catalog;
    let size = match side {
        _ if request.tif.is_sent() => Err(refuse(Code::TimeInForce)),
        Side::Buy => request.funds.atoms(scale(catalog, market.quote)),
        Side::Sell => request.amount.atoms(scale(catalog, market.base)),
    };
    match size {
        Err(_) if call.app.sequencer.engine().reference_price(market.id).is_none() => {
            let about = About { catalog, market: Some(market), asset: None, wallet: Wallet::Spot };
            Err(about.refusal(&Reject::PriceStale))
        }
        size => Ok(OrderKind::Market { size: size? }),
    }
}

/// An order with a price of its own.
fn priced(catalog: &Catalog, request: &PlaceOrder, market: &Market, word: OrderType) -> Result<OrderKind, Refusal> {
    let time_in_force = match request.tif.optional().or_refuse(Code::TimeInForce)? {
        None | Some(TifWord::Gtc) => TimeInForce::GoodTillCancelled,
        Some(TifWord::Ioc) => TimeInForce::ImmediateOrCancel,
        Some(TifWord::Fok) => TimeInForce::FillOrKill,
        Some(TifWord::PostOnly) => TimeInForce::PostOnly,
    };
    let quantity = request.amount.atoms(scale(catalog, market.base))?;
    let price = price_of(&request.target_price)?;
    Ok(match word {
        OrderType::StopLimit => OrderKind::StopLimit { stop: price_of(&request.stop_price)?, price, quantity, time_in_force },
        _ => OrderKind::Limit { price, quantity, time_in_force },
    })
}

/// A price on its way to the engine.
pub(super) fn price_of(typed: &TypedAmount) -> Result<Price, Refusal> {
    match typed.atoms(PRICE_SCALE)? {
        price if price < MAX_PRICE.0 => Ok(Price(price)),
        _ => Err(typed.refused("range")),
    }
}

fn scale(catalog: &Catalog, asset: AssetId) -> u8 {
    catalog.scale(asset)
}

/// `GET coin/list`
pub async fn list(call: Call, request: ListOrders) -> Answer {
    let user = call.user()?;
    let markets = markets(&call, request.currency_id, request.legal_id);
    let (status, side) = (request.status.map(|status| status.0), request.side.map(|side| side.0));
    let mut filter = Filter { markets, status, side, ..Filter::default() };
    let page = request.page;
    // The engine has the open orders, and the history those that had ended by then.
    let (seq, mut rows) = {
        let engine = call.app.sequencer.engine();
        let fits = |order: &&SpotOrder| {
            filter.status.is_none_or(|status| status == 1)
                && filter.markets.as_ref().is_none_or(|markets| markets.contains(&order.market))
                && filter.side.is_none_or(|side| side == u64::from(side_number(order.side)))
        };
        let seq = engine.seq().0;
        let open = engine.live_spot_orders(user).filter(fits).map(|order| OrderRow { order: *order, seq });
        (seq, open.collect::<Vec<_>>())
    };
    // Each open order shifts the page by at most one row, so the page is within the rows from here to its end.
    let open = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    let before = page.offset().min(open);
    if filter.status != Some(1) {
        call.app.wait_for(seq).await?;
        filter.up_to_seq = Some(seq);
        rows.extend(history::orders(&call.app.db, user, &filter, page.limit + open, page.offset() - before).await?);
    }
    rows.sort_by_key(|row| Reverse(row.order.id));
    let bound = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let rows: Vec<&OrderRow> = rows.iter().skip(bound(before)).take(bound(page.limit)).collect();
    let live: Vec<&SpotOrder> = rows.iter().map(|row| &row.order).filter(|order| order.is_live()).collect();
    let changed = order_changes::last(&call.app, &live, seq).await?;
    let view = |row: &OrderRow| order_view(&call.app.catalog, &row.order, changed.get(&row.order.id).copied().unwrap_or(row.seq));
    Ok(Reply::ok(rows.into_iter().map(view).collect::<Result<Vec<_>, _>>()?).at(seq))
}

/// `GET coin/order`
pub async fn order(call: Call, request: OneOrder) -> Answer {
    let (user, wanted) = (call.user()?, request.order()?);
    let (seq, open) = {
        let engine = call.app.sequencer.engine();
        (engine.seq().0, engine.spot_order(user, &wanted).filter(|order| order.is_live()).cloned())
    };
    call.app.wait_for(seq).await?;
    let row = match open {
        Some(order) => {
            let changed = order_changes::last(&call.app, &[&order], seq).await?;
            let seq = changed.get(&order.id).copied().unwrap_or(seq);
            OrderRow { order, seq }
        }
        None => history::order(&call.app.db, user, &wanted, seq).await?.or_refuse(Code::NotFound)?,
    };
    let filter = Filter { order: Some(row.order.id), up_to_seq: Some(seq), ..Filter::default() };
    let all = store::Page { page: 1, limit: 1_000 };
    let (fills, _) = history::fills(&call.app.db, user, &filter, all).await?;
    let catalog = &call.app.catalog;
    let fills = fills.iter().map(|fill| fill_view(catalog, fill)).collect::<Result<_, _>>()?;
    Ok(Reply::ok(OrderWithFills { order: order_view(catalog, &row.order, row.seq)?, fills }).at(seq))
}

/// `GET coin/fills`
pub async fn fills(call: Call, request: ListFills) -> Answer {
    let user = call.user()?;
    let order = request.order_id.optional()?.map(OrderId);
    let (markets, page) = (markets(&call, request.currency_id, request.legal_id), request.page);
    if markets.as_ref().is_some_and(Vec::is_empty) {
        return Err(refuse(Code::UnknownMarket));
    }
    let filter = Filter { markets, order, ..Filter::default() };
    let (rows, total) = history::fills(&call.app.db, user, &filter, page).await?;
    let rows = rows.iter().map(|fill| fill_view(&call.app.catalog, fill)).collect::<Result<Vec<_>, _>>()?;
    Ok(Reply::ok(Paginator::new(rows, total, page)))
}

/// The pairs of these coins; `None` when no coin is asked for.
fn markets(call: &Call, base: Option<u64>, quote: Option<u64>) -> Option<Vec<MarketId>> {
    let fits = |wanted: Option<u64>, asset: AssetId| wanted.is_none_or(|wanted| wanted == u64::from(asset.0));
    let markets = call.app.catalog.markets.iter().filter(|market| fits(base, market.base) && fits(quote, market.quote));
    (base.is_some() || quote.is_some()).then(|| markets.map(|market| market.id).collect())
}

/// A refusal of the engine; the sentence about missing funds depends on the side.
pub(super) fn refusal(about: About<'_>, reject: &Reject, side: Side) -> Refusal {
    let mut refusal = about.refusal(reject);
    if side == Side::Sell && matches!(reject, Reject::Insufficient { .. }) {
        refusal.sentence = Some("E_INSUFFICIENT.sell");
    }
    refusal
}
