//! What two operators may change in the catalog. A change affects objects opened later (0.6); none sets a price, a balance or an open
//! object's terms.

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, Price, Rate};
use crate::catalog::funding::{BankTerms, Chain, Limits, Network};
use crate::catalog::{Asset, Catalog, IndexOrigin, Market, QUORUM};
use crate::contracts::terms::Terms as ContractTerms;
use crate::convert::terms::ConversionTerms;
use crate::ids::{AssetId, Digest, LoanProductId, MarketId, OfferingId, PlanId, ProposalId};
use crate::loans::terms::{LoanProduct, SharedTerms as LoanShared};
use crate::options::terms::{DurationTerms, SharedTerms};
use crate::plans::terms::Plan;
use crate::reject::Reject;
use crate::subscriptions::offering::Terms as OfferingTerms;
use crate::time::{DAY_MS, Time};

/// A new list of price sources waits at least this long after its confirmation, ms (0.6).
pub const SOURCES_WAIT_MS: u64 = DAY_MS;

/// One change of the catalog. This list is closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CatalogChange {
    /// Fees of orders placed later.
    Fee {
        /// Pair.
        market: MarketId,
        /// Fee of a resting order.
        maker: Rate,
        /// Fee of an order that takes.
        taker: Rate,
    },
    /// Filters of orders placed later. Tick and step of a listed pair never change, because open orders depend on them.
    MarketFilters {
        /// Pair.
        market: MarketId,
        /// Smallest and largest quantity, base atoms on the step.
        quantity: (Amount, Amount),
        /// Smallest and largest value, quote atoms.
        notional: (Amount, Amount),
        /// Lowest and highest limit price of a buy, as a share of the reference (S-6).
        band_buy: (Rate, Rate),
        /// The same for a sell.
        band_sell: (Rate, Rate),
    },
    /// A coin on a chain, new or replacing its present terms.
    Network(Network),
    /// Bank transfers.
    Bank(BankTerms),
    /// Bounds.
    Limits(Limits),
    /// Names of the outside sources of an index; takes effect at the earliest 24 h after its confirmation.
    IndexSources {
        /// Pair with an index of its own sources.
        market: MarketId,
        /// Names, in the order of their numbers in `PublishQuotes`.
        sources: Vec<String>,
    },
    /// A text or table kept outside the log: two operators agreed on exactly the bytes with this digest.
    Text {
        /// Its kind.
        kind: TextKind,
        /// Number within its kind.
        id: u32,
        /// SHA-256 of its bytes.
        digest: Digest,
    },
    /// A coin that is not listed yet.
    ListCoin(Box<Asset>),
    /// A pair that is not listed yet, of two listed coins.
    ListMarket {
        /// The pair.
        market: Box<Market>,
        /// Where its first reference price comes from (S-5).
        reference: FirstReference,
    },
    /// An option duration, new or replacing its present terms.
    OptionDuration(DurationTerms),
    /// Terms shared by all option durations.
    OptionShared(SharedTerms),
    /// Terms of a contract market, new or replacing its present ones.
    ContractTerms(Box<ContractTerms>),
    /// Terms of conversions.
    ConversionTerms(ConversionTerms),
    /// A loan product, new or replacing its present terms.
    LoanProduct(LoanProduct),
    /// Terms shared by all loan products.
    LoanShared(LoanShared),
    /// An offering of a new coin, new or replacing one that is not open yet.
    Offering(Box<OfferingTerms>),
    /// A plan, new or replacing its present terms.
    Plan(Plan),
}

/// Where the reference of a new pair comes from before anybody traded it (S-5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FirstReference {
    /// An index of its own; the pair is listed 24 h after its confirmation at the earliest, like new sources.
    Index {
        /// Step of the index.
        tick: Price,
        /// Names of its sources.
        sources: Vec<String>,
    },
    /// No index: this price until the first trade.
    IssuePrice(Price),
}

