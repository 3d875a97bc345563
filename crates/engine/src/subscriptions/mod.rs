//! Subscriptions of new coins (`docs/rules.md` 6): an offering takes commitments into escrow, allots its tokens in proportion, and releases
//! them after its launch by a schedule.
//!
//! Work on all commitments of an offering is done one commitment at a time. The offering reschedules itself at the same instant until none
//! is left, so a slice handles a bounded number of them and no entry waits for the rest (T-3).

pub mod formulas;
pub mod offering;
mod settling;
pub mod status;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, MAX_AMOUNT};
use crate::catalog::Wallet;
use crate::event::{AccountEvent, Event};
use crate::exact::{COUNTED, Exact};
use crate::ids::{AssetId, CommitmentId, OfferingId, Seq, UserId};
use crate::ledger::{Account, AssetIndex, Available, Hold, Holder, HouseAccount, Ledger, LineKind, ObjectKind, Reason, Reserve};
use crate::members::Members;
use crate::reject::Reject;
use crate::scheduler::{Class, Due, SLICE, Scheduler};
use crate::time::Time;
use offering::{Commit, Commitment, Offering, Step, Terms};
use status::{CommitmentStatus, OfferingStatus, OfferingTrigger, next_offering};

const ESCROW: HouseAccount = HouseAccount::SubEscrow;
const PLANNED: &str = "what is planned is there, in the state that it was planned for (6.2)";
const ESCROWED: &str = "the escrow holds what was paid and what was offered (I-8)";

/// What a subscription works with.
pub(crate) struct SubscriptionContext<'a> {
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) members: &'a Members,
    pub(crate) scheduler: &'a mut Scheduler,
    pub(crate) events: &'a mut Vec<Event>,
    pub(crate) seq: Seq,
    pub(crate) now: Time,
}

/// All offerings, and the commitments that are not final.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subscriptions {
    /// False before [`crate::feature::Feature::Subscriptions`].
    on: bool,
    offerings: BTreeMap<OfferingId, Offering>,
    commitments: BTreeMap<(OfferingId, CommitmentId), Commitment>,
    /// Derived from the commitments.
    of_member: BTreeMap<UserId, BTreeSet<(OfferingId, CommitmentId)>>,
}

/// The same in a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SubscriptionsState {
    on: bool,
    offerings: Vec<Offering>,
    commitments: Vec<Commitment>,
}

impl Subscriptions {
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    pub(crate) fn begin(&mut self) {
        self.on = true;
    }

    pub(crate) fn offering(&self, id: OfferingId) -> Option<&Offering> {
        self.offerings.get(&id)
    }

    /// All of them, by number.
    pub(crate) fn offerings(&self) -> impl DoubleEndedIterator<Item = &Offering> {
        self.offerings.values()
    }

    pub(crate) fn commitment(&self, offering: OfferingId, id: CommitmentId) -> Option<&Commitment> {
        self.commitments.get(&(offering, id))
    }

    /// All that are not final, by offering and number.
    pub(crate) fn commitments(&self) -> impl DoubleEndedIterator<Item = &Commitment> {
        self.commitments.values()
    }

    /// Those of one offering, oldest first.
    pub(crate) fn commitments_to(&self, id: OfferingId) -> impl DoubleEndedIterator<Item = &Commitment> {
        self.commitments_after(id, 0)
    }

    /// Those of one offering after this number, oldest first.
    pub(crate) fn commitments_after(&self, id: OfferingId, after: u64) -> impl DoubleEndedIterator<Item = &Commitment> {
        let first = (id, CommitmentId(after.saturating_add(1)));
        self.commitments.range(first..=(id, CommitmentId(u64::MAX))).map(|(_, commitment)| commitment)
    }

    /// A member's, by offering and number.
    pub(crate) fn of(&self, user: UserId) -> impl DoubleEndedIterator<Item = &Commitment> {
        self.of_member.get(&user).into_iter().flatten().filter_map(|key| self.commitments.get(key))
    }

    /// Value of a member's commitments to an offering.
    pub(crate) fn committed_by(&self, user: UserId, id: OfferingId) -> Amount {
        let keys = self.of_member.get(&user).into_iter().flat_map(|all| all.range((id, CommitmentId(0))..=(id, CommitmentId(u64::MAX))));
        keys.filter_map(|key| self.commitments.get(key)).fold(0, |sum, commitment| sum.saturating_add(commitment.value))
    }

