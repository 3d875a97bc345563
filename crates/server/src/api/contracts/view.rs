//! A contract as the wire shows it (`docs/api.md` 5.6).

use engine::Engine;
use engine::contracts::formulas::{Direction, Stake, TickPrice, initial_margin, profit_cap};
use engine::contracts::position::{EndReason, Position, Status};
use engine::ids::UserId;
use serde::Serialize;
use serde_json::{Value as Json, json};
use store::contracts::status_number;
use utoipa::ToSchema;

use crate::http::code::Code;
use crate::http::decimal::{Decimal, WireTime, signed, signed_trimmed};
use crate::http::reply::{OrRefuse, Refusal};
use crate::http::types;
use crate::http::units::{self, amount_of, index_price_of, percent};
use crate::i18n::{Lang, text};

/// Largest risk rate that is shown, in hundredths of a percent.
const MOST_HAZARD: i128 = 99_999_900;
/// Parts of one in a percentage with two decimals.
const HUNDREDTHS: i128 = 10_000;
/// Requirements are counted in 10^-8 atoms (C-8).
const ONE: i128 = 100_000_000;
/// Equity above this is shown as this: it fits 128 bits times 10^12.
const MOST_EQUITY: i128 = 10_i128.pow(25);

/// A contract. One that never opened is shown at its limit price, one that has ended as it was at its end.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Position)]
pub struct PositionView {
    id: u64,
    #[serde(rename = "type")]
    #[schema(value_type = types::ContractSide)]
    direction: u8,
    type_name: &'static str,
    match_id: u32,
    symbol: String,
    currency: u32,
    legal: u32,
    currency_id: u32,
    legal_id: u32,
    #[schema(value_type = String)]
    origin_price: Decimal,
    #[schema(value_type = String)]
    price: Decimal,
    #[schema(value_type = Option<String>)]
    target_price: Option<Decimal>,
    #[schema(value_type = String)]
    update_price: Decimal,
    #[schema(value_type = String)]
    target_profit_price: Decimal,
    #[schema(value_type = String)]
    stop_loss_price: Decimal,
    #[schema(value_type = String)]
    liquidation_price: Decimal,
    #[schema(value_type = String)]
    cap_price: Decimal,
    /// The largest profit that is paid.
    #[schema(value_type = String)]
    profit_cap: Decimal,
    /// Fee of opening and closing, under the terms of its own opening.
    fee_rate: String,
    /// Distance of execution prices from the mark, under the same terms.
    spread: String,
    share: u64,
    #[schema(value_type = String)]
    number: Decimal,
    multiple: u32,
    market_value: String,
    #[schema(value_type = String)]
    origin_caution_money: Decimal,
    #[schema(value_type = String)]
    caution_money: Decimal,
    #[schema(value_type = String)]
    trade_fee: Decimal,
    #[schema(value_type = String)]
    close_fee: Decimal,
    overnight: String,
    #[schema(value_type = String)]
    overnight_money: Decimal,
    profits: String,
    profits_rate: String,
    fact_profits: Option<String>,
    hazard_rate: String,
    #[schema(value_type = types::ContractStatus)]
    status: u8,
    status_name: &'static str,
    #[schema(value_type = types::Flag)]
    settled: u8,
    #[schema(value_type = Option<types::ContractReason>)]
    reason: Option<&'static str>,
    #[schema(value_type = Option<String>)]
    returned: Option<Decimal>,
    create_time: u64,
    create_time_ms: u64,
    #[schema(value_type = String)]
    time: WireTime,
    #[schema(value_type = Option<String>)]
    transaction_time: Option<WireTime>,
    transaction_time_ms: Option<u64>,
    #[schema(value_type = Option<String>)]
    handle_time: Option<WireTime>,
    handle_time_ms: Option<u64>,
    #[schema(value_type = Option<String>)]
    complete_time: Option<WireTime>,
    complete_time_ms: Option<u64>,
    expires_ms: Option<u64>,
    seq: u64,
}

/// Totals of a member's open positions.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ContractTotals)]
pub struct Totals {
    hazard_rate: String,
    profits_total: String,
}

/// The value of a contract at its displayed mark.
#[derive(Clone, Copy, Debug)]
struct Worth {
    stake: Stake,
    /// Margin at the opening, or what it would be at the limit.
    initial: i128,
    /// Margin that the figures are of: of now, at the end, or at the limit.
    margin: i128,
    cap: i128,
    mark: TickPrice,
    /// Profit or loss, at most the cap; of a closed one never a loss beyond the margin.
    profit: i128,
    /// The equity that must be left, 10^-8 atoms.
    required: i128,
}

