//! Random conversions: quotes, their acceptance, conversions in one step, and other terms.

use engine::amount::Rate;
use engine::catalog::Wallet;
use engine::command::Command;
use engine::convert::conversion::Convert;
use engine::convert::terms::ConversionTerms;
use engine::ids::{AssetId, QuoteId, UserId};
use engine::listing::change::CatalogChange;

use super::{Workload, one_in};
use crate::oracle::Oracle;

impl Workload {
    /// A command about conversions.
    pub(super) fn conversion(&mut self, oracle: &Oracle, user: UserId) -> Command {
        let own: Vec<u64> = oracle.quote_numbers().iter().filter(|(_, owner)| *owner == user.0).map(|(id, _)| *id).collect();
        if !own.is_empty() && self.rng.u8(..5) < 2 {
            // Mostly the newest; some of the others are used or expired.
            let id = if self.rng.bool() { own[own.len() - 1] } else { own[self.rng.usize(..own.len())] };
            return Command::AcceptQuote { user, quote: QuoteId(self.or_garbage(id)) };
        }
        let coin = self.rng.u32(1..5);
        // Atoms of about ten dollars.
        let unit: u64 = [10_000, 250_000, 10_000_000, 10_000_000][coin as usize - 1];
        let available = oracle.balance(user.0, Wallet::Spot, coin).map_or(0, |(available, _)| available);
        let spends = if self.options.converts_much() { 5_000 } else { 20 };
        if available < i128::from(unit * spends) && self.rng.u8(..8) != 0 {
            return Command::SandboxFaucet { user, asset: AssetId(coin), wallet: Wallet::Spot, amount: unit * self.rng.u64(100..8_000) };
        }
        let amount = match self.rng.u8(..12) {
            4.. if self.options.converts_much() => unit * self.rng.u64(3_000..5_000),
            0 => unit * [1, 5_000][self.rng.usize(..2)] + self.rng.u64(..2),
            1 => unit - 1,
            2 | 3 => unit * self.rng.u64(1_000..5_400),
            _ => unit + self.rng.u64(..unit * 50),
        };
        let to = if self.rng.u8(..20) == 0 { coin } else { 1 + (coin + self.rng.u32(..3)) % 4 };
        let to = AssetId(if one_in(&mut self.rng, self.options.garbage_in) { self.rng.u32(..8) } else { to });
        let wanted = Convert { user, from: AssetId(coin), to, amount: self.or_garbage(amount) };
        match self.rng.u8(..3) {
            0 => {
                let most = if self.rng.bool() { 1_000 } else { 1 << 50 };
                let min_net = self.rng.bool().then(|| self.rng.u64(..most));
                Command::Convert { wanted, min_net }
            }
            _ => Command::QuoteConversion(wanted),
        }
    }

    /// Other terms: mostly allowed.
    pub(super) fn conversion_terms(&mut self) -> CatalogChange {
        let standard = ConversionTerms::standard();
        let rate = |rng: &mut fastrand::Rng| Rate(if rng.u8(..12) == 0 { 100_000_000 } else { rng.u64(..3_000_000) });
        let (spread, fee) = (rate(&mut self.rng), rate(&mut self.rng));
        let life_ms = [1, 50, 1_000, 10_000, 60_000, 60_001][self.rng.usize(..6)];
        let day = [standard.max - 1, standard.max, standard.day][self.rng.usize(..3)];
        CatalogChange::ConversionTerms(ConversionTerms { spread, fee, day, life_ms, ..standard })
    }
}
