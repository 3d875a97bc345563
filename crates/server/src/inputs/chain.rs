//! Watchers of chains: what arrives at members' addresses enters the log as observed payments (D-3, D-7), and the outcome of payouts as
//! reports (W-8). Each chain has one loop.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chain::watch::{AddressBook, Cursor, Observation, PollResult, Settings, Watcher};
use engine::catalog::funding::Chain;
use engine::command::Command;
use engine::funding::deposits::Observed;
use engine::funding::status::ObservationStatus;
use engine::ids::{AssetId, Digest, UserId, WithdrawalId};
use kernel::sequencer::Sequencer;
use store::Store;
use store::db::{DbError, Sql};
use store::payments::{self, Payment};
use store::{deposit_addresses, observations};

use crate::error::StartError;
use crate::inputs::payouts;
use crate::member_lock::MemberLocks;

/// New addresses are looked for this often while a poll waits, and polls fail and are tried again after it.
const AGAIN: Duration = Duration::from_secs(5);
/// PostgreSQL may show a row after ones with higher numbers, but at most this many.
const LATE_ROWS: u64 = 1_000;

/// One chain, its watcher and what it has reported.
#[derive(Debug)]
pub struct ChainFeed {
    store: Arc<Store>,
    sequencer: Sequencer,
    member_locks: MemberLocks,
    chain: Chain,
    watcher: Watcher,
    book: AddressBook,
    /// Row of the last address in the book.
    known: u64,
    cursor: Cursor,
    /// Most confirmations that were logged, by key: the same payment is seen at every poll.
    logged: HashMap<String, u32>,
    /// Payouts up to this one were looked up.
    looked: WithdrawalId,
    every: Duration,
}

impl ChainFeed {
    /// A feed that continues where the last one stopped. `settings` say where the chain is.
    pub async fn open(
        store: &Arc<Store>,
        sequencer: &Sequencer,
        member_locks: &MemberLocks,
        chain: Chain,
        settings: &Settings,
    ) -> Result<ChainFeed, StartError> {
        let wrong = |error: chain::watch::WatchError| StartError(format!("watcher of {}: {error}", chain.name()));
        let watcher = Watcher::new(settings).map_err(wrong)?;
        let cursor = match payments::position(&store.db, chain.name()).await? {
            Some(text) => Cursor::from_text(&text).map_err(wrong)?,
            None => Cursor::default(),
        };
        let every = match chain {
            Chain::Btc => Duration::from_secs(60),
            Chain::Erc20 => Duration::from_secs(12),
            Chain::Trc20 => Duration::from_secs(30),
        };
        let book = AddressBook::new(watcher.chain());
        Ok(ChainFeed {
            store: store.clone(),
            sequencer: sequencer.clone(),
            member_locks: member_locks.clone(),
            chain,
            watcher,
            book,
            known: 0,
            cursor,
            logged: HashMap::new(),
            looked: WithdrawalId(0),
            every,
        })
    }

    /// The feeds of all configured chains, with the addresses of their nodes.
    pub async fn configured(
        store: &Arc<Store>,
        sequencer: &Sequencer,
        member_locks: &MemberLocks,
        watched: &[(Chain, String)],
    ) -> Result<Vec<ChainFeed>, StartError> {
        let mut feeds = Vec::new();
        for (chain, url) in watched {
            let named = chain::Chain::named(chain.name()).ok_or_else(|| StartError(format!("no watcher of {}", chain.name())))?;
            feeds.push(ChainFeed::open(store, sequencer, member_locks, *chain, &Settings::mainnet(named, url)).await?);
        }
        Ok(feeds)
    }

    /// Polls for ever.
    pub async fn run(mut self) {
        loop {
            match self.round().await {
                Ok(true) => {}
                Ok(false) => tokio::time::sleep(self.every).await,
                Err(fault) => {
                    metrics::counter!("watcher_failures_total", "chain" => self.chain.name()).increment(1);
                    tracing::error!(chain = self.chain.name(), fault, "watcher");
                    tokio::time::sleep(AGAIN).await;
                }
            }
        }
    }

