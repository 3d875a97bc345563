//! Balances of all members at one entry, for the proof of liabilities. The shadow takes them, so no write waits; the code that builds the
//! trees fetches them from here.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use engine::Engine;
use engine::liabilities::{Cut, interval};
use engine::time::Time;
use tokio::sync::Notify;

use super::Sequencer;

/// The newest cut that was not fetched yet.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    /// Set once a caller fetches cuts; otherwise they are not made.
    wanted: AtomicBool,
    newest: Mutex<Option<Cut>>,
    made: Notify,
}

impl Cuts {
    /// Cuts the balances if this state is the first one of an interval; `before` is the journal time of the previous entry. A cut not
    /// fetched in time is lost, which is visible as a gap.
    pub(super) fn take(&self, before: Time, engine: &Engine) {
        let begins = before > Time(0) && interval(before) < interval(engine.time());
        if !begins || !self.wanted.load(Ordering::Relaxed) {
            return;
        }
        let missed = self.lock().replace(engine.cut());
        if let Some(missed) = missed {
            tracing::warn!(seq = missed.seq.0, "liabilities are not recorded: the ones before take too long");
        }
        self.made.notify_one();
    }

    /// Waits for the next cut. Only one caller may wait.
    pub(super) async fn next(&self) -> Cut {
        self.wanted.store(true, Ordering::Relaxed);
        loop {
            if let Some(cut) = self.lock().take() {
                return cut;
            }
            self.made.notified().await;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Cut>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sequencer {
    /// Waits for the balances of all members at the first entry of the next ten minutes of journal time. The shadow takes them: no write
    /// waits. For a single caller, which receives the newest cut.
    pub async fn next_cut(&self) -> Cut {
        self.cuts.next().await
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use engine::catalog::{Catalog, Wallet};
    use engine::command::{Command, Entry, Genesis, Mode};
    use engine::ids::{AssetId, Seq, UserId};
    use journal::{Head, Journal, MemoryDatabase};

    use super::super::shadow::Shadow;
    use super::*;
    use crate::replay;

    const USER: UserId = UserId(2);

    /// A log: a genesis, a member, and what they get at these instants, ms; each is 100 atoms more than the one before.
    fn entries(instants: &[u64]) -> Vec<Entry> {
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        let faucet = |amount| Command::SandboxFaucet { user: USER, asset: AssetId(3), wallet: Wallet::Spot, amount };
        let first = [(1, Command::Genesis(Box::new(genesis))), (2, Command::RegisterMember { user: USER, house: false })];
        let paid = (1..).zip(instants).map(|(number, time)| (*time, faucet(100 * number)));
        let entry = |(seq, (time, command))| Entry { seq: Seq(seq), time: Time(time), request: None, command };
        (1..).zip(first.into_iter().chain(paid)).map(entry).collect()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_shadow_cuts_what_members_have_after_the_first_entry_of_ten_minutes() {
        let (sequencer, _inbox) = Sequencer::new();
        // The first request switches the cuts on.
        assert!(tokio::time::timeout(Duration::from_millis(1), sequencer.next_cut()).await.is_err());
        let snapshots = Journal::memory(&MemoryDatabase::new()).unwrap().snapshots();
        let mut shadow = Shadow::start(&sequencer, snapshots, Head::GENESIS, 0, 1_000, std::env::temp_dir()).unwrap();
        let mut engine = Engine::default();
        for entry in entries(&[3, 599_999, 600_000, 600_001]) {
            let (published, _) = replay::apply_entry(&mut engine, &entry);
            sequencer.published.send_replace(entry.seq.0);
            shadow.follow(Head { seq: entry.seq.0, ..Head::GENESIS }, vec![entry], [published].into()).unwrap();
        }
        let cut = tokio::time::timeout(Duration::from_secs(10), sequencer.next_cut()).await.unwrap();
        shadow.finish();
        assert_eq!((cut.seq, cut.time), (Seq(5), Time(600_000)));
        let of_coin = cut.coins.iter().find(|coin| coin.asset == AssetId(3)).unwrap();
        assert_eq!(of_coin.members, [(USER, 600)]);
    }

    #[tokio::test]
    async fn the_first_entry_of_ten_minutes_cuts_the_balances_of_its_own_state() {
        let (cuts, mut engine) = (Cuts::default(), Engine::default());
        cuts.wanted.store(true, Ordering::Relaxed);
        for entry in entries(&[3, 599_999, 600_001, 600_002, 1_199_999]) {
            let before = engine.time();
            engine.apply(&entry, &mut Vec::new()).result.unwrap();
            cuts.take(before, &engine);
        }
        let cut = cuts.next().await;
        assert_eq!((cut.seq, cut.time), (Seq(5), Time(600_001)));
        let of_coin = cut.coins.iter().find(|coin| coin.asset == AssetId(3)).unwrap();
        assert_eq!((of_coin.came_in, &of_coin.members[..]), (600, &[(USER, 600)][..]));
        cuts.take(Time(0), &engine);
        let later = tokio::time::timeout(Duration::from_millis(20), cuts.next()).await;
        assert!(later.is_err(), "one cut in ten minutes, and none of the first entry of a log");
    }

    #[tokio::test]
    async fn of_cuts_that_nobody_fetched_the_newest_is_kept_and_none_that_nobody_wants() {
        let (cuts, mut engine) = (Cuts::default(), Engine::default());
        for (place, entry) in entries(&[3, 600_000, 1_200_000, 1_800_000]).iter().enumerate() {
            let before = engine.time();
            engine.apply(entry, &mut Vec::new()).result.unwrap();
            cuts.take(before, &engine);
            if place == 3 {
                assert_eq!(*cuts.lock(), None);
                cuts.wanted.store(true, Ordering::Relaxed);
            }
        }
        assert_eq!(cuts.next().await.time, Time(1_800_000));
    }
}
