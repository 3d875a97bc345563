//! Locked plans by the rules (`docs/rules.md` 5): a list of locks, every figure recomputed.

use std::collections::BTreeMap;

use engine::amount::Rate;
use engine::catalog::Wallet;
use engine::ids::{AssetId, Digest, PlanId};
use engine::ledger::HouseAccount;
use engine::plans::order::{BuyPlan, RedeemPlan, Terms};
use engine::plans::terms::Plan;

use super::people::DAY;
use super::{AMOUNT_LIMIT, Done, Oracle, Refusal, need, refuse};

const TREASURY: HouseAccount = HouseAccount::PlanTreasury;
/// One whole of a rate.
const WHOLE: i128 = 100_000_000;
/// Orders that ended and are still known.
const KNOWN: usize = 256;

/// The terms of a plan as plain numbers.
#[derive(Clone, Copy, Debug)]
struct Sold {
    coin: u32,
    days: i128,
    day_yield: i128,
    damage: i128,
    agreement: u32,
    least: i128,
    most: i128,
    open: bool,
    rule: Digest,
}

/// A locked principal.
#[derive(Clone, Debug)]
struct Lock {
    id: u64,
    user: u64,
    plan: u32,
    terms: Sold,
    principal: i128,
    bought: u64,
}

/// Everything about plans.
#[derive(Debug, Default)]
pub(super) struct Vault {
    /// `None` before any plan is sold.
    sold: Option<BTreeMap<u32, Sold>>,
    locks: Vec<Lock>,
    /// Number and owner of ended orders, oldest first.
    ended: Vec<(u64, u64)>,
}

fn up(numerator: i128, denominator: i128) -> i128 {
    (numerator + denominator - 1) / denominator
}

impl Lock {
    fn promised(&self) -> i128 {
        self.earned(self.terms.days)
    }

    fn earned(&self, days: i128) -> i128 {
        self.principal * self.terms.day_yield * days / WHOLE
    }

    /// P-4: 00:00 of the day after the last earning day.
    fn due(&self) -> u64 {
        (self.bought / DAY + 1) * DAY + u64::try_from(self.terms.days).unwrap_or(0) * DAY
    }

    /// Days that have ended since the end of the day of purchase.
    fn days(&self, now: u64) -> i128 {
        let first = (self.bought / DAY + 1) * DAY;
        i128::from(now.saturating_sub(first) / DAY).min(self.terms.days)
    }

    fn summary(&self, state: &str, figures: &str) -> String {
        let Lock { id, plan, terms, principal, bought, .. } = self;
        let Sold { coin, days, day_yield, damage, agreement, .. } = terms;
        let promised = self.promised();
        format!("plan order {id} {state} of {plan} {coin} {principal} {promised} {days} {day_yield} {damage} {agreement} {bought}{figures}")
    }
}

impl Oracle {
    /// From here on plans are sold, with the terms of the rules' table (5.1).
    pub(super) fn begin_plans(&mut self) {
        let mut sold = BTreeMap::new();
        for (coin, least, most) in [(3, 100_000_000, 50_000_000_000), (4, 100_000_000, 50_000_000_000), (1, 200_000, 50_000_000)]
            .into_iter()
            .chain([(2, 4_000_000, 2_000_000_000)])
        {
            for (cycle, day_yield) in [(7, 150_000), (15, 400_000), (30, 450_000)] {
                let number = u32::try_from(sold.len() + 1).unwrap_or(0);
                let terms = Terms { cycle, day_yield: Rate(day_yield), damage: Rate(400_000), agreement: 1 };
                let plan = Plan { id: PlanId(number), asset: AssetId(coin), terms, min: least, max: most, on: true };
                sold.insert(number, Oracle::sold(&plan));
            }
        }
        self.plans.sold = Some(sold);
    }

    fn sold(plan: &Plan) -> Sold {
        Sold {
            coin: plan.asset.0,
            days: i128::from(plan.terms.cycle),
            day_yield: i128::from(plan.terms.day_yield.0),
            damage: i128::from(plan.terms.damage.0),
            agreement: plan.terms.agreement,
            least: i128::from(plan.min),
            most: i128::from(plan.max),
            open: plan.on,
            rule: plan.rule(),
        }
    }

    /// 5.1: a redemption never takes more than half of the principal.
    pub(super) fn check_plan(&self, plan: &Plan) -> Result<(), Refusal> {
        let Some(listed) = &self.plans.sold else { return refuse("E_NOT_FOUND") };
        let new = Oracle::sold(plan);
        let same_coin = listed.get(&plan.id.0).is_none_or(|present| present.coin == new.coin);
        need(same_coin && ((1..=4).contains(&new.coin) || self.world.coins.contains(&new.coin)), "E_CATALOG")?;
        need(listed.contains_key(&plan.id.0) || listed.len() < 500, "E_CATALOG")?;
        let numbers = plan.id.0 > 0 && (1..=3_650).contains(&new.days) && new.agreement > 0 && new.day_yield > 0;
        let bounds = 0 < new.least && new.least <= new.most && new.most < AMOUNT_LIMIT;
        let half = new.damage * new.days * 10 + new.day_yield * 15 <= WHOLE * 5;
        let fits = new.most * new.day_yield * new.days / WHOLE < AMOUNT_LIMIT;
        need(numbers && bounds && half && fits, "E_CATALOG")
    }

