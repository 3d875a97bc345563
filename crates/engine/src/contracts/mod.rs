//! Leveraged contracts: linear, isolated, settled in the quote coin against the contract pool (4).
//!
//! A sample costs only what it triggers: every market keeps its open objects by their trigger marks ([`market`]), and sums over them
//! ([`sums`]) for what the pool owes. The sample fixes which objects it triggers; they are executed in its order, one slice per entry
//! (T-3).

pub mod closing;
pub mod deleverage;
pub mod figures;
pub mod formulas;
mod market;
mod opening;
pub mod position;
mod sums;
pub mod terms;
pub mod triggered;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use crate::amount::Amount;
use crate::catalog::Wallet;
use crate::event::{AccountEvent, Event};
use crate::exact::{COUNTED, Exact};
use crate::ids::{AssetId, MarketId, MemberIndex, PositionId};
use crate::index::Indices;
use crate::ledger::{Hold, Holder, HouseAccount, Ledger, Reserve};
use crate::members::Members;
use crate::pool_day::{self, PoolDay};
use crate::reject::Reject;
use crate::scheduler::{Class, Due, Scheduler};
use crate::time::Time;
use formulas::TickPrice;
use market::{Listed, Triggers};
use position::{Position, Status};
use terms::Terms;
use triggered::Triggered;

/// Finished contracts that stay known, so that closing one is `E_STATE` and not `E_NOT_FOUND`. Older ones live in the history only.
pub const FINISHED_KEPT: usize = 256;

/// The pool that is the counterparty of every contract.
pub(crate) const POOL: HouseAccount = HouseAccount::ContractPool;
/// The wallet of margins.
pub(crate) const WALLET: Wallet = Wallet::Futures;

/// What the rules of contracts work with.
pub(crate) struct ContractContext<'a> {
    pub(crate) ledger: &'a mut Ledger,
    pub(crate) indices: &'a Indices,
    pub(crate) scheduler: &'a mut Scheduler,
    pub(crate) events: &'a mut Vec<Event>,
    pub(crate) now: Time,
    /// A multiple must suit everything that its owner has open in the pair (C-16), and a waiting order fills at its limit where it is not
    /// admitted at a better price (4.7).
    pub(crate) bounds_risk: bool,
}

/// All contracts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contracts {
    listed: BTreeMap<MarketId, Listed>,
    open: BTreeMap<PositionId, Open>,
    finished: VecDeque<Position>,
    triggered: BTreeMap<u64, Triggered>,
    day: PoolDay,
    /// Derived from the open contracts.
    triggers: BTreeMap<MarketId, Triggers>,
    of_member: BTreeMap<MemberIndex, OfMember>,
}

/// An open contract with its owner's index, and its position among triggered objects.
#[derive(Clone, Debug)]
struct Open {
    position: Position,
    holder: Holder,
    triggered: Option<u64>,
}

/// The open contracts of a member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct OfMember {
    ids: BTreeSet<PositionId>,
    waiting: u32,
    /// Atoms held.
    held: Amount,
    /// Atoms that the fees of open positions have taken so far.
    fees: Amount,
}

/// The state in a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ContractsState {
    listed: Vec<Listed>,
    open: Vec<Position>,
    finished: Vec<Position>,
    triggered: Vec<(u64, Triggered)>,
    day: PoolDay,
}

impl Contracts {
    /// The terms of new openings in a pair.
    pub(crate) fn terms(&self, market: MarketId) -> Option<&Terms> {
        self.listed.get(&market)?.present().map(|(terms, _)| terms)
    }

    pub(crate) fn all_terms(&self) -> impl Iterator<Item = &Terms> {
        self.listed.values().filter_map(|listed| listed.present()).map(|(terms, _)| terms)
    }

    pub(crate) fn listed(&self, market: MarketId) -> Result<&Listed, Reject> {
        self.listed.get(&market).ok_or(Reject::UnknownMarket)
    }

