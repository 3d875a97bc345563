//! Deposits (10): a deposit notice credits nothing, an observed payment does (D-3); two operators enter bank transfers (10.2).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub use super::deposit::{Claimed, Deposit, HandEntry, Observation, Observed};
use super::finals::{Dated, Finals};
use super::incidents::Incidents;
use super::status::{DepositStatus, DepositTrigger, next_deposit};
use super::{FundingContext, ObjectStore};
use crate::amount::{Amount, MAX_AMOUNT, Price};
use crate::catalog::Wallet;
use crate::catalog::funding::{BankTerms, FundingTerms};
use crate::event::AccountEvent;
use crate::exact::{COUNTED, Exact};
use crate::funding::status::{ObservationStatus, ObservationTrigger, next_observation};
use crate::ids::{AssetId, DepositId, Digest, ObservationId, UserId};
use crate::ledger::{Available, Holder, HouseAccount, Ledger, LineKind, ObjectKind, Reason};
use crate::operators::Actor;
use crate::operators::approval::{Approval, all_different};
use crate::operators::roles::Roles;
use crate::product::Product;
use crate::reject::Reject;

/// Operators that must enter the same bank reference (10.2).
pub const BANK_APPROVALS: usize = 2;

/// All claims and observed payments.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Deposits {
    claims: ObjectStore<Deposit>,
    open: BTreeSet<(UserId, DepositId)>,
    /// Those that are not final: a credit may have to be reversed.
    pub(super) observations: BTreeMap<ObservationId, Observation>,
    pub(super) by_tx: BTreeMap<Digest, ObservationId>,
    /// Bank references that were credited (10.2).
    pub(super) references: BTreeSet<Digest>,
    /// What chains report about credits; its own section of the snapshot.
    #[serde(skip)]
    pub(super) incidents: Incidents,
    /// Final payments and bank references; they and the next field are their own section.
    #[serde(skip)]
    pub(super) finals: Finals,
    /// Time of the last report about each decided payment.
    #[serde(skip)]
    pub(super) last_words: Dated<ObservationId>,
}

impl Deposits {
    pub(crate) fn get(&self, id: DepositId) -> Option<&Deposit> {
        self.claims.get(id.0)
    }

    pub(crate) fn observation(&self, id: ObservationId) -> Option<&Observation> {
        self.observations.get(&id)
    }

    pub(crate) fn observation_of(&self, tx: Digest) -> Option<&Observation> {
        self.by_tx.get(&tx).and_then(|id| self.observation(*id))
    }

    pub(crate) fn observations(&self) -> impl Iterator<Item = &Observation> {
        self.observations.values()
    }

    pub(crate) fn observations_from(&self, first: ObservationId) -> impl Iterator<Item = &Observation> {
        self.observations.range(first..).map(|(_, seen)| seen)
    }

    pub(crate) fn incidents(&self) -> &Incidents {
        &self.incidents
    }

    pub(crate) fn set_incidents(&mut self, incidents: Incidents) {
        self.incidents = incidents;
    }

    pub(crate) fn open_of(&self, user: UserId) -> impl Iterator<Item = &Deposit> {
        self.open.range((user, DepositId(0))..=(user, DepositId(u64::MAX))).filter_map(|(_, id)| self.get(*id))
    }

