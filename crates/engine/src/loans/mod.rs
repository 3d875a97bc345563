//! Loans against collateral, paid out of the loan treasury (`docs/rules.md` 7).
//!
//! The rules see the ledger, the prices, the schedule and the events, never the engine. A loan is charged by due work at the start of each
//! period, so its debt never depends on who reads it. A sample costs only what it triggers ([`levels`]). The sample fixes which loans it
//! triggers; they are executed in its order, one slice per entry (T-3).

mod deciding;
pub mod formulas;
mod levels;
pub mod loan;
mod running;
pub mod status;
pub mod terms;
mod triggered;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use crate::catalog::Wallet;
use crate::event::{AccountEvent, Event};
use crate::exact::{COUNTED, Exact};
use crate::ids::{LoanId, LoanProductId, MarketId, UserId};
use crate::index::Indices;
use crate::ledger::{Hold, Holder, HouseAccount, Ledger, LineKind, ObjectKind, Reason, Reserve};
use crate::members::Members;
use crate::reject::Reject;
use crate::scheduler::{Class, Due, Scheduler};
use crate::time::Time;
pub(crate) use deciding::Valued;
use levels::Levels;
use loan::{Loan, LoanStep};
use status::Status;
use terms::{LoanProduct, LoanTerms, SharedTerms};
use triggered::Triggered;

/// Finished loans that stay known, so repaying one is `E_STATE` and not `E_NOT_FOUND`. Older ones are only in the history.
pub const FINISHED_KEPT: usize = 256;

/// The account that lends.
pub(crate) const TREASURY: HouseAccount = HouseAccount::LoanTreasury;
/// The wallet of collateral, payouts and repayments.
pub(crate) const WALLET: Wallet = Wallet::Spot;

/// What the rules of loans work with.
pub(crate) struct LoanContext<'a> {
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) indices: &'a Indices,
    pub(crate) scheduler: &'a mut Scheduler,
    pub(crate) events: &'a mut Vec<Event>,
    pub(crate) now: Time,
}

/// Terms and all loans.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loans {
    /// `None` before [`crate::feature::Feature::Loans`].
    terms: Option<LoanTerms>,
    open: BTreeMap<LoanId, Open>,
    finished: VecDeque<Loan>,
    triggered: BTreeMap<u64, Triggered>,
    /// Derived from the open loans.
    levels: BTreeMap<MarketId, Levels>,
    of_member: BTreeMap<UserId, BTreeSet<LoanId>>,
}

/// An open loan with its owner's index, and what a sample has triggered for it.
#[derive(Clone, Debug)]
struct Open {
    loan: Loan,
    holder: Holder,
    /// Its collateral is to be sold.
    selling: Option<u64>,
    /// Its margin call is to be looked at.
    calling: Option<u64>,
}

/// The state in a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LoansState {
    terms: Option<LoanTerms>,
    open: Vec<Loan>,
    finished: Vec<Loan>,
    triggered: Vec<(u64, Triggered)>,
}

fn reason(id: LoanId, kind: LineKind) -> Reason {
    Reason { kind, object: ObjectKind::Loan, debit_id: id.0, credit_id: id.0 }
}

impl Loans {
    pub(crate) fn terms(&self) -> Option<&LoanTerms> {
        self.terms.as_ref()
    }

    /// The standard terms are in force from here on.
    pub(crate) fn begin(&mut self) {
        self.terms = Some(LoanTerms::standard());
    }

    pub(crate) fn set_product(&mut self, product: LoanProduct) {
        self.terms.iter_mut().for_each(|terms| terms.set_product(product));
    }

    pub(crate) fn set_shared(&mut self, shared: &SharedTerms) {
        self.terms.iter_mut().for_each(|terms| terms.shared = shared.clone());
    }

    /// A product open for applications, with the shared terms.
    pub(crate) fn product(&self, id: LoanProductId) -> Result<(&SharedTerms, &LoanProduct), Reject> {
        let terms = self.terms.as_ref().ok_or(Reject::Cycle)?;
        let product = terms.product(id).filter(|product| product.on).ok_or(Reject::Cycle)?;
        Ok((&terms.shared, product))
    }

