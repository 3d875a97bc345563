//! Marks of payouts, what chains report about them, and what two operators reverse (W-8).

use engine::backoffice::proposals::Proposed;
use engine::funding::payouts::{Paid, PayoutReport};
use engine::ids::Digest;
use engine::ledger::HouseAccount;
use engine::operators::approval::Reviewer;

use super::funding::Paper;
use super::operators::Object;
use super::people::DAY;
use super::{Done, Oracle, Refusal, need, refuse};

const SIX_HOURS: u64 = DAY / 4;

/// What the chain reports instead of a payout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dispute {
    paid: Option<Paid>,
    opened: u64,
}

impl Paper {
    /// Whether the mark can still be reversed.
    fn is_loose(&self, now: u64) -> bool {
        let window = self.marked.is_some_and(|at| now <= at + 3 * DAY);
        self.state == "Sent" && self.marked.is_some() && (window || self.dispute.is_some_and(|dispute| now <= dispute.opened + 30 * DAY))
    }

    fn is_paid_by(&self, paid: Paid) -> bool {
        (paid.asset.0, i128::from(paid.amount), paid.destination) == (self.coin, self.amount - self.fee, self.text)
    }
}

impl Oracle {
    pub(super) fn mark_sent(&mut self, by: Reviewer, id: u64, tx: Digest) -> Result<Done, Refusal> {
        let (state, user) = (self.paper(id)?.state, self.paper(id)?.user);
        need(state == "Passed", "E_STATE")?;
        if self.signatures_fall() {
            self.not_about(by, user)?;
        }
        need(!self.world.sent.contains(&tx), "E_DUP_TX")?;
        self.world.sent.push(tx);
        let marked = self.chains_decide().then_some(self.now);
        let paper = self.paper(id)?;
        (paper.state, paper.version, paper.tx, paper.marked) = ("Sent", paper.version + 1, Some(tx), marked);
        self.end_outdated(Object::Paper(id), None);
        Ok(self.paper_done(id))
    }

    /// As long as the house still has the fee.
    pub(super) fn may_unmark(&mut self, id: u64) -> Result<u64, Refusal> {
        let now = self.now;
        let paper = self.paper(id)?.clone();
        need(paper.is_loose(now), "E_STATE")?;
        need(paper.fee <= self.free(HouseAccount::Fee, paper.coin), "E_FREE_SHORT")?;
        Ok(paper.user)
    }

    /// A report of this millisecond can be the subject of a proposal only from the next one on.
    pub(super) fn check_last_word(&mut self, proposed: &Proposed) -> Result<(), Refusal> {
        let said = match proposed {
            Proposed::ReverseDeposit { observation } => self.payment_mut(observation.0)?.incident.map(|incident| incident.changed),
            Proposed::UnmarkSent { withdrawal } => self.paper(withdrawal.0)?.marked,
            _ => None,
        };
        need(!self.newest_word_counts() || said != Some(self.now), "E_STATE")
    }

    /// A later report is newer than a proposal of `created`.
    pub(super) fn agreed(&self, created: u64) -> u64 {
        if self.newest_word_counts() { created - 1 } else { created }
    }

    /// Not a mark made after two operators agreed.
    pub(super) fn unmark(&mut self, id: u64, agreed: u64) -> Result<(), Refusal> {
        self.may_unmark(id)?;
        let paper = self.paper(id)?;
        need(paper.marked.is_none_or(|at| at <= agreed), "E_STATE")?;
        let tx = paper.tx.take();
        (paper.state, paper.version, paper.marked, paper.dispute) = ("Passed", paper.version + 1, None, None);
        self.world.sent.retain(|sent| Some(*sent) != tx);
        Ok(())
    }

    /// A watcher's report.
    pub(super) fn report_payout(&mut self, report: &PayoutReport) -> Result<Done, Refusal> {
        let PayoutReport { withdrawal, tx, paid, confirmations } = *report;
        need(self.chains_confirm(), "E_STATE")?;
        let (id, now) = (withdrawal.0, self.now);
        let paper = self.paper(id)?.clone();
        need(paper.tx == Some(tx), "E_NOT_FOUND")?;
        need(paper.is_loose(now), "E_STATE")?;
        let Some(chain) = paper.chain else { return refuse("E_STATE") };
        let needed = self.world.networks.get(&(paper.coin, chain)).map_or(u32::MAX, |network| network.confirmations);
        match paid {
            Some(_) => need(confirmations >= needed, "E_CONFIRMATIONS")?,
            None => need(paper.marked.is_some_and(|at| now >= at + SIX_HOURS), "E_STATE")?,
        }
        if paid.is_some_and(|paid| paper.is_paid_by(paid)) {
            let paper = self.paper(id)?;
            (paper.state, paper.version, paper.dispute) = ("Confirmed", paper.version + 1, None);
            return Ok(self.paper_done(id));
        }
        need(paper.dispute.is_none_or(|dispute| dispute.paid != paid), "E_STATE")?;
        let opened = paper.dispute.map_or(now, |dispute| dispute.opened);
        self.paper(id)?.dispute = Some(Dispute { paid, opened });
        Ok(self.paper_done(id))
    }

    /// Contradicted marks as text.
    pub(super) fn disputes(&self) -> Vec<String> {
        let loose = self.world.papers.iter().filter(|paper| paper.is_loose(self.now));
        loose
            .filter_map(|paper| paper.dispute.map(|dispute| format!("dispute {} {:?} {}", paper.id, dispute.paid, dispute.opened)))
            .collect()
    }

    /// Sent withdrawals with their marks, for generating chain reports.
    pub fn payouts(&self) -> Vec<(u64, Digest, Paid)> {
        let paid = |paper: &Paper| {
            let amount = u64::try_from(paper.amount - paper.fee).unwrap_or(0);
            Some((paper.id, paper.tx?, Paid { asset: engine::ids::AssetId(paper.coin), amount, destination: paper.text }))
        };
        self.world.papers.iter().filter_map(paid).collect()
    }
}
