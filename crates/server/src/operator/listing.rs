//! Coins and pairs to be listed under dual control: their values to the wire and back, and which of them the engine does not allow.

use engine::Engine;
use engine::amount::{MAX_AMOUNT, PRICE_SCALE, Price, format_decimal};
use engine::backoffice::proposals::Proposed;
use engine::backoffice::proposals::status::Status;
use engine::catalog::{Asset, Catalog, Market, Wallet};
use engine::ids::{AssetId, MarketId};
use engine::listing::LISTED_MAX;
use engine::listing::change::{CatalogChange, FirstReference};
use engine::units::{Base, Scales};
use serde_json::{Value as Json, json};

use super::catalog::bad_value;
use super::catalog_values::{FieldValues, Problem, fee_problem, filter_problem, filters, first_of, source_problem, written};
use crate::http::reply::Refusal;
use crate::http::units::{self, code, wallet_word};

/// Most decimals of a coin.
const MOST_DECIMALS: u32 = 8;

/// The next number used by no listed object and no open proposal. Two proposals made at the same instant may get the same one; the engine
/// refuses the second.
fn free_number(engine: &Engine, listed: impl Iterator<Item = u32>, number: impl Fn(&CatalogChange) -> Option<u32>) -> u32 {
    let open = engine.proposals().filter_map(|kept| match &kept.proposed {
        Proposed::ChangeCatalog { change, .. } if matches!(kept.status, Status::Waiting | Status::Confirmed) => number(change),
        _ => None,
    });
    let next = listed.chain(open).max().unwrap_or(0).saturating_add(1);
    // Numbers of tokens and pairs that offerings will list are reserved.
    let offered = |number: u32| engine.offerings().any(|one| one.terms.token.id.0 == number || one.terms.market.id.0 == number);
    (next..).find(|number| !offered(*number)).unwrap_or(u32::MAX)
}

/// The coin listed by these values. The engine decides whether they are allowed.
pub(super) fn coin(engine: &Engine, mut given: FieldValues<'_>) -> Result<CatalogChange, Refusal> {
    let code = given.text("code")?.to_owned();
    let scale = given.count("scale")?;
    let scale = u8::try_from(scale).ok().filter(|_| scale <= MOST_DECIMALS).ok_or_else(|| bad_value("scale", "range"))?;
    let wallet = |word: String| units::wallet(&word).map_err(|_| bad_value("accounts", "enum"));
    let wallets = given.texts("accounts")?.into_iter().map(wallet).collect::<Result<_, Refusal>>()?;
    // Only a sandbox has a faucet.
    let faucet_max = if given.has("faucet_max") { given.decimal("faucet_max", scale)? } else { 0 };
    given.end()?;
    let number = |change: &CatalogChange| if let CatalogChange::ListCoin(asset) = change { Some(asset.id.0) } else { None };
    let id = AssetId(free_number(engine, engine.catalog().assets.iter().map(|asset| asset.id.0), number));
    Ok(CatalogChange::ListCoin(Box::new(Asset { id, code, scale, wallets, faucet_max })))
}

/// The pair listed by these values, of two listed coins. The engine decides whether they are allowed.
pub(super) fn pair(engine: &Engine, mut given: FieldValues<'_>) -> Result<CatalogChange, Refusal> {
    let facts = engine.catalog();
    let (base, quote) = (listed(facts, &mut given, "base")?, listed(facts, &mut given, "quote")?);
    let symbol = format!("{}/{}", base.code, quote.code);
    if given.has("symbol") && given.text("symbol")? != symbol {
        return Err(bad_value("symbol", "format"));
    }
    let number = |change: &CatalogChange| if let CatalogChange::ListMarket { market, .. } = change { Some(market.id.0) } else { None };
    let market = Market {
        id: MarketId(free_number(engine, facts.markets.iter().map(|market| market.id.0), number)),
        symbol,
        base: base.id,
        quote: quote.id,
        tick: Price(given.decimal("tick", PRICE_SCALE)?),
        step: given.decimal("step", base.scale)?,
        min_quantity: given.decimal("min_qty", base.scale)?,
        max_quantity: given.decimal("max_qty", base.scale)?,
        min_notional: given.decimal("min_notional", quote.scale)?,
        max_notional: given.decimal("max_notional", quote.scale)?,
        maker_fee: given.rate("maker_fee")?,
        taker_fee: given.rate("taker_fee")?,
        band_buy: given.band("band_buy")?,
        band_sell: given.band("band_sell")?,
    };
    // The pair has either an index of its own or the price at which the coin is issued.
    let reference = match given.has("issue_price") {
        true => FirstReference::IssuePrice(Price(given.decimal("issue_price", PRICE_SCALE)?)),
        false if !given.has("sources") => return Err(bad_value("issue_price", "required")),
        false => FirstReference::Index { tick: Price(given.decimal("index_tick", PRICE_SCALE)?), sources: given.sources()? },
    };
    given.end()?;
    Ok(CatalogChange::ListMarket { market: Box::new(market), reference })
}

