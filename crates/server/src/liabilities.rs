//! Proof of liabilities: at every full ten minutes of journal time trees over what all members have, whose roots enter the log
//! ([decision 47](../../../docs/decisions/0047-proof-of-liabilities.md)). One thread that steps back makes the trees; the last two are kept,
//! so that members can ask for their leaves.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use engine::amount::Amount;
use engine::command::Command;
use engine::ids::{AssetId, Digest, Seq, UserId};
use engine::ledger::HouseAccount;
use engine::liabilities::{CoinRoot, Proven, RecordLiabilities, SumTree};
use kernel::sequencer::{Sequencer, SubmitError};
use store::secrets;

use crate::background::{Pool, Turn};

/// The trees of the newest cut may not be in the log yet: then those before are shown.
const KEPT: usize = 2;
/// A node that takes no commands just now is asked again so often.
const TRIES: usize = 5;
const PAUSE: Duration = Duration::from_secs(1);

/// The trees of the last cuts, and the thread that makes them.
#[derive(Debug)]
pub struct Liabilities {
    pool: Pool,
    made: RwLock<VecDeque<Arc<Trees>>>,
}

/// The trees of one cut, and what the house accounts had then.
#[derive(Debug)]
struct Trees {
    seq: Seq,
    coins: Vec<SumTree>,
    house: Vec<(HouseAccount, AssetId, Amount)>,
}

impl Liabilities {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system gives none.
    pub fn start() -> io::Result<Liabilities> {
        // It runs beside live trading and must make progress there: ten minutes are short for a venue with millions of members.
        Ok(Liabilities { pool: Pool::start("liabilities", 1, Turn::Quarter)?, made: RwLock::default() })
    }

    /// A member's leaf in the tree of a coin whose root the log has; of a member who has none of the coin nothing. `None` when that tree is
    /// not here, as after a start.
    pub async fn proven(&self, user: UserId, seq: Seq, recorded: &CoinRoot) -> Option<Option<Proven>> {
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner).iter().find(|trees| trees.seq == seq).cloned()?;
        let CoinRoot { asset, root, .. } = *recorded;
        let look = move || {
            let tree = made.coins.iter().find(|tree| tree.asset() == asset && tree.root().hash == root)?;
            Some(tree.proven(user))
        };
        tokio::task::spawn_blocking(look).await.ok()?
    }

    /// What each house account had of a coin at a cut; `None` of one that is no longer here, or not since a start.
    pub fn house(&self, seq: Seq, asset: AssetId) -> Option<Vec<(HouseAccount, Amount)>> {
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner).iter().find(|trees| trees.seq == seq).cloned()?;
        Some(made.house.iter().filter(|(_, of, _)| *of == asset).map(|(account, _, amount)| (*account, *amount)).collect())
    }

    fn keep(&self, trees: Trees) {
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        made.push_front(Arc::new(trees));
        made.truncate(KEPT);
    }
}

/// Makes the trees of every cut and brings their roots into the log, for ever. What fails is a gap that everybody sees.
pub async fn run(liabilities: Arc<Liabilities>, sequencer: Sequencer) {
    loop {
        let mut cut = sequencer.next_cut().await;
        let (seq, house) = (cut.seq, std::mem::take(&mut cut.house));
        let Ok(seed) = secrets::random::<32>() else {
            tracing::error!(seq = seq.0, "liabilities are not recorded: the system gives no random bytes");
            continue;
        };
        let made = liabilities.pool.run(move || RecordLiabilities::of(cut, Digest(seed))).await;
        let Some((coins, record)) = made else {
            tracing::error!(seq = seq.0, "liabilities are not recorded: no trees could be made");
            continue;
        };
        liabilities.keep(Trees { seq, coins, house });
        if let Err(error) = submit(&sequencer, record).await {
            tracing::error!(?error, seq = seq.0, "liabilities are perhaps not recorded");
        }
    }
}

async fn submit(sequencer: &Sequencer, record: RecordLiabilities) -> Result<(), SubmitError> {
    for _ in 1..TRIES {
        match sequencer.submit(Command::RecordLiabilities(Box::new(record.clone())), None).await {
            // The entry was not written. If the outcome is unknown it is not sent again, because two entries for one cut would contradict
            // each other.
            Err(SubmitError::NotReady) => tokio::time::sleep(PAUSE).await,
            done => return done.map(drop),
        }
    }
    sequencer.submit(Command::RecordLiabilities(Box::new(record)), None).await.map(drop)
}
