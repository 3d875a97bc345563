//! How contracts end, and what they pay while they are open (4.5, 4.7, 4.8).

use super::figures::{Stops, check_stops};
use super::formulas::{Fee, Insurance, Profit, Settlement, TickPrice, atoms, fee, settle};
use super::position::{EndReason, Position, Status};
use super::{ContractContext, Contracts, POOL, WALLET};
use crate::amount::{Amount, Price, Rate};
use crate::exact::Exact;
use crate::ids::PositionId;
use crate::ledger::{Available, HoldKey, Holder, HouseAccount, LineKind, ObjectKind, Reason};
use crate::reject::Reject;
use crate::time::Time;

/// A posting of a contract.
pub(super) fn reason(id: PositionId, kind: LineKind) -> Reason {
    Reason { kind, object: ObjectKind::Contract, debit_id: id.0, credit_id: id.0 }
}

impl Contracts {
    /// A member closes a position at the current mark (4.5).
    pub(crate) fn close(&mut self, context: &mut ContractContext<'_>, holder: Holder, id: PositionId) -> Result<Position, Reject> {
        let market = self.own(holder, id, Status::Holding, context.now)?.position.market;
        let mark = self.fresh_mark(context.indices, market, context.now)?;
        self.conclude(context, id, mark, EndReason::User, None).ok_or(Reject::WrongState)
    }

    /// A member sets both stops of a position (C-15).
    pub(crate) fn set_stops(
        &mut self,
        context: &mut ContractContext<'_>,
        holder: Holder,
        id: PositionId,
        (take_profit, stop_loss): (Option<Price>, Option<Price>),
    ) -> Result<Position, Reject> {
        let position = self.own(holder, id, Status::Holding, context.now)?.position;
        let terms = self.listed(position.market)?.version(position.version).ok_or(Reject::UnknownMarket)?;
        let [take_profit, stop_loss] = terms.all_ticks([take_profit, stop_loss])?;
        let stops = Stops { take_profit, stop_loss };
        let mark = self.fresh_mark(context.indices, position.market, context.now)?;
        let faulty = check_stops(position.stake(), position.cap, position.liquidation_price(), mark, stops);
        faulty.map_err(|fault| fault.reject(position.terms.tick))?;
        let changed = Position { stops, ..position };
        self.replace(context, changed);
        Ok(changed)
    }

    /// A member cancels a waiting order.
    pub(crate) fn cancel(&mut self, context: &mut ContractContext<'_>, holder: Holder, id: PositionId) -> Result<Position, Reject> {
        self.own(holder, id, Status::Waiting, context.now)?;
        self.release(context, id, EndReason::User).ok_or(Reject::WrongState)
    }

    /// A waiting order ends and gives back its hold (4.7).
    pub(crate) fn release(&mut self, context: &mut ContractContext<'_>, id: PositionId, why: EndReason) -> Option<Position> {
        let open = self.open.get(&id)?;
        let (holder, order) = (open.holder, open.position);
        let asset = context.ledger.asset(order.terms.asset)?;
        let (from, to, kind) = (HoldKey(holder, WALLET), Available(holder, WALLET), LineKind::ContractRelease);
        context.ledger.transfer(asset, from, to, order.held, reason(id, kind), context.events);
        let ended = Some(context.now);
        let cancelled = Position { status: Status::Cancelled, reason: Some(why), returned: order.held, held: 0, ended, ..order };
        self.finish(context, cancelled);
        Some(cancelled)
    }

    /// Closes a position at a mark (4.5, 4.6, 4.9); `paid` is its profit when it is closed to save the pool.
    pub(super) fn conclude(
        &mut self,
        context: &mut ContractContext<'_>,
        id: PositionId,
        mark: TickPrice,
        why: EndReason,
        paid: Option<Amount>,
    ) -> Option<Position> {
        let open = self.open.get(&id)?;
        let (holder, position) = (open.holder, open.position);
        let (price, rate) = execution(&position, mark, why);
        let stake = position.stake();
        let profit = paid.map_or_else(|| position.open_profit(price), i128::from);
        let charged = fee(stake.notional(price), rate);
        let asset = context.ledger.asset(position.terms.asset)?;
        let insurance = Insurance(context.ledger.house(HouseAccount::Insurance, asset));
        let settlement = settle(position.held, Profit(profit), charged, insurance);
        pay(context, holder, &position, (why, profit), settlement);
        let closed = Position {
            status: Status::Closed,
            reason: Some(why),
            close: price,
            profit,
            close_fee: settlement.fee,
            returned: settlement.returned,
            held: 0,
            cap: 0,
            ended: Some(context.now),
            ..position
        };
        self.finish(context, closed);
        Some(closed)
    }