    /// A loan that is open, or ended recently.
    pub(crate) fn get(&self, id: LoanId) -> Option<&Loan> {
        let finished = || self.finished.iter().find(|loan| loan.id == id);
        self.open.get(&id).map(|open| &open.loan).or_else(finished)
    }

    /// All open loans, oldest first.
    pub(crate) fn open(&self) -> impl DoubleEndedIterator<Item = &Loan> {
        self.open.values().map(|open| &open.loan)
    }

    /// A member's open loans, oldest first.
    pub(crate) fn of(&self, user: UserId) -> impl DoubleEndedIterator<Item = &Loan> {
        self.of_member.get(&user).into_iter().flatten().filter_map(|id| self.open.get(id)).map(|open| &open.loan)
    }

    /// A member's loan on which commands may act now.
    ///
    /// # Errors
    /// [`Reject::NotFound`] for another member's or an unknown one, [`Reject::WrongState`] for one in another state, or whose due work
    /// comes first (T-3).
    fn own(&self, holder: Holder, id: LoanId, fits: impl FnOnce(Status) -> bool, now: Time) -> Result<&Loan, Reject> {
        self.get(id).filter(|loan| loan.user == holder.user).ok_or(Reject::NotFound)?;
        self.idle(id, now).filter(|loan| fits(loan.status)).ok_or(Reject::WrongState)
    }

    /// The guards of a command on a member's own loan that something is owed on.
    pub(crate) fn check_own(&self, holder: Holder, id: LoanId, now: Time) -> Result<(), Reject> {
        self.own(holder, id, Status::is_running, now).map(drop)
    }

    /// An open loan without due or triggered work.
    fn idle(&self, id: LoanId, now: Time) -> Option<&Loan> {
        let Open { loan, selling, calling, .. } = self.open.get(&id)?;
        let waits = selling.is_none() && calling.is_none() && loan.next.is_none_or(|next| next > now);
        waits.then_some(loan)
    }

    /// Stores a new loan and emits it.
    fn insert(&mut self, context: &mut LoanContext<'_>, holder: Holder, loan: Loan) {
        let (id, next) = (loan.id, loan.next);
        tell(context.events, &loan, LoanStep::Applied);
        let open = Open { loan, holder, selling: None, calling: None };
        context.scheduler.plan(Class::Loan, id.0, None, next);
        self.link(&open);
        self.open.insert(id, open);
    }

    /// Stores the changed loan, and emits the change.
    fn replace(&mut self, context: &mut LoanContext<'_>, mut loan: Loan, step: LoanStep) {
        let Some(before) = self.open.remove(&loan.id) else { return };
        self.unlink(&before);
        context.scheduler.plan(Class::Loan, loan.id.0, before.loan.next, loan.next);
        loan.version = loan.version.plus(1, COUNTED);
        tell(context.events, &loan, step);
        let open = Open { loan, ..before };
        self.link(&open);
        self.open.insert(open.loan.id, open);
    }

    /// Moves a loan to the finished ones, and emits it.
    fn finish(&mut self, context: &mut LoanContext<'_>, mut loan: Loan, step: LoanStep) -> Loan {
        loan.ended = Some(context.now);
        loan.version = loan.version.plus(1, COUNTED);
        (loan.next, loan.margin_call) = (None, false);
        if let Some(before) = self.open.remove(&loan.id) {
            self.unlink(&before);
            context.scheduler.plan(Class::Loan, loan.id.0, before.loan.next, None);
            for order in [before.selling, before.calling].into_iter().flatten() {
                self.forget_triggered(context, order);
            }
        }
        if self.finished.len() >= FINISHED_KEPT {
            self.finished.pop_front();
        }
        self.finished.push_back(loan.clone());
        tell(context.events, &loan, step);
        loan
    }

    fn link(&mut self, Open { loan, selling, calling, .. }: &Open) {
        self.of_member.entry(loan.user).or_default().insert(loan.id);
        if !loan.status.is_running() {
            return;
        }
        let levels = self.levels.entry(loan.terms.market).or_default();
        if selling.is_none() {
            levels.watch_liquidation(loan);
            if calling.is_none() {
                levels.watch_call(loan);
            }
        }
    }

