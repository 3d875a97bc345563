//! Which changes of the catalog are allowed (0.6).

use engine::catalog::Market;
use engine::catalog::funding::Network;
use engine::feature::Feature;
use engine::listing::change::CatalogChange;

use super::spot::PAIRS;
use super::{AMOUNT_LIMIT, Oracle, PRICE_LIMIT, Refusal, need, refuse};

impl Oracle {
    pub(super) fn check_change(&self, change: &CatalogChange) -> Result<(), Refusal> {
        let listed = |coin: u32| (1..=4).contains(&coin);
        let below = |amount: u64| i128::from(amount) < AMOUNT_LIMIT;
        let good = match change {
            CatalogChange::Fee { market, maker, taker } => {
                need((1..=6).contains(&market.0), "E_NOT_FOUND")?;
                maker.0 <= 100_000_000 && taker.0 <= 100_000_000
            }
            CatalogChange::MarketFilters { market, quantity, notional, .. } => {
                let Some(pair) = PAIRS.iter().find(|pair| pair.id == market.0) else { return refuse("E_NOT_FOUND") };
                let on_step = [quantity.0, quantity.1].iter().all(|quantity| i128::from(*quantity) % pair.step == 0);
                let ordered = |(least, most): (u64, u64)| 0 < least && least <= most && below(most);
                on_step && ordered(*quantity) && ordered(*notional)
            }
            CatalogChange::Network(Network { asset, deposit_min, confirmations, withdraw_min, withdraw_fee, .. }) => {
                let bounds = *deposit_min > 0 && below(*deposit_min) && withdraw_min > withdraw_fee && below(*withdraw_min);
                listed(asset.0) && bounds && *confirmations > 0
            }
            CatalogChange::Bank(bank) => {
                let rates = [bank.deposit_rate, bank.payout_rate].iter().all(|rate| rate.0 > 0 && i128::from(rate.0) < PRICE_LIMIT);
                let share = (i128::from(bank.withdraw_min) * i128::from(bank.withdraw_fee.0) + 99_999_999) / 100_000_000;
                let fee = share.max(i128::from(bank.withdraw_fee_min));
                listed(bank.asset.0) && rates && fee < i128::from(bank.withdraw_min) && bank.withdraw_fee.0 < 100_000_000
            }
            CatalogChange::Limits(limits) => {
                limits.withdraw_day_basic <= limits.withdraw_day_advanced && below(limits.withdraw_day_advanced)
            }
            CatalogChange::IndexSources { market, sources } => {
                need((1..=3).contains(&market.0), "E_NOT_FOUND")?;
                sources.len() >= 3
            }
            CatalogChange::ListCoin(_) | CatalogChange::ListMarket { .. } if self.is_offered(change) => false,
            CatalogChange::ListCoin(coin) => !listed(coin.id.0) && !self.world.coins.contains(&coin.id.0),
            CatalogChange::ListMarket { market, .. } => {
                need(self.world.coins.contains(&market.base.0), "E_ASSET")?;
                !self.world.pairs.contains(&market.id.0) && self.fees_fit(market)
            }
            CatalogChange::Text { .. } => true,
            CatalogChange::OptionDuration(terms) => return self.check_length(terms),
            CatalogChange::OptionShared(terms) => return self.check_shared(terms),
            CatalogChange::ContractTerms(terms) => return self.check_terms(terms),
            CatalogChange::ConversionTerms(terms) => return self.check_conversion_terms(terms),
            CatalogChange::LoanProduct(product) => return self.check_loan_product(product),
            CatalogChange::LoanShared(shared) => return self.check_loan_shared(shared),
            CatalogChange::Offering(terms) => return self.check_offering(terms),
            CatalogChange::Plan(plan) => return self.check_plan(plan),
        };
        need(good, "E_CATALOG")
    }

    /// The smallest order pays an atom of either coin before its fee is rounded.
    pub(super) fn fees_fit(&self, market: &Market) -> bool {
        let fees = [market.maker_fee, market.taker_fee].map(|fee| i128::from(fee.0));
        let fit = |least: u64| fees.iter().all(|fee| *fee == 0 || i128::from(least) * fee >= 100_000_000);
        !self.features.contains(&Feature::RiskBounds) || (fit(market.min_quantity) && fit(market.min_notional))
    }
}