    /// D-2 and 10.2: what can be claimed, and the rate of a bank payment, which the deposit notice fixes.
    pub(crate) fn check_claim(terms: &FundingTerms, ledger: &Ledger, claimed: Claimed) -> Result<Price, Reject> {
        let bank = &terms.bank;
        match claimed {
            Claimed::Coin { asset, chain, amount } => {
                let network = terms.network(asset, chain);
                if network.is_some_and(|network| !network.deposit_on) {
                    return Err(Reject::Disabled(Some(Product::CoinDeposit)));
                }
                ledger.asset(asset).ok_or(Reject::BadAsset)?;
                let network = network.ok_or(Reject::BadChain)?;
                if amount == 0 || amount >= MAX_AMOUNT {
                    return Err(Reject::BadAmount);
                }
                if amount < network.deposit_min {
                    return Err(Reject::DepositMin { min: network.deposit_min });
                }
                Ok(Price(0))
            }
            Claimed::Bank { cents } => {
                if !bank.deposit_on {
                    return Err(Reject::Disabled(Some(Product::BankDeposit)));
                }
                if cents == 0 || cents > bank.deposit_max_cents {
                    return Err(Reject::BadAmount);
                }
                if cents < bank.deposit_min_cents {
                    return Err(Reject::DepositMin { min: bank.deposit_min_cents });
                }
                BankTerms::credit(cents, bank.deposit_rate).filter(|credit| *credit > 0).ok_or(Reject::Overflow)?;
                Ok(bank.deposit_rate)
            }
        }
    }

    /// A member's deposit notice. It credits nothing.
    pub(crate) fn claim(
        &mut self,
        context: &mut FundingContext<'_>,
        user: UserId,
        claimed: Claimed,
        proof: Digest,
    ) -> Result<Deposit, Reject> {
        let limits = &context.terms.limits;
        let rate = Deposits::check_claim(context.terms, context.ledger, claimed)?;
        if self.open_of(user).count() >= usize::try_from(limits.open_claims).unwrap_or(usize::MAX) {
            return Err(Reject::ClaimLimit { max: limits.open_claims });
        }
        Ok(self.open_claim(context, user, claimed, rate, Some(proof), None))
    }

    fn open_claim(
        &mut self,
        context: &mut FundingContext<'_>,
        user: UserId,
        claimed: Claimed,
        rate: Price,
        proof: Option<Digest>,
        observation: Option<ObservationId>,
    ) -> Deposit {
        let deposit = Deposit {
            id: DepositId(context.seq),
            user,
            claimed,
            rate,
            proof,
            observation,
            status: DepositStatus::UnderReview,
            approvals: Vec::new(),
            reference: None,
            credited: None,
            reason: None,
            created: context.now,
            decided: None,
            version: 1,
        };
        self.open.insert((user, deposit.id));
        self.claims.put(deposit.id.0, deposit.clone());
        context.events.push(AccountEvent::DepositChanged(deposit.clone()).into());
        deposit
    }

    /// A watcher's observation, or its news about one. The same key again brings more confirmations.
    pub(crate) fn observe(
        &mut self,
        context: &mut FundingContext<'_>,
        tx: Digest,
        observed: Observed,
        confirmations: u32,
    ) -> Result<Observation, Reject> {
        let network = context.terms.network(observed.asset, observed.chain).ok_or(Reject::BadChain)?;
        if let Some(compared) = self.compare(context, tx, observed, confirmations) {
            return compared;
        }
        if self.is_final(tx) {
            return Err(Reject::DuplicateTx);
        }
        let present = self.observation_of(tx);
        let status = next_observation(present.map_or(ObservationStatus::Entered, |known| known.status), ObservationTrigger::Agree)?;
        if present.is_none() && (observed.amount < network.deposit_min || observed.amount >= MAX_AMOUNT) {
            // Answer as an approval would. A payment that is too small is not recorded, because it could only fill the queue. For a payment
            // entered by hand, what the chain says still counts (D-3).
            let needed = network.confirmations;
            let early = confirmations < needed;
            return Err(if early {
                Reject::Confirmations { seen: confirmations, needed }
            } else {
                Reject::DepositMin { min: network.deposit_min }
            });
        }
        let fresh = present.is_none_or(|known| known.status != ObservationStatus::Matched || known.observed != observed);
        let mut observation = present.cloned().unwrap_or_else(|| blank(context, tx, observed));
        observation.confirmations = if fresh { confirmations } else { observation.confirmations.max(confirmations) };
        (observation.observed, observation.watched, observation.status) = (observed, true, status);
        Ok(self.keep(context, observation, fresh))
    }

