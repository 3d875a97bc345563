//! Proposals: everything that one operator alone may not do. One operator proposes, another confirms exactly that, then it is executed
//! (0.6).

pub mod status;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use crate::amount::Amount;
use crate::identity::KycLevel;
use crate::ids::{AssetId, Digest, MarketId, ObservationId, OfferingId, OperatorId, ProposalId, UserId, WithdrawalId};
use crate::ledger::posting::HouseAccount;
use crate::listing::change::CatalogChange;
use crate::operators::approval::Approval;
use crate::operators::roles::Roles;
use crate::reject::Reject;
use crate::scheduler::{Class, Due, Scheduler};
use crate::security::ReferralRole;
use crate::time::{DAY_MS, HOUR_MS, Time};
use status::{Status, Trigger, next};

/// An unconfirmed proposal expires after this time, ms.
pub const OPEN_MS: u64 = 72 * HOUR_MS;
/// Finished proposals that stay known. Older ones live in the history only.
pub const FINISHED_KEPT: usize = 1_024;

/// A pair is retired at the earliest this long after the confirmation, ms (0.6).
pub const RETIREMENT_NOTICE_MS: u64 = DAY_MS;
/// A change that redirects money, or bounds it, takes effect at the earliest this long after its confirmation, ms.
pub const NOTICE_MS: u64 = DAY_MS;
/// Nothing is agreed on further ahead than this, ms.
pub const FURTHEST_MS: u64 = 90 * DAY_MS;

/// What may be proposed. This list is closed: none sets a price, an outcome, a fill, a balance of a member, or the amount or address of a
/// withdrawal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the fields are named by their types")]
pub enum Proposed {
    /// Move free house capital between house accounts, or from and to the outside (L-3).
    TreasuryMove {
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
        /// The change.
        change: CatalogChange,
        /// When; past instants mean at once.
        effective: Time,
    },
    /// Reverse the part of a credit that its chain dropped or contradicts (D-7).
    ReverseDeposit {
        /// The observed payment.
        observation: ObservationId,
    },
    /// Give back a withdrawal that could not be sent (W-8).
    ReturnWithdrawal { withdrawal: WithdrawalId },
    /// Lift an operator's freeze, or one of the member's own without an end.
    Unfreeze {
        /// The member.
        user: UserId,
    },
    /// Revoke a level of verification (13).
    RevokeIdentity {
        /// The member.
        user: UserId,
        level: KycLevel,
    },
    /// Set a referral role (G-3).
    SetReferralRole {
        /// The member.
        user: UserId,
        role: ReferralRole,
    },
    /// Add, change, switch off or on an operator. Sessions and secrets are kept outside the log.
    SetOperator {
        /// The operator.
        subject: OperatorId,
        /// Digest of the login name.
        name: Digest,
        /// Roles as bits, in the order of the published table of roles.
        roles: u8,
        /// Enabled.
        active: bool,
    },
    /// Retire a pair: its orders are cancelled, its contracts are closed, and nothing new is opened (0.6).
    RetireMarket {
        market: MarketId,
        /// When; 24 h after the confirmation at the earliest.
        at: Time,
    },
    /// Add, change, switch off or on an operator, with the person behind the account. Sessions and secrets are kept outside the log.
    AppointOperator {
        /// The operator.
        subject: OperatorId,
        /// Digest of the login name.
        name: Digest,
        /// What they may do.
        roles: Roles,
        /// Switched on.
        active: bool,
        /// The member account of the same person; `None` states that there is none.
        member: Option<UserId>,
        /// Digest of the mail address that a one-time link goes to; `None` sends none.
        mail: Option<Digest>,
    },
    /// Stop a confirmed proposal before its instant.
    StopProposal { proposal: ProposalId },
    /// Undo the mark of a withdrawal that was not sent after all (W-8).
    UnmarkSent { withdrawal: WithdrawalId },
    /// Launch an offering: its coin and its pair are listed, its tokens delivered (6.2).
    LaunchOffering { offering: OfferingId },
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
    /// The proposer.
    pub proposer: OperatorId,
    /// The proposed act.
    pub proposed: Proposed,
    /// Digest of the reason.
    pub reason: Digest,
    /// State.
    pub status: Status,
    /// When it was proposed.
    pub created: Time,
    /// The confirming operator, and when.
    pub confirmed: Option<Approval>,
    /// When it acts or acted; `None` before it is confirmed. One that was stopped never acted.
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

    /// When it falls due: expiry while it waits, its effect once it is confirmed.
    pub(crate) fn due(&self) -> Option<Time> {
        match self.status {
            // One millisecond later, because a confirmation at the last instant still counts (T-4).
            Status::Waiting => Some(self.expires().plus(1)),
            Status::Confirmed => self.effective,
            Status::Done | Status::Cancelled | Status::Expired | Status::Refused => None,
        }
    }

    /// An object with due work refuses commands until it is settled (T-3).
    fn check_settled(&self, now: Time) -> Result<(), Reject> {
        if self.due().is_some_and(|at| at <= now) { Err(Reject::WrongState) } else { Ok(()) }
    }
}

/// All open proposals and the last finished ones.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "State", into = "State")]
pub(crate) struct Proposals {
    items: BTreeMap<ProposalId, Proposal>,
    finished: VecDeque<ProposalId>,
}

