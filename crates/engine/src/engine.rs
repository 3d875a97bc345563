//! The whole state and everything that needs it: each command is passed to the rules of its subject, with the state they work on.
//!
//! Rules are outside this folder and never see an [`Engine`]: they receive the ledger, the time, the events, and what else they need. Only
//! the files here may use everything; each has the methods of one concern.

mod account;
mod catalog_changes;
mod contracts;
mod convert;
mod due_work;
pub mod exposure;
mod features;
mod loans;
mod open_objects;
mod operations;
mod operators;
mod options;
mod outdated;
mod payouts;
mod plans;
mod queries;
mod referral;
pub mod snapshot;
mod spot;
mod subscriptions;

use crate::amount::Price;
use crate::backoffice::operations::Operations;
use crate::catalog::{Catalog, IndexOrigin};
use crate::command::{Command, Entry, Genesis, Mode, Request};
use crate::contracts::Contracts;
use crate::convert::Conversions;
use crate::event::Event;
use crate::feature::{Feature, Features};
use crate::funding::Funding;
use crate::identity::{Identities, Submission};
use crate::ids::{MarketId, MemberIndex, Seq, SubmissionId, UserId};
use crate::index::{Feed, Index, IndexSample, Indices, MarketQuotes};
use crate::ledger::{Holder, HouseAccount, Ledger, LineKind, ObjectKind, Reason};
use crate::loans::Loans;
use crate::members::{Member, Members};
use crate::operators::Operators;
use crate::options::Options;
use crate::plans::Plans;
use crate::product::{Product, SelfPause};
use crate::referral::Referrals;
use crate::reject::Reject;
use crate::reply::{FirstAnswer, Outcome, Reply};
use crate::requests::{Answer, Answered, Requests};
use crate::scheduler::{SLICE, Scheduler};
use crate::security::{ControlsOfMembers, FreezeScope};
use crate::self_limits::{AllSelfLimits, DayUses};
use crate::spot::{Spot, SpotContext};
use crate::subscriptions::Subscriptions;
use crate::time::{DAY_MS, Time};
use crate::{index, wallets};

/// The longest step of a sandbox clock, ms.
pub const LONGEST_CLOCK_STEP_MS: u64 = 366 * DAY_MS;

/// All state that money rules depend on.
#[derive(Clone, Debug)]
pub struct Engine {
    mode: Mode,
    seq: Seq,
    time: Time,
    catalog: Catalog,
    members: Members,
    ledger: Ledger,
    indices: Indices,
    spot: Spot,
    requests: Requests,
    security: ControlsOfMembers,
    self_limits: AllSelfLimits,
    identities: Identities,
    funding: Funding,
    operations: Operations,
    operators: Operators,
    features: Features,
    options: Options,
    day_uses: DayUses,
    contracts: Contracts,
    conversions: Conversions,
    loans: Loans,
    subscriptions: Subscriptions,
    referrals: Referrals,
    plans: Plans,
    /// Derived from the open objects, so it is in no snapshot.
    scheduler: Scheduler,
    /// Before this instant time changes nothing, as long as all commands are spot orders. Derived, so it is in no snapshot.
    quiet_until: Time,
}

impl Default for Engine {
    /// Before the first entry: nothing is listed and nothing can be done but `Genesis`.
    fn default() -> Engine {
        Engine {
            mode: Mode::Live,
            seq: Seq(0),
            time: Time(0),
            catalog: Catalog::default(),
            members: Members::default(),
            ledger: Ledger::default(),
            indices: Indices::default(),
            spot: Spot::default(),
            requests: Requests::default(),
            security: ControlsOfMembers::default(),
            self_limits: AllSelfLimits::default(),
            identities: Identities::default(),
            funding: Funding::default(),
            operations: Operations::default(),
            operators: Operators::default(),
            features: Features::default(),
            options: Options::default(),
            day_uses: DayUses::default(),
            contracts: Contracts::default(),
            conversions: Conversions::default(),
            loans: Loans::default(),
            subscriptions: Subscriptions::default(),
            referrals: Referrals::default(),
            plans: Plans::default(),
            scheduler: Scheduler::default(),
            quiet_until: Time(0),
        }
    }
}

