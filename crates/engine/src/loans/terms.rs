//! The terms of loans (7.1). A change affects loans applied for later; a loan keeps the terms of its application (I-11).

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, MAX_AMOUNT, RATE_ONE, Rate};
use crate::ids::{AssetId, Digest, LoanProductId};
use crate::reject::Reject;
use crate::time::DAY_MS;

/// An undecided application expires after this time, ms.
pub const DECISION_MS: u64 = 3 * DAY_MS;
/// Most products and kinds of collateral.
const MOST_ROWS: usize = 50;
/// The longest cycle and the longest grace time, days.
const LONGEST_DAYS: u32 = 3_650;

/// A loan product: a coin for a number of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoanProduct {
    /// Number.
    pub id: LoanProductId,
    /// Lent coin.
    pub asset: AssetId,
    /// Cycle: started periods of 24 h until it is due.
    pub days: u32,
    /// Interest of a period.
    pub rate: Rate,
    /// Smallest loan, atoms.
    pub min: Amount,
    /// Largest loan, atoms.
    pub max: Amount,
    /// It may be applied for.
    pub on: bool,
}

/// Terms that all products share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedTerms {
    /// Coins accepted as collateral.
    pub collateral: Vec<AssetId>,
    /// The maximum loan, as a share of the value of the collateral (B-1).
    pub start: Rate,
    /// Margin call (B-8).
    pub call: Rate,
    /// Liquidation (B-8).
    pub liquidation: Rate,
    /// Fee of a liquidation, as a share of the debt (B-9).
    pub liquidation_fee: Rate,
    /// How many times the rate an overdue period costs (B-5).
    pub overdue_multiple: u32,
    /// Periods of 24 h after the due instant until the collateral is sold.
    pub grace_days: u32,
    /// Maximum number of a member's pending or unpaid loans.
    pub live_loans: u32,
    /// Up to this value one operator approves, above it two; atoms of the coin of the bank terms (B-3).
    pub one_approves_up_to: Amount,
}

/// All terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoanTerms {
    /// Terms shared by all products.
    pub shared: SharedTerms,
    /// The products, by number.
    pub products: Vec<LoanProduct>,
}

impl SharedTerms {
    /// Whether these values are allowed.
    ///
    /// # Errors
    /// [`Reject::BadCatalog`].
    pub(crate) fn check(&self) -> Result<(), Reject> {
        let mut coins = self.collateral.clone();
        coins.sort_unstable();
        coins.dedup();
        let once = coins.len() == self.collateral.len() && coins.len() <= MOST_ROWS;
        let rising = self.start.0 > 0 && self.start < self.call && self.call < self.liquidation && self.liquidation.0 <= RATE_ONE;
        let fee = self.liquidation_fee.0 < RATE_ONE;
        let overdue = (1..=100).contains(&self.overdue_multiple) && (1..=LONGEST_DAYS).contains(&self.grace_days);
        if once && rising && fee && overdue && self.one_approves_up_to < MAX_AMOUNT { Ok(()) } else { Err(Reject::BadCatalog) }
    }
}

impl LoanProduct {
    /// Hash of the terms that a loan keeps, its product's and the shared ones: which product, what it costs, and when its collateral is
    /// sold. Bounds and the list of collateral are not included.
    pub fn rule(&self, shared: &SharedTerms) -> Digest {
        let SharedTerms { start, call, liquidation, liquidation_fee, overdue_multiple, grace_days, .. } = shared;
        let marks = (start, call, liquidation, liquidation_fee);
        Digest::of("loan rule", &(self.id, self.asset, self.days, self.rate, marks, overdue_multiple, grace_days))
    }

    /// Whether these values are allowed together with the shared ones: in every case the debt of the largest loan is an amount.
    ///
    /// # Errors
    /// [`Reject::BadCatalog`].
    pub(crate) fn check(&self, shared: &SharedTerms) -> Result<(), Reject> {
        let periods = u128::from(self.days);
        let overdue = u128::from(shared.grace_days).saturating_add(1).saturating_mul(u128::from(shared.overdue_multiple));
        let charged = periods.saturating_add(overdue).saturating_mul(u128::from(self.rate.0)).saturating_add(u128::from(RATE_ONE));
        let most = u128::from(self.max).saturating_mul(charged).div_ceil(u128::from(RATE_ONE)).saturating_add(2);
        let good = self.min > 0 && self.min <= self.max && self.rate.0 < RATE_ONE && most < u128::from(MAX_AMOUNT);
        if good && (1..=LONGEST_DAYS).contains(&self.days) { Ok(()) } else { Err(Reject::BadCatalog) }
    }
}

impl LoanTerms {
    /// A product.
    pub fn product(&self, id: LoanProductId) -> Option<&LoanProduct> {
        self.products.iter().find(|product| product.id == id)
    }

    /// Replaces the present product, or adds it.
    pub(crate) fn set_product(&mut self, product: LoanProduct) {
        match self.products.binary_search_by_key(&product.id, |present| present.id) {
            Ok(at) => self.products.get_mut(at).into_iter().for_each(|present| *present = product),
            Err(at) => self.products.insert(at, product),
        }
    }

    /// Whether the values of a product are allowed.
    ///
    /// # Errors
    /// [`Reject::BadCatalog`].
    pub(crate) fn check_product(&self, product: &LoanProduct) -> Result<(), Reject> {
        product.check(&self.shared)?;
        let room = self.product(product.id).is_some() || self.products.len() < MOST_ROWS;
        if room && product.id.0 > 0 { Ok(()) } else { Err(Reject::BadCatalog) }
    }

