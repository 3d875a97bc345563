//! Payouts and what chains report about them (W-8), and which facts bind a proposal about a payment (D-7, W-8).

use std::collections::BTreeSet;

use super::Engine;
use crate::backoffice::proposals::Proposed;
use crate::catalog::funding::Chain;
use crate::event::Event;
use crate::feature::Feature;
use crate::funding::payouts::{Dispute, PayoutReport, WatchedPayout};
use crate::ids::WithdrawalId;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::time::Time;

impl Engine {
    /// A report from this very millisecond cannot be ordered against a proposal about it, so the proposal must be made a millisecond later.
    pub(crate) fn check_settled_word(&self, proposed: &Proposed) -> Result<(), Reject> {
        let said = if let Proposed::ReverseDeposit { observation } = proposed {
            self.funding.deposits.contradicted_at(*observation)
        } else if let Proposed::UnmarkSent { withdrawal } = proposed {
            self.funding.withdrawals.marked_at(*withdrawal)
        } else {
            None
        };
        if self.active(Feature::NewestWord) && said == Some(self.time) { Err(Reject::WrongState) } else { Ok(()) }
    }

    /// The latest report time that counts for a proposal of `created`.
    pub(crate) fn agreed(&self, created: Time) -> Time {
        if self.active(Feature::NewestWord) { Time(created.0.saturating_sub(1)) } else { created }
    }

    /// W-8.
    pub(crate) fn report_payout(&mut self, report: &PayoutReport, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        self.check_payout(report)?;
        let (funding, _, mut context) = self.funding_context(events);
        funding.withdrawals.report(&mut context, report).map(|known| Reply::Withdrawal(Box::new(known)))
    }

    /// Whether this report is news, so a watcher writes no entry for what the log knows.
    ///
    /// # Errors
    /// What [`crate::command::Command::ReportPayout`] would answer: [`Reject::NotFound`] for a mark other than the present one,
    /// [`Reject::Confirmations`] for too few of them, [`Reject::WrongState`] for what is final or known.
    pub fn check_payout(&self, report: &PayoutReport) -> Result<(), Reject> {
        self.active(Feature::ConfirmedPayouts).then_some(()).ok_or(Reject::WrongState)?;
        self.funding.withdrawals.check_report(&self.catalog.funding, report, self.time).map(drop)
    }

    /// Sent withdrawals that this chain may still confirm or contradict, by number.
    pub fn watched_payouts(&self, chain: Chain) -> impl Iterator<Item = WatchedPayout> {
        let withdrawals = &self.funding.withdrawals;
        let ids: BTreeSet<WithdrawalId> = withdrawals.marked().filter(|id| self.unmark_until(*id).is_some()).collect();
        ids.into_iter().filter_map(move |id| {
            let known = withdrawals.get(id)?;
            let (_, owed) = known.payout().filter(|(of, _)| *of == chain)?;
            Some(WatchedPayout { withdrawal: id, user: known.user, tx: known.tx?, owed, marked: withdrawals.marked_at(id)? })
        })
    }

    /// The chain's contradiction of a withdrawal's mark.
    pub fn payout_dispute(&self, id: WithdrawalId) -> Option<&Dispute> {
        self.funding.withdrawals.disputes.get(&id).filter(|_| self.unmark_until(id).is_some())
    }

    /// All marks that their chains contradict and that can still be undone, by withdrawal.
    pub fn payout_disputes(&self) -> impl DoubleEndedIterator<Item = &Dispute> {
        self.funding.withdrawals.disputes.values().filter(|dispute| self.unmark_until(dispute.withdrawal).is_some())
    }
}