    /// Tokens that the ledger has and no catalog lists: their offerings are not launched.
    pub(crate) fn unlisted_tokens(&self) -> impl Iterator<Item = AssetId> {
        self.offerings.values().filter(|offering| offering.launched.is_none()).map(|offering| offering.terms.token.id)
    }

    /// The offering of a token.
    pub(crate) fn of_token(&self, token: AssetId) -> Option<&Offering> {
        self.offerings.values().find(|offering| offering.terms.token.id == token)
    }

    /// Lists an offering, or replaces one that is not open yet. Its terms were checked.
    pub(crate) fn list(&mut self, context: &mut SubscriptionContext, terms: &Terms, quote_scale: u8) {
        let due = if terms.start > context.now { terms.start } else { terms.close };
        let offering = Offering {
            terms: terms.clone(),
            quote_scale,
            status: OfferingStatus::Upcoming,
            listed: self.offering(terms.id).map_or(context.now, |known| known.listed),
            committed: 0,
            wanted: 0,
            commitments: 0,
            sold: 0,
            launched: None,
            tranches: 0,
            work: None,
            due: Some(due),
        };
        let before = self.offering(terms.id).and_then(|known| known.due);
        context.scheduler.plan(Class::Subscription, u64::from(terms.id.0), before, Some(due));
        context.events.push(AccountEvent::OfferingChanged(Box::new(offering.clone())).into());
        self.offerings.insert(terms.id, offering);
    }

    /// The guards of N-2 that concern offering and value, in their order; `value` is at the latest price, if there is one.
    pub(crate) fn check(&self, commit: &Commit, value: Option<Amount>, now: Time) -> Result<Amount, Reject> {
        let offering = self.offering(commit.offering).ok_or(Reject::NotFound)?;
        let terms = &offering.terms;
        if commit.amount == 0 || commit.amount >= MAX_AMOUNT {
            return Err(Reject::BadAmount);
        }
        if !offering.is_open(now) {
            return Err(Reject::Window { start: terms.start, end: terms.close });
        }
        if !terms.pay.contains(&commit.asset) {
            return Err(Reject::PayCurrency);
        }
        let value = value.ok_or(Reject::PriceStale)?;
        if value < terms.min {
            return Err(Reject::SubscriptionMin { min: terms.min });
        }
        let left = terms.user_cap.saturating_sub(self.committed_by(commit.user, commit.offering));
        if value > left {
            return Err(Reject::UserCap { left });
        }
        if value > offering.limit().saturating_sub(offering.committed) {
            return Err(Reject::SoldOut);
        }
        Ok(value)
    }

    /// N-1, after [`Subscriptions::check`].
    pub(crate) fn commit(
        &mut self,
        context: &mut SubscriptionContext,
        holder: Holder,
        commit: &Commit,
        value: Amount,
    ) -> Result<Commitment, Reject> {
        let Commit { user, offering: id, asset, amount } = *commit;
        let of_ledger = context.ledger.asset(asset).ok_or(Reject::PayCurrency)?;
        let available = context.ledger.available(holder.member, Wallet::Spot, of_ledger);
        if available < amount {
            return Err(Reject::Insufficient { asset, available, needed: amount });
        }
        let offering = self.offerings.get_mut(&id).ok_or(Reject::NotFound)?;
        let wanted = offering.issue().wanted(value).ok_or(Reject::Overflow)?;
        offering.committed = offering.committed.plus(value, "commitments are accepted up to a bound (N-2)");
        offering.wanted = formulas::sum(offering.wanted, wanted);
        offering.commitments = offering.commitments.plus(1, COUNTED);
        let commitment = Commitment {
            id: CommitmentId(context.seq.0),
            user,
            offering: id,
            token: offering.terms.token.id,
            asset,
            paid: amount,
            value,
            status: CommitmentStatus::Review,
            tokens: 0,
            cost: 0,
            charge: 0,
            refund: 0,
            released: 0,
            created: context.now,
            changed: context.now,
        };
        context.post(of_ledger, Available(holder, Wallet::Spot), ESCROW, (amount, LineKind::SubscriptionPaid), commitment.id);
        context.ledger.reserve(of_ledger, ESCROW, amount).expect(ESCROWED);
        self.keep(commitment.clone());
        context.events.push(AccountEvent::CommitmentChanged(commitment.clone()).into());
        let offering = self.offerings.get_mut(&id).expect(PLANNED);
        if offering.status == OfferingStatus::Open && offering.limit().saturating_sub(offering.committed) < offering.terms.min {
            context.move_on(offering, OfferingTrigger::Fill);
        }
        Ok(commitment)
    }

