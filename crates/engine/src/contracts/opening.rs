//! How positions are opened: at once, or by a limit order that waits for its price (4.4, 4.7).

use super::closing::reason;
use super::figures::{Figures, Size, Stops, check_stops};
use super::formulas::{TickPrice, TickValue};
use super::market::Listed;
use super::position::{EndReason, FixedTerms, OpenContract, Position, Status, fill_price, opening_cost};
use super::terms::{MAX_POSITIONS, MAX_WAITING, Terms, WAITING_MS};
use super::{ContractContext, Contracts, POOL, WALLET};
use crate::amount::{Amount, Price};
use crate::ids::{MarketId, MemberIndex, PositionId, to_u32};
use crate::index::Indices;
use crate::ledger::{Available, HoldKey, Holder, HouseAccount, LineKind};
use crate::reject::Reject;
use crate::time::Time;

impl OpenContract {
    pub(crate) fn size(&self) -> Size {
        Size { direction: self.direction, lots: self.lots, multiple: self.multiple }
    }
}

impl Terms {
    /// Prices in ticks; all are looked at for their range before any is for its tick.
    pub(super) fn all_ticks<const N: usize>(&self, prices: [Option<Price>; N]) -> Result<[Option<TickPrice>; N], Reject> {
        if prices.iter().flatten().any(|price| !price.in_bounds()) {
            return Err(Reject::BadAmount);
        }
        let off = prices.iter().flatten().any(|price| self.ticks(*price).is_none());
        if off { Err(Reject::Tick) } else { Ok(prices.map(|price| self.ticks(price?))) }
    }
}

/// An order whose prices are in ticks, under its terms.
struct Asked<'a> {
    id: PositionId,
    holder: Holder,
    order: &'a OpenContract,
    limit: Option<TickPrice>,
    stops: Stops,
    version: u32,
}

impl Contracts {
    /// What an order would cost its owner: at the limit while it waits, at the mark otherwise. `None` without a price. An order that is
    /// refused later under a name of its own, whatever it costs, counts as nothing.
    ///
    /// # Errors
    /// [`Reject::Overflow`].
    pub(crate) fn expected_cost(&self, indices: &Indices, order: &OpenContract, now: Time) -> Result<Option<Amount>, Reject> {
        let listed = self.listed(order.market)?;
        let (terms, _) = listed.present().ok_or(Reject::UnknownMarket)?;
        let value = terms.tick_value(order.lots, listed.scales())?;
        let limit = order.limit.and_then(|limit| terms.ticks(limit));
        let mark = self.fresh_mark(indices, order.market, now).ok();
        let executed = mark.map(|mark| order.direction.opening(mark, terms.spread));
        let at_once = executed.filter(|price| limit.is_none_or(|limit| order.direction.admits(limit, *price)));
        let Some(price) = at_once.or(limit) else {
            let off_tick = terms.all_ticks([order.limit, order.take_profit, order.stop_loss]).is_err();
            return Ok(off_tick.then_some(0));
        };
        // The cost of a notional that no tier admits may not fit an amount.
        let admitted = value.notional(price) <= i128::from(terms.max_notional());
        Ok(Some(if admitted { opening_cost(terms, value, order.multiple, price) } else { 0 }))
    }

    /// Opens a position, or lets an order wait. Refusals from `E_AMOUNT` on, in the order of 4.4.
    pub(crate) fn ask(
        &mut self,
        context: &mut ContractContext<'_>,
        id: PositionId,
        holder: Holder,
        order: &OpenContract,
    ) -> Result<Position, Reject> {
        let listed = self.listed(order.market)?;
        let (terms, version) = listed.present().ok_or(Reject::UnknownMarket)?;
        let [limit, take_profit, stop_loss] = terms.all_ticks([order.limit, order.take_profit, order.stop_loss])?;
        let asked = Asked { id, holder, order, limit, stops: Stops { take_profit, stop_loss }, version };
        let mark_known = self.fresh_mark(context.indices, order.market, context.now);
        let executed = mark_known.clone().map(|mark| order.direction.opening(mark, terms.spread));
        let waits = match (limit, &executed) {
            (Some(limit), Ok(executed)) => !order.direction.admits(limit, *executed),
            (Some(_), Err(_)) => true,
            (None, _) => false,
        };
        self.check_room(holder.member, waits)?;
        let mark = mark_known?;
        match limit.filter(|_| waits) {
            Some(limit) => self.wait(context, &asked, limit),
            None => self.open_now(context, &asked, mark, executed?),
        }
    }

    /// Fewer positions and waiting orders than a member may have (4.1).
    fn check_room(&self, member: MemberIndex, waits: bool) -> Result<(), Reject> {
        let (holding, waiting) = self.count_of(member);
        let (count, max) = if waits { (waiting, MAX_WAITING) } else { (holding, MAX_POSITIONS) };
        if count < max { Ok(()) } else { Err(Reject::OpenLimit { max }) }
    }

