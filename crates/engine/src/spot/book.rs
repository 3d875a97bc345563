//! The order book of one pair: price-time priority (S-1) over a ladder of ticks.
//!
//! Levels are stored in pages of 512 ticks, found by division. A bit for each level and page finds the next best price without walking
//! empty ticks. The orders of a level form a doubly linked queue inside one slab. No operation allocates once the book has warmed up.
//!
//! Slot 0 of the slab means "no neighbour": writes to it are never read, so linking is branch-free.

use std::hint::select_unpredictable;
use std::num::NonZeroU32;

use super::order::Side;
use crate::exact::Exact;
use crate::ids::{MemberIndex, to_u32, to_usize};
use crate::units::{Steps, Ticks};

const PAGE_BITS: u32 = 9;
const PAGE_LEVELS: usize = 512;
const PAGE_WORDS: usize = PAGE_LEVELS / 64;
const NONE: u32 = 0;

/// Position of a resting order in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    fn at(self) -> usize {
        to_usize(self.0.get())
    }
}

/// A resting order as the book knows it.
#[derive(Clone, Copy, Debug)]
pub struct Resting {
    /// The caller's number for the order.
    pub tag: u32,
    /// Owner.
    pub member: MemberIndex,
    /// Price.
    pub price: Ticks,
    /// Quantity left; never 0.
    pub left: Steps,
    previous: u32,
    next: u32,
}

/// Both sides of one pair.
#[derive(Clone, Debug)]
pub struct Book {
    nodes: Vec<Resting>,
    free: Vec<u32>,
    /// Bids, then asks.
    ladders: [Ladder; 2],
}

#[derive(Clone, Debug)]
struct Ladder {
    side: Side,
    first_page: u32,
    pages: Vec<Option<Box<Page>>>,
    used_pages: Vec<u64>,
    best: Option<Ticks>,
}

#[derive(Clone, Debug)]
struct Page {
    levels: [Level; PAGE_LEVELS],
    used: [u64; PAGE_WORDS],
}

#[derive(Clone, Copy, Debug)]
struct Level {
    first: u32,
    last: u32,
    quantity: Steps,
}

/// A step costs at least one atom, of the base for a sell and of the quote for a buy, and the atoms of a coin are below 10^18 (I-1).
const HELD: &str = "a level has the steps of its orders, and each of them is held (S-8)";
const NOT_NOBODY: &str = "the first place of the slab was made with the book and is never free";
const HAS_PAGE: &str = "a level with orders has a page";

const NOBODY: Resting = Resting { tag: 0, member: MemberIndex(0), price: Ticks(0), left: Steps(0), previous: NONE, next: NONE };
const EMPTY_LEVEL: Level = Level { first: NONE, last: NONE, quantity: Steps(0) };

impl Default for Book {
    fn default() -> Book {
        Book { nodes: vec![NOBODY], free: Vec::new(), ladders: [Ladder::new(Side::Buy), Ladder::new(Side::Sell)] }
    }
}

impl Book {
    /// Adds an order behind all others of its price; returns its position and the quantity of the level.
    pub fn insert(&mut self, side: Side, tag: u32, member: MemberIndex, price: Ticks, left: Steps) -> (NodeId, Steps) {
        let id = self.free.pop().unwrap_or_else(|| {
            let id = to_u32(self.nodes.len());
            self.nodes.push(NOBODY);
            id
        });
        let level = self.ladder_mut(side).open_level(price);
        level.quantity = level.quantity.plus(left, HELD);
        let quantity = level.quantity;
        let previous = std::mem::replace(&mut level.last, id);
        level.first = select_unpredictable(previous == NONE, id, level.first);
        self.nodes[to_usize(previous)].next = id;
        self.nodes[to_usize(id)] = Resting { tag, member, price, left, previous, next: NONE };
        (NodeId(NonZeroU32::new(id).expect(NOT_NOBODY)), quantity)
    }

    /// Takes an order out; returns the quantity left in its level.
    pub fn remove(&mut self, side: Side, id: NodeId) -> Steps {
        let node = self.nodes[id.at()];
        self.nodes[to_usize(node.previous)].next = node.next;
        self.nodes[to_usize(node.next)].previous = node.previous;
        let ladder = self.ladder_mut(side);
        let level = ladder.level_mut(node.price);
        level.quantity = level.quantity.less(node.left, HELD);
        let quantity = level.quantity;
        level.first = select_unpredictable(level.first == id.0.get(), node.next, level.first);
        level.last = select_unpredictable(level.last == id.0.get(), node.previous, level.last);
        let empty = level.first == NONE;
        ladder.mark(node.price, empty);
        self.free.push(id.0.get());
        quantity
    }

    /// Takes `steps` off a resting order that has more than that; returns the quantity left in its level.
    pub fn reduce(&mut self, side: Side, id: NodeId, steps: Steps) -> Steps {
        let node = &mut self.nodes[id.at()];
        node.left = node.left.less(steps, HELD);
        let price = node.price;
        let level = self.ladder_mut(side).level_mut(price);
        level.quantity = level.quantity.less(steps, HELD);
        level.quantity
    }

