//! A spot order, and the store of all live and recently finished ones.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, Price};
use crate::command::{OrderKind, OrderRef, Side, TimeInForce};
use crate::ids::{IdTable, MarketId, MemberIndex, OrderId, UserId, to_u32, to_usize};
use crate::spot::book::NodeId;
use crate::spot::status::Status;
use crate::time::Time;

/// Finished orders that stay known, so that cancelling one is `E_STATE` and not `E_NOT_FOUND`. Older ones live in the history only.
pub const FINISHED_KEPT: usize = 256;

/// Why an order was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CancelReason {
    /// The owner.
    User,
    /// Immediate-or-cancel: the rest (S-2).
    ImmediateOrCancel,
    /// Fill-or-kill: not all at once (S-2).
    FillOrKill,
    /// An order of the same owner would have traded with it (S-7).
    SelfTrade,
    /// A market order that filled nothing (S-3).
    NoLiquidity,
}

impl CancelReason {
    /// The word on the wire.
    pub fn name(self) -> &'static str {
        match self {
            CancelReason::User => "USER",
            CancelReason::ImmediateOrCancel => "IOC",
            CancelReason::FillOrKill => "FOK",
            CancelReason::SelfTrade => "STP",
            CancelReason::NoLiquidity => "NO_LIQUIDITY",
        }
    }
}

/// A spot order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpotOrder {
    /// Number.
    pub id: OrderId,
    /// Owner.
    pub user: UserId,
    /// Pair.
    pub market: MarketId,
    /// Direction.
    pub side: Side,
    /// Kind with price, quantity or funds.
    pub kind: OrderKind,
    /// The client's own id.
    pub client_order_id: Option<String>,
    /// State.
    pub status: Status,
    /// Why it was cancelled.
    pub reason: Option<CancelReason>,
    /// Base atoms filled.
    pub filled: Amount,
    /// Quote atoms filled.
    pub filled_value: Amount,
    /// Received as taker, atoms of the received coin; the base of the running fee (S-9).
    pub received_as_taker: Amount,
    /// Received as maker.
    pub received_as_maker: Amount,
    /// Fees paid, atoms of the received coin.
    pub fee: Amount,
    /// Atoms still held: quote of a buy, base of a sell (S-8).
    pub held: Amount,
    /// Reference price when it was placed (S-5).
    pub reference: Price,
    /// Its place in time: lower trades first at the same price; renewed when a stop is triggered (S-1).
    pub priority: u64,
    /// Placed.
    pub created: Time,
    /// Last change.
    pub updated: Time,
}

impl SpotOrder {
    /// Limit price; `None` for a market order.
    pub fn price(&self) -> Option<Price> {
        match self.kind {
            OrderKind::Limit { price, .. } | OrderKind::StopLimit { price, .. } => Some(price),
            OrderKind::Market { .. } => None,
        }
    }

    /// Ordered base atoms; `None` for a market buy.
    pub fn quantity(&self) -> Option<Amount> {
        match self.kind {
            OrderKind::Limit { quantity, .. } | OrderKind::StopLimit { quantity, .. } => Some(quantity),
            OrderKind::Market { size } => (self.side == Side::Sell).then_some(size),
        }
    }

    /// Base atoms not filled; `None` for a market buy.
    pub fn left(&self) -> Option<Amount> {
        self.quantity().and_then(|quantity| quantity.checked_sub(self.filled))
    }

    pub(crate) fn time_in_force(&self) -> TimeInForce {
        match self.kind {
            OrderKind::Limit { time_in_force, .. } | OrderKind::StopLimit { time_in_force, .. } => time_in_force,
            OrderKind::Market { .. } => TimeInForce::ImmediateOrCancel,
        }
    }

    /// Waiting or on the book.
    pub fn is_live(&self) -> bool {
        matches!(self.status, Status::Waiting | Status::Open)
    }
}

/// Place of an order in the store.
pub(crate) type Slot = u32;
const NONE: Slot = Slot::MAX;

#[derive(Clone, Debug)]
pub(crate) struct Stored {
    id: OrderId,
    pub(crate) order: Arc<SpotOrder>,
    pub(crate) member: MemberIndex,
    pub(crate) node: Option<NodeId>,
    previous_of_member: Slot,
    next_of_member: Slot,
}

/// Live orders by number, by owner and by client id, and the last finished ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orders {
    slots: Vec<Stored>,
    free: Vec<Slot>,
    by_id: IdTable,
    by_client_id: BTreeMap<(MemberIndex, String), Slot>,
    of_member: Vec<Ends>,
    finished: VecDeque<(Slot, OrderId)>,
}

/// First and last live order of a member, oldest first.
#[derive(Clone, Copy, Debug)]
struct Ends {
    first: Slot,
    last: Slot,
}

impl Orders {
    pub(crate) fn add_member(&mut self) {
        self.of_member.push(Ends { first: NONE, last: NONE });
    }

