//! Offerings of new coins: their catalog values to the wire and back, and their launch (6.2).

use engine::Engine;
use engine::amount::{PRICE_SCALE, Price, format_decimal};
use engine::backoffice::proposals::Proposed;
use engine::backoffice::proposals::status::Status;
use engine::catalog::{Asset, Catalog, Market, Wallet};
use engine::ids::{AssetId, MarketId, OfferingId};
use engine::listing::change::CatalogChange;
use engine::subscriptions::offering::Terms;
use engine::time::Time;
use serde_json::{Value as Json, json};

use super::option::rows;
use crate::http::Call;
use crate::http::reply::{Answer, Code, OrRefuse, Refusal};
use crate::http::units::{amount, code, percent};
use crate::operator::ByIdWithReason;
use crate::operator::catalog::bad_value;
use crate::operator::catalog_values::{FieldValues, Problem, filter_problem, filters, first_of};
use crate::operator::proposals::propose;

/// All listed offerings, each as the change that would set it.
pub(in crate::operator) fn present(engine: &Engine) -> Vec<CatalogChange> {
    engine.offerings().map(|offering| CatalogChange::Offering(Box::new(offering.terms.clone()))).collect()
}

pub(in crate::operator) fn values(facts: &Catalog, terms: &Terms) -> Json {
    let (market, scale) = (&terms.market, terms.token.scale);
    let token = |atoms| format_decimal(atoms, scale, scale);
    let usdt = |atoms| amount(facts, market.quote, atoms);
    let units = |price: Price| format_decimal(price.0, PRICE_SCALE, PRICE_SCALE);
    let release: Vec<Json> = terms.release.iter().map(|(day, share)| json!({"day": day, "share": percent(*share)})).collect();
    json!({
        "code": terms.token.code, "scale": scale, "supply": token(terms.supply), "price": units(terms.price),
        "pay": terms.pay.iter().map(|coin| code(facts, *coin)).collect::<Vec<_>>(),
        "start_ms": terms.start.0, "close_ms": terms.close.0, "launch_ms": terms.launch.0, "release": release,
        "min": usdt(terms.min), "user_cap": usdt(terms.user_cap), "oversub_factor": terms.oversub,
        "symbol": market.symbol, "tick": units(market.tick), "step": token(market.step),
        "min_qty": token(market.min_quantity), "max_qty": token(market.max_quantity),
        "min_notional": usdt(market.min_notional), "max_notional": usdt(market.max_notional),
        "maker_fee": percent(market.maker_fee), "taker_fee": percent(market.taker_fee),
        "band_buy": [percent(market.band_buy.0), percent(market.band_buy.1)],
        "band_sell": [percent(market.band_sell.0), percent(market.band_sell.1)],
    })
}

/// Numbers of the offerings that are listed or that an open proposal would list.
fn offered(engine: &Engine) -> impl Iterator<Item = &Terms> {
    let open = engine.proposals().filter_map(|kept| match &kept.proposed {
        Proposed::ChangeCatalog { change: CatalogChange::Offering(terms), .. }
            if matches!(kept.status, Status::Waiting | Status::Confirmed) =>
        {
            Some(&**terms)
        }
        _ => None,
    });
    engine.offerings().map(|offering| &offering.terms).chain(open)
}

/// The next numbers of offering, coin and pair.
fn free_numbers(engine: &Engine) -> (OfferingId, AssetId, MarketId) {
    let facts = engine.catalog();
    let next = |all: &mut dyn Iterator<Item = u32>| all.max().unwrap_or(0).saturating_add(1);
    let id = next(&mut offered(engine).map(|terms| terms.id.0));
    let coin = next(&mut facts.assets.iter().map(|asset| asset.id.0).chain(offered(engine).map(|terms| terms.token.id.0)));
    let pair = next(&mut facts.markets.iter().map(|market| market.id.0).chain(offered(engine).map(|terms| terms.market.id.0)));
    (OfferingId(id), AssetId(coin), MarketId(pair))
}

