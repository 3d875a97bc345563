//! A spot order and a fill as the wire shows them (`docs/api.md` 5.6).

use engine::amount::PRICE_SCALE;
use engine::catalog::Catalog;
use engine::event::Trade;
use engine::spot::SpotOrder;
use engine::spot::status::Status;
use engine::spot::{OrderKind, Side, TimeInForce};
use serde::Serialize;
use store::history::{Fill, side_number};
use store::rows::{average, fill_id, status_number};
use utoipa::ToSchema;

use crate::http::decimal::trimmed;
use crate::http::decimal::{Decimal, WireTime};
use crate::http::reply::Refusal;
use crate::http::{types, units};

/// A spot order.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SpotOrder)]
pub struct OrderView {
    id: u64,
    client_order_id: Option<String>,
    match_id: u32,
    symbol: String,
    currency_id: u32,
    legal_id: u32,
    #[serde(rename = "type")]
    #[schema(value_type = types::Side)]
    side: u8,
    #[schema(value_type = types::OrderType)]
    order_type: &'static str,
    #[schema(value_type = types::TimeInForce)]
    tif: &'static str,
    #[schema(value_type = Option<String>)]
    target_price: Option<Decimal>,
    #[schema(value_type = Option<String>)]
    stop_price: Option<Decimal>,
    #[schema(value_type = Option<String>)]
    trade_price: Option<Decimal>,
    #[schema(value_type = Option<String>)]
    trade_amount: Option<Decimal>,
    #[schema(value_type = Option<String>)]
    funds: Option<Decimal>,
    #[schema(value_type = String)]
    filled_amount: Decimal,
    #[schema(value_type = String)]
    filled_value: Decimal,
    #[schema(value_type = Option<String>)]
    avg_price: Option<Decimal>,
    #[schema(value_type = Option<String>)]
    left_amount: Option<Decimal>,
    #[schema(value_type = String)]
    frozen: Decimal,
    /// Taker fee as a fraction, fixed when the order was placed.
    charge_fee: String,
    /// Maker fee in percent, fixed when the order was placed (S-9, I-11). A post-only order pays no other.
    maker_fee: String,
    #[schema(value_type = String)]
    fee: Decimal,
    fee_currency: String,
    #[schema(value_type = types::SpotStatus)]
    status: u8,
    #[schema(value_type = types::Flag)]
    waiting_trigger: u8,
    #[schema(value_type = Option<types::SpotReason>)]
    reason: Option<&'static str>,
    seq: u64,
    #[schema(value_type = String)]
    created_at: WireTime,
    created_at_ms: u64,
    #[schema(value_type = String)]
    updated_at: WireTime,
    updated_at_ms: u64,
}

/// One side of a trade.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SpotFill)]
pub struct FillView {
    id: u64,
    trade_id: u64,
    order_id: u64,
    symbol: String,
    #[serde(rename = "type")]
    #[schema(value_type = types::Side)]
    side: u8,
    #[schema(value_type = String)]
    price: Decimal,
    #[schema(value_type = String)]
    amount: Decimal,
    #[schema(value_type = String)]
    value: Decimal,
    #[schema(value_type = String)]
    fee: Decimal,
    fee_currency: String,
    #[schema(value_type = types::FillRole)]
    role: &'static str,
    seq: u64,
    #[schema(value_type = String)]
    created_at: WireTime,
    created_at_ms: u64,
}

