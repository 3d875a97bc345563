//! Terms of contracts by the rules (4.1).

use engine::amount::{Price, Rate};
use engine::contracts::terms::{Terms, Tier};
use engine::ids::MarketId;

use super::{ONE, TICKS, USDT, rate};
use crate::oracle::{AMOUNT_LIMIT, COINS, Oracle, PAIRS, Refusal, need};

/// The tier of a notional: largest multiple, maintenance rate, deduction.
pub(super) fn tier(terms: &Terms, notional: i128) -> Option<(i128, i128, i128)> {
    let (mut deduction, mut before) = (0, (0, rate(terms.tiers[0].maintenance)));
    for tier in &terms.tiers {
        deduction += before.0 * (rate(tier.maintenance) - before.1) / ONE;
        before = (i128::from(tier.bound), rate(tier.maintenance));
        if notional <= before.0 {
            return Some((i128::from(tier.max_multiple), before.1, deduction));
        }
    }
    None
}

impl Oracle {
    /// From here on contracts are offered, with the terms of the rules' table (4.1).
    pub(in crate::oracle) fn begin_contracts(&mut self) {
        let tier =
            |bound: u64, max_multiple, maintenance| Tier { bound: bound * 1_000_000_000, max_multiple, maintenance: Rate(maintenance) };
        for (pair, lot) in [(1, 100_000), (2, 1_000_000)] {
            let terms = Terms {
                market: MarketId(pair),
                lot,
                tick: Price(1_000_000),
                multiples: vec![1, 2, 5, 10, 20, 25, 50],
                fee: Rate(50_000),
                spread: Rate(10_000),
                liquidation_fee: Rate(300_000),
                overnight: Rate(30_000),
                cap_roi: 10,
                max_lots: 100_000,
                tiers: vec![tier(50, 50, 500_000), tier(250, 25, 1_000_000), tier(1_000, 10, 2_000_000)],
            };
            self.contracts.terms.insert(pair, terms);
        }
        self.begin_pool_day();
    }

    /// The guards of changed terms (4.1).
    pub(in crate::oracle) fn check_terms(&self, terms: &Terms) -> Result<(), Refusal> {
        need(!self.contracts.terms.is_empty(), "E_STATE")?;
        let pair = terms.market.0;
        need(!self.world.retired.contains(&pair) && !self.is_retiring_now(pair) && (1..=6).contains(&pair), "E_MARKET")?;
        let in_usdt = PAIRS.iter().any(|known| known.id == pair && known.quote == USDT);
        let whole = self.whole_value(terms, 1).is_some() && i128::from(terms.lot) < AMOUNT_LIMIT;
        let on_tick = i128::from(terms.tick.0) == TICKS[pair as usize - 1];
        let rising = terms.multiples.windows(2).all(|two| two[0] < two[1]) && terms.multiples.first().is_some_and(|least| *least > 0);
        let rates = [terms.fee, terms.spread, terms.liquidation_fee, terms.overnight].into_iter().all(|one| rate(one) < ONE);
        let steps = terms.tiers.windows(2).all(|two| {
            two[0].bound < two[1].bound && two[0].max_multiple >= two[1].max_multiple && two[0].maintenance <= two[1].maintenance
        });
        let away = |tier: &Tier| rate(tier.maintenance) + rate(terms.liquidation_fee) + 2 * rate(terms.spread);
        let wide = terms.tiers.iter().all(|tier| {
            let bounded = tier.bound > 0 && i128::from(tier.bound) < AMOUNT_LIMIT && tier.max_multiple > 0;
            bounded && away(tier) * i128::from(tier.max_multiple) < ONE
        });
        let some = !terms.tiers.is_empty() && terms.max_lots > 0 && terms.cap_roi > 0;
        need(in_usdt && whole && on_tick && rising && rates && steps && wide && some, "E_CATALOG")
    }

    pub(in crate::oracle) fn set_terms(&mut self, terms: &Terms) {
        self.contracts.terms.insert(terms.market.0, terms.clone());
    }

    /// Atoms of this many lots at one tick; `None` if that is not a whole number.
    pub(super) fn whole_value(&self, terms: &Terms, lots: u64) -> Option<i128> {
        let pair = PAIRS.iter().find(|known| known.id == terms.market.0)?;
        let scale = |coin: u32| COINS.iter().find(|(number, _)| *number == coin).map_or(0, |(_, scale)| *scale);
        let scaled = i128::from(terms.lot) * i128::from(terms.tick.0) * 10_i128.pow(scale(pair.quote));
        let by = 10_i128.pow(scale(pair.base) + 8);
        (scaled > 0 && scaled % by == 0).then(|| scaled / by * i128::from(lots))
    }
}
