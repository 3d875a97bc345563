//! The terms of a contract market, for positions opened later (4.1). An open object keeps the terms of its own opening (I-11).

use serde::{Deserialize, Serialize};

use super::formulas::{Requirement, TickPrice, TickValue, WITHIN, floor, is_share};
use crate::amount::{Amount, MAX_AMOUNT, MAX_PRICE, Price, RATE_ONE, Rate};
use crate::exact::Exact;
use crate::ids::MarketId;
use crate::reject::Reject;
use crate::time::DAY_MS;
use crate::units::{Base, Scales};

/// A waiting order expires this long after it was placed, ms (4.2).
pub const WAITING_MS: u64 = 30 * DAY_MS;
/// Open positions a member may have (4.1).
pub const MAX_POSITIONS: u32 = 50;
/// Waiting orders a member may have (4.1).
pub const MAX_WAITING: u32 = 50;
/// Positions are closed to save the pool when profits exceed this share of it (4.9).
pub const DELEVERAGE_ABOVE: Rate = Rate(80_000_000);
/// And until open winnings are at most this share (4.9).
pub const DELEVERAGE_TO: Rate = Rate(60_000_000);
/// Most tiers and most multiples of one market.
const MOST_ROWS: usize = 50;

/// A step of the maintenance rate by the notional at opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tier {
    /// Largest notional, quote atoms.
    pub bound: Amount,
    /// Largest multiple.
    pub max_multiple: u32,
    /// Maintenance rate.
    pub maintenance: Rate,
}

/// Terms of one contract market.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The pair whose index is the mark.
    pub market: MarketId,
    /// One lot, base atoms.
    pub lot: Amount,
    /// Price step: that of the index.
    pub tick: Price,
    /// Multiples on offer, ascending.
    pub multiples: Vec<u32>,
    /// Fee of opening and closing.
    pub fee: Rate,
    /// Distance of the execution price from the mark.
    pub spread: Rate,
    /// Fee of a liquidation.
    pub liquidation_fee: Rate,
    /// Fee of each 00:00 UTC.
    pub overnight: Rate,
    /// Profit cap as a multiple of the initial margin.
    pub cap_roi: u32,
    /// Largest number of lots of an order.
    pub max_lots: u64,
    /// Tiers by notional at opening, rising.
    pub tiers: Vec<Tier>,
}

/// Why terms are not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermsFault {
    /// One lot at one tick is no whole number of quote atoms (U-1).
    Lot,
    /// No lots, or so many that a notional would not fit.
    MaxLots,
    /// Multiples that do not rise, or none; a cap of nothing.
    Multiples,
    /// A rate of a whole or more.
    Rates,
    /// Bounds that do not rise, multiples that do, or one that is liquidated at once (4.1).
    Tiers,
}

impl Terms {
    /// What is wrong with these terms, if anything; `scales` are those of the pair's coins.
    pub fn fault(&self, scales: Scales) -> Option<TermsFault> {
        let unit = Base(self.lot).value_exact(self.tick, scales).filter(|unit| unit.0 > 0);
        let Some(unit) = unit.filter(|_| self.lot < MAX_AMOUNT && self.tick.in_bounds()) else {
            return Some(TermsFault::Lot);
        };
        let largest = self.max_lots.checked_mul(unit.0).map(i128::from);
        let ticks = i128::from(MAX_PRICE.0.checked_div(self.tick.0).unwrap_or(0));
        if self.max_lots == 0 || largest.and_then(|value| value.checked_mul(ticks)).is_none_or(|notional| notional > WITHIN) {
            return Some(TermsFault::MaxLots);
        }
        let rising = self.multiples.is_sorted_by(|one, next| one < next);
        if !rising || self.multiples.first().is_none_or(|least| *least == 0) || self.multiples.len() > MOST_ROWS || self.cap_roi == 0 {
            return Some(TermsFault::Multiples);
        }
        if ![self.fee, self.spread, self.liquidation_fee, self.overnight].into_iter().all(is_share) {
            return Some(TermsFault::Rates);
        }
        self.tier_fault()
    }

    fn tier_fault(&self) -> Option<TermsFault> {
        let sorted = self.tiers.is_sorted_by(|one, next| {
            one.bound < next.bound && one.max_multiple >= next.max_multiple && one.maintenance <= next.maintenance
        });
        let bounded = self.tiers.iter().all(|tier| tier.bound > 0 && tier.bound < MAX_AMOUNT && tier.max_multiple > 0);
        if self.tiers.is_empty() || self.tiers.len() > MOST_ROWS || !sorted || !bounded {
            return Some(TermsFault::Tiers);
        }
        // 1 / multiple > maintenance + liquidation fee + 2 * spread (4.1).
        let narrow = self.tiers.iter().any(|tier| {
            let away = u128::from(tier.maintenance.0)
                .saturating_add(u128::from(self.liquidation_fee.0))
                .saturating_add(u128::from(self.spread.0).saturating_mul(2));
            away.saturating_mul(u128::from(tier.max_multiple)) >= u128::from(RATE_ONE)
        });
        narrow.then_some(TermsFault::Tiers)
    }

    /// Quote atoms of one lot at one tick, `kv`; `None` if not a whole number.
    pub fn unit(&self, scales: Scales) -> Option<Amount> {
        Base(self.lot).value_exact(self.tick, scales).map(|unit| unit.0)
    }

    /// Quote atoms of this many lots at one tick, `V`.
    ///
    /// # Errors
    /// [`Reject::Overflow`] when that does not fit.
    pub fn tick_value(&self, lots: u64, scales: Scales) -> Result<TickValue, Reject> {
        self.unit(scales).and_then(|unit| unit.checked_mul(lots)).map(TickValue).ok_or(Reject::Overflow)
    }