impl Engine {
    /// Applies the next entry and appends its events to `events`. A refused command changes nothing but sequence, time and the count of
    /// wrong fund passwords; work that fell due before it is done all the same (T-3).
    ///
    /// # Panics
    /// When the entry does not follow the last one (a gap, or time going back), or when an invariant would break: the node must stop.
    pub fn apply(&mut self, entry: &Entry, events: &mut Vec<Event>) -> Outcome {
        let follows = self.seq.0.checked_add(1) == Some(entry.seq.0) && entry.time >= self.time;
        assert!(follows, "entry {} does not follow entry {}", entry.seq.0, self.seq.0);
        let before = self.time;
        self.seq = entry.seq;
        self.time = entry.time;
        if self.time >= self.quiet_until {
            self.pass_time(&entry.command, before, events);
        }
        debug_assert!(self.quiet_until <= self.next_by_time(), "time changes something at entry {}", entry.seq.0);
        let Some(request) = entry.request.filter(|_| entry.command.may_repeat()) else {
            return self.execute(entry, before, events);
        };
        match self.requests.earlier(request) {
            Some(Ok(earlier)) => Outcome::again(earlier.seq, earlier.answer),
            Some(Err(reject)) => Outcome::of(Err(reject)),
            None => {
                let already = events.len();
                let mut outcome = self.execute(entry, before, events);
                let first = FirstAnswer::of(outcome.result.clone(), events.get(already..).unwrap_or_default());
                outcome.in_history = self.keep_request(entry, request, first);
                outcome
            }
        }
    }

    /// Stores an answered request. Before the feature its answer is stored with it; since then the answer is returned for the history.
    fn keep_request(&mut self, entry: &Entry, request: Request, first: FirstAnswer) -> Option<FirstAnswer> {
        let Entry { seq, time, .. } = *entry;
        if self.active(Feature::CompactRequests) {
            let member = entry.command.member().and_then(|user| self.members.index(user));
            self.requests.keep(&Answered { request, seq, time, member });
            return Some(first);
        }
        let FirstAnswer { result, facts } = first;
        self.requests.keep_written(request.key, &Answer { content: request.content, seq, time, result, facts });
        None
    }

    fn execute(&mut self, entry: &Entry, before: Time, events: &mut Vec<Event>) -> Outcome {
        if entry.command.is_spot_order() {
            // It shares its fees itself, so its reply is the last thing written and is not copied: that would stall.
            return Outcome::of(self.command(entry, before, events));
        }
        let result = self.command(entry, before, events);
        self.share_fees();
        self.quiet_until = Time(0);
        Outcome::of(result)
    }

