//! The terms on which contracts are opened now (`docs/api.md` 4.9, 5.2).

use engine::Engine;
use engine::amount::{PRICE_SCALE, Price};
use engine::catalog::{Catalog, Wallet};
use engine::contracts::formulas::{Direction, TickPrice};
use engine::contracts::position::Position;
use engine::contracts::terms::{Terms, Tier};
use serde::Serialize;
use store::contracts::{self, PublicTrade};
use utoipa::ToSchema;

use crate::api::contracts::view::{PositionView, open_value, position_view};
use crate::api::terms::ex_rate;
use crate::http::code::Code;
use crate::http::decimal::{Decimal, trimmed};
use crate::http::reply::{Answer, OrRefuse, Reply};
use crate::http::request::{Input, request};
use crate::http::units::{self, amount, index_price_of, percent};
use crate::http::{Call, types};

/// Open positions that the terms of a pair are shown with.
const MINE: usize = 10;
/// Public openings and closings shown.
const LAST_TRADES: u64 = 20;
/// Lots that the app offers.
const PRESETS: [u64; 6] = [1, 5, 10, 50, 100, 500];

/// Contract terms of a pair, with the caller's balance and positions in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeverDeal {
    match_id: u32,
    symbol: String,
    multiple: LeverChoices,
    lever_share_limit: LeverShares,
    #[schema(value_type = String)]
    last_price: Decimal,
    #[schema(value_type = String)]
    buy_price: Decimal,
    #[schema(value_type = String)]
    sell_price: Decimal,
    mark_time_ms: u64,
    user_lever: String,
    all_levers: String,
    ustd_price: &'static str,
    #[serde(rename = "ExRAte")]
    ex_rate: String,
    rules: types::ContractRules,
    my_transaction: Vec<PositionView>,
    lever_transaction: Vec<LeverTrade>,
}

/// The leverage and the lots to choose from.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeverChoices {
    muit: Vec<LeverChoice>,
    share: Vec<LeverChoice>,
}

/// One value to choose.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeverChoice {
    value: u64,
}

/// Fewest and most lots of one order.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeverShares {
    min: u64,
    max: u64,
}

/// An opening or a closing. Side 1 bought, side 2 sold.
#[derive(Debug, Serialize, ToSchema)]
pub struct LeverTrade {
    #[schema(value_type = String)]
    price: Decimal,
    number: String,
    #[serde(rename = "type")]
    #[schema(value_type = types::Side)]
    side: u8,
    time: u64,
}

request! {
    /// What `lever/deal` takes.
    pub struct Deal checked by handler {
        required currency_id: Input<u64>,
        required legal_id: Input<u64>,
    }
}

/// `POST lever/deal`
pub async fn deal(call: Call, request: Deal) -> Answer {
    let catalog = &call.app.catalog;
    let market = units::by_coins(catalog, request.currency_id.readable(), request.legal_id.readable())?;
    call.app.sequencer.engine().check_contract_market(market.id).ok().or_refuse(Code::UnknownMarket)?;
    let trades = contracts::trades(&call.app.db, market.id, LAST_TRADES).await?;
    let price = |price| index_price_of(catalog, market, price);
    let trade = |trade: &PublicTrade| LeverTrade {
        price: price(trade.price),
        number: amount(catalog, market.base, trade.quantity),
        side: if trade.buys { 1 } else { 2 },
        time: trade.time_ms,
    };
    let lever_transaction = trades.iter().map(trade).collect();
    let engine = call.app.sequencer.engine();
    let (terms, seq) = (engine.contract_terms(market.id).or_refuse(Code::UnknownMarket)?, engine.seq().0);
    let me = call.session.as_ref().map(|session| session.user);
    let last = engine.index(market.id).and_then(|index| index.filter.last());
    let mark = engine.contract_mark(market.id).unwrap_or_default();
    let executed = |direction: Direction| {
        let ticks = if mark == TickPrice(0) { mark } else { direction.opening(mark, terms.spread) };
        price(Price(ticks.0.saturating_mul(terms.tick.0)))
    };
    let choice = |value: u64| LeverChoice { value };
    let mine = me.into_iter().flat_map(|me| engine.contracts_of(me).rev());
    let mine = mine.filter(|position: &&Position| position.market == market.id && position.opened.is_some()).take(MINE);
    let available = |me| engine.balance(me, Wallet::Futures, market.quote).unwrap_or_default().available;
    Ok(Reply::ok(LeverDeal {
        match_id: market.id.0,
        symbol: market.symbol.clone(),
        multiple: LeverChoices {
            muit: terms.multiples.iter().map(|multiple| choice(u64::from(*multiple))).collect(),
            share: PRESETS.into_iter().filter(|lots| *lots <= terms.max_lots).map(choice).collect(),
        },
        lever_share_limit: LeverShares { min: 1, max: terms.max_lots },
        last_price: price(Price(mark.0.saturating_mul(terms.tick.0))),
        buy_price: executed(Direction::Long),
        sell_price: executed(Direction::Short),
        mark_time_ms: last.map_or(0, |last| last.time.0),
        user_lever: me.map_or_else(|| "0".to_owned(), |me| amount(catalog, market.quote, available(me))),
        all_levers: me.map_or_else(|| "0".to_owned(), |me| open_value(&engine, me)),
        ustd_price: "1",
        ex_rate: ex_rate(&engine),
        rules: rules(catalog, terms).or_refuse(Code::Internal)?,
        my_transaction: mine.map(|position| position_view(&engine, call.lang, position, seq)).collect::<Result<_, _>>()?,
        lever_transaction,
    })
    .at(seq))
}

/// Terms as the wire shows them; `None` for those of a pair that is not listed.
pub fn rules(catalog: &Catalog, terms: &Terms) -> Option<types::ContractRules> {
    let market = catalog.market(terms.market)?;
    let tier = |tier: &Tier| {
        // Every bound lies in its own tier.
        let required = terms.tier(i128::from(tier.bound)).map(|(_, required)| required.deduction);
        types::ContractTier {
            bound: amount(catalog, market.quote, tier.bound),
            max_multiple: tier.max_multiple,
            mmr: percent(tier.maintenance),
            deduction: amount(catalog, market.quote, required.unwrap_or(0)),
        }
    };
    Some(types::ContractRules {
        match_id: market.id.0,
        lot: amount(catalog, market.base, terms.lot),
        tick: trimmed(terms.tick.0, PRICE_SCALE),
        multiples: terms.multiples.clone(),
        fee: percent(terms.fee),
        spread: percent(terms.spread),
        liq_fee: percent(terms.liquidation_fee),
        overnight: percent(terms.overnight),
        cap_roi: terms.cap_roi,
        max_lots: terms.max_lots,
        tiers: terms.tiers.iter().map(tier).collect(),
    })
}

/// The rules of every pair that contracts may be opened in.
pub fn all_rules(engine: &Engine) -> Vec<types::ContractRules> {
    let offered = engine.all_contract_terms().filter(|terms| engine.check_contract_market(terms.market).is_ok());
    offered.filter_map(|terms| rules(engine.catalog(), terms)).collect()
}
