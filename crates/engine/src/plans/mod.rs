//! Locked plans: a principal is locked for a cycle of UTC days and earns a fixed interest, which the plan treasury sets aside before the
//! plan is sold (`docs/rules.md` 5).
//!
//! The rules see the ledger, the schedule and the events, never the engine. No command changes what an order earns.

pub mod order;
pub mod status;
pub mod terms;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Bound;

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, MAX_AMOUNT};
use crate::catalog::{Catalog, Wallet};
use crate::event::{AccountEvent, Event};
use crate::ids::{AssetId, PlanId, PlanOrderId, Seq, UserId};
use crate::ledger::{Account, AssetIndex, Available, HoldKey, Holder, HouseAccount, Ledger, LineKind, ObjectKind, Reason, Reserve};
use crate::reject::Reject;
use crate::scheduler::{Class, Due, Scheduler};
use crate::time::Time;
use order::{BuyPlan, Ending, PlanOrder, RedeemPlan};
use status::{Status, Trigger, next};
use terms::{ListedPlan, MOST_PLANS, Plan};

/// Ended orders that stay known, so redeeming one is `E_STATE` and not `E_NOT_FOUND`. Older ones are only in the history.
pub const FINISHED_KEPT: usize = 256;

const TREASURY: HouseAccount = HouseAccount::PlanTreasury;
/// The wallet of principals.
pub(crate) const WALLET: Wallet = Wallet::Earn;
const COVERED: &str = "the interest of an order was free when it was bought (P-1)";

/// What a plan order works with.
pub(crate) struct PlanContext<'a> {
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) scheduler: &'a mut Scheduler,
    pub(crate) events: &'a mut Vec<Event>,
    pub(crate) seq: Seq,
    pub(crate) now: Time,
}

/// The plans, and the open orders.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plans {
    /// `None` before [`crate::feature::Feature::Plans`].
    listed: Option<BTreeMap<PlanId, ListedPlan>>,
    open: BTreeMap<PlanOrderId, PlanOrder>,
    finished: VecDeque<PlanOrder>,
    /// Derived from the open orders.
    of_member: BTreeMap<UserId, BTreeSet<PlanOrderId>>,
}

/// The same in a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlansState {
    listed: Option<Vec<ListedPlan>>,
    open: Vec<PlanOrder>,
    finished: Vec<PlanOrder>,
}

impl Plans {
    /// All plans, by number; `None` before any is sold.
    pub(crate) fn listed(&self) -> Option<impl Iterator<Item = &ListedPlan>> {
        self.listed.as_ref().map(BTreeMap::values)
    }

    pub(crate) fn plan(&self, id: PlanId) -> Option<&ListedPlan> {
        self.listed.as_ref()?.get(&id)
    }

    /// The standard plans are sold from here on, as far as their coins are listed.
    pub(crate) fn begin(&mut self, catalog: &Catalog, now: Time) {
        let admitted = Plan::standard().into_iter().filter(|plan| admits(catalog, plan.asset));
        self.listed = Some(admitted.map(|plan| (plan.id, ListedPlan { plan, since: now })).collect());
    }

    /// The guards of a change of a plan (0.6).
    pub(crate) fn check_change(&self, plan: &Plan, catalog: &Catalog) -> Result<(), Reject> {
        let listed = self.listed.as_ref().ok_or(Reject::NotFound)?;
        let fits = match listed.get(&plan.id) {
            Some(present) => present.plan.asset == plan.asset,
            None => listed.len() < MOST_PLANS,
        };
        if fits && admits(catalog, plan.asset) { plan.check() } else { Err(Reject::BadCatalog) }
    }

    /// Lists a plan, or replaces its present terms.
    pub(crate) fn list(&mut self, plan: Plan, now: Time) {
        if let Some(listed) = &mut self.listed {
            listed.entry(plan.id).or_insert(ListedPlan { plan, since: now }).plan = plan;
        }
    }

    /// An open order, or one that ended not long ago.
    pub(crate) fn get(&self, id: PlanOrderId) -> Option<&PlanOrder> {
        self.open.get(&id).or_else(|| self.finished.iter().find(|order| order.id == id))
    }

    /// All open ones, oldest first.
    pub(crate) fn open(&self) -> impl DoubleEndedIterator<Item = &PlanOrder> {
        self.open.values()
    }

    /// The open ones that were bought after an entry, oldest first.
    pub(crate) fn open_after(&self, seq: PlanOrderId) -> impl Iterator<Item = &PlanOrder> {
        self.open.range((Bound::Excluded(seq), Bound::Unbounded)).map(|(_, order)| order)
    }

