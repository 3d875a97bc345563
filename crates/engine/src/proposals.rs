//! Proposals: everything that one operator alone may not do. One proposes, another confirms exactly that, then it acts (0.6).

pub mod status;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use crate::amount::Amount;
use crate::catalog::change::CatalogChange;
use crate::identity::KycLevel;
use crate::ids::{AssetId, Digest, MarketId, ObservationId, OperatorId, ProposalId, UserId, WithdrawalId};
use crate::ledger::HouseAccount;
use crate::reject::Reject;
use crate::review::{Approval, Reviewer};
use crate::security::ReferralRole;
use crate::time::{DAY_MS, HOUR_MS, Time};
use status::{Status, Trigger, next};

/// A proposal that nobody confirms ends after so long, ms.
pub const OPEN_MS: u64 = 72 * HOUR_MS;
/// Finished proposals that stay known. Older ones live in the history only.
pub const FINISHED_KEPT: usize = 1_024;

/// A pair is retired so long after its confirmation at the earliest, ms (0.6).
pub const RETIREMENT_NOTICE_MS: u64 = DAY_MS;

/// What may be proposed. This list is closed: none sets a price, an outcome, a fill, a balance of a member, or the amount or address of a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Proposed {
    /// Move free house capital between house accounts, or from and to the outside (L-3).
    TreasuryMove {
        /// Coin.
        asset: AssetId,
        /// Account that pays.
        from: HouseAccount,
        /// Account that receives.
        to: HouseAccount,
        /// Atoms.
        amount: Amount,
    },
    /// Change the catalog for objects opened later.
    ChangeCatalog {
        /// What.
        change: CatalogChange,
        /// When; past instants mean at once.
        effective: Time,
    },
    /// Take back a deposit that its chain dropped (D-7).
    ReverseDeposit {
        /// The observed payment.
        observation: ObservationId,
    },
    /// Give back a withdrawal that could not be sent (W-8).
    ReturnWithdrawal {
        /// Which.
        withdrawal: WithdrawalId,
    },
    /// Lift an operator's freeze, or one of the member's own without an end.
    Unfreeze {
        /// Whom.
        user: UserId,
    },
    /// Revoke a level of verification (13).
    RevokeIdentity {
        /// Whose.
        user: UserId,
        /// Which.
        level: KycLevel,
    },
    /// Set a referral role (G-3).
    SetReferralRole {
        /// Whose.
        user: UserId,
        /// Which.
        role: ReferralRole,
    },
    /// Add, change, switch off or on an operator. Sessions and secrets live outside the log.
    SetOperator {
        /// Whom.
        subject: OperatorId,
        /// Digest of the login name.
        name: Digest,
        /// Roles as bits, in the order of the published table of roles.
        roles: u8,
        /// Enabled.
        active: bool,
    },
    /// Retire a pair: its open orders are cancelled and no new one is taken (0.6).
    RetireMarket {
        /// Which.
        market: MarketId,
        /// When; 24 h after the confirmation at the earliest.
        at: Time,
    },
}

impl Proposed {
    /// The pair that it would retire.
    pub(crate) fn retires(&self) -> Option<MarketId> {
        if let Proposed::RetireMarket { market, .. } = self { Some(*market) } else { None }
    }
}

/// A proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Number.
    pub id: ProposalId,
    /// Who proposed it.
    pub proposer: OperatorId,
    /// What.
    pub proposed: Proposed,
    /// Digest of the reason.
    pub reason: Digest,
    /// State.
    pub status: Status,
    /// When it was proposed.
    pub created: Time,
    /// Who confirmed it, and when.
    pub confirmed: Option<Approval>,
    /// When it acts or acted; `None` before it is confirmed.
    pub effective: Option<Time>,
    /// The guard that refused it when its instant had come.
    pub refused: Option<Reject>,
}

impl Proposal {
    /// Hash of exactly what a second operator confirms.
    pub fn hash(&self) -> Digest {
        Digest::of("proposal", &(self.id, self.proposer, &self.proposed, self.reason, self.created))
    }

    /// The last instant at which it may be confirmed.
    pub fn expires(&self) -> Time {
        self.created.plus(OPEN_MS)
    }
}

/// What comes due, at its instant: expiry of a waiting proposal, or the effect of a confirmed one.
type Due = (Time, ProposalId);

/// All open proposals and the last finished ones.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Proposals {
    items: BTreeMap<ProposalId, Proposal>,
    finished: VecDeque<ProposalId>,
    due: BTreeSet<Due>,
}

