//! The published cases of contracts (4). `MERIDIAN_VECTORS=<dir>` runs another set of the same form.

#![allow(clippy::unwrap_used, reason = "a case that cannot be read has failed")]

use engine::amount::RATE_ONE;
use engine::contracts::deleverage::{Candidate, Closing, deleverage, ranking};
use engine::contracts::figures::{Figures, Size, StopFault, Stops, check_stops};
use engine::contracts::formulas::{Direction, Fee, Insurance, Profit, Requirement, Settlement, Stake, TickPrice, fee, settle};
use engine::contracts::position::{EndReason, fill_price, reason_at};
use engine::contracts::terms::Terms;
use engine::pool_day::check_pool_loss;
use engine::units::Scales;
use serde_json::{Map, Value, json};

#[path = "vectors/harness.rs"]
mod harness;

use harness::{Expected, amount, check, number, text};

#[test]
fn vectors_contracts() {
    check(
        "contracts.json",
        &[
            ("ct_open", open),
            ("ct_close", close),
            ("ct_liq_price", liquidation_price),
            ("ct_liquidate", liquidate),
            ("ct_overnight", overnight),
            ("ct_event", event),
            ("ct_limit", limit),
            ("ct_adl", adl),
        ],
    );
}

const SCALES: Scales = Scales { base: 8, quote: 6 };

fn terms(input: &Value) -> Terms {
    let market = if input["market"] == "BTC/USDT" { 1 } else { 2 };
    Terms::standard().into_iter().find(|terms| terms.market.0 == market).unwrap()
}

fn signed(value: &Value) -> i128 {
    value.as_str().unwrap().parse().unwrap()
}

fn int(value: impl ToString) -> Value {
    Value::String(value.to_string())
}

fn ticks(value: &Value) -> TickPrice {
    TickPrice(number(value))
}

fn direction(value: &Value) -> Result<Direction, String> {
    match value.as_str().unwrap() {
        "LONG" => Ok(Direction::Long),
        "SHORT" => Ok(Direction::Short),
        _ => Err("E_SIDE".to_owned()),
    }
}

fn name(reject: engine::reject::Reject) -> String {
    reject.name().to_owned()
}

fn stops(input: &Value) -> Stops {
    let price = |value: &Value| Some(ticks(value)).filter(|price| price.0 > 0);
    Stops { take_profit: price(&input["tp"]), stop_loss: price(&input["sl"]) }
}

fn open(input: &Value) -> Expected {
    let terms = terms(input);
    let direction = direction(&input["side"])?;
    let lots = amount(&input["lots"]).unwrap_or(0);
    let size = Size { direction, lots, multiple: u32::try_from(number(&input["leverage"])).unwrap() };
    terms.check_size(size).map_err(name)?;
    if number(&input["index_age"]) > engine::index::FRESH_MS {
        return Err("E_PRICE_STALE".to_owned());
    }
    let mark = ticks(&input["mark"]);
    let figures: Figures = terms.figures(SCALES, size, direction.opening(mark, terms.spread)).map_err(name)?;
    figures.check_alive(mark).map_err(name)?;
    let Figures { stake, required, cap, .. } = figures;
    let liquidation = stake.liquidation_price(figures.margin, required);
    check_stops(stake, cap, liquidation, mark, stops(input)).map_err(|fault| match fault {
        StopFault::TakeProfit { .. } => "E_TP".to_owned(),
        StopFault::StopLoss { .. } => "E_SL".to_owned(),
    })?;
    let left = number(&input["avail"]).checked_sub(figures.cost()).ok_or_else(|| "E_INSUFFICIENT".to_owned())?;
    if let Some(equity) = input.get("pool_day_start") {
        check_pool_loss(signed(&input["pool_day_pnl"]), signed(equity)).map_err(name)?;
    }
    let reserved = number(&input["reserved"]) + cap;
    if number(&input["pool"]) < reserved {
        return Err("E_POOL_SHORT".to_owned());
    }
    Ok(json!({
        "price": text(stake.entry.0), "notional": text(figures.notional), "margin": text(figures.margin), "fee": text(figures.fee),
        "mmr": text(required.maintenance.0), "ded": text(required.deduction), "liq": text(liquidation.0),
        "bankrupt": int(stake.bankruptcy_price(figures.margin)), "cap": text(cap), "cap_tick": int(stake.cap_price(cap)),
        "avail_after": text(left), "reserved_after": text(reserved),
    }))
}

/// The position of a case, with the requirement of its tier.
fn position(input: &Value) -> (Terms, Stake, Requirement) {
    let terms = terms(input);
    let direction = direction(&input["side"]).unwrap();
    let stake = Stake { direction, value: terms.tick_value(number(&input["lots"]), SCALES).unwrap(), entry: ticks(&input["p0"]) };
    let (_, required) = terms.tier(stake.notional(stake.entry)).unwrap();
    (terms, stake, required)
}

