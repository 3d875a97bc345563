//! What the open objects of every product bind: their holds (I-3), their reserves (L-2) and their due work (T-3), in one place.
//!
//! Counters that can be derived from the objects are in no snapshot: [`Engine::count_open_objects`] computes them from what each product
//! reports, and [`Engine::check_open_objects`] compares the running ones with that. A new product adds itself to the three lists below.

use std::collections::BTreeMap;

use super::Engine;
use crate::amount::Amount;
use crate::catalog::Wallet;
use crate::ids::{AssetId, MemberIndex, to_u32};
use crate::ledger::{Hold, HouseAccount, Reserve};
use crate::scheduler::{Due, Scheduler};

impl Engine {
    fn holds(&self) -> impl Iterator<Item = Hold> {
        let orders = self.spot.holds().chain(self.withdrawal_holds()).chain(self.contracts.holds());
        orders.chain(self.plan_holds()).chain(self.loans.holds()).chain(self.subscriptions.holds(&self.members))
    }

    fn reserves(&self) -> impl Iterator<Item = Reserve> {
        let pools = self.funding.withdrawals.reserves().chain(self.options.reserves()).chain(self.contracts.reserves());
        let wealth = self.plans.reserves().chain(self.loans.reserves()).chain(self.subscriptions.reserves());
        pools.chain(wealth).chain(self.rebate_reserves())
    }

    fn due(&self) -> impl Iterator<Item = Due> {
        let prices = self.operations.proposals.due().chain(self.options.due()).chain(self.contracts.due());
        let wealth = self.plans.due().chain(self.loans.due()).chain(self.subscriptions.due());
        prices.chain(wealth).chain(self.referrals.due())
    }

    /// Makes the derived counters of a restored state. `None` when the house has less than its objects may cost: the bytes are damaged.
    pub(crate) fn count_open_objects(&mut self) -> Option<()> {
        self.scheduler = Scheduler::of(self.due());
        let reserves: Vec<Reserve> = self.reserves().collect();
        for Reserve { account, asset, amount } in reserves {
            let asset = self.ledger.asset(asset)?;
            self.ledger.reserve(asset, account, amount).ok()?;
        }
        Some(())
    }

    /// Checks that the running counters match the open objects.
    pub(crate) fn check_open_objects(&self) -> Result<(), String> {
        if self.scheduler != Scheduler::of(self.due()) {
            return Err("T-3: the schedule is not what the open objects plan".to_owned());
        }
        self.check_reserves()?;
        self.check_holds()
    }

    fn check_reserves(&self) -> Result<(), String> {
        let mut named = BTreeMap::new();
        for Reserve { account, asset, amount } in self.reserves() {
            let sum: &mut Amount = named.entry((account, asset)).or_default();
            *sum = sum.saturating_add(amount);
        }
        let coins: Vec<AssetId> = self.catalog.assets.iter().map(|asset| asset.id).chain(self.subscriptions.unlisted_tokens()).collect();
        for (account, asset) in HouseAccount::POOLS.into_iter().flat_map(|account| coins.iter().map(move |asset| (account, *asset))) {
            let Some(of_ledger) = self.ledger.asset(asset) else { continue };
            let (reserved, balance) = (self.ledger.reserved(account, of_ledger), self.ledger.house(account, of_ledger));
            let expected = named.get(&(account, asset)).copied().unwrap_or(0);
            if reserved != expected || reserved > balance {
                let what = format!("{account:?} holds {balance} of coin {} and reserves {reserved}", asset.0);
                return Err(format!("L-2: {what}, its open objects {expected}"));
            }
        }
        Ok(())
    }

    fn check_holds(&self) -> Result<(), String> {
        let mut named = BTreeMap::new();
        for Hold { member, wallet, asset, amount } in self.holds() {
            let sum: &mut Amount = named.entry((member, wallet, asset)).or_default();
            *sum = sum.saturating_add(amount);
        }
        for (position, member) in self.members.list().iter().enumerate() {
            let index = MemberIndex(to_u32(position));
            for asset in &self.catalog.assets {
                let Some(of_ledger) = self.ledger.asset(asset.id) else { continue };
                for wallet in Wallet::ALL {
                    let held = self.ledger.balance(index, wallet, of_ledger).unwrap_or_default().held;
                    let expected = named.get(&(index, wallet, asset.id)).copied().unwrap_or(0);
                    if held != expected {
                        return Err(format!(
                            "I-3: member {} holds {held} of coin {} in {wallet:?}, its open objects {expected}",
                            member.user.0, asset.id.0
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}