impl Proposals {
    pub(crate) fn get(&self, id: ProposalId) -> Option<&Proposal> {
        self.items.get(&id)
    }

    pub(crate) fn all(&self) -> impl DoubleEndedIterator<Item = &Proposal> {
        self.items.values()
    }

    pub(crate) fn propose(&mut self, id: ProposalId, by: Reviewer, proposed: Proposed, reason: Digest, now: Time) -> &Proposal {
        let proposal = Proposal {
            id,
            proposer: by.operator,
            proposed,
            reason,
            status: Status::Waiting,
            created: now,
            confirmed: None,
            effective: None,
            refused: None,
        };
        // One millisecond later: a confirmation at the last instant still counts (T-4).
        self.due.insert((proposal.expires().plus(1), id));
        self.items.entry(id).or_insert(proposal)
    }

    /// Guards of a confirmation: state, what was seen, another person.
    pub(crate) fn check_confirm(&self, id: ProposalId, hash: Digest, by: Reviewer) -> Result<&Proposal, Reject> {
        let proposal = self.get(id).ok_or(Reject::NotFound)?;
        next(proposal.status, Trigger::Confirm)?;
        if proposal.hash() != hash {
            return Err(Reject::ChangedSince { version: 1, hash: proposal.hash() });
        }
        if proposal.proposer == by.operator {
            return Err(Reject::SameOperator);
        }
        Ok(proposal)
    }

    /// Confirms after [`Proposals::check_confirm`]; it comes due at `effective`.
    pub(crate) fn confirm(&mut self, id: ProposalId, by: Reviewer, effective: Time, now: Time) -> Result<(), Reject> {
        let proposal = self.items.get_mut(&id).ok_or(Reject::NotFound)?;
        self.due.remove(&(proposal.expires().plus(1), id));
        proposal.status = next(proposal.status, Trigger::Confirm)?;
        proposal.confirmed = Some(Approval { operator: by.operator, at: now });
        proposal.effective = Some(effective);
        self.due.insert((effective, id));
        Ok(())
    }

    /// By its proposer only.
    pub(crate) fn cancel(&mut self, id: ProposalId, by: Reviewer) -> Result<Proposal, Reject> {
        let proposal = self.items.get_mut(&id).filter(|proposal| proposal.proposer == by.operator).ok_or(Reject::NotFound)?;
        let status = next(proposal.status, Trigger::Cancel)?;
        self.due.remove(&(proposal.expires().plus(1), id));
        self.finish(id, status, None)
    }

    /// The oldest that is due at `now`: its instant, and the proposal.
    pub(crate) fn next_due(&self, now: Time) -> Option<(Time, &Proposal)> {
        let (at, id) = self.due.first().filter(|(at, _)| *at <= now)?;
        self.get(*id).map(|proposal| (*at, proposal))
    }

    /// A due one acted, was refused or expired.
    pub(crate) fn settle(&mut self, id: ProposalId, at: Time, trigger: Trigger, refused: Option<Reject>) -> Result<Proposal, Reject> {
        self.due.remove(&(at, id));
        let status = next(self.get(id).ok_or(Reject::NotFound)?.status, trigger)?;
        self.finish(id, status, refused)
    }

    fn finish(&mut self, id: ProposalId, status: Status, refused: Option<Reject>) -> Result<Proposal, Reject> {
        let proposal = self.items.get_mut(&id).ok_or(Reject::NotFound)?;
        (proposal.status, proposal.refused) = (status, refused);
        let finished = proposal.clone();
        self.finished.push_back(id);
        if self.finished.len() > FINISHED_KEPT
            && let Some(oldest) = self.finished.pop_front()
        {
            self.items.remove(&oldest);
        }
        Ok(finished)
    }

    /// Nothing acted without two different operators.
    pub(crate) fn fault(&self) -> Option<String> {
        let two = |proposal: &Proposal| proposal.confirmed.is_some_and(|by| by.operator != proposal.proposer);
        let sound = |proposal: &Proposal| match proposal.status {
            Status::Waiting | Status::Cancelled | Status::Expired => proposal.confirmed.is_none(),
            Status::Confirmed | Status::Done | Status::Refused => two(proposal),
        };
        self.all().find(|proposal| !sound(proposal)).map(|proposal| format!("0.6: proposal {}", proposal.id.0))
    }
}
