//! Acts of operators, and what falls due because of them. Dual control is enforced here, not at the edge (0.4 L-3, 0.6, W-7, D-5, V-4).

use super::Engine;
use super::outdated::Object;
use crate::amount::{Amount, MAX_AMOUNT};
use crate::backoffice::acts::{AuditNote, Decision, Item, Operate, OperatorAct};
use crate::backoffice::operations::SettledFees;
use crate::backoffice::proposals::status::{Status, Trigger};
use crate::backoffice::proposals::{FURTHEST_MS, NOTICE_MS, Proposal, Proposed, RETIREMENT_NOTICE_MS};
use crate::event::{AccountEvent, Event};
use crate::exact::{COUNTED, Exact};
use crate::feature::Feature;
use crate::funding::status::{DepositStatus, WithdrawalStatus};
use crate::identity::status::Status as IdentityStatus;
use crate::ids::{AssetId, DepositId, Digest, MarketId, ObservationId, OperatorId, ProposalId, SubmissionId, UserId, WithdrawalId};
use crate::ledger::{HouseAccount, LineKind, ObjectKind, Owner, PostingSide, Reason};
use crate::listing::change::{CatalogChange, FirstReference, TextKind};
use crate::operators::approval::{Reviewer, SignedVersion};
use crate::operators::roles::Roles;
use crate::operators::{Actor, Operator};
use crate::product::Product;
use crate::reject::Reject;
use crate::reply::Reply;
use crate::scheduler::Due;
use crate::security::FreezeScope;
use crate::time::Time;

const OF_THE_FEES: &str = "settled fees are a part of the fee account (L-3)";

impl Engine {
    /// One act of one operator.
    pub(crate) fn operate(&mut self, operate: &Operate, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let actor = self.actor(operate.by);
        actor.check_act(&operate.act, &self.operations.proposals)?;
        let done = self.do_act(&actor, &operate.act, events)?;
        self.learn_link(operate.by, events);
        Ok(done)
    }

    fn do_act(&mut self, by: &Actor, act: &OperatorAct, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        match act {
            OperatorAct::Decide { item: Item::Deposit(id), decision, seen } => self.decide_deposit(by, *id, *decision, *seen, events),
            OperatorAct::Decide { item: Item::Withdrawal(id), decision, seen } => self.decide_withdrawal(by, *id, *decision, *seen, events),
            OperatorAct::Decide { item: Item::Identity(id), decision, seen } => self.decide_identity(by, *id, *decision, *seen, events),
            OperatorAct::Decide { item: Item::Loan(id), decision, seen } => self.decide_loan(by, *id, *decision, *seen, events),
            OperatorAct::EnterDeposit { tx, observed, confirmations } => {
                self.member(observed.user)?;
                let (funding, _, mut context) = self.funding_context(events);
                let entered = funding.deposits.enter(&mut context, by, *tx, *observed, *confirmations)?;
                Ok(Reply::Observation(Box::new(entered)))
            }
            OperatorAct::MarkSent { withdrawal, tx } => self.mark_sent(by, *withdrawal, *tx, events),
            OperatorAct::Freeze { user, scope, .. } => {
                by.check_owner(*user)?;
                let frozen = self.protect(*user, events, |security| security.freeze(*scope))?;
                self.end_outdated(Object::Freezes(*user), None, events);
                Ok(frozen)
            }
            OperatorAct::Pause { product, market, on, .. } => self.pause(*product, *market, *on, events),
            OperatorAct::Propose { proposed, reason } => {
                self.check_possible(proposed)?;
                self.check_person(by, proposed)?;
                self.check_settled_word(proposed)?;
                let (id, proposals) = (ProposalId(self.seq.0), &mut self.operations.proposals);
                let proposal = proposals.propose(&mut self.scheduler, id, by.by.operator, proposed.clone(), *reason, self.time);
                Ok(tell(proposal.clone(), events))
            }
            OperatorAct::Confirm { proposal, hash } => self.confirm(by, *proposal, *hash, events),
            OperatorAct::CancelProposal { proposal } => {
                let cancelled = self.operations.proposals.cancel(&mut self.scheduler, *proposal, by.by.operator, self.time)?;
                Ok(tell(cancelled, events))
            }
            OperatorAct::Record(note) => Ok(self.record(by.by, *note, events)),
            OperatorAct::ReleaseOperator { subject } => self.release_operator(by, *subject, events),
        }
    }

