//! Which features are active, and what changes in the state when one is activated ([`crate::feature`]).

use super::Engine;
use crate::event::Event;
use crate::feature::Feature;
use crate::ids::Seq;
use crate::reject::Reject;
use crate::reply::Reply;

impl Engine {
    /// True once the entry that activates it was applied.
    pub fn active(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// How many features are active.
    pub fn features(&self) -> usize {
        self.features.len()
    }

    /// Once for each feature, and not before genesis.
    pub(crate) fn activate(&mut self, feature: Feature, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        if self.seq == Seq(1) || self.active(feature) {
            return Err(Reject::WrongState);
        }
        self.features.add(feature, self.seq);
        if feature == Feature::Payments {
            self.funding.deposits.date_credits(self.time);
        }
        if feature == Feature::FinalPayments {
            self.funding.begin_finals(self.time);
        }
        if feature == Feature::Options {
            self.options.begin();
        }
        if feature == Feature::Contracts {
            self.list_standard_contracts();
        }
        if feature == Feature::Conversions {
            self.conversions.begin();
        }
        if feature == Feature::Loans {
            self.loans.begin();
        }
        if feature == Feature::Subscriptions {
            self.begin_subscriptions(events);
        }
        if feature == Feature::Plans {
            self.plans.begin(&self.catalog, self.time);
        }
        if feature == Feature::ProductCorrections {
            self.indices.begin_doubting();
        }
        if feature == Feature::RiskBounds {
            self.options.begin_day(&self.ledger, &self.catalog, self.time);
            let without_index = self.catalog.markets.iter().filter(|market| self.indices.get(market.id).is_none());
            without_index.for_each(|market| self.spot.keep_trades(market.id));
        }
        Ok(Reply::Done)
    }
}
