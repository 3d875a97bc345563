//! A plan order: how it is bought, what it has earned by a given day, and what it pays at its end or before (5.2, 5.3). Pure formulas;
//! nothing here moves money.

use serde::{Deserialize, Serialize};

use super::status::Status;
use crate::amount::{Amount, RATE_ONE, Rate};
use crate::exact::Exact;
use crate::ids::{AssetId, Digest, PlanId, PlanOrderId, Seq, UserId};
use crate::time::Time;

const WITHIN: &str = "the deduction is at most the principal, and principal and interest are each below 10^18 (P-5)";

/// Buy a plan (P-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuyPlan {
    /// Buyer.
    pub user: UserId,
    /// Which.
    pub plan: PlanId,
    /// Principal, atoms of the coin of the plan.
    pub amount: Amount,
    /// The buyer accepted the service agreement.
    pub agreed: bool,
    /// Hash of the rule that the buyer was shown, if they send it; a different rule is refused.
    pub rule: Option<Digest>,
}

/// Take a plan order back before it matures (P-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedeemPlan {
    /// Owner.
    pub user: UserId,
    /// Which.
    pub order: PlanOrderId,
    /// A higher deduction refuses it, atoms.
    pub max_deduction: Option<Amount>,
}

/// Terms of an order that its owner and the house agreed on at the purchase; nothing changes them (I-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// Days that earn.
    pub cycle: u32,
    /// Yield of a day as a share of the principal.
    pub day_yield: Rate,
    /// Damages of an early redemption for each remaining day, as a share of the principal.
    pub damage: Rate,
    /// Version of the service agreement.
    pub agreement: u32,
}

/// The amounts of an early redemption on a UTC day (P-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redemption {
    /// Days earned.
    pub days: u32,
    /// Days left, at least 1.
    pub remaining: u32,
    /// Interest of the days earned, kept by the owner, atoms.
    pub interest: Amount,
    /// Damages for the days left, atoms.
    pub damages: Amount,
    /// One and a half times the interest of a day, atoms.
    pub penalty: Amount,
    /// The deduction from the principal: damages and penalty, at most all of it, atoms.
    pub deduction: Amount,
    /// The owner's payout: the rest of the principal, and the interest, atoms.
    pub payout: Amount,
}

/// How an order ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The entry with which it ended.
    pub seq: Seq,
    /// When: its maturity, or its redemption.
    pub time: Time,
    /// The figures of a redemption; `None` of an order that matured.
    pub redemption: Option<Redemption>,
    /// Interest that was paid, atoms.
    pub interest: Amount,
    /// Everything that the owner received, atoms.
    pub returned: Amount,
}

/// A plan order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub struct PlanOrder {
    /// Number: the sequence of the purchase.
    pub id: PlanOrderId,
    pub user: UserId,
    /// The plan that was bought.
    pub plan: PlanId,
    pub asset: AssetId,
    /// Its own terms.
    pub terms: Terms,
    /// Principal, atoms.
    pub amount: Amount,
    /// Interest at maturity, which the treasury sets aside, atoms.
    pub interest: Amount,
    /// When it was bought.
    pub bought: Time,
    pub status: Status,
    /// How it ended.
    pub ended: Option<Ending>,
}

impl Terms {
    /// Interest for this many days: one rounding on the total (P-3); `None` when it does not fit.
    pub fn accrued(&self, amount: Amount, days: u32) -> Option<Amount> {
        Amount::try_from(share(amount, self.day_yield, days)?.checked_div(u128::from(RATE_ONE))?).ok()
    }

    /// Days earned at an instant: the first is the day after the purchase, and a day counts when it has ended (P-2, P-3).
    pub fn days_earned(&self, bought: Time, now: Time) -> u32 {
        let days = now.day().saturating_sub(bought.day()).saturating_sub(1);
        u32::try_from(days).unwrap_or(u32::MAX).min(self.cycle)
    }

    /// The instant at which an order matures (P-4).
    pub fn maturity(&self, bought: Time) -> Time {
        Time::of_day(bought.day().saturating_add(u64::from(self.cycle)).saturating_add(1))
    }

    /// The amounts of an early redemption at an instant before the maturity (P-5); `None` from then on, and when an amount does not fit.
    pub fn redemption(&self, amount: Amount, bought: Time, now: Time) -> Option<Redemption> {
        let days = self.days_earned(bought, now);
        let remaining = self.cycle.checked_sub(days).filter(|remaining| *remaining > 0)?;
        let interest = self.accrued(amount, days)?;
        let damages = Amount::try_from(share(amount, self.damage, remaining)?.div_ceil(u128::from(RATE_ONE))).ok()?;
        let two_wholes = u128::from(RATE_ONE).checked_mul(2)?;
        let penalty = Amount::try_from(share(amount, self.day_yield, 3)?.div_ceil(two_wholes)).ok()?;
        let deduction = damages.saturating_add(penalty).min(amount);
        let payout = amount.less(deduction, WITHIN).checked_add(interest)?;
        Some(Redemption { days, remaining, interest, damages, penalty, deduction, payout })
    }
}

