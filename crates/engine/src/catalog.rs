//! The listed coins, pairs and price sources: set in the log by `Genesis`, changed under dual control (0.6).

pub mod funding;

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, MAX_AMOUNT, MAX_RATE, Price, RATE_ONE, Rate};
use crate::ids::{AssetId, MarketId, to_usize};
use crate::units::{Base, Grid, Scales, product};
use funding::FundingTerms;

/// Fewest sources a price is made of.
pub const QUORUM: usize = 3;

/// A coin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asset {
    /// Number of the coin.
    pub id: AssetId,
    /// Code, for example `BTC`.
    pub code: String,
    /// Decimals of every amount of the coin, 0 to 8.
    pub scale: u8,
    /// Wallets that admit it (TR-1).
    pub wallets: Vec<Wallet>,
    /// Largest amount of one faucet call in a sandbox, in atoms.
    pub faucet_max: Amount,
}

/// One of a member's four wallets (`account` on the wire).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Wallet {
    /// Spot, where deposits arrive and spot orders trade.
    Spot,
    /// Margin of futures.
    Futures,
    /// Stakes of binary options.
    BinaryOptions,
    /// Locked plans.
    Earn,
}

impl Wallet {
    /// All four, in the order of the wire's numbers 2 to 5.
    pub const ALL: [Wallet; 4] = [Wallet::Spot, Wallet::Futures, Wallet::BinaryOptions, Wallet::Earn];

    pub(crate) fn at(self) -> usize {
        match self {
            Wallet::Spot => 0,
            Wallet::Futures => 1,
            Wallet::BinaryOptions => 2,
            Wallet::Earn => 3,
        }
    }
}

/// A spot pair with its filters (S-1 to S-9). Prices are multiples of `tick`, quantities multiples of `step`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Market {
    /// Number of the pair.
    pub id: MarketId,
    /// `BASE/QUOTE`.
    pub symbol: String,
    /// Traded coin.
    pub base: AssetId,
    /// Coin of the price.
    pub quote: AssetId,
    /// Smallest price step.
    pub tick: Price,
    /// Smallest quantity step, atoms of the base.
    pub step: Amount,
    /// Smallest quantity.
    pub min_quantity: Amount,
    /// Largest quantity.
    pub max_quantity: Amount,
    /// Smallest order value, atoms of the quote.
    pub min_notional: Amount,
    /// Largest order value.
    pub max_notional: Amount,
    /// Fee of a resting order.
    pub maker_fee: Rate,
    /// Fee of an order that takes.
    pub taker_fee: Rate,
    /// Lowest and highest limit price of a buy, as a share of the reference (S-6).
    pub band_buy: (Rate, Rate),
    /// The same for a sell.
    pub band_sell: (Rate, Rate),
}

/// A pair with a price index from outside sources, or computed from two others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexMarket {
    /// The pair it belongs to.
    pub market: MarketId,
    /// Step of the index.
    pub tick: Price,
    /// Where its price comes from.
    pub origin: IndexOrigin,
}

/// Where an index price comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IndexOrigin {
    /// Names of the outside sources, in the order of their numbers in `PublishQuotes`.
    Sources(Vec<String>),
    /// `numerator / denominator`, each the last sample of another index while both are fresh.
    Cross {
        /// Index of the base in USDT.
        numerator: MarketId,
        /// Index of the quote in USDT.
        denominator: MarketId,
    },
}

/// Everything listed. Its text is part of the genesis entry, so code may change its defaults without changing old logs.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Catalog {
    /// Coins by number.
    pub assets: Vec<Asset>,
    /// Pairs by number.
    pub markets: Vec<Market>,
    /// Price indices; computed ones after those that they are made from.
    pub indices: Vec<IndexMarket>,
    /// Open orders a member may have in one pair.
    pub max_open_orders: u32,
    /// Terms of money coming in and going out.
    pub funding: FundingTerms,
}

impl Market {
    /// Its grid, with the decimals of its two coins; every listed pair has one (U-1).
    pub(crate) fn grid(&self, scales: Scales) -> Option<Grid> {
        Grid::of(self.tick, Base(self.step), scales)
    }

    /// On the smallest order a fee is at least an atom before it is rounded up, of either coin: so rounding at most doubles it, and never
    /// takes everything.
    pub fn fees_fit(&self) -> bool {
        let least = [self.maker_fee, self.taker_fee].into_iter().filter(|fee| fee.0 > 0).min();
        let fits = |amount: Amount, fee: Rate| product(amount, fee.0) >= u128::from(RATE_ONE);
        least.is_none_or(|fee| fits(self.min_quantity, fee) && fits(self.min_notional, fee))
    }
}

