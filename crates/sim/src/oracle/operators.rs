//! Operators by the rules (0.6): who may act, which accounts belong to one person, and which approvals still count.

use std::collections::BTreeMap;

use engine::backoffice::acts::{Item, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::command::Mode;
use engine::feature::Feature;
use engine::ids::{Digest, OperatorId, UserId};
use engine::operators::approval::Reviewer;
use engine::operators::roles::Roles;
use engine::operators::{Cause, Declared};

use super::{Done, Oracle, Refusal, need, refuse};

const THREE_DAYS: u64 = 72 * 3_600_000;

/// Operators with the instants of their approvals.
pub(super) type Approvals = Vec<(u32, u64)>;

/// Who approved, in order.
pub(super) fn who(approvals: &Approvals) -> Vec<u32> {
    approvals.iter().map(|(operator, _)| *operator).collect()
}

/// An operator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operator {
    pub(super) name: Digest,
    pub(super) roles: u8,
    pub(super) active: bool,
    pub(super) member: Option<u64>,
    pub(super) waits_for: Option<u32>,
}

/// The object whose state a proposal was signed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    Paper(u64),
    Freezes(u64),
    Operator(u32),
}

fn object_of(proposed: &Proposed) -> Option<Object> {
    Some(match proposed {
        Proposed::ReturnWithdrawal { withdrawal } | Proposed::UnmarkSent { withdrawal } => Object::Paper(withdrawal.0),
        Proposed::Unfreeze { user } => Object::Freezes(user.0),
        Proposed::SetOperator { subject, .. } | Proposed::AppointOperator { subject, .. } => Object::Operator(subject.0),
        _ => return None,
    })
}

/// All of them, by number.
pub(super) type Operators = BTreeMap<u32, Operator>;

impl Oracle {
    pub(crate) fn knows_operators(&self) -> bool {
        self.features.contains(&Feature::OperatorRegistry)
    }

    pub(super) fn has_terms(&self) -> bool {
        self.features.contains(&Feature::ProposalTerms)
    }

    pub(super) fn chains_confirm(&self) -> bool {
        self.features.contains(&Feature::ConfirmedPayouts)
    }

    pub(super) fn newest_word_counts(&self) -> bool {
        self.features.contains(&Feature::NewestWord)
    }

    pub(super) fn signatures_fall(&self) -> bool {
        self.features.contains(&Feature::Signatures)
    }

    pub(super) fn chains_decide(&self) -> bool {
        self.features.contains(&Feature::Payments)
    }

    pub(super) fn finals_leave(&self) -> bool {
        self.features.contains(&Feature::FinalPayments)
    }

    fn linked(&self, operator: u32) -> Option<u64> {
        self.world.operators.get(&operator).filter(|_| self.knows_operators())?.member
    }

    /// Whether two accounts belong to one person, whatever they are called.
    pub(super) fn is_one(&self, by: Reviewer, other: u32) -> bool {
        let own = [by.member.map(|member| member.0), self.linked(by.operator.0)];
        by.operator.0 == other || self.linked(other).is_some_and(|member| own.contains(&Some(member)))
    }

    pub(super) fn not_about(&self, by: Reviewer, user: u64) -> Result<(), Refusal> {
        let own = [by.member.map(|member| member.0), self.linked(by.operator.0)];
        need(!own.contains(&Some(user)), "E_SELF_REVIEW")
    }

    /// Active, and in one of these roles if a signature lapses with the role.
    pub(super) fn signs(&self, operator: u32, roles: Roles) -> bool {
        let good = |known: &Operator| known.active && (!self.signatures_fall() || known.roles & roles.0 != 0);
        !self.knows_operators() || self.world.operators.get(&operator).is_some_and(good)
    }

    /// Whether signatures fall when it turns out whose they are.
    pub(super) fn persons_fall(&self) -> bool {
        self.features.contains(&Feature::SignersAsKnown)
    }

    /// The first of each person, of these operators.
    pub(super) fn people_of(&self, operators: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut people: Vec<u32> = Vec::new();
        for operator in operators {
            let same = |earlier: &u32| *earlier == operator || self.linked(operator).is_some_and(|own| self.linked(*earlier) == Some(own));
            if !people.iter().any(same) {
                people.push(operator);
            }
        }
        people
    }

    /// This operator, as the log knows them.
    pub(super) fn as_known(operator: u32) -> Reviewer {
        Reviewer { operator: OperatorId(operator), member: None }
    }

