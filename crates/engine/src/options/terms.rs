//! The terms of options (3.1). A change affects options bought later.

use serde::{Deserialize, Serialize};

use super::option::{Direction, TieRule};
use crate::amount::{Amount, MAX_AMOUNT, MAX_RATE, RATE_ONE, Rate};
use crate::ids::AssetId;
use crate::reject::Reject;

/// The longest option, seconds: samples are kept for half an hour, and an option is settled within that time of its delivery.
pub const LONGEST_SECONDS: u32 = 86_400;

/// Largest stakes of one length in one coin, atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StakeMax {
    /// Coin.
    pub asset: AssetId,
    /// On up or down.
    pub directed: Amount,
    /// On flat.
    pub flat: Amount,
}

/// One length with its terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DurationTerms {
    /// Seconds.
    pub seconds: u32,
    /// Profit of up and down.
    pub profit: Rate,
    /// Profit of flat.
    pub profit_flat: Rate,
    /// Half width of the flat band.
    pub tolerance: Rate,
    /// How a flat outcome settles a bet on up or down.
    pub tie: TieRule,
    /// It is sold.
    pub on: bool,
    /// Largest stakes, one for each stake coin.
    pub max: Vec<StakeMax>,
}

/// Limits of one stake coin, atoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StakeCoin {
    /// Coin.
    pub asset: AssetId,
    /// Smallest stake.
    pub min: Amount,
    /// Most that the open options of one member may stake together.
    pub open_max: Amount,
}

/// Terms that all lengths share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedTerms {
    /// Fee as a share of the stake.
    pub fee: Rate,
    /// Options that one member may have open.
    pub open_options: u32,
    /// Coins that may be staked.
    pub coins: Vec<StakeCoin>,
}

/// All terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionTerms {
    /// Terms shared by all durations.
    pub shared: SharedTerms,
    /// The lengths, shortest first.
    pub durations: Vec<DurationTerms>,
}

impl DurationTerms {
    /// Profit of a bet.
    pub fn profit_of(&self, direction: Direction) -> Rate {
        if direction == Direction::Flat { self.profit_flat } else { self.profit }
    }

    /// The largest stake of a bet.
    pub fn max_of(&self, asset: AssetId, direction: Direction) -> Option<Amount> {
        let max = self.max.iter().find(|max| max.asset == asset)?;
        Some(if direction == Direction::Flat { max.flat } else { max.directed })
    }

    /// Whether these values are allowed.
    ///
    /// # Errors
    /// [`Reject::BadCatalog`].
    pub(crate) fn check(&self) -> Result<(), Reject> {
        let rates = self.profit.0 <= MAX_RATE && self.profit_flat.0 <= MAX_RATE && self.tolerance.0 < RATE_ONE;
        let stakes = self.max.iter().all(|max| max.directed < MAX_AMOUNT && max.flat < MAX_AMOUNT);
        let good = rates && stakes && once(self.max.iter().map(|max| max.asset)) && (1..=LONGEST_SECONDS).contains(&self.seconds);
        if good { Ok(()) } else { Err(Reject::BadCatalog) }
    }
}

impl SharedTerms {
    /// The limits of a coin that may be staked.
    pub fn coin(&self, asset: AssetId) -> Option<&StakeCoin> {
        self.coins.iter().find(|coin| coin.asset == asset)
    }

    /// Whether these values are allowed.
    ///
    /// # Errors
    /// [`Reject::BadCatalog`].
    pub(crate) fn check(&self) -> Result<(), Reject> {
        let stakes = self.coins.iter().all(|coin| coin.min > 0 && coin.min <= coin.open_max && coin.open_max < MAX_AMOUNT);
        let good = stakes && self.fee.0 <= RATE_ONE && once(self.coins.iter().map(|coin| coin.asset));
        if good { Ok(()) } else { Err(Reject::BadCatalog) }
    }
}

fn once(assets: impl Iterator<Item = AssetId>) -> bool {
    let mut seen: Vec<AssetId> = assets.collect();
    let all = seen.len();
    seen.sort_unstable();
    seen.dedup();
    seen.len() == all
}

impl OptionTerms {
    /// A length.
    pub fn duration(&self, seconds: u32) -> Option<&DurationTerms> {
        self.durations.iter().find(|duration| duration.seconds == seconds)
    }

    /// Replaces the present duration, or adds it.
    pub(crate) fn set_duration(&mut self, duration: DurationTerms) {
        match self.durations.binary_search_by_key(&duration.seconds, |present| present.seconds) {
            Ok(at) => self.durations.get_mut(at).into_iter().for_each(|present| *present = duration.clone()),
            Err(at) => self.durations.insert(at, duration),
        }
    }