fn listed<'a>(facts: &'a Catalog, given: &mut FieldValues<'_>, field: &'static str) -> Result<&'a Asset, Refusal> {
    let code = given.text(field)?;
    facts.assets.iter().find(|asset| asset.code == code).ok_or_else(|| bad_value(field, "enum"))
}

/// The values of a new coin.
pub(super) fn coin_values(asset: &Asset) -> Json {
    json!({
        "code": asset.code, "scale": asset.scale, "accounts": asset.wallets.iter().map(|wallet| wallet_word(*wallet)).collect::<Vec<_>>(),
        "faucet_max": format_decimal(asset.faucet_max, asset.scale, asset.scale),
    })
}

/// A new pair with its filters and fees, and its first reference price.
pub(super) fn pair_values(facts: &Catalog, market: &Market, reference: &FirstReference) -> Json {
    let units = |price: Price| format_decimal(price.0, PRICE_SCALE, PRICE_SCALE);
    let first = match reference {
        FirstReference::Index { tick, sources } => json!({"index_tick": units(*tick), "sources": sources}),
        FirstReference::IssuePrice(price) => json!({"issue_price": units(*price)}),
    };
    let base = facts.scale(market.base);
    let own = json!({
        "symbol": market.symbol, "base": code(facts, market.base), "quote": code(facts, market.quote),
        "tick": units(market.tick), "step": format_decimal(market.step, base, base),
    });
    let fees = CatalogChange::Fee { market: market.id, maker: market.maker_fee, taker: market.taker_fee };
    let listed = Catalog { markets: vec![market.clone()], ..facts.clone() };
    let parts = [own, written(&listed, &filters(market)), written(&listed, &fees), first];
    Json::Object(parts.into_iter().filter_map(|part| if let Json::Object(values) = part { Some(values) } else { None }).flatten().collect())
}

/// Which value of a new coin the engine does not allow, and why.
pub(super) fn coin_problem(facts: &Catalog, asset: &Asset) -> Problem {
    let sign = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let problem = first_of(&[
        (!(2..=12).contains(&asset.code.len()) || !asset.code.bytes().all(sign), "code", "format"),
        (facts.assets.iter().any(|other| other.code == asset.code), "code", "repeated"),
        (facts.asset(asset.id).is_some(), "id", "repeated"),
        (facts.assets.len() >= LISTED_MAX, "code", "length"),
        (asset.faucet_max >= MAX_AMOUNT, "faucet_max", "range"),
        (!asset.wallets.contains(&Wallet::Spot), "accounts", "required"),
    ]);
    problem.unwrap_or(("accounts", "repeated"))
}

/// Which value of a new pair the engine does not allow, and why.
pub(super) fn pair_problem(facts: &Catalog, market: &Market, reference: &FirstReference) -> Problem {
    let scale = |asset| facts.scale(asset);
    let scales = Scales { base: scale(market.base), quote: scale(market.quote) };
    let whole = Base(market.step).value_exact(market.tick, scales).is_some_and(|worth| worth.0 > 0);
    let own = first_of(&[
        (market.base == market.quote, "quote", "repeated"),
        (facts.markets.iter().any(|other| (other.base, other.quote) == (market.base, market.quote)), "symbol", "repeated"),
        (facts.market(market.id).is_some(), "id", "repeated"),
        (facts.markets.len() >= LISTED_MAX, "symbol", "length"),
        (!market.tick.in_bounds(), "tick", "range"),
        (market.step == 0 || market.step >= MAX_AMOUNT, "step", "range"),
        // One step at one tick must be a whole number of quote atoms (U-1).
        (!whole, "step", "step"),
    ]);
    let first = || match reference {
        FirstReference::IssuePrice(price) => {
            first_of(&[(!price.in_bounds(), "issue_price", "range"), (!price.lies_on(market.tick), "issue_price", "step")])
        }
        FirstReference::Index { tick, sources } => {
            first_of(&[(!tick.in_bounds(), "index_tick", "range")]).or_else(|| source_problem(sources))
        }
    };
    let filters = || filter_problem(market.step, &filters(market));
    let fees = || fee_problem(market.maker_fee, market.taker_fee);
    // The fee of the smallest order is less than an atom.
    let least = || first_of(&[(!market.fees_fit(), "min_qty", "range")]);
    // The remaining case: one step at one tick is worth too much for the book's numbers.
    own.or_else(first).or_else(filters).or_else(fees).or_else(least).unwrap_or(("step", "range"))
}
