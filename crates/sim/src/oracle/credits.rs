//! What chains report about credits, and what two operators reverse (D-7).

use engine::catalog::Wallet;
use engine::funding::deposits::Observed;
use engine::ids::Digest;

use super::funding::Payment;
use super::people::DAY;
use super::{Done, Oracle, Refusal, need, refuse};

/// What the chain reports instead of a credit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Incident {
    seen: Option<Observed>,
    opened: u64,
    pub(super) changed: u64,
}

impl Payment {
    pub(super) fn contradict(&mut self, seen: Option<Observed>, now: u64) {
        let open = self.incident.filter(|incident| now <= incident.opened + 30 * DAY);
        if seen.is_none() && open.is_some_and(|incident| incident.seen.is_none()) {
            return;
        }
        let opened = open.map_or(now, |incident| incident.opened);
        (self.incident, self.silent_since) = (Some(Incident { seen, opened, changed: now }), None);
    }
}

impl Oracle {
    /// D-7: the watcher's report.
    pub(super) fn vanish(&mut self, tx: Digest) -> Result<Done, Refusal> {
        need(!self.world.finals.contains(&tx), "E_STATE")?;
        let Some(id) = self.by_tx(tx).map(|payment| payment.id) else { return refuse("E_NOT_FOUND") };
        let (now, decides) = (self.now, self.chains_decide());
        let payment = self.payment_mut(id)?;
        match payment.state {
            "Credited" if decides => {
                payment.vanished = true;
                payment.contradict(None, now);
            }
            "Credited" => payment.vanished = true,
            "Reversed" => return refuse("E_STATE"),
            _ => {
                payment.confirmations = 0;
                return Ok(self.payment_done(id));
            }
        }
        self.worded(id)
    }

    /// Something was reported about a decided payment, so it stays for 30 more days.
    pub(super) fn worded(&mut self, id: u64) -> Result<Done, Refusal> {
        let word = self.finals_leave().then_some(self.now);
        self.payment_mut(id)?.last_word = word;
        Ok(self.payment_done(id))
    }

    /// Keys of everything that was credited.
    pub(super) fn credited(&self) -> Vec<Digest> {
        let credited = self.world.payments.iter().filter(|payment| payment.state == "Credited").map(|payment| payment.tx);
        credited.chain(self.world.finals.iter().copied()).collect()
    }

    /// Payments decided before the rule stay for 30 days from it.
    pub(super) fn begin_finals(&mut self) {
        let now = self.now;
        for payment in self.world.payments.iter_mut().filter(|payment| matches!(payment.state, "Credited" | "Reversed")) {
            payment.last_word = Some(now);
        }
    }

    /// D-3: of a payment without a report for 30 days only the key stays.
    pub(super) fn forget_finals(&mut self) {
        let now = self.now;
        let is_over = |payment: &mut Payment| payment.last_word.is_some_and(|at| now > at + 30 * DAY);
        self.world.finals.extend(self.world.payments.extract_if(.., is_over).map(|payment| payment.tx));
    }

    /// Owner of a credited payment.
    pub(super) fn may_reverse(&mut self, id: u64) -> Result<u64, Refusal> {
        let payment = self.payment_mut(id)?.clone();
        need(self.part(&payment).is_some(), "E_STATE")?;
        Ok(payment.observed.user.0)
    }

    /// The part of a payment that can be reversed now: what was credited and the chain does not hold, once, for 30 days.
    pub(super) fn part(&self, payment: &Payment) -> Option<i128> {
        let all = i128::from(payment.observed.amount);
        if payment.state != "Credited" {
            return None;
        }
        if !self.chains_decide() {
            return (payment.vanished || !payment.watched).then_some(all);
        }
        let (part, since) = match (payment.incident, payment.silent_since) {
            (Some(incident), _) => {
                let Observed { user, asset, .. } = payment.observed;
                let held = incident.seen.filter(|seen| (seen.user, seen.asset, seen.chain) == (user, asset, payment.observed.chain));
                (all - held.map_or(0, |seen| i128::from(seen.amount)), incident.opened)
            }
            (None, Some(since)) => (all, since),
            (None, None) => (0, self.now),
        };
        (part > 0 && self.now <= since + 30 * DAY).then_some(part)
    }

    /// Manual credits from before the rule can be reversed for 30 days from it.
    pub(super) fn date_credits(&mut self) {
        let now = self.now;
        for payment in self.world.payments.iter_mut().filter(|payment| payment.state == "Credited") {
            if payment.watched && !payment.vanished {
                continue;
            }
            payment.silent_since = Some(now);
        }
    }

    /// D-7: news about a credit.
    pub(super) fn chain_says(&mut self, tx: Digest, observed: Observed, confirmations: u32) -> Option<Done> {
        let now = self.now;
        let payment = self.world.payments.iter_mut().find(|payment| payment.tx == tx && payment.state == "Credited")?;
        let news = match payment.incident.filter(|incident| now <= incident.opened + 30 * DAY) {
            Some(incident) => incident.seen != Some(observed),
            None => payment.vanished || !payment.watched,
        };
        if !news {
            return None;
        }
        (payment.watched, payment.vanished, payment.confirmations) = (true, false, confirmations);
        if payment.observed == observed {
            (payment.incident, payment.silent_since) = (None, None);
        } else {
            payment.contradict(Some(observed), now);
        }
        let id = payment.id;
        self.worded(id).ok()
    }

    /// D-7: the reversal by two operators.
    pub(super) fn reverse(&mut self, id: u64, agreed: u64) -> Result<(), Refusal> {
        let user = self.may_reverse(id)?;
        let payment = self.payment_mut(id)?.clone();
        need(payment.incident.is_none_or(|incident| incident.changed <= agreed), "E_STATE")?;
        let (asset, part) = (payment.observed.asset, self.part(&payment).unwrap_or(0));
        let available = self.balance(user, Wallet::Spot, asset.0).map_or(0, |(available, _)| available);
        let taken = available.min(part);
        self.add(user, Wallet::Spot, asset.0, -taken);
        *self.outside.entry(asset.0).or_default() -= taken;
        let payment = self.payment_mut(id)?;
        (payment.state, payment.taken) = ("Reversed", Some(taken));
        self.worded(id).map(drop)
    }
}