/// An order as the wire shows it, after the entry `seq`.
pub fn order_view(catalog: &Catalog, order: &SpotOrder, seq: u64) -> Result<OrderView, Refusal> {
    let market = units::by_id(catalog, order.market)?;
    let base = |atoms| units::amount_of(catalog, market.base, atoms);
    let quote = |atoms| units::amount_of(catalog, market.quote, atoms);
    let (order_type, time_in_force, stop) = match order.kind {
        OrderKind::Limit { time_in_force, .. } => ("limit", time_in_force, None),
        OrderKind::Market { .. } => ("market", TimeInForce::ImmediateOrCancel, None),
        OrderKind::StopLimit { stop, time_in_force, .. } => ("stop_limit", time_in_force, Some(stop)),
    };
    let (held, received) = match order.side {
        Side::Buy => (quote(order.held), market.base),
        Side::Sell => (base(order.held), market.quote),
    };
    let funds = match (order.kind, order.side) {
        (OrderKind::Market { size }, Side::Buy) => Some(quote(size)),
        _ => None,
    };
    let left = order.left().map(|left| if order.is_live() { left } else { 0 });
    Ok(OrderView {
        id: order.id.0,
        client_order_id: order.client_order_id.map(|id| id.as_str().to_owned()),
        match_id: market.id.0,
        symbol: market.symbol.clone(),
        currency_id: market.base.0,
        legal_id: market.quote.0,
        side: side_number(order.side),
        order_type,
        tif: tif_word(time_in_force),
        target_price: order.price().map(|price| units::price_of(market, price)),
        stop_price: stop.map(|price| units::price_of(market, price)),
        trade_price: Some(units::index_price_of(catalog, market, order.reference)),
        trade_amount: order.quantity().map(base),
        funds,
        filled_amount: base(order.filled),
        filled_value: quote(order.filled_value),
        avg_price: average(catalog, order).map(|price| units::price_of(market, price)),
        left_amount: left.map(base),
        frozen: held,
        charge_fee: trimmed(order.fee_rates.1.0, PRICE_SCALE),
        maker_fee: units::percent(order.fee_rates.0),
        fee: units::amount_of(catalog, received, order.fee),
        fee_currency: units::code(catalog, received).to_owned(),
        status: status_number(order.status),
        waiting_trigger: u8::from(order.status == Status::Waiting),
        reason: order.reason.map(|reason| reason.name()),
        seq,
        created_at: WireTime(order.created.0),
        created_at_ms: order.created.0,
        updated_at: WireTime(order.updated.0),
        updated_at_ms: order.updated.0,
    })
}

fn tif_word(time_in_force: TimeInForce) -> &'static str {
    match time_in_force {
        TimeInForce::GoodTillCancelled => "gtc",
        TimeInForce::ImmediateOrCancel => "ioc",
        TimeInForce::FillOrKill => "fok",
        TimeInForce::PostOnly => "post_only",
    }
}

/// One side of a trade.
pub fn fill_of(trade: &Trade, maker: bool, seq: u64) -> Fill {
    let (party, side) = if maker { (trade.maker, trade.taker_side.opposite()) } else { (trade.taker, trade.taker_side) };
    Fill {
        id: fill_id(trade, maker),
        trade: trade.id.0,
        order: party.order,
        market: trade.market,
        side,
        maker,
        price: trade.price,
        quantity: trade.quantity,
        value: trade.value,
        fee: party.fee,
        seq,
        time_ms: trade.time.0,
    }
}

/// A fill as the wire shows it.
pub fn fill_view(catalog: &Catalog, fill: &Fill) -> Result<FillView, Refusal> {
    let market = units::by_id(catalog, fill.market)?;
    let received = if fill.side == Side::Buy { market.base } else { market.quote };
    Ok(FillView {
        id: fill.id,
        trade_id: fill.trade,
        order_id: fill.order.0,
        symbol: market.symbol.clone(),
        side: side_number(fill.side),
        price: units::price_of(market, fill.price),
        amount: units::amount_of(catalog, market.base, fill.quantity),
        value: units::amount_of(catalog, market.quote, fill.value),
        fee: units::amount_of(catalog, received, fill.fee),
        fee_currency: units::code(catalog, received).to_owned(),
        role: if fill.maker { "maker" } else { "taker" },
        seq: fill.seq,
        created_at: WireTime(fill.time_ms),
        created_at_ms: fill.time_ms,
    })
}