/// The offering described by these values: a new one, or other terms of one that is not open. The engine decides whether they are allowed.
pub(in crate::operator) fn read(engine: &Engine, id: Option<u64>, mut given: FieldValues<'_>) -> Result<CatalogChange, Refusal> {
    let facts = engine.catalog();
    let known = id.and_then(|id| u32::try_from(id).ok()).and_then(|id| engine.offering(OfferingId(id)));
    let (id, coin, pair) =
        known.map_or_else(|| free_numbers(engine), |known| (known.terms.id, known.terms.token.id, known.terms.market.id));
    let token_code = given.text("code")?.to_owned();
    let scale = given.count("scale")?;
    let scale = u8::try_from(scale).ok().filter(|scale| *scale <= 8).ok_or_else(|| bad_value("scale", "range"))?;
    let quote = facts.funding.bank.asset;
    let listed = |code: String| facts.assets.iter().find(|asset| asset.code == code).map(|asset| asset.id);
    let pay = given.texts("pay")?.into_iter().map(|code| listed(code).ok_or_else(|| bad_value("pay", "enum")));
    let pay = pay.collect::<Result<Vec<_>, Refusal>>()?;
    let instant =
        |given: &mut FieldValues, key| Ok::<Time, Refusal>(Time(given.value(key)?.as_u64().ok_or_else(|| bad_value(key, "format"))?));
    let market = Market {
        id: pair,
        symbol: format!("{token_code}/{}", code(facts, quote)),
        base: coin,
        quote,
        tick: Price(given.decimal("tick", PRICE_SCALE)?),
        step: given.decimal("step", scale)?,
        min_quantity: given.decimal("min_qty", scale)?,
        max_quantity: given.decimal("max_qty", scale)?,
        min_notional: given.coin(facts, "min_notional", quote)?,
        max_notional: given.coin(facts, "max_notional", quote)?,
        maker_fee: given.rate("maker_fee")?,
        taker_fee: given.rate("taker_fee")?,
        band_buy: given.band("band_buy")?,
        band_sell: given.band("band_sell")?,
    };
    if given.has("symbol") && given.text("symbol")? != market.symbol {
        return Err(bad_value("symbol", "format"));
    }
    let token = Asset { id: coin, code: token_code, scale, wallets: vec![Wallet::Spot], faucet_max: 0 };
    let terms = Terms {
        id,
        supply: given.decimal("supply", scale)?,
        price: Price(given.decimal("price", PRICE_SCALE)?),
        pay,
        start: instant(&mut given, "start_ms")?,
        close: instant(&mut given, "close_ms")?,
        launch: instant(&mut given, "launch_ms")?,
        release: rows(&mut given, "release", |row| Ok((row.count("day")?, row.rate("share")?)))?,
        min: given.coin(facts, "min", quote)?,
        user_cap: given.coin(facts, "user_cap", quote)?,
        oversub: given.count("oversub_factor")?,
        token,
        market,
    };
    given.end()?;
    Ok(CatalogChange::Offering(Box::new(terms)))
}

/// Which value the engine does not allow, and why.
pub(in crate::operator) fn problem(facts: &Catalog, terms: &Terms) -> Problem {
    let sign = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let code = &terms.token.code;
    let rising = terms.release.is_sorted_by(|one, next| one.0 < next.0 && one.1 < next.1);
    let whole = terms.release.last().is_some_and(|(_, share)| share.0 == engine::amount::RATE_ONE);
    let own = first_of(&[
        (!(2..=12).contains(&code.len()) || !code.bytes().all(sign), "code", "format"),
        (facts.assets.iter().any(|other| other.code == *code), "code", "repeated"),
        (terms.supply == 0, "supply", "range"),
        (!terms.price.in_bounds(), "price", "range"),
        (!terms.price.lies_on(Price(terms.market.tick.0.max(1))), "price", "step"),
        (terms.pay.is_empty(), "pay", "required"),
        (terms.close <= terms.start, "close_ms", "range"),
        (terms.launch < terms.close || terms.launch >= terms.launch_until(), "launch_ms", "range"),
        (!rising || !whole || terms.release.first().is_none_or(|(day, _)| *day == 0), "release", "range"),
        (terms.min == 0 || terms.min > terms.user_cap, "min", "range"),
        (!(1..=100).contains(&terms.oversub), "oversub_factor", "range"),
    ]);
    let least = || first_of(&[(!terms.market.fees_fit(), "min_qty", "range")]);
    own.or_else(|| filter_problem(terms.market.step, &filters(&terms.market))).or_else(least).unwrap_or(("supply", "range"))
}

/// `POST /operator/api/offering/launch`
pub async fn launch(call: Call, request: ByIdWithReason) -> Answer {
    let id = u32::try_from(request.id.or(Code::NotFound)?).ok().map(OfferingId);
    let offering = id.filter(|id| call.app.sequencer.engine().offering(*id).is_some()).or_refuse(Code::NotFound)?;
    propose(&call, Proposed::LaunchOffering { offering }, None, &request.reason.0).await
}