    fn command(&mut self, entry: &Entry, before: Time, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        match &entry.command {
            Command::Genesis(genesis) => self.genesis(genesis, events),
            Command::Clock => Ok(Reply::Done),
            Command::Activate(feature) => self.activate(*feature, events),
            Command::RecordState { seq, .. } if *seq < self.seq => Ok(Reply::Done),
            Command::RecordState { .. } => Err(Reject::WrongState),
            Command::RecordLiabilities(record) if record.seq < self.seq => Ok(Reply::Done),
            Command::RecordLiabilities(_) => Err(Reject::WrongState),
            Command::RegisterMember { user, house } => self.register(*user, *house, events),
            Command::RegisterInvited { user, inviter } => self.register_invited(*user, *inviter, events),
            Command::PublishQuotes(quotes) => {
                self.publish_quotes(quotes, events);
                Ok(Reply::Done)
            }
            Command::PlaceSpotOrder(place) => self.place_spot_order(place, events),
            Command::CancelSpotOrder { user, order } => {
                let (spot, mut context) = self.spot_context(events);
                spot.cancel(&mut context, *user, order).map(Reply::SpotOrderCancelled)
            }
            Command::MoveSpotOrder { user, order, price } => self.move_spot_order(*user, *order, *price, events),
            Command::CancelAllSpotOrders { user, base, quote } => {
                let Holder { member, .. } = self.holder(*user)?;
                let (spot, mut context) = self.spot_context(events);
                Ok(Reply::SpotOrdersCancelled(spot.cancel_all(&mut context, member, *base, *quote)))
            }
            Command::Transfer { user, asset, from, to, amount } => {
                let holder = self.holder(*user)?;
                let frozen = self.security.check_freezes(holder.member, self.time, FreezeScope::All);
                let order = wallets::TransferOrder { seq: entry.seq, asset: *asset, from: *from, to: *to, amount: *amount, frozen };
                wallets::transfer(&mut self.ledger, holder, order, events).map(Reply::Transferred)
            }
            Command::SandboxFaucet { user, asset, wallet, amount } => {
                self.sandbox()?;
                let holder = self.holder(*user)?;
                let facts = self.catalog.asset(*asset).ok_or(Reject::BadAsset)?;
                let credit = wallets::faucet(&mut self.ledger, holder, facts, *wallet, *amount, entry.seq, events);
                credit.map(|available| Reply::Credited { available })
            }
            Command::SandboxClock => {
                self.sandbox()?;
                if entry.time.since(before) > LONGEST_CLOCK_STEP_MS { Err(Reject::BadTime) } else { Ok(Reply::Done) }
            }
            Command::SandboxPrice { market, price } => self.sandbox_price(*market, *price, events),
            Command::SandboxFeed { market, halt } => {
                let index = self.own_index(*market)?;
                index.feed = if *halt { Feed::Halted } else { Feed::Sources };
                Ok(Reply::Done)
            }
            Command::AddAddress { user, asset, chain, destination, verification } => {
                self.add_address(*user, *asset, *chain, *destination, *verification, events)
            }
            Command::RemoveAddress { user, address } => self.remove_address(*user, *address, events),
            Command::AddCard { user, number, destination } => self.add_card(*user, *number, *destination, events),
            Command::RemoveCard { user, card } => self.remove_card(*user, *card, events),
            Command::ClaimDeposit { user, claimed, proof } => self.claim_deposit(*user, *claimed, *proof, events),
            Command::Withdraw(wanted) => self.withdraw(wanted, events),
            Command::CancelWithdrawal { user, withdrawal } => self.cancel_withdrawal(*user, *withdrawal, events),
            Command::SetFundPassword { user, change } => self.set_fund_password(*user, *change, events),
            Command::RecordSecurityChange { user } => self.record_security_change(*user, events),
            Command::FreezeSelf { user, until } => self.freeze_self(*user, *until, events),
            Command::SetSelfLimits { user, changes } => {
                let member = self.member(*user)?;
                self.self_limits.set(member, changes, self.time).map(|limits| Reply::SelfLimits(Box::new(limits), self.time))
            }
            Command::SubmitIdentity { user, level, document, content } => {
                let id = SubmissionId(entry.seq.0);
                self.submit_identity(Submission { id, user: *user, level: *level, document: *document, content: *content }, events)
            }
            Command::ObserveDeposit { tx, observed, confirmations } => self.observe_deposit(*tx, *observed, *confirmations, events),
            Command::ReportReorganisation { tx } => self.report_reorganisation(*tx, events),
            Command::ReportPayout(report) => self.report_payout(report, events),
            Command::Operate(operate) => self.operate(operate, events),
            Command::DeclareOperator(declared) => self.declare_operator(declared, events),
            Command::BuyOption(buy) => self.buy_option(buy, events),
            Command::OpenContract(order) => self.open_contract(order, events),
            Command::CloseContract { user, position } => self.close_contract(*user, *position, events),
            Command::SetContractStops { user, position, take_profit, stop_loss } => {
                self.set_contract_stops(*user, *position, (*take_profit, *stop_loss), events)
            }
            Command::CancelContract { user, position } => self.cancel_contract(*user, *position, events),
            Command::QuoteConversion(wanted) => self.quote_conversion(wanted),
            Command::AcceptQuote { user, quote } => self.accept_quote(*user, *quote, events),
            Command::Convert { wanted, min_net } => self.convert(wanted, *min_net, events),
            Command::ApplyForLoan(apply) => self.apply_for_loan(apply, events),
            Command::RepayLoan { user, loan, amount, max_debt } => self.repay_loan(*user, *loan, (*amount, *max_debt), events),
            Command::AddCollateral { user, loan, amount } => self.add_collateral(*user, *loan, *amount, events),
            Command::CancelLoan { user, loan } => self.cancel_loan(*user, *loan, events),
            Command::CommitToOffering(commit) => self.commit_to_offering(commit, events),
            Command::BuyPlan(buy) => self.buy_plan(buy, events),
            Command::RedeemPlan(redeem) => self.redeem_plan(redeem, events),
        }
    }