    fn decide_deposit(
        &mut self,
        by: &Actor,
        id: DepositId,
        decision: Decision,
        seen: SignedVersion,
        events: &mut Vec<Event>,
    ) -> Result<Reply, Reject> {
        let deposit = self.funding.deposits.get(id).ok_or(Reject::NotFound)?;
        if deposit.status != DepositStatus::UnderReview {
            return Err(Reject::WrongState);
        }
        by.check(seen, deposit.seen(), deposit.user)?;
        let (holder, linked) = (self.holder(deposit.user)?, deposit.observation);
        let (funding, _, mut context) = self.funding_context(events);
        let deposits = &mut funding.deposits;
        let decided = match decision {
            Decision::Approve => deposits.credit(&mut context, holder, id, linked.ok_or(Reject::NotFound)?, Some(by))?,
            Decision::ApproveWith(observation) => deposits.credit(&mut context, holder, id, observation, Some(by))?,
            Decision::ApproveBank(reference) => deposits.approve_bank(&mut context, holder, id, reference, by)?,
            Decision::Reject { reason } => deposits.reject(&mut context, id, reason)?,
        };
        Ok(Reply::Deposit(Box::new(decided)))
    }

    fn decide_withdrawal(
        &mut self,
        by: &Actor,
        id: WithdrawalId,
        decision: Decision,
        seen: SignedVersion,
        events: &mut Vec<Event>,
    ) -> Result<Reply, Reject> {
        let withdrawal = self.funding.withdrawals.get(id).ok_or(Reject::NotFound)?;
        if withdrawal.status != WithdrawalStatus::UnderReview {
            return Err(Reject::WrongState);
        }
        by.check(seen, withdrawal.seen(), withdrawal.user)?;
        let holder = self.holder(withdrawal.user)?;
        let member = holder.member;
        let (security, level) = (self.security.of(member), self.verified_level(member));
        let (funding, _, mut context) = self.funding_context(events);
        let decided = match decision {
            Decision::Approve => {
                // No withdrawal passes while its owner is frozen or no longer verified (V-5).
                security.freezes.check(context.now, FreezeScope::Withdrawals)?;
                level.ok_or(Reject::KycBasic)?;
                funding.withdrawals.approve(&mut context, holder, id, by, security.changed)?
            }
            Decision::Reject { reason } => funding.withdrawals.reject(&mut context, holder, id, reason)?,
            Decision::ApproveWith(_) | Decision::ApproveBank(_) => return Err(Reject::WrongState),
        };
        Ok(Reply::Withdrawal(Box::new(decided)))
    }

    fn decide_identity(
        &mut self,
        by: &Actor,
        id: SubmissionId,
        decision: Decision,
        seen: SignedVersion,
        events: &mut Vec<Event>,
    ) -> Result<Reply, Reject> {
        let identity = self.identities.submission(id).ok_or(Reject::NotFound)?;
        if identity.status != IdentityStatus::UnderReview {
            return Err(Reject::WrongState);
        }
        by.check(seen, identity.seen(), identity.user)?;
        let member = self.member(identity.user)?;
        let before = self.is_verified(member);
        let decided = match decision {
            Decision::Approve => {
                let counting = by.counting(&identity.approvals, identity.user, Roles::VERIFIER, None);
                by.check_new(&counting)?;
                self.identities.approve(id, counting, by.approval())?
            }
            Decision::Reject { reason } => self.identities.reject(id, reason)?,
            Decision::ApproveWith(_) | Decision::ApproveBank(_) => return Err(Reject::WrongState),
        };
        self.note_verification(member, before);
        events.push(AccountEvent::IdentityChanged(decided.clone()).into());
        Ok(Reply::Identity(Box::new(decided)))
    }