    /// Deposits, and once these are read payouts; true if there is more to read at once.
    async fn round(&mut self) -> Result<bool, String> {
        let behind = self.poll().await?;
        if !behind {
            self.look_at_payouts().await?;
        }
        Ok(behind)
    }

    /// Looks up payouts marked as sent.
    pub async fn look_at_payouts(&mut self) -> Result<(), String> {
        payouts::look(&self.store, &self.sequencer, self.chain, &mut self.watcher, &mut self.looked).await
    }

    /// Polls once; true if there is more to read at once. The position is stored only after everything before it is in the log, so a crash
    /// in between reports it again, which is harmless: a key is credited once.
    pub async fn poll(&mut self) -> Result<bool, String> {
        self.learn().await.map_err(|error| error.to_string())?;
        self.watcher.deepen(self.needed().into());
        let PollResult { gone, observed, unfit, cursor, behind, .. } = loop {
            let seen = self.watcher.poll(&self.book, &self.cursor).await.map_err(|error| error.to_string())?;
            // An Ethereum block is compared only once, and it may pay an address that was given out in the meantime.
            if !self.learn().await.map_err(|error| error.to_string())? || self.chain != Chain::Erc20 {
                break seen;
            }
        };
        for seen in &gone {
            self.report_gone(seen).await?;
        }
        for seen in &observed {
            self.report(seen).await?;
        }
        for seen in unfit {
            tracing::warn!(key = seen.key, raw = seen.raw, "a payment that no amount of ours can hold");
        }
        self.logged.retain(|key, _| observed.iter().any(|seen| seen.key() == *key));
        let moved = payments::move_on(self.chain.name(), &cursor.to_text());
        self.store.db.exec(moved).await.map_err(|error| error.to_string())?;
        self.cursor = cursor;
        Ok(behind)
    }

    /// The highest number of confirmations that a coin of this chain requires now.
    fn needed(&self) -> u32 {
        let engine = self.sequencer.engine();
        let networks = engine.catalog().funding.networks.iter().filter(|network| network.chain == self.chain);
        networks.map(|network| network.confirmations).max().unwrap_or(0)
    }

    /// Addresses that were given out since the last poll; true if there are any.
    async fn learn(&mut self) -> Result<bool, DbError> {
        let before = self.book.len();
        for (row, address) in deposit_addresses::since(&self.store.db, self.chain, self.known.saturating_sub(LATE_ROWS)).await? {
            // Sandbox addresses exist on no chain.
            if let Err(error) = self.book.insert(&address) {
                tracing::debug!(?error, "address not watched");
            }
            self.known = self.known.max(row);
        }
        Ok(self.book.len() > before)
    }

    fn payment(&self, seen: &Observation) -> (Payment, Sql) {
        let (chain, tx, address) = (self.chain.name().to_owned(), seen.tx.clone(), seen.address.clone());
        let payment = Payment { chain, tx, output: u64::from(seen.output), address };
        let keep = payment.keep();
        (payment, keep)
    }