/// Proposals in a snapshot. Due work can be derived from the proposals; it is written because the format is fixed.
#[derive(Serialize, Deserialize)]
struct State {
    items: BTreeMap<ProposalId, Proposal>,
    finished: VecDeque<ProposalId>,
    due: BTreeSet<(Time, ProposalId)>,
}

impl From<Proposals> for State {
    fn from(Proposals { items, finished }: Proposals) -> State {
        let due = items.values().filter_map(|proposal| Some((proposal.due()?, proposal.id))).collect();
        State { items, finished, due }
    }
}

impl From<State> for Proposals {
    fn from(State { items, finished, .. }: State) -> Proposals {
        Proposals { items, finished }
    }
}

impl Proposals {
    pub(crate) fn get(&self, id: ProposalId) -> Option<&Proposal> {
        self.items.get(&id)
    }

    pub(crate) fn all(&self) -> impl DoubleEndedIterator<Item = &Proposal> {
        self.items.values()
    }

    /// The due work of every open proposal.
    pub(crate) fn due(&self) -> impl Iterator<Item = Due> {
        self.items.values().filter_map(|proposal| Some(Due { at: proposal.due()?, class: Class::Proposal, id: proposal.id.0 }))
    }

    pub(crate) fn propose(
        &mut self,
        scheduler: &mut Scheduler,
        id: ProposalId,
        proposer: OperatorId,
        proposed: Proposed,
        reason: Digest,
        now: Time,
    ) -> &Proposal {
        let proposal = Proposal {
            id,
            proposer,
            proposed,
            reason,
            status: Status::Waiting,
            created: now,
            confirmed: None,
            effective: None,
            refused: None,
        };
        scheduler.plan(Class::Proposal, id.0, None, proposal.due());
        self.items.entry(id).or_insert(proposal)
    }

    /// Guards of a confirmation before those of the person: state, and version seen.
    pub(crate) fn check_confirm(&self, id: ProposalId, hash: Digest, now: Time) -> Result<&Proposal, Reject> {
        let proposal = self.get(id).ok_or(Reject::NotFound)?;
        proposal.check_settled(now)?;
        next(proposal.status, Trigger::Confirm)?;
        if proposal.hash() != hash {
            return Err(Reject::ChangedSince { version: 1, hash: proposal.hash() });
        }
        Ok(proposal)
    }

    /// Confirms after [`Proposals::check_confirm`]; it comes due at `effective`.
    pub(crate) fn confirm(&mut self, scheduler: &mut Scheduler, id: ProposalId, by: Approval, effective: Time) -> Result<(), Reject> {
        let proposal = self.items.get_mut(&id).ok_or(Reject::NotFound)?;
        let before = proposal.due();
        proposal.status = next(proposal.status, Trigger::Confirm)?;
        proposal.confirmed = Some(by);
        proposal.effective = Some(effective);
        scheduler.plan(Class::Proposal, id.0, before, proposal.due());
        Ok(())
    }

    /// By its proposer only.
    pub(crate) fn cancel(&mut self, scheduler: &mut Scheduler, id: ProposalId, by: OperatorId, now: Time) -> Result<Proposal, Reject> {
        let proposal = self.get(id).filter(|proposal| proposal.proposer == by).ok_or(Reject::NotFound)?;
        proposal.check_settled(now)?;
        let status = next(proposal.status, Trigger::Cancel)?;
        self.finish(scheduler, id, status, None)
    }

    /// Whether it may be stopped: two confirmed it, and its instant has not come.
    pub(crate) fn check_stop(&self, id: ProposalId, now: Time) -> Result<(), Reject> {
        let proposal = self.get(id).ok_or(Reject::NotFound)?;
        proposal.check_settled(now)?;
        next(proposal.status, Trigger::Stop).map(drop)
    }

    /// Two operators stop a confirmed one.
    pub(crate) fn stop(&mut self, scheduler: &mut Scheduler, id: ProposalId, now: Time) -> Result<Proposal, Reject> {
        self.check_stop(id, now)?;
        let status = next(self.get(id).ok_or(Reject::NotFound)?.status, Trigger::Stop)?;
        self.finish(scheduler, id, status, None)
    }

    /// A due one acted, was refused or expired.
    pub(crate) fn settle(
        &mut self,
        scheduler: &mut Scheduler,
        id: ProposalId,
        trigger: Trigger,
        refused: Option<Reject>,
    ) -> Result<Proposal, Reject> {
        let status = next(self.get(id).ok_or(Reject::NotFound)?.status, trigger)?;
        self.finish(scheduler, id, status, refused)
    }

    fn finish(&mut self, scheduler: &mut Scheduler, id: ProposalId, status: Status, refused: Option<Reject>) -> Result<Proposal, Reject> {
        let proposal = self.items.get_mut(&id).ok_or(Reject::NotFound)?;
        let before = proposal.due();
        (proposal.status, proposal.refused) = (status, refused);
        scheduler.plan(Class::Proposal, id.0, before, proposal.due());
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
            Status::Waiting | Status::Expired => proposal.confirmed.is_none(),
            Status::Cancelled => proposal.confirmed.is_none() || two(proposal),
            Status::Confirmed | Status::Done | Status::Refused => two(proposal),
        };
        self.all().find(|proposal| !sound(proposal)).map(|proposal| format!("0.6: proposal {}", proposal.id.0))
    }
}
