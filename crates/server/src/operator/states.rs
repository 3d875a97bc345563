//! The state that prevents an operator's act, by its wire name: `data.state` of `E_STATE`.

use engine::Engine;
use engine::backoffice::acts::{Item, OperatorAct};
use engine::backoffice::proposals::Proposed;
use engine::identity::status::Status;
use engine::ids::{OfferingId, ProposalId, UserId};
use engine::listing::change::CatalogChange;
use engine::product::Product;

use super::{observations, proposals, queue_rows, users};
use crate::api::subscriptions::view;
use crate::api::terms::market_status;

fn proposal(engine: &Engine, id: ProposalId) -> Option<&'static str> {
    engine.proposal(id).map(|kept| proposals::exact_state(kept.status))
}

fn freeze(engine: &Engine, user: UserId) -> &'static str {
    if users::status(engine, user) == 0 { "open" } else { "frozen" }
}

pub(super) fn state_of_offering(engine: &Engine, id: OfferingId) -> Option<&'static str> {
    Some(view::state(engine.offering(id)?.status).1)
}

fn of_proposed(engine: &Engine, proposed: &Proposed) -> Option<&'static str> {
    match proposed {
        Proposed::ReverseDeposit { observation } => {
            let seen = engine.observation(*observation)?;
            Some(observations::state(seen.status))
        }
        Proposed::ReturnWithdrawal { withdrawal } | Proposed::UnmarkSent { withdrawal } => {
            Some(queue_rows::withdrawal_state(engine.withdrawal(*withdrawal)?.status))
        }
        Proposed::Unfreeze { user } => Some(freeze(engine, *user)),
        Proposed::RevokeIdentity { user, level } => {
            Some(queue_rows::identity_state(engine.identity(*user, *level).map_or(Status::Unverified, |known| known.status)))
        }
        Proposed::RetireMarket { market, .. } => Some(market_status(engine, *market)),
        Proposed::StopProposal { proposal: id } => proposal(engine, *id),
        Proposed::LaunchOffering { offering } => state_of_offering(engine, *offering),
        Proposed::ChangeCatalog { change: CatalogChange::Offering(terms), .. } => state_of_offering(engine, terms.id),
        Proposed::SetOperator { .. } | Proposed::AppointOperator { .. } => Some("taken"),
        Proposed::TreasuryMove { .. } | Proposed::ChangeCatalog { .. } | Proposed::SetReferralRole { .. } => None,
    }
}

/// The state of an act's object.
pub(super) fn of_act(engine: &Engine, act: &OperatorAct) -> Option<&'static str> {
    match act {
        OperatorAct::Decide { item: Item::Deposit(id), .. } => Some(queue_rows::deposit_state(engine.deposit(*id)?.status)),
        OperatorAct::Decide { item: Item::Withdrawal(id), .. } => Some(queue_rows::withdrawal_state(engine.withdrawal(*id)?.status)),
        OperatorAct::Decide { item: Item::Identity(id), .. } => Some(queue_rows::identity_state(engine.submission(*id)?.status)),
        OperatorAct::Decide { item: Item::Loan(id), .. } => Some(queue_rows::loan_state(engine.loan(*id)?.status)),
        OperatorAct::EnterDeposit { tx, .. } => engine.observation_of(*tx).map(|seen| observations::state(seen.status)),
        OperatorAct::MarkSent { withdrawal, .. } => Some(queue_rows::withdrawal_state(engine.withdrawal(*withdrawal)?.status)),
        OperatorAct::Freeze { user, .. } => Some(freeze(engine, *user)),
        OperatorAct::Pause { product: Product::Spot, market: Some(market), .. } => Some(market_status(engine, *market)),
        OperatorAct::Pause { product, market, .. } => {
            Some(if engine.paused().any(|paused| paused == (*product, *market)) { "paused" } else { "open" })
        }
        OperatorAct::Propose { proposed, .. } => of_proposed(engine, proposed),
        OperatorAct::Confirm { proposal: id, .. } | OperatorAct::CancelProposal { proposal: id } => proposal(engine, *id),
        OperatorAct::ReleaseOperator { .. } => Some("released"),
        OperatorAct::Record(_) => None,
    }
}