/// Texts that need two operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TextKind {
    /// Extended public key that deposit addresses of a chain are derived from.
    ReceivingKey(Chain),
    /// Which products a country has.
    Country,
    /// A product's risk text.
    RiskText,
    /// The house's own account for deposits by bank.
    BankAccount,
    /// Where the white paper of an offering is.
    WhitePaper,
}

/// What a change replaces: each of these has its own version count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CatalogKey {
    /// Fees of a pair.
    Fee(MarketId),
    /// Filters of a pair.
    MarketFilters(MarketId),
    /// A coin on a chain.
    Network(AssetId, Chain),
    /// Bank transfers.
    Bank,
    /// Bounds.
    Limits,
    /// Sources of an index.
    IndexSources(MarketId),
    /// A text.
    Text(TextKind, u32),
    /// A listed coin.
    Coin(AssetId),
    /// A listed pair.
    Market(MarketId),
    /// A length of options, seconds.
    OptionDuration(u32),
    /// Terms shared by all option durations.
    OptionShared,
    /// Terms of a contract market.
    ContractTerms(MarketId),
    /// Terms of conversions.
    ConversionTerms,
    /// A loan product.
    LoanProduct(LoanProductId),
    /// Terms shared by all loan products.
    LoanShared,
    /// An offering of a new coin.
    Offering(OfferingId),
    /// A plan.
    Plan(PlanId),
}

/// A change that acted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CatalogVersion {
    /// Number of the version, from 2; version 1 is that of genesis.
    pub version: u32,
    /// New values.
    pub change: CatalogChange,
    /// The two operators' proposal.
    pub proposal: ProposalId,
    /// When it acted.
    pub since: Time,
}

impl FirstReference {
    /// The issue price, if there is no index.
    pub(crate) fn issue_price(&self) -> Option<Price> {
        if let FirstReference::IssuePrice(price) = self { Some(*price) } else { None }
    }
}

impl CatalogChange {
    /// The key of what it replaces.
    pub fn key(&self) -> CatalogKey {
        match self {
            CatalogChange::Fee { market, .. } => CatalogKey::Fee(*market),
            CatalogChange::MarketFilters { market, .. } => CatalogKey::MarketFilters(*market),
            CatalogChange::Network(network) => CatalogKey::Network(network.asset, network.chain),
            CatalogChange::Bank(_) => CatalogKey::Bank,
            CatalogChange::Limits(_) => CatalogKey::Limits,
            CatalogChange::IndexSources { market, .. } => CatalogKey::IndexSources(*market),
            CatalogChange::Text { kind, id, .. } => CatalogKey::Text(*kind, *id),
            CatalogChange::ListCoin(asset) => CatalogKey::Coin(asset.id),
            CatalogChange::ListMarket { market, .. } => CatalogKey::Market(market.id),
            CatalogChange::OptionDuration(duration) => CatalogKey::OptionDuration(duration.seconds),
            CatalogChange::OptionShared(_) => CatalogKey::OptionShared,
            CatalogChange::ContractTerms(terms) => CatalogKey::ContractTerms(terms.market),
            CatalogChange::ConversionTerms(_) => CatalogKey::ConversionTerms,
            CatalogChange::LoanProduct(product) => CatalogKey::LoanProduct(product.id),
            CatalogChange::LoanShared(_) => CatalogKey::LoanShared,
            CatalogChange::Offering(terms) => CatalogKey::Offering(terms.id),
            CatalogChange::Plan(plan) => CatalogKey::Plan(plan.id),
        }
    }