impl Worth {
    fn of(engine: &Engine, position: &Position) -> Worth {
        let never_opened = position.opened.is_none();
        let entry = if never_opened { position.limit.unwrap_or_default() } else { position.entry };
        let stake = Stake { entry, ..position.stake() };
        let notional = stake.notional(entry);
        let initial = if never_opened { initial_margin(notional, position.multiple) } else { position.initial_margin.into() };
        let margin = initial.saturating_sub(position.overnight_paid.into());
        let roi = engine.terms_of_contract(position).map_or(0, |terms| terms.cap_roi);
        let cap = profit_cap(notional, roi, position.multiple);
        let now = || engine.contract_mark(position.market);
        let mark = match position.status {
            Status::Waiting => now().unwrap_or(entry),
            Status::Holding => now().unwrap_or(position.origin),
            Status::Closed => position.close,
            Status::Cancelled => entry,
        };
        let profit = match position.status {
            Status::Waiting | Status::Cancelled => 0,
            Status::Holding => stake.profit(mark).min(cap),
            // A loss is at most the margin (4.5).
            Status::Closed => position.profit.max(margin.saturating_neg()),
        };
        // A contract that never opened is valued at its limit.
        let required = stake.requirement(position.terms.required, if never_opened { entry } else { mark });
        Worth { stake, initial, margin, cap, mark, profit, required }
    }

    fn equity(&self) -> i128 {
        self.margin.saturating_add(self.profit)
    }
}

/// Equity as a percentage of the requirement, rounded up: at or below 100 exactly where the mark liquidates (C-9).
fn hazard(equity: i128, required: i128) -> String {
    // Nothing left liquidates, even where nothing is required.
    if equity <= 0 {
        return "0".to_owned();
    }
    let scaled = equity.clamp(0, MOST_EQUITY).saturating_mul(ONE).saturating_mul(HUNDREDTHS);
    let up = scaled.saturating_add(required.saturating_sub(1));
    signed_trimmed(up.checked_div(required).unwrap_or(MOST_HAZARD).min(MOST_HAZARD), 2)
}

/// The wire's word of a state, and the key of its text.
pub fn state(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Waiting => ("waiting", "contract.waiting"),
        Status::Holding => ("holding", "contract.holding"),
        Status::Closed => ("closed", "contract.closed"),
        Status::Cancelled => ("cancelled", "contract.cancelled"),
    }
}

/// A contract in this language, as left by the entry `seq` or later events; an open one at the present mark.
///
/// # Errors
/// When its pair is not listed.
pub fn position_view(engine: &Engine, lang: Lang, position: &Position, seq: u64) -> Result<PositionView, Refusal> {
    let catalog = engine.catalog();
    let market = units::by_id(catalog, position.market)?;
    let (asset, scale) = catalog.asset(position.terms.asset).map(|asset| (asset.id, asset.scale)).or_refuse(Code::Internal)?;
    let worth = Worth::of(engine, position);
    let amount = |atoms: u64| amount_of(catalog, asset, atoms);
    let exact = |atoms: i128| signed(atoms, scale);
    let price = |ticks: TickPrice| index_price_of(catalog, market, position.price(ticks));
    let atoms = |value: i128| u64::try_from(value).unwrap_or(u64::MAX);
    let (open, time) = (position.is_open(), |at: Option<engine::time::Time>| at.map(|at| WireTime(at.0)));
    let ms = |at: Option<engine::time::Time>| at.map(|at| at.0);
    let asked_to_end = position.ended.filter(|_| position.reason == Some(EndReason::User));
    let cap_price = TickPrice(u64::try_from(worth.stake.cap_price(atoms(worth.cap))).unwrap_or(0));
    // A waiting order holds its margin and its fee; a cancelled one holds nothing.
    let held = if position.opened.is_some() { atoms(worth.margin) } else { position.held };
    Ok(PositionView {
        id: position.id.0,
        direction: position.direction.number(),
        type_name: text(lang, if position.direction == Direction::Long { "contract.long" } else { "contract.short" }),
        match_id: market.id.0,
        symbol: market.symbol.clone(),
        currency: market.base.0,
        legal: market.quote.0,
        currency_id: market.base.0,
        legal_id: market.quote.0,
        origin_price: price(position.origin),
        price: price(worth.stake.entry),
        target_price: position.limit.map(price),
        update_price: price(worth.mark),
        target_profit_price: price(position.stops.take_profit.unwrap_or_default()),
        stop_loss_price: price(position.stops.stop_loss.unwrap_or_default()),
        liquidation_price: price(worth.stake.liquidation_price(atoms(worth.margin), position.terms.required)),
        cap_price: price(cap_price),
        profit_cap: amount(atoms(worth.cap)),
        fee_rate: percent(position.terms.fee),
        spread: percent(position.terms.spread),
        share: position.lots,
        number: amount_of(catalog, market.base, position.lots.saturating_mul(position.terms.lot)),
        multiple: position.multiple,
        market_value: exact(worth.stake.notional(worth.mark)),
        origin_caution_money: amount(atoms(worth.initial)),
        caution_money: amount(held),
        trade_fee: amount(position.open_fee),
        close_fee: amount(position.close_fee),
        overnight: percent(position.terms.overnight),
        overnight_money: amount(position.overnight_paid),
        profits: exact(worth.profit),
        profits_rate: signed_trimmed(worth.profit.saturating_mul(HUNDREDTHS).checked_div(worth.margin).unwrap_or(0), 2),
        fact_profits: (position.status == Status::Closed).then(|| exact(worth.profit)),
        hazard_rate: hazard(worth.equity(), worth.required),
        status: status_number(position.status),
        status_name: text(lang, state(position.status).1),
        settled: u8::from(!open),
        reason: position.reason.map(EndReason::name),
        returned: (!open).then(|| amount(position.returned)),
        create_time: position.created.0 / 1_000,
        create_time_ms: position.created.0,
        time: WireTime(position.created.0),
        transaction_time: time(position.opened),
        transaction_time_ms: ms(position.opened),
        handle_time: time(asked_to_end),
        handle_time_ms: ms(asked_to_end),
        complete_time: time(position.ended),
        complete_time_ms: ms(position.ended),
        expires_ms: (position.status == Status::Waiting).then_some(position.due.0),
        seq,
    })
}

