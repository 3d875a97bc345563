//! Sums over the positions on one side of a price, without visiting each: their total profit at a mark (4.9).

use std::collections::BTreeMap;

use super::formulas::{TickPrice, TickValue};
use crate::exact::Exact;

/// Digits of a price, from the lowest: 16 numbers share a digit.
const BITS: u32 = 4;
/// Enough for every price in ticks, which is below 2^56.
const DIGITS: u32 = 14;
const FITS: &str = "the values of all open positions fit 128 bits: each is below 10^30";

/// Positions summed up: values of a tick, and the same times the entry price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Sum {
    value: i128,
    at_entry: i128,
}

impl Sum {
    fn of(value: TickValue, entry: TickPrice) -> Sum {
        Sum { value: i128::from(value.0), at_entry: value.notional(entry) }
    }

    fn plus(self, other: Sum) -> Sum {
        Sum { value: self.value.plus(other.value, FITS), at_entry: self.at_entry.plus(other.at_entry, FITS) }
    }

    fn less(self, other: Sum) -> Sum {
        Sum { value: self.value.less(other.value, FITS), at_entry: self.at_entry.less(other.at_entry, FITS) }
    }

    /// Profit of this sum's longs at a price; shorts lose it.
    pub(crate) fn rise_to(self, mark: TickPrice) -> i128 {
        self.value.times(mark.signed(), FITS).less(self.at_entry, FITS)
    }
}

/// The sums of all positions of one direction by their entry price: for each digit of it the sums of those that share the digits above. A
/// change or a query touches a few cells per digit, however many positions there are.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Sums {
    cells: BTreeMap<(u32, u64), Sum>,
    all: Sum,
}

impl Sums {
    /// A position is opened.
    pub(crate) fn add(&mut self, value: TickValue, entry: TickPrice) {
        let sum = Sum::of(value, entry);
        self.all = self.all.plus(sum);
        for digit in 0..DIGITS {
            let cell = self.cells.entry((digit, prefix(entry, digit))).or_default();
            *cell = cell.plus(sum);
        }
    }

    /// A position is closed.
    pub(crate) fn remove(&mut self, value: TickValue, entry: TickPrice) {
        let sum = Sum::of(value, entry);
        self.all = self.all.less(sum);
        for digit in 0..DIGITS {
            let key = (digit, prefix(entry, digit));
            if let Some(cell) = self.cells.get_mut(&key) {
                *cell = cell.less(sum);
                if *cell == Sum::default() {
                    self.cells.remove(&key);
                }
            }
        }
    }

    /// All of them.
    pub(crate) fn all(&self) -> Sum {
        self.all
    }

    /// Those that were entered below a price.
    pub(crate) fn below(&self, price: TickPrice) -> Sum {
        let digits = (0..DIGITS).map(|digit| {
            let end = prefix(price, digit);
            // The cells with the same higher digits and a lower last digit.
            let start = end & !15;
            self.cells.range((digit, start)..(digit, end)).fold(Sum::default(), |sum, (_, cell)| sum.plus(*cell))
        });
        digits.fold(Sum::default(), Sum::plus)
    }

    /// Those that were entered above a price.
    pub(crate) fn above(&self, price: TickPrice) -> Sum {
        self.all.less(self.below(TickPrice(price.0.saturating_add(1))))
    }
}

fn prefix(price: TickPrice, digit: u32) -> u64 {
    price.0.checked_shr(digit.saturating_mul(BITS)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_on_either_side_of_a_price_are_those_of_a_scan() {
        let mut sums = Sums::default();
        let mut open: Vec<(TickValue, TickPrice)> = Vec::new();
        let mut step = 7_u64;
        let mut next = |bound: u64| {
            step = step * 48_271 % 2_147_483_647;
            step % bound
        };
        for round in 0..3_000 {
            if round % 3 == 2 {
                let at = usize::try_from(next(u64::try_from(open.len()).unwrap())).unwrap();
                let (value, entry) = open.swap_remove(at);
                sums.remove(value, entry);
            } else {
                let near = if next(2) == 0 { 9_000_000 + next(50) } else { next(10_000_000_000_000_000) };
                let (value, entry) = (TickValue(1 + next(1_000_000)), TickPrice(near));
                open.push((value, entry));
                sums.add(value, entry);
            }
            let mark = if next(2) == 0 { TickPrice(9_000_000 + next(50)) } else { TickPrice(next(10_000_000_000_000_000)) };
            let scan = |keep: &dyn Fn(TickPrice) -> bool| {
                open.iter().filter(|(_, entry)| keep(*entry)).fold(Sum::default(), |sum, (value, entry)| sum.plus(Sum::of(*value, *entry)))
            };
            assert_eq!(sums.below(mark), scan(&|entry| entry < mark));
            assert_eq!(sums.above(mark), scan(&|entry| entry > mark));
            assert_eq!(sums.all(), scan(&|_| true));
        }
        for (value, entry) in open {
            sums.remove(value, entry);
        }
        assert_eq!(sums, Sums::default(), "nothing is kept of what is closed");
    }
}
