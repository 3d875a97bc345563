//! Marks of payouts (W-8): an operator states which output paid a withdrawal. Its chain confirms that, which is final, or contradicts it,
//! which is flagged for operators. Two operators can undo a mark that no chain confirmed.

use std::collections::BTreeMap;

use super::status::{WithdrawalStatus, WithdrawalTrigger, next_withdrawal};
use super::withdrawal::Withdrawal;
pub use super::withdrawal::{Dispute, Paid, PayoutReport};
use super::withdrawals::Withdrawals;
use super::{Funding, FundingContext};
use crate::catalog::funding::FundingTerms;
use crate::event::AccountEvent;
use crate::ids::{Digest, UserId, WithdrawalId};
use crate::ledger::HouseAccount;
use crate::reject::Reject;
use crate::time::{HOUR_MS, Time};

/// A mark may be undone for this long, ms; one that its chain contradicts for [`REVERSAL_MS`](super::incidents::REVERSAL_MS) since the
/// contradiction.
pub const UNMARK_MS: u64 = 72 * HOUR_MS;
/// A chain without the payment contradicts a mark only after this time, ms: until then the transaction may wait for its block.
pub const MISSING_MS: u64 = 6 * HOUR_MS;

/// A sent withdrawal that its chain may still confirm or contradict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchedPayout {
    /// The withdrawal.
    pub withdrawal: WithdrawalId,
    /// Its owner.
    pub user: UserId,
    /// Its mark.
    pub tx: Digest,
    /// The payment that the chain must hold there.
    pub owed: Paid,
    /// When it was marked.
    pub marked: Time,
}

/// Contradicted marks in a snapshot: a section of its own.
pub(crate) type Disputes = BTreeMap<WithdrawalId, Dispute>;

impl Funding {
    pub(crate) fn with_disputes(mut self, disputes: Disputes) -> Funding {
        self.withdrawals.disputes = disputes;
        self
    }
}

impl Withdrawals {
    /// Withdrawals whose mark can no longer be undone.
    pub(super) fn over(&self, now: Time) -> impl Iterator<Item = WithdrawalId> {
        let disputed = self.disputes.values().filter(move |dispute| dispute.until() < now).map(|dispute| dispute.withdrawal);
        self.marks.over(UNMARK_MS, now).chain(disputed)
    }

    /// When the next mark can no longer be undone.
    pub(super) fn next_forgotten(&self) -> Option<Time> {
        let disputed = self.disputes.values().map(|dispute| dispute.until().plus(1)).min();
        self.marks.next_over(UNMARK_MS).into_iter().chain(disputed).min()
    }

    /// Withdrawals whose mark can still be undone, or could until a moment ago.
    pub(crate) fn marked(&self) -> impl Iterator<Item = WithdrawalId> {
        self.marks.objects().chain(self.disputes.keys().copied())
    }

    pub(super) fn forget_mark(&mut self, id: WithdrawalId) {
        self.marks.remove(id);
        self.disputes.remove(&id);
    }

    /// When it was marked as sent, while that mark can be undone or could until a moment ago.
    pub(crate) fn marked_at(&self, id: WithdrawalId) -> Option<Time> {
        self.marks.get(id).or_else(|| self.disputes.get(&id).map(|dispute| dispute.marked))
    }

    /// The last instant at which the mark may be undone.
    pub(crate) fn unmark_until(&self, id: WithdrawalId) -> Option<Time> {
        self.disputes.get(&id).map(Dispute::until).or_else(|| self.marks.get(id).map(|at| at.plus(UNMARK_MS)))
    }

    /// Whether the mark may be undone, and the withdrawal's owner.
    pub(crate) fn check_unmark(&self, id: WithdrawalId, now: Time) -> Result<UserId, Reject> {
        let present = self.get(id).ok_or(Reject::NotFound)?;
        next_withdrawal(present.status, WithdrawalTrigger::Unmark)?;
        let until = self.unmark_until(id).ok_or(Reject::WrongState)?;
        if now <= until { Ok(present.user) } else { Err(Reject::WrongState) }
    }