/// `amount * rate * days`, in 10^-8 atoms.
fn share(amount: Amount, rate: Rate, days: u32) -> Option<u128> {
    crate::units::product(amount, rate.0).checked_mul(u128::from(days))
}

impl PlanOrder {
    /// The instant at which it matures (P-4).
    pub fn maturity(&self) -> Time {
        self.terms.maturity(self.bought)
    }

    /// Days earned at an instant, none behind its end (P-3).
    pub fn days_earned(&self, now: Time) -> u32 {
        let until = self.ended.map_or(now, |ended| ended.time.min(now));
        self.terms.days_earned(self.bought, until)
    }

    /// Interest earned at an instant, "current income" (P-3).
    pub fn accrued(&self, now: Time) -> Amount {
        // At most the interest at maturity, which fits.
        self.terms.accrued(self.amount, self.days_earned(now)).unwrap_or(self.interest)
    }

    /// The amounts of an early redemption at an instant; `None` for an order that ended or is due (P-5, P-6).
    pub fn redemption(&self, now: Time) -> Option<Redemption> {
        let open = self.status == Status::Hosting && now < self.maturity();
        if open { self.terms.redemption(self.amount, self.bought, now) } else { None }
    }

    /// Its payout at maturity: principal and interest.
    pub fn at_maturity(&self) -> Amount {
        self.amount.plus(self.interest, WITHIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::DAY_MS;

    /// Amounts, rates and days that a purchase can have, drawn from a full cycle modulo a prime.
    fn each(mut check: impl FnMut(Amount, Terms, Time, Time)) {
        let mut step = 1_u64;
        let mut next = |below: u64| {
            step = step * 48_271 % 2_147_483_647;
            step % below
        };
        for _ in 0..20_000 {
            let size = u32::try_from(next(16)).unwrap();
            let amount = 1 + next(10) * 10_u64.pow(size) + next(1_000);
            let cycle = 1 + u32::try_from(next(120)).unwrap();
            // Keeps the damages at or below half of the principal (5.1).
            let damage = next(45_000_000 / u64::from(cycle) + 1);
            let terms = Terms { cycle, day_yield: Rate(1 + next(3_000_000)), damage: Rate(damage), agreement: 1 };
            let bought = Time(1_767_225_600_000 + next(3 * DAY_MS));
            let now = Time(bought.0 + next((u64::from(cycle) + 2) * DAY_MS));
            check(amount, terms, bought, now);
        }
    }

    #[test]
    fn what_is_paid_and_what_the_treasury_gains_are_the_principal() {
        let (mut early, mut late) = (0, 0);
        each(|amount, terms, bought, now| {
            let total = terms.accrued(amount, terms.cycle).unwrap();
            let earned = terms.accrued(amount, terms.days_earned(bought, now)).unwrap();
            assert!(earned <= total, "A(k) <= T");
            let Some(found) = terms.redemption(amount, bought, now) else {
                assert!(now >= terms.maturity(bought));
                late += 1;
                return;
            };
            early += 1;
            assert!(now < terms.maturity(bought) && found.remaining >= 1 && found.days + found.remaining == terms.cycle);
            assert_eq!(found.interest, earned);
            assert!(found.payout >= earned, "payout >= A(k)");
            assert!(found.deduction <= amount);
            let gained = i128::from(found.deduction) - i128::from(found.interest);
            assert_eq!(i128::from(found.payout) + gained, i128::from(amount));
            // The treasury pays at most what it set aside.
            assert!(-gained <= i128::from(total));
            // Each is rounded against the owner by less than an atom.
            let exact = |rate: Rate, days: u32| u128::from(amount) * u128::from(rate.0) * u128::from(days);
            let damages = u128::from(found.damages) * u128::from(RATE_ONE);
            assert!((exact(terms.damage, found.remaining)..exact(terms.damage, found.remaining) + u128::from(RATE_ONE)).contains(&damages));
            let penalty = u128::from(found.penalty) * u128::from(2 * RATE_ONE);
            assert!((exact(terms.day_yield, 3)..exact(terms.day_yield, 3) + u128::from(2 * RATE_ONE)).contains(&penalty));
        });
        assert!(early > 10_000 && late > 100, "{early} early, {late} late");
    }

    #[test]
    fn figures_change_only_at_midnight() {
        each(|amount, terms, bought, now| {
            let midnight = Time::of_day(now.day());
            if midnight >= bought {
                assert_eq!(terms.redemption(amount, bought, now), terms.redemption(amount, bought, midnight));
            }
        });
    }
}
