//! Operators sign what they see: if the subject of a proposal changes while it waits for the second operator, the proposal ends (0.6).

use super::Engine;
use super::operations::tell;
use crate::backoffice::proposals::status::{Status, Trigger};
use crate::backoffice::proposals::{Proposal, Proposed};
use crate::event::Event;
use crate::feature::Feature;
use crate::ids::{OperatorId, ProposalId, UserId, WithdrawalId};
use crate::reject::Reject;

/// The object of a proposal that is signed for one state of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    /// A withdrawal: an agreement from before it was marked or unmarked is about another payment.
    Withdrawal(WithdrawalId),
    /// The freezes of a member: a later one has a reason of its own.
    Freezes(UserId),
    /// An operator: their roles, and whether they are switched on.
    Operator(OperatorId),
}

impl Object {
    /// The object of a proposal. Others are judged by the state at the time when they act.
    pub(crate) fn of(proposed: &Proposed) -> Option<Object> {
        match proposed {
            Proposed::ReturnWithdrawal { withdrawal } | Proposed::UnmarkSent { withdrawal } => Some(Object::Withdrawal(*withdrawal)),
            Proposed::Unfreeze { user } => Some(Object::Freezes(*user)),
            Proposed::SetOperator { subject, .. } | Proposed::AppointOperator { subject, .. } => Some(Object::Operator(*subject)),
            // A reversal compares later chain observations when it acts (D-7).
            Proposed::ReverseDeposit { .. }
            | Proposed::TreasuryMove { .. }
            | Proposed::ChangeCatalog { .. }
            | Proposed::RevokeIdentity { .. }
            | Proposed::SetReferralRole { .. }
            | Proposed::RetireMarket { .. }
            | Proposed::LaunchOffering { .. }
            | Proposed::StopProposal { .. } => None,
        }
    }
}

impl Engine {
    /// Ends the proposals about an object that changed, as far as they wait; the one that changed it is `acting`.
    pub(crate) fn end_outdated(&mut self, changed: Object, acting: Option<ProposalId>, events: &mut Vec<Event>) {
        if !self.active(Feature::Signatures) {
            return;
        }
        let is_outdated =
            |kept: &&Proposal| kept.status == Status::Waiting && Some(kept.id) != acting && Object::of(&kept.proposed) == Some(changed);
        let outdated: Vec<ProposalId> = self.operations.proposals.all().filter(is_outdated).map(|kept| kept.id).collect();
        for id in outdated {
            let ended = self.operations.proposals.settle(&mut self.scheduler, id, Trigger::Expire, Some(Reject::WrongState));
            tell(ended.expect("what waits may expire"), events);
        }
    }
}
