//! What members may limit for themselves: only the names, for refusals and for the rules.

use serde::{Deserialize, Serialize};

/// What a member may limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SelfLimit {
    /// Stakes of options opened in a UTC day: value in atoms of the coin of the bank terms.
    OptionStakeDay,
    /// Realised losses of options and contracts in a UTC day: value in atoms of the coin of the bank terms.
    LossDay,
    /// Largest multiple of a contract.
    LeverageMax,
    /// No opening of options and contracts before this instant, ms.
    PauseUntil,
}

impl SelfLimit {
    /// All of them, in the order of the wire.
    pub const ALL: [SelfLimit; 4] = [SelfLimit::OptionStakeDay, SelfLimit::LossDay, SelfLimit::LeverageMax, SelfLimit::PauseUntil];

    pub(crate) fn at(self) -> usize {
        match self {
            SelfLimit::OptionStakeDay => 0,
            SelfLimit::LossDay => 1,
            SelfLimit::LeverageMax => 2,
            SelfLimit::PauseUntil => 3,
        }
    }

    /// No value at all is the loosest. A later end of a pause is tighter, a smaller bound is.
    pub(crate) fn is_looser(self, new: Option<u64>, than: Option<u64>) -> bool {
        match (self, new, than) {
            (_, _, None) => false,
            (_, None, Some(_)) => true,
            (SelfLimit::PauseUntil, Some(new), Some(than)) => new < than,
            (SelfLimit::OptionStakeDay | SelfLimit::LossDay | SelfLimit::LeverageMax, Some(new), Some(than)) => new > than,
        }
    }
}
