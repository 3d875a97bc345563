//! Who may do what: the roles that an act requires, and whether an operator has one of them (0.6).

use crate::backoffice::acts::{Item, OperatorAct};
use crate::backoffice::proposals::{Proposals, Proposed};
use crate::operators::roles::Roles;
use crate::operators::{Actor, Operator};
use crate::reject::Reject;

impl Roles {
    /// The roles that may propose and confirm this.
    pub(crate) fn of_proposal(proposed: &Proposed, proposals: &Proposals) -> Roles {
        match proposed {
            Proposed::TreasuryMove { .. }
            | Proposed::ReverseDeposit { .. }
            | Proposed::ReturnWithdrawal { .. }
            | Proposed::UnmarkSent { .. } => Roles::TREASURY,
            Proposed::ChangeCatalog { .. } | Proposed::RetireMarket { .. } | Proposed::LaunchOffering { .. } => Roles::MARKET,
            Proposed::Unfreeze { .. } => Roles::VERIFIER.or(Roles::TREASURY),
            Proposed::RevokeIdentity { .. } => Roles::VERIFIER,
            Proposed::SetReferralRole { .. } | Proposed::SetOperator { .. } | Proposed::AppointOperator { .. } => Roles::ADMIN,
            // Operators who could confirm a proposal can also confirm stopping it.
            Proposed::StopProposal { proposal } => match proposals.get(*proposal).map(|kept| &kept.proposed) {
                None | Some(Proposed::StopProposal { .. }) => Roles::ANY,
                Some(stopped) => Roles::of_proposal(stopped, proposals),
            },
        }
    }

    /// The roles of which an act needs one.
    fn of_act(act: &OperatorAct, proposals: &Proposals) -> Roles {
        match act {
            OperatorAct::Decide { item: Item::Deposit(_) | Item::Withdrawal(_) | Item::Loan(_), .. }
            | OperatorAct::EnterDeposit { .. }
            | OperatorAct::MarkSent { .. } => Roles::TREASURY,
            OperatorAct::Decide { item: Item::Identity(_), .. } => Roles::VERIFIER,
            OperatorAct::Freeze { .. } => Roles::SUPPORT.or(Roles::VERIFIER).or(Roles::TREASURY),
            OperatorAct::Pause { .. } => Roles::MARKET.or(Roles::ADMIN),
            OperatorAct::Propose { proposed, .. } => Roles::of_proposal(proposed, proposals),
            OperatorAct::Confirm { proposal, .. } => {
                proposals.get(*proposal).map_or(Roles::ANY, |kept| Roles::of_proposal(&kept.proposed, proposals))
            }
            OperatorAct::CancelProposal { .. } | OperatorAct::Record(_) => Roles::ANY,
            OperatorAct::ReleaseOperator { .. } => Roles::ADMIN,
        }
    }
}

impl Actor {
    /// Checks that the operator may do this: known, switched on, released, with a role for it. A view is recorded for any operator.
    pub(crate) fn check_act(&self, act: &OperatorAct, proposals: &Proposals) -> Result<(), Reject> {
        let Some(operators) = self.operators.as_ref().filter(|_| !matches!(act, OperatorAct::Record(_))) else { return Ok(()) };
        let may = |known: &Operator| known.active && known.waits_for.is_none() && known.roles.meets(Roles::of_act(act, proposals));
        if operators.get(self.by.operator).is_some_and(may) { Ok(()) } else { Err(Reject::Role) }
    }
}
