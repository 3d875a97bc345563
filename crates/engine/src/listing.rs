//! What a coin or a pair must satisfy to be listed after genesis. Bounds of its numbers are those of [`Catalog::fault`].

pub mod change;

use crate::catalog::{Asset, Catalog, IndexMarket, IndexOrigin, Market, Wallet};
use crate::ids::AssetId;
use crate::reject::Reject;
use change::{FirstReference, check_sources};

/// Most listed coins, and most listed pairs.
pub const LISTED_MAX: usize = 1_000;

impl Catalog {
    /// A new number and a new code of 2 to 12 capitals and digits; it lives in the spot wallet, where it arrives and is traded.
    fn list_coin(&mut self, asset: &Asset) -> Result<(), Reject> {
        let known = self.assets.iter().any(|other| other.id == asset.id || other.code == asset.code);
        let code =
            (2..=12).contains(&asset.code.len()) && asset.code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        let wallets = asset.wallets.iter().enumerate().all(|(at, wallet)| !asset.wallets.iter().take(at).any(|other| other == wallet));
        if known || !code || !wallets || asset.id.0 == 0 || !asset.wallets.contains(&Wallet::Spot) || self.assets.len() >= LISTED_MAX {
            return Err(Reject::BadCatalog);
        }
        self.assets.push(asset.clone());
        Ok(())
    }

    /// Checks a new number, a symbol made of two listed codes, a pair that is not traded yet, and a first reference on its tick.
    fn list_market(&mut self, market: &Market, reference: &FirstReference) -> Result<(), Reject> {
        let coin = |id: AssetId| self.asset(id).ok_or(Reject::BadAsset);
        let (base, quote) = (coin(market.base)?, coin(market.quote)?);
        let known = self.markets.iter().any(|other| other.id == market.id || (other.base, other.quote) == (market.base, market.quote));
        let named = market.symbol == format!("{}/{}", base.code, quote.code) && base.id != quote.id && market.id.0 != 0;
        if known || !named || self.markets.len() >= LISTED_MAX {
            return Err(Reject::BadCatalog);
        }
        match reference {
            FirstReference::Index { tick, sources } => {
                check_sources(sources)?;
                self.indices.push(IndexMarket { market: market.id, tick: *tick, origin: IndexOrigin::Sources(sources.clone()) });
            }
            FirstReference::IssuePrice(price) => {
                if !price.in_bounds() || !price.lies_on(market.tick) {
                    return Err(Reject::BadCatalog);
                }
            }
        }
        self.markets.push(market.clone());
        Ok(())
    }
}
