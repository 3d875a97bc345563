//! Public market data (`docs/api.md` 4.5): quotes, book, trades, tickers, the price record.

use engine::Engine;
use engine::amount::{PRICE_SCALE, Price, Rate, format_decimal};
use engine::candles::{Series, Ticker};
use engine::catalog::{Catalog, Market};
use engine::contracts::terms::Terms;
use engine::spot::Side;
use engine::spot::book::Book;
use engine::time::Time;
use engine::units::Grid;
use serde::Serialize;
use store::history;
use utoipa::ToSchema;

use crate::api::market::volumes::behind;
use crate::api::terms::{Openings, spread_points, takes_orders};
use crate::http::decimal::trimmed;
use crate::http::reply::{Answer, Reply, bad_field};
use crate::http::request::{Input, request};
use crate::http::units::{self, amount, code, index_price, percent};
use crate::http::values::Count;
use crate::http::{App, Call, types};

/// A pair with its market figures.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Pair {
    id: u32,
    match_id: u32,
    symbol: String,
    legal_id: u32,
    currency_id: u32,
    legal_name: String,
    currency_name: String,
    logo: String,
    now_price: String,
    last_price: Option<String>,
    index_price: Option<String>,
    index_at_ms: Option<u64>,
    #[schema(value_type = types::Flag)]
    stale: u8,
    open: String,
    high: String,
    low: String,
    change: String,
    change_value: String,
    volume: String,
    quote_volume: String,
    price_digits: u8,
    qty_digits: u8,
    maker_fee: String,
    taker_fee: String,
    spread: String,
    overnight: String,
    lever_trade_fee: String,
    lever_share_num: String,
    lever_min_share: u32,
    lever_max_share: u32,
    micro_trade_fee: String,
    #[schema(value_type = types::Flag)]
    is_display: u8,
    #[schema(value_type = types::Flag)]
    open_coin_trade: u8,
    #[schema(value_type = types::Flag)]
    open_lever: u8,
    #[schema(value_type = types::Flag)]
    open_microtrade: u8,
    sort: u32,
}

/// The pairs of one quote coin.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuoteGroup {
    id: u32,
    name: String,
    logo: String,
    quotation: Vec<Pair>,
}

/// The order book of a pair.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Book)]
pub struct BookView {
    symbol: String,
    seq: u64,
    bids: Vec<[String; 2]>,
    asks: Vec<[String; 2]>,
    checksum: u32,
    time_ms: u64,
}

/// A public trade.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Trade {
    id: u64,
    seq: u64,
    ts: u64,
    #[schema(value_type = types::Direction)]
    direction: &'static str,
    price: String,
    amount: String,
    /// True if one side of the trade is the house liquidity.
    house: bool,
}

/// The ticker of a pair over the last 24 hours.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Ticker)]
pub struct TickerView {
    symbol: String,
    match_id: u32,
    open: Option<String>,
    high: Option<String>,
    low: Option<String>,
    last: Option<String>,
    index: Option<String>,
    change: Option<String>,
    change_percent: Option<String>,
    volume: String,
    quote_volume: String,
    count: u64,
    time_ms: u64,
}

/// `GET currency/quotation_new`
pub async fn quotations(call: Call) -> Answer {
    let catalog = &call.app.catalog;
    let mut quotes: Vec<_> = catalog.markets.iter().map(|market| market.quote).collect();
    // USDT first, then by number.
    quotes.sort_unstable_by_key(|quote| (quote.0 != 3, quote.0));
    quotes.dedup();
    let group = |quote| QuoteGroup {
        id: quote,
        name: code(catalog, engine::ids::AssetId(quote)).to_owned(),
        logo: units::logo(catalog, engine::ids::AssetId(quote)),
        quotation: catalog.markets.iter().filter(|market| market.quote.0 == quote).map(|market| pair_view(&call.app, market)).collect(),
    };
    let groups: Vec<QuoteGroup> = quotes.into_iter().map(|quote| group(quote.0)).collect();
    Ok(Reply::ok(groups).data(behind(&call.app)))
}