    fn mark_sent(&mut self, by: &Actor, id: WithdrawalId, tx: Digest, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let present = self.funding.withdrawals.get(id).ok_or(Reject::NotFound)?;
        if present.status == WithdrawalStatus::Passed && self.active(Feature::Signatures) {
            by.check_owner(present.user)?;
        }
        let (funding, _, mut context) = self.funding_context(events);
        let sent = funding.withdrawals.mark_sent(&mut context, id, tx)?;
        // The fee is earned now (L-3).
        let settled = self.operations.settled.atoms.entry(sent.asset).or_default();
        *settled = settled.plus(sent.fee, OF_THE_FEES);
        self.end_outdated(Object::Withdrawal(id), None, events);
        Ok(Reply::Withdrawal(Box::new(sent)))
    }

    fn check_reverse(&self, observation: ObservationId) -> Result<UserId, Reject> {
        self.funding.deposits.check_reverse(observation, self.time, self.active(Feature::Payments))
    }

    fn check_unmark(&self, withdrawal: WithdrawalId) -> Result<UserId, Reject> {
        let user = self.funding.withdrawals.check_unmark(withdrawal, self.time)?;
        let present = self.funding.withdrawals.get(withdrawal).ok_or(Reject::NotFound)?;
        // The earned fee may have been moved out of the account since.
        let free = self.free_capital(HouseAccount::Fee, present.asset);
        if present.fee > free { Err(Reject::FreeShort { free }) } else { Ok(user) }
    }

    /// The fee is not earned after all (L-3).
    fn unmark_sent(&mut self, id: WithdrawalId, agreed: Time, events: &mut Vec<Event>) -> Result<(), Reject> {
        self.check_unmark(id)?;
        let (funding, _, mut context) = self.funding_context(events);
        let passed = funding.withdrawals.unmark_sent(&mut context, id, agreed)?;
        let settled = self.operations.settled.atoms.entry(passed.asset).or_default();
        *settled = settled.saturating_sub(passed.fee);
        Ok(())
    }

    /// Stops opening only: closing, cancelling and withdrawing have no pause.
    fn pause(&mut self, product: Product, market: Option<MarketId>, on: bool, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        if !product.may_pause() {
            return Err(Reject::NotFound);
        }
        if let Some(market) = market {
            let of_pairs = matches!(product, Product::Spot | Product::Option | Product::Contract);
            let known = of_pairs && self.catalog.market(market).is_some();
            known.then_some(()).ok_or(Reject::UnknownMarket)?;
        }
        let paused = &mut self.operations.paused;
        let changed = if on { paused.insert((product, market)) } else { paused.remove(&(product, market)) };
        if !changed {
            return Err(Reject::WrongState);
        }
        events.push(AccountEvent::Paused { product, market, on }.into());
        Ok(Reply::Done)
    }

    fn record(&mut self, by: Reviewer, note: AuditNote, events: &mut Vec<Event>) -> Reply {
        self.operations.audited = self.operations.audited.plus(1, COUNTED);
        events.push(AccountEvent::Audited { operator: by.operator, note }.into());
        Reply::Done
    }