    /// W-8: it was not sent after all. It waits to be sent, or returned, and its transaction may pay another one. An agreement from before
    /// it was marked again, after `agreed`, is about another payment and no longer counts.
    pub(crate) fn unmark_sent(&mut self, context: &mut FundingContext<'_>, id: WithdrawalId, agreed: Time) -> Result<Withdrawal, Reject> {
        let user = self.check_unmark(id, context.now)?;
        if self.marked_at(id).is_some_and(|marked| marked > agreed) {
            return Err(Reject::WrongState);
        }
        let present = self.get(id).ok_or(Reject::NotFound)?;
        let passed = next_withdrawal(present.status, WithdrawalTrigger::Unmark)?;
        let (asset, fee, tx) = (context.ledger.asset(present.asset).ok_or(Reject::BadAsset)?, present.fee, present.tx);
        context.ledger.reserve(asset, HouseAccount::Fee, fee)?;
        if let Some(tx) = tx {
            self.sent.remove(&tx);
        }
        self.forget_mark(id);
        self.open.insert((user, id));
        self.change(context, id, |withdrawal| (withdrawal.status, withdrawal.tx) = (passed, None))
    }

    /// The state that a report leads to: confirmed, or still sent and contradicted. A refusal is a report without news.
    pub(crate) fn check_report(&self, terms: &FundingTerms, report: &PayoutReport, now: Time) -> Result<WithdrawalStatus, Reject> {
        let PayoutReport { withdrawal: id, tx, paid, confirmations } = *report;
        let present = self.get(id).filter(|withdrawal| withdrawal.tx == Some(tx)).ok_or(Reject::NotFound)?;
        let confirmed = next_withdrawal(present.status, WithdrawalTrigger::Confirm)?;
        let (chain, expected) = present.payout().ok_or(Reject::WrongState)?;
        let needed = terms.network(present.asset, chain).ok_or(Reject::BadChain)?.confirmations;
        let marked = self.marked_at(id).ok_or(Reject::WrongState)?;
        if self.unmark_until(id).is_none_or(|until| until < now) {
            return Err(Reject::WrongState);
        }
        match paid {
            Some(_) if confirmations < needed => Err(Reject::Confirmations { seen: confirmations, needed }),
            Some(paid) if paid == expected => Ok(confirmed),
            None if now < marked.plus(MISSING_MS) => Err(Reject::WrongState),
            _ if self.disputes.get(&id).is_some_and(|known| known.paid == paid) => Err(Reject::WrongState),
            _ => Ok(present.status),
        }
    }

    /// W-8: a chain's report about a payout.
    pub(crate) fn report(&mut self, context: &mut FundingContext<'_>, report: &PayoutReport) -> Result<Withdrawal, Reject> {
        let id = report.withdrawal;
        let status = self.check_report(context.terms, report, context.now)?;
        if status == WithdrawalStatus::Confirmed {
            let confirmed = self.change(context, id, |withdrawal| withdrawal.status = status)?;
            self.finish_payout(id, context.finals);
            return Ok(confirmed);
        }
        let marked = self.marked_at(id).ok_or(Reject::WrongState)?;
        let opened = self.disputes.get(&id).map_or(context.now, |known| known.opened);
        let dispute = Dispute { withdrawal: id, paid: report.paid, marked, opened };
        self.marks.remove(id);
        self.disputes.insert(id, dispute);
        context.events.push(AccountEvent::PayoutDisputed(dispute).into());
        self.get(id).cloned().ok_or(Reject::NotFound)
    }

    /// Only withdrawals marked as sent are contradicted, and they have no other time than that.
    pub(super) fn dispute_fault(&self) -> Option<String> {
        let sound = |id: &WithdrawalId| {
            self.marks.get(*id).is_none() && self.get(*id).is_some_and(|withdrawal| withdrawal.status == WithdrawalStatus::Sent)
        };
        self.disputes.keys().find(|id| !sound(id)).map(|id| format!("W-8: dispute of withdrawal {}", id.0))
    }
}
