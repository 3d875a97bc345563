//! Random plans: purchases, early redemptions, and other terms.

use engine::Engine;
use engine::amount::Rate;
use engine::catalog::Wallet;
use engine::command::Command;
use engine::ids::{AssetId, PlanId, PlanOrderId, UserId};
use engine::listing::change::CatalogChange;
use engine::plans::order::{BuyPlan, RedeemPlan, Terms};
use engine::plans::terms::Plan;

use super::{Workload, one_in};
use crate::oracle::{Oracle, WRONG_HASH};

impl Workload {
    /// A command about plans.
    pub(super) fn plan(&mut self, oracle: &Oracle, engine: &Engine, user: UserId) -> Command {
        let all = oracle.plan_numbers();
        let own: Vec<u64> = all.iter().filter(|(_, owner)| *owner == user.0).map(|(id, _)| *id).collect();
        if !own.is_empty() && self.rng.u8(..3) == 0 {
            return self.redeem(engine, &own, &all, user);
        }
        let listed: Vec<&Plan> = engine.plans().map(|listed| &listed.plan).collect();
        // Plans that end soon come last.
        let at = self.rng.usize(..listed.len().max(1)).max(self.rng.usize(..listed.len().max(1)));
        let plan = listed.get(at).map_or(Plan::standard()[1], |plan| **plan);
        let available = oracle.balance(user.0, Wallet::Earn, plan.asset.0).map_or(0, |(available, _)| available);
        if available < i128::from(plan.min) && self.rng.u8(..8) != 0 {
            let amount = plan.min.saturating_mul(self.rng.u64(1..50)).min(1 << 50);
            return Command::SandboxFaucet { user, asset: plan.asset, wallet: Wallet::Earn, amount };
        }
        let amount = match self.rng.u8(..12) {
            0 => plan.min.saturating_sub(1),
            1 => plan.max,
            2 => plan.max.saturating_add(1),
            3 => u64::try_from(available).unwrap_or(u64::MAX),
            _ => plan.min.saturating_add(self.rng.u64(..plan.min.max(1))),
        };
        let id = if one_in(&mut self.rng, self.options.garbage_in) { PlanId(self.rng.u32(..20)) } else { plan.id };
        let (amount, agreed) = (self.or_garbage(amount), self.rng.u8(..20) != 0);
        // Another rule is shown for some that a later check would refuse, so that this does not reduce what is done.
        let other = amount % 2 == 0 && (amount < plan.min || !agreed);
        let rule = if other { Some(WRONG_HASH) } else { engine.plan(id).map(|listed| listed.plan.rule()).filter(|_| amount % 3 > 0) };
        Command::BuyPlan(BuyPlan { user, plan: id, amount, agreed, rule })
    }

    fn redeem(&mut self, engine: &Engine, own: &[u64], all: &[(u64, u64)], user: UserId) -> Command {
        let id = match self.rng.u8(..12) {
            0 => self.garbage(),
            // Possibly another member's.
            1 => all[self.rng.usize(..all.len())].0,
            // Possibly ended.
            2 => own[0].saturating_sub(self.rng.u64(..30)),
            _ => own[self.rng.usize(..own.len())],
        };
        let order = PlanOrderId(id);
        let shown = engine.redemption(user, order).map_or(0, |redemption| redemption.deduction);
        let max_deduction = match self.rng.u8(..4) {
            0 => Some(shown),
            1 => Some(shown.saturating_sub(1)),
            _ => None,
        };
        Command::RedeemPlan(RedeemPlan { user, order, max_deduction })
    }

    /// Other terms: mostly allowed, many so short that their orders end soon.
    pub(super) fn plan_terms(&mut self) -> CatalogChange {
        let like = Plan::standard()[self.rng.usize(..12)];
        let number = if self.rng.u8(..4) == 0 { like.id.0 } else { self.rng.u32(10..18) };
        let asset = if self.rng.u8(..12) == 0 { AssetId(self.rng.u32(..8)) } else { like.asset };
        let terms = Terms {
            cycle: if self.rng.u8(..12) == 0 { self.rng.u32(..4_000) } else { [1, 1, 2, 3, 7][self.rng.usize(..5)] },
            day_yield: Rate(self.rng.u64(..3_000_000)),
            damage: Rate(if self.rng.u8(..8) == 0 { self.rng.u64(..60_000_000) } else { self.rng.u64(..2_000_000) }),
            agreement: 1 + self.rng.u32(..3),
        };
        let (min, on) = (like.min / self.rng.u64(1..9), self.rng.u8(..8) != 0);
        CatalogChange::Plan(Plan { id: PlanId(number), asset, terms, min, on, ..like })
    }
}