    /// The first instant at which it may act when it is confirmed at `now`.
    pub(crate) fn earliest(&self, now: Time) -> Time {
        match self {
            CatalogChange::IndexSources { .. } | CatalogChange::ListMarket { reference: FirstReference::Index { .. }, .. } => {
                now.plus(SOURCES_WAIT_MS)
            }
            CatalogChange::Fee { .. }
            | CatalogChange::MarketFilters { .. }
            | CatalogChange::Network(_)
            | CatalogChange::Bank(_)
            | CatalogChange::Limits(_)
            | CatalogChange::Text { .. }
            | CatalogChange::ListCoin(_)
            | CatalogChange::ListMarket { reference: FirstReference::IssuePrice(_), .. }
            | CatalogChange::OptionDuration(_)
            | CatalogChange::OptionShared(_)
            | CatalogChange::ContractTerms(_)
            | CatalogChange::ConversionTerms(_)
            | CatalogChange::LoanProduct(_)
            | CatalogChange::LoanShared(_)
            | CatalogChange::Offering(_)
            | CatalogChange::Plan(_) => now,
        }
    }
}

impl Catalog {
    /// This catalog with the change applied.
    ///
    /// # Errors
    /// [`Reject::NotFound`] for an unknown object, [`Reject::BadCatalog`] for values that are not allowed.
    pub(crate) fn changed(&self, change: &CatalogChange) -> Result<Catalog, Reject> {
        let mut catalog = self.clone();
        let market_of = |catalog: &mut Catalog, id: MarketId| catalog.markets.iter().position(|market| market.id == id);
        match change {
            CatalogChange::Fee { market, maker, taker } => {
                let at = market_of(&mut catalog, *market).ok_or(Reject::NotFound)?;
                let facts = &mut catalog.markets[at];
                (facts.maker_fee, facts.taker_fee) = (*maker, *taker);
            }
            CatalogChange::MarketFilters { market, quantity, notional, band_buy, band_sell } => {
                let at = market_of(&mut catalog, *market).ok_or(Reject::NotFound)?;
                let facts = &mut catalog.markets[at];
                (facts.min_quantity, facts.max_quantity) = *quantity;
                (facts.min_notional, facts.max_notional) = *notional;
                (facts.band_buy, facts.band_sell) = (*band_buy, *band_sell);
            }
            CatalogChange::Network(network) => {
                let networks = &mut catalog.funding.networks;
                match networks.iter_mut().find(|other| other.asset == network.asset && other.chain == network.chain) {
                    Some(present) => *present = *network,
                    None => networks.push(*network),
                }
            }
            // The day limit and open claims are counted in the coin of the bank terms, so that coin never changes.
            CatalogChange::Bank(bank) if bank.asset != self.funding.bank.asset => return Err(Reject::BadCatalog),
            CatalogChange::Bank(bank) => catalog.funding.bank = *bank,
            CatalogChange::Limits(limits) => catalog.funding.limits = limits.clone(),
            CatalogChange::IndexSources { market, sources } => {
                let index = catalog.indices.iter_mut().find(|index| index.market == *market).ok_or(Reject::NotFound)?;
                let IndexOrigin::Sources(names) = &mut index.origin else { return Err(Reject::NotFound) };
                check_sources(sources)?;
                names.clone_from(sources);
            }
            // The engine keeps the terms of products; they are not part of the genesis catalog.
            CatalogChange::Text { .. }
            | CatalogChange::OptionDuration(_)
            | CatalogChange::OptionShared(_)
            | CatalogChange::ContractTerms(_)
            | CatalogChange::ConversionTerms(_)
            | CatalogChange::LoanProduct(_)
            | CatalogChange::LoanShared(_)
            | CatalogChange::Offering(_)
            | CatalogChange::Plan(_) => {}
            CatalogChange::ListCoin(asset) => catalog.list_coin(asset)?,
            CatalogChange::ListMarket { market, reference } => catalog.list_market(market, reference)?,
        }
        if catalog.fault().is_some() { Err(Reject::BadCatalog) } else { Ok(catalog) }
    }
}

/// A quorum of names, each once.
pub(super) fn check_sources(sources: &[String]) -> Result<(), Reject> {
    let repeated = sources.iter().enumerate().any(|(at, name)| sources.iter().take(at).any(|other| other == name));
    let bad = sources.len() < QUORUM || repeated || sources.iter().any(|name| name.is_empty() || name.len() > 64);
    if bad { Err(Reject::BadCatalog) } else { Ok(()) }
}