    /// The order that trades next on this side.
    pub fn best(&self, side: Side) -> Option<(NodeId, &Resting)> {
        let ladder = self.ladder(side);
        let first = ladder.level(ladder.best?).first;
        Some((NodeId(NonZeroU32::new(first)?), &self.nodes[to_usize(first)]))
    }

    /// A resting order.
    pub fn get(&self, id: NodeId) -> &Resting {
        &self.nodes[id.at()]
    }

    /// Quantity resting at a price.
    pub fn quantity_at(&self, side: Side, price: Ticks) -> Steps {
        self.ladder(side).page(price).map_or(Steps(0), |page| page.levels[slot(price)].quantity)
    }

    /// Levels from the best on: price and quantity.
    pub fn levels(&self, side: Side) -> impl Iterator<Item = (Ticks, Steps)> {
        let ladder = self.ladder(side);
        std::iter::successors(ladder.best, |price| ladder.next_worse(*price)).map(|price| (price, ladder.level(price).quantity))
    }

    /// Orders in the order in which they would trade.
    pub fn orders(&self, side: Side) -> impl Iterator<Item = &Resting> {
        let ladder = self.ladder(side);
        std::iter::successors(ladder.best, |price| ladder.next_worse(*price)).flat_map(move |price| {
            let node = |id: u32| (id != NONE).then(|| &self.nodes[to_usize(id)]);
            std::iter::successors(node(ladder.level(price).first), move |resting| node(resting.next))
        })
    }

    fn ladder(&self, side: Side) -> &Ladder {
        &self.ladders[usize::from(side == Side::Sell)]
    }

    fn ladder_mut(&mut self, side: Side) -> &mut Ladder {
        &mut self.ladders[usize::from(side == Side::Sell)]
    }
}

fn slot(price: Ticks) -> usize {
    to_usize(price.0) % PAGE_LEVELS
}

impl Ladder {
    fn new(side: Side) -> Ladder {
        Ladder { side, first_page: 0, pages: Vec::new(), used_pages: Vec::new(), best: None }
    }

    fn better(&self, price: Ticks, than: Ticks) -> bool {
        match self.side {
            Side::Buy => price > than,
            Side::Sell => price < than,
        }
    }

    fn page(&self, price: Ticks) -> Option<&Page> {
        let offset = (price.0 >> PAGE_BITS).checked_sub(self.first_page)?;
        self.pages.get(to_usize(offset))?.as_deref()
    }

    /// Place of the page of a level that was opened.
    fn offset(&self, price: Ticks) -> usize {
        to_usize((price.0 >> PAGE_BITS).less(self.first_page, HAS_PAGE))
    }

    fn level(&self, price: Ticks) -> &Level {
        self.page(price).map_or(&EMPTY_LEVEL, |page| &page.levels[slot(price)])
    }

    /// A level that holds at least one order.
    fn level_mut(&mut self, price: Ticks) -> &mut Level {
        let offset = self.offset(price);
        let page = self.pages[offset].as_mut().expect(HAS_PAGE);
        &mut page.levels[slot(price)]
    }

    /// The level of this price, made and marked as used if need be.
    fn open_level(&mut self, price: Ticks) -> &mut Level {
        if self.best.is_none_or(|best| self.better(price, best)) {
            self.best = Some(price);
        }
        let offset = self.reach_page(price.0 >> PAGE_BITS);
        self.used_pages[offset / 64] |= 1 << (offset % 64);
        let page = self.pages[offset].get_or_insert_with(|| Box::new(Page { levels: [EMPTY_LEVEL; PAGE_LEVELS], used: [0; PAGE_WORDS] }));
        page.used[slot(price) / 64] |= 1 << (slot(price) % 64);
        &mut page.levels[slot(price)]
    }

    /// Allocates a page and returns its position.
    fn reach_page(&mut self, page: u32) -> usize {
        // Start at a multiple of 64, so that the bits of `used_pages` move by whole words.
        let first = page & !63;
        if self.pages.is_empty() {
            self.first_page = first;
        }
        if let Some(missing) = self.first_page.checked_sub(first).map(to_usize).filter(|missing| *missing > 0) {
            self.pages.splice(0..0, std::iter::repeat_with(|| None).take(missing));
            self.used_pages.splice(0..0, std::iter::repeat_n(0, missing / 64));
            self.first_page = first;
        }
        let offset = to_usize(page.less(self.first_page, HAS_PAGE));
        if offset >= self.pages.len() {
            self.pages.resize_with(offset.saturating_add(1), || None);
            self.used_pages.resize(self.pages.len().div_ceil(64), 0);
        }
        offset
    }

