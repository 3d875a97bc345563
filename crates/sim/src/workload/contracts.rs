//! Random contracts: openings, orders that wait, stops, closings, and other terms.

use engine::amount::{Price, Rate};
use engine::catalog::Wallet;
use engine::command::Command;
use engine::contracts::formulas::Direction;
use engine::contracts::position::OpenContract;
use engine::contracts::terms::Terms;
use engine::ids::{AssetId, MarketId, PositionId, UserId};
use engine::ledger::HouseAccount;
use engine::listing::change::CatalogChange;

use super::{Workload, one_in};
use crate::oracle::Oracle;

const TICK: u64 = 1_000_000;

impl Workload {
    /// A command about contracts.
    pub(super) fn contract(&mut self, oracle: &Oracle, user: UserId) -> Command {
        let all = oracle.contract_numbers();
        let own: Vec<u64> = all.iter().filter(|(_, owner)| *owner == user.0).map(|(id, _)| *id).collect();
        let bound = oracle.free(HouseAccount::ContractPool, 3) < 200_000_000;
        if self.options.strained && bound && self.outside[0] < 14_000_000_000_000 && self.rng.u8(..4) == 0 {
            // Up to where a long at the highest multiple is still below its cap.
            let price = self.contract_mark(1) / 1_000 * self.rng.u64(1_180..1_198);
            self.outside[0] = price * TICK;
            return Command::SandboxPrice { market: MarketId(1), price: Price(price * TICK) };
        }
        if own.is_empty() || self.rng.u8(..5) < 2 {
            return self.opening(oracle, user);
        }
        let id = if self.rng.u8(..12) == 0 { self.garbage() } else { own[self.rng.usize(..own.len())] };
        let position = PositionId(id);
        match self.rng.u8(..6) {
            0 | 1 => Command::CancelContract { user, position },
            2 | 3 => Command::CloseContract { user, position },
            _ => {
                let pair = 1 + self.rng.u32(..2);
                let mark = self.contract_mark(pair);
                Command::SetContractStops { user, position, take_profit: self.near(mark), stop_loss: self.near(mark) }
            }
        }
    }

    fn contract_mark(&self, pair: u32) -> u64 {
        self.outside[pair as usize - 1] / TICK
    }

    /// No price, or one around the mark.
    fn near(&mut self, mark: u64) -> Option<Price> {
        let share = [2, 30, 300][self.rng.usize(..3)];
        let distance = mark / 1_000 * self.rng.u64(..=share);
        let price = (if self.rng.bool() { mark + distance } else { mark.saturating_sub(distance) }).max(1) * TICK;
        let price = if self.rng.u8(..40) == 0 { price + 1 } else { price };
        let wanted = self.rng.u8(..3) != 0;
        wanted.then(|| Price(self.or_garbage(price)))
    }

    fn opening(&mut self, oracle: &Oracle, user: UserId) -> Command {
        let available = oracle.balance(user.0, Wallet::Futures, 3).map_or(0, |(available, _)| available);
        if available < 100_000_000 && self.rng.u8(..8) != 0 {
            let amount = 1_000_000 * self.rng.u64(100..100_000);
            return Command::SandboxFaucet { user, asset: AssetId(3), wallet: Wallet::Futures, amount };
        }
        let pair = 1 + self.rng.u32(..2);
        let mark = self.contract_mark(pair);
        // Tens of thousands are a lot; a thousand times that is too much.
        let unit = if pair == 1 { 10 } else { 100 };
        let of_worth = |worth: u64| (worth * 1_000_000 / (unit * mark).max(1)).max(1);
        let lots = match self.rng.u8(..30) {
            0 => self.rng.u64(..2),
            1 => 100_000 + self.rng.u64(..2),
            2 => of_worth(2_000_000),
            3 | 4 => of_worth(self.rng.u64(10_000..400_000)),
            _ => of_worth(self.rng.u64(1..3_000)),
        };
        let multiple = if self.rng.u8(..40) == 0 { self.rng.u32(..60) } else { [1, 2, 5, 10, 20, 25, 50, 50][self.rng.usize(..8)] };
        let (pair, mark, multiple) = if self.options.strained { (1, self.contract_mark(1), 50) } else { (pair, mark, multiple) };
        let direction = if self.options.strained || self.rng.bool() { Direction::Long } else { Direction::Short };
        let limit = if self.rng.u8(..3) == 0 { self.near(mark) } else { None };
        let stops = self.rng.u8(..3) == 0;
        let (take_profit, stop_loss) = if stops { (self.near(mark), self.near(mark)) } else { (None, None) };
        let market = MarketId(if one_in(&mut self.rng, self.options.garbage_in) { self.rng.u32(..9) } else { pair });
        let lots = self.or_garbage(lots);
        Command::OpenContract(OpenContract { user, market, direction, lots, multiple, limit, take_profit, stop_loss })
    }

    /// Other terms: mostly allowed.
    pub(super) fn contract_terms(&mut self) -> CatalogChange {
        let like = Terms::standard().swap_remove(self.rng.usize(..2));
        let market = if self.rng.u8(..12) == 0 { MarketId(self.rng.u32(..8)) } else { like.market };
        let cap_roi = self.rng.u32(..30);
        let (fee, spread) = (Rate(self.rng.u64(..300_000)), Rate(self.rng.u64(..300_000)));
        let overnight = Rate(if self.rng.u8(..12) == 0 { 100_000_000 } else { self.rng.u64(..3_000_000) });
        CatalogChange::ContractTerms(Box::new(Terms { market, cap_roi, fee, spread, overnight, ..like }))
    }
}