    /// Stores a live order; numbers never decrease.
    pub(crate) fn insert(&mut self, order: SpotOrder, member: MemberIndex) -> Slot {
        let slot = self.store(order, member);
        let ends = &mut self.of_member[member.at()];
        let last = std::mem::replace(&mut ends.last, slot);
        if last == NONE {
            ends.first = slot;
        } else {
            self.slots[to_usize(last)].next_of_member = slot;
            self.slots[to_usize(slot)].previous_of_member = last;
        }
        if let Some(client_id) = self.slots[to_usize(slot)].order.client_order_id.clone() {
            self.by_client_id.insert((member, client_id), slot);
        }
        slot
    }

    fn store(&mut self, order: SpotOrder, member: MemberIndex) -> Slot {
        let id = order.id;
        let slot = match self.free.pop() {
            Some(slot) => {
                let stored = &mut self.slots[to_usize(slot)];
                // The forgotten order's memory serves again, unless an event still shows it.
                match Arc::get_mut(&mut stored.order) {
                    Some(forgotten) => *forgotten = order,
                    None => stored.order = Arc::new(order),
                }
                (stored.id, stored.member) = (id, member);
                (stored.previous_of_member, stored.next_of_member) = (NONE, NONE);
                slot
            }
            None => {
                let order = Arc::new(order);
                self.slots.push(Stored { id, order, member, node: None, previous_of_member: NONE, next_of_member: NONE });
                to_u32(self.slots.len() - 1)
            }
        };
        self.by_id.insert(id.0, slot, |slot| self.slots[to_usize(slot)].id.0);
        slot
    }

    /// Moves an order from the live to the finished ones.
    pub(crate) fn finish(&mut self, slot: Slot) {
        let stored = &mut self.slots[to_usize(slot)];
        stored.node = None;
        let (member, previous, next) = (stored.member, stored.previous_of_member, stored.next_of_member);
        if let Some(client_id) = stored.order.client_order_id.clone() {
            self.by_client_id.remove(&(member, client_id));
        }
        if previous == NONE {
            self.of_member[member.at()].first = next;
        } else {
            self.slots[to_usize(previous)].next_of_member = next;
        }
        if next == NONE {
            self.of_member[member.at()].last = previous;
        } else {
            self.slots[to_usize(next)].previous_of_member = previous;
        }
        let id = self.get(slot).id;
        self.keep_finished(slot, id);
    }

    fn keep_finished(&mut self, slot: Slot, id: OrderId) {
        self.finished.push_back((slot, id));
        if self.finished.len() > FINISHED_KEPT
            && let Some((oldest, id)) = self.finished.pop_front()
        {
            self.by_id.remove(id.0, oldest);
            self.free.push(oldest);
        }
    }

    pub(crate) fn get(&self, slot: Slot) -> &Stored {
        &self.slots[to_usize(slot)]
    }

    pub(crate) fn set_node(&mut self, slot: Slot, node: NodeId) {
        self.slots[to_usize(slot)].node = Some(node);
    }

    /// An order to be changed. States that events still show stay as they were.
    pub(crate) fn change(&mut self, slot: Slot) -> &mut SpotOrder {
        Arc::make_mut(&mut self.slots[to_usize(slot)].order)
    }

    /// The order as it stands, for an event.
    pub(crate) fn shared(&self, slot: Slot) -> Arc<SpotOrder> {
        Arc::clone(&self.get(slot).order)
    }

    /// An order by number or client id, if it is this member's.
    pub(crate) fn find(&self, member: MemberIndex, order: &OrderRef) -> Option<Slot> {
        let slot = match order {
            OrderRef::Id(id) => self.by_id.find(id.0, |slot| self.get(slot).id.0)?,
            OrderRef::Client(client_id) => self.by_client_id.get(&(member, client_id.clone())).copied()?,
        };
        (self.get(slot).member == member).then_some(slot)
    }

    pub(crate) fn client_id_in_use(&self, member: MemberIndex, client_id: &str) -> bool {
        self.by_client_id.contains_key(&(member, client_id.to_owned()))
    }

    /// A member's live orders, oldest first.
    pub(crate) fn live_of(&self, member: MemberIndex) -> impl Iterator<Item = (Slot, &SpotOrder)> {
        let first = self.of_member.get(member.at()).map_or(NONE, |ends| ends.first);
        let step = |slot: Slot| (slot != NONE).then_some(slot);
        std::iter::successors(step(first), move |slot| step(self.get(*slot).next_of_member)).map(|slot| (slot, &*self.get(slot).order))
    }

    /// All live orders, by number.
    pub(crate) fn live(&self) -> Vec<SpotOrder> {
        let members = (0..to_u32(self.of_member.len())).map(MemberIndex);
        let mut orders: Vec<SpotOrder> = members.flat_map(|member| self.live_of(member)).map(|(_, order)| order.clone()).collect();
        orders.sort_unstable_by_key(|order| order.id);
        orders
    }

    /// The finished orders that are kept, oldest first.
    pub(crate) fn finished(&self) -> Vec<SpotOrder> {
        self.finished.iter().map(|(slot, _)| SpotOrder::clone(&self.get(*slot).order)).collect()
    }

    pub(crate) fn restore_finished(&mut self, order: SpotOrder, member: MemberIndex) {
        let id = order.id;
        let slot = self.store(order, member);
        self.keep_finished(slot, id);
    }
}
