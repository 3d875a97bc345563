//! Random offerings of new coins: commitments, and what operators do for them.

use engine::Engine;
use engine::amount::{Price, Rate};
use engine::backoffice::acts::{Operate, OperatorAct};
use engine::backoffice::proposals::status::Status;
use engine::backoffice::proposals::{Proposal, Proposed};
use engine::catalog::{Asset, Catalog, Market, Wallet};
use engine::command::Command;
use engine::ids::{AssetId, Digest, MarketId, OfferingId, OperatorId, UserId};
use engine::ledger::HouseAccount;
use engine::listing::change::CatalogChange;
use engine::operators::approval::Reviewer;
use engine::subscriptions::offering::{Commit, Terms};
use engine::subscriptions::status::OfferingStatus;
use engine::time::{DAY_MS, HOUR_MS, Time};

use super::{Workload, one_in};
use crate::oracle::Oracle;

impl Workload {
    /// A commitment, or what an offering still lacks.
    pub(super) fn subscription(&mut self, oracle: &Oracle, engine: &Engine, user: UserId) -> Command {
        match self.rng.u8(..4) {
            0 => self.for_an_offering(engine).unwrap_or_else(|| self.commitment(oracle, engine, user)),
            _ => self.commitment(oracle, engine, user),
        }
    }

    fn for_an_offering(&mut self, engine: &Engine) -> Option<Command> {
        let of_offering = |found: &&Proposal| match &found.proposed {
            Proposed::TreasuryMove { to, .. } => *to == HouseAccount::SubEscrow,
            Proposed::ChangeCatalog { change, .. } => matches!(change, CatalogChange::Offering(_)),
            Proposed::LaunchOffering { .. } => true,
            _ => false,
        };
        let waiting = engine.proposals().filter(|found| found.status == Status::Waiting).find(of_offering);
        let by = Reviewer { operator: OperatorId(self.rng.u32(1..4)), member: None };
        let operate = |act| Some(Command::Operate(Box::new(Operate { by, act })));
        if let Some(waiting) = waiting {
            return operate(OperatorAct::Confirm { proposal: waiting.id, hash: waiting.hash() });
        }
        let reason = Digest([7; 32]);
        let now = Time(self.time);
        let ready = engine.offerings().find(|offering| offering.status == OfferingStatus::Allocated && offering.terms.launch <= now);
        if let Some(offering) = ready.filter(|_| self.rng.u8(..3) != 0) {
            return operate(OperatorAct::Propose { proposed: Proposed::LaunchOffering { offering: offering.terms.id }, reason });
        }
        let bare = engine.offerings().find(|offering| {
            let escrow = engine.exposure(HouseAccount::SubEscrow, offering.terms.token.id).free;
            offering.status == OfferingStatus::Upcoming && escrow < offering.terms.supply
        });
        let proposed = match bare.filter(|_| self.rng.u8(..4) != 0) {
            Some(offering) => {
                let (from, to) = (HouseAccount::External, HouseAccount::SubEscrow);
                Proposed::TreasuryMove { asset: offering.terms.token.id, from, to, amount: offering.terms.supply }
            }
            None if self.rng.u8(..6) == 0 => Proposed::LaunchOffering { offering: OfferingId(self.rng.u32(..9)) },
            None => Proposed::ChangeCatalog { change: CatalogChange::Offering(Box::new(self.offering(engine))), effective: now },
        };
        operate(OperatorAct::Propose { proposed, reason })
    }

