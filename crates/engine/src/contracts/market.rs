//! One contract market: the versions of its terms, and its open objects sorted by the mark that triggers them, so a sample visits only
//! those that it triggers.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::formulas::{Direction, TickPrice};
use super::position::{Position, Status};
use super::sums::Sums;
use super::terms::Terms;
use crate::ids::{AssetId, MarketId, PositionId, to_u32, to_usize};
use crate::units::Scales;

/// A listed contract market.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Listed {
    /// Coin of margins, fees and results.
    pub(crate) asset: AssetId,
    /// Decimals of base and quote.
    pub(crate) scales: (u8, u8),
    /// Every version of the terms, oldest first. Open objects name theirs.
    pub(crate) versions: Vec<Terms>,
}

impl Listed {
    pub(crate) fn scales(&self) -> Scales {
        Scales { base: self.scales.0, quote: self.scales.1 }
    }

    /// The terms of new openings, and their version.
    pub(crate) fn present(&self) -> Option<(&Terms, u32)> {
        Some((self.versions.last()?, to_u32(self.versions.len().saturating_sub(1))))
    }

    pub(crate) fn version(&self, version: u32) -> Option<&Terms> {
        self.versions.get(to_usize(version))
    }

    pub(crate) fn market(&self) -> Option<MarketId> {
        self.versions.first().map(|terms| terms.market)
    }
}

/// The triggers of one market, derived from its open objects; not in a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Triggers {
    /// Triggered by a mark at or below.
    falling: BTreeSet<(TickPrice, PositionId)>,
    /// Triggered by a mark at or above.
    rising: BTreeSet<(TickPrice, PositionId)>,
    longs: Sums,
    shorts: Sums,
}

impl Triggers {
    /// An object waits for its marks.
    pub(crate) fn watch(&mut self, position: &Position) {
        let (falling, rising) = marks(position);
        self.falling.extend(falling.map(|mark| (mark, position.id)));
        self.rising.extend(rising.map(|mark| (mark, position.id)));
    }

    /// It waits no longer.
    pub(crate) fn forget(&mut self, position: &Position) {
        let (falling, rising) = marks(position);
        falling.map(|mark| self.falling.remove(&(mark, position.id)));
        rising.map(|mark| self.rising.remove(&(mark, position.id)));
    }

    /// A position is opened: its result counts.
    pub(crate) fn count(&mut self, position: &Position) {
        self.sums(position.direction).add(position.terms.value, position.entry);
    }

    /// It is closed.
    pub(crate) fn discount(&mut self, position: &Position) {
        self.sums(position.direction).remove(position.terms.value, position.entry);
    }

    fn sums(&mut self, direction: Direction) -> &mut Sums {
        match direction {
            Direction::Long => &mut self.longs,
            Direction::Short => &mut self.shorts,
        }
    }

    /// What a mark triggers, in no order.
    pub(crate) fn set_off(&self, mark: TickPrice) -> Vec<PositionId> {
        let falling = self.falling.range((mark, PositionId(0))..);
        let rising = self.rising.range(..=(mark, PositionId(u64::MAX)));
        let mut ids: Vec<PositionId> = falling.chain(rising).map(|(_, id)| *id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Profits less losses of all positions at a mark (C-5).
    pub(crate) fn open_profit(&self, mark: TickPrice) -> i128 {
        self.longs.all().rise_to(mark).saturating_sub(self.shorts.all().rise_to(mark))
    }

    /// Profits alone, of positions that have not reached their cap (4.9).
    pub(crate) fn winnings(&self, mark: TickPrice) -> i128 {
        self.longs.below(mark).rise_to(mark).saturating_sub(self.shorts.above(mark).rise_to(mark))
    }
}

/// The mark at and below which a sample sets an object off, and that at and above which.
fn marks(position: &Position) -> (Option<TickPrice>, Option<TickPrice>) {
    match (position.status, position.direction) {
        (Status::Waiting, Direction::Long) => (position.filling_mark(), None),
        (Status::Waiting, Direction::Short) => (None, position.filling_mark()),
        (Status::Holding, _) => position.closing_marks(),
        (Status::Closed | Status::Cancelled, _) => (None, None),
    }
}
