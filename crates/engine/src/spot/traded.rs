//! What the trades of a pair without an index say of its price, so that no run of small trades moves it at once (S-5, W-5).

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::amount::{Amount, MAX_PRICE, PRICE_SCALE, Price, power};
use crate::time::{HOUR_MS, MINUTE_MS, Time};
use crate::units::Scales;

/// The mean counts the hour of the last trade and those before it, so many together.
const HOURS: u64 = 24;

/// Trades since [`crate::feature::Feature::RiskBounds`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TradedPrices {
    /// The minute of the last trade.
    minute: u64,
    /// The last trade before that minute.
    before: Option<Price>,
    /// Oldest first.
    hours: VecDeque<TradedHour>,
}

/// What was traded in an hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct TradedHour {
    hour: u64,
    quantity: u128,
    value: u128,
}

impl TradedPrices {
    /// A trade. `last` is the price of the one before it.
    pub(super) fn note(&mut self, now: Time, last: Option<Price>, quantity: Amount, value: Amount) {
        let (minute, hour) = (now.0 / MINUTE_MS, now.0 / HOUR_MS);
        if self.minute < minute {
            (self.minute, self.before) = (minute, last);
        }
        if self.hours.back().is_none_or(|traded| traded.hour < hour) {
            self.hours.push_back(TradedHour { hour, quantity: 0, value: 0 });
            self.hours.retain(|traded| hour.saturating_sub(traded.hour) < HOURS);
        }
        if let Some(traded) = self.hours.back_mut() {
            traded.quantity = traded.quantity.saturating_add(u128::from(quantity));
            traded.value = traded.value.saturating_add(u128::from(value));
        }
    }

    /// The last trade of the last full minute; `last` is the last of all.
    pub(super) fn settled(&self, now: Time, last: Option<Price>) -> Option<Price> {
        if self.minute < now.0 / MINUTE_MS { last } else { self.before }
    }

    /// The mean price by quantity of the last 24 hours of trading, rounded up; `None` without a trade.
    pub(super) fn mean(&self, scales: Scales) -> Option<Price> {
        let sum = |of: fn(&TradedHour) -> u128| self.hours.iter().map(of).fold(0, u128::saturating_add);
        let (quantity, value) = (sum(|traded| traded.quantity), sum(|traded| traded.value));
        let above = value.checked_mul(power(scales.base.saturating_add(PRICE_SCALE)).get())?;
        let below = quantity.checked_mul(power(scales.quote).get())?;
        let mean = above.checked_add(below.checked_sub(1)?)?.checked_div(below)?;
        u64::try_from(mean).ok().map(Price).filter(|mean| *mean < MAX_PRICE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALES: Scales = Scales { base: 8, quote: 6 };
    const FIVE: Amount = 5_000_000;

    /// Buys for 5 USDT at a price in 10^-4 USDT, in a minute.
    fn bought(traded: &mut TradedPrices, last: &mut Option<Price>, minute: u64, price: u64) {
        traded.note(Time(minute * MINUTE_MS), *last, FIVE * 1_000_000 / price, FIVE);
        *last = Some(Price(price * 10_000));
    }

    #[test]
    fn the_price_of_a_minute_counts_once_the_minute_is_over() {
        let (mut traded, mut last) = (TradedPrices::default(), None);
        let settled = |traded: &TradedPrices, last, ms| traded.settled(Time(100 * MINUTE_MS + ms), last);
        assert_eq!(settled(&traded, None, 0), None);
        for price in [5_000, 5_200, 5_400] {
            bought(&mut traded, &mut last, 100, price);
            assert_eq!(settled(&traded, last, 59_999), None, "{price}");
        }
        assert_eq!(settled(&traded, last, 60_000), Some(Price(54_000_000)));
        bought(&mut traded, &mut last, 101, 5_600);
        assert_eq!(settled(&traded, last, 119_999), Some(Price(54_000_000)));
        assert_eq!(settled(&traded, last, 3_600_000), Some(Price(56_000_000)));
    }

    #[test]
    fn the_mean_weighs_by_quantity_and_forgets_after_a_day_of_trading() {
        let (mut traded, mut last) = (TradedPrices::default(), None);
        assert_eq!(traded.mean(SCALES), None);
        bought(&mut traded, &mut last, 0, 5000);
        bought(&mut traded, &mut last, 1, 10000);
        // 10 USDT for 15 coins, rounded up.
        assert_eq!(traded.mean(SCALES), Some(Price(66_666_667)));
        bought(&mut traded, &mut last, 23 * 60, 10000);
        assert_eq!(traded.mean(SCALES), Some(Price(75_000_000)));
        bought(&mut traded, &mut last, 24 * 60, 10000);
        assert_eq!(traded.mean(SCALES), Some(Price(100_000_000)), "the first hour is a day ago");
        // What was traded long ago still counts as long as nothing else was.
        assert_eq!(traded.settled(Time(1_000 * HOUR_MS), last), Some(Price(100_000_000)));
    }

    #[test]
    fn many_small_trades_move_the_mean_little() {
        let (mut traded, mut last, mut price) = (TradedPrices::default(), None, 5_000);
        for minute in 0..189 {
            bought(&mut traded, &mut last, minute, price);
            price = price * 105 / 100;
        }
        assert!(last > Some(Price(400_000_000_000)), "{last:?}");
        assert!(traded.mean(SCALES) < Some(Price(500_000_000)), "{:?}", traded.mean(SCALES));
    }
}
