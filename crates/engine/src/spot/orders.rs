//! The store of all live and recently finished spot orders.

use std::collections::{BTreeMap, VecDeque};
use std::hint::select_unpredictable;
use std::ops::{Index, IndexMut};

use super::book::NodeId;
use super::order::{CancelReason, OrderRef, SpotOrder};
use super::status::Status;
use crate::event::{Event, emit};
use crate::exact::{COUNTED, Exact};
use crate::ids::{ClientOrderId, MemberIndex, OrderId, UserId, to_u32, to_usize};
use crate::ledger::Holder;
use crate::time::Time;

/// Finished orders that stay known, so cancelling one is `E_STATE` and not `E_NOT_FOUND`. Older ones are only in the history.
pub const FINISHED_KEPT: usize = 256;

/// Slot of an order in the store.
pub(crate) type Slot = u32;
const NONE: Slot = Slot::MAX;

/// By what a live order is found: number, owner, pair by position, and the client's own id.
pub(crate) struct Known {
    pub(crate) id: OrderId,
    pub(crate) holder: Holder,
    pub(crate) pair: usize,
    pub(crate) client_order_id: Option<ClientOrderId>,
}

/// The part of a stored order that look-ups and neighbours touch, kept apart from the order, so many fit into near memory.
#[derive(Clone, Copy, Debug)]
struct Link {
    id: OrderId,
    member: MemberIndex,
    /// Position of its pair.
    pair: u32,
    /// Where it rests on its book.
    node: Option<NodeId>,
    previous_of_member: Slot,
    next_of_member: Slot,
    /// The next of those whose number has the same slot in [`Numbers`].
    next_of_place: Slot,
}

/// A sentinel link whose contents are never read, so that linking is branch-free.
const NOBODY: Link = Link {
    id: OrderId(0),
    member: MemberIndex(0),
    pair: 0,
    node: None,
    previous_of_member: NONE,
    next_of_member: NONE,
    next_of_place: NONE,
};

/// Live orders by number, by owner and by client id, and the last finished ones.
#[derive(Clone, Debug)]
pub(crate) struct Orders {
    slots: Vec<SpotOrder>,
    links: Links,
    free: Vec<Slot>,
    by_id: Numbers,
    by_client_id: BTreeMap<(UserId, ClientOrderId), Slot>,
    of_member: Vec<Ends>,
    finished: VecDeque<Slot>,
}

/// First and last live order of a member, oldest first.
#[derive(Clone, Copy, Debug)]
struct Ends {
    first: Slot,
    last: Slot,
}

/// The link of each slot, and before them that of [`NONE`].
#[derive(Clone, Debug)]
struct Links(Vec<Link>);

impl Index<Slot> for Links {
    type Output = Link;

    fn index(&self, slot: Slot) -> &Link {
        &self.0[to_usize(slot.wrapping_add(1))]
    }
}

impl IndexMut<Slot> for Links {
    fn index_mut(&mut self, slot: Slot) -> &mut Link {
        &mut self.0[to_usize(slot.wrapping_add(1))]
    }
}

/// Live orders by number. Numbers are consecutive, so with four slots per order few share one; it cannot be iterated.
#[derive(Clone, Debug)]
struct Numbers {
    /// The newest order of each slot; a power of two of them.
    places: Vec<Slot>,
    live: usize,
}

impl Numbers {
    fn place(&self, id: OrderId) -> usize {
        usize::try_from(id.0).unwrap_or(usize::MAX) & self.places.len().wrapping_sub(1)
    }

    fn find(&self, id: OrderId, links: &Links) -> Option<Slot> {
        let mut slot = self.places[self.place(id)];
        while slot != NONE && links[slot].id != id {
            slot = links[slot].next_of_place;
        }
        (slot != NONE).then_some(slot)
    }

    fn insert(&mut self, slot: Slot, links: &mut Links) {
        self.live = self.live.plus(1, COUNTED);
        if self.live > self.places.len() / 4 {
            let larger = vec![NONE; self.places.len().saturating_mul(2)];
            for first in std::mem::replace(&mut self.places, larger) {
                let mut next = first;
                while next != NONE {
                    let moved = next;
                    next = links[moved].next_of_place;
                    self.chain(moved, links);
                }
            }
        }
        self.chain(slot, links);
    }

    fn chain(&mut self, slot: Slot, links: &mut Links) {
        let place = self.place(links[slot].id);
        links[slot].next_of_place = std::mem::replace(&mut self.places[place], slot);
    }