    /// Positions and waiting orders of a member.
    fn count_of(&self, member: MemberIndex) -> (u32, u32) {
        let of = self.of_member.get(&member);
        of.map_or((0, 0), |of| (to_u32(of.ids.len()).saturating_sub(of.waiting), of.waiting))
    }

    /// C-16: the tier of everything that the owner would have open in the pair admits it, so that splitting an order does not help.
    fn check_suits_all(
        &self,
        context: &ContractContext<'_>,
        holder: Holder,
        (id, market): (PositionId, MarketId),
        terms: &Terms,
        figures: &Figures,
    ) -> Result<(), Reject> {
        if !context.bounds_risk {
            return Ok(());
        }
        let others = self.of(holder.member).filter(|other| other.market == market && other.id != id);
        let all = others.fold(i128::from(figures.notional), |sum, other| sum.saturating_add(other.notional()));
        terms.check_tier(all, figures.multiple).map(drop)
    }

    fn wait(&mut self, context: &mut ContractContext<'_>, asked: &Asked<'_>, limit: TickPrice) -> Result<Position, Reject> {
        let listed = self.listed(asked.order.market)?;
        let terms = listed.version(asked.version).ok_or(Reject::UnknownMarket)?;
        let figures = terms.figures(listed.scales(), asked.order.size(), limit)?;
        self.check_suits_all(context, asked.holder, (asked.id, asked.order.market), terms, &figures)?;
        check_figure_stops(terms, &figures, limit, asked.stops)?;
        let hold = figures.cost();
        check_funds(context, asked.holder, listed, hold)?;
        let due = context.now.plus(WAITING_MS);
        let waiting = Position { status: Status::Waiting, held: hold, cap: 0, due, ..asked.position(listed, terms, &figures, context.now) };
        let waiting = Position { entry: TickPrice(0), initial_margin: 0, open_fee: 0, limit: Some(limit), ..waiting };
        let asset = context.ledger.asset(listed.asset).ok_or(Reject::BadAsset)?;
        let (from, to) = (Available(asked.holder, WALLET), HoldKey(asked.holder, WALLET));
        context.ledger.transfer(asset, from, to, hold, reason(asked.id, LineKind::ContractHold), context.events);
        self.insert(context, asked.holder, waiting);
        Ok(waiting)
    }

    fn open_now(
        &mut self,
        context: &mut ContractContext<'_>,
        asked: &Asked<'_>,
        mark: TickPrice,
        executed: TickPrice,
    ) -> Result<Position, Reject> {
        let listed = self.listed(asked.order.market)?;
        let terms = listed.version(asked.version).ok_or(Reject::UnknownMarket)?;
        let figures = terms.figures(listed.scales(), asked.order.size(), executed)?;
        self.check_suits_all(context, asked.holder, (asked.id, asked.order.market), terms, &figures)?;
        figures.check_alive(mark)?;
        check_figure_stops(terms, &figures, mark, asked.stops)?;
        check_funds(context, asked.holder, listed, figures.cost())?;
        let position = asked.position(listed, terms, &figures, context.now);
        let position = Position { origin: mark, opened: Some(context.now), limit: asked.limit, ..position };
        self.reserve(context, &position)?;
        take_margin(context, asked.holder, &position);
        self.insert(context, asked.holder, position);
        Ok(position)
    }

    /// The pool has not lost too much today, and can pay the position's maximum profit (C-13, 4.4).
    fn reserve(&self, context: &mut ContractContext<'_>, position: &Position) -> Result<(), Reject> {
        self.day.check(self.pool_equity(context.ledger, context.indices))?;
        let asset = context.ledger.asset(position.terms.asset).ok_or(Reject::BadAsset)?;
        let short = |reject| if let Reject::FreeShort { free } = reject { Reject::PoolShort { free } } else { reject };
        context.ledger.reserve(asset, POOL, position.cap).map_err(short)
    }

    /// A waiting order becomes a position at a mark, or is cancelled (4.7).
    pub(super) fn fill(&mut self, context: &mut ContractContext<'_>, id: PositionId, mark: TickPrice) {
        let Some(open) = self.open.get(&id) else { return };
        let (holder, order) = (open.holder, open.position);
        let Some(position) = self.filled(context, holder, &order, mark) else {
            self.release(context, id, EndReason::Refused);
            return;
        };
        let Some(asset) = context.ledger.asset(position.terms.asset) else { return };
        let (from, to) = (HoldKey(holder, WALLET), Available(holder, WALLET));
        context.ledger.transfer(asset, from, to, order.held, reason(id, LineKind::ContractRelease), context.events);
        take_margin(context, holder, &position);
        self.replace(context, position);
    }