request! {
    /// What `currency/deal` takes.
    pub struct Deal checked by handler {
        required currency_id: Input<u64>,
        required legal_id: Input<u64>,
    }
}

/// `GET currency/deal`
pub async fn deal(call: Call, request: Deal) -> Answer {
    let market = units::by_coins(&call.app.catalog, request.currency_id.readable(), request.legal_id.readable())?;
    Ok(Reply::ok(pair_view(&call.app, market)).data(behind(&call.app)))
}

request! {
    /// What `market/book` takes.
    pub struct ReadBook checked by handler {
        required symbol: Option<String>,
        optional levels: Input<u64>,
    }
}

/// `GET market/book`
pub async fn book(call: Call, request: ReadBook) -> Answer {
    let market = units::by_symbol(&call.app.catalog, request.symbol.as_deref())?;
    let levels = request.levels.optional()?.unwrap_or(25);
    let levels = usize::try_from(levels).ok().filter(|levels| (1..=200).contains(levels));
    let levels = levels.ok_or_else(|| bad_field("levels", "range"))?;
    let engine = call.app.sequencer.engine();
    // The mark of this same state, which does not change while it is read.
    let mark = call.app.market_stats().book(market.id);
    let side = |side, count| {
        engine.book(market.id).map(|(book, grid)| printed(&call.app.catalog, market, book, grid, side, count)).unwrap_or_default()
    };
    let (bids, asks) = (side(Side::Buy, levels.max(CHECKED)), side(Side::Sell, levels.max(CHECKED)));
    let checksum = checksum(&bids, &asks);
    let first = |mut side: Vec<[String; 2]>| {
        side.truncate(levels);
        side
    };
    let view =
        BookView { symbol: market.symbol.clone(), seq: mark.seq, bids: first(bids), asks: first(asks), checksum, time_ms: mark.time.0 };
    Ok(Reply::ok(view).at(engine.seq().0))
}

request! {
    /// What `market/trades` takes.
    pub struct ListTrades checked by handler {
        required symbol: Option<String>,
        optional limit: Input<Count<500>>,
        optional before_id: Input<u64>,
        optional before_ms: Input<u64>,
    }
}

/// `GET market/trades`
pub async fn trades(call: Call, request: ListTrades) -> Answer {
    let limit = request.limit.optional()?.map_or(50, |limit| limit.0);
    let (mut before, before_ms) = (request.before_id.optional()?, request.before_ms.optional()?);
    let market = units::by_symbol(&call.app.catalog, request.symbol.as_deref())?;
    if let Some(instant) = before_ms {
        // Then none of those before it is missing.
        let reached = call.app.sequencer.engine().seq().0;
        call.app.wait_for(reached).await?;
        let first = history::first_trade_at(&call.app.db, Time(instant)).await?;
        before = Some(before.map_or(first, |before| before.min(first)));
    }
    let rows = history::trades(&call.app.db, market.id, before, limit).await?;
    let trade = |row: &history::PublicTrade| trade_view(&call.app.catalog, market, row);
    Ok(Reply::ok(rows.iter().map(trade).collect::<Vec<_>>()))
}

request! {
    /// What `market/ticker` takes.
    pub struct ListTickers checked by handler {
        optional symbol: Option<String>,
    }
}

/// `GET market/ticker`
pub async fn tickers(call: Call, request: ListTickers) -> Answer {
    let markets = match request.symbol.as_deref() {
        None => call.app.catalog.markets.iter().collect(),
        symbol => vec![units::by_symbol(&call.app.catalog, symbol)?],
    };
    let shown: Vec<TickerView> = markets.into_iter().map(|market| ticker_view(&call.app, market)).collect();
    Ok(Reply::ok(shown).data(behind(&call.app)))
}