    /// A member's open ones, oldest first.
    pub(crate) fn of(&self, user: UserId) -> impl DoubleEndedIterator<Item = &PlanOrder> {
        self.of_member.get(&user).into_iter().flatten().filter_map(|id| self.open.get(id))
    }

    pub(crate) fn reserves(&self) -> impl Iterator<Item = Reserve> {
        self.open.values().map(|order| Reserve { account: TREASURY, asset: order.asset, amount: order.interest })
    }

    pub(crate) fn due(&self) -> impl Iterator<Item = Due> {
        self.open.values().map(|order| Due { at: order.maturity(), class: Class::PlanMaturity, id: order.id.0 })
    }

    /// The guards of a purchase before balance and treasury (P-1).
    pub(crate) fn check(&self, buy: &BuyPlan) -> Result<&Plan, Reject> {
        if buy.amount == 0 || buy.amount >= MAX_AMOUNT {
            return Err(Reject::BadAmount);
        }
        let plan = self.plan(buy.plan).map(|listed| &listed.plan).filter(|plan| plan.on).ok_or(Reject::PlanCycle)?;
        if buy.rule.is_some_and(|shown| shown != plan.rule()) {
            return Err(Reject::TermsChanged);
        }
        if !buy.agreed {
            return Err(Reject::Agreement);
        }
        if buy.amount < plan.min {
            return Err(Reject::PlanMin { min: plan.min });
        }
        if buy.amount > plan.max {
            return Err(Reject::PlanMax { max: plan.max });
        }
        Ok(plan)
    }

    /// P-1.
    pub(crate) fn buy(&mut self, context: &mut PlanContext, holder: Holder, buy: &BuyPlan) -> Result<PlanOrder, Reject> {
        let Plan { asset, terms, .. } = *self.check(buy)?;
        let of_ledger = context.ledger.asset(asset).ok_or(Reject::BadAsset)?;
        let available = context.ledger.available(holder.member, WALLET, of_ledger);
        if available < buy.amount {
            return Err(Reject::Insufficient { asset, available, needed: buy.amount });
        }
        let interest = terms.accrued(buy.amount, terms.cycle).ok_or(Reject::Overflow)?;
        let short = |reject| if let Reject::FreeShort { free } = reject { Reject::TreasuryShort { free } } else { reject };
        context.ledger.reserve(of_ledger, TREASURY, interest).map_err(short)?;
        let order = PlanOrder {
            id: PlanOrderId(context.seq.0),
            user: holder.user,
            plan: buy.plan,
            asset,
            terms,
            amount: buy.amount,
            interest,
            bought: context.now,
            status: Status::Hosting,
            ended: None,
        };
        context.post(of_ledger, Available(holder, WALLET), HoldKey(holder, WALLET), (order.amount, LineKind::PlanLocked), order.id);
        context.scheduler.plan(Class::PlanMaturity, order.id.0, None, Some(order.maturity()));
        self.keep(order.clone());
        context.events.push(AccountEvent::PlanChanged(order.clone()).into());
        Ok(order)
    }

    /// P-4: a due order ends with principal and interest.
    pub(crate) fn mature(&mut self, context: &mut PlanContext, holder: Holder, due: Due) -> Option<PlanOrder> {
        let order = self.open.get(&PlanOrderId(due.id))?;
        let (interest, returned) = (order.interest, order.at_maturity());
        let ending = Ending { seq: context.seq, time: due.at, redemption: None, interest, returned };
        self.end(context, holder, PlanOrderId(due.id), (Trigger::Mature, ending)).ok()
    }

    /// P-5, P-6: the owner redeems the whole order.
    pub(crate) fn redeem(&mut self, context: &mut PlanContext, holder: Holder, redeem: &RedeemPlan) -> Result<PlanOrder, Reject> {
        let order = self.own(holder.user, redeem.order)?;
        let redemption = order.redemption(context.now).ok_or(Reject::WrongState)?;
        if redeem.max_deduction.is_some_and(|most| redemption.deduction > most) {
            return Err(Reject::FeeMoved { fee: redemption.deduction });
        }
        let (interest, returned) = (redemption.interest, redemption.payout);
        let ending = Ending { seq: context.seq, time: context.now, redemption: Some(redemption), interest, returned };
        self.end(context, holder, redeem.order, (Trigger::Redeem, ending))
    }

    /// A member's order: [`Reject::NotFound`] for another's or an unknown one, [`Reject::WrongState`] for one that ended.
    pub(crate) fn own(&self, user: UserId, id: PlanOrderId) -> Result<&PlanOrder, Reject> {
        let order = self.get(id).filter(|order| order.user == user).ok_or(Reject::NotFound)?;
        if order.status == Status::Hosting { Ok(order) } else { Err(Reject::WrongState) }
    }