    /// Whether this operator turned out to be that member.
    pub(super) fn turned_out(&self, operator: u32, owner: u64) -> bool {
        self.persons_fall() && self.linked(operator) == Some(owner)
    }

    /// Approvals of something of this owner that neither time, nor their operator's deactivation, nor the owner's security change, nor what
    /// became known of their operators removed.
    pub(super) fn counting(&self, approvals: &Approvals, owner: u64, roles: Roles, changed: Option<u64>) -> Approvals {
        let fell = |(operator, at): &(u32, u64)| {
            let own = self.turned_out(*operator, owner);
            own || self.now > at + THREE_DAYS || !self.signs(*operator, roles) || changed.is_some_and(|changed| changed >= *at)
        };
        let left: Approvals = approvals.iter().filter(|one| !self.has_terms() || !fell(one)).copied().collect();
        let people = self.people_of(left.iter().map(|(operator, _)| *operator));
        left.into_iter().filter(|(operator, _)| !self.persons_fall() || people.contains(operator)).collect()
    }

    /// The remaining approvals plus a new one, which must come from another person.
    pub(super) fn approved(
        &self,
        by: Reviewer,
        approvals: &Approvals,
        owner: u64,
        roles: Roles,
        changed: Option<u64>,
    ) -> Result<Approvals, Refusal> {
        let mut left = self.counting(approvals, owner, roles, changed);
        need(!left.iter().any(|(operator, _)| self.is_one(by, *operator)), "E_SAME_OPERATOR")?;
        left.push((by.operator.0, self.now));
        Ok(left)
    }

    pub(super) fn roles_of(&self, proposed: &Proposed) -> Roles {
        match proposed {
            Proposed::TreasuryMove { .. }
            | Proposed::ReverseDeposit { .. }
            | Proposed::ReturnWithdrawal { .. }
            | Proposed::UnmarkSent { .. } => Roles::TREASURY,
            Proposed::ChangeCatalog { .. } | Proposed::RetireMarket { .. } | Proposed::LaunchOffering { .. } => Roles::MARKET,
            Proposed::Unfreeze { .. } => Roles(2 + 4),
            Proposed::RevokeIdentity { .. } => Roles::VERIFIER,
            Proposed::SetReferralRole { .. } | Proposed::SetOperator { .. } | Proposed::AppointOperator { .. } => Roles::ADMIN,
            Proposed::StopProposal { proposal } => {
                let stopped = self.world.proposals.iter().find(|found| found.id == proposal.0).map(|found| &found.proposed);
                match stopped {
                    None | Some(Proposed::StopProposal { .. }) => Roles::ANY,
                    Some(stopped) => self.roles_of(stopped),
                }
            }
        }
    }

    pub(super) fn may(&self, by: Reviewer, act: &OperatorAct) -> Result<(), Refusal> {
        let roles = match act {
            OperatorAct::Record(_) => return Ok(()),
            OperatorAct::Decide { item: Item::Identity(_), .. } => Roles::VERIFIER,
            OperatorAct::Decide { .. } | OperatorAct::EnterDeposit { .. } | OperatorAct::MarkSent { .. } => Roles::TREASURY,
            OperatorAct::Freeze { .. } => Roles(1 + 2 + 4),
            OperatorAct::Pause { .. } => Roles(8 + 32),
            OperatorAct::Propose { proposed, .. } => self.roles_of(proposed),
            OperatorAct::Confirm { proposal, .. } => {
                let found = self.world.proposals.iter().find(|found| found.id == proposal.0);
                found.map_or(Roles::ANY, |found| self.roles_of(&found.proposed))
            }
            OperatorAct::CancelProposal { .. } => Roles::ANY,
            OperatorAct::ReleaseOperator { .. } => Roles::ADMIN,
        };
        let known = self.world.operators.get(&by.operator.0);
        let good = known.is_some_and(|known| known.active && known.waits_for.is_none() && known.roles & roles.0 != 0);
        need(good || !self.knows_operators(), "E_ROLE")
    }

    /// Records the member whom the edge knows behind an operator.
    pub(super) fn learn(&mut self, by: Reviewer) {
        let knows = self.knows_operators();
        if let Some(known) = self.world.operators.get_mut(&by.operator.0).filter(|known| knows && known.member.is_none()) {
            known.member = by.member.map(|member| member.0);
        }
    }

    pub(super) fn check_operator(&mut self, id: u32, name: Digest, member: Option<UserId>) -> Result<(), Refusal> {
        let clash = self.world.operators.iter().any(|(other, known)| (*other == id) != (known.name == name));
        need(!clash, "E_STATE")?;
        member.map_or(Ok(()), |member| self.member(member.0))
    }

