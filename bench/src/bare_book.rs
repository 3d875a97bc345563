//! The yardstick: a book that only matches. A flat array of levels, orders in a slab with a queue for each level, order numbers as array
//! indices, a bitmap to find the next best price. No owners, no money, no events but fills.

const NONE: u32 = u32::MAX;

/// One command.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// A limit order; its remainder rests on the book, or is cancelled if `immediate`.
    Place { id: u32, buy: bool, price: u32, steps: u32, immediate: bool },
    /// Removes an order.
    Cancel { id: u32 },
    /// Gives an order a new price, and the last place in that queue.
    Move { id: u32, price: u32 },
}

/// A trade; every book must report the same ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    pub taker: u32,
    pub maker: u32,
    pub price: u32,
    pub steps: u32,
}

#[derive(Clone, Copy)]
struct Order {
    steps: u32,
    price: u32,
    previous: u32,
    next: u32,
    buy: bool,
    live: bool,
}

#[derive(Clone, Copy)]
struct Level {
    first: u32,
    last: u32,
}

/// Prices are level numbers, `0..levels`.
pub struct BareBook {
    orders: Vec<Order>,
    sides: [Side; 2],
}

struct Side {
    levels: Vec<Level>,
    used: Vec<u64>,
    best: u32,
}

impl BareBook {
    pub fn new(levels: u32) -> BareBook {
        let side = || Side {
            levels: vec![Level { first: NONE, last: NONE }; levels as usize],
            used: vec![0; levels.div_ceil(64) as usize],
            best: NONE,
        };
        BareBook { orders: Vec::new(), sides: [side(), side()] }
    }

    /// Reserves room for this many order numbers, so nothing grows while time is measured.
    pub fn reserve(&mut self, orders: usize) {
        self.orders.reserve(orders);
    }

    pub fn is_live(&self, id: u32) -> bool {
        self.orders[id as usize].live
    }

    pub fn left(&self, id: u32) -> u32 {
        self.orders[id as usize].steps
    }

    pub fn best(&self, buy: bool) -> Option<u32> {
        let best = self.sides[usize::from(buy)].best;
        (best != NONE).then_some(best)
    }

    pub fn quantity_at(&self, buy: bool, price: u32) -> u32 {
        let mut id = self.sides[usize::from(buy)].levels[price as usize].first;
        let mut sum = 0;
        while id != NONE {
            sum += self.orders[id as usize].steps;
            id = self.orders[id as usize].next;
        }
        sum
    }

    pub fn apply(&mut self, op: Op, fills: &mut Vec<Fill>) {
        match op {
            Op::Place { id, buy, price, steps, immediate } => {
                self.orders.push(Order { steps, price, previous: NONE, next: NONE, buy, live: false });
                self.enter(id, !immediate, fills);
            }
            Op::Cancel { id } => {
                if self.orders[id as usize].live {
                    self.unlink(id);
                }
            }
            Op::Move { id, price } => {
                if self.orders[id as usize].live {
                    self.unlink(id);
                    self.orders[id as usize].price = price;
                    self.enter(id, true, fills);
                }
            }
        }
    }

    fn enter(&mut self, id: u32, rests: bool, fills: &mut Vec<Fill>) {
        let Order { buy, price, mut steps, .. } = self.orders[id as usize];
        while steps > 0 {
            let best = self.sides[usize::from(!buy)].best;
            if best == NONE || (buy && best > price) || (!buy && best < price) {
                break;
            }
            let maker = self.sides[usize::from(!buy)].levels[best as usize].first;
            let filled = steps.min(self.orders[maker as usize].steps);
            steps -= filled;
            self.orders[maker as usize].steps -= filled;
            fills.push(Fill { taker: id, maker, price: best, steps: filled });
            if self.orders[maker as usize].steps == 0 {
                self.unlink(maker);
            }
        }
        self.orders[id as usize].steps = steps;
        if steps > 0 && rests {
            self.link(id);
        }
    }

    fn link(&mut self, id: u32) {
        let Order { buy, price, .. } = self.orders[id as usize];
        let side = &mut self.sides[usize::from(buy)];
        let level = &mut side.levels[price as usize];
        let last = std::mem::replace(&mut level.last, id);
        if last == NONE {
            level.first = id;
            side.used[price as usize / 64] |= 1 << (price % 64);
            let better = side.best == NONE || if buy { price > side.best } else { price < side.best };
            if better {
                side.best = price;
            }
        } else {
            self.orders[last as usize].next = id;
        }
        let order = &mut self.orders[id as usize];
        (order.previous, order.next, order.live) = (last, NONE, true);
    }

    fn unlink(&mut self, id: u32) {
        let Order { buy, price, previous, next, .. } = self.orders[id as usize];
        self.orders[id as usize].live = false;
        if previous != NONE {
            self.orders[previous as usize].next = next;
        }
        if next != NONE {
            self.orders[next as usize].previous = previous;
        }
        let side = &mut self.sides[usize::from(buy)];
        let level = &mut side.levels[price as usize];
        if level.first == id {
            level.first = next;
        }
        if level.last == id {
            level.last = previous;
        }
        if level.first == NONE {
            side.used[price as usize / 64] &= !(1 << (price % 64));
            if side.best == price {
                side.best = side.next_best(buy, price);
            }
        }
    }
}

impl Side {
    fn next_best(&self, buy: bool, from: u32) -> u32 {
        let at = from as usize / 64;
        if buy {
            let word = self.used[at] & ((1u64 << (from % 64)) - 1);
            let found = if word != 0 { Some((at, word)) } else { (0..at).rev().map(|at| (at, self.used[at])).find(|(_, word)| *word != 0) };
            found.map_or(NONE, |(at, word)| at as u32 * 64 + 63 - word.leading_zeros())
        } else {
            let word = self.used[at] & !((2u64 << (from % 64)).wrapping_sub(1));
            let found = if word != 0 {
                Some((at, word))
            } else {
                (at + 1..self.used.len()).map(|at| (at, self.used[at])).find(|(_, word)| *word != 0)
            };
            found.map_or(NONE, |(at, word)| at as u32 * 64 + word.trailing_zeros())
        }
    }
}