/// A trade on the wire.
pub fn trade_view(catalog: &Catalog, market: &Market, trade: &history::PublicTrade) -> Trade {
    Trade {
        id: trade.id,
        seq: trade.seq,
        ts: trade.time_ms,
        direction: if trade.side == Side::Buy { "buy" } else { "sell" },
        price: units::price(market, trade.price),
        amount: amount(catalog, market.base, trade.quantity),
        house: trade.house,
    }
}

/// Levels that the checksum covers.
pub const CHECKED: usize = 25;

/// The best levels of a side as text, best first.
pub fn printed(catalog: &Catalog, market: &Market, book: &Book, grid: &Grid, side: Side, count: usize) -> Vec<[String; 2]> {
    let level = |(ticks, steps)| [units::price(market, grid.price(ticks)), amount(catalog, market.base, grid.quantity(steps).0)];
    book.levels(side).take(count).map(level).collect()
}

/// CRC-32 of the best 25 levels, bid and ask in turn, as `price:quantity` joined by `:` (`docs/api.md` 7.2).
pub fn checksum(bids: &[[String; 2]], asks: &[[String; 2]]) -> u32 {
    let level = |side: &[[String; 2]], at: usize| side.get(at).map(|level| level.join(":"));
    let parts: Vec<String> = (0..CHECKED).flat_map(|at| [level(bids, at), level(asks, at)]).flatten().collect();
    crc32fast::hash(parts.join(":").as_bytes())
}

/// A price of a series: index samples and trades have ticks of their own.
pub fn series_price(catalog: &Catalog, market: &Market, series: Series, price: Price) -> String {
    match series {
        Series::Index => index_price(catalog, market, price),
        Series::Trade => units::price(market, price),
    }
}

/// The series that a pair shows: its index where it has one.
pub fn shown_series(catalog: &Catalog, market: &Market) -> Series {
    if catalog.index(market.id).is_some() { Series::Index } else { Series::Trade }
}

/// `+1.20`: hundredths of a percent with a sign.
fn signed_percent(ticker: &Ticker) -> String {
    let sign = if ticker.change().0 { '-' } else { '+' };
    format!("{sign}{}", format_decimal(ticker.change_percent(), 2, 2))
}

fn latest_index(engine: &Engine, market: &Market) -> Option<(Price, u64)> {
    let last = engine.index(market.id)?.filter.last()?;
    Some((last.price, last.time.0))
}

