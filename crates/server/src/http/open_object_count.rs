//! A count of everything that is open. Everybody may ask for it, and the engine waits while it is made.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use engine::ids::{AssetId, Seq};
use engine::ledger::HouseAccount;

/// The number of open objects that bind something of each account of the house in each coin.
pub type OpenObjects = BTreeMap<(HouseAccount, AssetId), u64>;

/// Times as long as it took a count is shown, so counting takes a twentieth of the time at most, and few objects are counted afresh.
const SHOWN: u32 = 20;

/// The last count.
#[derive(Debug, Default)]
pub struct OpenObjectCount(Mutex<Option<Count>>);

#[derive(Debug)]
struct Count {
    seq: Seq,
    at: Instant,
    took: Duration,
    open: Arc<OpenObjects>,
}

impl OpenObjectCount {
    /// The count at this entry, or an earlier one that is still shown.
    pub fn of(&self, seq: Seq, count: impl FnOnce() -> OpenObjects) -> Arc<OpenObjects> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some(last) if last.seq == seq || last.at.elapsed() < last.took * SHOWN => last.open.clone(),
            _ => {
                let at = Instant::now();
                let open = Arc::new(count());
                *kept = Some(Count { seq, at, took: at.elapsed(), open: open.clone() });
                open
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_took_long_is_shown_for_longer_and_one_of_the_same_entry_until_the_next() {
        let counts = OpenObjectCount::default();
        let counted_again = |seq, ago, took| {
            let at = Instant::now().checked_sub(Duration::from_millis(ago)).unwrap();
            *counts.0.lock().unwrap() = Some(Count { seq, at, took: Duration::from_millis(took), open: Arc::default() });
            let mut again = false;
            counts.of(Seq(8), || {
                again = true;
                OpenObjects::new()
            });
            again
        };
        assert!(!counted_again(Seq(8), 60_000, 0));
        assert!(!counted_again(Seq(7), 19_000, 1_000));
        assert!(counted_again(Seq(7), 21_000, 1_000));
        assert!(counted_again(Seq(7), 1, 0));
    }
}
