//! A conversion and the quote before it: their fields and their amounts.

use serde::{Deserialize, Serialize};

use super::terms::ConversionTerms;
use crate::amount::{Amount, MAX_AMOUNT, Price, RATE_ONE, Rate, power};
use crate::ids::{AssetId, ConversionId, QuoteId, UserId};
use crate::reject::Reject;
use crate::time::Time;
use crate::units::{Base, Scales, product, rate_divisor, rate_up};

/// A quote was void when the cross rate had moved by more than this, up or down, whatever its terms were (F-4).
pub const MOVED_BEFORE: Rate = Rate(1_000_000);

/// What a member wants to convert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Convert {
    /// The member.
    pub user: UserId,
    /// Coin sold.
    pub from: AssetId,
    /// Coin bought.
    pub to: AssetId,
    /// Atoms sold.
    pub amount: Amount,
}

/// A coin as a conversion sees it: its price in the coin of the bank terms, and its decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priced {
    /// Index price.
    pub price: Price,
    /// Decimals.
    pub scale: u8,
}

/// The amounts of a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deal {
    /// Coin sold.
    pub from: AssetId,
    /// Coin bought.
    pub to: AssetId,
    /// Atoms sold.
    pub amount: Amount,
    /// Their value, rounded down, atoms of the coin of the bank terms.
    pub value: Amount,
    /// Atoms bought, before the fee.
    pub gross: Amount,
    /// Fee, atoms of the coin bought.
    pub fee: Amount,
    /// Index price of the sold coin.
    pub from_price: Price,
    /// Index price of the bought coin.
    pub to_price: Price,
}

impl Deal {
    /// F-2, with the refusals of the amounts in their order. `bank_scale`: decimals of the coin of the bank terms.
    ///
    /// # Errors
    /// [`Reject::ConversionMin`], [`Reject::ConversionMax`]; [`Reject::BadAmount`] when nothing is left, [`Reject::Overflow`] when the
    /// result is not an amount.
    pub fn of(wanted: &Convert, from: Priced, to: Priced, bank_scale: u8, terms: &ConversionTerms) -> Result<Deal, Reject> {
        let Convert { amount, .. } = *wanted;
        // A value that does not fit an amount is above every maximum.
        let value =
            Base(amount).value_floor(from.price, Scales { base: from.scale, quote: bank_scale }).map_or(MAX_AMOUNT, |value| value.0);
        if value < terms.min {
            return Err(Reject::ConversionMin { min: terms.min });
        }
        if value > terms.max {
            return Err(Reject::ConversionMax { max: terms.max });
        }
        let gross = gross(amount, from, to, terms).ok_or(Reject::Overflow)?;
        let fee = rate_up(gross, terms.fee).ok_or(Reject::Overflow)?;
        if gross <= fee {
            return Err(Reject::BadAmount);
        }
        Ok(Deal { from: wanted.from, to: wanted.to, amount, value, gross, fee, from_price: from.price, to_price: to.price })
    }

    /// What the member receives.
    pub fn net(&self) -> Amount {
        self.gross.saturating_sub(self.fee)
    }

    /// F-4: the cross rate of these prices is further from that of the deal than this share of it.
    pub fn has_moved(&self, from: Price, to: Price, most: Rate) -> bool {
        let (now, then) = (product(from.0, self.to_price.0), product(self.from_price.0, to.0));
        now.abs_diff(then) > share_of(then, most)
    }
}

/// A share, rounded down. Prices are below 10^16, so their product times a rate could overflow; its part above 10^8 is multiplied alone.
fn share_of(rates: u128, rate: Rate) -> u128 {
    let (one, rate) = (rate_divisor(), u128::from(rate.0));
    let (whole, rest) = (rates / one, rates % one);
    whole.saturating_mul(rate).saturating_add(rest.saturating_mul(rate) / one)
}

/// One division (F-2), rounded down. The common decimals of both coins are cancelled first; otherwise an intermediate value could overflow.
fn gross(amount: Amount, from: Priced, to: Priced, terms: &ConversionTerms) -> Option<Amount> {
    let common = from.scale.min(to.scale);
    let [up, down] = [to.scale, from.scale].map(|scale| power(scale.saturating_sub(common)).get());
    let kept = u128::from(RATE_ONE.saturating_sub(terms.spread.0));
    let above = product(amount, from.price.0).checked_mul(kept)?.checked_mul(up)?;
    let below = product(to.price.0, RATE_ONE).checked_mul(down)?;
    u64::try_from(above.checked_div(below)?).ok().filter(|gross| *gross < MAX_AMOUNT)
}

/// A firm quote: it holds and reserves nothing, and is valid for one conversion until it expires (F-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirmQuote {
    /// Number: the sequence of the entry that asked for it.
    pub id: QuoteId,
    /// The member.
    pub user: UserId,
    /// What accepting it executes.
    pub deal: Deal,
    /// The terms it was made under (I-11).
    pub terms: ConversionTerms,
    /// The last instant at which it may be accepted.
    pub expires: Time,
    /// It was accepted.
    pub used: bool,
}