/// A pair with its figures, as they are now.
pub fn pair_view(app: &App, market: &Market) -> Pair {
    let catalog = &app.catalog;
    let (latest, reference, last, now, openings, option_fee, contracts) = {
        let engine = app.sequencer.engine();
        let (reference, openings) = (engine.reference_price(market.id), Openings::of(&engine, market.id));
        let option_fee = engine.option_terms().map(|terms| percent(terms.shared.fee));
        let contracts = engine.contract_terms(market.id).cloned();
        (latest_index(&engine, market), reference, engine.last_trade(market.id), engine.time(), openings, option_fee, contracts)
    };
    let status = openings.status;
    let series = shown_series(catalog, market);
    let (day, traded) = {
        let stats = app.market_stats();
        (stats.ticker(market.id, series, now), stats.ticker(market.id, Series::Trade, now))
    };
    let shown = |price: Price| series_price(catalog, market, series, price);
    let now_price = match series {
        Series::Index => latest.map(|(price, _)| price),
        // Without an index: the last trade of the last full minute, or the issue price before it (S-5).
        Series::Trade => reference,
    };
    let of_day = |price: fn(&Ticker) -> Price| shown(day.as_ref().map_or(Price(0), price));
    let change_value =
        day.map_or_else(|| shown(Price(0)), |day| format!("{}{}", if day.change().0 { "-" } else { "" }, shown(day.change().1)));
    let (volume, quote_volume) = traded.map_or((0, 0), |day| (day.volume, day.quote_volume));
    let base_scale = catalog.scale(market.base);
    // A pair without contracts shows zeros.
    let none = || "0".to_owned();
    let of_contracts = |rate: fn(&Terms) -> Rate| contracts.as_ref().map_or_else(none, |terms| percent(rate(terms)));
    Pair {
        id: market.id.0,
        match_id: market.id.0,
        symbol: market.symbol.clone(),
        legal_id: market.quote.0,
        currency_id: market.base.0,
        legal_name: code(catalog, market.quote).to_owned(),
        currency_name: code(catalog, market.base).to_owned(),
        logo: units::logo(catalog, market.base),
        now_price: shown(now_price.unwrap_or(Price(0))),
        last_price: last.map(|price| units::price(market, price)),
        index_price: latest.map(|(price, _)| index_price(catalog, market, price)),
        index_at_ms: latest.map(|(_, at)| at),
        stale: u8::from(reference.is_none()),
        open: of_day(|day| day.open),
        high: of_day(|day| day.high),
        low: of_day(|day| day.low),
        change: day.as_ref().map_or_else(|| "+0.00".to_owned(), signed_percent),
        change_value,
        volume: amount(catalog, market.base, volume),
        quote_volume: amount(catalog, market.quote, quote_volume),
        price_digits: units::digits(market.tick.0, PRICE_SCALE),
        qty_digits: units::digits(market.step, base_scale),
        maker_fee: percent(market.maker_fee),
        taker_fee: percent(market.taker_fee),
        spread: contracts
            .as_ref()
            .map_or_else(none, |terms| index_price(catalog, market, spread_points(terms, latest.map(|(mark, _)| mark)))),
        overnight: of_contracts(|terms| terms.overnight),
        lever_trade_fee: of_contracts(|terms| terms.fee),
        lever_share_num: contracts.as_ref().map_or_else(none, |terms| amount(catalog, market.base, terms.lot)),
        lever_min_share: u32::from(contracts.is_some()),
        lever_max_share: contracts.as_ref().map_or(0, |terms| u32::try_from(terms.max_lots).unwrap_or(u32::MAX)),
        micro_trade_fee: option_fee.unwrap_or_else(none),
        is_display: u8::from(status != "retired"),
        open_coin_trade: takes_orders(status).into(),
        open_lever: openings.contracts.into(),
        open_microtrade: openings.options.into(),
        sort: market.id.0,
    }
}

fn ticker_view(app: &App, market: &Market) -> TickerView {
    let catalog = &app.catalog;
    let (latest, now) = {
        let engine = app.sequencer.engine();
        (latest_index(&engine, market), engine.time())
    };
    let day = app.market_stats().ticker(market.id, Series::Trade, now);
    let price = |price: fn(&Ticker) -> Price| day.as_ref().map(|day| units::price(market, price(day)));
    let minus = |day: &Ticker| if day.change().0 { "-" } else { "" };
    TickerView {
        symbol: market.symbol.clone(),
        match_id: market.id.0,
        open: price(|day| day.open),
        high: price(|day| day.high),
        low: price(|day| day.low),
        last: price(|day| day.last),
        index: latest.map(|(price, _)| index_price(catalog, market, price)),
        change: day.as_ref().map(|day| format!("{}{}", minus(day), units::price(market, day.change().1))),
        change_percent: day.as_ref().map(|day| match day.change_percent() {
            0 => "0".to_owned(),
            percent => format!("{}{}", minus(day), trimmed(percent, 2)),
        }),
        volume: amount(catalog, market.base, day.map_or(0, |day| day.volume)),
        quote_volume: amount(catalog, market.quote, day.map_or(0, |day| day.quote_volume)),
        count: day.map_or(0, |day| day.count),
        time_ms: now.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_takes_bid_and_ask_in_turn_and_skips_missing_levels() {
        let level = |price: &str, quantity: &str| [price.to_owned(), quantity.to_owned()];
        let bids = [level("99.0", "1"), level("98.0", "2")];
        let asks = [level("101.0", "3")];
        assert_eq!(checksum(&bids, &asks), crc32fast::hash(b"99.0:1:101.0:3:98.0:2"));
    }
}