    /// True when nothing was ever listed: then there is nothing to do.
    pub(crate) fn is_off(&self) -> bool {
        self.listed.is_empty()
    }

    /// The coin of all contracts.
    pub(crate) fn asset(&self) -> Option<AssetId> {
        self.listed.values().next().map(|listed| listed.asset)
    }

    /// Lists a market, or replaces its present terms.
    pub(crate) fn list(&mut self, asset: AssetId, scales: (u8, u8), terms: Terms) {
        let market = terms.market;
        self.listed.entry(market).or_insert(Listed { asset, scales, versions: Vec::new() }).versions.push(terms);
        self.triggers.entry(market).or_default();
    }

    /// An open contract, or one that finished not long ago.
    pub(crate) fn get(&self, id: PositionId) -> Option<&Position> {
        let finished = || self.finished.iter().find(|position| position.id == id);
        self.open.get(&id).map(|open| &open.position).or_else(finished)
    }

    /// All open contracts, oldest first.
    pub(crate) fn open(&self) -> impl DoubleEndedIterator<Item = &Position> {
        self.open.values().map(|open| &open.position)
    }

    /// A member's open contracts, oldest first.
    pub(crate) fn of(&self, member: MemberIndex) -> impl DoubleEndedIterator<Item = &Position> {
        let ids = self.of_member.get(&member).into_iter().flat_map(|of| of.ids.iter());
        ids.filter_map(|id| self.open.get(id)).map(|open| &open.position)
    }

    /// Everything that a member's open contracts may lose: what they hold, and with fees what those have taken.
    pub(crate) fn at_risk(&self, member: MemberIndex, with_fees: bool) -> Amount {
        let risk = |of: &OfMember| if with_fees { of.held.plus(of.fees, HELD) } else { of.held };
        self.of_member.get(&member).map_or(0, risk)
    }

    /// A member's open contract on which commands may act now.
    ///
    /// # Errors
    /// [`Reject::NotFound`] for another member's or an unknown one, [`Reject::WrongState`] for one that has ended, or whose due work comes
    /// first (T-3).
    fn own(&self, holder: Holder, id: PositionId, status: Status, now: Time) -> Result<&Open, Reject> {
        self.get(id).filter(|position| position.user == holder.user).ok_or(Reject::NotFound)?;
        let open = self.open.get(&id).ok_or(Reject::WrongState)?;
        let idle = open.triggered.is_none() && open.position.due > now;
        if idle && open.position.status == status { Ok(open) } else { Err(Reject::WrongState) }
    }

    /// The guards of a command on a member's own contract, which is to be in this state.
    pub(crate) fn check_own(&self, holder: Holder, id: PositionId, status: Status, now: Time) -> Result<(), Reject> {
        self.own(holder, id, status, now).map(drop)
    }

    /// Stores a new contract and emits it.
    fn insert(&mut self, context: &mut ContractContext<'_>, holder: Holder, position: Position) {
        self.link(context, &Open { position, holder, triggered: None });
        self.open.insert(position.id, Open { position, holder, triggered: None });
        tell(context.events, position);
    }

    /// Stores the changed contract and emits it.
    fn replace(&mut self, context: &mut ContractContext<'_>, position: Position) {
        let Some(before) = self.open.remove(&position.id) else { return };
        self.unlink(context, &before);
        let open = Open { position, ..before };
        self.link(context, &open);
        self.open.insert(position.id, open);
        tell(context.events, position);
    }

    /// Moves a contract to the finished ones, and emits it.
    fn finish(&mut self, context: &mut ContractContext<'_>, position: Position) {
        let Some(before) = self.open.remove(&position.id) else { return };
        self.unlink(context, &before);
        if let Some(order) = before.triggered {
            self.drop_triggered(context, order);
        }
        if self.finished.len() >= FINISHED_KEPT {
            self.finished.pop_front();
        }
        self.finished.push_back(position);
        tell(context.events, position);
    }