/// Totals of a member's open positions at the last marks.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    positions: usize,
    equity: i128,
    required: i128,
    profit: i128,
    value: i128,
    margin: i128,
    initial: i128,
}

impl Sums {
    fn of(engine: &Engine, user: UserId) -> Sums {
        let mut sums = Sums::default();
        for position in engine.contracts_of(user).filter(|position| position.status == Status::Holding) {
            let worth = Worth::of(engine, position);
            sums.positions += 1;
            for (sum, added) in [
                (&mut sums.equity, worth.equity()),
                (&mut sums.required, worth.required),
                (&mut sums.profit, worth.profit),
                (&mut sums.value, worth.stake.notional(worth.mark)),
                (&mut sums.margin, worth.margin),
                (&mut sums.initial, worth.initial),
            ] {
                *sum = sum.saturating_add(added);
            }
        }
        sums
    }

    /// Without any position, 0.
    fn hazard(&self) -> String {
        if self.positions == 0 { "0".to_owned() } else { hazard(self.equity, self.required) }
    }
}

/// Decimals of the coin that contracts are settled in.
fn settled_scale(engine: &Engine) -> u8 {
    let catalog = engine.catalog();
    let market = engine.all_contract_terms().next().and_then(|terms| catalog.market(terms.market));
    market.map_or(0, |market| catalog.scale(market.quote))
}

/// The totals of a member's open positions.
pub fn totals(engine: &Engine, user: UserId) -> Totals {
    let sums = Sums::of(engine, user);
    Totals { hazard_rate: sums.hazard(), profits_total: signed(sums.profit, settled_scale(engine)) }
}

/// Open profits less open losses of a member, printed.
pub fn unrealised(engine: &Engine, user: UserId) -> String {
    totals(engine, user).profits_total
}

/// The value of a member's open positions, formatted (C-2).
pub fn open_value(engine: &Engine, user: UserId) -> String {
    signed(Sums::of(engine, user).value, settled_scale(engine))
}

/// The `lever_trade` payload about a member's open contracts (`docs/api.md` 7.3); `None` without any. Its lists are JSON text.
pub fn following(engine: &Engine, lang: Lang, user: UserId) -> Option<Json> {
    let (seq, sums, scale) = (engine.seq().0, Sums::of(engine, user), settled_scale(engine));
    let shown = engine.contracts_of(user).rev().filter_map(|position| position_view(engine, lang, position, seq).ok());
    let all: Vec<PositionView> = shown.collect();
    let text = |fits: fn(&&PositionView) -> bool| json!(all.iter().filter(fits).collect::<Vec<_>>()).to_string();
    let amount = |atoms| signed(atoms, scale);
    (!all.is_empty()).then(|| {
        json!({
            "hazard_rate": sums.hazard(),
            "profits_all": amount(sums.profit),
            "caution_money_all": amount(sums.margin),
            "origin_caution_money_all": amount(sums.initial),
            "trades_all": text(|_| true),
            "trades_entrust": text(|view| view.status == 0),
            "trades_cur": text(|view| view.status == 1),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_mark_liquidates_is_shown_at_or_below_100() {
        // Equity and requirement, the latter in 10^-8 atoms.
        for (equity, required, shown) in
            [(200, 100 * ONE, "200"), (100, 100 * ONE, "100"), (101, 100 * ONE, "101"), (0, 100 * ONE, "0"), (-5, 100 * ONE, "0")]
        {
            assert_eq!(hazard(equity, required), shown, "{equity} of {required}");
        }
        // Nothing is required: only what is used up is liquidated (C-9).
        assert_eq!([1, 0, -1].map(|equity| hazard(equity, 0)), ["999999", "0", "0"]);
    }
}