/// The four columns of 4.5, `to_insurance`: the fee goes there.
fn columns(margin: u64, profit: i128, settlement: Settlement, to_insurance: bool) -> Map<String, Value> {
    let Settlement { returned, fee, cover, uncovered } = settlement;
    let gone = i128::from(margin) + profit <= 0;
    let pool = if gone { i128::from(margin) + i128::from(cover) } else { -profit };
    let insurance = i128::from(if to_insurance { fee } else { 0 }) - i128::from(cover);
    let Value::Object(columns) = json!({
        "user": int(returned), "fee_paid": int(fee), "pool": int(pool), "insurance": int(insurance),
        "deficit": int(i128::from(cover) + uncovered), "uncovered": int(uncovered),
    }) else {
        unreachable!()
    };
    columns
}

fn close(input: &Value) -> Expected {
    let (terms, stake, _) = position(input);
    let (margin, cap) = (number(&input["margin"]), number(&input["cap"]));
    let price = stake.direction.closing(ticks(&input["mark"]), terms.spread);
    let profit = stake.profit(price).min(i128::from(cap));
    let charged = fee(stake.notional(price), terms.fee);
    let mut out = columns(margin, profit, settle(margin, Profit(profit), charged, Insurance(number(&input["insurance"]))), false);
    out.extend([("price".to_owned(), text(price.0)), ("pnl".to_owned(), int(profit)), ("close_fee".to_owned(), int(charged.0))]);
    Ok(Value::Object(out))
}

fn liquidation_price(input: &Value) -> Expected {
    let (_, stake, required) = position(input);
    let margin = number(&input["margin"]);
    Ok(json!({
        "liq": text(stake.liquidation_price(margin, required).0), "bankrupt": int(stake.bankruptcy_price(margin)),
        "mmr": text(required.maintenance.0), "ded": text(required.deduction),
    }))
}

fn liquidate(input: &Value) -> Expected {
    let (terms, stake, required) = position(input);
    let (margin, mark) = (number(&input["margin"]), ticks(&input["mark"]));
    if !stake.is_liquidated(margin, required, mark) {
        return Err("E_STATE".to_owned());
    }
    let (profit, charged) = (stake.profit(mark), fee(stake.notional(mark), terms.liquidation_fee));
    let mut out = columns(margin, profit, settle(margin, Profit(profit), charged, Insurance(number(&input["insurance"]))), true);
    out.extend([("price".to_owned(), text(mark.0)), ("pnl".to_owned(), int(profit)), ("liq_fee".to_owned(), int(charged.0))]);
    Ok(Value::Object(out))
}

fn overnight(input: &Value) -> Expected {
    let terms = terms(input);
    let value = terms.tick_value(number(&input["lots"]), SCALES).unwrap();
    let (margin, Fee(due)) = (number(&input["margin"]), fee(value.notional(ticks(&input["mark"])), terms.overnight));
    let paid = due.min(i128::from(margin));
    Ok(json!({"due": int(due), "paid": int(paid), "margin_after": int(i128::from(margin) - paid)}))
}

fn event(input: &Value) -> Expected {
    let mut fields = input["pos"].clone();
    fields["market"] = input["market"].clone();
    let (_, stake, required) = position(&fields);
    let (margin, cap) = (number(&fields["margin"]), number(&fields["cap"]));
    let liquidation = stake.liquidation_price(margin, required);
    let reason = reason_at(stake, liquidation, cap, stops(&fields), ticks(&input["mark"]));
    Ok(json!({"event": reason.map_or("NONE", EndReason::name)}))
}

fn limit(input: &Value) -> Expected {
    let terms = terms(input);
    let multiple = u32::try_from(number(&input["leverage"])).unwrap();
    let size = Size { direction: direction(&input["side"]).unwrap(), lots: number(&input["lots"]), multiple };
    let (limit, mark, hold) = (ticks(&input["limit"]), ticks(&input["mark"]), number(&input["hold"]));
    let value = terms.tick_value(size.lots, SCALES).unwrap();
    let waits = match size.direction {
        Direction::Long => mark > size.direction.filling_mark(limit, terms.spread),
        Direction::Short => mark < size.direction.filling_mark(limit, terms.spread),
    };
    let executed = size.direction.opening(mark, terms.spread);
    assert_eq!(waits, !size.direction.admits(limit, executed), "the mark from which on it fills agrees to the tick");
    if waits {
        return Ok(json!({"fill": null}));
    }
    let (price, used) = fill_price(&terms, value, multiple, (executed, limit), hold + number(&input["avail"]));
    let fill = json!({
        "price": text(price.0), "used": text(used), "extra": text(used.saturating_sub(hold)), "released": text(hold.saturating_sub(used)),
    });
    Ok(json!({ "fill": fill }))
}