/// Finds an item at its number if the list is in order of numbers; only otherwise searches.
fn by_number<T>(listed: &[T], number: u32, is: impl Fn(&T) -> bool) -> Option<&T> {
    let place = listed.get(to_usize(number.wrapping_sub(1))).filter(|found| is(found));
    place.or_else(|| listed.iter().find(|other| is(other)))
}

impl Catalog {
    /// The coin with this number.
    pub fn asset(&self, id: AssetId) -> Option<&Asset> {
        by_number(&self.assets, id.0, |asset| asset.id == id)
    }

    /// The decimals of a coin; 0 for one that is not listed.
    pub fn scale(&self, id: AssetId) -> u8 {
        self.asset(id).map_or(0, |asset| asset.scale)
    }

    /// Every wallet with every coin, as one walks through all that a member can have.
    pub fn balances(&self) -> impl Iterator<Item = (Wallet, AssetId)> {
        Wallet::ALL.into_iter().flat_map(move |wallet| self.assets.iter().map(move |asset| (wallet, asset.id)))
    }

    /// The pair with this number.
    pub fn market(&self, id: MarketId) -> Option<&Market> {
        by_number(&self.markets, id.0, |market| market.id == id)
    }

    /// The index of a pair, if it has one.
    pub fn index(&self, market: MarketId) -> Option<&IndexMarket> {
        by_number(&self.indices, market.0, |index| index.market == market)
    }

    /// What is wrong with this catalog, if anything: bounds of 0.1, U-1, filters on their steps, bands from low to high, fees at most 100
    /// %, known coins and legs.
    pub fn fault(&self) -> Option<String> {
        if let Some(asset) = self.assets.iter().find(|asset| asset.scale > 8 || asset.faucet_max >= MAX_AMOUNT) {
            return Some(format!("{}: scale or faucet", asset.code));
        }
        for market in &self.markets {
            let (Some(base), Some(quote)) = (self.asset(market.base), self.asset(market.quote)) else {
                return Some(format!("{}: unknown coin", market.symbol));
            };
            let grid = market.grid(Scales { base: base.scale, quote: quote.scale });
            let bands = [market.band_buy, market.band_sell];
            if !market.tick.in_bounds() || market.step == 0 || market.step >= MAX_AMOUNT || grid.is_none() {
                return Some(format!("{}: tick times step is no whole number of quote atoms", market.symbol));
            }
            let off_step = [market.min_quantity, market.max_quantity].iter().any(|quantity| !quantity.is_multiple_of(market.step));
            if off_step || market.min_quantity == 0 || market.min_quantity > market.max_quantity {
                return Some(format!("{}: quantity filters", market.symbol));
            }
            if market.min_notional == 0 || market.min_notional > market.max_notional {
                return Some(format!("{}: value filters", market.symbol));
            }
            let off_band = bands.iter().any(|(low, high)| low > high || high.0 > MAX_RATE);
            if market.max_quantity >= MAX_AMOUNT || market.max_notional >= MAX_AMOUNT || off_band {
                return Some(format!("{}: bounds", market.symbol));
            }
            if market.maker_fee.0 > RATE_ONE || market.taker_fee.0 > RATE_ONE {
                return Some(format!("{}: fees", market.symbol));
            }
        }
        for (position, index) in self.indices.iter().enumerate() {
            let earlier = |market: MarketId| self.indices.iter().take(position).any(|other| other.market == market);
            let sound = match &index.origin {
                IndexOrigin::Sources(names) => !names.is_empty() && names.len() <= 255,
                IndexOrigin::Cross { numerator, denominator } => earlier(*numerator) && earlier(*denominator),
            };
            if !sound || !index.tick.in_bounds() || self.market(index.market).is_none() {
                return Some(format!("index of pair {}", index.market.0));
            }
        }
        if self.funding == FundingTerms::default() { None } else { self.funding.fault(|asset| self.asset(asset).is_some()) }
    }

    /// The coins, pairs and sources that a new data directory starts with (`docs/rules.md` 0.1, 1 and 2.1).
    pub fn standard() -> Catalog {
        Catalog {
            assets: standard_assets(),
            markets: standard_markets(),
            indices: standard_indices(),
            max_open_orders: 100,
            funding: FundingTerms::standard(),
        }
    }
}