    /// D-5: an operator's manual entry. Two operators must enter the same key, owner, coin and amount.
    pub(crate) fn enter(
        &mut self,
        context: &mut FundingContext<'_>,
        by: &Actor,
        tx: Digest,
        observed: Observed,
        confirmations: u32,
    ) -> Result<Observation, Reject> {
        context.terms.network(observed.asset, observed.chain).ok_or(Reject::BadChain)?;
        let cap = context.terms.limits.hand_entry_max.iter().find(|(asset, _)| *asset == observed.asset).map_or(0, |(_, most)| *most);
        if observed.amount == 0 || observed.amount > cap {
            return Err(Reject::BadAmount);
        }
        if self.is_final(tx) {
            return Err(Reject::DuplicateTx);
        }
        let present = self.observation_of(tx).cloned();
        if let Some(known) = &present {
            next_observation(known.status, ObservationTrigger::Agree)?;
            if known.watched {
                return Err(Reject::WrongState);
            }
        }
        by.check_owner(observed.user)?;
        let mut observation = present.unwrap_or_else(|| blank(context, tx, observed));
        // Also in a conflict: an entry that no longer counts must not agree with the new one.
        if matches!(observation.status, ObservationStatus::Entered | ObservationStatus::Conflict) {
            observation.entries.retain(|entry| by.counts(entry.by, entry.observed.user, Roles::TREASURY, None));
        }
        if observation.entries.is_empty() {
            observation.observed = observed;
        }
        let own = observation.entries.iter().position(|entry| by.is(entry.by.operator));
        let entry = HandEntry { by: by.approval(), observed };
        match own {
            Some(at) if observation.entries[at].observed == observed && observation.confirmations < confirmations => {}
            Some(at) if observation.status == ObservationStatus::Conflict => observation.entries[at] = entry,
            Some(_) => return Err(Reject::SameOperator),
            None => observation.entries.push(entry),
        }
        observation.confirmations = observation.confirmations.max(confirmations);
        let before = observation.status;
        settle_entries(&mut observation)?;
        let matched = before != ObservationStatus::Matched && observation.status == ObservationStatus::Matched;
        Ok(self.keep(context, observation, matched))
    }

    /// Stores an observation; one that has just become certain finds its claim, or opens one (decision: an observation without a claim).
    fn keep(&mut self, context: &mut FundingContext<'_>, mut observation: Observation, match_claim: bool) -> Observation {
        if match_claim {
            observation.claim = Some(self.claim_for(context, &observation));
        }
        self.by_tx.insert(observation.tx, observation.id);
        self.observations.insert(observation.id, observation.clone());
        context.events.push(AccountEvent::ObservationChanged(observation.clone()).into());
        observation
    }

    fn claim_for(&mut self, context: &mut FundingContext<'_>, observation: &Observation) -> DepositId {
        let Observed { user, asset, chain, amount } = observation.observed;
        let says = |deposit: &Deposit, exact: bool| match deposit.claimed {
            Claimed::Coin { asset: coin, chain: network, amount: sum } => (coin, network) == (asset, chain) && (!exact || sum == amount),
            Claimed::Bank { .. } => false,
        };
        let free = |deposit: &&Deposit| deposit.observation.is_none_or(|other| other == observation.id);
        let fitting = |exact| self.open_of(user).filter(free).find(|deposit| says(deposit, exact)).map(|deposit| deposit.id);
        let Some(id) = fitting(true).or_else(|| fitting(false)) else {
            let claimed = Claimed::Coin { asset, chain, amount };
            return self.open_claim(context, user, claimed, Price(0), None, Some(observation.id)).id;
        };
        if let Ok(changed) = self.change(id, |deposit| deposit.observation = Some(observation.id)) {
            context.events.push(AccountEvent::DepositChanged(changed).into());
        }
        id
    }

