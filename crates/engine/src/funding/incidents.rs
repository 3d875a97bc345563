//! Credits and their chain (D-7): what a watcher confirms is final; what it contradicts or drops is an incident, and two operators reverse
//! at most the contradicted part.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use super::deposit::{Incident, IncidentStatus, REVERSAL_MS};
use super::deposit::{Observation, Observed};
use super::deposits::Deposits;
use super::status::{ObservationStatus, ObservationTrigger, next_observation};
use super::{FundingContext, ObjectStore};
use crate::amount::Amount;
use crate::catalog::Wallet;
use crate::event::AccountEvent;
use crate::ids::{Digest, IncidentId, ObservationId, UserId};
use crate::ledger::{Available, Holder, HouseAccount, LineKind, ObjectKind, Reason};
use crate::reject::Reject;
use crate::time::Time;

/// Incidents, and the credits that no watcher has reported on since: manual entries, and those dropped before the rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Incidents {
    records: ObjectStore<Incident>,
    open: BTreeMap<ObservationId, IncidentId>,
    unwatched: BTreeMap<ObservationId, Time>,
}

impl Incidents {
    /// All open ones and the last closed ones, oldest first.
    pub(crate) fn all(&self) -> impl DoubleEndedIterator<Item = &Incident> {
        self.records.all()
    }

    /// The open incident, if it can still be acted on.
    fn pending(&self, observation: ObservationId, now: Time) -> Option<&Incident> {
        self.of(observation).filter(|incident| now <= incident.until())
    }

    fn of(&self, observation: ObservationId) -> Option<&Incident> {
        self.open.get(&observation).and_then(|id| self.records.get(id.0))
    }

    /// Opens an incident, or records a further report of the chain about the same credit.
    fn raise(&mut self, context: &mut FundingContext<'_>, observation: &Observation, seen: Option<Observed>) {
        self.lapse(context);
        let present = self.of(observation.id).copied();
        let incident = Incident { seen, changed: context.now, ..present.unwrap_or_else(|| opened(context, observation)) };
        self.unwatched.remove(&observation.id);
        self.open.insert(observation.id, incident.id);
        self.records.put(incident.id.0, incident);
        context.events.push(AccountEvent::IncidentChanged(incident).into());
    }

    fn close(&mut self, context: &mut FundingContext<'_>, observation: ObservationId, status: IncidentStatus) {
        let Some(id) = self.open.remove(&observation) else { return };
        let Some(incident) = self.records.change(id.0) else { return };
        (incident.status, incident.closed) = (status, Some(context.now));
        context.events.push(AccountEvent::IncidentChanged(*incident).into());
        self.records.finish(id.0);
    }

    /// Its payment is final.
    pub(super) fn forget(&mut self, context: &mut FundingContext<'_>, observation: ObservationId) {
        self.unwatched.remove(&observation);
        self.close(context, observation, IncidentStatus::Lapsed);
    }

    /// Closes incidents whose time to act is over.
    fn lapse(&mut self, context: &mut FundingContext<'_>) {
        let over = |incident: &&Incident| incident.status == IncidentStatus::Open && incident.until() < context.now;
        let lapsed: Vec<ObservationId> = self.all().filter(over).map(|incident| incident.observation).collect();
        for observation in lapsed {
            self.close(context, observation, IncidentStatus::Lapsed);
        }
    }

    /// The part of a credit that may be reversed now.
    fn reversible(&self, observation: &Observation, now: Time) -> Result<Amount, Reject> {
        let all = observation.observed.amount;
        let (part, until) = match (self.of(observation.id), self.unwatched.get(&observation.id)) {
            (Some(incident), _) => (incident.contradicted(), incident.until()),
            (None, None) => (0, now),
            (None, Some(credited)) => (all, credited.plus(REVERSAL_MS)),
        };
        if part > 0 && now <= until { Ok(part) } else { Err(Reject::WrongState) }
    }

    /// Every open one is listed under its payment.
    fn fault(&self) -> Option<String> {
        let listed = |incident: &Incident| self.open.get(&incident.observation) == Some(&incident.id);
        let wrong = |incident: &&Incident| (incident.status == IncidentStatus::Open) != listed(incident);
        self.all().find(wrong).map(|incident| format!("D-7: incident {}", incident.id.0))
    }
}

fn opened(context: &FundingContext<'_>, observation: &Observation) -> Incident {
    Incident {
        id: IncidentId(context.seq),
        observation: observation.id,
        credited: observation.observed,
        seen: None,
        opened: context.now,
        changed: context.now,
        status: IncidentStatus::Open,
        closed: None,
    }
}

impl Deposits {
    /// From the rule's entry on, earlier reversible credits stay reversible for 30 days.
    pub(crate) fn date_credits(&mut self, now: Time) {
        let unwatched = |seen: &&Observation| seen.status == ObservationStatus::Credited && (!seen.watched || seen.vanished);
        let dated: Vec<_> = self.observations().filter(unwatched).map(|seen| (seen.id, now)).collect();
        self.incidents.unwatched.extend(dated);
    }

    /// A manual entry was credited: a watcher may still report on it.
    pub(crate) fn date_credit(&mut self, context: &FundingContext<'_>, id: ObservationId) {
        if context.payments && self.observation(id).is_some_and(|seen| !seen.watched) {
            self.incidents.unwatched.insert(id, context.now);
        }
    }