    fn genesis(&mut self, genesis: &Genesis, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let paper_in_live = genesis.mode == Mode::Live && !genesis.endowments.is_empty();
        if self.seq != Seq(1) || paper_in_live || genesis.catalog.fault().is_some() {
            return Err(Reject::NotAllowed);
        }
        let mut ledger = Ledger::new(&genesis.catalog.assets);
        let spot = Spot::new(&genesis.catalog.markets, &genesis.catalog, &ledger).ok_or(Reject::NotAllowed)?;
        let reason = Reason { kind: LineKind::Endowment, object: ObjectKind::Genesis, debit_id: 1, credit_id: 1 };
        let mut endowed = Vec::new();
        for (account, asset, amount) in &genesis.endowments {
            let asset = ledger.asset(*asset).filter(|asset| ledger.may_come_in(*asset, *amount)).ok_or(Reject::BadAsset)?;
            ledger.transfer(asset, HouseAccount::External, *account, *amount, reason, &mut endowed);
        }
        events.append(&mut endowed);
        let indices = Indices::new(&genesis.catalog.indices);
        *self = Engine {
            mode: genesis.mode,
            seq: self.seq,
            time: self.time,
            catalog: genesis.catalog.clone(),
            ledger,
            indices,
            spot,
            ..Engine::default()
        };
        Ok(Reply::Done)
    }

    fn register(&mut self, user: UserId, house: bool, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        if !self.members.add(Member { user, house, since: self.time }) {
            return Err(Reject::MemberExists);
        }
        self.ledger.add_member();
        self.security.add_member();
        self.spot.add_member();
        events.push(Event::MemberRegistered { user, house });
        Ok(Reply::Done)
    }

    /// then the stop orders that the new samples trigger.
    fn publish_quotes(&mut self, quotes: &[MarketQuotes], events: &mut Vec<Event>) {
        let mut sampled = Vec::new();
        for (position, MarketQuotes { market, quotes: all }) in quotes.iter().enumerate() {
            // Each pair and each listed source counts once. A repeated quote must not complete a quorum or confirm a jump.
            let repeated = quotes.iter().take(position).any(|earlier| earlier.market == *market);
            let Some(index) = self.indices.get_mut(*market) else { continue };
            let IndexOrigin::Sources(names) = &index.facts.origin else { continue };
            if repeated || index.feed != Feed::Sources {
                continue;
            }
            let (price, uses) = index::index_price(&index::once_each(all, names.len()), index.facts.tick);
            let Some(price) = price.filter(|price| price.in_bounds()).filter(|price| index.filter.offer(self.time, *price)) else {
                continue;
            };
            sampled.push(*market);
            events.push(Event::IndexSampled(IndexSample { market: *market, time: self.time, price, quotes: uses, sandbox: false }));
        }
        self.after_samples(&sampled, events);
    }

    fn sandbox_price(&mut self, market: MarketId, price: Price, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let time = self.time;
        let index = self.own_index(market)?;
        if !price.in_bounds() {
            return Err(Reject::BadAmount);
        }
        if !price.lies_on(index.facts.tick) {
            return Err(Reject::Tick);
        }
        index.feed = Feed::Pinned(price);
        index.filter.accept(time, price);
        events.push(Event::IndexSampled(IndexSample { market, time, price, quotes: Vec::new(), sandbox: true }));
        self.after_samples(&[market], events);
        Ok(Reply::Priced { price })
    }

    /// An index with sources of its own, for sandbox inputs.
    fn own_index(&mut self, market: MarketId) -> Result<&mut Index, Reject> {
        self.sandbox()?;
        let index = self.indices.get_mut(market).ok_or(Reject::UnknownMarket)?;
        match index.facts.origin {
            IndexOrigin::Sources(_) => Ok(index),
            IndexOrigin::Cross { .. } => Err(Reject::UnknownMarket),
        }
    }