fn adl(input: &Value) -> Expected {
    let (mark, pool) = (ticks(&input["mark"]), number(&input["pool"]));
    let mut winners = Vec::new();
    for fields in input["positions"].as_array().unwrap() {
        let mut fields = fields.clone();
        fields["market"] = input["market"].clone();
        let (_, stake, _) = position(&fields);
        let profit = stake.profit(mark).min(i128::from(number(&fields["cap"])));
        if profit > 0 {
            let score = stake.score(number(&fields["margin"]), profit, mark);
            winners.push(Candidate { id: number(&fields["id"]), score, profit });
        }
    }
    let total: i128 = winners.iter().map(|winner| winner.profit).sum();
    let ranked = ranking(winners);
    let rank: Vec<Value> = ranked.iter().map(|one| json!({"id": text(one.id), "score": int(one.score), "pnl": int(one.profit)})).collect();
    let closings = deleverage(&ranked, total, pool);
    let paid: u64 = closings.iter().map(|closing| closing.paid).sum();
    let gone: i128 = ranked.iter().filter(|one| closings.iter().any(|closing| closing.id == one.id)).map(|one| one.profit).sum();
    let closed: Vec<Value> = closings.iter().map(|Closing { id, paid }| json!({"id": text(*id), "paid": text(*paid)})).collect();
    Ok(json!({"closed": closed, "pool_after": text(pool - paid), "open_profit": int(total - gone), "rank": rank}))
}

#[test]
fn the_liquidation_price_and_the_trigger_agree_to_the_tick() {
    let mut step = 11_u64;
    let mut next = |bound: u64| {
        step = step * 48_271 % 2_147_483_647;
        step % bound
    };
    let (mut never, mut checked) = (0, 0);
    for _ in 0..20_000 {
        let terms = Terms::standard().swap_remove(usize::try_from(next(2)).unwrap());
        let direction = if next(2) == 0 { Direction::Long } else { Direction::Short };
        let multiple = terms.multiples[usize::try_from(next(7)).unwrap()];
        let size = Size { direction, lots: 1 + next(3_000), multiple };
        let entry = TickPrice([1 + next(200), 1_000 + next(30_000_000)][usize::try_from(next(2)).unwrap()]);
        let Ok(figures) = terms.figures(SCALES, size, entry) else { continue };
        // Worn down by overnight fees, down to nothing.
        let margin = figures.margin - figures.margin * next(11) / 10;
        let Figures { stake, required, cap, .. } = figures;
        let price = stake.liquidation_price(margin, required);
        let gone = |ticks: u64| stake.is_liquidated(margin, required, TickPrice(ticks));
        match direction {
            Direction::Long => {
                assert!(price.0 == 0 || gone(price.0), "{stake:?} {margin} at {price:?}");
                assert!(!gone(price.0 + 1), "{stake:?} {margin} above {price:?}");
                never += u32::from(price.0 == 0);
            }
            Direction::Short => {
                assert!(gone(price.0), "{stake:?} {margin} at {price:?}");
                assert!(price.0 == 0 || !gone(price.0 - 1), "{stake:?} {margin} below {price:?}");
            }
        }
        if let Ok(ticks) = u64::try_from(stake.cap_price(cap)) {
            let wins = |ticks: u64| stake.profit(TickPrice(ticks)) >= i128::from(cap);
            assert!(ticks == 0 || wins(ticks));
            assert!(!wins(if direction == Direction::Long { ticks - 1 } else { ticks + 1 }), "{stake:?} {cap}");
        }
        checked += 1;
    }
    assert!(checked > 10_000 && never > 100, "{checked} positions, {never} that are never liquidated");
}

#[test]
fn a_waiting_order_fills_from_the_very_mark_whose_execution_price_reaches_its_limit() {
    for spread in [0, 1, 10_000, RATE_ONE / 3, RATE_ONE - 1].map(engine::amount::Rate) {
        for limit in (1..2_000).chain(9_899_000..9_900_000).map(TickPrice) {
            for direction in [Direction::Long, Direction::Short] {
                let TickPrice(last) = direction.filling_mark(limit, spread);
                let fills = |mark: u64| direction.admits(limit, direction.opening(TickPrice(mark), spread));
                let (fails, far) = match direction {
                    Direction::Long => (last + 1, last.saturating_sub(1)),
                    Direction::Short => (last.saturating_sub(1), last + 1),
                };
                assert!(last == 0 || fills(last), "{direction:?} {limit:?} {spread:?}");
                assert!(far == 0 || fills(far));
                assert!(fails == 0 || !fills(fails), "{direction:?} {limit:?} {spread:?}");
            }
        }
    }
}