    fn remove(&mut self, slot: Slot, links: &mut Links) {
        self.live = self.live.less(1, COUNTED);
        let Link { id, next_of_place: next, .. } = links[slot];
        let place = self.place(id);
        if self.places[place] == slot {
            self.places[place] = next;
            return;
        }
        let mut before = self.places[place];
        while links[before].next_of_place != slot {
            before = links[before].next_of_place;
        }
        links[before].next_of_place = next;
    }
}

impl Default for Orders {
    fn default() -> Orders {
        Orders {
            slots: Vec::new(),
            links: Links(vec![NOBODY]),
            free: Vec::new(),
            by_id: Numbers { places: vec![NONE; 64], live: 0 },
            by_client_id: BTreeMap::new(),
            of_member: Vec::new(),
            finished: VecDeque::new(),
        }
    }
}

impl Orders {
    pub(crate) fn add_member(&mut self) {
        self.of_member.push(Ends { first: NONE, last: NONE });
    }

    pub(crate) fn members(&self) -> impl Iterator<Item = MemberIndex> {
        (0..self.of_member.len()).map(|at| MemberIndex(to_u32(at)))
    }

    /// Stores a live order of a pair; numbers never decrease. The order is built where it is stored: copying fields just written would
    /// stall.
    #[inline]
    pub(crate) fn insert(&mut self, known: Known, order: impl FnOnce() -> SpotOrder) -> Slot {
        let Known { id, holder: Holder { member, user }, pair, client_order_id } = known;
        let slot = self.store(order);
        let previous = self.of_member[member.at()].last;
        self.links[slot] = Link { id, member, pair: to_u32(pair), previous_of_member: previous, ..NOBODY };
        self.by_id.insert(slot, &mut self.links);
        let ends = &mut self.of_member[member.at()];
        *ends = Ends { first: select_unpredictable(previous == NONE, slot, ends.first), last: slot };
        self.links[previous].next_of_member = slot;
        if let Some(client_id) = client_order_id {
            self.name((user, client_id), slot);
        }
        slot
    }

    /// Most orders have no client id, so those of the others are stored apart.
    #[inline(never)]
    fn name(&mut self, client_id: (UserId, ClientOrderId), slot: Slot) {
        self.by_client_id.insert(client_id, slot);
    }

    #[inline(never)]
    fn forget_name(&mut self, client_id: (UserId, ClientOrderId)) {
        self.by_client_id.remove(&client_id);
    }

    #[inline]
    fn store(&mut self, order: impl FnOnce() -> SpotOrder) -> Slot {
        match self.free.pop() {
            Some(slot) => {
                self.slots[to_usize(slot)] = order();
                slot
            }
            None => {
                let slot = to_u32(self.slots.len());
                self.slots.extend(std::iter::once_with(order));
                self.links.0.push(NOBODY);
                slot
            }
        }
    }

    /// Moves an order from the live to the finished ones, and emits the change.
    pub(crate) fn finish(&mut self, slot: Slot, status: Status, reason: Option<CancelReason>, now: Time, events: &mut Vec<Event>) {
        let order = &mut self.slots[to_usize(slot)];
        // The event's copy is built from the new values, because reading back fields just written would stall.
        emit(events, || Event::SpotOrderChanged(SpotOrder { status, reason, held: 0, updated: now, ..*order }));
        (order.status, order.reason, order.held, order.updated) = (status, reason, 0, now);
        self.forget(slot);
        self.keep_finished(slot);
    }

    /// Keeps a finished order's slot for a while, and frees the oldest one.
    fn keep_finished(&mut self, slot: Slot) {
        self.finished.push_back(slot);
        if self.finished.len() > FINISHED_KEPT {
            self.free.extend(self.finished.pop_front());
        }
    }

    /// Takes an order out of the live ones.
    fn forget(&mut self, slot: Slot) {
        let Link { member, previous_of_member: previous, next_of_member: next, .. } = self.links[slot];
        self.by_id.remove(slot, &mut self.links);
        if let SpotOrder { user, client_order_id: Some(client_id), .. } = *self.get(slot) {
            self.forget_name((user, client_id));
        }
        let ends = &mut self.of_member[member.at()];
        ends.first = select_unpredictable(previous == NONE, next, ends.first);
        ends.last = select_unpredictable(next == NONE, previous, ends.last);
        self.links[previous].next_of_member = next;
        self.links[next].previous_of_member = previous;
    }

    pub(crate) fn restore_finished(&mut self, order: SpotOrder, member: MemberIndex) {
        let slot = self.store(|| order);
        self.links[slot] = Link { id: order.id, member, ..NOBODY };
        self.keep_finished(slot);
    }

    pub(crate) fn get(&self, slot: Slot) -> &SpotOrder {
        &self.slots[to_usize(slot)]
    }