    /// Mostly allowed; some end before anyone commits.
    fn offering(&mut self, engine: &Engine) -> Terms {
        let count = engine.offerings().count() as u32;
        let known = engine.offerings().find(|offering| offering.status == OfferingStatus::Upcoming && self.rng.u8(..6) == 0);
        let number = known.map_or(200 + count, |offering| offering.terms.token.id.0);
        let code = known.map_or(format!("NEW{count}"), |offering| offering.terms.token.code.clone());
        let like = Catalog::standard().markets[0].clone();
        let start = self.time + [0, 0, 500, HOUR_MS][self.rng.usize(..4)];
        let close = start + [0, 2_000, 60_000, HOUR_MS, DAY_MS][self.rng.usize(..5)];
        let share = 1 + self.rng.u64(..99);
        Terms {
            id: known.map_or(OfferingId(10 + count), |offering| offering.terms.id),
            token: known.map_or_else(
                || Asset { id: AssetId(number), code: code.clone(), scale: 8, wallets: vec![Wallet::Spot], faucet_max: 0 },
                |offering| offering.terms.token.clone(),
            ),
            market: known.map_or_else(
                || Market { id: MarketId(number), symbol: format!("{code}/USDT"), base: AssetId(number), ..listed(&like) },
                |offering| offering.terms.market.clone(),
            ),
            supply: [0, 100_000_000, 20_000_000_003, 100_000_000_000][self.rng.usize(..4)],
            price: Price(self.rng.u64(1..300_000_000)),
            pay: [vec![AssetId(3)], vec![AssetId(3), AssetId(1)], vec![AssetId(4), AssetId(2)]][self.rng.usize(..3)].clone(),
            start: Time(start),
            close: Time(close),
            launch: Time(close + [0, 1_000, HOUR_MS, 31 * DAY_MS][self.rng.usize(..4)]),
            release: [
                vec![(1, Rate(100_000_000))],
                vec![(1, Rate(share * 1_000_000)), (2, Rate(100_000_000))],
                vec![(0, Rate(100_000_000))],
            ][self.rng.usize(..3)]
            .clone(),
            min: 10_000_000,
            user_cap: [50_000_000, 500_000_000, 5_000_000][self.rng.usize(..3)],
            oversub: [1, 2, 10, 101][self.rng.usize(..4)],
        }
    }

    fn commitment(&mut self, oracle: &Oracle, engine: &Engine, user: UserId) -> Command {
        let open: Vec<OfferingId> = engine.offerings().filter(|one| one.is_open(Time(self.time))).map(|one| one.terms.id).collect();
        let offering = match self.rng.u8(..12) {
            0 => OfferingId(self.rng.u32(..14)),
            _ if open.is_empty() => OfferingId(1),
            _ => open[self.rng.usize(..open.len())],
        };
        let coin = match (engine.offering(offering), self.rng.u8(..8)) {
            (Some(found), 1..) => found.terms.pay[self.rng.usize(..found.terms.pay.len())].0,
            _ => self.rng.u32(1..6),
        };
        let unit = [0, 20_000, 500_000, 1_000_000, 1_000_000, 1_000_000][coin as usize];
        let amount = match self.rng.u8(..6) {
            0 => unit * 10 - 1,
            1 => unit * 10,
            2 => unit * self.rng.u64(1..12_000),
            // Everything left, so that some offerings sell out.
            3 => engine.offering(offering).map_or(unit, |found| found.limit().saturating_sub(found.committed).min(found.terms.user_cap)),
            _ => unit * self.rng.u64(8..60) + self.rng.u64(..unit),
        };
        let available = oracle.balance(user.0, Wallet::Spot, coin).map_or(0, |(available, _)| available);
        if available < i128::from(amount) && self.rng.u8(..8) != 0 {
            return Command::SandboxFaucet { user, asset: AssetId(coin), wallet: Wallet::Spot, amount: unit * self.rng.u64(100..5_000) };
        }
        let asset = AssetId(if one_in(&mut self.rng, self.options.garbage_in) { self.rng.u32(..8) } else { coin });
        Command::CommitToOffering(Commit { user, offering, asset, amount: self.or_garbage(amount) })
    }
}

/// With the tick of the smallest price, so that every issue price is on a tick.
fn listed(like: &Market) -> Market {
    let step = 10_000_000_000;
    Market { tick: Price(1), step, min_quantity: step, max_quantity: step * 1_000, ..like.clone() }
}