    /// The escrow may hold the tokens of an offering now.
    pub(crate) fn open_funded(&mut self, context: &mut SubscriptionContext, token: AssetId) {
        let offering = self.offerings.values_mut().find(|offering| offering.terms.token.id == token);
        let Some(offering) = offering.filter(|offering| offering.status == OfferingStatus::Upcoming) else { return };
        if offering.terms.start <= context.now && context.now < offering.terms.close {
            context.open(offering);
        }
    }

    fn keep(&mut self, commitment: Commitment) {
        let key = (commitment.offering, commitment.id);
        self.of_member.entry(commitment.user).or_default().insert(key);
        self.commitments.insert(key, commitment);
    }

    fn forget(&mut self, commitment: &Commitment) {
        let key = (commitment.offering, commitment.id);
        self.commitments.remove(&key);
        if let Some(all) = self.of_member.get_mut(&commitment.user) {
            all.remove(&key);
            if all.is_empty() {
                self.of_member.remove(&commitment.user);
            }
        }
    }

    /// I-3: tokens that are delivered but not released.
    pub(crate) fn holds<'a>(&'a self, members: &'a Members) -> impl Iterator<Item = Hold> + 'a {
        let locked = self.commitments.values().filter(|commitment| commitment.status == CommitmentStatus::Locked);
        locked.filter_map(|commitment| {
            let asset = self.offering(commitment.offering)?.terms.token.id;
            let amount = commitment.tokens.saturating_sub(commitment.released);
            Some(Hold { member: members.index(commitment.user)?, wallet: Wallet::Spot, asset, amount })
        })
    }

    /// I-8: tokens that are offered or not delivered, and payments that may be returned.
    pub(crate) fn reserves(&self) -> impl Iterator<Item = Reserve> {
        let offered = self.offerings.values().filter(|offering| offering.offers_all());
        let offered = offered.map(|offering| Reserve { account: ESCROW, asset: offering.terms.token.id, amount: offering.terms.supply });
        offered.chain(self.commitments.values().flat_map(|commitment| {
            let offering = self.offering(commitment.offering);
            let bound = match commitment.status {
                CommitmentStatus::Review => commitment.paid,
                CommitmentStatus::Passed => commitment.charge,
                CommitmentStatus::Locked | CommitmentStatus::Released | CommitmentStatus::Refunded => 0,
            };
            let undelivered = offering.filter(|offering| commitment.status == CommitmentStatus::Passed && offering.owes_tokens());
            let tokens = undelivered.map(|offering| Reserve { account: ESCROW, asset: offering.terms.token.id, amount: commitment.tokens });
            [Some(Reserve { account: ESCROW, asset: commitment.asset, amount: bound }), tokens].into_iter().flatten()
        }))
    }

    /// T-3: every offering plans itself.
    pub(crate) fn due(&self) -> impl Iterator<Item = Due> {
        let planned = |offering: &Offering| Some(Due { at: offering.due?, class: Class::Subscription, id: u64::from(offering.terms.id.0) });
        self.offerings.values().filter_map(planned)
    }

    /// True if more commitments are due at `now` than an entry settles.
    pub(crate) fn exceeds_a_slice(&self, now: Time) -> bool {
        let due = self.offerings.values().filter(|offering| offering.due.is_some_and(|at| at <= now));
        due.flat_map(|offering| self.commitments_to(offering.terms.id)).nth(SLICE).is_some()
    }

    pub(crate) fn state(&self) -> SubscriptionsState {
        let (offerings, commitments) = (self.offerings.values().cloned().collect(), self.commitments.values().cloned().collect());
        SubscriptionsState { on: self.on, offerings, commitments }
    }

    /// `None` for a state that [`Subscriptions::state`] would not produce.
    pub(crate) fn restore(state: SubscriptionsState, members: &Members) -> Option<Subscriptions> {
        let mut subscriptions = Subscriptions { on: state.on, ..Subscriptions::default() };
        let offerings = state.offerings.iter().map(|offering| (offering.terms.id, offering.clone()));
        subscriptions.offerings = offerings.collect();
        let owned = state.commitments.iter().all(|commitment| members.index(commitment.user).is_some());
        state.commitments.iter().cloned().for_each(|commitment| subscriptions.keep(commitment));
        (owned && subscriptions.fault().is_none() && subscriptions.state() == state).then_some(subscriptions)
    }