    /// The guards of a proposed act: when it is proposed, when it is confirmed, and when it takes effect later.
    fn check_possible(&self, proposed: &Proposed) -> Result<(), Reject> {
        match proposed {
            Proposed::TreasuryMove { asset, from, to, amount } => self.check_treasury_move(*asset, *from, *to, *amount),
            Proposed::ChangeCatalog { change, effective } => {
                self.catalog.changed(change)?;
                self.check_change(change)?;
                self.check_instant(*effective, self.waits(change))
            }
            Proposed::ReverseDeposit { observation } => self.check_reverse(*observation).map(drop),
            Proposed::ReturnWithdrawal { withdrawal } => self.funding.withdrawals.check_return(*withdrawal).map(drop),
            Proposed::UnmarkSent { withdrawal } => self.check_unmark(*withdrawal).map(drop),
            Proposed::Unfreeze { user } => self.security.of(self.member(*user)?).unfreeze(),
            Proposed::RevokeIdentity { user, level } => self.identities.may_revoke(self.member(*user)?, *level),
            Proposed::SetReferralRole { user, .. } => self.member(*user).map(drop),
            Proposed::RetireMarket { market, at } => {
                self.catalog.market(*market).ok_or(Reject::UnknownMarket)?;
                let once = self.operations.retired_at(*market).or(self.operations.retires_at(*market)).is_none();
                once.then_some(()).ok_or(Reject::WrongState)?;
                self.check_instant(*at, false)
            }
            // This form does not name the person behind the account.
            Proposed::SetOperator { .. } if self.active(Feature::OperatorRegistry) => Err(Reject::WrongState),
            Proposed::SetOperator { .. } => Ok(()),
            Proposed::AppointOperator { subject, name, member, .. } => {
                self.active(Feature::OperatorRegistry).then_some(()).ok_or(Reject::WrongState)?;
                self.check_appointed(*subject, *name, *member)
            }
            Proposed::StopProposal { proposal } => {
                self.active(Feature::ProposalTerms).then_some(()).ok_or(Reject::WrongState)?;
                self.operations.proposals.check_stop(*proposal, self.time)
            }
            Proposed::LaunchOffering { offering } => self.check_launch(*offering),
        }
    }

    /// No operator proposes or confirms something about themselves. Comes after [`Engine::check_possible`].
    fn check_person(&self, by: &Actor, proposed: &Proposed) -> Result<(), Reject> {
        match proposed {
            Proposed::ReverseDeposit { observation } => by.check_owner(self.check_reverse(*observation)?),
            Proposed::ReturnWithdrawal { withdrawal } => by.check_owner(self.funding.withdrawals.check_return(*withdrawal)?),
            Proposed::UnmarkSent { withdrawal } => by.check_owner(self.check_unmark(*withdrawal)?),
            Proposed::Unfreeze { user } | Proposed::RevokeIdentity { user, .. } | Proposed::SetReferralRole { user, .. } => {
                by.check_owner(*user)
            }
            Proposed::SetOperator { subject, .. } | Proposed::AppointOperator { subject, member: None, .. } => by.check_other(*subject),
            Proposed::AppointOperator { subject, member: Some(member), .. } => {
                by.check_other(*subject)?;
                by.check_owner(*member)
            }
            Proposed::TreasuryMove { .. }
            | Proposed::ChangeCatalog { .. }
            | Proposed::RetireMarket { .. }
            | Proposed::LaunchOffering { .. }
            | Proposed::StopProposal { .. } => Ok(()),
        }
    }

    /// A change that redirects money, or bounds it, waits a day before it takes effect; setting the first value does not.
    pub(crate) fn waits(&self, change: &CatalogChange) -> bool {
        match change {
            CatalogChange::Limits(_)
            | CatalogChange::IndexSources { .. }
            | CatalogChange::ListMarket { reference: FirstReference::Index { .. }, .. } => true,
            CatalogChange::Text { kind: TextKind::ReceivingKey(_) | TextKind::BankAccount, .. } => {
                self.operations.versions.iter().any(|version| version.change.key() == change.key())
            }
            CatalogChange::Text { kind: TextKind::Country | TextKind::RiskText | TextKind::WhitePaper, .. }
            | CatalogChange::Fee { .. }
            | CatalogChange::MarketFilters { .. }
            | CatalogChange::Network(_)
            | CatalogChange::Bank(_)
            | CatalogChange::ListCoin(_)
            | CatalogChange::ListMarket { reference: FirstReference::IssuePrice(_), .. }
            | CatalogChange::OptionDuration(_)
            | CatalogChange::OptionShared(_)
            | CatalogChange::ContractTerms(_)
            | CatalogChange::ConversionTerms(_)
            | CatalogChange::LoanProduct(_)
            | CatalogChange::LoanShared(_)
            | CatalogChange::Offering(_)
            | CatalogChange::Plan(_) => false,
        }
    }

