//! Due work of all products, in the order of T-3.

use engine::backoffice::proposals::Proposed;
use engine::feature::Feature;

use super::Proposal;
use crate::oracle::Oracle;

impl Oracle {
    /// When a proposal acts or expires.
    fn instant(proposal: &Proposal) -> Option<u64> {
        match proposal.state {
            "Waiting" => Some(proposal.created + 72 * 3_600_000 + 1),
            "Confirmed" => proposal.effective,
            _ => None,
        }
    }

    /// T-3: the first due work, by its instant, its class as the rule counts them (proposals before them, triggered work after them), and
    /// its number.
    pub(in crate::oracle) fn first_due(&self) -> Option<(u64, u8, u64)> {
        let proposals = self.world.proposals.iter().filter_map(|proposal| Some((Oracle::instant(proposal)?, 0, proposal.id)));
        let offerings = self.offering_dues().map(|(instant, id)| (instant, 1, id));
        let bets = self.bet_dues().map(|(instant, id)| (instant, 5, id));
        let rebates = self.rebate_dues().map(|(instant, place)| (instant, 7, place));
        let plans = self.plan_dues().map(|(instant, id)| (instant, 2, id));
        let wealth = offerings.chain(plans).chain(self.loan_dues());
        let planned = proposals.chain(wealth).chain(self.contract_dues()).chain(bets).chain(rebates);
        planned.filter(|(instant, ..)| *instant <= self.now).min()
    }

    /// True while a pair's retirement is due but not done.
    pub(in crate::oracle) fn is_retiring_now(&self, pair: u32) -> bool {
        let retires = |proposal: &Proposal| {
            let of_pair = matches!(proposal.proposed, Proposed::RetireMarket { market, .. } if market.0 == pair);
            of_pair && proposal.state == "Confirmed" && proposal.effective.is_some_and(|at| at <= self.now)
        };
        self.world.proposals.iter().any(retires)
    }

    /// Its retirement is agreed on and at most half an hour away: no contract is opened in the pair (0.6).
    pub(in crate::oracle) fn ends_soon(&self, pair: u32) -> bool {
        let ends = |proposal: &Proposal| {
            let of_pair = matches!(proposal.proposed, Proposed::RetireMarket { market, .. } if market.0 == pair);
            of_pair && proposal.state == "Confirmed" && proposal.effective.is_some_and(|at| at <= self.now + 1_800_000)
        };
        self.features.contains(&Feature::RiskBounds) && self.world.proposals.iter().any(ends)
    }

    /// T-3: settles due work, earliest first, each at its own instant; a slice with each entry.
    pub(in crate::oracle) fn run_due(&mut self) {
        let (now, sliced) = (self.now, self.features.contains(&Feature::DueWork));
        let (mut done, mut set_off) = (0, false);
        while let Some((instant, class, id)) = self.first_due().filter(|_| !sliced || done < 256) {
            self.world.acts_at = instant;
            self.now = if sliced { instant } else { now };
            match class {
                0 => self.run_proposal(id),
                1 => self.run_offering(id),
                2 => self.mature_plan(id),
                3 => self.run_loan(id),
                4 => self.charge_overnight(id),
                5 => self.deliver(id),
                6 => self.expire_contract(id),
                7 => self.settle_rebate(id),
                8 => self.carry_out_one(),
                _ => self.carry_out_loan(),
            }
            (self.now, done, set_off) = (now, done + 1, set_off || class == 8);
        }
        if set_off {
            self.deleverage();
        }
    }

    fn run_proposal(&mut self, id: u64) {
        let Some(at) = self.world.proposals.iter().position(|proposal| proposal.id == id) else { return };
        let Proposal { state, proposer, confirmer, proposed, created, .. } = self.world.proposals[at].clone();
        let roles = self.roles_of(&proposed);
        let signers = [Some(proposer), confirmer].into_iter().flatten();
        let mut signed = !self.has_terms() || signers.clone().all(|one| self.signs(one, roles));
        if self.persons_fall() && state != "Waiting" {
            signed &= confirmer.is_none_or(|confirmer| !self.is_one(Oracle::as_known(confirmer), proposer));
            signed &= signers.map(|one| self.check_person(Oracle::as_known(one), &proposed)).all(|checked| checked.is_ok());
        }
        let next = match state {
            "Waiting" => "Expired",
            _ if signed && self.act(proposer, created, &proposed).is_ok() => "Done",
            _ => "Refused",
        };
        self.world.proposals[at].state = next;
    }
}