    /// The tier of a notional at opening with its deduction; `None` above the last.
    pub fn tier(&self, notional: i128) -> Option<(Tier, Requirement)> {
        let (mut deduction, mut before) = (0_i128, None);
        for tier in &self.tiers {
            let (bound, rate) = before.unwrap_or((0, tier.maintenance));
            let step = i128::from(tier.maintenance.0).less(i128::from(rate.0), RISING);
            deduction = deduction.plus(floor(i128::from(bound).times(step, RISING), i128::from(RATE_ONE)), RISING);
            if notional <= i128::from(tier.bound) {
                let deduction = Amount::try_from(deduction).expect(RISING);
                let required = Requirement { maintenance: tier.maintenance, liquidation_fee: self.liquidation_fee, deduction };
                return Some((*tier, required));
            }
            before = Some((tier.bound, tier.maintenance));
        }
        None
    }

    /// Largest notional of a position.
    pub fn max_notional(&self) -> Amount {
        self.tiers.last().map_or(0, |tier| tier.bound)
    }

    /// A price in ticks; `None` off the tick.
    pub fn ticks(&self, price: Price) -> Option<TickPrice> {
        let ticks = price.0.checked_div(self.tick.0)?;
        price.lies_on(self.tick).then_some(TickPrice(ticks))
    }

    /// The terms of BTC/USDT and ETH/USDT in a new data directory (4.1).
    pub fn standard() -> Vec<Terms> {
        let tier = |bound, max_multiple, maintenance| Tier { bound, max_multiple, maintenance: Rate(maintenance) };
        let terms = |market, lot| Terms {
            market: MarketId(market),
            lot,
            tick: Price(1_000_000),
            multiples: vec![1, 2, 5, 10, 20, 25, 50],
            fee: Rate(50_000),
            spread: Rate(10_000),
            liquidation_fee: Rate(300_000),
            overnight: Rate(30_000),
            cap_roi: 10,
            max_lots: 100_000,
            tiers: vec![tier(50_000_000_000, 50, 500_000), tier(250_000_000_000, 25, 1_000_000), tier(1_000_000_000_000, 10, 2_000_000)],
        };
        vec![terms(1, 100_000), terms(2, 1_000_000)]
    }
}

const RISING: &str = "maintenance rates rise with the tiers, and bounds are below 10^18";

#[cfg(test)]
mod tests {
    use super::*;

    const SCALES: Scales = Scales { base: 8, quote: 6 };

    #[test]
    fn the_standard_terms_are_allowed_and_never_change() {
        let all = Terms::standard();
        assert!(all.iter().all(|terms| terms.fault(SCALES).is_none()));
        assert_eq!(all.iter().map(|terms| terms.unit(SCALES)).collect::<Vec<_>>(), [Some(10), Some(100)]);
        let bytes = postcard::to_allocvec(&all).unwrap();
        let digest = <sha2::Sha256 as sha2::Digest>::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(digest, STANDARD, "an entry of old logs would mean something else");
    }

    const STANDARD: &str = "d48ab6404f08f920687fc354c10ae64f09682e1c81cac31ed24645211390d26b";

    #[test]
    fn terms_that_would_round_overflow_or_liquidate_at_once_are_refused() {
        let like = || Terms::standard().swap_remove(0);
        let tiers = |change: &dyn Fn(&mut Vec<Tier>)| {
            let mut terms = like();
            change(&mut terms.tiers);
            terms
        };
        let refused = [
            (Terms { lot: 1_001, ..like() }, TermsFault::Lot),
            (Terms { lot: MAX_AMOUNT, ..like() }, TermsFault::Lot),
            (Terms { max_lots: 0, ..like() }, TermsFault::MaxLots),
            (Terms { max_lots: u64::MAX, ..like() }, TermsFault::MaxLots),
            (Terms { multiples: vec![1, 5, 5], ..like() }, TermsFault::Multiples),
            (Terms { multiples: vec![0, 5], ..like() }, TermsFault::Multiples),
            (Terms { multiples: Vec::new(), ..like() }, TermsFault::Multiples),
            (Terms { cap_roi: 0, ..like() }, TermsFault::Multiples),
            (Terms { fee: Rate(RATE_ONE), ..like() }, TermsFault::Rates),
            (Terms { spread: Rate(600_000), ..like() }, TermsFault::Tiers),
            (Terms { tiers: Vec::new(), ..like() }, TermsFault::Tiers),
            (tiers(&|tiers| tiers.swap(0, 1)), TermsFault::Tiers),
            (tiers(&|tiers| tiers[2].max_multiple = 26), TermsFault::Tiers),
            (tiers(&|tiers| tiers[2].maintenance = Rate(1)), TermsFault::Tiers),
            (tiers(&|tiers| tiers[2].bound = MAX_AMOUNT), TermsFault::Tiers),
        ];
        for (terms, fault) in refused {
            assert_eq!(terms.fault(SCALES), Some(fault), "{terms:?}");
        }
        // 2 % exceeds 1 % plus the spread of both directions by one rate unit.
        assert_eq!(Terms { spread: Rate(599_999), ..like() }.fault(SCALES), None);
    }

    #[test]
    fn deductions_join_the_tiers() {
        let terms = Terms::standard().swap_remove(0);
        let deduction = |notional| terms.tier(notional).map(|(tier, required)| (tier.max_multiple, required.deduction));
        assert_eq!(deduction(50_000_000_000), Some((50, 0)));
        assert_eq!(deduction(50_000_000_001), Some((25, 250_000_000)));
        assert_eq!(deduction(1_000_000_000_000), Some((10, 2_750_000_000)));
        assert_eq!(deduction(1_000_000_000_001), None);
    }
}
