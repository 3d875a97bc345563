//! Contracts: what their rules need from the whole state, and what the server reads about them.

use super::Engine;
use crate::amount::{Amount, Price};
use crate::catalog::Wallet;
use crate::contracts::formulas::TickPrice;
use crate::contracts::position::{EndReason, OpenContract, Position, Status};
use crate::contracts::terms::Terms;
use crate::contracts::triggered::RETIREMENT_MEAN_MS;
use crate::contracts::{ContractContext, Contracts};
use crate::event::Event;
use crate::feature::Feature;
use crate::ids::{AssetId, MarketId, MemberIndex, PositionId, UserId};
use crate::ledger::Holder;
use crate::product::{Product, SelfPause};
use crate::reject::Reject;
use crate::reply::Reply;
use crate::scheduler::{Class, Due};
use crate::security::FreezeScope;
use crate::self_limits::{DayUse, SelfLimit};
use crate::time::Time;
use crate::units::Scales;

impl Engine {
    /// 4.4, with the refusals in the order of `docs/api.md` 4.9.
    pub(crate) fn open_contract(&mut self, order: &OpenContract, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        self.may_open_contract(order.user, Some(order.market))?;
        self.check_contract_order(order)?;
        let holder = self.holder(order.user)?;
        let id = PositionId(self.seq.0);
        let (contracts, mut context) = self.contract_context(events);
        contracts.ask(&mut context, id, holder, order).map(|position| Reply::Contract(Box::new(position)))
    }

    pub(crate) fn close_contract(&mut self, user: UserId, id: PositionId, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let holder = self.own_contract(user, id, Status::Holding)?;
        let (contracts, mut context) = self.contract_context(events);
        let closed = contracts.close(&mut context, holder, id)?;
        self.count_loss(holder.member, &closed);
        Ok(Reply::Contract(Box::new(closed)))
    }

    pub(crate) fn set_contract_stops(
        &mut self,
        user: UserId,
        id: PositionId,
        stops: (Option<Price>, Option<Price>),
        events: &mut Vec<Event>,
    ) -> Result<Reply, Reject> {
        let holder = self.own_contract(user, id, Status::Holding)?;
        let (contracts, mut context) = self.contract_context(events);
        contracts.set_stops(&mut context, holder, id, stops).map(|position| Reply::Contract(Box::new(position)))
    }

    pub(crate) fn cancel_contract(&mut self, user: UserId, id: PositionId, events: &mut Vec<Event>) -> Result<Reply, Reject> {
        let holder = self.own_contract(user, id, Status::Waiting)?;
        let (contracts, mut context) = self.contract_context(events);
        contracts.cancel(&mut context, holder, id).map(|position| Reply::Contract(Box::new(position)))
    }

    /// A position pays for the night (4.8).
    pub(crate) fn charge_contract(&mut self, due: Due, events: &mut Vec<Event>) {
        let (contracts, mut context) = self.contract_context(events);
        contracts.charge_overnight(&mut context, PositionId(due.id), due.at);
    }

    /// A waiting order expires (4.2).
    pub(crate) fn expire_contract(&mut self, due: Due, events: &mut Vec<Event>) {
        let (contracts, mut context) = self.contract_context(events);
        contracts.release(&mut context, PositionId(due.id), EndReason::Expired);
    }

    /// Executes what a sample or the retirement of a pair has triggered.
    pub(crate) fn carry_out_contract(&mut self, due: Due, events: &mut Vec<Event>) {
        let (contracts, mut context) = self.contract_context(events);
        if let Some(closed) = contracts.carry_out(&mut context, due)
            && let Some(member) = self.members.index(closed.user)
        {
            self.count_loss(member, &closed);
        }
    }

    /// The effect of a pair's sample on contracts (4.6, 4.7): fixes all of it, and executes at most `slice`, if nothing else is due before;
    /// returns the rest of the slice.
    pub(crate) fn sample_contracts(&mut self, market: MarketId, slice: usize, events: &mut Vec<Event>) -> usize {
        if self.contracts.is_off() {
            return slice;
        }
        let (behind, opens) = (self.has_backlog(), !self.ends_soon(market));
        let (contracts, mut context) = self.contract_context(events);
        contracts.fix_sample(&mut context, market, opens);
        if behind {
            return slice;
        }
        let left = self.carry_out_contracts(slice, events);
        // Another pair of the same sample may still have positions beyond their cap.
        if self.active(Feature::ContractCorrections) { left } else { self.deleverage_and_carry_out(left, events) }
    }

