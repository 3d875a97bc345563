//! Random short-term options, and what a member needs for them.

use engine::Engine;
use engine::amount::Rate;
use engine::backoffice::acts::{Decision, Item, Operate, OperatorAct};
use engine::catalog::Wallet;
use engine::command::Command;
use engine::identity::KycLevel;
use engine::ids::{AssetId, Digest, MarketId, OperatorId, UserId};
use engine::listing::change::CatalogChange;
use engine::operators::approval::Reviewer;
use engine::options::option::{BuyOption, Direction, TieRule};
use engine::options::terms::{DurationTerms, OptionTerms, SharedTerms};

use super::{Workload, one_in};
use crate::oracle::{Oracle, WRONG_HASH};

impl Workload {
    /// An option, or the step that its buyer still lacks.
    pub(super) fn bet(&mut self, oracle: &Oracle, engine: &Engine, user: UserId) -> Command {
        let (unverified, _) = oracle.lacks(user.0);
        if unverified && self.rng.u8(..8) != 0 {
            return self.verify(engine, user);
        }
        let coin = if self.rng.u8(..4) == 0 { self.rng.u32(1..5) } else { 3 };
        let unit: u64 = if coin < 3 { 1_000 } else { 1_000_000 };
        let wallet = Wallet::BinaryOptions;
        let available = oracle.balance(user.0, wallet, coin).map_or(0, |(available, _)| available);
        if available < i128::from(unit * 50) && self.rng.u8(..8) != 0 {
            return Command::SandboxFaucet { user, asset: AssetId(coin), wallet, amount: unit * self.rng.u64(100..5_000) };
        }
        let stake = match self.rng.u8(..10) {
            0 => unit * [5, 100, 1_000, 5_000][self.rng.usize(..4)],
            1 => unit * [5, 100, 1_000][self.rng.usize(..3)] + 1,
            2 => unit * 5 - 1,
            3 => unit * self.rng.u64(1..6_000),
            _ => unit * 5 + self.rng.u64(..unit * 90),
        };
        let terms = engine.option_terms().cloned().unwrap_or_else(OptionTerms::standard);
        let all = &terms.durations;
        // The shorter ones end sooner.
        let at = self.rng.usize(..all.len()).min(self.rng.usize(..all.len()));
        let seconds = if self.rng.u8(..30) == 0 { self.rng.u32(..100) } else { all[at].seconds };
        let market = MarketId(if one_in(&mut self.rng, self.options.garbage_in) { self.rng.u32(..9) } else { self.rng.u32(1..7) });
        let offered = engine.offered_rule(market, seconds).filter(|_| self.rng.u8(..30) != 0);
        let direction = [Direction::Up, Direction::Down, Direction::Flat][self.rng.usize(..3)];
        let asset = AssetId(if one_in(&mut self.rng, self.options.garbage_in) { self.rng.u32(..8) } else { coin });
        let (stake, rule) = (self.or_garbage(stake), offered.unwrap_or(WRONG_HASH));
        Command::BuyOption(BuyOption { user, market, direction, asset, seconds, stake, rule })
    }

    /// Documents are submitted, and an operator reviews them.
    pub(super) fn verify(&mut self, engine: &Engine, user: UserId) -> Command {
        let waiting = engine.identity(user, KycLevel::Basic).filter(|_| self.rng.u8(..4) != 0);
        let Some(papers) = waiting else {
            let document = Digest([self.rng.u8(1..200); 32]);
            return Command::SubmitIdentity { user, level: KycLevel::Basic, document, content: Digest([self.rng.u8(..); 32]) };
        };
        let by = Reviewer { operator: OperatorId(self.rng.u32(1..4)), member: None };
        let act = OperatorAct::Decide { item: Item::Identity(papers.submission), decision: Decision::Approve, seen: papers.seen() };
        Command::Operate(Box::new(Operate { by, act }))
    }

    /// Other terms: mostly allowed, some short enough that their options end soon.
    pub(super) fn option_terms(&mut self) -> CatalogChange {
        let standard = OptionTerms::standard();
        if self.rng.u8(..3) == 0 {
            let fee = Rate(if self.rng.u8(..8) == 0 { 100_000_001 } else { self.rng.u64(..3_000_000) });
            return CatalogChange::OptionShared(SharedTerms { fee, open_options: self.rng.u32(..2), ..standard.shared });
        }
        let like = standard.durations[self.rng.usize(..6)].clone();
        let tie = if self.rng.bool() { TieRule::Lose } else { TieRule::Refund };
        CatalogChange::OptionDuration(DurationTerms {
            seconds: if self.rng.u8(..12) == 0 { 0 } else { [1, 5, 20, 60, 300][self.rng.usize(..5)] },
            profit: Rate(self.rng.u64(..200_000_000)),
            tolerance: Rate(self.rng.u64(..2_000_000)),
            tie,
            on: self.rng.u8(..6) != 0,
            ..like
        })
    }
}