    /// The terms that [`crate::feature::Feature::Options`] puts in force. They are what that entry means in every log, so they never
    /// change; other terms come by changes of the catalog.
    pub fn standard() -> OptionTerms {
        let length = |seconds, percent: u64, tolerance, btc, eth, usdt| DurationTerms {
            seconds,
            profit: Rate(percent.saturating_mul(1_000_000)),
            profit_flat: Rate(900_000_000),
            tolerance: Rate(tolerance),
            tie: TieRule::Refund,
            on: true,
            max: [(1, btc), (2, eth), (3, usdt), (4, usdt)]
                .into_iter()
                .map(|(asset, directed): (u32, Amount)| StakeMax { asset: AssetId(asset), directed, flat: directed / 10 })
                .collect(),
        };
        let coin = |asset, min, open_max| StakeCoin { asset: AssetId(asset), min, open_max };
        OptionTerms {
            shared: SharedTerms {
                fee: Rate(500_000),
                open_options: 20,
                coins: vec![
                    coin(1, 5_000, 5_000_000),
                    coin(2, 150_000, 150_000_000),
                    coin(3, 5_000_000, 5_000_000_000),
                    coin(4, 5_000_000, 5_000_000_000),
                ],
            },
            durations: vec![
                length(60, 70, 5_000, 1_000_000, 30_000_000, 1_000_000_000),
                length(120, 72, 7_000, 1_000_000, 30_000_000, 1_000_000_000),
                length(300, 75, 11_000, 2_000_000, 60_000_000, 2_000_000_000),
                length(600, 80, 16_000, 2_000_000, 60_000_000, 2_000_000_000),
                length(1_800, 82, 27_000, 5_000_000, 150_000_000, 5_000_000_000),
                length(3_600, 85, 39_000, 5_000_000, 150_000_000, 5_000_000_000),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_terms_are_allowed_and_never_change() {
        let terms = OptionTerms::standard();
        terms.shared.check().unwrap();
        terms.durations.iter().for_each(|duration| duration.check().unwrap());
        let bytes = postcard::to_allocvec(&terms).unwrap();
        let digest = <sha2::Sha256 as sha2::Digest>::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(digest, STANDARD, "an entry of old logs would mean something else");
    }

    const STANDARD: &str = "9653e8b3170836db2078238f7732fd314a7a74da9494d681059cf706bd7e3e09";

    #[test]
    fn a_length_is_replaced_or_takes_its_place_in_the_order() {
        let mut terms = OptionTerms::standard();
        let shorter = DurationTerms { on: false, ..terms.durations[0].clone() };
        terms.set_duration(shorter.clone());
        terms.set_duration(DurationTerms { seconds: 90, ..shorter.clone() });
        let lengths: Vec<u32> = terms.durations.iter().map(|duration| duration.seconds).collect();
        assert_eq!((lengths, &terms.durations[0]), (vec![60, 90, 120, 300, 600, 1_800, 3_600], &shorter));
    }

    #[test]
    fn values_out_of_their_range_are_refused() {
        let terms = OptionTerms::standard();
        let good = &terms.durations[0];
        for bad in [
            DurationTerms { seconds: 0, ..good.clone() },
            DurationTerms { seconds: LONGEST_SECONDS + 1, ..good.clone() },
            DurationTerms { profit: Rate(MAX_RATE + 1), ..good.clone() },
            DurationTerms { profit_flat: Rate(MAX_RATE + 1), ..good.clone() },
            DurationTerms { tolerance: Rate(RATE_ONE), ..good.clone() },
            DurationTerms { max: vec![good.max[0], good.max[0]], ..good.clone() },
            DurationTerms { max: vec![StakeMax { directed: MAX_AMOUNT, ..good.max[0] }], ..good.clone() },
            DurationTerms { max: vec![StakeMax { flat: MAX_AMOUNT, ..good.max[0] }], ..good.clone() },
        ] {
            assert_eq!(bad.check(), Err(Reject::BadCatalog), "{bad:?}");
        }
        let good = &terms.shared;
        for bad in [
            SharedTerms { fee: Rate(RATE_ONE + 1), ..good.clone() },
            SharedTerms { coins: vec![good.coins[0], good.coins[0]], ..good.clone() },
            SharedTerms { coins: vec![StakeCoin { min: 0, ..good.coins[0] }], ..good.clone() },
            SharedTerms { coins: vec![StakeCoin { open_max: 4_999, ..good.coins[0] }], ..good.clone() },
            SharedTerms { coins: vec![StakeCoin { open_max: MAX_AMOUNT, ..good.coins[0] }], ..good.clone() },
        ] {
            assert_eq!(bad.check(), Err(Reject::BadCatalog), "{bad:?}");
        }
    }
}
