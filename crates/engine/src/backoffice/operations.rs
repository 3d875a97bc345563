//! State that operators' acts leave besides the objects themselves: proposals, pauses, versions of the catalog, retired pairs, settled
//! fees.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, Price};
use crate::backoffice::proposals::Proposals;
use crate::backoffice::proposals::status::Status;
use crate::ids::{AssetId, MarketId};
use crate::listing::change::{CatalogChange, CatalogVersion};
use crate::product::Product;
use crate::reject::Reject;
use crate::time::Time;

/// State that operators' acts leave behind, besides the objects themselves.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Operations {
    pub(crate) proposals: Proposals,
    pub(crate) paused: BTreeSet<(Product, Option<MarketId>)>,
    pub(crate) versions: Vec<CatalogVersion>,
    pub(crate) retired: BTreeMap<MarketId, Time>,
    pub(crate) settled: SettledFees,
    pub(crate) audited: u64,
}

/// The part of the fee account that belongs to settled days, for each coin (L-3): fees of today may still be owed as rebates (G-4).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SettledFees {
    pub(crate) day: u64,
    pub(crate) atoms: BTreeMap<AssetId, Amount>,
}

impl Operations {
    /// Opening is not paused for this product, or this pair of it.
    pub(crate) fn check_open(&self, product: Product, market: Option<MarketId>) -> Result<(), Reject> {
        let paused = self.paused.contains(&(product, None)) || (market.is_some() && self.paused.contains(&(product, market)));
        if paused { Err(Reject::Disabled(Some(product))) } else { Ok(()) }
    }

    /// When a pair was retired.
    pub(crate) fn retired_at(&self, market: MarketId) -> Option<Time> {
        self.retired.get(&market).copied()
    }

    /// When a pair will be retired.
    pub(crate) fn retires_at(&self, market: MarketId) -> Option<Time> {
        self.proposals.all().find(|kept| kept.status == Status::Confirmed && kept.proposed.retires() == Some(market))?.effective
    }

    /// Pairs that were listed after genesis, in their order, with their issue price.
    pub(crate) fn listed_markets(&self) -> impl Iterator<Item = (MarketId, Option<Price>)> {
        self.versions.iter().filter_map(|version| match &version.change {
            CatalogChange::ListMarket { market, reference } => Some((market.id, reference.issue_price())),
            CatalogChange::Fee { .. }
            | CatalogChange::MarketFilters { .. }
            | CatalogChange::Network(_)
            | CatalogChange::Bank(_)
            | CatalogChange::Limits(_)
            | CatalogChange::IndexSources { .. }
            | CatalogChange::Text { .. }
            | CatalogChange::ListCoin(_)
            | CatalogChange::OptionDuration(_)
            | CatalogChange::OptionShared(_)
            | CatalogChange::ContractTerms(_)
            | CatalogChange::ConversionTerms(_)
            | CatalogChange::LoanProduct(_)
            | CatalogChange::LoanShared(_)
            | CatalogChange::Offering(_)
            | CatalogChange::Plan(_) => None,
        })
    }

    /// The part of the fee account that belongs to settled days (L-3).
    pub(crate) fn settled_fees(&self, asset: AssetId) -> Amount {
        self.settled.atoms.get(&asset).copied().unwrap_or(0)
    }
}