    /// The instant that both sign: at most 90 days ahead, and at least a day ahead for a change that waits.
    fn check_instant(&self, effective: Time, waits: bool) -> Result<(), Reject> {
        let early = waits && effective < self.time.plus(NOTICE_MS);
        if self.active(Feature::ProposalTerms) && (early || effective > self.time.plus(FURTHEST_MS)) {
            return Err(Reject::BadTime);
        }
        Ok(())
    }

    /// L-3: free capital only; from the outside as much as the ledger can hold.
    fn check_treasury_move(&self, asset: AssetId, from: HouseAccount, to: HouseAccount, amount: Amount) -> Result<(), Reject> {
        if from == to {
            return Err(Reject::SameWallet);
        }
        let of_ledger = self.ledger.asset(asset).ok_or(Reject::BadAsset)?;
        if amount == 0 || amount >= MAX_AMOUNT {
            return Err(Reject::BadAmount);
        }
        if from == HouseAccount::External {
            return if self.ledger.may_come_in(of_ledger, amount) { Ok(()) } else { Err(Reject::Overflow) };
        }
        let free = self.free_capital(from, asset);
        if amount > free { Err(Reject::FreeShort { free }) } else { Ok(()) }
    }

    fn confirm(&mut self, by: &Actor, id: ProposalId, hash: Digest, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let proposal = self.operations.proposals.check_confirm(id, hash, by.now)?;
        by.check_second(proposal.proposer)?;
        let proposal = proposal.clone();
        let terms = self.active(Feature::ProposalTerms);
        let possible = self.check_possible(&proposal.proposed).and_then(|()| self.check_signer(proposal.proposer, &proposal.proposed));
        if possible.is_ok() || !terms {
            possible.clone()?;
            self.check_person(by, &proposal.proposed)?;
        }
        let now = self.time;
        let effective = match &proposal.proposed {
            Proposed::ChangeCatalog { effective, .. } if terms => (*effective).max(now),
            Proposed::ChangeCatalog { change, effective } => (*effective).max(change.earliest(now)),
            Proposed::RetireMarket { at, .. } => (*at).max(now.plus(RETIREMENT_NOTICE_MS)),
            Proposed::TreasuryMove { .. }
            | Proposed::ReverseDeposit { .. }
            | Proposed::ReturnWithdrawal { .. }
            | Proposed::Unfreeze { .. }
            | Proposed::RevokeIdentity { .. }
            | Proposed::SetReferralRole { .. }
            | Proposed::SetOperator { .. }
            | Proposed::AppointOperator { .. }
            | Proposed::StopProposal { .. }
            | Proposed::UnmarkSent { .. }
            | Proposed::LaunchOffering { .. } => now,
        };
        if possible.is_ok() && effective > now {
            self.operations.proposals.confirm(&mut self.scheduler, id, by.approval(), effective)?;
            let confirmed = self.operations.proposals.get(id).ok_or(Reject::NotFound)?.clone();
            return Ok(tell(confirmed, events));
        }
        // The act runs before the proposal is marked. If it is no longer possible, the proposal ends here; before this feature it stayed
        // open.
        let acted = possible.and_then(|()| self.act(&proposal, now, events));
        if !terms {
            acted.clone()?;
        }
        self.operations.proposals.confirm(&mut self.scheduler, id, by.approval(), now)?;
        let trigger = if acted.is_ok() { Trigger::Act } else { Trigger::Refuse };
        let settled = self.operations.proposals.settle(&mut self.scheduler, id, trigger, acted.err())?;
        Ok(tell(settled, events))
    }

