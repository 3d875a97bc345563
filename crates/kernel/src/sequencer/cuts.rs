//! Balances of everybody at one entry, for the proof of liabilities. The shadow takes them, so that no write waits for that; whoever makes
//! trees of them fetches them from here.

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
    /// Somebody fetches them; otherwise they are not made.
    wanted: AtomicBool,
    newest: Mutex<Option<Cut>>,
    made: Notify,
}

impl Cuts {
    /// Cuts the balances if this state is the first one of an interval; `before` is the journal time of the entry before. One that was not
    /// fetched by then is lost, which everybody sees as a gap.
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

    /// Waits for the next one. Only one caller may wait.
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
    /// Waits for what everybody has at the first entry of the next ten minutes of journal time. The shadow takes it: no write waits. For one
    /// caller, who is given the newest.
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

    use super::*;

    const USER: UserId = UserId(2);

    #[tokio::test]
    async fn the_first_entry_of_ten_minutes_cuts_the_balances_of_its_own_state() {
        let (cuts, mut engine) = (Cuts::default(), Engine::default());
        cuts.wanted.store(true, Ordering::Relaxed);
        let faucet = |amount| Command::SandboxFaucet { user: USER, asset: AssetId(3), wallet: Wallet::Spot, amount };
        let genesis = Genesis { mode: Mode::Sandbox, catalog: Catalog::standard(), endowments: Vec::new() };
        let entries = [
            (1, Command::Genesis(Box::new(genesis))),
            (2, Command::RegisterMember { user: USER, house: false }),
            (3, faucet(100)),
            (599_999, faucet(5)),
            (600_001, faucet(7)),
            (600_002, faucet(9)),
            (1_199_999, faucet(11)),
        ];
        for (seq, (time, command)) in (1..).zip(entries) {
            let before = engine.time();
            let entry = Entry { seq: Seq(seq), time: Time(time), request: None, command };
            engine.apply(&entry, &mut Vec::new()).result.unwrap();
            cuts.take(before, &engine);
        }
        let cut = cuts.next().await;
        assert_eq!((cut.seq, cut.time), (Seq(5), Time(600_001)));
        let of_coin = cut.coins.iter().find(|coin| coin.asset == AssetId(3)).unwrap();
        assert_eq!((of_coin.came_in, &of_coin.members[..]), (112, &[(USER, 112)][..]));
        let later = tokio::time::timeout(Duration::from_millis(20), cuts.next()).await;
        assert!(later.is_err(), "one cut in ten minutes");
    }
}