    fn after_samples(&mut self, sampled: &[MarketId], events: &mut Vec<Event>) {
        let mut moved: Vec<(MarketId, Price)> = Vec::with_capacity(6);
        moved.extend(sampled.iter().filter_map(|market| Some((*market, self.indices.get(*market)?.filter.last()?.price))));
        for (market, sample) in self.indices.recompute_crosses(sampled, self.time) {
            // The sample has the present time, though it is only as fresh as its older leg. The older time would change final candles
            // (M-5).
            let time = self.time;
            events.push(Event::IndexSampled(IndexSample { market, time, price: sample.price, quotes: Vec::new(), sandbox: false }));
            moved.push((market, sample.price));
        }
        let (mut slice, behind) = (SLICE, self.has_backlog());
        for &(market, price) in &moved {
            if self.active(Feature::IndexRing) {
                self.indices.keep(market, self.time);
            }
            // A computed price may hold one half of a move while the other half still waits: nothing is set off by it.
            if self.indices.is_doubtful(market) {
                continue;
            }
            if !self.is_retiring_now(market) {
                slice = self.sample_contracts(market, slice, events);
                let (spot, mut context) = self.spot_context(events);
                spot.trigger_stops(&mut context, market, price);
            }
            slice = self.sample_loans(market, slice, events);
        }
        if !moved.is_empty() && !behind && self.active(Feature::ContractCorrections) {
            self.deleverage_and_carry_out(slice, events);
        }
    }

    fn sandbox(&self) -> Result<(), Reject> {
        if self.mode == Mode::Sandbox { Ok(()) } else { Err(Reject::NotAllowed) }
    }

    fn holder(&self, user: UserId) -> Result<Holder, Reject> {
        self.members.holder(user).ok_or(Reject::NotFound)
    }

    /// The first guard of every opening of a product: operators have not paused it, nor this pair of it, and the member has not paused it
    /// for themselves.
    fn check_open(&self, product: Product, market: Option<MarketId>, member: MemberIndex) -> Result<(), Reject> {
        self.operations.check_open(product, market)?;
        self.check_self_pause(product, SelfPause::Closed, member)
    }

    /// The member's own pause does not close the product, if it would do so at this point of the order.
    fn check_self_pause(&self, product: Product, place: SelfPause, member: MemberIndex) -> Result<(), Reject> {
        if product.self_pause() == place { self.self_limits.of(member).check_pause(self.time) } else { Ok(()) }
    }

    fn member(&self, user: UserId) -> Result<MemberIndex, Reject> {
        self.holder(user).map(|holder| holder.member)
    }

    fn spot_context<'a>(&'a mut self, events: &'a mut Vec<Event>) -> (&'a mut Spot, SpotContext<'a>) {
        (&mut self.spot, SpotContext { ledger: &mut self.ledger, members: &self.members, events, now: self.time })
    }
}

/// The invariants.
impl Engine {
    /// Checks I-1, I-3, I-9, the reserves (L-2) and the schedule (T-3) over the whole state; I-2 holds by type. For tests, simulation and `verify`.
    ///
    /// # Errors
    /// Says which invariant does not hold.
    pub fn check_invariants(&self) -> Result<(), String> {
        self.faults().into_iter().find_map(|(_, fault)| fault).map_or(Ok(()), Err)
    }

    /// Every invariant by its name, and what is wrong with it, if anything.
    pub fn faults(&self) -> [(&'static str, Option<String>); 15] {
        [
            ("ledger", self.ledger.unbalanced().map(|asset| format!("I-1: accounts of coin {} do not sum to 0", asset.0))),
            ("book", self.spot.faulty_book().map(|market| format!("I-9: book of pair {}", market.0))),
            ("deposits", self.funding.deposits.fault()),
            ("withdrawals", self.funding.withdrawals.fault()),
            ("identities", self.identities.fault()),
            ("proposals", self.operations.proposals.fault()),
            ("operators", self.operators.fault()),
            ("options", self.options.fault()),
            ("contracts", self.contracts.fault(&self.members)),
            ("conversions", self.conversions_fault()),
            ("loans", self.loans.fault(&self.members)),
            ("subscriptions", self.subscriptions.fault()),
            ("referral", self.referrals.fault(|member| self.is_verified(member))),
            ("plans", self.plans.fault()),
            ("open_objects", self.check_open_objects().err()),
        ]
    }
}
