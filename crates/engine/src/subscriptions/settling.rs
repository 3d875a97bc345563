//! Due work of an offering: it opens, closes, delivers, releases, or refunds everything (6.2, N-3 to N-6).

use super::formulas::{Allotted, released, rest};
use super::offering::{Commitment, Offering, Step, Work};
use super::status::{CommitmentStatus, CommitmentTrigger, OfferingStatus, OfferingTrigger, next_commitment};
use super::{ESCROW, PLANNED, SubscriptionContext, Subscriptions};
use crate::amount::RATE_ONE;
use crate::catalog::Wallet;
use crate::event::AccountEvent;
use crate::exact::{COUNTED, Exact};
use crate::ids::{CommitmentId, OfferingId};
use crate::ledger::{Available, HoldKey, HouseAccount, LineKind};
use crate::reject::Reject;
use crate::time::Time;

impl Subscriptions {
    /// Whether an offering may be launched now; [`Subscriptions::launch`] then cannot fail.
    pub(crate) fn check_launch(&self, id: OfferingId, now: Time) -> Result<&Offering, Reject> {
        let offering = self.offering(id).ok_or(Reject::NotFound)?;
        let settled = offering.work.is_none() && offering.due.is_none_or(|due| due > now);
        if offering.status != OfferingStatus::Allocated || !settled {
            return Err(Reject::WrongState);
        }
        let (start, end) = (offering.terms.launch, offering.terms.launch_until());
        if now < start || now >= end { Err(Reject::Window { start, end }) } else { Ok(offering) }
    }

    /// Its token trades from now on; charges and tokens are delivered one by one (N-5).
    pub(crate) fn launch(&mut self, context: &mut SubscriptionContext, id: OfferingId) {
        let offering = self.offerings.get_mut(&id).expect(PLANNED);
        offering.launched = Some(context.now);
        context.move_on(offering, OfferingTrigger::Launch);
        self.begin_step(context, id, Step::Deliver);
    }

    /// One piece of an offering's due work.
    pub(crate) fn run(&mut self, context: &mut SubscriptionContext, id: OfferingId) {
        let offering = self.offerings.get_mut(&id).expect(PLANNED);
        if let Some(work) = offering.work {
            return self.carry_out(context, id, work);
        }
        match offering.status {
            OfferingStatus::Upcoming if context.now < offering.terms.close => {
                context.open(offering);
                context.plan(offering, Some(offering.terms.close));
            }
            OfferingStatus::Upcoming => {
                context.move_on(offering, OfferingTrigger::Cancel);
                context.plan(offering, None);
            }
            OfferingStatus::Open | OfferingStatus::SoldOut => {
                context.move_on(offering, OfferingTrigger::Close);
                self.begin_step(context, id, Step::Allot);
            }
            OfferingStatus::Allocated => {
                let (token, sold) = (context.asset(offering.terms.token.id), offering.sold);
                context.move_on(offering, OfferingTrigger::Cancel);
                context.ledger.release(token, ESCROW, sold);
                self.begin_step(context, id, Step::Return);
            }
            OfferingStatus::Launched => self.begin_step(context, id, Step::Release),
            OfferingStatus::Ended | OfferingStatus::Cancelled => context.plan(offering, None),
        }
    }

    /// Something is done for every commitment from now on, or there is none.
    fn begin_step(&mut self, context: &mut SubscriptionContext, id: OfferingId, step: Step) {
        let offering = self.offerings.get_mut(&id).expect(PLANNED);
        offering.work = Some(Work { step, next: CommitmentId(0) });
        context.plan(offering, Some(context.now));
        self.end_step(context, id, step);
    }

    fn carry_out(&mut self, context: &mut SubscriptionContext, id: OfferingId, Work { step, next }: Work) {
        let found = self.commitments.range((id, next)..=(id, CommitmentId(u64::MAX))).next();
        let commitment = found.map(|(_, commitment)| commitment.clone()).expect(PLANNED);
        let next = CommitmentId(commitment.id.0.plus(1, COUNTED));
        match step {
            Step::Allot => self.allot(context, commitment),
            Step::Deliver => self.deliver(context, commitment),
            Step::Release => self.release(context, commitment),
            Step::Return => self.give_back(context, commitment),
        }
        self.offerings.get_mut(&id).expect(PLANNED).work = Some(Work { step, next });
        self.end_step(context, id, step);
    }

