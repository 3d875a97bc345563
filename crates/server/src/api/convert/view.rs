//! Conversions as the wire shows them (`docs/api.md` 5.4), and the coins that can be converted.

use engine::Engine;
use engine::amount::PRICE_SCALE;
use engine::catalog::{Asset, Catalog, Wallet};
use engine::convert::conversion::{Conversion, Deal, FirmQuote, Priced};
use engine::ids::{AssetId, UserId};
use serde::Serialize;
use store::{Page, conversions};
use utoipa::ToSchema;

use crate::http::Call;
use crate::http::decimal::{WireTime, trimmed};
use crate::http::page::Paginator;
use crate::http::reply::{Answer, Reply};
use crate::http::units::{amount, code, coin_price, logo};
use crate::i18n::{Lang, text};

/// A coin that can be converted.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = FlashCoin)]
pub struct ConversionCoin {
    id: u32,
    name: String,
    logo: String,
    price: String,
    min_number: String,
    max_number: String,
    balance: String,
    to_pb_price: String,
}

/// The coins that can be sold and those that can be bought.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FlashCoins)]
pub struct ConversionCoins {
    left: Vec<ConversionCoin>,
    right: Vec<ConversionCoin>,
}

/// A firm quote of a conversion.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FlashQuote)]
pub struct QuoteView {
    quote_id: u64,
    l_currency_id: u32,
    r_currency_id: u32,
    num: String,
    gross: String,
    fee: String,
    net: String,
    price: String,
    index_from: String,
    index_to: String,
    expires_ms: u64,
}

/// A conversion.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FlashRow)]
pub struct ConversionView {
    id: u64,
    quote_id: Option<u64>,
    l_currency_id: u32,
    l_currency_name: String,
    r_currency_id: u32,
    r_currency_name: String,
    num: String,
    gross: String,
    fee: String,
    net: String,
    /// Index prices of both coins at the quote. Spread and cost follow from them.
    index_from: String,
    index_to: String,
    status: u8,
    status_name: &'static str,
    #[schema(value_type = String)]
    created_at: WireTime,
    created_at_ms: u64,
}

fn scale(catalog: &Catalog, asset: AssetId) -> u8 {
    catalog.scale(asset)
}

/// Whole coins bought for one that is sold, before the fee; eight decimals, cut.
fn rate(catalog: &Catalog, deal: &Deal) -> String {
    let ten = |digits: u8| 10_u128.pow(u32::from(digits));
    let above = u128::from(deal.gross) * ten(scale(catalog, deal.from)) * ten(PRICE_SCALE);
    let below = u128::from(deal.amount).max(1) * ten(scale(catalog, deal.to));
    trimmed(u64::try_from(above / below).unwrap_or(u64::MAX), PRICE_SCALE)
}

/// A quote on the wire.
pub fn quote_view(catalog: &Catalog, quote: &FirmQuote) -> QuoteView {
    let deal = &quote.deal;
    let bought = |atoms| amount(catalog, deal.to, atoms);
    QuoteView {
        quote_id: quote.id.0,
        l_currency_id: deal.from.0,
        r_currency_id: deal.to.0,
        num: amount(catalog, deal.from, deal.amount),
        gross: bought(deal.gross),
        fee: bought(deal.fee),
        net: bought(deal.net()),
        price: rate(catalog, deal),
        index_from: coin_price(catalog, deal.from, deal.from_price),
        index_to: coin_price(catalog, deal.to, deal.to_price),
        expires_ms: quote.expires.0,
    }
}

/// A conversion in this language.
pub fn conversion_view(catalog: &Catalog, lang: Lang, done: &Conversion) -> ConversionView {
    let deal = &done.deal;
    let bought = |atoms| amount(catalog, deal.to, atoms);
    ConversionView {
        id: done.id.0,
        quote_id: done.quote.map(|quote| quote.0),
        l_currency_id: deal.from.0,
        l_currency_name: code(catalog, deal.from).to_owned(),
        r_currency_id: deal.to.0,
        r_currency_name: code(catalog, deal.to).to_owned(),
        num: amount(catalog, deal.from, deal.amount),
        gross: bought(deal.gross),
        fee: bought(deal.fee),
        net: bought(deal.net()),
        index_from: coin_price(catalog, deal.from, deal.from_price),
        index_to: coin_price(catalog, deal.to, deal.to_price),
        status: 1,
        status_name: text(lang, "conversion.done"),
        created_at: WireTime(done.time.0),
        created_at_ms: done.time.0,
    }
}

/// A coin with an index price, whatever its age; none is listed before its first one.
fn coin(engine: &Engine, asset: &Asset, user: Option<UserId>) -> Option<ConversionCoin> {
    let (catalog, price) = (engine.catalog(), engine.value_price(asset.id)?);
    let (least, most) = engine.conversion_bounds(Priced { price, scale: asset.scale })?;
    let available = user.and_then(|user| engine.balance(user, Wallet::Spot, asset.id)).map(|balance| balance.available);
    let shown = coin_price(catalog, asset.id, price);
    Some(ConversionCoin {
        id: asset.id.0,
        name: asset.code.clone(),
        logo: logo(catalog, asset.id),
        price: shown.clone(),
        min_number: amount(catalog, asset.id, least),
        max_number: amount(catalog, asset.id, most),
        balance: available.map_or_else(|| "0".to_owned(), |atoms| amount(catalog, asset.id, atoms)),
        to_pb_price: shown,
    })
}

/// `GET wallet/flashAgainstList`
pub async fn coins(call: Call) -> Answer {
    let user = call.session.map(|session| session.user);
    let engine = call.app.sequencer.engine();
    let assets = engine.catalog().assets.iter().filter(|asset| asset.wallets.contains(&Wallet::Spot));
    let left: Vec<ConversionCoin> = assets.filter_map(|asset| coin(&engine, asset, user)).collect();
    Ok(Reply::ok(ConversionCoins { right: left.clone(), left }).at(engine.seq().0))
}

/// `GET wallet/flash_history`
pub async fn history(call: Call, page: Page) -> Answer {
    let (app, user) = (&call.app, call.user()?);
    let (rows, total) = conversions::list(&app.db, user, page).await?;
    let rows = rows.iter().map(|done| conversion_view(&app.catalog, call.lang, done)).collect();
    Ok(Reply::ok(Paginator::new(rows, total, page)))
}