    /// A position pays the overnight fee (4.8); everything triggered at the same instant or before is settled by then.
    pub(crate) fn charge_overnight(&mut self, context: &mut ContractContext<'_>, id: PositionId, at: Time) {
        let Some(open) = self.open.get(&id) else { return };
        let (holder, position) = (open.holder, open.position);
        let over = open.triggered.and_then(|order| self.triggered.get(&order)).is_some_and(|work| work.at <= at);
        let due = at.next_day();
        let Some(asset) = context.ledger.asset(position.terms.asset).filter(|_| !over) else {
            return self.replace(context, Position { due, ..position });
        };
        let known = context.indices.get(position.market).and_then(|index| index.known_at(Time(at.0.saturating_sub(1))));
        let mark = known.and_then(|sample| self.terms(position.market)?.ticks(sample.price));
        let mark = mark.or_else(|| self.mark(context.indices, position.market)).unwrap_or_default();
        let Fee(charged) = fee(position.stake().notional(mark), position.terms.overnight);
        let paid = atoms(charged.min(i128::from(position.held)));
        context.ledger.transfer(asset, HoldKey(holder, WALLET), POOL, paid, reason(id, LineKind::ContractOvernight), context.events);
        let held = position.held.less(paid, "at most the margin is paid");
        let overnight_paid = position.overnight_paid.plus(paid, "all fees together are at most the initial margin");
        self.replace(context, Position { held, overnight_paid, due, ..position });
    }
}

/// The price of a closing and the rate of its fee (4.5, 4.6, 4.9, 0.6).
fn execution(position: &Position, mark: TickPrice, why: EndReason) -> (TickPrice, Rate) {
    let terms = &position.terms;
    match why {
        EndReason::Liquidation => (mark, terms.required.liquidation_fee),
        EndReason::Deleveraged | EndReason::Retired => (mark, Rate(0)),
        EndReason::User | EndReason::TakeProfit | EndReason::StopLoss | EndReason::ProfitCap | EndReason::Expired | EndReason::Refused => {
            (position.direction.closing(mark, terms.spread), terms.fee)
        }
    }
}

/// The postings of a closing; together they are the margin (4.5).
fn pay(context: &mut ContractContext<'_>, holder: Holder, position: &Position, (why, profit): (EndReason, i128), settlement: Settlement) {
    let Some(asset) = context.ledger.asset(position.terms.asset) else { return };
    let (held, id) = (HoldKey(holder, WALLET), position.id);
    let liquidated = why == EndReason::Liquidation;
    let kind = if liquidated { LineKind::ContractLiquidation } else { LineKind::ContractClose };
    let ContractContext { ledger, events, .. } = context;
    ledger.release(asset, POOL, position.cap);
    let Settlement { returned, fee, cover, .. } = settlement;
    if i128::from(position.held).saturating_add(profit) <= 0 {
        ledger.transfer(asset, held, POOL, position.held, reason(id, kind), events);
        ledger.transfer(asset, HouseAccount::Insurance, POOL, cover, reason(id, kind), events);
        return;
    }
    if profit > 0 {
        ledger.transfer(asset, POOL, held, atoms(profit), reason(id, kind), events);
    } else {
        ledger.transfer(asset, held, POOL, atoms(profit.saturating_neg()), reason(id, kind), events);
    }
    if liquidated {
        ledger.transfer(asset, held, HouseAccount::Insurance, fee, reason(id, kind), events);
    } else {
        ledger.transfer(asset, held, HouseAccount::Fee, fee, reason(id, LineKind::ContractFee), events);
    }
    ledger.transfer(asset, held, Available(holder, WALLET), returned, reason(id, kind), events);
}