    /// The last line (4.9), executed up to `slice`; returns the rest of the slice.
    pub(crate) fn deleverage_and_carry_out(&mut self, slice: usize, events: &mut Vec<Event>) -> usize {
        if self.deleverage_contracts(events) { self.carry_out_contracts(slice, events) } else { slice }
    }

    /// Executes triggered work, as long as nothing else comes before it; returns the rest of the slice.
    fn carry_out_contracts(&mut self, slice: usize, events: &mut Vec<Event>) -> usize {
        for left in (0..slice).rev() {
            let next = self.scheduler.first(self.time).filter(|due| due.class == Class::ContractTriggered);
            let Some(due) = next else { return left.saturating_add(1) };
            self.carry_out_contract(due, events);
        }
        0
    }

    /// Auto-deleveraging (4.9); true if any position is to be closed.
    pub(crate) fn deleverage_contracts(&mut self, events: &mut Vec<Event>) -> bool {
        let (contracts, mut context) = self.contract_context(events);
        contracts.deleverage(&mut context)
    }

    /// Everything in a retired pair ends (0.6).
    pub(crate) fn retire_contracts(&mut self, market: MarketId, events: &mut Vec<Event>) {
        let (contracts, mut context) = self.contract_context(events);
        contracts.retire(&mut context, market);
    }

    /// The standard terms come into force in the pairs that the catalog has for them.
    pub(crate) fn list_standard_contracts(&mut self) {
        for terms in Terms::standard() {
            if self.check_terms(&terms).is_ok() {
                self.list_contract(&terms);
            }
        }
    }

    pub(crate) fn list_contract(&mut self, terms: &Terms) {
        if let Ok((asset, scales)) = self.check_terms(terms) {
            self.contracts.list(asset, (scales.base, scales.quote), terms.clone());
            self.contracts.begin_day(&self.ledger, &self.indices, self.time);
        }
    }

    /// The guards of a change of the terms (0.6).
    pub(crate) fn check_contract_terms(&self, terms: &Terms) -> Result<(), Reject> {
        if self.contracts.is_off() {
            return Err(Reject::WrongState);
        }
        self.check_contract_pair(terms.market)?;
        self.check_terms(terms).map(drop)
    }

    /// The pair has an index on this tick, and its quote coin is the one of all contracts; returns that coin and the decimals.
    fn check_terms(&self, terms: &Terms) -> Result<(AssetId, Scales), Reject> {
        let market = self.catalog.market(terms.market).ok_or(Reject::UnknownMarket)?;
        let index = self.catalog.index(terms.market).ok_or(Reject::UnknownMarket)?;
        let (base, quote) = self.catalog.asset(market.base).zip(self.catalog.asset(market.quote)).ok_or(Reject::BadAsset)?;
        let scales = Scales { base: base.scale, quote: quote.scale };
        let settles = quote.wallets.contains(&Wallet::Futures) && self.contracts.asset().is_none_or(|asset| asset == quote.id);
        if settles && index.tick == terms.tick && terms.fault(scales).is_none() { Ok((quote.id, scales)) } else { Err(Reject::BadCatalog) }
    }

    /// The member's own limits. The possible losses of open contracts and options count as lost, so the limit holds whatever their outcome.
    fn check_contract_limits(&self, order: &OpenContract) -> Result<(), Reject> {
        let (member, now) = (self.member(order.user)?, self.time);
        self.check_self_pause(Product::Contract, SelfPause::ClosedWithLimits, member)?;
        let limits = self.self_limits.of(member);
        limits.check(SelfLimit::LeverageMax, 0, Some(u64::from(order.multiple)), now)?;
        let cost = self.contracts.expected_cost(&self.indices, order, now)?;
        let used = self.day_uses.of(member, now).losses.saturating_add(self.at_risk(order.user));
        limits.check(SelfLimit::LossDay, used, cost, now)
    }

    /// The possible losses of a member's open options and contracts. For their own limit they count as lost.
    pub fn at_risk(&self, user: UserId) -> Amount {
        let with_fees = self.active(Feature::ContractCorrections);
        let contracts = self.members.index(user).map_or(0, |member| self.contracts.at_risk(member, with_fees));
        self.options.at_risk(user).saturating_add(contracts)
    }

    /// Counts a closed contract's loss for its day: margin and fees, less what came back.
    fn count_loss(&mut self, member: MemberIndex, closed: &Position) {
        let losses = closed.initial_margin.saturating_add(closed.open_fee).saturating_sub(closed.returned);
        if losses > 0
            && let Some(at) = closed.ended
        {
            self.day_uses.add(member, at, DayUse { option_stakes: 0, losses });
        }
    }

