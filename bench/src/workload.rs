//! Order flow for the book: one pair, about 1,000 live orders on 768 levels, generated before time is measured.

use crate::bare_book::{BareBook, Fill, Op};

/// Price levels in use.
pub const LEVELS: u32 = 768;
/// Fewest steps of an order: 5 USDT, the smallest value of the pair.
const MIN_STEPS: u32 = 5;
/// Target number of live orders.
pub const LIVE: usize = 1_000;

/// Shares of the commands in percent; the rest of a mix are orders that trade at once.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    pub name: &'static str,
    place: u32,
    immediate: u32,
    cancel: u32,
    reprice: u32,
}

/// 82 % moves, as in exchange-core's generator.
pub const MIX_A: Mix = Mix { name: "a (82 % move)", place: 9, immediate: 3, cancel: 6, reprice: 82 };
/// Half orders, 40 % cancels, 10 % orders that trade.
pub const MIX_B: Mix = Mix { name: "b (place and cancel)", place: 50, immediate: 0, cancel: 40, reprice: 0 };

/// Sides never change and belong to different members, so no order meets one of its own.
pub struct Workload {
    pub warm_up: Vec<Op>,
    pub timed: Vec<Op>,
}

struct Generator {
    random: fastrand::Rng,
    book: BareBook,
    live: Vec<u32>,
    sides: Vec<bool>,
    fills: Vec<Fill>,
}

/// Generates a workload; the same seed gives the same commands.
pub fn generate(mix: Mix, seed: u64, timed: usize) -> Workload {
    let mut generator = Generator {
        random: fastrand::Rng::with_seed(seed),
        book: BareBook::new(LEVELS),
        live: Vec::new(),
        sides: Vec::new(),
        fills: Vec::new(),
    };
    let warm_up = (0..LIVE).map(|_| generator.place(false)).collect();
    let timed = (0..timed).map(|_| generator.next(mix)).collect();
    Workload { warm_up, timed }
}

impl Generator {
    fn next(&mut self, mix: Mix) -> Op {
        let drawn = self.random.u32(0..100);
        let few = self.live.len() < LIVE * 9 / 10;
        let many = self.live.len() > LIVE * 11 / 10;
        if few || (drawn < mix.place && !many) {
            return self.place(false);
        }
        if many || drawn < mix.place + mix.cancel {
            return self.cancel();
        }
        if drawn < mix.place + mix.cancel + mix.reprice {
            return self.reprice();
        }
        if mix.immediate > 0 { self.immediate() } else { self.place(true) }
    }

    /// A price that is mostly near the middle, on its own side or across.
    fn price(&mut self, buy: bool, crossing: bool) -> u32 {
        let offset = (self.random.u32(1..=LEVELS / 2 - 1)).min(self.random.u32(1..=LEVELS / 2 - 1));
        let middle = LEVELS / 2;
        let below = buy != crossing;
        if below { middle - offset } else { middle + offset }
    }

    fn place(&mut self, crossing: bool) -> Op {
        let buy = self.random.bool();
        let price = if crossing { self.touch(buy) } else { self.price(buy, false) };
        let steps = self.random.u32(MIN_STEPS..100);
        self.apply(Op::Place { id: self.sides.len() as u32, buy, price, steps, immediate: false })
    }

    /// The best opposite price, at which the order trades.
    fn touch(&mut self, buy: bool) -> u32 {
        let best = self.book.best(!buy);
        best.unwrap_or_else(|| self.price(buy, true))
    }

    fn immediate(&mut self) -> Op {
        let buy = self.random.bool();
        let price = self.touch(buy);
        let fillable = self.book.quantity_at(!buy, price).max(MIN_STEPS);
        let steps = self.random.u32(MIN_STEPS..100).min(fillable);
        self.apply(Op::Place { id: self.sides.len() as u32, buy, price, steps, immediate: true })
    }

    fn cancel(&mut self) -> Op {
        let at = self.random.usize(0..self.live.len());
        let id = self.live[at];
        self.apply(Op::Cancel { id })
    }

    fn reprice(&mut self) -> Op {
        let at = self.random.usize(0..self.live.len());
        let id = self.live[at];
        if self.book.left(id) < MIN_STEPS {
            return self.apply(Op::Cancel { id });
        }
        // One move in 25 crosses the middle and may trade.
        let crossing = self.random.u32(0..25) == 0;
        let price = if crossing { self.touch(self.sides[id as usize]) } else { self.price(self.sides[id as usize], false) };
        self.apply(Op::Move { id, price })
    }

    fn apply(&mut self, op: Op) -> Op {
        if let Op::Place { id, buy, .. } = op {
            self.sides.push(buy);
            self.live.push(id);
        }
        self.fills.clear();
        self.book.apply(op, &mut self.fills);
        let book = &self.book;
        let touched = |id: u32| match op {
            Op::Place { id: own, .. } | Op::Cancel { id: own } | Op::Move { id: own, .. } => own == id,
        };
        let fills = &self.fills;
        if fills.is_empty() && !matches!(op, Op::Cancel { .. } | Op::Place { immediate: true, .. }) {
            return op;
        }
        self.live.retain(|id| !(touched(*id) || fills.iter().any(|fill| fill.maker == *id)) || book.is_live(*id));
        op
    }
}