    fn link(&mut self, context: &mut ContractContext<'_>, open: &Open) {
        let Position { id, due, .. } = open.position;
        context.scheduler.plan(class(&open.position), id.0, None, Some(due));
        self.link_derived(open);
    }

    fn link_derived(&mut self, Open { position, holder, triggered }: &Open) {
        let of = self.of_member.entry(holder.member).or_default();
        of.ids.insert(position.id);
        of.waiting = of.waiting.plus(u32::from(position.status == Status::Waiting), COUNTED);
        of.held = of.held.plus(position.held, HELD);
        of.fees = of.fees.plus(position.fees_taken(), HELD);
        let triggers = self.triggers.entry(position.market).or_default();
        if position.status == Status::Holding {
            triggers.count(position);
        }
        if triggered.is_none() {
            triggers.watch(position);
        }
    }

    fn unlink(&mut self, context: &mut ContractContext<'_>, Open { position, holder, triggered }: &Open) {
        context.scheduler.plan(class(position), position.id.0, Some(position.due), None);
        if let Some(of) = self.of_member.get_mut(&holder.member) {
            of.ids.remove(&position.id);
            of.waiting = of.waiting.less(u32::from(position.status == Status::Waiting), COUNTED);
            of.held = of.held.less(position.held, HELD);
            of.fees = of.fees.less(position.fees_taken(), HELD);
            if of.ids.is_empty() {
                self.of_member.remove(&holder.member);
            }
        }
        let Some(triggers) = self.triggers.get_mut(&position.market) else { return };
        if position.status == Status::Holding {
            triggers.discount(position);
        }
        if triggered.is_none() {
            triggers.forget(position);
        }
    }

    /// The mark of a pair: its last sample, in ticks.
    fn mark(&self, indices: &Indices, market: MarketId) -> Option<TickPrice> {
        self.terms(market)?.ticks(indices.get(market)?.filter.last()?.price)
    }

    /// The mark if its sample is fresh.
    fn fresh_mark(&self, indices: &Indices, market: MarketId, now: Time) -> Result<TickPrice, Reject> {
        let ticks = indices.fresh(market, now).and_then(|price| self.terms(market)?.ticks(price));
        ticks.ok_or(Reject::PriceStale)
    }

    /// Open profits less open losses of all members at the last marks.
    pub(crate) fn open_profit(&self, indices: &Indices) -> i128 {
        let of = |(market, triggers): (&MarketId, &Triggers)| Some(triggers.open_profit(self.mark(indices, *market)?));
        self.triggers.iter().filter_map(of).fold(0, i128::saturating_add)
    }

    /// The equity of the pool at the last marks (C-13).
    fn pool_equity(&self, ledger: &Ledger, indices: &Indices) -> i128 {
        let balance = self.asset().and_then(|asset| ledger.asset(asset)).map_or(0, |asset| ledger.house(POOL, asset));
        pool_day::equity(balance, self.open_profit(indices))
    }

    /// At the first entry of a UTC day, before its other effects (C-13).
    pub(crate) fn begin_day(&mut self, ledger: &Ledger, indices: &Indices, now: Time) {
        if !self.is_off() && self.day.is_over(now) {
            let equity = self.pool_equity(ledger, indices);
            self.day.begin(now, equity);
        }
    }

    /// Operators moved capital, possibly into the pool or out of it (C-13).
    pub(crate) fn treasury_moved(&mut self, asset: AssetId, (from, to): (HouseAccount, HouseAccount), amount: Amount) {
        if self.asset() == Some(asset) && (from == POOL) != (to == POOL) {
            let amount = i128::from(amount);
            self.day.moved(if to == POOL { amount } else { amount.saturating_neg() });
        }
    }
}

/// What the open contracts bind, and the state in snapshots.
impl Contracts {
    pub(crate) fn holds(&self) -> impl Iterator<Item = Hold> {
        self.open.values().map(|Open { position, holder, .. }| Hold {
            member: holder.member,
            wallet: WALLET,
            asset: position.terms.asset,
            amount: position.held,
        })
    }