    /// Notes that a level has orders no more, if it is `empty`.
    fn mark(&mut self, price: Ticks, empty: bool) {
        let offset = self.offset(price);
        let page = self.pages[offset].as_mut().expect(HAS_PAGE);
        let word = &mut page.used[slot(price) / 64];
        *word &= !(u64::from(empty) << (slot(price) % 64));
        if *word == 0 && page.used.iter().all(|word| *word == 0) {
            self.used_pages[offset / 64] &= !(1 << (offset % 64));
        }
        // A value beyond 32 bits never equals the best price, so one comparison is enough, and it almost always fails.
        let emptied = u64::from(price.0) | u64::from(!empty) << 32;
        if self.best.is_some_and(|best| u64::from(best.0) == emptied) {
            self.best = self.next_worse(price);
        }
    }

    /// The used price next to `price`, away from the best.
    fn next_worse(&self, price: Ticks) -> Option<Ticks> {
        let offset = self.offset(price);
        let page = self.pages[offset].as_ref()?;
        let compose = |offset: usize, level: usize| Ticks(self.first_page.plus(to_u32(offset), HAS_PAGE) << PAGE_BITS | to_u32(level));
        match self.side {
            Side::Sell => {
                if let Some(level) = next_bit_above(&page.used, slot(price)) {
                    return Some(compose(offset, level));
                }
                let offset = next_bit_above(&self.used_pages, offset)?;
                let level = self.pages[offset].as_ref()?.used.iter().enumerate().find(|(_, word)| **word != 0);
                level.map(|(at, word)| compose(offset, bit(at, word.trailing_zeros())))
            }
            Side::Buy => {
                if let Some(level) = next_bit_below(&page.used, slot(price)) {
                    return Some(compose(offset, level));
                }
                let offset = next_bit_below(&self.used_pages, offset)?;
                let level = self.pages[offset].as_ref()?.used.iter().enumerate().rfind(|(_, word)| **word != 0);
                level.map(|(at, word)| compose(offset, bit(at, word.leading_zeros() ^ 63)))
            }
        }
    }
}

/// Position of a bit below 64 of a word.
fn bit(word_at: usize, bit: u32) -> usize {
    word_at << 6 | to_usize(bit)
}

/// Position of the lowest set bit above `at`.
fn next_bit_above(words: &[u64], at: usize) -> Option<usize> {
    // Keep the bits above `at` in its word. Two shifts, because a shift by 64 does nothing.
    let mut word_at = at / 64;
    let mut word = words.get(word_at)? & (u64::MAX << (at % 64) << 1);
    while word == 0 {
        word_at = word_at.saturating_add(1);
        word = *words.get(word_at)?;
    }
    Some(bit(word_at, word.trailing_zeros()))
}

/// Position of the highest set bit below `at`.
fn next_bit_below(words: &[u64], at: usize) -> Option<usize> {
    let last = at.checked_sub(1)?;
    let mut word_at = last / 64;
    let mut word = words[word_at] & (u64::MAX >> (!last % 64));
    while word == 0 {
        word_at = word_at.checked_sub(1)?;
        word = words[word_at];
    }
    Some(bit(word_at, word.leading_zeros() ^ 63))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_far_apart_are_found_in_price_order() {
        let mut book = Book::default();
        let member = MemberIndex(0);
        let prices = [1_000_000, 5, 700_000, 999_999, 40_000_000, 6, 511, 512].map(Ticks);
        let ids: Vec<_> = prices
            .iter()
            .map(|price| (book.insert(Side::Buy, 0, member, *price, Steps(1)), book.insert(Side::Sell, 0, member, *price, Steps(1))))
            .collect();
        let mut sorted = prices;
        sorted.sort_unstable();
        assert!(book.levels(Side::Sell).map(|(price, _)| price).eq(sorted));
        assert!(book.levels(Side::Buy).map(|(price, _)| price).eq(sorted.into_iter().rev()));
        for (buy, sell) in &ids[..7] {
            book.remove(Side::Buy, buy.0);
            book.remove(Side::Sell, sell.0);
        }
        assert!(book.levels(Side::Sell).eq([(Ticks(512), Steps(1))]));
        assert!(book.levels(Side::Buy).eq([(Ticks(512), Steps(1))]));
    }

    #[test]
    fn a_level_is_a_queue() {
        let mut book = Book::default();
        let ids: Vec<_> = (0..4).map(|tag| book.insert(Side::Sell, tag, MemberIndex(0), Ticks(100), Steps(10)).0).collect();
        book.remove(Side::Sell, ids[1]);
        book.reduce(Side::Sell, ids[0], Steps(4));
        assert!(book.orders(Side::Sell).map(|order| order.tag).eq([0, 2, 3]));
        assert_eq!(book.quantity_at(Side::Sell, Ticks(100)), Steps(26));
        book.remove(Side::Sell, ids[0]);
        assert_eq!(book.best(Side::Sell).map(|(_, order)| order.tag), Some(2));
    }
}
