//! Values coins in the coin of the bank terms, at the last prices.

use engine::Engine;
use engine::amount::Price;
use engine::catalog::Catalog;
use engine::ids::AssetId;
use engine::units::{Base, Scales};

use crate::http::units::amount;

/// The last price of a coin in the coin of the bank terms.
pub fn price_of(engine: &Engine, asset: AssetId) -> Option<Price> {
    let catalog = engine.catalog();
    let market = catalog.markets.iter().find(|market| market.base == asset && market.quote == catalog.funding.bank.asset)?;
    Some(engine.index(market.id)?.filter.last()?.price)
}

/// Value of amounts in the coin of the bank terms at the last prices, rounded down, formatted. A coin that never had a price is worth 0.
pub fn value_of(engine: &Engine, amounts: &[(AssetId, u64)]) -> String {
    let catalog: &Catalog = engine.catalog();
    let shown = catalog.funding.bank.asset;
    let scale = |asset| catalog.scale(asset);
    let worth = |(asset, atoms): &(AssetId, u64)| {
        if *asset == shown {
            return Some(*atoms);
        }
        Base(*atoms).value_floor(price_of(engine, *asset)?, Scales { base: scale(*asset), quote: scale(shown) }).ok().map(|value| value.0)
    };
    amount(catalog, shown, amounts.iter().filter_map(worth).fold(0, u64::saturating_add))
}