    pub(super) fn check_appointed(&mut self, id: u32, name: Digest, member: Option<UserId>) -> Result<(), Refusal> {
        self.check_operator(id, name, member)?;
        let linked = self.world.operators.get(&id).and_then(|known| known.member);
        let moves = linked.is_some() && linked != member.map(|member| member.0);
        need(!(moves && self.features.contains(&Feature::FixedLinks)), "E_STATE")
    }

    fn operator_done(&self, id: u32) -> Done {
        Done::Object(self.operator_summary(id))
    }

    pub(super) fn operator_summary(&self, id: u32) -> String {
        self.world.operators.get(&id).map_or_else(String::new, |known| {
            format!("operator {id} {} {} {:?} {:?}", known.roles, known.active, known.member, known.waits_for)
        })
    }

    pub(super) fn declare(&mut self, declared: &Declared) -> Result<Done, Refusal> {
        let Declared { operator, name, roles, active, member, cause } = *declared;
        let id = operator.0;
        match cause {
            Cause::Before => {
                need(!self.knows_operators(), "E_STATE")?;
                self.check_operator(id, name, None)?;
            }
            Cause::Machine if self.persons_fall() => {
                let known = self.world.operators.get(&id).and_then(|known| known.member);
                let stated = member.map(|member| member.0).or(known);
                self.check_appointed(id, name, stated.map(UserId))?;
                self.world.operators.insert(id, Operator { name, roles: roles.0, active, member: stated, waits_for: None });
                self.end_outdated(Object::Operator(id), None);
                return Ok(self.operator_done(id));
            }
            Cause::Sandbox | Cause::Machine => {
                need(cause == Cause::Machine || self.mode == Some(Mode::Sandbox), "E_PATH")?;
                self.check_operator(id, name, member)?;
            }
            Cause::Rescue => {
                let Some(known) = self.world.operators.get_mut(&id) else { return refuse("E_NOT_FOUND") };
                known.waits_for = None;
                self.end_outdated(Object::Operator(id), None);
                return Ok(self.operator_done(id));
            }
            Cause::Linked => {
                need(self.world.operators.contains_key(&id), "E_NOT_FOUND")?;
                let Some(UserId(member)) = member else { return refuse("E_STATE") };
                self.member(member)?;
                let unlinked = self.world.operators.get_mut(&id).filter(|known| known.member.is_none());
                let Some(known) = unlinked else { return refuse("E_STATE") };
                known.member = Some(member);
                self.end_outdated(Object::Operator(id), None);
                return Ok(self.operator_done(id));
            }
        }
        let member = member.map(|member| member.0);
        self.world.operators.insert(id, Operator { name, roles: roles.0, active, member, waits_for: None });
        self.end_outdated(Object::Operator(id), None);
        Ok(self.operator_done(id))
    }

    pub(super) fn appoint(&mut self, proposer: u32, id: u32, appointed: Operator) -> Result<(), Refusal> {
        self.check_appointed(id, appointed.name, appointed.member.map(UserId))?;
        let waits = self.world.operators.get(&id).is_none_or(|known| known.waits_for.is_some());
        self.world.operators.insert(id, Operator { waits_for: waits.then_some(proposer), ..appointed });
        Ok(())
    }

    pub(super) fn release(&mut self, by: Reviewer, id: u32) -> Result<Done, Refusal> {
        let Some(known) = self.world.operators.get(&id).copied() else { return refuse("E_NOT_FOUND") };
        let Some(proposer) = known.waits_for else { return refuse("E_STATE") };
        need(self.is_one(by, proposer), "E_NOT_FOUND")?;
        self.world.operators.insert(id, Operator { waits_for: None, ..known });
        Ok(self.operator_done(id))
    }

    /// A change ends the waiting proposals about its object, except the one that made it.
    pub(super) fn end_outdated(&mut self, changed: Object, acting: Option<u64>) {
        if self.signatures_fall() {
            let about = |found: &&mut super::house::Proposal| found.state == "Waiting" && object_of(&found.proposed) == Some(changed);
            let outdated = self.world.proposals.iter_mut().filter(about).filter(|found| Some(found.id) != acting);
            outdated.for_each(|found| found.state = "Expired");
        }
    }

    /// The same for what a completed proposal did.
    pub(super) fn end_others(&mut self, proposed: &Proposed, acting: u64) -> &'static str {
        if let Some(object) = object_of(proposed) {
            self.end_outdated(object, Some(acting));
        }
        "Done"
    }
}