    pub(super) fn set_plan(&mut self, plan: &Plan) {
        if let Some(sold) = &mut self.plans.sold {
            sold.insert(plan.id.0, Oracle::sold(plan));
        }
    }

    /// P-1.
    pub(super) fn buy_plan(&mut self, id: u64, buy: &BuyPlan) -> Result<Done, Refusal> {
        let (user, principal, now) = (buy.user.0, i128::from(buy.amount), self.now);
        self.member(user)?;
        need(self.plans.sold.is_some(), "E_DISABLED")?;
        self.check_pause("plan", None)?;
        self.person(user)?.check_frozen(now, true)?;
        need(principal > 0 && principal < AMOUNT_LIMIT, "E_AMOUNT")?;
        let found = self.plans.sold.as_ref().and_then(|sold| sold.get(&buy.plan.0)).copied();
        let Some(terms) = found.filter(|plan| plan.open) else { return refuse("E_CYCLE") };
        need(buy.rule.is_none_or(|shown| shown == terms.rule), "E_TERMS")?;
        need(buy.agreed, "E_AGREEMENT")?;
        need(principal >= terms.least, "E_PLAN_MIN")?;
        need(principal <= terms.most, "E_PLAN_MAX")?;
        let available = self.balance(user, Wallet::Earn, terms.coin).map_or(0, |(available, _)| available);
        if available < principal {
            return Err(Refusal { name: "E_INSUFFICIENT", short: Some((terms.coin, available, principal)) });
        }
        let lock = Lock { id, user, plan: buy.plan.0, terms, principal, bought: now };
        need(self.free(TREASURY, terms.coin) >= lock.promised(), "E_TREASURY_SHORT")?;
        let done = Done::Object(lock.summary("Hosting", ""));
        self.plans.locks.push(lock);
        Ok(done)
    }

    /// P-5, P-6.
    pub(super) fn redeem_plan(&mut self, redeem: &RedeemPlan) -> Result<Done, Refusal> {
        let (user, id) = (redeem.user.0, redeem.order.0);
        self.member(user)?;
        let Some(at) = self.plans.locks.iter().position(|lock| (lock.id, lock.user) == (id, user)) else {
            let known = self.plans.ended.iter().rev().take(KNOWN).any(|ended| *ended == (id, user));
            return refuse(if known { "E_STATE" } else { "E_NOT_FOUND" });
        };
        let lock = self.plans.locks[at].clone();
        need(self.now < lock.due(), "E_STATE")?;
        let days = lock.days(self.now);
        let left = lock.terms.days - days;
        let interest = lock.earned(days);
        let damages = up(lock.principal * lock.terms.damage * left, WHOLE);
        let penalty = up(lock.principal * lock.terms.day_yield * 3, WHOLE * 2);
        let taken = (damages + penalty).min(lock.principal);
        need(redeem.max_deduction.is_none_or(|most| taken <= i128::from(most)), "E_PRICE_MOVED")?;
        let returned = lock.principal - taken + interest;
        self.end_lock(at, interest - taken);
        let figures = format!(" {days} {left} {interest} {damages} {penalty} {taken} returned {returned} at {}", self.now);
        Ok(Done::Object(lock.summary("Redeemed", &figures)))
    }

    /// P-4.
    pub(super) fn mature_plan(&mut self, id: u64) {
        if let Some(at) = self.plans.locks.iter().position(|lock| lock.id == id) {
            let promised = self.plans.locks[at].promised();
            self.end_lock(at, promised);
        }
    }

    /// The owner gets this much more than the principal from the treasury.
    fn end_lock(&mut self, at: usize, gained: i128) {
        let lock = self.plans.locks.remove(at);
        self.add(lock.user, Wallet::Earn, lock.terms.coin, gained);
        *self.world.pools.entry((TREASURY, lock.terms.coin)).or_default() -= gained;
        self.plans.ended.push((lock.id, lock.user));
    }

    /// The amount that a member's locks hold.
    pub(super) fn held_by_plans(&self, user: u64, coin: u32) -> i128 {
        self.plans.locks.iter().filter(|lock| (lock.user, lock.terms.coin) == (user, coin)).map(|lock| lock.principal).sum()
    }

    /// The treasury's promises.
    pub(super) fn bound_by_plans(&self, account: HouseAccount, coin: u32) -> i128 {
        let of = |lock: &&Lock| account == TREASURY && lock.terms.coin == coin;
        self.plans.locks.iter().filter(of).map(Lock::promised).sum()
    }

    /// Planned work of plans: instant and number.
    pub(super) fn plan_dues(&self) -> impl Iterator<Item = (u64, u64)> {
        self.plans.locks.iter().map(|lock| (lock.due(), lock.id))
    }

    pub(super) fn plan_summaries(&self) -> impl Iterator<Item = String> {
        self.plans.locks.iter().map(|lock| lock.summary("Hosting", ""))
    }

    /// Numbers of open orders with their owners.
    pub fn plan_numbers(&self) -> Vec<(u64, u64)> {
        self.plans.locks.iter().map(|lock| (lock.id, lock.user)).collect()
    }
}