    /// A signature falls with its operator, with the role that it needs, and when the log learns that it is about themselves.
    fn check_signer(&self, operator: OperatorId, proposed: &Proposed) -> Result<(), Reject> {
        let roles = Roles::of_proposal(proposed, &self.operations.proposals);
        let signer = self.actor(Reviewer { operator, member: None });
        if self.active(Feature::ProposalTerms) && !signer.may_sign(operator, roles) {
            return Err(Reject::WrongState);
        }
        if self.active(Feature::SignersAsKnown) { self.check_person(&signer, proposed) } else { Ok(()) }
    }

    /// Of what waited: both signatures, and that they are of two people.
    fn check_signers(&self, proposal: &Proposal) -> Result<(), Reject> {
        let Proposal { proposer, proposed, .. } = proposal;
        if let Some(by) = proposal.confirmed.filter(|_| self.active(Feature::SignersAsKnown)) {
            self.actor(Reviewer { operator: by.operator, member: None }).check_second(*proposer)?;
        }
        self.check_signer(*proposer, proposed)?;
        proposal.confirmed.map_or(Ok(()), |by| self.check_signer(by.operator, proposed))
    }

    /// A proposal acts or expires.
    pub(crate) fn run_proposal(&mut self, due: Due, events: &mut Vec<Event>) {
        let proposal = self.operations.proposals.get(ProposalId(due.id)).expect("what is planned is open").clone();
        let (trigger, refused) = match proposal.status {
            Status::Confirmed => match self.check_signers(&proposal).and_then(|()| self.act(&proposal, due.at, events)) {
                Ok(()) => (Trigger::Act, None),
                Err(refused) => (Trigger::Refuse, Some(refused)),
            },
            Status::Waiting | Status::Done | Status::Cancelled | Status::Expired | Status::Refused => (Trigger::Expire, None),
        };
        let settled = self.operations.proposals.settle(&mut self.scheduler, proposal.id, trigger, refused);
        tell(settled.expect("only waiting and confirmed proposals come due"), events);
    }

    /// Executes what two operators agreed on; refuses before anything changes.
    fn act(&mut self, proposal: &Proposal, at: Time, events: &mut Vec<Event>) -> Result<(), Reject> {
        let why = proposal.reason;
        match &proposal.proposed {
            Proposed::TreasuryMove { asset, from, to, amount } => {
                self.check_treasury_move(*asset, *from, *to, *amount)?;
                self.move_treasury(proposal.id, *asset, (*from, *to), *amount, events);
            }
            Proposed::ChangeCatalog { change, .. } => self.change_catalog(proposal.id, change, at, events)?,
            Proposed::ReverseDeposit { observation } => {
                let (holder, agreed) = (self.holder(self.check_reverse(*observation)?)?, self.agreed(proposal.created));
                let (funding, _, mut context) = self.funding_context(events);
                funding.deposits.reverse(&mut context, holder, *observation, agreed)?;
            }
            Proposed::ReturnWithdrawal { withdrawal } => {
                let holder = self.holder(self.funding.withdrawals.check_return(*withdrawal)?)?;
                let (funding, _, mut context) = self.funding_context(events);
                funding.withdrawals.give_returned(&mut context, holder, *withdrawal, why)?;
            }
            Proposed::UnmarkSent { withdrawal } => self.unmark_sent(*withdrawal, self.agreed(proposal.created), events)?,
            Proposed::Unfreeze { user } => drop(self.protect(*user, events, |security| security.unfreeze())?),
            Proposed::RevokeIdentity { user, level } => {
                let member = self.member(*user)?;
                let before = self.is_verified(member);
                let changed = self.identities.revoke(member, *level, why)?;
                self.note_verification(member, before);
                events.extend(changed.into_iter().map(|identity| AccountEvent::IdentityChanged(identity).into()));
            }
            Proposed::SetReferralRole { user, role } => drop(self.set_referral_role(*user, *role, events)?),
            Proposed::RetireMarket { market, .. } => {
                self.operations.retired.insert(*market, at);
                let (spot, mut context) = self.spot_context(events);
                spot.retire(&mut context, *market);
                self.retire_contracts(*market, events);
            }
            Proposed::SetOperator { .. } => {}
            Proposed::AppointOperator { subject, name, roles, active, member, .. } => {
                let (id, name, roles) = (*subject, *name, *roles);
                let appointed = Operator { id, name, roles, active: *active, member: *member, waits_for: None };
                self.appoint(proposal.proposer, appointed, events)?;
            }
            Proposed::StopProposal { proposal } => {
                drop(tell(self.operations.proposals.stop(&mut self.scheduler, *proposal, self.time)?, events))
            }
            Proposed::LaunchOffering { offering } => self.launch_offering(proposal.id, *offering, at, events)?,
        }
        if let Some(object) = Object::of(&proposal.proposed) {
            self.end_outdated(object, Some(proposal.id), events);
        }
        Ok(())
    }

