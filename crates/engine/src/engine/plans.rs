//! Locked plans: what their rules need from the whole state, and what the server reads about them.

use super::Engine;
use crate::event::Event;
use crate::ids::{PlanId, PlanOrderId, UserId};
use crate::ledger::Hold;
use crate::plans::order::{BuyPlan, PlanOrder, RedeemPlan, Redemption};
use crate::plans::terms::{ListedPlan, Plan};
use crate::plans::{PlanContext, Plans, WALLET};
use crate::product::Product;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::scheduler::Due;
use crate::security::FreezeScope;

impl Engine {
    /// P-1, with the refusals in its order.
    pub(crate) fn buy_plan(&mut self, buy: &BuyPlan, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let holder = self.holder(buy.user)?;
        self.may_buy_plan(buy.user)?;
        let (plans, mut context) = self.plan_context(events);
        plans.buy(&mut context, holder, buy).map(|order| Reply::Plan(Box::new(order)))
    }

    /// P-5, P-6. It has no pause, and no freeze stops it.
    pub(crate) fn redeem_plan(&mut self, redeem: &RedeemPlan, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let holder = self.holder(redeem.user)?;
        let (plans, mut context) = self.plan_context(events);
        plans.redeem(&mut context, holder, redeem).map(|order| Reply::Plan(Box::new(order)))
    }

    /// P-4: a due order.
    pub(crate) fn mature_plan(&mut self, due: Due, events: &mut Vec<Event>) {
        let order = self.plans.get(PlanOrderId(due.id)).expect("what is planned is open");
        let holder = self.holder(order.user).expect("an order has an owner");
        let (plans, mut context) = self.plan_context(events);
        plans.mature(&mut context, holder, due).expect("what is planned is open");
    }

    fn plan_context<'a>(&'a mut self, events: &'a mut Vec<Event>) -> (&'a mut Plans, PlanContext<'a>) {
        let Engine { plans, ledger, scheduler, seq, time, .. } = self;
        (plans, PlanContext { ledger, scheduler, events, seq: *seq, now: *time })
    }

    /// The guards of a change of a plan (0.6).
    pub(crate) fn check_plan(&self, plan: &Plan) -> Result<(), Reject> {
        self.plans.check_change(plan, &self.catalog)
    }

    /// What open orders hold of their owners' money (I-3).
    pub(crate) fn plan_holds(&self) -> impl Iterator<Item = Hold> {
        self.plans.open().filter_map(|order| {
            let member = self.members.index(order.user)?;
            Some(Hold { member, wallet: WALLET, asset: order.asset, amount: order.amount })
        })
    }
}

/// Reading. Nothing here changes the state.
impl Engine {
    /// Why any purchase of a member would be refused before its amount: a pause, then a freeze. The product is paused as long as no plan is
    /// listed.
    ///
    /// # Errors
    /// [`Reject::Disabled`] or [`Reject::Frozen`].
    pub fn may_buy_plan(&self, user: UserId) -> Result<(), Reject> {
        let member = self.member(user)?;
        self.plans.listed().map(drop).ok_or(Reject::Disabled(Some(Product::Plan)))?;
        self.check_open(Product::Plan, None, member)?;
        self.security.check_freezes(member, self.time, FreezeScope::All)
    }

    /// The guards of a purchase from its amount up to its bounds (P-1), for a request that cannot become a command.
    ///
    /// # Errors
    /// What [`crate::command::Command::BuyPlan`] would answer.
    pub fn check_plan_purchase(&self, buy: &BuyPlan) -> Result<(), Reject> {
        self.plans.check(buy).map(drop)
    }

    /// All plans, sold or closed, by number; none before any is sold.
    pub fn plans(&self) -> impl Iterator<Item = &ListedPlan> {
        self.plans.listed().into_iter().flatten()
    }

    /// A plan, sold or closed.
    pub fn plan(&self, id: PlanId) -> Option<&ListedPlan> {
        self.plans.plan(id)
    }

    /// A plan order that is open, or ended recently.
    pub fn plan_order(&self, id: PlanOrderId) -> Option<&PlanOrder> {
        self.plans.get(id)
    }

    /// All open plan orders, oldest first.
    pub fn open_plan_orders(&self) -> impl DoubleEndedIterator<Item = &PlanOrder> {
        self.plans.open()
    }

    /// The open plan orders bought after an entry, oldest first: the number of an order is that of its entry.
    pub fn open_plan_orders_after(&self, seq: u64) -> impl Iterator<Item = &PlanOrder> {
        self.plans.open_after(PlanOrderId(seq))
    }

    /// A member's open plan orders, oldest first.
    pub fn plan_orders_of(&self, user: UserId) -> impl DoubleEndedIterator<Item = &PlanOrder> {
        self.plans.of(user)
    }

    /// What an early redemption of a member's order would pay now (P-7).
    ///
    /// # Errors
    /// [`Reject::NotFound`] for another member's or an unknown order, [`Reject::WrongState`] for one that ended or is due.
    pub fn redemption(&self, user: UserId, id: PlanOrderId) -> Result<Redemption, Reject> {
        self.plans.own(user, id)?.redemption(self.time).ok_or(Reject::WrongState)
    }
}