    /// D-7: a watcher's report about a credit, `None` when it is no news.
    pub(crate) fn compare(
        &mut self,
        context: &mut FundingContext<'_>,
        tx: Digest,
        observed: Observed,
        confirmations: u32,
    ) -> Option<Result<Observation, Reject>> {
        let id = self.observation_of(tx).filter(|known| known.status == ObservationStatus::Credited)?.id;
        let open = self.incidents.pending(id, context.now).copied();
        let known = self.observations.get_mut(&id)?;
        let (same, dropped) = (known.observed == observed, known.vanished);
        let news = match open {
            Some(incident) => incident.seen != Some(observed),
            None => dropped || !known.watched,
        };
        if !news || !(context.payments || (dropped && same)) {
            return None;
        }
        // After a reorganisation the chain usually includes the payment again, which ends the incident.
        (known.vanished, known.confirmations) = (false, confirmations);
        if context.payments {
            known.watched = true;
            let known = known.clone();
            if same {
                self.incidents.lapse(context);
                self.incidents.unwatched.remove(&id);
                self.incidents.close(context, id, IncidentStatus::Settled);
            } else {
                self.incidents.raise(context, &known, Some(observed));
            }
        }
        self.note_word(context, id);
        let known = self.observation(id)?.clone();
        context.events.push(AccountEvent::ObservationChanged(known.clone()).into());
        Some(Ok(known))
    }

    /// D-7: the chain dropped the payment. Before the credit it is as if it had no confirmation; after it, an incident for operators.
    pub(crate) fn vanish(&mut self, context: &mut FundingContext<'_>, tx: Digest) -> Result<Observation, Reject> {
        if self.is_final(tx) {
            return Err(Reject::WrongState);
        }
        let id = self.observation_of(tx).ok_or(Reject::NotFound)?.id;
        let observation = self.observations.get_mut(&id).ok_or(Reject::NotFound)?;
        match observation.status {
            ObservationStatus::Entered | ObservationStatus::Matched | ObservationStatus::Conflict => observation.confirmations = 0,
            ObservationStatus::Credited => observation.vanished = true,
            ObservationStatus::Reversed => return Err(Reject::WrongState),
        }
        let observation = observation.clone();
        if observation.status == ObservationStatus::Credited {
            self.note_word(context, id);
        }
        let said = self.incidents.pending(id, context.now).is_some_and(|incident| incident.seen.is_none());
        if context.payments && observation.vanished && !said {
            self.incidents.raise(context, &observation, None);
        }
        context.events.push(AccountEvent::ObservationChanged(observation.clone()).into());
        Ok(observation)
    }

    /// Whether it may be reversed, and its member: it was credited, and what a watched chain still holds stays.
    pub(crate) fn check_reverse(&self, id: ObservationId, now: Time, payments: bool) -> Result<UserId, Reject> {
        self.reversible(id, now, payments).map(|(user, _)| user)
    }

    fn reversible(&self, id: ObservationId, now: Time, payments: bool) -> Result<(UserId, Amount), Reject> {
        let observation = self.observation(id).ok_or(Reject::NotFound)?;
        next_observation(observation.status, ObservationTrigger::Reverse)?;
        let user = observation.observed.user;
        if payments {
            return self.incidents.reversible(observation, now).map(|part| (user, part));
        }
        if observation.watched && !observation.vanished { Err(Reject::WrongState) } else { Ok((user, observation.observed.amount)) }
    }

    /// D-7: takes at most what is available of the contradicted part; the rest is the house's loss, which a treasury move pays. An
    /// agreement from before the chain's report changed, after `agreed`, no longer counts.
    pub(crate) fn reverse(
        &mut self,
        context: &mut FundingContext<'_>,
        holder: Holder,
        id: ObservationId,
        agreed: Time,
    ) -> Result<Observation, Reject> {
        let (_, part) = self.reversible(id, context.now, context.payments)?;
        if self.incidents.of(id).is_some_and(|incident| incident.changed > agreed) {
            return Err(Reject::WrongState);
        }
        let observation = self.observations.get_mut(&id).ok_or(Reject::NotFound)?;
        let reversed = next_observation(observation.status, ObservationTrigger::Reverse)?;
        let asset = context.ledger.asset(observation.observed.asset).ok_or(Reject::BadAsset)?;
        let taken = part.min(context.ledger.available(holder.member, Wallet::Spot, asset));
        let object = observation.claim.map_or(0, |claim| claim.0);
        let why = Reason { kind: LineKind::DepositCorrection, object: ObjectKind::Deposit, debit_id: object, credit_id: object };
        let from = Available(holder, Wallet::Spot);
        context.ledger.transfer(asset, from, HouseAccount::External, taken, why, context.events);
        (observation.status, observation.taken_back) = (reversed, Some(taken));
        let observation = observation.clone();
        self.incidents.unwatched.remove(&id);
        self.incidents.close(context, id, IncidentStatus::Reversed);
        self.note_word(context, id);
        context.events.push(AccountEvent::ObservationChanged(observation.clone()).into());
        Ok(observation)
    }

    /// When its chain's report about an open credit last changed.
    pub(crate) fn contradicted_at(&self, id: ObservationId) -> Option<Time> {
        self.incidents.of(id).map(|incident| incident.changed)
    }

    /// The part of a credit that two operators may reverse now; 0 for a final one.
    pub(crate) fn reversible_part(&self, id: ObservationId, now: Time, payments: bool) -> Option<Amount> {
        self.reversible(id, now, payments).ok().map(|(_, part)| part)
    }

    pub(crate) fn incident_fault(&self) -> Option<String> {
        self.incidents.fault()
    }
}
