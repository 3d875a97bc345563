//! Which plans are sold, and on what terms (5.1). A change affects orders bought later.

use serde::{Deserialize, Serialize};

use super::order::Terms;
use crate::amount::{Amount, MAX_AMOUNT, RATE_ONE, Rate};
use crate::ids::{AssetId, Digest, PlanId};
use crate::reject::Reject;
use crate::time::Time;

/// The longest cycle, days.
pub const LONGEST_CYCLE: u32 = 3_650;
/// Most plans, open and closed ones together.
pub const MOST_PLANS: usize = 500;

/// A plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Number.
    pub id: PlanId,
    /// Coin. It never changes once the plan is listed.
    pub asset: AssetId,
    /// The terms that an order keeps.
    pub terms: Terms,
    /// Smallest principal, atoms.
    pub min: Amount,
    /// Largest principal of one order, atoms.
    pub max: Amount,
    /// It is sold.
    pub on: bool,
}

/// A listed plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedPlan {
    /// Its present terms.
    pub plan: Plan,
    /// When it was listed first.
    pub since: Time,
}

impl Plan {
    /// Hash of the terms that an order keeps: which plan in which coin, on what terms. Its bounds are not included.
    pub fn rule(&self) -> Digest {
        Digest::of("plan rule", &(self.id, self.asset, self.terms))
    }

    /// Whether these values are allowed: a redemption on the first day takes at most half of the principal (5.1), and the interest of the
    /// largest order fits.
    ///
    /// # Errors
    /// [`Reject::BadCatalog`].
    pub(crate) fn check(&self) -> Result<(), Reject> {
        let Terms { cycle, day_yield, damage, agreement } = self.terms;
        // damage * cycle + 1.5 * yield <= 50 %, doubled.
        let damages = u128::from(damage.0).saturating_mul(2).saturating_mul(u128::from(cycle));
        let taken = damages.saturating_add(u128::from(day_yield.0).saturating_mul(3));
        let rates = day_yield.0 > 0 && taken <= u128::from(RATE_ONE);
        let bounds = self.min > 0 && self.min <= self.max && self.max < MAX_AMOUNT;
        let fits = self.terms.accrued(self.max, cycle).is_some_and(|interest| interest < MAX_AMOUNT);
        let good = (1..=LONGEST_CYCLE).contains(&cycle) && rates && bounds && fits && agreement > 0 && self.id.0 > 0;
        if good { Ok(()) } else { Err(Reject::BadCatalog) }
    }

    /// The plans that [`crate::feature::Feature::Plans`] lists. They are what that entry means in every log, so they never change; other
    /// terms come by changes of the catalog.
    pub fn standard() -> Vec<Plan> {
        let cycles = [(7, 150_000), (15, 400_000), (30, 450_000)];
        let coins: [(u32, Amount, Amount); 4] =
            [(3, 100_000_000, 50_000_000_000), (4, 100_000_000, 50_000_000_000), (1, 200_000, 50_000_000), (2, 4_000_000, 2_000_000_000)];
        let all = coins.into_iter().flat_map(|coin| cycles.map(|cycle| (coin, cycle)));
        let plan = |(id, ((asset, min, max), (cycle, day_yield)))| {
            let terms = Terms { cycle, day_yield: Rate(day_yield), damage: Rate(400_000), agreement: 1 };
            Plan { id: PlanId(id), asset: AssetId(asset), terms, min, max, on: true }
        };
        (1..).zip(all).map(plan).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_plans_are_allowed_and_never_change() {
        let plans = Plan::standard();
        plans.iter().for_each(|plan| plan.check().unwrap());
        assert_eq!(plans.len(), 12);
        let bytes = postcard::to_allocvec(&plans).unwrap();
        let digest = <sha2::Sha256 as sha2::Digest>::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(digest, STANDARD, "an entry of old logs would mean something else");
    }

    const STANDARD: &str = "004e8d532b02fb44dbf51be7f4f4cc4036646cc2ad55e05a7d51b40a6230cf91";

    #[test]
    fn whatever_an_order_keeps_changes_the_rule_and_nothing_else_does() {
        let good = Plan::standard()[1];
        let Terms { cycle, day_yield, damage, agreement } = good.terms;
        for other in [
            Plan { id: PlanId(99), ..good },
            Plan { asset: AssetId(99), ..good },
            Plan { terms: Terms { cycle: cycle + 1, ..good.terms }, ..good },
            Plan { terms: Terms { day_yield: Rate(day_yield.0 + 1), ..good.terms }, ..good },
            Plan { terms: Terms { damage: Rate(damage.0 + 1), ..good.terms }, ..good },
            Plan { terms: Terms { agreement: agreement + 1, ..good.terms }, ..good },
        ] {
            assert_ne!(other.rule(), good.rule(), "{other:?}");
        }
        assert_eq!(Plan { min: good.min + 1, max: good.max - 1, on: false, ..good }.rule(), good.rule());
    }

    #[test]
    fn a_plan_that_would_take_more_than_half_cannot_be_listed() {
        let like = Plan { id: PlanId(1), ..Plan::standard()[1] };
        let with = |cycle, day_yield, damage| Plan {
            terms: Terms { cycle, day_yield: Rate(day_yield), damage: Rate(damage), ..like.terms },
            ..like
        };
        // 0.4 % * 123 + 1.5 * 0.5333 % = 49.99995 %. One more rate unit of yield is still below the limit, one more day is not.
        assert_eq!(with(123, 533_333, 400_000).check(), Ok(()));
        assert_eq!(with(123, 533_334, 400_000).check(), Err(Reject::BadCatalog));
        assert_eq!(with(1, 20_000_000, 20_000_000).check(), Ok(()), "exactly half");
        assert_eq!(with(1, 20_000_000, 20_000_001).check(), Err(Reject::BadCatalog));
        assert_eq!(with(1, 20_000_001, 20_000_000).check(), Err(Reject::BadCatalog));
    }

    #[test]
    fn values_out_of_their_range_are_refused() {
        let good = Plan::standard()[1];
        let terms = |change: &dyn Fn(&mut Terms)| {
            let mut plan = good;
            change(&mut plan.terms);
            plan
        };
        for bad in [
            Plan { id: PlanId(0), ..good },
            Plan { min: 0, ..good },
            Plan { max: good.min - 1, ..good },
            Plan { max: MAX_AMOUNT, ..good },
            terms(&|terms| terms.cycle = 0),
            terms(&|terms| (terms.cycle, terms.damage) = (LONGEST_CYCLE + 1, Rate(1))),
            terms(&|terms| terms.day_yield = Rate(0)),
            terms(&|terms| terms.day_yield = Rate(u64::MAX)),
            terms(&|terms| terms.damage = Rate(u64::MAX)),
            terms(&|terms| terms.agreement = 0),
            // The interest of the largest order would exceed the largest amount.
            Plan { max: MAX_AMOUNT - 1, ..terms(&|terms| (terms.cycle, terms.day_yield, terms.damage) = (100, Rate(2_000_000), Rate(0))) },
        ] {
            assert_eq!(bad.check(), Err(Reject::BadCatalog), "{bad:?}");
        }
    }
}