    pub(crate) fn reserves(&self) -> impl Iterator<Item = Reserve> {
        self.open().map(|position| Reserve { account: POOL, asset: position.terms.asset, amount: position.cap })
    }

    pub(crate) fn due(&self) -> impl Iterator<Item = Due> {
        let planned = self.open().map(|position| Due { at: position.due, class: class(position), id: position.id.0 });
        let triggered = self.triggered.iter();
        planned.chain(triggered.map(|(order, work)| Due { at: work.at, class: Class::ContractTriggered, id: *order }))
    }

    pub(crate) fn state(&self) -> ContractsState {
        ContractsState {
            listed: self.listed.values().cloned().collect(),
            open: self.open().copied().collect(),
            finished: self.finished.iter().copied().collect(),
            triggered: self.triggered.iter().map(|(order, work)| (*order, *work)).collect(),
            day: self.day,
        }
    }

    /// Restores the contracts of a state; `None` for an impossible state.
    pub(crate) fn restore(state: ContractsState, members: &Members) -> Option<Contracts> {
        let ContractsState { listed, open, finished, triggered, day } = state.clone();
        let mut contracts = Contracts { finished: finished.into(), day, ..Contracts::default() };
        for one in listed {
            let market = one.market()?;
            contracts.triggers.entry(market).or_default();
            contracts.listed.insert(market, one);
        }
        for position in open {
            let holder = members.holder(position.user)?;
            contracts.listed.get(&position.market).filter(|_| position.is_open())?.version(position.version)?;
            contracts.open.insert(position.id, Open { position, holder, triggered: None });
        }
        for (order, work) in triggered {
            contracts.open.get_mut(&work.position)?.triggered = Some(order);
            contracts.triggered.insert(order, work);
        }
        let all: Vec<Open> = contracts.open.values().cloned().collect();
        all.iter().for_each(|open| contracts.link_derived(open));
        (contracts.state() == state).then_some(contracts)
    }

    /// I-5 and I-11, and that everything derived matches the open contracts.
    pub(crate) fn fault(&self, members: &Members) -> Option<String> {
        for position in self.open() {
            if let Some(fault) = self.position_fault(position) {
                return Some(format!("contract {}: {fault}", position.id.0));
            }
        }
        let fresh = Contracts::restore(self.state(), members);
        let same = fresh.is_some_and(|fresh| fresh.triggers == self.triggers && fresh.of_member == self.of_member);
        (!same).then(|| "contracts: what is derived is not what the open ones make".to_owned())
    }

    /// I-11: the terms are those of its version, with the tier of its own notional.
    fn position_fault(&self, position: &Position) -> Option<&'static str> {
        let listed = self.listed.get(&position.market);
        let Some((listed, terms)) = listed.and_then(|listed| Some((listed, listed.version(position.version)?))) else {
            return Some("I-11: no such version of the terms");
        };
        let required = terms.tier(position.notional()).map(|(_, required)| required);
        let value = terms.tick_value(position.lots, listed.scales()).ok();
        let fixed = position.terms;
        let same = (fixed.lot, fixed.tick, fixed.fee, fixed.spread, fixed.overnight)
            == (terms.lot, terms.tick, terms.fee, terms.spread, terms.overnight);
        if !same || required != Some(fixed.required) || value != Some(fixed.value) {
            return Some("I-11: other terms than those it was opened under");
        }
        None
    }
}

/// A position pays at 00:00 UTC, an order expires (T-3).
fn class(position: &Position) -> Class {
    match position.status {
        Status::Waiting => Class::ContractExpiry,
        Status::Holding | Status::Closed | Status::Cancelled => Class::ContractOvernight,
    }
}

fn tell(events: &mut Vec<Event>, position: Position) {
    events.push(AccountEvent::ContractChanged(position).into());
}

const HELD: &str = "what a member holds is below 10^18 (I-1)";