    fn contract_context<'a>(&'a mut self, events: &'a mut Vec<Event>) -> (&'a mut Contracts, ContractContext<'a>) {
        let bounds_risk = self.active(Feature::RiskBounds);
        let Engine { contracts, ledger, indices, scheduler, time, .. } = self;
        (contracts, ContractContext { ledger, indices, scheduler, events, now: *time, bounds_risk })
    }
}

/// Reading. Nothing here changes the state.
impl Engine {
    /// Why any opening of a member would be refused before its pair: a pause, then a freeze. The product is paused as long as no terms are
    /// in force.
    ///
    /// # Errors
    /// [`Reject::Disabled`] or [`Reject::Frozen`].
    pub fn may_open_contract(&self, user: UserId, market: Option<MarketId>) -> Result<(), Reject> {
        let member = self.member(user)?;
        if self.contracts.is_off() {
            return Err(Reject::Disabled(Some(Product::Contract)));
        }
        self.check_open(Product::Contract, market, member)?;
        self.security.check_freezes(member, self.time, FreezeScope::All)
    }

    /// The guard of the pair.
    ///
    /// # Errors
    /// [`Reject::UnknownMarket`] for a pair without terms, a retired one, and one that ends soon.
    pub fn check_contract_market(&self, market: MarketId) -> Result<(), Reject> {
        self.check_contract_pair(market)?;
        if self.ends_soon(market) {
            return Err(Reject::UnknownMarket);
        }
        self.contracts.terms(market).map(drop).ok_or(Reject::UnknownMarket)
    }

    /// The guards of an opening from its pair on, before its prices are looked at: pair, lots, multiple, own limits.
    ///
    /// # Errors
    /// The first refusal.
    pub fn check_contract_order(&self, order: &OpenContract) -> Result<(), Reject> {
        self.check_contract_market(order.market)?;
        self.contracts.terms(order.market).ok_or(Reject::UnknownMarket)?.check_size(order.size())?;
        self.check_contract_limits(order)
    }

    /// The guards of a command on a member's own contract, which is to be in this state.
    ///
    /// # Errors
    /// [`Reject::NotFound`] or [`Reject::WrongState`].
    pub fn check_own_contract(&self, user: UserId, id: PositionId, status: Status) -> Result<(), Reject> {
        self.own_contract(user, id, status).map(drop)
    }

    /// The owner of a contract on which commands may act now. At the end of its pair it closes at a price that is known by then (0.6).
    fn own_contract(&self, user: UserId, id: PositionId, status: Status) -> Result<Holder, Reject> {
        let holder = self.holder(user)?;
        self.contracts.check_own(holder, id, status, self.time)?;
        let ends = |position: &Position| self.active(Feature::ContractCorrections) && self.is_retiring_now(position.market);
        if self.contracts.get(id).is_some_and(ends) { Err(Reject::WrongState) } else { Ok(holder) }
    }

    /// The samples of now count for the price at which positions in the pair will end, so part of it is known (0.6).
    fn ends_soon(&self, market: MarketId) -> bool {
        let soon = |end: Time| end.since(self.time) <= RETIREMENT_MEAN_MS;
        self.active(Feature::RiskBounds) && self.operations.retires_at(market).is_some_and(soon)
    }

    fn check_contract_pair(&self, market: MarketId) -> Result<(), Reject> {
        if self.is_retired(market) { Err(Reject::UnknownMarket) } else { Ok(()) }
    }

    /// The terms of new openings in a pair.
    pub fn contract_terms(&self, market: MarketId) -> Option<&Terms> {
        self.contracts.terms(market)
    }

    /// The terms of every contract market, by pair.
    pub fn all_contract_terms(&self) -> impl Iterator<Item = &Terms> {
        self.contracts.all_terms()
    }

    /// The terms under which a contract was opened.
    pub fn terms_of_contract(&self, position: &Position) -> Option<&Terms> {
        self.contracts.listed(position.market).ok()?.version(position.version)
    }

    /// The mark of a pair in ticks, however old.
    pub fn contract_mark(&self, market: MarketId) -> Option<TickPrice> {
        self.contract_terms(market)?.ticks(self.indices.get(market)?.filter.last()?.price)
    }

    /// A contract that is open, or ended recently.
    pub fn contract(&self, id: PositionId) -> Option<&Position> {
        self.contracts.get(id)
    }

    /// All open contracts, oldest first.
    pub fn open_contracts(&self) -> impl DoubleEndedIterator<Item = &Position> {
        self.contracts.open()
    }

    /// A member's open contracts, oldest first.
    pub fn contracts_of(&self, user: UserId) -> impl DoubleEndedIterator<Item = &Position> {
        self.members.index(user).into_iter().flat_map(|member| self.contracts.of(member))
    }
}