    /// A payment is reported at first sight and with every further confirmation, so its owner sees them rise, until it has as many as its
    /// network requires.
    async fn report(&mut self, seen: &Observation) -> Result<(), String> {
        let confirmations = u32::try_from(seen.confirmations).unwrap_or(u32::MAX);
        let (asset, needed) = {
            let engine = self.sequencer.engine();
            let Some(asset) = engine.catalog().assets.iter().find(|asset| asset.code == seen.coin).map(|asset| asset.id) else {
                return Ok(());
            };
            (asset, engine.catalog().funding.network(asset, self.chain).map_or(u32::MAX, |network| network.confirmations))
        };
        let told = self.logged.get(&seen.key()).copied();
        if told.is_some_and(|told| told >= needed || confirmations <= told) {
            return Ok(());
        }
        let owner = deposit_addresses::owner(&self.store.db, self.chain, &seen.address).await.map_err(|error| error.to_string())?;
        let Some((user, _)) = owner else { return Ok(()) };
        // An operator may be entering the same payment.
        let _lock = self.member_locks.of(user).await;
        let (payment, keep) = self.payment(seen);
        let mut tx = payment.digest();
        if let Some((theirs, status)) = self.entered_by_hand(&payment, user, asset).await.map_err(|error| error.to_string())? {
            metrics::counter!("watcher_entered_by_hand_total", "chain" => self.chain.name()).increment(1);
            tracing::warn!(key = seen.key(), "two operators entered this payment under another output: it is theirs");
            // Once it is credited, the chain confirms or contradicts it under the operators' number (D-7).
            if status == ObservationStatus::Matched {
                return Ok(());
            }
            tx = theirs;
        }
        self.store.db.exec(keep).await.map_err(|error| error.to_string())?;
        let observed = Observed { user, asset, chain: self.chain, amount: seen.amount };
        self.submit(Command::ObserveDeposit { tx, observed, confirmations }, asset).await?;
        self.logged.insert(seen.key(), confirmations);
        Ok(())
    }

    /// The payment of this transaction that operators credited to the member in this coin, or will. They may have numbered its output
    /// differently, so the key alone does not show that it is the same payment (D-3).
    async fn entered_by_hand(
        &self,
        payment: &Payment,
        user: UserId,
        asset: AssetId,
    ) -> Result<Option<(Digest, ObservationStatus)>, DbError> {
        let others = payments::others(&self.store.db, payment).await?;
        let own = payment.digest();
        let told = payments::find(&self.store.db, &[own]).await?.contains_key(&own);
        if observations::by_tx(&self.store, &[own]).await?.iter().any(|seen| seen.watched) {
            return Ok(None);
        }
        let counts = |status| matches!(status, ObservationStatus::Matched | ObservationStatus::Credited | ObservationStatus::Reversed);
        let theirs = observations::by_tx(&self.store, &others).await?;
        let theirs = theirs
            .iter()
            .filter(|other| !other.entries.is_empty() && counts(other.status))
            // A payment that a watcher reported under the operators' number is this one only if it was reported as theirs before.
            .find(|other| (!other.watched || told) && (other.observed.user, other.observed.asset) == (user, asset));
        Ok(theirs.map(|other| (other.tx, other.status)))
    }

    /// The key under which a payment was reported, which may be that of operators.
    async fn told_as(&self, payment: &Payment) -> Result<Digest, DbError> {
        let others = payments::others(&self.store.db, payment).await?;
        let own = payment.digest();
        if !observations::by_tx(&self.store, &[own]).await?.is_empty() {
            return Ok(own);
        }
        let others = observations::by_tx(&self.store, &others).await?;
        Ok(others.iter().find(|other| other.status == ObservationStatus::Credited).map_or(own, |other| other.tx))
    }

    async fn report_gone(&mut self, seen: &Observation) -> Result<(), String> {
        tracing::warn!(key = seen.key(), "a payment left its chain");
        self.logged.remove(&seen.key());
        let (payment, _) = self.payment(seen);
        let tx = self.told_as(&payment).await.map_err(|error| error.to_string())?;
        self.submit(Command::ReportReorganisation { tx }, AssetId(0)).await
    }

    /// A refusal of the engine is an answer: too small, or credited before. Only a node that takes no commands is a fault.
    async fn submit(&self, command: Command, asset: AssetId) -> Result<(), String> {
        let applied = self.sequencer.submit(command, None).await.map_err(|error| error.to_string())?;
        if let Err(reject) = &applied.outcome.result {
            tracing::info!(chain = self.chain.name(), asset = asset.0, refusal = reject.name(), "observed payment");
        }
        Ok(())
    }
}
