//! Changes of the catalog: each was agreed under dual control, and every part that keeps what it says follows it (0.6).

use super::Engine;
use crate::catalog::Market;
use crate::event::{AccountEvent, Event};
use crate::feature::Feature;
use crate::ids::ProposalId;
use crate::listing::change::{CatalogChange, CatalogKey, CatalogVersion, FirstReference};
use crate::reject::Reject;
use crate::time::Time;

impl Engine {
    /// The guards of a catalog change beyond those of the catalog itself (0.6): those of the product that it is about.
    pub(super) fn check_change(&self, change: &CatalogChange) -> Result<(), Reject> {
        match change {
            CatalogChange::OptionDuration(duration) => self.check_option_duration(duration),
            CatalogChange::OptionShared(shared) => self.check_option_shared(shared),
            CatalogChange::ContractTerms(terms) => self.check_contract_terms(terms),
            CatalogChange::ConversionTerms(terms) => self.check_conversion_terms(terms),
            CatalogChange::LoanProduct(product) => self.check_loan_product(product),
            CatalogChange::LoanShared(shared) => self.check_loan_shared(shared),
            CatalogChange::Offering(terms) => self.check_offering(terms).and_then(|()| self.check_fees_fit(&terms.market)),
            CatalogChange::ListCoin(asset) => self.check_unoffered_coin(asset),
            CatalogChange::ListMarket { market, .. } => {
                self.check_unoffered_pair(market.id)?;
                self.check_fees_fit(market)
            }
            CatalogChange::Plan(plan) => self.check_plan(plan),
            CatalogChange::Fee { .. }
            | CatalogChange::MarketFilters { .. }
            | CatalogChange::Network(_)
            | CatalogChange::Bank(_)
            | CatalogChange::Limits(_)
            | CatalogChange::IndexSources { .. }
            | CatalogChange::Text { .. } => Ok(()),
        }
    }

    /// A new pair, or that of an offering, has a smallest order for its fees (2.1).
    fn check_fees_fit(&self, market: &Market) -> Result<(), Reject> {
        if market.fees_fit() || !self.active(Feature::RiskBounds) { Ok(()) } else { Err(Reject::BadCatalog) }
    }

    pub(super) fn change_catalog(
        &mut self,
        id: ProposalId,
        change: &CatalogChange,
        since: Time,
        events: &mut Vec<Event>,
    ) -> Result<(), Reject> {
        self.check_change(change)?;
        self.enter_change(id, change, since, events)
    }

    /// A change that was checked acts.
    pub(crate) fn enter_change(
        &mut self,
        id: ProposalId,
        change: &CatalogChange,
        since: Time,
        events: &mut Vec<Event>,
    ) -> Result<(), Reject> {
        self.catalog = self.catalog.changed(change)?;
        match change {
            CatalogChange::Fee { market, .. } | CatalogChange::MarketFilters { market, .. } => {
                if let Some(facts) = self.catalog.market(*market) {
                    self.spot.set_facts(facts);
                }
            }
            CatalogChange::IndexSources { market, .. } => {
                let facts = self.catalog.index(*market).cloned();
                if let (Some(index), Some(facts)) = (self.indices.get_mut(*market), facts) {
                    index.facts = facts;
                }
            }
            CatalogChange::Network(_) | CatalogChange::Bank(_) | CatalogChange::Limits(_) | CatalogChange::Text { .. } => {}
            // The token of an offering has been in the ledger since it was offered.
            CatalogChange::ListCoin(asset) if self.ledger.asset(asset.id).is_some() => {}
            CatalogChange::ListCoin(asset) => self.ledger.list(asset),
            CatalogChange::ListMarket { market, reference } => self.list_market(market, reference),
            CatalogChange::OptionDuration(duration) => self.options.set_duration(duration),
            CatalogChange::OptionShared(shared) => self.options.set_shared(shared),
            CatalogChange::ContractTerms(terms) => self.list_contract(terms),
            CatalogChange::ConversionTerms(terms) => self.conversions.set_terms(*terms),
            CatalogChange::LoanProduct(product) => self.loans.set_product(*product),
            CatalogChange::LoanShared(shared) => self.loans.set_shared(shared),
            CatalogChange::Offering(terms) => self.list_offering(terms, events),
            CatalogChange::Plan(plan) => self.plans.list(*plan, since),
        }
        let version = CatalogVersion { version: self.next_version(change.key()), change: change.clone(), proposal: id, since };
        self.operations.versions.push(version.clone());
        events.push(AccountEvent::CatalogChanged(version).into());
        Ok(())
    }

    fn list_market(&mut self, market: &Market, reference: &FirstReference) {
        if let Some(index) = self.catalog.index(market.id) {
            self.indices.list(index);
        }
        self.spot.list(market, reference.issue_price(), &self.catalog, &self.ledger).expect("the catalog was checked");
        if self.active(Feature::RiskBounds) && self.catalog.index(market.id).is_none() {
            self.spot.keep_trades(market.id);
        }
    }

    fn next_version(&self, key: CatalogKey) -> u32 {
        let earlier = self.operations.versions.iter().filter(|version| version.change.key() == key).count();
        u32::try_from(earlier).unwrap_or(u32::MAX).saturating_add(2)
    }
}