    /// Schedules what comes next, if this step has nothing left to do.
    fn end_step(&mut self, context: &mut SubscriptionContext, id: OfferingId, step: Step) {
        let offering = self.offerings.get_mut(&id).expect(PLANNED);
        let next = offering.work.map_or(CommitmentId(0), |work| work.next);
        if self.commitments.range((id, next)..=(id, CommitmentId(u64::MAX))).next().is_some() {
            return;
        }
        offering.work = None;
        match step {
            Step::Allot => {
                let (token, left) = (context.asset(offering.terms.token.id), rest(offering.terms.supply, offering.sold));
                context.ledger.release(token, ESCROW, left);
                context.plan(offering, Some(offering.terms.launch_until()));
            }
            Step::Deliver => context.plan(offering, offering.next_tranche().map(|(at, _)| at)),
            Step::Release => {
                offering.tranches = offering.tranches.plus(1, COUNTED);
                let next = offering.next_tranche().map(|(at, _)| at);
                if next.is_none() {
                    context.move_on(offering, OfferingTrigger::End);
                }
                context.plan(offering, next);
            }
            Step::Return => context.plan(offering, None),
        }
    }

    /// N-3, N-4.
    fn allot(&mut self, context: &mut SubscriptionContext, mut commitment: Commitment) {
        let offering = self.offerings.get_mut(&commitment.offering).expect(PLANNED);
        let allotted = offering.issue().allot(commitment.value, commitment.paid, offering.wanted);
        let Allotted { tokens, cost, charge, refund } = allotted.expect("the terms bound every product of an allocation");
        offering.sold = offering.sold.plus(tokens, "no more is allotted than there is (N-3)");
        (commitment.tokens, commitment.cost, commitment.charge, commitment.refund) = (tokens, cost, charge, refund);
        let asset = context.asset(commitment.asset);
        context.ledger.release(asset, ESCROW, refund);
        let owner = Available(context.holder(commitment.user), Wallet::Spot);
        context.post(asset, ESCROW, owner, (refund, LineKind::SubscriptionRefunded), commitment.id);
        let trigger = if tokens > 0 { CommitmentTrigger::Pass } else { CommitmentTrigger::Refund };
        self.move_on(context, commitment, trigger);
    }

    /// N-5.
    fn deliver(&mut self, context: &mut SubscriptionContext, commitment: Commitment) {
        let (paid, token) = (context.asset(commitment.asset), context.asset(commitment.token));
        context.ledger.release(paid, ESCROW, commitment.charge);
        context.post(paid, ESCROW, HouseAccount::SubProceeds, (commitment.charge, LineKind::SubscriptionProceeds), commitment.id);
        context.ledger.release(token, ESCROW, commitment.tokens);
        let owner = HoldKey(context.holder(commitment.user), Wallet::Spot);
        context.post(token, ESCROW, owner, (commitment.tokens, LineKind::TokensAllotted), commitment.id);
        self.move_on(context, commitment, CommitmentTrigger::Deliver);
    }

    /// N-6.
    fn release(&mut self, context: &mut SubscriptionContext, mut commitment: Commitment) {
        let offering = self.offerings.get(&commitment.offering).expect(PLANNED);
        let (_, share) = offering.next_tranche().expect(PLANNED);
        let token = context.asset(commitment.token);
        let all = released(commitment.tokens, share);
        let now = all.less(commitment.released, "shares of a schedule rise (N-6)");
        commitment.released = all;
        let holder = context.holder(commitment.user);
        let (from, to) = (HoldKey(holder, Wallet::Spot), Available(holder, Wallet::Spot));
        context.post(token, from, to, (now, LineKind::TokensReleased), commitment.id);
        if share.0 == RATE_ONE {
            self.move_on(context, commitment, CommitmentTrigger::Release);
        } else {
            self.tell(context, commitment);
        }
    }

    /// An offering that was not launched in time returns everything (6.2).
    fn give_back(&mut self, context: &mut SubscriptionContext, mut commitment: Commitment) {
        let asset = context.asset(commitment.asset);
        context.ledger.release(asset, ESCROW, commitment.charge);
        let owner = Available(context.holder(commitment.user), Wallet::Spot);
        context.post(asset, ESCROW, owner, (commitment.charge, LineKind::SubscriptionRefunded), commitment.id);
        (commitment.tokens, commitment.cost, commitment.charge, commitment.refund) = (0, 0, 0, commitment.paid);
        self.move_on(context, commitment, CommitmentTrigger::Refund);
    }

    /// Its next state: final commitments leave the state.
    fn move_on(&mut self, context: &mut SubscriptionContext, mut commitment: Commitment, trigger: CommitmentTrigger) {
        commitment.status = next_commitment(commitment.status, trigger).expect(PLANNED);
        self.tell(context, commitment);
    }

    fn tell(&mut self, context: &mut SubscriptionContext, mut commitment: Commitment) {
        commitment.changed = context.now;
        context.events.push(AccountEvent::CommitmentChanged(commitment.clone()).into());
        match commitment.status {
            CommitmentStatus::Released | CommitmentStatus::Refunded => self.forget(&commitment),
            CommitmentStatus::Review | CommitmentStatus::Passed | CommitmentStatus::Locked => {
                self.commitments.insert((commitment.offering, commitment.id), commitment);
            }
        }
    }
}