    pub(crate) fn member(&self, slot: Slot) -> MemberIndex {
        self.links[slot].member
    }

    pub(crate) fn holder(&self, slot: Slot) -> Holder {
        Holder { member: self.member(slot), user: self.get(slot).user }
    }

    /// Position of a live order's pair.
    pub(crate) fn pair(&self, slot: Slot) -> usize {
        to_usize(self.links[slot].pair)
    }

    pub(crate) fn node(&self, slot: Slot) -> Option<NodeId> {
        self.links[slot].node
    }

    pub(crate) fn set_node(&mut self, slot: Slot, node: NodeId) {
        self.links[slot].node = Some(node);
    }

    pub(crate) fn change(&mut self, slot: Slot) -> &mut SpotOrder {
        &mut self.slots[to_usize(slot)]
    }

    /// Emits the order in its current state.
    pub(crate) fn emit(&self, slot: Slot, events: &mut Vec<Event>) {
        emit(events, || Event::SpotOrderChanged(*self.get(slot)));
    }

    /// A live order by number or client id, if it is this member's.
    pub(crate) fn find(&self, user: UserId, order: &OrderRef) -> Option<Slot> {
        match order {
            OrderRef::Id(id) => {
                let slot = self.by_id.find(*id, &self.links);
                slot.filter(|slot| self.get(*slot).user == user)
            }
            OrderRef::Client(client_id) => self.by_client_id.get(&(user, *client_id)).copied(),
        }
    }

    /// A stored finished order, by number, if it is this member's.
    pub(crate) fn find_finished(&self, user: UserId, order: &OrderRef) -> Option<&SpotOrder> {
        let OrderRef::Id(id) = order else { return None };
        self.finished.iter().map(|slot| self.get(*slot)).find(|order| order.id == *id && order.user == user)
    }

    pub(crate) fn client_id_in_use(&self, user: UserId, client_id: ClientOrderId) -> bool {
        self.by_client_id.contains_key(&(user, client_id))
    }

    /// A member's live orders, oldest first.
    pub(crate) fn live_of(&self, member: MemberIndex) -> impl Iterator<Item = (Slot, &SpotOrder)> {
        let first = self.of_member.get(member.at()).map_or(NONE, |ends| ends.first);
        let step = |slot: Slot| (slot != NONE).then_some(slot);
        std::iter::successors(step(first), move |slot| step(self.links[*slot].next_of_member)).map(|slot| (slot, self.get(slot)))
    }

    /// All live orders with their slots, member after member.
    pub(crate) fn slots(&self) -> impl Iterator<Item = (Slot, &SpotOrder)> {
        (0..to_u32(self.of_member.len())).map(MemberIndex).flat_map(|member| self.live_of(member))
    }

    /// All live orders, by number.
    pub(crate) fn live(&self) -> Vec<SpotOrder> {
        let mut orders: Vec<SpotOrder> = self.slots().map(|(_, order)| *order).collect();
        orders.sort_unstable_by_key(|order| order.id);
        orders
    }

    /// The stored finished orders, oldest first.
    pub(crate) fn finished(&self) -> Vec<SpotOrder> {
        self.finished.iter().map(|slot| *self.get(*slot)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_that_share_a_place_are_told_apart_also_when_the_places_grow() {
        let ids: Vec<u64> = (1..=200).map(|number| if number % 2 == 0 { number } else { number * 64 + 1 }).collect();
        let mut links = Links(vec![NOBODY]);
        links.0.extend(ids.iter().map(|id| Link { id: OrderId(*id), ..NOBODY }));
        let mut numbers = Orders::default().by_id;
        let mut live = std::collections::BTreeMap::new();
        let check = |numbers: &Numbers, links: &Links, live: &std::collections::BTreeMap<u64, Slot>| {
            ids.iter().for_each(|id| assert_eq!(numbers.find(OrderId(*id), links), live.get(id).copied(), "{id}"));
            assert_eq!(numbers.find(OrderId(0), links), None);
            assert!(numbers.places.len() >= 4 * live.len() && numbers.places.len() <= 1_024, "{} places", numbers.places.len());
        };
        for (slot, id) in (0..).zip(&ids) {
            numbers.insert(slot, &mut links);
            live.insert(*id, slot);
            check(&numbers, &links, &live);
        }
        // Removes from the middle, the newest and the oldest places.
        for slot in (0..200).map(|at| at * 77 % 200) {
            numbers.remove(slot, &mut links);
            live.remove(&ids[to_usize(slot)]);
            check(&numbers, &links, &live);
        }
        assert_eq!(numbers.live, 0);
    }
}