fn standard_assets() -> Vec<Asset> {
    let all = Wallet::ALL.to_vec();
    let without_futures = vec![Wallet::Spot, Wallet::BinaryOptions, Wallet::Earn];
    [
        (1, "BTC", 8, without_futures.clone(), 100 * 100_000_000),
        (2, "ETH", 8, without_futures.clone(), 1_000 * 100_000_000),
        (3, "USDT", 6, all, 1_000_000 * 1_000_000),
        (4, "USDC", 6, without_futures, 1_000_000 * 1_000_000),
    ]
    .into_iter()
    .map(|(id, code, scale, wallets, faucet_max)| Asset { id: AssetId(id), code: code.to_owned(), scale, wallets, faucet_max })
    .collect()
}

const BTC_USDT: MarketId = MarketId(1);
const ETH_USDT: MarketId = MarketId(2);
const USDC_USDT: MarketId = MarketId(3);

fn standard_markets() -> Vec<Market> {
    let (btc, eth, usdt, usdc) = (AssetId(1), AssetId(2), AssetId(3), AssetId(4));
    let market = |id: u32, symbol: &str, base, quote, tick: u64, step, max_quantity| Market {
        id: MarketId(id),
        symbol: symbol.to_owned(),
        base,
        quote,
        tick: Price(tick),
        step,
        min_quantity: step,
        max_quantity,
        min_notional: 5_000_000,
        max_notional: 1_000_000_000_000,
        maker_fee: Rate(80_000),
        taker_fee: Rate(100_000),
        band_buy: (Rate(50_000_000), Rate(105_000_000)),
        band_sell: (Rate(95_000_000), Rate(200_000_000)),
    };
    vec![
        market(1, "BTC/USDT", btc, usdt, 10_000_000, 1_000, 100 * 100_000_000),
        market(2, "ETH/USDT", eth, usdt, 1_000_000, 10_000, 2_000 * 100_000_000),
        market(3, "USDC/USDT", usdc, usdt, 10_000, 10_000, 1_000_000_000_000),
        market(4, "BTC/USDC", btc, usdc, 10_000_000, 1_000, 100 * 100_000_000),
        market(5, "ETH/USDC", eth, usdc, 1_000_000, 10_000, 2_000 * 100_000_000),
        Market {
            min_notional: 5_000,
            max_notional: 10 * 100_000_000,
            ..market(6, "ETH/BTC", eth, btc, 1_000, 100_000, 2_000 * 100_000_000)
        },
    ]
}

fn standard_indices() -> Vec<IndexMarket> {
    let sources = || IndexOrigin::Sources(["alder", "birch", "cedar", "hazel", "maple"].map(str::to_owned).to_vec());
    let cross = |numerator, denominator| IndexOrigin::Cross { numerator, denominator };
    [
        (BTC_USDT, 1_000_000, sources()),
        (ETH_USDT, 1_000_000, sources()),
        (USDC_USDT, 10_000, sources()),
        (MarketId(4), 1_000_000, cross(BTC_USDT, USDC_USDT)),
        (MarketId(5), 1_000_000, cross(ETH_USDT, USDC_USDT)),
        (MarketId(6), 1_000, cross(ETH_USDT, BTC_USDT)),
    ]
    .into_iter()
    .map(|(market, tick, origin)| IndexMarket { market, tick: Price(tick), origin })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_catalog_is_sound() {
        assert_eq!(Catalog::standard().fault(), None);
    }

    #[test]
    fn what_is_listed_is_found_by_its_number_wherever_it_stands() {
        let mut catalog = Catalog::standard();
        catalog.assets.push(Asset { id: AssetId(77), code: "TOK".to_owned(), ..catalog.assets[0].clone() });
        catalog.assets.swap(0, 2);
        for (id, code) in [(1, "BTC"), (2, "ETH"), (3, "USDT"), (4, "USDC"), (77, "TOK")] {
            assert_eq!(catalog.asset(AssetId(id)).map(|asset| asset.code.as_str()), Some(code));
        }
        assert_eq!([0, 5, 6, u32::MAX].map(|id| catalog.asset(AssetId(id))), [None; 4]);
    }

    #[test]
    fn a_market_whose_trades_would_round_is_refused() {
        let mut catalog = Catalog::standard();
        catalog.markets[0].step = 1;
        assert!(catalog.fault().is_some());
    }

    #[test]
    fn a_band_that_no_price_can_be_in_is_refused() {
        let mut catalog = Catalog::standard();
        let (low, high) = catalog.markets[0].band_sell;
        catalog.markets[0].band_sell = (high, high);
        assert_eq!(catalog.fault(), None);
        catalog.markets[0].band_sell = (high, low);
        assert_eq!(catalog.fault(), Some("BTC/USDT: bounds".to_owned()));
    }
}
