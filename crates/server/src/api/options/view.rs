//! An option as the wire shows it (`docs/api.md` 5.6).

use engine::Engine;
use engine::amount::Rate;
use engine::options::option::{BinaryOption, Direction, Status};
use engine::time::Time;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::decimal::{Decimal, WireTime};
use crate::http::reply::Refusal;
use crate::http::types;
use crate::http::units::{self, amount_of, index_price_of, percent, tie_rule};
use crate::i18n::{Lang, text};

/// An option.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = OptionOrder)]
pub struct OptionView {
    id: u64,
    user_id: u64,
    match_id: u32,
    symbol_name: String,
    currency_id: u32,
    currency_name: String,
    #[serde(rename = "type")]
    #[schema(value_type = types::OptionDirection)]
    direction: u8,
    type_name: &'static str,
    seconds: u32,
    #[schema(value_type = String)]
    number: Decimal,
    #[schema(value_type = String)]
    fee: Decimal,
    profit_ratio: String,
    #[schema(value_type = types::Flag)]
    even: u8,
    tolerance: String,
    #[schema(value_type = types::TieRule)]
    tie_rule: &'static str,
    #[schema(value_type = String)]
    profit: Decimal,
    #[schema(value_type = String)]
    open_price: Decimal,
    open_time_ms: u64,
    #[schema(value_type = Option<String>)]
    end_price: Option<Decimal>,
    end_time_ms: Option<u64>,
    delivery_time_ms: u64,
    remain_milli_seconds: u64,
    #[schema(value_type = types::OptionStatus)]
    status: u8,
    status_name: &'static str,
    #[schema(value_type = Option<types::OptionDirection>)]
    outcome: Option<u8>,
    #[schema(value_type = types::OptionResult)]
    result: &'static str,
    #[schema(value_type = Option<types::ProfitResult>)]
    profit_result: Option<i8>,
    profit_result_name: &'static str,
    refund: bool,
    fact_profits: Option<String>,
    #[schema(value_type = Option<String>)]
    payout: Option<Decimal>,
    seq: u64,
    settle_seq: Option<u64>,
    #[schema(value_type = String)]
    created_at: WireTime,
    created_at_ms: u64,
    #[schema(value_type = Option<String>)]
    complete_at: Option<WireTime>,
    complete_at_ms: Option<u64>,
}

fn direction_key(direction: Direction) -> &'static str {
    match direction {
        Direction::Up => "option.up",
        Direction::Down => "option.down",
        Direction::Flat => "option.even",
    }
}

/// The wire's word and number of a result, and the key of its text.
fn result(status: Status) -> (&'static str, Option<i8>, &'static str) {
    match status {
        Status::Open => ("open", None, "option.open"),
        Status::Won => ("won", Some(1), "option.won"),
        Status::Lost => ("lost", Some(-1), "option.lost"),
        Status::Pushed => ("push", Some(0), "option.push"),
        Status::Refunded => ("refunded", Some(0), "option.refunded"),
    }
}

/// An option in this language; an open one at the present price.
///
/// # Errors
/// When its pair is not listed.
pub fn option_view(engine: &Engine, lang: Lang, option: &BinaryOption, now: Time) -> Result<OptionView, Refusal> {
    let catalog = engine.catalog();
    let market = units::by_id(catalog, option.market)?;
    let amount = |atoms| amount_of(catalog, option.asset, atoms);
    let price = |price| index_price_of(catalog, market, price);
    let (settled, delivery) = (option.settled, option.settled.and_then(|settled| settled.delivery));
    let last = engine.index(option.market).and_then(|index| index.filter.last()).filter(|_| settled.is_none());
    let (word, profit_result, key) = result(option.status);
    let cost = option.quote.cost();
    let net = |received: u64| {
        let sign = if received < cost { "-" } else { "" };
        format!("{sign}{}", amount(received.abs_diff(cost)))
    };
    let pct = |rate: Rate| percent(rate);
    Ok(OptionView {
        id: option.id.0,
        user_id: option.user.0,
        match_id: market.id.0,
        symbol_name: market.symbol.clone(),
        currency_id: option.asset.0,
        currency_name: units::code(catalog, option.asset).to_owned(),
        direction: option.direction.number(),
        type_name: text(lang, direction_key(option.direction)),
        seconds: option.seconds,
        number: amount(option.quote.stake),
        fee: amount(option.quote.fee),
        profit_ratio: pct(option.terms.profit),
        even: u8::from(option.direction == Direction::Flat),
        tolerance: pct(option.terms.tolerance),
        tie_rule: tie_rule(option.terms.tie),
        profit: amount(option.quote.profit),
        open_price: price(option.open.sample.price),
        open_time_ms: option.open.sample.time.0,
        end_price: delivery.map(|made| made.sample.price).or(last.map(|last| last.price)).map(price),
        end_time_ms: delivery.map(|made| made.sample.time.0),
        delivery_time_ms: option.delivery_time().0,
        remain_milli_seconds: if settled.is_some() { 0 } else { option.delivery_time().since(now) },
        status: if settled.is_some() { 3 } else { 1 },
        status_name: text(lang, if settled.is_some() { "option.closed" } else { "option.open" }),
        outcome: settled.and_then(|settled| settled.outcome).map(Direction::number),
        result: word,
        profit_result,
        profit_result_name: text(lang, key),
        refund: option.status == Status::Refunded,
        fact_profits: settled.map(|settled| net(settled.received)),
        payout: settled.map(|settled| amount(settled.received)),
        seq: option.id.0,
        settle_seq: settled.map(|settled| settled.seq.0),
        created_at: WireTime(option.bought.0),
        created_at_ms: option.bought.0,
        complete_at: settled.map(|settled| WireTime(settled.time.0)),
        complete_at_ms: settled.map(|settled| settled.time.0),
    })
}