    fn unlink(&mut self, Open { loan, .. }: &Open) {
        if let Some(all) = self.of_member.get_mut(&loan.user) {
            all.remove(&loan.id);
            if all.is_empty() {
                self.of_member.remove(&loan.user);
            }
        }
        if let Some(levels) = self.levels.get_mut(&loan.terms.market) {
            levels.forget_liquidation(loan);
            levels.forget_call(loan);
        }
    }
}

/// What the open loans bind, and the state in snapshots.
impl Loans {
    pub(crate) fn holds(&self) -> impl Iterator<Item = Hold> {
        self.open.values().map(|Open { loan, holder, .. }| Hold {
            member: holder.member,
            wallet: WALLET,
            asset: loan.collateral_asset,
            amount: loan.collateral,
        })
    }

    /// I-7.
    pub(crate) fn reserves(&self) -> impl Iterator<Item = Reserve> {
        let pending = self.open().filter(|loan| loan.status == Status::Pending);
        pending.map(|loan| Reserve { account: TREASURY, asset: loan.terms.asset, amount: loan.amount })
    }

    pub(crate) fn due(&self) -> impl Iterator<Item = Due> {
        let planned = self.open().filter_map(|loan| Some(Due { at: loan.next?, class: Class::Loan, id: loan.id.0 }));
        let triggered = self.triggered.iter();
        planned.chain(triggered.map(|(order, work)| Due { at: work.at, class: Class::LoanTriggered, id: *order }))
    }

    pub(crate) fn state(&self) -> LoansState {
        LoansState {
            terms: self.terms.clone(),
            open: self.open().cloned().collect(),
            finished: self.finished.iter().cloned().collect(),
            triggered: self.triggered.iter().map(|(order, work)| (*order, *work)).collect(),
        }
    }

    /// Restores the loans of a state; `None` for an impossible state.
    pub(crate) fn restore(state: LoansState, members: &Members) -> Option<Loans> {
        let LoansState { terms, open, finished, triggered } = state.clone();
        let mut loans = Loans { terms, finished: finished.into(), ..Loans::default() };
        for loan in open {
            let holder = members.holder(loan.user)?;
            loans.open.insert(loan.id, Open { loan, holder, selling: None, calling: None });
        }
        for (order, work) in triggered {
            let open = loans.open.get_mut(&work.loan)?;
            let place = if work.sells { &mut open.selling } else { &mut open.calling };
            if place.replace(order).is_some() {
                return None;
            }
            loans.triggered.insert(order, work);
        }
        let all: Vec<Open> = loans.open.values().cloned().collect();
        all.iter().for_each(|open| loans.link(open));
        (loans.state() == state && loans.open().all(|loan| loan.fault().is_none())).then_some(loans)
    }

    /// Checks that every open loan is in a valid state, and that everything derived matches the open ones.
    pub(crate) fn fault(&self, members: &Members) -> Option<String> {
        if let Some((loan, fault)) = self.open().find_map(|loan| Some((loan, loan.fault()?))) {
            return Some(format!("loan {}: {fault}", loan.id.0));
        }
        if let Some(loan) = self.finished.iter().find(|loan| loan.collateral > 0) {
            return Some(format!("loan {}: it is over and holds collateral", loan.id.0));
        }
        let filled = |levels: &BTreeMap<MarketId, Levels>| -> BTreeMap<MarketId, Levels> {
            levels.iter().filter(|(_, of)| **of != Levels::default()).map(|(market, of)| (*market, of.clone())).collect()
        };
        let fresh = Loans::restore(self.state(), members);
        let same = fresh.is_some_and(|fresh| filled(&fresh.levels) == filled(&self.levels) && fresh.of_member == self.of_member);
        (!same).then(|| "loans: what is derived is not what the open ones make".to_owned())
    }
}

fn tell(events: &mut Vec<Event>, loan: &Loan, step: LoanStep) {
    events.push(AccountEvent::LoanChanged(loan.clone(), step).into());
}