    fn move_treasury(
        &mut self,
        id: ProposalId,
        asset: AssetId,
        (from, to): (HouseAccount, HouseAccount),
        amount: Amount,
        events: &mut Vec<Event>,
    ) {
        let Some(of_ledger) = self.ledger.asset(asset) else { return };
        let reason = Reason { kind: LineKind::TreasuryMove, object: ObjectKind::Proposal, debit_id: id.0, credit_id: id.0 };
        self.ledger.transfer(of_ledger, from, to, amount, reason, events);
        self.contracts.treasury_moved(asset, (from, to), amount);
        if self.active(Feature::RiskBounds) {
            self.options.treasury_moved(asset, (from, to), amount);
        }
        let settled = self.operations.settled.atoms.entry(asset).or_default();
        if from == HouseAccount::Fee {
            *settled = settled.saturating_sub(amount);
        }
        if to == HouseAccount::Fee {
            *settled = settled.plus(amount, OF_THE_FEES);
        }
        if to == HouseAccount::SubEscrow {
            self.open_funded_offering(asset, events);
        }
    }

    /// True while the instant has come at which a pair is retired, and it is not settled yet: nothing trades in it any more (T-3).
    pub(crate) fn is_retiring_now(&self, market: MarketId) -> bool {
        self.has_backlog() && self.operations.retires_at(market).is_some_and(|at| at <= self.time)
    }

    /// A pair in which nothing trades any more: it is retired, or its retirement runs.
    pub(crate) fn is_retired(&self, market: MarketId) -> bool {
        self.operations.retired_at(market).is_some() || self.is_retiring_now(market)
    }

    /// Fees of work that fell due on an earlier day belong to it, however late the work runs (T-3). Treasury moves and rebates count for themselves.
    pub(crate) fn settle_late_fees(&mut self, happened: &[Event]) {
        for event in happened {
            let Event::Posted(posting) = event else { continue };
            let fee = |side: PostingSide| side.owner == Owner::House(HouseAccount::Fee);
            let (pays, receives) = (fee(posting.debit), fee(posting.credit));
            if matches!(posting.kind, LineKind::TreasuryMove | LineKind::Rebate) || pays == receives {
                continue;
            }
            let settled = self.operations.settled.atoms.entry(posting.asset).or_default();
            *settled = if receives { settled.saturating_add(posting.amount) } else { settled.saturating_sub(posting.amount) };
        }
    }

    /// At the first entry of a UTC day everything in the fee account is settled, except fees of unsent withdrawals (L-3, G-4).
    pub(crate) fn settle_fees(&mut self) {
        if self.time.is_on(self.operations.settled.day) {
            return;
        }
        let settled = self.catalog.assets.iter().map(|asset| {
            let fees = self.exposure(HouseAccount::Fee, asset.id);
            (asset.id, fees.balance.saturating_sub(fees.reserved))
        });
        self.operations.settled = SettledFees { day: self.time.day(), atoms: settled.collect() };
    }
}

pub(crate) fn tell(proposal: Proposal, events: &mut Vec<Event>) -> Reply {
    events.push(AccountEvent::ProposalChanged(proposal.clone()).into());
    Reply::Proposal(Box::new(proposal))
}
