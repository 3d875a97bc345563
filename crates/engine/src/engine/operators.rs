//! Adds and changes operators in the log (0.6): by the machine itself, or under dual control.

use super::Engine;
use super::outdated::Object;
use crate::event::{AccountEvent, Event};
use crate::feature::Feature;
use crate::ids::{Digest, OperatorId, UserId};
use crate::operators::approval::Reviewer;
use crate::operators::{Actor, Cause, Declared, Operator};
use crate::reject::Reject;
use crate::reply::Reply;

impl Engine {
    /// The acting operator, from the log's data.
    pub(crate) fn actor(&self, by: Reviewer) -> Actor {
        Actor {
            by,
            operators: self.active(Feature::OperatorRegistry).then(|| self.operators.clone()),
            approvals_fall: self.active(Feature::ProposalTerms),
            roles_count: self.active(Feature::Signatures),
            persons_count: self.active(Feature::SignersAsKnown),
            now: self.time,
        }
    }

    /// The machine itself declares an operator: the first two, a rescue, the first-run screen of a sandbox.
    pub(crate) fn declare_operator(&mut self, declared: &Declared, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let Declared { operator: id, name, roles, active, member, cause } = *declared;
        match cause {
            // Once the registry is active, this needs two operators or the machine itself.
            Cause::Before if self.active(Feature::OperatorRegistry) => return Err(Reject::WrongState),
            Cause::Before => {}
            Cause::Sandbox => self.sandbox()?,
            Cause::Machine => {}
            Cause::Rescue => {
                let known = *self.operators.get(id).ok_or(Reject::NotFound)?;
                let rescued = self.put_operator(Operator { waits_for: None, ..known }, events);
                self.end_outdated(Object::Operator(id), None, events);
                return Ok(rescued);
            }
            Cause::Linked => {
                let known = *self.operators.get(id).ok_or(Reject::NotFound)?;
                self.member(member.ok_or(Reject::WrongState)?)?;
                if known.member.is_some() {
                    return Err(Reject::WrongState);
                }
                let linked = self.put_operator(Operator { member, ..known }, events);
                self.end_outdated(Object::Operator(id), None, events);
                return Ok(linked);
            }
        }
        let known = self.operators.get(id).and_then(|known| known.member);
        let member = if cause == Cause::Machine && self.active(Feature::SignersAsKnown) {
            let member = member.or(known);
            self.check_appointed(id, name, member)?;
            member
        } else {
            self.check_operator(id, name, member.filter(|_| cause != Cause::Before))?;
            member
        };
        let declared = self.put_operator(Operator { id, name, roles, active, member, waits_for: None }, events);
        self.end_outdated(Object::Operator(id), None, events);
        Ok(declared)
    }

    /// A name has one number and a number one name; a linked member exists.
    fn check_operator(&self, id: OperatorId, name: Digest, member: Option<UserId>) -> Result<(), Reject> {
        if self.operators.all().any(|other| (other.id == id) != (other.name == name)) {
            return Err(Reject::WrongState);
        }
        member.map_or(Ok(()), |member| self.member(member).map(drop))
    }

    /// Two operators can change anything about a third except who it is: a link never moves (0.6).
    pub(crate) fn check_appointed(&self, id: OperatorId, name: Digest, member: Option<UserId>) -> Result<(), Reject> {
        self.check_operator(id, name, member)?;
        let linked = self.operators.get(id).and_then(|known| known.member);
        if self.active(Feature::FixedLinks) && linked.is_some() && linked != member { Err(Reject::WrongState) } else { Ok(()) }
    }

    /// Applies an appointment that two operators agreed on. The proposer of a new operator releases the first log-in.
    pub(crate) fn appoint(&mut self, proposer: OperatorId, appointed: Operator, events: &mut Vec<Event>) -> Result<(), Reject> {
        self.check_appointed(appointed.id, appointed.name, appointed.member)?;
        let waits = self.operators.get(appointed.id).is_none_or(|known| known.waits_for.is_some());
        self.put_operator(Operator { waits_for: waits.then_some(proposer), ..appointed }, events);
        Ok(())
    }

    /// The proposer lets a new operator in.
    pub(crate) fn release_operator(&mut self, actor: &Actor, subject: OperatorId, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let known = *self.operators.get(subject).ok_or(Reject::NotFound)?;
        let proposer = known.waits_for.ok_or(Reject::WrongState)?;
        if !actor.is(proposer) {
            return Err(Reject::NotFound);
        }
        Ok(self.put_operator(Operator { waits_for: None, ..known }, events))
    }

    /// A log-in name or mail address that belongs to a member counts as a link to that member, whatever was stated.
    pub(crate) fn learn_link(&mut self, by: Reviewer, events: &mut Vec<Event>) {
        let unlinked = self.operators.get(by.operator).copied().filter(|known| known.member.is_none());
        if let (Some(known), Some(_), true) = (unlinked, by.member, self.active(Feature::OperatorRegistry)) {
            self.put_operator(Operator { member: by.member, ..known }, events);
        }
    }

    fn put_operator(&mut self, operator: Operator, events: &mut Vec<Event>) -> Reply {
        self.operators.put(operator);
        events.push(AccountEvent::OperatorChanged(operator).into());
        Reply::Operator(operator)
    }
}