    /// No more is allotted than there is, and every commitment matches its offering (N-3, N-4).
    pub(crate) fn fault(&self) -> Option<String> {
        let wrong = |commitment: &&Commitment| {
            let Some(offering) = self.offering(commitment.offering) else { return true };
            let allotted = offering.issue().allot(commitment.value, commitment.paid, offering.wanted);
            let figures = match commitment.status {
                CommitmentStatus::Review => commitment.tokens == 0 && commitment.charge == 0 && commitment.refund == 0,
                CommitmentStatus::Passed | CommitmentStatus::Locked => allotted.is_some_and(|allotted| {
                    let formulas::Allotted { tokens, cost, charge, refund } = allotted;
                    (commitment.tokens, commitment.cost, commitment.charge, commitment.refund) == (tokens, cost, charge, refund)
                }),
                CommitmentStatus::Released | CommitmentStatus::Refunded => false,
            };
            !figures || commitment.released > commitment.tokens
        };
        let sums = |offering: &&Offering| {
            let over = offering.sold > offering.terms.supply || offering.committed > offering.limit();
            let selling = matches!(offering.status, OfferingStatus::Open | OfferingStatus::SoldOut);
            let listed: Amount = self.commitments_to(offering.terms.id).fold(0, |sum, one| sum.saturating_add(one.value));
            over || (selling && listed != offering.committed)
        };
        let members: usize = self.of_member.values().map(BTreeSet::len).sum();
        match (self.commitments.values().find(wrong), self.offerings.values().find(sums)) {
            (Some(commitment), _) => Some(format!("I-11: commitment {} is not what was allotted", commitment.id.0)),
            (None, Some(offering)) => Some(format!("N-3: offering {} has sold or taken too much", offering.terms.id.0)),
            (None, None) if members != self.commitments.len() => Some("the commitments of members are not those that there are".to_owned()),
            (None, None) => None,
        }
    }
}

impl Offering {
    /// The escrow owes all of its tokens: it is open, or not every commitment has been allotted.
    fn offers_all(&self) -> bool {
        let allotting = self.work.is_some_and(|work| work.step == Step::Allot);
        matches!(self.status, OfferingStatus::Open | OfferingStatus::SoldOut) || allotting
    }

    /// The escrow owes the tokens of each commitment.
    fn owes_tokens(&self) -> bool {
        !self.offers_all() && matches!(self.status, OfferingStatus::Allocated | OfferingStatus::Launched)
    }
}

impl SubscriptionContext<'_> {
    fn post(&mut self, asset: AssetIndex, debit: impl Account, credit: impl Account, (amount, kind): (Amount, LineKind), id: CommitmentId) {
        let reason = Reason { kind, object: ObjectKind::Commitment, debit_id: id.0, credit_id: id.0 };
        self.ledger.transfer(asset, debit, credit, amount, reason, self.events);
    }

    fn holder(&self, user: UserId) -> Holder {
        self.members.holder(user).expect("a commitment has an owner")
    }

    fn asset(&self, asset: AssetId) -> AssetIndex {
        self.ledger.asset(asset).expect("an offering takes and gives coins that the ledger has")
    }

    /// Moves to the next state, and emits it.
    fn move_on(&mut self, offering: &mut Offering, trigger: OfferingTrigger) {
        offering.status = next_offering(offering.status, trigger).expect(PLANNED);
        self.events.push(AccountEvent::OfferingChanged(Box::new(offering.clone())).into());
    }

    fn plan(&mut self, offering: &mut Offering, due: Option<Time>) {
        self.scheduler.plan(Class::Subscription, u64::from(offering.terms.id.0), offering.due, due);
        offering.due = due;
    }

    /// Opens if the escrow holds the tokens; they are bound from then on.
    fn open(&mut self, offering: &mut Offering) {
        let token = self.asset(offering.terms.token.id);
        if self.ledger.reserve(token, ESCROW, offering.terms.supply).is_ok() {
            self.move_on(offering, OfferingTrigger::Open);
        }
    }
}
