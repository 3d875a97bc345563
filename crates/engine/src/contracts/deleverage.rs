//! Auto-deleveraging, the last resort (4.9): winning positions are closed while the pool can still pay all of them.

use super::formulas::{atoms, floor};
use super::terms::{DELEVERAGE_ABOVE, DELEVERAGE_TO};
use crate::amount::{Amount, RATE_ONE, Rate};
use crate::exact::Exact;

const BOUNDED: &str = "winnings are at most the reserves, which are below 10^18";

/// A position that wins at the mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Number of the position.
    pub id: u64,
    /// Its score.
    pub score: i128,
    /// Its profit, at most its cap; above 0.
    pub profit: i128,
}

/// A position to close, and what it is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closing {
    /// Number of the position.
    pub id: u64,
    /// Paid profit, atoms.
    pub paid: Amount,
}

/// The order in which winners are closed: highest score, then highest profit, then lowest number.
pub fn ranking(mut winners: Vec<Candidate>) -> Vec<Candidate> {
    winners.sort_unstable_by(|one, other| (other.score, other.profit, one.id).cmp(&(one.score, one.profit, other.id)));
    winners
}

/// True if open profits are so large a share of the pool that winning positions are closed.
pub fn is_strained(winnings: i128, pool: Amount) -> bool {
    exceeds(winnings, pool, DELEVERAGE_ABOVE)
}

/// Which of the ranked winners are closed and what they are paid, given the total profit of all winners.
pub fn deleverage(ranked: &[Candidate], winnings: i128, pool: Amount) -> Vec<Closing> {
    let (mut left, mut pool, mut closings) = (winnings, pool, Vec::new());
    if !is_strained(winnings, pool) {
        return closings;
    }
    for winner in ranked {
        if !exceeds(left, pool, DELEVERAGE_TO) {
            break;
        }
        // Paid in full. If the pool cannot pay all winners, each gets its share of what is left.
        let paid = match left <= i128::from(pool) {
            true => winner.profit,
            false => floor(winner.profit.times(i128::from(pool), BOUNDED), left),
        };
        let paid = atoms(paid);
        closings.push(Closing { id: winner.id, paid });
        left = left.less(winner.profit, BOUNDED);
        pool = pool.less(paid, BOUNDED);
    }
    closings
}

fn exceeds(winnings: i128, pool: Amount, share: Rate) -> bool {
    winnings.times(i128::from(RATE_ONE), BOUNDED) > i128::from(pool).times(i128::from(share.0), BOUNDED)
}