    /// D-4 with an observation of the claim's owner, coin and chain; then D-6.
    pub(crate) fn credit(
        &mut self,
        context: &mut FundingContext<'_>,
        holder: Holder,
        id: DepositId,
        observation: ObservationId,
        by: Option<&Actor>,
    ) -> Result<Deposit, Reject> {
        let deposit = self.get(id).ok_or(Reject::NotFound)?;
        let passed = next_deposit(deposit.status, DepositTrigger::Credit)?;
        let seen = self.observation(observation).filter(|seen| seen.observed.user == deposit.user).ok_or(Reject::NotFound)?;
        let Observed { asset, chain, amount, .. } = seen.observed;
        let network = context.terms.network(asset, chain).ok_or(Reject::BadChain)?;
        let Claimed::Coin { asset: coin, chain: claimed, .. } = deposit.claimed else { return Err(Reject::BadChain) };
        if (coin, claimed) != (asset, chain) {
            return Err(Reject::BadChain);
        }
        let credited = next_observation(seen.status, ObservationTrigger::Credit)?;
        if let Some(by) = by.filter(|_| !seen.watched) {
            let said: Vec<Approval> = seen.entries.iter().filter(|one| one.observed == seen.observed).map(|one| one.by).collect();
            by.check_two(&said, deposit.user)?;
        }
        if seen.confirmations < network.confirmations {
            return Err(Reject::Confirmations { seen: seen.confirmations, needed: network.confirmations });
        }
        if amount < network.deposit_min {
            return Err(Reject::DepositMin { min: network.deposit_min });
        }
        self.pay_in(context, holder, id, asset, amount)?;
        if let Some(seen) = self.observations.get_mut(&observation) {
            (seen.status, seen.claim) = (credited, Some(id));
            context.events.push(AccountEvent::ObservationChanged(seen.clone()).into());
        }
        self.date_credit(context, observation);
        self.note_word(context, observation);
        self.close(context, id, |deposit| {
            (deposit.status, deposit.observation, deposit.credited) = (passed, Some(observation), Some(amount));
            deposit.approvals.extend(by.map(Actor::approval));
        })
    }

    /// 10.2: two operators enter the same reference. A reference that differs from the first starts over with its own, and nothing is
    /// credited.
    pub(crate) fn approve_bank(
        &mut self,
        context: &mut FundingContext<'_>,
        holder: Holder,
        id: DepositId,
        reference: Digest,
        by: &Actor,
    ) -> Result<Deposit, Reject> {
        let deposit = self.get(id).ok_or(Reject::NotFound)?;
        let passed = next_deposit(deposit.status, DepositTrigger::Credit)?;
        let Claimed::Bank { cents } = deposit.claimed else { return Err(Reject::BadChain) };
        let counting = by.counting(&deposit.approvals, deposit.user, Roles::TREASURY, None);
        by.check_new(&counting)?;
        if self.is_used(reference) {
            return Err(Reject::DuplicateTx);
        }
        let agrees = deposit.reference == Some(reference);
        let mut approvals = if agrees { counting } else { Vec::new() };
        approvals.push(by.approval());
        if approvals.len() < BANK_APPROVALS {
            let changed = self.change(id, |deposit| {
                deposit.reference = Some(reference);
                deposit.approvals = approvals;
            })?;
            context.events.push(AccountEvent::DepositChanged(changed.clone()).into());
            return Ok(changed);
        }
        let amount = BankTerms::credit(cents, deposit.rate).ok_or(Reject::Overflow)?;
        self.pay_in(context, holder, id, context.terms.bank.asset, amount)?;
        self.use_reference(context, reference);
        self.close(context, id, |deposit| {
            (deposit.status, deposit.credited) = (passed, Some(amount));
            deposit.approvals = approvals;
        })
    }

    pub(crate) fn reject(&mut self, context: &mut FundingContext<'_>, id: DepositId, why: Digest) -> Result<Deposit, Reject> {
        let rejected = next_deposit(self.get(id).ok_or(Reject::NotFound)?.status, DepositTrigger::Reject)?;
        self.close(context, id, |deposit| (deposit.status, deposit.reason) = (rejected, Some(why)))
    }