    fn end(
        &mut self,
        context: &mut PlanContext,
        holder: Holder,
        id: PlanOrderId,
        (how, ending): (Trigger, Ending),
    ) -> Result<PlanOrder, Reject> {
        let status = next(self.open.get(&id).ok_or(Reject::NotFound)?.status, how)?;
        let mut order = self.open.remove(&id).ok_or(Reject::NotFound)?;
        self.forget(&order);
        (order.status, order.ended) = (status, Some(ending));
        let asset = context.ledger.asset(order.asset).expect(COVERED);
        context.scheduler.plan(Class::PlanMaturity, id.0, Some(order.maturity()), None);
        context.ledger.release(asset, TREASURY, order.interest);
        let owner = Available(holder, WALLET);
        context.post(asset, HoldKey(holder, WALLET), owner, (order.amount, LineKind::PlanReleased), id);
        let deduction = ending.redemption.map_or(0, |redemption| redemption.deduction);
        context.post(asset, owner, TREASURY, (deduction, LineKind::PlanDeduction), id);
        context.post(asset, TREASURY, owner, (ending.interest, LineKind::PlanInterest), id);
        context.events.push(AccountEvent::PlanChanged(order.clone()).into());
        if self.finished.len() >= FINISHED_KEPT {
            self.finished.pop_front();
        }
        self.finished.push_back(order.clone());
        Ok(order)
    }

    fn keep(&mut self, order: PlanOrder) {
        self.of_member.entry(order.user).or_default().insert(order.id);
        self.open.insert(order.id, order);
    }

    fn forget(&mut self, order: &PlanOrder) {
        if let Some(orders) = self.of_member.get_mut(&order.user) {
            orders.remove(&order.id);
            if orders.is_empty() {
                self.of_member.remove(&order.user);
            }
        }
    }

    pub(crate) fn state(&self) -> PlansState {
        PlansState {
            listed: self.listed.as_ref().map(|listed| listed.values().copied().collect()),
            open: self.open.values().cloned().collect(),
            finished: self.finished.iter().cloned().collect(),
        }
    }

    /// `None` for a state that [`Plans::state`] would not produce.
    pub(crate) fn restore(state: PlansState) -> Option<Plans> {
        let listed = state.listed.as_ref().map(|listed| listed.iter().map(|listed| (listed.plan.id, *listed)).collect());
        let mut plans = Plans { listed, finished: state.finished.iter().cloned().collect(), ..Plans::default() };
        state.open.iter().cloned().for_each(|order| plans.keep(order));
        (plans.fault().is_none() && plans.state() == state).then_some(plans)
    }

    /// I-11: every open order has the terms and the interest of its purchase; every listed plan is one that may be sold (5.1).
    pub(crate) fn fault(&self) -> Option<String> {
        let wrong = self.open.values().find(|order| {
            let sound = order.terms.accrued(order.amount, order.terms.cycle) == Some(order.interest);
            !sound || order.status != Status::Hosting || order.ended.is_some()
        });
        if let Some(order) = wrong {
            return Some(format!("I-11: plan order {} is not what was bought", order.id.0));
        }
        if let Some(plan) = self.listed.iter().flat_map(BTreeMap::values).find(|listed| listed.plan.check().is_err()) {
            return Some(format!("plan {} may not be listed", plan.plan.id.0));
        }
        let open = self.finished.iter().find(|order| order.status == Status::Hosting || order.ended.is_none());
        if open.is_some() || self.finished.len() > FINISHED_KEPT {
            return Some("an ended plan order is not over".to_owned());
        }
        let members: usize = self.of_member.values().map(BTreeSet::len).sum();
        let listed = self.open.values().all(|order| self.of_member.get(&order.user).is_some_and(|all| all.contains(&order.id)));
        let same = members == self.open.len() && listed;
        (!same).then(|| "the plan orders of members are not those that are open".to_owned())
    }
}

/// The coin is listed and may be locked.
fn admits(catalog: &Catalog, asset: AssetId) -> bool {
    catalog.asset(asset).is_some_and(|facts| facts.wallets.contains(&WALLET))
}

impl PlanContext<'_> {
    fn post(&mut self, asset: AssetIndex, debit: impl Account, credit: impl Account, (amount, kind): (Amount, LineKind), id: PlanOrderId) {
        let reason = Reason { kind, object: ObjectKind::Plan, debit_id: id.0, credit_id: id.0 };
        self.ledger.transfer(asset, debit, credit, amount, reason, self.events);
    }
}