impl FirmQuote {
    /// The requested conversion.
    pub(crate) fn wanted(&self) -> Convert {
        Convert { user: self.user, from: self.deal.from, to: self.deal.to, amount: self.deal.amount }
    }
}

/// A conversion that was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversion {
    /// Number: the sequence of its entry.
    pub id: ConversionId,
    /// The member.
    pub user: UserId,
    /// The quote that was accepted; `None` for one in a single step (F-6).
    pub quote: Option<QuoteId>,
    /// The executed deal.
    pub deal: Deal,
    /// When.
    pub time: Time,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amount::{MAX_PRICE, pow10};

    const NONE: ConversionTerms =
        ConversionTerms { spread: Rate(0), fee: Rate(0), min: 1, max: MAX_AMOUNT - 1, day: MAX_AMOUNT - 1, life_ms: 1 };

    fn deal(amount: Amount, from: Priced, to: Priced, terms: &ConversionTerms) -> Result<Deal, Reject> {
        let wanted = Convert { user: UserId(1), from: AssetId(1), to: AssetId(2), amount };
        Deal::of(&wanted, from, to, 6, terms)
    }

    /// Prices, scales and amounts over their whole ranges, by steps of a full cycle modulo a prime.
    fn cases() -> impl Iterator<Item = (Amount, Priced, Priced)> {
        let mut step: u64 = 1;
        let mut next = move |below: u64| {
            step = step * 48_271 % 2_147_483_647;
            let low = step;
            step = step * 48_271 % 2_147_483_647;
            (low << 31 | step) % below
        };
        (0..20_000).map(move |_| {
            let mut digits = |most: u64| {
                let length = 1 + u32::try_from(next(most)).unwrap();
                next(10_u64.pow(length))
            };
            let (amount, prices) = (digits(18).max(1), [digits(16), digits(16)]);
            let scales = [digits(18), digits(18)].map(|number| u8::try_from(number % 9).unwrap());
            let priced = |at: usize| Priced { price: Price(prices[at].clamp(1, MAX_PRICE.0 - 1)), scale: scales[at] };
            (amount, priced(0), priced(1))
        })
    }

    #[test]
    fn a_round_trip_never_gains_even_without_spread_and_fee() {
        let mut there_and_back = 0;
        for (amount, from, to) in cases() {
            let Ok(there) = deal(amount, from, to, &NONE) else { continue };
            let Ok(back) = deal(there.gross, to, from, &NONE) else { continue };
            assert!(back.gross <= amount, "{amount} {from:?} {to:?} became {}", back.gross);
            there_and_back += 1;
        }
        assert!(there_and_back > 2_000, "only {there_and_back}");
    }

    #[test]
    fn net_and_fee_are_the_gross_amount_and_no_deal_overflows() {
        let terms = ConversionTerms { spread: Rate(100_000), fee: Rate(123_457), ..NONE };
        let mut made = 0;
        for (amount, from, to) in cases() {
            match deal(amount, from, to, &terms) {
                Ok(deal) => {
                    assert_eq!(deal.net() + deal.fee, deal.gross);
                    assert!(deal.net() > 0 && deal.gross < MAX_AMOUNT && deal.value <= terms.max);
                    made += 1;
                }
                // The conversion overflows only if it would give 10^18 atoms of the other coin or more.
                Err(Reject::Overflow) => {
                    let common = from.scale.min(to.scale);
                    let worth =
                        product(amount, from.price.0) * pow10(to.scale - common) / u128::from(to.price.0) / pow10(from.scale - common);
                    assert!(worth >= u128::from(MAX_AMOUNT), "{amount} {from:?} {to:?}");
                }
                Err(Reject::BadAmount | Reject::ConversionMin { .. } | Reject::ConversionMax { .. }) => {}
                Err(other) => panic!("{other:?}"),
            }
        }
        assert!(made > 5_000, "only {made}");
    }

    #[test]
    fn a_rate_may_move_by_exactly_what_is_named_either_way() {
        let (from, to) = (Priced { price: Price(10_000), scale: 0 }, Priced { price: Price(1), scale: 0 });
        let deal = deal(1_000_000, from, to, &NONE).unwrap();
        for (price, moved) in [(9_899, true), (9_900, false), (10_000, false), (10_100, false), (10_101, true)] {
            assert_eq!(deal.has_moved(Price(price), Price(1), MOVED_BEFORE), moved, "{price}");
        }
        for (price, moved) in [(9_979, true), (9_980, false), (10_000, false), (10_020, false), (10_021, true)] {
            assert_eq!(deal.has_moved(Price(price), Price(1), Rate(200_000)), moved, "{price}");
        }
        let dearest = Price(MAX_PRICE.0 - 1);
        assert!(deal.has_moved(dearest, Price(1), MOVED_BEFORE) && deal.has_moved(Price(1), dearest, MOVED_BEFORE));
        let dear = Deal { from_price: dearest, to_price: dearest, ..deal };
        assert!(!dear.has_moved(dearest, dearest, Rate(0)) && dear.has_moved(Price(dearest.0 - 1), dearest, Rate(0)));
        assert!(!dear.has_moved(Price(dearest.0 - dearest.0 / 500), dearest, Rate(200_000)));
    }
}