    /// D-6.
    fn pay_in(
        &self,
        context: &mut FundingContext<'_>,
        holder: Holder,
        id: DepositId,
        asset: AssetId,
        amount: Amount,
    ) -> Result<(), Reject> {
        let asset = context.ledger.asset(asset).ok_or(Reject::BadAsset)?;
        if !context.ledger.may_come_in(asset, amount) {
            return Err(Reject::Overflow);
        }
        let why = Reason { kind: LineKind::Deposit, object: ObjectKind::Deposit, debit_id: id.0, credit_id: id.0 };
        let to = Available(holder, Wallet::Spot);
        context.ledger.transfer(asset, HouseAccount::External, to, amount, why, context.events);
        Ok(())
    }

    fn close(&mut self, context: &mut FundingContext<'_>, id: DepositId, how: impl FnOnce(&mut Deposit)) -> Result<Deposit, Reject> {
        let now = context.now;
        let closed = self.change(id, |deposit| {
            how(deposit);
            deposit.decided = Some(now);
        })?;
        self.open.remove(&(closed.user, id));
        self.claims.finish(id.0);
        context.events.push(AccountEvent::DepositChanged(closed.clone()).into());
        Ok(closed)
    }

    fn change(&mut self, id: DepositId, how: impl FnOnce(&mut Deposit)) -> Result<Deposit, Reject> {
        let deposit = self.claims.change(id.0).ok_or(Reject::NotFound)?;
        how(deposit);
        deposit.version = deposit.version.plus(1, COUNTED);
        Ok(deposit.clone())
    }

    /// `docs/rules.md` 10: a passed claim was credited, a rejected one was not, bank credits have two different approvals, open ones are listed.
    pub(crate) fn fault(&self) -> Option<String> {
        let sound = |deposit: &Deposit| {
            let passed = deposit.status == DepositStatus::Passed;
            let bank = matches!(deposit.claimed, Claimed::Bank { .. });
            passed == deposit.credited.is_some()
                && (deposit.status == DepositStatus::UnderReview) == self.open.contains(&(deposit.user, deposit.id))
                && all_different(&deposit.approvals)
                && (!bank || passed == (deposit.approvals.len() == BANK_APPROVALS))
        };
        let wrong = self.claims.all().find(|deposit| !sound(deposit)).map(|deposit| format!("D: claim {}", deposit.id.0));
        let keyed = |seen: &Observation| self.by_tx.get(&seen.tx) == Some(&seen.id);
        let unkeyed = || self.observations().find(|seen| !keyed(seen)).map(|seen| format!("D-3: observation {}", seen.id.0));
        wrong.or_else(unkeyed).or_else(|| self.finals_fault()).or_else(|| self.incident_fault())
    }
}

/// An unconfirmed payment.
fn blank(context: &FundingContext<'_>, tx: Digest, observed: Observed) -> Observation {
    Observation {
        id: ObservationId(context.seq),
        tx,
        observed,
        confirmations: 0,
        watched: false,
        entries: Vec::new(),
        status: ObservationStatus::Entered,
        claim: None,
        vanished: false,
        taken_back: None,
    }
}

/// Two operators with the same entry make it certain, whatever others enter; otherwise different entries are a conflict.
fn settle_entries(observation: &mut Observation) -> Result<(), Reject> {
    let entries = &observation.entries;
    let (mut agreed, mut later) = (None, entries.as_slice());
    while let (None, [one, rest @ ..]) = (agreed, later) {
        agreed = rest.iter().any(|other| other.observed == one.observed).then_some(one.observed);
        later = rest;
    }
    match agreed {
        Some(observed) => {
            observation.status = next_observation(observation.status, ObservationTrigger::Agree)?;
            observation.observed = observed;
        }
        None if entries.len() > 1 => observation.status = next_observation(observation.status, ObservationTrigger::Differ)?,
        None => {}
    }
    Ok(())
}