    /// The position of an order that fills, with its profit reserved; `None` if it may not be opened.
    fn filled(&self, context: &mut ContractContext<'_>, holder: Holder, order: &Position, mark: TickPrice) -> Option<Position> {
        let listed = self.listed.get(&order.market)?;
        let (terms, limit) = (listed.version(order.version)?, order.limit?);
        let asset = context.ledger.asset(listed.asset)?;
        let funds = order.held.saturating_add(context.ledger.available(holder.member, WALLET, asset));
        let (size, value): (Size, TickValue) = (order.size(), order.terms.value);
        let executed = order.direction.opening(mark, terms.spread);
        let suits = |figures: Figures| self.check_suits_all(context, holder, (order.id, order.market), terms, &figures).is_ok();
        let admitted = terms.figures(listed.scales(), size, executed).is_ok_and(suits);
        let bounded = value.notional(executed) <= i128::from(terms.max_notional());
        let price = match (admitted, bounded) {
            // A price that is too good for the order's tier is no reason against it (4.7).
            (false, _) if context.bounds_risk => limit,
            // Its cost may not fit an amount.
            (_, false) => executed,
            (_, true) => fill_price(terms, value, size.multiple, (executed, limit), funds).0,
        };
        let figures = terms.figures(listed.scales(), size, price).ok()?;
        self.check_suits_all(context, holder, (order.id, order.market), terms, &figures).ok()?;
        figures.check_alive(mark).ok()?;
        let (holding, _) = self.count_of(holder.member);
        (holding < MAX_POSITIONS).then_some(())?;
        let position = Position {
            status: Status::Holding,
            terms: FixedTerms { required: figures.required, ..order.terms },
            origin: mark,
            entry: price,
            initial_margin: figures.margin,
            held: figures.margin,
            open_fee: figures.fee,
            cap: figures.cap,
            opened: Some(context.now),
            due: context.now.next_day(),
            ..*order
        };
        self.reserve(context, &position).ok()?;
        Some(position)
    }
}

impl Asked<'_> {
    /// An open position with these figures; an order that waits has less of them.
    fn position(&self, listed: &Listed, terms: &Terms, figures: &Figures, now: Time) -> Position {
        let OpenContract { user, market, direction, lots, multiple, .. } = *self.order;
        let fixed = FixedTerms {
            asset: listed.asset,
            lot: terms.lot,
            tick: terms.tick,
            value: figures.stake.value,
            fee: terms.fee,
            spread: terms.spread,
            overnight: terms.overnight,
            required: figures.required,
        };
        Position {
            id: self.id,
            user,
            market,
            direction,
            lots,
            multiple,
            terms: fixed,
            version: self.version,
            status: Status::Holding,
            reason: None,
            limit: None,
            origin: TickPrice(0),
            entry: figures.stake.entry,
            stops: self.stops,
            initial_margin: figures.margin,
            held: figures.margin,
            open_fee: figures.fee,
            cap: figures.cap,
            overnight_paid: 0,
            close: TickPrice(0),
            profit: 0,
            close_fee: 0,
            returned: 0,
            created: now,
            opened: None,
            ended: None,
            due: now.next_day(),
        }
    }
}

impl Position {
    /// At its entry, of an order at its limit.
    pub(super) fn notional(&self) -> i128 {
        let at = if self.status == Status::Waiting { self.limit.unwrap_or_default() } else { self.entry };
        self.terms.value.notional(at)
    }

    fn size(&self) -> Size {
        Size { direction: self.direction, lots: self.lots, multiple: self.multiple }
    }
}

/// C-15 for an opening, in prices.
fn check_figure_stops(terms: &Terms, figures: &Figures, mark: TickPrice, stops: Stops) -> Result<(), Reject> {
    let liquidation = figures.stake.liquidation_price(figures.margin, figures.required);
    check_stops(figures.stake, figures.cap, liquidation, mark, stops).map_err(|fault| fault.reject(terms.tick))
}

fn check_funds(context: &ContractContext<'_>, holder: Holder, listed: &Listed, needed: Amount) -> Result<(), Reject> {
    let of_ledger = context.ledger.asset(listed.asset).ok_or(Reject::BadAsset)?;
    let available = context.ledger.available(holder.member, WALLET, of_ledger);
    if available >= needed { Ok(()) } else { Err(Reject::Insufficient { asset: listed.asset, available, needed }) }
}

/// Takes margin and opening fee from the available balance (4.4).
fn take_margin(context: &mut ContractContext<'_>, holder: Holder, position: &Position) {
    let Some(asset) = context.ledger.asset(position.terms.asset) else { return };
    let (available, held) = (Available(holder, WALLET), HoldKey(holder, WALLET));
    let ContractContext { ledger, events, .. } = context;
    ledger.transfer(asset, available, held, position.held, reason(position.id, LineKind::ContractMargin), events);
    ledger.transfer(asset, available, HouseAccount::Fee, position.open_fee, reason(position.id, LineKind::ContractFee), events);
}
