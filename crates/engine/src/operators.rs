//! Operators as the log knows them: what they may do, whether they are active, and which member is the same person (0.6).
//!
//! Names, mail addresses and secrets stay outside the log, which has only their digests. One person never counts twice, whatever their
//! accounts are called.

pub mod approval;
pub mod roles;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ids::{Digest, OperatorId, UserId};
use crate::reject::Reject;
use crate::time::{HOUR_MS, Time};
use approval::{Approval, Reviewer, SignedVersion};
use roles::Roles;

/// An approval expires without the second one after this time, ms.
pub const APPROVAL_MS: u64 = 72 * HOUR_MS;

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operator {
    /// Number.
    pub id: OperatorId,
    /// Digest of the log-in name.
    pub name: Digest,
    /// What they may do.
    pub roles: Roles,
    /// Switched on.
    pub active: bool,
    /// The member account of the same person; `None` is their statement that they have none.
    pub member: Option<UserId>,
    /// Who releases the first log-in: the proposer of this operator. `None` once it is released.
    pub waits_for: Option<OperatorId>,
}

/// Why an operator is declared without a second operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// Was there before the log knew operators.
    Before,
    /// Added or changed on the machine itself.
    Machine,
    /// New secrets, made on the machine itself. Roles and link stay.
    Rescue,
    /// By the first-run screen of a sandbox. Refused in live mode.
    Sandbox,
    /// Their log-in name or mail address came to be a member's. Nothing but the link changes.
    Linked,
}

/// An operator declared by the machine itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// Number.
    pub operator: OperatorId,
    /// Digest of the log-in name.
    pub name: Digest,
    /// What they may do.
    pub roles: Roles,
    /// Switched on.
    pub active: bool,
    /// The member account of the same person, or that there is none.
    pub member: Option<UserId>,
    /// Why.
    pub cause: Cause,
}

/// All operators. Cloning is cheap.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Operators(Arc<BTreeMap<OperatorId, Operator>>);

impl Operators {
    pub(crate) fn get(&self, id: OperatorId) -> Option<&Operator> {
        self.0.get(&id)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Operator> {
        self.0.values()
    }

    /// A name has one number, and a waiting operator was proposed by another.
    pub(crate) fn fault(&self) -> Option<String> {
        let twice = |one: &Operator| self.all().any(|other| other.id != one.id && other.name == one.name);
        let faulty = self.all().find(|one| twice(one) || one.waits_for == Some(one.id));
        faulty.map(|one| format!("0.6: operator {}", one.id.0))
    }

    pub(crate) fn put(&mut self, operator: Operator) {
        Arc::make_mut(&mut self.0).insert(operator.id, operator);
    }
}

/// The acting operator, with the log's data about them.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    pub(crate) by: Reviewer,
    /// None before the log knows operators.
    pub(crate) operators: Option<Operators>,
    /// Approvals fall.
    pub(crate) approvals_fall: bool,
    /// Signatures fall with the role that they need.
    pub(crate) roles_count: bool,
    /// Signatures fall when the log learns who their operators are.
    pub(crate) persons_count: bool,
    pub(crate) now: Time,
}

impl Actor {
    /// Guards of every decision after the state: the version seen, then whose item it is.
    pub(crate) fn check(&self, seen: SignedVersion, present: SignedVersion, owner: UserId) -> Result<(), Reject> {
        if seen != present {
            return Err(Reject::ChangedSince { version: present.version, hash: present.hash });
        }
        self.check_owner(owner)
    }

    /// No one decides about themselves.
    pub(crate) fn check_owner(&self, owner: UserId) -> Result<(), Reject> {
        if self.members().contains(&Some(owner)) { Err(Reject::SelfReview) } else { Ok(()) }
    }

    /// No one decides about their own account as an operator.
    pub(crate) fn check_other(&self, subject: OperatorId) -> Result<(), Reject> {
        if self.is(subject) { Err(Reject::SelfReview) } else { Ok(()) }
    }

    /// A second approval needs a second person.
    pub(crate) fn check_new(&self, approvals: &[Approval]) -> Result<(), Reject> {
        if approvals.iter().any(|approval| self.is(approval.operator)) { Err(Reject::SameOperator) } else { Ok(()) }
    }

    /// The first signer cannot be the second.
    pub(crate) fn check_second(&self, first: OperatorId) -> Result<(), Reject> {
        if self.is(first) { Err(Reject::SameOperator) } else { Ok(()) }
    }

    /// The same person as this operator.
    pub(crate) fn is(&self, operator: OperatorId) -> bool {
        let members = self.members();
        operator == self.by.operator || self.linked(operator).is_some_and(|linked| members.contains(&Some(linked)))
    }

    fn linked(&self, operator: OperatorId) -> Option<UserId> {
        self.operators.as_ref()?.get(operator)?.member
    }

    /// The member accounts of this person: the one of the log, and the one that the edge knows.
    fn members(&self) -> [Option<UserId>; 2] {
        [self.by.member, self.linked(self.by.operator)]
    }

    /// Switched on and, since signatures fall with it, in one of these roles, as far as the log knows.
    pub(crate) fn may_sign(&self, operator: OperatorId, roles: Roles) -> bool {
        let may = |known: &Operator| known.active && (!self.roles_count || roles.meets(known.roles));
        self.operators.as_ref().is_none_or(|operators| operators.get(operator).is_some_and(may))
    }

    /// Their approval, now.
    pub(crate) fn approval(&self) -> Approval {
        Approval { operator: self.by.operator, at: self.now }
    }

    /// Whether an approval of something of this owner, which takes one of these roles, still counts: its operator may still give it, it is
    /// younger than 72 h, and the owner's security did not change since.
    pub(crate) fn counts(&self, approval: Approval, owner: UserId, roles: Roles, changed: Option<Time>) -> bool {
        let young = self.now <= approval.at.plus(APPROVAL_MS);
        let may = self.may_sign(approval.operator, roles) && !(self.persons_count && self.linked(approval.operator) == Some(owner));
        !self.approvals_fall || (may && young && changed.is_none_or(|changed| changed < approval.at))
    }

    /// The approvals that still count, one of each person.
    pub(crate) fn counting(&self, approvals: &[Approval], owner: UserId, roles: Roles, changed: Option<Time>) -> Vec<Approval> {
        let mut counting: Vec<Approval> = Vec::new();
        for one in approvals.iter().filter(|one| self.counts(**one, owner, roles, changed)) {
            if !self.persons_count || !counting.iter().any(|earlier| self.are_one(earlier.operator, one.operator)) {
                counting.push(*one);
            }
        }
        counting
    }

    /// Whether two operators are one person, as far as the log knows.
    fn are_one(&self, one: OperatorId, other: OperatorId) -> bool {
        one == other || self.linked(one).is_some_and(|linked| self.linked(other) == Some(linked))
    }

    /// Whether two people of these, none of them the owner, say the same: what two agreed on before the log knew who they are.
    pub(crate) fn check_two(&self, said: &[Approval], owner: UserId) -> Result<(), Reject> {
        let others = || said.iter().map(|one| one.operator).filter(|operator| self.linked(*operator) != Some(owner));
        let two = others().any(|one| others().any(|other| !self.are_one(one, other)));
        if two || !self.persons_count { Ok(()) } else { Err(Reject::SameOperator) }
    }
}