    /// Whether these shared values are allowed beside every product.
    ///
    /// # Errors
    /// [`Reject::BadCatalog`].
    pub(crate) fn check_shared(&self, shared: &SharedTerms) -> Result<(), Reject> {
        shared.check()?;
        self.products.iter().try_for_each(|product| product.check(shared))
    }

    /// The terms that [`crate::feature::Feature::Loans`] puts in force. They are what that entry means in every log, so they never change;
    /// other terms come by changes of the catalog.
    pub fn standard() -> LoanTerms {
        let product = |id, asset, days, rate| LoanProduct {
            id: LoanProductId(id),
            asset: AssetId(asset),
            days,
            rate: Rate(rate),
            min: 100_000_000,
            max: 50_000_000_000,
            on: true,
        };
        LoanTerms {
            shared: SharedTerms {
                collateral: vec![AssetId(1), AssetId(2)],
                start: Rate(60_000_000),
                call: Rate(75_000_000),
                liquidation: Rate(83_000_000),
                liquidation_fee: Rate(2_000_000),
                overdue_multiple: 3,
                grace_days: 3,
                live_loans: 5,
                one_approves_up_to: 5_000_000_000,
            },
            products: vec![
                product(1, 3, 7, 50_000),
                product(2, 3, 15, 45_000),
                product(3, 3, 30, 40_000),
                product(4, 4, 7, 50_000),
                product(5, 4, 15, 45_000),
                product(6, 4, 30, 40_000),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_terms_are_allowed_and_never_change() {
        let terms = LoanTerms::standard();
        terms.check_shared(&terms.shared).unwrap();
        terms.products.iter().for_each(|product| terms.check_product(product).unwrap());
        let bytes = postcard::to_allocvec(&terms).unwrap();
        let digest = <sha2::Sha256 as sha2::Digest>::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(digest, STANDARD, "an entry of old logs would mean something else");
    }

    const STANDARD: &str = "78345b3466bef3e4cec9a6c22f8f71c1986c5f6b8798575f68c0511b4ec15963";

    #[test]
    fn whatever_a_loan_keeps_changes_the_rule_and_nothing_else_does() {
        let LoanTerms { shared, products } = LoanTerms::standard();
        let good = products[0];
        for other in [
            LoanProduct { id: LoanProductId(99), ..good },
            LoanProduct { asset: AssetId(99), ..good },
            LoanProduct { days: 8, ..good },
            LoanProduct { rate: Rate(good.rate.0 + 1), ..good },
        ] {
            assert_ne!(other.rule(&shared), good.rule(&shared), "{other:?}");
        }
        let more = |rate: Rate| Rate(rate.0 + 1);
        for other in [
            SharedTerms { start: more(shared.start), ..shared.clone() },
            SharedTerms { call: more(shared.call), ..shared.clone() },
            SharedTerms { liquidation: more(shared.liquidation), ..shared.clone() },
            SharedTerms { liquidation_fee: more(shared.liquidation_fee), ..shared.clone() },
            SharedTerms { overdue_multiple: 4, ..shared.clone() },
            SharedTerms { grace_days: 4, ..shared.clone() },
        ] {
            assert_ne!(good.rule(&other), good.rule(&shared), "{other:?}");
        }
        let bounds = LoanProduct { min: good.min + 1, max: good.max - 1, on: false, ..good };
        let few = SharedTerms { collateral: Vec::new(), live_loans: 1, one_approves_up_to: 1, ..shared.clone() };
        assert_eq!(bounds.rule(&few), good.rule(&shared));
    }

    #[test]
    fn a_product_is_replaced_or_takes_its_place_in_the_order() {
        let mut terms = LoanTerms::standard();
        let shut = LoanProduct { on: false, ..terms.products[1] };
        terms.set_product(shut);
        terms.set_product(LoanProduct { id: LoanProductId(9), ..shut });
        let numbers: Vec<u32> = terms.products.iter().map(|product| product.id.0).collect();
        assert_eq!((numbers, terms.products[1]), (vec![1, 2, 3, 4, 5, 6, 9], shut));
    }

    #[test]
    fn values_out_of_their_range_are_refused() {
        let terms = LoanTerms::standard();
        let good = terms.products[0];
        for bad in [
            LoanProduct { id: LoanProductId(0), ..good },
            LoanProduct { days: 0, ..good },
            LoanProduct { days: LONGEST_DAYS + 1, ..good },
            LoanProduct { rate: Rate(RATE_ONE), ..good },
            LoanProduct { min: 0, ..good },
            LoanProduct { min: good.max + 1, ..good },
            LoanProduct { max: MAX_AMOUNT - 1, ..good },
        ] {
            assert_eq!(terms.check_product(&bad), Err(Reject::BadCatalog), "{bad:?}");
        }
        let good = &terms.shared;
        for bad in [
            SharedTerms { collateral: vec![AssetId(1), AssetId(1)], ..good.clone() },
            SharedTerms { start: Rate(0), ..good.clone() },
            SharedTerms { start: good.call, ..good.clone() },
            SharedTerms { call: good.liquidation, ..good.clone() },
            SharedTerms { liquidation: Rate(RATE_ONE + 1), ..good.clone() },
            SharedTerms { liquidation_fee: Rate(RATE_ONE), ..good.clone() },
            SharedTerms { overdue_multiple: 0, ..good.clone() },
            SharedTerms { grace_days: 0, ..good.clone() },
            SharedTerms { one_approves_up_to: MAX_AMOUNT, ..good.clone() },
        ] {
            assert_eq!(terms.check_shared(&bad), Err(Reject::BadCatalog), "{bad:?}");
        }
        let dear = LoanProduct { max: MAX_AMOUNT / 2, rate: Rate(10_000_000), days: 1, ..terms.products[0] };
        assert_eq!(terms.check_product(&dear), Err(Reject::BadCatalog), "its penalty would be no amount");
    }
}
